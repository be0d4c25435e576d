import argparse
import sqlite3
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from benchmarks import scale
from benchmarks._copies import COPIED, copy_statement, id_suffix
from benchmarks._metrics import Pair, timing
from benchmarks._plot import plot, round_step
from benchmarks._scale_figures import Point, as_json, as_text
from benchmarks._texts import QueryKind
from sqlalchemy import Column, Integer, MetaData, String, Table

from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.storage.database import open_sqlite
from workspace_memory.storage.migrating import migrate

FAST, SLOW = (timing([each], elapsed_seconds=1.0) for each in (2.0, 3.0))
POINT = Point(
    1_000_000, 50, {QueryKind.CODE: Pair(FAST, SLOW), QueryKind.RARE: Pair(FAST, FAST)}, 1 << 20, 2 << 20
)


def test_a_ratio_is_to_the_smallest_size_and_the_worst_kind_counts() -> None:
    assert (POINT.searches[QueryKind.RARE].ratio, POINT.worst_ratio) == (1.0, 1.5)


def test_the_reports_have_every_kind_that_was_asked() -> None:
    assert list(as_json({"SQLite": [POINT]})) == ["SQLite"]
    text = as_text({"SQLite": [POINT]})
    assert ("1,000,000" in text, "| code" in text, "1.50" in text) == (True, True, True)


def test_numbers_of_workspaces_ascend_and_lie_within_bounds() -> None:
    assert scale.workspaces("50,1, 10") == (1, 10, 50)
    for text in ("", "0,1", "x", "201", "1,"):
        with pytest.raises(argparse.ArgumentTypeError):
            scale.workspaces(text)


@pytest.mark.parametrize("text", ["99", "20001", "x", ""])
def test_a_workspace_that_is_too_small_or_too_large_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        scale.items_each(text)


def test_too_little_room_is_said_before_anything_begins(tmp_path: Path) -> None:
    scale.require_room(tmp_path, scale.Plan(100, (1,), 10))
    with pytest.raises(scale.NotPossible, match="TMPDIR"):
        scale.require_room(tmp_path, scale.Plan(20_000, (10**9,), 10))


def test_every_table_of_a_search_is_copied_under_the_other_workspace_with_ids_of_its_own(
    tmp_path: Path,
) -> None:
    opened = open_sqlite(tmp_path / "memory.db")
    migrate(opened)
    opened.close()
    connection = sqlite3.connect(tmp_path / "memory.db")
    connection.execute("PRAGMA foreign_keys=OFF")
    item = "0192d7c5-0000-7000-8000-00000000ffff"
    connection.execute(
        "INSERT INTO memory_items (workspace_id, id, scope, kind, content, content_key, tags, tag_keys, status, source,"
        " created_at, updated_at, version)"
        " VALUES ('old', ?, 'organization', 'note', 'tea', x'00', '', '', 'active', 's', 't', 't', 1)",
        (item,),
    )
    connection.execute("INSERT INTO search_documents VALUES ('old', 'company', 0, ?, 1, 'tea', '')", (item,))
    for table in COPIED:
        connection.execute(copy_statement(table, marker="?"), (WorkspaceId("new"), id_suffix(10), "old"))
    copied = f"{item[:32]}000a"
    assert connection.execute(
        "SELECT id, content FROM memory_items WHERE workspace_id = 'new'"
    ).fetchall() == [(copied, "tea")]
    assert connection.execute(
        "SELECT item_id FROM search_documents WHERE workspace_id = 'new'"
    ).fetchall() == [(copied,)]
    connection.close()


def test_a_table_without_workspaces_cannot_be_copied() -> None:
    with pytest.raises(ValueError, match="workspace_id"):
        copy_statement(Table("x", MetaData(), Column("id", Integer), Column("name", String(5))), marker="?")


@pytest.mark.parametrize(
    ("most", "step"), [(10, 2), (9, 2), (1, 0.2), (0.9, 0.2), (26, 10), (24, 5), (1_000, 200)]
)
def test_steps_of_an_axis_are_round(most: float, step: float) -> None:
    assert round_step(most) == pytest.approx(step)


def test_a_plot_is_xml_with_a_line_for_each_kind_and_both_schemes_of_colour() -> None:
    drawn = plot({"A & B": {"rare": [(20, 1.0), (100, 1.1)], "code": [(20, 1.0), (100, 1.2)]}}, y_label="ms")
    root = ET.fromstring(drawn)  # noqa: S314  written a line above
    lines = [each for each in root.iter() if each.tag.endswith("polyline")]
    assert (len(lines), "prefers-color-scheme: dark" in drawn) == (2, True)


def test_a_plot_of_one_size_is_drawn_and_one_of_none_is_refused() -> None:
    ET.fromstring(plot({"A": {"rare": [(20, 1.0)]}}, y_label="ms"))  # noqa: S314
    with pytest.raises(ValueError, match="no points"):
        plot({"A": {"rare": []}}, y_label="ms")
