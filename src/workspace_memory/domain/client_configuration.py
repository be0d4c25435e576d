"""What each AI client's configuration looks like, and where it belongs. Pure: addresses and tokens come in as texts.

The one source of what `connect` prints and of what the page "Connect a client" shows. Sources are the clients' own
documents; docs/howto/connect-a-client.md names them. A form without a token reads it from the environment, or asks
for it, in the way that the client has.
"""

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from workspace_memory.domain.ids import WorkspaceId

NAME = "memory"
VARIABLE = "MEMORY_TOKEN"

PLACEHOLDER: Literal["{{TOKEN}}"] = "{{TOKEN}}"
"""Stands for a token that is put in later: it and every token are the same text in each language."""

Language = Literal["json", "toml", "shell", "python"]


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
    """A text to paste. `place` says where it belongs, with the files of one project and of all, where there are any."""

    text: str
    language: Language
    place: str
    project_file: str = ""
    user_file: str = ""


@dataclass(frozen=True, slots=True)
class Client:
    """An AI client. `http` is None for one that reaches this server in no other way than by starting it."""

    title: str
    stdio: Callable[[Stdio], Configuration]
    http: Callable[[Http], Configuration] | None


@dataclass(frozen=True, slots=True)
class Rest:
    """The service without a trailing slash, the workspace, and a token that the REST interface takes."""

    service: str
    workspace: WorkspaceId
    token: str


@dataclass(frozen=True, slots=True)
class Program:
    """What calls the REST interface rather than MCP."""

    title: str
    rest: Callable[[Rest], Configuration]


@dataclass(frozen=True, slots=True)
class _Place:
    sentence: str
    project: str = ""
    user: str = ""

    def configuration(self, text: str, language: Language) -> Configuration:
        place = self.sentence.format(project=self.project, user=self.user)
        return Configuration(text, language, place, self.project, self.user)


def connect_command(client: str, data: str = "") -> str:
    """What prints a client's configuration on the service's own machine, where the client starts the program itself.

    `data` is the data folder where it is not the one that the command takes by itself.
    """
    named = f" --data {shlex.quote(data)}" if data else ""
    return f"workspace-memory connect {client} --stdio{named}"


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
    return Configuration(" ".join(words), "shell", _TERMINAL)


def _claude_code_stdio(stdio: Stdio) -> Configuration:
    words = ["claude", "mcp", "add", "--transport", "stdio", NAME, "--", stdio.command, *stdio.arguments]
    return Configuration(shlex.join(words), "shell", _TERMINAL)


def _claude_desktop_stdio(stdio: Stdio) -> Configuration:
    return _json({"mcpServers": {NAME: _command(stdio)}}, _DESKTOP)


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
    return _CODEX.configuration("\n".join(lines), "toml")


def _codex_stdio(stdio: Stdio) -> Configuration:
    # A JSON string of characters that are not control characters is a TOML basic string as well.
    lines = [
        f"[mcp_servers.{NAME}]",
        f"command = {json.dumps(stdio.command, ensure_ascii=False)}",
        f"args = {json.dumps(list(stdio.arguments), ensure_ascii=False)}",
    ]
    return _CODEX.configuration("\n".join(lines), "toml")


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


def _curl(rest: Rest) -> Configuration:
    items = shlex.quote(f"{rest.service}/api/v1/workspaces/{rest.workspace}/memory/items")
    lines = [
        f'TOKEN="{rest.token}"',
        f'curl -H "Authorization: Bearer $TOKEN" {items}',
        f'curl -H "Authorization: Bearer $TOKEN" {items} \\',
        """  --json '{"content": "We release on Thursdays", "kind": "fact"}'""",
    ]
    return Configuration("\n".join(lines), "shell", _SHELL)


def _python(rest: Rest) -> Configuration:
    lines = [
        "from workspace_memory.client import WorkspaceMemory",
        "",
        f"with WorkspaceMemory({json.dumps(rest.service)}, {json.dumps(rest.token)}) as memory:",
        '    memory.save_item("We release on Thursdays")',
        '    for item in memory.search_items("release"):',
        "        print(item.score, item.content)",
    ]
    return Configuration("\n".join(lines), "python", _SCRIPT)


def _json(value: object, place: _Place) -> Configuration:
    return place.configuration(json.dumps(value, ensure_ascii=False, indent=2), "json")


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _command(stdio: Stdio) -> dict[str, object]:
    return {"command": stdio.command, "args": list(stdio.arguments)}


_SHELL = "Run it in a terminal."
_SCRIPT = "Run it with the Python in which Workspace Memory is installed."
_TERMINAL = "Run it in a terminal; --scope user makes it known in every project."
_CURSOR = _Place(
    "{project} in a project, or {user} for all of them.",
    project=".cursor/mcp.json",
    user="~/.cursor/mcp.json",
)
_VSCODE = _Place(
    "{project} in a project; 'MCP: Open User Configuration' opens the one for all of them.",
    project=".vscode/mcp.json",
)
_CODEX = _Place("{user}", user="~/.codex/config.toml")
_GEMINI = _Place(
    "{user}, or {project} in a project.", project=".gemini/settings.json", user="~/.gemini/settings.json"
)
_WINDSURF = _Place(
    "{user}, then refresh the list of MCP servers.", user="~/.codeium/windsurf/mcp_config.json"
)
_ANY = _Place(
    "{project} in a project, as Claude Code and others read it, or where your client keeps its MCP servers.",
    project=".mcp.json",
)
_DESKTOP = _Place(
    "{user} (Settings > Developer > Edit Config), then restart Claude Desktop.",
    user="claude_desktop_config.json",
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

PROGRAMS: dict[str, Program] = {
    "curl": Program("curl", _curl),
    "python": Program("Python", _python),
}
