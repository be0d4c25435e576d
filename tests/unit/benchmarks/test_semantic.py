"""Waiting for vectors, and the words that a model knows. The command that is asked is made up."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from benchmarks import _semantic
from benchmarks._semantic import KNOWN_WORDS_MIN, Signal, known_words, pause_seconds

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = [f"{a}{b}{c}d" for a in LETTERS for b in LETTERS for c in LETTERS][: KNOWN_WORDS_MIN + 10]


class Asked:
    """The command that tells how far the work is: one answer after the other, and how long is waited between."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, answers: Sequence[int]) -> None:
        self.answers = list(answers)
        self.waited: list[float] = []
        monkeypatch.setattr(_semantic.subprocess, "run", self._run)
        monkeypatch.setattr(_semantic.time, "sleep", self.waited.append)

    def _run(self, *_: object, **__: object) -> "subprocess.CompletedProcess[str]":
        shown = json.dumps({"vectors": self.answers.pop(0), "items": 1_000})
        return subprocess.CompletedProcess([], 0, shown, "")


def tokenizer(folder: Path, vocabulary: object) -> Path:
    shown = json.dumps({"model": {"vocab": vocabulary}})
    (folder / "tokenizer.json").write_text(shown, encoding="utf-8")
    return folder


def test_vectors_are_waited_for_and_progress_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = Asked(monkeypatch, [0, 500, 1_000])
    assert Signal(tmp_path, tmp_path).wait() == 1_000
    assert asked.answers == []
    assert asked.waited == [pause_seconds(1_000), pause_seconds(500)]
    assert "500 of 1,000 vectors are made" in capsys.readouterr().err


def test_without_a_model_nobody_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch, [])
    assert Signal(None, tmp_path).wait() == 0
    assert asked.waited == []


def test_the_more_is_missing_the_later_it_is_asked_again_within_bounds() -> None:
    assert [pause_seconds(missing) for missing in (1, 1_000, 20_000)] == [1.0, 4.0, 15.0]


def test_the_words_that_a_model_knows_are_read_in_either_form(tmp_path: Path) -> None:
    by_number = tokenizer(
        tmp_path, {word: number for number, word in enumerate([*WORDS, "##ing", "[CLS]", "tea"])}
    )
    assert known_words(by_number) == sorted(WORDS)
    with_scores = tokenizer(tmp_path, [[f"▁{word}", -1.0] for word in [*WORDS, "Übung"]])
    assert known_words(with_scores) == sorted(WORDS)


@pytest.mark.parametrize("vocabulary", [{}, {"word": 1}, None, 3])
def test_a_model_that_knows_few_words_gives_none(vocabulary: object, tmp_path: Path) -> None:
    assert known_words(tokenizer(tmp_path, vocabulary)) == []
