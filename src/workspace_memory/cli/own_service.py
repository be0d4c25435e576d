"""The service within this very process, for the commands of this machine that go through the REST client.

What is sealed on the client's side is sealed by the same code as over a network. The requests go to the application in
this process, which carries them out in the data folder or hands them to the process that has it open; who asks is
settled before, by whom the command acts for.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

from workspace_memory.api.own_application import build_own_api
from workspace_memory.cli.executable import typed
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.in_process import InProcess
from workspace_memory.cli.local import opened
from workspace_memory.cli.local_memory import LocalMemory
from workspace_memory.cli.target import Target
from workspace_memory.client import WorkspaceMemory
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.services.authentication import authenticate_token
from workspace_memory.services.running import Runner
from workspace_memory.services.turn_running import TurnRunner
from workspace_memory.settings import Settings

_ADDRESS = "http://127.0.0.1"
# No secret: whoever may open the folder is let in, and nothing outside of this process is asked.
_TOKEN = "this-process"


@contextmanager
def own_client(
    target: Target, settings: Settings, *, lasting: bool, assistant: bool
) -> Generator[WorkspaceMemory]:
    """The client of this machine; with `lasting` only where a key session outlives the command.

    With `assistant` also its nouns, whose turns run in this process and end with the command.
    Raises: Refused, DomainError.
    """
    with opened(settings) as way:
        memory = LocalMemory(way, account=target.account, workspace=target.workspace)
        turns = _assistant(way.runner, settings) if assistant else None
        app = build_own_api(_as_actor(way.runner, memory.actor), settings, turns)
        workspace = WorkspaceId(memory.workspace_id())
        if lasting and not way.keeps_keys():
            raise Refused(
                "A key session lies in the memory of a running server, and none runs here. "
                f"Start '{typed('serve')}' first, or name a server with --url."
            )
        with WorkspaceMemory(
            _ADDRESS, _TOKEN, workspace=workspace, transport=InProcess(app, turns)
        ) as client:
            yield client


def _as_actor(runner: Runner, actor: Actor) -> Runner:
    """A runner for which the credential of every request is this actor's."""

    def run(use_case: Any, /, *args: Any, **kwargs: Any) -> Any:  # a runner's own type
        return actor if use_case is authenticate_token else runner(use_case, *args, **kwargs)

    return cast("Runner", run)


def _assistant(runner: Runner, settings: Settings) -> TurnRunner:
    from workspace_memory.assistant.loading import make_assistant  # noqa: PLC0415  for few commands

    return make_assistant(runner, settings)
