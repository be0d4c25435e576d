"""Embeddings from a service that speaks OpenAI's `POST …/embeddings`. The texts of items are sent to it.

Only the address that the settings of the installation name is ever called; no redirect is followed.
"""

import hashlib
import math
import threading
from collections.abc import Sequence
from typing import cast
from urllib.parse import urlsplit

import httpx2

from workspace_memory.domain.embedding import (
    EmbedderUnusable,
    EmbeddingFailed,
    LibraryUnusable,
    Vector,
    as_unicode,
)
from workspace_memory.semantic.libraries import require_importable, require_installed

# Somebody waits for a search; nobody waits for the work in the background.
QUERY_SECONDS = 2.0
BATCH_SECONDS = 30.0
DIMENSIONS_MAX = 4_096
# The service makes the vectors; here they are compared.
LIBRARIES = ("numpy",)
_PORTS = {"http": 80, "https": 443}
# How services say that a text is too long for their model.
_OF_TEXT = frozenset({400, 413, 422})


class EmbeddingEndpoint:
    """One model of one service."""

    def __init__(
        self, url: str, model: str, key: str = "", *, transport: httpx2.BaseTransport | None = None
    ) -> None:
        """Checks the address and calls nothing: the service may start later. Raises: EmbedderUnusable."""
        try:
            parts = urlsplit(url)
            valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        except ValueError:
            valid = False
        if not valid or not url.isascii() or not url.isprintable():
            raise EmbedderUnusable("must be an address such as http://127.0.0.1:8080/v1")
        require_installed(LIBRARIES)
        self._url = f"{url.rstrip('/')}/embeddings"
        self._model = model
        headers = {"authorization": f"Bearer {key}"} if key else {}
        self._client = httpx2.Client(headers=headers, follow_redirects=False, transport=transport)
        self._guard = threading.Lock()
        self._space = ""

    @property
    def name(self) -> str:
        """The model, the host and a port that is not the usual one, without what an address may hold besides."""
        parts = urlsplit(self._url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        usual = parts.port in {None, _PORTS[parts.scheme]}
        return f"{self._model} at {host}" if usual else f"{self._model} at {host}:{parts.port}"

    def space(self) -> str:
        """See `Embedder`. Asks once, since only an answer tells how many dimensions there are."""
        with self._guard:
            if not self._space:
                try:
                    require_importable(LIBRARIES)
                    [vector] = self._ask(["memory"], QUERY_SECONDS)
                except EmbeddingFailed as failure:
                    # A word that any model takes: the model's name is wrong, or the like.
                    raise EmbeddingFailed(failure.code) from None
                except LibraryUnusable:
                    raise EmbeddingFailed("library_unusable") from None
                digest = hashlib.sha256(f"{self._url}\n{self._model}".encode()).hexdigest()
                self._space = f"{digest[:32]}-{len(vector)}"
            return self._space

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """See `Embedder`."""
        return self._in_space(texts, BATCH_SECONDS)

    def embed_query(self, text: str) -> Vector:
        """See `Embedder`; an answer is waited for for two seconds."""
        return self._in_space([text], QUERY_SECONDS)[0]

    def make_ready(self) -> None:
        """Import what compares vectors, and call nothing: the service may start later. Raises: EmbedderUnusable."""
        require_importable(LIBRARIES)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _in_space(self, texts: Sequence[str], seconds: float) -> list[Vector]:
        dimensions = int(self.space().rpartition("-")[2])
        vectors = self._ask(texts, seconds)
        if any(len(vector) != dimensions for vector in vectors):
            raise EmbeddingFailed("other_dimensions")
        return vectors

    def _ask(self, texts: Sequence[str], seconds: float) -> list[Vector]:
        body = {
            "model": self._model,
            "input": [as_unicode(text) for text in texts],
            "encoding_format": "float",
        }
        try:
            answer = self._client.post(self._url, json=body, timeout=seconds)
        except (httpx2.HTTPError, RuntimeError) as error:  # a RuntimeError once the client is closed
            raise EmbeddingFailed(type(error).__name__) from None
        if answer.status_code != 200:
            raise EmbeddingFailed(f"http_{answer.status_code}", of_text=answer.status_code in _OF_TEXT)
        try:
            return _vectors(answer.json(), len(texts))
        except (ValueError, TypeError, LookupError, OverflowError):
            raise EmbeddingFailed("answer_not_understood") from None


def _vectors(answer: object, count: int) -> list[Vector]:
    """The vectors in the order of the texts. Raises: ValueError, TypeError, LookupError for another shape."""
    entries = cast("dict[str, list[dict[str, object]]]", answer)["data"]
    placed = {cast("int", entry["index"]): entry["embedding"] for entry in entries}
    vectors = [[float(part) for part in cast("list[float]", placed[place])] for place in range(count)]
    for vector in vectors:
        if not 2 <= len(vector) <= DIMENSIONS_MAX or not all(map(math.isfinite, vector)) or not any(vector):
            raise ValueError("no vector")
    return cast("list[Vector]", vectors)
