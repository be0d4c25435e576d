"""The memory document in the clear, on the client's side: sealed before it leaves, opened when it comes.

    document = MemoryDocument(memory, keys, user)
    shown = document.read()
    document.save(shown.text + "- Release day is Thursday\n", shown)

`keys` are the workspace keys by epoch, newest included (`keys.py` opens them). A write is one request with the exact
base version; a failure changes nothing.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from workspace_memory.client.document_answers import SealedDocument, SealedProposal, SealedRevision, Written
from workspace_memory.client.documents import DocumentCalls
from workspace_memory.client.known_keys import DOCUMENT, KnownKeys
from workspace_memory.client.opening import hash_of, key_of, open_revision, require_place
from workspace_memory.crypto.envelope import (
    ProposalContext,
    RevisionContext,
    open_sealed,
    seal,
)
from workspace_memory.crypto.errors import SealBroken
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.document import MEMORY_PATH, RevisionKind, SealedText
from workspace_memory.domain.document_errors import EpochConflict, KeyLost
from workspace_memory.domain.edits import Applied, Edit, apply_edits, edits_of
from workspace_memory.domain.ids import Epoch, UserId


@dataclass(frozen=True, slots=True)
class OpenRevision:
    """A version in the clear. `text` is None for a deletion."""

    version: int
    kind: RevisionKind
    author: UserId
    at: datetime
    text: str | None


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """What the next version follows on; version 0 when it was never written."""

    version: int
    live: bool
    clear_generation: int
    # What the next version is bound to.
    sha256: bytes


@dataclass(frozen=True, slots=True)
class OpenDocument(DocumentHead):
    """The document in the clear; an empty text when it was never written or is deleted."""

    text: str
    newest: OpenRevision | None


class MemoryDocument:
    """Reads and writes with the keys of one member."""

    def __init__(
        self,
        calls: DocumentCalls,
        keys: Mapping[int, WorkspaceKey],
        user: UserId,
        known: KnownKeys | None = None,
    ) -> None:
        self._calls = calls
        self._keys = keys
        self._user = user
        self._known = known

    def read(self) -> OpenDocument:
        """The newest version. Raises: KeyLost, SealBroken, ServerRolledBack; what `get_document` raises."""
        found, head = self._found()
        newest = None if found.newest is None else self._open(found.newest)
        text = "" if newest is None or newest.text is None else newest.text
        return OpenDocument(head.version, head.live, head.clear_generation, head.sha256, text, newest)

    def head(self) -> DocumentHead:
        """What a write follows on: as `read`, also where nobody can read the newest version any more.

        Raises: SealBroken, ServerRolledBack; what `get_document` raises.
        """
        found, head = self._found()
        # Opened all the same: nothing is bound to a version that was changed or moved.
        with suppress(KeyLost):
            if found.newest is not None:
                self._open(found.newest)
        return head

    def _found(self) -> tuple[SealedDocument, DocumentHead]:
        seen = 0 if self._known is None else self._known.mark(self._calls.workspace, DOCUMENT)
        found = self._calls.get_document()
        if found.newest is not None:
            require_place(found.newest, path=MEMORY_PATH, version=found.version)
        elif found.version:
            raise SealBroken
        # Dropping the newest versions is seen by nobody who does not remember them.
        self._remember(found.version, seen)
        return found, DocumentHead(found.version, found.live, found.clear_generation, hash_of(found.newest))

    def version(self, version: int) -> OpenRevision:
        """One version. Raises: KeyLost, SealBroken; what `document_version` raises."""
        found = self._calls.document_version(version)
        require_place(found, path=MEMORY_PATH, version=version)
        return self._open(found)

    def save(self, text: str, shown: DocumentHead) -> Written:
        """Write a text against the document that was shown. Raises: VersionConflict, EpochConflict, …"""
        sealed = self._seal(text, shown, RevisionKind.SAVE, shown.clear_generation)
        return self._acknowledged(self._calls.write_document(sealed, base=shown.version))

    def clear(self, shown: DocumentHead) -> Written:
        """Write an empty version and retire all that is older. Raises: VersionConflict, EpochConflict, …"""
        sealed = self._seal("", shown, RevisionKind.CLEAR, shown.clear_generation + 1)
        return self._acknowledged(self._calls.write_document(sealed, base=shown.version, clear=True))

    def undo(self, version: int, shown: DocumentHead) -> Written:
        """Write the text of an older version as the next one. Raises: KeyLost, VersionConflict, …"""
        text = self.version(version).text or ""
        sealed = self._seal(text, shown, RevisionKind.UNDO, shown.clear_generation)
        return self._acknowledged(self._calls.write_document(sealed, base=shown.version, undo=True))

    def delete(self, *, base: int) -> Written:
        """Delete the version that was seen; needs no key. Raises: VersionConflict, NotFound."""
        return self._acknowledged(self._calls.delete_document(base=base))

    def proposed(self, proposal: SealedProposal) -> tuple[Edit, ...]:
        """The edits of a proposal. Raises: KeyLost, SealBroken."""
        context = ProposalContext(
            self._calls.workspace,
            proposal.id,
            proposal.epoch,
            proposal.base_version,
            proposal.clear_generation,
        )
        body: object = json.loads(
            open_sealed(key_of(self._keys, proposal.epoch), context, proposal.ciphertext)
        )
        return edits_of(body)

    def apply(self, proposal: SealedProposal, shown: OpenDocument) -> Written | None:
        """Carry the edits of a proposal out on the document that was shown; None when it says all of it already.

        Raises: EditRefused, ProposalSettled, VersionConflict, EpochConflict, KeyLost, SealBroken.
        """
        changed = apply_edits(shown.text, self.proposed(proposal))
        if not isinstance(changed, Applied):
            return None
        sealed = self._seal(changed.text, shown, RevisionKind.SAVE, shown.clear_generation)
        return self._acknowledged(self._calls.apply_proposal(proposal.id, sealed, base=shown.version))

    def _acknowledged(self, written: Written) -> Written:
        self._remember(written.version, 0)
        return written

    def _remember(self, version: int, seen: int) -> None:
        if self._known is not None:
            self._known.advance(self._calls.workspace, DOCUMENT, version, seen=seen)

    def _seal(self, text: str, shown: DocumentHead, kind: RevisionKind, generation: int) -> SealedText:
        newest = max(self._keys, default=0)
        if newest == 0:
            raise EpochConflict(current=0)
        key = self._keys[newest]
        context = RevisionContext(
            key.workspace,
            MEMORY_PATH,
            key.epoch,
            shown.version + 1,
            shown.sha256,
            generation,
            kind.value,
            self._user,
        )
        return SealedText(Epoch(key.epoch), seal(key, context, text))

    def _open(self, revision: SealedRevision) -> OpenRevision:
        text = open_revision(self._keys, self._calls.workspace, revision)
        return OpenRevision(revision.version, revision.kind, revision.author_id, revision.at, text)
