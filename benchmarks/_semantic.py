"""The semantic signal in a benchmark: a model that can be used, the settings, and waiting until vectors are made."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from _progress import say
from _servers import ServerFailed
from workspace_memory.domain.embedding import EmbedderUnusable, LibraryUnusable
from workspace_memory.semantic.folder_model import TOKENIZER_FILE, FolderModel

VECTORS_SECONDS = 3_600.0
KNOWN_WORDS_MIN = 5_000
_PLAIN_WORD = re.compile("[a-z]{4,}")
# Asking how far the work is takes half a second of a core that the work could have: it is asked when about half of what
# was missing may be there.
_PAUSE_SECONDS_EACH = 0.004
_PAUSE_SECONDS_MIN, _PAUSE_SECONDS_MAX = 1.0, 15.0


class ModelUnusable(Exception):
    """The folder has no model that works here, or the extra is missing; the message says which, and what to do."""


def require_model(folder: Path) -> None:
    """Load the model of a folder once, before anything else begins. Raises: ModelUnusable."""
    try:
        FolderModel(folder).make_ready()
    except LibraryUnusable as unusable:
        raise ModelUnusable(
            f"search by meaning {unusable} (in a checkout: .venv/bin/pip install numpy onnxruntime tokenizers)"
        ) from None
    except EmbedderUnusable as unusable:
        raise ModelUnusable(str(unusable)) from None


def known_words(folder: Path) -> list[str]:
    """The plain words that the model of a folder knows whole; empty where its tokenizer knows too few of them.

    An invented word is three or four pieces for it, and costs it as much as so many words.
    """
    try:
        vocabulary = json.loads((folder / TOKENIZER_FILE).read_text(encoding="utf-8"))["model"]["vocab"]
        # Either a number for each piece, or a list of pieces with their scores.
        pieces = [piece if isinstance(piece, str) else piece[0] for piece in vocabulary]
    except (LookupError, TypeError, ValueError):
        return []
    # Some tokenizers mark where a word begins, others where one goes on.
    words = {piece.lstrip("▁Ġ") for piece in pieces}
    plain = [word for word in words if _PLAIN_WORD.fullmatch(word)]
    return sorted(plain) if len(plain) >= KNOWN_WORDS_MIN else []


@dataclass(frozen=True, slots=True)
class Signal:
    """The signal with the model of a folder, or without a model the search as it is by default."""

    model: Path | None
    folder: Path
    database_url: str = ""

    @property
    def settings(self) -> Mapping[str, str]:
        """What the server is told."""
        if self.model is None:
            return {}
        return {
            "WORKSPACE_MEMORY_SEMANTIC": "folder",
            "WORKSPACE_MEMORY_SEMANTIC_FOLDER": str(self.model.absolute()),
        }

    def wait(self) -> int:
        """Until every item has its vector; how many these are, 0 without a model.

        Raises: ServerFailed when it takes an hour, or cannot be asked.
        """
        give_up_at = time.monotonic() + VECTORS_SECONDS
        while self.model is not None:
            made, items = self._progress()
            if made == items:
                return items
            if time.monotonic() > give_up_at:
                raise ServerFailed("the vectors were not made within an hour")
            say(f"{made:,} of {items:,} vectors are made")
            time.sleep(pause_seconds(items - made))
        return 0

    def _progress(self) -> tuple[int, int]:
        place = [] if self.database_url else ["--data", str(self.folder)]
        more = {"WORKSPACE_MEMORY_DATABASE_URL": self.database_url} if self.database_url else {}
        asked = subprocess.run(
            [Path(sys.executable).with_name("workspace-memory"), "semantic", "--json", *place],
            env={**os.environ, **self.settings, **more},
            capture_output=True,
            text=True,
            check=False,
        )
        if asked.returncode:
            raise ServerFailed(f"the state of the vectors cannot be asked: {asked.stderr.strip()}")
        shown = cast("dict[str, int]", json.loads(asked.stdout))
        return shown["vectors"], shown["items"]


def pause_seconds(missing: int) -> float:
    """How long to wait before it is asked again."""
    return min(max(missing * _PAUSE_SECONDS_EACH, _PAUSE_SECONDS_MIN), _PAUSE_SECONDS_MAX)
