from typing import Any, cast

from benchmarks._quality_report import FIGURES, SetResult, Shape, as_json, as_text, score


def a_result(name: str, **answers: bool) -> SetResult:
    """One question for each label, answered by the first text or not at all."""
    scores = [score(["a" if right else "x"], {"a"}) for right in answers.values()]
    return SetResult(name, list(answers), scores)


def test_a_question_is_scored_by_every_figure() -> None:
    assert score(["x", "a"], {"a"})["recall@1"] == 0
    assert set(score(["a"], {"a"})) == set(FIGURES)


def test_conversations_are_reported_overall_by_category_and_one_by_one() -> None:
    report = cast(
        "Any",
        as_json(
            Shape.CONVERSATIONS, [a_result("26", one=True, two=False), a_result("30", one=True)], left_out=4
        ),
    )
    assert report["overall"]["recall@10"] == round(2 / 3, 4)
    assert report["overall"]["categories"]["two"]["recall@10"] == 0
    assert report["conversations"]["30"]["recall@10"] == 1
    assert report["conversations"]["26"]["questions"] == 2
    assert report["left_out"] == 4


def test_the_report_has_the_figures_that_scripts_read() -> None:
    report = cast("Any", as_json(Shape.CONVERSATIONS, [a_result("26", one=True)], left_out=0))
    assert {"recall@5", "recall@10", "recall@20", "mrr", "ndcg@10"} <= set(report["overall"])


def test_languages_are_reported_by_name_and_kind() -> None:
    report = cast("Any", as_json(Shape.LANGUAGES, [a_result("de", word=True, partial=False)], left_out=0))
    assert report["de"]["recall@1"] == 0.5
    assert report["de"]["kinds"]["partial"]["mrr"] == 0


def test_a_conversation_without_questions_is_reported_as_such() -> None:
    text = as_text(Shape.CONVERSATIONS, [a_result("26", one=True), a_result("30")], left_out=1)
    assert "| 30 " in text
    assert "1 questions" in text


def test_the_tables_for_people_name_every_language_with_its_kinds() -> None:
    text = as_text(Shape.LANGUAGES, [a_result("de", word=True), a_result("ja", partial=True)], left_out=0)
    assert "| de, word " in text
    assert "| ja, partial " in text


def test_the_spread_over_conversations_is_told() -> None:
    text = as_text(Shape.CONVERSATIONS, [a_result("26", one=True), a_result("30", one=False)], left_out=0)
    assert "0.000 to 1.000" in text
