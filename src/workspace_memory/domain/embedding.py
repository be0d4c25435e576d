"""Embeddings: a text as a point in the space of a model, near to texts of a like meaning. Light, and off by default.

Who makes them is handed to the use cases in `Deps`; `semantic/` has the two that exist. `storage/vectors.py` keeps
what is made of items, `blending.py` says what it counts in a search.
"""

from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Protocol

SPACE_CHARACTERS_MAX = 64
REASON_CHARACTERS_MAX = 64
# A service may be set up anew in a minute or next week, and a text that is too long for the model stays too long.
RETRY_FIRST = timedelta(minutes=1)
RETRY_FACTOR = 4
RETRY_LAST = timedelta(hours=6)
_RETRIES_GROWING_MAX = 10

Vector = Sequence[float]
"""One text. Its direction says what the text means; its length says nothing."""


class EmbedderChoice(StrEnum):
    """Who makes embeddings: nobody, a model in a folder of this machine, or a service at an address."""

    OFF = "off"
    FOLDER = "folder"
    ENDPOINT = "endpoint"


class EmbeddingFailed(Exception):
    """There is no embedding now. `code` says why, for the log; no text is in it.

    `of_text` where it is the text that the model does not take, such as one that is too long for it: others may pass.
    """

    def __init__(self, code: str, *, of_text: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.of_text = of_text


class EmbedderUnusable(Exception):
    """What the settings ask for cannot work on this machine; the message says why and what to do, in one sentence."""


class LibraryUnusable(EmbedderUnusable):
    """A library that embeddings need is missing or cannot be imported, whatever else the settings say."""


class Embedder(Protocol):
    """Makes embeddings; thread-safe."""

    @property
    def name(self) -> str:
        """What it is, for people: a folder, or an address and a model."""
        ...

    def space(self) -> str:
        """The model's fingerprint with the number of dimensions: vectors of two spaces cannot be compared.

        At most 64 characters. Raises: EmbeddingFailed.
        """
        ...

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One vector for each text, in order, as the space has dimensions. Raises: EmbeddingFailed."""
        ...

    def embed_query(self, text: str) -> Vector:
        """The same for a question that somebody waits for. Raises: EmbeddingFailed."""
        ...

    def make_ready(self) -> None:
        """Load what has to be loaded, so that nothing is found out later. Raises: EmbedderUnusable."""
        ...

    def close(self) -> None:
        """Let go of what it holds."""
        ...


def retry_pause(tries: int) -> timedelta:
    """How long a text that the model refused so many times (from 1 on) is left alone: 1, 4, 16 … minutes to 6 hours."""
    return min(RETRY_FIRST * RETRY_FACTOR ** min(tries - 1, _RETRIES_GROWING_MAX), RETRY_LAST)


def refusal_in_words(code: str) -> str:
    """Why a text was refused, for people, from the code of an `EmbeddingFailed` that is of the text."""
    match code:
        case "http_400":
            return "the service calls it a bad request, mostly since it is too long for the model (http_400)"
        case "http_413":
            return "the service says that it is too large (http_413)"
        case "http_422":
            return "the service says that it cannot process it (http_422)"
        case _:
            return f"the model fails on it ({code})"


def failure_in_words(code: str) -> str:
    """Why there are no embeddings now, for people, from the code of an `EmbeddingFailed` that is of no single text."""
    match code:
        case "model_unusable":
            words = "the model in the folder cannot be loaded"
        case "library_unusable":
            words = "a library of the extra 'semantic' cannot be imported"
        case "answer_not_understood":
            words = "the service answered with something that has no vectors as OpenAI's interface has them"
        case "other_dimensions":
            words = (
                "the service answers with vectors of another length than before, as another model does; "
                "a start of this program makes all of them anew"
            )
        case "ConnectTimeout" | "ReadTimeout" | "WriteTimeout" | "PoolTimeout":
            words = "the service did not answer in time"
        case "ConnectError":
            words = "the service cannot be reached: it does not run, or its address is another one"
        case "ReadError" | "WriteError" | "RemoteProtocolError":
            words = "the connection to the service broke off"
        case _:
            words = _STATUSES.get(code) or _STATUSES.get(code[: len("http_5")], "embeddings fail")
    return f"{words} ({code})"


_STATUSES = {
    "http_400": "the service calls a single word a bad request; mostly the name of the model is another one",
    "http_401": "the service wants another key: look at WORKSPACE_MEMORY_SEMANTIC_API_KEY",
    "http_403": "the service does not permit it with this key: look at WORKSPACE_MEMORY_SEMANTIC_API_KEY",
    "http_404": (
        "the service knows no such address or model: look at WORKSPACE_MEMORY_SEMANTIC_URL and "
        "WORKSPACE_MEMORY_SEMANTIC_MODEL"
    ),
    "http_429": "the service has been asked too many times for now",
    # Whole classes of them.
    "http_3": "the service points to another address, where no text is sent",
    "http_5": "the service fails itself",
}


def as_unicode(text: str) -> str:
    """The text without halves of surrogate pairs, which no library can encode."""
    return text.encode("utf-8", "replace").decode()
