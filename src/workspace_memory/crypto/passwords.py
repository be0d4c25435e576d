"""Password hashes: Argon2id with 64 MiB, three passes and four lanes (RFC 9106, second recommendation)."""

import secrets

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from workspace_memory.crypto.argon2_turn import ARGON2_TURN

_MEMORY_KIB = 64 * 1024
_PASSES = 3
_LANES = 4


def hash_password(password: str) -> str:
    """A PHC text that holds parameters, salt and hash. Takes about 0.1 s on purpose."""
    work = Argon2id(
        salt=secrets.token_bytes(16), length=32, iterations=_PASSES, lanes=_LANES, memory_cost=_MEMORY_KIB
    )
    with ARGON2_TURN:
        return work.derive_phc_encoded(password.encode())


def verify_password(password: str, password_hash: str | None) -> bool:
    """Whether the password belongs to the hash; without a hash the same work is done for nothing."""
    expected = password_hash or _nobody_hash()
    try:
        with ARGON2_TURN:
            Argon2id.verify_phc_encoded(password.encode("utf-8", "surrogatepass"), expected)
    except InvalidKey:
        return False
    return password_hash is not None


_nobody: list[str] = []


def _nobody_hash() -> str:
    # Made once and at run time, so that an unknown user costs what a known one does.
    if not _nobody:
        _nobody.append(hash_password(secrets.token_urlsafe(16)))
    return _nobody[0]
