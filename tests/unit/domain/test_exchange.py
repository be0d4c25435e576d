"""Reading what other products leave behind: formats are recognised, texts taken, everything else accounted for."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.exchange import FORMATS, Format, Parsed, detect_format, parse
from workspace_memory.domain.exchange_records import BATCH_BYTES_MAX, Record
from workspace_memory.domain.item import Kind

MCP_MEMORY = (
    b'{"type":"entity","name":"Rossi","entityType":"person",'
    b'"observations":["repairs espresso machines","speaks Italian"]}\n'
    b'{"type":"relation","from":"Rossi","to":"Tea shop","relationType":"supplies"}\n'
)
MEM0 = json.dumps(
    {
        "results": [
            {
                "id": "1",
                "memory": "Likes oat milk",
                "created_at": "2026-01-01T00:00:00Z",
                "categories": ["food"],
                "metadata": {"category": "preferences"},
            }
        ],
        "relations": [{"source": "a", "relationship": "b", "target": "c"}],
    }
).encode()
NOTE = b"""---
title: Coffee brewing
type: note
tags: [coffee, 'slow bar']
permalink: coffee-brewing
---
# Coffee brewing
Some prose.

## Observations
- [method] Pour over is clearer #brewing (own tests)
- [preference] Ethiopian beans
- [x] buy filters

## Relations
- requires [[Grinding]]
"""
CLAUDE_EXPORT = json.dumps(
    [
        {
            "conversations_memory": "**Work context**\n\nRuns a tea shop in Trento.\n\n"
            "**Style**\n\nPrefers short answers.",
            "project_memories": {"p1": "- Opens a second shop"},
            "account_uuid": "a",
        }
    ]
).encode()
AGENTS = b"""# Project

Prose is left out.

## Tests
- Run them before a commit
- Databases:
  - SQLite in a file,
    never in memory
  - PostgreSQL from its wheel
```
- not a bullet
```
1. [x] Number the steps
"""


def contents(parsed: Parsed) -> list[str]:
    return [record.content for record in parsed.records]


def skipped(parsed: Parsed) -> dict[str, int]:
    return {skip.what: skip.count for skip in parsed.skipped}


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("x.jsonl", b'\xef\xbb\xbf{"format":"workspace-memory","version":1}\r\n', Format.WORKSPACE_MEMORY),
        ("x.jsonl", b'{"content":"likes tea"}\n', Format.WORKSPACE_MEMORY),
        ("memory.json", MCP_MEMORY, Format.MCP_MEMORY),
        ("export.json", MEM0, Format.MEM0),
        ("coffee.md", NOTE, Format.BASIC_MEMORY),
        ("memories.json", CLAUDE_EXPORT, Format.CLAUDE),
        ("my-claude-memory.txt", b"- likes tea", Format.CLAUDE),
        ("chatgpt.txt", b"likes tea", Format.CHATGPT),
        ("list.json", b'["likes tea"]', None),
        ("odd.csv", b"a,b\n1,2\n", None),
        ("list.txt", b"- likes tea\n", None),
        ("AGENTS2.md", b"- be brief\n", Format.AGENTS),
        ("CLAUDE.md", AGENTS, Format.AGENTS),
        ("sub/AGENTS.md", b"- be brief", Format.AGENTS),
        ("rules.md", AGENTS, Format.AGENTS),
        ("empty.txt", b" \n", None),
        ("picture.png", b"\x89PNG\x00\x00", None),
    ],
)
def test_a_format_is_recognised(name: str, head: bytes, expected: Format | None) -> None:
    assert detect_format(name, head) is expected


def test_every_format_is_described() -> None:
    assert set(FORMATS) == set(Format)


def test_an_observation_of_the_mcp_server_is_led_by_its_entity() -> None:
    parsed = parse("mcp-memory", [("memory.json", MCP_MEMORY)])
    assert contents(parsed) == [
        "Rossi: repairs espresso machines",
        "Rossi: speaks Italian",
        "Rossi supplies Tea shop",
    ]
    assert parsed.records[0].tags == ("person",)
    assert parsed.records[1].where == "memory.json, line 1, observation 2"


def test_a_broken_line_of_the_mcp_server_is_named_and_costs_no_other() -> None:
    parsed = parse("mcp-memory", [("m", b'{"type":"entity"\n' + MCP_MEMORY)])
    assert [problem.where for problem in parsed.problems] == ["m, line 1"]
    assert len(parsed.records) == 3


def test_mem0_gives_its_texts_and_categories() -> None:
    parsed = parse("mem0", [("export.json", MEM0)])
    assert contents(parsed) == ["Likes oat milk"]
    assert parsed.records[0].tags == ("food", "preferences")
    assert skipped(parsed) == {"relations": 1}


def test_mem0_without_results_around_its_list_is_read_too() -> None:
    parsed = parse("mem0", [("x", b'[{"memory":"Likes tea"},{"id":"2"}]')])
    assert contents(parsed) == ["Likes tea"]
    assert [problem.where for problem in parsed.problems] == ["x, entry 2"]


def test_an_observation_of_basic_memory_keeps_words_tags_and_kind() -> None:
    parsed = parse("basic-memory", [("notes/coffee.md", NOTE)])
    first, second = parsed.records
    assert first.content == "Coffee brewing: Pour over is clearer #brewing (own tests)"
    assert first.tags == ("method", "brewing", "coffee", "slow bar")
    assert first.where == "notes/coffee.md, line 11"
    assert second.kind is Kind.PREFERENCE
    assert skipped(parsed) == {"relations": 1, "lines that are no observations": 2}


def test_a_note_without_front_matter_is_titled_by_its_file() -> None:
    parsed = parse("basic-memory", [("dir/Green tea.md", b"- [fact] needs 80 degrees")])
    assert contents(parsed) == ["Green tea: needs 80 degrees"]


def test_tags_of_a_note_may_stand_one_below_the_other() -> None:
    note = b"---\ntitle: T\ntags:\n  - one\n  - 'two'\n---\n- [fact] x y"
    assert parse("basic-memory", [("t.md", note)]).records[0].tags == ("fact", "one", "two")


def test_a_claude_export_gives_its_paragraphs_and_project_bullets() -> None:
    parsed = parse("claude", [("memories.json", CLAUDE_EXPORT)])
    assert contents(parsed) == ["Runs a tea shop in Trento.", "Prefers short answers.", "Opens a second shop"]
    assert parsed.records[0].tags == ("Work context",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Likes tea\n\nLives in Trento\n", ["Likes tea", "Lives in Trento"]),
        ("Here is what I know:\n- Likes tea\n* Lives in Trento\n", ["Likes tea", "Lives in Trento"]),
        ("```\n[2026-01-02] - Likes tea\n[unknown] - Has a dog\n```", ["Likes tea", "Has a dog"]),
        ("2026-01-02: Likes tea", ["Likes tea"]),
        ("1. Likes tea\n2) Has a dog", ["Likes tea", "Has a dog"]),
        ("- Likes tea,\n  green above all", ["Likes tea,\ngreen above all"]),
        ('["Likes tea", {"content": "Has a dog"}, {"text": "Reads"}]', ["Likes tea", "Has a dog", "Reads"]),
        ('{"memories": [{"memory": "Likes tea"}]}', ["Likes tea"]),
        ("\ufeffLikes tea\r\nHas a dog\r\n", ["Likes tea", "Has a dog"]),
    ],
)
def test_a_list_is_read_in_whatever_shape_people_get_it(text: str, expected: list[str]) -> None:
    assert contents(parse("chatgpt", [("list.txt", text.encode())])) == expected


def test_words_around_a_list_are_counted_and_left_out() -> None:
    parsed = parse("chatgpt", [("x", b"Sure!\n- Likes tea\nIs that all?")])
    assert skipped(parsed) == {"lines outside of the list": 2}


def test_nested_bullets_keep_what_stands_above_them() -> None:
    parsed = parse("agents", [("CLAUDE.md", AGENTS)])
    assert contents(parsed) == [
        "Run them before a commit",
        "Databases: SQLite in a file, never in memory",
        "Databases: PostgreSQL from its wheel",
        "Number the steps",
    ]
    assert parsed.records[0].tags == ("Project", "Tests")
    assert skipped(parsed) == {"lines outside of bullets": 4}


def test_a_bullet_that_says_something_itself_is_kept_beside_its_children() -> None:
    parsed = parse("agents", [("AGENTS.md", b"- Use ruff\n    - with its formatter\n- Done")])
    assert contents(parsed) == ["Use ruff", "Use ruff: with its formatter", "Done"]


def test_thousands_of_nested_bullets_are_read() -> None:
    text = "\n".join(f"{' ' * depth}- level {depth}" for depth in range(2_000))
    assert len(parse("agents", [("AGENTS.md", text.encode())]).records) == 2_000


def test_a_text_that_is_too_long_is_reported_with_its_place_and_not_cut() -> None:
    parsed = parse("chatgpt", [("list.txt", b"- fine\n- " + b"x" * 2_001)])
    assert contents(parsed) == ["fine"]
    assert parsed.problems[0].where == "list.txt, line 2"
    assert "2,001 characters" in parsed.problems[0].reason


def test_a_text_that_stands_twice_is_taken_once() -> None:
    parsed = parse("chatgpt", [("x", b"- Likes tea\n- likes  TEA")])
    assert (contents(parsed), skipped(parsed)) == (["Likes tea"], {"repeated texts": 1})


def test_a_foreign_label_is_shortened_to_a_tag() -> None:
    text = json.dumps(
        [{"memory": "Likes tea", "categories": ["x" * 80, " a\nb ", "", 3, *map(str, range(20))]}]
    )
    tags = parse("mem0", [("x", text.encode())]).records[0].tags
    assert tags[:2] == ("x" * 50, "a b")
    assert len(tags) == 10


@pytest.mark.parametrize("form", [form for form in Format if form is not Format.WORKSPACE_MEMORY])
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \r\n", "is empty"),
        (b"- fine\n- caf\xe9", "line 2: is not UTF-8"),
        ("- fine".encode("utf-16"), "is UTF-16"),
    ],
)
def test_a_file_that_is_no_text_is_refused_by_name(form: str, content: bytes, reason: str) -> None:
    with pytest.raises(InvalidRequest, match=reason):
        parse(form, [("file.md", content)])


def test_a_bad_file_among_several_costs_no_other() -> None:
    parsed = parse("basic-memory", [("bad.md", b"\xff"), ("good.md", b"- [fact] x")])
    assert [(problem.where, problem.reason) for problem in parsed.problems] == [
        ("bad.md", "line 1: is not UTF-8")
    ]
    assert contents(parsed) == ["good: x"]


@pytest.mark.parametrize(
    "text", ['{"results": ', "[" * 100_000, '{"other": 1}', "3", "[" + "9" * 5_000 + "]"]
)
def test_json_that_holds_no_list_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest, match=r"is not JSON|holds no list"):
        parse("mem0", [("x.json", text.encode())])


def test_an_unknown_format_is_refused_and_the_known_ones_named() -> None:
    with pytest.raises(InvalidRequest, match="basic-memory"):
        parse("xml", [("x", b"y")])


def test_batches_are_bounded_in_number_and_size() -> None:
    many = Parsed("chatgpt", tuple(Record(str(n), f"text {n}") for n in range(1_001)))
    assert [len(batch.records) for batch in many.batches()] == [500, 500, 1]
    wide = Parsed("chatgpt", tuple(Record(str(n), "𝄞" * 2_000) for n in range(500)))
    sizes = [sum(len(record.content.encode()) for record in batch.records) for batch in wide.batches()]
    assert len(sizes) == 2
    assert max(sizes) <= BATCH_BYTES_MAX


def reads_or_refuses(form: Format) -> Callable[[bytes], None]:
    def check(content: bytes) -> None:
        try:
            parsed = parse(form, [("file.md", content)])
        except InvalidRequest:
            return
        for record in parsed.records:
            assert 0 < len(record.content) <= 2_000

    return check


@pytest.mark.parametrize("form", list(Format))
def test_any_bytes_are_read_or_refused(form: Format) -> None:
    lines = st.lists(
        st.one_of(st.text(max_size=40), st.sampled_from([*"{}[]-#", "---", "- [a] b", "  - c", "```"]))
    )
    texts = lines.map(lambda parts: "\n".join(parts).encode("utf-8", "surrogatepass"))
    given(st.one_of(st.binary(max_size=200), texts))(reads_or_refuses(form))()
