"""Proposals over REST: listed, read, applied, dismissed, shared."""

from typing import Annotated

from fastapi import Path, Query, Response

from workspace_memory.api.answers import answer, no_content
from workspace_memory.api.callers import Asking
from workspace_memory.api.documents import BaseVersion
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.common import EXAMPLE_ID
from workspace_memory.api.schemas.documents import SealedIn, WrittenOut, written_out
from workspace_memory.api.schemas.proposals import (
    ProposalOut,
    ProposalPageOut,
    ProposalQuery,
    proposal_out,
    proposal_page_out,
)
from workspace_memory.domain.document_errors import EpochConflict, PathTaken, ProposalSettled, VersionConflict
from workspace_memory.domain.errors import Forbidden, LevelTooLow, NotFound, QuotaExceeded
from workspace_memory.domain.ids import ProposalId, Version
from workspace_memory.services.proposals import (
    apply_proposal,
    dismiss_proposal,
    get_proposal,
    list_proposals,
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
        list_proposals, workspace_id, state=query.state, before=query.place(), limit=query.limit
    )
    return answer(proposal_page_out(page))


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
