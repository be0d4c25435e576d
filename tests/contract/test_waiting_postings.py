"""What is put alone waits for its postings, and no answer tells: against every store."""

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select
from tests.contract.segments import index_rows, post_waiting, use_segments_of

from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.domain.similarity import words_of
from workspace_memory.services.deps import new_uuid7
from workspace_memory.storage.database import Database
from workspace_memory.storage.search import Hit, IndexEntry
from workspace_memory.storage.search_segments import WAITING_CHARACTERS_MAX, WAITING_MAX
from workspace_memory.storage.search_tables import (
    search_documents,
    search_postings,
    search_segments,
    search_trigrams,
)

COMPANY, ALICE = "company", new_uuid7()
WAITING = WorkspaceId(new_uuid7())
POSTED = WorkspaceId(new_uuid7())
MORNING = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
WORDS = (
    *("green", "tea", "kitchen", "kitchens", "Großküche", "Kundenbewertung", "INV-20931", "foo_bar.baz"),
    *("the", "of", "a", "nine", "delivery", "renewals", "緑茶の在庫", "Łódź", "+49 30 23125", "framework"),
    *("work", "서울", "C++", "don't"),
)
QUERIES = (
    *("tea", "kitch", "küche", "bewertung", "INV 20931", "foo", "work", "緑茶", "23125", "c++", "the"),
    *("green tea in the kitchen", "nine renewals of the framework delivery kitchens today", "nothing"),
)
Change = Callable[[Database, WorkspaceId], None]


def put(item: ItemId, text: str, *, list_key: str = COMPANY, seconds: int = 0, tag: str = "") -> Change:
    def change(database: Database, workspace: WorkspaceId) -> None:
        tags = [tag] if tag else []
        with database.begin() as tx:
            at = MORNING + timedelta(seconds=seconds)
            tx.search.put(workspace, list_key, item, text, tags, created_at=at)

    return change


def put_many(entries: Sequence[IndexEntry]) -> Change:
    def change(database: Database, workspace: WorkspaceId) -> None:
        with database.begin() as tx:
            tx.search.put_many(workspace, COMPANY, entries)

    return change


def remove(item: ItemId) -> Change:
    def change(database: Database, workspace: WorkspaceId) -> None:
        with database.begin() as tx:
            tx.search.remove(workspace, item)

    return change


def history(seed: int) -> list[Change]:
    """Items that come, one by one or some at once, change, move and go."""
    dice = random.Random(seed)  # noqa: S311  the point is to be repeatable
    items: list[ItemId] = []
    changes: list[Change] = []

    def text() -> str:
        return " ".join(dice.choices(WORDS, k=dice.randint(1, 9)))

    for number in range(60):
        kind = dice.choice(("new", "new", "new", "many", "again", "remove"))
        seconds = dice.choice((number, number, dice.randint(0, number)))
        if kind == "many":
            some = [ItemId(new_uuid7()) for _ in range(dice.randint(1, 4))]
            at = MORNING + timedelta(seconds=seconds)
            changes.append(put_many([IndexEntry(item, text(), (), at) for item in some]))
            items += some
        elif kind == "new" or not items:
            items.append(ItemId(new_uuid7()))
            list_key = dice.choice((COMPANY, ALICE))
            changes.append(put(items[-1], text(), list_key=list_key, seconds=seconds, tag=dice.choice(WORDS)))
        elif kind == "again":
            changes.append(
                put(dice.choice(items), text(), list_key=dice.choice((COMPANY, ALICE)), seconds=seconds)
            )
        else:
            changes.append(remove(items.pop(dice.randrange(len(items)))))
    return changes


def answers(database: Database, workspace: WorkspaceId) -> list[tuple[str, list[Hit]]]:
    with database.read() as tx:
        return [(query, tx.search.search(workspace, [COMPANY, ALICE], query, limit=50)) for query in QUERIES]


def similar(database: Database, workspace: WorkspaceId) -> list[list[ItemId]]:
    texts = ("green tea kitchen", "nine renewals framework", "Großküche 서울 delivery")
    with database.read() as tx:
        return [tx.search.similar(workspace, COMPANY, words_of(text)) for text in texts]


def waiting(database: Database) -> str:
    with database.read() as tx:
        return "".join(tx.connection.scalars(select(search_segments.c.waiting)))


def postings(database: Database) -> int:
    with database.read() as tx:
        return tx.connection.scalar(select(func.count()).select_from(search_postings)) or 0


@pytest.mark.parametrize("seed", range(4))
def test_no_answer_depends_on_what_waits(
    database: Database, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    use_segments_of(16, monkeypatch)
    waited = 0
    for number, change in enumerate(history(seed)):
        change(database, WAITING)
        with monkeypatch.context() as patch:
            patch.setattr("workspace_memory.storage.search_segments.WAITING_MAX", 0)
            change(database, POSTED)
        waited += bool(waiting(database))
        if number % 3 == 0:
            assert answers(database, WAITING) == answers(database, POSTED)
            assert similar(database, WAITING) == similar(database, POSTED)
    assert waited > 20
    post_waiting(database)
    assert waiting(database) == ""
    assert answers(database, WAITING) == answers(database, POSTED)
    assert index_rows(database, WAITING) == index_rows(database, POSTED)


def test_a_few_wait_and_then_all_of_them_are_posted(database: Database) -> None:
    for number in range(WAITING_MAX):
        put(ItemId(new_uuid7()), f"green tea {number}")(database, WAITING)
        assert len(waiting(database).splitlines()) == number + 1
        assert postings(database) == 0
    put(ItemId(new_uuid7()), "green coffee")(database, WAITING)
    assert waiting(database) == ""
    assert postings(database) > WAITING_MAX


def test_long_texts_do_not_wait_in_numbers(database: Database) -> None:
    long = " ".join(f"word{number}" for number in range(180))
    for _ in range(WAITING_MAX):
        put(ItemId(new_uuid7()), long)(database, WAITING)
        assert len(waiting(database)) < WAITING_CHARACTERS_MAX + 100
    assert postings(database) > 0


def test_what_waits_and_becomes_too_long_is_posted(database: Database) -> None:
    item, other = ItemId(new_uuid7()), ItemId(new_uuid7())
    put(item, "green tea")(database, WAITING)
    put(other, "black coffee")(database, WAITING)
    put(item, " ".join(f"bird{number}" for number in range(900)))(database, WAITING)
    assert waiting(database) == ""
    with database.read() as tx:
        found = [
            [hit.item for hit in tx.search.search(WAITING, [COMPANY], query, limit=5)]
            for query in ("bird7", "coffee", "tea")
        ]
        words = tx.connection.scalars(
            select(search_trigrams.c.terms).where(search_trigrams.c.trigram == "gre")
        )
        assert found == [[item], [other], []]
        assert list(words) == []


def test_what_waits_leaves_nothing_when_it_goes(database: Database) -> None:
    item, other = ItemId(new_uuid7()), ItemId(new_uuid7())
    put(item, "the secret is celadon")(database, WAITING)
    put(other, "green tea")(database, WAITING)
    put(item, "the secret is vermilion")(database, WAITING)
    assert "celadon" not in waiting(database)
    remove(item)(database, WAITING)
    assert "vermilion" not in waiting(database)
    assert "green" in waiting(database)
    remove(other)(database, WAITING)
    assert not any(index_rows(database, WAITING).values())


def test_what_waits_is_posted_with_many_at_once(database: Database) -> None:
    put(ItemId(new_uuid7()), "green tea")(database, WAITING)
    many = [IndexEntry(ItemId(new_uuid7()), f"coffee {number}", (), MORNING) for number in range(30)]
    put_many(many)(database, WAITING)
    assert waiting(database) == ""
    with database.read() as tx:
        assert len(tx.search.search(WAITING, [COMPANY], "tea", limit=5)) == 1
        assert tx.connection.scalar(select(func.count()).select_from(search_documents)) == 31


def test_what_another_list_keeps_waiting_is_not_found_here(database: Database) -> None:
    put(ItemId(new_uuid7()), "green tea", list_key=ALICE)(database, WAITING)
    with database.read() as tx:
        assert tx.search.search(WAITING, [COMPANY], "tea", limit=5) == []
        assert tx.search.search(POSTED, [ALICE], "tea", limit=5) == []
