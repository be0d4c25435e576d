"""What `connect` prints for each client can be pasted: it parses, it works, and it names absolute paths."""

import json
import os
import re
import shlex
import tomllib
from pathlib import Path
from typing import cast

import pytest
from tests.e2e.command_line import COMMAND, run, sentence, serving, set_up, succeed

from workspace_memory.domain.client_configuration import CLIENTS, NAME

OVER_HTTP = [name for name, client in CLIENTS.items() if client.http]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that alice has set up."""
    made = tmp_path_factory.mktemp("connect")
    set_up(made)
    return made


def words_of(client: str, text: str) -> list[str]:
    """Every word of a configuration, whatever its language."""
    if client == "claude-code":
        return shlex.split(text)
    value: object = tomllib.loads(text) if client == "codex" else json.loads(text)
    return list(strings(value))


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        return [word for key, each in members.items() for word in [key, *strings(each)]]
    if isinstance(value, list):
        return [word for each in cast("list[object]", value) for word in strings(each)]
    return []


@pytest.mark.parametrize("client", CLIENTS)
def test_for_stdio_it_names_the_absolute_command_and_folder(client: str, folder: Path) -> None:
    words = words_of(client, succeed("connect", client, "--stdio", "--data", folder))
    assert str(COMMAND) in words
    assert words[-3:] == ["mcp", "--data", str(folder)]


@pytest.mark.parametrize("client", OVER_HTTP)
def test_over_http_it_holds_the_address_and_a_fresh_token(client: str, folder: Path) -> None:
    words = words_of(client, succeed("connect", client, "--data", folder))
    server = json.loads(succeed("server", "list", "--json", "--data", folder))[0]
    assert server["url"] in words
    assert any(re.search(r"Bearer wm_pat_[\w-]{43}", word) for word in words)


@pytest.mark.parametrize("client", OVER_HTTP)
def test_without_a_token_it_says_where_one_comes_from(client: str, folder: Path) -> None:
    before = succeed("token", "list", "--data", folder)
    ended = run("connect", client, "--no-token", "--data", folder)
    assert "wm_pat_" not in ended.out
    assert re.search(r"MEMORY_TOKEN|input:memory-token", ended.out)
    assert "token create" in ended.err
    assert succeed("token", "list", "--data", folder) == before


@pytest.mark.parametrize("client", CLIENTS)
def test_nothing_tells_anyone_to_install_from_an_index(client: str, folder: Path) -> None:
    ended = run("connect", client, "--stdio", "--data", folder)
    assert not re.search(r"uvx|npx|pip install", ended.out + ended.err)


def test_it_says_where_the_configuration_belongs(folder: Path) -> None:
    assert "~/.codex/config.toml" in run("connect", "codex", "--data", folder).err


def test_the_token_is_for_ai_clients_alone(folder: Path) -> None:
    succeed("connect", "gemini", "--data", folder, "--name", "on my desk", "--level", "read")
    [token] = [
        each
        for each in json.loads(succeed("token", "list", "--json", "--data", folder))
        if each["name"] == "on my desk"
    ]
    assert (token["surface"], token["max_level"]) == ("mcp", "read")


def test_claude_desktop_is_told_to_use_stdio(folder: Path) -> None:
    assert "--stdio" in sentence(run("connect", "claude-desktop", "--data", folder))


def test_without_a_client_it_lists_them(folder: Path) -> None:
    listed = [line.split()[0] for line in succeed("connect", "--data", folder).splitlines()]
    assert listed == list(CLIENTS)


def test_it_asks_to_start_the_server_when_none_answers(folder: Path) -> None:
    url = {"WORKSPACE_MEMORY_PUBLIC_URL": "http://127.0.0.1:9"}
    assert "serve" in run("connect", "cursor", "--no-token", "--data", folder, env=url).err


def test_beside_a_server_it_prints_that_ones_address(tmp_path: Path) -> None:
    set_up(tmp_path)
    with serving(tmp_path) as serve:
        entry = json.loads(succeed("connect", "cursor", "--data", tmp_path))["mcpServers"][NAME]
        assert entry["url"].startswith(f"{serve.url}/mcp/")
        ended = run("connect", "vscode", "--url", serve.url, env={"WORKSPACE_MEMORY_TOKEN": "wm_pat_wrong"})
        assert "valid access token" in sentence(ended)


def test_a_folder_from_the_environment_is_spelled_out(tmp_path: Path) -> None:
    out = succeed("connect", "json", "--stdio", env={"WORKSPACE_MEMORY_DATA": os.fspath(tmp_path)})
    assert json.loads(out)["mcpServers"][NAME]["args"] == ["mcp", "--data", str(tmp_path)]
