"""Lines of the documentation that installed packages bring along: harmless text in large amounts."""

import random
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

_SUFFIXES = frozenset({".md", ".rst", ".txt"})
_NAMES = frozenset({"METADATA", "README", "PKG-INFO"})
CHUNK_CHARACTERS_MAX = 2_000


def installed_folders() -> list[Path]:
    """Where this interpreter's packages are."""
    return sorted({Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")})


def lines_of(folders: Sequence[Path], lines_max: int) -> list[str]:
    """So many lines that are not blank, file by file in a fixed random order, cut at 2,000 characters."""
    lines: list[str] = []
    for text in _texts(folders):
        lines.extend(line[:CHUNK_CHARACTERS_MAX] for line in text.splitlines() if line.strip())
        if len(lines) >= lines_max:
            break
    return lines[:lines_max]


def chunks_of(lines: Sequence[str]) -> Iterator[str]:
    """The lines in pieces of up to 2,000 characters, as somebody would paste them."""
    piece = ""
    for line in lines:
        if piece and len(piece) + 1 + len(line) > CHUNK_CHARACTERS_MAX:
            yield piece
            piece = line
        else:
            piece = f"{piece}\n{line}" if piece else line
    if piece:
        yield piece


def _texts(folders: Sequence[Path]) -> Iterator[str]:
    files = sorted(
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and (path.suffix in _SUFFIXES or path.name in _NAMES)
    )
    random.Random(1).shuffle(files)  # noqa: S311 -- an order, not a key
    for path in files:
        try:
            yield path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
