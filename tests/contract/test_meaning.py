"""Searching by meaning against every store: vectors follow their items, and no search fails because of a model."""

import logging
import math
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update
from tests.conftest import World
from tests.contract.meanings import (
    WordEmbedder,
    found,
    make_vectors,
    rows_of,
    vector_rows,
    with_meaning,
    work_of,
)

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.embedding import failure_in_words
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.item import MemoryItem, Scope, Status
from workspace_memory.services import embeddings, semantic_signals
from workspace_memory.services.embeddings import VectorWork, semantic_progress_here
from workspace_memory.services.erasing import erase_personal
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.items import Change, edit_item, forget_item
from workspace_memory.services.reviewing import Decision, approve_item
from workspace_memory.services.semantic_signals import SemanticSignal
from workspace_memory.services.workspaces import delete_workspace
from workspace_memory.storage.search import Hit, SearchIndex
from workspace_memory.storage.vector_tables import search_vector_chunks, search_vectors

pytest.importorskip("numpy", reason="the extra semantic is not installed")


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def team(world: World, embedder: WordEmbedder) -> World:
    return with_meaning(world, embedder)


# --- Finding -----------------------------------------------------------------------------------------------------


def test_an_item_is_found_by_what_it_means(team: World) -> None:
    team.save(team.client(team.bob), "bob drives an automobile")
    team.save(team.client(team.bob), "bob has a bicycle")
    make_vectors(team)
    assert found(team, team.bob, "car") == ["bob drives an automobile"]


def test_scores_are_numbers_also_where_the_vectors_of_a_model_are_longer_than_a_single_float(
    team: World, embedder: WordEmbedder
) -> None:
    embedder.length = 1e300
    for text in ("bob drives an automobile", "bob has a bicycle"):
        team.save(team.client(team.bob), text)
    make_vectors(team)
    page = find_items(team.deps, team.client(team.bob), team.workspace, Query("car"))
    assert [each.item.content for each in page.found] == ["bob drives an automobile"]
    assert all(math.isfinite(each.score) for each in page.found)


def test_without_the_signal_it_is_not(team: World) -> None:
    team.save(team.client(team.bob), "bob drives an automobile")
    make_vectors(team)
    off = replace(team, deps=replace(team.deps, semantic=None))
    assert found(off, off.bob, "car") == []


def test_an_item_without_its_vector_is_found_by_its_words(team: World) -> None:
    team.save(team.client(team.bob), "the blue car was washed")
    make_vectors(team)
    team.save(team.client(team.bob), "the red car was washed")
    assert found(team, team.bob, "red car")[0] == "the red car was washed"


def test_the_pages_of_an_answer_go_on_where_the_one_before_ended(team: World) -> None:
    for number in range(5):
        team.save(team.client(team.bob), f"a beverage of the kind {number}x")
    make_vectors(team)
    actor = team.client(team.bob)
    first = find_items(team.deps, actor, team.workspace, Query("tea", limit=3))
    rest = find_items(team.deps, actor, team.workspace, Query("tea", limit=3, cursor=first.next_cursor))
    assert len({each.item.id for each in (*first.found, *rest.found)}) == 5


def test_no_page_however_deep_gives_an_item_again_or_leaves_one_out(
    team: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(semantic_signals, "CANDIDATES", ((12, 8), (1_000, 1_000)))
    words = ("tea", "beverage", "cup", "green tea", "a cup of beverage")
    for number in range(50):
        team.save(team.client(team.bob), f"{words[number % 5]} of the kind {number}x")
    make_vectors(team)
    actor = team.client(team.bob)
    seen: list[MemoryItem] = []
    cursor = None
    for _ in range(20):
        page = find_items(team.deps, actor, team.workspace, Query("tea", limit=7, cursor=cursor))
        seen += [each.item for each in page.found]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len({item.id for item in seen}) == len(seen)
    whole = find_items(team.deps, actor, team.workspace, Query("tea", limit=50)).found
    assert [each.item.id for each in whole] == [item.id for item in seen]


@pytest.mark.parametrize(
    ("query", "limits"),
    [
        ("zebra", [12]),  # two have the word, and nearly none means it
        ("kettle", [12, 1_000]),  # more have the word than were looked at, among many others
        ("car", [12, 1_000]),  # none has the word, and all of the nearest mean it
    ],
)
def test_more_are_looked_at_only_where_there_can_be_more(
    team: World, monkeypatch: pytest.MonkeyPatch, query: str, limits: list[int]
) -> None:
    monkeypatch.setattr(semantic_signals, "CANDIDATES", ((12, 30), (1_000, 1_000)))
    others = [" ".join(f"w{number}x{word}" for word in range(60)) for number in range(20)]
    texts = ["zebra one", "zebra two", *(f"kettle {words}" for words in others)]
    for text in (*texts, *(f"automobile {number}x" for number in range(20))):
        team.save(team.client(team.bob), text)
    make_vectors(team)
    asked: list[int] = []
    search = SearchIndex.search

    def noted(index: SearchIndex, *where: Any, limit: int) -> list[Hit]:
        asked.append(limit)
        return search(index, *where, limit=limit)

    monkeypatch.setattr(SearchIndex, "search", noted)
    answer = find_items(team.deps, team.client(team.bob), team.workspace, Query(query, limit=30))
    assert asked == limits
    assert len(answer.found) >= (2 if query == "zebra" else 20)


# --- Saving ------------------------------------------------------------------------------------------------------


def test_a_save_asks_no_model_and_writes_no_vector(team: World, embedder: WordEmbedder) -> None:
    team.save(team.client(team.bob), "bob drives an automobile")
    assert embedder.asked == []
    assert vector_rows(team) == 0


def test_what_was_saved_before_the_signal_was_switched_on_gets_vectors(
    world: World, embedder: WordEmbedder
) -> None:
    texts = [f"automobile number {number}x" for number in range(40)]
    for text in texts:
        world.save(world.client(world.bob), text)
    make_vectors(with_meaning(world, embedder))
    assert sorted(embedder.asked) == sorted(texts)
    assert rows_of(world.deps.database, "search_vectors") == 40


def test_an_edit_takes_the_old_vector_away_at_once(team: World) -> None:
    item = team.save(team.client(team.bob), "bob drives an automobile").item
    make_vectors(team)
    change = Change("bob visits a physician")
    edit_item(team.deps, team.by_hand(team.bob), team.workspace, item.id, change, shown=item.version)
    assert vector_rows(team) == 0
    make_vectors(team)
    assert found(team, team.bob, "car") == []
    assert found(team, team.bob, "doctor") == ["bob visits a physician"]


def test_what_waits_for_review_has_no_vector(team: World) -> None:
    text = "the company drives an automobile"
    team.set_level(team.bob, AccessLevel.CONTRIBUTE)
    saved = team.save(team.client(team.bob), text, scope=Scope.ORGANIZATION).item
    assert saved.status is Status.PENDING
    make_vectors(team)
    assert vector_rows(team) == 0
    decision = Decision(saved.id, saved.version)
    approve_item(team.deps, team.by_hand(team.alice), team.workspace, decision)
    make_vectors(team)
    assert found(team, team.bob, "car") == [text]


# --- Deleting ----------------------------------------------------------------------------------------------------


def test_a_forgotten_item_leaves_no_vector_also_where_the_signal_is_off_by_then(team: World) -> None:
    item = team.save(team.client(team.bob), "bob drives an automobile").item
    make_vectors(team)
    assert vector_rows(team) == 2
    off = replace(team, deps=replace(team.deps, semantic=None))
    forget_item(off.deps, off.client(off.bob), off.workspace, item.id)
    assert vector_rows(team) == 0


def test_a_forgotten_item_leaves_the_vectors_of_others(team: World) -> None:
    item = team.save(team.client(team.bob), "bob drives an automobile").item
    team.save(team.client(team.bob), "bob visits a physician")
    make_vectors(team)
    forget_item(team.deps, team.client(team.bob), team.workspace, item.id)
    assert found(team, team.bob, "car") == []
    assert found(team, team.bob, "doctor") == ["bob visits a physician"]


def test_erased_personal_memory_leaves_no_vector(team: World) -> None:
    team.save(team.client(team.bob), "bob drives an automobile")
    team.company_item("the office has a physician")
    make_vectors(team)
    erase_personal(team.deps, team.by_hand(team.alice), team.workspace, team.bob)
    with team.deps.database.read() as tx:
        lists = tx.connection.exec_driver_sql("SELECT list_key FROM search_vectors").scalars().all()
        chunks = tx.connection.exec_driver_sql("SELECT list_key FROM search_vector_chunks").scalars().all()
    assert lists == chunks == ["company"]


def test_a_deleted_workspace_leaves_no_vector(team: World) -> None:
    team.company_item("the office has a physician")
    make_vectors(team)
    delete_workspace(team.deps, team.by_hand(team.alice), team.workspace, confirm_name="Tea shop")
    assert vector_rows(team) == 0


# --- Isolation ---------------------------------------------------------------------------------------------------


def test_nobody_finds_by_meaning_what_somebody_else_keeps(team: World) -> None:
    team.save(team.client(team.bob), "bob drives an automobile")
    team.save(team.client(team.mallory), "mallory drives an automobile")
    make_vectors(team)
    assert found(team, team.carol, "car") == []
    assert found(team, team.mallory, "car") == ["mallory drives an automobile"]


def test_what_somebody_asks_who_may_not_search_goes_to_no_model(team: World, embedder: WordEmbedder) -> None:
    actor = team.client(team.mallory)
    with pytest.raises(NotFound):
        find_items(team.deps, actor, team.workspace, Query("car"))
    assert embedder.asked == []


def test_no_vector_of_another_list_is_read(team: World) -> None:
    team.company_item("the office has an automobile")
    team.save(team.client(team.bob), "bob drives an automobile")
    team.save(team.client(team.mallory), "mallory drives an automobile")
    make_vectors(team)
    with team.deps.database.begin() as tx:
        # Whoever reads one of these rows fails by it.
        for table, column in ((search_vectors, "vector"), (search_vector_chunks, "signs")):
            broken = update(table).where(table.c.list_key != "company").values({column: b"8 bytes."})
            tx.connection.execute(broken)
    assert found(team, team.carol, "car") == ["the office has an automobile"]
    with pytest.raises((IndexError, ValueError)):
        found(team, team.bob, "car")


def test_another_list_changes_no_score(team: World) -> None:
    team.company_item("the office has an automobile")
    make_vectors(team)
    actor = team.client(team.carol)
    before = find_items(team.deps, actor, team.workspace, Query("car")).found[0].score
    for number in range(5):
        team.save(team.client(team.bob), f"automobile number {number}x")
    make_vectors(team)
    assert find_items(team.deps, actor, team.workspace, Query("car")).found[0].score == before


# --- Another model, an end in the middle -------------------------------------------------------------------------


def test_another_model_makes_all_anew_and_then_the_old_vectors_go(team: World) -> None:
    team.save(team.client(team.bob), "bob drives an automobile")
    make_vectors(team)
    other = with_meaning(team, WordEmbedder("other words"))
    assert found(other, other.bob, "car") == []
    work = work_of(other)
    assert work.work_once() == 1
    assert found(other, other.bob, "car") == ["bob drives an automobile"]
    assert vector_rows(other) == 4
    assert work.work_once() == 0
    assert vector_rows(other) == 2


def test_an_end_in_the_middle_loses_nothing_but_time(
    team: World, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embeddings, "BATCH", 4)
    for number in range(10):
        team.save(team.client(team.bob), f"automobile number {number}x")

    def end_in_the_second_batch() -> None:
        if embedder.asked:
            raise KeyboardInterrupt

    embedder.meanwhile = end_in_the_second_batch
    with pytest.raises(KeyboardInterrupt):
        make_vectors(team)
    assert rows_of(team.deps.database, "search_vectors") == 4
    embedder.meanwhile = lambda: None
    make_vectors(team)
    assert len(embedder.asked) == len(set(embedder.asked)) == 10
    assert rows_of(team.deps.database, "search_vectors") == 10


def test_what_is_edited_while_the_model_works_gets_no_vector_of_its_old_text(
    team: World, embedder: WordEmbedder
) -> None:
    item = team.save(team.client(team.bob), "bob drives an automobile").item

    def edit() -> None:
        embedder.meanwhile = lambda: None
        change = Change("bob visits a physician")
        edit_item(team.deps, team.by_hand(team.bob), team.workspace, item.id, change, shown=item.version)

    embedder.meanwhile = edit
    work_of(team).work_once()
    assert vector_rows(team) == 0
    make_vectors(team)
    assert found(team, team.bob, "doctor") == ["bob visits a physician"]


@pytest.mark.parametrize("what", ["item", "member", "workspace"])
def test_what_is_deleted_while_the_model_works_gets_none(
    team: World, embedder: WordEmbedder, what: str
) -> None:
    item = team.save(team.client(team.bob), "bob drives an automobile").item
    embedder.meanwhile = lambda: delete_one(team, item, what)
    work_of(team).work_once()
    assert vector_rows(team) == 0


def delete_one(team: World, item: MemoryItem, what: str) -> None:
    """Delete bob's item alone, or with all that he or the workspace has."""
    admin = team.by_hand(team.alice)
    if what == "item":
        forget_item(team.deps, team.client(team.bob), team.workspace, item.id)
    elif what == "member":
        erase_personal(team.deps, admin, team.workspace, team.bob)
    else:
        delete_workspace(team.deps, admin, team.workspace, confirm_name="Tea shop")


# --- Failing -----------------------------------------------------------------------------------------------------


def test_where_the_model_fails_the_words_answer_and_the_log_says_so_once(
    world: World, embedder: WordEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    now = [0.0]
    signal = SemanticSignal(embedder, monotonic=lambda: now[0])
    team = replace(world, deps=replace(world.deps, semantic=signal))
    team.save(team.client(team.bob), "the car was washed")
    team.save(team.client(team.bob), "bob drives an automobile")
    make_vectors(team)
    embedder.failing = "http_503"
    with caplog.at_level(logging.INFO, logger="workspace_memory"):
        for _ in range(3):
            assert found(team, team.bob, "car") == ["the car was washed"]
            now[0] += semantic_signals.PAUSE_SECONDS + 1
        embedder.failing = ""
        assert len(found(team, team.bob, "car")) == 2
    assert [record.message for record in caplog.records] == [
        "semantic_failed: http_503; searches go by words alone meanwhile",
        "semantic_works_again",
    ]


def test_another_kind_of_failure_is_logged_once_as_well(
    world: World, embedder: WordEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    now = [0.0]
    signal = SemanticSignal(embedder, monotonic=lambda: now[0])
    team = replace(world, deps=replace(world.deps, semantic=signal))
    with caplog.at_level(logging.INFO, logger="workspace_memory"):
        for code in ("ConnectError", "http_401", "ConnectError", "http_401", "", "http_401"):
            embedder.failing = code
            found(team, team.bob, f"car {now[0]}")
            now[0] += semantic_signals.PAUSE_SECONDS + 1
    assert [record.message.partition(";")[0] for record in caplog.records] == [
        "semantic_failed: ConnectError",
        "semantic_failed: http_401",
        "semantic_works_again",
        "semantic_failed: http_401",
    ]


def test_the_progress_says_in_words_what_fails(team: World, embedder: WordEmbedder) -> None:
    embedder.failing = "http_401"
    found(team, team.bob, "car")
    progress = semantic_progress_here(team.deps)
    assert progress is not None
    assert (progress.failing, progress.failing_reason) == ("http_401", failure_in_words("http_401"))


def test_a_text_that_the_model_does_not_take_holds_nothing_up(team: World, embedder: WordEmbedder) -> None:
    embedder.refused = "endless"
    for text in ("bob drives an automobile", "an endless story", "bob visits a physician"):
        team.save(team.client(team.bob), text)
    make_vectors(team)
    assert rows_of(team.deps.database, "search_vectors") == 2
    assert found(team, team.bob, "endless story")[0] == "an endless story"
    assert found(team, team.bob, "doctor")[0] == "bob visits a physician"


def all_due(work: VectorWork) -> None:
    while work.work_once():
        pass


def test_a_refused_text_is_tried_again_later_and_later(team: World, embedder: WordEmbedder) -> None:
    embedder.refused = "endless"
    team.save(team.client(team.bob), "an endless automobile")
    work = work_of(team)
    all_due(work)
    tries = embedder.refusals
    for minutes in (1, 4, 16, 64, 256, 360, 360):
        team.clock.move(timedelta(minutes=minutes, seconds=-1))
        all_due(work)
        assert embedder.refusals == tries, f"tried before {minutes} minutes"
        team.clock.move(timedelta(seconds=1))
        all_due(work)
        tries += 1
        assert embedder.refusals == tries, f"not tried after {minutes} minutes"
    embedder.refused = ""
    team.clock.move(timedelta(minutes=360))
    all_due(work)
    assert found(team, team.bob, "car") == ["an endless automobile"]
    assert rows_of(team.deps.database, "search_vector_refusals") == 0


def test_a_process_that_starts_tries_again_at_once(team: World, embedder: WordEmbedder) -> None:
    embedder.refused = "endless"
    team.save(team.client(team.bob), "an endless automobile")
    make_vectors(team)
    embedder.refused = ""
    team.clock.move(timedelta(seconds=1))
    make_vectors(team)
    assert found(team, team.bob, "car") == ["an endless automobile"]


@pytest.mark.parametrize("hours", [-1, -24 * 365])
def test_a_clock_that_is_set_back_makes_a_refused_text_due_once(
    team: World, embedder: WordEmbedder, hours: int
) -> None:
    embedder.refused = "endless"
    team.save(team.client(team.bob), "an endless story")
    work = work_of(team)
    for tries in (2, 3):
        all_due(work)
        team.clock.move(timedelta(hours=hours))
        for _ in range(5):
            work.work_once()
        assert embedder.refusals == tries


def test_a_text_that_was_refused_while_the_clock_was_ahead_is_tried_again(
    team: World, embedder: WordEmbedder
) -> None:
    embedder.refused = "endless"
    team.save(team.client(team.bob), "an endless automobile")
    team.clock.move(timedelta(days=365))
    work = work_of(team)
    all_due(work)
    team.clock.move(-timedelta(days=365))
    embedder.refused = ""
    assert (shown := semantic_progress_here(team.deps)) is not None
    assert [refused.next_try_at for refused in shown.refused] == [team.clock.now()]
    all_due(work)
    assert found(team, team.bob, "car") == ["an endless automobile"]


def test_two_processes_whose_clocks_differ_do_not_send_each_other_round(
    team: World, embedder: WordEmbedder
) -> None:
    embedder.refused = "endless"
    team.save(team.client(team.bob), "an endless story")
    one, other = work_of(team), work_of(team)
    for _ in range(10):
        one.work_once()
        team.clock.move(timedelta(days=1))
        other.work_once()
        team.clock.move(-timedelta(days=1))
    assert embedder.refusals <= 4


def test_texts_that_are_tried_again_take_no_others_with_them(team: World, embedder: WordEmbedder) -> None:
    embedder.refused = "endless"
    for number in range(3):
        team.save(team.client(team.bob), f"an endless story number {number}x")
    work = work_of(team)
    all_due(work)
    for number in range(5):
        team.save(team.client(team.bob), f"automobile number {number}x")
    team.clock.move(timedelta(minutes=1))
    before = embedder.refusals
    all_due(work)
    assert embedder.refusals == before + 3
    assert rows_of(team.deps.database, "search_vectors") == 5


def test_a_refused_text_that_is_edited_is_tried_at_once(team: World, embedder: WordEmbedder) -> None:
    embedder.refused = "endless"
    item = team.save(team.client(team.bob), "an endless story").item
    work = work_of(team)
    all_due(work)
    change = Change("bob drives an automobile")
    edit_item(team.deps, team.by_hand(team.bob), team.workspace, item.id, change, shown=item.version)
    assert rows_of(team.deps.database, "search_vector_refusals") == 0
    all_due(work)
    assert found(team, team.bob, "car") == ["bob drives an automobile"]


def test_what_is_edited_while_the_model_refuses_its_old_text_does_not_wait(
    team: World, embedder: WordEmbedder
) -> None:
    embedder.refused = "endless"
    item = team.save(team.client(team.bob), "an endless story").item

    def edit() -> None:
        embedder.meanwhile = lambda: None
        change = Change("bob drives an automobile")
        edit_item(team.deps, team.by_hand(team.bob), team.workspace, item.id, change, shown=item.version)

    embedder.meanwhile = edit
    all_due(work_of(team))
    assert rows_of(team.deps.database, "search_vector_refusals") == 0
    assert found(team, team.bob, "car") == ["bob drives an automobile"]


@pytest.mark.parametrize("what", ["item", "member", "workspace"])
def test_that_a_text_was_refused_goes_with_it(team: World, embedder: WordEmbedder, what: str) -> None:
    embedder.refused = "endless"
    item = team.save(team.client(team.bob), "an endless story").item
    make_vectors(team)
    assert rows_of(team.deps.database, "search_vector_refusals") == 1
    delete_one(team, item, what)
    assert rows_of(team.deps.database, "search_vector_refusals") == 0


def test_another_model_does_not_wait_for_what_the_old_one_refused(
    team: World, embedder: WordEmbedder
) -> None:
    embedder.refused = "endless"
    team.save(team.client(team.bob), "an endless automobile")
    make_vectors(team)
    other = with_meaning(team, WordEmbedder("other words"))
    make_vectors(other)
    assert found(other, other.bob, "car") == ["an endless automobile"]
    assert rows_of(team.deps.database, "search_vector_refusals") == 0


def test_the_progress_says_how_many_texts_wait_and_why(team: World, embedder: WordEmbedder) -> None:
    embedder.refused = "endless"
    team.save(team.client(team.bob), "bob drives an automobile")
    for user in (team.bob, team.mallory):
        team.save(team.client(user), "an endless story")
    make_vectors(team)
    progress = semantic_progress_here(team.deps)
    assert progress is not None
    assert (progress.items, progress.vectors) == (3, 1)
    [refused] = progress.refused
    assert (refused.code, refused.texts) == ("http_400", 2)
    assert "too long for the model" in refused.reason
    assert refused.next_try_at == team.clock.now() + timedelta(minutes=1)


def test_the_log_tells_once_that_a_text_was_refused(
    team: World, embedder: WordEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    embedder.refused = "endless"
    team.save(team.client(team.bob), "an endless story")
    work = work_of(team)
    with caplog.at_level(logging.WARNING, logger="workspace_memory"):
        for _ in range(3):
            all_due(work)
            team.clock.move(timedelta(days=1))
    assert [record.message for record in caplog.records] == [
        "semantic_text_refused: http_400; found by its words alone until it is taken"
    ]


def test_a_model_that_has_just_failed_is_left_alone(team: World, embedder: WordEmbedder) -> None:
    calls: list[int] = []
    embedder.failing = "ConnectError"
    embedder.meanwhile = lambda: calls.append(1)
    for _ in range(3):
        found(team, team.bob, "car")
    assert len(calls) == 1


# --- The work itself ---------------------------------------------------------------------------------------------


def test_the_progress_counts_every_list(team: World) -> None:
    team.save(team.client(team.bob), "bob drives an automobile")
    team.save(team.client(team.mallory), "mallory drives an automobile")
    work_of(team).work_once()
    progress = semantic_progress_here(team.deps)
    assert progress is not None
    assert (progress.items, progress.vectors, progress.failing) == (2, 1, "")
    make_vectors(team)
    assert (made := semantic_progress_here(team.deps)) is not None
    assert made.vectors == 2


def test_the_log_counts_and_tells_no_text(team: World, caplog: pytest.LogCaptureFixture) -> None:
    team.save(team.client(team.bob), "bob drives an automobile")
    with caplog.at_level(logging.INFO, logger="workspace_memory"):
        make_vectors(team)
    assert caplog.records[-1].message == "semantic_vectors: 1 of 1 items"
    assert "automobile" not in caplog.text


def test_the_log_counts_as_the_progress_does_and_once(
    team: World, embedder: WordEmbedder, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embeddings, "LOG_SECONDS", 1e9)
    embedder.refused = "endless"
    for text in ("bob drives an automobile", "an endless story", "bob visits a physician"):
        team.save(team.client(team.bob), text)
    work = work_of(team)
    with caplog.at_level(logging.INFO, logger="workspace_memory"):
        for _ in range(3):
            all_due(work)
            team.clock.move(timedelta(days=1))
    assert (progress := semantic_progress_here(team.deps)) is not None
    assert (progress.vectors, progress.items) == (2, 3)
    counts = [record.message for record in caplog.records if record.message.startswith("semantic_vectors")]
    assert counts == ["semantic_vectors: 2 of 3 items"]


def test_the_thread_makes_vectors_until_it_is_stopped(
    team: World, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embeddings, "START_SECONDS", 0.0)
    team.save(team.client(team.bob), "bob drives an automobile")
    work = work_of(team)
    work.start()
    assert embedder.busy.wait(30)
    work.stop()
    assert vector_rows(team) == 2
