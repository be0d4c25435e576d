"""Configurations of AI clients as JSON, with a placeholder where the token belongs."""

from typing import Literal

from pydantic import Field

from workspace_memory.api.schemas.common import Answer, with_example
from workspace_memory.domain.account import McpServer
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.address import server_url
from workspace_memory.domain.client_configuration import (
    CLIENTS,
    PLACEHOLDER,
    PROGRAMS,
    Client,
    Configuration,
    Http,
    Language,
    Rest,
    connect_command,
)

_EXAMPLE = {
    "client": "codex",
    "title": "Codex",
    "surface": "mcp",
    "language": "toml",
    "text": '[mcp_servers.memory]\nurl = "…"\nhttp_headers = { "Authorization" = "Bearer {{TOKEN}}" }',
    "project_file": "",
    "user_file": "~/.codex/config.toml",
    "command": None,
}


class ConfigurationOut(Answer):
    """What one client needs to reach one MCP server, or a program to reach the REST interface."""

    client: str
    title: str
    surface: Surface = Field(description="For what its token is made: mcp, or all where it calls REST.")
    language: Language
    text: str = Field(description="To paste, with the placeholder; empty where `command` prints it.")
    project_file: str = Field(description="Where it belongs for one project; empty for nowhere.")
    user_file: str = Field(description="Where it belongs for all projects; empty for nowhere.")
    command: str | None = Field(
        description="For a client that reaches no server: what prints its configuration on the service's machine."
    )


class ConfigurationsOut(Answer):
    """One for each client that is known."""

    model_config = with_example({"placeholder": PLACEHOLDER, "configurations": [_EXAMPLE]})

    placeholder: Literal["{{TOKEN}}"] = Field(description="What stands for the token in each text.")
    configurations: list[ConfigurationOut]


def configurations_out(server: McpServer, address: str, *, data: str) -> ConfigurationsOut:
    """Every configuration for a server, at the service's address without a trailing slash.

    `data` is the folder that a command on the service's machine names.
    """
    http = Http(server_url(address, server.id), PLACEHOLDER)
    rest = Rest(address, server.workspace, PLACEHOLDER)
    clients = [_client_out(name, each, http, data) for name, each in CLIENTS.items()]
    programs = [
        _configuration_out(name, each.title, Surface.ALL, each.rest(rest)) for name, each in PROGRAMS.items()
    ]
    return ConfigurationsOut(placeholder=PLACEHOLDER, configurations=clients + programs)


def _client_out(name: str, client: Client, http: Http, data: str) -> ConfigurationOut:
    if client.http is not None:
        return _configuration_out(name, client.title, Surface.MCP, client.http(http))
    return ConfigurationOut(
        client=name,
        title=client.title,
        surface=Surface.MCP,
        language="shell",
        text="",
        project_file="",
        user_file="",
        command=connect_command(name, data),
    )


def _configuration_out(name: str, title: str, surface: Surface, found: Configuration) -> ConfigurationOut:
    return ConfigurationOut(
        client=name,
        title=title,
        surface=surface,
        language=found.language,
        text=found.text,
        project_file=found.project_file,
        user_file=found.user_file,
        command=None,
    )
