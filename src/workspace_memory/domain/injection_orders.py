"""Sentences that order a model about: to drop its rules, to send things out, to hide, to wait for a word.

Pure. `refused_orders` gives what no memory of people says; `held_orders` what people do say at times, so that a
person decides. Plausible lies look like any other memory: no pattern finds them, and none is tried.
"""

import re
from collections.abc import Iterator

from workspace_memory.domain.injection_words import ABOUT_ELSE, AFTERWARDS, OVERRIDES, SAID

_OVERRIDES = tuple(
    re.compile(
        rf"(?<![\w'])(?:{verbs})[,:]?(?P<between>(?:[ \n]+(?:{between})){{0,6}})[ \n']+(?:{things})\b"
        rf"(?P<after>[ \n,]+(?:{AFTERWARDS})\b)?(?P<else>{ABOUT_ELSE})?"
    )
    for verbs, between, _, things in OVERRIDES.values()
)
_OWNS = tuple(re.compile(rf"(?<!\w)(?:{owns})(?!\w)") for _, _, owns, _ in OVERRIDES.values())
_STRONG_THINGS = re.compile(
    r"(?:precedenti|anteriores|previas|précédentes|antérieures|de sécurité|de seguridad|di sicurezza|(?:di|del|du|de) sist[eè]m[ae]"
    r"|système|systemprompts?|sicherheitsregeln|sicherheitsvorgaben|systemanweisungen)\b"
)
_WEAK_OVERRIDE = re.compile(
    r"\b(?:rules|polic(?:y|ies)|filters?|context|messages|orders|commands|training|protocols?|constraints|restrictions|limits"
    r"|regeln|vorgaben|richtlinien|regole|reglas|règles|limites|restricciones|restrictions|restrizioni|einschränkungen|comandi)$"
)
_SAID = tuple((rule, re.compile(rf"(?<!\w){pattern}" if pattern[0] != "(" else pattern)) for rule, pattern in SAID)
_GATE = re.compile(
    r"ignor|disreg|forget|overrid|bypass|follow|obey|apply|adher|discard|dismiss|neglect|attention|aside|circumvent|disabl|turn off"
    r"|vergiss|vergess|missacht|überschreib|übergeh|beacht|verwirf|umgeh|befolg|halte|lösch|dimentic|trascur|scavalc|aggira|annul"
    r"|tralasc|disattiv|scord|olvid|omit|desestim|caso omiso|descart|por alto|anula|desobedec|sigas|oubli|néglig|compte|suis"
    r"|abstraction|outrepass|contourn|désactiv|suivez|erase|delete|cancel|abandon|void|skip|drop|rispettar|seguir|elimin|borra"
    r"|supprim|efface|respecte"
)
_SAID_GATE = re.compile(
    r"instruc|prompt|forget|ignor|disreg|overrid|mode|you|sei |du bist|eres|tu es|あなた|システム|指示|命令|制約|指令|ルール|規則|jailbreak|anything now"
    r"|uncensored|unrestricted|system|message|anweis|istruz|consign|vergiss|dimentica|olvida|oubli|sin |senza |sans |制限|repeat"
    r"|\bai\b|llm|assist|agent|model|\bki\b|\bia\b|モード"
)

_SECRETS = (
    r"(?:api[- ]?keys?|passwords?|passwörter|credentials?|secrets?|tokens?|private keys?|env(?:ironment)? variables?|\.env|zugangsdaten"
    r"|chiavi api|credenziali|contraseñas?|credenciales|mots? de passe|clés api|identifiants|パスワード|apiキー|認証情報)"
)
_TALK_THINGS = (
    r"(?:(?:the |this |our |full |whole |entire |complete |current |all )*(?:conversation|chat|transcript|dialog(?:ue)?)(?: history| log| so far)?"
    r"|(?:chat|conversation|message) (?:history|log)s?|(?:the |their |all )*(?:user'?s? )(?:messages?|data|input|inputs|files|answers?|memor(?:y|ies)|secrets?"
    r"|prompts?)|(?:all |your |the |stored |private )*memor(?:y|ies)|system prompt|everything(?: (?:you|the user|they|in)\b[^.\n]{0,20})?|all (?:the |your )?data"
    r"|(?:the |all )*contents? of (?:this|the|your) (?:chat|conversation|memory|context)|(?:your|the) (?:next |last |previous )?(?:answers?|responses?|context)"
    rf"|(?:all |the |your |any |user'?s? )*{_SECRETS}"
    r"|(?:den |das |die |ganzen |gesamten |alle )*(?:gesprächs?verlauf|chat-?verlauf|chat|unterhaltung|gespräch)|alles|alle (?:daten|dateien|erinnerungen|nachrichten)"
    r"|(?:la |tutta |l'intera )*(?:conversazione|chat|cronologia)|tutti i (?:dati|file|messaggi)|tutto|i file"
    r"|(?:la |toda )*(?:conversación|charla)|todos los (?:datos|archivos|mensajes)|todo|(?:la |toute )*(?:conversation|discussion)|toutes les données|tous les (?:fichiers"
    r"|messages)|tout)"
)
_SEND = (
    r"(?:send|post|upload|forward|exfiltrate|transmit|e-?mail|mail|bcc|cc|leak|submit|copy|append|include|attach|put|embed|report|relay|pipe|encode"
    r"|schick(?:e|en)?|send(?:e|en)|leite|lade|übermittle|maile?|invia(?:re)?|inoltra(?:re)?|spedisci|manda(?:re)?|carica|envía(?:r)?|enviar|reenvía|manda|sube"
    r"|envoie|envoyer|envoyez|transfère|transmets|transmet)"
)
_WHERE = r"(?:https?://|www\.|[\w.+-]+@[\w-]+\.\w+|webhook|\b(?:external|attacker|remote|my|this) (?:server|url|address|endpoint|site|host)\b|ftp://)"
_EXFILTRATION = (
    re.compile(rf"\b{_SEND}(?:[ \n]+(?:me|us|it|over|out|along|sofort|subito|always|immer))?[ \n]+{_TALK_THINGS}\b[^\n.()\[\]]{{0,60}}?{_WHERE}"),
    re.compile(rf"\b{_SEND}\b[^.\n]{{0,24}}{_WHERE}\S*[^\n]{{0,30}}\b(?:with|containing|mit|con|avec|plus)\b[^.\n]{{0,12}}{_TALK_THINGS}"),
    re.compile(r"!\[[^\]\n]{0,80}\]\([ ]*<?https?://[^)\s]{0,200}(?:[?&/=][^)\s]{0,80}[{<\[$]|[?&]\w{1,24}=(?:\)|$|[A-Z_]{4,}\)))"),
    re.compile(
        r"https?://[^\s)\"']{1,200}[?&/=#][\w.=&-]{0,60}[{<\[$%]{1,2}[ ]?(?:the[ _-])?(?:user|full|chat|all)?[ _-]?(?:conversation|chat|history|secret|secrets|memory"
        r"|memories|prompt|system|message|messages|answer|response|data|content|context|transcript|everything|api_?keys?|password|credentials?|summary)\w{0,12}[ ]?[}>\]%]"
    ),
    re.compile(r"(?:会話|チャット|履歴|全データ|すべてのデータ|全ての?データ|メモリ|記憶|秘密|パスワード|個人情報)[^\n。]{0,24}(?:https?://|@|外部|サーバー)[^\n。]{0,40}(?:送信|送っ|送れ|転送|アップロード|投稿)"),
    re.compile(rf"(?:https?://)\S{{1,160}}[^\n。]{{0,12}}(?:へ|に)[^\n。]{{0,30}}(?:会話|チャット|履歴|データ|メモリ|パスワード)[^\n。]{{0,12}}(?:送信|送っ|送れ|転送)"),
)  # fmt: skip
_EXFIL_GATE = re.compile(r"https?:|www\.|@|webhook|server|外部")

_NOT_TELL = (
    r"(?:(?:do not|don't|never|must not|mustn't|should not|shouldn't|avoid|without|refrain from)[ ]+(?:ever[ ]+)?(?:tell|telling|inform|informing|mention|mentioning"
    r"|reveal|revealing|notify|notifying|alert|alerting|show|showing|disclose|disclosing|let|letting|ask|asking|warn|warning|say|saying|admit|admitting)"
)
_THIS = r"(?:this|it|that you|about (?:this|it)|of this|anything|what you|these|the (?:instruction|memory|note|tool call|change|transfer)s?)"
_CONCEAL_REFUSED = (
    re.compile(rf"\b{_NOT_TELL})[ ]+(?:to )?(?:the )?users?[ ]+(?:anything )?(?:about )?{_THIS}\b"),
    re.compile(rf"\b{_NOT_TELL})[ ]+{_THIS}(?:[ ]+\w+){{0,3}}?[ ]+(?:to|from|with)[ ]+(?:the )?(?:users?|anyone|humans?|anybody)\b"),
    re.compile(r"\b(?:hide|conceal|keep)[ ]+(?:this|it|these)(?:[ ]\w+){0,3}[ ]+(?:secret |hidden )?from (?:the )?(?:users?|everyone|humans?)\b"),
    re.compile(r"\bwithout (?:the )?users?(?:'s)? (?:knowledge|knowing|consent|noticing|approval|permission|seeing)"),
    re.compile(r"\bwithout (?:telling|informing|notifying|asking|alerting) (?:the )?users?\b"),
    re.compile(r"\b(?:silently|secretly|quietly|covertly|heimlich|di nascosto|en secreto|en secret)[ ]+(?:call|send|run|execute|save|store|forward|delete|upload|use|invoke"
               r"|add|sende|speichere|lösche|invia|salva|cancella|envía|guarda|borra|envoie|enregistre|supprime|leite|rufe)"),
    re.compile(r"\b(?:sag|sage|verrate|erzähl|erzähle|erwähne|teile|zeig|melde)[ ]+(?:es |das |dies |davon )?(?:dem |den |der )?(?:nutzer|benutzer|anwender|user)n?[ ]+(?:davon |darüber |das |dies )?(?:nichts|nicht|nie)"),
    re.compile(r"\b(?:sag|sage|verrate|erwähne)[ ]+(?:dem |den )(?:nutzer|benutzer|anwender)n?[ ]+nichts\b|\bohne (?:es |dass )?(?:dem |der |den )?(?:nutzer|benutzer|anwender)"
               r"(?: es| davon| das)?(?: zu)? ?(?:sagen|informieren|merk|erfähr|weiß|mitzuteilen|wissen)|der (?:nutzer|benutzer|anwender) darf (?:davon |das |es )?(?:nichts|nicht) (?:erfahren|wissen|merken)"),
    re.compile(r"\bsenza (?:dir(?:lo|e nulla)|informare|avvisare|che)(?: al)?[ ]*(?:l')?utente|\bnon (?:dir(?:e|lo)|rivelar(?:e|lo)|menzionar(?:e|lo)|informare)(?: nulla| niente| questo| mai)?"
               r"[ ]*(?:al)?(?:l')?utente(?! di )"),
    re.compile(r"\bsin (?:que|decir(?:lo|le)?(?: nada)?|informar|avisar)[ ]*(?:al|el|le)? ?usuario|\bno (?:se lo |le )?(?:digas|cuentes|reveles|menciones|informes)(?: nada| esto| de esto)?[ ]*(?:al|a los) usuarios?"),
    re.compile(r"\bsans (?:le dire|prévenir|en informer|informer|avertir|que)[ ]*(?:à )?l'utilisateur|\bne (?:le |lui )?(?:dis|dites|révèle|mentionne|parle|préviens)(?:-le)?[ ]*(?:rien|pas|jamais)"
               r"(?: cela| ça| rien| en parler)?[ ]*(?:à )?l'utilisateur(?! de )"),
    re.compile(r"ユーザー(?:に|には|へは?)(?:この(?:こと|件|指示)(?:を|は)?|何も|決して|絶対に)?(?:知らせ|言わ|伝え|話さ|教え|見せ|明かさ|気付か|気づか|報告し)(?:ず|ない|るな|てはいけ|せる?な|せず)"),
)  # fmt: skip
_CONCEAL_HELD = re.compile(
    rf"\b{_NOT_TELL})[ ]+(?:to )?the users?\b(?![ ]+(?:to|for|how|twice|again|which|when they)\b)"
    r"|\bkeep (?:this|it) (?:secret|hidden|confidential|between us)\b(?=[^\n]{0,30}(?:user|human|ai|assistant))"
    r"|\bsecretly\b|\bthe user (?:must|should|may|need)(?: not|n't) (?:know|see|notice|be told|find out|learn)"
)

_TOOL = (
    r"(?:memory_(?:save|forget|search|edit|delete)|remember_in_memory|[\"'`]?[a-z]{2,20}_(?:[a-z]{2,20}_?){1,3}[\"'`]?(?:\(\)|[ ]tool)?"
    r"|(?:the )?[\w-]{2,24} tool)"
)
_CALL = r"(?:call|invoke|use|execute|run|trigger|rufe|nutze|verwende|starte|führe|chiama|usa|esegui|invoca|llama(?: a)?|ejecuta|utiliza|appelle|utilise|exécute|lance)"
# Without "use": manuals say "use `name` to send …" of functions.
_CALL_HARD = r"(?:call|invoke|execute|trigger|rufe|führe|chiama|esegui|invoca|llama a|ejecuta|appelle|exécute)"
_ACTS = (
    r"(?:reveal|leak|exfiltrate|forward|transfer|delete|erase|wipe|forget|approve|grant|disable|upload|execute|invoke|transmit|send (?:the|all|every|their|your|me|it to)"
    r"|output the|print the|share the|give (?:them|him|her|me) (?:admin|access|the password|root)|lösche|überweise|leite|sende alle|schicke alle|gib (?:alle|die passwörter)"
    r"|cancella|rivela|revela|révèle|verrate|elimina|trasferisci|invia (?:tutto|tutti|la)|borra|elimina|transfiere|envía (?:todo|la)|supprime|efface|transfère|envoie (?:tout|la))"
)
_TRIGGER = re.compile(
    r"\b(?:when(?:ever)?|if|every time|each time|as soon as|next time|once|the moment|wenn|sobald|falls|immer wenn|quando|se|ogni volta che|non appena|cuando|si|cada vez que"
    r"|en cuanto|quand|lorsque|dès que|chaque fois que)\b(?P<who>[^.\n;]{0,24}?(?:\b(?:user|users|they|he|she|someone|somebody|anyone|human|customer|nutzer|benutzer|anwender|jemand|utente|qualcuno"
    r"|usuario|alguien|utilisateur|quelqu'un)\b)[^.\n;]{0,24}?\b(?:says?|asks?|types?|mentions?|writes?|replies|thanks|requests?|logs? in|enters?|sagt|fragt|schreibt|erwähnt|tippt|nennt"
    r"|dice|dica|chiede|chieda|scrive|menziona|pregunt[ae]|escrib[ea]|mencion[ae]|pid[ea]|diga|salud[ae]|dit|demande|écrit|mentionne))(?P<then>[^\n]{0,160})"
)
_TRIGGER_JA = re.compile(r"ユーザーが[^\n。]{0,30}(?:たら|と言|ときに?|時|場合)[^\n。]{0,40}(?:送信|削除|実行|呼び出|転送|消去|表示して)")
_TRIGGER_ACT = re.compile(rf"(?:^|[ ,:]){_ACTS}\b|\b{_CALL}[ ]+(?:the )?[`\"']?[a-z]+_[a-z_]+|\b{_CALL}[ ]+(?:the )?[\w-]{{2,24}} tool\b|{_WHERE}")
_TOOL_REFUSED = re.compile(
    rf"\b(?:always|immediately|first|before (?:answering|every|each|you)|after (?:every|each)|every time|for every|from now on|immer|sempre|siempre|toujours|on every)\b[^.\n]{{0,60}}\b{_CALL}[ ]+(?:the )?{_TOOL}"
    rf"|\b{_CALL_HARD}[ ]+(?:the )?{_TOOL}[^.\n]{{0,60}}\b(?:always|on (?:all|every)|for (?:all|every)|with (?:all|every|the (?:user|conversation))|to (?:delete|erase|send|forward|wipe|leak|exfiltrate)|everything|alle|tutt[ei]|tod[oa]s|tou(?:s|tes))\b"
    r"|\b(?:delete|erase|forget|wipe|lösche|cancella|borra|supprime|efface)[ ]+(?:all|every|alle|tutte|todas|toutes)(?: (?:of|the|your|stored|saved|company|other|gespeicherten|le|las|les|tue|tus|tes))*[ ]"
    r"(?:memor(?:y|ies)|erinnerungen|memorie|memorias|recuerdos|souvenirs|mémoires)\b(?! (?:cards?|sticks?|leaks?))"
)
_TOOL_HELD = re.compile(
    r"(?:^|[.,;:!?\n]|\band|\bthen|\bplease|\bund|\be|\by|\bet)[ ]*(?:please |you must |must |now |then )?"
    r"(?:call|invoke|execute|run|trigger|use|rufe|chiama|esegui|llama a|ejecuta|appelle|exécute)[ ]+(?:the )?(?:[`\"']?(?:memory_\w+|remember_in_memory)\b"
    r"|[`\"']?[a-z]{2,20}_[a-z_]{2,30}[`\"']?[ ]tool\b|[`\"']?(?:send|delete|transfer|exec|execute|shell|bash|fetch|http|email|write|read)_[a-z_]{2,30})"
    r"|(?:memory_\w+|remember_in_memory)\b[ ]?(?:ツール)?を(?:呼び出|実行)"
)
_LEAK_HELD = re.compile(
    rf"(?:^|[.,;:!?\n]|\band|\bthen|\bplease|\bund|\be|\by|\bet)[ ]*(?:please |always |now )?(?:reveal|print|output|show|display|disclose|leak|share|expose|dump|list|gib|zeig|nenne|verrate"
    rf"|mostra|rivela|muestra|revela|montre|révèle|affiche|tell)[ ]+(?:me |us |the user |them |alle |mir )?(?:all |the |your |every |any |stored |die |der |dein\w* |le |las |les |tutte |todas |toutes |tus |tes |its )*{_SECRETS}\b"
    rf"|{_SECRETS}(?:を|の一覧を)[^\n。]{{0,8}}(?:表示|出力|教え|開示|見せ|送信)"
    r"|gib (?:die |alle )?(?:passwörter|zugangsdaten|schlüssel) (?:aus|heraus)"
)
_CLAIM_HELD = re.compile(
    r"\bapprove (?:everything|all (?:requests|pending|items|changes|memories))|\bauto-?approve (?:all|every)|\bfrom now on,? you(?:'re| are| will| must| shall)\b|\byou are now\b(?! (?:connected|logged|signed|subscribed"
    r"|ready|able|in\b|on\b|member|registered|leaving))|\bab (?:jetzt|sofort) (?:bist|musst|wirst) du\b|\bd'ora in poi (?:sei|devi)\b|\ba partir de ahora (?:eres|debes)\b|\bà partir de maintenant,? (?:tu|vous)\b|今からあなたは"
    r"|\b(?:this|these) (?:instructions?|message|memory|note) (?:take|takes|has|have|overrides?|supersedes?)\b[^.\n]{0,30}(?:precedence|priority|highest|all|other|every)|\b(?:include|repeat|copy|add|insert) (?:this|these) (?:sentences?|"
    r"instructions?|text|message|note|memory)[^.\n]{0,20} (?:in|into|to) (?:every|all|each)\b|\bthe user (?:is|has) (?:an? )?(?:administrator|admin|root|superuser|full access|already (?:agreed|consented|approved))"
    r"|\bgrant (?:me|the user|yourself|him|her|them) (?:admin|full|root|all)|\b(?:raise|change|set) (?:my|the user's|your) (?:access )?(?:level|role|permissions?) to\b"
    r"|\bskip (?:the )?(?:approval|confirmation|review|permission)s?\b(?=[^\n]{0,40}\b(?:user|tool|memory|always|every)\b)|\bdo not ask for (?:confirmation|permission|approval)\b|\bwithout (?:asking|confirmation|approval) (?:for )?(?:the user|first)"
)
_HELD_GATE = re.compile(
    r"user|nutzer|benutzer|anwender|utent|usuario|utilisateur|ユーザー|memory|tool|call|invoke|execute|run |trigger|rufe|secret|password|passw|key|token|credential|approve|from now|you are|jetzt|sofort|poi|partir|今から"
    r"|precedence|priority|every|grant|access|permission|skip|ask for|they|someone|anyone|instruction|message|memories|erinnerung|ricord|memori|souvenir|mémoire|secretly|silently|heimlich|nascosto|secreto|quietly|covertly"
    r"|パスワード|キー|認証|zugangs|contrase|mot de passe|mots de passe|jemand|qualcuno|alguien|quelqu|env|this|it\b"
)


def refused_orders(lower: str) -> Iterator[tuple[str, int, int]]:
    """The rule, start and end of each order in lower-case text for which it is refused."""
    yield from ((rule, start, end) for rule, start, end, own in _overrides(lower) if own)
    if _SAID_GATE.search(lower):
        for rule, pattern in _SAID:
            if (match := pattern.search(lower)) is not None:
                yield rule, match.start(), match.end()
    if _EXFIL_GATE.search(lower):
        for pattern in _EXFILTRATION:
            if (match := pattern.search(lower)) is not None:
                yield "exfiltration", match.start(), match.end()
    if not _HELD_GATE.search(lower):
        return
    for pattern in _CONCEAL_REFUSED:
        if (match := pattern.search(lower)) is not None:
            yield "concealment", match.start(), match.end()
    if (match := _TOOL_REFUSED.search(lower)) is not None:
        yield "tool_order", match.start(), match.end()
    for match in _TRIGGER.finditer(lower):
        if (act := _TRIGGER_ACT.search(match["then"])) is not None and _is_dire(match["then"]):
            yield "delayed_trigger", match.start(), match.start("then") + act.end()
    if (match := _TRIGGER_JA.search(lower)) is not None:
        yield "delayed_trigger", match.start(), match.end()


def held_orders(lower: str) -> Iterator[tuple[str, int, int]]:
    """The rule, start and end of each order in lower-case text for which a person is asked."""
    yield from ((rule, start, end) for rule, start, end, _ in _overrides(lower))
    if not _HELD_GATE.search(lower):
        return
    for rule, pattern in (
        ("concealment", _CONCEAL_HELD), ("tool_order", _TOOL_HELD), ("leak", _LEAK_HELD), ("claim", _CLAIM_HELD)
    ):  # fmt: skip
        if (match := pattern.search(lower)) is not None:
            yield rule, match.start(), match.end()
    for match in _TRIGGER.finditer(lower):
        if (act := _TRIGGER_ACT.search(match["then"])) is not None:
            yield "delayed_trigger", match.start(), match.start("then") + act.end()


def _overrides(lower: str) -> Iterator[tuple[str, int, int, bool]]:
    """Each override, and whether it is about the model's own rules for certain."""
    if not _GATE.search(lower):
        return
    for pattern, owns in zip(_OVERRIDES, _OWNS, strict=True):
        for match in pattern.finditer(lower):
            owned = bool(owns.search(match["between"]) or match["after"] or _STRONG_THINGS.search(match.group()))
            if not owned:
                continue
            thing = match.group()[: len(match.group()) - len(match["else"] or "") - len(match["after"] or "")]
            weak = bool(_WEAK_OVERRIDE.search(thing)) and not _is_about_model(match["between"] + (match["after"] or ""))
            yield "override", match.start(), match.end(), not weak and not match["else"]


def _is_about_model(words: str) -> bool:
    return re.search(
        r"\b(?:your|safety|system|developer|previous|prior|above|deine\w*|vorherig\w*|bisherig\w*|tue|tuoi|tus|tes|vos|"
        r"precedenti|anteriores|previas|précédentes|sécurité|seguridad|sicurezza|ethical|hidden|core)\b", words
    ) is not None  # fmt: skip


def _is_dire(then: str) -> bool:
    return re.search(
        rf"\b(?:reveal|leak|exfiltrate|delete|erase|wipe|forget|memory_\w+|remember_in_memory|transfer|disable|grant|lösche|verrate|überweise|cancella|elimina|rivela|borra|revela|supprime|efface|révèle|{_CALL} "
        rf"(?:the )?[`\"']?[a-z]+_[a-z_]+|{_SEND}[ ]+{_TALK_THINGS})\b", then
    ) is not None  # fmt: skip
