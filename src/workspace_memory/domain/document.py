"""Documents as the server knows them: sealed versions of one text, each made against the one before.

The memory document is the one of kind `memory`; notes and skills are of kind `note`. The server sees no text, but
the length of a sealed text shows how many bytes it has: that is how a Clear is known to be empty and how the bounds
are kept without a key. docs/explanation/memory-document.md has the whole picture.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import ClearGeneration, DocumentId, Epoch, UserId, Version

MEMORY_PATH = ".workspace/memory/memory.md"
TEXT_BYTES_MAX = 192 * 1024
"""The longest text, in UTF-8 bytes, that is kept at all."""
SEAL_BYTES = 28
"""What sealing adds to a text: a nonce of 12 bytes and a tag of 16."""
NO_PREVIOUS = bytes(32)
"""Stands for the hash of the previous ciphertext where there is none."""


class DocumentKind(StrEnum):
    """The memory document, or any other."""

    MEMORY = "memory"
    NOTE = "note"


class RevisionKind(StrEnum):
    """What made a version."""

    SAVE = "save"
    CLEAR = "clear"
    UNDO = "undo"
    CAPTURE = "capture"
    DELETE = "delete"
    MOVE = "move"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True)
class SealedText:
    """A text sealed under the workspace key of an epoch: nonce, ciphertext, tag."""

    epoch: Epoch
    ciphertext: bytes

    @property
    def text_bytes(self) -> int:
        """How many UTF-8 bytes the text has."""
        return len(self.ciphertext) - SEAL_BYTES

    @property
    def sha256(self) -> bytes:
        """The hash that the next version is bound to."""
        return hashlib.sha256(self.ciphertext).digest()


@dataclass(frozen=True, slots=True)
class Head:
    """A document's newest version; `live` is False for a tombstone."""

    id: DocumentId
    kind: DocumentKind
    path: str
    version: Version
    live: bool
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Revision:
    """One version. `sealed` is None for a tombstone; `path` is the one that it was sealed under.

    `previous` is the hash of the version before, which the seal is bound to: 32 zero bytes where there is none.
    """

    document: DocumentId
    version: Version
    kind: RevisionKind
    path: str
    sealed: SealedText | None
    previous: bytes
    author: UserId
    clear_generation: ClearGeneration
    at: datetime

    @property
    def sha256(self) -> bytes:
        """What the next version names as its previous one: 32 zero bytes after a tombstone."""
        return NO_PREVIOUS if self.sealed is None else self.sealed.sha256


def check_sealed(sealed: SealedText) -> None:
    """Raise InvalidRequest for what cannot be a sealed text of an allowed length."""
    if sealed.text_bytes < 0:
        raise InvalidRequest(
            "ciphertext", f"is too short: a sealed text has at least {SEAL_BYTES} bytes more than the text"
        )
    if sealed.text_bytes > TEXT_BYTES_MAX:
        raise InvalidRequest(
            "ciphertext", f"holds {sealed.text_bytes:,} bytes of text; at most {TEXT_BYTES_MAX:,} are kept"
        )


def plan_write(sealed: SealedText, *, clear: bool, undo: bool) -> RevisionKind:
    """Which kind of version a person's write makes. Raises: InvalidRequest for a Clear that is not empty."""
    check_sealed(sealed)
    if not clear:
        return RevisionKind.UNDO if undo else RevisionKind.SAVE
    if undo:
        raise InvalidRequest("X-Memory-Kind", "a write is either a Clear or an Undo")
    if sealed.text_bytes:
        raise InvalidRequest(
            "X-Memory-Clear", "a Clear carries an empty text; send the text without it to save"
        )
    return RevisionKind.CLEAR
