"""What stands under an answer: one line, in the words of people."""

from workspace_memory.cli.turn_words import failure_words, receipt_line
from workspace_memory.client.turn_events import HeardTurn
from workspace_memory.domain.ids import Version
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.domain.turn import TurnState, TurnUsage
from workspace_memory.domain.turn_event import MemoryGiven, Remembered, TurnEnded, TurnEvent


def heard(*events: TurnEvent) -> HeardTurn:
    turn = HeardTurn()
    for event in events:
        turn.hear(event)
    return turn


def given(call: int, status: RecallStatus, version: int | None = None) -> MemoryGiven:
    return MemoryGiven(call, status, None if version is None else Version(version), None)


def attached(call: int, version: int) -> MemoryGiven:
    return given(call, RecallStatus.ATTACHED, version)


def test_one_revision_is_named_once() -> None:
    assert receipt_line(heard(attached(1, 12), attached(2, 12))) == "Memory revision 12"


def test_a_change_within_the_turn_is_told() -> None:
    turn = heard(attached(1, 12), Remembered(Version(13)), attached(2, 13))
    assert receipt_line(turn) == "Memory revisions 12, then 13 · Remembered (revision 13)"


def test_nothing_is_said_where_memory_is_off_or_empty() -> None:
    assert receipt_line(heard(given(1, RecallStatus.OFF), given(2, RecallStatus.EMPTY, 3))) == ""


def test_every_reason_is_in_the_words_of_people() -> None:
    silent = {RecallStatus.OFF, RecallStatus.EMPTY, RecallStatus.ATTACHED}
    for status in set(RecallStatus) - silent:
        line = receipt_line(heard(given(1, status, 3)))
        assert line.startswith("Memory not given: ")
        assert status.value not in line.split() or status is RecallStatus.DELETED


def test_what_was_withheld_later_is_told_as_well() -> None:
    line = receipt_line(heard(attached(1, 12), given(2, RecallStatus.DELETED, 13)))
    assert line == "Memory revision 12 · Memory not given: it is deleted"


def test_tokens_are_told_with_about_how_many_were_memory() -> None:
    ended = TurnEnded(TurnState.DONE, TurnUsage(2, 2712, 96, 824))
    assert receipt_line(heard(ended)) == "2,712 tokens in, 96 out; about 241 were memory"


def test_an_estimate_that_cannot_be_is_left_out() -> None:
    assert receipt_line(heard(TurnEnded(TurnState.DONE, TurnUsage(1, 50, 9, 824)))) == "50 tokens in, 9 out"


def test_a_failure_has_its_sentence_or_its_code() -> None:
    def failed(code: str, problem: str | None) -> str:
        return failure_words(heard(TurnEnded(TurnState.FAILED, TurnUsage(), code, problem)))

    assert failed("model_limit", "Try later.") == "Try later."
    assert "model_limit" in failed("model_limit", None)
    assert failed("ai_disabled", None).endswith("ai on'.")
