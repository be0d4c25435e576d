"""What every route is given of the installation: how use cases are run, and under which address clients reach it."""

from dataclasses import dataclass
from typing import cast

from fastapi import FastAPI, Request

from workspace_memory.services.running import Runner
from workspace_memory.services.turn_running import TurnRunner
from workspace_memory.settings import Settings, default_data_folder


@dataclass(frozen=True, slots=True)
class Edge:
    """Made once by `build_api`. `address` has no trailing slash. Without `turns` there is no Assistant.

    `data` is the data folder where a command on this machine has to name it.
    """

    run: Runner
    address: str
    turns: TurnRunner | None = None
    data: str = ""

    @property
    def is_https(self) -> bool:
        """Whether clients reach the service over TLS, be it in front of a proxy."""
        return self.address.startswith("https://")


def keep_edge(app: FastAPI, runner: Runner, settings: Settings, turns: TurnRunner | None = None) -> None:
    """Lay the edge where `edge_of` finds it."""
    folder = settings.data.absolute()
    data = "" if folder == default_data_folder() else str(folder)
    app.state.edge = Edge(runner, settings.address(), turns, data)


def edge_of(request: Request) -> Edge:
    """The edge of the application that the request came to."""
    return cast("Edge", request.app.state.edge)
