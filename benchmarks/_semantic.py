"""The semantic signal in a benchmark: the settings that switch it on, and waiting until every vector is made."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from _servers import ServerFailed

VECTORS_SECONDS = 1_800.0


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

    def wait(self) -> None:
        """Until every item has its vector. Raises: ServerFailed when it takes half an hour, or cannot be asked."""
        give_up_at = time.monotonic() + VECTORS_SECONDS
        while self.model is not None and not self._is_done():
            if time.monotonic() > give_up_at:
                raise ServerFailed("the vectors were not made within half an hour")
            time.sleep(1)

    def _is_done(self) -> bool:
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
        return shown["vectors"] == shown["items"]
