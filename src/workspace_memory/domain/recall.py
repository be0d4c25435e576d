"""What a model call is given of the memory document: the statuses."""

from enum import StrEnum


class RecallStatus(StrEnum):
    """In the order in which they are decided; the first that fits wins."""

    OFF = "off"
    SUPERSEDED = "superseded"
    NO_ACCESS = "no_access"
    PENDING = "pending"
    CONFLICT = "conflict"
    UNAVAILABLE = "unavailable"
    DELETED = "deleted"
    STALE = "stale"
    OVERSIZED = "oversized"
    EMPTY = "empty"
    ATTACHED = "attached"
