"""How sentences announce a value: the signs, verbs and frames around a key, in six languages.

Data alone; `secret_pairs.py` applies them. The keys themselves stand in `secret_words.py`.
"""

import re

AFTER_KEY = re.compile(
    r"(?:[_.-][A-Za-z0-9]{1,20}){0,3}[A-Z0-9]?[\"'`*_\])}]{0,4}"
    r"(?:[ ]?\([^()\n]{1,40}\))?[*_`]{0,2}"
)
_OPEN = r"(?:[ \t]*\r?\n[ \t]*(?:[-*+>][ \t]+)?(?:```\w*\r?\n)?[ \t]*)?(?:\"[ ](?=\S+[ ]\")|[\"'`*_「『“(\[]{0,4})"
ASSIGNED = re.compile(
    r"[ \t]*(?::{1,2}=|=>|->|={1,3}|:{1,2}|→|⇒|\|{1,2})[ \t]*(?:[bfru]{1,2}(?=[\"']))?" + _OPEN
    + r"|>[ \t]*(?:<!\[CDATA\[)?"
    r"|[\"']?[ \t]*,?\s*[\"']?(?:[Vv]alue|VALUE|val|default|content)[\"']?[ \t]*[:=][ \t]*[\"']?"
)  # fmt: skip
# "La password iniziale", "mot de passe provisoire": what stands behind its noun in Romance languages.
_ADJECTIVE = (
    r"(?:[ \t]+(?:provvisori[ao]|temporane[ao]|inizial[ei]|attual[ei]|nuov[ao]|segret[ao]|amministratore|principale"
    r"|provisional|temporal|inicial|actual|nuev[ao]|secret[ao]|maestra|provisoire|temporaire|initial|actuel|nouveau"
    r"|admin|administrateur|root))?"
)
_NOW = (
    r"(?:[ \t]+(?:now|currently|still|always|simply|just|today|yesterday|jetzt|nun|aktuell|weiterhin|noch|immer[ ]noch"
    r"|heute|gestern|soeben|ora|adesso|ancora|sempre|oggi|ieri|ahora|todavía|siempre|hoy|ayer|maintenant|désormais"
    r"|toujours|encore|aujourd'hui|hier))?"
)
_IS = (
    r"(?:is|was|are|sind|sono|son|sont|will be|remains|reads|equals|has been|ist|lautet|heißt|heisst|bleibt|wird|wurde"
    r"|war|è|era|sarà|rimane|resta|es|será|sigue siendo|est|était|sera|reste)\b"
)
_CHANGED = (
    r"(?:(?:has been|was|is|wurde|ha sido|se ha|a été|è stat[ao])" + _NOW + r"[ \t]+)?"
    r"(?:(?:changed|set|reset|updated|rotated|switched)[ \t]+to|auf|to|a|à|cambiat[ao] in|impostat[ao] a"
    r"|cambiad[ao] (?:a|por)|changé en|remplacé par)"
)
_TYPE = (
    r"(?:type|enter|use|take|put|try|nimmst du|nimm|gib|metti|usa|inserisci|digita|pon|escribe|introduce|mets|tape"
    r"|saisis|utilise)"
)
QUALIFIED = re.compile(
    _ADJECTIVE
    + r"[ \t]*(?:[ \t](?:for|of|to|on|in|at|from|with|del|della|dello|dei|degli|delle|dell'|di|per|nel|für"
    r"|zum|zur|vom|von|des|der|im|am"
    r"|beim|bei|pour|du|de|des|para|en|sur|au|à)\b|[ \t](?:dell|d|l)'|の|用"
    r"|(?=[ \t]\w[\w-]{1,19}(?:[ \t][\w-]{2,20})?[ \t]*[:=]))[^:=\n.;|/(\[]{1,48}?"
    rf"(?P<sign>(?:[ \t]*(?:=>|->|=|:(?!//))|[ \t]{_IS}{_NOW}(?=[ \t])|は(?:今も)?)[ \t]*)" + _OPEN
)
# "Password for the door, room number: 204" announces a number of something else.
OTHER_THING = re.compile(
    r"(?i)\b(?:(?:error|postal|zip|country|area|status|product|customer|article) code|codice (?:cliente|fiscale"
    r"|postale)"
    r"|código (?:postal|de cliente)|code (?:postal|article|client)|number|nummer|numero|número|numéro|ids?"
    r"|phone|tel|port"
    r"|room|raum|plz|cap|version|date|datum|data|fecha)\b"
)
SAID = re.compile(
    _ADJECTIVE + _NOW + r"(?:,?[ \t]+c'est|[ \t]+" + _IS + r")" + _NOW
    + r"(?:[ \t]+(?:set to|changed to|reset to|auf|geändert auf|stata cambiata in))?[ \t]*[:=]?[ \t]*" + _OPEN
    + r"|[ \t]+" + _CHANGED + r"[ \t]*:?[ \t]*" + _OPEN
    + r"|[ \t]*,?[ \t]+" + _TYPE + r"[ \t]+" + _OPEN
    + r"|[ \t]*(?:は|が|を|には|として|には、|は、|とは)(?:今も|今は|現在は?|まだ)?[ \t]*:?[ \t]*" + _OPEN
)  # fmt: skip
NEXT = re.compile(
    r"[ \t]+(?:to|of|mit|von|auf|zu|con|avec|with|-{1,2}(?=[ \t]))?[ \t]*(?P<quote>[\"'`「『“])?"
    r"|(?P<glued>[「『“(])|[ \t]*[(\[][ \t]*|[ \t]*,[ \t]*|[ \t]*\r?\n[ \t]*(?:[-*+>][ \t]+)?(?:```\w*\r?\n)?[`*]{0,2}"
)
REVERSED = re.compile(
    r"(?:^|[\s(:\"'`「『,、は])(?P<value>[^\s\"'`「」『』、]{6,80}?)[\"'`」』*]{0,3}[,.]?"
    r"(?:[ \t]+(?:is|was|ist|war|è|era|es|est|as|als|come|como|comme|for|=|-)[ \t]+"
    r"(?:(?:the|our|your|my|a|an|its|their|das|mein|unser|dein|ihr|sein|der|die|la|il|el|le|lo|notre|nuestra|ein|una"
    r"|un|une|mi|mio|mia|tu|votre|new|current|neues?|aktuelles?|nueva|nuova"
    r"|nouveau)[ \t]+){0,2}(?:[\w-]{1,16}[ \t]+){0,1}"
    r"|[ \t]*(?:が|は|を)[^\n。]{0,16}|[ \t]+[(\[][ \t]*(?:the[ \t]+)?)$"
)
_ARTICLES = (
    r"(?:(?:the|a|an|this|our|that|new|following|das|dem|den|die|ein|neue[ns]?|folgende[ns]?|la|il|lo|le|el|una|un|une"
    r"|nouveau|nueva|nuova|seguente)[ ]+|l'){0,3}"
)
NAMED = re.compile(
    r"(?i)(?:user(?:name)?|utente|benutzer(?:name)?|nutzer|usuario|utilisateur|login|log in|account|konto"
    r"|ユーザー名?|admin)"
    r"[ :=]{0,3}[\w.@-]{0,40}[\"'`]?[ ]?[,;/、]?[ ]?(?:and|und|e|y|et|with|mit|con|avec)?[ ]?(?:the|das|la|le)?[ ]?$"
    # "usa bob y la contraseña", "mit bob und dem Kennwort"
    r"|(?:\b(?:use|usa|usate|utilise|nimm|mit|with|con|avec|as|als)[ ]+|:[ ]*)[\w.@-]{2,40}[ ]+(?:and|und|e|y|et)[ ]+"
    + _ARTICLES + "$"
)  # fmt: skip
# Verbs of using before a key: what follows it is to be typed.
USED_BEFORE = re.compile(
    r"(?i)\b(?:use|using|enter|type|try|with|has|have|needs|wants|nimm|nimmst(?: du)?|nehmen|nehmt|nutzt?e?"
    r"|verwende[nt]?"
    r"|mit|gilt(?: seit \w{2,12})?|hat|usa|usate|con|ha|metti|inserisci|pon|introduce|utiliza|tiene|utilise"
    r"|utilisez|mets"
    r"|saisis|avec)[ ]+" + _ARTICLES + "$"
)
USED_AFTER = re.compile(
    r"[\"'`」]?[ ]+(?:verwenden|nutzen|nehmen|eingeben|benutzen|eintragen|setzen|tippen)\b"
)
# A key at the beginning of a clause and a value at its end: "Our Wi-Fi is Guest, password …".
CLAUSE_BEFORE = re.compile(r"(?:^|[\n,;:(|>•-])[ \t]*(?:[*_\"'`]{0,2})(?:[A-Za-zäöüß]{1,16}-?)?$")
CLAUSE_AFTER = re.compile(r"[\"'`*_]{0,2}[ ]?(?:$|[\n,;)|]|\.(?=\s|$))")
