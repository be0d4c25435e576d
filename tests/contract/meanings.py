"""A tiny deterministic embedder: a text is the sum of its words' directions, and some words mean the same."""

import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tests.conftest import World

from workspace_memory.domain.embedding import EmbeddingFailed, Vector
from workspace_memory.domain.terms import indexed
from workspace_memory.services.embeddings import VectorWork
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.semantic_signals import SemanticSignal
from workspace_memory.storage.database import Database

DIMENSIONS = 64
# The first word of each pair is found by the second one's meaning.
SAME = {"automobile": "car", "physician": "doctor", "beverage": "tea"}


@dataclass
class WordEmbedder:
    """Keeps what it was asked. `failing` is a code while it fails; a text with the word `refused` is not taken,
    and `refusals` counts how often. Vectors are multiplied by `length`.

    `meanwhile` is called before it answers.
    """

    space_name: str = "words"
    failing: str = ""
    asked: list[str] = field(default_factory=list[str])
    refused: str = ""
    refusals: int = 0
    length: float = 1.0
    meanwhile: Callable[[], object] = lambda: None
    busy: threading.Event = field(default_factory=threading.Event)

    @property
    def name(self) -> str:
        return "words of a test"

    def space(self) -> str:
        return f"{self.space_name}-{DIMENSIONS}"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.busy.set()
        self.meanwhile()
        if self.failing:
            raise EmbeddingFailed(self.failing)
        if self.refused and any(self.refused in text for text in texts):
            self.refusals += 1
            raise EmbeddingFailed("http_400", of_text=True)
        self.asked += texts
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        return self.embed([text])[0]

    def make_ready(self) -> None:
        pass

    def close(self) -> None:
        pass

    def _vector(self, text: str) -> Vector:
        words = [SAME.get(word, word) for word in indexed(text).words]
        directions = [random.Random(f"{self.space_name} {word}") for word in words]  # noqa: S311
        parts = [[numbers.gauss() for _ in range(DIMENSIONS)] for numbers in directions]
        return [self.length * sum(column) for column in zip(*parts, strict=True)]


def with_meaning(world: World, embedder: WordEmbedder) -> World:
    """The same installation with the signal on."""
    return replace(world, deps=replace(world.deps, semantic=SemanticSignal(embedder)))


def work_of(world: World) -> VectorWork:
    """The work in the background, to be done by hand."""
    assert world.deps.semantic is not None
    return VectorWork(world.deps, world.deps.semantic)


def make_vectors(world: World) -> None:
    """All that are missing."""
    work = work_of(world)
    while work.work_once():
        pass


def found(world: World, user: str, query: str) -> list[str]:
    """The texts that a member's client finds."""
    actor = world.client(user)  # pyright: ignore[reportArgumentType]  a user's id
    workspace = world.other_workspace if user == world.mallory else world.workspace
    return [each.item.content for each in find_items(world.deps, actor, workspace, Query(query)).found]


def rows_of(database: Database, *tables: str) -> int:
    """How many rows these tables have together."""
    with database.read() as tx:
        counted = (tx.connection.exec_driver_sql(f"SELECT count(*) FROM {table}") for table in tables)  # noqa: S608
        return sum(result.scalar_one() for result in counted)


def vector_rows(world: World) -> int:
    """How many rows there are of vectors, and of the signs of several."""
    return rows_of(world.deps.database, "search_vectors", "search_vector_chunks")
