"""How well spellings of the reserved namespace are told, measured on labelled paths, and how long one takes.

    benchmarks/namespace.py FILE [--json]

FILE is JSON lines with "path", "verdict" (reserved, ancestor, invalid, ok) and, if you like, "id" and "why". Printed
are how many verdicts are right, those that are not, and the processor time of a verdict.

--json prints {"right": NUMBER, "wrong": [{"id", "path", "expected", "verdict"}]} and nothing else.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from workspace_memory.domain.namespace import PathVerdict, verdict_of

_VERDICTS = tuple(verdict.value for verdict in PathVerdict)
_REPEATS = 200


class BadFile(Exception):
    """The file is not JSON lines of labelled paths."""


@dataclass(frozen=True, slots=True)
class Case:
    """A path and the verdict that it should have."""

    id: str
    path: str
    expected: str


@dataclass(frozen=True, slots=True)
class Wrong(Case):
    """A case with the other verdict that it got."""

    verdict: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the answer is the exit code."""
    options = _parser().parse_args(arguments)
    try:
        cases = list(_read(Path(options.file)))
    except (BadFile, OSError, UnicodeDecodeError) as error:
        print(f"namespace: {error}", file=sys.stderr)
        return 1
    wrong = judge(cases)
    if options.json:
        print(json.dumps({"right": len(cases) - len(wrong), "wrong": [asdict(one) for one in wrong]}))
        return 0
    for one in wrong:
        print(f"wrong  {one.id}  {one.path!a}: {one.verdict}, not {one.expected}")
    print(
        f"{len(cases) - len(wrong)} of {len(cases)} right, {_microseconds(cases):.1f} µs each (processor time)"
    )
    return 0


def judge(cases: Sequence[Case]) -> list[Wrong]:
    """The cases whose verdict is another than expected."""
    judged = [Wrong(case.id, case.path, case.expected, verdict_of(case.path).value) for case in cases]
    return [one for one in judged if one.verdict != one.expected]


def _microseconds(cases: Sequence[Case]) -> float:
    begun = time.process_time()
    for _ in range(_REPEATS):
        for case in cases:
            verdict_of(case.path)
    return (time.process_time() - begun) / max(1, len(cases) * _REPEATS) * 1e6


def _read(path: Path) -> Iterator[Case]:
    # Not splitlines: a path in the file may hold a separator that Python takes for the end of a line.
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.strip():
            yield _case(line, number)


def _case(line: str, number: int) -> Case:
    try:
        value: object = json.loads(line)
    except ValueError:
        raise BadFile(f"line {number} is not JSON") from None
    if not isinstance(value, dict):
        raise BadFile(f"line {number} is not an object")
    case = cast("dict[str, object]", value)
    path, expected = case.get("path"), case.get("verdict")
    if not isinstance(path, str) or expected not in _VERDICTS:
        raise BadFile(f'line {number} needs a "path" and a "verdict" of {", ".join(_VERDICTS)}')
    return Case(str(case.get("id", number)), path, str(expected))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="namespace.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", metavar="FILE", help="JSON lines of labelled paths")
    parser.add_argument(
        "--json", action="store_true", help="print the result as one JSON object and nothing else"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
