"""Rates: how many calls of a kind a token may make within a minute. By hand nothing is counted, and 0 is no limit."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

MINUTE_SECONDS = 60


class Rate(StrEnum):
    """The kinds of calls that are counted apart."""

    SAVE = "save"
    SEARCH = "search"
    KEY_SESSION = "key_session"


@dataclass(frozen=True, slots=True)
class RateLimits:
    """Calls per token and minute; 0 turns a limit off. The settings of an installation have other defaults."""

    saves: int = 0
    searches: int = 0
    key_sessions: int = 0

    def of(self, rate: Rate) -> int:
        """The limit of one kind."""
        match rate:
            case Rate.SAVE:
                return self.saves
            case Rate.SEARCH:
                return self.searches
            case Rate.KEY_SESSION:
                return self.key_sessions


def period_of(now: datetime, seconds: int) -> int:
    """The number of the period of so many seconds, counted from 1970."""
    return int(now.timestamp()) // seconds


def seconds_left(now: datetime, seconds: int) -> int:
    """How long the present period still lasts, at least 1 second."""
    return max(1, seconds - int(now.timestamp()) % seconds)
