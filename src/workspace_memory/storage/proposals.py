"""Sealed proposals, and who of the workspace may see one: its owner, everybody once it is shared or applied."""

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, or_, select, update

from workspace_memory.domain.document import DocumentKind, SealedText
from workspace_memory.domain.ids import (
    AdmissionId,
    ClearGeneration,
    ConversationId,
    DocumentId,
    Epoch,
    ProposalId,
    UserId,
    Version,
    WorkspaceId,
    is_id,
)
from workspace_memory.domain.proposal import Proposal, ProposalReason, ProposalState
from workspace_memory.storage.document_tables import proposals


def proposal_visible_to(user: UserId) -> ColumnElement[bool]:
    """The one rule about who sees a proposal."""
    return or_(
        proposals.c.owner_id == user,
        proposals.c.shared.is_(True),
        proposals.c.state == ProposalState.APPLIED.value,
    )


class Proposals:
    """Rows of `proposals`; write under the workspace lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, workspace: WorkspaceId, proposal: Proposal, *, body_mac: bytes | None = None) -> None:
        """Store a proposal. `body_mac` is the capture's, so that its repetition finds this one."""
        self._connection.execute(
            insert(proposals).values(
                workspace_id=workspace,
                id=proposal.id,
                owner_id=proposal.owner,
                conversation_id=proposal.conversation,
                admission_id=proposal.admission,
                kind=proposal.kind.value,
                document_id=proposal.document,
                path=proposal.path,
                base_version=proposal.base,
                clear_generation=proposal.clear_generation,
                epoch=proposal.sealed.epoch,
                sealed=proposal.sealed.ciphertext,
                body_mac=body_mac,
                reason=proposal.reason.value,
                state=proposal.state.value,
                shared=proposal.shared,
                created_at=proposal.created_at,
            )
        )

    def get(self, workspace: WorkspaceId, proposal: ProposalId, user: UserId) -> Proposal | None:
        """A proposal that the user may see."""
        if not is_id(proposal):
            return None
        row = self._connection.execute(
            select(proposals).where(
                proposals.c.workspace_id == workspace,
                proposals.c.id == proposal,
                proposal_visible_to(user),
            )
        ).first()
        return None if row is None else _proposal(row)

    def of_admission(
        self, workspace: WorkspaceId, admission: AdmissionId
    ) -> tuple[Proposal, bytes | None] | None:
        """The proposal that a turn's capture became, with the capture's MAC."""
        row = self._connection.execute(
            select(proposals).where(
                proposals.c.workspace_id == workspace, proposals.c.admission_id == admission
            )
        ).first()
        if row is None:
            return None
        return _proposal(row), None if row.body_mac is None else bytes(row.body_mac)

    def page(
        self,
        workspace: WorkspaceId,
        user: UserId,
        *,
        state: ProposalState | None = None,
        conversation: ConversationId | None = None,
        before: ProposalId | None = None,
        limit: int,
    ) -> list[Proposal]:
        """Proposals that the user may see, newest first."""
        statement = select(proposals).where(proposals.c.workspace_id == workspace, proposal_visible_to(user))
        if state is not None:
            statement = statement.where(proposals.c.state == state.value)
        if conversation is not None:
            statement = statement.where(proposals.c.conversation_id == conversation)
        if before is not None:
            statement = statement.where(proposals.c.id < before)
        rows = self._connection.execute(statement.order_by(proposals.c.id.desc()).limit(limit))
        return [_proposal(row) for row in rows]

    def count_open(self, workspace: WorkspaceId, owner: UserId) -> int:
        """How many of a member's proposals wait for a person, those too that a Clear has retired."""
        return self._connection.execute(
            select(func.count())
            .select_from(proposals)
            .where(
                proposals.c.workspace_id == workspace,
                proposals.c.owner_id == owner,
                proposals.c.state == ProposalState.OPEN.value,
            )
        ).scalar_one()

    def remove_unshared(self, workspace: WorkspaceId, owner: UserId) -> None:
        """Delete a member's proposals that nobody else may see."""
        self._connection.execute(
            delete(proposals).where(
                proposals.c.workspace_id == workspace,
                proposals.c.owner_id == owner,
                proposals.c.shared.is_(False),
                proposals.c.state != ProposalState.APPLIED.value,
            )
        )

    def share(self, workspace: WorkspaceId, proposal: ProposalId) -> None:
        """Let every member see it."""
        self._connection.execute(
            update(proposals)
            .where(proposals.c.workspace_id == workspace, proposals.c.id == proposal)
            .values(shared=True)
        )

    def settle(
        self,
        workspace: WorkspaceId,
        proposal: ProposalId,
        state: ProposalState,
        *,
        by: UserId,
        at: datetime,
        version: Version | None = None,
    ) -> bool:
        """Write down the decision; False when it was not open any more."""
        changed = self._connection.execute(
            update(proposals)
            .where(
                proposals.c.workspace_id == workspace,
                proposals.c.id == proposal,
                proposals.c.state == ProposalState.OPEN.value,
            )
            .values(state=state.value, decided_by=by, decided_at=at, applied_version=version)
        )
        return changed.rowcount == 1


def _proposal(row: Row[tuple[object, ...]]) -> Proposal:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    return Proposal(
        id=ProposalId(facts["id"]),
        owner=UserId(facts["owner_id"]),
        conversation=None if facts["conversation_id"] is None else ConversationId(facts["conversation_id"]),
        admission=None if facts["admission_id"] is None else AdmissionId(facts["admission_id"]),
        kind=DocumentKind(facts["kind"]),
        document=None if facts["document_id"] is None else DocumentId(facts["document_id"]),
        path=facts["path"],
        base=Version(facts["base_version"]),
        clear_generation=ClearGeneration(facts["clear_generation"]),
        sealed=SealedText(Epoch(facts["epoch"]), bytes(facts["sealed"])),
        reason=ProposalReason(facts["reason"]),
        state=ProposalState(facts["state"]),
        shared=facts["shared"],
        created_at=facts["created_at"],
        decided_by=None if facts["decided_by"] is None else UserId(facts["decided_by"]),
        decided_at=facts["decided_at"],
        applied_version=None if facts["applied_version"] is None else Version(facts["applied_version"]),
    )
