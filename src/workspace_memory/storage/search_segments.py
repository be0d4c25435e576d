"""The segments of a search list: which numbers are in use, and which items wait for their postings.

An item has some sixty terms, and in the small list of one person most of its words are new. Each of them and of their
trigrams is a row in a place of its own, so that one save would change a hundred pages, and the next save most of them
again. Several items at once change hardly more pages than one. So what is put alone waits until there are some, and
its terms stand in the row of its segment, which every search reads anyway: it counts them as if they had been posted,
so that no answer depends on what waits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.storage.search_numbers import (
    SEGMENT_SIZE,
    count,
    free_number,
    next_number,
    with_numbers,
    without_number,
)
from workspace_memory.storage.search_sql import Statement

# In each list. More would spare a save little and cost every search of the list more.
WAITING_MAX = 8
WAITING_CHARACTERS_MAX = 8_192

_READ = Statement(
    "SELECT segment, numbers, waiting FROM search_segments WHERE workspace_id = ? AND list_key = ?"
)
_PUT = Statement(
    "INSERT INTO search_segments (workspace_id, list_key, segment, numbers, waiting) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (workspace_id, list_key, segment)"
    " DO UPDATE SET numbers = excluded.numbers, waiting = excluded.waiting"
)
_DELETE = Statement("DELETE FROM search_segments WHERE workspace_id = ? AND list_key = ? AND segment = ?")


@dataclass(slots=True)
class _Segment:
    numbers: bytes
    waiting: dict[int, str]


class Segments:
    """The segments of one list. Changes are written by `write`; to be used under the workspace lock."""

    def __init__(self, connection: Connection, workspace: WorkspaceId, list_key: str) -> None:
        self._connection = connection
        self._list = (workspace, list_key)
        self._segments = {
            segment: _Segment(bytes(numbers), dict(waiting_in(waiting)))
            for segment, numbers, waiting in _READ.rows(connection, *self._list)
        }
        self._changed: set[int] = set()

    @property
    def waiting(self) -> dict[int, str]:
        """The terms of each item that waits, with blanks between."""
        return {
            segment * SEGMENT_SIZE + local: terms
            for segment, row in self._segments.items()
            for local, terms in row.waiting.items()
        }

    def take(self, wanted: int) -> tuple[list[int], set[int]]:
        """Take so many numbers after the highest one, so that newer items have higher numbers.

        Holes are filled only where a list has become twice as long as its items need; the second value has those.
        """
        numbers: list[int] = []
        holes: set[int] = set()
        while len(numbers) < wanted:
            segment, locals_, following = self._free(wanted - len(numbers))
            row = self._changing(segment)
            row.numbers = with_numbers(row.numbers, locals_)
            taken = [segment * SEGMENT_SIZE + local for local in locals_]
            numbers += taken
            holes.update(() if following else taken)
        return numbers, holes

    def release(self, number: int) -> None:
        """Let a number no longer be in use."""
        segment, local = divmod(number, SEGMENT_SIZE)
        row = self._changing(segment)
        row.numbers = without_number(row.numbers, local)
        row.waiting.pop(local, None)

    def let_wait(self, terms: Mapping[int, Sequence[str]]) -> bool:
        """Let these items wait with these terms, unless there would be too many; whether they do."""
        waiting = self.waiting
        if len(waiting.keys() | terms.keys()) > WAITING_MAX:
            return False
        texts = {number: " ".join(each) for number, each in terms.items()}
        if sum(map(len, {**waiting, **texts}.values())) > WAITING_CHARACTERS_MAX:
            return False
        for number, text in texts.items():
            segment, local = divmod(number, SEGMENT_SIZE)
            self._changing(segment).waiting[local] = text
        return True

    def let_none_wait(self) -> None:
        """Forget who waits, since all of them have their postings."""
        for segment, row in self._segments.items():
            if row.waiting:
                self._changing(segment).waiting.clear()

    def write(self) -> None:
        """Write what was changed; a segment without numbers has no row."""
        rows = [(segment, self._segments[segment]) for segment in sorted(self._changed)]
        _PUT.run_many(
            self._connection,
            [(*self._list, segment, row.numbers, _text(row.waiting)) for segment, row in rows if row.numbers],
        )
        for segment, row in rows:
            if not row.numbers:
                _DELETE.run(self._connection, *self._list, segment)
        self._changed.clear()

    def _changing(self, segment: int) -> _Segment:
        self._changed.add(segment)
        return self._segments.setdefault(segment, _Segment(b"", {}))

    def _free(self, wanted: int) -> tuple[int, list[int], bool]:
        """A segment, which may be a new one, free numbers in it, and whether they follow all those in use."""
        held = {segment: row.numbers for segment, row in self._segments.items()}
        last = max(held, default=0)
        following = next_number(held.get(last, b""))
        if following is not None:
            return last, list(range(following, min(SEGMENT_SIZE, following + wanted))), True
        wasteful = len(held) > 2 + 2 * sum(map(count, held.values())) // SEGMENT_SIZE
        if not wasteful:
            return last + 1, list(range(min(SEGMENT_SIZE, wanted))), True
        # The first of several: PostgreSQL gives them in any order.
        emptiest = min(held, key=lambda segment: (count(held[segment]), segment))
        return emptiest, [free_number(held[emptiest])], False


def waiting_in(text: str) -> Iterator[tuple[int, str]]:
    """What waits in a segment, from its row: a number in the segment, and every term with blanks between."""
    for line in text.split("\n")[:-1]:
        local, _, terms = line.removesuffix(" ").partition(" ")
        yield int(local), terms


def _text(waiting: Mapping[int, str]) -> str:
    # With a blank after the last term as well, so that a term can be looked for with the blanks around it.
    return "".join(f"{local} {terms} \n" for local, terms in sorted(waiting.items()))
