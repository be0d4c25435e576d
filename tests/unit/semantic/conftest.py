"""A library that is installed and fails when it is imported."""

from pathlib import Path

import pytest


@pytest.fixture
def broken_library(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> str:
    """Its name."""
    place: Path = tmp_path_factory.mktemp("broken")
    (place / "broken_library.py").write_text("raise ImportError('made for another processor')")
    monkeypatch.syspath_prepend(place)
    return "broken_library"
