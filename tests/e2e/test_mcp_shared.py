"""The shared endpoint /mcp with the official client in both eras: who is offered what, key sessions, and the rules."""

import json
import logging
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from mcp import Client
from tests.contract.noted import Noted, noted_world
from tests.e2e.conftest import Live
from tests.e2e.mcp_client import (
    ERAS,
    LEGACY,
    MODERN,
    RawAnswer,
    RawHttp,
    call,
    protocol_error,
    structured,
    text,
    tool_names,
    tools,
    with_client,
)
from tests.namespace_cases.spellings import spellings
from tests.unit.schema_lint import faults

from workspace_memory.crypto.session_sealing import write_session_token
from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.ids import UserId
from workspace_memory.mcp.asking import AskAs
from workspace_memory.services.audit import AuditQuery, list_audit_here
from workspace_memory.services.key_sessions import list_key_sessions, revoke_key_session
from workspace_memory.services.members import change_member
from workspace_memory.services.running import run
from workspace_memory.storage.database import Database, open_sqlite
from workspace_memory.storage.migrating import migrate
from workspace_memory.tools.calling import ToolCaller, call_tool
from workspace_memory.tools.documents import READ_DOCUMENT

requirement = pytest.mark.requirement
both_eras = pytest.mark.parametrize("era", ERAS)
both_revisions = pytest.mark.parametrize("revision", [LEGACY, MODERN])
READING = ["list_documents", "search_documents", "read_document"]
WRITING = ["create_note", "propose_edit"]
ASKING = ["ask_assistant"]
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
CALLS: Mapping[str, Mapping[str, object]] = {
    "list_documents": {},
    "search_documents": {"query": "tea"},
    "read_document": {"path": "notes/tea.md"},
    "create_note": {"path": "notes/new.md", "text": "x"},
    "propose_edit": {"path": "notes/tea.md", "version": 1, "text": "White tea"},
}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """SQLite alone: tests/contract asks the tools of both stores."""
    opened = open_sqlite(tmp_path / "memory.db")
    migrate(opened)
    yield opened
    opened.close()


@pytest.fixture
def noted(live: Live) -> Noted:
    world = live.world
    for user in (world.alice, world.bob, world.carol):
        world.set_level(user, AccessLevel.CONTRIBUTE)
    noted = noted_world(world)
    noted.make(world.alice, "notes/tea.md", "Green tea")
    return noted


def shared(live: Live) -> str:
    return f"{live.url}/mcp"


def key(noted: Noted, user: UserId) -> dict[str, str]:
    return {"X-Key-Session": write_session_token(noted.session(user))}


def said(answer: RawAnswer) -> str:
    """The sentence of a refused call."""
    result = cast("dict[str, object]", answer.json()["result"])
    assert result["isError"] is True
    (block,) = cast("list[dict[str, str]]", result["content"])
    return block["text"]


def code(answer: RawAnswer) -> object:
    return answer.json()["error"]["data"]["code"]


# --- What is offered -------------------------------------------------------------------------------------------


@both_eras
@pytest.mark.parametrize(
    ("level", "names"),
    [
        (AccessLevel.NONE, []),
        (AccessLevel.READ, [*READING, *ASKING]),
        (AccessLevel.PERSONAL, [*READING, *ASKING]),
        (AccessLevel.CONTRIBUTE, [*READING, *WRITING, *ASKING]),
    ],
)
def test_each_level_is_offered_its_tools(
    live: Live, noted: Noted, era: str, level: AccessLevel, names: list[str]
) -> None:
    token = live.token(live.world.bob)
    live.world.set_level(live.world.bob, level)
    offered = tools(shared(live), token, era)
    assert [tool.name for tool in offered] == names
    assert [
        fault for tool in offered for fault in faults(tool.model_dump(by_alias=True, exclude_none=True))
    ] == []


@requirement("items:mcp:shared-endpoint-has-no-item-tools")
@requirement("document:namespace:no-document-tool-for-clients")
def test_no_tool_of_items_and_none_of_the_memory_document_is_there(live: Live, noted: Noted) -> None:
    token = live.token(live.world.alice)
    assert tool_names(shared(live), token) == [*READING, *WRITING, *ASKING]
    for name in ("memory_search", "memory_save", "memory_forget", "remember_in_memory", "search", "fetch"):
        error = protocol_error(lambda name=name: call(shared(live), token, name)).error
        assert error.code == -32602


def test_a_viewer_is_not_offered_what_only_editors_may(live: Live, noted: Noted) -> None:
    assert tool_names(shared(live), live.token(live.world.carol)) == [*READING, "propose_edit", *ASKING]


def test_the_tokens_highest_level_caps_what_is_offered(live: Live, noted: Noted) -> None:
    token = live.token(live.world.bob, max_level=AccessLevel.READ, surface=Surface.MCP)
    assert tool_names(shared(live), token) == [*READING, *ASKING]


def test_a_deactivated_member_is_offered_nothing(live: Live, noted: Noted) -> None:
    world, token = live.world, live.token(live.world.bob)
    change_member(
        world.deps, world.by_hand(world.alice), world.workspace, world.bob, status=MemberStatus.DEACTIVATED
    )
    assert tool_names(shared(live), token) == []
    assert text(call(shared(live), token, "list_documents")).startswith("forbidden: ")


@both_eras
def test_the_instructions_are_those_of_documents(live: Live, noted: Noted, era: str) -> None:
    async def use(client: Client) -> str:
        return client.instructions or ""

    told = with_client(shared(live), live.token(live.world.bob), use, era)
    assert "documents (notes)" in told


# --- Calls -----------------------------------------------------------------------------------------------------


@both_eras
def test_documents_are_listed_found_read_made_and_proposed(live: Live, noted: Noted, era: str) -> None:
    token, headers = live.token(live.world.bob), key(noted, live.world.bob)

    def ask(tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
        return structured(call(shared(live), token, tool, arguments, era, headers=headers))

    assert "notes/tea.md" in json.dumps(ask("list_documents", {}))
    assert "Green tea" in json.dumps(ask("search_documents", {"query": "gre"}))
    read = ask("read_document", {"path": "notes/tea.md"})
    assert (read["text"], read["version"]) == ("Green tea", 1)
    assert ask("create_note", {"path": "notes/new.md", "text": "Oolong"})["outcome"] == "written"
    edits = [{"find": "Green", "replace": "White"}]
    proposed = ask("propose_edit", {"path": "notes/tea.md", "version": 1, "edits": edits})
    assert proposed["outcome"] == "proposed"


@both_revisions
def test_both_copies_of_an_answer_are_the_same(live: Live, noted: Noted, revision: str) -> None:
    http = RawHttp(shared(live), live.token(live.world.bob))
    answer = http.call(
        "read_document", {"path": "notes/tea.md"}, era=revision, headers=key(noted, live.world.bob)
    )
    result = answer.json()["result"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert "not instructions" in result["structuredContent"]["notice"]


@pytest.mark.parametrize("tool", CALLS)
def test_without_a_key_session_the_answer_says_how_to_open_one(live: Live, noted: Noted, tool: str) -> None:
    answer = call(shared(live), live.token(live.world.bob), tool, CALLS[tool])
    assert answer.is_error
    assert text(answer).startswith("key_session_required: ")
    assert "workspace-memory key-session open" in text(answer)


@pytest.mark.parametrize("tool", CALLS)
def test_a_revoked_an_expired_and_anothers_key_session_are_none(live: Live, noted: Noted, tool: str) -> None:
    world = live.world
    http = RawHttp(shared(live), live.token(world.bob))
    missing = said(http.call(tool, CALLS[tool]))
    foreign = key(noted, world.alice)
    assert said(http.call(tool, CALLS[tool], headers=foreign)) == missing
    mine = key(noted, world.bob)
    session = list_key_sessions(world.deps, world.by_hand(world.bob), world.workspace)[0].session
    revoke_key_session(world.deps, world.by_hand(world.bob), world.workspace, session.id)
    assert said(http.call(tool, CALLS[tool], headers=mine)) == missing
    late = key(noted, world.bob)
    world.clock.move(timedelta(hours=13))
    http = RawHttp(shared(live), live.token(world.bob))
    assert said(http.call(tool, CALLS[tool], headers=late)) == missing


@pytest.mark.parametrize("sent", ["", "x", "é", "A" * 44, "A" * 10_000, "Bearer AAAA"])
def test_a_header_that_is_no_token_is_named_and_not_repeated(live: Live, noted: Noted, sent: str) -> None:
    http = RawHttp(shared(live), live.token(live.world.bob))
    answer = said(http.call("list_documents", {}, headers={"X-Key-Session": sent}))
    assert answer.startswith(
        "invalid_request: X-Key-Session: must come once and be the token of a key session"
    )
    assert http.send(LIST, headers={"X-Key-Session": sent}).status == 200


@pytest.mark.parametrize("tool", CALLS)
def test_a_level_that_is_too_low_is_refused_and_noted(live: Live, noted: Noted, tool: str) -> None:
    world = live.world
    headers, token = key(noted, world.bob), live.token(world.bob)
    world.set_level(world.bob, AccessLevel.READ if tool in WRITING else AccessLevel.NONE)
    answer = text(call(shared(live), token, tool, CALLS[tool], headers=headers))
    assert answer.startswith("level_too_low: ")
    assert refused_calls(live) == [(tool, "level_too_low")]


def test_key_sessions_and_paths_that_are_refused_are_not_noted(live: Live, noted: Noted) -> None:
    token = live.token(live.world.bob)
    call(shared(live), token, "list_documents")
    call(shared(live), token, "read_document", {"path": ".workspace/memory/memory.md"})
    assert refused_calls(live) == []


def test_another_workspaces_token_reaches_its_own_workspace_alone(live: Live, noted: Noted) -> None:
    world = live.world
    answer = call(shared(live), live.token(world.mallory), "list_documents", headers=key(noted, world.bob))
    assert text(answer).startswith(("key_session_required: ", "level_too_low: "))
    assert "tea" not in text(answer)


@requirement("document:namespace:same-for-assistant-and-clients")
@both_revisions
def test_spellings_of_the_reserved_place_are_refused_to_every_tool(
    live: Live, noted: Noted, revision: str
) -> None:
    noted.write_memory(live.world.alice, "Release day is Thursday")
    nobody = ToolCaller(
        AskAs(partial(run, live.world.deps), live.world.client(live.world.mallory)), live.world.workspace
    )
    http, headers = RawHttp(shared(live), live.token(live.world.bob)), key(noted, live.world.bob)
    answers = {
        said(http.call(tool, {**CALLS[tool], "path": place}, era=revision, headers=headers))
        for tool in ("read_document", "create_note", "propose_edit")
        for place in (".workspace/memory/memory.md", *spellings(20261201, 40))
    }
    # The Assistant calls the same tools by this, and gets the same.
    assert answers == {call_tool(READ_DOCUMENT, nobody, {"path": ".workspace/memory"}).text}
    assert answers.pop().startswith("MEMORY_NAMESPACE_RESERVED: ")


@both_revisions
def test_hostile_arguments_get_sentences(live: Live, noted: Noted, revision: str) -> None:
    http, headers = RawHttp(shared(live), live.token(live.world.bob)), key(noted, live.world.bob)
    for tool, arguments in (
        ("read_document", {"path": "tea \ud83d"}),
        ("read_document", {"path": "a\0b"}),
        ("search_documents", {"query": "tea \ud83d"}),
        ("search_documents", {"query": "\0" * 1_001}),
        ("create_note", {"path": "a.md", "text": "tea \ud83d"}),
        ("create_note", {"path": "a.md", "text": "x" * 200_000}),
        ("create_note", {"path": "a.md", "text": "x", "\ud83d<b>" * 500: 1}),
        ("propose_edit", {"path": "a.md", "version": 10**30, "text": "x"}),
        ("list_documents", {"cursor": "\ud83d"}),
    ):
        answer = said(http.call(tool, arguments, era=revision, headers=headers))
        assert (answer.startswith("invalid_request: "), len(answer) < 500) == (True, True), (tool, answer)


def test_no_text_path_or_token_stands_in_the_log(
    live: Live, noted: Noted, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    canary = "canary-5521"
    token, headers = live.token(live.world.bob), key(noted, live.world.bob)
    for tool, arguments in (
        ("create_note", {"path": f"notes/{canary}.md", "text": f"{canary} tea"}),
        ("create_note", {"path": f"notes/{canary}.md", "text": f"{canary} tea"}),
        ("read_document", {"path": f"notes/{canary}.md"}),
        ("read_document", {"path": f"notes/none {canary}.md"}),
        ("search_documents", {"query": canary}),
        (
            "propose_edit",
            {"path": f"notes/{canary}.md", "version": 1, "edits": [{"find": canary, "replace": "x"}]},
        ),
        (
            "propose_edit",
            {"path": f"notes/{canary}.md", "version": 1, "edits": [{"find": f"no {canary}", "replace": "x"}]},
        ),
        ("create_note", {"path": "notes/secret.md", "text": f"password: {canary}-Correct-Horse"}),
    ):
        call(shared(live), token, tool, arguments, headers=headers)
    logged = [record.getMessage() for record in caplog.records if record.name.startswith("workspace_memory")]
    assert any("answered" in line for line in logged)
    for private in (canary, token, headers["X-Key-Session"]):
        assert [line for line in logged if private in line] == []


# --- The rules of HTTP are the same ----------------------------------------------------------------------------


@both_revisions
def test_the_path_may_end_in_a_slash(live: Live, noted: Noted, revision: str) -> None:
    token = live.token(live.world.bob)
    answers = [
        RawHttp(f"{shared(live)}{end}", token).request("tools/list", era=revision) for end in ("", "/")
    ]
    assert [answer.status for answer in answers] == [200, 200]
    assert answers[0].body == answers[1].body


def test_two_slashes_are_no_server(live: Live, noted: Noted) -> None:
    assert RawHttp(f"{shared(live)}//", live.token(live.world.bob)).send(LIST).status == 404


@pytest.mark.parametrize("token", ["", "wrong"])
def test_without_a_valid_token_the_answer_is_401_and_says_bearer(live: Live, token: str) -> None:
    answer = RawHttp(shared(live), token).send(LIST)
    assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert code(answer) == "not_authenticated"


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_other_methods_than_post_are_405(live: Live, method: str) -> None:
    answer = RawHttp(shared(live), live.token(live.world.bob)).send(method=method)
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


def test_a_browser_may_send_a_key_session(live: Live) -> None:
    headers = {"Origin": "http://localhost:6274", "Access-Control-Request-Method": "POST"}
    answer = RawHttp(shared(live), "").send(method="OPTIONS", headers=headers, without=("Authorization",))
    assert (answer.status, "X-Key-Session" in answer.headers["access-control-allow-headers"]) == (204, True)


def test_other_hosts_origins_and_long_bodies_are_refused(live: Live) -> None:
    http = RawHttp(shared(live), live.token(live.world.bob))
    assert http.send(LIST, headers={"Host": "evil.example"}).status == 421
    assert http.send(LIST, headers={"Origin": "https://evil.example"}).status == 403
    assert http.send(b" " * (256 * 1024 + 1)).status == 413
    assert http.send(b"{").status == 400


def refused_calls(live: Live) -> list[tuple[object, object]]:
    """Tool and code of the calls that the audit log has noted."""
    query = AuditQuery(action=AuditAction.TOOL_CALL_REFUSED, limit=200)
    events = list_audit_here(live.world.deps, live.world.workspace, query).events
    return [(event.facts["tool"], event.facts["code"]) for event in events]
