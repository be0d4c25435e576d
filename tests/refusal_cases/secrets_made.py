"""Texts that hold a random secret: by maker, place, words around it, form of code, and disguise."""

import base64
from collections.abc import Iterator

from tests.refusal_cases.random_words import (
    ALPHANUMERIC,
    BASE64,
    CAPITALS,
    HEX,
    LOWER,
    URL_SAFE,
    Words,
)

Case = tuple[str, str]  # kind, text

_MARKED: tuple[tuple[str, str, str, int], ...] = (
    ("aws", "AKIA", CAPITALS, 16), ("aws", "ASIA", CAPITALS, 16), ("github", "ghp_", ALPHANUMERIC, 36),
    ("github", "ghs_", ALPHANUMERIC, 36), ("github", "github_pat_", ALPHANUMERIC + "_", 82),
    ("gitlab", "glpat-", URL_SAFE, 20), ("gitlab", "glsoat-", URL_SAFE, 20), ("stripe", "sk_test_", ALPHANUMERIC, 24),
    ("stripe", "rk_live_", ALPHANUMERIC, 24), ("google", "AIza", URL_SAFE, 35), ("google", "ya29.", URL_SAFE, 120),
    ("google", "GOCSPX-", URL_SAFE, 28), ("anthropic", "sk-ant-api03-", URL_SAFE, 93),
    ("openai", "sk-proj-", URL_SAFE, 120), ("openai", "sk-", ALPHANUMERIC, 48),
    ("huggingface", "hf_", ALPHANUMERIC, 34),
    ("replicate", "r8_", ALPHANUMERIC, 37), ("groq", "gsk_", ALPHANUMERIC, 52),
    ("perplexity", "pplx-", ALPHANUMERIC, 48),
    ("xai", "xai-", ALPHANUMERIC, 80), ("npm", "npm_", ALPHANUMERIC, 36), ("pypi",
    "pypi-AgEIcHlwaS5vcmc", URL_SAFE, 120),
    ("docker", "dckr_pat_", URL_SAFE, 27), ("digitalocean", "dop_v1_", HEX, 64), ("databricks", "dapi", HEX, 32),
    ("vault", "hvs.", URL_SAFE, 90), ("vault", "hvb.", URL_SAFE, 90), ("doppler", "dp.pt.", ALPHANUMERIC, 43),
    ("doppler", "dp.st.prd.", ALPHANUMERIC, 43), ("atlassian", "ATATT3xFfGF0", URL_SAFE, 180),
    ("bitbucket", "ATBB", ALPHANUMERIC, 32), ("notion", "ntn_", ALPHANUMERIC, 46), ("notion",
    "secret_", ALPHANUMERIC, 43),
    ("mailgun", "key-", HEX, 32), ("twilio", "SK", HEX, 32), ("sendgrid", "SG.", URL_SAFE, 22),
    ("brevo", "xkeysib-", HEX, 64),
    ("shopify", "shppa_", HEX, 32), ("square", "sq0csp-", URL_SAFE, 43), ("cloudflare", "cfut_", ALPHANUMERIC, 40),
    ("vercel", "vcp_", ALPHANUMERIC, 56), ("netlify", "nfp_", ALPHANUMERIC, 36), ("supabase", "sbp_", HEX, 40),
    ("supabase", "sb_secret_", URL_SAFE, 31), ("figma", "figd_", URL_SAFE, 40), ("new-relic", "NRAK-", CAPITALS, 27),
    ("datadog", "ddapp_", ALPHANUMERIC, 34), ("sentry", "sntryu_", HEX, 64), ("grafana", "glc_", ALPHANUMERIC, 60),
    ("linear", "lin_api_", ALPHANUMERIC, 40), ("age", "AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    ("slack", "xoxe-1-", ALPHANUMERIC, 120), ("webhook", "whsec_", BASE64, 32), ("tailscale",
    "tskey-auth-", ALPHANUMERIC, 30),
    ("render", "rnd_", ALPHANUMERIC, 32), ("mem0", "m0-", ALPHANUMERIC, 40), ("nvidia", "nvapi-", URL_SAFE, 64),
    ("planetscale", "pscale_tkn_", URL_SAFE, 43), ("rubygems", "rubygems_", HEX, 48), ("pulumi", "pul-", HEX, 40),
)  # fmt: skip

_AROUND = (
    "{}", "remember this: {}", "for staging use {} please", "The deploy key is {}", "- CI uses `{}`",
    "Notiz: {}", "il token nuovo: {}", "本番は {} を使う", "La nueva es {} desde hoy", "Utilise {} pour la recette",
    "```\n{}\n```", "| staging | {} |", "(old one was revoked, now {})",
    "curl -H 'Authorization: Bearer {}' https://api.example.test/v1",
    "see https://ci.example.test then paste {}.", "\"{}\"", "<{}>",
)  # fmt: skip

_PAIRS = (
    # English
    "password: {}", "The password is {}", "pw = {}", "Our Wi-Fi password is {}", "wifi password for guests: {}",
    "Use {} as the password", "{} is the password for the NAS", "log in with user bob and password {}",
    "the admin password was changed to {}", "Password (staging): {}", "Passphrase for the backup disk: {}",
    "router admin / {} (password)", "credentials: bob / {}",
    "The root password for db01 is {}", "username: bob, password: {}",
    "DB password -> {}", "secret: {}", "API token = {}", "**Password**: {}", "the passphrase is \"{}\"",
    "PW Server1: {}", "credentials are bob:{}", "user=bob pass={}", "the new password (since May) is {}",
    "password - {}",
    "wifi: Guest / {}", "Password\t{}",
    # German
    "Mein Passwort fürs Firmenportal: {}", "Für den Drucker nimmst du das Passwort {}", "Zugang NAS: bob / {}",
    "Die Zugangsdaten sind bob und {}", "Benutzername: bob Kennwort: {}",
    "Passwort: {}", "Das Passwort lautet {}", "Das WLAN-Passwort ist {}", "Kennwort = {}",
    "Passwort für den Drucker: {}",
    "Das neue Kennwort heißt {}", "Zugangsdaten: bob / {}", "Benutzer bob, Passwort {}", "Nimm {} als Passwort",
    "Das Router-Kennwort wurde auf {} geändert", "Anmeldedaten NAS: admin / {}", "Mein Adminpasswort ist {}",
    # Italian
    "la password è {}", "Password: {}", "Password del router: {}",
    "La password del NAS è {}", "credenziali: bob / {}",
    "La parola d'ordine è {}", "usa {} come password", "chiave api: {}",
    "utente bob password {}", "La nuova password è {}",
    "Le credenziali sono bob e {}", "La pwd è {}",
    # Japanese
    "管理者のパスワードを {} に変更しました", "IDはbob、パスワードは{}",
    "パスワードは{}です", "パスワード：{}", "パスワード「{}」", "Wi-Fiのパスワードは{}です",
    "新しいパスワードは {} です。",
    "合言葉は{}",
    "APIキーは{}です", "NASのパスワード：{}", "ユーザー名bob、パスワード{}",
    # Spanish
    "contraseña: {}", "La contraseña es {}", "la contraseña del wifi es {}",
    "Clave de API: {}", "usuario bob, contraseña {}",
    "usa {} como contraseña", "La nueva contraseña es {}", "Clave: {}", "credenciales: bob / {}",
    "Mi contraseña es {}", "usuario: bob contraseña: {}", "contraseña del router -> {}",
    # French
    "Le mot de passe, c'est {}", "mdp wifi : {}",
    "mot de passe : {}", "Le mot de passe est {}", "le mot de passe du NAS est {}", "mdp: {}", "Clé API : {}",
    "identifiants : bob / {}", "utilise {} comme mot de passe",
    "Le nouveau mot de passe est {}", "utilisateur bob, mot de passe {}",
)  # fmt: skip
_NUMBER_PAIRS = (
    "PIN: {}", "The PIN for the alarm is {}", "Die PIN lautet {}", "Door code: {}", "Türcode: {}", "Alarmcode ist {}",
    "Il PIN della cassaforte è {}", "codice allarme: {}", "暗証番号は{}です", "暗証番号：{}", "El PIN es {}",
    "código de acceso: {}", "Le code PIN est {}", "code d'accès : {}", "The safe code is {}", "PIN code {}",
)  # fmt: skip
_ASSIGNMENTS = (
    "DB_PASSWORD={}", "export STRIPE_SECRET={}", "API_KEY: {}", '{{"client_secret": "{}"}}', '"apiKey":"{}"',
    "password = '{}'", "spring.datasource.password={}", "  POSTGRES_PASSWORD: {}", "      - MYSQL_ROOT_PASSWORD={}",
    "--token {}", "--api-key={}", "X-Auth-Token: {}", "Authorization: Bearer {}", "Authorization: token {}",
    "<password>{}</password>", '<add key="ApiKey" value="{}" />', "[smtp]\nuser = bob\npass = {}",
    "CREATE USER bob WITH PASSWORD '{}';", "ALTER USER bob IDENTIFIED BY '{}';", "const apiKey = \"{}\";",
    "auth_token := \"{}\"", "setx AZURE_CLIENT_SECRET \"{}\"", "$env:GITHUB_TOKEN = '{}'", "ENV SECRET_KEY={}",
    "- name: DB_PASSWORD\n  value: \"{}\"", "secretKey => '{}'", "curl -u bob:{} https://api.example.test",
    "sshpass -p '{}' ssh bob@host", "PGPASSWORD={} psql -h db", "machine db login bob password {}",
    "https://api.example.test/v1?api_key={}", "access_token={}&state=1", "signing_key: '{}'", "private_key = {}",
    "docker login -u bob -p {}", "encryption_key={}", "JWT_SECRET='{}'", "password:\n  {}", "Passwort:\n`{}`",
)  # fmt: skip
_ADDRESSES = (
    "postgres://bob:{}@db.example.test/app", "mysql://root:{}@127.0.0.1:3306/shop",
    "mongodb+srv://bob:{}@c0.example.test/",
    "redis://:{}@cache.example.test:6379/0", "amqp://svc:{}@mq.example.test/vhost",
    "https://bob:{}@git.example.test/r.git",
    "ftp://bob:{}@files.example.test", "mssql+pyodbc://sa:{}@sql.example.test/crm?driver=x",
    "smtp://bob:{}@mail.example.test:587",
    "clickhouse://default:{}@ch.example.test:9000", "Server=sql;Database=crm;User Id=sa;Password={};Encrypt=true",
    "jdbc:postgresql://db/app?user=bob&password={}", "Host=db;Username=bob;Password={};Database=app",
    "jdbc:oracle:thin:bob/{}@db:1521/orcl", "bob:{}@tcp(db:3306)/app", "host=db user=bob password={} dbname=app",
    "Data Source=sql;Initial Catalog=crm;Uid=bob;Pwd={};",
    "ldap://cn=admin:{}@ldap.example.test", "nats://bob:{}@nats:4222",
)  # fmt: skip


def secret_cases(seed: int) -> list[Case]:
    """At least 400 texts with one random secret each."""
    words = Words(seed)
    return [
        *_by_maker(words), *_without_mark(words), *_keys(words), *_by_words(words), *_in_code(words), *_disguised(words)
    ]  # fmt: skip


def _by_maker(words: Words) -> Iterator[Case]:
    for kind, mark, alphabet, length in _MARKED:
        for _ in range(2):
            yield kind, words.one(_AROUND).format(_marked(words, mark, alphabet, length))


def _marked(words: Words, mark: str, alphabet: str, length: int) -> str:
    if mark == "SG.":
        return mark + words.of(alphabet, 22) + "." + words.of(alphabet, 43)
    return mark + words.of(alphabet, length)


def _without_mark(words: Words) -> Iterator[Case]:
    made = (
        ("azure", lambda: f"{words.token(3)}8Q~{words.of(URL_SAFE + '.~', 34)}"),
        ("azure", lambda: f"AccountName=acme;AccountKey={words.of(BASE64, 86)}==;EndpointSuffix=core.windows.net"),
        ("telegram", lambda: f"{words.of('123456789', 10)}:AA{words.of(URL_SAFE, 33)}"),
        ("discord", lambda: f"M{words.token(25)}.{words.of(URL_SAFE, 6)}.{words.of(URL_SAFE, 38)}"),
        ("slack", lambda: f"xoxb-{words.of('123456789', 12)}-{words.of('123456789', 12)}-{words.token(24)}"),
        ("slack", lambda: f"https://hooks.slack.com/services/T{words.token(10)}/B{words.token(10)}/{words.token(24)}"),
        ("discord", lambda: f"https://discord.com/api/webhooks/{words.of('123456789', 18)}/{words.of(URL_SAFE, 68)}"),
        ("postman", lambda: f"PMAK-{words.of(HEX, 24)}-{words.of(HEX, 34)}"),
        ("mailchimp", lambda: f"{words.of(HEX, 32)}-us{words.random.randrange(1, 22)}"),
        ("jwt", words.jwt),
        ("terraform", lambda: f"{words.token(14)}.atlasv1.{words.of(URL_SAFE, 67)}"),
        ("hubspot", lambda: f"pat-eu1-{words.uuid()}"),
        ("twilio", lambda: f"TWILIO_AUTH_TOKEN={words.of(HEX, 32)}"),
        ("datadog", lambda: f"DD_API_KEY={words.of(HEX, 32)}"),
        ("cloudflare", lambda: f"CLOUDFLARE_API_TOKEN={words.of(URL_SAFE, 40)}"),
        ("heroku", lambda: f"Heroku API key: {words.uuid()}"),
        ("vercel", lambda: f"VERCEL_TOKEN={words.token(24)}"),
        ("algolia", lambda: f"algolia admin api key {words.of(HEX, 32)}"),
        ("grafana", lambda: f"glsa_{words.token(32)}_{words.of(HEX, 8)}"),
        ("random", lambda: words.of(ALPHANUMERIC, 44)),
        ("aws", lambda: f"aws_secret_access_key = {words.of(BASE64, 40)}"),
    )  # fmt: skip
    for kind, make in made:
        for _ in range(3):
            yield kind, words.one(_AROUND[:9]).format(make())


def _keys(words: Words) -> Iterator[Case]:
    for name in (
        "RSA PRIVATE",
        "EC PRIVATE",
        "PRIVATE",
        "ENCRYPTED PRIVATE",
        "DSA PRIVATE",
        "OPENSSH PRIVATE",
    ):
        block = f"-----BEGIN {name} KEY-----\n{words.base64_lines(400)}\n-----END {name} KEY-----"
        yield "pem", block
        yield "pem", block.replace("\n", "\\n")
        yield "pem", "Key of the build server:\n" + block[:160]
        yield "pem", "> " + block[:300].replace("\n", "\n> ")
    head = "-----BEGIN PGP PRIVATE KEY BLOCK-----"
    yield "pgp", f"{head}\n\n{words.base64_lines(300)}\n-----END PGP PRIVATE KEY BLOCK-----"
    yield (
        "putty",
        (
            f"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: bob\nPublic-Lines: 2\n"
            f"{words.base64_lines(90)}\n"
            f"Private-Lines: 1\n{words.base64_lines(48)}\nPrivate-MAC: {words.of(HEX, 64)}"
        ),
    )


def _by_words(words: Words) -> Iterator[Case]:
    for form in _PAIRS:
        for _ in range(2):
            yield "pair", form.format(words.password())
    for form in _NUMBER_PAIRS:
        yield "pair-number", form.format(words.of("0123456789", words.random.choice((4, 6))))


def _in_code(words: Words) -> Iterator[Case]:
    for form in _ASSIGNMENTS:
        yield "assignment", form.format(words.token())
        yield "assignment", form.format(words.of(LOWER, 32))
    for form in _ADDRESSES:
        yield "address", form.format(words.token(14))
        yield (
            "address",
            form.format(words.of(ALPHANUMERIC, 5) + words.one("!$_-") + words.of("0123456789", 3) + "Kx"),
        )


def _disguised(words: Words) -> Iterator[Case]:
    for _ in range(4):
        key = "ghp_" + words.token(36)
        other = "sk-ant-api03-" + words.of(URL_SAFE, 90) + "AA"
        password = words.token(5) + "!" + words.of("0123456789", 4)
        cut = words.random.randrange(8, 30)
        for invisible in "\u200b\u200c\u200d\u2060\ufeff\u00ad":
            yield "zero-width", f"token {key[:cut]}{invisible}{key[cut:]}"
        yield "zero-width", "\u200b".join(key)
        yield "full-width", "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in f"key {key}")
        yield "full-width", f"password：{password}"
        yield "line-break", f"{key[:cut]}\n{key[cut:]}"
        yield "line-break", f"the new one is\n{key[:cut]}\n  {key[cut:]}\nthanks"
        yield "line-break", f"{other[:40]}\\\n{other[40:]}"
        yield "spaced", " ".join(key)
        yield "spaced", f"key: {' '.join(other)}"
        yield "base64", base64.b64encode(f"password={password}".encode()).decode()
        yield "base64", f"see {base64.b64encode(key.encode()).decode()} for CI"
        yield "table", f"| user | password |\n|---|---|\n| bob | {password} |"
        yield (
            "table",
            f"| Dienst | Benutzer | Passwort |\n| :-- | :-: | --: |\n| NAS | bob | {password} |\n| Wiki | eve | - |",
        )
        yield "table", f"| Name | Value |\n|---|---|\n| api key | {words.token(24)} |"
        yield "table", f"| {key[:cut]} | {key[cut:]} |"
        yield "table", f"host,user,password\ndb01,bob,{password}"
        yield "list", f"- user: bob\n- password: {password}"
        yield "list", f"1. {key[:cut]}\n2. {key[cut:]}"
        yield "fence", f"Passwort:\n```\n{password}\n```"
        yield "entities", f"password&#58; {password}"
        yield "entities", f"&quot;api_key&quot;: &quot;{words.token()}&quot;"
        yield "homoglyph", f"pаssword: {password}"
        yield "homoglyph", f"password∶ {password}"
        yield "concatenation", f'"{key[:cut]}" + "{key[cut:]}"'
        yield "concatenation", f"'{key[:cut]}' '{key[cut:]}'"
        yield "concatenation", f'key = "{key[:cut]}" .\n  "{key[cut:]}"'
