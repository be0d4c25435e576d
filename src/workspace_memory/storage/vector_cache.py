"""Signs of vectors that were searched lately, in RAM: a database would hand over a megabyte with each search otherwise.

Nothing of it is used but what has the version that the caller's transaction has just read beside its row, so an answer
is the one that the rows themselves would give, and nothing has to be told to other processes. What was deleted or
changed by whomever is let go by `keep`, which the work in the background calls with what it sees about once a second.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from workspace_memory.domain.ids import WorkspaceId

# 80,000 vectors of 384 dimensions.
BYTES_MAX = 4 * 1024 * 1024

ChunkKey = tuple[WorkspaceId, str, str, int]
"""Workspace, list, space and number of a chunk."""


@dataclass(frozen=True, slots=True)
class KnownChunk:
    """A chunk as its row was at a version."""

    version: int
    numbers: bytes
    signs: bytes


class SignCache:
    """The chunks used last, up to a number of bytes; thread-safe."""

    def __init__(self, bytes_max: int = BYTES_MAX) -> None:
        self._bytes_max = bytes_max
        self._guard = threading.Lock()
        self._chunks: OrderedDict[ChunkKey, KnownChunk] = OrderedDict()
        self._bytes = 0

    def get(self, key: ChunkKey, version: int) -> KnownChunk | None:
        """The chunk, where it is known at this version."""
        with self._guard:
            known = self._chunks.get(key)
            if known is None or known.version != version:
                return None
            self._chunks.move_to_end(key)
            return known

    def put(self, key: ChunkKey, chunk: KnownChunk) -> None:
        """Know it in place of another version; what was used longest ago makes room."""
        with self._guard:
            self._drop(key)
            self._chunks[key] = chunk
            self._bytes += _size(chunk)
            while self._bytes > self._bytes_max:
                self._drop(next(iter(self._chunks)))

    def keep(self, versions: Mapping[ChunkKey, int]) -> None:
        """Let go of everything that is not at these versions."""
        with self._guard:
            for key in [key for key, chunk in self._chunks.items() if versions.get(key) != chunk.version]:
                self._drop(key)

    def chunks(self) -> list[KnownChunk]:
        """All that is known, the last used one last."""
        with self._guard:
            return list(self._chunks.values())

    def _drop(self, key: ChunkKey) -> None:
        chunk = self._chunks.pop(key, None)
        self._bytes -= 0 if chunk is None else _size(chunk)


def _size(chunk: KnownChunk) -> int:
    return len(chunk.numbers) + len(chunk.signs)
