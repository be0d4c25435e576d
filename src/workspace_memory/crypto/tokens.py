"""Random secrets and the hashes under which they are kept.

A secret has 256 random bits, so a plain SHA-256 of it cannot be searched; passwords are `passwords.py`.
"""

import hashlib
import secrets

TOKEN_PREFIX = "wm_pat_"
SESSION_PREFIX = "wm_ses_"
LINK_PREFIX = "wm_lnk_"


def new_secret(prefix: str) -> str:
    """A new secret: the prefix and 43 characters of base64url."""
    return prefix + secrets.token_urlsafe(32)


def secret_hash(secret: str) -> bytes:
    """The 32 bytes under which a secret is kept."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
