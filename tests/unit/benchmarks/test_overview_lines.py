import json
from typing import Any

import pytest
from benchmarks._overview_lines import (
    Line,
    Missing,
    as_json,
    as_text,
    bulk_lines,
    conversation_lines,
    conversation_meaning_lines,
    hostile_lines,
    language_lines,
    meaning_lines,
    protocol_lines,
    scale_lines,
    speed_lines,
    startup_lines,
)

CALL = {"p50": 2.0, "p99": 6.0, "per_second": 150.0}
STAGE: dict[str, Any] = {
    "items": 20_000,
    "search": {"1": CALL, "8": CALL},
    "search_by_kind": {
        "rare word": {**CALL, "fts5_p50": 0.2, "official_p50": 4.0},
        "five words": {**CALL, "p99": 9.0, "fts5_p50": 0.2, "official_p50": 5.0},
    },
    "save": {"1": CALL},
    "official_client": {"empty_tool": {"p50": 2.0}},
    "floors": {"empty_tool": {"1": {"p50": 0.8}}, "durable_commit": {"p50": 0.2}},
    "resident_bytes": 100 * 1024 * 1024,
}
SPEED: dict[str, Any] = {"sizes": {"1000": {}, "20000": STAGE}}


def by_words(lines: list[Line], words: str) -> Line:
    (found,) = [line for line in lines if words in line.what]
    return found


def test_a_limit_is_held_up_to_its_value_and_the_ratio_is_one_there() -> None:
    assert (Line("x", 2, 2).holds, Line("x", 2.1, 2).holds, Line("x", 2, 2).ratio) == (True, False, 1)


def test_a_least_is_held_from_its_value_on_and_the_ratio_is_one_there() -> None:
    at, below = Line("x", 140, 140, at_least=True), Line("x", 70, 140, at_least=True)
    assert (at.holds, at.ratio, below.holds, below.ratio) == (True, 1, False, 2)


def test_a_least_that_nothing_was_measured_for_is_missed() -> None:
    line = Line("x", 0, 140, at_least=True)
    assert (line.holds, line.ratio) == (False, float("inf"))


def test_a_search_may_take_one_and_a_half_floors_of_the_same_run_and_with_five_words_twice_that() -> None:
    lines = speed_lines(SPEED)
    assert by_words(lines, "rare word, 20,000").limit == pytest.approx(1.5 * (0.8 + 0.2))
    assert by_words(lines, "five words, 20,000").limit == pytest.approx(3.0 * (0.8 + 0.2))
    official = by_words(lines, "rare word, official")
    assert (official.measured, official.limit) == (4.0, pytest.approx(1.5 * (2.0 + 0.2)))


def test_the_largest_size_is_what_counts_and_the_kind_whose_slowest_are_furthest_away() -> None:
    line = by_words(speed_lines(SPEED), "p99")
    assert (line.what, line.measured, line.limit) == (
        "search p99, furthest from its p50 (five words)",
        9.0,
        8.0,
    )


def test_an_import_may_take_a_millisecond_for_each_item() -> None:
    report = {"items": 20_000, "first": {"seconds": 25.0}, "resident_after_searches": 140 * 1024 * 1024}
    seconds, memory = bulk_lines(report)
    assert (seconds.limit, seconds.holds, memory.measured, memory.holds) == (20.0, False, 140, True)


def test_a_save_clients_and_memory_have_a_limit_each() -> None:
    lines = speed_lines(SPEED)
    assert by_words(lines, "save").limit == pytest.approx(2.0 * (0.8 + 0.2))
    assert (by_words(lines, "8 clients").limit, by_words(lines, "8 clients").holds) == (140, True)
    assert by_words(lines, "memory").measured == 100


def test_without_eight_clients_there_is_no_line_for_them() -> None:
    stage = {**STAGE, "search": {"1": CALL}}
    assert not [line for line in speed_lines({"sizes": {"20000": stage}}) if "clients" in line.what]


def test_the_largest_installation_is_held_against_the_smallest_asked_in_turn() -> None:
    point = {
        "items": 1_000_000,
        "workspaces": 50,
        "searches": {"code": {**CALL, "smallest": {"p50": 1.0}}},
        "resident_bytes": 500 * 1024 * 1024,
    }
    flat, memory = scale_lines({"SQLite": [{}, point]})
    assert (flat.limit, flat.holds, memory.holds) == (pytest.approx(1.2), False, False)


def test_the_weakest_language_is_named() -> None:
    good, weak = {"recall@1": 0.95, "recall@5": 1.0}, {"recall@1": 0.9, "recall@5": 0.99}
    first, fifth = language_lines("cases", {"de": good, "it": weak})
    assert ("(it)" in first.what, first.holds, fifth.measured, fifth.holds) == (True, False, 0.99, True)


def test_conversations_count_as_a_whole() -> None:
    (line,) = conversation_lines("cases", {"overall": {"recall@10": 0.71}})
    assert line.holds


def test_with_meaning_they_have_a_limit_of_their_own() -> None:
    (line,) = conversation_meaning_lines("cases", {"overall": {"recall@10": 0.72}})
    assert (line.limit, line.holds, "with meaning, cases" in line.what) == (0.73, False, True)


def test_searches_of_all_kinds_and_saves_with_meaning_are_held_against_those_without() -> None:
    report = {"items": 1_000, "all_searches": {"ratio": 3.2}, "save": {"ratio": 1.05}}
    search, save = meaning_lines(report)
    assert (search.measured, search.limit, search.holds) == (3.2, 3.0, False)
    assert (save.measured, save.limit, save.holds) == (1.05, 1.1, True)
    assert "1,000 items" in save.what


def test_each_era_of_the_protocol_has_its_floor() -> None:
    costs = {"floor": {"cpu_microseconds": 40.0}, "product": {"cpu_microseconds": 70.0}}
    lines = protocol_lines({"2026-07-28": costs, "2025-06-18": costs})
    assert [(line.limit, line.holds) for line in lines] == [(60.0, False)] * 2


def test_only_the_answers_to_initialize_are_held_against_the_second() -> None:
    one = {"median": 0.4, "worst": 3.0}
    lines = startup_lines({"mcp, initialize": one, "serve, ready": one})
    assert [(line.measured, line.limit) for line in lines] == [(0.4, 1.0)]


def test_a_hostile_query_that_fails_is_a_miss() -> None:
    slowest, failed = hostile_lines({"queries": 9, "items": 9, "slowest": 12.0, "failed": 1})
    assert (slowest.holds, failed.holds) == (True, False)


def test_the_table_says_what_holds_what_is_missed_and_what_was_left_out() -> None:
    text = as_text([Line("a", 1, 2, "ms"), Line("b", 3, 2), Missing("c", "left out", failed=False)])
    assert "1 hold, 1 missed, 1 not measured" in text
    assert [row.split("|")[-2].strip() for row in text.splitlines()[2:5]] == ["holds", "missed", "left out"]


def test_a_limit_of_zero_has_no_ratio() -> None:
    (line,) = as_json([Line("failed", 0, 0)])
    assert (line["ratio"], line["verdict"]) == (None, "holds")
    json.dumps(line)
