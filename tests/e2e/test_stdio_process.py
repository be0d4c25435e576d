"""`mcp` as a process: the official client starts it, several at once, beside a server, without any network."""

import json
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent
from tests.e2e.command_line import BOUND_SECONDS, COMMAND, environment, run_process, serving, set_up, succeed

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}

# Runs the command with every way to another machine reported and refused; a data folder's own socket is no network.
WITHOUT_NETWORK = """
import sys
def refuse(event, args):
    local = event == "socket.connect" and isinstance(args[1], (str, bytes))
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto") and not local:
        sys.stderr.write("NETWORK " + event + "\\n")
        raise OSError("no network here")
sys.addaudithook(refuse)
from workspace_memory.cli.main import main
main()
"""


def parameters(folder: Path) -> StdioServerParameters:
    return StdioServerParameters(command=str(COMMAND), args=["mcp", "--data", str(folder)], env=environment())


def text_of(result: CallToolResult) -> str:
    assert not result.is_error, result.content
    return "\n".join(each.text for each in result.content if isinstance(each, TextContent))


def talk(folder: Path) -> None:
    """Start it, ask for its tools, end it."""
    messages = [INITIALIZE, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}]
    done = subprocess.run(
        [str(COMMAND), "mcp", "--data", str(folder)],
        input="".join(json.dumps(each) + "\n" for each in messages),
        capture_output=True,
        text=True,
        timeout=BOUND_SECONDS,
        env=environment(),
        check=True,
    )
    assert "memory_save" in done.stdout


def handshake(*words: str, program: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*program, *words],
        input=json.dumps(INITIALIZE) + "\n",
        capture_output=True,
        text=True,
        timeout=BOUND_SECONDS,
        env=environment(),
        check=False,
    )


@pytest.mark.requirement("field:case-30")
def test_a_cold_start_answers_initialize_without_a_network(tmp_path: Path) -> None:
    program = [sys.executable, "-c", WITHOUT_NETWORK]
    done = handshake("mcp", "--data", str(tmp_path / "new"), program=program)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "workspace-memory"


@pytest.mark.requirement("field:case-30")
def test_the_handshake_waits_for_no_heavy_import() -> None:
    program = (
        "import sys\n"
        "import workspace_memory.cli.main, workspace_memory.cli.stdio\n"
        "print(sorted({'sqlalchemy', 'mcp', 'fastapi', 'pydantic', 'httpx2', 'cryptography'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=BOUND_SECONDS, check=True
    )
    assert done.stdout == "[]\n"


def test_a_tool_saves_and_finds_on_a_folder_that_nobody_has_set_up(tmp_path: Path) -> None:
    async def use() -> str:
        async with (
            stdio_client(parameters(tmp_path / "new")) as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            await session.call_tool("memory_save", {"content": "likes green tea"})
            return text_of(await session.call_tool("memory_search", {"query": "tea"}))

    assert "likes green tea" in anyio.run(use)


def test_what_stdio_saved_the_command_line_finds(tmp_path: Path) -> None:
    async def save() -> None:
        async with stdio_client(parameters(tmp_path)) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            await session.call_tool("memory_save", {"content": "likes green tea"})

    anyio.run(save)
    assert "likes green tea" in succeed("items", "search", "tea", "--data", tmp_path)


def test_starts_share_one_token_that_nobody_else_can_read(tmp_path: Path) -> None:
    for _ in range(2):
        talk(tmp_path)
    [kept] = (tmp_path / "stdio").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    tokens = json.loads(succeed("token", "list", "--json", "--data", tmp_path))
    assert [(each["name"], each["surface"]) for each in tokens] == [("stdio", "mcp")]


def test_a_revoked_token_is_made_anew_by_the_next_start(tmp_path: Path) -> None:
    talk(tmp_path)
    [first] = json.loads(succeed("token", "list", "--json", "--data", tmp_path))
    succeed("token", "revoke", first["id"], "--data", tmp_path)
    talk(tmp_path)
    [second] = json.loads(succeed("token", "list", "--json", "--data", tmp_path))
    assert second["id"] != first["id"]


def test_an_unusable_folder_is_said_in_the_answer_to_a_call(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")

    async def ask() -> str:
        async with (
            stdio_client(parameters(tmp_path / "file")) as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            try:
                result = await session.call_tool("memory_search", {"query": "tea"})
            except Exception as error:
                return str(error)
            return "\n".join(each.text for each in result.content if isinstance(each, TextContent))

    assert "it is not a folder" in anyio.run(ask)


def test_it_acts_for_the_named_account(tmp_path: Path) -> None:
    set_up(tmp_path)
    assert (
        "no such account" in run_process("items", "list", "--as", "bob@example.com", "--data", tmp_path).err
    )


@pytest.mark.timeout(300)
def test_four_clients_at_once_lose_nothing_while_a_server_starts_and_stops(tmp_path: Path) -> None:
    started = anyio.Event()
    saved: list[str] = []

    async def client(number: int, stop: anyio.Event) -> None:
        async with stdio_client(parameters(tmp_path)) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            turn = 0
            while not (stop.is_set() and turn >= 3):
                text = f"client {number} says {turn}"
                result = await session.call_tool("memory_save", {"content": text})
                assert not result.is_error, result.content
                saved.append(text)
                # Without a query the newest are listed; the four do not save twenty items between these two lines.
                found = await session.call_tool("memory_search", {"limit": 20})
                assert text in text_of(found)
                turn += 1
                started.set()

    async def go() -> None:
        stop = anyio.Event()
        with anyio.fail_after(280):
            async with anyio.create_task_group() as clients:
                for number in range(4):
                    clients.start_soon(client, number, stop)
                await started.wait()
                await anyio.to_thread.run_sync(serve_once)
                stop.set()

    def serve_once() -> None:
        with serving(tmp_path) as serve:
            assert serve.stop() == 0

    anyio.run(go)
    listed = json.loads(succeed("items", "list", "--all", "--json", "--data", tmp_path))
    assert {each["content"] for each in listed["items"]} == set(saved)
