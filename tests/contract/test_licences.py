"""Licences: off by default; where they are asked for, nothing of memory works without one, and nothing is lost."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from tests.conftest import World, a_draft

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import (
    EditionRequired,
    Forbidden,
    InvalidRequest,
    LicenceInvalid,
    NotFound,
)
from workspace_memory.domain.exchange_records import Batch, Record
from workspace_memory.domain.ids import ItemVersion, WorkspaceId
from workspace_memory.domain.item import Kind, MemoryItem, Scope
from workspace_memory.domain.licence import INSTANCE, Licence, Licensing, Plan
from workspace_memory.services.audit import AuditQuery, list_audit_here
from workspace_memory.services.entering import enter_server
from workspace_memory.services.erasing import erase_personal
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.items import (
    Change,
    delete_item,
    edit_item,
    forget_item,
    get_item,
    item_history,
)
from workspace_memory.services.licence_terms import LicenceTerms
from workspace_memory.services.licences import (
    IssuerKeys,
    inspect_licence,
    licence_state,
    make_issuer_keys,
    memory_is_on,
    remove_licence,
    sign_licence,
    store_licence,
)
from workspace_memory.services.memory_status import memory_status
from workspace_memory.services.reviewing import (
    Decision,
    approve_item,
    approve_items,
    confirm_item,
    items_to_confirm,
    reject_item,
    reject_items,
    review_entry,
    review_queue,
)
from workspace_memory.services.running import run
from workspace_memory.services.saving import add_items, save_item
from workspace_memory.services.tokens import make_token
from workspace_memory.services.transfer import import_items, plan_import, write_export

ISSUER: IssuerKeys = make_issuer_keys()


def a_licence(world: World, subject: str = "", **changes: object) -> Licence:
    now = world.clock.now()
    licence = Licence(
        "L-1",
        subject or world.workspace,
        Plan.ENTERPRISE,
        True,
        "Tea shop",
        now - timedelta(days=1),
        now + timedelta(days=30),
    )
    return replace(licence, **changes)  # pyright: ignore[reportArgumentType]  a test's shorthand


def a_key(world: World, subject: str = "", **changes: object) -> str:
    return sign_licence(a_licence(world, subject, **changes), ISSUER.private_key)


def ask_for_licences(world: World, mode: Licensing = Licensing.SELF_HOSTED, instance_key: str = "") -> None:
    world.deps = replace(world.deps, licensing=LicenceTerms(mode, ISSUER.public_key, instance_key))


def store(world: World, key: str) -> None:
    store_licence(world.deps, world.by_hand(world.alice), world.workspace, key)


def is_on(world: World, workspace: WorkspaceId | None = None) -> bool:
    return memory_is_on(world.deps, workspace or world.workspace)


# --- On and off ------------------------------------------------------------------------------------------------


def test_by_default_nobody_asks_for_a_licence(world: World) -> None:
    assert is_on(world)
    assert memory_status(world.deps, world.by_hand(world.bob), world.workspace).licensed


def use_cases(world: World, item: MemoryItem) -> dict[str, Callable[[Actor], object]]:
    deps, workspace = world.deps, world.workspace
    here = Decision(item.id, item.version)
    record = Batch((Record("a, line 1", "text", Kind.NOTE, ()),))
    return {
        "save": lambda actor: save_item(deps, actor, workspace, a_draft()),
        "save many": lambda actor: add_items(deps, actor, workspace, [a_draft()]),
        "find": lambda actor: find_items(deps, actor, workspace, Query("tea")),
        "list": lambda actor: find_items(deps, actor, workspace, Query()),
        "get": lambda actor: get_item(deps, actor, workspace, item.id),
        "history": lambda actor: item_history(deps, actor, workspace, item.id),
        "edit": lambda actor: edit_item(deps, actor, workspace, item.id, Change("new"), shown=ItemVersion(1)),
        "delete": lambda actor: delete_item(deps, actor, workspace, item.id),
        "forget": lambda actor: forget_item(deps, actor, workspace, item.id),
        "queue": lambda actor: review_queue(deps, actor, workspace),
        "entry": lambda actor: review_entry(deps, actor, workspace, item.id),
        "approve": lambda actor: approve_item(deps, actor, workspace, here),
        "reject": lambda actor: reject_item(deps, actor, workspace, here),
        "approve many": lambda actor: approve_items(deps, actor, workspace, [here]),
        "reject many": lambda actor: reject_items(deps, actor, workspace, [here]),
        "to confirm": lambda actor: items_to_confirm(deps, actor, workspace),
        "confirm": lambda actor: confirm_item(deps, actor, workspace, item.id, shown=ItemVersion(1)),
        "import": lambda actor: import_items(deps, actor, workspace, record),
        "plan import": lambda actor: plan_import(deps, actor, workspace, record),
    }


@pytest.mark.requirement("items:licence:one-rule-decides")
def test_without_a_licence_no_use_case_of_items_works(world: World) -> None:
    item = world.save(world.by_hand(world.bob)).item
    ask_for_licences(world)
    for use in use_cases(world, item).values():
        for actor in (world.by_hand(world.bob), world.client(world.bob)):
            with pytest.raises(EditionRequired):
                use(actor)


def test_to_a_stranger_a_workspace_is_missing_licensed_or_not(world: World) -> None:
    item = world.save(world.by_hand(world.bob)).item
    for key in ("", a_key(world)):
        ask_for_licences(world)
        if key:
            store(world, key)
        for use in use_cases(world, item).values():
            with pytest.raises(NotFound):
                use(world.by_hand(world.mallory))


@pytest.mark.requirement("items:unit:access-without-a-licence")
def test_without_a_licence_the_level_is_none(world: World) -> None:
    ask_for_licences(world)
    status = memory_status(world.deps, world.by_hand(world.bob), world.workspace)
    assert (status.licensed, status.level) == (False, AccessLevel.NONE)
    made = make_token(
        world.deps, world.by_hand(world.bob), world.workspace, name="Laptop", max_level=AccessLevel.READ
    )
    assert enter_server(world.deps, made.secret, world.server).membership.level is AccessLevel.NONE


@pytest.mark.requirement("items:licence:items-are-kept")
def test_what_was_stored_is_there_again_with_the_next_licence(world: World) -> None:
    item = world.save(world.by_hand(world.bob)).item
    ask_for_licences(world)
    store(world, a_key(world))
    assert get_item(world.deps, world.by_hand(world.bob), world.workspace, item.id) == item


def test_what_takes_memory_out_or_away_needs_none(world: World) -> None:
    world.save(world.by_hand(world.bob))
    ask_for_licences(world)
    lines: list[bytes] = []
    bob = world.by_hand(world.bob)
    assert write_export(partial(run, world.deps), bob, world.workspace, Scope.PERSONAL, lines.append) == 1
    assert erase_personal(world.deps, bob, world.workspace, world.bob).personal_items == 1


# --- Where it is read ----------------------------------------------------------------------------------------------


@pytest.mark.requirement("items:licence:hostings-differ-in-the-licence-only")
@pytest.mark.parametrize("mode", [Licensing.SELF_HOSTED, Licensing.CLOUD])
def test_the_workspaces_licence_opens_its_memory(world: World, mode: Licensing) -> None:
    ask_for_licences(world, mode)
    store(world, a_key(world))
    assert (is_on(world), is_on(world, world.other_workspace)) == (True, False)


@pytest.mark.parametrize(("mode", "counts"), [(Licensing.SELF_HOSTED, True), (Licensing.CLOUD, False)])
def test_the_instances_key_counts_where_it_is_self_hosted(
    world: World, mode: Licensing, counts: bool
) -> None:
    ask_for_licences(world, mode, a_key(world, INSTANCE))
    assert (is_on(world), is_on(world, world.other_workspace)) == (counts, counts)


def test_a_tampered_instance_key_counts_for_nothing(world: World) -> None:
    ask_for_licences(world, Licensing.SELF_HOSTED, a_key(world, INSTANCE)[:-4] + "AAAA")
    assert not is_on(world)


def test_licensing_without_an_issuer_is_a_mistake() -> None:
    with pytest.raises(InvalidRequest, match="licence_public_key"):
        LicenceTerms(Licensing.CLOUD)


# --- The minute --------------------------------------------------------------------------------------------------


@pytest.mark.requirement("items:licence:cached-for-60-seconds")
def test_an_answer_is_kept_for_60_seconds(world: World) -> None:
    ask_for_licences(world)
    assert not is_on(world)
    with world.deps.database.begin() as tx:  # as another process would
        tx.licences.put(world.workspace, a_key(world), at=world.clock.now())
    world.clock.move(timedelta(seconds=59))
    assert not is_on(world)
    world.clock.move(timedelta(seconds=1))
    assert is_on(world)


def test_a_licence_stored_here_counts_at_once(world: World) -> None:
    ask_for_licences(world)
    assert not is_on(world)
    store(world, a_key(world))
    assert is_on(world)


def test_an_expired_licence_ends_within_the_minute(world: World) -> None:
    ask_for_licences(world)
    store(world, a_key(world))
    world.clock.move(timedelta(days=30))
    assert not is_on(world)


def test_a_clock_set_back_is_not_believed(world: World) -> None:
    ask_for_licences(world)
    store(world, a_key(world))
    assert is_on(world)
    world.clock.move(timedelta(days=-2))  # before the licence was issued; the known answer is of the future
    assert not is_on(world)


# --- Keys ------------------------------------------------------------------------------------------------------


def bad_keys(world: World) -> dict[str, str]:
    now = world.clock.now()
    good = a_key(world)
    return {
        "tampered": good[:20] + ("A" if good[20] != "A" else "B") + good[21:],
        "of another issuer": sign_licence(a_licence(world), make_issuer_keys().private_key),
        "of another workspace": a_key(world, world.other_workspace),
        "expired": a_key(world, expires_at=now),
        "from the future": a_key(world, issued_at=now + timedelta(hours=1)),
        "no key": "please",
    }


@pytest.mark.parametrize(
    "fault",
    ["tampered", "of another issuer", "of another workspace", "expired", "from the future", "no key"],
)
def test_a_bad_key_is_not_stored_and_not_repeated(world: World, fault: str) -> None:
    ask_for_licences(world)
    key = bad_keys(world)[fault]
    with pytest.raises(LicenceInvalid) as refused:
        store(world, key)
    assert key not in str(refused.value)
    assert licence_state(world.deps, world.by_hand(world.alice), world.workspace).licence is None


def test_the_instances_key_is_no_workspaces_in_the_cloud(world: World) -> None:
    ask_for_licences(world, Licensing.CLOUD)
    with pytest.raises(LicenceInvalid):
        store(world, a_key(world, INSTANCE))


@pytest.mark.parametrize(("plan", "active"), [(Plan.BUSINESS, True), (Plan.ENTERPRISE, False)])
def test_a_genuine_licence_without_memory_is_kept_and_opens_nothing(
    world: World, plan: Plan, active: bool
) -> None:
    ask_for_licences(world)
    state = store_licence(
        world.deps, world.by_hand(world.alice), world.workspace, a_key(world, plan=plan, active=active)
    )
    assert (state.memory, state.licence is not None) == (False, True)


def test_a_removed_licence_closes_memory_and_both_are_in_the_log(world: World) -> None:
    ask_for_licences(world)
    store(world, a_key(world))
    assert not remove_licence(world.deps, world.by_hand(world.alice), world.workspace).memory
    query = AuditQuery(action=AuditAction.LICENCE_CHANGED)
    events = list_audit_here(world.deps, world.workspace, query).events
    assert [event.facts["plan"] for event in events] == ["none", "enterprise"]
    with pytest.raises(NotFound):
        remove_licence(world.deps, world.by_hand(world.alice), world.workspace)


@pytest.mark.parametrize("who", ["bob", "carol"])
def test_only_admins_handle_licences(world: World, who: str) -> None:
    ask_for_licences(world)
    actor = world.by_hand(getattr(world, who))
    for use in (licence_state, remove_licence):
        with pytest.raises(Forbidden):
            use(world.deps, actor, world.workspace)
    with pytest.raises(Forbidden):
        store_licence(world.deps, actor, world.workspace, a_key(world))


def test_a_key_is_inspected_without_storing_it(world: World) -> None:
    assert inspect_licence(world.deps, a_key(world), ISSUER.public_key) == a_licence(world)
    with pytest.raises(LicenceInvalid):
        inspect_licence(world.deps, a_key(world))


def test_what_is_no_private_key_signs_nothing(world: World) -> None:
    with pytest.raises(InvalidRequest, match="private_key"):
        sign_licence(a_licence(world), "please")
