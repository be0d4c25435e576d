"""The chain of the audit log: whole, or broken at the event that was tampered with."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from workspace_memory.domain.audit import (
    GENESIS,
    AuditAction,
    AuditEvent,
    AuditHead,
    Broken,
    Verified,
    link,
    verify_chain,
)
from workspace_memory.domain.ids import UserId, WorkspaceId

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
WORKSPACE = WorkspaceId("0199a000-0000-7000-8000-000000000001")
ALICE = UserId("0199a000-0000-7000-8000-00000000000a")


def a_chain(length: int = 4) -> list[AuditEvent]:
    head = AuditHead(0, GENESIS)
    events: list[AuditEvent] = []
    for number in range(length):
        event = link(
            head,
            workspace=WORKSPACE,
            at=START + timedelta(minutes=number),
            actor=ALICE,
            action=AuditAction.MEMORY_ERASED,
            facts={"personal_items": number},
        )
        events.append(event)
        head = AuditHead(event.number, event.hash)
    return events


def head_of(event: AuditEvent) -> AuditHead:
    return AuditHead(event.number, event.hash)


def test_an_untouched_chain_is_whole() -> None:
    events = a_chain()
    assert verify_chain(events) == Verified(head_of(events[-1]))


def test_an_empty_log_is_whole() -> None:
    assert verify_chain([]) == Verified(AuditHead(0, GENESIS))


TAMPERINGS: list[Callable[[AuditEvent], AuditEvent]] = [
    lambda event: replace(event, facts={"personal_items": 7}),
    lambda event: replace(event, facts={}),
    lambda event: replace(event, actor=None),
    lambda event: replace(event, subject=ALICE),
    lambda event: replace(event, action=AuditAction.ITEM_DELETED),
    lambda event: replace(event, action=AuditAction.UNREADABLE),
    lambda event: replace(event, at=event.at + timedelta(microseconds=1)),
    lambda event: replace(event, workspace=WorkspaceId("another")),
    lambda event: replace(event, hash=bytes(32)),
    lambda event: replace(event, previous=bytes(32)),
]


@pytest.mark.parametrize("tamper", TAMPERINGS)
def test_a_changed_event_breaks_the_chain_there(tamper: Callable[[AuditEvent], AuditEvent]) -> None:
    events = a_chain()
    events[2] = tamper(events[2])
    broken = verify_chain(events)
    assert isinstance(broken, Broken)
    assert broken.number == 3


def test_a_removed_event_is_missed() -> None:
    events = a_chain()
    assert verify_chain([*events[:1], *events[2:]]) == Broken(
        2, "an event is missing or stands in another order"
    )


def test_two_exchanged_events_are_noticed() -> None:
    one, two, *rest = a_chain()
    assert isinstance(verify_chain([two, one, *rest]), Broken)


def test_an_event_written_anew_breaks_the_one_after() -> None:
    events = a_chain()
    forged = link(
        head_of(events[0]), workspace=WORKSPACE, at=START, actor=None, action=AuditAction.MEMORY_ERASED
    )
    assert verify_chain([events[0], forged, *events[2:]]) == Broken(
        3, "it does not follow from the event before"
    )


def test_an_end_written_anew_is_noticed_by_whoever_keeps_the_head() -> None:
    events = a_chain()
    kept = head_of(events[2])
    forged = a_chain(2)
    forged.append(
        link(head_of(forged[-1]), workspace=WORKSPACE, at=START, actor=None, action=AuditAction.ITEM_APPROVED)
    )
    assert isinstance(verify_chain(forged), Verified)
    assert verify_chain(forged, kept) == Broken(3, "it is not the event of the exported head")


def test_an_end_cut_off_is_noticed_by_whoever_keeps_the_head() -> None:
    events = a_chain()
    broken = verify_chain(events[:2], head_of(events[-1]))
    assert broken == Broken(3, "the log ends before the exported head, number 4")


def test_a_kept_head_stays_valid_while_the_log_grows() -> None:
    events = a_chain()
    assert verify_chain(events, head_of(events[1])) == Verified(head_of(events[-1]))


def test_a_head_of_an_empty_log_is_in_every_log() -> None:
    events = a_chain()
    assert isinstance(verify_chain(events, AuditHead(0, GENESIS)), Verified)


def test_the_same_moment_in_another_zone_is_the_same_event() -> None:
    here = START.astimezone(timezone(timedelta(hours=2)))
    one, other = (
        link(
            AuditHead(0, GENESIS), workspace=WORKSPACE, at=at, actor=None, action=AuditAction.MEMORY_ERASED
        ).hash
        for at in (START, here)
    )
    assert one == other
