"""Everyday company memory without a secret, and the look-alikes: hashes, numbers, code, talk about passwords."""

from tests.refusal_cases.random_words import ALPHANUMERIC, BASE64, CAPITALS, HEX, LOWER, Words

Case = tuple[str, str]  # kind, text

_TALK = """\
The password is in Bitwarden
Passwort liegt bei Anna
token expires in 30 days
PIN on connector is pin 12
The password for the NAS is in the vault under IT/NAS
Passwords are stored as Argon2id hashes
Never commit an API key
password: see 1Password
Password: ask Bob
API keys live in Vault
password: ********
token=<your token>
API_KEY=your-api-key-here
password = os.environ["DB_PASSWORD"]
const token = process.env.API_TOKEN
password: ${DB_PASSWORD}
password={{ vault_db_password }}
secret: !vault |
POSTGRES_PASSWORD_FILE=/run/secrets/db
def login(user: str, password: str) -> Token:
if password == stored_password: return True
api_key = settings.api_key
headers = {"Authorization": f"Bearer {token}"}
Authorization: Bearer <token>
max_tokens=4096
The token bucket holds 100 tokens
tokens: 12000 per request
Secret Santa is on 12 December
The access token is a JWT signed with RS256
password length is at least 14 characters
The PIN must have 6 digits
Password policy: 12 characters, no expiry
password_reset_url = /account/reset
The password was changed on 2026-11-03
The password is the same as for the VPN
Password manager: KeePassXC 2.7.9
The session token is base64-encoded
The API key header is called X-Api-Key
Bearer tokens are valid for 15 minutes
The key is under the mat of building 7
key: value pairs are sorted
The primary key is (workspace_id, item_id)
public key algorithm is Ed25519
Encryption key rotation is every 180 days
The secret is stored in AWS Secrets Manager
secret_name: prod/db/credentials
credentials are in ~/.aws/credentials
credentials: include
Login: use SSO
login page is https://login.example.test
We pass the exam at 70 percent
boarding pass printed at 07:45
The pass rate is 93.5%
bypass code review only with two approvals
The code is on branch feature/login-2
postal code: 00185
error code: 40912
country code: +49
access code of conduct page 12
The code for the invoice type is RE-2026
Product key ring costs 4.90 EUR
The passport office opens at 8:30
password field has id login-password-2
password: Optional[SecretStr] = None
--password-stdin is safer than -p
kubectl create secret generic db --from-file=password.txt
The key result is 25% more orders by Q3
token ring networks died in 1998
Auth token endpoint: /oauth2/v2.0/token
Secret scanning runs on every push
The wifi is called Guest-5G
2FA is mandatory since 2024-01-01
The default password policy changed in v2.4.1
password hashing uses bcrypt with cost 12
Passwörter gehören in den Passwort-Manager
Passwort: steht im Tresor
Das Passwort ist mindestens 12 Zeichen lang
Das Passwort läuft nach 90 Tagen ab
Kennwort bitte bei Jörg erfragen
Das Passwort lautet wie beim Drucker
Die PIN hat 4 Stellen
Zugangsdaten liegen in KeePass
Der Schlüssel für Raum 204 hängt am Empfang
Schlüssel Nummer 47 fehlt
Geheimnis unseres Erfolgs: gute Laune
Der API-Schlüssel wird alle 90 Tage getauscht
Die Losung des Tages steht im Intranet
Anmeldedaten bekommt man von der IT
Token laufen nach 30 Minuten ab
Passwort vergessen? Ticket an it@example.test
Das Passwort wurde auf Wunsch zurückgesetzt
Passwort-Richtlinie: ISO27001 Kapitel 9
La password è nel portachiavi di Bitwarden
La password scade ogni 60 giorni
Password: vedi KeePass
La password deve avere 14 caratteri
Il PIN ha 5 cifre
La chiave del magazzino 3 è dal custode
chiave primaria: id_ordine
Le credenziali sono in Vault
Il codice cliente è C-20417
codice fiscale del fornitore: RSSMRA80A01H501U
Il token scade dopo 15 minuti
parola d'ordine del team: semplicità
La password di rete la conosce Giulia
Il segreto è la pazienza
パスワードはBitwardenにあります
パスワードは12文字以上にする
パスワードは90日ごとに変更する
パスワードは1Passwordで管理している
暗証番号は4桁です
APIキーの期限は30日です
トークンは15分で失効する
鍵は3階の受付にあります
合言葉は毎週変わる
パスワード：総務に確認
認証コードはSMSで届く
パスワードの変更は https://id.example.test/reset から
La contraseña está en Bitwarden
La contraseña caduca cada 90 días
Contraseña: ver KeePass
La contraseña debe tener 12 caracteres
La clave del éxito es la constancia
La clave primaria es id_pedido
clave del almacén: la tiene Marta
El PIN tiene 4 dígitos
El token caduca en 30 minutos
Las credenciales están en Vault
código postal: 28013
código de cliente: C-20417
Le mot de passe est dans Bitwarden
Le mot de passe expire tous les 90 jours
Mot de passe : voir avec Claire
Le mot de passe doit avoir 12 caractères
La clé du local 3 est à l'accueil
clé primaire : id_commande
Le code PIN a 4 chiffres
Les identifiants sont dans KeePass
Le jeton expire après 15 minutes
code postal : 75011
code article : A4711-B
Le secret de la réussite : travailler ensemble
password must contain 1 uppercase and 2 digits
Password: at least 12 chars, 1 digit
The API key page is at /settings/keys
The token endpoint is https://id.example.test/token
Token type: Bearer
secret sauce: 3 parts ketchup, 1 part mayo
pass: 12 tests, fail: 0
Tests pass: 128/128
pin: 2 points
PIN header J4 pin 17 is GND
Pin code review to Tuesday
key: 3 of 5 goals done
API key rotation: 2026-12-01
password expires: 2027-01-31
The key takeaway: Q3 up 25%
Monkey business: 3 bananas
Password reset takes 2 min
Passwort-Reset dauert 5 Minuten
Passwort: wird im März 2027 geändert
Token: ERC20
token count: 4096
tokens per minute: 90000
secret: see vault kv/prod/db
credentials: Vault path secret/data/prod
password: ${{ secrets.DB_PASSWORD }}
password = get_secret("db/prod")
password: !Ref DBPassword
password: <redacted>
password: [hidden]
password: n/a
password: none (SSO only)
password: not set
password123 is a bad password example
Password policy v2.1 applies from 2026-01-01
The PIN pad is model X-2000
Codice articolo: A4711-B
Código del proyecto: PRJ-2044
Code projet : PRJ-2044
Der Code liegt auf GitHub unter acme/app
Zugangscode kommt per SMS an +49 170 1234567
access code review: PR #1234
API-Schlüssel werden in Vault v1.15 verwaltet
Schlüssel für Raum 2.04: bei Anna
Schlüsselnummer: 4711
Schlüssel: Raum 12
Keyword: Sommer2026
keyboard: Logitech K120
Key account manager: Maria Rossi
password_hash: VARCHAR(255)
password VARCHAR(255) NOT NULL
ALTER TABLE users ADD COLUMN token VARCHAR(64)
const { token } = req.body;
token: req.headers["x-token"],
if (token.length > 32) throw Error()
Use header Authorization: Bearer $TOKEN
curl -u $USER:$PASS https://x.test
curl -H "X-Api-Key: $API_KEY" https://x.test
docker login -u bob --password-stdin
export TOKEN=$(vault read -field=token secret/ci)
git clone https://github.com/acme/app.git
https://user@example.test:8443/path
smtp://mail.example.test:587
mongodb://localhost:27017/test
Windows 11 product key is on the sticker
WPA2-Enterprise with certificate, no key
secrets.DB_PASSWORD is set in CI
The secret is to stir slowly for 15 minutes
Il segreto: cottura 20 minuti a 180 gradi
Le mot de passe est demandé à 9h
La contraseña es la de siempre
La clave: trabajar 8 horas
パスワードの長さは16文字
トークン数：4096
キーボード：K120
Passwords: 1Password; SSH keys: YubiKey 5C
Password manager -> Bitwarden (self-hosted v2024.6)
JIRA token OPS-1234 was closed
Token ring 16Mbit
My login is bob42
login: bob.miller
Login mit E-Mail bob42@example.test
pwd: /home/bob/projects
pw: see KeePass entry WLAN-Gast-2024
Password for the guest WLAN changes every Monday at 8:00
passwd: bob:x:1000:1000::/home/bob:/bin/bash
token budget is 200k
secret level 3 cleared
The credential ID is 42
PIN-Block Format ISO-0
CSRF-Token: 32 Byte
Enter the code 404 page text
Zip code: 94107
Room code: B12""".splitlines()

_PROSE = """\
The oak table comes in 3 sizes: S, M and L
Standup is at 09:15 in room 2.04
Our fiscal year starts on 1 April
Ship to Werk 3, Tor 7, 70565 Stuttgart
Customer 20417 prefers e-mail
We deploy on Tuesdays with Helm 3.14
The A4711 is replaced by the A4712 from 2026-12
Maria leads the Rome office since 2019
Invoices are due within 30 days net
The printer on floor 3 is an HP M404dn
Node 22 and Python 3.11 are our baselines
Use British spelling in customer letters
Die Kantine öffnet um 11:30 Uhr
Der Kunde Müller zahlt immer mit 2 % Skonto
Reisekosten bitte bis zum 5. einreichen
Artikel 4711 ist ab KW 48 wieder lieferbar
Unser Lager liegt in Halle 12B
La riunione è il lunedì alle 9:30
Il fornitore consegna in 10 giorni lavorativi
Il listino 2026 vale dal 1° gennaio
Ordine minimo: 250 EUR
会議は毎週月曜9時30分からです
請求書の締め日は25日です
本社は東京都千代田区丸の内1-9-1
製品A4711の後継はA4712です
La oficina abre a las 8:30
El proveedor entrega en 48 horas
Factura mensual antes del día 5
La réunion est le lundi à 9h30
Le client préfère le tarif B2
Livraison sous 72 heures à Lyon
Meet at gate 12 at 17:45 on Friday
The API returns 409 on a stale revision
SKU AB-12345-XL, colour #ff8800
Call +49 711 123456 for support
Bug fixed in 2.3.1-rc.4, see PR #1842
Use UTF-8 and LF line ends
SELECT id, name FROM users WHERE role = 'admin'
for i in range(10): print(items[i].name)
git checkout -b feature/JIRA-1234-new-search
docker run -p 8080:80 nginx:1.27
curl -s https://api.example.test/v1/items?limit=50
{"id": 42, "name": "Lamp", "price": 129.9}
export const PAGE_SIZE = 50;
<a href="https://example.test/a?b=1&amp;c=2">link</a>
| user | role |\n|---|---|\n| bob | editor |
| Setting | Default |\n|---|---|\n| password_min_length | 12 |\n| token_ttl | 900 |
| Tool | Token budget |\n|---|---|\n| search | 4000 |
- item one\n- item two\n- item three
# Heading\n\nSome text with `inline code` and **bold**.
emails go to first.last@example.test
Team: alice, bob, carol
risk-based task-sk-list
sk-learn, hf_hub_download and npm_config_cache are names
xoxo from the team
The class AbstractSingletonProxyFactoryBean made us laugh
getUserAccountPasswordResetTokenExpirationDate is too long a name
https://docs.example.test/guide/access-tokens#rotating-tokens-every-90-days
ssh bob@10.0.0.5 -p 2222
rsync -av --password-file=/etc/rsync.pass src/ dst/
The MAC is 00:1A:2B:3C:4D:5E
GPS 48.7758, 9.1829
Kostenstelle 4100-220, PSP-Element P.0815.4711
L'IVA è al 22%
Room code name: Phoenix
Wi-Fi channel 36, 5 GHz""".splitlines()


def clean_cases(seed: int) -> list[Case]:
    """At least 600 texts without a secret."""
    words = Words(seed)
    texts = [("talk", text) for text in _TALK] + [("prose", text.replace("\\n", "\n")) for text in _PROSE]
    for _ in range(14):
        texts += [(kind, text) for kind, text in _machine_made(words)]
    # Long items: paragraphs of several harmless lines.
    for _ in range(40):
        lines = words.random.sample([text for _, text in texts[: len(_TALK) + len(_PROSE)]], 6)
        texts.append(("paragraph", words.one(("\n", " ", "\n- ")).join(lines)))
    return texts


def _machine_made(words: Words) -> list[Case]:
    of, number = words.of, words.random.randrange
    return [
        ("git-sha", f"Fixed in commit {of(HEX, 40)}"),
        ("git-sha", f"see {of(HEX, 8)}..{of(HEX, 8)} on main"),
        ("git-sha", f"git cherry-pick {of(HEX, 40)} {of(HEX, 40)}"),
        ("uuid", f"request_id={words.uuid()}"),
        ("uuid", f"Customer {words.uuid()} moved to plan B"),
        ("sha256", f"sha256:{of(HEX, 64)}"),
        ("sha256", f"image registry.example.test/app@sha256:{of(HEX, 64)}"),
        ("sha256", f"{of(HEX, 64)}  release-1.{number(9)}.tar.gz"),
        ("md5", f"md5sum {of(HEX, 32)} backup.zip"),
        ("sri", f'integrity="sha512-{of(BASE64, 86)}=="'),
        ("lockfile", f"cryptography==50.0.{number(9)} --hash=sha256:{of(HEX, 64)}"),
        ("lockfile", f'"integrity": "sha512-{of(BASE64, 86)}=="'),
        ("lockfile", f"golang.org/x/net v0.{number(40)}.0 h1:{of(BASE64, 43)}="),
        ("image", f"data:image/png;base64,iVBORw0KGgo{of(BASE64, 200)}"),
        ("public-key", f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{of(BASE64, 43)} bob@laptop"),
        ("public-key", f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{of(BASE64, 330)}= bob@laptop"),
        ("public-key", f"-----BEGIN PUBLIC KEY-----\n{words.base64_lines(120)}\n-----END PUBLIC KEY-----"),
        ("public-key", f"-----BEGIN CERTIFICATE-----\n{words.base64_lines(500)}\n-----END CERTIFICATE-----"),
        ("public-key", f"age1{of('qpzry9x8gf2tvdw0s3jn54khce6mua7l', 58)}"),
        ("public-key", f"SHA256:{of(BASE64, 43)} bob@laptop (ED25519)"),
        ("public-key", f"pk_live_{of(ALPHANUMERIC, 24)} is the publishable Stripe key"),
        ("id", f"Order 4512-{number(1000, 9999)}-{number(1000, 9999)}"),
        ("id", f"IBAN DE{number(10, 99)} 3704 0044 0532 0130 {number(10, 99)}"),
        ("id", f"IBAN IT60X0542811101000000{number(100000, 999999)}"),
        ("id", f"VAT DE{number(10**8, 10**9)}"),
        ("id", f"Tracking 1Z{of(CAPITALS, 16)}"),
        ("id", f"Serial {of(CAPITALS, 12)}"),
        ("id", f"Invoice RE-2026-{number(10**5, 10**6)}"),
        ("id", f"ticket OPS-{number(10**4)} and PR #{number(10**4)}"),
        ("id", f"event 01J{of('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 23)}"),
        ("id", f"{number(10**11, 10**12)}-{of(LOWER, 32)}.apps.googleusercontent.com"),
        (
            "id",
            f"AWS account {number(10**11, 10**12)}, role arn:aws:iam::{number(10**11, 10**12)}:role/deploy",
        ),
        ("id", f"Stripe customer cus_{of(ALPHANUMERIC, 14)}, price price_1{of(ALPHANUMERIC, 23)}"),
        ("id", f"Slack channel C0{of(CAPITALS, 9)}"),
        ("id", f"sheet https://docs.google.com/spreadsheets/d/1{of(ALPHANUMERIC + '-_', 43)}/edit"),
        ("id", f"video https://youtu.be/{of(ALPHANUMERIC, 11)}"),
        ("id", f"EAN {number(10**12, 10**13)}"),
        ("url", f"https://shop.example.test/p/{of(LOWER, 12)}?ref={of(LOWER, 6)}&page={number(9)}"),
        ("url", "postgresql://bob@db.example.test:5432/app"),
        ("url", f"mysql://user:${{DB_PASS}}@db{number(9)}/app"),
        ("url", "postgres://user:password@localhost/test"),
        ("url", "amqp://guest:guest@localhost:5672/"),
        ("url", "https://<user>:<token>@git.example.test/repo.git"),
        ("url", "redis://:****@cache:6379/0"),
        ("url", f"https://example.test:{number(1024, 9999)}/a@b/c"),
        ("version", f"v{number(9)}.{number(9)}.{number(9)}-rc.{number(9)}+build.{of(HEX, 7)}"),
        ("hash-id", f"trace id {of(HEX, 32)}"),
        ("colour", f"brand colours #{of(HEX, 6)} and #{of(HEX, 6)}"),
    ]
