"""What search by meaning costs: figures and refusals. No model is needed, since nothing is measured here."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from benchmarks import meaning
from benchmarks._in_turn import WARM, Calls, Place, Side, in_turn, together
from benchmarks._meaning_figures import Figures, Making, as_json, as_text
from benchmarks._metrics import Pair, timing
from benchmarks._raw_client import RawClient
from benchmarks._texts import QueryKind

from workspace_memory.semantic import folder_model

MIB = 1024 * 1024
BASE, TWICE, FOUR_TIMES = (
    timing([p50], elapsed_seconds=1.0, cpu_seconds=p50 / 1000) for p50 in (2.0, 4.0, 8.0)
)
FIGURES = Figures(
    items=20_000,
    making=Making(items=19_935, seconds=199.35, cpu_seconds=159.48),
    searches={QueryKind.RARE: Pair(BASE, FOUR_TIMES), QueryKind.CODE: Pair(BASE, BASE)},
    all_searches=Pair(BASE, TWICE),
    save=Pair(BASE, BASE),
    resident_bytes=300 * MIB,
    resident_bytes_without=120 * MIB,
)


class Answering:
    """A client of one server that notes what all of them are sent, in order, and is answered at once."""

    def __init__(self, name: str, sent: list[str]) -> None:
        self.name, self.sent = name, sent

    def exchange(self, request: bytes) -> bytes:
        self.sent.append(f"{self.name} {request.decode()}")
        return b'{"result": {}}'


class Working:
    """A server that needs two seconds of a processor between any two looks at it."""

    def __init__(self) -> None:
        self.used = 0.0

    def cpu_seconds(self) -> float:
        self.used += 2.0
        return self.used


def side(name: str, sent: list[str], requests: Sequence[str]) -> Side:
    client = cast("RawClient", Answering(name, sent))
    return Side(cast("Place", Working()), client, [request.encode() for request in requests])


def refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path, *words: str
) -> str:
    """What is said of a run that must not begin."""

    def must_not_begin(*_: object) -> Figures:
        raise AssertionError("it began")

    monkeypatch.setattr(meaning, "measure_sqlite", must_not_begin)
    assert meaning.main([str(folder), *words]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    (line,) = shown.err.splitlines()
    return line


def test_limits_that_are_held_are_said_to_be_whatever_a_single_kind_takes() -> None:
    assert FIGURES.missed == []
    assert "both are held" in as_text("SQLite", FIGURES)


def test_a_limit_that_is_missed_is_named_with_its_ratio() -> None:
    slow = replace(FIGURES, all_searches=Pair(BASE, FOUR_TIMES), save=Pair(BASE, TWICE))
    assert [sentence.partition(" without")[0] for sentence in slow.missed] == [
        "a search takes 4.00 times what it takes",
        "a save takes 2.00 times what it takes",
    ]
    assert as_json("SQLite", slow)["missed"] == slow.missed


def test_the_table_has_every_kind_all_of_them_and_the_save() -> None:
    firsts = [line.split("|")[1].strip() for line in as_text("SQLite", FIGURES).splitlines() if "|" in line]
    assert firsts[2:6] == ["search, rare word", "search, code", "all searches", "save"]


def test_what_a_vector_took_is_told_for_each_item() -> None:
    assert (FIGURES.making.milliseconds_each, FIGURES.making.cpu_milliseconds_each) == (
        pytest.approx(10.0),
        pytest.approx(8.0),
    )
    assert "| 19,935       |     199 |    10.0 |      8.0 |    300 |            120 |" in as_text(
        "SQLite", FIGURES
    )


def test_the_report_for_programs_has_both_sides_of_a_ratio() -> None:
    found = as_json("PostgreSQL", FIGURES)
    every = cast("dict[str, dict[str, object]]", found["searches"])["rare word"]
    assert (found["database"], every["ratio"]) == ("PostgreSQL", 4.0)
    assert [cast("dict[str, float]", every[name])["p50"] for name in ("with", "without")] == [8.0, 2.0]


def test_processor_time_that_nobody_measured_has_no_ratio() -> None:
    unknown = timing([2.0], elapsed_seconds=1.0)
    assert Pair(unknown, unknown).cpu_ratio == 0
    assert as_text("SQLite", replace(FIGURES, save=Pair(unknown, unknown))).count("– |") == 1


def test_two_servers_take_turns_at_being_first_once_both_are_warm() -> None:
    sent: list[str] = []
    warm = ["warm"] * WARM
    in_turn(side("a", sent, [*warm, "1", "2"]), side("b", sent, [*warm, "1", "2"]))
    assert sent[: 2 * WARM] == ["a warm"] * WARM + ["b warm"] * WARM
    assert sent[2 * WARM :] == ["b 1", "a 1", "a 2", "b 2"]


def test_only_what_comes_after_warming_up_is_timed() -> None:
    sent: list[str] = []
    requests = [*["warm"] * WARM, "1", "2", "3"]
    for calls in in_turn(side("a", sent, requests), side("b", sent, requests)):
        assert (len(calls.times), calls.cpu_seconds) == (3, 2.0)


def test_several_kinds_together_have_the_median_of_all_their_calls() -> None:
    whole = together([Calls([1.0, 1.0, 1.0], 0.003), Calls([5.0, 6.0], 0.007)]).timing()
    assert (whole.calls, whole.p50, whole.cpu) == (5, 1.0, pytest.approx(2.0))


def test_no_question_is_asked_twice_and_either_server_saves_texts_of_its_own() -> None:
    plan = meaning.planned(1_000, 40, 30)
    asked = [query for kind in QueryKind for query in plan.asked[kind]]
    assert (len(asked), len(set(asked))) == ((40 + WARM) * len(QueryKind),) * 2
    texts = [*plan.filled, *plan.saved[0], *plan.saved[1]]
    assert len(set(texts)) == len(texts)
    assert plan.items == 1_000


def test_more_saves_than_half_of_the_items_are_refused() -> None:
    with pytest.raises(meaning.NotPossible, match="fewer --saves"):
        meaning.planned(500, 10, 250)


def test_more_questions_than_the_texts_offer_are_refused() -> None:
    with pytest.raises(meaning.NotPossible, match=r"kind code; fewer --searches or more --items"):
        meaning.planned(500, 200, 10)


def test_a_folder_without_a_model_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(folder_model, "LIBRARIES", ())
    said = refused(monkeypatch, capsys, tmp_path)
    assert said.startswith(f"meaning: there is no file model.onnx in {tmp_path}; put a sentence model")


def test_so_is_a_missing_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(folder_model, "LIBRARIES", ("no_such_library",))
    said = refused(monkeypatch, capsys, tmp_path)
    assert said.startswith("meaning: search by meaning needs no_such_library, which the extra brings: pip")


def test_so_is_a_model_that_cannot_be_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(folder_model, "LIBRARIES", ())
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"no model")
    assert f"the model in {tmp_path} cannot be used" in refused(monkeypatch, capsys, tmp_path)


def test_so_is_a_run_of_more_than_the_texts_offer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def usable(_folder: Path) -> None:
        pass

    monkeypatch.setattr(meaning, "require_model", usable)
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    assert "fewer --saves" in refused(monkeypatch, capsys, tmp_path, "--items", "500", "--saves", "300")


@pytest.mark.parametrize(
    "words", [[], ["x", "--items", "20001"], ["x", "--items", "499"], ["x", "--saves", "0"]]
)
def test_options_have_bounds_and_the_folder_is_named(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        meaning.main(words)
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "database"),
    [
        ([], "SQLite"),
        (["--database", "postgresql"], "PostgreSQL"),
        (["--database-url", "postgresql://x"], "PostgreSQL"),
    ],
)
def test_a_named_server_is_one_of_postgresql(
    words: list[str],
    database: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def measured(*_: object) -> Figures:
        return FIGURES

    class Server:
        def __init__(self, url: str) -> None:
            self.url = url

        def __enter__(self) -> str:
            return self.url

        def __exit__(self, *_: object) -> None:
            pass

    def usable(_folder: Path) -> None:
        pass

    for name, fake in {
        "require_model": usable,
        "postgresql_server": Server,
        "measure_sqlite": measured,
        "measure_postgresql": measured,
    }.items():
        monkeypatch.setattr(meaning, name, fake)
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    assert meaning.main([str(tmp_path), "--items", "500", "--searches", "5", "--saves", "5", *words]) == 0
    assert capsys.readouterr().out.startswith(f"On {database}, 20,000 items.")


def test_a_server_whose_model_changes_nothing_is_not_measured() -> None:
    class Finding:
        """A server that finds these, whatever is asked."""

        def __init__(self, *contents: str) -> None:
            self.contents = contents

        def request(self, _tool: str, _arguments: object) -> bytes:
            return b""

        def exchange(self, _request: bytes) -> bytes:
            found = ", ".join(f'{{"content": "{content}"}}' for content in self.contents)
            return f'{{"result": {{"structuredContent": {{"items": [{found}]}}}}}}'.encode()

    tea, other = (cast("RawClient", Finding(*found)) for found in (("tea", "milk"), ("milk", "tea")))
    meaning.require_signal(tea, other, ["what to drink"])
    with pytest.raises(meaning.NotPossible, match="does not count"):
        meaning.require_signal(tea, tea, ["what to drink"])
