"""Which sentences of the contract the tests claim to prove.

Reads test files as text, by their syntax tree, and never imports them: a file that cannot be imported today
still counts, and the check needs no database. What counts as a test is what pytest collects by default.
`coverage.py` holds the answer against the manifest.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Markers:
    """The places of the tests by the id that they name, and the markers that are no proof of anything."""

    named: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    faults: list[str] = field(default_factory=list[str])


def collect_markers(folder: Path) -> Markers:
    """The requirement markers of every test file below a folder."""
    markers = Markers()
    for path in sorted({*folder.rglob("test_*.py"), *folder.rglob("*_test.py")}):
        read_markers(path.read_text(encoding="utf-8"), path.relative_to(folder).as_posix(), into=markers)
    return markers


def read_markers(text: str, path: str, *, into: Markers) -> None:
    """Add the requirement markers in the text of one test file.

    A marker counts on a test function, on a class of tests, in `pytestmark` of a module or a class that has
    tests, and in `pytest.param(marks=…)` of a test. Not on a test that is skipped or expected to fail: that
    proves nothing. A marker anywhere else is a fault, for it looks like proof.
    """
    tree = ast.parse(text, path)
    attached: set[ast.Call] = set()
    for place, expressions in _tests_within(tree.body, path, []):
        calls = [call for each in expressions for call in _marker_calls(each)]
        attached.update(calls)
        proves = not any(_is_switched_off(each) for each in expressions)
        for call in calls:
            identifier = _literal_id(call)
            if identifier is None:
                into.faults.append(f"{path}:{call.lineno}: a requirement marker takes one id in quotes")
            elif proves:
                into.named.setdefault(identifier, []).append(place)
    strays = [call for call in _marker_calls(tree) if call not in attached]
    into.faults.extend(f"{path}:{call.lineno}: this requirement marker marks no test" for call in strays)


def _tests_within(
    body: list[ast.stmt], place: str, around: list[ast.expr]
) -> Iterator[tuple[str, list[ast.expr]]]:
    """Each test with the expressions that mark it: its decorators, and the marks of what it stands in."""
    marks = [*around, *_own_marks(body)]
    for each in body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name.startswith("test"):
            yield f"{place}::{each.name}", [*marks, *each.decorator_list]
        elif isinstance(each, ast.ClassDef) and each.name.startswith("Test"):
            yield from _tests_within(each.body, f"{place}::{each.name}", [*marks, *each.decorator_list])
        elif isinstance(each, ast.Assign) and _names_a_test_class(each):
            yield place, marks


def _own_marks(body: list[ast.stmt]) -> Iterator[ast.expr]:
    """The values given to `pytestmark` in a module or a class."""
    for each in body:
        match each:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                yield value
            case ast.AnnAssign(target=ast.Name(id="pytestmark"), value=ast.expr() as value):
                yield value
            case _:
                pass


def _names_a_test_class(statement: ast.Assign) -> bool:
    """`TestTurns = TurnMachine.TestCase`: how Hypothesis hands a state machine to pytest."""
    return any(isinstance(target, ast.Name) and target.id.startswith("Test") for target in statement.targets)


def _marker_calls(within: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(within):
        if isinstance(node, ast.Call) and _called_name(node.func) == "requirement":
            yield node


def _called_name(function: ast.expr) -> str:
    """The last name of `pytest.mark.requirement`, or of an alias of it called `requirement`."""
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def _literal_id(call: ast.Call) -> str | None:
    match call:
        case ast.Call(args=[ast.Constant(value=str(identifier))], keywords=[]):
            return identifier
        case _:
            return None


def _is_switched_off(mark: ast.expr) -> bool:
    """Whether a mark skips its test always, or expects it to fail."""
    named = mark.func if isinstance(mark, ast.Call) else mark
    if isinstance(mark, ast.List | ast.Tuple):
        return any(_is_switched_off(each) for each in mark.elts)
    return _called_name(named) in {"skip", "xfail"}
