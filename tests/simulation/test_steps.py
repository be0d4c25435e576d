"""What the matrix cannot say by serial orders: from which step on a capture is safe, and a wait that crosses an end."""

from datetime import timedelta

import pytest
from tests.contract.memory_stage import add
from tests.simulation.arena import Arena
from tests.simulation.interleavings import Stop, Unit
from tests.simulation.moves import Moves
from tests.simulation.pairs import TEXT

from workspace_memory.domain.admission import LIFETIME
from workspace_memory.domain.document_errors import AdmissionRetired, KeySessionRequired
from workspace_memory.domain.key_session import IDLE
from workspace_memory.domain.policy import Mode
from workspace_memory.services.captures import Captured


@pytest.fixture
def moves(arena: Arena) -> Moves:
    """In mode auto, with a document."""
    stage = arena.beginning()
    stage.set_mode(Mode.AUTO)
    stage.save(TEXT)
    return Moves(arena, stage)


@pytest.mark.requirement("document:keys:checked-again-before-the-transaction")
@pytest.mark.requirement("document:keys:eviction-is-no-revocation")
def test_an_eviction_before_the_transaction_refuses_the_capture(arena: Arena, moves: Moves) -> None:
    clients = [[moves.capture(moves.stage.shown(), add("likes tea"))], [moves.evict(moves.bob)]]
    arena.keep("case")
    points = arena.play(clients[:1]).points
    # To read the text that it changes, and once more when all that takes time is done.
    first_use, last_check = (number for number, what in enumerate(points) if what == "borrow")
    assert first_use < last_check
    written = next(number for number, what in enumerate(points) if what.startswith("UPDATE documents"))
    assert "UPDATE" not in "".join(points[:last_check])
    assert last_check < written
    for at in range(len(points)):
        outcome = arena.play(clients, [Stop(at, 1)]).outcomes[Unit(0, 0)]
        # After that check the key is used no more.
        assert isinstance(outcome, KeySessionRequired if at <= last_check else Captured), (at, outcome)
        with arena.world.deps.database.read() as tx:
            assert not tx.key_sessions.is_revoked(moves.workspace, moves.stage.sessions[moves.bob])


@pytest.mark.requirement("document:fence:not-expired")
def test_a_wait_for_the_lock_that_crosses_the_expiry_refuses_the_capture(arena: Arena, moves: Moves) -> None:
    turn = moves.stage.shown()
    expiry = arena.world.clock.now() + LIFETIME
    holder = moves.trust_skills()  # it takes the lock and touches nothing that the fence reads
    clients = [[holder], [moves.capture(turn, add("likes tea"))], [moves.clock("the clock moves on", expiry)]]
    arena.keep("case")
    before_commit = arena.play([[holder]]).points.index("COMMIT")
    played = arena.play(clients, [Stop(before_commit, 1), Stop(before_commit, 2)])
    outcome = played.outcomes[Unit(1, 0)]
    assert isinstance(outcome, AdmissionRetired)
    assert outcome.clause == "admission_not_expired"
    assert moves.stage.version() == 1


def test_a_wait_for_the_lock_that_crosses_the_end_of_the_key_session_refuses_the_capture(
    arena: Arena, moves: Moves
) -> None:
    with arena.world.deps.database.read() as tx:
        session = tx.key_sessions.get(moves.workspace, moves.stage.sessions[moves.bob])
    assert session is not None
    # Used now and then, and at its absolute end soon after the turn has begun.
    while arena.world.clock.now() + IDLE < session.expires_at:
        moves.wait(IDLE - timedelta(minutes=1))
        moves.stage.recall(moves.stage.admit())
    moves.wait(session.expires_at - arena.world.clock.now() - timedelta(minutes=1))
    turn = moves.stage.shown()
    holder = moves.trust_skills()
    clients = [[holder], [moves.capture(turn, add("likes tea"))], [moves.clock("on", session.expires_at)]]
    arena.keep("case")
    before_commit = arena.play([[holder]]).points.index("COMMIT")
    played = arena.play(clients, [Stop(before_commit, 1), Stop(before_commit, 2)])
    outcome = played.outcomes[Unit(1, 0)]
    assert isinstance(outcome, AdmissionRetired)
    assert outcome.clause == "key_session_not_expired"


def test_a_clock_that_steps_back_prolongs_nothing(arena: Arena, moves: Moves) -> None:
    turn = moves.stage.shown()
    moves.wait(-timedelta(milliseconds=1))
    with pytest.raises(AdmissionRetired, match="admission_begun"):
        moves.stage.capture(turn, add("likes tea"))


def test_a_wait_for_the_lock_that_ends_a_moment_before_the_expiry_lets_it_pass(
    arena: Arena, moves: Moves
) -> None:
    turn = moves.stage.shown()
    just_before = arena.world.clock.now() + LIFETIME - LIFETIME.resolution
    holder = moves.trust_skills()
    clients = [
        [holder],
        [moves.capture(turn, add("likes tea"))],
        [moves.clock("the clock moves on", just_before)],
    ]
    arena.keep("case")
    before_commit = arena.play([[holder]]).points.index("COMMIT")
    played = arena.play(clients, [Stop(before_commit, 1), Stop(before_commit, 2)])
    assert isinstance(played.outcomes[Unit(1, 0)], Captured)


def test_who_waits_for_the_lock_is_seen_to_wait(arena: Arena, moves: Moves) -> None:
    # The engine itself: a Save that comes while the lock is held is committed after its holder.
    clients = [[moves.trust_skills()], [moves.save("# Later\n")]]
    arena.keep("case")
    before_commit = arena.play(clients[:1]).points.index("COMMIT")
    played = arena.play(clients, [Stop(before_commit, 1)])
    assert played.commits == (Unit(0, 0), Unit(1, 0))
