"""The dependency contracts of pyproject.toml hold, and the domain is as pure as it says."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).parents[2]
DOMAIN = ROOT / "src" / "workspace_memory" / "domain"

# What touches a clock, chance, files, the network, processes or threads.
IMPURE = {
    "asyncio",
    "concurrent",
    "http",
    "io",
    "logging",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "secrets",
    "shutil",
    "socket",
    "sqlite3",
    "ssl",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "uuid",
}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # The pure half of pathlib only takes texts apart.
            pure = node.module == "pathlib" and all(alias.name.startswith("Pure") for alias in node.names)
            yield "posixpath" if pure else node.module or ""


def test_the_contracts_of_the_layers_hold(capsys: pytest.CaptureFixture[str]) -> None:
    broken = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert broken == EXIT_STATUS_SUCCESS, capsys.readouterr().out


@pytest.mark.parametrize("path", sorted(DOMAIN.glob("*.py")), ids=lambda path: path.stem)
def test_a_module_of_the_domain_imports_the_domain_and_pure_modules_only(path: Path) -> None:
    for name in imported(path):
        top = name.split(".")[0]
        if top == "workspace_memory":
            assert name.startswith("workspace_memory.domain"), name
        else:
            assert top in sys.stdlib_module_names - IMPURE, name


@pytest.mark.parametrize("path", sorted(DOMAIN.glob("*.py")), ids=lambda path: path.stem)
def test_the_domain_asks_no_clock(path: Path) -> None:
    asked = {"now", "utcnow", "today"}
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    assert [
        call.lineno for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in asked
    ] == []
