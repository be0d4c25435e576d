"""Many calls at once, and a server that was restarted between two calls."""

import asyncio

import pytest
from mcp import Client
from tests.conftest import World
from tests.e2e.conftest import Live, serving
from tests.e2e.mcp_client import ERAS, LEGACY, RawHttp, connected, found, structured, with_client

from workspace_memory.services.finding import Query, find_items


async def save_twenty(client: Client, name: str) -> list[object]:
    answers = await asyncio.gather(
        *(client.call_tool("memory_save", {"content": f"{name} {number}"}) for number in range(20))
    )
    return [structured(answer)["id"] for answer in answers]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("field:case-04")
def test_parallel_saves_of_one_and_of_two_clients_are_all_there(live: Live, era: str) -> None:
    token = live.token(live.world.bob)

    async def two_clients() -> list[object]:
        async with connected(live.mcp_url, token, era) as one, connected(live.mcp_url, token, era) as other:
            halves = await asyncio.gather(
                *(
                    client.call_tool("memory_save", {"content": f"shared {number}"})
                    for number in range(20)
                    for client in ((one, other)[number % 2],)
                )
            )
        return [structured(answer)["id"] for answer in halves]

    async def one_session(client: Client) -> list[object]:
        return await save_twenty(client, "alone")

    saved = with_client(live.mcp_url, token, one_session, era) + asyncio.run(two_clients())
    world = live.world
    page = find_items(world.deps, world.by_hand(world.bob), world.workspace, Query(limit=50))
    assert (len(page.found), {entry.item.id for entry in page.found}) == (40, set(saved))


@pytest.mark.requirement("field:case-07")
def test_the_same_save_at_the_same_moment_is_one_row(live: Live) -> None:
    async def use(client: Client) -> set[object]:
        answers = await asyncio.gather(
            *(client.call_tool("memory_save", {"content": "likes green tea"}) for _ in range(8))
        )
        assert len(found(await client.call_tool("memory_search", {}))) == 1
        return {structured(answer)["id"] for answer in answers}

    assert len(with_client(live.mcp_url, live.token(live.world.bob), use)) == 1


@pytest.mark.requirement("field:case-18")
def test_a_call_after_a_restart_with_the_old_session_id_works(world: World) -> None:
    hello = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    with serving(world) as before:
        token = before.token(world.bob)
        greeted = RawHttp(before.mcp_url, token).request("initialize", hello)
    session = greeted.headers.get("mcp-session-id", "given-by-an-older-version")
    with serving(world) as after:
        answer = RawHttp(after.mcp_url, token).call("memory_search", {}, headers={"Mcp-Session-Id": session})
    assert (greeted.status, answer.status, answer.json()["result"]["isError"]) == (200, 200, False)
