from dataclasses import replace
from typing import Any, cast

import pytest
from benchmarks._speed_figures import QueryKind, Stage, Timing, as_json, as_text

CALL = Timing(calls=200, p50=6.0, p95=8.0, p99=9.0, per_second=150.0)
EMPTY = replace(CALL, p50=2.0)
QUICK = replace(CALL, p50=1.0)

STAGE = Stage(
    items=1_000,
    personal_items=240,
    bulk_items=760,
    bulk_seconds=2.0,
    bulk_cpu_seconds=1.0,
    search_by_kind=dict.fromkeys(QueryKind, CALL),
    search={1: CALL, 8: CALL},
    save={1: CALL, 8: CALL},
    official_by_kind=dict.fromkeys(QueryKind, replace(CALL, p50=8.0)),
    official_tool=replace(CALL, p50=4.0),
    official_save=CALL,
    empty_route={1: QUICK, 8: QUICK},
    empty_tool={1: EMPTY, 8: CALL},
    full_text=dict.fromkeys(QueryKind, QUICK),
    durable_commit=QUICK,
    resident_bytes=100 * 1024 * 1024,
    disk_bytes=5 * 1024 * 1024,
)


def test_a_search_is_compared_with_an_empty_tool_and_raw_full_text_together() -> None:
    assert STAGE.search_ratio(QueryKind.RARE) == pytest.approx(6 / (2 + 1))


def test_the_official_client_is_in_both_sides_of_its_ratio() -> None:
    assert STAGE.official_ratio(QueryKind.RARE) == pytest.approx(8 / (4 + 1))


def test_a_save_is_compared_with_an_empty_tool_and_a_commit_together() -> None:
    assert STAGE.save_ratio == pytest.approx(6 / (2 + 1))


def test_the_report_for_programs_has_an_entry_for_each_size() -> None:
    report = cast("Any", as_json("SQLite", [STAGE, replace(STAGE, items=5_000)]))
    assert list(report["sizes"]) == ["1000", "5000"]
    assert report["sizes"]["1000"]["search"]["8"]["per_second"] == 150
    assert report["sizes"]["1000"]["search_by_kind"]["code"]["ratio"] == 2
    assert report["sizes"]["1000"]["bulk"]["items_per_second"] == 380


def test_the_tables_for_people_name_the_floors_beside_the_calls() -> None:
    text = as_text("SQLite", [STAGE])
    for name in ("search", "save", "empty MCP tool", "empty route", "durable commit", "five words"):
        assert f"| {name}" in text
