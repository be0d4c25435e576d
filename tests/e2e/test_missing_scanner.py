"""A secret scanner that is wanted and not installed stops a process at its start, with one sentence."""

from pathlib import Path

import pytest
from tests.e2e.command_line import run, sentence

WANTED = {"WORKSPACE_MEMORY_SECRET_SCANNER": "kingfisher"}
WAYS = {
    "serve": ("serve", "--port", "0"),
    "mcp": ("mcp",),
    "a command": ("items", "list"),
    "init": ("init", "--email", "alice@example.com"),
}


@pytest.fixture(autouse=True)
def missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without the extra."""
    monkeypatch.setattr("workspace_memory.services.secret_scanner_extra.MODULE", "no_such_module")


@pytest.mark.parametrize("way", WAYS)
def test_it_says_what_to_install_and_makes_no_folder(tmp_path: Path, way: str) -> None:
    folder = tmp_path / "memory"
    said = sentence(run(*WAYS[way], "--data", folder, env=WANTED))
    assert "pip install 'workspace-memory[kingfisher]'" in said
    assert not folder.exists()


def test_without_the_setting_nothing_is_asked_for(tmp_path: Path) -> None:
    assert "kingfisher" not in sentence(run("items", "list", "--data", tmp_path / "memory"))


def test_a_scanner_that_nobody_knows_is_wrong_usage(tmp_path: Path) -> None:
    ended = run("items", "list", "--data", tmp_path, env={"WORKSPACE_MEMORY_SECRET_SCANNER": "other"})
    assert ended.code == 2
    assert "'own' or 'kingfisher'" in ended.err
