"""A message of a conversation, sealed: one row for each message of the model's protocol, and the title beside them."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from workspace_memory.domain.document import SealedText


class MessageKind(StrEnum):
    """Who speaks: what goes to the model (a person's words, a tool's answer), or what comes from it."""

    REQUEST = "request"
    RESPONSE = "response"


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message that is to be kept. `body` is the framework's own JSON, `framework` its name and version."""

    kind: MessageKind
    body: str = field(repr=False)
    framework: str


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message as it lies in the store."""

    sequence: int
    turn: int
    kind: MessageKind
    sealed: SealedText
    framework: str
    at: datetime
