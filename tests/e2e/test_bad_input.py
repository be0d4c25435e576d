"""What people get wrong when they govern, on every surface: REST, MCP, the command line over REST, the Python client.

The command line on the server's own machine is in `test_cli_governance.py` and `test_cli_review.py`.
"""

import base64
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import cast as typed

import pytest
from tests.conftest import World
from tests.e2e.command_line import Ended, run, sentence
from tests.e2e.conftest import serving
from tests.e2e.governing import licence_key, licensed_world, proposal
from tests.e2e.mcp_client import protocol_error, text
from tests.e2e.people import Person, Persons
from tests.e2e.rest_calls import NOBODY, Rest, body_of, refusal

from workspace_memory.client import Decision, NewItem, WorkspaceMemory
from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.errors import (
    DomainError,
    EditionRequired,
    Forbidden,
    InvalidRequest,
    LicenceInvalid,
    NotFound,
    NotPending,
    SecretRefused,
    VersionMismatch,
)
from workspace_memory.domain.ids import UserId
from workspace_memory.domain.item import Scope
from workspace_memory.services.deps import new_uuid7
from workspace_memory.services.licences import IssuerKeys, make_issuer_keys

LEVELS = ("inherit", "none", "read", "personal", "contribute")
KEY = "AKIA" + "Q3EGRLXWZ7HVMPT2"
TOKEN = "ghp_" + "x7Kd9Qm2Rt5Wv8Yb3Nc6Pf1Hj4Ls0Za2Qw9E"
SPLIT = {
    "zero widths": (f"deploy with {KEY[:9]}\u200b{KEY[9:]}", (KEY[9:],)),
    "newlines": (f"deploy with {TOKEN[:15]}\n{TOKEN[15:]} today", (TOKEN[15:],)),
    "table cells": (f"| key | {TOKEN[:15]} | {TOKEN[15:]} |", (TOKEN[15:],)),
    "a table": ("| user | password |\n| --- | --- |\n| shop | h8Zq2xWv9TkL |", ("h8Zq2xWv9TkL",)),
    "base64": (
        f"config {base64.b64encode(f'export TOKEN={TOKEN}'.encode()).decode()}",
        (base64.b64encode(f"export TOKEN={TOKEN}".encode()).decode(),),
    ),
}


@pytest.fixture
def cast(rest: Rest) -> World:
    return rest.live.world


@pytest.fixture
def person(rest: Rest) -> Persons:
    """Any of the cast by name."""
    return Persons(rest)


def client_of(rest: Rest, who: Person) -> WorkspaceMemory:
    return WorkspaceMemory(rest.live.url, who.token)


def command(rest: Rest, who: Person, *words: object, stdin: str = "") -> Ended:
    """The command line over REST."""
    return run(*words, "--url", rest.live.url, "--token", who.token, stdin=stdin)


def code_of(work: Callable[[], object]) -> str:
    """The code of the error in which a call of the Python client ends."""
    with pytest.raises(DomainError) as refused:
        work()
    return refused.value.code


# --- Levels --------------------------------------------------------------------------------------------------


@pytest.mark.requirement("items:e2e:invalid-level-is-400")
def test_an_invalid_level_is_refused_with_the_allowed_values(
    rest: Rest, cast: World, person: Persons
) -> None:
    alice = person("alice")
    wrong = typed("AccessLevel", "write")
    bodies = {
        f"/members/{cast.bob}": {"memory_access": "write"},
        "/memory/settings": {"default_access": "write"},
    }
    for path, body in bodies.items():
        refused = alice.rest.patch(path, json=body)
        assert refusal(refused) == (400, "invalid_request")
        assert all(level in str(body_of(refused)["reason"]) for level in LEVELS)
    with client_of(rest, alice) as memory:
        for work in (
            lambda: memory.set_access({cast.bob: wrong}),
            lambda: memory.change_member(cast.bob, memory_access=wrong),
            lambda: memory.change_memory_settings(default_access=wrong),
        ):
            with pytest.raises(InvalidRequest, match="contribute"):
                work()
    for words in (
        ("member", "level", "bob@example.com", "write"),
        ("settings", "set", "--default-access", "write"),
    ):
        ended = command(rest, alice, *words)
        assert (ended.code, all(level in ended.err for level in LEVELS[1:])) == (2, True)
    assert body_of(alice.rest.get(f"/members/{cast.bob}"))["memory_access"] == "inherit"


@pytest.mark.requirement("items:e2e:viewer-may-not-change-access")
def test_a_viewer_changes_no_access(rest: Rest, cast: World, person: Persons) -> None:
    carol = person("carol")
    members = [{"user_id": cast.carol, "memory_access": "contribute"}]
    for refused in (
        carol.rest.patch(f"/members/{cast.carol}", json={"memory_access": "contribute"}),
        carol.rest.put("/memory/members/access", json={"members": members}),
        carol.rest.patch("/memory/settings", json={"default_access": "contribute"}),
    ):
        assert refusal(refused) == (403, "forbidden")
    with client_of(rest, carol) as memory:
        for work in (
            lambda: memory.set_access({cast.carol: AccessLevel.CONTRIBUTE}),
            lambda: memory.change_memory_settings(default_access=AccessLevel.CONTRIBUTE),
        ):
            with pytest.raises(Forbidden, match="admin"):
                work()
    for words in (
        ("member", "level", "carol@example.com", "contribute"),
        ("settings", "set", "--default-access", "contribute"),
    ):
        assert "admin" in sentence(command(rest, carol, *words))
    error = protocol_error(lambda: carol.tool("memory_set_access", {"level": "contribute"}))
    assert "Unknown tool" in error.error.message
    assert carol.status("level") == "personal"


@pytest.mark.requirement("items:api:access-by-admins-up-to-500")
def test_501_members_at_once_are_refused_and_500_are_not(rest: Rest, cast: World, person: Persons) -> None:
    alice = person("alice")
    users = [UserId(new_uuid7()) for _ in range(501)]
    with cast.deps.database.begin() as tx:
        at = cast.clock.now()
        for number, user in enumerate(users):
            email = f"member{number}@example.com"
            tx.accounts.add(user=user, email=email, name=f"member {number}", password_hash=None, at=at)
            tx.members.add(workspace=cast.workspace, user=user, role=Role.VIEWER, at=at)
    members = [{"user_id": user, "memory_access": "read"} for user in users]
    refused = alice.rest.put("/memory/members/access", json={"members": members})
    assert (refusal(refused), "500" in str(body_of(refused)["reason"])) == ((400, "invalid_request"), True)
    emails = [f"member{number}@example.com" for number in range(501)]
    assert "500" in sentence(command(rest, alice, "member", "level", *emails, "read"))
    with client_of(rest, alice) as memory:
        with pytest.raises(InvalidRequest, match="500"):
            memory.set_access(dict.fromkeys(users, AccessLevel.READ))
        assert memory.get_member(users[0]).memory_access is AccessLevel.INHERIT
        assert memory.set_access(dict.fromkeys(users[:500], AccessLevel.READ)).changed == 500


# --- Review --------------------------------------------------------------------------------------------------


def decided(cast: World, alice: Person) -> dict[str, str]:
    """An approved, a rejected and a deleted proposal, and one that was edited since it was shown."""
    items = {
        what: proposal(cast, f"{what} pots of tea").id for what in ("active", "rejected", "deleted", "edited")
    }
    shown = {"If-Match": '"1"'}
    alice.rest.post(f"/memory/items/{items['active']}/approve", json={}, headers=shown)
    alice.rest.post(f"/memory/items/{items['rejected']}/reject", json={}, headers=shown)
    alice.rest.delete(f"/memory/items/{items['deleted']}")
    edited = alice.rest.patch(
        f"/memory/items/{items['edited']}", json={"content": "four cups"}, headers=shown
    )
    assert edited.status_code == 200, edited.text
    return typed("dict[str, str]", items)


CODES = {
    "active": "not_pending",
    "rejected": "not_pending",
    "deleted": "not_found",
    "edited": "version_mismatch",
}


@pytest.mark.parametrize("what", ["approve", "reject"])
def test_who_decides_twice_or_about_another_version_is_told_over_rest(
    cast: World, person: Persons, what: str
) -> None:
    alice = person("alice")
    items = decided(cast, alice)
    statuses = {"not_pending": 409, "not_found": 404, "version_mismatch": 412}
    for state, item in items.items():
        refused = alice.rest.post(f"/memory/items/{item}/{what}", json={}, headers={"If-Match": '"1"'})
        assert refusal(refused) == (statuses[CODES[state]], CODES[state]), state
        in_bulk = alice.rest.post(f"/memory/review/{what}", json={"items": [{"id": item, "version": 1}]})
        [line] = typed("list[dict[str, object]]", body_of(in_bulk)["items"])
        assert (line["done"], line["code"]) == (False, CODES[state]), state
    assert person("carol").finds("pots") == ["active pots of tea"]


@pytest.mark.parametrize("what", ["approve", "reject"])
def test_who_decides_twice_or_about_another_version_is_told_by_the_client(
    rest: Rest, cast: World, person: Persons, what: str
) -> None:
    alice = person("alice")
    items = decided(cast, alice)
    kinds = {"not_pending": NotPending, "not_found": NotFound, "version_mismatch": VersionMismatch}
    with client_of(rest, alice) as memory:
        one = memory.approve_item if what == "approve" else memory.reject_item
        many = memory.approve_items if what == "approve" else memory.reject_items
        for state, item in items.items():
            with pytest.raises(kinds[CODES[state]]):
                one(item, shown=1)
        lines = many([Decision(item, 1) for item in items.values()])
        assert [line.code for line in lines] == [CODES[state] for state in items]


@pytest.mark.parametrize("what", ["approve", "reject"])
def test_who_decides_twice_or_about_another_version_is_told_on_the_command_line(
    rest: Rest, cast: World, person: Persons, what: str
) -> None:
    alice = person("alice")
    said = {"active": "active", "rejected": "rejected", "deleted": "no such item", "edited": "version"}
    for state, item in decided(cast, alice).items():
        assert said[state] in sentence(command(rest, alice, "review", what, f"{item}@1")), state


def test_an_ai_client_decides_about_nothing(cast: World, person: Persons) -> None:
    alice = person("alice")
    item = proposal(cast).id
    for tool in ("memory_approve", "memory_review"):
        error = protocol_error(lambda tool=tool: alice.tool(tool, {"id": item}))
        assert "Unknown tool" in error.error.message
    assert text(alice.tool("memory_forget", {"id": item})) == "There is no such item."


# --- Secrets in pieces ---------------------------------------------------------------------------------------


@pytest.mark.requirement("items:unit:save-refuses-secrets")
@pytest.mark.parametrize("how", SPLIT)
def test_a_secret_in_pieces_is_refused_on_every_surface(rest: Rest, person: Persons, how: str) -> None:
    bob = person("bob")
    content, parts = SPLIT[how]
    by_rest = bob.rest.post("/memory/items", json={"content": content})
    assert refusal(by_rest) == (400, "secret_refused")
    by_tool = bob.tool("memory_save", {"content": content})
    assert by_tool.is_error
    by_command = command(rest, bob, "items", "add", "-", stdin=content)
    assert "password, token or key" in sentence(by_command)
    with client_of(rest, bob) as memory:
        for work in (
            lambda: memory.save_item(content),
            lambda: memory.add_items([NewItem("tea"), NewItem(content)]),
        ):
            with pytest.raises(SecretRefused) as refused:
                work()
            assert not [part for part in parts if part in str(refused.value)]
    for answer in (by_rest.text, text(by_tool), by_command.err):
        assert not [part for part in parts if part in answer]
    assert bob.finds() == []


# --- Licences ------------------------------------------------------------------------------------------------


@pytest.fixture
def closed(world: World) -> Iterator[tuple[Rest, World, IssuerKeys]]:
    """A server where a licence is asked for and none is there."""
    asking, keys = licensed_world(world)
    with serving(asking) as running:
        clients = Rest(running)
        yield clients, asking, keys
        clients.close()


def bad_keys(cast: World, keys: IssuerKeys) -> dict[str, str]:
    mark, payload, signature = licence_key(cast, keys).split(".")
    other = "A" if payload[20] != "A" else "B"
    return {
        "expired": licence_key(cast, keys, days=-1, from_days=-9),
        "foreign": licence_key(cast, keys, cast.other_workspace),
        "another issuer's": licence_key(cast, make_issuer_keys()),
        "tampered": f"{mark}.{payload[:20]}{other}{payload[21:]}.{signature}",
        "from the future": licence_key(cast, keys, from_days=2),
    }


@pytest.mark.parametrize("kind", ["expired", "foreign", "another issuer's", "tampered", "from the future"])
def test_a_licence_that_is_not_valid_here_is_refused_and_opens_nothing(
    closed: tuple[Rest, World, IssuerKeys], kind: str
) -> None:
    rest, cast, keys = closed
    alice = Persons(rest)("alice")
    key = bad_keys(cast, keys)[kind]
    by_rest = alice.rest.put("/licence", json={"licence_key": key})
    assert (refusal(by_rest), key in by_rest.text) == ((400, "licence_invalid"), False)
    by_command = command(rest, alice, "licence", "install", "-", stdin=key + "\n")
    assert key not in sentence(by_command)
    with client_of(rest, alice) as memory:
        with pytest.raises(LicenceInvalid):
            memory.store_licence(key)
        assert code_of(lambda: memory.save_item("tea")) == EditionRequired.code
    assert alice.tools() == []
    assert "licence" in text(alice.tool("memory_search"))
    assert "licence" in sentence(command(rest, alice, "items", "list"))
    assert alice.status("licensed") is False


def test_a_clock_that_is_set_back_opens_nothing_on_any_surface(
    closed: tuple[Rest, World, IssuerKeys],
) -> None:
    rest, cast, keys = closed
    alice = Persons(rest)("alice")
    assert alice.rest.put("/licence", json={"licence_key": licence_key(cast, keys)}).status_code == 200
    assert len(alice.tools()) == 3
    cast.clock.move(timedelta(days=-2))
    alice = Persons(rest)("alice")
    assert alice.tools() == []
    assert alice.tool("memory_search").is_error
    assert refusal(alice.rest.get("/memory/items")) == (403, "edition_required")
    assert "licence" in sentence(command(rest, alice, "items", "list"))
    with client_of(rest, alice) as memory, pytest.raises(EditionRequired):
        memory.search_items("tea")


def test_ids_that_name_nothing_are_said_plainly_on_every_surface(rest: Rest, person: Persons) -> None:
    alice = person("alice")
    assert refusal(alice.rest.get(f"/memory/items/{NOBODY}")) == (404, "not_found")
    assert text(alice.tool("memory_forget", {"id": NOBODY})) == "There is no such item."
    assert "no such item" in sentence(command(rest, alice, "items", "forget", NOBODY)).lower()
    with client_of(rest, alice) as memory, pytest.raises(NotFound):
        memory.save_item("tea", scope=Scope.PERSONAL, replaces=NOBODY)
