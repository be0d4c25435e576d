"""Who may use which tool, asked again at every call, through the official client."""

from dataclasses import dataclass

import pytest
from mcp import Client, types
from tests.e2e.conftest import Live
from tests.e2e.mcp_client import (
    ERAS,
    call,
    contents,
    protocol_error,
    structured,
    text,
    tool_names,
    with_client,
)

from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.ids import TokenId
from workspace_memory.services.members import change_member, remove_member
from workspace_memory.services.tokens import list_tokens_here, revoke_token_here

both_eras = pytest.mark.parametrize("era", ERAS)
TEA = {"content": "likes green tea"}


@both_eras
@pytest.mark.requirement("field:case-01:items")
@pytest.mark.requirement("items:unit:save-by-level")
def test_a_read_token_that_saves_by_name_gets_the_reason_and_makes_no_row(live: Live, era: str) -> None:
    token = live.token(live.world.bob, max_level=AccessLevel.READ)
    refused = call(live.mcp_url, token, "memory_save", TEA, era)
    assert refused.is_error
    assert "needs the access level 'personal'" in text(refused)
    assert contents(call(live.mcp_url, live.token(live.world.bob), "memory_search")) == []


@both_eras
def test_without_access_there_are_no_tools_and_a_call_says_why(live: Live, era: str) -> None:
    live.world.set_level(live.world.bob, AccessLevel.NONE)
    token = live.token(live.world.bob)
    assert tool_names(live.mcp_url, token, era) == []
    refused = call(live.mcp_url, token, "memory_search", era=era)
    assert (refused.is_error, "needs the access level 'read'" in text(refused)) == (True, True)


@both_eras
@pytest.mark.requirement("items:mcp:no-tools-for-a-deactivated-member")
@pytest.mark.requirement("items:unit:access-of-a-deactivated-member")
def test_a_deactivated_member_has_no_tools_and_a_call_says_why(live: Live, era: str) -> None:
    world = live.world
    token = live.token(world.bob)
    change_member(
        world.deps, world.by_hand(world.alice), world.workspace, world.bob, status=MemberStatus.DEACTIVATED
    )
    assert tool_names(live.mcp_url, token, era) == []
    for tool, arguments in {"memory_search": {}, "memory_save": TEA, "memory_forget": {"id": "x"}}.items():
        refused = call(live.mcp_url, token, tool, arguments, era)
        assert (refused.is_error, "your membership is deactivated" in text(refused)) == (True, True)


@pytest.mark.requirement("items:mcp:no-tools-without-a-member-identity")
@pytest.mark.requirement("items:level:is-the-one-in-the-servers-workspace")
def test_a_stranger_of_another_workspace_does_not_find_the_server(live: Live) -> None:
    token = live.token(live.world.mallory)
    for work in (lambda: tool_names(live.mcp_url, token), lambda: call(live.mcp_url, token, "memory_search")):
        assert protocol_error(work).error.message == "There is no such MCP server."


@pytest.mark.requirement("items:unit:access-of-a-non-member")
def test_the_token_of_a_removed_member_is_worth_nothing(live: Live) -> None:
    world = live.world
    token = live.token(world.bob)
    remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob)
    assert "valid access token" in protocol_error(lambda: tool_names(live.mcp_url, token)).error.message


@both_eras
@pytest.mark.requirement("field:case-24:items")
@pytest.mark.requirement("items:level:checked-again-at-each-call")
def test_a_level_lowered_during_a_connection_counts_at_the_next_call(live: Live, era: str) -> None:
    live.world.set_level(live.world.bob, AccessLevel.CONTRIBUTE)
    answers: list[types.CallToolResult] = []
    names: list[list[str]] = []

    async def use(client: Client) -> None:
        await client.list_tools()
        answers.append(await client.call_tool("memory_save", {**TEA, "scope": "organization"}))
        live.world.set_level(live.world.bob, AccessLevel.PERSONAL)
        answers.append(await client.call_tool("memory_save", {"content": "tea", "scope": "organization"}))
        live.world.set_level(live.world.bob, AccessLevel.NONE)
        answers.append(await client.call_tool("memory_save", {"content": "coffee"}))
        names.append([tool.name for tool in (await client.list_tools()).tools])

    with_client(live.mcp_url, live.token(live.world.bob), use, era)
    assert [answer.is_error for answer in answers] == [False, True, True]
    assert names == [[]]


def test_a_token_revoked_during_a_connection_is_refused_at_the_next_call(live: Live) -> None:
    world = live.world
    token = live.token(world.bob)

    async def use(client: Client) -> None:
        await client.call_tool("memory_search", {})
        (made,) = list_tokens_here(world.deps, world.workspace, world.bob)
        revoke_token_here(world.deps, world.workspace, TokenId(made.id))
        await client.call_tool("memory_search", {})

    error = protocol_error(lambda: with_client(live.mcp_url, token, use))
    assert "valid access token" in error.error.message


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody is told about an id."""

    is_error: bool
    said: str


@both_eras
@pytest.mark.requirement("field:case-02:items")
@pytest.mark.requirement("items:privacy:answers-like-a-missing-item")
@pytest.mark.requirement("items:e2e:admin-cannot-forget-the-members-item")
@pytest.mark.requirement("items:e2e:the-member-still-sees-it")
@pytest.mark.requirement("items:unit:foreign-personal-item-not-found-by-an-admin")
def test_somebody_elses_item_answers_like_one_that_never_was(live: Live, era: str) -> None:
    owner, admin = live.token(live.world.bob), live.token(live.world.alice)
    saved = structured(call(live.mcp_url, owner, "memory_save", TEA))
    told: set[Asked] = set()
    for item in (saved["id"], "019f0000-0000-7000-8000-000000000000", "no id"):
        for tool, arguments in (
            ("memory_forget", {"id": item}),
            ("memory_save", {"content": "coffee", "replaces": item}),
        ):
            answer = call(live.mcp_url, admin, tool, arguments, era)
            told.add(Asked(answer.is_error, text(answer)))
    assert told == {Asked(is_error=True, said="There is no such item.")}
    assert contents(call(live.mcp_url, admin, "memory_search", {"query": "green tea"}, era)) == []
    assert contents(call(live.mcp_url, owner, "memory_search", {"query": "green tea"}, era)) == [
        TEA["content"]
    ]


@pytest.mark.requirement("items:e2e:viewer-sees-active-company-items")
@pytest.mark.requirement("items:e2e:viewer-saves-a-personal-item")
def test_a_viewer_finds_company_memory_and_saves_personal_items(live: Live) -> None:
    live.world.company_item("The office closes at six")
    token = live.token(live.world.carol)
    assert contents(call(live.mcp_url, token, "memory_search", {"query": "office"})) == [
        "The office closes at six"
    ]
    assert structured(call(live.mcp_url, token, "memory_save", TEA))["status"] == "active"


@pytest.mark.requirement("items:e2e:second-workspace-does-not-see-the-first")
@pytest.mark.requirement("items:unit:search-stays-in-the-workspace")
def test_one_workspace_does_not_find_the_items_of_another(live: Live) -> None:
    world = live.world
    world.company_item("The office closes at six")
    url = f"{live.url}/mcp/{world.other_server}"
    assert contents(call(url, live.token(world.mallory), "memory_search", {"query": "office"})) == []


@pytest.mark.requirement("items:mcp:calls-stay-in-the-servers-workspace")
def test_an_id_or_a_name_of_another_workspace_leads_nowhere(live: Live) -> None:
    world = live.world
    theirs = world.save(world.client(world.mallory), "the rivals' recipe").item
    token = live.token(world.bob)
    answers = [
        call(live.mcp_url, token, "memory_forget", {"id": theirs.id}),
        call(live.mcp_url, token, "memory_save", {"content": "tea", "replaces": theirs.id}),
        call(live.mcp_url, token, "memory_save", {"content": "tea", "workspace": world.other_workspace}),
        call(live.mcp_url, token, "memory_search", {"workspace": world.other_workspace}),
    ]
    assert [answer.is_error for answer in answers] == [True] * 4
    rivals = f"{live.url}/mcp/{world.other_server}"
    assert contents(call(rivals, live.token(world.mallory), "memory_search")) == ["the rivals' recipe"]
