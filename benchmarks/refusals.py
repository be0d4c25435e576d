"""How well secrets and injected structure are refused, measured on labelled texts.

    benchmarks/refusals.py FILE [--json] [--scanner kingfisher]
    benchmarks/refusals.py --documentation [FOLDER …] [--lines 20000] [--scanner kingfisher]

FILE is JSON lines with "text", "label" (secret, injection or clean) and, if you like, "kind". Printed are the texts
refused, held and accepted per label and kind, precision, recall, and what was missed.

recall     of the secrets and injections, the share that was refused or held; the kind "lie" is left out, because a
           plausible lie cannot be told by its text
precision  of the refused texts, the share that is secret or injection: a clean text counts against it when it is
           refused. A held clean text does not change it; it is shown under "held" and among the misses

--documentation reads the documentation of installed packages instead (README, METADATA, *.md, *.rst, *.txt), line
by line and in pieces of up to 2,000 characters, and counts the alarms. No secret is printed: misses of label secret
are named by their number in the file.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import cast

from _documentation import chunks_of, installed_folders, lines_of
from _refusal_counts import Judged, Labelled, Verdict, counts_by, judge, misses, precision, recall
from workspace_memory.domain.secret_scanner import ScannerChoice, SecretFound
from workspace_memory.services.secret_scanner_extra import SecretScannerExtra, SecretScannerMissing

_Second = Callable[[str], SecretFound | None]
_LABELS = ("secret", "injection", "clean")
_LINES_MAX = 1_000_000


class BadFile(Exception):
    """The file is not JSON lines of labelled texts."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the answer is the exit code."""
    options = _parser().parse_args(arguments)
    try:
        second = _second_scanner(options.scanner)
        if options.documentation is not None:
            _report_documentation([Path(name) for name in options.documentation], options.lines, second)
            return 0
        if options.file is None:
            raise BadFile("name a FILE, or use --documentation")
        judged = [judge(case, second) for case in _read(Path(options.file))]
    except (BadFile, OSError, SecretScannerMissing) as error:
        print(f"refusals: {error}", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps(_as_json(judged)))
    else:
        _report(judged)
    return 0


def _as_json(judged: Sequence[Judged]) -> dict[str, object]:
    return {
        "precision": round(precision(judged), 4),
        "recall": round(recall(judged), 4),
        "by": counts_by(judged, lambda case: case.name),
    }


def _report(judged: Sequence[Judged]) -> None:
    for title, counts in (
        ("label", counts_by(judged, lambda case: case.label)),
        ("kind", counts_by(judged, lambda case: f"{case.label} {case.kind}")),
    ):
        print(f"{title:32}" + "".join(f"{verdict.value:>10}" for verdict in Verdict))
        for name, row in sorted(counts.items()):
            print(f"{name:32}" + "".join(f"{row[verdict.value]:>10}" for verdict in Verdict))
        print()
    print(f"precision {precision(judged):.3f}   recall {recall(judged):.3f}   texts {len(judged)}")
    numbers = {id(one): number for number, one in enumerate(judged, 1)}
    for one in misses(judged):
        shown = "(not shown)" if one.case.label == "secret" else repr(one.case.text[:100])
        print(
            f"miss  text {numbers[id(one)]}  {one.case.label} {one.case.kind}: {one.verdict} {one.rule}  {shown}"
        )


def _report_documentation(folders: Sequence[Path], lines_max: int, second: _Second | None) -> None:
    lines = lines_of(folders or installed_folders(), lines_max)
    print(f"{len(lines):,} lines of documentation")
    _report_alarms("line by line", lines, second)
    _report_alarms("in pieces of up to 2,000 characters", list(chunks_of(lines)), second)


def _report_alarms(title: str, texts: Sequence[str], second: _Second | None) -> None:
    begun = time.process_time()
    judged = [judge(Labelled(text, "clean"), second) for text in texts]
    took = time.process_time() - begun
    rules = Counter(f"{one.verdict} {one.rule}" for one in judged if one.verdict is not Verdict.ACCEPTED)
    print(f"\n{title}: {len(texts):,} texts, {took / max(1, len(texts)) * 1e3:.3f} ms each (processor time)")
    for rule, count in rules.most_common():
        print(f"  {count:4} {rule}")
    if not rules:
        print("     no alarm")


def _second_scanner(choice: str) -> _Second | None:
    return SecretScannerExtra().find_secret if choice == ScannerChoice.KINGFISHER else None


def _read(path: Path) -> Iterable[Labelled]:
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.strip():
            yield _case(line, number)


def _case(line: str, number: int) -> Labelled:
    try:
        value: object = json.loads(line)
    except ValueError:
        raise BadFile(f"line {number} is not JSON") from None
    if not isinstance(value, dict):
        raise BadFile(f"line {number} is not an object")
    case = cast("dict[str, object]", value)
    text, label, kind = case.get("text"), case.get("label"), case.get("kind", "")
    if not isinstance(text, str) or label not in _LABELS:
        raise BadFile(f'line {number} needs "text" and a "label" of {", ".join(_LABELS)}')
    return Labelled(text, str(label), kind if isinstance(kind, str) else "")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="refusals.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="JSON lines of labelled texts")
    parser.add_argument(
        "--json", action="store_true", help="print the figures as one JSON object and nothing else"
    )
    parser.add_argument(
        "--scanner",
        choices=[choice.value for choice in ScannerChoice],
        default=ScannerChoice.OWN.value,
        help="kingfisher: ask the optional second scanner, too (own)",
    )
    parser.add_argument("--documentation", nargs="*", metavar="FOLDER", help="count alarms in documentation")
    parser.add_argument(
        "--lines", type=_lines, default=20_000, help="how many lines of documentation (20,000)"
    )
    return parser


def _lines(text: str) -> int:
    if not (text.isdigit() and 1 <= int(text) <= _LINES_MAX):
        raise argparse.ArgumentTypeError(f"a number of lines lies between 1 and {_LINES_MAX:,}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
