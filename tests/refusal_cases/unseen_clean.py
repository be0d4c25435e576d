"""Clean texts that look like secrets: hashes, ids, numbers, colours, coded words, and talk about passwords."""

import base64

from tests.refusal_cases.random_words import BASE64, CAPITALS, HEX, LOWER, Words

Case = tuple[str, str]  # kind, text

_TALK = """\
password policy: 12 characters
the token is kept in the vault
Password rules: 1 digit, 1 capital, 12+ characters
We rotate the API key every 90d
Ask IT for the password of room B204
The password was mailed on 3 May 2026
Wi-Fi password is printed on the card at reception (2nd floor)
password manager licence: 25 seats until 2027-03
Password hints must not name the pet
Change your password at https://id.example.test/reset?lang=en
The secret of good tea: 80°C and 3min
The token price rose to 0.42USD
Token limit is 128k
The key to building B2 is with Carol
Key figures Q3: 4.2M revenue, 12% margin
Our access code of 2024 was retired
PIN entry is blocked after 3 tries
passphrase length >= 20
A passkey replaces the password in iOS17
The passcode screen shows up after 5min
Reset the password with F8 at start
Password field: max 64 chars, UTF-8
Enter your password twice
No password is needed for guest WLAN5
With password login off, use SSO2.0
password strength: zxcvbn score 3
OAuth2 token exchange is in RFC8693
The bearer token goes into the Authorization header
Use token auth, not basic auth
secret sharing with 3-of-5 shares
Secret level: S2
API key name: billing-prod-2026
The API keys page moved in v4.12.0
key rotation job runs at 03:15
ssh key type: ed25519
The signing key is on YubiKey5
WPA2 key is on the back of the router
credentials file: ~/.config/acme/credentials.toml
Login mit Kürzel mm42
login attempts: 5 per 15min
User bob has password login disabled
PW-Liste liegt in SharePoint/IT
Passwort-Länge: 14 Zeichen
Das Passwort läuft am 31.12.2026 ab
Passwort für Drucker steht auf Seite 12
Das WLAN-Passwort hängt im Raum B12
Kennwort-Richtlinie ISO27001 A.9.4.3
Token-Laufzeit: 15min
Der Schlüssel zum Lager 7B hängt bei Müller
Geheimtipp: Kantine am Donnerstag
Zugang über Tor 4, Halle 12B
Der Zugangscode wird per SMS geschickt
Die PIN gibt es am Schalter 3
Passwort im Tresor, Fach 17
Mit Passwort oder Fingerabdruck öffnen
La password va cambiata ogni 90gg
Password: chiedere a Giulia (int. 204)
La password deve contenere 1 cifra
Il codice sconto è PRIMAVERA26
Il PIN si blocca dopo 3 errori
La chiave del furgone è nel cassetto 2
chiave di lettura: il capitolo 4
accesso: piano 3, porta B
Il token costa 0,42EUR
Le credenziali scadono a fine 2026
パスワードは総務の田中さんに聞く
パスワードの有効期限は90日
暗証番号を3回間違えるとロックされる
トークンの上限は128kです
APIキーの名前はbilling-prodです
鍵は2階のロッカー12番
パスワード変更は設定画面から
Wi-Fiのパスワードは受付の紙にあります
コード番号：A4711
La contraseña debe cambiarse cada 90d
Contraseña: preguntar a Marta (ext. 204)
La clave está en el capítulo 4
El código de descuento es VERANO26
El PIN se bloquea tras 3 intentos
clave primaria: pedido_id2
acceso: planta 3, puerta B
Las llaves del almacén 7B las tiene Luis
Le mot de passe change tous les 90j
Mot de passe : demander à Claire (poste 204)
La clé USB de 64Go est dans le tiroir
Le code promo est ETE2026
Le code PIN se bloque après 3 essais
La clé du succès : 3 réunions par an
accès : étage 3, porte B
Le jeton coûte 0,42EUR
Les clés de l'entrepôt 7B sont chez Luc
Invoice INV-2026-004711 over 1,284.50 EUR
Rechnung RE2026-10482 vom 03.11.2026
Fattura 2026/0815/B
請求書番号：INV-20261103-07
Order no. 7F-2291-K
Bestellung 4500012345 Position 10
Tel. +49 (0)711 123-4567, Fax -4568
Call +1 415-555-0132 or +81 3-1234-5678
WhatsApp +34 612 34 56 78
Our BIC is GENODEF1S02
IBAN FR76 3000 6000 0112 3456 7890 189
VAT ID ATU12345678
Version 2026.11.3-rc2+build.4711
Python 3.11.7, OpenSSL 3.0.13, glibc 2.36
numpy==2.1.3, pandas>=2.2,<3
Firmware FW_v1.08.22b3
Model XPS-9530-i7-32GB
Part 04E906027AB rev C
CSS: color: #1A2B3C; background: #ffcc00cc
Brand colours: #0B7A75, #D7C9AA, rgba(11,122,117,0.8)
Pantone 7462C and RAL5010
Hex 0xDEADBEEF and 0x7fff5fbff8c0
MAC b8:27:eb:12:34:56
IPv6 2001:db8:85a3::8a2e:370:7334
what3words: ///filled.count.soap
Geohash u0wt7x9kq
Chess: 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6
Licence plate S-AB 1234
Flight LH1234 to FCO at 17:45
Train ICE 578, coach 12, seat 64
ISBN 978-3-16-148410-0
DOI 10.1000/xyz123
arXiv:2411.01234v2
RFC 9457, ISO 8601-1:2019
Formula C6H12O6, NaHCO3
Gene BRCA1 c.68_69delAG
Regex: ^[A-Za-z0-9_]{3,16}$
cron: */15 8-18 * * 1-5
SELECT token_count FROM usage WHERE day > '2026-01-01'
const MAX_TOKENS = 8192;
if (!password) { return 401; }
passwordInput.value = form.password1;
<input type="password" name="pw1" minlength="12">
--password-file /run/secrets/db_pw
password: ${{ secrets.SMTP_PASSWORD }}
secretKeyRef: { name: db, key: password }
API_KEY=$(pass show acme/api)
export PGPASSFILE=~/.pgpass
token = await getToken(user.id, 3600)
auth: { username: USER, password: PASS }
Authorization: Bearer {{access_token}}
{"password": null, "token": "", "apiKey": "<API_KEY>"}
"NextToken": "eyJvZmZzZXQiOjQwfQ=="
page_token=CAoQAA
continuation token 77f2
csrf_token is a hidden field
mailto:first.last2@example.test
cc:team42@example.test
user:bob2@example.test can read
https://maps.example.test/@48.7758,9.1829,15z
git@git.example.test:acme/app2.git
ssh deploy@10.0.0.5 -p 2222 -i ~/.ssh/id_ed25519
arn:aws:s3:::acme-prod-2026/backups
class V2beta1HorizontalPodAutoscalerSpec
ELBSecurityPolicy-TLS13-1-2-2021-06
0012-fix-build-with-GCC13-on-ARM64.patch
com.acme.billing.v2.InvoiceServiceImpl
feature/OPS-1234-add-OAuth2-login-for-B2B-portal
-----BEGIN RSA PRIVATE KEY----- is the first line of such a file
""".splitlines()


def unseen_clean_cases(seed: int) -> list[Case]:
    """More than 150 lines of talk and numbers, and random ones of 28 kinds."""
    words = Words(seed)
    return [*(("talk", text) for text in _TALK), *_random(words)]


def _random(words: Words) -> list[Case]:
    of, number = words.of, words.random.randrange
    said = base64.b64encode(b"The meeting moved to Monday at nine, room 204").decode()
    return [
        ("git", f"merge {of(HEX, 7)} into main, revert {of(HEX, 12)}"),
        ("git", f"commit {of(HEX, 40)}\nAuthor: bob <bob@example.test>"),
        ("git", f"index {of(HEX, 7)}..{of(HEX, 7)} 100644"),
        ("git", f"https://git.example.test/acme/app/commit/{of(HEX, 40)}"),
        ("uuid", f"trace {words.uuid()} took 3 s"),
        ("uuid", f"device {words.uuid().upper()}"),
        ("uuid", f"item {words.uuid()} replaces {words.uuid()}"),
        ("checksum", f"SHA-256: {of(HEX, 64)}"),
        ("checksum", f"{of(HEX, 40)} *disk.img"),
        ("checksum", f"crc32 {of(HEX, 8)}, md5 {of(HEX, 32)}"),
        ("checksum", f"sha512-{of(BASE64, 86)}=="),
        ("checksum", f"blake2b digest {of(HEX, 128)}"),
        ("lock", f'{{ url = "https://files.example.test/a-1.2.whl", hash = "sha256:{of(HEX, 64)}" }}'),
        ("lock", f'checksum = "{of(HEX, 64)}"'),
        ("lock", f"resolved https://registry.example.test/x/-/x-1.0.0.tgz#{of(HEX, 40)}"),
        ("invoice", f"INV-{number(2020, 2030)}-{number(10**5, 10**6)} is paid"),
        ("invoice", f"Kundennummer {number(10**7, 10**8)}, Vertrag V{number(10**6, 10**7)}"),
        ("phone", f"Tel. 0{number(10**9, 10**10)}"),
        ("phone", f"+39 0{number(10, 99)} {number(10**6, 10**7)}"),
        ("colour", f"--accent: #{of(HEX, 6)}; --shade: #{of(HEX, 8)};"),
        ("base64", f"the note reads {said}"),
        ("version", f"{number(9)}.{number(20)}.{number(20)}+{of(HEX, 8)}"),
        ("id", f"Ticket {of(CAPITALS, 4)}-{number(10**4)}"),
        ("id", f"Tracking number {of(CAPITALS, 2)}{number(10**8, 10**9)}DE"),
        ("id", f"build {number(10**9, 10**10)}-{of(LOWER, 6)}"),
        ("fingerprint", f"GPG key {of('0123456789ABCDEF', 40)} signed the release"),
        ("fingerprint", ":".join(of("0123456789ABCDEF", 2) for _ in range(20))),
        ("serial", f"S/N {of(CAPITALS, 11)}, asset {number(10**5, 10**6)}"),
    ]  # fmt: skip
