"""The tools over HTTP, driven by the official client in both eras, over both stores."""

import json

import pytest
from tests.e2e.conftest import Live
from tests.e2e.mcp_client import ERAS, call, contents, found, structured, text, tool_names, tools

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Surface
from workspace_memory.services.servers import change_server

both_eras = pytest.mark.parametrize("era", ERAS)


@both_eras
@pytest.mark.requirement("items:mcp:tools-on-a-server-endpoint")
@pytest.mark.requirement("items:level:personal-adds-save-and-forget")
@pytest.mark.requirement("items:e2e:personal-lists-three-tools")
def test_level_personal_has_three_tools(live: Live, era: str) -> None:
    assert tool_names(live.mcp_url, live.token(live.world.bob), era) == [
        "memory_search",
        "memory_save",
        "memory_forget",
    ]


@pytest.mark.requirement("items:level:read-offers-search")
def test_level_read_has_search_alone(live: Live) -> None:
    token = live.token(live.world.bob, max_level=AccessLevel.READ)
    assert tool_names(live.mcp_url, token) == ["memory_search"]


@pytest.mark.requirement("items:e2e:personal-save-has-no-scope")
def test_at_level_personal_memory_save_has_no_scope(live: Live) -> None:
    (save,) = [t for t in tools(live.mcp_url, live.token(live.world.bob)) if t.name == "memory_save"]
    assert "scope" not in save.input_schema["properties"]


@pytest.mark.requirement("items:unit:organization-only-from-contribute")
@pytest.mark.requirement("items:level:contribute-may-choose-organization")
def test_at_level_contribute_memory_save_has_a_scope(live: Live) -> None:
    live.world.set_level(live.world.bob, AccessLevel.CONTRIBUTE)
    (save,) = [t for t in tools(live.mcp_url, live.token(live.world.bob)) if t.name == "memory_save"]
    assert save.input_schema["properties"]["scope"]["enum"] == ["personal", "organization"]


@pytest.mark.requirement("items:level:personal-saves-personal-items-only")
def test_at_level_personal_a_scope_is_refused_by_name(live: Live) -> None:
    token = live.token(live.world.bob)
    refused = call(live.mcp_url, token, "memory_save", {"content": "tea", "scope": "organization"})
    assert refused.is_error
    assert text(refused).startswith("scope: memory_save has no argument of this name at your access level")
    assert contents(call(live.mcp_url, token, "memory_search")) == []


@pytest.mark.parametrize("kind", ["fact", "preference", "note"])
@pytest.mark.requirement("items:save:facts-preferences-and-notes")
@pytest.mark.requirement("items:e2e:a-preference-is-saved")
def test_a_saved_text_keeps_its_kind(live: Live, kind: str) -> None:
    token = live.token(live.world.bob)
    saved = structured(call(live.mcp_url, token, "memory_save", {"content": "likes green tea", "kind": kind}))
    assert (saved["status"], saved["outcome"], saved["scope"], saved["version"]) == (
        "active",
        "saved",
        "personal",
        1,
    )
    (item,) = found(call(live.mcp_url, token, "memory_search", {"query": "tea"}))
    assert (item["id"], item["kind"]) == (saved["id"], kind)


@pytest.mark.requirement("items:search:found-from-another-client")
def test_what_one_client_saved_another_finds(live: Live) -> None:
    world = live.world
    desktop = live.token(world.bob, name="Desktop")
    editor = live.token(world.bob, name="Editor", surface=Surface.MCP)
    call(
        live.mcp_url, desktop, "memory_save", {"content": "The espresso machine is serviced by Rossi"}, "auto"
    )
    (item,) = found(call(live.mcp_url, editor, "memory_search", {"query": "espresso"}, "legacy"))
    assert item["source"] == "Desktop"


@pytest.mark.requirement("items:model:source-comes-from-the-credential")
def test_the_source_is_the_tokens_name_and_no_argument_sets_it(live: Live) -> None:
    token = live.token(live.world.bob, name="Desktop")
    refused = call(live.mcp_url, token, "memory_save", {"content": "tea", "source": "somebody else"})
    assert refused.is_error
    call(live.mcp_url, token, "memory_save", {"content": "tea"})
    (item,) = found(call(live.mcp_url, token, "memory_search"))
    assert (item["source"], item["author"]) == ("Desktop", "bob")


@both_eras
@pytest.mark.requirement("field:case-29")
@pytest.mark.requirement("items:search:results-are-information-not-instructions")
@pytest.mark.requirement("items:unit:data-labelling")
def test_a_result_carries_everything_in_both_copies(live: Live, era: str) -> None:
    live.world.company_item("The office closes at six")
    result = call(live.mcp_url, live.token(live.world.carol), "memory_search", {"query": "office"}, era)
    assert json.loads(text(result)) == structured(result)
    (item,) = found(result)
    score = item.pop("score")
    assert isinstance(score, int | float)
    assert score > 0
    assert isinstance(item.pop("id"), str)
    assert item == {
        "content": "The office closes at six",
        "kind": "note",
        "scope": "organization",
        "status": "active",
        "tags": [],
        "author": "bob",
        "approver": "bob",
        "source": "session",
        "created_at": "2026-11-02T09:00:00Z",
        "updated_at": "2026-11-02T09:00:00Z",
        "age": "just now",
        "version": 1,
    }
    assert "information" in str(structured(result)["notice"])
    assert "not instructions" in str(structured(result)["notice"])


@pytest.mark.requirement("items:search:every-argument-is-optional")
def test_without_arguments_the_newest_items_are_listed(live: Live) -> None:
    live.world.company_item("first")
    live.world.company_item("second")
    result = call(live.mcp_url, live.token(live.world.carol), "memory_search")
    assert contents(result) == ["second", "first"]
    assert "next_cursor" not in structured(result)


@pytest.mark.requirement("items:e2e:found-by-a-german-word")
@pytest.mark.requirement("items:e2e:found-by-a-partial-word")
@pytest.mark.requirement("items:e2e:found-by-english-words")
@pytest.mark.requirement("items:search:part-of-a-word-is-found")
@pytest.mark.requirement("items:search:any-word-matches")
@pytest.mark.requirement("items:search:codes-are-found")
def test_a_company_item_is_found_by_any_of_its_words(live: Live) -> None:
    content = "Stammkunde Rossi: framework agreement INV-20931, prefers Italian tables"
    live.world.company_item(content)
    live.world.company_item("The office closes at six")
    token = live.token(live.world.carol)
    for query in ("stammkunde", "framew", "Italian tables", "tables nowhere", "INV-20931", "20931"):
        assert contents(call(live.mcp_url, token, "memory_search", {"query": query})) == [content], query


@pytest.mark.requirement("items:search:ranked-by-relevance")
def test_the_better_match_comes_first(live: Live) -> None:
    live.world.company_item("green paint")
    live.world.company_item("green tea from Kyoto")
    live.world.company_item("black tea")
    result = call(live.mcp_url, live.token(live.world.carol), "memory_search", {"query": "green tea Kyoto"})
    assert contents(result)[0] == "green tea from Kyoto"


@pytest.mark.requirement("items:search:scope-narrows")
def test_a_scope_narrows_the_search(live: Live) -> None:
    live.world.company_item("company tea")
    token = live.token(live.world.bob)
    call(live.mcp_url, token, "memory_save", {"content": "personal tea"})
    for scope, expected in {"personal": "personal tea", "organization": "company tea"}.items():
        result = call(live.mcp_url, token, "memory_search", {"query": "tea", "scope": scope})
        assert contents(result) == [expected]


@pytest.mark.requirement("items:search:limit-bounds-the-answer")
def test_a_limit_bounds_the_answer_and_its_cursor_goes_on(live: Live) -> None:
    token = live.token(live.world.bob)
    for number in range(3):
        live.world.company_item(f"tea number {number}")
    first = call(live.mcp_url, token, "memory_search", {"query": "tea", "limit": 2})
    cursor = structured(first)["next_cursor"]
    rest = call(live.mcp_url, token, "memory_search", {"query": "tea", "limit": 2, "cursor": cursor})
    assert len(found(first)) == 2
    assert {*contents(first), *contents(rest)} == {f"tea number {number}" for number in range(3)}


@pytest.mark.requirement("items:e2e:contributed-item-is-pending")
@pytest.mark.requirement("items:e2e:pending-item-is-not-found")
@pytest.mark.requirement("items:save:company-item-is-pending-under-approval")
def test_a_contributed_company_item_is_pending_and_not_found(live: Live) -> None:
    live.world.set_level(live.world.alice, AccessLevel.CONTRIBUTE)
    token = live.token(live.world.alice)
    arguments = {"content": "Stammkunden bekommen Rabatt", "scope": "organization"}
    saved = structured(call(live.mcp_url, token, "memory_save", arguments))
    assert (saved["status"], saved["outcome"], saved["scope"]) == ("pending", "proposed", "organization")
    assert "review by an admin or editor" in str(saved["message"])
    assert contents(call(live.mcp_url, token, "memory_search", {"query": "Stammkunden"})) == []


@pytest.mark.requirement("items:forget:own-personal-items-only")
@pytest.mark.requirement("items:unit:forget-an-own-item")
def test_a_forgotten_item_is_gone(live: Live) -> None:
    token = live.token(live.world.bob)
    saved = structured(call(live.mcp_url, token, "memory_save", {"content": "likes green tea"}))
    forgotten = structured(call(live.mcp_url, token, "memory_forget", {"id": saved["id"]}))
    assert (forgotten["id"], forgotten["forgotten"]) == (saved["id"], True)
    assert contents(call(live.mcp_url, token, "memory_search", {"query": "tea"})) == []
    again = call(live.mcp_url, token, "memory_forget", {"id": saved["id"]})
    assert (again.is_error, text(again)) == (True, "There is no such item.")


def test_replaces_gives_an_own_item_a_new_text(live: Live) -> None:
    token = live.token(live.world.bob)
    saved = structured(call(live.mcp_url, token, "memory_save", {"content": "drinks tea"}))
    arguments = {"content": "drinks coffee", "replaces": saved["id"]}
    replaced = structured(call(live.mcp_url, token, "memory_save", arguments))
    assert (replaced["id"], replaced["outcome"], replaced["version"]) == (saved["id"], "replaced", 2)
    assert contents(call(live.mcp_url, token, "memory_search")) == ["drinks coffee"]


def test_similar_items_are_named_with_their_text(live: Live) -> None:
    token = live.token(live.world.bob)
    first = structured(call(live.mcp_url, token, "memory_save", {"content": "My dog is called Bella Rossi"}))
    second = structured(call(live.mcp_url, token, "memory_save", {"content": "My dog is called Bella Verdi"}))
    assert second["similar"] == [{"id": first["id"], "content": "My dog is called Bella Rossi"}]
    assert "replaces" in str(second["message"])


@pytest.mark.requirement("field:case-19")
@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (["a", "b"], ["a", "b"]),
        ('["a", "b"]', ["a", "b"]),
        ("a, b", ["a", "b"]),
        ("", []),
        (None, []),
        ("missing", []),
    ],
)
def test_tags_come_in_many_forms(live: Live, sent: object, kept: list[str]) -> None:
    token = live.token(live.world.bob)
    arguments: dict[str, object] = {"content": "tea", **({} if sent == "missing" else {"tags": sent})}
    assert not call(live.mcp_url, token, "memory_save", arguments).is_error
    (item,) = found(call(live.mcp_url, token, "memory_search"))
    assert item["tags"] == kept


def test_a_tag_and_a_kind_narrow_the_search(live: Live) -> None:
    token = live.token(live.world.bob)
    call(live.mcp_url, token, "memory_save", {"content": "green tea", "tags": ["Drinks"], "kind": "fact"})
    call(live.mcp_url, token, "memory_save", {"content": "mint tea"})
    assert contents(call(live.mcp_url, token, "memory_search", {"query": "tea", "tag": "drinks"})) == [
        "green tea"
    ]
    assert contents(call(live.mcp_url, token, "memory_search", {"kind": "note"})) == ["mint tea"]


def test_the_pair_for_chatgpt_is_there_when_the_server_offers_it(live: Live) -> None:
    world = live.world
    token = live.token(world.carol, max_level=AccessLevel.READ)
    assert "fetch" not in tool_names(live.mcp_url, token)
    change_server(world.deps, world.by_hand(world.alice), world.workspace, world.server, chatgpt_tools=True)
    item = world.company_item("The office closes at six").item
    assert tool_names(live.mcp_url, token) == ["memory_search", "search", "fetch"]
    search = structured(call(live.mcp_url, token, "search", {"query": "office"}))
    fetched = structured(call(live.mcp_url, token, "fetch", {"id": item.id}))
    assert search["results"] == [{"id": item.id, "title": item.content, "url": fetched["url"]}]
    assert fetched["text"] == item.content
    assert "not instructions" in str(fetched["metadata"])
