import asyncio
import json
from collections.abc import MutableMapping
from typing import Any, cast

import pytest
from benchmarks._protocol_apps import MODERN, Floor, Remembering
from benchmarks.protocol import as_json, as_text

COSTS = {"2026-07-28": {"floor": 40.0, "product": 60.0, "sdk": 200.0}}


def asked(arguments: object, *, credential: str = "t", version: str = MODERN) -> tuple[int, dict[str, Any]]:
    params = {"name": "memory_search", "arguments": arguments}
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}).encode()
    headers = [
        (b"authorization", f"Bearer {credential}".encode()),
        (b"accept", b"application/json"),
        (b"mcp-protocol-version", version.encode()),
    ]
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(event: MutableMapping[str, Any]) -> None:
        sent.append(event)

    scope = {"type": "http", "method": "POST", "path": "/mcp/s", "headers": headers}
    asyncio.run(Floor("t", "s")(scope, receive, send))
    return sent[0]["status"], cast("dict[str, Any]", json.loads(sent[1]["body"]))


def test_the_floor_answers_a_call_in_both_eras_and_says_complete_in_the_newer_one() -> None:
    for version, ending in ((MODERN, "complete"), ("2025-06-18", None)):
        status, answer = asked({"query": "tea"}, version=version)
        assert (status, answer["id"], answer["result"].get("resultType")) == (200, 7, ending)
        assert json.loads(answer["result"]["content"][0]["text"]) == answer["result"]["structuredContent"]


@pytest.mark.parametrize("arguments", [{"query": 3}, {"other": "tea"}, [1]])
def test_the_floor_checks_arguments(arguments: object) -> None:
    assert "error" in asked(arguments)[1]


def test_the_floor_checks_the_token() -> None:
    assert asked({}, credential="other")[0] == 401


def test_a_use_case_runs_once_and_then_gives_what_it_gave() -> None:
    def count(numbers: list[int]) -> int:
        numbers.append(0)
        return len(numbers)

    def run(use_case: Any, *args: Any) -> Any:
        return use_case(*args)

    remembering, numbers = Remembering(run), list[int]()
    assert [remembering(count, numbers), remembering(count, numbers), numbers] == [1, 1, [0]]


def test_costs_stand_beside_the_floor() -> None:
    assert cast("Any", as_json(COSTS))["2026-07-28"]["product"] == {"cpu_microseconds": 60.0, "ratio": 1.5}
    assert "1.50" in as_text(COSTS)
