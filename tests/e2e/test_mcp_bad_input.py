"""Input that is wrong: a sentence that says what to do, nothing stored, nothing lost."""

import unicodedata
from collections.abc import Mapping

import pytest
from tests.e2e.conftest import Live
from tests.e2e.mcp_client import (
    ERAS,
    LEGACY,
    MODERN,
    RawHttp,
    call,
    contents,
    found,
    protocol_error,
    structured,
    text,
)

both_eras = pytest.mark.parametrize("era", ERAS)
SURROGATE = "tea \ud83d and more"

REFUSED: list[tuple[str, Mapping[str, object], str]] = [
    (
        "memory_save",
        {"content": "tea", "workspace": "other"},
        "workspace: memory_save has no argument of this name",
    ),
    ("memory_search", {"scope": "all"}, "scope: must be one of personal, organization."),
    ("memory_search", {"kind": "idea"}, "kind: must be one of fact, preference, note."),
    ("memory_search", {"limit": 0}, "limit: must be 1 or more."),
    ("memory_search", {"limit": "many"}, "limit: must be a whole number."),
    ("memory_search", {"query": 3}, "query: must be a text."),
    ("memory_search", {"cursor": "AAAA"}, "cursor: is not one that this query gave"),
    ("memory_save", {}, "content: is missing; memory_save needs it."),
    ("memory_save", {"content": None}, "content: is missing"),
    ("memory_save", {"content": ""}, "content: must not be empty"),
    ("memory_save", {"content": "x" * 2_001}, "content: has 2,001 characters; at most 2,000 are allowed."),
    (
        "memory_save",
        {"content": "tea", "tags": [str(n) for n in range(11)]},
        "tags: at most 10 tags are allowed",
    ),
    ("memory_save", {"content": "tea", "tags": ["x" * 51]}, "tags: a tag has at most 50 characters"),
    ("memory_save", {"content": "tea", "tags": {"a": 1}}, "tags: must be a list of texts, such as"),
    ("memory_save", {"content": "tea", "tags": '["a", 1]'}, "tags: must be a list of texts, such as"),
    ("memory_save", {"content": "tea \0"}, "content: contains a NUL character"),
    ("memory_save", {"content": "tea", "replaces": "no id"}, "There is no such item."),
    ("memory_forget", {}, "id: is missing; memory_forget needs it."),
    ("memory_forget", {"id": "no id"}, "There is no such item."),
]


@both_eras
@pytest.mark.requirement("field:case-03")
@pytest.mark.requirement("items:model:content-up-to-2000-characters")
@pytest.mark.requirement("items:limit:10-tags-per-item")
@pytest.mark.requirement("items:model:kind-is-fact-preference-or-note")
@pytest.mark.requirement("items:model:scope-is-personal-or-organization")
def test_each_fault_gets_a_sentence_and_nothing_is_stored(live: Live, era: str) -> None:
    token = live.token(live.world.bob)
    said: dict[str, str] = {}
    for tool, arguments, sentence in REFUSED:
        answer = call(live.mcp_url, token, tool, arguments, era)
        assert answer.is_error, (tool, sentence)
        said[sentence] = text(answer)
    assert [sentence for sentence in said if not said[sentence].startswith(sentence)] == []
    assert contents(call(live.mcp_url, token, "memory_search")) == []


def test_several_faults_are_named_at_once(live: Live) -> None:
    answer = call(
        live.mcp_url, live.token(live.world.bob), "memory_search", {"limit": 0, "kind": "idea", "who": "me"}
    )
    assert all(f"{name}: " in text(answer) for name in ("limit", "kind", "who"))


def test_no_value_is_quoted_in_a_refusal(live: Live) -> None:
    arguments = {"content": ["a very private text"], "kind": "a very private kind", "tags": [7, "private"]}
    assert "private" not in text(call(live.mcp_url, live.token(live.world.bob), "memory_save", arguments))


@both_eras
def test_an_unknown_tool_is_an_error_of_the_protocol(live: Live, era: str) -> None:
    token = live.token(live.world.bob)
    error = protocol_error(lambda: call(live.mcp_url, token, "memory_delete_everything", era=era)).error
    assert (error.code, error.message.partition(".")[0]) == (-32602, "Unknown tool: memory_delete_everything")


@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize("field", ["content", "tags"])
def test_half_a_surrogate_pair_is_refused_with_its_name(live: Live, era: str, field: str) -> None:
    http = RawHttp(live.mcp_url, live.token(live.world.bob))
    arguments = {"content": "tea", field: SURROGATE}
    result = http.call("memory_save", arguments, era=era).json()["result"]
    assert result["isError"]
    assert (
        result["content"][0]["text"]
        == f"{field}: contains half of a surrogate pair, which is not valid Unicode"
    )


HIT = {
    "BENCH-100821": "Ticket BENCH-100821 is open",
    "C:\\repo\\main.py": "The entry is C:\\repo\\main.py",
    "don't": "They don't work on Fridays",
    "health.base": "The key health.base is set",
}


@pytest.mark.requirement("field:case-09")
def test_any_query_is_safe(live: Live) -> None:
    for content in HIT.values():
        live.world.company_item(content)
    http = RawHttp(live.mcp_url, live.token(live.world.bob))
    for query in (*HIT, '"', "(", "*", "NOT", "", "-" * 10_000, SURROGATE, "a\0b", "'; DROP TABLE x --"):
        result = http.call("memory_search", {"query": query}).json()["result"]
        assert result["isError"] is False, query[:20]
        shown = [item["content"] for item in result["structuredContent"]["items"]]
        assert HIT.get(query, next(iter(shown), None)) == next(iter(shown), None), query[:20]


def test_a_tag_that_no_item_can_have_is_refused_with_its_name(live: Live) -> None:
    http = RawHttp(live.mcp_url, live.token(live.world.bob))
    for tag in (SURROGATE, "a\0b"):
        result = http.call("memory_search", {"tag": tag}).json()["result"]
        assert (result["isError"], result["content"][0]["text"].partition(" ")[0]) == (True, "tag:")


def test_a_made_up_argument_name_is_shown_short_and_harmless(live: Live) -> None:
    http = RawHttp(live.mcp_url, live.token(live.world.bob))
    said = http.call("memory_search", {"\ud83d<b>" * 500: 1}).json()["result"]["content"][0]["text"]
    assert ("<" in said, len(said) < 400) == (False, True)


@pytest.mark.requirement("items:model:content-up-to-2000-characters")
def test_2000_characters_are_kept_whole(live: Live) -> None:
    token = live.token(live.world.bob)
    content = "茶" * 2_000
    call(live.mcp_url, token, "memory_save", {"content": content})
    assert contents(call(live.mcp_url, token, "memory_search")) == [content]


def test_a_decomposed_text_is_kept_composed(live: Live) -> None:
    token = live.token(live.world.bob)
    decomposed = unicodedata.normalize("NFD", "Großküche Zürich – café")
    saved = structured(call(live.mcp_url, token, "memory_save", {"content": decomposed}))
    again = structured(
        call(live.mcp_url, token, "memory_save", {"content": unicodedata.normalize("NFC", decomposed)})
    )
    assert (again["id"], again["outcome"]) == (saved["id"], "already_saved")
    assert contents(call(live.mcp_url, token, "memory_search")) == [unicodedata.normalize("NFC", decomposed)]


@pytest.mark.requirement("field:case-13")
def test_a_search_over_long_items_keeps_to_its_bytes_and_gives_a_cursor(live: Live) -> None:
    token = live.token(live.world.bob)
    texts = [f"{number} " + "ä" * 1_900 for number in range(60)]
    actor = live.world.by_hand(live.world.bob)
    for each in texts:
        live.world.save(actor, each)
    seen: list[object] = []
    cursor: object = None
    for _ in range(20):
        answer = call(live.mcp_url, token, "memory_search", {"limit": 1_000, "cursor": cursor})
        assert len(text(answer).encode()) <= 32 * 1024
        seen += contents(answer)
        cursor = structured(answer).get("next_cursor")
        if cursor is None:
            break
    assert seen == texts[::-1]


def test_a_limit_over_50_is_treated_as_50(live: Live) -> None:
    token = live.token(live.world.bob)
    actor = live.world.by_hand(live.world.bob)
    for number in range(51):
        live.world.save(actor, f"tea {number}")
    answer = call(live.mcp_url, token, "memory_search", {"query": "tea", "limit": 1_000})
    assert (len(found(answer)), "next_cursor" in structured(answer)) == (50, True)
