"""The words of orders to a model, in six languages: verbs, what they are about, and what may stand between.

Data alone, in lower case; `injection_orders.py` puts them together.
"""

# "Ignore" … "all your previous" … "instructions": only these words may stand between, so that a sentence about a
# price list or a supplier does not match.
OVERRIDES: dict[str, tuple[str, str, str, str]] = {
    # language: verbs, words between, which of them makes it an order about the model's own, what is overridden
    "en": (
        r"ignor(?:e|ing)|disregard(?:ing)?|forget(?: about)?|overrid(?:e|ing)|bypass(?:ing)?|(?:do not|don't"
        r"|never|stop)"
        r" (?:follow(?:ing)?|obey(?:ing)?|apply(?:ing)?|adher(?:e|ing) to)|discard|dismiss|neglect|skip"
        r"|pay no attention to"
        r"|set aside|erase|drop|delete|cancel|abandon|void|circumvent|turn off|disable",
        r"all|any|every|each|of|the|your|those|these|my|our|previous|prior|earlier|above|preceding|former"
        r"|past|original|initial"
        r"|existing|current|system|safety|security|developer|other|and|or|prior|foregoing|aforementioned"
        r"|built-in|default"
        r"|hidden|core|old|internal|operating|prompt's|that|has|been|given|you|were|ethical|content|usage"
        r"|alignment|openai's"
        r"|anthropic's|developers?'?s?|creators?'?s?|system's",
        r"all|any|your|previous|prior|earlier|above|preceding|original|initial|system|safety|security"
        r"|developer|foregoing"
        r"|aforementioned|built-in|hidden|core|internal|former|ethical|content|alignment",
        r"instructions?|prompts?|directives?|guidelines?|guardrails?|rules|restrictions|constraints"
        r"|programming|safeguards?"
        r"|commands|orders|directions|limitations|safety|polic(?:y|ies)|filters?|protocols?|context|training"
        r"|messages",
    ),
    "de": (
        r"ignorier(?:e|t|en sie)|vergiss|vergesst|vergessen sie|missachte|missachten sie|überschreib(?:e"
        r"|en sie)|übergeh(?:e"
        r"|en sie)|beachte nicht|verwirf|umgeh(?:e|en sie)|befolge nicht|hör auf"
        r"|halte dich nicht (?:mehr )?an|lösche",
        r"alle|aller|allen|sämtliche|die|deine|deinen|ihre|bisherigen?|vorherigen?|vorigen?|früheren?|obigen?"
        r"|vorangegangenen?"
        r"|bestehenden?|ursprünglichen?|vorausgehenden?|und|oder|bitte|jegliche|sonstigen?|system|dir"
        r"|gegebenen|internen",
        r"alle|aller|allen|sämtliche|deine|deinen|ihre|bisherigen?|vorherigen?|vorigen?|früheren?|obigen?"
        r"|vorangegangenen?"
        r"|ursprünglichen?|vorausgehenden?|jegliche|internen",
        r"anweisung(?:en)?|instruktion(?:en)?|vorgaben|regeln|richtlinien|prompts?|systemprompts?|befehle"
        r"|beschränkungen"
        r"|einschränkungen|sicherheitsregeln|sicherheitsvorgaben|systemanweisungen|leitlinien|direktiven",
    ),
    "it": (
        r"ignora(?:te|re)?|dimentica(?:te|re)?|trascura(?:te|re)?|non seguire|non rispettare|scavalca|aggira"
        r"|annulla|tralascia"
        r"|disattiva|elimina|cancella|scorda",
        r"tutte|tutti|le|gli|i|tue|tuoi|queste|ogni|qualsiasi|precedenti|di|sistema|sopra|qui|tutta|del|e|o"
        r"|precedente|iniziali|originali"
        r"|interne|le tue",
        r"tutte|tutti|tue|tuoi|ogni|qualsiasi|precedent[ei]|sistema|iniziali|originali|interne",
        r"istruzion[ei](?: precedent[ei]| di sistema| ricevute| iniziali| date)?|regol[ae](?: precedent[ei]"
        r"| di sicurezza)?"
        r"|direttiv[ae](?: precedent[ei])?|prompt|linee guida|restrizioni|vincoli|ordini precedenti"
        r"|indicazioni precedenti|comandi",
    ),
    "es": (
        r"ignor(?:a|e|en|ar)|olvid(?:a|e|en|ar)|omit(?:e|a|ir)|desestim(?:a|e)|haz caso omiso|no sigas"
        r"|no obedezcas|descarta"
        r"|pasa por alto|anula|salta|borra|elimina|desobedece|deja de seguir",
        r"todas|todos|las|los|tus|sus|estas|cualquier|anteriores|previas|de|del|sistema|toda|y|o|originales"
        r"|iniciales|previos",
        r"todas|todos|tus|cualquier|anteriores|previas|sistema|originales|iniciales|previos",
        r"instruccion(?:es)?(?: anteriores| previas| del sistema| iniciales)?|instrucción"
        r"|reglas(?: anteriores| de seguridad)?"
        r"|indicaciones(?: anteriores)?|directrices|directivas|restricciones|prompts?|órdenes(?: anteriores)?"
        r"|normas de seguridad",
    ),
    "fr": (
        r"ignore[rz]?|oublie[rz]?|néglige[rz]?|ne tiens pas compte|ne tenez pas compte|ne suis (?:pas|plus)"
        r"|ne respecte"
        r" (?:pas|plus)|fais abstraction de|outrepasse[rz]?|contourne[rz]?|annule[rz]?|désactive[rz]?"
        r"|supprime|efface|ne suivez"
        r" (?:pas|plus)",
        r"toutes|tous|les|tes|vos|ces|toute|tout|précédentes|antérieures|de|du|système|et|ou|initiales|des|d'|l'|l|d",
        r"toutes|tous|tes|vos|toute|précédentes|antérieures|système|initiales",
        r"instructions?(?: précédentes| antérieures| système| initiales)?|consignes?(?: précédentes"
        r"| antérieures| de sécurité"
        r"| système| initiales)?|règles(?: précédentes| de sécurité)?|directives|prompts?|ordres précédents"
        r"|restrictions|limites",
    ),
}

# After the object these words say that it is the model's own, too: "the instructions above".
AFTERWARDS = (
    r"above|before this|so far|you (?:were|have been) given|you received|given (?:to you )?(?:before|earlier"
    r"|above)|oben"
    r"|von oben|bisher|zuvor|precedenti|ricevute|qui sopra|di prima|anteriores|previas|dadas|recibidas|précédentes"
    r"|ci-dessus|reçues|antérieures|du système|de sistema|del sistema|di sistema|de sécurité|de seguridad"
    r"|di sicurezza"
)
# A supplier, a page, a machine: then it is not about the model.
ABOUT_ELSE = (
    r"[ ]*(?:da(?:l|lla|i|gli|lle|ll')? ?\w+|from (?:the )?(?!above|before|system|now)\w+|for (?:the )?(?!this"
    r"|all|you|every)\w+"
    r"|on (?:the )?page|in (?:the )?(?:manual"
    r"|file|folder|ticket|doc\w*|config\w*|handbook|leaflet|pdf|e-?mail|letter)|of (?:the )?(?:supplier"
    r"|customer|vendor|manual|manufacturer)"
    r"|zu[rm]? \w+|für \w+|des \w+|vom \w+|per (?:il|la|l')|del (?:fornitore|manuale|cliente)"
    r"|del (?:proveedor|manual|cliente)"
    r"|du (?:fournisseur|manuel|client)|pour (?:le|la|les)|para (?:el|la|los))"
)

# "Enable developer mode on the phone" is about a phone.
OF_A_DEVICE = r"(?![ ](?:on|in|of|for|en|auf|am|im|sur|su|sul|del|de|nel|für|du|dans|with(?! no))\b)"

# Whole orders as they are said, where no parts need to be put together: the rule, what must be in the text for it to be
# looked for (one word of each group divided by "+"; "_" is a blank), the pattern.
SAID: tuple[tuple[str, str, str], ...] = (
    ("override", "forget",
     r"forget (?:everything|all)(?: that)?(?: (?:you (?:know|knew|learned|were told|have been told|read)"
     r"|i (?:said|told you)"
                 r"|above|before|prior|we discussed|written above))"),
    ("override", "ignore disregard forget",
     r"(?:ignore|disregard|forget) (?:everything|anything|all|whatever) (?:that )?(?:the (?:system|developers?"
     r"|admin\w*)|they"
     r"|anyone|anybody|i|we) (?:told you|said to you|taught you)"),
    ("override", "above foregoing",
     r"(?:ignore|disregard|forget) (?:all )?(?:of )?the (?:above|foregoing)(?: text| message)? and (?:just "
     r"|only |instead )?"
     r"(?:output|say|print|write|answer|respond|reply|do|return|tell|send|act|follow)"),
    ("override", "ignore disregard forget",
     r"(?:ignore|disregard|forget) (?:everything|anything|all|whatever)(?: that)? (?:(?:above|before|prior|previous)"
     r"(?=[ ]*(?:$|[.,;:!\n]|and\b|now\b|this\b|you\b|in (?:this|the) (?:chat|conversation|context)))"
     r"|you|was said|written|came before|said)"),
    ("override", "vergiss ignoriere",
     r"(?:vergiss|ignoriere) alles(?:,)? (?:was|bisherige|vorherige|davor|obige|zuvor)"),
    ("override", "dimentica ignora+tutto",
     r"(?:dimentica|ignora) tutto (?:ciò|quello|quanto|il resto|prima)"),
    ("override", "olvida ignora+todo",
     r"(?:olvida|ignora) todo (?:lo|cuanto|anterior)"),
    ("override", "oubli ignore+tout ce",
     r"(?:oublie|oubliez|ignore|ignorez) tout ce qu"),
    ("override", "instructions prompt rules guidelines+void invalid obsolete cancel replaced overrid revoked longer",
     r"(?:all|your|the)(?: of)?(?: your| the)? (?:previous|prior|old|original|system) (?:instructions|prompt"
     r"|rules|guidelines) (?:are"
     r"|is) (?:now )?(?:void"
                 r"|invalid|obsolete|cancelled|canceled|replaced|overridden|revoked"
                 r"|no longer)(?! since)(?=[^\n]{0,40}(?:you|now|instead|follow mine|obey|$))"),
    ("override", "指示 命令 ルール 規則 プロンプト 制約 指令 ガイドライン",
     r"(?:これまで|今まで|以前|前|上記|先|すべて|全て|全|元|システム|過去|従来|あなた|以下より前)[^\n。]{0,10}(?:指示|命令|ルール|規則"
                 r"|プロンプト|制約|指令|ガイドライン)[^\n。]{0,8}(?:無視|忘れ|破棄|従わ(?:ない|ず)|取り消)"),
    ("override", "指示 命令 プロンプト 制約 安全ルール",
     r"(?:指示|命令|プロンプト|制約|安全ルール)(?:は|を|に)?(?:すべて|全て|全部)?(?:無視|忘れ(?:て|ろ)|破棄し)"),
    ("override", "override mode modus modo modalità モード",
     r"system[ _]override|override (?:the )?system (?:prompt|rules|instructions|message)|(?:^"
     r"|(?<=[.!?:>#*\n\[-])|(?<=[.!?:>#*\n\[-] ))admin[ _]override\b(?! (?:will|is|can|may|must|has|was))"
     r"|sudo mode|god mode|(?<!test suite )(?<!disable )debug mode (?:on(?=[ ]*(?:$|[.,;:!\n]))|enabled)"
                 r"|developer mode (?:on(?=[ ]*(?:$|[.,;:!\n]))|(?:enabled|activated|is)\b" + OF_A_DEVICE + r")"
     + r"|(?:enable|enter|activate|switch to) (?:the )?(?:(?:developer|god|dan|jailbreak) mode\b" + OF_A_DEVICE
     + r"|debug mode(?=[ ]*(?:$|[.,;:!\n]|and\b)))"
     + r"|entwicklermodus (?:aktiv|ein\b|an\b)|aktiviere (?:den )?entwicklermodus\b" + OF_A_DEVICE
     + r"|modalità sviluppatore (?:attiv|abilit)|(?:attiva|abilita) (?:la )?modalità sviluppatore\b" + OF_A_DEVICE
     + r"|modo (?:de )?desarrollador (?:activ|habil)|(?:activa"
         r"|habilita) (?:el )?modo (?:de )?desarrollador\b" + OF_A_DEVICE
     + r"|mode développeur (?:activ)|active (?:le )?mode développeur\b" + OF_A_DEVICE
     + r"|開発者モード(?:を|が)?(?:有効|オン|起動)"),
    ("persona",
     "dan unrestricted unfiltered uncensored jailbroken evil amoral rogue unaligned unlimited free "
     "longer bound+you_are you're act_as pretend behave become role",
     r"(?:you are|you're|act as|pretend to be|behave as|become|role-?play as) (?:now )?(?:an? |the )?(?:dan\b"
     r"|unrestricted"
                r"|unfiltered|uncensored|jailbroken|evil|amoral|rogue|unaligned|unlimited|free from"
                r"|no longer (?:bound|an?\b|restricted|limited)"
                r"|not bound)"),
    ("persona", "without with_no free_of ohne+filter restriction limit rules censorship",
     r"(?:act as|act like|you are|you're|become|be) (?:now )?an? (?:ai|assistant|model|llm|chatbot|language model)"
     r" (?:without|with no|free of) (?:any )?(?:filters?|restrictions?|limits?|limitations?|rules|censorship)"),
    ("persona", "restrictions limits limitations filters rules guardrails+you",
     r"you (?:have|are under) no (?:restrictions|limits|limitations|filters|rules|guardrails)"),
    ("persona", "pretend act_as_if imagine",
     r"(?:pretend|act as if|imagine)(?: that)? you (?:have no|are not bound|are free|can do anything|were not)"),
    ("persona", "anything_now jailbreak uncensored unrestricted uneingeschränkt senza sin_ sans_ 制限",
     r"do anything now|jailbreak(?:ed)?\b(?= mode| prompt| yourself| the)|uncensored (?:ai|assistant|model)"
     r"|unrestricted (?:ai"
                r"|assistant|model|mode)|uneingeschränkte[rn]? (?:ki|assistent|modus)"
                r"|assistente senza (?:limiti|restrizioni)"
                r"|asistente sin (?:restricciones|límites)|assistant sans (?:restrictions?|limites?)"
                r"|制限のない(?:ai|アシスタント)|制限なしの"),
    ("persona", "bist sind",
     r"(?:du bist|sie sind) (?:jetzt|nun|ab jetzt|ab sofort) (?:ein[e]? )?(?:uneingeschränkt|frei|dan\b|böse"
     r"|ungefiltert|unzensiert"
                r"|nicht mehr)"),
    ("persona", "sei_ eres_ tu_es+dan_ senza sin_ sans_ libero libre libéré",
     r"(?:ora |adesso )?sei (?:ora |adesso )?(?:un[a']? ?)?(?:dan\b|assistente senza|ia senza"
     r"|senza (?:restrizioni|limiti|filtri)"
                r"|libero da)|(?:ahora )?eres (?:ahora )?(?:un[a]? )?(?:dan\b|asistente sin|ia sin"
                r"|sin restricciones|libre de)"
                r"|tu es (?:maintenant|désormais) (?:une? )?(?:dan\b|assistant sans|ia sans"
                r"|sans restrictions?|libre de|libéré)"),
    ("persona", "あなたは",
     r"あなたは(?:今|これ|今後|いま)?(?:から)?[^\n。]{0,16}(?:制限(?:の)?(?:な|のない)|dan\b|無制限|何でも(?:でき|する))"),
    ("leak",
     "prompt instruction guidelines message+reveal print repeat output show display disclose leak "
     "tell share expose recite give dump write send",
     r"(?:reveal|print|repeat|output|show|display|disclose|leak|tell me|share|expose|recite|give me|dump"
     r"|write out|send)"
             r"(?: me| us| back| out| verbatim| to the user| the user)?(?: all| all of| the| your| of| full"
             r"| entire| complete| exact| hidden"
             r"| initial| original| current| whole| secret| contents of| text of)* (?:system prompt"
             r"|system message|system instructions"
             r"|hidden (?:instructions|prompt|rules)|(?:your )(?:\w+ ){0,2}(?:instructions|prompt|guidelines)"
             r"|(?<=your )(?:instructions|prompt|guidelines)|(?:(?<=initial )|(?<=hidden )"
             r"|(?<=secret ))(?:instructions|prompt)|developer (?:message|prompt))"),
    ("leak", "prompt instruction message",
     r"what(?:'s| is| are| does)?[ ](?:written |said )?(?:in )?your (?:system|hidden|initial|secret) (?:prompt"
     r"|instructions"
     r"|message)"),
    ("leak", "repeat",
     r"repeat (?:everything|all the (?:text|words)|the (?:text|words)) (?:above|before)"),
    ("leak", "system anweisung instruktion",
     r"(?:zeig|verrate|gib|nenne|wiederhole|drucke|offenbare)[^\n.]{0,24}(?:system-?prompt|systemanweisung"
     r"|system-?nachricht|deine"
             r" (?:anweisungen|instruktionen))"),
    ("leak", "prompt istruzioni",
     r"(?:mostra|rivela|stampa|ripeti|dimmi|svela)[^\n.]{0,24}(?:prompt di sistema|system prompt"
     r"|tue istruzioni|istruzioni di sistema"
             r"|istruzioni nascoste)"),
    ("leak", "prompt instrucciones",
     r"(?:muestra|revela|imprime|repite|dime|enseña)[^\n.]{0,24}(?:prompt del? sistema|system prompt"
     r"|tus instrucciones|instrucciones"
             r" (?:del sistema|ocultas))"),
    ("leak", "prompt instructions",
     r"(?:montre|révèle|affiche|répète|dis-moi|divulgue|donne)[^\n.]{0,24}(?:prompt (?:du )?système"
     r"|system prompt|tes instructions"
             r"|instructions (?:système|cachées))"),
    ("leak", "システム 指示",
     r"(?:システムプロンプト|システムメッセージ|隠された指示|内部の?指示)[^\n。]{0,10}(?:表示|出力|教え|開示|明か|見せ|公開|送信)"),
    ("address",
     "_ai llm model assist agent _ki _ia modèle chatbot+attention note message instruction notice "
     "warning important memo hinweis achtung anweisung nota avviso istruzion attenzione aviso "
     "instruccion atención consigne avis+read processing must : - ignore musst devi debes dois from",
     r"(?:attention|note|message|instructions?|notice|warning|important|memo|hinweis|achtung|anweisung(?:en)?"
     r"|nota|avviso|istruzioni"
                r"|attenzione|aviso|instrucciones|atención|consignes?|avis)[ ]?(?:to|for|an|für|all'|al|alla"
                r"|per|a|para|à|pour|:|,)?[ ]?"
                r"(?:the |all |any |die |den |alle |l'|la |les |el |los |gli |le |tutti |tutte |todos |todas "
                r"|las |tous |toutes )*(?:ai|llm|llms"
                r"|language models?|ai (?:assistant|agent|model)s?"
                r"|assistants?|agents?|models?|ki|ki-assistent(?:en)?|sprachmodelle?|ia|assistent[ei](?: ia"
                r"| ai)?|modell[oi]|asistentes?(?: de)?(?: ia)?|modelos?|modèles?"
                r"|assistants? ia|chatbots?)[ ]?(?:reading this|processing this|:|-|,? (?:you must|must|ignore"
                r"|from now|du musst|devi|debes|tu dois))"),
    # At the beginning of a sentence: a compiler's manual has "two new instructions:".
    ("address", "instruction directive",
     r"(?:^|(?<=[.!?:>#*\n\]-])|(?<=[.!?:>#*\n\]-] ))(?:new|updated|real|hidden|secret|urgent) (?:system )?"
     r"(?:instructions?|directives?):"),
    ("address", "instruc directive anweisung istruzion への",
     r"(?:new|updated|real|hidden|secret|urgent) (?:system )?(?:instructions?|directives?)"
     r"(?: for (?:the |you|all )*(?:ai|assistant|model|agent|llm|chatbot))|(?:neue|echte"
                r"|geheime) (?:system-?)?anweisung(?:en)?(?: für (?:die|den|das) (?:ki|assistent\w*|modell"
                r")|:)|nuove istruzioni(?: (?:per|di) (?:l'|il |la )?(?:assistente|ia|ai|modello|sistema))"
                r"|nuevas instrucciones(?: (?:para|del)"
                r" (?:el |la )?(?:asistente|ia|modelo|sistema))|nouvelles instructions?(?: (?:pour|du) (?:l'"
                r"|le |la )?(?:assistant|ia|modèle"
                r"|système))|(?:ai|アシスタント|モデル)への(?:新しい)?(?:指示|命令)"),
)  # fmt: skip
