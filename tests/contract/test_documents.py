"""The memory document as people write it: one text, kept in encrypted versions; Save, Clear, Undo, delete."""

import hashlib
from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError
from tests.conftest import World
from tests.contract.memory_rows import column, counts, every_byte
from tests.contract.memory_stage import Stage, add, make_stage
from tests.contract.together import answers, at_once, failures

from workspace_memory.domain.document import MEMORY_PATH, TEXT_BYTES_MAX, RevisionKind, SealedText
from workspace_memory.domain.document_errors import (
    AdmissionRetired,
    EpochConflict,
    ProposalSettled,
    VersionConflict,
)
from workspace_memory.domain.errors import Forbidden, InvalidRequest, NotFound
from workspace_memory.domain.ids import ClearGeneration, Epoch, Version
from workspace_memory.domain.policy import Mode
from workspace_memory.services.documents import (
    Written,
    clear_document,
    delete_document,
    get_document,
    get_revision,
    list_revisions,
    save_document,
)
from workspace_memory.services.proposals import apply_proposal, share_proposal
from workspace_memory.storage.document_tables import (
    document_versions,
    documents,
    memory_commit_fence,
    memory_policies,
)

requirement = pytest.mark.requirement
TEXT = "# Team\r\n\r\n- Märta owns Berlin 🫖  \r\n```\n<b>&amp;</b>\n```\n\n"


@pytest.fixture
def stage(world: World) -> Stage:
    return make_stage(world)


@pytest.fixture
def empty(world: World) -> Stage:
    """A workspace whose document nobody has written yet."""
    return make_stage(world, text=None)


# --- One text, in encrypted versions -------------------------------------------------------------------------


@requirement("document:text:one-per-workspace")
def test_a_workspace_has_one_document_however_many_first_saves_there_are(empty: Stage) -> None:
    world = empty.world
    writers = [world.alice, world.bob, world.alice, world.bob]
    outcomes = at_once(*[lambda by=by: empty.save("mine", by, base=Version(0)) for by in writers])
    assert [written.version for written in answers(outcomes)] == [1]
    assert failures(outcomes) == [VersionConflict] * 3
    assert column(world, documents, "path") == [MEMORY_PATH]


@requirement("document:text:one-per-workspace")
def test_another_workspace_has_a_document_of_its_own(stage: Stage) -> None:
    world = stage.world
    theirs = get_document(world.deps, world.by_hand(world.mallory), world.other_workspace)
    assert theirs.newest is None
    with pytest.raises(NotFound):
        get_document(world.deps, world.by_hand(world.mallory), world.workspace)


@requirement("document:text:plain-markdown")
def test_the_text_comes_back_as_it_was_written(stage: Stage) -> None:
    stage.save(TEXT)
    assert stage.text() == TEXT


@requirement("document:text:only-encrypted")
@requirement("document:text:no-plaintext-copy")
def test_no_text_stands_in_any_table_or_file(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    world = stage.world
    stage.save("- CanaryOfSave\n")
    stage.capture(stage.shown(), add("CanaryOfCapture", "CanaryOfHeading"))
    stage.capture(stage.shown(world.carol), add("CanaryOfProposal"))
    stage.save("- CanaryOfSave two\n")
    stage.undo(Version(2))
    stage.clear()
    kept = every_byte(world) + caplog.text.encode()
    assert MEMORY_PATH.encode() in kept, "nothing was looked through"
    assert b"Canary" not in kept


@requirement("document:text:no-plaintext-copy")
def test_a_version_stands_beside_the_hash_of_its_ciphertext_alone(stage: Stage) -> None:
    [sealed] = column(stage.world, document_versions, "sealed")
    [sha256] = column(stage.world, document_versions, "sha256")
    assert isinstance(sealed, bytes)
    assert sha256 == hashlib.sha256(sealed).digest()
    assert hashlib.sha256((stage.text() or "").encode()).digest() not in every_byte(stage.world)


@requirement("document:text:no-stored-diffs")
def test_a_capture_leaves_neither_its_edits_nor_a_hash_that_could_be_guessed(stage: Stage) -> None:
    stage.capture(stage.shown(), add("CanaryOfCapture"))
    kept = every_byte(stage.world)
    bodies = [
        b"CanaryOfCapture",
        b'{"changes":[{"heading":"","op":"add","target":"","text":"CanaryOfCapture"}]}',
    ]
    assert [body for body in bodies if body in kept or hashlib.sha256(body).digest() in kept] == []
    [mac] = column(stage.world, memory_commit_fence, "body_mac")
    assert isinstance(mac, bytes)
    assert len(mac) == 32


@requirement("document:history:versions-are-kept")
def test_every_version_can_be_opened_for_ever(stage: Stage) -> None:
    world = stage.world
    stage.save("second")
    stage.clear()
    stage.undo(Version(2))
    stage.delete()
    stage.save("back")
    page = list_revisions(world.deps, world.by_hand(world.carol), world.workspace)
    kinds = [(each.version, each.kind.value) for each in page.revisions]
    assert kinds == [(6, "save"), (5, "delete"), (4, "undo"), (3, "clear"), (2, "save"), (1, "save")]
    texts = [stage.text(Version(number)) for number in range(1, 7)]
    assert texts == ["# Team\n\n- We ship on Thursday\n", "second", "", "second", None, "back"]


@requirement("document:history:versions-are-kept")
def test_the_history_comes_in_pages(stage: Stage) -> None:
    world, by = stage.world, stage.actor(stage.world.carol)
    for number in range(4):
        stage.save(f"text {number}")
    first = list_revisions(world.deps, by, world.workspace, limit=3)
    second = list_revisions(world.deps, by, world.workspace, before=first.next_before, limit=3)
    assert [each.version for each in first.revisions] == [5, 4, 3]
    assert ([each.version for each in second.revisions], second.next_before) == ([2, 1], None)


def test_a_version_that_is_not_there_is_not_found(stage: Stage) -> None:
    for version in (Version(2), Version(2**31 - 2)):
        with pytest.raises(NotFound):
            get_revision(stage.world.deps, stage.actor(stage.world.bob), stage.world.workspace, version)


# --- Save, Undo ----------------------------------------------------------------------------------------------


@requirement("document:save:no-outbox")
def test_what_is_acknowledged_is_there_and_what_is_refused_leaves_nothing_behind(stage: Stage) -> None:
    world = stage.world
    assert stage.save("mine").version == 2
    # On another connection, in the moment of the answer.
    with world.deps.database.read() as tx:
        head = tx.documents.memory_head(world.workspace)
    assert head is not None
    assert head.version == 2
    before = counts(world)
    with pytest.raises(VersionConflict):
        stage.save("late", base=Version(1))
    assert counts(world) == before


WRITES: dict[str, Callable[[Stage], Written]] = {
    "save": lambda stage: stage.save("new"),
    "clear": lambda stage: stage.clear(),
    "undo": lambda stage: stage.undo(Version(1)),
    "delete": lambda stage: stage.delete(),
}


@requirement("document:save:acknowledged-version-is-exact")
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_names_the_version_that_the_server_then_holds(
    stage: Stage, write: Callable[[Stage], Written]
) -> None:
    written = write(stage)
    assert (written.version, written.clear_generation) == (stage.version(), stage.policy().clear_generation)
    assert written.version == 2


LATE: dict[str, Callable[[Stage], object]] = {
    "save": lambda stage: stage.save("late", base=Version(1)),
    "save of the first version": lambda stage: stage.save("late", base=Version(0)),
    "clear": lambda stage: stage.clear(base=Version(1)),
    "undo": lambda stage: stage.undo(Version(1), base=Version(1)),
    "delete": lambda stage: delete_document(
        stage.world.deps, stage.actor(stage.world.bob), stage.world.workspace, base=Version(1)
    ),
}


@requirement("document:save:failure-changes-nothing")
@requirement("document:undo:never-overwrites-newer-text")
@pytest.mark.parametrize("write", LATE.values(), ids=LATE)
def test_a_write_that_another_one_beat_changes_nothing(
    stage: Stage, write: Callable[[Stage], object]
) -> None:
    stage.save("newer")
    before = (counts(stage.world), stage.policy())
    with pytest.raises(VersionConflict) as refused:
        write(stage)
    assert refused.value.current == 2
    assert (counts(stage.world), stage.policy()) == before
    assert stage.text() == "newer"


@requirement("document:save:failure-changes-nothing")
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_whose_last_statement_fails_changes_nothing(
    stage: Stage, write: Callable[[Stage], Written]
) -> None:
    world = stage.world
    before = (counts(world), stage.policy(), stage.text())
    taken = str(column(world, documents, "id")[0])
    with world.deps.database.begin() as tx:
        # The next version is taken by a row that no head knows of: what is written last collides.
        version = tx.documents.revision(world.workspace, taken, Version(1))  # pyright: ignore[reportArgumentType]
        assert version is not None
        tx.connection.execute(
            document_versions.insert().values(
                workspace_id=world.workspace,
                document_id=taken,
                version=2,
                kind="save",
                path=MEMORY_PATH,
                epoch=1,
                sealed=bytes(28),
                sha256=bytes(32),
                previous_sha256=version.previous,
                author_id=world.bob,
                clear_generation=0,
                at=world.clock.now(),
            )
        )
    with pytest.raises(IntegrityError):
        write(stage)
    after = counts(world)
    after["document_versions"] -= 1
    assert (after, stage.policy(), stage.text()) == before


@requirement("document:undo:a-new-revision")
def test_undo_writes_an_older_text_as_the_next_version(stage: Stage) -> None:
    stage.save("second")
    written = stage.undo(Version(1))
    assert (written.version, stage.text()) == (3, stage.text(Version(1)))
    revision = get_revision(stage.world.deps, stage.actor(stage.world.bob), stage.world.workspace, Version(3))
    assert (revision.kind, stage.text(Version(2))) == (RevisionKind.UNDO, "second")


@requirement("document:undo:keeps-the-clear-generation")
@requirement("document:undo:keeps-the-policy-revision")
def test_undo_of_a_clear_takes_neither_generation_nor_policy_back(stage: Stage) -> None:
    stage.clear()
    stage.set_mode(Mode.READ_ONLY)
    before = stage.policy()
    written = stage.undo(Version(1))
    assert stage.policy() == before
    assert written.clear_generation == before.clear_generation == 1
    assert stage.text() == stage.text(Version(1))


# --- Clear ---------------------------------------------------------------------------------------------------


@requirement("document:clear:clears-and-fences")
@requirement("document:clear:retires-older-admissions")
def test_a_clear_empties_the_text_and_retires_every_older_turn(stage: Stage) -> None:
    world = stage.world
    turns = [stage.shown(world.bob), stage.shown(world.bob), stage.shown(world.alice)]
    stage.clear()
    assert stage.text() == ""
    for turn in turns:
        with pytest.raises(AdmissionRetired, match="clear_generation"):
            stage.capture(turn, add("likes tea"))
    assert (stage.version(), stage.text()) == (2, "")


@requirement("document:clear:keeps-the-mode")
@pytest.mark.parametrize("mode", Mode)
def test_a_clear_leaves_mode_and_policy_revision(world: World, mode: Mode) -> None:
    stage = make_stage(world, mode)
    before = stage.policy()
    stage.clear()
    assert stage.policy() == replace(before, clear_generation=ClearGeneration(1))


@requirement("document:clear:generation-in-the-same-transaction")
def test_a_clear_that_fails_after_the_generation_moved_leaves_both(stage: Stage) -> None:
    """Sealed under another epoch: the refusal comes after the generation was advanced in the transaction."""
    world = stage.world
    sealed = stage.sealed(world.alice, "", base=Version(1), kind=RevisionKind.CLEAR)
    wrong = SealedText(Epoch(2), sealed.ciphertext)
    with pytest.raises(EpochConflict):
        clear_document(world.deps, stage.actor(world.alice), world.workspace, base=Version(1), sealed=wrong)
    assert (stage.policy().clear_generation, stage.version()) == (0, 1)


@requirement("document:clear:lost-race-writes-nothing")
@requirement("document:clear:lost-race-keeps-the-generation")
def test_a_clear_and_a_save_at_once_are_one_after_the_other(stage: Stage) -> None:
    for _ in range(5):
        base, generation = stage.version(), stage.policy().clear_generation
        outcomes = at_once(lambda at=base: stage.clear(base=at), lambda at=base: stage.save("newer", base=at))
        assert failures(outcomes) == [VersionConflict]
        cleared = isinstance(outcomes[0], Written)
        assert stage.text() == ("" if cleared else "newer")
        assert stage.policy().clear_generation == generation + cleared
        assert stage.version() == base + 1


@requirement("document:clear:older-draft-conflicts")
def test_a_draft_from_before_a_clear_conflicts(stage: Stage) -> None:
    draft_base = stage.version()
    stage.clear()
    with pytest.raises(VersionConflict):
        stage.save("the old draft", base=draft_base)
    assert stage.text() == ""


@requirement("document:clear:no-late-write-refills")
def test_nothing_from_before_a_clear_fills_the_document_again(stage: Stage) -> None:
    world = stage.world
    bob = stage.actor(world.bob)
    committed = stage.shown()
    stage.capture(committed, add("Marta owns Berlin"))
    proposal = stage.capture(stage.shown(world.carol), add("likes tea")).proposal
    assert proposal is not None
    share_proposal(world.deps, stage.actor(world.carol), world.workspace, proposal)
    waiting = stage.shown()
    draft = stage.sealed(world.bob, "the old draft", base=Version(2))
    stage.clear()
    # Repeated, it is told what it once did, and does nothing.
    assert stage.capture(committed, add("Marta owns Berlin")).version == 2
    with pytest.raises(AdmissionRetired):
        stage.capture(waiting, add("likes tea"))
    with pytest.raises(VersionConflict):
        save_document(world.deps, bob, world.workspace, base=Version(2), sealed=draft)
    with pytest.raises(ProposalSettled, match="retired"):
        apply_proposal(
            world.deps,
            bob,
            world.workspace,
            proposal,
            base=Version(3),
            sealed=stage.sealed(world.bob, "- likes tea\n", base=Version(3)),
        )
    assert (stage.version(), stage.text()) == (3, "")


@requirement("document:clear:later-captures-are-eligible")
def test_a_turn_admitted_after_a_clear_captures_again(stage: Stage) -> None:
    stage.clear()
    stage.capture(stage.shown(), add("likes tea"))
    assert stage.text() == "- likes tea\n"


@requirement("document:clear:clears-and-fences")
@pytest.mark.parametrize("before", ["absent", "empty", "deleted"])
def test_a_clear_of_what_is_empty_already_advances_the_generation(empty: Stage, before: str) -> None:
    if before != "absent":
        empty.save("")
    if before == "deleted":
        empty.delete()
    generation = empty.policy().clear_generation
    assert empty.clear().clear_generation == empty.policy().clear_generation == generation + 1
    assert empty.text() == ""


def test_an_empty_save_is_an_ordinary_version(stage: Stage) -> None:
    turn = stage.shown()
    stage.save("")
    assert (stage.policy().clear_generation, stage.recall(turn).status) == (0, "empty")


# --- Deleting, bounds, rights --------------------------------------------------------------------------------


def test_a_deletion_leaves_a_tombstone_that_a_save_revives(stage: Stage) -> None:
    deleted = stage.delete()
    assert (deleted.version, deleted.clear_generation, stage.text()) == (2, 1, None)
    with pytest.raises(NotFound):
        stage.delete()
    stage.save("back")
    assert (stage.version(), stage.text()) == (3, "back")


@requirement("document:bound:longer-text-is-kept")
@requirement("document:bound:never-shortened-by-itself")
@pytest.mark.parametrize("size", [8_193, TEXT_BYTES_MAX])
def test_a_text_over_the_recall_bound_is_kept_whole(stage: Stage, size: int) -> None:
    text = "é" * (size // 2) + "x" * (size % 2)
    stage.save(text)
    stage.recall(stage.admit())
    assert (stage.text(), stage.version()) == (text, 2)


def test_a_text_over_192_kib_is_refused(stage: Stage) -> None:
    with pytest.raises(InvalidRequest, match="196,608"):
        stage.save("x" * (TEXT_BYTES_MAX + 1))
    assert stage.version() == 1


BY_A_VIEWER: dict[str, Callable[[Stage], object]] = {
    "save": lambda stage: stage.save("x", stage.world.carol),
    "clear": lambda stage: stage.clear(stage.world.carol),
    "undo": lambda stage: stage.undo(Version(1), stage.world.carol),
    "delete": lambda stage: stage.delete(stage.world.carol),
}


@pytest.mark.parametrize("write", BY_A_VIEWER.values(), ids=BY_A_VIEWER)
def test_a_viewer_does_not_write(stage: Stage, write: Callable[[Stage], object]) -> None:
    with pytest.raises(Forbidden):
        write(stage)
    assert stage.version() == 1


def test_no_row_of_the_policy_is_made_by_a_save(world: World) -> None:
    stage = make_stage(world, Mode.READ_ONLY)
    assert column(stage.world, memory_policies, "mode") == []
