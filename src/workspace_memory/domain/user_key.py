"""A person's own keys as the server keeps them: public halves, and the private ones sealed twice by the client.

The server can open neither wrapping. Lengths and costs are checked by `services/user_keys.py`; what the bytes mean is
`crypto/user_keys.py`.
"""

from dataclasses import dataclass, field
from datetime import datetime

from workspace_memory.domain.access import Role
from workspace_memory.domain.ids import UserId


@dataclass(frozen=True, slots=True)
class PublicPair:
    """32 bytes each: X25519 receives workspace keys, by Ed25519 others know who granted them."""

    x25519: bytes
    ed25519: bytes


@dataclass(frozen=True, slots=True)
class Wrapping:
    """The private halves, sealed under a passphrase and under the recovery key (92 bytes each).

    `salt` has 16 bytes; the work of Argon2id is memory in KiB, passes over it and lanes.
    """

    salt: bytes
    memory_kib: int
    passes: int
    lanes: int
    wrapped: bytes = field(repr=False)
    recovery_wrapped: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class UserKeyRecord:
    """A person's keys. `version` advances with each new wrapping; the public halves change only by a replacement."""

    user: UserId
    version: int
    public: PublicPair
    wrapping: Wrapping
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class KeyOwner:
    """An active member of a workspace with the public keys, or None where none are set up."""

    user: UserId
    name: str
    email: str
    role: Role
    public: PublicPair | None
