"""What a client finds out about keys by itself, whatever the service says. Each is a reason to stop, not to retry.

DomainError
├── KeysLocked            the own keys are not open: unlock them first
├── WrongSecret           passphrase or recovery key does not open the keys
├── RecoveryKeyMistyped   the typed recovery key cannot be one
├── WaitingForKey         nobody has granted the workspace key yet
├── NotConfirmed          the person did not confirm a fingerprint
├── KeyDistrusted         what the service sent does not come from whom it should
│   └── PinnedKeyChanged  somebody's key is not the one that this client knows
├── ServerRolledBack      the service shows less than it did before
└── KnownKeysUnreadable   the file of known keys is damaged
"""

from dataclasses import dataclass
from typing import ClassVar

from workspace_memory.domain.errors import DomainError


@dataclass(eq=False)
class KeysLocked(DomainError):
    """The own keys have not been opened in this client."""

    code: ClassVar[str] = "keys_locked"

    def message(self) -> str:
        """Say what to do first."""
        return "Your keys are locked. Open them with your passphrase or your recovery key first."


@dataclass(eq=False)
class WrongSecret(DomainError):
    """The passphrase or recovery key does not open what the service keeps."""

    code: ClassVar[str] = "wrong_secret"

    def message(self) -> str:
        """Say what to check."""
        return "The passphrase or recovery key does not fit. Check it; if it is right, the stored keys were changed."


@dataclass(eq=False)
class RecoveryKeyMistyped(DomainError):
    """What was typed cannot be a recovery key. `reason` names the kind of mistake, never the characters."""

    code: ClassVar[str] = "recovery_key_mistyped"
    reason: str

    def message(self) -> str:
        """Say what is wrong with it."""
        return self.reason


@dataclass(eq=False)
class WaitingForKey(DomainError):
    """The caller has no grant of the workspace key. `holders` can make one, each by name and e-mail address.

    `lost`: there is a key, and nobody holds it any more.
    """

    code: ClassVar[str] = "waiting_for_key"
    holders: tuple[str, ...]
    lost: bool = False

    def message(self) -> str:
        """Say who can help."""
        if self.lost:
            return (
                "Nobody holds the key of this workspace any more, so that nobody can grant it. An editor or admin can "
                "begin it anew; what was sealed before stays unreadable."
            )
        if not self.holders:
            return "You wait for the key of this workspace, and nobody holds one who could grant it."
        return (
            f"You wait for the key of this workspace. One of these can grant it: {', '.join(self.holders)}."
        )


@dataclass(eq=False)
class NotConfirmed(DomainError):
    """The fingerprint of somebody was not confirmed, so that nothing was granted."""

    code: ClassVar[str] = "not_confirmed"
    name: str

    def message(self) -> str:
        """Say that nothing happened."""
        return f"Nothing was granted: the fingerprint of {self.name} was not confirmed."


@dataclass(eq=False)
class KeyDistrusted(DomainError):
    """The service sent a key or a signature that does not come from whom it should."""

    code: ClassVar[str] = "key_distrusted"
    reason: str

    def message(self) -> str:
        """Say what does not fit."""
        return (
            f"STOP: {self.reason}. The service may be lying or was broken into. Nothing was opened or sent."
        )


@dataclass(eq=False)
class PinnedKeyChanged(KeyDistrusted):
    """Somebody's key is another one than before. `known` and `presented` are fingerprints, `known` perhaps empty."""

    code: ClassVar[str] = "pinned_key_changed"
    user: str
    name: str
    known: str
    presented: str

    def message(self) -> str:
        """Say what to compare, and with whom."""
        return (
            f"STOP: the key of {self.name} is not the one that this client knows. Known: {self.known or 'another'}. "
            f"Now: {self.presented or 'another'}. Ask {self.name}, not by this service, whether the keys were replaced "
            "and compare the fingerprint. If nobody replaced them, the service is lying."
        )


@dataclass(eq=False)
class ServerRolledBack(DomainError):
    """The service shows an older state than this client has seen. `what` is document or epoch."""

    code: ClassVar[str] = "server_rolled_back"
    what: str
    seen: int
    presented: int

    def message(self) -> str:
        """Say what is missing."""
        return (
            f"STOP: the service shows {self.what} {self.presented}, but this client has seen {self.seen}. Newer ones "
            "were taken away, by a restored backup or on purpose. Ask your administrator before you go on."
        )


@dataclass(eq=False)
class KnownKeysUnreadable(DomainError):
    """The file of known keys is damaged. Starting over by itself would forget whom this client trusts."""

    code: ClassVar[str] = "known_keys_unreadable"
    path: str

    def message(self) -> str:
        """Say what the choices are."""
        return (
            f"The file of known keys {self.path} cannot be used. Restore it; or delete it, and compare fingerprints "
            "anew before you trust what you see."
        )
