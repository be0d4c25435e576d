"""Every outcome that a caller must tell apart, as one class per case with its facts as fields.

    DomainError
    ├── InvalidRequest        the request is malformed: `field` and `reason` say where and why
    ├── EditRefused           an edit of the document cannot be applied: `refusal`, `index` and `hint` say why
    ├── MemoryStateInvalid    X-Memory-State is repeated or none of its four forms
    ├── ContentRefused        the text holds what no memory may hold: `rule` and `where`, never the value
    │   ├── SecretRefused     a password, token or key
    │   └── StructureRefused  forged structure, hidden characters, orders to a model
    ├── NotAuthenticated      no credential, or one that is wrong, expired or revoked
    │   └── SignInRefused     e-mail and password do not match (the same for unknown users)
    ├── Forbidden             visible, but the role, level or token does not allow it
    │   ├── LevelTooLow       the access level does not offer this
    │   └── TokenForMcpOnly   the token was made for MCP clients alone
    ├── NotFound              not there, or not visible to the caller: the two look the same
    ├── EditionRequired       memory needs a licence here, and there is none
    ├── LicenceInvalid        a licence key that is not genuine, or not for here: `reason` says why
    ├── LinkInvalid           a one-time link that is unknown, used, replaced or expired
    ├── Conflict              true in itself, but not against the present state
    │   ├── AlreadySetUp      the first set-up has been done
    │   ├── EmailTaken        another account has this e-mail address
    │   ├── AlreadyMember     the account is a member already
    │   ├── PolicyConflict    the memory policy was changed meanwhile: its facts are the present policy
    │   ├── AlreadySaved      another item has this text: `item` is its id
    │   ├── NotPending        the item does not wait for a decision: `item_status` is what it is
    │   └── LastAdmin         the workspace would be left without an active admin
    ├── VersionMismatch       another version than the one that was shown
    ├── IdempotencyKeyReused  the same key came with another request
    ├── QuotaExceeded         a limit is reached; retrying is useless until something is removed
    ├── TooManyAttempts       sign-in is delayed for `retry_after` seconds
    ├── RateLimited           a token's calls of this minute are used up; `retry_after` is in seconds
    ├── Busy                  the database was locked for too long; nothing was written
    ├── StorageFull           the disk is full; nothing was written
    ├── FolderUnusable        the data folder cannot be used: `reason` says why
    └── SchemaTooNew          a newer version of the product has written the database

`error_table.py` gives each class its HTTP status, MCP outcome and log level. No message carries memory text,
a token or a key. The classes are not frozen: contextlib assigns `__traceback__` while an error passes through.
"""

from dataclasses import dataclass, fields
from typing import ClassVar


@dataclass(eq=False)
class DomainError(Exception):
    """Base of all expected failures. `code` is stable; the message tells a person what to do."""

    code: ClassVar[str] = "error"

    def __str__(self) -> str:
        """Fill the class's message with its facts."""
        return self.message()

    def message(self) -> str:
        """What happened and what to do, in one or two sentences."""
        return self.code

    def facts(self) -> dict[str, object]:
        """The fields by name, for structured answers."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(eq=False)
class InvalidRequest(DomainError):
    """A malformed request. `field` is the name of the argument, `reason` a sentence that says what is right."""

    code: ClassVar[str] = "invalid_request"
    field: str
    reason: str

    def message(self) -> str:
        return f"{self.field}: {self.reason}" if self.field else self.reason


@dataclass(eq=False)
class EditRefused(DomainError):
    """An edit that cannot be applied, and with it none of its request.

    `refusal` is one of the codes of `edit_refusal.EditRefusal`, `index` the number of the edit counted from 0, `hint`
    a sentence without any text of the document.
    """

    code: ClassVar[str] = "edit_refused"
    refusal: str
    index: int
    hint: str

    def message(self) -> str:
        return f"Nothing was changed: edit {self.index} cannot be applied ({self.refusal}). {self.hint}"


@dataclass(eq=False)
class MemoryStateInvalid(DomainError):
    """X-Memory-State came twice, or is not of its grammar. The code is a word of the contract, hence its capitals."""

    code: ClassVar[str] = "MEMORY_STATE_INVALID"

    def message(self) -> str:
        return (
            "X-Memory-State must come at most once and be exactly unknown, pending, conflict or saved;version=N "
            "with 1 to 10 digits. Leave it out if nothing was saved."
        )


@dataclass(eq=False)
class ContentRefused(DomainError):
    """The text or a tag holds what no memory may hold. `rule` names the kind, `where` the place."""

    code: ClassVar[str] = "content_refused"
    rule: str
    where: str

    def message(self) -> str:
        return (
            f"Not saved: the text cannot be kept (rule {self.rule}; {self.where}). Remove it and save again."
        )


@dataclass(eq=False)
class SecretRefused(ContentRefused):
    """The text or a tag looks like a password, token or key."""

    code: ClassVar[str] = "secret_refused"

    def message(self) -> str:
        return (
            f"Not saved: this looks like a password, token or key (rule {self.rule}; {self.where}). Memory keeps no "
            "secrets. Put it into a password manager and save where it is found instead."
        )


@dataclass(eq=False)
class StructureRefused(ContentRefused):
    """The text or a tag forges structure, hides characters or orders a model about."""

    code: ClassVar[str] = "structure_refused"

    def message(self) -> str:
        return (
            f"Not saved: this looks like an instruction to an AI or hides characters (rule {self.rule}; {self.where}). "
            "Remove that part, or say in plain words what should be remembered."
        )


@dataclass(eq=False)
class NotAuthenticated(DomainError):
    """No credential, or one that is not valid (any more)."""

    code: ClassVar[str] = "not_authenticated"

    def message(self) -> str:
        return "Sign in, or send a valid access token as 'Authorization: Bearer …'. Tokens can expire or be revoked."


@dataclass(eq=False)
class SignInRefused(NotAuthenticated):
    """The same answer for an unknown e-mail address, a wrong password and a deactivated account."""

    code: ClassVar[str] = "sign_in_refused"

    def message(self) -> str:
        return "The e-mail address or the password is not right. An administrator can make a password-reset link."


@dataclass(eq=False)
class Forbidden(DomainError):
    """Visible to the caller, but not allowed. `need` says who may."""

    code: ClassVar[str] = "forbidden"
    need: str

    def message(self) -> str:
        return f"Not allowed: {self.need}."


@dataclass(eq=False)
class LevelTooLow(Forbidden):
    """The caller's access level does not offer this."""

    code: ClassVar[str] = "level_too_low"

    def message(self) -> str:
        return (
            f"Not allowed: this needs the access level '{self.need}'. "
            "An administrator of the workspace can raise it."
        )


@dataclass(eq=False)
class TokenForMcpOnly(DomainError):
    """A token made for MCP clients was used on the REST interface."""

    code: ClassVar[str] = "token_for_mcp_only"

    def message(self) -> str:
        return (
            "This token was made for MCP clients alone. For REST and the command line make another one: "
            "'token create' without --mcp-only."
        )


@dataclass(eq=False)
class NotFound(DomainError):
    """Not there, or not visible to the caller; nothing tells the two apart."""

    code: ClassVar[str] = "not_found"
    what: str

    def message(self) -> str:
        return f"There is no such {self.what}."


@dataclass(eq=False)
class EditionRequired(DomainError):
    """Licensing is on, and no licence lets this workspace use memory. Stored data is kept."""

    code: ClassVar[str] = "edition_required"

    def message(self) -> str:
        return (
            "Memory needs a licence of plan enterprise in this workspace. What is stored is kept; "
            "an administrator can store a licence key."
        )


@dataclass(eq=False)
class LicenceInvalid(DomainError):
    """A licence key that cannot be stored. `reason` is a sentence without the key."""

    code: ClassVar[str] = "licence_invalid"
    reason: str

    def message(self) -> str:
        return f"This licence key cannot be used: {self.reason}."


@dataclass(eq=False)
class LinkInvalid(DomainError):
    """A one-time link that is unknown, used, replaced or expired: one answer for all four."""

    code: ClassVar[str] = "link_invalid"

    def message(self) -> str:
        return (
            "This link is not valid: it was used, replaced or has expired. Ask an administrator for a new one; for "
            "the first set-up, start 'serve' again for a new one."
        )


@dataclass(eq=False)
class Conflict(DomainError):
    """The request is right in itself but not against the present state."""

    code: ClassVar[str] = "conflict"


@dataclass(eq=False)
class AlreadySetUp(Conflict):
    """The first set-up was done before."""

    code: ClassVar[str] = "already_set_up"

    def message(self) -> str:
        return "This installation is set up already. Sign in, or ask an administrator for an invitation."


@dataclass(eq=False)
class EmailTaken(Conflict):
    """Another account uses this e-mail address."""

    code: ClassVar[str] = "email_taken"

    def message(self) -> str:
        return "An account with this e-mail address exists already."


@dataclass(eq=False)
class AlreadyMember(Conflict):
    """The person is a member of the workspace already."""

    code: ClassVar[str] = "already_member"

    def message(self) -> str:
        return "This person is a member of the workspace already. Change the role instead."


@dataclass(eq=False)
class LastAdmin(Conflict):
    """The workspace would be left without an active admin."""

    code: ClassVar[str] = "last_admin"

    def message(self) -> str:
        return "This is the last active admin of the workspace. Make another member an admin first."


@dataclass(eq=False)
class PolicyConflict(Conflict):
    """The memory policy is no longer the one that was read. The facts are the present policy."""

    code: ClassVar[str] = "policy_conflict"
    mode: str
    policy_revision: int
    clear_generation: int

    def message(self) -> str:
        return (
            f"The memory policy was changed meanwhile: the mode is {self.mode} at policy revision "
            f"{self.policy_revision}. Look at it, then change it again."
        )


@dataclass(eq=False)
class AlreadySaved(Conflict):
    """An edit or an approval would give an item the text that another one of the same scope has. `item` is its id."""

    code: ClassVar[str] = "already_saved"
    item: str

    def message(self) -> str:
        return f"Another item has this text already: {self.item}. Nothing was changed; keep one of the two."


@dataclass(eq=False)
class NotPending(Conflict):
    """A decision about an item that does not wait for one (any more). `item_status` is what the item is."""

    code: ClassVar[str] = "not_pending"
    item_status: str

    def message(self) -> str:
        return f"This item does not wait for review: it is {self.item_status}. Read the list again."


@dataclass(eq=False)
class VersionMismatch(DomainError):
    """Somebody changed it since it was shown. `current` is the present version."""

    code: ClassVar[str] = "version_mismatch"
    current: int

    def message(self) -> str:
        return f"It was changed meanwhile and is now version {self.current}. Read it again, then repeat the change."


@dataclass(eq=False)
class IdempotencyKeyReused(DomainError):
    """The key was used before, for another request. `hint` says what to do instead."""

    code: ClassVar[str] = "idempotency_key_reused"
    hint: str = "Use a new key for a new request."

    def message(self) -> str:
        return f"This Idempotency-Key was used for another request. {self.hint}"


@dataclass(eq=False)
class QuotaExceeded(DomainError):
    """A limit is reached. `limit` is the number, `what` says of what."""

    code: ClassVar[str] = "quota_exceeded"
    limit: int
    what: str

    def message(self) -> str:
        return (
            f"The limit of {self.limit:,} {self.what} is reached. Retrying is useless: "
            "nothing can be added until something is removed."
        )


@dataclass(eq=False)
class TooManyAttempts(DomainError):
    """Sign-in is delayed after failures. `retry_after` is in seconds."""

    code: ClassVar[str] = "too_many_attempts"
    retry_after: int

    def message(self) -> str:
        return f"Too many attempts. Try again in {_seconds(self.retry_after)}."


@dataclass(eq=False)
class RateLimited(DomainError):
    """A token made more calls of a kind within a minute than the settings allow. `retry_after` is in seconds."""

    code: ClassVar[str] = "rate_limited"
    retry_after: int

    def message(self) -> str:
        return (
            "Too many calls with this token in one minute. Nothing was done; "
            f"try again in {_seconds(self.retry_after)}."
        )


@dataclass(eq=False)
class Busy(DomainError):
    """The database could not be locked in time; nothing was written."""

    code: ClassVar[str] = "busy"

    def message(self) -> str:
        return "The database was busy for too long. Nothing was written; try again in a few seconds."


@dataclass(eq=False)
class StorageFull(DomainError):
    """The disk is full; nothing was written."""

    code: ClassVar[str] = "storage_full"

    def message(self) -> str:
        return "The disk of the server is full. Nothing was written; free some space, then try again."


@dataclass(eq=False)
class SchemaTooNew(DomainError):
    """The database was written by a newer version of the product."""

    code: ClassVar[str] = "schema_too_new"

    def message(self) -> str:
        return "This database was written by a newer version of Workspace Memory. Upgrade the program, then try again."


@dataclass(eq=False)
class FolderUnusable(DomainError):
    """The data folder cannot be used."""

    code: ClassVar[str] = "folder_unusable"
    folder: str
    reason: str

    def message(self) -> str:
        return f"The data folder {self.folder} cannot be used: {self.reason}. Name another one with --data."


def _seconds(number: int) -> str:
    return "1 second" if number == 1 else f"{number} seconds"
