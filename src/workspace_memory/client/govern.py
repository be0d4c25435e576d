"""The calls by which people govern memory: settings, levels, review, erasing, audit, licence, clients."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from workspace_memory.client.answers import Item, if_match
from workspace_memory.client.connection import Connection, segment
from workspace_memory.client.govern_answers import (
    AccessChanged,
    AuditEvent,
    AuditHead,
    AuditPage,
    AuditVerified,
    Clients,
    ClientSeen,
    Decided,
    DecidedMany,
    Due,
    Erased,
    LicenceState,
    MemorySettings,
    Removal,
    ReviewEntry,
    ReviewPage,
)
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.item import Scope, WriteMode

PAGE_ENTRIES = 200


@dataclass(frozen=True, slots=True)
class Decision:
    """An item to decide about in bulk, in the version that was shown; of a proposed change also its target's."""

    item: str
    shown: int
    replaced_shown: int | None = None

    def to_json(self) -> dict[str, object]:
        """The members of the request."""
        return {"id": self.item, "version": self.shown, "replaced_version": self.replaced_shown}


class GovernCalls(Connection):
    """Govern the memory of the client's workspace."""

    def memory_settings(self) -> MemorySettings:
        """The settings that hold for all members. Raises: NotFound, Forbidden."""
        return self._read(MemorySettings, "GET", f"{self._governed}/memory/settings")

    def change_memory_settings(
        self,
        *,
        default_access: AccessLevel | None = None,
        write_mode: WriteMode | None = None,
        assistant_tokens_per_day: int | None = None,
    ) -> MemorySettings:
        """Set what is given. Raises: InvalidRequest, NotFound, Forbidden, LevelTooLow."""
        change = {
            "default_access": default_access,
            "write_mode": write_mode,
            "assistant_tokens_per_day": assistant_tokens_per_day,
        }
        body = {name: value for name, value in change.items() if value is not None}
        return self._read(MemorySettings, "PATCH", f"{self._governed}/memory/settings", body=body)

    def set_access(self, levels: Mapping[str, AccessLevel]) -> AccessChanged:
        """Set the levels of up to 500 members by user id, all or none.

        Raises: InvalidRequest, NotFound, Forbidden, LevelTooLow.
        """
        members = [{"user_id": user, "memory_access": level} for user, level in levels.items()]
        path = f"{self._governed}/memory/members/access"
        return self._read(AccessChanged, "PUT", path, body={"members": members}, repeatable=True)

    def erase_personal(self, user: str) -> Erased:
        """Delete a member's personal items unread. Raises: NotFound, Forbidden, LevelTooLow."""
        path = f"{self._governed}/memory/members/{segment(user)}/personal"
        return self._read(Erased, "DELETE", path)

    def delete_account(self, *, password: str) -> Erased:
        """Delete the signed-in account with all its personal memory. Raises: Forbidden, SignInRefused, LastAdmin."""
        return self._read(Erased, "DELETE", "/me", body={"password": password})

    def list_review(self, *, scope: Scope | None = None) -> Iterator[ReviewEntry]:
        """What waits for the caller, oldest first, page after page.

        Raises: NotFound, Forbidden, LevelTooLow, EditionRequired.
        """
        cursor: str | None = None
        while True:
            params = {"scope": scope, "limit": PAGE_ENTRIES, "cursor": cursor}
            page = self._read(ReviewPage, "GET", f"{self._governed}/memory/review", params=params)
            yield from page.entries
            cursor = page.next_cursor
            if cursor is None:
                return

    def review_entry(self, item: str) -> ReviewEntry:
        """What a reviewer is shown of one pending item. Raises: NotPending and as `list_review`."""
        return self._read(ReviewEntry, "GET", f"{self._governed_item(item)}/review")

    def approve_item(self, item: str, *, shown: int, replaced_shown: int | None = None) -> Item:
        """Approve a pending item; of a proposed change the answer is the item that was changed.

        Raises: NotPending, VersionMismatch, SecretRefused, StructureRefused and as `list_review`.
        """
        body = {"replaced_version": replaced_shown}
        path = f"{self._governed_item(item)}/approve"
        return self._read(Item, "POST", path, body=body, headers=if_match(shown))

    def reject_item(self, item: str, *, shown: int, reason: str = "") -> Item:
        """Reject a pending item. Raises: as `approve_item`; InvalidRequest for a long reason."""
        path = f"{self._governed_item(item)}/reject"
        return self._read(Item, "POST", path, body={"reason": reason}, headers=if_match(shown))

    def approve_items(self, decisions: Sequence[Decision]) -> tuple[Decided, ...]:
        """Approve up to 500 items; each says what became of it. Raises: as `list_review`; InvalidRequest."""
        body = {"items": [each.to_json() for each in decisions]}
        return self._read(DecidedMany, "POST", f"{self._governed}/memory/review/approve", body=body).items

    def reject_items(self, decisions: Sequence[Decision], *, reason: str = "") -> tuple[Decided, ...]:
        """Reject up to 500 items with one reason. Raises: as `approve_items`."""
        body = {"items": [each.to_json() for each in decisions], "reason": reason}
        return self._read(DecidedMany, "POST", f"{self._governed}/memory/review/reject", body=body).items

    def items_to_confirm(self, *, limit: int = 50) -> tuple[Item, ...]:
        """Active items whose review date has come, at most 200. Raises: as `list_review`."""
        return self._read(Due, "GET", f"{self._governed}/memory/to-confirm", params={"limit": limit}).items

    def confirm_item(self, item: str, *, shown: int, review_by: date | None = None) -> Item:
        """Say that an item still holds, until the next date or for good. Raises: as `approve_item`."""
        body = {"review_by": None if review_by is None else review_by.isoformat()}
        path = f"{self._governed_item(item)}/confirm"
        return self._read(Item, "POST", path, body=body, headers=if_match(shown))

    def list_audit(
        self,
        *,
        action: AuditAction | None = None,
        actor: str | None = None,
        subject: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Iterator[AuditEvent]:
        """The events of the audit log, newest first, page after page. Times are aware.

        Raises: NotFound, Forbidden, LevelTooLow.
        """
        cursor: str | None = None
        while True:
            params = {
                "action": action,
                "actor": actor,
                "subject": subject,
                "since": None if since is None else since.isoformat(),
                "until": None if until is None else until.isoformat(),
                "limit": PAGE_ENTRIES,
                "cursor": cursor,
            }
            page = self._read(AuditPage, "GET", f"{self._governed}/audit", params=params)
            yield from page.events
            cursor = page.next_cursor
            if cursor is None:
                return

    def audit_head(self) -> AuditHead:
        """The newest event, to be kept outside. Raises: NotFound, Forbidden, LevelTooLow."""
        return self._read(AuditHead, "GET", f"{self._governed}/audit/head")

    def verify_audit(self, expected: AuditHead | None = None) -> AuditVerified:
        """Whether the chain is whole and contains an exported head. Raises: NotFound, Forbidden, LevelTooLow."""
        params = {} if expected is None else {"number": expected.number, "hash": expected.hash}
        return self._read(AuditVerified, "GET", f"{self._governed}/audit/verify", params=params)

    def licence_state(self) -> LicenceState:
        """The workspace's licence. Raises: NotFound, Forbidden, LevelTooLow."""
        return self._read(LicenceState, "GET", f"{self._governed}/licence")

    def store_licence(self, licence_key: str) -> LicenceState:
        """Keep a licence key. Raises: LicenceInvalid, NotFound, Forbidden, LevelTooLow."""
        return self._read(LicenceState, "PUT", f"{self._governed}/licence", body={"licence_key": licence_key})

    def remove_licence(self) -> LicenceState:
        """Delete the licence key; items are kept. Raises: NotFound, Forbidden, LevelTooLow."""
        return self._read(LicenceState, "DELETE", f"{self._governed}/licence")

    def list_clients(self) -> tuple[ClientSeen, ...]:
        """Every member's tokens. Raises: NotFound, Forbidden, LevelTooLow."""
        return self._read(Clients, "GET", f"{self._governed}/clients").clients

    def remove_from_client(self, token: str, *, since: datetime, dry_run: bool = True) -> Removal:
        """Undo what one token wrote since a time (aware), or only count. Raises: NotFound, Forbidden, LevelTooLow."""
        body = {"since": since.isoformat(), "dry_run": dry_run}
        return self._read(Removal, "DELETE", f"{self._governed}/clients/{segment(token)}/items", body=body)

    @property
    def _governed(self) -> str:
        return f"/workspaces/{segment(self.workspace)}"

    def _governed_item(self, item: str) -> str:
        return f"{self._governed}/memory/items/{segment(item)}"
