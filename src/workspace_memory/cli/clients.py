"""What each AI client's configuration looks like, and where it belongs. Pure: addresses and tokens come in as texts.

Sources are the clients' own documents; docs/howto/connect-a-client.md names them. A form without a token reads it
from the environment, or asks for it, in the way that the client has.
"""

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

NAME = "memory"
VARIABLE = "MEMORY_TOKEN"

Language = Literal["json", "toml", "shell"]


@dataclass(frozen=True, slots=True)
class Http:
    """An MCP address, and the token or None for the form that takes it from elsewhere."""

    url: str
    token: str | None


@dataclass(frozen=True, slots=True)
class Stdio:
    """The absolute words by which a client starts this program."""

    command: str
    arguments: Sequence[str]


@dataclass(frozen=True, slots=True)
class Configuration:
    """A text to paste. `place` says where it belongs."""

    text: str
    language: Language
    place: str


@dataclass(frozen=True, slots=True)
class Client:
    """An AI client. `http` is None for one that reaches this server in no other way than by starting it."""

    title: str
    stdio: Callable[[Stdio], Configuration]
    http: Callable[[Http], Configuration] | None


def _claude_code_http(http: Http) -> Configuration:
    # In double quotes, so that the shell puts the variable in.
    header = f"Authorization: Bearer {http.token or f'${VARIABLE}'}"
    words = [
        "claude",
        "mcp",
        "add",
        "--transport",
        "http",
        NAME,
        shlex.quote(http.url),
        "--header",
        f'"{header}"',
    ]
    return Configuration(
        " ".join(words), "shell", "Run it in a terminal; --scope user makes it known in every project."
    )


def _claude_code_stdio(stdio: Stdio) -> Configuration:
    words = ["claude", "mcp", "add", "--transport", "stdio", NAME, "--", stdio.command, *stdio.arguments]
    return Configuration(
        shlex.join(words), "shell", "Run it in a terminal; --scope user makes it known in every project."
    )


def _claude_desktop_stdio(stdio: Stdio) -> Configuration:
    return _json(
        {"mcpServers": {NAME: _command(stdio)}},
        "claude_desktop_config.json (Settings > Developer > Edit Config), then restart Claude Desktop.",
    )


def _cursor_http(http: Http) -> Configuration:
    entry = {"url": http.url, "headers": _bearer(http.token or f"${{env:{VARIABLE}}}")}
    return _json({"mcpServers": {NAME: entry}}, _CURSOR)


def _cursor_stdio(stdio: Stdio) -> Configuration:
    return _json({"mcpServers": {NAME: _command(stdio)}}, _CURSOR)


def _vscode_http(http: Http) -> Configuration:
    entry = {"type": "http", "url": http.url, "headers": _bearer(http.token or "${input:memory-token}")}
    servers = {"servers": {NAME: entry}}
    if http.token:
        return _json(servers, _VSCODE)
    asked = {
        "type": "promptString",
        "id": "memory-token",
        "description": "Workspace Memory token",
        "password": True,
    }
    return _json({"inputs": [asked], **servers}, _VSCODE)


def _vscode_stdio(stdio: Stdio) -> Configuration:
    return _json({"servers": {NAME: {"type": "stdio", **_command(stdio)}}}, _VSCODE)


def _codex_http(http: Http) -> Configuration:
    lines = [f"[mcp_servers.{NAME}]", f"url = {json.dumps(http.url)}"]
    if http.token:
        lines.append(f'http_headers = {{ "Authorization" = {json.dumps(f"Bearer {http.token}")} }}')
    else:
        lines.append(f'bearer_token_env_var = "{VARIABLE}"')
    return Configuration("\n".join(lines), "toml", _CODEX)


def _codex_stdio(stdio: Stdio) -> Configuration:
    # A JSON string of characters that are not control characters is a TOML basic string as well.
    lines = [
        f"[mcp_servers.{NAME}]",
        f"command = {json.dumps(stdio.command, ensure_ascii=False)}",
        f"args = {json.dumps(list(stdio.arguments), ensure_ascii=False)}",
    ]
    return Configuration("\n".join(lines), "toml", _CODEX)


def _gemini_http(http: Http) -> Configuration:
    entry = {"httpUrl": http.url, "headers": _bearer(http.token or f"${VARIABLE}")}
    return _json({"mcpServers": {NAME: entry}}, _GEMINI)


def _gemini_stdio(stdio: Stdio) -> Configuration:
    return _json({"mcpServers": {NAME: _command(stdio)}}, _GEMINI)


def _windsurf_http(http: Http) -> Configuration:
    entry = {"serverUrl": http.url, "headers": _bearer(http.token or f"${{env:{VARIABLE}}}")}
    return _json({"mcpServers": {NAME: entry}}, _WINDSURF)


def _windsurf_stdio(stdio: Stdio) -> Configuration:
    return _json({"mcpServers": {NAME: _command(stdio)}}, _WINDSURF)


def _json_http(http: Http) -> Configuration:
    entry = {"type": "http", "url": http.url, "headers": _bearer(http.token or f"${{{VARIABLE}}}")}
    return _json({"mcpServers": {NAME: entry}}, _ANY)


def _json_stdio(stdio: Stdio) -> Configuration:
    return _json({"mcpServers": {NAME: {"type": "stdio", **_command(stdio)}}}, _ANY)


def _json(value: object, place: str) -> Configuration:
    return Configuration(json.dumps(value, ensure_ascii=False, indent=2), "json", place)


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _command(stdio: Stdio) -> dict[str, object]:
    return {"command": stdio.command, "args": list(stdio.arguments)}


_TERMINAL = "Run this in a terminal. With --scope user behind 'add' every project knows it."
_CURSOR = ".cursor/mcp.json in a project, or ~/.cursor/mcp.json for all of them."
_VSCODE = ".vscode/mcp.json in a project; 'MCP: Open User Configuration' opens the one for all of them."
_CODEX = "~/.codex/config.toml"
_GEMINI = "~/.gemini/settings.json, or .gemini/settings.json in a project."
_WINDSURF = "~/.codeium/windsurf/mcp_config.json, then refresh the list of MCP servers."
_ANY = (
    ".mcp.json in a project, as Claude Code and others read it, or where your client keeps its MCP servers."
)

CLIENTS: dict[str, Client] = {
    "claude-code": Client("Claude Code", _claude_code_stdio, _claude_code_http),
    # Its configuration file knows commands alone, and its connectors want a public address with OAuth.
    "claude-desktop": Client("Claude Desktop", _claude_desktop_stdio, None),
    "cursor": Client("Cursor", _cursor_stdio, _cursor_http),
    "vscode": Client("VS Code", _vscode_stdio, _vscode_http),
    "codex": Client("Codex", _codex_stdio, _codex_http),
    "gemini": Client("Gemini CLI", _gemini_stdio, _gemini_http),
    "windsurf": Client("Windsurf", _windsurf_stdio, _windsurf_http),
    "json": Client("Another client", _json_stdio, _json_http),
}
