"""The texts that a dry run has let pass, so that the import which follows need not look at each a second time.

Kept are digests alone, in RAM, under a key of this process, and for each account apart: nobody can tell by the time
of an import what another one has tried. Only what was found harmless is remembered, and it is used up by one import.
"""

import hashlib
import secrets
import threading
from collections.abc import Sequence

from workspace_memory.domain.ids import UserId, WorkspaceId

DIGEST_BYTES = 16
TEXTS_MAX = 40_000


class PassedTexts:
    """Digests of texts, of the same accounts and workspaces in which they were tried."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._key = secrets.token_bytes(32)
        self._passed: set[bytes] = set()

    def digest(self, workspace: WorkspaceId, user: UserId, content: str, tags: Sequence[str]) -> bytes:
        """What stands for this text of this account."""
        # No id, text or tag can hold the NUL character that separates them, or it is refused in any case.
        facts = "\0".join((workspace, user, content, *tags))
        return hashlib.blake2b(
            facts.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES, key=self._key
        ).digest()

    def add(self, digest: bytes) -> None:
        """Remember a text that may pass."""
        with self._guard:
            if len(self._passed) >= TEXTS_MAX:
                self._passed.clear()  # a dry run that no import followed; looking again costs only time
            self._passed.add(digest)

    def take(self, digest: bytes) -> bool:
        """Whether the text is known to pass; from now on it is not."""
        with self._guard:
            if digest not in self._passed:
                return False
            self._passed.remove(digest)
            return True
