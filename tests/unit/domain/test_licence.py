"""The one rule of licences: an active, unexpired one of plan enterprise, for here."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.licence import (
    INSTANCE,
    Licence,
    Licensing,
    Plan,
    includes_memory,
    licence_text,
    read_licence,
)

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
HERE = WorkspaceId("0199a000-0000-7000-8000-000000000001")
ELSEWHERE = WorkspaceId("0199a000-0000-7000-8000-000000000002")
ENTERPRISE = Licence(
    "L-1", HERE, Plan.ENTERPRISE, True, "Tea shop", NOW - timedelta(days=1), NOW + timedelta(days=1)
)


def included(licence: Licence, *, licensing: Licensing = Licensing.SELF_HOSTED, now: datetime = NOW) -> bool:
    return includes_memory(licence, licensing=licensing, workspace=HERE, now=now)


@pytest.mark.requirement("items:unit:licence-enterprise-includes-memory")
@pytest.mark.requirement("items:licence:active-unexpired-enterprise")
@pytest.mark.requirement("items:licence:enterprise-on-both-hostings")
@pytest.mark.parametrize("licensing", [Licensing.SELF_HOSTED, Licensing.CLOUD])
def test_an_enterprise_licence_includes_memory(licensing: Licensing) -> None:
    assert included(ENTERPRISE, licensing=licensing)


@pytest.mark.requirement("items:unit:licence-refuses-the-others")
@pytest.mark.requirement("items:licence:other-plans-do-not-include-memory")
@pytest.mark.parametrize("plan", [plan for plan in Plan if plan is not Plan.ENTERPRISE])
def test_no_other_plan_includes_memory(plan: Plan) -> None:
    assert not included(replace(ENTERPRISE, plan=plan))


@pytest.mark.requirement("items:unit:licence-refuses-the-others")
def test_an_inactive_licence_does_not_count() -> None:
    assert not included(replace(ENTERPRISE, active=False))


@pytest.mark.requirement("items:unit:licence-refuses-the-others")
@pytest.mark.parametrize(
    ("after", "counts"), [(timedelta(hours=23, minutes=59), True), (timedelta(days=1), False)]
)
def test_a_licence_counts_until_it_expires(after: timedelta, counts: bool) -> None:
    assert included(ENTERPRISE, now=NOW + after) is counts


def test_a_licence_from_the_future_does_not_count() -> None:
    """So that a clock which was set back does not open what it closed."""
    assert not included(ENTERPRISE, now=NOW - timedelta(days=2))


@pytest.mark.requirement("items:unit:licence-looked-up-per-workspace")
def test_another_workspaces_licence_does_not_count() -> None:
    assert not included(replace(ENTERPRISE, subject=ELSEWHERE))


@pytest.mark.requirement("items:licence:self-hosted-reads-either-key")
@pytest.mark.requirement("items:licence:cloud-reads-the-workspace-key")
@pytest.mark.parametrize(("licensing", "counts"), [(Licensing.SELF_HOSTED, True), (Licensing.CLOUD, False)])
def test_the_instances_licence_counts_where_it_is_self_hosted(licensing: Licensing, counts: bool) -> None:
    assert included(replace(ENTERPRISE, subject=INSTANCE), licensing=licensing) is counts


def test_a_licence_is_read_as_it_was_written() -> None:
    assert read_licence(licence_text(ENTERPRISE)) == ENTERPRISE


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b"[" * 5_000,
        b"\xff",
        b"{}",
        licence_text(ENTERPRISE).replace(b"enterprise", b"platinum"),
        licence_text(ENTERPRISE).replace(b"true", b'"yes"'),
        licence_text(ENTERPRISE).replace(b"2026", b"soon"),
    ],
)
def test_what_is_no_licence_is_refused(text: bytes) -> None:
    with pytest.raises(InvalidRequest):
        read_licence(text)
