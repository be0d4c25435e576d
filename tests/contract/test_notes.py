"""Notes as people write them: versions, tombstones, moves, who may, and what is refused."""

from datetime import timedelta

import pytest
from sqlalchemy import insert
from tests.conftest import World
from tests.contract.noted import Noted, noted_world
from tests.contract.together import answers, at_once, failures

from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.document import (
    MEMORY_PATH,
    NO_PREVIOUS,
    SEAL_BYTES,
    TEXT_BYTES_MAX,
    DocumentKind,
    Head,
    RevisionKind,
    SealedText,
)
from workspace_memory.domain.document_errors import (
    EpochConflict,
    NamespaceReserved,
    PathTaken,
    VersionConflict,
)
from workspace_memory.domain.errors import Forbidden, InvalidRequest, LevelTooLow, NotFound, QuotaExceeded
from workspace_memory.domain.ids import DocumentId, Epoch, UserId, Version
from workspace_memory.domain.note import NOTES_MAX
from workspace_memory.services import notes
from workspace_memory.services.audit import AuditQuery, list_audit
from workspace_memory.services.documents import clear_document
from workspace_memory.services.members import change_member
from workspace_memory.storage.document_tables import documents

NOTHING = DocumentId("019d2f6e-8c1a-7b42-9d3e-5f60718293a4")


@pytest.fixture
def noted(world: World) -> Noted:
    return noted_world(world)


def restore(noted: Noted, author: UserId, head: Head, version: int, text: str) -> Head:
    sealed = noted.next(author, head, text, kind="restore")
    return notes.restore_note(
        noted.world.deps,
        noted.hand(author),
        noted.workspace,
        head.id,
        version=Version(version),
        base=head.version,
        sealed=sealed,
    )


def history(noted: Noted, head: Head) -> list[tuple[int, RevisionKind]]:
    page = notes.list_note_revisions(
        noted.world.deps, noted.hand(noted.world.carol), noted.workspace, head.id
    )
    return [(each.version, each.kind) for each in page.revisions]


def test_a_note_is_read_by_another_member_with_the_text_that_was_sealed(noted: Noted) -> None:
    made = noted.make(noted.world.bob, "notes/tea.md", "Green tea")
    for note in (
        notes.get_note(noted.world.deps, noted.hand(noted.world.carol), noted.workspace, made.id),
        notes.get_note_at(noted.world.deps, noted.hand(noted.world.carol), noted.workspace, "notes/tea.md"),
    ):
        assert (note.head.path, note.head.version, noted.opened(note.newest)) == (
            "notes/tea.md",
            1,
            "Green tea",
        )


def test_the_next_version_is_bound_to_the_one_before(noted: Noted) -> None:
    made = noted.make(noted.world.bob)
    first = noted.newest(made.id)
    after = noted.save(noted.world.alice, made, "White tea")
    newest = noted.newest(made.id)
    assert (after.version, newest.previous, noted.opened(newest)) == (2, first.sha256, "White tea")
    assert history(noted, made) == [(2, RevisionKind.SAVE), (1, RevisionKind.SAVE)]


def test_an_older_version_can_be_read(noted: Noted) -> None:
    made = noted.make(noted.world.bob, text="Green tea")
    noted.save(noted.world.bob, made, "White tea")
    older = notes.get_note_revision(
        noted.world.deps, noted.hand(noted.world.carol), noted.workspace, made.id, Version(1)
    )
    assert noted.opened(older) == "Green tea"


def test_a_write_against_another_version_writes_nothing(noted: Noted) -> None:
    made = noted.make(noted.world.bob)
    noted.save(noted.world.alice, made, "White tea")
    with pytest.raises(VersionConflict) as refused:
        noted.save(noted.world.bob, made, "Black tea")
    assert (refused.value.current, noted.text(made.id)) == (2, "White tea")


def test_a_path_is_taken_by_a_live_note_alone(noted: Noted) -> None:
    made = noted.make(noted.world.bob)
    with pytest.raises(PathTaken):
        noted.make(noted.world.alice)
    noted.delete(noted.world.bob, made)
    again = noted.make(noted.world.alice)
    assert again.id != made.id


def test_a_write_at_a_path_where_nothing_ever_was_names_version_0(noted: Noted) -> None:
    with pytest.raises(VersionConflict) as refused:
        notes.save_note_at(
            noted.world.deps,
            noted.hand(noted.world.bob),
            noted.workspace,
            "notes/tea.md",
            base=Version(3),
            sealed=noted.sealed(noted.world.bob, "notes/tea.md", "x", base=3),
        )
    assert refused.value.current == 0


def test_a_deleted_note_keeps_its_history_and_stands_in_the_list_of_deleted_ones(noted: Noted) -> None:
    made = noted.make(noted.world.bob)
    after = noted.delete(noted.world.alice, made)
    newest = noted.newest(made.id)
    assert (after.live, after.version, newest.sealed, newest.sha256) == (False, 2, None, NO_PREVIOUS)
    assert history(noted, made) == [(2, RevisionKind.DELETE), (1, RevisionKind.SAVE)]
    assert (noted.paths(), noted.paths(deleted=True)) == ([], ["notes/tea.md"])


def test_a_deleted_note_cannot_be_deleted_or_moved(noted: Noted) -> None:
    made = noted.make(noted.world.bob, text="Green tea")
    buried = noted.delete(noted.world.bob, made)
    with pytest.raises(NotFound):
        noted.delete(noted.world.bob, buried)
    with pytest.raises(NotFound):
        notes.move_note(
            noted.world.deps,
            noted.hand(noted.world.bob),
            noted.workspace,
            made.id,
            path="b.md",
            base=buried.version,
            sealed=noted.next(noted.world.bob, buried, "x", kind="move", path="b.md"),
        )


@pytest.mark.parametrize("by_path", [True, False])
def test_a_save_against_the_tombstone_revives_the_note(noted: Noted, by_path: bool) -> None:
    bob = noted.world.bob
    made = noted.make(bob)
    buried = noted.delete(bob, made)
    sealed = noted.next(bob, buried, "Tea again")
    if by_path:
        after = notes.save_note_at(
            noted.world.deps, noted.hand(bob), noted.workspace, made.path, base=buried.version, sealed=sealed
        )
    else:
        after = noted.save(bob, buried, "Tea again")
    assert (after.id, after.version, after.live, noted.text(made.id)) == (made.id, 3, True, "Tea again")


def test_a_tombstone_is_not_revived_by_a_write_from_before_it(noted: Noted) -> None:
    made = noted.make(noted.world.bob)
    sealed = noted.next(noted.world.bob, made, "late")
    noted.delete(noted.world.alice, made)
    with pytest.raises(VersionConflict) as refused:
        notes.save_note(
            noted.world.deps,
            noted.hand(noted.world.bob),
            noted.workspace,
            made.id,
            base=made.version,
            sealed=sealed,
        )
    assert (refused.value.current, refused.value.live) == (2, False)


def test_a_note_cannot_be_revived_where_another_one_stands_by_now(noted: Noted) -> None:
    buried = noted.delete(noted.world.bob, noted.make(noted.world.bob))
    noted.make(noted.world.alice)
    with pytest.raises(PathTaken):
        noted.save(noted.world.bob, buried, "mine")


def test_a_moved_note_is_the_same_one_with_a_version_sealed_under_the_new_path(noted: Noted) -> None:
    made = noted.make(noted.world.bob, "a.md", "Green tea")
    after = noted.move(noted.world.alice, made, "folder/b.md")
    assert (after.id, after.path, after.version, noted.text(made.id)) == (
        made.id,
        "folder/b.md",
        2,
        "Green tea",
    )
    assert noted.paths() == ["folder/b.md"]
    older = notes.get_note_revision(
        noted.world.deps, noted.hand(noted.world.bob), noted.workspace, made.id, Version(1)
    )
    assert (older.path, noted.opened(older)) == ("a.md", "Green tea")


def test_a_note_is_not_moved_onto_another_one_nor_to_where_it_is(noted: Noted) -> None:
    made = noted.make(noted.world.bob, "a.md")
    other = noted.make(noted.world.bob, "b.md", "Other")
    with pytest.raises(PathTaken):
        noted.move(noted.world.bob, made, "b.md")
    with pytest.raises(InvalidRequest, match="already"):
        noted.move(noted.world.bob, made, "a.md")
    assert (noted.paths(), noted.text(other.id)) == (["a.md", "b.md"], "Other")


def test_an_older_text_is_restored_as_a_new_version(noted: Noted) -> None:
    made = noted.make(noted.world.bob, text="Green tea")
    second = noted.save(noted.world.bob, made, "White tea")
    after = restore(noted, noted.world.alice, second, 1, "Green tea")
    assert (after.version, noted.text(made.id)) == (3, "Green tea")
    assert history(noted, made)[0] == (3, RevisionKind.RESTORE)


def test_a_deleted_note_is_restored_too(noted: Noted) -> None:
    made = noted.make(noted.world.bob, text="Green tea")
    buried = noted.delete(noted.world.bob, made)
    after = restore(noted, noted.world.bob, buried, 1, "Green tea")
    assert (after.live, noted.text(made.id)) == (True, "Green tea")


@pytest.mark.parametrize("version", [2, 9])
def test_only_a_version_with_a_text_can_be_restored(noted: Noted, version: int) -> None:
    buried = noted.delete(noted.world.bob, noted.make(noted.world.bob))
    with pytest.raises(NotFound):
        restore(noted, noted.world.bob, buried, version, "x")


def test_a_deletion_is_in_the_audit_log(noted: Noted) -> None:
    made = noted.make(noted.world.bob)
    noted.delete(noted.world.bob, made)
    found = list_audit(
        noted.world.deps,
        noted.hand(noted.world.alice),
        noted.workspace,
        AuditQuery(action=AuditAction.DOCUMENT_DELETED),
    )
    assert [dict(each.facts) for each in found.events] == [{"document": made.id, "version": 2}]


def test_a_clear_of_the_memory_changes_nothing_about_notes(noted: Noted) -> None:
    made = noted.make(noted.world.bob, text="Green tea")
    sealed = noted.next(noted.world.bob, made, "White tea")
    clear_document(
        noted.world.deps,
        noted.hand(noted.world.alice),
        noted.workspace,
        base=Version(0),
        sealed=SealedText(Epoch(1), bytes(SEAL_BYTES)),
    )
    notes.save_note(
        noted.world.deps,
        noted.hand(noted.world.bob),
        noted.workspace,
        made.id,
        base=made.version,
        sealed=sealed,
    )
    assert noted.text(made.id) == "White tea"


def test_notes_of_an_older_key_stay_readable_and_new_ones_need_the_newest(noted: Noted) -> None:
    made = noted.make(noted.world.bob, text="Green tea")
    stale = noted.next(noted.world.bob, made, "White tea")
    noted.begin_epoch()
    with pytest.raises(EpochConflict):
        notes.save_note(
            noted.world.deps,
            noted.hand(noted.world.bob),
            noted.workspace,
            made.id,
            base=made.version,
            sealed=stale,
        )
    assert noted.text(made.id) == "Green tea"
    noted.save(noted.world.bob, made, "White tea")
    assert noted.text(made.id) == "White tea"


@pytest.mark.parametrize(("over", "kept"), [(0, True), (1, False)])
def test_a_text_of_192_kib_is_kept_and_one_byte_more_is_refused(noted: Noted, over: int, kept: bool) -> None:
    text = "x" * (TEXT_BYTES_MAX + over)
    if kept:
        assert noted.text(noted.make(noted.world.bob, text=text).id) == text
    else:
        with pytest.raises(InvalidRequest, match="196,608"):
            noted.make(noted.world.bob, text=text)


# --- The list ------------------------------------------------------------------------------------------------


@pytest.mark.requirement("document:namespace:human-management-unchanged")
def test_the_list_shows_the_memory_document_among_the_others(noted: Noted) -> None:
    noted.write_memory(noted.world.alice)
    noted.make(noted.world.bob, "notes/tea.md")
    page = notes.list_notes(noted.world.deps, noted.hand(noted.world.carol), noted.workspace)
    assert [(each.path, each.kind, each.version) for each in page.documents] == [
        (MEMORY_PATH, DocumentKind.MEMORY, 1),
        ("notes/tea.md", DocumentKind.NOTE, 1),
    ]


@pytest.mark.parametrize("deleted", [False, True])
def test_pages_follow_each_other_without_a_gap(noted: Noted, deleted: bool) -> None:
    names = [f"notes/{number:02}.md" for number in range(7)]
    for name in names:
        made = noted.make(noted.world.bob, name)
        if deleted:
            noted.delete(noted.world.bob, made)
            noted.delete(noted.world.bob, noted.make(noted.world.bob, name))
    seen: list[str] = []
    cursor = None
    while True:
        page = notes.list_notes(
            noted.world.deps,
            noted.hand(noted.world.alice),
            noted.workspace,
            deleted=deleted,
            cursor=cursor,
            limit=3,
        )
        seen += [each.path for each in page.documents]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == ([name for name in names for _ in range(2)] if deleted else names)


def test_a_cursor_of_another_list_is_refused(noted: Noted) -> None:
    for name in ("a.md", "b.md"):
        noted.make(noted.world.bob, name)
    alice = noted.hand(noted.world.alice)
    cursor = notes.list_notes(noted.world.deps, alice, noted.workspace, limit=1).next_cursor
    with pytest.raises(InvalidRequest, match="cursor"):
        notes.list_notes(noted.world.deps, alice, noted.workspace, deleted=True, cursor=cursor)


# --- Who may -------------------------------------------------------------------------------------------------


def test_a_viewer_reads_and_writes_nothing(noted: Noted) -> None:
    world = noted.world
    made = noted.make(world.bob)
    buried = noted.delete(world.bob, noted.make(world.bob, "old.md"))
    assert noted.opened(notes.get_note(world.deps, noted.hand(world.carol), noted.workspace, made.id).newest)
    for attempt in (
        lambda: noted.make(world.carol, "mine.md"),
        lambda: noted.save(world.carol, made, "x"),
        lambda: noted.delete(world.carol, made),
        lambda: noted.move(world.carol, made, "b.md"),
        lambda: restore(noted, world.carol, buried, 1, "x"),
    ):
        with pytest.raises(Forbidden):
            attempt()
    assert noted.paths() == ["notes/tea.md"]


def test_another_workspace_has_no_part_in_it(noted: Noted) -> None:
    world = noted.world
    made = noted.make(world.bob)
    mallory = noted.hand(world.mallory)
    for attempt in (
        lambda: notes.list_notes(world.deps, mallory, world.workspace),
        lambda: notes.get_note(world.deps, mallory, world.workspace, made.id),
        lambda: notes.get_note_at(world.deps, mallory, world.workspace, made.path),
        lambda: notes.list_note_revisions(world.deps, mallory, world.workspace, made.id),
        lambda: notes.get_note(world.deps, mallory, world.other_workspace, made.id),
        lambda: notes.get_note_at(world.deps, mallory, world.other_workspace, made.path),
        lambda: noted.delete(world.mallory, made),
    ):
        with pytest.raises(NotFound):
            attempt()


def test_who_is_deactivated_reads_nothing(noted: Noted) -> None:
    world = noted.world
    made = noted.make(world.bob)
    change_member(
        world.deps, noted.hand(world.alice), world.workspace, world.carol, status=MemberStatus.DEACTIVATED
    )
    with pytest.raises(Forbidden):
        notes.get_note(world.deps, noted.hand(world.carol), world.workspace, made.id)


def test_a_token_that_only_reads_writes_nothing(noted: Noted) -> None:
    world = noted.world
    made = noted.make(world.bob)
    reader = world.by_hand(world.bob, max_level=AccessLevel.READ)
    assert notes.get_note(world.deps, reader, world.workspace, made.id).head == made
    with pytest.raises(LevelTooLow):
        notes.delete_note(world.deps, reader, world.workspace, made.id, base=made.version)


# --- The reserved namespace, and plain paths -----------------------------------------------------------------


@pytest.mark.parametrize("path", [MEMORY_PATH, ".workspace/memory/x.md", ".Workspace//Memory", ".workspace"])
def test_no_note_is_written_read_or_moved_into_the_namespace(noted: Noted, path: str) -> None:
    world = noted.world
    made = noted.make(world.bob)
    bob = noted.hand(world.bob)
    for attempt in (
        lambda: noted.make(world.bob, path),
        lambda: noted.move(world.bob, made, path),
        lambda: notes.get_note_at(world.deps, bob, world.workspace, path),
    ):
        with pytest.raises(NamespaceReserved):
            attempt()


def test_the_memory_document_is_no_note_by_its_id(noted: Noted) -> None:
    world = noted.world
    noted.write_memory(world.alice)
    page = notes.list_notes(world.deps, noted.hand(world.bob), world.workspace)
    memory = page.documents[0]
    bob = noted.hand(world.bob)
    sealed = noted.sealed(world.bob, memory.path, "x", base=1)
    for attempt in (
        lambda: notes.get_note(world.deps, bob, world.workspace, memory.id),
        lambda: notes.list_note_revisions(world.deps, bob, world.workspace, memory.id),
        lambda: notes.get_note_revision(world.deps, bob, world.workspace, memory.id, Version(1)),
        lambda: notes.save_note(world.deps, bob, world.workspace, memory.id, base=Version(1), sealed=sealed),
        lambda: notes.delete_note(world.deps, bob, world.workspace, memory.id, base=Version(1)),
        lambda: notes.move_note(
            world.deps, bob, world.workspace, memory.id, path="x.md", base=Version(1), sealed=sealed
        ),
        lambda: notes.restore_note(
            world.deps, bob, world.workspace, memory.id, version=Version(1), base=Version(1), sealed=sealed
        ),
    ):
        with pytest.raises(NamespaceReserved):
            attempt()


def test_a_call_by_id_is_about_the_stored_path(noted: Noted) -> None:
    """A row that got into the namespace by another way is not reached through its id."""
    world = noted.world
    made = noted.make(world.bob)
    with world.deps.database.begin() as tx:
        tx.connection.execute(
            documents.update().where(documents.c.id == made.id).values(path=".WORKSPACE/memory/x.md")
        )
    with pytest.raises(NamespaceReserved):
        notes.get_note(world.deps, noted.hand(world.bob), world.workspace, made.id)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/a.md",
        "a/",
        "a//b",
        "./a",
        "a/./b",
        "a/../b",
        "../a",
        "a\\b",
        "a\0b",
        "a\nb",
        "cafe\u0301",
        "x" * 1_025,
    ],
)
def test_a_path_is_stored_in_plain_form_or_not_at_all(noted: Noted, path: str) -> None:
    with pytest.raises((InvalidRequest, NamespaceReserved)):
        noted.make(noted.world.bob, path)
    assert noted.paths() == []


@pytest.mark.parametrize("path", ["a", "notes/a:b.md", "café/メモリー.md", "50% off.md", " a ", "x" * 1_024])
def test_what_is_another_name_is_kept_as_it_is(noted: Noted, path: str) -> None:
    noted.make(noted.world.bob, path)
    assert noted.paths() == [path]


def test_an_id_that_names_nothing_is_not_found(noted: Noted) -> None:
    for document in (NOTHING, DocumentId("x")):
        with pytest.raises(NotFound):
            notes.get_note(noted.world.deps, noted.hand(noted.world.bob), noted.workspace, document)


# --- Limits and races ----------------------------------------------------------------------------------------


def fill(noted: Noted, number: int, *, live: bool = True) -> None:
    at = noted.world.clock.now() - timedelta(days=1)
    rows = [
        {
            "workspace_id": noted.workspace,
            "id": noted.world.deps.new_id(),
            "kind": "note",
            "path": f"filler/{position}.md",
            "version": 1,
            "live": live,
            "created_at": at,
            "updated_at": at,
        }
        for position in range(number)
    ]
    with noted.world.deps.database.begin() as tx:
        tx.connection.execute(insert(documents), rows)


def test_parallel_creates_leave_exactly_10000(noted: Noted) -> None:
    fill(noted, NOTES_MAX - 4)
    outcomes = at_once(*(lambda n=number: noted.make(noted.world.bob, f"new/{n}.md") for number in range(9)))
    assert (len(answers(outcomes)), set(failures(outcomes))) == (4, {QuotaExceeded})


def test_a_deleted_note_makes_room_and_takes_it_when_it_comes_back(noted: Noted) -> None:
    buried = noted.delete(noted.world.bob, noted.make(noted.world.bob))
    fill(noted, NOTES_MAX)
    with pytest.raises(QuotaExceeded):
        noted.save(noted.world.bob, buried, "again")
    with pytest.raises(QuotaExceeded):
        noted.make(noted.world.bob, "one-more.md")


def test_deleted_notes_do_not_count(noted: Noted) -> None:
    fill(noted, NOTES_MAX, live=False)
    assert noted.make(noted.world.bob).version == 1


def test_of_two_creates_of_a_path_one_wins(noted: Noted) -> None:
    world = noted.world
    outcomes = at_once(
        lambda: noted.make(world.alice, text="hers"), lambda: noted.make(world.bob, text="his")
    )
    assert (len(answers(outcomes)), failures(outcomes)) == (1, [PathTaken])
    [head] = answers(outcomes)
    assert noted.text(head.id) in {"hers", "his"}


def test_of_a_move_onto_a_path_and_a_create_there_one_wins(noted: Noted) -> None:
    world = noted.world
    made = noted.make(world.bob, "a.md", "moved")
    sealed = noted.next(world.bob, made, "moved", kind="move", path="b.md")
    outcomes = at_once(
        lambda: notes.move_note(
            world.deps,
            noted.hand(world.bob),
            noted.workspace,
            made.id,
            path="b.md",
            base=made.version,
            sealed=sealed,
        ),
        lambda: noted.make(world.alice, "b.md", "made"),
    )
    assert (len(answers(outcomes)), failures(outcomes)) == (1, [PathTaken])
    assert noted.paths().count("b.md") == 1


def test_of_two_saves_on_one_version_one_wins(noted: Noted) -> None:
    world = noted.world
    made = noted.make(world.bob)
    outcomes = at_once(
        lambda: noted.save(world.alice, made, "hers"), lambda: noted.save(world.bob, made, "his")
    )
    assert (len(answers(outcomes)), failures(outcomes)) == (1, [VersionConflict])
    assert noted.text(made.id) in {"hers", "his"}
