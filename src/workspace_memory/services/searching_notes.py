"""Notes for agents, listed and searched: texts are opened one after another in RAM, within bounds, and kept nowhere.

Neither query nor text is stored or logged. A search that stops at its bounds says so and goes on by its cursor.
`automation_notes.py` reads and writes one note; the same two walls stand here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workspace_memory.crypto.errors import SealBroken
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.document import Head, Revision
from workspace_memory.domain.document_errors import KeyLost
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.namespace import PathVerdict, verdict_of
from workspace_memory.domain.note import Place
from workspace_memory.domain.note_search import FoundLine, NoteQuery
from workspace_memory.domain.paging import decode_place, encode_place, fingerprint
from workspace_memory.domain.rate import Rate
from workspace_memory.services.agent_calls import AgentCall, may_read
from workspace_memory.services.deps import Deps
from workspace_memory.services.documents import PAGE_MAX
from workspace_memory.services.notes import NotePage, page_of_notes
from workspace_memory.services.rate_limits import rated
from workspace_memory.services.seals import open_revision
from workspace_memory.services.session_keys import Keyring
from workspace_memory.storage.database import Transaction

FOUND_MAX = 50
NOTES_SEARCHED_MAX = 2_000
"""How many notes one search opens at most."""
BYTES_SEARCHED_MAX = 8 * 1024 * 1024
"""How many bytes of sealed text one search opens at most; the note that reaches it is still looked at."""
_BATCH = 50


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A note that matches, with the first lines that do; none when the words all stand in its path."""

    head: Head
    lines: Sequence[FoundLine]


@dataclass(frozen=True, slots=True)
class FoundNotes:
    """What matches, by path. Not everything was looked at where `next_cursor` is not None.

    `searched` counts the notes that were looked at, `unreadable` those among them whose text does not open.
    """

    found: Sequence[FoundNote]
    searched: int
    unreadable: int
    next_cursor: str | None


def list_plain_notes(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    *,
    cursor: str | None = None,
    limit: int = 50,
    key_session: bytes | None,
) -> NotePage:
    """The live notes by path, without texts. Raises: KeySessionRequired, InvalidRequest, NotFound, Forbidden, …"""
    limit = max(1, min(limit, PAGE_MAX))
    query = fingerprint(["notes"])
    after = None if cursor is None else decode_place(cursor, query)
    call = AgentCall(deps, actor, workspace, key_session, may_read)
    with deps.database.read() as tx:
        call.require(tx)
        found = tx.documents.notes(workspace, after=after, limit=limit + 1)
    page = page_of_notes(found, limit, query)
    return NotePage([head for head in page.documents if _is_shown(head)], page.next_cursor)


@rated(Rate.SEARCH)
def search_plain_notes(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    query: str,
    *,
    cursor: str | None = None,
    limit: int = 20,
    key_session: bytes | None,
) -> FoundNotes:
    """The notes that have each word of the query in text or path, whatever its case and accents.

    Raises: KeySessionRequired, KeyStoreDown, InvalidRequest, NotFound, Forbidden, LevelTooLow, RateLimited.
    """
    limit = max(1, min(limit, FOUND_MAX))
    wanted = NoteQuery(query)
    mark = fingerprint(["search", query])
    after = None if cursor is None else decode_place(cursor, mark)
    call = AgentCall(deps, actor, workspace, key_session, may_read)
    keyring = call.open_keyring()
    found: list[FoundNote] = []
    searched = size = unreadable = 0
    with deps.database.read() as tx:
        call.require(tx)
        for head, revision in _notes_after(tx, workspace, after):
            if len(found) == limit or searched == NOTES_SEARCHED_MAX or size >= BYTES_SEARCHED_MAX:
                # There is another one, so that the cursor leads somewhere.
                return FoundNotes(
                    found, searched, unreadable, None if after is None else encode_place(after, mark)
                )
            after = Place(head.path, head.id)
            searched += 1
            size += 0 if revision.sealed is None else len(revision.sealed.ciphertext)
            text = _text_of(keyring, workspace, revision)
            unreadable += text is None
            lines = wanted.find(head.path, text or "")
            if lines is not None:
                found.append(FoundNote(head, lines))
    return FoundNotes(found, searched, unreadable, None)


def _notes_after(
    tx: Transaction, workspace: WorkspaceId, after: Place | None
) -> Iterator[tuple[Head, Revision]]:
    """The live notes that may be shown, by path, each with its newest version."""
    while batch := tx.documents.notes_with_texts(workspace, after=after, limit=_BATCH):
        yield from (pair for pair in batch if _is_shown(pair[0]))
        last = batch[-1][0]
        after = Place(last.path, last.id)


def _is_shown(head: Head) -> bool:
    return verdict_of(head.path) is PathVerdict.OK


def _text_of(keyring: Keyring, workspace: WorkspaceId, revision: Revision) -> str | None:
    try:
        return open_revision(keyring, workspace, revision)
    except (SealBroken, KeyLost):
        return None
