"""The client uses `crypto` as the services do, so it brings nothing along but `cryptography`."""

import ast
import sys
from pathlib import Path

import pytest

CRYPTO = Path(__file__).parents[2] / "src" / "workspace_memory" / "crypto"
MODULES = sorted(CRYPTO.glob("*.py"))
# The one module that may speak to a server.
WITH_VALKEY = "valkey_key_store"


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_crypto_imports_the_standard_library_cryptography_and_the_domain(path: Path) -> None:
    allowed = {*sys.stdlib_module_names, "cryptography", *(["valkey"] if path.stem == WITH_VALKEY else [])}
    for name in imported(path):
        if name.startswith("workspace_memory."):
            assert name.startswith(("workspace_memory.crypto.", "workspace_memory.domain.")), name
        else:
            assert name.split(".")[0] in allowed, name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_nothing_in_crypto_needs_valkey_to_be_installed(path: Path) -> None:
    assert f"workspace_memory.crypto.{WITH_VALKEY}" not in imported(path)
