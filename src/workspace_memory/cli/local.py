"""The way to the services of this machine: through the data folder, wherever its owner is, or to PostgreSQL.

`Opened.runner` is what every command and every edge calls. Nothing is opened before the first call; a folder is
made only by the commands that may begin one (`make=True`).
"""

import shlex
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from workspace_memory import __version__
from workspace_memory.cli.executable import typed
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.opening import check_scanner, open_own_folder, open_own_server
from workspace_memory.cli.registry import call_registry
from workspace_memory.folder.gateway import FolderGateway
from workspace_memory.services.deps import Deps
from workspace_memory.services.opening import SQLITE_NAME, OpenServices
from workspace_memory.services.running import Runner, run
from workspace_memory.settings import Settings, default_data_folder


@dataclass(frozen=True, slots=True)
class Opened:
    """An open way to the services; `place` names it for people, `data` for the next command they type.

    `keeps_keys` says, after the first call, whether a key session outlives this process.
    """

    runner: Runner
    place: str
    data: str = ""
    keeps_keys: Callable[[], bool] = lambda: False


@contextmanager
def opened(settings: Settings, *, make: bool = False) -> Generator[Opened]:
    """A runner for the installation that the settings name, closed at the end.

    Raises: Refused when there is none and `make` is not set, or the secret scanner is missing; FolderUnusable, Busy,
    SchemaTooNew.
    """
    check_scanner(settings)
    if settings.database_url:
        services = open_own_server(settings)
        try:
            shared = bool(settings.key_store_url)
            yield Opened(partial(run, services.deps), "the PostgreSQL database", keeps_keys=lambda: shared)
        finally:
            services.close()
        return
    if not make and not (settings.data / SQLITE_NAME).exists():
        raise Refused(_not_set_up(settings))
    gateway = folder_gateway(settings)
    try:
        yield Opened(
            gateway.call, str(settings.data), data_argument(settings), keeps_keys=lambda: not gateway.owns
        )
    finally:
        gateway.close()


def folder_gateway(settings: Settings) -> FolderGateway[Deps]:
    """The gateway of the data folder. Raises: FolderUnusable."""
    folder = settings.data.absolute()
    return FolderGateway(folder, _opener(folder, settings), registry=call_registry(), version=__version__)


def data_argument(settings: Settings) -> str:
    """The option that names the data folder, where it is not the default one."""
    if settings.database_url or settings.data.absolute() == default_data_folder():
        return ""
    return f" --data {shlex.quote(str(settings.data.absolute()))}"


def waits_for_set_up(place: str, data: str) -> str:
    """The sentence for an installation that a server has begun and that has no account yet."""
    return (
        f"Nobody has an account in {place} yet. Redeem the one-time link that the server printed, by "
        f"'{typed('user accept LINK')}{data}'; without a server, '{typed('init --email YOU@EXAMPLE.COM')}{data}' "
        "makes the account."
    )


def _not_set_up(settings: Settings) -> str:
    data = data_argument(settings)
    return (
        f"Nothing is set up in {settings.data} yet. Begin with '{typed('init --email YOU@EXAMPLE.COM')}{data}' or "
        f"'{typed('serve')}{data}', or name another folder with --data."
    )


def _opener(folder: Path, settings: Settings) -> Callable[[], OpenServices]:
    return partial(open_own_folder, settings, folder)
