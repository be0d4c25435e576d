"""A draft in the person's editor: a file that only the person can read, in memory where the system has such a place.

What somebody has written is never lost: whatever goes wrong after a change, the file stays where it is.
"""

import os
import secrets
from pathlib import Path
from tempfile import gettempdir
from types import TracebackType
from typing import Self

import click

from workspace_memory.cli.failures import Refused
from workspace_memory.cli.output import say


class Draft:
    """One file, deleted at the end unless something went wrong after it was changed. Raises: OSError."""

    def __init__(self, text: str) -> None:
        self._path = _place() / f"memory-{secrets.token_hex(8)}.md"
        self._first = text.encode()
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as out:
                out.write(self._first)
        except OSError:
            # A part of the text in the clear is of no use to anybody.
            self._path.unlink(missing_ok=True)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and self._is_changed():
            say(
                f"Your draft is in {self._path}; take it from there before you log out, and delete it when you "
                "need it no more."
            )
            return
        self._path.unlink(missing_ok=True)

    def edit(self) -> str | None:
        """The text after the person has closed the editor, or None when the file is gone. Raises: Refused."""
        click.edit(filename=str(self._path))
        try:
            return self._path.read_bytes().decode()
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            raise Refused("The draft is no text in UTF-8 any more.") from None

    def _is_changed(self) -> bool:
        try:
            return self._path.read_bytes() != self._first
        except FileNotFoundError:
            return False


def _place() -> Path:
    """A folder in memory, if there is one: what was in the clear should not lie on a disk."""
    for folder in (os.environ.get("XDG_RUNTIME_DIR", ""), "/dev/shm"):  # noqa: S108  the file's name is not guessed
        if folder and os.access(folder, os.W_OK):
            return Path(folder)
    return Path(gettempdir())
