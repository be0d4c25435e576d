"""Whether a word looks like a credential's value, and whether it is one of the samples that manuals print.

Pure. `secret_pairs.py` asks with a strength that says how clearly the words before it announce a value.
"""

import re
from enum import IntEnum
from itertools import pairwise

from workspace_memory.domain.secret_words import (
    COMMON_PASSWORDS,
    DOCUMENTED_EXAMPLES,
    REFERENCES,
    SAMPLE_WORDS,
)


class Strength(IntEnum):
    """How clearly a value is announced."""

    NEXT = 1  # it stands next to the key: "password X"
    SAID = 2  # a sentence says it: "the password is X"
    ASSIGNED = 3  # "password: X", "password=X", or quoted


_SAMPLE = re.compile(
    r"(?i)example|a1b2c3|1a2b3c|(?:abcd1234|1234abcd).{4}|1234-5678|x{4,}|\*{3}|\.{3}|…|1234567890|0123456789"
    r"|abcdefgh|00000000|deadbeef|placeholder|your[-_ ]?"
    r"|redacted|changeme|change[-_]me|insert[-_]|replace[-_]|dummy|do[-_]?not[-_]?use|not[-_]?a[-_]?real|fake"
    r"|^[a-z]{0,24}(?:password|passwort|kennwort|s[e3]cr[e3]t)\d{0,2}\.?$"
)
_CODE = re.compile(
    r"[$%@#]?[<{\[(].*|\$[A-Za-z_{(].*|%[\w-]+%|%\(?\w*\)?[sd]|[A-Za-z_][\w.:]*[(\[{].*"
    r"|\w+://(?![^\s/]*:[^\s/]*@).*"
    r"|[a-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+[?!;]?|[A-Z][A-Za-z]*(?:(?:\.|->|::)[A-Za-z_]+)+[?!;]?"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z][A-Z0-9]*)+|[a-z]+(?:_[a-z]+)+\d?"
    r"|[~.]{0,2}/[\w.@=-]+(?:/[\w.@=*-]*)*|[A-Za-z]:\\.*|[\w.-]+\.(?:json|ya?ml|env|txt|pem|key|md|ini|py|js|ts"
    r"|toml|pub"
    r"|conf|cfg|sh|html|php|com|org|net|io|de|it|fr|es|jp|test|local)|[^@\s]+@[^@\s]+\.[a-z]{2,}|op://.*|vault:.*"
    r"|(?:arn|urn|kv|secret|ssm|keychain|env|file|projects):?/.*|#[\w-]+|#\d+.*|\?.*|[-+]?\d+(?:[.,:/-]\d+){0,3}[a-zA-Z%]{0,3}"
    r"|v\d+(?:\.\d+)*(?:[-.+]\w+)*|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\S*|\d{1,3}(?:st|nd|rd|th|er|e|\.)|[=:|&!,;]+.*"
    r"|--?[a-z][\w-]*.*|\\.*"
    # a host with its port, a requirement of a package, a field of a structure
    r"|[\w-]+(?:\.[\w-]+)+:\d+|[A-Za-z][\w.-]*(?:[<>]=?|[~!=]=)\d[\w.*,<>=!]*"
    r"|[a-z_-]+=(?:[A-Z][A-Z_]*|[a-z]+(?:/[\w-]+)+)|[A-Za-z_-]{2,}=(?:[a-z]+|/\S*|\d{1,6}|[A-Za-z_][\w.]*\(.*)"
    r"|[A-Z_]+=|[a-z]+\d?[A-Z]\w*=[A-Za-z_][\w.]*\(.*|arn:.*"
)
# Names of techniques and things with a number, which no one uses as a password.
_TECHNICAL = re.compile(
    r"(?i)(?:(?:[a-z]{1,4}-)?(?:sha|md|aes|rsa|ecdsa|ed|curve|base|utf|latin|iso|iec|rfc|oauth|oidc|http|https"
    r"|ipv|tls|ssl"
    r"|argon|scrypt|bcrypt|pbkdf|hmac|jwt|jws|jwe|totp|hotp|fido|saml|smtp|imap|erc|bip|web|python|py|java|node|php"
    r"|win|windows|office|microsoft|keepass|log|x|h|hs|rs|es|ps|aes|des|p|s|ec|pkcs|level|tier|phase|page"
    r"|section|step"
    r"|room|port|line|row|version|ver|layer|stage|zone|node|type|class|day|week|month|year|slot|pin|gpio|d|a|q"
    r"|vlan|card|word|dword|byte|bit|uint|int|float|varchar|char|nvarchar|str|u|i"
    r"|f)[-_ ]?\d{1,4}[a-z]{0,2}(?:[-_./+:][a-z]{1,12}\d{0,3}){0,3}"
    r"|[1-9][-_]?(?:password|fa|factor|step|way|st|nd|rd|th|x|d|g|sv)s?(?:[-_/.][a-z]*)?|k8s|l10n|i18n|a11y"
    r"|e2e|n/a|m2m|o365"
    r"|m365|b2b|b2c|p2p|mp3|mp4|ipv4|ipv6|3des|\d+[-–]\w{3,}|\w+[-/]only|\w+-based|\w+-encoded|\w+ed-\w+)[.,;:)]?"
)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NAME_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# The names of functions in compiled C++ begin so.
_FILE = re.compile(
    r"\.(?:patch|diff|py|js|mjs|ts|md|rst|html?|json|tar|t?gz|xz|zip|png|jpe?g|svg|pdf|docx?|xlsx?|pptx?|txt|ya?ml|xml|so"
    r"|whl|deb|rpm|exe|dll|css|go|rs|java|jar|c|h|cpp|rb|sh|sql|csv|log|mp[34])$"
)
_PIECE = re.compile(r"[A-Za-z]*\d{0,4}|\d{1,4}[A-Za-z]{0,5}|\d+x\d+p?")
_MANGLED = re.compile(r"_Z[A-Z]{0,3}\d")
_PLAIN_SIGNS = frozenset("-_./,:;()[]{}'\"<>| ")
_ABOUT_SECRETS = frozenset(
    {"password", "passwort", "passphrase", "secret", "token", "key", "credential", "credentials"}
)
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")


def looks_like_value(word: str, strength: Strength, *, digits_min: int = 0) -> bool:
    """Whether `word` would be a credential's value there. `digits_min`: numbers of that length count; 0 is none."""
    if not 4 <= len(word) <= 512 or word.lower() in REFERENCES or is_sample(word) or _is_code(word):
        return bool(digits_min) and word.isdigit() and digits_min <= len(word) <= 16
    if word.lower() in COMMON_PASSWORDS:
        return any(character.isdigit() for character in word) or strength is Strength.ASSIGNED
    if word.count(":") > 2:  # a line of /etc/passwd, an address of hardware, a name with many parts
        return False
    digits = sum(character.isdigit() for character in word)
    upper = sum(character.isupper() for character in word)
    lower = sum(character.islower() for character in word)
    signs = sum(not character.isalnum() and character not in _PLAIN_SIGNS for character in word)
    if signs and (signs == len(word) or (not digits and upper + lower < 4)):
        return False
    if is_varied_mix(word):
        return True
    match strength:
        case Strength.ASSIGNED:
            return (
                (digits > 0 and upper + lower > 0 and len(word) >= 6)
                or (signs > 0 and len(word) >= 8 and word.isascii() and word[-1:] not in "!?" and upper > 0)
                or _is_passphrase(word, 3)
                or (digits > 0 and signs > 0 and len(word) >= 6)
                or (len(word) >= 10 and min(upper, lower) >= 3 and _changes(word) >= 0.42)
            )
        case Strength.SAID:
            return (
                (digits > 0 and signs > 0 and len(word) >= 6)
                or (digits > 0 and upper + lower >= 3 and len(word) >= 6 and "-" not in word[1:])
                or (digits > 1 and upper > 0 and len(word) >= 8)
                or _is_passphrase(word, 4)
            )
        case Strength.NEXT:
            return (digits > 0 and signs > 0 and upper + lower > 0 and len(word) >= 7) or (
                digits > 1 and upper > 0 and lower > 1 and len(word) >= 8 and word.isalnum()
            )


def looks_like_phrase(words: str, *, passphrase: bool) -> bool:
    """Whether quoted words with blanks between are a value: grouped characters, or four words after "passphrase"."""
    parts = words.split()
    mixed = [any(c.isdigit() for c in part) and any(c.isalpha() for c in part) for part in parts]
    if len(parts) > 1 and all(mixed):
        return not is_sample(words)
    return passphrase and 4 <= len(parts) <= 10 and all(part.isalpha() and part.islower() for part in parts)


def is_varied_mix(word: str) -> bool:
    """Whether the word is 16 or more characters of a random-looking mix of letters and digits."""
    if len(word) < 16 or not word.isascii():
        return False
    if _HEXADECIMAL.fullmatch(word):
        return len(word) >= 20 and any(c.isdigit() for c in word) and any(c.isalpha() for c in word)
    if _UUID.fullmatch(word):
        return True
    spelt_min = 0.8 if any(character.isdigit() for character in word) else 0.62
    return _changes(word) >= 0.36 and is_varied(word) and not is_name(word, spelt_min)


def is_random_token(word: str) -> bool:
    """Whether a word of its own, unannounced, is too random for anything but a key: upper, lower and digits mixed."""
    digits = sum(character.isdigit() for character in word)
    upper = sum(character.isupper() for character in word)
    lower = sum(character.islower() for character in word)
    if digits < 2 or min(upper, lower) < len(word) * 0.15 or word.count("/") > 3 or word.count(".") > 1:
        return False
    return _changes(word) >= 0.4 and not is_sample(word)


def is_name(word: str, spelt_min: float = 0.62) -> bool:
    """Whether the word is put together from words, as names of classes, policies, files and branches are.

    `spelt_min` is the share of its letters that must stand in longer pieces. Of random tokens of 32 characters and
    more, three in a thousand look so.
    """
    if _MANGLED.match(word) or _FILE.search(word):
        return True
    parts = _NAME_PARTS.findall(word)
    letters = sum(map(len, parts))
    spelt = sum(len(part) for part in parts if len(part) >= 4 and part[1:].islower())
    if letters and spelt / letters > spelt_min:
        return True
    pieces = re.split(r"[-_.]", word)
    return len(pieces) > 5 and all(_PIECE.fullmatch(piece) for piece in pieces)


def is_varied(word: str) -> bool:
    """Whether letters are mixed with digits or with many capitals, as in something made by a machine."""
    if len(set(word)) < min(8, len(word) // 2):
        return False
    if any(character.isdigit() for character in word):
        return True
    upper = sum(character.isupper() for character in word)
    return len(word) >= 10 and 0.25 * len(word) <= upper <= 0.8 * len(word)


def is_sample(word: str) -> bool:
    """Whether the word is a stand-in such as `your-key`, `xxxx` or `my_secret_token1`."""
    if _SAMPLE.search(word) or word.lower() in DOCUMENTED_EXAMPLES:
        return True
    if len(set(word)) <= 3 and len(word) > 3:
        return True
    if len(word) > 40:
        return False
    parts = [part.lower() for part in _PARTS.findall(word)]
    words = [part for part in parts if not part.isdigit()]
    if not words or any(not character.isalnum() and character not in _PLAIN_SIGNS for character in word):
        return False
    return (
        all(part in SAMPLE_WORDS or len(part) == 1 for part in words)
        and sum(len(part) for part in parts if part.isdigit()) <= 4
        and any(len(part) > 1 for part in words)
    )


def _is_code(word: str) -> bool:
    if _TECHNICAL.fullmatch(word):
        return True
    if not _CODE.fullmatch(word):
        return False
    # Some of the forms of code fit a long random token, too.
    mixed = word[0] not in "$%@#<{[(" and any(character.isdigit() for character in word)
    return not (mixed and len(word) >= 24 and is_varied(word) and _changes(word) >= 0.4)


def _is_passphrase(word: str, parts_min: int) -> bool:
    parts = re.split(r"[-_.]", word)
    if any(part in _ABOUT_SECRETS for part in parts):  # smb-file-server-password
        return False
    return len(parts) >= parts_min and all(
        len(part) > 2 and part.isalpha() and part.isascii() for part in parts
    )


def _changes(word: str) -> float:
    """How often the kind of character changes from one to the next, from 0 to 1."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" if c.islower() else "s" for c in word]
    return sum(a != b for a, b in pairwise(kinds)) / max(1, len(word) - 1)
