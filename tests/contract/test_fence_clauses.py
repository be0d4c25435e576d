"""The commit fence, sentence by sentence: each clause alone keeps a capture out, whatever else holds.

What a person can bring about goes through the services; the rest is set in the rows, past every service.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Table, insert
from sqlalchemy.exc import IntegrityError
from tests.conftest import World
from tests.contract.memory_rows import column, count, counts, doctor, every_byte
from tests.contract.memory_stage import Stage, Turn, add, make_stage
from tests.contract.together import answers, at_once

from workspace_memory.crypto.errors import KeySessionNotHeld
from workspace_memory.crypto.key_sessions import RamKeyStore
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.access import MemberStatus, Role
from workspace_memory.domain.admission import AdmissionState
from workspace_memory.domain.client_state import UNKNOWN
from workspace_memory.domain.document_errors import (
    AdmissionRetired,
    CaptureWithheld,
    KeySessionRequired,
    VersionConflict,
)
from workspace_memory.domain.errors import Forbidden, IdempotencyKeyReused, NotFound
from workspace_memory.domain.ids import KeySessionId, UserId, Version, WorkspaceId
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.proposal import ProposalReason
from workspace_memory.services.captures import Captured, CaptureOutcome
from workspace_memory.services.members import change_member
from workspace_memory.storage.document_tables import (
    admissions,
    ai_consents,
    conversations,
    memory_commit_fence,
    memory_policies,
    memory_receipts,
)
from workspace_memory.storage.fence import FenceBroken
from workspace_memory.storage.key_tables import key_session_revocations, key_sessions

requirement = pytest.mark.requirement


@pytest.fixture
def stage(world: World) -> Stage:
    return make_stage(world)


def passes(
    stage: Stage,
    turn: Turn,
    *,
    user: UserId | None = None,
    workspace: WorkspaceId | None = None,
    session: KeySessionId | None = None,
) -> None:
    """Put the turn's row through the fence, in a transaction of its own. Raises: FenceBroken."""
    world = stage.world
    with world.deps.database.begin() as tx:
        tx.lock_workspace(world.workspace)
        tx.fence.pass_through(
            user=user or turn.user,
            workspace=workspace or world.workspace,
            admission=turn.admission,
            session=session or stage.sessions[turn.user],
            version=Version(2),
            body_mac=bytes(32),
            now=world.clock.now(),
        )


# --- Each clause by itself -----------------------------------------------------------------------------------

SOON = timedelta(minutes=1)
ROWS: list[tuple[str, Table, Callable[[Stage], dict[str, object]]]] = [
    ("not_committed", admissions, lambda _: {"state": AdmissionState.COMMITTED.value}),
    ("admission_not_expired", admissions, lambda s: {"expires_at": s.world.clock.now()}),
    ("admission_begun", admissions, lambda s: {"created_at": s.world.clock.now() + SOON}),
    ("mode_auto", memory_policies, lambda _: {"mode": Mode.READ_ONLY.value}),
    ("policy_revision", memory_policies, lambda _: {"policy_revision": 2}),
    ("clear_generation", memory_policies, lambda _: {"clear_generation": 1}),
    ("ai_enabled", ai_consents, lambda _: {"enabled": False}),
    ("consent_revision", ai_consents, lambda _: {"consent_revision": 2}),
    ("newest_turn", conversations, lambda _: {"slot_nonce": bytes(16)}),
    ("slot_not_expired", conversations, lambda s: {"slot_expires_at": s.world.clock.now()}),
]


@requirement("document:fence:not-consumed")
@requirement("document:fence:not-expired")
@requirement("document:fence:still-auto")
@requirement("document:fence:same-policy-revision")
@requirement("document:fence:same-clear-generation")
@requirement("document:fence:ai-still-enabled")
@requirement("document:fence:same-consent-revision")
@requirement("document:fence:same-nonce")
@requirement("document:fence:credential-not-expired")
@requirement("document:fence:false-predicate-rolls-back")
@pytest.mark.parametrize(("clause", "table", "values"), ROWS, ids=[row[0] for row in ROWS])
def test_one_false_clause_keeps_the_capture_out_and_is_named(
    stage: Stage, clause: str, table: Table, values: Callable[[Stage], dict[str, object]]
) -> None:
    turn = stage.shown()
    doctor(stage.world, table, **values(stage))
    before = counts(stage.world)
    with pytest.raises(AdmissionRetired) as refused:
        stage.capture(turn, add("likes tea"))
    assert refused.value.clause == clause
    assert (counts(stage.world), stage.version()) == (before, 1)
    with pytest.raises(FenceBroken):
        passes(stage, turn)


def test_without_a_false_clause_it_passes(stage: Stage) -> None:
    passes(stage, stage.shown())
    assert count(stage.world, memory_commit_fence) == 1


@requirement("document:fence:admitted-in-auto")
def test_an_admission_of_another_mode_passes_in_no_policy(stage: Stage) -> None:
    for mode in (Mode.OFF, Mode.READ_ONLY):
        turn = stage.shown()
        doctor(stage.world, admissions, mode=mode.value)
        with pytest.raises(FenceBroken):
            passes(stage, turn)
    turn = stage.shown()
    doctor(stage.world, admissions, mode=Mode.OFF.value)
    with pytest.raises(AdmissionRetired, match="admitted_in_auto"):
        stage.capture(turn, add("likes tea"))


@requirement("document:fence:owner-matches")
def test_anothers_admission_passes_for_nobody(stage: Stage) -> None:
    turn = stage.shown()
    stage.token(stage.world.alice)
    with pytest.raises(FenceBroken):
        passes(stage, turn, user=stage.world.alice)
    with pytest.raises(NotFound):
        stage.capture(replace(turn, user=stage.world.alice), add("likes tea"))


@requirement("document:fence:workspace-matches")
def test_an_admission_passes_in_no_other_workspace(stage: Stage) -> None:
    turn = stage.shown()
    with pytest.raises(FenceBroken):
        passes(stage, turn, workspace=stage.world.other_workspace)


@requirement("document:fence:same-key-session")
def test_another_key_session_of_the_same_person_does_not_pass(stage: Stage) -> None:
    turn = stage.shown()
    token = stage.open_session(turn.user)
    with pytest.raises(FenceBroken):
        passes(stage, turn, session=stage.sessions[turn.user])
    with pytest.raises(AdmissionRetired, match="same_key_session"):
        stage.capture(replace(turn, token=token), add("likes tea"))
    assert stage.version() == 1


@requirement("document:fence:key-session-not-revoked")
@requirement("document:keys:fence-reads-the-revocation")
def test_the_fence_reads_the_revocation_even_where_the_key_is_still_held(stage: Stage) -> None:
    turn = stage.shown()
    with stage.world.deps.database.begin() as tx:
        tx.connection.execute(
            insert(key_session_revocations).values(
                workspace_id=stage.world.workspace,
                key_session_id=stage.sessions[turn.user],
                revoked_at=stage.world.clock.now(),
                revoked_by=None,
            )
        )
    assert stage.world.deps.key_store.count() == 1
    with pytest.raises(FenceBroken):
        passes(stage, turn)


def test_the_fence_reads_the_absolute_end_of_the_key_session(stage: Stage) -> None:
    turn = stage.shown()
    doctor(stage.world, key_sessions, expires_at=stage.world.clock.now())
    with pytest.raises(FenceBroken):
        passes(stage, turn)


def test_the_fence_reads_membership_and_role(stage: Stage) -> None:
    world = stage.world
    turn = stage.shown()
    change_member(world.deps, stage.actor(world.alice), world.workspace, world.bob, role=Role.VIEWER)
    with pytest.raises(FenceBroken):
        passes(stage, turn)
    assert stage.capture(turn, add("likes tea")).reason is ProposalReason.VIEWER
    change_member(
        world.deps,
        stage.actor(world.alice),
        world.workspace,
        world.bob,
        role=Role.EDITOR,
        status=MemberStatus.DEACTIVATED,
    )
    with pytest.raises(FenceBroken):
        passes(stage, turn)
    with pytest.raises(Forbidden):
        stage.capture(turn, add("likes tea"))
    assert stage.version() == 1


# --- One value, one transaction ------------------------------------------------------------------------------


@requirement("document:fence:one-checked-predicate")
@pytest.mark.parametrize("ok", [0, 2, -1, None])
def test_no_row_but_that_of_a_true_predicate_can_be_written(stage: Stage, ok: int | None) -> None:
    turn = stage.shown()
    with pytest.raises(IntegrityError), stage.world.deps.database.begin() as tx:
        tx.connection.execute(
            insert(memory_commit_fence).values(
                workspace_id=stage.world.workspace,
                admission_id=turn.admission,
                ok=ok,
                version=2,
                body_mac=bytes(32),
                committed_at=stage.world.clock.now(),
            )
        )
    assert count(stage.world, memory_commit_fence) == 0


@requirement("document:fence:row-in-the-writes-transaction")
@requirement("document:fence:marks-the-admission-committed")
def test_text_fence_row_receipt_and_mark_are_one_transaction(stage: Stage) -> None:
    """The receipt comes after the text and the fence row; its id is taken, and everything goes back."""
    turn = stage.shown()
    world = stage.world
    taken = str(column(world, memory_receipts, "id")[0])
    before = counts(world)
    stuck = Stage(
        replace(world, deps=replace(world.deps, new_id=lambda: taken)),
        stage.key,
        stage.tokens,
        stage.sessions,
    )
    with pytest.raises(IntegrityError):
        stuck.capture(turn, add("likes tea"))
    assert (counts(world), stage.version()) == (before, 1)
    assert column(world, admissions, "state") == ["open"]
    stage.capture(turn, add("likes tea"))
    after = counts(world)
    grown = {name: after[name] - before[name] for name in after if after[name] != before[name]}
    assert grown == {
        "document_versions": 1,
        "memory_commit_fence": 1,
        "memory_receipts": 1,
        "audit_events": 1,
    }
    assert column(world, admissions, "state") == ["committed"]


@requirement("document:fence:second-capture-refused")
def test_two_captures_of_one_turn_at_once_are_one(stage: Stage) -> None:
    turn = stage.shown()
    outcomes = at_once(*[lambda text=text: stage.capture(turn, add(text)) for text in ("tea", "coffee")])
    assert [type(each) for each in outcomes if isinstance(each, Exception)] == [IdempotencyKeyReused]
    assert stage.version() == 2


@requirement("document:fence:retry-replays-the-receipt")
def test_one_capture_sent_many_times_at_once_is_one(stage: Stage) -> None:
    turn = stage.shown()
    outcomes = answers(at_once(*[lambda: stage.capture(turn, add("likes tea")) for _ in range(6)]))
    assert outcomes == [Captured(CaptureOutcome.COMMITTED, Version(2))] * 6
    assert (stage.version(), count(stage.world, memory_commit_fence)) == (2, 1)


@requirement("document:fence:retry-replays-the-receipt")
def test_a_retry_after_everything_has_changed_is_still_the_first_receipt(stage: Stage) -> None:
    turn = stage.shown()
    first = stage.capture(turn, add("likes tea"))
    stage.clear()
    stage.set_mode(Mode.OFF)
    stage.set_ai(False)
    assert stage.capture(turn, add("likes tea")) == first
    assert (stage.version(), stage.text()) == (3, "")


# --- Which version -------------------------------------------------------------------------------------------


@requirement("document:fence:expects-the-version")
@requirement("document:capture:conflict-keeps-the-newer-text")
@requirement("document:capture:conflict-becomes-a-proposal")
@requirement("document:capture:conflict-is-never-rebased")
def test_a_capture_is_written_against_the_version_that_the_turn_was_shown(stage: Stage) -> None:
    turn = stage.shown()
    stage.save("newer")
    captured = stage.capture(turn, add("likes tea"))
    assert (captured.outcome, captured.reason) == (CaptureOutcome.PROPOSED, ProposalReason.VERSION_CONFLICT)
    assert (stage.version(), stage.text()) == (2, "newer")
    # It is not the newest version that counts, but whether this turn has seen it.
    again = stage.shown()
    assert stage.capture(again, add("likes tea")).version == 3


@requirement("document:fence:creates-only-what-never-was")
def test_a_capture_begins_only_a_document_that_nobody_has_begun(world: World) -> None:
    stage = make_stage(world, text=None)
    first, late = stage.shown(), stage.shown()
    assert stage.capture(first, add("likes tea")).version == 1
    assert stage.capture(late, add("likes coffee")).reason is ProposalReason.VERSION_CONFLICT
    assert (stage.version(), stage.text()) == (1, "- likes tea\n")


@requirement("document:fence:revives-no-tombstone")
def test_a_capture_revives_no_tombstone(stage: Stage) -> None:
    before = stage.shown()
    stage.delete()
    with pytest.raises(AdmissionRetired, match="clear_generation"):
        stage.capture(before, add("likes tea"))
    with pytest.raises(CaptureWithheld, match="deleted"):
        stage.capture(stage.shown(), add("likes tea"))
    # Nor where the generation and the version fit.
    turn = stage.admit()
    doctor(stage.world, admissions, shown_status="empty", shown_version=2)
    assert stage.capture(turn, add("likes tea")).reason is ProposalReason.VERSION_CONFLICT
    assert (stage.version(), stage.text()) == (2, None)


# --- The point of order --------------------------------------------------------------------------------------

CHANGES: dict[str, tuple[Callable[[Stage, Turn], object], type[Exception], str]] = {
    "mode": (lambda s, _: s.set_mode(Mode.READ_ONLY), AdmissionRetired, "mode_auto"),
    "mode and back": (
        lambda s, _: (s.set_mode(Mode.OFF), s.set_mode(Mode.AUTO)),
        AdmissionRetired,
        "policy_revision",
    ),
    "clear": (lambda s, _: s.clear(), AdmissionRetired, "clear_generation"),
    "consent": (lambda s, _: s.set_ai(False), AdmissionRetired, "ai_enabled"),
    "consent and back": (
        lambda s, _: (s.set_ai(False), s.set_ai(True)),
        AdmissionRetired,
        "consent_revision",
    ),
    "newer turn": (lambda s, t: s.admit(conversation=t.conversation), AdmissionRetired, "newest_turn"),
    "revocation": (lambda s, t: s.revoke(t.user), KeySessionRequired, "key session"),
}


@requirement("document:fence:mode-change-before-retires")
@requirement("document:policy:change-retires-admissions")
@requirement("document:fence:clear-before-retires")
@requirement("document:fence:consent-change-before-retires")
@requirement("document:fence:newer-turn-before-retires")
@requirement("document:fence:revocation-before-retires")
@pytest.mark.parametrize("name", CHANGES)
def test_what_commits_before_the_capture_retires_it(stage: Stage, name: str) -> None:
    change, error, says = CHANGES[name]
    turn = stage.shown()
    change(stage, turn)
    version = stage.version()
    with pytest.raises(error, match=says):
        stage.capture(turn, add("likes tea"))
    assert stage.version() == version
    assert "likes tea" not in (stage.text() or "")


@requirement("document:fence:later-change-sees-the-capture")
@requirement("document:fence:commit-is-the-point")
@pytest.mark.parametrize("name", CHANGES)
def test_what_commits_after_the_capture_sees_it_done(stage: Stage, name: str) -> None:
    change, _, _ = CHANGES[name]
    turn = stage.shown()
    stage.capture(turn, add("likes tea"))
    change(stage, turn)
    assert "likes tea" in (stage.text(Version(2)) or "")
    assert stage.version() == (3 if name == "clear" else 2)


@requirement("document:fence:commit-is-the-point")
@pytest.mark.parametrize("name", CHANGES)
def test_at_once_one_of_them_is_first(stage: Stage, name: str) -> None:
    change, error, _ = CHANGES[name]
    turn = stage.shown()
    captured, changed = at_once(lambda: stage.capture(turn, add("likes tea")), lambda: change(stage, turn))
    assert not isinstance(changed, VersionConflict) or isinstance(captured, Captured)
    if isinstance(captured, Captured) and captured.outcome is CaptureOutcome.COMMITTED:
        assert "likes tea" in (stage.text(Version(2)) or "")
    else:
        assert isinstance(captured, (error, AdmissionRetired, Captured))
        assert "likes tea" not in (stage.text() or "")


# --- Keys ----------------------------------------------------------------------------------------------------


class WatchedStore(RamKeyStore):
    """A store that notes each loan, and evicts the session before the loan of a certain number."""

    def __init__(self, world: World) -> None:
        super().__init__(world.clock.now)
        self.evict_at = 0
        self.loans = 0

    def borrow(self, session_id: str, *, token: bytes, user: UserId, workspace: WorkspaceId) -> WorkspaceKey:
        self.loans += 1
        if self.loans == self.evict_at:
            self.drop(session_id)
        return super().borrow(session_id, token=token, user=user, workspace=workspace)


@pytest.fixture
def watched(world: World) -> WatchedStore:
    store = WatchedStore(world)
    world.deps = replace(world.deps, key_store=store)
    return store


@requirement("document:keys:checked-again-before-the-transaction")
def test_a_key_session_that_ends_after_the_text_was_sealed_writes_nothing(
    watched: WatchedStore, world: World
) -> None:
    stage = make_stage(world)
    turn = stage.shown()
    # The first loan opens the text, the second is the last thing before the transaction.
    watched.loans, watched.evict_at = 0, 2
    before = counts(world)
    with pytest.raises(KeySessionRequired):
        stage.capture(turn, add("likes tea"))
    assert (watched.loans, counts(world)) == (2, before)


@requirement("document:keys:eviction-is-no-revocation")
def test_an_evicted_session_fails_before_the_fence_and_is_not_revoked(stage: Stage) -> None:
    turn = stage.shown()
    session = stage.sessions[turn.user]
    stage.world.deps.key_store.drop(session)
    with pytest.raises(KeySessionRequired):
        stage.capture(turn, add("likes tea"))
    assert (count(stage.world, key_session_revocations), count(stage.world, memory_commit_fence)) == (0, 0)
    # For the fence it is as good as before: the admission was not retired by it.
    passes(stage, turn)


@requirement("document:keys:in-memory-only")
def test_no_key_and_no_token_stands_in_any_table_or_file(stage: Stage) -> None:
    turn = stage.shown()
    stage.capture(turn, add("likes tea"))
    stage.admit(state=UNKNOWN)
    kept = every_byte(stage.world)
    secrets = [
        stage.key.secret,
        stage.key.derived("wm/v1/doc"),
        stage.key.derived("wm/v1/idem"),
        turn.token,
    ]
    assert [secret for secret in secrets if secret in kept or secret.hex().encode() in kept] == []
    with pytest.raises(KeySessionNotHeld):
        RamKeyStore(stage.world.clock.now).borrow(
            stage.sessions[turn.user], token=turn.token, user=turn.user, workspace=stage.world.workspace
        )
