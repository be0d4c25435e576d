"""Recall as a service: ten statuses in their order, a block that stays the same, a receipt before anything else."""

import itertools
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from time import monotonic

import pytest
from sqlalchemy.pool import QueuePool
from tests.conftest import PATIENCE_SECONDS, World
from tests.contract.memory_rows import column, counts
from tests.contract.memory_stage import Stage, Turn, add, make_stage

from workspace_memory.crypto.key_sessions import RamKeyStore
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.client_state import CONFLICT, PENDING, UNKNOWN, ClientState, saved
from workspace_memory.domain.document_errors import CaptureWithheld, DeliveryRefused, MemoryTooLong
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import AdmissionId, UserId, Version, WorkspaceId
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.services import recall as recalling
from workspace_memory.services.documents import save_document
from workspace_memory.services.members import change_member
from workspace_memory.services.recall import Recalled, recall
from workspace_memory.storage.document_tables import admissions, memory_receipts

requirement = pytest.mark.requirement
OLDER = "CanaryOfAnOlderRevision"


@pytest.fixture
def stage(world: World) -> Stage:
    """The document has two revisions; the older one holds a text that must never come back."""
    made = make_stage(world, text=f"- {OLDER}\n")
    made.save("# Team\n\n- We ship on Thursday\n")
    return made


# --- The table of section 5, in its order --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cause:
    """Why memory is not attached: a state that the client states, or something that is done after the admission.

    Two of one `group` cannot hold at once.
    """

    status: RecallStatus
    group: str
    do: Callable[[Stage, Turn], object] = lambda _stage, _turn: None
    state: ClientState = UNKNOWN


def deactivate(stage: Stage, _turn: Turn) -> None:
    world = stage.world
    by = stage.actor(world.alice)
    change_member(world.deps, by, world.workspace, world.bob, status=MemberStatus.DEACTIVATED)


def consent_anew(stage: Stage, _turn: Turn) -> None:
    stage.set_ai(False)
    stage.set_ai(True)


def save_what_does_not_open(stage: Stage, _turn: Turn) -> None:
    """A client that sealed the text against another version than it wrote."""
    world, base = stage.world, stage.version()
    sealed = stage.sealed(world.bob, "sealed wrongly", base=Version(base - 1))
    save_document(world.deps, stage.actor(world.bob), world.workspace, base=base, sealed=sealed)


STALE = saved(Version(99))
CAUSES = {
    "off": Cause(RecallStatus.OFF, "mode", lambda stage, _: stage.set_mode(Mode.OFF)),
    "superseded": Cause(
        RecallStatus.SUPERSEDED, "slot", lambda stage, turn: stage.admit(conversation=turn.conversation)
    ),
    "deactivated": Cause(RecallStatus.NO_ACCESS, "member", deactivate),
    "AI off": Cause(RecallStatus.NO_ACCESS, "consent", lambda stage, _: stage.set_ai(False)),
    "consent anew": Cause(RecallStatus.NO_ACCESS, "consent", consent_anew),
    "pending": Cause(RecallStatus.PENDING, "state", state=PENDING),
    "conflict": Cause(RecallStatus.CONFLICT, "state", state=CONFLICT),
    "revoked": Cause(RecallStatus.UNAVAILABLE, "key", lambda stage, _: stage.revoke(stage.world.bob)),
    "evicted": Cause(
        RecallStatus.UNAVAILABLE,
        "key",
        lambda stage, _: stage.world.deps.key_store.drop(stage.sessions[stage.world.bob]),
    ),
    "broken": Cause(RecallStatus.UNAVAILABLE, "text", save_what_does_not_open),
    "deleted": Cause(RecallStatus.DELETED, "text", lambda stage, _: stage.delete()),
    "stale": Cause(RecallStatus.STALE, "state", state=STALE),
    "oversized": Cause(RecallStatus.OVERSIZED, "text", lambda stage, _: stage.save("é" * 4_097)),
    "empty": Cause(RecallStatus.EMPTY, "text", lambda stage, _: stage.save(" \n\t")),
    "cleared": Cause(RecallStatus.EMPTY, "text", lambda stage, _: stage.clear()),
}
# In which order they are done, so that each is still allowed when its turn comes.
DONE = ("text", "slot", "key", "consent", "member", "mode", "state")
SILENT = {RecallStatus.OFF, RecallStatus.EMPTY}


def recalled_with(stage: Stage, *names: str) -> Recalled:
    causes = [CAUSES[name] for name in CAUSES if name in names]
    [state] = {cause.state for cause in causes if cause.state != UNKNOWN} or {UNKNOWN}
    turn = stage.admit(state=state)
    for cause in sorted(causes, key=lambda each: DONE.index(each.group)):
        cause.do(stage, turn)
    return stage.recall(turn)


@requirement("document:withheld:never-an-older-copy")
@pytest.mark.parametrize("name", CAUSES)
def test_each_cause_has_its_status_and_no_text_at_all(stage: Stage, name: str) -> None:
    found = recalled_with(stage, name)
    assert (found.status, found.block) == (CAUSES[name].status, None)
    assert (found.note is None) == (found.status in SILENT)
    assert OLDER not in repr(found)
    assert "Thursday" not in repr(found)
    assert found.stop == (CAUSES[name].group == "consent")


def pairs() -> Iterator[pytest.ParameterSet]:
    """Every pair. Which one wins is decided above the database: on PostgreSQL one for each earlier cause will do."""
    met: set[str] = set()
    for one, two in itertools.combinations(CAUSES, 2):
        if CAUSES[one].group != CAUSES[two].group:
            yield pytest.param("sqlite", one, two)
            yield pytest.param("postgresql", one, two, marks=pytest.mark.exhaustive if one in met else ())
            met.add(one)


@pytest.mark.parametrize(("database", "earlier", "later"), list(pairs()), indirect=["database"])
def test_of_two_causes_at_once_the_earlier_one_wins(stage: Stage, earlier: str, later: str) -> None:
    assert recalled_with(stage, later, earlier).status == CAUSES[earlier].status


@requirement("document:recall:by-the-latest-admission")
def test_without_a_cause_the_current_revision_is_attached(stage: Stage) -> None:
    found = stage.recall(stage.admit(state=saved(Version(2))))
    assert (found.status, found.version, found.note, found.stop) == ("attached", 2, None, False)
    assert "We ship on Thursday" in (found.block or "")


def test_a_document_that_was_never_written_is_empty(world: World) -> None:
    stage = make_stage(world, text=None)
    found = stage.recall(stage.admit())
    assert (found.status, found.version, found.block, found.note) == ("empty", None, None, None)
    assert stage.recall(stage.admit(state=saved(Version(1)))).status == "stale"


def test_a_token_without_the_scope_has_no_access(stage: Stage) -> None:
    world, turn = stage.world, stage.admit()
    found = recall(
        world.deps,
        world.by_hand(world.bob, max_level=AccessLevel.NONE),
        world.workspace,
        turn.admission,
        credential=turn.credential,
        key_session_token=turn.token,
    )
    assert (found.status, found.block) == ("no_access", None)


def test_anothers_admission_is_not_found_and_another_credential_refused(stage: Stage) -> None:
    turn = stage.admit()
    with pytest.raises(NotFound):
        stage.recall(replace(turn, user=stage.world.alice))
    with pytest.raises(NotFound):
        stage.recall(replace(turn, admission=AdmissionId("no id")))
    with pytest.raises(DeliveryRefused):
        stage.recall(replace(turn, credential="x"))


# --- Every call anew -----------------------------------------------------------------------------------------


@requirement("document:withheld:never-an-older-copy")
def test_every_call_of_a_turn_is_decided_anew(stage: Stage) -> None:
    turn = stage.admit()
    seen = [stage.recall(turn).status]
    for change in (
        lambda: stage.set_mode(Mode.OFF),
        lambda: stage.set_mode(Mode.AUTO),
        stage.clear,
        lambda: stage.save("back"),
        stage.delete,
        lambda: stage.save("x" * 8_193),
        lambda: stage.save("short"),
    ):
        change()
        seen.append(stage.recall(turn).status)
    assert seen == ["attached", "off", "attached", "empty", "attached", "deleted", "oversized", "attached"]


def test_a_stated_memory_state_is_never_upgraded_within_the_turn(stage: Stage) -> None:
    turn = stage.admit(state=PENDING)
    stage.save("the pending one, saved by now")
    assert [stage.recall(turn).status for _ in range(2)] == ["pending", "pending"]
    late = stage.admit(state=saved(Version(4)))
    assert stage.recall(late).status == "stale"
    stage.save("caught up")
    assert stage.recall(late).status == "attached"


# --- The block -----------------------------------------------------------------------------------------------


def test_the_block_is_the_same_byte_for_byte_while_the_revision_is(stage: Stage) -> None:
    blocks = {
        stage.recall(turn).block for turn in (stage.admit(), stage.admit(stage.world.carol)) for _ in "ab"
    }
    assert len(blocks) == 1
    stage.save("# Team\n\n- We ship on Thursday\n")
    again = stage.recall(stage.admit()).block
    assert again not in blocks
    assert "revision 3" in (again or "")


def test_two_processes_of_an_installation_give_the_same_block(stage: Stage) -> None:
    world = stage.world
    turn = stage.admit()
    # Nothing but the installation's secret is shared: fresh Deps are what another process has.
    other = replace(world.deps, clock=world.clock, key_store=world.deps.key_store)
    stranger = replace(world.deps, instance_secret=bytes(range(32)))
    first = stage.recall(turn).block
    assert Stage(replace(world, deps=other), stage.key, stage.tokens).recall(turn).block == first
    foreign = Stage(replace(world, deps=stranger), stage.key, stage.tokens)
    assert foreign.recall(foreign.admit()).block != first


# --- The bound -----------------------------------------------------------------------------------------------


@requirement("document:bound:capture-refused")
def test_over_the_bound_capture_waits_until_a_person_has_shortened_the_text(stage: Stage) -> None:
    stage.save("é" * 4_096)
    assert stage.recall(stage.admit()).status == "attached"
    stage.save("é" * 4_096 + "x")
    turn = stage.shown()
    with pytest.raises(MemoryTooLong):
        stage.capture(turn, add("likes tea"))
    assert stage.text() == "é" * 4_096 + "x"
    stage.save("- short\n")
    with pytest.raises(MemoryTooLong):
        stage.capture(turn, add("likes tea"))
    stage.recall(turn)
    assert stage.capture(turn, add("likes tea")).version == stage.version()


@pytest.mark.parametrize("state", [PENDING, CONFLICT], ids=str)
def test_capture_waits_for_a_save_that_is_not_settled(stage: Stage, state: ClientState) -> None:
    with pytest.raises(CaptureWithheld, match=str(state)):
        stage.capture(stage.shown(state=state), add("likes tea"))


# --- Receipts first ------------------------------------------------------------------------------------------


@requirement("document:receipt:status-and-revision")
@requirement("document:receipt:holds-no-text")
@pytest.mark.parametrize("name", CAUSES)
def test_each_recall_writes_the_status_and_the_revision_that_it_found(stage: Stage, name: str) -> None:
    found = recalled_with(stage, name)
    assert found.receipt is not None
    assert column(stage.world, memory_receipts, "status") == [found.status]
    assert column(stage.world, memory_receipts, "version") == [found.version]
    assert column(stage.world, memory_receipts, "bytes") == [None]
    assert found.version == stage.version()


@requirement("document:receipt:status-and-revision")
def test_without_a_receipt_no_memory_is_given(stage: Stage) -> None:
    """The receipt's insert is refused by the database: its id is taken."""
    world, turn = stage.world, stage.admit()
    taken = stage.recall(turn).receipt
    assert taken is not None
    before = counts(world)
    stuck = Stage(replace(world, deps=replace(world.deps, new_id=lambda: taken)), stage.key, stage.tokens)
    found = stuck.recall(turn)
    assert (found.status, found.block, found.receipt) == ("unavailable", None, None)
    assert found.note is not None
    assert "Thursday" not in repr(found)
    assert counts(world) == before
    # The call was not counted either: shown and receipt are one transaction.
    assert column(world, admissions, "calls") == [1]


@contextmanager
def held(stage: Stage) -> Generator[None]:
    """Somebody else holds the workspace lock (on SQLite the writer's place) all the while."""
    holding, enough = threading.Event(), threading.Event()

    def hold() -> None:
        with stage.world.deps.database.begin() as tx:
            tx.lock_workspace(stage.world.workspace)
            holding.set()
            enough.wait(30)

    thread = threading.Thread(target=hold, daemon=True)
    thread.start()
    assert holding.wait(10)
    try:
        yield
    finally:
        enough.set()
        thread.join(10)


@requirement("document:withheld:never-an-older-copy")
def test_a_recall_that_takes_two_seconds_is_unavailable(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = stage.admit()
    stage.recall(turn)
    before = counts(stage.world)
    monkeypatch.setattr(recalling, "RECALL_SECONDS", 2.0)
    with held(stage):
        begun = monotonic()
        found = stage.recall(turn)
        took = monotonic() - begun
    assert (found.status, found.block, found.receipt) == ("unavailable", None, None)
    assert 1.5 < took < 4
    monkeypatch.setattr(recalling, "RECALL_SECONDS", PATIENCE_SECONDS)
    assert counts(stage.world) == before
    assert stage.recall(turn).status == "attached"


# --- Two seconds for everything ------------------------------------------------------------------------------


class HangingStore(RamKeyStore):
    """A key store that answers when it is let go."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage.world.clock.now)
        self.inner = stage.world.deps.key_store
        self.asked = threading.Event()
        self.let_go = threading.Event()

    def borrow(self, session_id: str, *, token: bytes, user: UserId, workspace: WorkspaceId) -> WorkspaceKey:
        self.asked.set()
        assert self.let_go.wait(PATIENCE_SECONDS)
        return self.inner.borrow(session_id, token=token, user=user, workspace=workspace)


def ended_behind_the_caller() -> None:
    """Wait for what was given up."""
    for thread in threading.enumerate():
        if thread.name == "deadline":
            thread.join(PATIENCE_SECONDS)


@requirement("document:withheld:never-an-older-copy")
def test_a_key_store_that_hangs_makes_memory_unavailable_and_its_late_answer_writes_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = stage.admit()
    before, store = counts(stage.world), HangingStore(stage)
    stage.world.deps = replace(stage.world.deps, key_store=store)
    monkeypatch.setattr(recalling, "RECALL_SECONDS", 2.0)
    begun = monotonic()
    found = stage.recall(turn)
    took = monotonic() - begun
    assert store.asked.is_set()
    store.let_go.set()
    ended_behind_the_caller()
    assert (found.status, found.block, found.receipt) == ("unavailable", None, None)
    assert 1.5 < took < 4
    assert counts(stage.world) == before


@contextmanager
def every_connection_taken(stage: Stage) -> Generator[None]:
    """Others hold all connections from which a reader could be given one."""
    with ExitStack() as taken:
        reader = stage.world.deps.database.dialect.reader
        pool = reader.pool
        assert isinstance(pool, QueuePool)
        for _ in range(pool.size() + pool._max_overflow):  # pyright: ignore[reportPrivateUsage]  nothing else tells
            taken.enter_context(reader.connect())
        yield


@requirement("document:withheld:never-an-older-copy")
def test_a_recall_that_gets_no_connection_is_unavailable_in_two_seconds(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = stage.admit()
    before = counts(stage.world)
    monkeypatch.setattr(recalling, "RECALL_SECONDS", 2.0)
    with every_connection_taken(stage):
        begun = monotonic()
        found = stage.recall(turn)
        took = monotonic() - begun
    ended_behind_the_caller()
    assert (found.status, found.block, found.receipt) == ("unavailable", None, None)
    assert 1.5 < took < 4
    assert counts(stage.world) == before
    monkeypatch.setattr(recalling, "RECALL_SECONDS", PATIENCE_SECONDS)
    assert stage.recall(turn).status == "attached"
