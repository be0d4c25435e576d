"""The calls about notes for agents: plain text, with the token of a key session. `notes.py` has those for people.

A write has a key of its own, so that it is sent again by itself when the connection breaks.
"""

import uuid
from collections.abc import Iterator, Mapping

from workspace_memory.client.connection import Connection, segment
from workspace_memory.client.document_answers import SealedProposal
from workspace_memory.client.note_answers import FoundPlainNote, FoundPlainNotes, PlainNote, PlainWritten

PAGE = 50


class PlainNoteCalls(Connection):
    """Notes and skills of the client's workspace, opened and sealed by the service. `key_session` is base64url."""

    def list_plain_notes(self, *, key_session: str) -> Iterator[FoundPlainNote]:
        """Every note by path, without texts. Raises: KeySessionRequired, NotFound, Forbidden."""
        return self._plain_pages("", key_session)

    def search_plain_notes(self, query: str, *, key_session: str) -> Iterator[FoundPlainNote]:
        """The notes that have each word in text or path, search after search until all were looked at.

        Raises: KeySessionRequired, InvalidRequest, RateLimited, NotFound, Forbidden.
        """
        return self._plain_pages(query, key_session)

    def page_plain_notes(
        self, query: str = "", *, cursor: str | None = None, limit: int = PAGE, key_session: str
    ) -> FoundPlainNotes:
        """One page of a list, or of a search. Raises: as `search_plain_notes`."""
        params = {"query": query or None, "cursor": cursor, "limit": limit}
        headers = {"X-Key-Session": key_session}
        return self._read(FoundPlainNotes, "GET", self._plain_notes, params=params, headers=headers)

    def read_plain_note(self, path: str, *, version: int | None = None, key_session: str) -> PlainNote:
        """A note's text. Raises: NamespaceReserved, KeySessionRequired, TextUnreadable, NotFound, Forbidden."""
        params = {"path": path, "version": version}
        headers = {"X-Key-Session": key_session}
        return self._read(PlainNote, "GET", f"{self._plain_notes}/text", params=params, headers=headers)

    def put_plain_note(self, path: str, text: str, *, base: int, key_session: str) -> PlainWritten:
        """Make a note (`base` 0) or write its next version; a suspicious text becomes a proposal.

        Raises: NamespaceReserved, VersionConflict, PathTaken, SecretRefused, StructureRefused, KeySessionRequired, …
        """
        return self._write("PUT", "", {"path": path, "text": text}, base, key_session)

    def move_plain_note(self, path: str, to: str, *, base: int, key_session: str) -> PlainWritten:
        """Let a note stand at another path. Raises: NamespaceReserved, VersionConflict, PathTaken, …"""
        return self._write("POST", "/move", {"path": path, "to": to}, base, key_session)

    def restore_plain_note(self, path: str, version: int, *, base: int, key_session: str) -> PlainWritten:
        """Write an older version's text as the next one. Raises: NamespaceReserved, VersionConflict, …"""
        return self._write("POST", "/restore", {"path": path, "version": version}, base, key_session)

    def propose_plain_note(self, path: str, text: str, *, base: int, key_session: str) -> SealedProposal:
        """Propose a text for a note, or with `base` 0 a new one; nothing is written, and a person decides.

        Not sent again by itself, since each is a proposal of its own. Raises: NamespaceReserved, VersionConflict,
        PathTaken, SecretRefused, StructureRefused, KeySessionRequired, QuotaExceeded, …
        """
        return self._read(
            SealedProposal,
            "POST",
            f"{self._plain_notes}/proposals",
            body={"path": path, "text": text},
            headers={"X-Key-Session": key_session, "X-Base-Version": str(base)},
        )

    def delete_plain_note(self, path: str, *, base: int, key_session: str) -> PlainWritten:
        """Leave a tombstone. Raises: NamespaceReserved, VersionConflict, NotFound, …"""
        return self._read(
            PlainWritten,
            "DELETE",
            self._plain_notes,
            params={"path": path},
            headers=_writing(base, key_session),
            repeatable=True,
        )

    def _write(
        self, method: str, below: str, body: Mapping[str, object], base: int, key_session: str
    ) -> PlainWritten:
        return self._read(
            PlainWritten,
            method,
            f"{self._plain_notes}{below}",
            body=body,
            headers=_writing(base, key_session),
            repeatable=True,
        )

    def _plain_pages(self, query: str, key_session: str) -> Iterator[FoundPlainNote]:
        cursor: str | None = None
        while True:
            page = self.page_plain_notes(query, cursor=cursor, key_session=key_session)
            yield from page.documents
            cursor = page.next_cursor
            if cursor is None:
                return

    @property
    def _plain_notes(self) -> str:
        return f"/automation/workspaces/{segment(self.workspace)}/documents"


def _writing(base: int, key_session: str) -> dict[str, str]:
    return {
        "X-Key-Session": key_session,
        "X-Base-Version": str(base),
        "Idempotency-Key": uuid.uuid4().hex,
    }
