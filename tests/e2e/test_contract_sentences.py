"""The contract's two lists of what was tested, sentence by sentence, over REST and MCP at once, on both databases.

What one surface alone can show stands in its own file. "Unit" and "by hand" are the names of those lists.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import cast as typed

import pytest
from tests.conftest import World
from tests.contract.test_limits import fill
from tests.e2e.conftest import serving
from tests.e2e.governing import licence_key, licensed_world
from tests.e2e.mcp_client import call, found, protocol_error, structured, text, tool_names, tools
from tests.e2e.people import Person, Persons
from tests.e2e.rest_calls import NOBODY, Json, Rest, body_of, inner, listed, refusal, save

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.item import PERSONAL_ITEMS_MAX, WORKSPACE_ITEMS_MAX
from workspace_memory.domain.licence import Licensing, Plan
from workspace_memory.services.licences import IssuerKeys

TEA = {"content": "likes green tea"}
COMPANY = {"content": "The office closes at six", "scope": "organization"}
TOOLS = ["memory_search", "memory_save", "memory_forget"]
Licensed = tuple[Persons, World, IssuerKeys]


@pytest.fixture
def cast(rest: Rest) -> World:
    return rest.live.world


@pytest.fixture
def person(rest: Rest) -> Persons:
    """Any of the cast by name."""
    return Persons(rest)


@pytest.fixture(params=list(Licensing)[1:])
def licensed(world: World, request: pytest.FixtureRequest) -> Iterator[Licensed]:
    """A server where licences are asked for, self-hosted or in the cloud."""
    asking, keys = licensed_world(world, request.param)
    with serving(asking) as running:
        clients = Rest(running)
        yield Persons(clients), asking, keys
        clients.close()


def set_level(admin: Person, user: str, level: str) -> None:
    answered = admin.rest.patch(f"/members/{user}", json={"memory_access": level})
    assert answered.status_code == 200, answered.text


def configure(admin: Person, **settings: str) -> None:
    answered = admin.rest.patch("/memory/settings", json=settings)
    assert answered.status_code == 200, answered.text


def install(admin: Person, key: str) -> Json:
    return body_of(admin.rest.put("/licence", json={"licence_key": key}))


def is_closed(who: Person) -> bool:
    """Whether memory is closed on both surfaces alike."""
    closed = who.tools() == []
    assert who.tool("memory_search").is_error is closed
    items = who.rest.get("/memory/items")
    assert (items.status_code == 403) is closed
    if closed:
        assert refusal(items) == (403, "edition_required")
    assert who.status("licensed") is not closed
    return closed


# --- Unit: licence rules -------------------------------------------------------------------------------------


@pytest.mark.requirement("items:unit:licence-enterprise-includes-memory")
@pytest.mark.requirement("items:unit:licence-refuses-the-others")
@pytest.mark.requirement("items:unit:access-without-a-licence")
def test_only_an_active_enterprise_licence_opens_memory(licensed: Licensed) -> None:
    person, world, keys = licensed
    alice, carol = person("alice"), person("carol")
    assert is_closed(carol)
    for plan in Plan:
        key = licence_key(world, keys, plan=plan)
        assert install(alice, key)["memory"] is (plan is Plan.ENTERPRISE), plan
        assert is_closed(carol) is (plan is not Plan.ENTERPRISE), plan
    install(alice, licence_key(world, keys, active=False))
    assert is_closed(carol)


@pytest.mark.requirement("items:unit:licence-refuses-the-others")
def test_an_expired_licence_closes_memory_within_a_minute(licensed: Licensed) -> None:
    person, world, keys = licensed
    alice = person("alice")
    install(alice, licence_key(world, keys, days=1))
    save(alice.rest, "alice likes oolong")
    world.clock.move(timedelta(days=1, seconds=61))
    assert is_closed(alice)
    install(alice, licence_key(world, keys))
    assert alice.finds() == alice.lists() == ["alice likes oolong"]


@pytest.mark.requirement("items:unit:licence-looked-up-per-workspace")
@pytest.mark.requirement("items:e2e:second-workspace-needs-its-own-licence")
@pytest.mark.requirement("items:e2e:second-licence-counts-after-the-cache")
@pytest.mark.requirement("items:e2e:second-workspace-does-not-see-the-first")
def test_a_second_workspace_needs_its_own_licence_and_never_sees_the_first(licensed: Licensed) -> None:
    person, world, keys = licensed
    alice, mallory = person("alice"), person("mallory")
    install(alice, licence_key(world, keys))
    save(alice.rest, **COMPANY)
    assert (is_closed(alice), is_closed(mallory)) == (False, True)
    refused = mallory.rest.put("/licence", json={"licence_key": licence_key(world, keys)})
    assert refusal(refused) == (400, "licence_invalid")
    install(mallory, licence_key(world, keys, world.other_workspace))
    world.clock.move(timedelta(seconds=61))
    assert not is_closed(mallory)
    assert (
        mallory.finds("office") == mallory.finds() == mallory.lists() == mallory.lists(query="office") == []
    )
    assert alice.finds("office") == [COMPANY["content"]]


# --- Unit: access resolution -----------------------------------------------------------------------------------


@pytest.mark.requirement("items:unit:access-without-a-user")
@pytest.mark.requirement("items:mcp:no-tools-without-a-member-identity")
@pytest.mark.parametrize("token", ["wm_pat_nobody", "x"])
def test_a_credential_without_a_user_opens_nothing(rest: Rest, token: str) -> None:
    live = rest.live
    for work in (lambda: tool_names(live.mcp_url, token), lambda: call(live.mcp_url, token, "memory_search")):
        assert "valid access token" in protocol_error(work).error.message
    client = rest.client(live.api_url, {"Authorization": f"Bearer {token}"})
    for path in ("/memory/items", "/memory/status"):
        assert refusal(client.get(path)) == (401, "not_authenticated")


@pytest.mark.requirement("items:unit:access-of-a-non-member")
def test_a_user_who_is_no_member_finds_neither_the_server_nor_the_workspace(
    rest: Rest, person: Persons
) -> None:
    mallory = person("mallory")
    here = rest.live.mcp_url
    for work in (lambda: tool_names(here, mallory.token), lambda: call(here, mallory.token, "memory_search")):
        assert protocol_error(work).error.message == "There is no such MCP server."
    there = rest.client(rest.live.api_url, {"Authorization": f"Bearer {mallory.token}"})
    assert refusal(there.get("/memory/items")) == (404, "not_found")
    assert refusal(there.post("/memory/items", json=TEA)) == (404, "not_found")


@pytest.mark.requirement("items:unit:access-of-a-deactivated-member")
@pytest.mark.requirement("items:mcp:no-tools-for-a-deactivated-member")
def test_a_deactivated_member_has_no_access_whatever_the_level(cast: World, person: Persons) -> None:
    alice, bob = person("alice"), person("bob")
    set_level(alice, cast.bob, "contribute")
    assert alice.rest.patch(f"/members/{cast.bob}", json={"status": "deactivated"}).status_code == 200
    assert bob.tools() == []
    assert all(bob.tool(tool, TEA).is_error for tool in TOOLS)
    for answered in (bob.rest.get("/memory/items"), bob.rest.post("/memory/items", json=TEA)):
        assert refusal(answered) == (403, "forbidden")


@pytest.mark.requirement("items:unit:access-inherited")
@pytest.mark.requirement("items:unit:access-explicit")
@pytest.mark.requirement("items:unit:tools-per-level")
@pytest.mark.parametrize(("level", "count"), [("none", 0), ("read", 1), ("personal", 3), ("contribute", 3)])
def test_who_inherits_follows_the_default_and_a_level_of_ones_own_wins(
    cast: World, person: Persons, level: str, count: int
) -> None:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    own = "personal" if level != "personal" else "read"
    set_level(alice, cast.carol, own)
    configure(alice, default_access=level)
    assert (bob.tools(), bob.status("level")) == (TOOLS[:count], level)
    assert (carol.tools(), carol.status("level")) == (TOOLS if own == "personal" else TOOLS[:1], own)
    set_level(alice, cast.carol, "inherit")
    assert (carol.tools(), carol.status("level")) == (TOOLS[:count], level)


# --- Unit: save rules ------------------------------------------------------------------------------------------


@pytest.mark.requirement("items:unit:save-by-level")
@pytest.mark.requirement("items:unit:organization-only-from-contribute")
@pytest.mark.parametrize(
    ("level", "personal", "company"),
    [("none", False, False), ("read", False, False), ("personal", True, False), ("contribute", True, True)],
)
def test_a_level_decides_what_a_client_saves(
    cast: World, person: Persons, level: str, personal: bool, company: bool
) -> None:
    alice, bob = person("alice"), person("bob")
    set_level(alice, cast.bob, level)
    assert bob.tool("memory_save", TEA).is_error is not personal
    assert bob.tool("memory_save", COMPANY).is_error is not company
    saves = [tool for tool in tools(bob.url, bob.token) if tool.name == "memory_save"]
    assert [("scope" in tool.input_schema["properties"]) for tool in saves] == ([company] if personal else [])
    set_level(alice, cast.bob, "contribute")
    assert bob.finds() == ([TEA["content"]] if personal else [])
    assert alice.lists(status="pending") == ([COMPANY["content"]] if company else [])


@pytest.mark.requirement("items:unit:save-under-approval")
@pytest.mark.requirement("items:unit:save-under-auto")
@pytest.mark.requirement("items:unit:save-by-a-curator")
@pytest.mark.requirement("items:e2e:auto-mode-is-active-at-once")
@pytest.mark.parametrize("name", ["alice", "bob", "carol"])
def test_the_write_mode_is_for_clients_and_a_curator_by_hand_needs_none(
    cast: World, person: Persons, name: str
) -> None:
    alice, member = person("alice"), person(name)
    set_level(alice, member.user, "contribute")
    waiting = structured(member.tool("memory_save", {**COMPANY, "content": "regulars get a stamp"}))
    assert (waiting["status"], alice.finds("stamp")) == ("pending", [])
    by_hand = member.rest.post("/memory/items", json=COMPANY)
    if name == "carol":
        assert refusal(by_hand) == (403, "forbidden")
    else:
        assert inner(by_hand)["status"] == "active"
    configure(alice, write_mode="auto")
    at_once = structured(member.tool("memory_save", {**COMPANY, "content": "Italian tables are for four"}))
    assert (at_once["status"], person("carol").finds("Italian tables")) == (
        "active",
        ["Italian tables are for four"],
    )
    assert person("bob").lists(query="italian") == ["Italian tables are for four"]


@pytest.mark.requirement("items:unit:save-keeps-the-limits")
@pytest.mark.requirement("items:limit:1000-personal-items-per-member")
@pytest.mark.requirement("items:limit:20000-items-per-workspace")
@pytest.mark.parametrize("limit", [PERSONAL_ITEMS_MAX, WORKSPACE_ITEMS_MAX])
def test_a_save_over_a_limit_is_refused_on_both_surfaces_and_leaves_no_row(
    cast: World, person: Persons, limit: int
) -> None:
    bob = person("bob")
    fill(cast, limit - 1, owner=cast.bob if limit == PERSONAL_ITEMS_MAX else None)
    assert structured(bob.tool("memory_save", {"content": "the last one"}))["outcome"] == "saved"
    refused = bob.tool("memory_save", {"content": "one too many"})
    assert (refused.is_error, "Retrying is useless" in text(refused)) == (True, True)
    over = bob.rest.post("/memory/items", json={"content": "one too many"})
    assert (refusal(over), body_of(over)["limit"]) == ((409, "quota_exceeded"), limit)
    assert bob.finds("too many") == []
    counts = typed("dict[str, int]", bob.status("counts"))
    assert counts["personal"] + counts["company_active"] + counts["company_pending"] == limit


@pytest.mark.requirement("items:unit:save-cleans-the-tags")
def test_tags_are_trimmed_and_compared_without_case_on_both_surfaces(person: Persons) -> None:
    bob = person("bob")
    tags = [" Tea ", "tea", "TEA", "Küche", "  Ku\u0308che"]
    first = structured(bob.tool("memory_save", {**TEA, "tags": tags}))
    second = save(bob.rest, "likes white tea", tags=tags)
    for item in (first["id"], second["id"]):
        assert body_of(bob.rest.get(f"/memory/items/{item}"))["tags"] == ["Tea", "Küche"]
    assert len(bob.finds(tag="küche")) == len(bob.lists(tag="TEA")) == 2


# --- Unit: search scope ------------------------------------------------------------------------------------------


@pytest.mark.requirement("items:unit:search-stays-in-the-workspace")
@pytest.mark.requirement("items:unit:search-personal-for-the-owner")
def test_a_search_has_own_and_company_items_of_this_workspace_alone(person: Persons) -> None:
    alice, bob, mallory = person("alice"), person("bob"), person("mallory")
    for who in (alice, bob, mallory):
        structured(who.tool("memory_save", {"content": f"cloves in drawer {who.user}"}))
    save(alice.rest, "cloves are in the office", scope="organization")
    save(mallory.rest, "rival cloves", scope="organization")
    own = {f"cloves in drawer {bob.user}", "cloves are in the office"}
    for texts in (bob.finds("cloves"), bob.finds(), bob.lists(query="cloves"), bob.lists()):
        assert set(texts) == own
    assert set(mallory.finds("cloves")) == {f"cloves in drawer {mallory.user}", "rival cloves"}
    assert (
        bob.finds("cloves", scope="personal")
        == bob.lists(scope="personal")
        == [f"cloves in drawer {bob.user}"]
    )


@pytest.mark.requirement("items:unit:search-needs-level-read")
def test_from_level_read_on_a_search_answers_and_below_it_is_refused(cast: World, person: Persons) -> None:
    save(person("alice").rest, **COMPANY)
    for level in (AccessLevel.READ, AccessLevel.PERSONAL, AccessLevel.CONTRIBUTE):
        reader = person("carol", level)
        assert reader.finds("office") == reader.lists(query="office") == [COMPANY["content"]]
    nobody = person("carol", AccessLevel.NONE)
    assert "needs the access level 'read'" in text(nobody.tool("memory_search", {"query": "office"}))
    assert refusal(nobody.rest.get("/memory/items")) == (403, "level_too_low")
    set_level(person("alice"), cast.carol, "none")
    assert person("carol").tool("memory_search", {"query": "office"}).is_error


@pytest.mark.requirement("items:unit:search-words-then-substring")
@pytest.mark.requirement("items:unit:search-rank-order")
def test_whole_words_come_first_then_parts_and_the_better_match_before_the_worse(person: Persons) -> None:
    bob = person("bob")
    shelf = (
        "green tea with honey",
        "tea",
        "green tea",
        "tea at noon",
        "the framework meeting",
        "a frame in oak",
    )
    for content in (*shelf, "BENCH-100821 is the invoice"):
        save(bob.rest, content)

    def lists(query: str) -> list[object]:
        return bob.lists(query=query)

    for search in (bob.finds, lists):
        assert search("green tea honey")[:2] == ["green tea with honey", "green tea"]
        assert search("frame") == ["a frame in oak", "the framework meeting"]
        assert search("framew")[0] == "the framework meeting"
        assert search("1008") == ["BENCH-100821 is the invoice"]
    scores = [float(str(item["score"])) for item in found(bob.tool("memory_search", {"query": "green tea"}))]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 4


# --- Unit: ownership, erase, the MCP endpoint ----------------------------------------------------------------------


@pytest.mark.requirement("items:unit:forget-an-own-item")
@pytest.mark.requirement("items:unit:curators-only-for-company-items")
def test_a_client_forgets_own_personal_items_and_company_items_are_a_curators_by_hand(
    person: Persons,
) -> None:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    own = structured(carol.tool("memory_save", TEA))
    company = save(bob.rest, **COMPANY)
    for who in (alice, bob, carol):
        assert text(who.tool("memory_forget", {"id": company["id"]})) == "There is no such item."
    assert refusal(carol.rest.delete(f"/memory/items/{company['id']}")) == (403, "forbidden")
    for curator in (alice, bob):
        assert refusal(curator.rest.delete(f"/memory/items/{own['id']}")) == (404, "not_found")
    assert not carol.tool("memory_forget", {"id": own["id"]}).is_error
    assert carol.finds() == carol.lists() == [COMPANY["content"]]
    assert alice.rest.delete(f"/memory/items/{company['id']}").status_code == 204
    assert carol.finds() == carol.lists() == []


@pytest.mark.requirement("items:unit:erase")
@pytest.mark.requirement("items:e2e:admin-erases-without-reading")
@pytest.mark.requirement("items:e2e:audit-erased")
def test_an_erase_takes_every_personal_item_of_the_member_and_nothing_else(
    cast: World, person: Persons
) -> None:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    for content in ("carol likes cocoa", "carol likes cake"):
        structured(carol.tool("memory_save", {"content": content}))
    save(bob.rest, "bob likes cocoa")
    save(bob.rest, **COMPANY)
    erased = alice.rest.delete(f"/memory/members/{cast.carol}/personal")
    assert body_of(erased)["personal_items"] == 2
    assert not {"cocoa", "cake"} & set(erased.text.split())
    assert carol.finds() == carol.lists() == [COMPANY["content"]]
    assert set(bob.finds()) == {"bob likes cocoa", COMPANY["content"]}
    assert not carol.tool("memory_save", TEA).is_error
    [event] = listed(alice.rest.get("/audit", params={"action": "MEMORY_ERASED"}), "events")
    assert (event["subject"], "cocoa" in str(event)) == (cast.carol, False)


@pytest.mark.requirement("items:unit:access-changes")
@pytest.mark.requirement("items:audit:access-changed-one-row-per-member")
def test_levels_are_changed_for_all_or_none_and_count_for_the_clients(cast: World, person: Persons) -> None:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    wanted = [{"user_id": user, "memory_access": "read"} for user in (cast.bob, cast.carol)]
    stranger = {"user_id": NOBODY, "memory_access": "read"}
    refused = alice.rest.put("/memory/members/access", json={"members": [*wanted, stranger]})
    assert (refusal(refused), bob.tools(), carol.tools()) == ((404, "not_found"), TOOLS, TOOLS)
    alice.rest.put("/memory/members/access", json={"members": wanted})
    assert bob.tools() == carol.tools() == TOOLS[:1]
    logged = listed(alice.rest.get("/audit", params={"action": "MEMORY_ACCESS_CHANGED"}), "events")
    assert {event["subject"] for event in logged} == {cast.bob, cast.carol}


@pytest.mark.requirement("items:unit:arguments-stay-in-the-servers-workspace")
@pytest.mark.requirement("items:mcp:calls-stay-in-the-servers-workspace")
def test_an_id_of_another_workspace_is_a_missing_one_on_both_surfaces(person: Persons) -> None:
    bob, mallory = person("bob"), person("mallory")
    theirs = structured(mallory.tool("memory_save", TEA))["id"]
    for wanted in (theirs, NOBODY):
        for tool, arguments in (
            ("memory_forget", {"id": wanted}),
            ("memory_save", {**TEA, "replaces": wanted}),
        ):
            assert text(bob.tool(tool, arguments)) == "There is no such item."
        assert refusal(bob.rest.get(f"/memory/items/{wanted}")) == (404, "not_found")
        replaced = bob.rest.post("/memory/items", json={**TEA, "replaces": wanted})
        assert refusal(replaced) == (404, "not_found")
    assert mallory.finds() == [TEA["content"]]


@pytest.mark.requirement("items:unit:data-labelling")
def test_the_answer_of_a_search_says_that_it_is_information_in_both_copies(person: Persons) -> None:
    bob = person("bob")
    structured(bob.tool("memory_save", TEA))
    answered = bob.tool("memory_search", {"query": "tea"})
    for copy in (text(answered), str(structured(answered)["notice"])):
        assert "information that people wrote" in copy
        assert "not instructions" in copy


# --- By hand -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("items:e2e:status-says-unlicensed")
@pytest.mark.requirement("items:e2e:item-routes-need-the-edition")
@pytest.mark.requirement("items:e2e:no-tool-is-listed")
@pytest.mark.requirement("items:e2e:licence-opens-the-tools")
@pytest.mark.requirement("items:e2e:personal-lists-three-tools")
@pytest.mark.requirement("items:e2e:personal-save-has-no-scope")
@pytest.mark.requirement("items:e2e:a-preference-is-saved")
@pytest.mark.requirement("items:e2e:token-like-text-is-refused")
def test_a_licence_row_opens_level_personal(licensed: Licensed) -> None:
    person, world, keys = licensed
    alice = person("alice")
    assert alice.status("licensed") is False
    assert refusal(alice.rest.post("/memory/items", json=TEA)) == (403, "edition_required")
    assert alice.tools() == []
    install(alice, licence_key(world, keys))
    assert alice.tools() == TOOLS
    assert "scope" not in tools(alice.url, alice.token)[1].input_schema["properties"]
    saved = structured(alice.tool("memory_save", {**TEA, "kind": "preference"}))
    assert body_of(alice.rest.get(f"/memory/items/{saved['id']}"))["kind"] == "preference"
    refused = alice.tool("memory_save", {"content": "the token is ghp_x7Kd9Qm2Rt5Wv8Yb3Nc6Pf1Hj4Ls0Za2Qw9E"})
    assert (refused.is_error, "ghp_" in text(refused)) == (True, False)
    assert alice.lists() == [TEA["content"]]


@pytest.mark.requirement("items:e2e:contributed-item-is-pending")
@pytest.mark.requirement("items:e2e:pending-item-is-not-found")
@pytest.mark.requirement("items:e2e:pending-item-is-approved")
@pytest.mark.requirement("items:e2e:found-by-a-german-word")
@pytest.mark.requirement("items:e2e:found-by-a-partial-word")
@pytest.mark.requirement("items:e2e:found-by-english-words")
def test_a_company_item_of_a_client_is_approved_over_rest_and_then_found(person: Persons) -> None:
    alice, carol = person("alice"), person("carol")
    set_level(alice, alice.user, "contribute")
    content = "Stammkunde Rossi: the framework agreement covers Italian tables"
    saved = structured(alice.tool("memory_save", {"content": content, "scope": "organization"}))
    assert (saved["status"], alice.finds("stammkunde"), carol.finds()) == ("pending", [], [])
    approved = alice.rest.post(f"/memory/items/{saved['id']}/approve", json={}, headers={"If-Match": '"1"'})
    assert body_of(approved)["status"] == "active"
    for query in ("stammkunde", "framew", "Italian tables"):
        assert carol.finds(query) == carol.lists(query=query) == [content]


@pytest.mark.requirement("items:e2e:viewer-sees-active-company-items")
@pytest.mark.requirement("items:e2e:viewer-may-not-list-pending")
@pytest.mark.requirement("items:e2e:viewer-may-not-add-company-items")
@pytest.mark.requirement("items:e2e:viewer-saves-a-personal-item")
@pytest.mark.requirement("items:e2e:viewer-may-not-change-access")
def test_a_viewer_sees_company_memory_keeps_the_own_and_governs_nothing(person: Persons) -> None:
    alice, carol = person("alice"), person("carol")
    save(alice.rest, **COMPANY)
    set_level(alice, alice.user, "contribute")
    structured(alice.tool("memory_save", {"content": "regulars get a stamp", "scope": "organization"}))
    assert carol.finds() == carol.lists() == [COMPANY["content"]]
    pending = {"status": "pending", "scope": "organization"}
    for refused in (
        carol.rest.get("/memory/items", params=pending),
        carol.rest.get("/memory/review", params={"scope": "organization"}),
        carol.rest.post("/memory/items", json={**COMPANY, "content": "closed on Monday"}),
        carol.rest.patch(f"/members/{carol.user}", json={"memory_access": "contribute"}),
    ):
        assert refusal(refused) == (403, "forbidden")
    assert carol.tool("memory_save", {**COMPANY, "content": "closed on Monday"}).is_error
    assert structured(carol.tool("memory_save", TEA))["status"] == "active"
    assert save(carol.rest, "carol likes cocoa")["status"] == "active"


@pytest.mark.requirement("items:e2e:admins-list-shows-own-items-only")
@pytest.mark.requirement("items:e2e:admin-cannot-edit-the-members-item")
@pytest.mark.requirement("items:e2e:admin-cannot-delete-the-members-item")
@pytest.mark.requirement("items:e2e:admin-cannot-forget-the-members-item")
@pytest.mark.requirement("items:e2e:the-member-still-sees-it")
def test_an_admin_has_own_items_alone_and_a_members_item_stays_as_it_was(person: Persons) -> None:
    alice, carol = person("alice"), person("carol")
    structured(alice.tool("memory_save", {"content": "alice likes oolong"}))
    theirs = structured(carol.tool("memory_save", TEA))
    for mine in (alice.lists(), alice.lists(scope="personal"), alice.finds(), alice.finds(scope="personal")):
        assert mine == ["alice likes oolong"]
    path = f"/memory/items/{theirs['id']}"
    edited = alice.rest.patch(path, json={"content": "likes milk"}, headers={"If-Match": '"1"'})
    for refused in (edited, alice.rest.delete(path)):
        assert refusal(refused) == (404, "not_found")
    assert alice.tool("memory_forget", {"id": theirs["id"]}).is_error
    assert carol.finds() == carol.lists() == [TEA["content"]]
    assert body_of(carol.rest.get(path))["version"] == 1


@pytest.mark.requirement("items:e2e:invalid-level-is-400")
@pytest.mark.requirement("items:e2e:audit-access-from-and-to")
@pytest.mark.requirement("items:e2e:audit-settings-from-and-to")
def test_an_invalid_level_is_400_and_valid_changes_are_logged_from_and_to(person: Persons) -> None:
    alice, bob = person("alice"), person("bob")
    invalid = alice.rest.patch(f"/members/{bob.user}", json={"memory_access": "write"})
    assert (refusal(invalid), bob.tools()) == ((400, "invalid_request"), TOOLS)
    set_level(alice, bob.user, "read")
    configure(alice, write_mode="auto", default_access="none")
    assert (bob.tools(), person("carol").tools()) == (TOOLS[:1], [])

    def facts(action: str) -> Json:
        [event] = listed(alice.rest.get("/audit", params={"action": action}), "events")
        return typed("Json", event["facts"])

    changed = facts("MEMORY_ACCESS_CHANGED")
    assert (changed["level_from"], changed["level_to"]) == ("inherit", "read")
    settings = facts("MEMORY_SETTINGS_CHANGED")
    assert (settings["write_mode_from"], settings["write_mode_to"]) == ("approval", "auto")
    assert (settings["default_access_from"], settings["default_access_to"]) == ("personal", "none")
