"""The Python client about notes: the member's half that seals and opens by itself, and the agent's half."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.contract.noted import Noted, noted_world
from tests.e2e.conftest import Live

from workspace_memory.client import WorkspaceMemory
from workspace_memory.client.note_answers import SealedNote
from workspace_memory.client.open_notes import Notes
from workspace_memory.crypto.errors import SealBroken
from workspace_memory.crypto.session_sealing import write_session_token
from workspace_memory.domain.document import MEMORY_PATH, RevisionKind
from workspace_memory.domain.document_errors import (
    EpochConflict,
    KeySessionRequired,
    NamespaceReserved,
    PathTaken,
    VersionConflict,
)
from workspace_memory.domain.errors import NotFound, SecretRefused
from workspace_memory.domain.ids import UserId

SECRET = "The password: 'hunter2-Xy9!kq'"


@pytest.fixture
def noted(live: Live) -> Noted:
    return noted_world(live.world)


@pytest.fixture
def memory(live: Live) -> Iterator[WorkspaceMemory]:
    with WorkspaceMemory(live.url, live.token(live.world.bob)) as client:
        yield client


@pytest.fixture
def notes(noted: Noted, memory: WorkspaceMemory) -> Notes:
    return notes_of(noted, memory, noted.world.bob)


def notes_of(noted: Noted, memory: WorkspaceMemory, user: UserId) -> Notes:
    return Notes(memory, {key.epoch: key for key in noted.keys}, user)


def test_a_note_lives_from_its_first_version_to_its_restoration(notes: Notes) -> None:
    tea = notes.create("notes/tea.md", "Green tea\n")
    tea = notes.save("White tea\n", tea)
    moved = notes.move(tea, "archive/tea.md")
    assert (notes.read("archive/tea.md"), moved.version, moved.text) == (moved, 3, "White tea\n")
    buried = notes.delete(moved)
    assert (buried.live, notes.read("archive/tea.md")) == (False, buried)
    assert [each.path for each in notes.all(deleted=True)] == ["archive/tea.md"]
    back = notes.restore(1, buried)
    assert (notes.read_by_id(tea.id), back.text) == (back, "Green tea\n")
    assert [(each.version, each.kind) for each in notes.history(back)] == [
        (5, RevisionKind.RESTORE),
        (4, RevisionKind.DELETE),
        (3, RevisionKind.MOVE),
        (2, RevisionKind.SAVE),
        (1, RevisionKind.SAVE),
    ]
    assert [notes.version(back, number).text for number in (1, 2, 3, 4)] == [
        "Green tea\n",
        "White tea\n",
        "White tea\n",
        None,
    ]


def test_a_deleted_note_is_saved_anew(notes: Notes) -> None:
    buried = notes.delete(notes.create("a.md", "one"))
    assert notes.save("two", buried).live
    assert notes.read("a.md").text == "two"


def test_conflicts_arrive_as_their_classes(notes: Notes) -> None:
    shown = notes.create("a.md", "one")
    notes.save("two", shown)
    with pytest.raises(VersionConflict) as refused:
        notes.save("late", shown)
    assert refused.value.current == 2
    with pytest.raises(PathTaken):
        notes.create("a.md", "again")
    with pytest.raises(NamespaceReserved):
        notes.create(".Workspace/memory/x.md", "x")


def test_a_note_of_an_older_key_is_read_and_written_under_the_newest(
    noted: Noted, memory: WorkspaceMemory, notes: Notes
) -> None:
    shown = notes.create("a.md", "one")
    noted.begin_epoch()
    with pytest.raises(EpochConflict):
        notes.save("two", shown)
    newer = notes_of(noted, memory, noted.world.bob)
    assert newer.save("two", newer.read("a.md")).version == 2
    assert newer.read("a.md").text == "two"
    with pytest.raises(SealBroken):
        notes.read("a.md")


def test_a_server_cannot_pass_another_note_off(
    notes: Notes, memory: WorkspaceMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes.create("a.md", "the right one")
    notes.create("b.md", "another one")
    a, b = memory.get_note_at("a.md"), memory.get_note_at("b.md")

    def pass_off(answer: SealedNote) -> None:
        def get_note_at(_path: str) -> SealedNote:
            return answer

        monkeypatch.setattr(memory, "get_note_at", get_note_at)

    for answer in (
        b,
        replace(a, newest=b.newest),
        replace(b, path="a.md", newest=replace(b.newest, path="a.md")),
    ):
        pass_off(answer)
        with pytest.raises(SealBroken):
            notes.read("a.md")


def test_the_list_goes_over_every_page(noted: Noted, notes: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workspace_memory.client.notes.PAGE", 2)
    noted.write_memory(noted.world.alice)
    for number in range(4):
        notes.create(f"{number}.md", "x")
    assert [each.path for each in notes.all()] == [MEMORY_PATH, "0.md", "1.md", "2.md", "3.md"]


def test_an_agent_writes_what_a_member_reads(noted: Noted, memory: WorkspaceMemory, notes: Notes) -> None:
    key_session = write_session_token(noted.session(noted.world.bob))
    written = memory.put_plain_note("a.md", "Tea at four\n", base=0, key_session=key_session)
    assert (written.outcome, written.version, notes.read("a.md").text) == ("written", 1, "Tea at four\n")
    for propose in (memory.propose_plain_note, memory.propose_note):
        proposal = propose("a.md", "Tea at five\n", base=1, key_session=key_session)
        assert (proposal.path, proposal.base_version, proposal.state) == ("a.md", 1, "open")
    memory.move_plain_note("a.md", "b.md", base=1, key_session=key_session)
    memory.delete_plain_note("b.md", base=2, key_session=key_session)
    memory.restore_plain_note("b.md", 1, base=3, key_session=key_session)
    read = memory.read_plain_note("b.md", key_session=key_session)
    assert (read.text, read.version) == ("Tea at four\n", 4)
    assert notes.read("b.md").text == "Tea at four\n"
    found = list(memory.search_plain_notes("TEA", key_session=key_session))
    assert [(each.path, each.lines[0].text) for each in found] == [("b.md", "Tea at four")]
    assert [each.path for each in memory.list_plain_notes(key_session=key_session)] == ["b.md"]


def test_what_an_agent_may_not_arrives_as_its_class(noted: Noted, memory: WorkspaceMemory) -> None:
    key_session = write_session_token(noted.session(noted.world.bob))
    nobodys = write_session_token(bytes(32))
    with pytest.raises(NamespaceReserved):
        memory.read_plain_note(".workspace/memory/memory.md", key_session=key_session)
    with pytest.raises(SecretRefused):
        memory.put_plain_note("a.md", SECRET, base=0, key_session=key_session)
    with pytest.raises(NotFound):
        memory.read_plain_note("a.md", key_session=key_session)
    with pytest.raises(KeySessionRequired):
        memory.read_plain_note("a.md", key_session=nobodys)
