"""The words around secrets, in six languages and in code: what announces a value, and what is none.

Data alone. `secret_pairs.py` reads the keys, `secret_values.py` the rest. All of it is in lower case.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """A word that announces a value.

    `stem` is what the text is first searched for, `pattern` the whole key. `digits_min`: numbers of so many digits
    are values too (0: none). `inside`: may be the end of a longer word. `said`: a sentence may announce with it.
    `pair`: a name may stand before the value, as in "login: anna / …". `before`: what must stand before the key.
    `alone`: a value may follow at once; otherwise only behind a name, as in "wifi: Guest / …".
    """

    stem: str
    pattern: re.Pattern[str]
    digits_min: int = 0
    inside: bool = False
    said: bool = True
    pair: bool = False
    before: re.Pattern[str] | None = None
    alone: bool = True


def _key(
    stem: str,
    rest: str = "",
    *,
    digits: int = 0,
    inside: bool = False,
    said: bool = True,
    pair: bool = False,
    before: re.Pattern[str] | None = None,
    alone: bool = True,
) -> Key:
    return Key(stem, re.compile(re.escape(stem) + rest), digits, inside, said, pair, before, alone)


_OF_KEY = (
    r"api|access|secret|private|auth|encryption|account|signing|deploy|deployment|master|shared|preshared|service"
    r"|storage|license|licence|admin|webhook|ssh|app|client|session|consumer|bot|subscription|host|function|recovery"
    r"|wifi|wi-fi|wlan|wpa2?|network|security|root|server|project|ingest|write|personal|integration"
    r"|application|project"
)
# Before a bare "key" or "code" one of these must stand.
_KEY_BEFORE = re.compile(
    rf"(?:^|[^a-z])(?:{_OF_KEY})(?:[ _.-]{{0,2}}(?:api|access|private|secret|shared))?[ _.-]{{0,2}}$"
)
_CODE_BEFORE = re.compile(
    r"(?:^|[^a-z])(?:access|door|gate|alarm|safe|entry|security|unlock|recovery|backup|pin|lock|keypad|garage|secret"
    r"|verification|combination|wifi|disarm|elevator|building|lift|tür|tor|safe|alarm|sicherheits|freischalt|entsperr|zugriffs"
    r"|einlass|eingangs|haustür|garagen)[ -]?$"
)
_JAPANESE_KEY_BEFORE = re.compile(r"(?:api|ss|アクセス|プライベート|シークレット|秘密|認証|暗号化|共有)[ ]?$")
KEYS: tuple[Key, ...] = (
    # English, and words that all languages use
    _key("passw", r"(?:or[dt]e?s?|d)(?!\w*-?manager)", digits=5, inside=True, pair=True),
    _key("passphrase", digits=6, inside=True),
    _key("passcode", digits=4, inside=True),
    _key("pass key", digits=6),
    _key("pass", r"(?![a-z])", said=False, digits=6),
    _key("pass", r" (?:del|de la|de) \w{2,20}", said=False, digits=6),
    _key("pwd", digits=6, inside=True),
    _key("psswd", digits=6),
    _key("pw", r"(?![a-z])", digits=6),
    _key("pin", r"(?:[ -]?(?:code|number|nummer|n[uú]mero))?(?![a-z])", digits=4),
    _key("puk", r"(?:[ -]?code)?(?![a-z])", digits=6),
    _key("key", r"(?![a-z])", inside=True, before=_KEY_BEFORE),
    _key("token", r"(?![a-z]|s[a-z])", inside=True),
    _key("secret", r"(?![a-z]|s[a-z]|-?(?:santa|ary|ariat))", inside=True),
    _key("credential", r"s?", pair=True, inside=True),
    _key("login", r"(?:s|[- ]?(?:data|details|daten))?(?![a-z])", said=False, pair=True),
    _key("creds", pair=True),
    _key("code", r"s?(?![a-z])", digits=4, inside=True, before=_CODE_BEFORE),
    _key("seed", r"(?![a-z])", before=re.compile(r"(?:otp|2fa|mfa|authenticator)[ _-]?$")),
    _key("sessionid", r"(?=[\"']?[ ]?[=:][ ]?[\"']?[a-z0-9]{16})", said=False),
    _key("sessid", said=False, inside=True),
    _key("wifi", r"(?![a-z])", said=False, pair=True, alone=False),
    _key("wi-fi", r"(?![a-z])", said=False, pair=True, alone=False),
    _key("wlan", r"(?![a-z])", said=False, pair=True, alone=False),
    # German
    _key("zugang", r"(?![a-zäöüß])", said=False, pair=True, alone=False),
    _key("access", r"(?:o|es)(?![a-z])", said=False, pair=True, alone=False),
    _key("acceso", r"(?![a-z])", said=False, pair=True, alone=False),
    _key("accès", r"(?![a-z])", said=False, pair=True, alone=False),
    _key("code", r" (?:für|for|of) (?:die |den |das |the )?(?:alarm|\w{0,12}tür|tor\b|safe|tresor|\w{0,8}door|gate"
        r"|garage|lift|elevator|building|keypad)\w*", digits=4),
    _key("kennwort", digits=5, inside=True, pair=True),
    _key("losung", r"(?:swort)?(?![a-z])", digits=5),
    _key("zugangs", r"(?:code|daten|wort|schlüssel|token|kennung|nummer)", digits=4, pair=True),
    _key("anmeldedaten", pair=True),
    _key("logindaten", pair=True),
    _key("schlüssel", r"(?![a-z]|wort)", inside=True),
    _key("geheim", r"(?:nis|code|wort|zahl|nummer)(?![a-z])", digits=4),
    # Italian
    _key("parola", r" (?:d'ordine|chiave|d'accesso|di accesso|segreta)", digits=5),
    _key("chiave", r" (?:api|segreta|privata|d'accesso|di accesso|di cifratura|wi-?fi|condivisa|del wi-?fi|di rete)"),
    _key("codice", r" (?:segreto|pin|d'accesso|di accesso|di sblocco|di sicurezza|porta|allarme|dell'allarme"
         r"|della porta|del cancello|della cassaforte|del portone|del garage|d'ingresso)", digits=4),
    _key("credenziali", pair=True),
    # Spanish
    _key("contrase", r"(?:ñ|n)as?", digits=5, pair=True),
    _key("clave", r"s?(?: (?:de api|api|secreta|privada|de acceso|de cifrado|wi-?fi))?(?![a-z])", digits=5),
    _key("código", r" (?:de acceso|secreto|pin|de seguridad|de la alarma|de la puerta|de desbloqueo|del portal"
        r"|del garaje|de entrada|de la caja fuerte)", digits=4),
    _key("credenciales", pair=True),
    # French
    _key("mot de passe", digits=5, pair=True),
    _key("mots de passe", digits=5),
    _key("mdp", r"(?![a-z])", digits=5),
    _key("clé", r"s? (?:d'api|api|secrète|privée|d'accès|de chiffrement|wi-?fi|du wi-?fi|partagée)"),
    _key("code", r" (?:d'accès|secret|pin|de la porte|wi-?fi|de l'alarme|de sécurité|du coffre"
        r"|de déverrouillage|du portail|de l'immeuble|d'entrée|du garage|du bâtiment)",
         digits=4),
    _key("digicode", digits=4),
    _key("jeton", r"(?: d'accès| d'api)?(?![a-z])"),
    _key("phrase", r" (?:secrète|de passe)"),
    _key("frase", r" (?:de paso|de contraseña|segreta|d'accesso|di accesso)"),
    _key("identifiants", pair=True),
    # Japanese
    _key("パスワード", digits=5, inside=True, pair=True),
    _key("パスコード", digits=4, inside=True),
    _key("パスフレーズ", digits=5, inside=True),
    _key("暗証番号", digits=4, inside=True),
    _key("暗証コード", digits=4, inside=True),
    _key("合言葉", digits=5, inside=True),
    _key("合い言葉", digits=5, inside=True),
    _key("認証コード", digits=4, inside=True),
    _key("解除コード", digits=4, inside=True),
    _key("キー", r"(?!ボード|ワード)", inside=True, before=_JAPANESE_KEY_BEFORE),
    _key("トークン", inside=True),
    _key("シークレット", inside=True),
    _key("秘密鍵", inside=True),
    _key("ログイン情報", inside=True, pair=True),
    _key("認証情報", inside=True, pair=True),
    # Others, as they come
    _key("wachtwoord", digits=5, inside=True),
    _key("senha", digits=5),
    _key("пароль", digits=5),
    _key("密码", digits=5, inside=True),
    _key("비밀번호", digits=5, inside=True),
)  # fmt: skip
# What follows a key inside a name and makes it something else than the value: token_url, password_length.
NOT_THE_VALUE = re.compile(
    r"[ _.-]*(?:id|ids|file|files|path|url|uri|length|len|policy|policies|expir\w*|ttl|type|name|names|env"
    r"|var|hint|field"
    r"|label|limit|count|max\w*|min\w*|size|algorithm|algo|reset\w*|manager\w*|rotation|stdin|header|prefix"
    r"|suffix|endpoint"
    r"|class|format|protected|less|generator|store|storage|provider|bucket|ring|chain|word|board|stroke|usage"
    r"|scope|ize\w*"
    r"|isation|ization|refresh|command|prompt|callback|function|validator|hasher|regel\w*|richtlinie\w*|länge|ablauf"
    r"|requirement\w*|strength|complexity|source|vault|safe|dialog|page|input|form|arn|block|index|verifi\w*|mfa|validity|configurations?)(?![a-z])"
)

# Before "token": a mark of a place in a list, of a lock or of a repeated request, which opens nothing.
NO_CREDENTIAL = re.compile(
    r"(?i)(?:next|prev(?:ious)?|page|paging|paginat(?:ion|ed)|continu(?:e|ation)|starting|(?:next|update|change)?[_-]?lock"
    r"|change|update|sequence|idempotency|client[_-]?request|sync|resume|forward|backward|purchase|lifecycle[_-]?action"
    r"|(?-i:Request)|copy[_-]?product|work[_-]?unit|(?:import|export)(?=[_-])"
    r"|(?-i:\bClient)|-client|pkcs11:)[_ -]?$"
)
UNITS = re.compile(
    r"[ ]?(?:-?\s?(?:characters?|chars?|digits?|days?|minutes?|hours?|seconds?|weeks?|months?|years?|times"
    r"|tokens?|bytes?"
    r"|bits?|users?|requests?|attempts?|words?|letters?|symbols?|stellen|stellig\w*|zeichen|tage\w*|minuten|stunden"
    r"|sekunden|monate\w*|jahre\w*|wochen|versuche\w*|ziffern|caratteri|cifre|giorni|minuti|ore|mesi|anni|tentativi"
    r"|caracteres|dígitos|días|minutos|horas|meses|años|intentos|jours|chiffres|caractères|minutes|heures|mois|ans"
    r"|tentatives|mib|gib|kib|kb|mb|gb|usd|eur|ms|min|sec|h|%|€|\$)(?![a-z])|文字|桁|日|回|分|時|秒|か月|ヶ月|年|週|件|人|個|つ)"
)

REFERENCES = frozenset(
    """
    see ask siehe bei beim chiedere chiedi vedi preguntar ver demander voir in im on at the a an set not none
    null nil true false str int string bytes bool optional required expired changed stored kept hidden
    unknown tbd todo n/a yes no must should muss deve debe doit never always your my our liegt moved called
    redacted masked bitwarden 1password keepass keepassxc lastpass vault dashlane secret password passwort
    token key user admin 1password's default empty blank same undefined nan self this
    """.split()  # noqa: SIM905 -- a list of words reads better so
)

SAMPLE_WORDS = frozenset(
    """
    my your our the a an some any this that new old test testing tests example sample demo dummy fake mock
    foo bar baz qux quux spam eggs secret secrets password passwords passwd pass pwd passphrase passwort
    kennwort token tokens key keys api apikey access auth client user username admin root value values string
    str text here todo changeme default placeholder super very strong long random private public shared
    hidden real correct wrong invalid valid bad good other another first second third github openai aws azure
    gitlab google anthropic slack stripe abc xyz abcd abcdef def ghi hash salt id name service account app
    application server db database postgres mysql redis prod dev staging local localhost hello world and or
    is not of for with from to in dein deine ihr mein il tu su mi votre mon signing jwt bearer basic session
    cookie csrf crypto encryption refresh webhook none null env var variable secretkey s3cr3t s cr t p ssw rd
    top creds credential credentials
    passw w rd 1st mysecret mypassword mytoken somesecret sometoken somepassword supersecret topsecret
    testtoken testkey testpassword guest scott insecure unsafe safe more
    """.split()  # noqa: SIM905 -- a list of words reads better so
)

# Keys that standards print and manuals copy: OAuth 1 (RFC 5849) and 2 (RFC 6749, 6750).
DOCUMENTED_EXAMPLES = frozenset(
    """
    9djdj82h48djs9d2 kkk9d7dh3k39sjv7 j49sk3j29djd dh893hdasih9 dpf43f3p2l4k3l03 nnch734d00sl2jdk jd83jd92dhsh93js
    hh5s93j4hdidpola hdhd0244k9j7ao03 kd94hf93k423kf44 pfkkdhi9sl3r4s00  2yotnfzfejr1zcsicmwpaa
    tgzv3jokf0xg5qx2tlkwia splxlobezqqybys6wxsbia 7fjfp0zbr1ktdrbnfvdmiw s6bhdrkqt3 gx1fbat3bv
    czzcagrsa3f0mzpnwdfmqmf0m2jw mf_9.b5f-4.1jqm vf9dft4qmt
    """.split()  # noqa: SIM905 -- a list of words reads better so
)

COMMON_PASSWORDS = frozenset(
    """
    letmein swordfish trustno1 iloveyou qwerty qwertz qwertyuiop welcome1 welcome123 admin123 password1
    passw0rd p@ssw0rd p@ssword pa$$word pa$$w0rd monkey123 dragon123 sunshine football baseball princess
    starwars hunter2 master123 geheim geheim123 schatzi hallo123 passwort1 passwort123 ciaociao juventus
    forzanapoli amoremio contraseña1 tequiero azerty azerty123 soleil doudou motdepasse1 sakura12 qwerty123
    abc12345 1q2w3e4r 1qaz2wsx zaq12wsx asdfghjkl asdf1234 changeit opensesame
    """.split()  # noqa: SIM905 -- a list of words reads better so
)
