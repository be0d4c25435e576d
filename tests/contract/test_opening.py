"""Opening an installation whose folder or file is not what it should be."""

from pathlib import Path

import pytest

from workspace_memory.domain.errors import FolderUnusable
from workspace_memory.services.opening import SQLITE_NAME, open_folder


def test_a_damaged_database_says_so_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / SQLITE_NAME).write_bytes(b"this is no database at all, " * 400)
    with pytest.raises(FolderUnusable, match="damaged; put a backup"):
        open_folder(tmp_path, public_url="http://127.0.0.1:8787")


@pytest.mark.parametrize("name", ["a?b", "a%41b", "a#b", "q?mode=memory", "ä b"])
def test_the_database_lies_in_the_folder_that_was_named(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    open_folder(folder, public_url="http://127.0.0.1:8787").close()
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (folder / SQLITE_NAME).stat().st_size > 0
