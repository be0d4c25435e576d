"""The search index against every store: what is found, in which order, and that nothing is left behind."""

import random
import string
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select
from tests.contract.segments import post_waiting, use_segments_of

from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.services.deps import new_uuid7
from workspace_memory.storage import search_segments
from workspace_memory.storage.database import Database, open_postgresql, open_sqlite
from workspace_memory.storage.migrating import migrate
from workspace_memory.storage.search_tables import TABLES, search_trigrams

COMPANY = "company"
WORKSPACE = WorkspaceId(new_uuid7())
OTHER_WORKSPACE = WorkspaceId(new_uuid7())
ALICE = new_uuid7()
BOB = new_uuid7()
MORNING = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


class Shelf:
    """Items named by their text, in an index."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.ids: dict[str, ItemId] = {}

    def put(
        self,
        text: str,
        *,
        list_key: str = COMPANY,
        tags: Sequence[str] = (),
        hours: float = 0,
        workspace: WorkspaceId = WORKSPACE,
    ) -> ItemId:
        item = self.ids.setdefault(text, ItemId(new_uuid7()))
        with self.database.begin() as tx:
            at = MORNING + timedelta(hours=hours)
            tx.search.put(workspace, list_key, item, text, tags, created_at=at)
        return item

    def put_all(self, texts: Iterable[str]) -> None:
        with self.database.begin() as tx:
            for number, text in enumerate(texts):
                item = self.ids.setdefault(text, ItemId(new_uuid7()))
                at = MORNING + timedelta(seconds=number)
                tx.search.put(WORKSPACE, COMPANY, item, text, (), created_at=at)

    def remove(self, text: str) -> None:
        with self.database.begin() as tx:
            tx.search.remove(WORKSPACE, self.ids[text])

    def find(
        self,
        query: str,
        *,
        lists: Sequence[str] = (COMPANY,),
        limit: int = 10,
        workspace: WorkspaceId = WORKSPACE,
    ) -> list[str]:
        names = {item: text for text, item in self.ids.items()}
        with self.database.read() as tx:
            return [names[hit.item] for hit in tx.search.search(workspace, lists, query, limit=limit)]

    def rows(self) -> int:
        with self.database.read() as tx:
            counts = (tx.connection.scalar(select(func.count()).select_from(table)) for table in TABLES)
            return sum(count or 0 for count in counts)


@pytest.fixture(params=["posted", "waiting"])
def shelf(request: pytest.FixtureRequest, database: Database, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Once with postings for each item as it comes, and once with items that wait for theirs."""
    if request.param == "posted":
        monkeypatch.setattr(search_segments, "WAITING_MAX", 0)
    return Shelf(database)


def test_an_item_is_found_by_a_part_or_another_spelling(shelf: Shelf) -> None:
    cases = [
        ("The framework is renewed in May", "framew"),
        ("The framework is renewed in June", "mework"),
        ("Großküche in München", "küche"),
        ("Großküche in Zürich", "kuche"),
        ("Großküche in Köln", "grosskueche"),
        ("INV-20931 was paid", "inv20931"),
        ("INV 20931 was paid", "inv20931"),
        ("INV-20931 was paid twice", "2093"),
        (r"Open C:\repo\main.py first", "repo/main"),
        ("The importer is written in C++", "c++"),
        ("緑茶の在庫は第二倉庫にあります", "在庫はどこ"),
        ("緑茶は第二倉庫にあります", "庫"),
        ("Payment reminders go out on Mondays", "reminding the payer"),
        ("Die Bewertung ist im November", "Kundenbewertung"),
        ("Call +49 30 23125 417 after six", "+493023125417"),
        ("Commit 9e1f7ab broke it", "9e1f"),
        ("The dog sleeps in the office", "dogs"),
    ]
    # Each in its own list, together with one that none of the queries means.
    for number, (text, _) in enumerate(cases):
        shelf.put(text, list_key=str(number))
        shelf.put(f"Unrelated words about bicycle {number}", list_key=str(number))
    found = [shelf.find(query, lists=[str(number)]) for number, (_, query) in enumerate(cases)]
    assert found == [[text] for text, _ in cases]


def test_a_query_without_words_finds_nothing(shelf: Shelf) -> None:
    shelf.put("anything")
    for query in ("", "  ", "?!", "-" * 10_000, '"', "\x00", "\ud800", "*", "…"):
        assert shelf.find(query) == []


def test_no_query_is_a_language(shelf: Shelf) -> None:
    shelf.put("green tea")
    for query in (
        "tea'; DROP TABLE x",
        'tea" OR *',
        "tea AND NOT",
        "NEAR(tea)",
        "tea\x00\ud83d",
        "tea " * 3_000,
    ):
        assert shelf.find(query) == ["green tea"]


def test_any_word_may_match_and_more_words_come_first(shelf: Shelf) -> None:
    shelf.put("The kettle was descaled")
    shelf.put("The bicycle was repaired")
    shelf.put("The kettle was repaired")
    assert shelf.find("kettle repaired")[0] == "The kettle was repaired"
    assert len(shelf.find("kettle repaired")) == 3


def test_a_rare_word_outweighs_a_frequent_one(shelf: Shelf) -> None:
    shelf.put_all([*(f"kettle number {n}" for n in range(20)), "a samovar in the hall"])
    assert shelf.find("kettle samovar")[0] == "a samovar in the hall"


def test_a_phrase_comes_before_the_same_words_apart(shelf: Shelf) -> None:
    shelf.put("green tea is in the shop", hours=0)
    shelf.put("tea shop with a green door", hours=1)
    assert shelf.find("green tea")[0] == "green tea is in the shop"


def test_of_two_the_one_that_begins_with_a_word_of_the_query_comes_first(shelf: Shelf) -> None:
    shelf.put("carol: the kettle is mine", hours=0)
    shelf.put("bob: the kettle is for carol", hours=1)
    assert shelf.find("kettle carol")[0] == "carol: the kettle is mine"


def test_the_word_itself_comes_before_a_longer_one(shelf: Shelf) -> None:
    shelf.put("presses for flowers", hours=2)
    shelf.put("expression of thanks", hours=1)
    shelf.put("press the button", hours=0)
    assert shelf.find("press")[0] == "press the button"


def test_a_whole_tag_comes_before_the_word(shelf: Shelf) -> None:
    shelf.put("acme is late", hours=1)
    shelf.put("they pay late", tags=["Acme"])
    assert shelf.find("acme") == ["they pay late", "acme is late"]


def test_the_newer_of_equals_comes_first(shelf: Shelf) -> None:
    for hours in (2, 3, 1):
        shelf.put(f"tea at {'abc'[hours - 1]}", hours=hours)
    assert shelf.find("tea") == ["tea at c", "tea at b", "tea at a"]


def test_the_newest_of_very_many_equals_are_found(shelf: Shelf) -> None:
    shelf.put_all(f"tea {n}x" for n in range(400))
    assert shelf.find("tea", limit=3) == ["tea 399x", "tea 398x", "tea 397x"]


def test_the_limit_bounds_the_answer(shelf: Shelf) -> None:
    shelf.put_all(f"tea {n}x" for n in range(30))
    assert len(shelf.find("tea", limit=7)) == 7


def test_scores_fall_and_a_full_match_is_near_one(database: Database) -> None:
    shelf = Shelf(database)
    shelf.put("green tea from the shop")
    shelf.put("a green bicycle")
    with database.read() as tx:
        first, second = tx.search.search(WORKSPACE, [COMPANY], "green tea", limit=5)
    assert first.score > second.score > 0
    assert first.score >= 1


def test_several_lists_are_searched_as_one(shelf: Shelf) -> None:
    shelf.put("company tea", list_key=COMPANY)
    shelf.put("my own tea", list_key=ALICE)
    assert set(shelf.find("tea", lists=[COMPANY, ALICE])) == {"company tea", "my own tea"}


def test_a_list_is_unknown_to_a_search_of_another(shelf: Shelf) -> None:
    shelf.put("alice likes tea", list_key=ALICE)
    assert shelf.find("tea", lists=[COMPANY, BOB]) == []


def test_another_list_does_not_change_a_score(database: Database) -> None:
    shelf = Shelf(database)
    shelf.put("green tea", list_key=ALICE)
    shelf.put("a kettle", list_key=ALICE)
    with database.read() as tx:
        before = tx.search.search(WORKSPACE, [ALICE], "tea", limit=5)
    for n in range(5):
        shelf.put(f"tea of bob {n}", list_key=BOB)
        shelf.put(f"tea of rivals {n}", list_key=ALICE, workspace=OTHER_WORKSPACE)
    with database.read() as tx:
        assert tx.search.search(WORKSPACE, [ALICE], "tea", limit=5) == before


def test_another_workspace_finds_nothing(shelf: Shelf) -> None:
    shelf.put("green tea")
    assert shelf.find("tea", workspace=OTHER_WORKSPACE) == []


def test_a_changed_item_is_found_by_its_new_words_only(shelf: Shelf) -> None:
    item = shelf.put("green tea")
    with shelf.database.begin() as tx:
        tx.search.put(WORKSPACE, COMPANY, item, "green coffee", ["drinks"], created_at=MORNING)
    assert shelf.find("tea") == []
    assert shelf.find("coffee") == shelf.find("drinks") == ["green tea"]


def test_a_moved_item_leaves_its_old_list(shelf: Shelf) -> None:
    shelf.put("green tea", list_key=ALICE)
    shelf.put("green tea", list_key=COMPANY)
    assert shelf.find("tea", lists=[ALICE]) == []
    assert shelf.find("tea", lists=[COMPANY, ALICE]) == ["green tea"]


def test_putting_again_changes_nothing(shelf: Shelf) -> None:
    shelf.put("green tea")
    rows = shelf.rows()
    shelf.put("green tea")
    assert shelf.rows() == rows


def test_removing_leaves_no_row(shelf: Shelf) -> None:
    texts = ["green tea", "green coffee", "Großküche 在庫 INV-1"]
    for text in texts:
        shelf.put(text, tags=["drinks"])
    for text in texts:
        shelf.remove(text)
    assert shelf.rows() == 0


def test_removing_one_item_leaves_the_words_of_the_others(shelf: Shelf) -> None:
    shelf.put("green tea")
    shelf.put("green coffee")
    shelf.remove("green tea")
    assert shelf.find("green") == shelf.find("coff") == ["green coffee"]
    post_waiting(shelf.database)
    assert shelf.find("green") == shelf.find("coff") == ["green coffee"]
    with shelf.database.read() as tx:
        words = "".join(tx.connection.scalars(select(search_trigrams.c.terms)))
    assert set(words.split()) == {"green", "coffee"}


def test_removing_what_is_not_there_is_no_error(shelf: Shelf) -> None:
    with shelf.database.begin() as tx:
        tx.search.remove(WORKSPACE, ItemId(new_uuid7()))
    assert shelf.rows() == 0


def test_erasing_a_list_leaves_the_others(shelf: Shelf) -> None:
    shelf.put("tea of the company")
    rows = shelf.rows()
    shelf.put("tea of alice", list_key=ALICE)
    with shelf.database.begin() as tx:
        tx.search.remove_list(WORKSPACE, ALICE)
    assert shelf.rows() == rows
    assert shelf.find("tea", lists=[COMPANY, ALICE]) == ["tea of the company"]


def test_erasing_a_workspace_leaves_the_others(shelf: Shelf) -> None:
    shelf.put("tea of ours")
    rows = shelf.rows()
    shelf.put("tea of theirs", workspace=OTHER_WORKSPACE)
    with shelf.database.begin() as tx:
        tx.search.remove_workspace(OTHER_WORKSPACE)
    assert shelf.rows() == rows


def test_no_word_of_an_erased_list_is_in_the_files(tmp_path: Path) -> None:
    database = open_sqlite(tmp_path / "memory.db")
    migrate(database)
    shelf = Shelf(database)
    shelf.put("Zanzibarite quoxel42", list_key=ALICE)
    shelf.put("Zanzibarite quoxel43")
    with database.begin() as tx:
        tx.search.remove_list(WORKSPACE, ALICE)
    shelf.remove("Zanzibarite quoxel43")
    database.forget_deleted()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir()).lower()
    database.close()
    assert b"zanzib" not in content
    assert b"quoxel" not in content


def test_a_rolled_back_save_is_not_found(shelf: Shelf) -> None:
    def save_and_fail() -> None:
        with shelf.database.begin() as tx:
            tx.search.put(WORKSPACE, COMPANY, ItemId(new_uuid7()), "green tea", (), created_at=MORNING)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        save_and_fail()
    assert shelf.find("tea") == []


def test_a_list_of_several_segments_is_searched_and_emptied(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_segments_of(64, monkeypatch)
    texts = [f"tea {n}x {'rare' if n == 70 else 'leaf'}" for n in range(150)]
    shelf.put_all(texts)
    assert shelf.find("rare") == ["tea 70x rare"]
    assert len(shelf.find("tea", limit=200)) == 150
    assert shelf.find("tea", limit=2) == ["tea 149x leaf", "tea 148x leaf"]
    for text in texts:
        shelf.remove(text)
    assert shelf.rows() == 0


def test_a_list_that_changes_all_the_time_stays_small(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    use_segments_of(64, monkeypatch)
    shelf.put("the first")
    for n in range(400):
        shelf.put(f"tea {n}x")
        if n >= 10:
            shelf.remove(f"tea {n - 10}x")
    with shelf.database.read() as tx:
        segments = tx.connection.scalar(select(func.count()).select_from(TABLES[0]))
    assert segments is not None
    assert segments <= 4
    assert len(shelf.find("tea", limit=50)) == 10


def test_both_databases_give_the_same_order_and_scores(tmp_path: Path, postgresql_database_url: str) -> None:
    chance = random.Random(7)  # noqa: S311  only texts
    words = ["".join(chance.choices(string.ascii_lowercase[:9], k=chance.randint(2, 9))) for _ in range(150)]
    texts = [" ".join(chance.choices(words, k=12)) for _ in range(150)]
    ids = [ItemId(new_uuid7()) for _ in texts]
    queries = [" ".join(chance.choices(words, k=1 + n % 7)) for n in range(60)] + [w[1:4] for w in words[:20]]
    answers: list[list[object]] = []
    for database in (open_sqlite(tmp_path / "memory.db"), open_postgresql(postgresql_database_url)):
        migrate(database)
        with database.begin() as tx:
            for n, (item, text) in enumerate(zip(ids, texts, strict=True)):
                list_key = COMPANY if n % 3 else ALICE
                tx.search.put(WORKSPACE, list_key, item, text, (), created_at=MORNING + timedelta(hours=n))
        with database.read() as tx:
            answers.append(
                [tx.search.search(WORKSPACE, [ALICE, COMPANY], query, limit=20) for query in queries]
            )
        database.close()
    assert answers[0] == answers[1]


def test_longer_words_follow_however_many_items_have_the_word_itself(shelf: Shelf) -> None:
    whole = [f"green tea no. {number}" for number in range(45)]
    longer = [f"green teapot no. {number}" for number in range(5)]
    shelf.put_all([*whole, *longer])
    assert shelf.find("tea", limit=10) == shelf.find("tea", limit=60)[:10] == whole[:-11:-1]
    assert shelf.find("tea", limit=60) == [*reversed(whole), *reversed(longer)]


def test_the_newest_of_very_many_equals_come_first_although_others_came_later(shelf: Shelf) -> None:
    texts = [f"green tea, part {number}" for number in range(60)]
    older = [f"black tea, part {number}" for number in range(200)]
    for number, text in enumerate(texts):
        shelf.put(text, hours=number)
    for number, text in enumerate(older):
        shelf.put(text, hours=-1 - number)
    newest_first = [*reversed(texts), *older]
    assert shelf.find("tea", limit=10) == newest_first[:10]
    assert shelf.find("tea", limit=50) == newest_first[:50]
    shelf.put(texts[-1], hours=59)
    shelf.put(older[0], hours=-1)
    assert shelf.find("tea", limit=62)[:60] == newest_first[:60]
    rows = shelf.rows()
    for text in (*older, *texts[1:]):
        shelf.remove(text)
    assert shelf.rows() < rows
    shelf.remove(texts[0])
    assert shelf.rows() == 0


def test_an_item_put_into_a_hole_is_not_taken_for_an_old_one(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_segments_of(64, monkeypatch)
    texts = [f"green tea, part {number}" for number in range(320)]
    shelf.put_all(texts)
    for number, text in enumerate(texts):
        if number % 16 != 15:
            shelf.remove(text)
    new = [f"white tea, part {number}" for number in range(30)]
    for number, text in enumerate(new):
        shelf.put(text, hours=100 + number)
    assert shelf.find("tea", limit=5) == new[:-6:-1]


@pytest.mark.parametrize("query", ["tea", "green tea", "where is the green tea with milk kept", "lac"])
def test_a_longer_answer_begins_as_the_shorter_one(shelf: Shelf, query: str) -> None:
    numbers = random.Random(query)  # noqa: S311  the point is to be repeatable
    words = ["green", "black", "tea", "teapot", "with", "milk", "is", "kept", "where", "terrace", "the"]
    texts = [f"{' '.join(numbers.choices(words, k=6))} no. {number}" for number in range(240)]
    for number, text in enumerate(texts):
        # A third of them comes late, and alice has a list of her own.
        shelf.put(text, hours=number - (number % 3) * 100, list_key=ALICE if number % 5 else COMPANY)
    whole = shelf.find(query, limit=1_000, lists=[COMPANY, ALICE])
    assert len(whole) == len(set(whole)) > 50
    for limit in (1, 7, 20, 41, 42, 60, 123, 124, 200):
        assert shelf.find(query, limit=limit, lists=[COMPANY, ALICE]) == whole[:limit]
