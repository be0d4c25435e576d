"""Sealed versions of documents, opened with the keys of a member; what a server can say of them and what it cannot.

Where a version stands, what it follows on and who wrote it are bound to its text. Not bound are the number that an
answer gives beside it and the hash that it claims: the first is held against the version, the second is computed here.
"""

import hashlib
from collections.abc import Mapping

from workspace_memory.client.document_answers import SealedRevision
from workspace_memory.crypto.envelope import NO_PREVIOUS, RevisionContext, open_sealed
from workspace_memory.crypto.errors import SealBroken
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.document import RevisionKind
from workspace_memory.domain.document_errors import KeyLost
from workspace_memory.domain.ids import WorkspaceId


def open_revision(
    keys: Mapping[int, WorkspaceKey], workspace: WorkspaceId, revision: SealedRevision
) -> str | None:
    """The text of a version; None for a deletion. Raises: KeyLost, SealBroken."""
    if revision.kind is RevisionKind.DELETE:
        return None
    # Only a deletion has no text: one that is left out is no deletion.
    if revision.ciphertext is None or revision.epoch is None:
        raise SealBroken
    context = RevisionContext(
        workspace,
        revision.path,
        revision.epoch,
        revision.version,
        revision.previous_sha256,
        revision.clear_generation,
        revision.kind.value,
        revision.author_id,
    )
    return open_sealed(key_of(keys, revision.epoch), context, revision.ciphertext)


def require_place(revision: SealedRevision, *, path: str, version: int) -> None:
    """Raise SealBroken for a version that was asked for by a path and a number and is another one."""
    if (revision.path, revision.version) != (path, version):
        raise SealBroken


def hash_of(newest: SealedRevision | None) -> bytes:
    """What the next version is bound to: the hash of the very bytes that came; 32 zero bytes after a deletion."""
    if newest is None or newest.kind is RevisionKind.DELETE:
        return NO_PREVIOUS
    return hashlib.sha256(newest.ciphertext or b"").digest()


def key_of(keys: Mapping[int, WorkspaceKey], epoch: int) -> WorkspaceKey:
    """The key of an epoch out of those that were opened. Raises: KeyLost for one before them; SealBroken."""
    if epoch in keys:
        return keys[epoch]
    if 0 < epoch < min(keys, default=0):
        raise KeyLost(epoch)
    raise SealBroken
