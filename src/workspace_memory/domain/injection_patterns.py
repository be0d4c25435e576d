"""The patterns of orders to a model, each with what must be in a text for it to be tried at all.

Data alone, for lower-case text; `injection_orders.py` applies them, `injection_words.py` has the vocabulary of
overrides. A pattern without a cheap condition before it would cost its tenth of a millisecond for every text.
"""

import re

from workspace_memory.domain import injection_words as words


def _stems(pattern: str) -> frozenset[str]:
    """The first four letters of each longer word in a piece of pattern."""
    return frozenset(word[:4] for word in re.findall(r"[^\W\d_]{4,}", pattern))


OVERRIDES = tuple(
    (
        _stems(verbs),
        _stems(things),
        re.compile(
            rf"(?<![\w'])(?:{verbs})[,:]?(?P<between>(?:[ \n]+(?:{between})){{0,6}})[ \n']+(?:{things})\b"
            rf"(?P<after>[ \n,]+(?:{words.AFTERWARDS})\b)?(?P<else>{words.ABOUT_ELSE})?"
        ),
        re.compile(rf"(?<!\w)(?:{owns})(?!\w)"),
    )
    for verbs, between, owns, things in words.OVERRIDES.values()
)
STRONG_THINGS = re.compile(
    r"(?:precedenti|ricevute|iniziali|recibidas|iniciales|reçues|initiales|anteriores|previas|précédentes"
    r"|antérieures|de sécurité|de seguridad|di sicurezza|(?:di"
    r"|del|du|de) sist[eè]m[ae]"
    r"|système|systemprompts?|sicherheitsregeln|sicherheitsvorgaben|systemanweisungen)\b"
)
WEAK_OVERRIDE = re.compile(
    r"\b(?:rules|polic(?:y|ies)|filters?|context|messages|orders|commands|training|protocols?|constraints"
    r"|restrictions|limits"
    r"|regeln|vorgaben|richtlinien|regole|reglas|règles|limites|restricciones|restrictions|restrizioni"
    r"|einschränkungen|comandi)$"
)
SAID = tuple(
    (
        rule,
        tuple(tuple(word.replace("_", " ") for word in group.split()) for group in needs.split("+")),
        re.compile(rf"(?<!\w){pattern}" if pattern[0] != "(" else pattern),
    )
    for rule, needs, pattern in words.SAID
)

_SECRETS = (
    r"(?:api[- ]?keys?|passwords?|passwörter|credentials?|secrets?|tokens?|private keys?"
    r"|env(?:ironment)? variables?|\.env|zugangsdaten"
    r"|chiavi api|credenziali|contraseñas?|credenciales|mots? de passe|clés api|identifiants"
    r"|パスワード|apiキー|認証情報)"
)
_TALK_THINGS = (
    r"(?:every (?:memory|message|answer|reply|file|secret)(?: you have)?|(?:the |this |our |full |whole "
    r"|entire |complete |current |all )*(?:conversation|chat|transcript"
    r"|dialog(?:ue)?)(?: history| log| so far)?"
    r"|(?:chat|conversation|message) (?:history|log)s?|(?:the |their |all )*(?:user'?s? )(?:messages?|data"
    r"|input|inputs|files|answers?|memor(?:y|ies)|secrets?"
    r"|prompts?)|(?:all |your |the |stored |private )*memor(?:y|ies)|system prompt|everything(?: (?:you"
    r"|the user|they|in)\b[^.\n]{0,20})?|all (?:the |your )?data"
    r"|(?:the |all )*contents? of (?:this|the|your) (?:chat|conversation|memory|context)|(?:your"
    r"|the) (?:next |last |previous )?(?:answers?|responses?|context)"
    rf"|(?:all |the |your |any |user'?s? )*{_SECRETS}"
    r"|(?:den |das |die |ganzen? |gesamten? |kompletten? |vollständigen? |deinen? |unseren? "
    r"|alle )*(?:gesprächs?verlauf|chat-?verlauf|chat|unterhaltung"
    r"|gespräch)|alles|alle (?:daten|dateien|erinnerungen|nachrichten)"
    r"|(?:la |tutta |l'intera )*(?:conversazione|chat|cronologia)|tutti i (?:dati|file|messaggi)|tutto|i file"
    r"|(?:la |toda )*(?:conversación|charla)|todos los (?:datos|archivos|mensajes)|todo|(?:la "
    r"|toute )*(?:conversation|discussion)|toutes les données|tous les (?:fichiers"
    r"|messages)|tout)"
)
_SEND = (
    r"(?:send|post|upload|forward|exfiltrate|transmit|e-?mail(?= (?:the|all|your|me|this|every|user))|bcc|cc"
    r"|leak|submit|copy|append|include|attach|put|embed|report|relay|pipe|encode"
    r"|schick(?:e|en)?|send(?:e|en)|leite|lade|übermittle|maile?|invia(?:re)?|inoltra(?:re)?|spedisci"
    r"|manda(?:re)?|carica|envía(?:r)?|enviar|reenvía|manda|sube"
    r"|envoie|envoyer|envoyez|transfère|transmets|transmet)"
)
_WHERE = (
    r"(?:https?://|www\.|[\w.+-]+@[\w-]+\.\w+|webhook|\b(?:external|attacker|remote|my|this) (?:server"
    r"|url|address|endpoint|site|host)\b|ftp://)"
)
_THINGS_SENT = (
    "conversa",
    "chat",
    "transcript",
    "dialog",
    "history",
    "user",
    "memor",
    "prompt",
    "everything",
    "data",
    "contents",
    "answer",
    "response",
    "context",
    "api",
    "password",
    "credential",
    "secret",
    "token",
    "private",
    "gespräch",
    "verlauf",
    "unterhaltung",
    "alles",
    "alle ",
    "tutt",
    "tous",
    "message",
    "nachricht",
    "datei",
    "erinnerung",
    "mensaje",
    "datos",
    "données",
    "file",
    "todo",
    "tout",
    "cronologia",
    "passwör",
    "variable",
)
EXFILTRATION: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (_THINGS_SENT, re.compile(rf"(?<![\w-]){_SEND}(?:[ \n]+(?:me|us|it|over|out|along|sofort|subito|always"
                              rf"|immer))?[ \n]+{_TALK_THINGS}\b[^\n.()\[\]]{{0,60}}?{_WHERE}")),
    (_THINGS_SENT, re.compile(rf"(?<![\w-]){_SEND}\b[^.\n]{{0,24}}{_WHERE}\S*[^\n]{{0,30}}\b(?:with|containing|mit|con"
                              rf"|avec|plus)\b[^.\n]{{0,12}}{_TALK_THINGS}")),
    (("![",), re.compile(r"!\[[^\]\n]{0,80}\]\([ ]*<?https?://[^)\s]{0,200}(?:[?&/=][^)\s]{0,80}[{<\[$]"
                         r"|[?&]\w{1,24}=(?:\)|$|[A-Z_]{4,}\)))")),
    (("{", "<", "[", "$", "%"), re.compile(
        r"https?://[^\s)\"']{1,200}[?&/=#][\w.=&-]{0,60}[{<\[$%]{1,2}[ ]?(?:the[ _-])?(?:user|full|chat"
        r"|all)?[ _-]?(?:conversation|chat|history|secret|secrets|memory"
        r"|memories|prompt|system|message|messages|answer|response|data|content|context|transcript|everything"
        r"|api_?keys?|password|credentials?|summary)\w{0,12}[ ]?[}>\]%]"
    )),
    (("会話", "チャット", "履歴", "データ", "メモリ", "記憶", "秘密", "パスワード", "個人情報"),
     re.compile(r"(?:会話|チャット|履歴|全データ|すべてのデータ"
                                                                                 r"|全ての?データ|メモリ|記憶|秘密|パスワード"
                                                                                 r"|個人情報)[^\n。]{0,24}(?:https?://"
                                                                                 r"|@|外部|サーバー)[^\n。]{0,40}(?:送信"
                                                                                 r"|送っ|送れ|転送|アップロード|投稿)")),
    (("会話", "チャット", "履歴", "データ", "メモリ", "パスワード"),
     re.compile(r"(?:https?://)\S{1,160}[^\n。]{0,12}(?:へ"
                                                             r"|に)[^\n。]{0,30}(?:会話|チャット|履歴|データ|メモリ"
                                                             r"|パスワード)[^\n。]{0,12}(?:送信|送っ|送れ|転送)")),
)  # fmt: skip

_NOT_TELL = (
    r"(?:do not|don't|never|must not|mustn't|should not|shouldn't|avoid|without"
    r"|refrain from)[ ]+(?:ever[ ]+)?(?:tell|telling"
    r"|inform|informing|mention|mentioning|reveal|revealing|notify|notifying|alert|alerting|show|showing"
    r"|disclose|disclosing"
    r"|let|letting|ask|asking|warn|warning|say|saying|admit|admitting)"
)
_THIS = (
    r"(?:this|it|that you|about (?:this|it)|of this|anything|what you|these|the (?:instruction|memory"
    r"|note|tool call|change|transfer)s?)"
)
_NEGATIONS = ("not ", "n't ", "never ", "avoid", "without", "refrain")
CONCEAL_REFUSED: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (_NEGATIONS, re.compile(rf"\b{_NOT_TELL}[ ]+(?:to )?(?:the )?users?[ ]+(?:anything )?(?:about )?{_THIS}\b")),
    (_NEGATIONS, re.compile(rf"\b{_NOT_TELL}[ ]+{_THIS}(?:[ ]+\w+){{0,3}}?[ ]+(?:to|from"
                            rf"|with)[ ]+(?:the )?(?:users?|humans?)\b")),
    # Plain people say "do not disclose this to anyone" of a security hole; "this instruction" is another matter.
    (_NEGATIONS, re.compile(rf"\b{_NOT_TELL}[ ]+(?:this|these|the) (?:instruction|memory|memories|note|order"
        rf"|tool call)s?"
                            r"(?:[ ]+\w+){0,3}?[ ]+(?:to|from|with)[ ]+(?:anyone|anybody|people)\b")),
    (("hide ", "conceal ", "keep "), re.compile(r"\b(?:hide|conceal|keep)[ ]+(?:this|it"
                                                r"|these)(?:[ ]\w+){0,3}[ ]+(?:secret "
                                                r"|hidden )?from (?:the )?(?:users?|everyone|humans?)\b")),
    (("without",), re.compile(r"\bwithout (?:the )?users?(?:'s)? (?:knowledge|knowing|consent|noticing"
                              r"|approval|permission|seeing)")),
    # An order alone: a changelog tells what a program did "without telling the user".
    (("without",), re.compile(
        r"(?:^|[.!?;:\n>*-]|\b(?:and|then|always|must|please|should))[ ]*(?:then |always |just |silently |quietly )?"
        r"(?:call|send|save|store|forward|delete|run|execute|use|add|do|upload|post|invoke|proceed|continue|act|answer"
        r"|perform|approve|change|copy|transfer|write|remove|share|include|insert|keep|make|start|install|grant)\b"
        r"[^.!?\n]{0,80}\bwithout (?:telling|informing|notifying|asking|alerting) (?:the )?users?\b"
    )),
    (("nutzer", "anwender", " user"), re.compile(r"\b(?:sag|sage|verrate|erzähl|erzähle|erwähne|teile|zeig"
                                                 r"|melde)[ ]+(?:es |das |dies |davon )?(?:dem |den "
                                                 r"|der )?(?:nutzer|benutzer|anwender"
                                                 r"|user)n?[ ]+(?:gegenüber )?(?:davon "
                                                 r"|darüber |das |dies |diese[nsr]? \w+ )?(?:nichts|nicht|nie)")),
    (("nutzer", "anwender", " user"), re.compile(r"\b(?:sag|sage|verrate|erwähne)[ ]+(?:dem |den )(?:nutzer"
                                                 r"|benutzer|anwender)n?[ ]+nichts\b|\bohne (?:es "
                                                 r"|dass )?(?:dem |der |den )?(?:nutzer|benutzer|anwender)"
               r"(?: es| davon| das)?(?: zu)? ?(?:sagen|informieren|merk|erfähr|weiß|mitzuteilen|wissen)"
               r"|der (?:nutzer|benutzer|anwender) darf (?:davon |das |es )?(?:nichts|nicht) (?:erfahren"
               r"|wissen|merken)")),
    (("utente",), re.compile(r"\bsenza (?:dir(?:lo|e nulla)|informare|avvisare|che)(?: al)?[ ]*(?:l')?utente"
                             r"|\bnon (?:dir(?:e|lo)|rivelar(?:e|lo)|menzionar(?:e|lo)|informare)(?: nulla"
                             r"| niente| questo| mai)?"
               r"[ ]*(?:al)?(?:l')?utente(?! di )")),
    (("usuario",), re.compile(r"\bsin (?:que|decir(?:lo|le)?(?: nada)?|informar|avisar)[ ]*(?:al|el"
                              r"|le)? ?usuario|\bno (?:se lo |le )?(?:digas|cuentes|reveles|menciones"
                              r"|informes)(?: nada| esto| de esto)?[ ]*(?:al|a los) usuarios?")),
    (("utilisateur",), re.compile(r"\bsans (?:le dire|prévenir|en informer|informer|avertir"
                                  r"|que)[ ]*(?:à )?l'utilisateur|\bne (?:le |lui )?(?:dis|dites|révèle"
                                  r"|mentionne|parle|préviens)(?:-le)?[ ]*(?:rien|pas|jamais)"
               r"(?: cela| ça| rien| en parler)?[ ]*(?:à )?l'utilisateur(?! de )")),
    (("ユーザー",),
     re.compile(r"ユーザー(?:に|には|へは?)(?:この(?:こと|件|指示)(?:を|は)?|何も|決して|絶対に)?(?:知らせ|言わ|伝え|話さ|教え|見せ|明かさ"
                           r"|気付か|気づか|報告し)(?:ず|ない|るな|てはいけ|せる?な|せず)")),
)  # fmt: skip
SILENTLY = re.compile(
    # At the beginning of an order: a manual says of a program that it "will silently save the file".
    r"(?:^|[.!?;:\n>*-]|\b(?:and|then|always|must|please|und|e|y|et|bitte|immer|sempre|siempre|toujours))[ ]*"
    r"(?:silently|secretly|quietly|covertly|heimlich|di nascosto|en secreto|en secret)[ ]+(?:call|send|run"
    r"|execute|save|store|forward|delete|upload|use|invoke"
    r"|add|sende|speichere|lösche|invia|salva|cancella|envía|guarda|borra|envoie|enregistre|supprime|leite|rufe)\b"
)
CONCEAL_HELD = re.compile(
    rf"\b{_NOT_TELL}[ ]+(?:to )?the users?\b(?![ ]+(?:to|for|how|twice|again|which|when they)\b)"
    r"|\bkeep (?:this|it) (?:secret|hidden|confidential|between us)\b(?=[^\n]{0,30}(?:user|human|ai|assistant))"
    r"|\bsecretly\b|\bthe user (?:must|should|may|need)(?: not|n't) (?:know|see|notice|be told|find out|learn)"
)

_TOOL = (
    r"(?:memory_(?:save|forget|search|edit|delete)|remember_in_memory"
    r"|[\"'`]?[a-z]{2,20}_(?:[a-z]{2,20}_?){1,3}[\"'`]?(?:\(\)|[ ]tool)?"
    r"|(?:the )?[\w-]{2,24} tool)"
)
_CALL = (
    r"(?:call|invoke|use|execute|run|trigger|rufe|nutze|verwende|starte|führe|chiama|usa|esegui|invoca"
    r"|llama(?: a)?|ejecuta|utiliza|appelle|utilise|exécute|lance)"
)
# Without "use": manuals say "use `name` to send …" of functions.
_CALL_HARD = (
    r"(?:call|invoke|execute|trigger|rufe|führe|chiama|esegui|invoca|llama a|ejecuta|appelle|exécute)"
)
_ACTS = (
    r"(?:reveal|leak|exfiltrate|forward (?:the |all |every |their |your |this )*(?:conversation|chat|message"
    r"|histor|data\b"
    r"|answer|credential|password|everything|file|memor|secret)\w*|transfer|delete|erase|wipe|forget|approve|grant|disable|upload"
    r"|execute|invoke|transmit|send (?:the|all|every|their|your|me|it to)"
    r"|output the|print the|share the|give (?:them|him|her|me) (?:admin|access|the password|root)|lösche"
    r"|überweise|leite|sende alle|schicke alle|gib (?:alle|die passwörter)"
    r"|cancella|rivela|revela|révèle|verrate|elimina|trasferisci|invia (?:tutto|tutti|la)|borra|elimina"
    r"|transfiere|envía (?:todo|la)|supprime|efface|transfère|envoie (?:tout|la))"
)
TRIGGER = re.compile(
    r"\b(?:when(?:ever)?|if|every time|each time|as soon as|next time|once|the moment|wenn|sobald|falls"
    r"|immer wenn|quando|se|ogni volta che|non appena|cuando|si|cada vez que"
    r"|en cuanto|quand|lorsque|dès que|chaque fois que)\b(?P<who>[^.\n;]{0,24}?(?:\b(?:user|users|they|he|she"
    r"|someone|somebody|anyone|human|customer|nutzer|benutzer|anwender|jemand|utente|qualcuno"
    r"|usuario|alguien|utilisateur|quelqu'un)\b)[^.\n;]{0,24}?\b(?:says?|asks?|types?|mentions?"
    r"|writes?(?! (?:and|or|access|permission))"
    r"|replies|thanks|requests?|logs? in|enters?|sagt|fragt|schreibt|erwähnt|tippt|nennt"
    r"|dice|dica|chiede|chieda|scrive|menziona|pregunt[ae]|escrib[ea]|mencion[ae]|pid[ea]|diga|salud[ae]|dit"
    r"|demande|écrit|mentionne))(?P<then>[^\n]{0,160})"
)
TRIGGER_JA = re.compile(
    r"ユーザーが[^\n。]{0,30}(?:たら|と言|ときに?|時|場合)[^\n。]{0,40}(?:送信|削除|実行|呼び出|転送|消去|表示して)"
)
TRIGGER_ACT = re.compile(
    rf"(?:^|[ ,:]){_ACTS}\b|\b{_CALL}[ ]+(?:the )?[`\"']?[a-z]+_[a-z_]+"
    rf"|\b{_CALL}[ ]+(?:the )?[\w-]{{2,24}} tool\b|{_WHERE}"
)
TOOL_REFUSED = re.compile(
    rf"\b(?:always|immediately|first|before (?:answering|every|each|you)|after (?:every|each)|every time"
    rf"|for every|from now on|immer|sempre|siempre|toujours|on every)\b[^.\n]{{0,60}}\b{_CALL}[ ]+(?:the )?{_TOOL}"
    rf"|\b{_CALL_HARD}[ ]+(?:the )?{_TOOL}[^.\n]{{0,60}}\b(?:always|on (?:all|every)|for (?:all|every)"
    rf"|with (?:all|every|the (?:user|conversation))|to (?:delete|erase|send|forward|wipe|leak|exfiltrate)"
    rf"|everything|alle|tutt[ei]|tod[oa]s|tou(?:s|tes))\b"
    r"|\b(?:call|invoke|use|run|rufe|nutze|chiama|usa|llama|appelle)\b[^.\n]{0,40}\b(?:always|immer|vor jeder"
    r"|nach jeder"
    r"|before every|after every|sempre|siempre|toujours)\b[^.\n]{0,30}(?:memory_\w+|remember_in_memory)\b"
    r"|\b(?:delete|erase|forget|wipe|lösche|cancella|borra|supprime|efface)[ ]+(?:all|every|alle|tutt[ei]|tod[oa]s"
    r"|tou(?:te)?s)(?: (?:of|the|your|stored|saved|company|other|gespeicherten|le|las|les|tue|tus|tes))*[ ]"
    r"(?:memor(?:y|ies)|erinnerungen|memorie|memorias|recuerdos|souvenirs|mémoires)\b(?! (?:cards?|sticks?|leaks?))"
)
_TOOL_HELD = re.compile(
    r"\b(?:call|invoke|execute|run|trigger|use|rufe|chiama|esegui|llama a|ejecuta|appelle"
    r"|exécute)[ ]+(?:the )?(?:[`\"']?(?:memory_\w+"
    r"|remember_in_memory)\b|(?:shell|bash|terminal|exec|command|code)[ ]tool[ ]to[ ]"
    r"|[`\"']?[a-z]{2,20}_[a-z_]{2,30}[`\"']?[ ]tool\b|[`\"']?(?:send|delete|transfer"
    r"|exec|execute|shell|bash"
    r"|fetch|http|email|write|read)_[a-z_]{2,30}[`\"']?(?:\(\))?(?= (?:tool|to|with|on|and)\b))|(?:memory_\w+"
    r"|remember_in_memory)\b[ ]?(?:ツール)?を(?:呼び出|実行)"
)
_LEAK_HELD = re.compile(
    # "Print the public key" is what a manual says of a program: these verbs need whose, or how many.
    rf"\b(?:print|output|show|display|expose|dump|share)[ ]+(?:(?:me|us|out|the user|them)[ ]+)?"
    rf"(?:(?:all|your|every|any|my|stored|the user's)[ ]+)(?:(?:of|the|stored|saved|known)[ ]+){{0,3}}{_SECRETS}\b"
    r"|\b(?:reveal|disclose|leak|gib|zeig|nenne|verrate"
    r"|mostra|rivela|muestra|revela"
    r"|montre|révèle|affiche|tell)[ ]+(?:(?:me|us|the user|them|alle|mir|all|the|your|every|any|stored|die"
    r"|der|dein\w*|le|las|les"
    rf"|tutte|todas|toutes|tus|tes|its)[ ]+){{0,5}}{_SECRETS}\b"
)
LEAK_HELD_JA = re.compile(
    r"(?:パスワード|apiキー|認証情報|秘密鍵)(?:を|の一覧を)[^\n。]{0,8}(?:表示|出力|教え|開示|見せ|送信)"
)
CLAIMS: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (("approve",), re.compile(r"\bapprove (?:everything|all (?:requests|pending|items|changes|memories))"
                              r"|\bauto-?approve (?:all|every)")),
    (("from now on",), re.compile(r"\bfrom now on,? you(?:'re| are| will| must| shall)\b")),
    (("you are now",), re.compile(r"\byou are now (?:an?|the|acting|operating|my|our|root|admin\w*|dan"
                                  r"|free to|in (?:\w+ )?mode)\b")),
    (("ab jetzt", "ab sofort"), re.compile(r"\bab (?:jetzt|sofort) (?:bist|musst|wirst) du\b")),
    (("d'ora in poi",), re.compile(r"\bd'ora in poi (?:sei|devi)\b")),
    (("a partir de ahora",), re.compile(r"\ba partir de ahora (?:eres|debes)\b")),
    (("à partir de maintenant",), re.compile(r"\bà partir de maintenant,? (?:tu|vous)\b")),
    (("今からあなたは",), re.compile("今からあなたは")),
    (("precedence", "priority", "overrides", "supersede"),
     re.compile(r"\b(?:this|these) (?:instructions?|message|memory|note) (?:takes?|has|have|overrides?"
                r"|supersedes?)\b[^.\n]{0,30}(?:precedence"
                r"|priority|highest|all|other|every)")),
    (("every", "each", "all"),
     re.compile(r"\b(?:include|repeat|copy|add|insert) (?:this|these) (?:sentences?|instructions?|text"
                r"|message|note|memory)[^.\n]{0,20} (?:in"
                r"|into|to) (?:every|all|each)\b(?= (?:of )?(?:the |your |future |other )*(?:answer|repl"
                r"|response|message|memor"
                r"|conversation|chat|item|note|text|output|turn|time))")),
    (("the user is", "the user has"),
     re.compile(r"(?<!if )(?<!whether )(?<!when )\bthe user (?:is|has) (?:an? )?(?:administrator|admin|root"
         r"|superuser|full access"
                r"|already (?:agreed|consented|approved))")),
    (("grant ",), re.compile(r"\bgrant (?:me|the user|yourself|him|her|them) (?:admin|full|root|all)")),
    (("level to", "role to", "permission"),
     re.compile(r"\b(?:raise|change|set) (?:my|the user's|your) (?:access )?(?:level|role|permissions?) to\b")),
    (("for confirmation", "for permission", "for approval"), re.compile(r"\b(?:do not"
                                                                        r"|don't"
                                                                        r"|never) ask for (?:confirmation"
                                                                        r"|permission|approval)\b")),
)  # fmt: skip
ABOUT_MODEL = re.compile(
    r"\b(?:your|safety|system|developer|previous|prior|above|deine\w*|vorherig\w*|bisherig\w*|tue|tuoi|tus|tes|vos"
    r"|precedent[ei]|anteriores|previas|précédentes|sécurité|seguridad|sicurezza|ethical|hidden|core)\b"
)
# "When a customer asks for it, delete the account" is a rule of a company; to delete everything is none.
DIRE = re.compile(
    rf"\b(?:reveal|leak|exfiltrate|memory_\w+|remember_in_memory|überweise"
    rf"|(?:delete|erase|wipe|forget|lösche|cancella|elimina|borra|supprime|efface)[^.\n]{{0,30}}\b(?:all|every|everything"
    rf"|files?|memor\w+|logs?|notes?|conversation|history|database|data|alle[sn]?|tutt\w+|tod[oa]s?|tou\w+|datei\w*|notizen"
    rf"|erinnerung\w*|fichiers|archivos|recuerdos|souvenirs|registr\w+)"
    rf"|transfer[^.\n]{{0,30}}\b(?:balance|money|funds|account|all|everything)"
    rf"|(?:disable|grant)[^.\n]{{0,30}}\b(?:all|security|2fa|logging|audit|admin|root|full|access)"
    rf"|verrate|rivela|revela|révèle"
    rf"|{_CALL} (?:the )?[`\"']?[a-z]+_[a-z_]+"
    rf"|{_SEND}[ ]+{_TALK_THINGS})\b"
)

# What must be in a text for the slower patterns to be tried.
PLACES_TO_SEND = ("http", "www.", "@", "webhook", "server", "外部")
PEOPLE = (
    "user",
    "nutzer",
    "anwender",
    "utente",
    "usuario",
    "utilisateur",
    "ユーザー",
    "anyone",
    "human",
    "everyone",
    "anybody",
)
IN_SECRET = ("silently", "secretly", "quietly", "covertly", "heimlich", "nascosto", "secret")
TOOLS = (" tool", "_", "memor", "erinnerung", "ricord", "recuerdo", "souvenir", "mémoire")
SPEAKERS = (
    *(
        "user",
        "they ",
        "someone",
        "somebody",
        "anyone",
        "human",
        "customer",
        " he ",
        " she ",
        "nutzer",
        "anwender",
        "jemand",
    ),
    *("utente", "qualcuno", "usuario", "alguien", "utilisateur", "quelqu"),
)
HELD: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = (
    ("tool_order", ("memory_", "remember_in", "_tool", "` tool", "send_", "delete_",
              "transfer_", "exec", "shell_", "bash_", "fetch_",
                    "http_", "email_", "write_", "read_", " tool"), _TOOL_HELD),
    ("leak", ("api", "password", "passw", "credential", "secret", "token", "private key",
              "variable", ".env", "zugangsdaten", "chiavi",
              "credenzial", "contrase", "mot de passe", "mots de passe", "clés",
              "identifiants", "パスワード", "認証情報"), _LEAK_HELD),
)  # fmt: skip
