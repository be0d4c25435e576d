"""The routes that the commands of this machine call within their own process, and no others.

A command lives for a second: the other nouns would cost it most of that. `application.py` has all of them.
"""

from fastapi import FastAPI

from workspace_memory.api import (
    documents,
    key_sessions,
    members,
    notes,
    policies,
    proposals,
    sessions,
    user_keys,
    workspace_keys,
)
from workspace_memory.api.framing import framed
from workspace_memory.services.running import Runner
from workspace_memory.services.turn_running import TurnRunner
from workspace_memory.settings import Settings


def build_own_api(runner: Runner, settings: Settings, turns: TurnRunner | None = None) -> FastAPI:
    """What keys, the document, proposals, key sessions and the AI switch need; with `turns` the Assistant too."""
    nouns = (
        *(sessions, members, user_keys, workspace_keys, key_sessions),
        *(policies, documents, notes, proposals),
    )
    if turns is None:
        return framed(runner, settings, nouns)
    from workspace_memory.api import assistant, conversations  # noqa: PLC0415  for these commands alone

    return framed(runner, settings, (*nouns, conversations, assistant), turns)
