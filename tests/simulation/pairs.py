"""Which use cases are run against each other, and how the workspace stands before.

Each case prepares a stage and gives the moves. The names say what they are about; the first group is the list of the
memory document's design, the second one is what else takes the workspace lock because a rule reads what it writes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from tests.contract.memory_stage import add
from tests.simulation.interleavings import Move
from tests.simulation.moves import Moves

from workspace_memory.domain.access import Role
from workspace_memory.domain.admission import LIFETIME
from workspace_memory.domain.edits import Edit, EditOp
from workspace_memory.domain.ids import Version
from workspace_memory.domain.key_session import KeySessionWay
from workspace_memory.domain.policy import Mode

TEA = add("likes tea")
COFFEE = add("likes coffee")
TEXT = "# Team\n\n- We ship on Thursday\n"
Clients = tuple[Move | tuple[Move, ...], ...]
Prepare = Callable[[Moves], Clients]
Part = Callable[[Moves], Move | tuple[Move, ...]]
"""Gives the clients: one request of each, or several one after another."""


@dataclass(frozen=True)
class Case:
    """`mode` and `text` are what the stage has before `prepare`; a text of None is no document at all."""

    name: str
    prepare: Prepare
    mode: Mode = Mode.AUTO
    text: str | None = TEXT

    def __str__(self) -> str:
        return self.name


def _against_capture(other: Part) -> Prepare:
    def prepare(m: Moves) -> Clients:
        capture = m.capture(m.stage.shown(), TEA)
        return capture, other(m)

    return prepare


def _against_recall(other: Part) -> Prepare:
    def prepare(m: Moves) -> Clients:
        recall = m.recall(m.stage.admit())
        return recall, other(m)

    return prepare


def _both(one: Part, other: Part) -> Prepare:
    return lambda m: (one(m), other(m))


def _newer_turn(m: Moves) -> Clients:
    turn = m.stage.shown()
    return m.capture(turn, TEA), m.admit(turn.conversation)


def _newer_turn_with_a_retry(m: Moves) -> Clients:
    turn = m.stage.shown()
    return (m.capture(turn, TEA),) * 2, m.admit(turn.conversation)


def _recall_again_then_capture(m: Moves) -> Clients:
    turn = m.stage.shown()
    return (m.recall(turn), m.capture(turn, TEA)), m.clear()


def _same_turn(*edits: Edit) -> Prepare:
    def prepare(m: Moves) -> Clients:
        turn = m.stage.shown()
        return tuple(m.capture(turn, edit) for edit in edits)

    return prepare


def _after_success(other: Part) -> Prepare:
    def prepare(m: Moves) -> Clients:
        turn = m.stage.shown()
        m.stage.capture(turn, TEA)
        return m.capture(turn, TEA), other(m)

    return prepare


def _lost_answer(other: Part) -> Prepare:
    return lambda m: ((m.capture(m.stage.shown(), TEA),) * 2, other(m))


def _clock(after_expiry: timedelta) -> Prepare:
    def prepare(m: Moves) -> Clients:
        at = m.stage.world.clock.now() + LIFETIME + after_expiry
        return m.capture(m.stage.shown(), TEA), m.clock("the clock moves on", at)

    return prepare


def _clock_back(m: Moves) -> Clients:
    before = m.stage.world.clock.now() - timedelta(milliseconds=1)
    return m.capture(m.stage.shown(), TEA), m.clock("the clock steps back", before)


def _tombstone(m: Moves) -> Clients:
    capture = m.capture(m.stage.shown(), TEA)
    m.stage.delete()
    return capture, m.save("# New\n")


def _proposed(one: Part | None, other: Part | None) -> Prepare:
    """With an open proposal of bob's that a carefully admitted turn made; None is to apply it."""

    def prepare(m: Moves) -> Clients:
        m.stage.capture(m.stage.shown(), TEA)
        proposal = m.proposal()
        return tuple(m.apply(proposal) if each is None else each(m) for each in (one, other))

    return prepare


def _by_cookie(m: Moves) -> Clients:
    """A turn under a key session of the browser, whose user signs out."""
    m.stage.open_session(m.bob, KeySessionWay.COOKIE)
    return m.capture(m.stage.shown(), TEA), m.sign_out(m.bob)


def _first_by_cookie(m: Moves) -> Clients:
    """A user without any key session opens one, and signs out in another tab."""
    m.stage.revoke(m.bob)
    return m.open_session(m.bob, KeySessionWay.COOKIE), m.sign_out(m.bob)


def _five_edits(m: Moves) -> Clients:
    edits = [add(f"fact {number}") for number in range(4)]
    ambiguous = Edit(EditOp.REPLACE, text="y", target="x", heading="")
    return m.capture(m.stage.shown(), *edits, ambiguous), m.save("# Team\n\n- x\n")


def _three(m: Moves) -> Clients:
    return m.capture(m.stage.shown(), TEA), m.clear(), m.save("# Team\n\n- newer\n")


def _undo_and_capture(m: Moves) -> Clients:
    m.stage.save("# Two\n")
    return m.undo(Version(1)), m.capture(m.stage.shown(), TEA)


def _undo_and_clear(m: Moves) -> Clients:
    m.stage.save("# Two\n")
    return m.undo(Version(1)), m.clear(m.bob)


def _save(m: Moves) -> Move:
    return m.save("# Team\n\n- newer\n")


def _clear(m: Moves) -> Move:
    return m.clear()


GROWN = "# Team\n\n" + "- a line of tea\n" * 600

LISTED = (
    Case("clear x capture", _against_capture(_clear)),
    Case("off x capture", _against_capture(lambda m: m.mode(Mode.OFF))),
    Case("read-only x capture", _against_capture(lambda m: m.mode(Mode.READ_ONLY))),
    Case("off, auto x capture", _against_capture(lambda m: (m.mode(Mode.OFF), m.mode(Mode.AUTO, after=1)))),
    Case("consent off x capture", _against_capture(lambda m: m.consent(False))),
    Case(
        "consent off, on x capture", _against_capture(lambda m: (m.consent(False), m.consent(True, after=1)))
    ),
    Case("revoke x capture", _against_capture(lambda m: m.revoke(m.bob))),
    Case("revoke x recall", _against_recall(lambda m: m.revoke(m.bob))),
    Case("newer turn x capture", _newer_turn),
    Case("clear x recall again, capture", _recall_again_then_capture),
    Case("same key same body", _same_turn(TEA, TEA)),
    Case("same key other body", _same_turn(TEA, COFFEE)),
    Case("again after success x save", _after_success(_save)),
    Case("again after success x clear", _after_success(_clear)),
    Case("again after success x revoke", _after_success(lambda m: m.revoke(m.bob))),
    Case("lost answer x save", _lost_answer(_save)),
    Case("lost answer x clear", _lost_answer(_clear)),
    Case("lost answer x newer turn", _newer_turn_with_a_retry),
    Case("lost answer x off", _lost_answer(lambda m: m.mode(Mode.OFF))),
    Case("save x capture", _against_capture(_save)),
    Case("undo x capture", _undo_and_capture),
    Case("undo x clear", _undo_and_clear),
    Case("expiry t-1 x capture", _clock(timedelta(milliseconds=-1))),
    Case("expiry t x capture", _clock(timedelta())),
    Case("expiry t+1 x capture", _clock(timedelta(milliseconds=1))),
    Case("clock back x capture", _clock_back),
    Case("delete x capture", _against_capture(lambda m: m.delete())),
    Case("revival x capture", _tombstone),
    Case("delete x save", _both(_save, lambda m: m.delete())),
    Case("first save x capture", _against_capture(lambda m: m.save("# First\n")), text=None),
    Case("stale save x clear", _both(_save, lambda m: m.clear())),
    Case("stale save x save", _both(_save, lambda m: m.save("# Other\n", m.alice))),
    Case("two clears", _both(_clear, lambda m: m.clear(m.bob))),
    Case("clear of none x capture", _against_capture(_clear), text=None),
    Case("clear of none x first save", _both(_clear, lambda m: m.save("# First\n")), text=None),
    Case("apply x clear", _proposed(None, _clear), mode=Mode.READ_ONLY),
    Case("apply x save", _proposed(None, _save), mode=Mode.READ_ONLY),
    Case("apply twice", _proposed(None, None), mode=Mode.READ_ONLY),
    Case("eviction x capture", _against_capture(lambda m: m.evict(m.bob))),
    Case("member removed x capture", _against_capture(lambda m: m.remove(m.bob))),
    Case("member deactivated x capture", _against_capture(lambda m: m.deactivate(m.bob))),
    Case("role lowered x capture", _against_capture(lambda m: m.role(m.bob, Role.VIEWER))),
    Case("member removed x recall", _against_recall(lambda m: m.remove(m.bob))),
    Case("member deactivated x recall", _against_recall(lambda m: m.deactivate(m.bob))),
    Case("role lowered x recall", _against_recall(lambda m: m.role(m.bob, Role.VIEWER))),
    Case("rotation x capture", _against_capture(lambda m: m.rotate(m.alice))),
    Case("workspace deleted x capture", _against_capture(lambda m: m.delete_workspace())),
    Case("clear x recall", _against_recall(_clear)),
    Case("five edits, one ambiguous x save", _five_edits, text="- x\n- x\n"),
    Case("grown past the bound x capture", _against_capture(lambda m: m.save(GROWN))),
    Case("grown past the bound x recall", _against_recall(lambda m: m.save(GROWN))),
)

LOCKED = (
    Case("member removed x save", _both(_save, lambda m: m.remove(m.bob))),
    Case("account deactivated x capture", _against_capture(lambda m: m.deactivate_account())),
    Case("account deactivated x save", _both(_save, lambda m: m.deactivate_account())),
    Case("account deleted x capture", _against_capture(lambda m: m.delete_account())),
    Case("account deleted x save", _both(_save, lambda m: m.delete_account())),
    Case("sign out x capture", _by_cookie),
    Case("sign out x key session", _first_by_cookie),
    Case("sign out x deleted workspace", _both(lambda m: m.sign_out(m.bob), lambda m: m.delete_workspace())),
    Case("role lowered x save", _both(_save, lambda m: m.role(m.bob, Role.VIEWER))),
    Case("role lowered x clear", _both(lambda m: m.clear(m.bob), lambda m: m.role(m.bob, Role.VIEWER))),
    Case("role lowered x apply", _proposed(None, lambda m: m.role(m.bob, Role.VIEWER)), mode=Mode.READ_ONLY),
    Case("deactivated x mode", _both(lambda m: m.mode(Mode.OFF, user=m.bob), lambda m: m.deactivate(m.bob))),
    Case("apply x dismiss", _proposed(None, lambda m: m.dismiss(m.proposal())), mode=Mode.READ_ONLY),
    Case("share x clear", _proposed(lambda m: m.share(m.proposal()), _clear), mode=Mode.READ_ONLY),
    Case("proposal x clear", _against_capture(_clear), mode=Mode.READ_ONLY),
    Case("proposal x mode", _against_capture(lambda m: m.mode(Mode.AUTO)), mode=Mode.READ_ONLY),
    Case("proposal x save", _against_capture(_save), mode=Mode.READ_ONLY),
    Case("proposal x rotation", _against_capture(lambda m: m.rotate(m.alice)), mode=Mode.READ_ONLY),
    Case("proposal x newer turn", _newer_turn, mode=Mode.READ_ONLY),
    Case("proposal twice", _same_turn(TEA, TEA), mode=Mode.READ_ONLY),
    Case("skills x consent", _both(lambda m: m.trust_skills(), lambda m: m.consent(False))),
    Case("admission x mode", _both(lambda m: m.admit(m.stage.converse(m.bob)), lambda m: m.mode(Mode.OFF))),
    Case(
        "admission x consent", _both(lambda m: m.admit(m.stage.converse(m.bob)), lambda m: m.consent(False))
    ),
    Case(
        "Assistant x mode",
        _both(lambda m: m.ask_assistant(m.stage.converse(m.bob)), lambda m: m.mode(Mode.OFF)),
    ),
    Case(
        "Assistant x consent",
        _both(lambda m: m.ask_assistant(m.stage.converse(m.bob)), lambda m: m.consent(False)),
    ),
    Case(
        "Assistant x rotation",
        _both(lambda m: m.ask_assistant(m.stage.converse(m.bob)), lambda m: m.rotate(m.alice)),
    ),
    Case("admission x clear", _both(lambda m: m.admit(m.stage.converse(m.bob)), _clear)),
    Case("admission x revoke", _both(lambda m: m.admit(m.stage.converse(m.bob)), lambda m: m.revoke(m.bob))),
    Case(
        "admission x deactivate",
        _both(lambda m: m.admit(m.stage.converse(m.bob)), lambda m: m.deactivate(m.bob)),
    ),
    Case("conversation x deactivate", _both(lambda m: m.converse(m.bob), lambda m: m.deactivate(m.bob))),
    Case("mode x clear", _both(lambda m: m.mode(Mode.OFF), lambda m: m.clear(m.bob))),
    Case("mode x delete", _both(lambda m: m.mode(Mode.OFF), lambda m: m.delete())),
    Case("mode x mode", _both(lambda m: m.mode(Mode.OFF), lambda m: m.mode(Mode.READ_ONLY, user=m.bob))),
    Case("key session x deactivate", _both(lambda m: m.open_session(m.bob), lambda m: m.deactivate(m.bob))),
    Case("key session x remove", _both(lambda m: m.open_session(m.bob), lambda m: m.remove(m.bob))),
    Case("key session x rotation", _both(lambda m: m.open_session(m.bob), lambda m: m.rotate(m.alice))),
    Case(
        "key session x deleted workspace",
        _both(lambda m: m.open_session(m.bob), lambda m: m.delete_workspace()),
    ),
    Case("two revocations", _both(lambda m: m.revoke(m.bob), lambda m: m.revoke(m.bob))),
    Case("revoke x deactivate", _both(lambda m: m.revoke(m.bob), lambda m: m.deactivate(m.bob))),
    Case("rotation x deactivate", _both(lambda m: m.rotate(m.alice), lambda m: m.deactivate(m.bob))),
    Case("two rotations", _both(lambda m: m.rotate(m.alice), lambda m: m.rotate(m.bob))),
    Case(
        "admission x deleted workspace",
        _both(lambda m: m.admit(m.stage.converse(m.bob)), lambda m: m.delete_workspace()),
    ),
)

THREE = Case("clear, capture and save", _three)
CASES = (*LISTED, *LOCKED)
