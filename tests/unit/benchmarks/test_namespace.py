"""The benchmark of the namespace counts what is right and names what is wrong."""

import json
from pathlib import Path

import pytest
from benchmarks.namespace import Case, Wrong, judge, main


def a_file(folder: Path, *lines: object) -> str:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return str(path)


def test_a_case_with_another_verdict_is_wrong() -> None:
    cases = [Case("1", "a.md", "ok"), Case("2", ".workspace/memory", "ok")]
    assert judge(cases) == [Wrong("2", ".workspace/memory", "ok", "reserved")]


def test_json_has_the_number_of_right_cases_and_the_wrong_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = a_file(
        tmp_path, {"id": "n1", "path": "a.md", "verdict": "ok"}, {"path": "\ud800", "verdict": "ok"}
    )
    assert main([file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "right": 1,
        "wrong": [{"id": "2", "path": "\ud800", "expected": "ok", "verdict": "invalid"}],
    }


def test_the_report_says_how_many_are_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main([a_file(tmp_path, {"path": "a.md", "verdict": "ok"}, {"path": "\ud800", "verdict": "ok"})]) == 0
    )
    printed = capsys.readouterr().out
    assert "wrong  2  '\\ud800': invalid, not ok" in printed
    assert "1 of 2 right" in printed


@pytest.mark.parametrize("line", [1, {}, {"path": 1, "verdict": "ok"}, {"path": "a", "verdict": "fine"}])
def test_a_file_of_something_else_is_refused(
    line: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([a_file(tmp_path, line)]) == 1
    assert "line 1" in capsys.readouterr().err


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert main([str(tmp_path / "none")]) == 1
