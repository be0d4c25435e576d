"""X-Memory-State: what a page knows about its own last Save when it sends a message.

    X-Memory-State = "unknown" / "saved;version=" 1*10DIGIT / "pending" / "conflict"

Exact, in lower case, without blanks; absent is `unknown`. The state is frozen in the admission and never upgraded
within the turn. What it means for recall is decided in `recall.py`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from workspace_memory.domain.errors import MemoryStateInvalid
from workspace_memory.domain.ids import Version

VERSION_MAX = 9_999_999_999  # ten digits

_SAVED = "saved;version="
_VERSION = re.compile(r"[0-9]{1,10}")


class ClientStateKind(StrEnum):
    """How the page's last own Save stands."""

    UNKNOWN = "unknown"
    SAVED = "saved"
    PENDING = "pending"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class ClientState:
    """A stated memory state. `version` is the acknowledged revision of `saved`, and None for every other kind.

    `str()` is the header's value, in the form in which it is stored; `parse_memory_state` reads it back.
    """

    kind: ClientStateKind
    version: Version | None = None

    def __post_init__(self) -> None:
        """Keep a state from being made that no header could say."""
        if (self.version is not None) != (self.kind is ClientStateKind.SAVED):
            raise ValueError("a version belongs to saved, and only to saved")
        if self.version is not None and not 0 <= self.version <= VERSION_MAX:
            raise ValueError("a version has 1 to 10 digits")

    def __str__(self) -> str:
        """The header's value."""
        return self.kind.value if self.version is None else f"{_SAVED}{self.version}"


UNKNOWN = ClientState(ClientStateKind.UNKNOWN)
PENDING = ClientState(ClientStateKind.PENDING)
CONFLICT = ClientState(ClientStateKind.CONFLICT)

_PLAIN = {str(state): state for state in (UNKNOWN, PENDING, CONFLICT)}


def saved(version: Version) -> ClientState:
    """The state of a page whose last own Save, Clear or Undo was acknowledged as this version."""
    return ClientState(ClientStateKind.SAVED, version)


def parse_memory_state(values: Sequence[str]) -> ClientState:
    """The state of a request, from the values of each X-Memory-State header that it has; none means `unknown`.

    Raises: MemoryStateInvalid for a repeated header and for everything that is not of the grammar.
    """
    match values:
        case []:
            return UNKNOWN
        case [value]:
            return _parsed(value)
        case _:
            raise MemoryStateInvalid


def _parsed(value: str) -> ClientState:
    if value in _PLAIN:
        return _PLAIN[value]
    digits = value.removeprefix(_SAVED)
    if digits == value or _VERSION.fullmatch(digits) is None:
        raise MemoryStateInvalid
    return saved(Version(int(digits)))
