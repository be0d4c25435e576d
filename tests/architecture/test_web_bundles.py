"""How much JavaScript a page loads first, gzipped: the frame, the page, and what both of them import at once."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any, cast

import pytest

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "src/workspace_memory/web"
KB = 1_000

# The Memory page is of use with its editor, which it asks for as soon as the document is open.
PARTS = {
    "Items": ("index.html", "src/routes/Items.svelte"),
    "Memory": ("index.html", "src/routes/Memory.svelte", "src/lib/editor/MarkdownEditor.svelte"),
}
BOUNDS_KB = {"Items": 75, "Memory": 200}


@pytest.fixture(scope="module")
def manifest() -> dict[str, dict[str, Any]]:
    """What Vite says of the built files: by source, with what each imports."""
    sys.path.insert(0, str(ROOT))
    try:
        import hatch_build  # noqa: PLC0415  a file of the checkout, not of a package
    finally:
        sys.path.remove(str(ROOT))
    if hatch_build.is_needed():
        pytest.fail("The web application is not built from these sources: ./run setup builds it")
    return cast("dict[str, dict[str, Any]]", json.loads((BUILT / ".vite/manifest.json").read_text()))


@pytest.mark.parametrize(("page", "bound_kb"), BOUNDS_KB.items())
def test_a_page_loads_little_javascript_first(
    manifest: dict[str, dict[str, Any]], page: str, bound_kb: int
) -> None:
    files = {file for part in PARTS[page] for file in first_loaded(manifest, part)}
    sizes = {file: len(gzip.compress((BUILT / file).read_bytes())) for file in files}
    assert sum(sizes.values()) <= bound_kb * KB, sizes


def first_loaded(manifest: dict[str, dict[str, Any]], source: str) -> set[str]:
    """The files of a source and of all that it imports at once; what it imports later is not among them."""
    found: set[str] = set()
    open_sources = [source]
    seen: set[str] = set()
    while open_sources:
        name = open_sources.pop()
        if name in seen:
            continue
        seen.add(name)
        found.add(manifest[name]["file"])
        open_sources += manifest[name].get("imports", [])
    return found
