"""A reader finds the room from the noun: singular in the domain, plural elsewhere; no drawer for odds and ends."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "workspace_memory"
MODULES = sorted(path for path in SOURCE.rglob("*.py") if "web" not in path.relative_to(SOURCE).parts)
LAYERS = ["storage", "services", "api", "client"]
EMPTY_WORDS = {"util", "utils", "manager", "managers", "helper", "helpers", "data"}
# Each layer that has errors of its own keeps them under this name.
# "audit" has no plural.
# "fence" and "recall" are one in every layer: there is one of each.
SHARED = {"__init__", "errors", "audit", "fence", "recall"}


def names(layer: str) -> set[str]:
    return {path.stem for path in (SOURCE / layer).glob("*.py")} - SHARED


@pytest.mark.parametrize("layer", LAYERS)
def test_the_domain_is_singular_and_the_other_layers_are_plural(layer: str) -> None:
    assert names("domain") & names(layer) == set()
    plural_twice = {f"{name}s" for name in names(layer)} & names("domain")
    assert plural_twice == set(), "the domain has the plural of this layer's noun"


@pytest.mark.parametrize("noun", ["item", "account"])
def test_a_noun_of_the_domain_is_found_in_the_other_layers(noun: str) -> None:
    assert noun in names("domain")
    for layer in ("storage", "services"):
        assert f"{noun}s" in names(layer)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_module_is_named_for_what_it_does(path: Path) -> None:
    assert not EMPTY_WORDS & set(path.stem.split("_"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_module_says_what_it_is(path: Path) -> None:
    text = path.read_text()
    assert not text.strip() or ast.get_docstring(ast.parse(text))
