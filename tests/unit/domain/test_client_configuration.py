"""Configurations stay valid whatever stands in a path."""

import json
import shlex
import tomllib

import pytest

from workspace_memory.domain.client_configuration import (
    CLIENTS,
    PLACEHOLDER,
    PROGRAMS,
    Http,
    Rest,
    Stdio,
    connect_command,
)
from workspace_memory.domain.ids import WorkspaceId

ODD = Stdio('/home/al "ice"/ö\\bin/workspace-memory', ["mcp", "--data", "/srv/a b'c"])


@pytest.mark.parametrize("name", [name for name in CLIENTS if name not in {"claude-code", "codex"}])
def test_odd_characters_in_a_path_survive_in_json(name: str) -> None:
    text = CLIENTS[name].stdio(ODD).text
    value = json.loads(text)
    [entry] = value.get("mcpServers", value.get("servers")).values()
    assert (entry["command"], entry["args"]) == (ODD.command, list(ODD.arguments))


def test_odd_characters_in_a_path_survive_in_toml() -> None:
    entry = tomllib.loads(CLIENTS["codex"].stdio(ODD).text)["mcp_servers"]["memory"]
    assert (entry["command"], entry["args"]) == (ODD.command, list(ODD.arguments))


def test_odd_characters_in_a_path_survive_in_a_shell() -> None:
    words = shlex.split(CLIENTS["claude-code"].stdio(ODD).text)
    assert words[words.index("--") + 1 :] == [ODD.command, *ODD.arguments]


@pytest.mark.parametrize("name", [name for name, client in CLIENTS.items() if client.http])
def test_a_token_that_is_put_in_later_makes_the_same_text(name: str) -> None:
    make = CLIENTS[name].http
    assert make is not None
    url, token = "https://memory.example.com/mcp/1", "wm_pat_Az0-_9"
    assert make(Http(url, PLACEHOLDER)).text.replace(PLACEHOLDER, token) == make(Http(url, token)).text


def test_the_command_names_the_data_folder_where_it_is_another() -> None:
    assert connect_command("claude-desktop") == "workspace-memory connect claude-desktop --stdio"
    words = shlex.split(connect_command("claude-desktop", "/srv/our memory"))
    assert words[-3:] == ["--stdio", "--data", "/srv/our memory"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_so_it_does_for_programs(name: str) -> None:
    make, workspace = PROGRAMS[name].rest, WorkspaceId("1")
    url, token = "https://memory.example.com", "wm_pat_Az0-_9"
    later = make(Rest(url, workspace, PLACEHOLDER)).text.replace(PLACEHOLDER, token)
    assert later == make(Rest(url, workspace, token)).text


@pytest.mark.parametrize("name", [name for name, client in CLIENTS.items() if client.http])
def test_the_files_stand_in_the_sentence_that_says_where_it_belongs(name: str) -> None:
    make = CLIENTS[name].http
    assert make is not None
    found = make(Http("https://memory.example.com/mcp/1", None))
    assert found.project_file in found.place
    assert found.user_file in found.place
