"""Proposals over REST: made for notes, listed, read, applied, dismissed, shared."""

from typing import Annotated

from fastapi import Path, Query, Response

from workspace_memory.api.answers import answer, no_content
from workspace_memory.api.automation_notes import AgentBase as NoteBase
from workspace_memory.api.callers import Asking
from workspace_memory.api.documents import BaseVersion
from workspace_memory.api.key_session_tokens import KeySessionToken
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.common import EXAMPLE_ID
from workspace_memory.api.schemas.documents import SealedIn, WrittenOut, written_out
from workspace_memory.api.schemas.notes import PlainIn
from workspace_memory.api.schemas.proposals import (
    ProposalOut,
    ProposalPageOut,
    ProposalQuery,
    proposal_out,
    proposal_page_out,
)
from workspace_memory.domain.document_errors import (
    EpochConflict,
    KeySessionRequired,
    KeyStoreDown,
    NamespaceReserved,
    PathTaken,
    ProposalSettled,
    VersionConflict,
)
from workspace_memory.domain.errors import (
    Forbidden,
    LevelTooLow,
    NotFound,
    QuotaExceeded,
    RateLimited,
    SecretRefused,
    StructureRefused,
)
from workspace_memory.domain.ids import ProposalId, Version
from workspace_memory.services.proposals import (
    apply_proposal,
    dismiss_proposal,
    get_proposal,
    list_proposals,
    propose_note_change,
    share_proposal,
)

PROPOSALS = "/workspaces/{workspace_id}/memory/proposals"
PROPOSAL = f"{PROPOSALS}/{{proposal_id}}"

router = new_router("proposals")

ProposalPath = Annotated[ProposalId, Path(description="The proposal's id.", examples=[EXAMPLE_ID])]


@router.get(
    PROPOSALS,
    summary="List proposals",
    response_model=ProposalPageOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def read_proposals(
    caller: Asking, workspace_id: WorkspacePath, query: Annotated[ProposalQuery, Query()]
) -> Response:
    """The caller's own proposals, and those that were shared or applied, newest first."""
    page = caller.ask(
        list_proposals,
        workspace_id,
        state=query.state,
        conversation=query.conversation(),
        before=query.place(),
        limit=query.limit,
    )
    return answer(proposal_page_out(page))


@router.post(
    PROPOSALS,
    summary="Propose a change of a note by hand",
    status_code=201,
    response_model=ProposalOut,
    responses=errors(
        NotFound,
        Forbidden,
        LevelTooLow,
        NamespaceReserved,
        KeySessionRequired,
        KeyStoreDown,
        VersionConflict,
        PathTaken,
        QuotaExceeded,
        SecretRefused,
        StructureRefused,
        RateLimited,
    ),
)
def write_note_proposal(
    caller: Asking,
    workspace_id: WorkspacePath,
    body: PlainIn,
    key_session: KeySessionToken,
    base_version: NoteBase = None,
) -> Response:
    """Propose a text for a note, or with X-Base-Version 0 a new one: every member whose level lets contribute, viewers
    too. Nothing is written.

    The text comes in the clear, within a key session of the caller's, and the server seals it. The memory document is
    not proposed for here: captures do that.
    """
    proposal = caller.ask(
        propose_note_change,
        workspace_id,
        body.path,
        body.text,
        base=None if base_version is None else Version(base_version),
        key_session=key_session,
    )
    return answer(proposal_out(proposal, proposal.clear_generation), status=201)


@router.get(
    PROPOSAL,
    summary="Get a proposal",
    response_model=ProposalOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def read_proposal(caller: Asking, workspace_id: WorkspacePath, proposal_id: ProposalPath) -> Response:
    """One proposal that the caller may see, sealed."""
    shown = caller.ask(get_proposal, workspace_id, proposal_id)
    return answer(proposal_out(shown.proposal, shown.clear_generation))


@router.post(
    f"{PROPOSAL}/apply",
    summary="Apply a proposal",
    response_model=WrittenOut,
    responses=errors(
        NotFound,
        Forbidden,
        LevelTooLow,
        ProposalSettled,
        VersionConflict,
        EpochConflict,
        PathTaken,
        QuotaExceeded,
    ),
)
def write_proposal(
    caller: Asking,
    workspace_id: WorkspacePath,
    proposal_id: ProposalPath,
    body: SealedIn,
    base_version: BaseVersion,
) -> Response:
    """Save the text that the caller's client made of it, against the version that was seen: admins and editors.

    One transaction writes the version and settles the proposal. A retired one is refused. A note's is sealed under the
    path where the note stands now.
    """
    written = caller.ask(
        apply_proposal, workspace_id, proposal_id, base=Version(base_version), sealed=body.to_sealed()
    )
    return answer(written_out(written))


@router.post(
    f"{PROPOSAL}/dismiss",
    summary="Dismiss a proposal",
    status_code=204,
    responses=errors(NotFound, Forbidden, LevelTooLow, ProposalSettled),
)
def put_away_proposal(caller: Asking, workspace_id: WorkspacePath, proposal_id: ProposalPath) -> Response:
    """Settle it without writing: its owner, admins and editors."""
    caller.ask(dismiss_proposal, workspace_id, proposal_id)
    return no_content()


@router.post(
    f"{PROPOSAL}/share",
    summary="Share a proposal",
    status_code=204,
    responses=errors(NotFound, Forbidden, LevelTooLow, ProposalSettled),
)
def show_proposal(caller: Asking, workspace_id: WorkspacePath, proposal_id: ProposalPath) -> Response:
    """Let every member of the workspace see it: its owner."""
    caller.ask(share_proposal, workspace_id, proposal_id)
    return no_content()
