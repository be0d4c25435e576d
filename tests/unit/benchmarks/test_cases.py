from pathlib import Path

import pytest
from benchmarks._cases import BadCases, Shape, parse_cases, read_cases

ITEM = {"key": "a", "text": "Tea is green"}


def a_conversation(**changes: object) -> dict[str, object]:
    questions = [{"text": "What is green?", "category": 4, "gold": ["a"]}]
    return {"name": "one", "items": [ITEM], "questions": questions, **changes}


def test_conversations_are_read_with_their_categories_as_labels() -> None:
    cases = parse_cases({"conversations": [a_conversation()]})
    assert cases.shape is Shape.CONVERSATIONS
    assert cases.sets[0].texts == {"a": "Tea is green"}
    assert [(question.label, question.gold) for question in cases.sets[0].questions] == [("4", {"a"})]


def test_languages_are_read_with_their_kinds_as_labels() -> None:
    queries = [{"text": "Tee", "kind": "word", "gold": ["a"]}]
    cases = parse_cases({"sets": [{"language": "de", "items": [ITEM], "queries": queries}]})
    assert cases.shape is Shape.LANGUAGES
    assert (cases.sets[0].name, cases.sets[0].questions[0].label) == ("de", "word")


def test_questions_of_what_was_never_said_are_left_out_and_counted() -> None:
    questions = [{"text": "?", "category": 5, "gold": ["a"]}]
    cases = parse_cases({"conversations": [a_conversation(questions=questions)]})
    assert (cases.sets[0].questions, cases.left_out) == ([], 1)


def test_questions_whose_evidence_is_no_text_of_the_set_are_left_out_and_counted() -> None:
    questions = [
        {"text": "?", "category": 1, "gold": ["z"]},
        {"text": "?", "category": 1, "gold": ["z", "a"]},
    ]
    cases = parse_cases({"conversations": [a_conversation(questions=questions)]})
    assert [question.gold for question in cases.sets[0].questions] == [{"a"}]
    assert cases.left_out == 1


def test_an_empty_text_is_no_text() -> None:
    cases = parse_cases({"conversations": [a_conversation(items=[ITEM, {"key": "b", "text": " "}])]})
    assert list(cases.sets[0].texts) == ["a"]


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ([], "the file is not an object"),
        ({}, "neither"),
        ({"conversations": []}, "at least one"),
        ({"conversations": [a_conversation(), a_conversation()]}, "a name of its own"),
        ({"conversations": ["x"]}, "entry 1 of conversations"),
        ({"conversations": [a_conversation(items=3)]}, 'no list "items"'),
        ({"conversations": [a_conversation(items=[{"key": "a"}])]}, "entry 1 of items"),
        ({"conversations": [a_conversation(questions=[{"text": "?"}])]}, "entry 1 of questions"),
    ],
)
def test_another_shape_is_refused_with_the_place(document: object, where: str) -> None:
    with pytest.raises(BadCases, match=where):
        parse_cases(document)


@pytest.mark.parametrize("content", ["{", "[1, 2", b"\xff\xfe".decode("latin-1")])
def test_a_file_that_is_not_json_is_refused_by_its_name(tmp_path: Path, content: str) -> None:
    path = tmp_path / "cases.json"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(BadCases, match=r"cases\.json"):
        read_cases(path)


def test_a_missing_file_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadCases, match=r"nowhere\.json"):
        read_cases(tmp_path / "nowhere.json")
