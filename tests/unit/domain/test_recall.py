"""Recall is decided in one order, first hit wins, and an older revision is never given instead."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from workspace_memory.domain.client_state import CONFLICT, PENDING, UNKNOWN, saved
from workspace_memory.domain.ids import Version
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.recall import (
    REASONS,
    Attach,
    HeadState,
    Nothing,
    ReadText,
    RecallFacts,
    RecallStatus,
    TurnStopped,
    Withhold,
    decide_before_text,
    decide_text,
)

GOOD = RecallFacts(
    mode=Mode.READ_ONLY,
    holds_delivery=True,
    sender_is_active=True,
    scope_granted=True,
    ai_enabled=True,
    consent_unchanged=True,
    client_state=UNKNOWN,
    key_session_open=True,
    head=HeadState.LIVE,
    version=Version(7),
)
TEXT = "- Release day is Thursday\n"


def facts(**changes: Any) -> RecallFacts:
    return replace(GOOD, **changes)


def decided(given: RecallFacts, text: str | None = TEXT) -> Attach | Withhold | Nothing | TurnStopped:
    outcome = decide_before_text(given)
    return decide_text(given, text) if isinstance(outcome, ReadText) else outcome


def test_the_statuses_stand_in_the_order_in_which_they_are_decided() -> None:
    assert " ".join(RecallStatus) == (
        "off superseded no_access pending conflict unavailable deleted stale oversized empty attached"
    )


@pytest.mark.parametrize("mode", [Mode.READ_ONLY, Mode.AUTO])
def test_the_current_revision_is_attached(mode: Mode) -> None:
    assert decided(facts(mode=mode)) == Attach(Version(7), TEXT)


@pytest.mark.requirement("document:recall:off-adds-nothing")
def test_off_adds_nothing() -> None:
    assert decided(facts(mode=Mode.OFF)) == Nothing(RecallStatus.OFF)


@pytest.mark.requirement("document:withheld:superseded")
def test_without_the_delivery_slot_it_is_superseded() -> None:
    assert decided(facts(holds_delivery=False)) == Withhold(RecallStatus.SUPERSEDED)


@pytest.mark.requirement("document:withheld:no-access")
@pytest.mark.parametrize("fact", ["sender_is_active", "scope_granted"])
def test_a_sender_without_access_gets_none(fact: str) -> None:
    assert decided(facts(**{fact: False})) == Withhold(RecallStatus.NO_ACCESS)


@pytest.mark.parametrize("fact", ["ai_enabled", "consent_unchanged"])
@pytest.mark.parametrize(
    ("other", "status"),
    [
        ({}, RecallStatus.NO_ACCESS),
        ({"sender_is_active": False}, RecallStatus.NO_ACCESS),
        ({"client_state": PENDING}, RecallStatus.NO_ACCESS),
        ({"holds_delivery": False}, RecallStatus.SUPERSEDED),
        ({"mode": Mode.OFF}, RecallStatus.OFF),
    ],
)
def test_without_consent_to_ai_the_turn_is_stopped(
    fact: str, other: dict[str, Any], status: RecallStatus
) -> None:
    assert decided(facts(**{fact: False, **other})) == TurnStopped(status)


@pytest.mark.requirement("document:withheld:pending")
def test_a_pending_save_withholds_it() -> None:
    assert decided(facts(client_state=PENDING)) == Withhold(RecallStatus.PENDING)


@pytest.mark.requirement("document:withheld:conflict")
def test_a_conflicting_save_withholds_it() -> None:
    assert decided(facts(client_state=CONFLICT)) == Withhold(RecallStatus.CONFLICT)


@pytest.mark.requirement("document:withheld:unavailable")
def test_without_a_key_session_it_is_unavailable() -> None:
    assert decided(facts(key_session_open=False)) == Withhold(RecallStatus.UNAVAILABLE)


@pytest.mark.requirement("document:withheld:unavailable")
def test_a_text_that_cannot_be_read_is_unavailable() -> None:
    assert decided(GOOD, None) == Withhold(RecallStatus.UNAVAILABLE)


@pytest.mark.requirement("document:withheld:deleted")
def test_a_deleted_document_is_withheld() -> None:
    assert decided(facts(head=HeadState.TOMBSTONE)) == Withhold(RecallStatus.DELETED)


@pytest.mark.requirement("document:state:saved-needs-that-version-or-later")
@pytest.mark.requirement("document:withheld:stale")
@pytest.mark.parametrize("number", [8, 9, 9_999_999_999])
def test_a_revision_older_than_the_acknowledged_one_is_stale(number: int) -> None:
    assert decided(facts(client_state=saved(Version(number)))) == Withhold(RecallStatus.STALE)


@pytest.mark.requirement("document:state:saved-needs-that-version-or-later")
@pytest.mark.parametrize("number", [0, 1, 6, 7])
def test_the_acknowledged_revision_or_a_later_one_is_attached(number: int) -> None:
    assert decided(facts(client_state=saved(Version(number)))) == Attach(Version(7), TEXT)


@pytest.mark.requirement("document:state:unknown-takes-the-current-revision")
def test_without_a_stated_version_the_current_revision_is_attached() -> None:
    assert decided(facts(client_state=UNKNOWN, version=Version(1))) == Attach(Version(1), TEXT)


def test_an_absent_document_is_stale_for_who_saved_one() -> None:
    given = facts(head=HeadState.ABSENT, version=Version(0), client_state=saved(Version(1)))
    assert decided(given) == Withhold(RecallStatus.STALE)


@pytest.mark.requirement("document:bound:8192-bytes")
@pytest.mark.parametrize("text", ["x" * 8_192, "é" * 4_096, "🙂" * 2_048])
def test_a_text_of_8192_bytes_is_attached(text: str) -> None:
    assert decided(GOOD, text) == Attach(Version(7), text)


@pytest.mark.requirement("document:bound:8192-bytes")
@pytest.mark.requirement("document:bound:status-oversized")
@pytest.mark.requirement("document:withheld:oversized")
@pytest.mark.parametrize("text", ["x" * 8_193, "é" * 4_096 + "x", " " * 8_193])
def test_a_text_of_8193_bytes_is_oversized(text: str) -> None:
    assert decided(GOOD, text) == Withhold(RecallStatus.OVERSIZED)


@pytest.mark.requirement("document:recall:empty-adds-nothing")
@pytest.mark.parametrize("text", ["", "\n", " \t\r\n \u3000"])
def test_a_text_of_blanks_is_empty(text: str) -> None:
    assert decided(GOOD, text) == Nothing(RecallStatus.EMPTY)


@pytest.mark.requirement("document:recall:empty-adds-nothing")
def test_a_document_that_was_never_written_is_empty() -> None:
    assert decided(facts(head=HeadState.ABSENT, version=Version(0))) == Nothing(RecallStatus.EMPTY)


# For each status of the table one set of facts that gives it, whatever comes later in the order.
CAUSES: list[tuple[RecallStatus, dict[str, Any]]] = [
    (RecallStatus.OFF, {"mode": Mode.OFF}),
    (RecallStatus.SUPERSEDED, {"holds_delivery": False}),
    (RecallStatus.NO_ACCESS, {"sender_is_active": False}),
    (RecallStatus.PENDING, {"client_state": PENDING}),
    (RecallStatus.UNAVAILABLE, {"key_session_open": False}),
    (RecallStatus.DELETED, {"head": HeadState.TOMBSTONE}),
    (RecallStatus.STALE, {"version": Version(2), "client_state": saved(Version(3))}),
]
TEXTS = {None: RecallStatus.UNAVAILABLE, "x" * 9_000: RecallStatus.OVERSIZED, "": RecallStatus.EMPTY}


@pytest.mark.parametrize("chosen", list(product([False, True], repeat=len(CAUSES))))
@pytest.mark.parametrize("text", [*TEXTS, TEXT], ids=["unreadable", "oversized", "empty", "good"])
def test_the_first_cause_in_the_order_wins(chosen: tuple[bool, ...], text: str | None) -> None:
    causes = [cause for cause, wanted in zip(CAUSES, chosen, strict=True) if wanted]
    # The client's state is one fact: the earlier cause sets it.
    changes: dict[str, Any] = {}
    for _, change in reversed(causes):
        changes |= change
    deleted = changes.get("head") is HeadState.TOMBSTONE
    expected = {status for status, _ in causes}
    if not deleted:
        expected.add(TEXTS.get(text, RecallStatus.ATTACHED))
    outcome = decided(facts(**changes), text)
    found = RecallStatus.ATTACHED if isinstance(outcome, Attach) else outcome.status
    order = list(RecallStatus)
    assert found == min(expected, key=order.index)


@pytest.mark.parametrize("text", [None, "", TEXT])
def test_what_is_withheld_carries_no_text(text: str | None) -> None:
    assert not hasattr(decided(facts(client_state=saved(Version(9))), text), "text")


@pytest.mark.requirement("document:state:pending-withholds")
@pytest.mark.requirement("document:state:conflict-withholds")
@pytest.mark.parametrize("state", [PENDING, CONFLICT])
def test_a_save_that_is_not_settled_withholds_memory_and_refuses_capture(state: Any) -> None:
    outcome = decided(facts(client_state=state))
    assert isinstance(outcome, Withhold)
    assert not outcome.status.lets_capture


def test_only_who_was_shown_the_whole_document_may_capture() -> None:
    assert [status for status in RecallStatus if status.lets_capture] == [
        RecallStatus.EMPTY,
        RecallStatus.ATTACHED,
    ]


def test_everything_that_withholds_has_a_reason() -> None:
    assert set(RecallStatus) - set(REASONS) == {RecallStatus.OFF, RecallStatus.EMPTY, RecallStatus.ATTACHED}
