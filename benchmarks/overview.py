"""Every limit that this product sets itself, what is measured here and now, and whether it holds: one table.

    ./run bench                         a short form of each, in a few minutes
    ./run bench --full                  everything in full size, up to a million items on both databases; 15 minutes
    ./run bench --data FOLDER           with the quality of answers, on the files of cases in that folder
    ./run bench --semantic FOLDER       with search by meaning too, by the sentence model in that folder
    ./run bench --keep FOLDER           with the whole report of each benchmark as JSON in that folder, and the plot
    ./run bench NAME [OPTIONS]          one benchmark, with all its figures

Each benchmark starts what it needs, measures its floor in the same run, and ends it again. The short form has fewer
items and calls: it shows where a limit is far away, and the full one whether it holds. Files of cases for the quality
are evaluation data of others and no part of the project; BENCHMARK_DATA names their folder, too. Nor is a sentence
model part of it: docs/howto/search-by-meaning.md says what the folder of --semantic holds. Making the vectors takes
several minutes more in full size, and with --data also a while for each file of conversations.

A missed limit is a result: the exit code is 0. It is 1 where a benchmark could not be run to its end. Lines of files
that nobody named say so and change nothing.
"""

import argparse
import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from _cases import BadCases, Shape, read_cases
from _overview_lines import (
    Line,
    Missing,
    Report,
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
from _progress import say
from _servers import end_on_signals

DATA_VARIABLE = "BENCHMARK_DATA"
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Part:
    """A benchmark, its options in short and in full, and how its report is read."""

    name: str
    short: Sequence[str]
    full: Sequence[str]
    lines: Callable[[Report], list[Line]]
    plot: str = ""  # the name of its drawing, where it makes one


PARTS = (
    Part(
        "speed",
        ("--sizes", "2000", "--searches", "60", "--saves", "48"),
        ("--sizes", "20000", "--searches", "200", "--saves", "100"),
        speed_lines,
    ),
    Part("bulk", ("--items", "2000"), (), bulk_lines),
    Part(
        "scale", ("--items", "1000", "--workspaces", "1,10", "--searches", "60"), (), scale_lines, "flat.svg"
    ),
    Part("protocol", ("--calls", "1000"), ("--calls", "5000"), protocol_lines),
    Part("startup", ("--starts", "3"), (), startup_lines),
    Part("hostile", ("--items", "2000", "--queries", "1000"), (), hostile_lines),
)
# Runs only where a model is named; its folder comes before these.
MEANING = Part("meaning", ("--items", "1000", "--searches", "40", "--saves", "40"), (), meaning_lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all benchmarks; the answer is the exit code."""
    options = _parser().parse_args(arguments)
    end_on_signals()
    lines: list[Line | Missing] = []
    code = 0
    try:
        lines.extend(_quality(options.data, options.keep, options.semantic))
        for part in PARTS:
            lines.extend(_measured(part, part.full if options.full else part.short, options.keep))
        if options.semantic is not None:
            words = MEANING.full if options.full else MEANING.short
            lines.extend(_measured(MEANING, [str(options.semantic), *words], options.keep))
    except KeyboardInterrupt:
        say("interrupted; reporting what is finished")
        code = 130
    print(json.dumps(as_json(lines), ensure_ascii=False) if options.json else as_text(lines))
    return code or int(any(isinstance(line, Missing) and line.failed for line in lines))


def _quality(folder: Path | None, keep: Path | None, model: Path | None) -> Iterator[Line | Missing]:
    if folder is None:
        yield Missing("quality", f"left out: no --data FOLDER, no {DATA_VARIABLE}", failed=False)
        return
    found = False
    for path in sorted(folder.glob("*.json")):
        try:
            shape = read_cases(path).shape
        except BadCases:
            # A folder may hold other files, too.
            continue
        found = True
        read = language_lines if shape is Shape.LANGUAGES else conversation_lines
        yield from _measured(_quality_part(path, read), [str(path)], keep)
        if model is not None and shape is not Shape.LANGUAGES:
            part = _quality_part(path, conversation_meaning_lines)
            yield from _measured(part, [str(path), "--semantic", str(model)], keep)
    if not found:
        yield Missing("quality", f"no file of cases in {folder}", failed=True)


def _quality_part(path: Path, read: Callable[[str, Report], list[Line]]) -> Part:
    return Part("quality", (), (), lambda report: read(path.stem, report))


def _measured(part: Part, words: Sequence[str], keep: Path | None) -> Sequence[Line | Missing]:
    name = "-".join([part.name, *(Path(word).stem for word in words if Path(word).exists())])
    if keep is not None and part.plot:
        words = [*words, "--plot", str(keep / part.plot)]
    say(" ".join([part.name, *words]))
    done = subprocess.run(
        [sys.executable, str(_HERE / f"{part.name}.py"), *words, "--json"],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if keep is not None and done.stdout:
        (keep / f"{name}.json").write_text(done.stdout, encoding="utf-8")
    try:
        lines = part.lines(json.loads(done.stdout))
    except (ValueError, LookupError, TypeError):
        lines = []
    if done.returncode or not lines:
        return [
            *lines,
            Missing(part.name, f"not measured: exit code {done.returncode}, see above", failed=True),
        ]
    return lines


def described() -> str:
    """Every benchmark with the first line of what it says of itself."""
    paths = sorted(path for path in _HERE.glob("*.py") if not path.stem.startswith("_"))
    said = {path.stem: ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "" for path in paths}
    lines = [f"  {name:14} {text.partition(chr(10))[0]}" for name, text in said.items()]
    return "\n".join(["benchmarks; each explains itself with ./run bench NAME --help:", *lines])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./run bench",
        description=__doc__,
        epilog=described(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--full", action="store_true", help="full size: a quarter of an hour, and some GB of disk"
    )
    named = os.environ.get(DATA_VARIABLE)
    parser.add_argument(
        "--data",
        type=_folder,
        default=Path(named) if named else None,
        metavar="FOLDER",
        help=f"files of cases for the quality (${DATA_VARIABLE})",
    )
    parser.add_argument(
        "--semantic",
        type=_folder,
        metavar="FOLDER",
        help="measure search by meaning as well, with the sentence model in this folder",
    )
    parser.add_argument(
        "--keep",
        type=_folder,
        metavar="FOLDER",
        help="write each benchmark's whole report there as JSON, and the plot",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON list and nothing else")
    return parser


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no folder")
    return path


if __name__ == "__main__":
    raise SystemExit(main())
