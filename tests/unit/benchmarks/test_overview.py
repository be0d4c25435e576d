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


PRINTS_ITS_WORDS = """import json, sys
print(json.dumps({"words": sys.argv[1:], "overall": {"recall@10": 0.74}}))
"""
CONVERSATIONS = {
    "conversations": [
        {
            "name": "tea",
            "items": [{"key": "1", "text": "Bob drinks tea"}],
            "questions": [{"text": "What does Bob drink?", "category": 1, "gold": ["1"]}],
        }
    ]
}


def test_search_by_meaning_is_measured_where_a_model_is_named(
    part: overview.Part, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "words.py").write_text(PRINTS_ITS_WORDS, encoding="utf-8")
    seen: list[list[str]] = []

    def lines(report: overview.Report) -> list[Line]:
        seen.append(report["words"])
        return [Line("meaning", 1, 2)]

    monkeypatch.setattr(overview, "MEANING", overview.Part("words", ("--items", "9"), (), lines))
    assert run(part, monkeypatch) == 0
    assert (seen, len(json.loads(capsys.readouterr().out))) == ([], 2)
    assert run(part, monkeypatch, "--semantic", str(tmp_path)) == 0
    assert json.loads(capsys.readouterr().out)[2]["what"] == "meaning"
    run(part, monkeypatch, "--semantic", str(tmp_path), "--full")
    assert seen == [[str(tmp_path), "--items", "9", "--json"], [str(tmp_path), "--json"]]


def test_conversations_are_asked_with_the_model_as_well(
    part: overview.Part, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases, kept, model = (tmp_path / name for name in ("cases", "kept", "model"))
    for folder in (cases, kept, model):
        folder.mkdir()
    (cases / "talk.json").write_text(json.dumps(CONVERSATIONS), encoding="utf-8")
    (tmp_path / "quality.py").write_text(PRINTS_ITS_WORDS, encoding="utf-8")
    (tmp_path / "meaning.py").write_text(PRINTS_ITS_WORDS, encoding="utf-8")
    run(part, monkeypatch, "--data", str(cases), "--semantic", str(model), "--keep", str(kept))
    shown = json.loads(capsys.readouterr().out)
    assert [(line["what"], line["limit"]) for line in shown[:2]] == [
        ("quality, talk: recall@10", 0.7),
        ("quality with meaning, talk: recall@10", 0.73),
    ]
    with_model = json.loads((kept / "quality-talk-model.json").read_text(encoding="utf-8"))
    assert with_model["words"][1:3] == ["--semantic", str(model)]
    assert (kept / "quality-talk.json").exists()
