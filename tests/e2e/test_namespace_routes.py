"""No automation route reaches the memory document by any spelling of its place.

The first half runs without a database on purpose: what is refused before anything else needs none, and a route that
looked anything up first would fail. The second half asks a real server.
"""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
from fastapi import FastAPI
from tests.architecture.rest_tables import the_document
from tests.contract.noted import Noted, noted_world
from tests.e2e.automation_routes import Target, targets
from tests.e2e.rest_calls import Rest
from tests.namespace_cases.spellings import spellings

from workspace_memory.api.application import build_api
from workspace_memory.crypto.session_sealing import write_session_token
from workspace_memory.domain.actor import Actor, Channel
from workspace_memory.domain.ids import UserId, WorkspaceId
from workspace_memory.services.authentication import authenticate_token
from workspace_memory.settings import Settings

WORKSPACE = "019d2f6e-8c1a-7b42-9d3e-5f60718293a4"
RESERVED = (403, "MEMORY_NAMESPACE_RESERVED")
SPELLINGS = 2_000
SEED = 20261130
LABELLED = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "namespace_cases" / "labelled.jsonl").read_text().splitlines()
]
TARGETS = list(targets(the_document()))
Answered = tuple[int, str]


def without_a_database() -> FastAPI:
    """The routes, with a runner that proves every token and hands the use cases no store."""

    def runner(use_case: Any, /, *args: Any, **kwargs: Any) -> Any:
        if use_case is authenticate_token:
            return Actor(UserId(WORKSPACE), Channel.PERSON, "test", workspace=WorkspaceId(WORKSPACE))
        return use_case(cast("Any", None), *args, **kwargs)

    return build_api(runner, Settings())


def asked(target: Target, places: Sequence[str]) -> list[Answered]:
    """What a route answers for each of these places, in their order."""

    async def ask_all() -> list[Answered]:
        transport = httpx2.ASGITransport(app=without_a_database(), raise_app_exceptions=False)
        headers = {"Authorization": "Bearer wm_pat_x"}
        async with httpx2.AsyncClient(transport=transport, base_url="http://test", headers=headers) as client:
            return [answered_of(await client.request(**target.request(WORKSPACE, place))) for place in places]

    return asyncio.run(ask_all())


def answered_of(response: httpx2.Response) -> Answered:
    body = cast("dict[str, object]", response.json())
    return response.status_code, str(body.get("code", ""))


def test_the_routes_are_those_that_name_a_document() -> None:
    assert {str(target) for target in TARGETS} >= {
        "GET /text path",
        "PUT / path",
        "DELETE / path",
        "POST /move path",
        "POST /move to",
        "POST /restore path",
    }


def test_a_new_route_joins_by_itself_and_a_new_argument_is_noticed() -> None:
    prefix = "/api/v1/automation/workspaces/{workspace_id}/documents/copy"
    operation = {"parameters": [{"name": "path", "in": "query"}, {"name": "to", "in": "query"}]}
    document = {"paths": {prefix: {"post": operation}}}
    assert [str(each) for each in targets(document)] == ["POST /copy path", "POST /copy to"]
    operation["parameters"].append({"name": "onto", "in": "query"})
    with pytest.raises(LookupError, match="'onto' names a place"):
        list(targets(document))


@pytest.mark.requirement("document:namespace:put-refused")
@pytest.mark.requirement("document:namespace:delete-refused")
@pytest.mark.requirement("document:namespace:move-refused")
@pytest.mark.requirement("document:namespace:restore-refused")
@pytest.mark.requirement("document:namespace:case-spellings")
@pytest.mark.requirement("document:namespace:dot-segments")
@pytest.mark.requirement("document:namespace:empty-segments")
@pytest.mark.requirement("document:namespace:compatibility-forms")
@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_each_labelled_path_is_answered_by_its_verdict(target: Target) -> None:
    """Another name goes on to what a store is needed for, which there is none."""
    verdicts = {"reserved": RESERVED, "ancestor": RESERVED, "invalid": (400, "invalid_request")}
    answered = asked(target, [case["path"] for case in LABELLED])
    wrong = [
        (case["id"], got)
        for case, got in zip(LABELLED, answered, strict=True)
        if (got == RESERVED if case["verdict"] == "ok" else got != verdicts[case["verdict"]])
    ]
    assert wrong == []


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_composed_spellings_are_refused_before_anything_is_looked_up(
    target: Target, request: pytest.FixtureRequest
) -> None:
    """Each of 2,000 by one route, so that the routes share them; with --exhaustive each by every route."""
    places = spellings(SEED, SPELLINGS)
    if not request.config.getoption("--exhaustive"):
        places = places[TARGETS.index(target) :: len(TARGETS)]
    answered = asked(target, places)
    passed = [place for place, got in zip(places, answered, strict=True) if got != RESERVED]
    assert passed == []


# --- A real server -------------------------------------------------------------------------------------------


@pytest.fixture
def noted(rest: Rest) -> Noted:
    return noted_world(rest.live.world)


def agent_of(rest: Rest, noted: Noted) -> httpx2.Client:
    """Bob's agent, with a key session."""
    client = rest.by(rest.live.world.bob)
    client.headers["X-Key-Session"] = write_session_token(noted.session(rest.live.world.bob))
    client.headers["X-Base-Version"] = "1"
    return client


def whole(answered: httpx2.Response) -> tuple[int, bytes]:
    return answered.status_code, answered.content


@pytest.mark.requirement("field:case-27")
def test_a_refusal_is_the_same_whether_the_document_exists_or_not(rest: Rest, noted: Noted) -> None:
    agent = agent_of(rest, noted)
    spelt = [".workspace/memory/memory.md", ".Workspace//Memory/./x", *spellings(SEED, 20)]

    def answers() -> list[tuple[int, bytes]]:
        return [
            whole(
                agent.request(
                    **{
                        **(sent := target.request(rest.live.world.workspace, place)),
                        "url": rest.live.url + sent["url"],
                    }
                )
            )
            for target in TARGETS
            for place in spelt
        ]

    before = answers()
    noted.write_memory(rest.live.world.alice, "Release day is Thursday")
    assert answers() == before
    assert {status for status, _ in before} == {403}


def test_the_refusal_is_the_same_for_everybody(rest: Rest, noted: Noted) -> None:
    """A member without rights, somebody of another workspace, and a request without a key session."""
    world = rest.live.world
    noted.write_memory(world.alice)
    place = ".workspace/memory/memory.md"
    for target in TARGETS:
        sent = target.request(world.workspace, place)
        sent["url"] = rest.live.url + sent["url"]
        bodies = {
            whole(client.request(**sent))
            for client in (agent_of(rest, noted), rest.by(world.carol), rest.by(world.mallory))
        }
        assert len(bodies) == 1, target
        assert next(iter(bodies))[0] == 403, target
