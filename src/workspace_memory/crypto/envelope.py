"""Seals of what people and the Assistant write: document and note revisions, messages, proposals.

A seal is bound to its context: the fields of the class, in their order, are the associated data. Moved to another
place, version, epoch or author, it does not open. All of them use the key HKDF(workspace key, "wm/v1/doc"); the first
part of the associated data keeps the kinds apart. Nothing is padded: whoever holds a seal sees the length of the text.
"""

import hashlib
import hmac
from dataclasses import dataclass
from typing import ClassVar

from workspace_memory.crypto.aead import SEAL_BYTES, open_bytes, seal_bytes
from workspace_memory.crypto.canonical_json import Json, canonical_json
from workspace_memory.crypto.errors import SealBroken
from workspace_memory.crypto.packing import lp, utf8
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.ids import UserId, WorkspaceId

NO_PREVIOUS = bytes(32)
"""Stands for the hash of the previous ciphertext at version 1 and after a tombstone."""

TITLE_SEQUENCE = 0
"""The sequence number of a conversation's title; its messages count from 1."""

_KEY = "wm/v1/doc"
_IDEMPOTENCY_KEY = "wm/v1/idem"


@dataclass(frozen=True, slots=True)
class RevisionContext:
    """Where one revision of the memory document or of a note belongs.

    `previous` is the SHA-256 of the ciphertext of the version before, or NO_PREVIOUS. `version` is that of the base
    plus one. `kind` says how it came about (save, clear, undo, capture). A note's `path` is the one that this very
    version is kept under: a move is a new revision.
    """

    label: ClassVar[str] = "wm/v1/doc"
    workspace: WorkspaceId
    path: str
    epoch: int
    version: int
    previous: bytes
    clear_generation: int
    kind: str
    author: UserId

    def __post_init__(self) -> None:
        if len(self.previous) != len(NO_PREVIOUS):
            raise ValueError("previous is a SHA-256 of 32 bytes")

    def aad(self) -> bytes:
        """The associated data."""
        return lp(
            self.label,
            self.workspace,
            self.path,
            self.epoch,
            self.version,
            self.previous,
            self.clear_generation,
            self.kind,
            self.author,
        )


@dataclass(frozen=True, slots=True)
class MessageContext:
    """Where a message of a conversation belongs; its title is TITLE_SEQUENCE."""

    label: ClassVar[str] = "wm/v1/message"
    workspace: WorkspaceId
    conversation: str
    sequence: int
    epoch: int

    def aad(self) -> bytes:
        """The associated data."""
        return lp(self.label, self.workspace, self.conversation, self.sequence, self.epoch)


@dataclass(frozen=True, slots=True)
class ProposalContext:
    """Where a proposal belongs. `base` is the version it was made against."""

    label: ClassVar[str] = "wm/v1/proposal"
    workspace: WorkspaceId
    proposal: str
    epoch: int
    base: int
    clear_generation: int

    def aad(self) -> bytes:
        """The associated data."""
        return lp(self.label, self.workspace, self.proposal, self.epoch, self.base, self.clear_generation)


Context = RevisionContext | MessageContext | ProposalContext


def seal(key: WorkspaceKey, context: Context, text: str, nonce: bytes | None = None) -> bytes:
    """The sealed text: 28 bytes longer than its UTF-8. `nonce` is for frozen test vectors alone.

    Raises: NotText; ValueError when the key is of another workspace or epoch than the context.
    """
    if (key.workspace, key.epoch) != (context.workspace, context.epoch):
        raise ValueError("the key is of another workspace or epoch than the context")
    return seal_bytes(key.derived(_KEY), context.aad(), utf8(text), nonce)


def open_sealed(key: WorkspaceKey, context: Context, sealed: bytes) -> str:
    """The text. Raises: SealBroken for another key, another context or changed bytes."""
    if (key.workspace, key.epoch) != (context.workspace, context.epoch):
        raise SealBroken
    plain = open_bytes(key.derived(_KEY), context.aad(), sealed)
    try:
        return plain.decode()
    except UnicodeDecodeError:
        pass
    # Raised out here: the codec's own error holds the whole text.
    raise SealBroken


def sealed_text_bytes(sealed: bytes) -> int:
    """The length of the sealed text in bytes, known without a key. Raises: SealBroken when it is no seal at all."""
    if len(sealed) < SEAL_BYTES:
        raise SealBroken
    return len(sealed) - SEAL_BYTES


def is_empty_sealed(sealed: bytes) -> bool:
    """Whether the sealed text is empty. Raises: SealBroken when it is no seal at all."""
    return sealed_text_bytes(sealed) == 0


def ciphertext_hash(sealed: bytes) -> bytes:
    """SHA-256 of a sealed revision (32 bytes): what the next revision names as its `previous`."""
    return hashlib.sha256(sealed).digest()


def idempotency_mac(key: WorkspaceKey, body: Json) -> bytes:
    """32 bytes that tell whether a repeated request has the same body.

    Keyed, because a plain hash of a one-line edit can be guessed. Over the body as RFC 8785 JSON, so that the order of
    its members does not matter. Raises: ValueError for a body without a canonical form.
    """
    return hmac.digest(key.derived(_IDEMPOTENCY_KEY), canonical_json(body), "sha256")
