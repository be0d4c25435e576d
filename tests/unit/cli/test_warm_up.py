"""What the first save needs is made ready in the background, and a failure there fails nothing."""

import logging
from pathlib import Path

import pytest

from workspace_memory.cli.web_server import make_ready
from workspace_memory.domain.secret_scanner import SecretFound
from workspace_memory.services.deps import Deps
from workspace_memory.storage.database import open_sqlite


class BrokenScanner:
    def find_secret(self, text: str) -> SecretFound | None:
        raise RuntimeError(text)


def test_a_warm_up_that_fails_is_logged_by_its_code_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = open_sqlite(tmp_path / "memory.db")
    with caplog.at_level(logging.WARNING, logger="workspace_memory"):
        make_ready(Deps(database, secret_scanner=BrokenScanner()))
    database.close()
    assert [record.message for record in caplog.records] == ["warm_up_failed: RuntimeError"]
    assert caplog.records[0].levelno == logging.WARNING
