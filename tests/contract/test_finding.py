"""Finding: ranked and newest first, narrowed, in pages that stay in step, and safe for every text."""

import secrets
from datetime import timedelta

import pytest
from tests.conftest import World

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.errors import InvalidRequest, LevelTooLow
from workspace_memory.domain.ids import ItemVersion
from workspace_memory.domain.item import Kind, Scope, Status
from workspace_memory.services.finding import LIMIT_MAX, FoundPage, Query, find_items
from workspace_memory.services.items import Change, edit_item

COMPANY = Scope.ORGANIZATION


def find(world: World, query: Query, who: str = "bob") -> FoundPage:
    return find_items(world.deps, world.client(getattr(world, who)), world.workspace, query)


def texts(page: FoundPage) -> list[str]:
    return [found.item.content for found in page.found]


def keep(world: World, *contents: str, **changes: object) -> None:
    """Save personal items of bob's, each a minute after the one before."""
    for content in contents:
        world.save(world.by_hand(world.bob), content, **changes)
        world.clock.move(timedelta(minutes=1))


def all_pages(world: World, query: Query) -> list[str]:
    seen: list[str] = []
    page = find(world, query)
    for _ in range(100):
        seen += texts(page)
        if page.next_cursor is None:
            return seen
        page = find(world, Query(query.text, limit=query.limit, cursor=page.next_cursor))
    pytest.fail("the pages do not end")


@pytest.mark.requirement("items:search:every-argument-is-optional")
def test_without_a_query_the_newest_come_first(world: World) -> None:
    keep(world, "first", "second", "third")
    assert texts(find(world, Query())) == ["third", "second", "first"]


def test_an_edit_does_not_move_an_item_to_the_top(world: World) -> None:
    keep(world, "first", "second")
    oldest = find(world, Query()).found[-1].item
    edit_item(
        world.deps,
        world.by_hand(world.bob),
        world.workspace,
        oldest.id,
        Change("edited"),
        shown=ItemVersion(1),
    )
    assert texts(find(world, Query())) == ["second", "edited"]


@pytest.mark.requirement("items:search:ranked-by-relevance")
@pytest.mark.requirement("items:unit:search-rank-order")
def test_more_and_rarer_words_come_first(world: World) -> None:
    keep(world, "green tea with honey", "tea", "green tea", "tea in the morning", "tea at noon")
    assert texts(find(world, Query("green tea honey")))[:2] == ["green tea with honey", "green tea"]


@pytest.mark.requirement("items:search:any-word-matches")
def test_one_word_of_the_query_is_enough(world: World) -> None:
    keep(world, "the espresso machine", "something else")
    assert texts(find(world, Query("espresso giraffe"))) == ["the espresso machine"]


@pytest.mark.requirement("items:search:scope-narrows")
@pytest.mark.parametrize("text", ["", "tea"])
@pytest.mark.parametrize("scope", list(Scope))
def test_a_scope_narrows(world: World, text: str, scope: Scope) -> None:
    for each in Scope:
        keep(world, f"{each} tea", scope=each)
    assert texts(find(world, Query(text, scope=scope))) == [f"{scope} tea"]


@pytest.mark.parametrize("text", ["", "tea"])
@pytest.mark.parametrize("kind", list(Kind))
def test_a_kind_narrows(world: World, text: str, kind: Kind) -> None:
    for each in Kind:
        keep(world, f"{each} tea", kind=each)
    assert texts(find(world, Query(text, kind=kind))) == [f"{kind} tea"]


@pytest.mark.parametrize("text", ["", "tea"])
@pytest.mark.parametrize("tag", ["Drinks", "DRINKS", " drinks "])
def test_a_tag_narrows_whatever_its_case(world: World, text: str, tag: str) -> None:
    keep(world, "green tea", tags=("Drinks", "hot"))
    keep(world, "tea shop", tags=("drink", "soft drinks"))
    assert texts(find(world, Query(text, tag=tag))) == ["green tea"]


@pytest.mark.parametrize("tag", ["100%", "a_b", "a\\b", "c++"])
def test_a_tag_is_no_pattern(world: World, tag: str) -> None:
    keep(world, "with it", tags=(tag,))
    keep(world, "without it", tags=("100x", "axb", "acb", "cpp"))
    assert texts(find(world, Query(tag=tag))) == ["with it"]


@pytest.mark.parametrize("text", ["", "tea"])
def test_a_blank_tag_narrows_nothing(world: World, text: str) -> None:
    keep(world, "green tea")
    assert texts(find(world, Query(text, tag=" "))) == ["green tea"]


@pytest.mark.parametrize("text", ["", "tea"])
@pytest.mark.parametrize("tag", ["a\nb", "a\0", "\ud800", "x" * 51, "a" + "\u0301\u0316" * 50_000])
def test_what_can_be_no_tag_is_refused(world: World, text: str, tag: str) -> None:
    keep(world, "green tea")
    with pytest.raises(InvalidRequest) as refused:
        find(world, Query(text, tag=tag))
    assert refused.value.field == "tag"


@pytest.mark.parametrize("status", [Status.PENDING, Status.REJECTED, None])
def test_a_search_is_for_active_items(world: World, status: Status | None) -> None:
    with pytest.raises(InvalidRequest, match="status"):
        find(world, Query("tea", status=status))


@pytest.mark.requirement("items:model:status-is-active-pending-or-rejected")
def test_what_is_not_active_is_not_found(world: World) -> None:
    world.set_level(world.bob, AccessLevel.CONTRIBUTE)
    world.save(world.client(world.bob), "pending tea", scope=COMPANY)
    assert texts(find(world, Query("tea"))) == texts(find(world, Query())) == []
    assert texts(find(world, Query(status=Status.PENDING))) == ["pending tea"]


@pytest.mark.requirement("items:search:limit-bounds-the-answer")
@pytest.mark.parametrize("text", ["", "tea"])
@pytest.mark.parametrize(("limit", "shown"), [(-5, 1), (0, 1), (1, 1), (3, 3), (LIMIT_MAX, 50), (1_000, 50)])
def test_the_limit_is_kept_within_1_and_50(world: World, text: str, limit: int, shown: int) -> None:
    keep(world, *(f"tea number {number}" for number in range(LIMIT_MAX + 2)))
    page = find(world, Query(text, limit=limit))
    assert (len(page.found), page.more) == (shown, True)


@pytest.mark.parametrize("text", ["", "tea"])
@pytest.mark.parametrize("limit", [1, 3, 7, 50])
def test_the_pages_hold_every_item_once(world: World, text: str, limit: int) -> None:
    contents = [f"tea number {number}" for number in range(7)]
    keep(world, *contents)
    assert sorted(all_pages(world, Query(text, limit=limit))) == contents


def test_items_of_the_same_moment_are_all_in_the_pages(world: World) -> None:
    contents = [f"tea number {number}" for number in range(7)]
    for content in contents:
        world.save(world.by_hand(world.bob), content)
    assert sorted(all_pages(world, Query(limit=2))) == contents


def test_what_is_added_meanwhile_shifts_nothing(world: World) -> None:
    keep(world, "first", "second", "third", "fourth")
    page = find(world, Query(limit=2))
    keep(world, "fifth", "sixth")
    assert texts(find(world, Query(limit=2, cursor=page.next_cursor))) == ["second", "first"]


def test_the_last_page_has_no_cursor(world: World) -> None:
    keep(world, "first", "second")
    assert find(world, Query(limit=2)).next_cursor is None


@pytest.mark.parametrize(
    "other",
    [
        Query("coffee"),
        Query(),
        Query("tea", scope=Scope.PERSONAL),
        Query("tea", kind=Kind.FACT),
        Query("tea", tag="drinks"),
    ],
)
def test_a_cursor_continues_its_own_query_only(world: World, other: Query) -> None:
    keep(world, "green tea", "black tea", "coffee")
    cursor = find(world, Query("tea", limit=1)).next_cursor
    assert cursor is not None
    with pytest.raises(InvalidRequest, match="cursor"):
        find(world, Query(other.text, other.scope, other.kind, other.tag, cursor=cursor))


@pytest.mark.parametrize("text", ["", "tea"])
@pytest.mark.parametrize("cursor", ["", "x", "\0", "\ud800", "W10", "A" * 10_000])
def test_a_hostile_cursor_is_refused(world: World, text: str, cursor: str) -> None:
    with pytest.raises(InvalidRequest, match="cursor"):
        find(world, Query(text, cursor=cursor))


def test_anothers_cursor_opens_no_list_of_theirs(world: World) -> None:
    keep(world, "first", "second", "third")
    cursor = find(world, Query(limit=1)).next_cursor
    assert texts(find(world, Query(cursor=cursor), who="carol")) == []


@pytest.mark.parametrize(
    "text",
    [
        '"',
        "(",
        "*",
        "NOT",
        "a AND",
        "%",
        "_",
        "'; DROP TABLE memory_items; --",
        "\0",
        "\ud800",
        "-" * 10_000,
        "é" * 10_000,
        "tea " * 5_000,
    ],
)
def test_any_text_is_a_query(world: World, text: str) -> None:
    keep(world, "green tea")
    assert set(texts(find(world, Query(text)))) <= {"green tea"}


@pytest.mark.requirement("items:unit:search-needs-level-read")
@pytest.mark.parametrize("text", ["", "tea"])
def test_below_read_nothing_is_found(world: World, text: str) -> None:
    world.set_level(world.bob, AccessLevel.NONE)
    with pytest.raises(LevelTooLow):
        find(world, Query(text))


@pytest.mark.requirement("items:unit:search-needs-level-read")
@pytest.mark.parametrize("level", [AccessLevel.READ, AccessLevel.PERSONAL, AccessLevel.CONTRIBUTE])
def test_from_read_on_it_is(world: World, level: AccessLevel) -> None:
    keep(world, "green tea")
    world.set_level(world.bob, level)
    assert texts(find(world, Query("tea"))) == ["green tea"]


@pytest.mark.requirement("items:settings:default-access-starts-as-personal")
@pytest.mark.requirement("items:unit:access-inherited")
def test_who_inherits_has_the_workspaces_default(world: World) -> None:
    find(world, Query())
    world.configure(default_access=AccessLevel.NONE)
    with pytest.raises(LevelTooLow):
        find(world, Query())


def test_a_token_that_may_nothing_finds_nothing_by_hand_either(world: World) -> None:
    with pytest.raises(LevelTooLow):
        find_items(world.deps, world.by_hand(world.bob, max_level=AccessLevel.NONE), world.workspace, Query())


def test_the_whole_text_of_an_item_finds_that_item_first_among_its_like(world: World) -> None:
    texts = [f"client {number} says {secrets.token_hex(16)}" for number in range(40)]
    for text in texts:
        world.company_item(text)
    for text in texts:
        page = find_items(world.deps, world.by_hand(world.bob), world.workspace, Query(text, limit=1))
        assert [found.item.content for found in page.found] == [text]


def test_a_hash_finds_the_item_that_has_it(world: World) -> None:
    hashes = [secrets.token_hex(16) for _ in range(40)]
    for text in hashes:
        world.company_item(f"Build {text} went out")
    for text in hashes:
        page = find_items(world.deps, world.by_hand(world.bob), world.workspace, Query(text, limit=1))
        assert [found.item.content for found in page.found] == [f"Build {text} went out"]


@pytest.mark.requirement("items:unit:search-words-then-substring")
def test_whole_words_come_before_parts_of_words_and_parts_are_found(world: World) -> None:
    part = world.company_item("The framework is chosen in May").item.id
    whole = world.company_item("Every picture needs a frame").item.id
    assert [found.item.id for found in find(world, Query("frame")).found] == [whole, part]
    assert [found.item.id for found in find(world, Query("ramewor")).found] == [part]
