"""The calls about notes as they travel, sealed: `open_notes.py` seals and opens around them."""

from collections.abc import Iterator

from workspace_memory.client.connection import Connection, segment
from workspace_memory.client.document_answers import SealedRevision, SealedRevisions
from workspace_memory.client.key_answers import to_text
from workspace_memory.client.note_answers import NoteHead, NoteHeads, SealedNote
from workspace_memory.domain.document import SealedText

PAGE = 200


class NoteCalls(Connection):
    """Notes and skills of the client's workspace. Errors: those of `services/notes.py`."""

    def list_notes(self, *, deleted: bool = False) -> Iterator[NoteHead]:
        """Every document by path, the memory document too; or the deleted ones. Raises: NotFound, Forbidden."""
        cursor: str | None = None
        while True:
            params = {"deleted": "true" if deleted else "false", "cursor": cursor, "limit": PAGE}
            page = self._read(NoteHeads, "GET", self._notes, params=params)
            yield from page.documents
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_note(self, document: str) -> SealedNote:
        """A note by its id. Raises: NamespaceReserved, NotFound, Forbidden, LevelTooLow."""
        return self._read(SealedNote, "GET", self._note(document))

    def get_note_at(self, path: str) -> SealedNote:
        """The note at a path, or the one that was there last. Raises: as `get_note`."""
        return self._read(SealedNote, "GET", f"{self._notes}/by-path", params={"path": path})

    def save_note_at(self, path: str, sealed: SealedText, *, base: int) -> NoteHead:
        """Make a note (`base` 0) or write its next version. Raises: VersionConflict, PathTaken, EpochConflict, …"""
        body = {"path": path, **_sealed(sealed)}
        return self._read(NoteHead, "PUT", self._notes, body=body, headers=_base(base))

    def save_note(self, document: str, sealed: SealedText, *, base: int) -> NoteHead:
        """Write the next version. Raises: VersionConflict, PathTaken, EpochConflict, NotFound, …"""
        return self._read(NoteHead, "PUT", self._note(document), body=_sealed(sealed), headers=_base(base))

    def delete_note(self, document: str, *, base: int) -> NoteHead:
        """Leave a tombstone. Raises: VersionConflict, NotFound, Forbidden."""
        return self._read(NoteHead, "DELETE", self._note(document), headers=_base(base))

    def move_note(self, document: str, path: str, sealed: SealedText, *, base: int) -> NoteHead:
        """Let a note stand at another path, sealed under it. Raises: VersionConflict, PathTaken, …"""
        body = {"path": path, **_sealed(sealed)}
        return self._read(NoteHead, "POST", f"{self._note(document)}/move", body=body, headers=_base(base))

    def restore_note(self, document: str, version: int, sealed: SealedText, *, base: int) -> NoteHead:
        """Write an older version's text as the next one. Raises: VersionConflict, NotFound, …"""
        body = {"version": version, **_sealed(sealed)}
        return self._read(NoteHead, "POST", f"{self._note(document)}/restore", body=body, headers=_base(base))

    def note_versions(self, document: str) -> Iterator[SealedRevision]:
        """The history, newest first, without texts. Raises: as `get_note`."""
        before: int | None = None
        while True:
            params = {"before": before, "limit": PAGE}
            page = self._read(SealedRevisions, "GET", f"{self._note(document)}/versions", params=params)
            yield from page.versions
            before = page.next_before
            if before is None:
                return

    def note_version(self, document: str, version: int) -> SealedRevision:
        """One version with its sealed text. Raises: as `get_note`."""
        return self._read(SealedRevision, "GET", f"{self._note(document)}/versions/{version}")

    @property
    def _notes(self) -> str:
        return f"/workspaces/{segment(self.workspace)}/documents"

    def _note(self, document: str) -> str:
        return f"{self._notes}/{segment(document)}"


def _sealed(sealed: SealedText) -> dict[str, object]:
    return {"epoch": sealed.epoch, "ciphertext": to_text(sealed.ciphertext)}


def _base(version: int) -> dict[str, str]:
    return {"X-Base-Version": str(version)}
