"""The cast with a workspace key, and short ways to write notes as a client does: it seals, the service keeps bytes."""

from dataclasses import dataclass, field

from tests.conftest import World

from workspace_memory.crypto.envelope import RevisionContext, open_sealed, seal
from workspace_memory.crypto.session_sealing import new_session_token, seal_for_session
from workspace_memory.crypto.workspace_keys import WorkspaceKey, check_value, new_workspace_key, wrap_older
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.document import NO_PREVIOUS, Head, Revision, SealedText
from workspace_memory.domain.ids import DocumentId, Epoch, UserId, Version, WorkspaceId
from workspace_memory.domain.key_session import KeySessionWay
from workspace_memory.domain.note import NOTE_GENERATION
from workspace_memory.services import documents, notes
from workspace_memory.services.key_sessions import open_key_session
from workspace_memory.storage.workspace_keys import KeyEpoch


@dataclass
class Noted:
    """Acts in the cast's workspace with its newest key."""

    world: World
    keys: list[WorkspaceKey] = field(default_factory=list[WorkspaceKey])

    @property
    def key(self) -> WorkspaceKey:
        return self.keys[-1]

    @property
    def workspace(self) -> WorkspaceId:
        return self.world.workspace

    def hand(self, user: UserId) -> Actor:
        return self.world.by_hand(user)

    def begin_epoch(self, *, anew: bool = False) -> None:
        """The next workspace key, without the ceremony of its grants; `anew` where nobody held the one before."""
        epoch = len(self.keys) + 1
        key = new_workspace_key(self.workspace, epoch)
        older = wrap_older(key, self.keys[-1]) if self.keys and not anew else None
        with self.world.deps.database.begin() as tx:
            tx.workspace_keys.add_epoch(
                self.workspace,
                KeyEpoch(
                    Epoch(epoch),
                    self.world.alice,
                    check_value(key),
                    bytes(64),
                    older,
                    rotation_due=False,
                    created_at=self.world.clock.now(),
                ),
            )
        self.keys.append(key)

    def session(self, user: UserId) -> bytes:
        """The token of a new key session."""
        token = new_session_token()
        open_key_session(
            self.world.deps,
            self.hand(user),
            self.workspace,
            token=token,
            sealed=seal_for_session(self.key, token, user),
            epoch=Epoch(self.key.epoch),
            name="laptop",
            way=KeySessionWay.HEADER,
        )
        return token

    def sealed(
        self,
        author: UserId,
        path: str,
        text: str,
        *,
        base: int = 0,
        previous: bytes = NO_PREVIOUS,
        kind: str = "save",
    ) -> SealedText:
        """The next version as the author's client seals it."""
        context = RevisionContext(
            self.workspace, path, self.key.epoch, base + 1, previous, NOTE_GENERATION, kind, author
        )
        return SealedText(Epoch(self.key.epoch), seal(self.key, context, text))

    def opened(self, revision: Revision) -> str:
        """A version's text, opened as a member's client does."""
        assert revision.sealed is not None
        context = RevisionContext(
            self.workspace,
            revision.path,
            revision.sealed.epoch,
            revision.version,
            revision.previous,
            revision.clear_generation,
            revision.kind.value,
            revision.author,
        )
        return open_sealed(self.keys[revision.sealed.epoch - 1], context, revision.sealed.ciphertext)

    def newest(self, document: DocumentId) -> Revision:
        return notes.get_note(self.world.deps, self.hand(self.world.alice), self.workspace, document).newest

    def text(self, document: DocumentId) -> str:
        return self.opened(self.newest(document))

    def make(self, author: UserId, path: str = "notes/tea.md", text: str = "Green tea") -> Head:
        """A new note."""
        return notes.save_note_at(
            self.world.deps,
            self.hand(author),
            self.workspace,
            path,
            base=Version(0),
            sealed=self.sealed(author, path, text),
        )

    def next(
        self, author: UserId, head: Head, text: str, *, kind: str = "save", path: str | None = None
    ) -> SealedText:
        """What follows on a version, sealed."""
        newest = self.newest(head.id)
        return self.sealed(
            author, path or head.path, text, base=head.version, previous=newest.sha256, kind=kind
        )

    def save(self, author: UserId, head: Head, text: str) -> Head:
        """The next version of a note."""
        sealed = self.next(author, head, text)
        return notes.save_note(
            self.world.deps, self.hand(author), self.workspace, head.id, base=head.version, sealed=sealed
        )

    def delete(self, author: UserId, head: Head) -> Head:
        return notes.delete_note(
            self.world.deps, self.hand(author), self.workspace, head.id, base=head.version
        )

    def move(self, author: UserId, head: Head, path: str) -> Head:
        """The same text under another path."""
        sealed = self.next(author, head, self.text(head.id), kind="move", path=path)
        return notes.move_note(
            self.world.deps,
            self.hand(author),
            self.workspace,
            head.id,
            path=path,
            base=head.version,
            sealed=sealed,
        )

    def write_memory(self, author: UserId, text: str = "Release day is Thursday") -> None:
        """The first version of the memory document."""
        path = ".workspace/memory/memory.md"
        documents.save_document(
            self.world.deps,
            self.hand(author),
            self.workspace,
            base=Version(0),
            sealed=self.sealed(author, path, text),
        )

    def paths(self, *, deleted: bool = False) -> list[str]:
        """What alice's list shows."""
        page = notes.list_notes(self.world.deps, self.hand(self.world.alice), self.workspace, deleted=deleted)
        return [each.path for each in page.documents]


def noted_world(world: World) -> Noted:
    """The cast, with the first workspace key."""
    noted = Noted(world)
    noted.begin_epoch()
    return noted
