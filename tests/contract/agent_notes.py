"""Short ways to use notes as an agent does: plain text and a key session's token."""

from dataclasses import dataclass, field

from tests.contract.noted import Noted

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.ids import UserId, Version
from workspace_memory.services import automation_notes, searching_notes
from workspace_memory.services.automation_notes import NoteWritten
from workspace_memory.services.searching_notes import FoundNotes


@dataclass
class Agent:
    """A user's agent with a key session of its own; `actor` may be replaced by a weaker one."""

    noted: Noted
    user: UserId
    token: bytes | None = field(default=None, repr=False)
    actor: Actor | None = None

    def __post_init__(self) -> None:
        if self.token is None:
            self.token = self.noted.session(self.user)

    @property
    def by(self) -> Actor:
        return self.actor or self.noted.hand(self.user)

    def read(self, path: str, version: int | None = None) -> str:
        return automation_notes.read_plain_note(
            self.noted.world.deps,
            self.by,
            self.noted.workspace,
            path,
            version=None if version is None else Version(version),
            key_session=self.token,
        ).text

    def put(self, path: str, text: str, base: int | None = 0, key: str | None = None) -> NoteWritten:
        return automation_notes.put_plain_note(
            self.noted.world.deps,
            self.by,
            self.noted.workspace,
            path,
            text,
            base=None if base is None else Version(base),
            key_session=self.token,
            idempotency_key=key,
        )

    def delete(self, path: str, base: int, key: str | None = None) -> NoteWritten:
        return automation_notes.delete_plain_note(
            self.noted.world.deps,
            self.by,
            self.noted.workspace,
            path,
            base=Version(base),
            key_session=self.token,
            idempotency_key=key,
        )

    def move(self, path: str, to: str, base: int, key: str | None = None) -> NoteWritten:
        return automation_notes.move_plain_note(
            self.noted.world.deps,
            self.by,
            self.noted.workspace,
            path,
            to,
            base=Version(base),
            key_session=self.token,
            idempotency_key=key,
        )

    def restore(self, path: str, version: int, base: int, key: str | None = None) -> NoteWritten:
        return automation_notes.restore_plain_note(
            self.noted.world.deps,
            self.by,
            self.noted.workspace,
            path,
            version=Version(version),
            base=Version(base),
            key_session=self.token,
            idempotency_key=key,
        )

    def paths(self) -> list[str]:
        page = searching_notes.list_plain_notes(
            self.noted.world.deps, self.by, self.noted.workspace, key_session=self.token
        )
        return [each.path for each in page.documents]

    def search(self, query: str, *, limit: int = 20, cursor: str | None = None) -> FoundNotes:
        return searching_notes.search_plain_notes(
            self.noted.world.deps,
            self.by,
            self.noted.workspace,
            query,
            limit=limit,
            cursor=cursor,
            key_session=self.token,
        )

    def found(self, query: str) -> list[str]:
        return [each.head.path for each in self.search(query).found]
