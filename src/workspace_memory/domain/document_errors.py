"""What can go wrong with the memory document, notes, keys and turns: a branch of the tree in `errors.py`.

    DomainError
    ├── Conflict
    │   ├── VersionConflict     another write won: `current` is the version that the server holds
    │   ├── ConsentConflict     the AI consent was changed meanwhile
    │   ├── EpochConflict       the workspace key was rotated, or is not there yet
    │   ├── AdmissionRetired    what the turn was admitted under does not hold any more: `clause`
    │   ├── CaptureWithheld     the turn was not given the memory that it would change
    │   ├── MemoryTooLong       over 8,192 bytes: capture waits until a person has shortened it
    │   ├── KeysExist           the person has keys already
    │   ├── KeysMissing         the person has set up no keys yet
    │   ├── KeysChanged         what was made for somebody's key is not for the present one
    │   ├── KeyHoldersChanged   a new workspace key was not made for exactly those who hold the present one
    │   ├── KeyStillHeld        a key that somebody holds is not begun anew
    │   ├── ProposalSettled     applied, dismissed or retired before
    │   ├── PathTaken           another document stands there
    │   └── TextUnreadable      what is stored does not open with the workspace key
    │       └── KeyLost         it was sealed under a key that nobody holds any more
    ├── Forbidden
    │   ├── NamespaceReserved   the path belongs to the memory document
    │   ├── KeySessionRequired  no open key session came along, or it has ended
    │   ├── AiDisabled          the workspace has not turned AI on
    │   └── DeliveryRefused     the delivery credential is not the admission's
    ├── KeyNotProved            the key that was sent is not the workspace's
    └── KeyStoreDown            the store of key sessions does not answer, or is full

`error_table.py` has their answers, as it has those of the trunk.
"""

from dataclasses import dataclass
from typing import ClassVar

from workspace_memory.domain.errors import Conflict, DomainError, Forbidden

# What helps where another turn alone would be withheld the memory again.
_AFTER_WITHHELD = {
    "not_recalled": "Recall it first; this turn may then try again.",
    "unavailable": "Its key session may have ended: open a new one, and begin a new turn with it.",
    "deleted": "A person has to save the memory document again first.",
}


@dataclass(eq=False)
class VersionConflict(Conflict):
    """Another write won. `current` is the version that the server holds, 0 for none; `live` is False when deleted."""

    code: ClassVar[str] = "version_conflict"
    current: int
    live: bool = True

    def message(self) -> str:
        """Name the version that won."""
        held = f"version {self.current}" if self.live else f"version {self.current}, which is deleted"
        return f"Somebody wrote meanwhile: the server holds {held}. Nothing was written; read it, then write again."


@dataclass(eq=False)
class ConsentConflict(Conflict):
    """The AI consent was changed since it was read."""

    code: ClassVar[str] = "consent_conflict"
    enabled: bool
    current: int

    def message(self) -> str:
        """Name the present revision."""
        return f"The AI consent was changed meanwhile and is at revision {self.current}. Read it again."


@dataclass(eq=False)
class EpochConflict(Conflict):
    """Sealed or made under another epoch of the workspace key than the newest; 0 when there is no key yet."""

    code: ClassVar[str] = "epoch_conflict"
    current: int

    def message(self) -> str:
        """Say what to do about the key."""
        if self.current == 0:
            return "This workspace has no key yet. A member has to set up keys and start the workspace key first."
        return (
            f"The workspace key is at epoch {self.current}. Fetch it, seal the text with it, then send it again; an "
            "agent opens a new key session and begins a new turn."
        )


@dataclass(eq=False)
class KeysExist(Conflict):
    """The person has keys. They are wrapped anew, or replaced, never made a second time."""

    code: ClassVar[str] = "keys_exist"

    def message(self) -> str:
        """Say what there is instead."""
        return "You have keys already. Open them with passphrase or recovery key; where both are lost, replace them."


@dataclass(eq=False)
class KeysMissing(Conflict):
    """The person has set up no keys. `user` is whose."""

    code: ClassVar[str] = "keys_missing"
    user: str

    def message(self) -> str:
        """Say who has to do what."""
        return "This person has set up no keys yet. Keys are set up once, by their owner, with a passphrase."


@dataclass(eq=False)
class KeysChanged(Conflict):
    """A grant was made for another public key than the member has. `user` is the member."""

    code: ClassVar[str] = "keys_changed"
    user: str

    def message(self) -> str:
        """Say what to look at before going on."""
        return (
            "The grant was made for another public key than this member has now. Fetch the keys again and compare "
            "the fingerprint with the member before you grant."
        )


@dataclass(eq=False)
class KeyHoldersChanged(Conflict):
    """The grants of a new workspace key are not for exactly those who hold the present one, or for somebody unknown."""

    code: ClassVar[str] = "key_holders_changed"

    def message(self) -> str:
        """Say that the set has to be the present one."""
        return (
            "The new key has to be granted to every active member who holds the present one, and to nobody but them "
            "and those who wait. The members have changed since: fetch the keys again, then make it anew."
        )


@dataclass(eq=False)
class KeyStillHeld(Conflict):
    """A workspace key is begun anew only where no active member holds the present one."""

    code: ClassVar[str] = "key_still_held"

    def message(self) -> str:
        """Say who can help instead."""
        return (
            "A member holds the key of this workspace and can grant it, so that it is not begun anew and nothing is "
            "lost. The keys of the workspace say who that is."
        )


@dataclass(eq=False)
class AdmissionRetired(Conflict):
    """The turn's authority has ended. `clause` is the name of what does not hold any more."""

    code: ClassVar[str] = "admission_retired"
    clause: str

    def message(self) -> str:
        """Say that nothing was written, and why."""
        return (
            f"Nothing was written: what this turn was admitted under does not hold any more ({self.clause}). "
            "A new turn may try again."
        )


@dataclass(eq=False)
class ProposalSettled(Conflict):
    """A decision about a proposal that does not wait for one: it is applied, dismissed or retired."""

    code: ClassVar[str] = "proposal_settled"
    proposal_state: str

    def message(self) -> str:
        """Name its state, and for a retired one what retired it."""
        why = " by a Clear or a deletion of the memory since" if self.proposal_state == "retired" else ""
        return f"This proposal does not wait for a decision: it is {self.proposal_state}{why}."


@dataclass(eq=False)
class PathTaken(Conflict):
    """Another live document has this path."""

    code: ClassVar[str] = "path_taken"

    def message(self) -> str:
        """Say what to do."""
        return (
            "Another document stands at this path. Name another path, or write that document's next version."
        )


@dataclass(eq=False)
class TextUnreadable(Conflict):
    """The stored text does not open: it was changed, or sealed wrongly by the client that wrote it."""

    code: ClassVar[str] = "text_unreadable"

    def message(self) -> str:
        """Say who can look at it."""
        return (
            "The stored text does not open with the key of this workspace: it was sealed wrongly, or changed. A person "
            "has to look at it; an older version can be restored."
        )


@dataclass(eq=False)
class KeyLost(TextUnreadable):
    """Sealed under the key of an `epoch` before the workspace key was begun anew, which nobody can open."""

    code: ClassVar[str] = "key_lost"
    epoch: int

    def message(self) -> str:
        """Say that it is gone for reading, and what still can be done."""
        return (
            f"This was sealed under a key that nobody holds any more (epoch {self.epoch}): nobody can read it. It is "
            "kept as it is. What is written anew follows on it."
        )


@dataclass(eq=False)
class CaptureWithheld(Conflict):
    """The turn was not given the memory that it would change. `recall_status` is what its recall found."""

    code: ClassVar[str] = "capture_withheld"
    recall_status: str

    def message(self) -> str:
        """Say why nothing can be captured in this turn."""
        return (
            f"Nothing was written: this turn was not given the memory ({self.recall_status}), so it cannot change it. "
            f"{_AFTER_WITHHELD.get(self.recall_status, 'A new turn may try again.')}"
        )


@dataclass(eq=False)
class MemoryTooLong(Conflict):
    """The document is over the bound, so that nothing is captured into it."""

    code: ClassVar[str] = "document_too_large"
    limit: int

    def message(self) -> str:
        """Say who can mend it."""
        return f"The memory would have over {self.limit:,} bytes. A person has to shorten it first."


@dataclass(eq=False)
class NamespaceReserved(Forbidden):
    """The path belongs to the memory document, however it is spelt. Nothing is said about what exists there."""

    code: ClassVar[str] = "MEMORY_NAMESPACE_RESERVED"
    need: str = "this path belongs to the memory document, which has routes of its own"


@dataclass(eq=False)
class KeySessionRequired(Forbidden):
    """No open key session: none was sent, or it is unknown, revoked, expired or evicted."""

    code: ClassVar[str] = "key_session_required"
    need: str = (
        "this needs an open key session of yours in this workspace; open one with your keys and send its token "
        "as X-Key-Session"
    )


@dataclass(eq=False)
class AiDisabled(Forbidden):
    """Workspace AI is off, or its consent was changed since the turn was admitted."""

    code: ClassVar[str] = "ai_disabled"
    need: str = "an administrator of the workspace has to turn AI on first"


@dataclass(eq=False)
class DeliveryRefused(Forbidden):
    """X-Delivery-Credential is not the one that the admission was given."""

    code: ClassVar[str] = "delivery_refused"
    need: str = "X-Delivery-Credential is not the one of this admission"


@dataclass(eq=False)
class KeyNotProved(DomainError):
    """The key that was sent does not give the workspace's check value."""

    code: ClassVar[str] = "key_not_proved"

    def message(self) -> str:
        """Say what to look at."""
        return (
            "The key that was sent is not the key of this workspace. Fetch your grant again and open it anew."
        )


@dataclass(eq=False)
class KeyStoreDown(DomainError):
    """The store of key sessions does not answer, or holds as many as it may. Nothing was opened or written."""

    code: ClassVar[str] = "key_store_down"

    def message(self) -> str:
        """Say that it passes."""
        return "Key sessions cannot be used at the moment. Nothing was done; try again in a few seconds."
