"""Similar items against every store: the ones that a comparison with each item names, and those of the whole search."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from tests.contract.segments import use_segments_of

from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.domain.similarity import are_similar, shared_words_min, words_of
from workspace_memory.services.deps import new_uuid7
from workspace_memory.storage.database import Database
from workspace_memory.storage.search import IndexEntry
from workspace_memory.storage.similar_search import CANDIDATES

COMPANY = "company"
WORKSPACE = WorkspaceId(new_uuid7())
MORNING = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
VOCABULARY = [f"word{number}" for number in range(400)]
# As in natural language few words are in most texts, and most words in few.
FREQUENCIES = [1 / rank for rank in range(1, len(VOCABULARY) + 1)]


def a_text(numbers: random.Random, size: int) -> list[str]:
    return numbers.choices(VOCABULARY, FREQUENCIES, k=size)


def changed(numbers: random.Random, words: Sequence[str]) -> list[str]:
    """Nearly the same: some words left out, put in or replaced, by a share that is similar or just no more."""
    share = numbers.random()
    kept = [word for word in words if numbers.random() > share] or list(words)
    return [*kept, *a_text(numbers, numbers.randrange(len(words)))] if numbers.random() < 0.5 else kept


def put_all(database: Database, texts: Sequence[str], list_key: str = COMPANY) -> dict[ItemId, str]:
    ids = {ItemId(new_uuid7()): text for text in texts}
    entries = [IndexEntry(item, text, (), MORNING) for item, text in ids.items()]
    with database.begin() as tx:
        tx.search.put_many(WORKSPACE, list_key, entries)
    return ids


def similar_to(database: Database, text: str, list_key: str = COMPANY) -> list[ItemId]:
    with database.read() as tx:
        return tx.search.similar(WORKSPACE, list_key, words_of(text))


@pytest.mark.parametrize("seed", range(2))
def test_the_similar_items_are_those_that_a_comparison_with_each_finds(
    database: Database, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_segments_of(64, monkeypatch)
    numbers = random.Random(seed)  # noqa: S311  the point is to be repeatable
    asked = [a_text(numbers, numbers.randint(2, 40)) for _ in range(40)]
    near = [changed(numbers, words) for words in asked for _ in range(3)]
    others = [a_text(numbers, numbers.randint(1, 40)) for _ in range(200)]
    texts = list(dict.fromkeys(" ".join(words) for words in near + others))
    ids = put_all(database, texts)
    exact = 0
    for words in map(words_of, map(" ".join, asked)):
        similar = {item for item, text in ids.items() if are_similar(words, words_of(text))}
        enough = [text for text in texts if len(words & words_of(text)) >= shared_words_min(words)]
        named = similar_to(database, " ".join(words))
        assert set(named) <= similar
        if len(enough) <= CANDIDATES:
            assert set(named) == similar
            exact += len(similar)
    assert exact


def test_the_most_alike_is_named_first_and_of_two_alike_the_newer(database: Database) -> None:
    texts = ("green tea in the hall", "black tea in the hall", "tea in the hall and the yard", "a bicycle")
    ids = put_all(database, texts)
    named = [ids[item] for item in similar_to(database, "red tea in the hall")]
    assert named == ["black tea in the hall", "green tea in the hall", "tea in the hall and the yard"]


def test_among_many_that_share_enough_the_rarest_words_decide(database: Database) -> None:
    often = "we meet in the hall on"
    texts = [f"{often} day{number} for hours{number} until week{number}" for number in range(CANDIDATES * 3)]
    ids = put_all(database, ["sencha matcha from uji", *texts])
    named = similar_to(database, "we meet in the hall on monday and tuesday: sencha, matcha from uji")
    assert [ids[item] for item in named] == ["sencha matcha from uji"]


@pytest.mark.parametrize("text", ["", "?!", "tea", "unknown words alone"])
def test_a_text_that_shares_hardly_a_word_has_none(database: Database, text: str) -> None:
    put_all(database, ["tea", "green tea"])
    assert similar_to(database, text) == []


def test_only_the_one_list_is_looked_at(database: Database) -> None:
    put_all(database, ["likes green tea"], list_key="bob")
    assert similar_to(database, "likes green tea") == []
    assert len(similar_to(database, "likes green tea", "bob")) == 1
