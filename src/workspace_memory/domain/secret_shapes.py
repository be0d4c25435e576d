"""Credentials that are told by their place: in an address, a header, a command, or a word too random to be one.

Pure. Marked tokens are in `secret_providers.py`, announced values in `secret_pairs.py`.
"""

import base64
import binascii
import re
from collections.abc import Iterator

from workspace_memory.domain.secret_values import (
    Strength,
    is_name,
    is_random_token,
    is_sample,
    is_varied,
    looks_like_value,
)
from workspace_memory.domain.secret_words import NO_CREDENTIAL, SAMPLE_WORDS
from workspace_memory.domain.unveiling import long_words, says_text

_ADDRESS = re.compile(r"://([^\s:/@'\"<>]{0,80}):([^\s'\"<>]{3,200}?)@(?=[\w\[$({%-])")
_ADDRESS_TOKEN = re.compile(r"://([A-Za-z0-9_-]{20,200})@(?=\w)")
_ORACLE = re.compile(r":(?:thin|oci):([^\s/@:]{1,40})/([^\s@]{3,80})@")
_GO_DSN = re.compile(r"(?<![\w/:])([\w.-]{1,40}):([^\s@:/]{4,80})@(?:tcp|unix|udp)\(")
_OCTETS = re.compile(r"(?:[0-9A-Fa-f]{2}:){4}")
_OPAQUE = re.compile(r"[ \t:=\"']{1,4}([A-Za-z0-9+/_.~=-]{16,})")
_BASIC = re.compile(r"(?i:basic)[ \t]+([A-Za-z0-9+/_-]{8,400}={0,2})")
_CLIENTS = (
    "sshpass",
    "mysql",
    "mariadb",
    "redis-cli",
    "sqlcmd",
    "mongo",
    "smbclient",
    "docker login",
    "ldapsearch",
)
# rule, what must be in the text for it to be looked for, where the value stands.
_PLACES: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = (
    (
        "command_password",
        ("-u", "-user"),
        re.compile(r"(?<!\S)-(?:u|-user|-proxy-user|U)[ =]?[\"']?[\w.@-]{1,60}:(?P<value>[^\s\"']{4,80})"),
    ),
    (
        "command_password",
        _CLIENTS,
        re.compile(
            rf"(?:{'|'.join(_CLIENTS)})[^\n]{{0,80}}?[ ]-[paPw][ ]?[\"']?(?P<value>[^\s\"'-][^\s\"']{{3,80}})"
        ),
    ),
    (
        "sql_password",
        ("identified", "password '", 'password "'),
        re.compile(
            r"(?i:identified\s+(?:with\s+\w+\s+)?by|\bpassword)\s+(?:password\s+)?['\"](?P<value>[^'\"\n]{4,80})['\"]"
        ),
    ),
    (
        "password_file",
        (":5432:", ":*:", ":6432:", ":5433:"),
        re.compile(r"(?<!\S)[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:(?P<value>\S{4,80})"),
    ),
)
_HOST = re.compile(r"(?<![\w/:.-])([A-Za-z][\w.-]{0,31}):([^\s:@/\"']{6,64})@(?=[\w-]+\.\w)")
# A port, and what stands for a password in a manual or a template.
_NO_PASSWORD = re.compile(r"\d{1,5}(?:/|$|\?)|[<\[{(*%]|\$[{(A-Z_]|x{3}|\.{3}|:")
# What stands before the address of a mailbox, where a user would stand before a password.
_MAILBOX = re.compile(
    r"(?i)mailto|users?|groups?|serviceaccounts?|principals?|domain|sips?|xmpp|acct|jid|e-?mail|mail|cc|bcc|to|from"
    r"|reply-to|contact|author|maintainer|owner|members?|kontakt|von|an|contatto|contacto|correo|courriel"
)
_SAMPLE_BASIC = frozenset(
    {"QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "QWxhZGRpbjpPcGVuU2VzYW1l", "dXNlcjpwYXNz", "Zm9vOmJhcg=="}
)
_WORD = re.compile(
    r"(?<![^\s\"'`(\[{,;:=>])[A-Za-z0-9_~][A-Za-z0-9+/_~.-]{30,130}={0,2}(?![^\s\"'`)\]},;.:<!?])"
)
_PUBLIC = re.compile(
    r"(?i)sha-?\d|\bmd5|hash|digest|integrity|checksum|fingerprint|public|öffentlich|pubblic|públic|publique|公開|\bssh-"
    r"|ecdsa-|certificate|zertifikat|\bcert|\buu?ids?\b|\bids?\b|\bid[:=]|[_-]id\b|commit|etag|nonce|base64,"
    r"|signature"
    r"|\bh1:|https?://|\bage1|client[_-]?id|\bkid\b|revision|cursor|trace|build|\bcid\b|address|wallet|ipfs|ciphertext"
)
# A line of nothing but 64 or 76 characters of base64 is a piece of a certificate, a signature or a picture.
_WRAPPED = re.compile(r"[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{72}|[A-Za-z0-9+/]{76,}={0,2}")
# Within the name of a cloud's resource, or of a version or an id in code.
_RESOURCE = re.compile(
    r"\barn:[\w-]+:\S*$|[a-z]Id[\"']?[ ]?[:=][ ]?[\"']?$|(?i:version|marker)[\"']?[ ]?[:=][ ]?[\"']?$"
)
_SAID_MARK = re.compile(NO_CREDENTIAL.pattern.removesuffix("$") + r"tokens?[\"']?[ ]?[:= ][ ]?[\"']?$")
_SEQUENCE = 0x30
_IDENTIFIER = re.compile(
    r"sha\d{1,3}-|(?:pk|price|prod|cus|sub|evt|pi|ch|seti|in|acct|req|msg|user|org|proj|file|asst|thread|run|call"
    r"|chatcmpl|resp)[_-]"
)
_PUBLIC_BLOCK = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ )*(?:PUBLIC KEY|CERTIFICATE|CERTIFICATE REQUEST|SIGNATURE|MESSAGE|X509 CRL|PARAMETERS)"
    r"(?: BLOCK)?-----[A-Za-z0-9+/=\s:.,()-]{0,4000}"
)


def placed_credentials(text: str) -> Iterator[tuple[str, int]]:
    """The rule and offset of each credential that its place in an address, header or command tells."""
    if "@" in text:
        yield from _in_addresses(text)
    lower = text.lower()
    for mark in ("bearer", "token"):
        position = lower.find(mark)
        while position >= 0:
            match = _OPAQUE.match(text, position + len(mark))
            if match is not None and _is_opaque_at(text, position, match):
                yield "authorization_header", match.start(1)
            position = lower.find(mark, position + len(mark))
    if "basic" in lower:
        for match in _BASIC.finditer(text):
            if _is_basic(match[1]):
                yield "authorization_header", match.start(1)
    for rule, gates, pattern in _PLACES:
        if any(gate in lower for gate in gates):
            for match in pattern.finditer(text):
                if looks_like_value(match["value"], Strength.ASSIGNED) and not _OCTETS.search(match.group()):
                    yield rule, match.start("value")


def is_stand_in(words: str) -> bool:
    """Whether what another scanner found is the sample of a manual, alone or as the password in an address."""
    passwords = list(_ADDRESS.finditer(words))
    if passwords:
        return not any(_is_address_password(match[1], match[2]) for match in passwords)
    return is_sample(words.strip("\"' "))


def random_words(text: str) -> Iterator[tuple[str, int]]:
    """The rule and offset of each word that is too random for anything but a key and that nothing calls public."""
    words = [(start, match) for start, word in long_words(text, 31) for match in _WORD.finditer(word)]
    for start, match in words:
        if not is_random_token(match.group()) or is_name(match.group()):
            continue
        if says_text(match.group()):  # what it says is looked at apart
            continue
        first, last = start + match.start(), start + match.end()
        begin = text.rfind("\n", 0, first) + 1
        end = text.find("\n", last)
        end = len(text) if end < 0 else end
        if text[begin:end].strip() == match.group() and (
            _WRAPPED.fullmatch(match.group()) or _is_wrapped(_line_before(text, begin))
        ):
            continue
        if (
            text[last : last + 1] == '"' and '"' not in text[begin:first]
        ):  # the end of a long string's last line
            continue
        if is_public_structure(match.group()) or any(
            pattern.search(text, max(begin, first - 120), first) for pattern in (_RESOURCE, _SAID_MARK)
        ):
            continue
        around = text[max(begin, first - 120) : first] + " " + text[last:end][:60]
        if not (_PUBLIC.search(around) or _IDENTIFIER.match(match.group())):
            yield "random_token", first


def is_public_structure(word: str) -> bool:
    """Whether base64 begins as certificates and public keys do in DER: a sequence within a sequence.

    A private key of PKCS #1 and #8 has a number there. A word of eight letters is the mark of a file's format; of
    random keys one in ten thousand begins so.
    """
    try:
        head = base64.b64decode(word[:16], validate=True)
    except (binascii.Error, ValueError):
        return False
    if len(head) == 12 and head[:8].isalpha():
        return True
    if not word.startswith("MI") or len(head) < 12:
        return False
    length_bytes = head[1] & 0x0F if head[1] & 0x80 else 0
    return head[0] == _SEQUENCE and head[2 + length_bytes] == _SEQUENCE


def _line_before(text: str, begin: int) -> str:
    return text[text.rfind("\n", 0, max(0, begin - 1)) + 1 : max(0, begin - 1)].strip() if begin else ""


def _is_wrapped(line: str) -> bool:
    return _WRAPPED.fullmatch(line) is not None


def without_public_blocks(text: str) -> str:
    """The text with public keys, certificates and signatures blanked out; offsets stay."""
    if "-----BEGIN" not in text:
        return text
    return _PUBLIC_BLOCK.sub(lambda block: " " * len(block.group()), text)


def _in_addresses(text: str) -> Iterator[tuple[str, int]]:
    for match in _ADDRESS.finditer(text):
        if _is_address_password(match[1], match[2]):
            yield "address_password", match.start(2)
    for match in _ADDRESS_TOKEN.finditer(text):
        if is_varied(match[1]) and is_random_token(match[1]):
            yield "address_password", match.start(1)
    for match in _HOST.finditer(text):
        if looks_like_value(match[2], Strength.ASSIGNED) and not _MAILBOX.fullmatch(match[1]):
            yield "address_password", match.start(2)
    for pattern in (_ORACLE, _GO_DSN):
        for match in pattern.finditer(text):
            if _is_address_password(match[1], match[2]):
                yield "address_password", match.start(2)


def _is_address_password(user: str, password: str) -> bool:
    if _NO_PASSWORD.match(password):
        return False
    if (
        password.lower() in SAMPLE_WORDS
        or password == "tiger"
        or password.lower() == user.lower()
        or is_sample(password)
    ):
        return False
    return any(not character.isalpha() for character in password) or len(password) >= 8


def _is_opaque_at(text: str, position: int, match: re.Match[str]) -> bool:
    word = match[1]
    called_or_cut = text[match.end(1) : match.end(1) + 1] == "(" or word.endswith("...")
    if called_or_cut or NO_CREDENTIAL.search(text, max(0, position - 32), position):
        return False
    return _is_opaque(word.rstrip("."))


def _is_opaque(word: str) -> bool:
    mixed = any(c.isdigit() for c in word) and any(c.isalpha() for c in word)
    return mixed and is_varied(word) and not is_sample(word)


def _is_basic(word: str) -> bool:
    if word in _SAMPLE_BASIC:
        return False
    try:
        said = base64.b64decode(word + "=" * (-len(word) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    user, colon, password = said.partition(":")
    return (
        bool(colon) and said.isprintable() and not (is_sample(password) or password.lower() == user.lower())
    )
