"""What an installation knows of licences: its settings, and the answers of the last 60 seconds.

`licences.py` asks and fills it; a test makes its own.
"""

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.licence import Licensing

CACHED_FOR = timedelta(seconds=60)


class LicenceCache:
    """The answers of the last 60 seconds, per workspace."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._known: dict[WorkspaceId, tuple[datetime, bool]] = {}

    def get(self, workspace: WorkspaceId, now: datetime) -> bool | None:
        """The known answer; one from the future is not believed, since the clock was set back."""
        with self._guard:
            known = self._known.get(workspace)
        if known is None or not timedelta(0) <= now - known[0] < CACHED_FOR:
            return None
        return known[1]

    def put(self, workspace: WorkspaceId, now: datetime, answer: bool) -> None:
        """Keep an answer."""
        with self._guard:
            self._known[workspace] = (now, answer)

    def forget(self, workspace: WorkspaceId) -> None:
        """Forget what is known of a workspace, since its licence was changed here."""
        with self._guard:
            self._known.pop(workspace, None)


@dataclass(frozen=True, slots=True)
class LicenceTerms:
    """Whether licences are asked for, the issuer's public key, and the key of the instance, which may be empty."""

    mode: Licensing = Licensing.OFF
    public_key: str = ""
    instance_key: str = ""
    cache: LicenceCache = field(default_factory=LicenceCache)

    def __post_init__(self) -> None:
        if self.mode is not Licensing.OFF and not self.public_key:
            raise InvalidRequest(
                "licence_public_key",
                "must be set where licensing is on (WORKSPACE_MEMORY_LICENCE_PUBLIC_KEY)",
            )
