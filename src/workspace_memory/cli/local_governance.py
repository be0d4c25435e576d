"""The questions of governance answered on this machine, as the account that the operator acts for.

Only the audit log and the deletion of an account need no right beyond holding the data folder: an operator has to be
able to check and to delete when no admin can sign in any more.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime

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
from workspace_memory.cli.item_rows import item_row, member_row, token_row
from workspace_memory.cli.rows import ItemRow, MemberRow
from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.account import Member, WorkspaceSettings, email_key
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction, AuditEvent, AuditHead, Verified
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import ItemId, ItemVersion, TokenId, UserId, WorkspaceId
from workspace_memory.domain.item import Scope, WriteMode
from workspace_memory.domain.licence import Licence
from workspace_memory.services.audit import AuditQuery, audit_head_here, list_audit_here, verify_audit_here
from workspace_memory.services.clients import Client, list_clients, remove_from_client
from workspace_memory.services.erasing import delete_account_here, erase_personal
from workspace_memory.services.items import get_item
from workspace_memory.services.licences import LicenceState, licence_state, remove_licence, store_licence
from workspace_memory.services.members import AccessChange, change_member, remove_member, set_access
from workspace_memory.services.reviewing import (
    Decided,
    Decision,
    ReviewEntry,
    approve_items,
    confirm_item,
    items_to_confirm,
    reject_items,
    review_entry,
    review_queue,
)
from workspace_memory.services.running import Runner
from workspace_memory.services.settings import change_settings, get_settings
from workspace_memory.services.this_machine import list_members_here

PAGE = 200


class LocalGovernance:
    """Governance of one workspace by one account."""

    def __init__(
        self, runner: Runner, *, actor: Callable[[], Actor], workspace: Callable[[], WorkspaceId]
    ) -> None:
        # Looked up at the first use, so that a refusal of one of them comes where every other does.
        self._runner = runner
        self._look_up_actor = actor
        self._look_up_workspace = workspace

    def review(self, *, scope: str | None) -> Iterator[ReviewRow]:
        """What waits for this account, oldest first."""
        wanted = None if scope is None else Scope(scope)
        cursor: str | None = None
        while True:
            page = self._runner(
                review_queue, self._actor, self._workspace, scope=wanted, cursor=cursor, limit=PAGE
            )
            yield from map(_review_row, page.entries)
            cursor = page.next_cursor
            if cursor is None:
                return

    def review_entry(self, item: str) -> ReviewRow:
        """What a reviewer is shown of one pending item."""
        return _review_row(self._runner(review_entry, self._actor, self._workspace, ItemId(item)))

    def to_confirm(self, *, limit: int) -> Sequence[ItemRow]:
        """Active items whose date of review has come."""
        found = self._runner(items_to_confirm, self._actor, self._workspace, limit=limit)
        return [item_row(each) for each in found]

    def approve(self, decisions: Sequence[DecisionRow]) -> Sequence[DecidedRow]:
        """Approve pending items in one transaction."""
        decided = self._runner(approve_items, self._actor, self._workspace, _decisions(decisions))
        return [_decided_row(each) for each in decided]

    def reject(self, decisions: Sequence[DecisionRow], *, reason: str) -> Sequence[DecidedRow]:
        """Reject pending items in one transaction."""
        decided = self._runner(
            reject_items, self._actor, self._workspace, _decisions(decisions), reason=reason
        )
        return [_decided_row(each) for each in decided]

    def get_item(self, item: str) -> ItemRow:
        """One item."""
        return item_row(self._runner(get_item, self._actor, self._workspace, ItemId(item)))

    def confirm_item(self, item: str, *, shown: int, review_by: date | None) -> ItemRow:
        """Confirm that an active item still holds."""
        return item_row(
            self._runner(
                confirm_item,
                self._actor,
                self._workspace,
                ItemId(item),
                shown=ItemVersion(shown),
                review_by=review_by,
            )
        )

    def settings(self) -> SettingsRow:
        """The settings in force."""
        return _settings_row(self._runner(get_settings, self._actor, self._workspace))

    def change_settings(
        self, *, default_access: str | None, write_mode: str | None, assistant_tokens_per_day: int | None
    ) -> SettingsRow:
        """Set what is given."""
        changed = self._runner(
            change_settings,
            self._actor,
            self._workspace,
            default_access=None if default_access is None else AccessLevel(default_access),
            write_mode=None if write_mode is None else WriteMode(write_mode),
            assistant_tokens_per_day=assistant_tokens_per_day,
        )
        return _settings_row(changed)

    def set_access(self, emails: Sequence[str], level: str) -> tuple[Sequence[MemberRow], int]:
        """Set the access level of members in one transaction."""
        users = self._users(emails)
        changes = [AccessChange(user, AccessLevel(level)) for user in users]
        done = self._runner(set_access, self._actor, self._workspace, changes)
        return [member_row(each) for each in done.members], done.changed

    def set_role(self, email: str, role: str) -> MemberRow:
        """Give a member another role."""
        [user] = self._users([email])
        changed = self._runner(change_member, self._actor, self._workspace, user, role=Role(role))
        return member_row(changed.member)

    def erase_personal(self, email: str) -> ErasedRow:
        """Delete all personal items of a member."""
        [user] = self._users([email])
        erased = self._runner(erase_personal, self._actor, self._workspace, user)
        return ErasedRow(erased.personal_items, erased.remains)

    def remove_member(self, email: str) -> RemovedRow:
        """End a membership."""
        [user] = self._users([email])
        removed = self._runner(remove_member, self._actor, self._workspace, user)
        return RemovedRow(removed.personal_items, removed.key_due)

    def delete_account(self, email: str) -> ErasedRow:
        """Delete an account, by the operator."""
        erased = self._runner(delete_account_here, email)
        return ErasedRow(erased.personal_items, erased.remains)

    def audit(self, wanted: AuditFilter) -> Iterator[AuditRow]:
        """The audit log, newest first."""
        query = AuditQuery(
            action=None if wanted.action is None else AuditAction(wanted.action),
            actor=None if wanted.actor is None else UserId(wanted.actor),
            subject=None if wanted.subject is None else UserId(wanted.subject),
            since=wanted.since,
            until=wanted.until,
            limit=PAGE,
        )
        while True:
            page = self._runner(list_audit_here, self._workspace, query)
            yield from map(_audit_row, page.events)
            if page.next_before is None:
                return
            query = replace(query, before=page.next_before)

    def verify_audit(self, expected: AuditHeadRow | None) -> VerifiedRow:
        """Whether the chain is whole and contains the exported head."""
        head = None
        if expected is not None:
            head = AuditHead(expected.number, bytes.fromhex(expected.hash))
        found = self._runner(verify_audit_here, self._workspace, head)
        if isinstance(found, Verified):
            return VerifiedRow(True, self._head_row(found.head), None, None)
        return VerifiedRow(False, None, found.number, found.reason)

    def audit_head(self) -> AuditHeadRow:
        """The newest event's number and hash."""
        return self._head_row(self._runner(audit_head_here, self._workspace))

    def licence_state(self) -> LicenceStateRow:
        """What licence the workspace has."""
        return _licence_state_row(self._runner(licence_state, self._actor, self._workspace))

    def install_licence(self, licence_key: str) -> LicenceStateRow:
        """Keep a licence key for the workspace."""
        return _licence_state_row(self._runner(store_licence, self._actor, self._workspace, licence_key))

    def remove_licence(self) -> LicenceStateRow:
        """Delete the workspace's licence key."""
        return _licence_state_row(self._runner(remove_licence, self._actor, self._workspace))

    def list_clients(self) -> Sequence[ClientRow]:
        """Every member's tokens."""
        return [_client_row(each) for each in self._runner(list_clients, self._actor, self._workspace)]

    def remove_from_client(self, token: str, *, since: datetime, dry_run: bool) -> RemovalRow:
        """Undo what a client wrote, or count it."""
        done = self._runner(
            remove_from_client,
            self._actor,
            self._workspace,
            TokenId(token),
            since=since,
            dry_run=dry_run,
        )
        return RemovalRow(
            done.company_removed,
            done.company_put_back,
            done.personal_removed,
            done.personal_put_back,
            done.more,
            done.remains,
        )

    @property
    def _actor(self) -> Actor:
        return self._look_up_actor()

    @property
    def _workspace(self) -> WorkspaceId:
        return self._look_up_workspace()

    def _head_row(self, head: AuditHead) -> AuditHeadRow:
        return AuditHeadRow(self._workspace, head.number, head.hash.hex())

    def _users(self, emails: Sequence[str]) -> list[UserId]:
        members: dict[str, Member] = {
            email_key(each.email): each for each in self._runner(list_members_here, self._workspace)
        }
        for email in emails:
            if email_key(email) not in members:
                raise NotFound(f"member: {email}")
        return [members[email_key(email)].user for email in emails]


def licence_row(licence: Licence) -> LicenceRow:
    """A licence as commands show it."""
    return LicenceRow(
        licence.id,
        licence.subject,
        licence.plan.value,
        licence.active,
        licence.holder,
        licence.issued_at,
        licence.expires_at,
    )


def _decisions(rows: Sequence[DecisionRow]) -> list[Decision]:
    return [
        Decision(
            ItemId(each.id),
            ItemVersion(each.version),
            None if each.replaced_version is None else ItemVersion(each.replaced_version),
        )
        for each in rows
    ]


def _decided_row(decided: Decided) -> DecidedRow:
    return DecidedRow(decided.item, decided.code, decided.detail)


def _review_row(entry: ReviewEntry) -> ReviewRow:
    return ReviewRow(
        item=item_row(entry.item),
        token_id=entry.item.token,
        content_shown=entry.shown,
        tags_shown=list(entry.shown_tags),
        hidden=[HiddenRow(each.position, each.code, each.name) for each in entry.hidden],
        similar=[item_row(each) for each in entry.similar],
        replaced=None if entry.replaced is None else item_row(entry.replaced),
        replaced_meanwhile=entry.replaced_meanwhile,
    )


def _audit_row(event: AuditEvent) -> AuditRow:
    return AuditRow(
        event.number,
        event.at,
        event.actor,
        event.action.value,
        event.subject,
        dict(event.facts),
        event.previous.hex(),
        event.hash.hex(),
    )


def _licence_state_row(state: LicenceState) -> LicenceStateRow:
    return LicenceStateRow(
        state.licensing.value, state.memory, None if state.licence is None else licence_row(state.licence)
    )


def _client_row(client: Client) -> ClientRow:
    return ClientRow(client.user, client.user_name, token_row(client.token), client.company_items)


def _settings_row(settings: WorkspaceSettings) -> SettingsRow:
    return SettingsRow(
        settings.default_access.value, settings.write_mode.value, settings.assistant_tokens_per_day
    )
