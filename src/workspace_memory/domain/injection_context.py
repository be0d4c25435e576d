"""What stands around an order and says whether it is one: a report, a quotation, a function of a program.

Data alone, for lower-case text; `injection_orders.py` applies them to what `injection_patterns.py` finds.
"""

import re

# What people do with rules and filters of all kinds: an order only at the beginning of a sentence.
EVERYDAY_VERBS = re.compile(
    r"(?:delete|drop|skip|erase|cancel|turn off|disable|disabling|discard|dismiss|set aside|lösche|elimina"
    r"|cancella|borra|supprime|efface)\b"
)
# "Delete all messages", "disable all filters" is what programs and firewalls are told.
EVERYDAY_THINGS = re.compile(
    r"\b(?:messages|filters?|polic(?:y|ies)|commands|context|training|protocols?|orders)$"
)
# "Administrators can override the default policy".
POSSIBLE = re.compile(r"(?<!you )\b(?:can|could|may|might|to)[ ]$")
# "Overriding the previous rules" tells what something does.
GERUND = re.compile(r"\w+ing\b")
WHOLE_OR_YOURS = re.compile(
    r"\b(?:all|any|every|your|previous|prior|earlier|above|alle|deine\w*|vorherig\w*|bisherig\w*|tutt[ei]|tue|tuoi|todas|todos"
    r"|tus|toutes|tous|tes|vos|precedenti|anteriores|précédentes)\b"
)
# Names of functions stand in every manual of software: "always use the jmp_buf". A tool of a model is called one, or
# is ours, or stands in a sentence about a talk.
TOOL_FOR_CERTAIN = re.compile(
    r"memory_\w+|remember_in_memory|[ ]tool\b|memor|erinnerung|ricord|recuerdo|souvenir|mémoire"
)
TALK = re.compile(
    r"\b(?:users?|conversations?|chats?|repl(?:y|ies)|answer(?:s|ing)?|respon(?:se|ses|ding)|questions?|transcripts?"
    r"|every message|nutzer\w*|benutzer\w*|antwort\w*|gespräch\w*|utente|rispost\w+|conversazion\w+|usuario"
    r"|respuestas?|conversaci\w+|utilisateur|réponses?|full balance|passwords?|secrets?|credentials)\b|https?://|@"
)
# What somebody tells of an order: "we log each attempt to …".
REPORTED = re.compile(
    r"\b(?:attempts?|attempted|tries|tried|trying|how|ways?|wants?|wanted|able|possible|meant|designed|aims?)[ ]to[ ]$"
)
# A quotation in a sentence about attacks: not refused, but a person looks at it, since a model reads it, too.
QUOTED = re.compile(r"(?<!\w)[\"'`「『](?P<said>[^\"'`「」『』\n]{6,300})[\"'`」』](?!\w)")
ABOUT_ATTACKS = re.compile(
    r"injection|injekt|inyecci|インジェクション|attack|angriff|attacco|attacchi|ataque|attaque|攻撃|jailbreak|example"
    r"|for instance"
    r"|e\.g\.|beispiel|esempio|ejemplo|exemple|phrases?\b|wording|sentences? (?:like|such)|texts? (?:like|such)"
    r"|such as|the words"
    r"|says things like|red team|phishing|payload|malicious|blocked|filter(?:ed|s)?\b|detect\w*"
)
# An order begins its sentence or goes on with "and": "we print passwords on …" is none.
BEGINS = re.compile(
    r"(?:^|[.,;:!?\n>]|(?:^|\n)[ \t]*[*-]|(?<=[ ])-|(?<![\w*])\*{1,2}|\b(?:and|then|please|und|bitte|e|y|et"
    r"|always|now|must|immer|sempre|siempre|toujours))[ ]*$"
)
