"""What the commands of governance ask for: `local_governance.py` answers on this machine, `remote_governance.py` over
REST. People are named by e-mail address, as on the command line."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Protocol

from workspace_memory.cli.governance_rows import (
    AuditFilter,
    AuditHeadRow,
    AuditRow,
    ClientRow,
    DecidedRow,
    DecisionRow,
    ErasedRow,
    LicenceStateRow,
    RemovalRow,
    RemovedRow,
    ReviewRow,
    SettingsRow,
    VerifiedRow,
)
from workspace_memory.cli.rows import ItemRow, MemberRow


class Governance(Protocol):
    """One account in one workspace. Raises: DomainError or ApiError, each with a sentence for the person."""

    def review(self, *, scope: str | None) -> Iterator[ReviewRow]:
        """What waits for this account, oldest first, fetched as far as it is read."""
        ...

    def review_entry(self, item: str) -> ReviewRow:
        """What a reviewer is shown of one pending item."""
        ...

    def to_confirm(self, *, limit: int) -> Sequence[ItemRow]:
        """Active items whose date of review has come."""
        ...

    def approve(self, decisions: Sequence[DecisionRow]) -> Sequence[DecidedRow]:
        """Approve pending items, each in the version that was shown."""
        ...

    def reject(self, decisions: Sequence[DecisionRow], *, reason: str) -> Sequence[DecidedRow]:
        """Reject pending items, each in the version that was shown."""
        ...

    def get_item(self, item: str) -> ItemRow:
        """One item."""
        ...

    def confirm_item(self, item: str, *, shown: int, review_by: date | None) -> ItemRow:
        """Confirm that an active item still holds."""
        ...

    def settings(self) -> SettingsRow:
        """The settings in force."""
        ...

    def change_settings(
        self, *, default_access: str | None, write_mode: str | None, assistant_tokens_per_day: int | None
    ) -> SettingsRow:
        """Set what is given."""
        ...

    def set_access(self, emails: Sequence[str], level: str) -> tuple[Sequence[MemberRow], int]:
        """Set the access level of members, all or none; the members, and how many of them changed."""
        ...

    def set_role(self, email: str, role: str) -> MemberRow:
        """Give a member another role."""
        ...

    def erase_personal(self, email: str) -> ErasedRow:
        """Delete all personal items of a member."""
        ...

    def remove_member(self, email: str) -> RemovedRow:
        """End a membership; how many personal items went with it."""
        ...

    def delete_account(self, email: str) -> ErasedRow:
        """Delete an account with all that is its own."""
        ...

    def audit(self, wanted: AuditFilter) -> Iterator[AuditRow]:
        """The audit log, newest first, fetched as far as it is read."""
        ...

    def verify_audit(self, expected: AuditHeadRow | None) -> VerifiedRow:
        """Whether the chain is whole and contains the exported head."""
        ...

    def audit_head(self) -> AuditHeadRow:
        """The newest event's number and hash."""
        ...

    def licence_state(self) -> LicenceStateRow:
        """What licence the workspace has."""
        ...

    def install_licence(self, licence_key: str) -> LicenceStateRow:
        """Keep a licence key for the workspace."""
        ...

    def remove_licence(self) -> LicenceStateRow:
        """Delete the workspace's licence key."""
        ...

    def list_clients(self) -> Sequence[ClientRow]:
        """Every member's tokens."""
        ...

    def remove_from_client(self, token: str, *, since: datetime, dry_run: bool) -> RemovalRow:
        """Undo what a client wrote, or count it."""
        ...
