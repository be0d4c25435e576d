from dataclasses import replace

from benchmarks._bulk_figures import Figures, Run, as_json, as_text

MIB = 1024 * 1024
FIGURES = Figures(
    items=20_000,
    first=Run(seconds=16.0, server_cpu_seconds=12.0, client_cpu_seconds=2.0, new=19_999, already_there=0),
    again=Run(seconds=5.0, server_cpu_seconds=4.0, client_cpu_seconds=1.0, new=0, already_there=19_999),
    other_saves=40,
    other_save_max_ms=180.4,
    resident_before=110 * MIB,
    resident_after_import=130 * MIB,
    resident_after_searches=140 * MIB,
    disk=70 * MIB,
)


def test_limits_that_are_held_are_said_to_be() -> None:
    assert FIGURES.missed == []
    assert "both are held" in as_text("SQLite", FIGURES)


def test_a_limit_that_is_missed_is_named() -> None:
    slow = replace(FIGURES, first=replace(FIGURES.first, seconds=20.5), resident_after_searches=151 * MIB)
    assert [sentence.partition(",")[0] for sentence in slow.missed] == [
        "the import took 20.5 s",
        "the server has 151 MiB",
    ]
    assert as_json("SQLite", slow)["missed"] == slow.missed


def test_the_table_says_what_a_text_costs() -> None:
    assert "| 1,250 |     0.60 |     2.0 |" in as_text("SQLite", FIGURES)
