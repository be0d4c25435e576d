"""Notes in the clear, on the client's side: sealed before they leave, opened when they come.

    notes = Notes(memory, keys, user)
    tea = notes.create("notes/tea.md", "Green tea at four\n")
    tea = notes.save(tea.text + "White tea at five\n", tea)
    notes.move(tea, "archive/tea.md")

`keys` are the workspace keys by epoch, the newest included. A write is one request against the version that was shown,
and answers the note as it then stands.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workspace_memory.client.document_answers import SealedRevision
from workspace_memory.client.memory_document import OpenRevision
from workspace_memory.client.note_answers import NoteHead, SealedNote
from workspace_memory.client.notes import NoteCalls
from workspace_memory.client.opening import hash_of, open_revision, require_place
from workspace_memory.crypto.envelope import NO_PREVIOUS, RevisionContext, seal
from workspace_memory.crypto.errors import SealBroken
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.document import RevisionKind, SealedText
from workspace_memory.domain.document_errors import EpochConflict, KeyLost
from workspace_memory.domain.ids import DocumentId, Epoch, UserId
from workspace_memory.domain.note import NOTE_GENERATION


@dataclass(frozen=True, slots=True)
class ShownNote:
    """What the next version of a note follows on."""

    id: DocumentId
    path: str
    version: int
    live: bool
    # What the next version is bound to.
    sha256: bytes


@dataclass(frozen=True, slots=True)
class OpenNote(ShownNote):
    """A note in the clear; `text` is empty where it is deleted."""

    text: str


class Notes:
    """Reads and writes with the keys of one member."""

    def __init__(self, calls: NoteCalls, keys: Mapping[int, WorkspaceKey], user: UserId) -> None:
        self._calls = calls
        self._keys = keys
        self._user = user

    def all(self, *, deleted: bool = False) -> Iterator[NoteHead]:
        """Every document by path. Raises: what `list_notes` raises."""
        return self._calls.list_notes(deleted=deleted)

    def read(self, path: str) -> OpenNote:
        """The note at a path, or the one that was there last.

        Raises: KeyLost, SealBroken; what `get_note_at` raises.
        """
        return self._opened(self._at(path))

    def head(self, path: str) -> ShownNote:
        """What a write follows on: as `read`, also where nobody can read the newest version any more.

        Raises: SealBroken; what `get_note_at` raises.
        """
        found = self._at(path)
        try:
            return self._opened(found)
        except KeyLost:
            return ShownNote(found.id, found.path, found.version, found.live, hash_of(found.newest))

    def read_by_id(self, document: str) -> OpenNote:
        """A note by its id. Raises: KeyLost, SealBroken; what `get_note` raises."""
        return self._opened(self._calls.get_note(document))

    def history(self, shown: ShownNote) -> Iterator[SealedRevision]:
        """Who wrote which version and when, newest first, without texts. Raises: what `note_versions` raises."""
        return self._calls.note_versions(shown.id)

    def version(self, shown: ShownNote, version: int) -> OpenRevision:
        """One version. Raises: KeyLost, SealBroken; what `note_version` raises."""
        found = self._calls.note_version(shown.id, version)
        if found.version != version:
            raise SealBroken
        return OpenRevision(found.version, found.kind, found.author_id, found.at, self._open(found))

    def create(self, path: str, text: str) -> OpenNote:
        """Make a note. Raises: PathTaken, EpochConflict, QuotaExceeded, NamespaceReserved, InvalidRequest, …"""
        sealed = self.sealed_new(text, path)
        return _after(self._calls.save_note_at(path, sealed, base=0), text, sealed)

    def save(self, text: str, shown: ShownNote) -> OpenNote:
        """Write a text against the note that was shown; a deleted one is there again. Raises: VersionConflict, …"""
        sealed = self.sealed_next(text, shown)
        return _after(self._calls.save_note(shown.id, sealed, base=shown.version), text, sealed)

    def move(self, shown: OpenNote, path: str) -> OpenNote:
        """Let a note stand at another path, which is free. Raises: PathTaken, VersionConflict, NotFound, …"""
        sealed = self._seal(shown.text, path, RevisionKind.MOVE, base=shown.version, previous=shown.sha256)
        head = self._calls.move_note(shown.id, path, sealed, base=shown.version)
        return _after(head, shown.text, sealed)

    def restore(self, version: int, shown: ShownNote) -> OpenNote:
        """Write an older version's text as the next one, also of a deleted note.

        Raises: KeyLost, SealBroken, VersionConflict, NotFound for a version that holds no text, …
        """
        text = self.version(shown, version).text or ""
        sealed = self._seal_next(text, shown, RevisionKind.RESTORE)
        head = self._calls.restore_note(shown.id, version, sealed, base=shown.version)
        return _after(head, text, sealed)

    def delete(self, shown: ShownNote) -> OpenNote:
        """Leave a tombstone. Raises: VersionConflict, NotFound, Forbidden."""
        return _after(self._calls.delete_note(shown.id, base=shown.version), "", None)

    def sealed_new(self, text: str, path: str) -> SealedText:
        """A text as the first version of a note. Raises: EpochConflict without a key."""
        return self._seal(text, path, RevisionKind.SAVE, base=0, previous=NO_PREVIOUS)

    def sealed_next(self, text: str, shown: ShownNote) -> SealedText:
        """A text as what follows on the note that was shown. Raises: as `sealed_new`."""
        return self._seal_next(text, shown, RevisionKind.SAVE)

    def _at(self, path: str) -> SealedNote:
        found = self._calls.get_note_at(path)
        if found.path != path:
            raise SealBroken
        return found

    def _opened(self, found: SealedNote) -> OpenNote:
        newest = found.newest
        # The newest version is sealed under the path where the note stands: else a server could pass another's off.
        require_place(newest, path=found.path, version=found.version)
        text = self._open(newest)
        return OpenNote(found.id, found.path, found.version, found.live, hash_of(newest), text or "")

    def _open(self, revision: SealedRevision) -> str | None:
        return open_revision(self._keys, self._calls.workspace, revision)

    def _seal_next(self, text: str, shown: ShownNote, kind: RevisionKind) -> SealedText:
        return self._seal(text, shown.path, kind, base=shown.version, previous=shown.sha256)

    def _seal(self, text: str, path: str, kind: RevisionKind, *, base: int, previous: bytes) -> SealedText:
        newest = max(self._keys, default=0)
        if newest == 0:
            raise EpochConflict(current=0)
        key = self._keys[newest]
        context = RevisionContext(
            key.workspace, path, key.epoch, base + 1, previous, NOTE_GENERATION, kind.value, self._user
        )
        return SealedText(Epoch(key.epoch), seal(key, context, text))


def _after(head: NoteHead, text: str, sealed: SealedText | None) -> OpenNote:
    sha256 = NO_PREVIOUS if sealed is None else sealed.sha256
    return OpenNote(head.id, head.path, head.version, head.live, sha256, text)
