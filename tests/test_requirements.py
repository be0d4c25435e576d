"""The manifest of the contract and the tests agree; and this check fails when they do not."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.requirement_lists.coverage import manifest_faults, named_too_early, unknown, untested
from tests.requirement_lists.markers import Markers, collect_markers, read_markers
from tests.requirements import (
    BUILT,
    REQUIREMENTS,
    Capability,
    Deferred,
    NotOurs,
    Requirement,
    Source,
    Tested,
    summary,
)

TESTS = Path(__file__).parent
# One process reads the files of all tests, not each.
pytestmark = pytest.mark.xdist_group("manifest")
LATER = Deferred(Capability.LATER)


@pytest.fixture(scope="module")
def markers() -> Markers:
    return collect_markers(TESTS)


def an_entry(identifier: str = "items:tea:is-kept", number: str = "1") -> Requirement:
    return Requirement(identifier, Source("memory-items", "Tea", number), "Tea is kept.", Tested())


def marked(text: str) -> Markers:
    markers = Markers()
    read_markers(text, "test_tea.py", into=markers)
    return markers


# --- The contract of this product --------------------------------------------------------------------------


def test_the_manifest_is_sound() -> None:
    assert manifest_faults(REQUIREMENTS, BUILT) == []


def test_every_kept_sentence_has_a_test(markers: Markers) -> None:
    missing = untested(REQUIREMENTS, markers.named)
    assert missing == [], "\n".join(["no test names these:", *missing])


def test_every_marker_names_a_sentence_of_the_contract(markers: Markers) -> None:
    assert unknown(REQUIREMENTS, markers.named) == []


def test_what_a_test_names_is_neither_deferred_nor_disowned(markers: Markers) -> None:
    assert named_too_early(REQUIREMENTS, markers.named) == []


def test_every_marker_marks_a_test_with_one_readable_id(markers: Markers) -> None:
    assert markers.faults == []


def test_all_thirty_cases_of_the_field_have_an_entry() -> None:
    cases = {entry.id.split(":")[1] for entry in REQUIREMENTS if entry.id.startswith("field:")}
    assert cases == {f"case-{number:02}" for number in range(1, 31)}


def test_an_id_begins_with_the_text_that_it_belongs_to() -> None:
    strangers = [
        entry.id
        for entry in REQUIREMENTS
        if entry.id.split(":")[0] != entry.source.text.removeprefix("memory-")
    ]
    assert strangers == []


# --- The check itself: a broken manifest is caught ---------------------------------------------------------


def test_a_sound_manifest_has_no_fault() -> None:
    assert manifest_faults([an_entry("items:tea:is-kept", "1"), an_entry("items:tea:is-hot", "2")]) == []


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        ([an_entry(number="1"), an_entry(number="2")], "two entries have this id"),
        ([an_entry("items:tea:is-kept"), an_entry("items:tea:is-hot")], "two entries have this source"),
        ([an_entry("items:tea")], "the id is not of the form"),
        ([an_entry("items:tea:Is_Kept")], "the id is not of the form"),
        ([an_entry("items:tea:is-kept:twice")], "the id is not of the form"),
        ([an_entry("tea:is:kept")], "the id is not of the form"),
        ([an_entry("field:case-1")], "the id is not of the form"),
        ([an_entry("field:case-01:tea")], "the id is not of the form"),
        ([an_entry(number="first")], "the sentence number 'first'"),
        ([an_entry(number="0")], "the sentence number '0'"),
        ([an_entry(number="2")], "not numbered 1, 2, 3"),
        ([an_entry(number="1b")], "not lettered a, b, c"),
        ([an_entry("items:tea:one", "1"), an_entry("items:tea:two", "1a")], "not lettered a, b, c"),
        ([replace(an_entry(), behaviour=" ")], "not one line of text"),
        ([replace(an_entry(), behaviour="Tea\nis kept.")], "not one line of text"),
        ([replace(an_entry(), state=NotOurs(""))], "no reason is given"),
    ],
)
def test_a_broken_entry_is_a_fault(broken: list[Requirement], fault: str) -> None:
    assert [each for each in manifest_faults(broken) if fault in each] != []


def test_nothing_is_deferred_to_a_capability_that_is_built() -> None:
    waiting = replace(an_entry(), state=Deferred(Capability.ITEMS))
    assert manifest_faults([waiting], {Capability.ITEMS}) == [
        "items:tea:is-kept: deferred to items, which is built"
    ]


def test_a_kept_sentence_without_a_test_is_found() -> None:
    assert untested([an_entry()], {}) == ["items:tea:is-kept"]


def test_a_test_of_an_unknown_sentence_is_found() -> None:
    assert unknown([], {"items:tea:is-kept": ["test_tea.py::test_tea"]}) == [
        "items:tea:is-kept in test_tea.py::test_tea"
    ]


@pytest.mark.parametrize("state", [LATER, NotOurs("another product's kettle")])
def test_a_test_of_a_sentence_that_is_not_kept_is_found(state: Deferred | NotOurs) -> None:
    entry = replace(an_entry(), state=state)
    assert named_too_early([entry], {entry.id: ["test_tea.py::test_tea"]}) == [
        "items:tea:is-kept in test_tea.py::test_tea"
    ]


# --- Reading markers ---------------------------------------------------------------------------------------

_PLAIN = '@pytest.mark.requirement("a")\ndef test_tea(): ...\n'
_ALIAS = '@requirement("a")\ndef test_tea(): ...\n'
_ASYNC = '@pytest.mark.requirement("a")\nasync def test_tea(): ...\n'
_METHOD = 'class TestTea:\n    @pytest.mark.requirement("a")\n    def test_tea(self): ...\n'
_CLASS = '@pytest.mark.requirement("a")\nclass TestTea:\n    def test_tea(self): ...\n'
_MODULE = 'pytestmark = pytest.mark.requirement("a")\ndef test_tea(): ...\n'
_MODULE_LIST = 'pytestmark = [pytest.mark.slow, pytest.mark.requirement("a")]\ndef test_tea(): ...\n'
_CLASS_WIDE = 'class TestTea:\n    pytestmark = pytest.mark.requirement("a")\n    def test_tea(self): ...\n'
_MACHINE = 'pytestmark = pytest.mark.requirement("a")\nTestTea = TeaMachine.TestCase\n'
_PARAM = (
    '@pytest.mark.parametrize("cup", [pytest.param(1, marks=pytest.mark.requirement("a"))])\n'
    "def test_tea(cup): ...\n"
)


@pytest.mark.parametrize(
    "text",
    [_PLAIN, _ALIAS, _ASYNC, _METHOD, _CLASS, _MODULE, _MODULE_LIST, _CLASS_WIDE, _MACHINE, _PARAM],
)
def test_a_marker_is_read_wherever_it_marks_a_test(text: str) -> None:
    assert marked(text) == Markers({"a": marked(text).named["a"]}, [])


def test_a_test_may_prove_several_sentences() -> None:
    both = '@pytest.mark.requirement("a")\n@pytest.mark.requirement("b")\ndef test_tea(): ...\n'
    assert marked(both).named == {"a": ["test_tea.py::test_tea"], "b": ["test_tea.py::test_tea"]}


def test_a_sentence_may_be_proved_by_several_tests() -> None:
    assert marked(_PLAIN + _METHOD).named == {
        "a": ["test_tea.py::test_tea", "test_tea.py::TestTea::test_tea"]
    }


@pytest.mark.parametrize(
    "mark", ["pytest.mark.skip", 'pytest.mark.skip(reason="no tea")', "pytest.mark.xfail(strict=True)"]
)
def test_a_test_that_is_switched_off_proves_nothing(mark: str) -> None:
    assert marked(f"@{mark}\n{_PLAIN}").named == {}


def test_tests_that_are_switched_off_together_prove_nothing() -> None:
    assert marked(f'pytestmark = [pytest.mark.skip(reason="no tea")]\n{_PLAIN}').named == {}


@pytest.mark.parametrize(
    "text",
    [
        '@pytest.mark.requirement("a")\ndef brew(): ...\n',
        '@pytest.mark.requirement("a")\nclass Kettle:\n    def test_tea(self): ...\n',
        'pytestmark = pytest.mark.requirement("a")\n',
        'def test_tea():\n    pytest.mark.requirement("a")\n',
    ],
)
def test_a_marker_that_marks_no_test_is_a_fault(text: str) -> None:
    assert [fault for fault in marked(text).faults if "marks no test" in fault] != []


@pytest.mark.parametrize("arguments", ["", "TEA", '"a", "b"', 'id="a"'])
def test_a_marker_without_one_literal_id_is_a_fault(arguments: str) -> None:
    text = f"@pytest.mark.requirement({arguments})\ndef test_tea(): ...\n"
    assert marked(text).faults == ["test_tea.py:1: a requirement marker takes one id in quotes"]


def test_files_of_tests_are_found_in_every_folder(tmp_path: Path) -> None:
    deep = tmp_path / "unit" / "domain"
    deep.mkdir(parents=True)
    (deep / "test_tea.py").write_text(_PLAIN)
    (deep / "brewing.py").write_text(_PLAIN)
    assert collect_markers(tmp_path).named == {"a": ["unit/domain/test_tea.py::test_tea"]}


# --- The printed summary -----------------------------------------------------------------------------------


def test_the_summary_counts_each_state() -> None:
    entries = (
        an_entry("items:tea:is-kept", "1"),
        replace(an_entry("items:tea:is-hot", "2"), state=LATER),
        replace(an_entry("items:tea:is-oolong", "3"), state=NotOurs("another kettle")),
    )
    printed = summary(entries, ["items:tea:is-kept"]).splitlines()
    assert printed[:4] == [
        "3 entries",
        "    1 tested, 1 of them without a test yet",
        "    1 deferred: later 1",
        "    1 not ours",
    ]


def test_the_summary_lists_what_is_deferred() -> None:
    entries = (replace(an_entry(), state=LATER),)
    assert "Deferred to later\n  items:tea:is-kept  Tea is kept." in summary(entries, [])


def test_the_summary_lists_what_has_no_test() -> None:
    assert summary((an_entry(),), ["items:tea:is-kept"]).endswith("Without a test yet\n  items:tea:is-kept\n")
