"""What the service answers to `assistant.py`, as frozen values."""

from dataclasses import dataclass
from datetime import datetime

from workspace_memory.domain.ids import AdmissionId, ConversationId, WorkspaceId
from workspace_memory.domain.transcript import CallOutcome, Speaker


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What model calls cost, as the provider counted it; `memory_tokens` is an estimate."""

    calls: int
    input_tokens: int
    output_tokens: int
    memory_bytes: int
    memory_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantStatus:
    """What the workspace's Assistant runs with, and its cost since midnight in UTC; 0 a day for no limit."""

    model: str
    demonstration: bool
    today: Usage
    tokens_per_day: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedConversation:
    """A conversation. `title` is told with an open key session alone, and None before the first turn."""

    id: ConversationId
    title: str | None
    workspace_id: WorkspaceId
    turns: int
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownConversation(ListedConversation):
    """A conversation with what its turns have cost."""

    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversations:
    """A page of conversations, newest first."""

    conversations: tuple[ListedConversation, ...]
    next_before: ConversationId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool that the model called, and what came of it."""

    name: str
    outcome: CallOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message. Not readable: it does not open, or another version of the program wrote it."""

    speaker: Speaker
    text: str
    calls: tuple[ToolCall, ...]
    readable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldTurn:
    """A turn with its messages. `state` is running, done, failed, stopped or interrupted."""

    turn: int
    admission_id: AdmissionId
    state: str
    model: str
    began_at: datetime
    ended_at: datetime | None
    error: str | None
    usage: Usage
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Messages:
    """A page of turns, in their order."""

    turns: tuple[ToldTurn, ...]
    next_after: int | None
