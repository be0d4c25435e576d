"""The recovery key: 32 random bytes that a person writes down, and the text in which it is written.

Crockford's base32 over the 32 bytes and the first 3 bytes of SHA-256(LP("wm/v1/recovery-text", bytes)): 56 characters,
shown in 14 groups of 4. A mistyped character is noticed (but for one case in 16 million) before anything is tried.
"""

import hashlib
import secrets
import unicodedata
from dataclasses import dataclass, field

from workspace_memory.crypto.aead import KEY_BYTES
from workspace_memory.crypto.errors import Mistake, RecoveryKeyMistyped
from workspace_memory.crypto.packing import lp

# https://www.crockford.com/base32.html: no I, L, O and U.
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS = str.maketrans("OIL", "011")
_GROUP = 4
_CHECKSUM_BYTES = 3
_CHARACTERS = (KEY_BYTES + _CHECKSUM_BYTES) * 8 // 5


@dataclass(frozen=True, slots=True)
class RecoveryKey:
    """The open recovery key: 32 bytes that show in no representation."""

    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) != KEY_BYTES:
            raise ValueError("a recovery key has 32 bytes")

    def written(self) -> str:
        """The text to write down: 14 groups of 4 characters, with blanks between them."""
        return grouped(base32(self.secret + _checksum(self.secret)))


def new_recovery_key() -> RecoveryKey:
    """A random one. It is shown once and kept nowhere."""
    return RecoveryKey(secrets.token_bytes(KEY_BYTES))


def read_recovery_key(written: str) -> RecoveryKey:
    """The key from its text, in either case, with any blanks and hyphens, O for 0, I and L for 1.

    Raises: RecoveryKeyMistyped, which names the kind of mistake.
    """
    text = _plain(written)
    for place, character in enumerate(text):
        if character not in _ALPHABET:
            raise RecoveryKeyMistyped(
                Mistake.CHARACTER, f"group {place // _GROUP + 1} has a character that no recovery key has."
            )
    if len(text) != _CHARACTERS:
        raise RecoveryKeyMistyped(
            Mistake.LENGTH, f"it has {len(text)} characters, a recovery key has {_CHARACTERS}."
        )
    number = 0
    for character in text:
        number = number * 32 + _ALPHABET.index(character)
    raw = number.to_bytes(KEY_BYTES + _CHECKSUM_BYTES, "big")
    secret, checksum = raw[:KEY_BYTES], raw[KEY_BYTES:]
    if checksum != _checksum(secret):
        raise RecoveryKeyMistyped(
            Mistake.CHECKSUM, "its checksum is wrong, so a character is mistyped or swapped."
        )
    return RecoveryKey(secret)


def base32(raw: bytes) -> str:
    """Crockford's base32 of a multiple of 5 bytes."""
    number = int.from_bytes(raw, "big")
    places = range(len(raw) * 8 - 5, -1, -5)
    return "".join(_ALPHABET[number >> place & 31] for place in places)


def grouped(text: str) -> str:
    """The text in groups of 4 characters."""
    return " ".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def _plain(written: str) -> str:
    normal = unicodedata.normalize("NFKC", written)
    kept = (c for c in normal if not c.isspace() and unicodedata.category(c) not in {"Pd", "Cf"})
    # ASCII alone is raised: the capital of a foreign letter can be letters of the alphabet, as ß gives SS.
    return "".join(c.upper() if c.isascii() else c for c in kept).translate(_READ_AS)


def _checksum(secret: bytes) -> bytes:
    return hashlib.sha256(lp("wm/v1/recovery-text", secret)).digest()[:_CHECKSUM_BYTES]
