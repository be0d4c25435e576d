"""One turn of the Assistant: a message of a person, the model calls that answer it, and what they cost.

Running is a lease: a turn whose process has died is read as interrupted when the lease is over, and is never stored
as that. The same submission sent again then takes the turn up once more, under its first admission.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import AdmissionId, ConversationId, WorkspaceId
from workspace_memory.domain.plain_text import require_plain

LEASE = timedelta(seconds=60)
RENEW_SECONDS = 20.0
MESSAGE_BYTES_MAX = 32 * 1024
"""How long a person's message may be."""
HISTORY_BYTES_MAX = 96 * 1024
"""How much of a conversation a turn is given, newest turns first; older ones stay stored and readable."""
MODEL_CALLS_MAX = 20
"""How many model calls a turn may make: a model that goes round in circles is stopped."""
TOKENS_PER_KIB = 300
"""What memory costs about, measured with the Llama 3 tokenizer on mixed Japanese and English Markdown."""


def about_tokens(size: int) -> int:
    """About how many tokens a text of so many UTF-8 bytes is."""
    return size * TOKENS_PER_KIB // 1024


class TurnState(StrEnum):
    """Where a turn stands, as it is stored."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class TurnUsage:
    """What a turn cost: tokens as the provider counted them, and the bytes of the blocks of memory within."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    memory_bytes: int = 0

    @property
    def memory_tokens(self) -> int:
        """About how many of the input tokens were memory; an estimate, since no provider tells them apart."""
        return about_tokens(self.memory_bytes)

    def __add__(self, other: "TurnUsage") -> "TurnUsage":
        return TurnUsage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.memory_bytes + other.memory_bytes,
        )


@dataclass(frozen=True, slots=True)
class TurnName:
    """Which turn: the conversation, and the number of the turn in it, from 1."""

    conversation: ConversationId
    number: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the Assistant. `error` is the code of what failed, where it did; `interrupted` is told by `seen_at`."""

    workspace: WorkspaceId
    name: TurnName
    admission: AdmissionId
    state: TurnState
    model: str
    began_at: datetime
    ended_at: datetime | None
    lease_until: datetime
    error: str | None
    usage: TurnUsage

    interrupted: bool = False

    @property
    def is_running(self) -> bool:
        """Whether a process works on it, by the time at which it was looked at."""
        return self.state is TurnState.RUNNING and not self.interrupted

    def seen_at(self, now: datetime) -> "Turn":
        """The turn with `interrupted` said: its process has ended without saying so."""
        return replace(self, interrupted=self.state is TurnState.RUNNING and now >= self.lease_until)


def check_message(text: str) -> None:
    """Raise InvalidRequest for what is no message: blank, too long, or not valid Unicode."""
    require_plain("message", text)
    if not text.strip():
        raise InvalidRequest("message", "must not be empty")
    size = len(text.encode())
    if size > MESSAGE_BYTES_MAX:
        raise InvalidRequest(
            "message", f"has {size:,} bytes in UTF-8; at most {MESSAGE_BYTES_MAX:,} are taken"
        )
