"""Nothing answers differently because of what somebody else keeps: actor × item × route, over every route and tool.

The rows come from the OpenAPI document and tools/list (`oracle_routes.py`), so that a new one joins by itself. On
SQLite every row is asked, on PostgreSQL a seeded selection, whose seed is printed.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

import httpx2
import pytest
from tests.conftest import World
from tests.e2e.conftest import Live
from tests.e2e.mcp_client import RawHttp
from tests.e2e.oracle_routes import NOTHING, Ask, Asks, CannotFill, Json, rest_asks, tool_asks
from tests.e2e.oracle_stage import Answer, Caller, Exhibit, Stage, build_stage, exhibits
from tests.e2e.rest_calls import Rest

SEED = 20261130
SELECTED = 300
VISIBLE_SELECTED = 80
PAGES_MAX = 60
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """One question of the matrix."""

    caller: Caller
    exhibit: Exhibit
    ask: Ask

    def __str__(self) -> str:
        """For the report of a failure."""
        return f"{self.caller.name} | {self.exhibit.name} | {self.ask.name}"


@pytest.fixture
def stage(rest: Rest) -> Stage:
    return build_stage(rest)


def asks_of(live: Live) -> tuple[Asks, Asks]:
    """What routes and what tools let one ask."""
    document = cast("Json", httpx2.get(f"{live.url}/api/v1/openapi.json", verify=False, timeout=60).json())
    world = live.world
    listed = RawHttp(live.mcp_url, live.token(world.alice)).request("tools/list").json()
    return rest_asks(document), tool_asks(cast("Sequence[Json]", listed["result"]["tools"]))


def fitting(caller: Caller, asks: tuple[Asks, Asks]) -> Asks:
    """Routes for sessions and tokens, tools for tokens of clients."""
    return asks[1] if caller.is_tool else asks[0]


def selected(world: World, rows: Iterable[Row], most: int = SELECTED) -> list[Row]:
    """All rows on SQLite, some on PostgreSQL."""
    every = list(rows)
    if on_sqlite(world) or len(every) <= most:
        return every
    return _chosen(every, most)


def _chosen(every: Sequence[T], most: int) -> list[T]:
    return random.Random(SEED).sample(every, most)  # noqa: S311  a selection, the same each time


def on_sqlite(world: World) -> bool:
    return "Sqlite" in type(world.deps.database.dialect).__name__


def tell(capsys: pytest.CaptureFixture[str], stage: Stage, said: str) -> None:
    kind = "SQLite" if on_sqlite(stage.world) else f"PostgreSQL, selected with seed {SEED}"
    with capsys.disabled():
        print(f"\n  oracle matrix, {kind}: {said}")  # noqa: T201  the size of the matrix is to be seen


@pytest.mark.requirement("field:case-02:governance")
@pytest.mark.requirement("items:privacy:answers-like-a-missing-item")
def test_what_one_may_not_know_of_answers_like_a_random_id(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    asks = asks_of(stage.live)
    shown = {exhibit.name: exhibit.make().id for exhibit in exhibits(stage)}
    rows = selected(
        stage.world,
        (
            Row(caller, exhibit, ask)
            for exhibit in exhibits(stage)
            for caller in stage.callers
            if not exhibit.seen_by(caller, stage.world)
            for ask in fitting(caller, asks).by_id
        ),
    )
    missing: dict[tuple[str, str], Answer] = {}
    told: list[str] = []
    for row in rows:
        key = (row.caller.name, row.ask.name)
        if key not in missing:
            missing[key] = row.caller.ask(row.ask)
            assert missing[key].status in {200, 400, 403, 404}, row
        if row.caller.ask(row.ask, shown[row.exhibit.name]) != missing[key]:
            told.append(str(row))
    tell(capsys, stage, f"{len(rows)} rows of hidden items, {len(missing)} of a random id")
    assert told == []


def test_who_may_know_of_an_item_is_answered_otherwise(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else the matrix might be silent because it asks nothing."""
    asks = asks_of(stage.live)
    every = [
        Row(caller, exhibit, ask)
        for exhibit in exhibits(stage)
        for caller in stage.callers
        if exhibit.seen_by(caller, stage.world)
        for ask in fitting(caller, asks).by_id
        # Whatever the item: without the version shown an edit is not valid, and a client is handed active ones alone.
        if (ask.headers or "If-Match" not in ask.takes)
        and (not caller.is_tool or exhibit.name.startswith("personal"))
    ]
    rows = _chosen(every, VISIBLE_SELECTED)
    same = [
        str(row) for row in rows if row.caller.ask(row.ask, row.exhibit.make().id) == row.caller.ask(row.ask)
    ]
    tell(capsys, stage, f"{len(rows)} rows of visible items")
    assert same == []


def lists_of(caller: Caller, asks: Asks) -> Iterator[tuple[str, Answer]]:
    """Every list that the caller can ask for, page by page."""
    for ask in asks.lists:
        query: dict[str, str] = {}
        for page in range(PAGES_MAX):
            answer = caller.ask(ask, **query)
            yield f"{caller.name} | {ask.name} | page {page}", answer
            cursor = _next_cursor(answer.body)
            if cursor is None:
                break
            query = {"cursor": cursor}


def _next_cursor(body: bytes) -> str | None:
    marker = b'"next_cursor":"'
    if marker not in body:
        return None
    return body.partition(marker)[2].partition(b'"')[0].decode()


def snapshot(callers: Iterable[Caller], asks: tuple[Asks, Asks]) -> dict[str, Answer]:
    """Every list of these callers, page by page."""
    return {name: answer for caller in callers for name, answer in lists_of(caller, fitting(caller, asks))}


@pytest.mark.requirement("field:case-02:governance")
def test_lists_searches_counts_and_cursors_do_not_change_with_what_others_keep(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    world = stage.world
    routes, tools = asks_of(stage.live)
    if not on_sqlite(world):
        routes, tools = (replace(each, lists=_chosen(each.lists, 8)) for each in (routes, tools))
    asks = (routes, tools)
    for owner in (world.alice, world.bob, world.carol):
        stage.make_personal(owner)
    stage.make_active(world.bob)
    others = [caller for caller in stage.callers if caller.user != world.bob]
    by_hand = [caller for caller in others if _curates(caller, world)]
    strangers = [caller for caller in others if caller not in by_hand]
    for caller in others:
        next(
            lists_of(caller, fitting(caller, asks))
        )  # what a first use leaves in a list of tokens is no secret
    before = snapshot(strangers, asks)
    # Last, since the refused calls of the others are in the audit log.
    before |= snapshot(by_hand, asks)
    for make in (stage.make_personal, stage.make_held, stage.make_deleted):
        make(world.bob)
        make(world.bob)
    after = snapshot(by_hand, asks)  # whoever reviews by hand sees what comes next
    stage.make_pending(world.bob)
    after |= snapshot(strangers, asks)
    assert [name for name in before if before[name] != after.get(name)] == []
    assert before.keys() == after.keys()
    tell(capsys, stage, f"{len(before)} lists compared")
    words = [name for name, answer in before.items() if b"zanzibar" in answer.body]
    assert len(words) > 10, "the lists show nothing at all, so that nothing was compared"


@pytest.mark.requirement("field:case-02:governance")
def test_saving_what_others_keep_is_like_saving_anything(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    world = stage.world
    asks = asks_of(stage.live)
    rows = [
        (caller, ask, make)
        for caller in stage.callers
        for ask in fitting(caller, asks).saves
        for make in (stage.make_personal, stage.make_pending)
        if caller.user != world.bob and not (make == stage.make_pending and _curates(caller, world))
    ]
    told: list[str] = []
    for caller, ask, make in rows if on_sqlite(world) else _chosen(rows, len(rows) // 2):
        hidden = make(world.bob)
        answer = caller.ask(ask, text=hidden.content)
        told += [
            f"{caller.name} | {ask.name}: {mark}"
            for mark in (hidden.id, "already_saved", "rejected_before", '"already_there":1')
            if mark.encode() in answer.body
        ]
        assert answer.status in {200, 201, 403, 404}, (caller.name, ask.name, answer)
    tell(capsys, stage, f"{len(rows)} saves of a text that somebody else keeps")
    assert told == []


def _curates(caller: Caller, world: World) -> bool:
    return caller.user == world.alice and not caller.is_tool


@pytest.mark.requirement("field:case-02:governance")
def test_a_file_does_not_change_with_what_others_keep(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    world = stage.world
    asks = asks_of(stage.live)
    for owner in (world.alice, world.bob, world.carol):
        stage.make_personal(owner)
    stage.make_active(world.bob)
    rows = [
        (caller, ask)
        for caller in stage.callers
        if caller.user != world.bob
        for ask in fitting(caller, asks).files
    ]
    before = [caller.ask(ask) for caller, ask in rows]
    hidden = [make(world.bob) for make in (stage.make_personal, stage.make_held, stage.make_deleted)]
    after = [caller.ask(ask) for caller, ask in rows]
    tell(capsys, stage, f"{len(rows)} files compared")
    told = [
        f"{caller.name} | {ask.name}"
        for (caller, ask), one, two in zip(rows, before, after, strict=True)
        if one != two
    ]
    assert told == []
    assert sum(b"zanzibar" in answer.body for answer in after) >= 12, "the files show nothing at all"
    assert [item.id for item in hidden if any(item.id.encode() in answer.body for answer in after)] == []


# --- The generator itself ----------------------------------------------------------------------------------


def a_document(path: str, **operation: object) -> Json:
    return {"paths": {path: {"post": operation}}}


def in_path(name: str) -> Json:
    return {"name": name, "in": "path"}


def a_body(**properties: object) -> Json:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"content": {"application/json": {"schema": schema}}}


def test_a_new_route_that_takes_an_item_joins_by_itself() -> None:
    asks = rest_asks(a_document("/items/{item_id}/praise", parameters=[in_path("item_id")]))
    assert [ask.path for ask in asks.by_id] == ["/items/@item@/praise"]


def test_an_item_named_in_a_list_of_a_body_joins_too() -> None:
    inner = {"type": "object", "properties": {"id": {"type": "string"}, "version": {"type": "integer"}}}
    asks = rest_asks(a_document("/praise", requestBody=a_body(items={"type": "array", "items": inner})))
    assert '{"items": [{"id": "@item@", "version": 1}]}' in [ask.body for ask in asks.by_id]


@pytest.mark.parametrize(
    "operation",
    [
        {"parameters": [in_path("memo")]},
        {"parameters": [{"name": "memo", "in": "query"}]},
        {"parameters": [{"name": "memo", "in": "header"}]},
        {"requestBody": a_body(memo={"type": "string"})},
    ],
)
def test_a_route_that_cannot_be_filled_in_says_what_to_add(operation: dict[str, object]) -> None:
    with pytest.raises(
        CannotFill, match=r"POST /\{memo\}: .* argument 'memo'\. If it can name an item, add it"
    ):
        rest_asks(a_document("/{memo}", **operation))


def test_a_tool_that_cannot_be_filled_in_says_what_to_add() -> None:
    tool = {"name": "praise", "inputSchema": {"properties": {"memo": {"type": "string"}}}}
    with pytest.raises(CannotFill, match=r"the tool praise: .* argument 'memo'"):
        tool_asks([tool])


def test_every_route_and_tool_that_names_an_item_is_in_the_matrix(stage: Stage) -> None:
    routes, tools = asks_of(stage.live)
    assert {ask.path for ask in tools.by_id} == {"memory_save", "memory_forget", "fetch"}
    assert {ask.path for ask in tools.lists} == {"memory_search", "search"}
    assert len({(ask.method, ask.path) for ask in routes.by_id}) >= 11
    # What is answered by no JSON: a file, and the stream of a turn.
    assert {ask.path.rpartition("/")[2] for ask in routes.files} == {"export", "messages", "events"}
    assert {ask.path.rpartition("/")[2] for ask in routes.saves} == {"items", "bulk", "import"}
    assert NOTHING not in {ask.path for ask in routes.by_id}
