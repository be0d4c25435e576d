"""What every use case is given: the database, the time, new ids, and nothing that knows of HTTP or MCP."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol

import uuid_utils

from workspace_memory.crypto.key_sessions import KeyStore, RamKeyStore
from workspace_memory.domain.key_session import ABSOLUTE_MAX, IDLE
from workspace_memory.domain.rate import RateLimits
from workspace_memory.domain.secret_scanner import SecretScanner
from workspace_memory.services.last_used import LastUsed
from workspace_memory.services.licence_terms import LicenceTerms
from workspace_memory.services.passed_texts import PassedTexts
from workspace_memory.services.semantic_signals import SemanticSignal
from workspace_memory.storage.database import Database


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The present time, aware, in UTC."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The present time in UTC."""
        return datetime.now(UTC)


def new_uuid7() -> str:
    """A new id that sorts by the time at which it was made."""
    return str(uuid_utils.uuid7())


@dataclass(frozen=True, slots=True)
class KeySessionTimes:
    """When a key session ends: unused for `idle`, and at the latest after `absolute`."""

    idle: timedelta = IDLE
    absolute: timedelta = ABSOLUTE_MAX


def ram_key_store() -> KeyStore:
    """Key sessions in this process, by the machine's clock."""
    return RamKeyStore(SystemClock().now)


@dataclass(frozen=True, slots=True)
class Deps:
    """Handed to every use case as its first argument. `secret_scanner` is asked after the own patterns.

    `semantic` is there where searches go by meaning as well.
    """

    database: Database
    clock: Clock = field(default_factory=SystemClock)
    new_id: Callable[[], str] = new_uuid7
    public_url: str = "http://127.0.0.1:8787"
    last_used: LastUsed = field(default_factory=LastUsed)
    passed_texts: PassedTexts = field(default_factory=PassedTexts)
    licensing: LicenceTerms = field(default_factory=LicenceTerms)
    rates: RateLimits = field(default_factory=RateLimits)
    key_store: KeyStore = field(default_factory=ram_key_store)
    key_session_times: KeySessionTimes = field(default_factory=KeySessionTimes)
    # Derives delivery credentials and the codes of recall blocks; the same in every process of an installation.
    instance_secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    secret_scanner: SecretScanner | None = None
    semantic: SemanticSignal | None = None
