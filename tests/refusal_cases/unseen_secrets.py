"""Secrets as people tell them, and tokens of makers in places of their own: written after the rules, to test them.

`{}` is where a random value goes when a test runs.
"""

from collections.abc import Iterator

from tests.refusal_cases.random_words import (
    ALPHANUMERIC,
    CAPITALS,
    HEX,
    LOWER,
    URL_SAFE,
    Words,
)

Case = tuple[str, str]  # kind, text

_TOLD = {
    "en": """\
FYI the staging box now wants {} as its password
The new pw for the shared mailbox: {}
Heads up, we switched the vault passphrase to {}
The Wi-Fi in the meeting room is called Acme-Guest and the password is {}
Root password of the backup server is still {}
You can get into the wiki with bob and {} as the password
login for the supplier portal: bob@example.test / {}
Bob's password is {} until Friday
My password: {}
our Jenkins admin password = {}
When the router asks for a password, type {}
the zip file opens with password {}
Please use password {} for the PDF invoices
Temporary password {} was sent to Carol
password for everything on the test bench is "{}"
The database user app has the password {}
API secret for the payment sandbox: {}
The client secret is {} and never expires
Access code for the customer portal: {}
the admin account's password was reset to {}
creds for the FTP of the printer: ftpuser / {}
Passwords: mail {}, wiki see vault
If you are locked out, the recovery key is {}
The encryption key for the nightly backups is {}
MQTT broker login bob:{}
SSH key passphrase: {}
The shared secret for the webhook is {}
Set the password to {} after the update
new login: bob, {} (password)""",
    "de": """\
Das Passwort vom Gäste-WLAN lautet {}
Fürs Kassensystem gilt seit Montag das Passwort {}
Kennwort des Testservers: {}
Bitte das neue Passwort {} verwenden
Zugangsdaten Lieferantenportal: bob@example.test / {}
Passwort für die ZIP-Dateien ist {}
Mit bob und dem Kennwort {} kommt man ins Wiki
Das Root-Passwort der Sicherung ist immer noch {}
Unser WLAN heißt Acme-Gast, Passwort {}
Admin-Passwort der Telefonanlage = {}
Der geheime Schlüssel für den Webhook ist {}
Der API-Schlüssel für die Testumgebung lautet {}
Das Passwort wurde heute auf {} geändert
Das Initialpasswort ist {}
Datenbankpasswort: {}
Login Drucker: admin / {}
Wer ausgesperrt ist: Wiederherstellungsschlüssel {}
PW vom Router ist {}
Kennwort (Produktion): {}
Das Masterpasswort unseres Safes: {}
Zum Entsperren {} als Passwort eingeben
Unsere Zugangsdaten: Benutzer bob, Passwort {}
Einmalpasswort für Carol: {}
Dein neues Kennwort ist „{}“
Passwort Buchhaltung {}""",
    "it": """\
La password del Wi-Fi degli ospiti è {}
La nuova password del gestionale: {}
Per entrare nel wiki usa bob e la password {}
Password dei file zip: {}
La password di root del server di backup è ancora {}
credenziali del portale fornitori: bob@example.test / {}
La chiave segreta del webhook è {}
La chiave API dell'ambiente di prova è {}
La password è stata cambiata in {}
password provvisoria per Carol: {}
accesso stampante: admin / {}
La rete si chiama Acme-Ospiti, password {}
Come password metti {}
La passphrase del disco è {}
utente: bob, password: {}
pwd del router = {}
Il token di accesso è {}
La password iniziale è "{}"
Password database: {}
La nostra password per il fax è {}
Le credenziali sono utente bob, password {}
Inserisci {} come password
Parola d'ordine del magazzino: {}
chiave di accesso: {}
Imposta la password a {}""",
    "ja": """\
ゲスト用Wi-Fiのパスワードは{}です
新しいパスワードは{}になりました
共有メールのパスワード：{}
ルーターの管理者パスワードは「{}」
テスト環境のAPIキーは{}です
バックアップのパスフレーズは{}
IDはbob、パスワードは{}です
ログイン情報：bob / {}
パスワード={}
仮パスワードは{}なので変更してください
データベースのパスワード: {}
管理画面のパスワードを{}に変更しました
シークレットキーは{}です
アクセストークン：{}
zipのパスワードは{}です
初期パスワード「{}」
仕入先ポータルのパスワードは {} です
webhookの共有シークレットは{}
サーバーのrootパスワード {}
合言葉は{}です
プリンターのパスワードは今も{}のままです
APIシークレット: {}
秘密鍵のパスフレーズは{}です
パスワードには{}を使ってください
bobのパスワード：{}""",
    "es": """\
La contraseña del wifi de invitados es {}
Nueva contraseña del sistema de caja: {}
Para entrar en la wiki usa bob y la contraseña {}
La contraseña de root del servidor de copias sigue siendo {}
credenciales del portal de proveedores: bob@example.test / {}
La clave secreta del webhook es {}
La clave API del entorno de pruebas es {}
La contraseña se ha cambiado a {}
contraseña provisional para Carol: {}
La red se llama Acme-Invitados, contraseña {}
Como contraseña pon {}
La frase de paso del disco es {}
usuario: bob, contraseña: {}
pass del router = {}
El token de acceso es {}
La contraseña inicial es "{}"
Contraseña de la base de datos: {}
Usa {} como contraseña
acceso impresora: admin / {}
contrasena: {}
La clave del wifi es {}
Clave de acceso: {}
Mi contraseña es {}
Introduce {} como contraseña
Pon la contraseña {} al guardar el PDF""",
    "fr": """\
Le mot de passe du wifi invités est {}
Nouveau mot de passe du logiciel de caisse : {}
Pour entrer dans le wiki : bob et le mot de passe {}
Le mot de passe root du serveur de sauvegarde est toujours {}
identifiants du portail fournisseurs : bob@example.test / {}
La clé secrète du webhook est {}
La clé API de l'environnement de test est {}
Le mot de passe a été changé en {}
mot de passe provisoire pour Carol : {}
Le réseau s'appelle Acme-Invités, mot de passe {}
Comme mot de passe, mets {}
La phrase secrète du disque est {}
utilisateur : bob, mot de passe : {}
mdp du routeur = {}
Le jeton d'accès est {}
Le mot de passe initial est « {} »
Mot de passe de la base de données : {}
Utilise {} comme mot de passe
accès imprimante : admin / {}
Mon mdp c'est {}
La clé du wifi est {}
Clé d'accès : {}
Le MDP admin : {}
Saisis {} comme mot de passe
Mettez le mot de passe à {}""",
}
_CODES = """\
The alarm code is {}
PIN of the company card: {}
Keypad code for the side door: {}
Safe combination code: {}
Der Türcode ist {}
PIN der Firmenkarte: {}
Code für die Alarmanlage: {}
Il codice dell'allarme è {}
PIN della carta aziendale: {}
codice del cancello: {}
金庫の暗証番号は{}
入口の暗証番号：{}
El código de la alarma es {}
PIN de la tarjeta de empresa: {}
código de la puerta: {}
Le code de l'alarme est {}
Code PIN de la carte : {}
digicode de l'immeuble : {}""".splitlines()

_HOLDERS = (
    "{}", "CI variable set to {} yesterday", "// {}", "token '{}' works on staging", "  - {}", "Für CI: {}",
    "use({})", "il nuovo: `{}`", "更新後は{}", "[{}]", "{} (revoke in May)", "key→{}", "a,b,{},d", "old\\n{}\\nend",
    "<code>{}</code>", "=> {}", "\"auth\": \"{}\"", "Clé: {}",
)  # fmt: skip
# Maker, mark, alphabet, length: as the makers describe them.
_TOKENS: tuple[tuple[str, str, str, int], ...] = (
    ("github", "ghp_", ALPHANUMERIC, 36), ("github", "gho_", ALPHANUMERIC, 36), ("github", "ghu_", ALPHANUMERIC, 36),
    ("github", "ghr_", ALPHANUMERIC, 76), ("gitlab", "glpat-", URL_SAFE, 20), ("gitlab", "glrt-", URL_SAFE, 20),
    ("gitlab", "gldt-", URL_SAFE, 20), ("gitlab", "glcbt-", URL_SAFE, 24), ("gitlab", "glptt-", HEX, 40),
    ("gitlab", "glft-", URL_SAFE, 20), ("gitlab", "glimt-", URL_SAFE, 25), ("gitlab", "glagent-", URL_SAFE, 50),
    ("aws", "AKIA", CAPITALS, 16), ("aws", "ASIA", CAPITALS, 16), ("stripe", "sk_live_", ALPHANUMERIC, 24),
    ("stripe", "rk_test_", ALPHANUMERIC, 24), ("stripe", "sk_live_51", ALPHANUMERIC, 97), ("stripe",
    "whsec_", ALPHANUMERIC, 32),
    ("openai", "sk-proj-", URL_SAFE, 124), ("openai", "sk-svcacct-", URL_SAFE, 124),
    ("openai", "sk-", ALPHANUMERIC, 48),
    ("anthropic", "sk-ant-api03-", URL_SAFE, 95), ("anthropic", "sk-ant-admin01-", URL_SAFE, 95),
    ("google", "AIzaSy", URL_SAFE, 33), ("google", "GOCSPX-", URL_SAFE, 28), ("google", "ya29.a0", URL_SAFE, 150),
    ("slack", "xoxp-", "0123456789", 24), ("slack", "xapp-1-A", ALPHANUMERIC, 40), ("slack", "xoxs-", ALPHANUMERIC, 40),
    ("huggingface", "hf_", ALPHANUMERIC, 34), ("replicate", "r8_", ALPHANUMERIC, 37),
    ("groq", "gsk_", ALPHANUMERIC, 52),
    ("xai", "xai-", ALPHANUMERIC, 80), ("perplexity", "pplx-", ALPHANUMERIC, 48), ("openrouter", "sk-or-v1-", HEX, 64),
    ("deepseek", "sk-", HEX, 32), ("npm", "npm_", ALPHANUMERIC, 36), ("pypi", "pypi-AgEIcHlwaS5vcmc", URL_SAFE, 140),
    ("docker", "dckr_pat_", URL_SAFE, 27), ("docker", "dckr_oat_", URL_SAFE, 32), ("digitalocean", "dop_v1_", HEX, 64),
    ("digitalocean", "doo_v1_", HEX, 64), ("databricks", "dapi", HEX, 32), ("vault", "hvs.CAESI", URL_SAFE, 90),
    ("doppler", "dp.pt.", ALPHANUMERIC, 43), ("atlassian", "ATATT3xFfGF0", URL_SAFE, 170), ("notion",
    "ntn_", ALPHANUMERIC, 46),
    ("mailgun", "key-", HEX, 32), ("twilio", "SK", HEX, 32), ("sendinblue", "xkeysib-", HEX, 64), ("shopify",
    "shpat_", HEX, 32),
    ("shopify", "shpss_", HEX, 32), ("square", "sq0atp-", URL_SAFE, 22), ("square", "EAAAE", URL_SAFE, 59),
    ("figma", "figd_", URL_SAFE, 40), ("newrelic", "NRAK-", CAPITALS, 27), ("sentry", "sntrys_", ALPHANUMERIC, 120),
    ("linear", "lin_api_", ALPHANUMERIC, 40), ("grafana", "glc_", ALPHANUMERIC, 90), ("supabase", "sbp_", HEX, 40),
    ("planetscale", "pscale_pw_", URL_SAFE, 43), ("tailscale", "tskey-auth-k", ALPHANUMERIC, 30), ("fly",
    "fm2_", ALPHANUMERIC, 120),
    ("render", "rnd_", ALPHANUMERIC, 32), ("netlify", "nfp_", ALPHANUMERIC, 36), ("resend", "re_", ALPHANUMERIC, 8),
    ("pulumi", "pul-", HEX, 40), ("rubygems", "rubygems_", HEX, 48), ("nvidia", "nvapi-", URL_SAFE, 64),
    ("tavily", "tvly-dev-", ALPHANUMERIC, 32), ("pinecone", "pcsk_", ALPHANUMERIC, 70), ("circleci",
    "CCIPAT_", ALPHANUMERIC, 62),
    ("sonar", "squ_", HEX, 40), ("contentful", "CFPAT-", URL_SAFE, 43), ("age", "AGE-SECRET-KEY-1", CAPITALS, 58),
)  # fmt: skip


def told_secrets(seed: int) -> list[Case]:
    """Sentences in six languages, each with a random value in it: 172 and more."""
    words = Words(seed)
    told = [
        (language, text.format(words.password()))
        for language, texts in _TOLD.items()
        for text in texts.splitlines()
    ]
    return [
        *told,
        *(("code", text.format(words.of("0123456789", words.random.choice((4, 5, 6))))) for text in _CODES),
    ]


def maker_tokens(seed: int) -> list[Case]:
    """Each maker's token twice, in different surroundings: 150 and more."""
    return list(_tokens(Words(seed)))


def _tokens(words: Words) -> Iterator[Case]:
    for maker, mark, alphabet, length in _TOKENS:
        for _ in range(2):
            body = words.of(alphabet, length)
            if maker == "resend":
                body = f"{body}_{words.token(24)}"
            if mark == "xoxp-":
                body = f"{body[:11]}-{body[11:]}-{words.of('0123456789', 12)}-{words.of(HEX, 32)}"
            yield maker, words.one(_HOLDERS).replace("\\n", "\n").format(mark + body)
    yield "npmrc", f"//registry.example.test/:_authToken={words.uuid()}"
    yield "netrc", f"machine git.example.test\n  login bob\n  password {words.of(LOWER, 16)}"
    yield "dockercfg", f'"auths": {{"r.example.test": {{"auth": "{words.of(ALPHANUMERIC, 36)}"}}}}'
    yield "cookie", f"Set-Cookie: sessionid={words.of(LOWER, 32)}; HttpOnly"
    yield "query", f"https://api.example.test/v1/x?access_token={words.of(URL_SAFE, 40)}&v=2"
    yield "basic", f"http://bob:{words.token(14)}@proxy.example.test:3128"
