"""What a turn may do, and as whom: set by the server when the turn was admitted, never by a model.

Use cases block, so that each runs in a worker thread; `ask` proves the caller's credential anew each time.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Concatenate, ParamSpec, TypeVar

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.document_errors import DeliveryRefused
from workspace_memory.domain.errors import Forbidden, NotAuthenticated, NotFound
from workspace_memory.domain.ids import AdmissionId, WorkspaceId
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.domain.recall_block import withheld_note
from workspace_memory.services.deps import Deps
from workspace_memory.services.recall import Recalled, recall
from workspace_memory.services.turn_running import Ask
from workspace_memory.tools.failures import place_of

P = ParamSpec("P")
R = TypeVar("R")

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TurnAuthority:
    """The admission of one turn, with what proves it."""

    ask: Ask
    workspace: WorkspaceId
    admission: AdmissionId
    credential: str = field(repr=False)
    key_session: bytes | None = field(repr=False)

    async def in_thread(
        self, use_case: Callable[Concatenate[Deps, Actor, P], R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run a use case without holding up the event loop. Raises: as `ask`."""
        return await asyncio.to_thread(lambda: self.ask(use_case, *args, **kwargs))

    async def recall(self, model: str) -> Recalled:
        """What a request to this model is given.

        Raises: NotAuthenticated, Forbidden, NotFound, DeliveryRefused for a sender, or a turn, that is none any more;
        whatever else fails withholds the memory.
        """
        try:
            return await self.in_thread(
                recall,
                self.workspace,
                self.admission,
                credential=self.credential,
                key_session_token=self.key_session,
                model=model,
            )
        except (NotAuthenticated, Forbidden, NotFound, DeliveryRefused):
            raise
        except Exception as error:
            _logger.error("recall failed: %s at %s", type(error).__name__, place_of(error))
            note = withheld_note(RecallStatus.UNAVAILABLE)
            return Recalled(RecallStatus.UNAVAILABLE, None, None, note, receipt=None)
