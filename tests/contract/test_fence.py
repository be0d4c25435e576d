"""The commit fence: its two halves say the same of everything, and its row cannot be written when they say no."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from sqlalchemy import Table, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from tests.conftest import World
from tests.contract.fence_rows import NAMES, TruthTable
from tests.contract.memory_stage import Stage, Turn, make_stage

from workspace_memory.domain import fence
from workspace_memory.domain.account import AccountStatus
from workspace_memory.domain.fence import FenceFacts, first_broken_clause
from workspace_memory.domain.ids import KeySessionId, Version
from workspace_memory.domain.policy import Mode
from workspace_memory.services.deps import new_uuid7
from workspace_memory.services.fence_facts import read_fence_facts
from workspace_memory.storage import fence as fence_in_sql
from workspace_memory.storage.database import Database, Transaction
from workspace_memory.storage.document_tables import (
    admissions,
    ai_consents,
    conversations,
    memory_commit_fence,
    memory_policies,
)
from workspace_memory.storage.fence import FenceBroken
from workspace_memory.storage.key_tables import key_session_revocations, key_sessions
from workspace_memory.storage.sqlite import SqliteDialect
from workspace_memory.storage.tables import members, users


@pytest.fixture
def stage(world: World) -> Stage:
    return make_stage(world)


def pass_through(stage: Stage, turn: Turn, tx: Transaction, session: KeySessionId | None = None) -> None:
    """The fence row of a turn's capture, as bob presents it."""
    tx.fence.pass_through(
        user=stage.world.bob,
        workspace=stage.world.workspace,
        admission=turn.admission,
        session=session or stage.sessions[turn.user],
        version=Version(2),
        body_mac=b"mac",
        now=stage.world.clock.now(),
    )


def fence_rows(stage: Stage) -> int:
    with stage.world.deps.database.read() as tx:
        return len(tx.connection.execute(select(memory_commit_fence)).all())


# --- The two halves ----------------------------------------------------------------------------------------


def test_the_clauses_have_the_same_names_in_the_same_order() -> None:
    assert tuple(fence_in_sql.CLAUSES) == tuple(fence.CLAUSES)


@pytest.mark.requirement("document:fence:one-checked-predicate")
def test_sql_and_domain_agree_on_every_combination_of_clauses(database: Database) -> None:
    clauses, everything = tuple(enumerate(fence.CLAUSES.values())), 2 ** len(NAMES) - 1
    seen: set[int] = set()
    with database.begin() as tx:
        for facts, bits, holds in TruthTable(tx.connection).rows():
            assert bits == sum(clause(facts) << number for number, clause in clauses), facts
            assert holds == (bits == everything)
            seen.add(bits)
    assert len(seen) == 2 ** len(NAMES)


def test_the_first_broken_clause_is_named(stage: Stage) -> None:
    turn = stage.shown()
    assert first_broken_clause(read_facts(stage, turn)) is None
    stage.set_mode(Mode.OFF)
    assert first_broken_clause(read_facts(stage, turn)) == "mode_auto"
    stage.set_mode(Mode.AUTO)
    assert first_broken_clause(read_facts(stage, turn)) == "policy_revision"


# --- What is missing ---------------------------------------------------------------------------------------

Change = Callable[[Stage, Turn, Transaction], None]


def _without(table: Table) -> Change:
    return lambda stage, _turn, tx: _run(
        tx, delete(table).where(table.c.workspace_id == stage.world.workspace)
    )


def _with_null(table: Table, column: str) -> Change:
    return lambda stage, _turn, tx: _run(
        tx, update(table).where(table.c.workspace_id == stage.world.workspace).values({column: None})
    )


def _without_bobs(table: Table) -> Change:
    return lambda stage, _turn, tx: _run(
        tx,
        delete(table).where(
            table.c.workspace_id == stage.world.workspace, table.c.user_id == stage.world.bob
        ),
    )


def _account_deactivated(stage: Stage, _turn: Turn, tx: Transaction) -> None:
    _run(tx, update(users).where(users.c.id == stage.world.bob).values(status=AccountStatus.DEACTIVATED))


def _session_of_another(stage: Stage, _turn: Turn, tx: Transaction) -> None:
    _run(
        tx,
        update(key_sessions)
        .where(key_sessions.c.id == stage.sessions[stage.world.bob])
        .values(user_id=stage.world.alice),
    )


def _revoked_and_forgotten(stage: Stage, turn: Turn, tx: Transaction) -> None:
    _run(
        tx,
        insert(key_session_revocations).values(
            workspace_id=stage.world.workspace,
            key_session_id=stage.sessions[stage.world.bob],
            revoked_at=stage.world.clock.now(),
        ),
    )
    _without_bobs(key_sessions)(stage, turn, tx)


def _run(tx: Transaction, statement: object) -> None:
    tx.connection.execute(statement)  # pyright: ignore[reportCallIssue, reportArgumentType]  any statement


MISSING: dict[str, tuple[Change, str]] = {
    "no policy": (_without(memory_policies), "mode_auto"),
    "no consent": (_without(ai_consents), "ai_enabled"),
    "no key session": (_without_bobs(key_sessions), "same_key_session"),
    "a key session of somebody else": (_session_of_another, "same_key_session"),
    "a revoked key session whose row is gone": (_revoked_and_forgotten, "same_key_session"),
    "no key session in the admission": (_with_null(admissions, "key_session_id"), "same_key_session"),
    "no nonce in the slot": (_with_null(conversations, "slot_nonce"), "newest_turn"),
    "no end of the slot": (_with_null(conversations, "slot_expires_at"), "slot_not_expired"),
    "a deactivated account": (_account_deactivated, "member_active"),
}


@pytest.mark.parametrize("missing", MISSING)
def test_what_is_missing_is_no(stage: Stage, missing: str) -> None:
    change, clause = MISSING[missing]
    turn = stage.shown()
    with stage.world.deps.database.begin() as tx:
        change(stage, turn, tx)
    facts = read_facts(stage, turn)
    assert clause in [name for name, holds in fence.CLAUSES.items() if not holds(facts)]
    assert clauses_by_sql(stage, turn) == {name: holds(facts) for name, holds in fence.CLAUSES.items()}
    with pytest.raises(FenceBroken), stage.world.deps.database.begin() as tx:
        pass_through(stage, turn, tx)
    assert fence_rows(stage) == 0


@pytest.mark.requirement("document:fence:false-predicate-rolls-back")
def test_a_member_who_is_gone_has_no_fence_row(stage: Stage) -> None:
    turn = stage.shown()
    with stage.world.deps.database.begin() as tx:
        _without_bobs(members)(stage, turn, tx)
    with pytest.raises(FenceBroken), stage.world.deps.database.begin() as tx:
        pass_through(stage, turn, tx)
    assert fence_rows(stage) == 0


def test_an_admission_that_never_was_has_no_fence_row(stage: Stage) -> None:
    turn = stage.shown()
    stranger = Turn(turn.user, turn.conversation, type(turn.admission)(new_uuid7()), "", turn.token)
    with pytest.raises(FenceBroken), stage.world.deps.database.begin() as tx:
        pass_through(stage, stranger, tx)


@pytest.mark.requirement("document:fence:same-key-session")
def test_another_open_key_session_of_the_owner_is_not_the_admissions(stage: Stage) -> None:
    turn = stage.shown()
    admitted_with = stage.sessions[stage.world.bob]
    stage.open_session(stage.world.bob)
    assert stage.sessions[stage.world.bob] != admitted_with
    with pytest.raises(FenceBroken), stage.world.deps.database.begin() as tx:
        pass_through(stage, turn, tx)


def read_facts(stage: Stage, turn: Turn) -> FenceFacts:
    with stage.world.deps.database.read() as tx:
        return read_fence_facts(
            stage.world.deps,
            tx,
            stage.actor(stage.world.bob),
            stage.world.workspace,
            turn.admission,
            stage.sessions[turn.user],
        )


def clauses_by_sql(stage: Stage, turn: Turn) -> dict[str, bool]:
    """Each clause for itself; NULL is no."""
    columns = [clause.label(name) for name, clause in fence_in_sql.CLAUSES.items()]
    with stage.world.deps.database.read() as tx:
        row = tx.connection.execute(
            select(*columns).select_from(fence_in_sql.FACTS).where(admissions.c.id == turn.admission),
            {
                "fence_user": stage.world.bob,
                "fence_workspace": stage.world.workspace,
                "fence_session": stage.sessions[turn.user],
                "fence_now": stage.world.clock.now(),
            },
        ).one()
    return {name: bool(value) for name, value in zip(fence_in_sql.CLAUSES, row, strict=True)}


# --- The row -----------------------------------------------------------------------------------------------


def test_a_capture_whose_clauses_all_hold_has_its_row(stage: Stage) -> None:
    turn = stage.shown()
    with stage.world.deps.database.begin() as tx:
        pass_through(stage, turn, tx)
    assert fence_rows(stage) == 1


@pytest.mark.parametrize("ok", [None, 0, 2, -1])
def test_the_row_cannot_be_written_with_anything_but_one(stage: Stage, ok: int | None) -> None:
    turn = stage.shown()
    row = {"admission_id": turn.admission, "ok": ok, "version": 2, "body_mac": b"mac"}
    with pytest.raises(IntegrityError), stage.world.deps.database.begin() as tx:
        tx.connection.execute(
            insert(memory_commit_fence).values(
                workspace_id=stage.world.workspace, committed_at=stage.world.clock.now(), **row
            )
        )


@pytest.mark.requirement("document:fence:false-predicate-rolls-back")
def test_a_violated_check_leaves_nothing_even_if_somebody_commits(stage: Stage) -> None:
    turn = stage.shown()
    stage.set_ai(False)
    before = stage.version()
    # As a careless caller would: the refusal is swallowed, and the transaction ends with COMMIT.
    with stage.world.deps.database.begin() as tx:
        tx.lock_workspace(stage.world.workspace)
        tx.policies.advance_clear_generation(stage.world.workspace)
        with suppress(FenceBroken):
            pass_through(stage, turn, tx)
    assert stage.policy().clear_generation == 0
    assert (stage.version(), fence_rows(stage)) == (before, 0)


def test_a_connection_that_ignores_checks_has_no_fence(stage: Stage) -> None:
    if not isinstance(stage.world.deps.database.dialect, SqliteDialect):
        return  # PostgreSQL knows no such thing
    turn = stage.shown()
    writer = stage.world.deps.database.dialect.writer
    with writer.connect() as connection:
        connection.exec_driver_sql("PRAGMA ignore_check_constraints = 1")
    try:
        with pytest.raises(FenceBroken), stage.world.deps.database.begin() as tx:
            pass_through(stage, turn, tx)
    finally:
        with writer.connect() as connection:
            connection.exec_driver_sql("PRAGMA ignore_check_constraints = 0")
    assert fence_rows(stage) == 0
