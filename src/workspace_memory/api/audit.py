"""The audit log over REST, for admins: read, checked, and its head to be kept outside."""

from typing import Annotated

from fastapi import Query, Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.audit import (
    AuditHeadOut,
    AuditHeadQuery,
    AuditPageOut,
    AuditQueryIn,
    AuditVerifiedOut,
    audit_head_out,
    audit_page_out,
    audit_verified_out,
)
from workspace_memory.domain.errors import Forbidden, LevelTooLow, NotFound
from workspace_memory.services.audit import audit_head, list_audit, verify_audit

AUDIT = "/workspaces/{workspace_id}/audit"

router = new_router("audit log")


@router.get(
    AUDIT,
    summary="List the audit log",
    response_model=AuditPageOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def read_audit(
    caller: Asking, workspace_id: WorkspacePath, query: Annotated[AuditQueryIn, Query()]
) -> Response:
    """What was decided about the workspace, by whom and when, newest first: admins."""
    return answer(audit_page_out(caller.ask(list_audit, workspace_id, query.to_query())))


@router.get(
    f"{AUDIT}/verify",
    summary="Check the audit log",
    response_model=AuditVerifiedOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def check_audit(
    caller: Asking, workspace_id: WorkspacePath, query: Annotated[AuditHeadQuery, Query()]
) -> Response:
    """Whether the chain of events is unbroken, and contains the exported head that is given: admins."""
    return answer(audit_verified_out(caller.ask(verify_audit, workspace_id, query.to_head())))


@router.get(
    f"{AUDIT}/head",
    summary="Get the audit log's head",
    response_model=AuditHeadOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def read_audit_head(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """Number and hash of the newest event, to be kept where nobody of this machine can change it: admins."""
    return answer(audit_head_out(caller.ask(audit_head, workspace_id)))
