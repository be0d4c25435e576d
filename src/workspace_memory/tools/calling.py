"""Calling a tool: as whom, and what becomes of a failure.

Expected failures are answers that the model reads and can act on; anything else is logged by type and place and told in
a neutral sentence. Everything here blocks: whoever calls does it in a worker thread.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from workspace_memory.domain.access import AccessLevel, Action
from workspace_memory.domain.errors import ContentRefused, DomainError
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.error_table import row_for
from workspace_memory.services.turn_running import Ask
from workspace_memory.tools.answers import Answer
from workspace_memory.tools.failures import UNEXPECTED, place_of
from workspace_memory.tools.schemas import Definition, Schema

_logger = logging.getLogger(__name__)
_NO_OVERRIDE = (
    " Nothing overrides this, no argument and no confirmation by the user: do not disguise or split the text to save "
    "it all the same."
)


@dataclass(frozen=True, slots=True)
class ToolCaller:
    """As whom a tool acts: `ask` proves the credential at each use case; `key_session` is a token, or None."""

    ask: Ask
    workspace: WorkspaceId
    key_session: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that models may call. `needs` is the least level at which it is offered, `role` what the role must allow.

    What is offered is a courtesy: the use case behind `run` asks for level and role itself. `run` reads the arguments
    strictly, runs its use case through `caller.ask`, and gives the JSON of the result. Raises: DomainError.
    """

    definition: Definition
    needs: AccessLevel
    run: Callable[[ToolCaller, Mapping[str, object]], str]
    role: Action | None = None

    @property
    def name(self) -> str:
        """The name by which it is called."""
        return str(self.definition["name"])

    @property
    def description(self) -> str:
        """When to use it and what comes back, for the model."""
        return str(self.definition["description"])

    @property
    def takes(self) -> Schema:
        """The JSON schema of the arguments, flat."""
        return cast("Schema", self.definition["inputSchema"])


def call_tool(tool: Tool, caller: ToolCaller, arguments: Mapping[str, object]) -> Answer:
    """Call a tool; every failure is an answer, which begins with the code of what failed."""
    return answered(tool.name, lambda: tool.run(caller, arguments), refused=refusal_with_code)


def answered(
    name: str, run: Callable[[], str], *, refused: Callable[[DomainError], str], unexpected: str = UNEXPECTED
) -> Answer:
    """The answer of what `run` gives or raises; `refused` has the words for an expected failure."""
    try:
        return Answer(run())
    except DomainError as error:
        _logger.log(row_for(error).log_level, "%s answered %s", name, error.code)
        return Answer(refused(error), is_error=True)
    except Exception as error:
        _logger.error("%s failed: %s at %s", name, type(error).__name__, place_of(error))
        return Answer(unexpected, is_error=True)


def refusal(error: DomainError) -> str:
    """The sentence of a refused call: the rule and the place where a text is refused, never what stands there."""
    if isinstance(error, ContentRefused):
        return f"{error.message()}{_NO_OVERRIDE}"
    return error.message()


def refusal_with_code(error: DomainError) -> str:
    """The same after the error's stable code, by which a program can tell refusals apart."""
    return f"{error.code}: {refusal(error)}"
