"""Scripts without blanks between words, letters with marks, and texts in another language than the client's."""

import unicodedata
from typing import Literal

import pytest
from sqlalchemy import select
from tests.conftest import World

from workspace_memory.domain.item import Scope
from workspace_memory.services.finding import Query, find_items
from workspace_memory.storage.tables import memory_item_history, memory_items

UNSPACED = {
    "雾凇词库部署": ("雾凇", "词库", "部署", "词"),
    "회의실예약안내": ("회의실", "예약", "안내", "약"),
    "緑茶在庫管理表": ("緑茶", "在庫", "管理表", "庫"),
    "ひらがなのメモ": ("ひらがな", "メモ", "な"),
    "ห้องประชุมชั้นสอง": ("ห้องประชุม", "ชั้นสอง", "ประชุม", "ห"),
}


def found(world: World, text: str) -> list[str]:
    page = find_items(world.deps, world.client(world.bob), world.workspace, Query(text))
    return [each.item.content for each in page.found]


@pytest.mark.requirement("field:case-10")
@pytest.mark.parametrize("content", UNSPACED)
def test_a_text_without_blanks_is_found_by_its_words_and_by_one_character(world: World, content: str) -> None:
    for each in (content, "something else", "別の話題", "다른주제", "เรื่องอื่น"):
        world.save(world.by_hand(world.bob), each)
    for query in UNSPACED[content]:
        assert found(world, query)[:1] == [content], query


@pytest.mark.requirement("field:case-11")
def test_umlauts_and_sharp_s_are_found_however_they_are_written(world: World) -> None:
    for each in ("Großküche München", "Kleine Kochecke Bremen", "Munk und Grote"):
        world.save(world.by_hand(world.bob), each)
    queries = [
        "grosskueche",
        "GROSSKUECHE",
        "Munchen",
        "MÜNCHEN",
        "muenchen",
        "küche",
        "kuche",
        "kueche",
        "großküche",
    ]
    for query in (*queries, *(unicodedata.normalize("NFD", each) for each in queries)):
        assert found(world, query)[:1] == ["Großküche München"], ascii(query)


@pytest.mark.requirement("field:case-12")
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_text_is_stored_as_it_came_but_for_its_composed_form(
    world: World, form: Literal["NFC", "NFD"]
) -> None:
    composed = "L’ufficio è chiuso perché piove; più tè verde a mezzodì — «così» disse."
    world.save(world.client(world.bob), unicodedata.normalize(form, composed), scope=Scope.PERSONAL)
    with world.deps.database.read() as tx:
        stored = [
            tx.connection.scalars(select(table.c.content)).all()
            for table in (memory_items, memory_item_history)
        ]
    assert stored == [[composed], [composed]]
    assert found(world, "tè verde") == [composed]
