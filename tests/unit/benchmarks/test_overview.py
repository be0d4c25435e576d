"""The overview runs the other benchmarks and reads what they print; what cannot be run is told apart from a miss."""

import json
from pathlib import Path

import pytest
from benchmarks import overview
from benchmarks._overview_lines import Line


@pytest.fixture
def part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> overview.Part:
    """A benchmark that prints its first option as its report, and ends with the second as its exit code."""
    program = "import sys\nprint(sys.argv[1])\nsys.exit(int(sys.argv[2]))\n"
    (tmp_path / "made_up.py").write_text(program, encoding="utf-8")
    monkeypatch.setattr(overview, "_HERE", tmp_path)
    monkeypatch.delenv(overview.DATA_VARIABLE, raising=False)
    return overview.Part(
        "made_up", ('{"x": 3}', "0"), ("no JSON", "0"), lambda report: [Line("x", report["x"], 2)]
    )


def run(part: overview.Part, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(overview, "PARTS", (part,))
    return overview.main([*words, "--json"])


def test_a_missed_limit_is_a_result(
    part: overview.Part, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(part, monkeypatch) == 0
    quality, line = json.loads(capsys.readouterr().out)
    assert (quality["verdict"], line["verdict"], line["ratio"]) == ("not measured", "missed", 1.5)


def test_a_report_that_cannot_be_read_is_a_failure(
    part: overview.Part, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(part, monkeypatch, "--full") == 1
    assert "exit code 0" in json.loads(capsys.readouterr().out)[1]["why"]


@pytest.mark.parametrize("report", ["{}", "[]", '{"x": "y"}', ""])
def test_so_is_one_of_another_shape(
    part: overview.Part, monkeypatch: pytest.MonkeyPatch, report: str
) -> None:
    part = overview.Part("made_up", (report, "0"), (), lambda found: [Line("x", found["x"] + 0, 2)])
    assert run(part, monkeypatch) == 1


def test_a_benchmark_that_fails_halfway_keeps_its_lines_and_is_a_failure(
    part: overview.Part, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    part = overview.Part("made_up", ('{"x": 1}', "1"), (), part.lines)
    assert run(part, monkeypatch) == 1
    assert [line["verdict"] for line in json.loads(capsys.readouterr().out)[1:]] == ["holds", "not measured"]


def test_a_named_folder_without_cases_is_a_failure(
    part: overview.Part, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    assert run(part, monkeypatch, "--data", str(tmp_path)) == 1
    assert "no file of cases" in json.loads(capsys.readouterr().out)[0]["why"]


def test_every_benchmark_says_what_it_is() -> None:
    for line in overview.described().splitlines()[1:]:
        assert len(line.split()) > 3, line


def test_whole_reports_are_kept_where_they_are_asked_for(
    part: overview.Part, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    assert run(part, monkeypatch, "--keep", str(kept)) == 0
    assert json.loads((kept / "made_up.json").read_text(encoding="utf-8")) == {"x": 3}
