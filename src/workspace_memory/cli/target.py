"""Where a command goes: the options that say it, and the way they open.

With `--url` and `--token` (or their environment variables) to a running server over REST, else to the data folder
of this machine or the configured PostgreSQL. An explicit `--data` goes before an address in the environment.
"""

import shlex
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

import click

from workspace_memory.cli.executable import typed
from workspace_memory.cli.memory import Memory

if TYPE_CHECKING:
    from workspace_memory.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The data folder (WORKSPACE_MEMORY_DATA).  [default: the user's own, such as ~/.local/share/workspace-memory]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")


@dataclass(frozen=True, slots=True)
class Target:
    """What the options of a command say about where it goes and for whom."""

    data: Path | None
    url: str | None
    token: str | None
    account: str
    workspace: str

    def settings(self) -> "Settings":
        """The settings with the options of the command before them. Raises: UsageError."""
        if self.data is not None and self.url is not None:
            raise click.UsageError("Give either --data (this machine) or --url (a running server), not both.")
        return load_settings(data=self.data, url=self.url, token=self.token)

    def is_remote(self, settings: "Settings") -> bool:
        """Whether the command goes to a running server. Raises: UsageError for what it lacks there."""
        if not settings.url or self.data is not None:
            return False
        if self.account:
            raise click.UsageError("--as works on this machine only; over --url the token says who you are.")
        if not settings.token:
            raise click.UsageError(
                "A server wants an access token: set WORKSPACE_MEMORY_TOKEN, or give --token. "
                f"'{typed(f'token create --name NAME --url {settings.url} --sign-in EMAIL')}' makes one."
            )
        return True

    def typed(self, words: str) -> str:
        """What a person types for these words to go where this command went, without the token: that is a secret."""
        options = (
            ("--data", self.data),
            ("--url", self.url),
            ("--as", self.account),
            ("--workspace", self.workspace),
        )
        given = "".join(f" {name} {shlex.quote(str(value))}" for name, value in options if value)
        return typed(words) + given

    @contextmanager
    def opened(self) -> Generator[Memory]:
        """The memory that the command acts on. Imports what that way needs, and nothing of the other one."""
        settings = self.settings()
        if self.is_remote(settings):
            from workspace_memory.cli.remote_memory import opened_remotely  # noqa: PLC0415  only on this way

            with opened_remotely(settings.url, settings.token, workspace=self.workspace) as remote:
                yield remote
            return
        from workspace_memory.cli.local import opened  # noqa: PLC0415  only on this way
        from workspace_memory.cli.local_memory import LocalMemory  # noqa: PLC0415

        with opened(settings) as way:
            yield LocalMemory(way, account=self.account, workspace=self.workspace)


def with_target(command: Callable[Concatenate[Target, P], R]) -> Callable[..., R]:
    """Give a command the options --data, --url, --token, --as and --workspace as one Target."""

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        given = cast(
            "dict[str, Any]", kwargs
        )  # click's own: the values have been converted by the options' types
        target = Target(*(given.pop(name) for name in ("data", "url", "token", "account", "workspace")))
        return command(target, *args, **kwargs)

    wrapped = update_wrapper(call, command)
    for option in (
        click.option(
            "--workspace",
            default="",
            metavar="NAME",
            help="A workspace by name or id; needed among several.",
        ),
        click.option(
            "--as", "account", default="", metavar="EMAIL", help="Act for this account.  [default: first one]"
        ),
        click.option(
            "--token", metavar="TOKEN", help="The access token for --url; better in WORKSPACE_MEMORY_TOKEN."
        ),
        click.option(
            "--url", metavar="URL", help="A running server instead of this machine (WORKSPACE_MEMORY_URL)."
        ),
        data_option,
    ):
        wrapped = option(wrapped)
    return wrapped


def load_settings(**given: object) -> "Settings":
    """The settings of the environment, with the options that were given before them. Raises: UsageError."""
    from pydantic import ValidationError  # noqa: PLC0415  a tenth of a second that --help need not pay

    from workspace_memory.settings import Settings  # noqa: PLC0415

    options = {name: value for name, value in given.items() if value is not None}
    if "data" in options:
        options["database_url"] = ""  # the option goes before a database in the environment
    try:
        return Settings(**options)  # pyright: ignore[reportArgumentType]  pydantic checks each
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else "settings"
        raise click.UsageError(f"{name} (WORKSPACE_MEMORY_{name.upper()}): {first['msg']}.") from None
