"""From a passphrase to the key that opens a person's keys: NFKC, Argon2id, HKDF.

The passphrase is another one than the password for signing in and never leaves the client. The parameters come with
the wrapped keys, so from the server: a client follows none below the floor (a guess would become cheap) and none above
the ceiling (the client would stall or run out of memory).
"""

import secrets
import unicodedata
from dataclasses import dataclass

from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from workspace_memory.crypto.aead import derive_key
from workspace_memory.crypto.argon2_turn import ARGON2_TURN
from workspace_memory.crypto.errors import WeakParameters
from workspace_memory.crypto.packing import utf8

SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class PassphraseWork:
    """The parameters of Argon2id version 1.3: memory in KiB, passes over it, lanes.

    The defaults are the floor: the second recommended set of RFC 9106, section 4.
    """

    memory_kib: int = 64 * 1024
    passes: int = 3
    lanes: int = 4


FLOOR = PassphraseWork()
CEILING = PassphraseWork(memory_kib=1024 * 1024, passes=10, lanes=16)


def new_salt() -> bytes:
    """16 random bytes, made by the client."""
    return secrets.token_bytes(SALT_BYTES)


def key_encryption_key(passphrase: str, salt: bytes, work: PassphraseWork) -> bytes:
    """The 32-byte key that wraps a person's keys. Takes about 0.1 s and the memory of `work` on purpose.

    Raises: WeakParameters before anything is computed; NotText.
    """
    require_sound(salt, work)
    normal = utf8(unicodedata.normalize("NFKC", passphrase))
    argon2 = Argon2id(
        salt=salt, length=32, iterations=work.passes, lanes=work.lanes, memory_cost=work.memory_kib
    )
    with ARGON2_TURN:
        return derive_key(argon2.derive(normal), "wm/v1/kek")


def require_sound(salt: bytes, work: PassphraseWork) -> None:
    """Make sure that the parameters are ones that a client follows. Raises: WeakParameters."""
    if len(salt) != SALT_BYTES:
        raise WeakParameters(f"the salt has {len(salt)} bytes instead of {SALT_BYTES}")
    bounds = (
        ("memory in KiB", work.memory_kib, FLOOR.memory_kib, CEILING.memory_kib),
        ("passes", work.passes, FLOOR.passes, CEILING.passes),
        ("lanes", work.lanes, FLOOR.lanes, CEILING.lanes),
    )
    for name, value, lowest, highest in bounds:
        if not lowest <= value <= highest:
            raise WeakParameters(f"the {name} of Argon2id are {value}, outside of {lowest} to {highest}")
