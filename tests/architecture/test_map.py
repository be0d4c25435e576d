"""ARCHITECTURE.md and the README speak of files that exist."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "workspace_memory"


def test_every_file_of_the_map_exists() -> None:
    named = set(
        re.findall(
            r"`((?:domain|storage|crypto|services|client|api|mcp|assistant|tools|cli|folder)/[a-z_]+\.py)`",
            (ROOT / "ARCHITECTURE.md").read_text(),
        )
    )
    assert len(named) > 20
    assert sorted(name for name in named if not (SOURCE / name).exists()) == []


def test_every_link_of_the_documentation_leads_somewhere() -> None:
    broken: list[str] = []
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []


def test_every_dependency_earns_its_place_in_a_line() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = [re.split(r"[\[<>=;]", line)[0] for line in declared]
    text = (ROOT / "CONTRIBUTING.md").read_text()
    assert [name for name in names if f"`{name}`" not in text] == []


@pytest.mark.requirement("items:docs:linked-page")
def test_the_page_about_memory_items_is_linked_from_the_index() -> None:
    assert "](reference/memory-items.md)" in (ROOT / "docs" / "index.md").read_text()
