"""Proposals: made for notes, listed, shared, dismissed, and applied as a person's own Save.

Who applies one opens it with the own key, edits the text, and sends the sealed result with the proposal's id: one
transaction writes the version and settles the proposal. Those of the memory document come from captures; a Clear
retires them, and leaves the ones of notes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.access import AccessLevel, Action, may
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.document import DocumentKind, Head, SealedText, plan_write
from workspace_memory.domain.errors import Forbidden, NotFound, QuotaExceeded
from workspace_memory.domain.ids import ClearGeneration, ConversationId, ProposalId, Version, WorkspaceId
from workspace_memory.domain.note import NOTE_GENERATION, check_text, require_note_path, require_seen_version
from workspace_memory.domain.proposal import Proposal, ProposalReason, ProposalState, require_open
from workspace_memory.domain.rate import Rate
from workspace_memory.services.agent_calls import AgentCall, may_propose
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import (
    require_action,
    require_by_hand,
    require_membership,
    require_use,
)
from workspace_memory.services.deps import Deps
from workspace_memory.services.documents import Written, require_reader, write_memory
from workspace_memory.services.notes import find_base, write_note
from workspace_memory.services.rate_limits import rated
from workspace_memory.services.screening import refuse, refuse_path
from workspace_memory.services.seals import seal_proposal
from workspace_memory.storage.database import Transaction

PAGE_MAX = 200
OPEN_MAX = 200
"""How many open proposals a member may have when another one is made for a note."""


@dataclass(frozen=True, slots=True)
class ProposalPage:
    """Proposals newest first, and the present generation, by which older ones are retired."""

    proposals: Sequence[Proposal]
    clear_generation: ClearGeneration
    next_before: ProposalId | None


@dataclass(frozen=True, slots=True)
class ShownProposal:
    """A proposal and the present generation."""

    proposal: Proposal
    clear_generation: ClearGeneration


@rated(Rate.SAVE)
def propose_note_change(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    path: str,
    text: str,
    *,
    base: Version | None,
    key_session: bytes | None,
) -> Proposal:
    """Propose a text for a note, against the version `base` of it, or for a new one, with `base` 0. Nothing is written.

    `base` is required, and may be None only so that a reserved path is refused first.

    Raises: NamespaceReserved before anything else; SecretRefused, StructureRefused, VersionConflict, PathTaken,
    KeySessionRequired, KeyStoreDown, QuotaExceeded, InvalidRequest, NotFound, Forbidden, LevelTooLow.
    """
    require_note_path(path)
    seen = require_seen_version(base)
    check_text(text)
    refuse(deps, text)
    refuse_path(deps, path)
    call = AgentCall(deps, actor, workspace, key_session, may_propose)
    keyring = call.open_keyring()
    with deps.database.begin() as tx:
        call.begin_write(tx, keyring)
        head = find_base(tx, workspace, path, seen)
        return add_note_proposal(
            deps, tx, actor, keyring.newest, head, path, text, reason=ProposalReason.PROPOSED
        )


def list_proposals(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    *,
    state: ProposalState | None = None,
    conversation: ConversationId | None = None,
    before: ProposalId | None = None,
    limit: int = 50,
) -> ProposalPage:
    """The actor's own proposals, and those that were shared or applied; of one conversation, where it is named.

    Raises: NotFound, Forbidden, LevelTooLow.
    """
    limit = max(1, min(limit, PAGE_MAX))
    with deps.database.read() as tx:
        require_reader(tx, actor, workspace)
        found = tx.proposals.page(
            workspace, actor.user, state=state, conversation=conversation, before=before, limit=limit + 1
        )
        generation = tx.policies.get(workspace).clear_generation
    more = len(found) > limit
    return ProposalPage(found[:limit], generation, found[limit - 1].id if more else None)


def get_proposal(deps: Deps, actor: Actor, workspace: WorkspaceId, proposal: ProposalId) -> ShownProposal:
    """One proposal that the actor may see. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        require_reader(tx, actor, workspace)
        found = _require_proposal(tx, actor, workspace, proposal)
        return ShownProposal(found, tx.policies.get(workspace).clear_generation)


def apply_proposal(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    proposal: ProposalId,
    *,
    base: Version,
    sealed: SealedText,
) -> Written:
    """Write the text that the actor made of a proposal, as a Save against `base`, and settle the proposal.

    A note's is sealed with the kind `save` under the path where the note stands now. Raises: ProposalSettled when it is
    applied, dismissed or retired; VersionConflict, EpochConflict, PathTaken, QuotaExceeded, InvalidRequest, NotFound,
    Forbidden, LevelTooLow.
    """
    kind = plan_write(sealed, clear=False, undo=False)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.APPLY_PROPOSALS)
        found = _require_proposal(tx, actor, workspace, proposal)
        generation = tx.policies.get(workspace).clear_generation
        require_open(found, generation)
        if found.kind is DocumentKind.MEMORY:
            head = write_memory(deps, tx, actor, workspace, kind, sealed, base=base, generation=generation)
        else:
            head = write_note(
                deps, tx, actor, workspace, sealed, document=found.document, path=found.path, base=base
            )
        tx.proposals.settle(
            workspace,
            proposal,
            ProposalState.APPLIED,
            by=actor.user,
            at=deps.clock.now(),
            version=head.version,
        )
        record(
            deps,
            tx,
            workspace,
            AuditAction.PROPOSAL_APPLIED,
            actor,
            subject=found.owner,
            proposal=proposal,
            version=head.version,
        )
        return Written(head.version, generation)


def dismiss_proposal(deps: Deps, actor: Actor, workspace: WorkspaceId, proposal: ProposalId) -> None:
    """Settle a proposal without writing: its owner, and whoever may apply it. Raises: ProposalSettled, …"""
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = require_membership(tx, actor, workspace)
        require_by_hand(actor)
        require_use(actor, membership, AccessLevel.CONTRIBUTE)
        found = _require_proposal(tx, actor, workspace, proposal)
        if found.owner != actor.user and not may(membership.role, Action.APPLY_PROPOSALS):
            raise Forbidden(need="only its owner, or an admin or editor of this workspace, may dismiss it")
        # A retired one may be put away too: what waits for nobody should not stand in a list for ever.
        if not tx.proposals.settle(
            workspace, proposal, ProposalState.DISMISSED, by=actor.user, at=deps.clock.now()
        ):
            require_open(found, found.clear_generation)


def share_proposal(deps: Deps, actor: Actor, workspace: WorkspaceId, proposal: ProposalId) -> None:
    """Let every member see it: its owner. Raises: ProposalSettled, NotFound, Forbidden, LevelTooLow."""
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = require_membership(tx, actor, workspace)
        require_by_hand(actor)
        require_use(actor, membership, AccessLevel.CONTRIBUTE)
        found = _require_proposal(tx, actor, workspace, proposal)
        if found.owner != actor.user:
            raise Forbidden(need="only the owner of the conversation may share its proposal")
        require_open(found, tx.policies.get(workspace).clear_generation)
        tx.proposals.share(workspace, proposal)


def add_note_proposal(
    deps: Deps,
    tx: Transaction,
    actor: Actor,
    key: WorkspaceKey,
    head: Head | None,
    path: str,
    text: str,
    *,
    reason: ProposalReason,
) -> Proposal:
    """Keep a text as a proposal, sealed, under the lock that the caller holds. `head` is None for a new note.

    Raises: QuotaExceeded.
    """
    if tx.proposals.count_open(key.workspace, actor.user) >= OPEN_MAX:
        raise QuotaExceeded(OPEN_MAX, "open proposals of one member")
    proposal = ProposalId(deps.new_id())
    base = Version(0) if head is None else head.version
    kept = Proposal(
        id=proposal,
        owner=actor.user,
        conversation=None,
        admission=None,
        kind=DocumentKind.NOTE,
        document=None if head is None else head.id,
        path=path,
        base=base,
        clear_generation=NOTE_GENERATION,
        sealed=seal_proposal(key, {"text": text}, proposal=proposal, base=base, generation=NOTE_GENERATION),
        reason=reason,
        state=ProposalState.OPEN,
        shared=False,
        created_at=deps.clock.now(),
    )
    tx.proposals.add(key.workspace, kept)
    return kept


def _require_proposal(
    tx: Transaction, actor: Actor, workspace: WorkspaceId, proposal: ProposalId
) -> Proposal:
    found = tx.proposals.get(workspace, proposal, actor.user)
    if found is None:
        raise NotFound("proposal")
    return found
