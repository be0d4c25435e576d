"""A draft in the person's editor: a file that only the person can read, in memory where the system has such a place."""

import os
import secrets
from pathlib import Path
from tempfile import gettempdir
from types import TracebackType
from typing import Self

import click


class Draft:
    """One file, deleted at the end unless it is kept."""

    def __init__(self, text: str) -> None:
        self._path = _place() / f"memory-{secrets.token_hex(8)}.md"
        self._kept = False
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as out:
            out.write(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._kept:
            self._path.unlink(missing_ok=True)

    def edit(self) -> str | None:
        """The text after the person has closed the editor, or None when the file is gone."""
        click.edit(filename=str(self._path))
        try:
            with self._path.open(encoding="utf-8", newline="") as lines:
                return lines.read()
        except FileNotFoundError:
            return None

    def keep(self) -> Path:
        """Leave the file where it is; its path."""
        self._kept = True
        return self._path


def _place() -> Path:
    """A folder in memory, if there is one: what was in the clear should not lie on a disk."""
    for folder in (os.environ.get("XDG_RUNTIME_DIR", ""), "/dev/shm"):  # noqa: S108  the file's name is not guessed
        if folder and os.access(folder, os.W_OK):
            return Path(folder)
    return Path(gettempdir())
