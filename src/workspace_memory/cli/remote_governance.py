"""The questions of governance answered by a running server, over REST, as the account behind the token."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from workspace_memory.cli.failures import Refused
from workspace_memory.cli.governance_rows import (
    AuditFilter,
    AuditHeadRow,
    AuditRow,
    ClientRow,
    DecidedRow,
    DecisionRow,
    ErasedRow,
    HiddenRow,
    LicenceRow,
    LicenceStateRow,
    RemovalRow,
    RemovedRow,
    ReviewRow,
    SettingsRow,
    VerifiedRow,
)
from workspace_memory.cli.remote_rows import (
    member_id,
    member_ids,
    remote_item_row,
    remote_member_row,
    remote_token_row,
)
from workspace_memory.cli.rows import ItemRow, MemberRow
from workspace_memory.client import (
    AuditEvent,
    AuditHead,
    Decided,
    Decision,
    Erased,
    LicenceState,
    MemorySettings,
    ReviewEntry,
    WorkspaceMemory,
)
from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.item import Scope, WriteMode


class RemoteGovernance:
    """Governance of the token's workspace."""

    def __init__(self, client: WorkspaceMemory) -> None:
        self._client = client

    def review(self, *, scope: str | None) -> Iterator[ReviewRow]:
        """What waits for this account, oldest first."""
        wanted = None if scope is None else Scope(scope)
        yield from map(_review_row, self._client.list_review(scope=wanted))

    def review_entry(self, item: str) -> ReviewRow:
        """What a reviewer is shown of one pending item."""
        return _review_row(self._client.review_entry(item))

    def to_confirm(self, *, limit: int) -> Sequence[ItemRow]:
        """Active items whose date of review has come."""
        return [remote_item_row(each) for each in self._client.items_to_confirm(limit=limit)]

    def approve(self, decisions: Sequence[DecisionRow]) -> Sequence[DecidedRow]:
        """Approve pending items in one request."""
        return [_decided_row(each) for each in self._client.approve_items(_decisions(decisions))]

    def reject(self, decisions: Sequence[DecisionRow], *, reason: str) -> Sequence[DecidedRow]:
        """Reject pending items in one request."""
        decided = self._client.reject_items(_decisions(decisions), reason=reason)
        return [_decided_row(each) for each in decided]

    def get_item(self, item: str) -> ItemRow:
        """One item."""
        return remote_item_row(self._client.get_item(item))

    def confirm_item(self, item: str, *, shown: int, review_by: date | None) -> ItemRow:
        """Confirm that an active item still holds."""
        return remote_item_row(self._client.confirm_item(item, shown=shown, review_by=review_by))

    def settings(self) -> SettingsRow:
        """The settings in force."""
        return _settings_row(self._client.memory_settings())

    def change_settings(
        self, *, default_access: str | None, write_mode: str | None, assistant_tokens_per_day: int | None
    ) -> SettingsRow:
        """Set what is given."""
        return _settings_row(
            self._client.change_memory_settings(
                default_access=None if default_access is None else AccessLevel(default_access),
                write_mode=None if write_mode is None else WriteMode(write_mode),
                assistant_tokens_per_day=assistant_tokens_per_day,
            )
        )

    def set_access(self, emails: Sequence[str], level: str) -> tuple[Sequence[MemberRow], int]:
        """Set the access level of members in one request."""
        users = member_ids(self._client, emails)
        done = self._client.set_access(dict.fromkeys(users, AccessLevel(level)))
        return [remote_member_row(each) for each in done.members], done.changed

    def set_role(self, email: str, role: str) -> MemberRow:
        """Give a member another role."""
        user = member_id(self._client, email)
        return remote_member_row(self._client.change_member(user, role=Role(role)))

    def erase_personal(self, email: str) -> ErasedRow:
        """Delete all personal items of a member."""
        return _erased_row(self._client.erase_personal(member_id(self._client, email)))

    def remove_member(self, email: str) -> RemovedRow:
        """End a membership."""
        removed = self._client.remove_member(member_id(self._client, email))
        return RemovedRow(removed.personal_items, removed.key_due)

    def delete_account(self, email: str) -> ErasedRow:
        """Refused: a token belongs to one workspace, an account does not."""
        raise Refused(
            f"An access token cannot delete the account {email}. The operator does it on the server's machine, the "
            f"person with '--sign-in {email}' in place of the token."
        )

    def audit(self, wanted: AuditFilter) -> Iterator[AuditRow]:
        """The audit log, newest first."""
        events = self._client.list_audit(
            action=None if wanted.action is None else AuditAction(wanted.action),
            actor=wanted.actor,
            subject=wanted.subject,
            since=wanted.since,
            until=wanted.until,
        )
        yield from map(_audit_row, events)

    def verify_audit(self, expected: AuditHeadRow | None) -> VerifiedRow:
        """Whether the chain is whole and contains the exported head."""
        head = None if expected is None else AuditHead(number=expected.number, hash=expected.hash)
        found = self._client.verify_audit(head)
        shown = None if found.head is None else self._head_row(found.head)
        return VerifiedRow(found.whole, shown, found.broken_at, found.reason)

    def audit_head(self) -> AuditHeadRow:
        """The newest event's number and hash."""
        return self._head_row(self._client.audit_head())

    def licence_state(self) -> LicenceStateRow:
        """What licence the workspace has."""
        return _licence_state_row(self._client.licence_state())

    def install_licence(self, licence_key: str) -> LicenceStateRow:
        """Keep a licence key for the workspace."""
        return _licence_state_row(self._client.store_licence(licence_key))

    def remove_licence(self) -> LicenceStateRow:
        """Delete the workspace's licence key."""
        return _licence_state_row(self._client.remove_licence())

    def list_clients(self) -> Sequence[ClientRow]:
        """Every member's tokens."""
        return [
            ClientRow(each.user_id, each.user_name, remote_token_row(each.token), each.company_items)
            for each in self._client.list_clients()
        ]

    def remove_from_client(self, token: str, *, since: datetime, dry_run: bool) -> RemovalRow:
        """Undo what a client wrote, or count it."""
        done = self._client.remove_from_client(token, since=since, dry_run=dry_run)
        return RemovalRow(
            done.company_removed,
            done.company_put_back,
            done.personal_removed,
            done.personal_put_back,
            done.more,
            done.remains,
        )

    def _head_row(self, head: AuditHead) -> AuditHeadRow:
        return AuditHeadRow(self._client.workspace, head.number, head.hash)


def _decisions(rows: Sequence[DecisionRow]) -> list[Decision]:
    return [Decision(each.id, each.version, each.replaced_version) for each in rows]


def _decided_row(decided: Decided) -> DecidedRow:
    return DecidedRow(decided.id, decided.code, decided.detail)


def _review_row(entry: ReviewEntry) -> ReviewRow:
    return ReviewRow(
        item=remote_item_row(entry.item),
        token_id=entry.token_id,
        content_shown=entry.content_shown,
        tags_shown=list(entry.tags_shown),
        hidden=[HiddenRow(each.position, each.code, each.name) for each in entry.hidden],
        similar=[remote_item_row(each) for each in entry.similar],
        replaced=None if entry.replaced is None else remote_item_row(entry.replaced),
        replaced_meanwhile=entry.replaced_meanwhile,
    )


def _settings_row(settings: MemorySettings) -> SettingsRow:
    return SettingsRow(
        settings.default_access.value, settings.write_mode.value, settings.assistant_tokens_per_day
    )


def _erased_row(erased: Erased) -> ErasedRow:
    return ErasedRow(erased.personal_items, erased.remains)


def _audit_row(event: AuditEvent) -> AuditRow:
    return AuditRow(
        event.number,
        event.at,
        event.actor,
        event.action.value,
        event.subject,
        dict(event.facts),
        event.previous,
        event.hash,
    )


def _licence_state_row(state: LicenceState) -> LicenceStateRow:
    found = state.licence
    row = None
    if found is not None:
        row = LicenceRow(
            found.id,
            found.subject,
            found.plan.value,
            found.active,
            found.holder,
            found.issued_at,
            found.expires_at,
        )
    return LicenceStateRow(state.licensing.value, state.memory, row)
