"""A library that is installed and fails when it is imported."""

import sys

import pytest


@pytest.fixture
def broken_library(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> str:
    """Its name."""
    place = tmp_path_factory.mktemp("broken")
    (place / "broken_library.py").write_text("raise ImportError('made for another processor')")
    monkeypatch.setattr(sys, "path", [str(place), *sys.path])
    return "broken_library"
