"""Documents and their sealed versions. Every write is a compare-and-set from one version to the next.

`Documents` has two halves: the memory document is reached by `memory_…`, and everything else leaves rows of kind
`memory` out in SQL, as a second wall behind the reserved namespace.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, Row, Select, and_, bindparam, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from workspace_memory.domain.document import (
    MEMORY_PATH,
    NO_PREVIOUS,
    DocumentKind,
    Head,
    Revision,
    RevisionKind,
    SealedText,
)
from workspace_memory.domain.document_errors import PathTaken, VersionConflict
from workspace_memory.domain.ids import (
    ClearGeneration,
    DocumentId,
    Epoch,
    UserId,
    Version,
    WorkspaceId,
    is_id,
)
from workspace_memory.domain.note import Place
from workspace_memory.storage.document_tables import document_versions, documents

_MEMORY = select(documents).where(
    documents.c.workspace_id == bindparam("workspace"), documents.c.kind == DocumentKind.MEMORY.value
)
_REVISION = select(document_versions).where(
    document_versions.c.workspace_id == bindparam("workspace"),
    document_versions.c.document_id == bindparam("document"),
    document_versions.c.version == bindparam("version"),
)
_NOTES = select(documents).where(documents.c.kind == DocumentKind.NOTE.value)


class Documents:
    """Rows of `documents` and `document_versions`; write under the workspace lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def memory_head(self, workspace: WorkspaceId) -> Head | None:
        """The memory document's head, also a tombstone; None when nobody ever wrote it."""
        row = self._connection.execute(_MEMORY, {"workspace": workspace}).first()
        return None if row is None else _head(row)

    def note(self, workspace: WorkspaceId, document: DocumentId) -> Head | None:
        """A note by its id, also a tombstone."""
        if not is_id(document):
            return None
        row = self._connection.execute(
            _NOTES.where(documents.c.workspace_id == workspace, documents.c.id == document)
        ).first()
        return None if row is None else _head(row)

    def note_at(self, workspace: WorkspaceId, path: str) -> Head | None:
        """The live note at a path, or else the tombstone that was there last."""
        row = self._connection.execute(
            _NOTES.where(documents.c.workspace_id == workspace, documents.c.path == path)
            .order_by(documents.c.live.desc(), documents.c.updated_at.desc(), documents.c.id.desc())
            .limit(1)
        ).first()
        return None if row is None else _head(row)

    def notes(
        self, workspace: WorkspaceId, *, live: bool = True, after: Place | None = None, limit: int
    ) -> list[Head]:
        """Notes in the order of path and id; `after` is the place of the last one of the page before."""
        return self._heads(_NOTES, workspace, live=live, after=after, limit=limit)

    def all_documents(
        self, workspace: WorkspaceId, *, live: bool = True, after: Place | None = None, limit: int
    ) -> list[Head]:
        """The same with the memory document among them: for lists that people see, and for nothing else."""
        return self._heads(select(documents), workspace, live=live, after=after, limit=limit)

    def notes_with_texts(
        self, workspace: WorkspaceId, *, after: Place | None, limit: int, below: str = "", named: str = ""
    ) -> list[tuple[Head, Revision]]:
        """Live notes, each with its newest version, in the order of path and id.

        Those whose path begins with `below` and whose last name is `named`, where they are given.
        """
        kind = _NOTES
        if below:
            kind = kind.where(documents.c.path.startswith(below, autoescape=True))
        if named:
            kind = kind.where(documents.c.path.endswith(f"/{named}", autoescape=True))
        heads = self._heads(kind, workspace, live=True, after=after, limit=limit)
        statement = (
            select(document_versions)
            .join(
                documents,
                (documents.c.workspace_id == document_versions.c.workspace_id)
                & (documents.c.id == document_versions.c.document_id)
                & (documents.c.version == document_versions.c.version),
            )
            .where(
                documents.c.workspace_id == workspace,
                documents.c.kind == DocumentKind.NOTE.value,
                documents.c.id.in_([head.id for head in heads]),
            )
        )
        newest = {row.document_id: _revision(row) for row in self._connection.execute(statement)}
        return [(head, newest[head.id]) for head in heads if head.id in newest]

    def count_notes(self, workspace: WorkspaceId) -> int:
        """How many notes there are; a deleted one does not count."""
        return self._connection.execute(
            select(func.count())
            .select_from(documents)
            .where(
                documents.c.workspace_id == workspace,
                documents.c.kind == DocumentKind.NOTE.value,
                documents.c.live.is_(True),
            )
        ).scalar_one()

    def _heads(
        self,
        statement: Select[tuple[object, ...]],
        workspace: WorkspaceId,
        *,
        live: bool,
        after: Place | None,
        limit: int,
    ) -> list[Head]:
        statement = statement.where(documents.c.workspace_id == workspace, documents.c.live.is_(live))
        if after is not None:
            # Deleted documents may share a path, hence the id.
            statement = statement.where(
                or_(
                    documents.c.path > after.path,
                    and_(documents.c.path == after.path, documents.c.id > after.document),
                )
            )
        rows = self._connection.execute(statement.order_by(documents.c.path, documents.c.id).limit(limit))
        return [_head(row) for row in rows]

    def revision(self, workspace: WorkspaceId, document: DocumentId, version: Version) -> Revision | None:
        """One version of a document."""
        names = {"workspace": workspace, "document": document, "version": version}
        row = self._connection.execute(_REVISION, names).first()
        return None if row is None else _revision(row)

    def revisions(
        self, workspace: WorkspaceId, document: DocumentId, *, before: Version | None, limit: int
    ) -> Sequence[Revision]:
        """Versions newest first; `before` is the version where the page before ended."""
        statement = select(document_versions).where(
            document_versions.c.workspace_id == workspace, document_versions.c.document_id == document
        )
        if before is not None:
            statement = statement.where(document_versions.c.version < before)
        rows = self._connection.execute(statement.order_by(document_versions.c.version.desc()).limit(limit))
        return [_revision(row) for row in rows]

    def create(
        self,
        workspace: WorkspaceId,
        document: DocumentId,
        kind: DocumentKind,
        revision: RevisionKind,
        sealed: SealedText,
        *,
        path: str = MEMORY_PATH,
        author: UserId,
        generation: ClearGeneration,
        at: datetime,
    ) -> Head:
        """Version 1 of a document that was never there. Raises: VersionConflict, PathTaken when it is there by now."""
        try:
            # In a part of its own: on PostgreSQL the whole transaction would be lost with the violated index.
            with self._connection.begin_nested():
                self._connection.execute(
                    insert(documents).values(
                        workspace_id=workspace,
                        id=document,
                        kind=kind.value,
                        path=path,
                        version=1,
                        live=True,
                        created_at=at,
                        updated_at=at,
                    )
                )
        except IntegrityError:
            if kind is DocumentKind.NOTE:
                raise PathTaken from None
            raise VersionConflict(current=1) from None
        head = Head(document, kind, path, Version(1), live=True, created_at=at, updated_at=at)
        self._add_version(
            workspace, head, revision, sealed, previous=NO_PREVIOUS, author=author, generation=generation
        )
        return head

    def append(
        self,
        workspace: WorkspaceId,
        head: Head,
        revision: RevisionKind,
        sealed: SealedText | None,
        *,
        expected: Version,
        author: UserId,
        generation: ClearGeneration,
        at: datetime,
        path: str | None = None,
        require_live: bool = False,
    ) -> Head:
        """The next version, a tombstone without a text. Raises: VersionConflict, PathTaken."""
        new_path = head.path if path is None else path
        live = sealed is not None
        wanted = [
            documents.c.workspace_id == workspace,
            documents.c.id == head.id,
            documents.c.version == expected,
        ]
        if require_live:
            wanted.append(documents.c.live.is_(True))
        try:
            with self._connection.begin_nested():
                changed = self._connection.execute(
                    update(documents)
                    .where(*wanted)
                    .values(version=expected + 1, live=live, path=new_path, updated_at=at)
                )
        except IntegrityError:
            raise PathTaken from None
        if changed.rowcount != 1:
            raise VersionConflict(current=head.version, live=head.live)
        after = Head(head.id, head.kind, new_path, Version(expected + 1), live, head.created_at, at)
        before = self.revision(workspace, head.id, expected)
        previous = NO_PREVIOUS if before is None else before.sha256
        self._add_version(
            workspace, after, revision, sealed, previous=previous, author=author, generation=generation
        )
        return after

    def _add_version(
        self,
        workspace: WorkspaceId,
        head: Head,
        revision: RevisionKind,
        sealed: SealedText | None,
        *,
        previous: bytes,
        author: UserId,
        generation: ClearGeneration,
    ) -> None:
        self._connection.execute(
            insert(document_versions).values(
                workspace_id=workspace,
                document_id=head.id,
                version=head.version,
                kind=revision.value,
                path=head.path,
                epoch=None if sealed is None else sealed.epoch,
                sealed=None if sealed is None else sealed.ciphertext,
                sha256=None if sealed is None else sealed.sha256,
                previous_sha256=previous,
                author_id=author,
                clear_generation=generation,
                at=head.updated_at,
            )
        )


def _head(row: Row[tuple[object, ...]]) -> Head:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    return Head(
        id=DocumentId(facts["id"]),
        kind=DocumentKind(facts["kind"]),
        path=facts["path"],
        version=Version(facts["version"]),
        live=facts["live"],
        created_at=facts["created_at"],
        updated_at=facts["updated_at"],
    )


def _revision(row: Row[tuple[object, ...]]) -> Revision:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    sealed = None if facts["sealed"] is None else SealedText(Epoch(facts["epoch"]), bytes(facts["sealed"]))
    return Revision(
        document=DocumentId(facts["document_id"]),
        version=Version(facts["version"]),
        kind=RevisionKind(facts["kind"]),
        path=facts["path"],
        sealed=sealed,
        previous=bytes(facts["previous_sha256"]),
        author=UserId(facts["author_id"]),
        clear_generation=ClearGeneration(facts["clear_generation"]),
        at=facts["at"],
    )
