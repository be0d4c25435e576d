"""Every spelling of the reserved namespace is told, and no other name is taken for it."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.namespace_cases.spellings import spellings

from workspace_memory.domain.namespace import PathVerdict, verdict_of

LABELLED = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "namespace_cases" / "labelled.jsonl").read_text().splitlines()
]
# Letters and marks that nobody sees and that a name therefore does not have.
IGNORABLE = {
    0x34F,
    0x115F,
    0x1160,
    0x17B4,
    0x17B5,
    *range(0x180B, 0x1810),
    0x3164,
    *range(0xFE00, 0xFE10),
    0xFFA0,
    *range(0xE0000, 0xE1000),
}
MARKS = [
    chr(code)
    for code in range(0x300, 0x110000)
    if unicodedata.category(chr(code)).startswith("M") and code not in IGNORABLE
]
LETTERS = st.characters(categories=["L", "M", "Nd"], exclude_characters=[chr(code) for code in IGNORABLE])
NAMES = st.text(LETTERS | st.sampled_from(" -_+()'🙂👍🏽❤"), min_size=1, max_size=12).filter(
    lambda name: name.strip() != ""
)


def test_the_labelled_cases_are_all_there() -> None:
    assert len(LABELLED) == 81


@pytest.mark.parametrize("case", LABELLED, ids=lambda case: f"{case['id']} {case['why']}")
def test_a_labelled_path_has_its_verdict(case: dict[str, str]) -> None:
    assert verdict_of(case["path"]) == case["verdict"]


@pytest.mark.requirement("document:namespace:case-spellings")
@pytest.mark.parametrize(
    "path", [".WORKSPACE/MEMORY", ".Workspace/memorY/x", ".wor\u212aspace/memory", ".work\u017fpace/memory"]
)
def test_other_cases_are_the_same_place(path: str) -> None:
    assert verdict_of(path) is PathVerdict.RESERVED


@pytest.mark.requirement("document:namespace:dot-segments")
@pytest.mark.parametrize(
    "path",
    [
        "./.workspace/./memory",
        "a/../.workspace/memory",
        ".workspace/x/../memory",
        "a/..\\.workspace/memory/.",
    ],
)
def test_dot_segments_are_walked(path: str) -> None:
    assert verdict_of(path) is PathVerdict.RESERVED


@pytest.mark.requirement("document:namespace:empty-segments")
@pytest.mark.parametrize(
    "path", ["//.workspace///memory", "/.workspace/memory//x", ".workspace/ /memory", ".workspace/:/memory"]
)
def test_empty_segments_are_none(path: str) -> None:
    assert verdict_of(path) is PathVerdict.RESERVED


@pytest.mark.requirement("document:namespace:compatibility-forms")
@pytest.mark.parametrize(
    "path", [".ｗｏｒｋｓｐａｃｅ/memory", ".workspace/ⓜⓔⓜⓞⓡⓨ", "․workspace／memory", ".workspace/𝐦𝐞𝐦𝐨𝐫𝐲"]
)
def test_compatibility_forms_are_the_same_place(path: str) -> None:
    assert verdict_of(path) is PathVerdict.RESERVED


@pytest.mark.parametrize("seed", range(4))
def test_20_000_composed_spellings_are_all_refused(seed: int) -> None:
    passed = [path for path in spellings(seed, 5_000) if verdict_of(path) is not PathVerdict.RESERVED]
    assert passed == []


def test_the_generator_composes_different_spellings() -> None:
    assert len(set(spellings(1, 5_000))) > 4_500


@given(st.text(st.sampled_from("./\\%:~2eEfFwWmM ") | st.characters(), max_size=40))
def test_every_text_has_a_verdict(path: str) -> None:
    assert verdict_of(path) in PathVerdict


@given(st.lists(NAMES, min_size=1, max_size=5))
@example(["memory"])
@example(["workspace", "memory"])
def test_names_of_any_script_are_left_alone(names: list[str]) -> None:
    assert verdict_of("/".join(names)) is PathVerdict.OK


@given(NAMES.filter(lambda name: "memory" not in unicodedata.normalize("NFKC", name).casefold()))
@example("skills/tea/SKILL.md")
@example("memory-notes/x")
@example("memories/x")
@example("memory.md")
@example("mem ory")
@example("m")
def test_other_names_beside_the_namespace_are_left_alone(name: str) -> None:
    assert verdict_of(f".workspace/{name}") is PathVerdict.OK


def test_a_name_that_nobody_sees_is_none() -> None:
    taken = [
        hex(code)
        for code in sorted(IGNORABLE)
        if verdict_of(f"{chr(code)}/.workspace/memory/x") is not PathVerdict.RESERVED
    ]
    assert taken == []


@given(NAMES)
def test_the_namespace_is_reserved_at_the_root_alone(name: str) -> None:
    assert verdict_of(f"{name}/.workspace/memory/x") is PathVerdict.OK


@given(NAMES)
def test_everything_in_the_namespace_is_reserved(name: str) -> None:
    assert verdict_of(f".workspace/memory/{name}") is PathVerdict.RESERVED


def test_a_combining_mark_makes_another_name() -> None:
    taken = [
        mark
        for mark in MARKS
        for path in (f".workspace/memory{mark}", f".work{mark}space/memory", f".workspace/m{mark}emory/x")
        if verdict_of(path) is not PathVerdict.OK
    ]
    assert taken == []


@pytest.mark.parametrize(
    "path",
    [
        ".wоrkspace/memory",
        ".workspace/mеmory",
        ".workspace/memοry",
        ".workspace/mem0ry",
        ".workspace/rnemory",
    ],
)
def test_a_letter_that_only_looks_alike_makes_another_name(path: str) -> None:
    assert verdict_of(path) is PathVerdict.OK


@pytest.mark.parametrize(
    "path", ["/", ".", "//", "a/..", ".workspace", ".Workspace.", ".workspace/x/..", "WORKSP~1", ":"]
)
def test_a_folder_above_the_namespace_is_an_ancestor(path: str) -> None:
    assert verdict_of(path) is PathVerdict.ANCESTOR


@pytest.mark.parametrize(
    "path",
    [
        "",
        "..",
        "a/../../b",
        "%2e%2e/a",
        "a\x00b",
        "a\tb",
        "a\x7fb",
        "a\x85b",
        "a\u2028b",
        "a\u2029b",
        "a\ufffdb",
        f"a{chr(0xD800)}b",
        "a%00b",
        "a%ffb",
        "a%ed%a0%80b",
        "%" + "25" * 7 + "41",
        "a" * 1_025,
        "é" * 513,
    ],
)
def test_what_is_no_path_is_invalid(path: str) -> None:
    assert verdict_of(path) is PathVerdict.INVALID


@pytest.mark.parametrize(
    "path",
    [
        "a" * 1_024,
        "é" * 512,
        "%" + "25" * 6 + "41",
        "50% off",
        "100%",
        "%",
        "%zz",
        "a:b",
        "a~1/b",
        "w1~1/memory",
    ],
)
def test_unusual_names_are_paths(path: str) -> None:
    assert verdict_of(path) is PathVerdict.OK
