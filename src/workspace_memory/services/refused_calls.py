"""Refused tool calls in the audit log, so many of each token an hour and no more.

The bound keeps a client that tries in a loop from flooding the log. Neither arguments nor texts are noted; a name
that is no tool of this product is not repeated, since a client may write into it what it likes.
"""

import re
from contextlib import suppress

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.rate import period_of
from workspace_memory.services.audit import record
from workspace_memory.services.deps import Deps

REFUSED_CALLS_PER_HOUR = 60
TOOLS = frozenset(
    {
        *("memory_search", "memory_save", "memory_forget", "search", "fetch"),
        *(
            "list_documents",
            "search_documents",
            "read_document",
            "create_note",
            "propose_edit",
            "ask_assistant",
        ),
    }
)
_HOUR_SECONDS = 3_600
_CODE = re.compile(r"[a-z_]{1,50}")


def note_refused_call(deps: Deps, actor: Actor, workspace: WorkspaceId, *, tool: str, code: str) -> bool:
    """Note that a call of a tool was refused with this error code; False when the hour's bound is reached."""
    period = period_of(deps.clock.now(), _HOUR_SECONDS)
    calls = deps.database.count_call(workspace, actor.token or actor.user, "refused_call", period)
    if calls > REFUSED_CALLS_PER_HOUR:
        return False
    with suppress(NotFound), deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        record(
            deps,
            tx,
            workspace,
            AuditAction.TOOL_CALL_REFUSED,
            actor,
            subject=actor.user,
            tool=tool if tool in TOOLS else "unknown",
            code=code if _CODE.fullmatch(code) else "unknown",
        )
        return True
    return False
