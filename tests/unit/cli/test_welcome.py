"""What `serve` says at its start, while others may already act: requests are answered before it says so."""

from pathlib import Path

import pytest

from workspace_memory.cli import welcome as module
from workspace_memory.services.accounts import is_set_up, set_up_here
from workspace_memory.services.deps import Deps
from workspace_memory.settings import Settings
from workspace_memory.storage.database import open_sqlite
from workspace_memory.storage.migrating import migrate


def test_an_account_that_is_made_during_the_start_does_not_end_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database = open_sqlite(tmp_path / "memory.db")
    migrate(database)

    def look_and_be_overtaken(deps: Deps) -> bool:
        found = is_set_up(deps)
        set_up_here(deps, email="alice@example.com")
        return found

    monkeypatch.setattr(module, "is_set_up", look_and_be_overtaken)
    module.welcome(Deps(database), Settings(data=tmp_path))
    database.close()
    said = capsys.readouterr().out
    assert "MCP address" in said
    assert "user accept" not in said
