"""Plain calls are answered without the SDK's machinery. The same requests both ways give the same answers."""

import asyncio
import json
from collections.abc import Iterator, Mapping, MutableMapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import World
from tests.contract.noted import noted_world
from tests.e2e.mcp_client import MODERN
from tests.e2e.scripted_turns import ScriptedTurns

from workspace_memory.crypto.session_sealing import write_session_token
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.item import Scope
from workspace_memory.mcp import endpoint as endpoint_module
from workspace_memory.mcp.endpoint import McpEndpoint
from workspace_memory.mcp.identity import HANDSHAKE_VERSIONS
from workspace_memory.services.conversations import create_conversation
from workspace_memory.services.running import run
from workspace_memory.services.tokens import make_token_here
from workspace_memory.settings import Settings
from workspace_memory.storage.database import Database, open_sqlite
from workspace_memory.storage.migrating import migrate

REQUESTS: list[tuple[str, dict[str, object]]] = [
    ("tools/list", {}),
    ("tools/call", {"name": "memory_search"}),
    ("tools/call", {"name": "memory_search", "arguments": {"query": "Tee Zürich 茶", "limit": 1}}),
    ("tools/call", {"name": "memory_search", "arguments": None}),
    ("tools/call", {"name": "memory_search", "arguments": {"cursor": "nonsense"}}),
    ("tools/call", {"name": "memory_search", "arguments": {"workspace": "other"}}),
    ("tools/call", {"name": "memory_save", "arguments": {"content": "Tee in Zürich, 茶"}}),
    ("tools/call", {"name": "memory_save", "arguments": {"content": 3}}),
    ("tools/call", {"name": "memory_save", "arguments": {}}),
    ("tools/call", {"name": "memory_forget", "arguments": {"id": "none"}}),
    ("tools/call", {"name": "no_such_tool", "arguments": {}}),
    ("tools/call", {"name": "search", "arguments": {"query": "tea"}}),
    ("tools/call", {"name": 3}),
    ("tools/call", {"name": "memory_search", "arguments": [1]}),
    ("tools/call", {}),
    ("ping", {}),
    ("no/method", {}),
]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """SQLite alone: both ways end in the same use cases."""
    opened = open_sqlite(tmp_path / "memory.db")
    migrate(opened)
    yield opened
    opened.close()


Answer = tuple[int, dict[str, str], object]


@pytest.mark.parametrize("version", [*HANDSHAKE_VERSIONS, MODERN, ""])
@pytest.mark.parametrize("level", [AccessLevel.NONE, AccessLevel.READ, AccessLevel.CONTRIBUTE])
def test_both_ways_give_the_same_answers(world: World, version: str, level: AccessLevel) -> None:
    world.set_level(world.bob, level)
    world.save(
        world.by_hand(world.bob), "Tee in Zürich, 茶 und <b>Kaffee</b>", scope=Scope.ORGANIZATION, tags=("é",)
    )
    world.save(world.by_hand(world.bob), "Tee in Zürich, 茶")
    token = make_token_here(
        world.deps, world.workspace, world.bob, name="Test", max_level=AccessLevel.CONTRIBUTE
    )
    directly, through_sdk = asyncio.run(_both_ways(world, token.secret, version))
    for (method, params), direct, sdk in zip(REQUESTS, directly, through_sdk, strict=True):
        assert direct == sdk, (method, params)


@pytest.mark.parametrize("version", ["2025-11-25", MODERN])
@pytest.mark.parametrize("level", [AccessLevel.NONE, AccessLevel.READ, AccessLevel.CONTRIBUTE])
def test_both_ways_give_the_same_answers_at_the_shared_address(
    world: World, version: str, level: AccessLevel
) -> None:
    noted = noted_world(world)
    noted.make(world.alice, "notes/tea.md", "Tee in Zürich, 茶")
    session = {"x-key-session": write_session_token(noted.session(world.bob))}
    conversation = create_conversation(world.deps, world.by_hand(world.bob), world.workspace).id
    world.set_level(world.bob, level)
    token = make_token_here(
        world.deps, world.workspace, world.bob, name="Test", max_level=AccessLevel.CONTRIBUTE
    )

    async def ask_all(*, direct: bool) -> list[Answer]:
        endpoint = McpEndpoint(partial(run, world.deps), Settings(), turns=ScriptedTurns(), direct=direct)
        async with endpoint.running():
            return [
                await _ask(endpoint, "/mcp", token.secret, method, params, version, headers)
                for method, params in shared_requests(conversation)
                for headers in (session, {}, {"x-key-session": "none"})
            ]

    assert asyncio.run(ask_all(direct=True)) == asyncio.run(ask_all(direct=False))


def shared_requests(conversation: str) -> list[tuple[str, dict[str, object]]]:
    calls: list[tuple[str, dict[str, object]]] = [
        ("list_documents", {}),
        ("search_documents", {"query": "zurich"}),
        ("read_document", {"path": "notes/tea.md"}),
        ("read_document", {"path": ".workspace/memory/memory.md"}),
        ("create_note", {"path": "notes/tea.md", "text": "x"}),
        ("propose_edit", {"path": "notes/tea.md", "version": 3, "text": "x"}),
        ("ask_assistant", {"message": "hello", "conversation_id": conversation}),
        ("ask_assistant", {"message": ""}),
        ("memory_search", {}),
    ]
    return [
        ("tools/list", {}),
        *(("tools/call", {"name": name, "arguments": arguments}) for name, arguments in calls),
    ]


def test_plain_calls_do_not_reach_the_sdk(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the comparison would compare the SDK with itself."""
    token = make_token_here(
        world.deps, world.workspace, world.bob, name="Test", max_level=AccessLevel.CONTRIBUTE
    )

    async def unreachable(*_: object) -> None:
        raise AssertionError("the SDK was asked")

    monkeypatch.setattr(endpoint_module.McpEndpoint, "_through_sdk", unreachable)

    async def ask() -> list[Answer]:
        endpoint = McpEndpoint(partial(run, world.deps), Settings())
        async with endpoint.running():
            ask = partial(_ask, endpoint, f"/mcp/{world.server}", token.secret)
            return [
                await ask(*request, version) for request in REQUESTS[:2] for version in ("2025-06-18", MODERN)
            ]

    assert [status for status, _, _ in asyncio.run(ask())] == [200] * 4


async def _both_ways(world: World, token: str, version: str) -> tuple[list[Answer], list[Answer]]:
    answers: list[list[Answer]] = []
    for direct in (True, False):
        endpoint = McpEndpoint(partial(run, world.deps), Settings(), direct=direct)
        async with endpoint.running():
            ask = partial(_ask, endpoint, f"/mcp/{world.server}", token)
            answers.append([await ask(method, params, version) for method, params in REQUESTS])
    return answers[0], answers[1]


async def _ask(
    endpoint: McpEndpoint,
    path: str,
    token: str,
    method: str,
    params: dict[str, object],
    version: str,
    more: Mapping[str, str] | None = None,
) -> Answer:
    """One request to the ASGI endpoint, without a server around it."""
    sent: list[MutableMapping[str, Any]] = []
    headers = {"host": "localhost", "content-type": "application/json", "authorization": f"Bearer {token}"}
    headers |= more or {}
    if version:
        headers["mcp-protocol-version"] = version
    if version == MODERN:
        name = params.get("name")
        headers |= {"mcp-method": method, **({"mcp-name": name} if isinstance(name, str) else {})}
        meta: dict[str, object] = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {**params, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": "ä-1", "method": method, "params": params}).encode()
    scope: dict[str, Any] = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "headers": [(key.encode(), value.encode()) for key, value in headers.items()],
    }

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(event: MutableMapping[str, Any]) -> None:
        sent.append(event)

    await endpoint(scope, receive, send)
    kept = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
    kept.pop("content-length", None)
    return sent[0]["status"], kept, json.loads(b"".join(event.get("body", b"") for event in sent[1:]))
