"""The audit log: append-only, chained, read by admins alone; tampering below the program is noticed."""

from datetime import timedelta

import pytest
from sqlalchemy.exc import DBAPIError
from tests.conftest import World
from tests.contract.together import at_once, failures

from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction, AuditHead, Broken, Verified
from workspace_memory.domain.errors import DomainError, Forbidden, LevelTooLow, NotFound
from workspace_memory.domain.item import Scope
from workspace_memory.services.accounts import (
    deactivate_account_here,
    invite,
    make_password_reset,
    redeem_link,
    withdraw_invitation,
)
from workspace_memory.services.audit import (
    AuditQuery,
    audit_head,
    audit_head_here,
    list_audit,
    list_audit_here,
    verify_audit,
    verify_audit_here,
)
from workspace_memory.services.items import delete_item
from workspace_memory.services.refused_calls import REFUSED_CALLS_PER_HOUR, note_refused_call
from workspace_memory.services.servers import add_server, change_server, delete_server
from workspace_memory.services.tokens import make_token, revoke_token
from workspace_memory.services.workspaces import delete_workspace, rename_workspace

# Before and after: how the triggers are silenced by somebody who holds the database.
SILENCED = {
    "sqlite": (("DROP TRIGGER audit_events_update", "DROP TRIGGER audit_events_delete"), ()),
    "postgresql": (
        ("ALTER TABLE audit_events DISABLE TRIGGER USER",),
        ("ALTER TABLE audit_events ENABLE TRIGGER USER",),
    ),
}


def some_events(world: World, count: int = 4) -> None:
    for number in range(count):
        level = AccessLevel.READ if number % 2 == 0 else AccessLevel.NONE
        world.set_level(world.bob, level)


def actions(world: World, **query: object) -> list[AuditAction]:
    page = list_audit_here(world.deps, world.workspace, AuditQuery(**query))  # pyright: ignore[reportArgumentType]
    return [event.action for event in page.events]


def as_a_thief(world: World, statement: str) -> None:
    """Change the table as somebody may who holds the database and knows of the triggers."""
    with world.deps.database.begin() as tx:
        before, after = SILENCED[tx.connection.dialect.name]
        for each in (*before, statement, *after):
            tx.connection.exec_driver_sql(each)


# --- Append-only and chained ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_events SET facts = '{}'",
        "DELETE FROM audit_events WHERE number = 1",
        "DELETE FROM audit_events",
    ],
)
def test_the_database_refuses_to_change_it(world: World, statement: str) -> None:
    some_events(world)
    with pytest.raises(DBAPIError, match="append-only"), world.deps.database.begin() as tx:
        tx.connection.exec_driver_sql(statement)


def test_it_goes_with_its_workspace(world: World) -> None:
    some_events(world)
    delete_workspace(world.deps, world.by_hand(world.alice), world.workspace, confirm_name="Tea shop")
    assert actions(world) == []


def test_a_whole_log_is_verified(world: World) -> None:
    some_events(world)
    head = audit_head(world.deps, world.by_hand(world.alice), world.workspace)
    assert verify_audit(world.deps, world.by_hand(world.alice), world.workspace) == Verified(head)
    assert head == audit_head_here(world.deps, world.workspace)


@pytest.mark.parametrize(
    "statement",
    [
        'UPDATE audit_events SET facts = \'{"level_from": "none", "level_to": "none"}\' WHERE number = 3',
        "UPDATE audit_events SET facts = 'no json' WHERE number = 3",
        "UPDATE audit_events SET facts = '[1]' WHERE number = 3",
        "UPDATE audit_events SET action = 'NOTHING_HAPPENED' WHERE number = 3",
        "UPDATE audit_events SET actor_id = NULL WHERE number = 3",
        "DELETE FROM audit_events WHERE number = 3",
    ],
)
def test_tampering_below_the_program_is_noticed_and_named(world: World, statement: str) -> None:
    some_events(world)
    as_a_thief(world, statement)
    broken = verify_audit_here(world.deps, world.workspace)
    assert isinstance(broken, Broken)
    assert broken.number == 3
    assert len(actions(world)) >= 4  # it can still be listed


# Nothing of it may stop the service: it can still be listed and verified, and what happens next is still noted.
@pytest.mark.parametrize(
    ("statement", "only"),
    [
        ("UPDATE audit_events SET facts = '{\"a\": 1, ' || substr(facts, 2) WHERE number = 3", ""),
        (
            'UPDATE audit_events SET facts = replace(facts, \'"level_from"\', \'"level_from": "none", "level_from"\') '
            "WHERE number = 3",
            "",
        ),
        ('UPDATE audit_events SET facts = \'{"a":"\\ud800"}\' WHERE number = 3', ""),
        ("UPDATE audit_events SET at = 'infinity' WHERE number = 3", ""),
        ("UPDATE audit_events SET at = '20000-01-01' WHERE number = 3", ""),
        ("UPDATE audit_events SET at = 5 WHERE number = 3", "sqlite"),
        ("UPDATE audit_events SET actor_id = X'00ff' WHERE number = 3", "sqlite"),
        ("UPDATE audit_events SET hash = 'none' WHERE number = 5", "sqlite"),
        ("UPDATE audit_events SET number = 'last' WHERE number = 5", "sqlite"),
    ],
)
def test_what_can_hardly_be_read_is_noticed_and_stops_nothing(
    world: World, statement: str, only: str
) -> None:
    some_events(world)
    with world.deps.database.read() as tx:
        if only not in {"", tx.connection.dialect.name}:
            pytest.skip("this database does not keep it")
    as_a_thief(world, statement)
    world.set_level(world.carol, AccessLevel.READ)
    broken = verify_audit_here(world.deps, world.workspace)
    assert isinstance(broken, Broken)
    assert broken.number in ({5, 6} if "number = 5" in statement else {3})
    assert actions(world)[0] is AuditAction.MEMORY_ACCESS_CHANGED


def test_an_event_slipped_in_before_the_first_is_noticed(world: World) -> None:
    some_events(world)
    as_a_thief(world, "UPDATE audit_events SET number = -1 WHERE number = 1")
    assert isinstance(verify_audit_here(world.deps, world.workspace), Broken)


def test_a_head_kept_outside_shows_that_the_end_was_cut_off(world: World) -> None:
    some_events(world)
    head = audit_head_here(world.deps, world.workspace)
    as_a_thief(world, f"DELETE FROM audit_events WHERE number = {head.number}")  # noqa: S608
    assert isinstance(verify_audit_here(world.deps, world.workspace), Verified)
    assert isinstance(verify_audit_here(world.deps, world.workspace, head), Broken)


def test_events_written_at_once_are_one_chain(world: World) -> None:
    users = [world.bob, world.carol] * 4
    outcomes = at_once(
        *(
            lambda user=user, number=number: world.set_level(
                user, AccessLevel.READ if number % 2 else AccessLevel.NONE
            )
            for number, user in enumerate(users)
        )
    )
    assert failures(outcomes) == []
    assert isinstance(verify_audit_here(world.deps, world.workspace), Verified)


# --- Reading -------------------------------------------------------------------------------------------------------


def test_the_newest_come_first_page_by_page(world: World) -> None:
    some_events(world, 5)
    numbers: list[int] = []
    before: int | None = None
    while True:
        query = AuditQuery(before=before, limit=2)
        page = list_audit(world.deps, world.by_hand(world.alice), world.workspace, query)
        numbers += [event.number for event in page.events]
        before = page.next_before
        if before is None:
            break
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == audit_head_here(world.deps, world.workspace).number


def test_events_are_filtered(world: World) -> None:
    some_events(world, 2)
    world.set_level(world.carol, AccessLevel.READ)
    changed = AuditAction.MEMORY_ACCESS_CHANGED
    assert actions(world, action=AuditAction.MEMORY_ERASED) == []
    assert actions(world, subject=world.carol) == [changed]
    assert actions(world, actor=world.alice) == [changed] * 3
    assert actions(world, since=world.clock.now(), action=changed) == [changed] * 3
    assert actions(world, until=world.clock.now()) == []


def readers(world: World) -> list[tuple[Actor, type[DomainError]]]:
    return [
        (world.by_hand(world.bob), Forbidden),
        (world.by_hand(world.carol), Forbidden),
        (world.client(world.alice), Forbidden),
        (world.by_hand(world.alice, max_level=AccessLevel.READ), LevelTooLow),
        (world.by_hand(world.mallory), NotFound),
    ]


@pytest.mark.parametrize("number", range(5))
def test_nobody_but_admins_reads_it(world: World, number: int) -> None:
    actor, refusal = readers(world)[number]
    with pytest.raises(refusal):
        list_audit(world.deps, actor, world.workspace, AuditQuery())
    with pytest.raises(refusal):
        verify_audit(world.deps, actor, world.workspace, AuditHead(0, bytes(32)))
    with pytest.raises(refusal):
        audit_head(world.deps, actor, world.workspace)


# --- What is written -----------------------------------------------------------------------------------------------


def test_what_is_done_to_a_workspace_is_written_down(world: World) -> None:
    alice = world.by_hand(world.alice)
    start = audit_head_here(world.deps, world.workspace).number
    server = add_server(world.deps, alice, world.workspace, name="Second")
    change_server(world.deps, alice, world.workspace, server.id, chatgpt_tools=True)
    delete_server(world.deps, alice, world.workspace, server.id)
    rename_workspace(world.deps, alice, world.workspace, name="Coffee shop")
    token = make_token(world.deps, alice, world.workspace, name="t", max_level=AccessLevel.READ).token
    revoke_token(world.deps, alice, world.workspace, token.id)
    revoke_token(world.deps, alice, world.workspace, token.id)
    link = invite(world.deps, alice, world.workspace, email="dora@example.com", role=Role.VIEWER)
    withdraw_invitation(world.deps, alice, world.workspace, link.link.id)
    link = invite(world.deps, alice, world.workspace, email="dora@example.com", role=Role.VIEWER)
    redeem_link(world.deps, link.secret, password="a long enough password")
    link = make_password_reset(world.deps, alice, world.workspace, world.bob)
    redeem_link(world.deps, link.secret, password="a long enough password")
    deactivate_account_here(world.deps, "bob@example.com")
    item = world.save(alice, "closes at six", scope=Scope.ORGANIZATION).item
    delete_item(world.deps, alice, world.workspace, item.id)
    with world.deps.database.read() as tx:
        written = [e.action for e in tx.audit.following(world.workspace, after=start, limit=99)]
    assert written == [
        AuditAction.SERVER_ADDED,
        AuditAction.SERVER_CHANGED,
        AuditAction.SERVER_DELETED,
        AuditAction.WORKSPACE_RENAMED,
        AuditAction.TOKEN_MADE,
        AuditAction.TOKEN_REVOKED,
        AuditAction.MEMBER_INVITED,
        AuditAction.INVITATION_WITHDRAWN,
        AuditAction.MEMBER_INVITED,
        AuditAction.MEMBER_JOINED,
        AuditAction.PASSWORD_RESET_MADE,
        AuditAction.PASSWORD_RESET_USED,
        AuditAction.ACCOUNT_DEACTIVATED,
        AuditAction.ITEM_DELETED,
    ]


def test_personal_memory_leaves_nothing_in_it(world: World) -> None:
    start = audit_head_here(world.deps, world.workspace)
    item = world.save(world.by_hand(world.bob)).item
    delete_item(world.deps, world.by_hand(world.bob), world.workspace, item.id)
    assert audit_head_here(world.deps, world.workspace) == start


# --- Refused calls ---------------------------------------------------------------------------------------------------


@pytest.mark.requirement("field:case-01:governance")
def test_a_refused_call_is_written_down(world: World) -> None:
    bob = world.client(world.bob, max_level=AccessLevel.READ)
    assert note_refused_call(world.deps, bob, world.workspace, tool="memory_save", code="level_too_low")
    [event] = list_audit_here(world.deps, world.workspace, AuditQuery(limit=1)).events
    assert (event.action, event.actor) == (AuditAction.TOOL_CALL_REFUSED, world.bob)
    assert event.facts == {"tool": "memory_save", "code": "level_too_low"}


def test_what_a_client_makes_up_is_not_repeated(world: World) -> None:
    bob = world.client(world.bob)
    note_refused_call(world.deps, bob, world.workspace, tool="my password is tea", code="Leak it!")
    [event] = list_audit_here(world.deps, world.workspace, AuditQuery(limit=1)).events
    assert event.facts == {"tool": "unknown", "code": "unknown"}


def test_a_client_cannot_flood_the_log(world: World) -> None:
    bob = world.client(world.bob)
    noted = [
        note_refused_call(world.deps, bob, world.workspace, tool="memory_save", code="level_too_low")
        for _ in range(REFUSED_CALLS_PER_HOUR + 5)
    ]
    assert noted == [True] * REFUSED_CALLS_PER_HOUR + [False] * 5
    world.clock.move(timedelta(hours=1))
    assert note_refused_call(world.deps, bob, world.workspace, tool="memory_save", code="level_too_low")
