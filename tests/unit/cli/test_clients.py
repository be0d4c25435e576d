"""Configurations stay valid whatever stands in a path."""

import json
import shlex
import tomllib

import pytest

from workspace_memory.cli.clients import CLIENTS, Stdio

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
