"""Review over REST: what waits for the caller, decisions about one item or many, and items to be confirmed."""

from typing import Annotated

from fastapi import Body, Query, Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.items import ITEMS
from workspace_memory.api.memory import MEMORY
from workspace_memory.api.preconditions import IfMatch, etag, required_version
from workspace_memory.api.routing import ItemPath, WorkspacePath, errors, new_router
from workspace_memory.api.schemas.items import ItemOut, item_out
from workspace_memory.api.schemas.review import (
    ApproveIn,
    ApproveManyIn,
    ConfirmIn,
    DecidedManyOut,
    DueOut,
    DueQuery,
    RejectIn,
    RejectManyIn,
    ReviewEntryOut,
    ReviewPageOut,
    ReviewQuery,
    decided_out,
    due_out,
    review_entry_out,
    review_page_out,
)
from workspace_memory.domain.errors import (
    AlreadySaved,
    EditionRequired,
    Forbidden,
    LevelTooLow,
    NotFound,
    NotPending,
    SecretRefused,
    StructureRefused,
    VersionMismatch,
)
from workspace_memory.domain.ids import ItemVersion
from workspace_memory.services.reviewing import (
    Decision,
    approve_item,
    approve_items,
    confirm_item,
    items_to_confirm,
    reject_item,
    reject_items,
    review_entry,
    review_queue,
)

_USUAL = (NotFound, Forbidden, LevelTooLow, EditionRequired)
_REFUSED = (SecretRefused, StructureRefused)
_ETAG = {"ETag": {"description": "The item's version, for If-Match.", "schema": {"type": "string"}}}
# A body that may be left out.
_NOTHING_TO_ADD = ApproveIn()
_NO_REASON = RejectIn()
_NEVER_AGAIN = ConfirmIn()

router = new_router("review")


@router.get(
    f"{MEMORY}/review",
    summary="List what waits for review",
    response_model=ReviewPageOut,
    responses=errors(*_USUAL),
)
def read_review(
    caller: Asking, workspace_id: WorkspacePath, query: Annotated[ReviewQuery, Query()]
) -> Response:
    """Own held items, and for admins and editors the company items that wait, oldest first.

    Each comes with its hidden characters made visible, with similar items, and with the item that it would change.
    """
    page = caller.ask(review_queue, workspace_id, scope=query.scope, cursor=query.cursor, limit=query.limit)
    return answer(review_page_out(page))


@router.post(
    f"{MEMORY}/review/approve",
    summary="Approve many items",
    response_model=DecidedManyOut,
    responses=errors(*_USUAL),
)
def approve_many(caller: Asking, workspace_id: WorkspacePath, body: ApproveManyIn) -> Response:
    """Decide about up to 500 items in one transaction. One that cannot be approved stays as it is and says why."""
    return answer(decided_out(caller.ask(approve_items, workspace_id, body.to_decisions())))


@router.post(
    f"{MEMORY}/review/reject",
    summary="Reject many items",
    response_model=DecidedManyOut,
    responses=errors(*_USUAL, *_REFUSED),
)
def reject_many(caller: Asking, workspace_id: WorkspacePath, body: RejectManyIn) -> Response:
    """The same for rejecting, with one reason for all."""
    decided = caller.ask(reject_items, workspace_id, body.to_decisions(), reason=body.reason)
    return answer(decided_out(decided))


@router.get(
    f"{MEMORY}/to-confirm",
    summary="List items to be confirmed",
    response_model=DueOut,
    responses=errors(*_USUAL),
)
def read_to_confirm(
    caller: Asking, workspace_id: WorkspacePath, query: Annotated[DueQuery, Query()]
) -> Response:
    """Active items whose review date has come: own personal ones, for admins and editors the company's too.

    There is no cursor: what is confirmed leaves the list.
    """
    return answer(due_out(caller.ask(items_to_confirm, workspace_id, limit=query.limit)))


@router.get(
    f"{ITEMS}/{{item_id}}/review",
    summary="Get one item that waits for review",
    response_model=ReviewEntryOut,
    responses={200: {"headers": _ETAG}, **errors(*_USUAL, NotPending)},
)
def read_review_entry(caller: Asking, workspace_id: WorkspacePath, item_id: ItemPath) -> Response:
    """What a reviewer is shown of one pending item."""
    entry = caller.ask(review_entry, workspace_id, item_id)
    return answer(review_entry_out(entry), headers=etag(entry.item.version))


@router.post(
    f"{ITEMS}/{{item_id}}/approve",
    summary="Approve an item",
    response_model=ItemOut,
    responses={
        200: {"headers": _ETAG},
        **errors(*_USUAL, NotPending, AlreadySaved, VersionMismatch, *_REFUSED),
    },
)
def approve(
    caller: Asking,
    workspace_id: WorkspacePath,
    item_id: ItemPath,
    body: Annotated[ApproveIn, Body()] = _NOTHING_TO_ADD,
    if_match: IfMatch = None,
) -> Response:
    """Make a pending item active, or carry out the change that it proposes: admins and editors, owners of held ones.

    If-Match is required and names the version that was shown. The answer is the active item: of a proposed change
    the item that was changed, since the proposal is gone then.
    """
    decision = _decision(item_id, if_match, body.replaced_version)
    item = caller.ask(approve_item, workspace_id, decision)
    return answer(item_out(item), headers=etag(item.version))


@router.post(
    f"{ITEMS}/{{item_id}}/reject",
    summary="Reject an item",
    response_model=ItemOut,
    responses={200: {"headers": _ETAG}, **errors(*_USUAL, NotPending, VersionMismatch, *_REFUSED)},
)
def reject(
    caller: Asking,
    workspace_id: WorkspacePath,
    item_id: ItemPath,
    body: Annotated[RejectIn, Body()] = _NO_REASON,
    if_match: IfMatch = None,
) -> Response:
    """Reject a pending company item, whose author then sees it with the reason; an own held item is deleted.

    If-Match is required and names the version that was shown.
    """
    decision = _decision(item_id, if_match, None)
    item = caller.ask(reject_item, workspace_id, decision, reason=body.reason)
    return answer(item_out(item), headers=etag(item.version))


@router.post(
    f"{ITEMS}/{{item_id}}/confirm",
    summary="Confirm an item",
    response_model=ItemOut,
    responses={200: {"headers": _ETAG}, **errors(*_USUAL, VersionMismatch)},
)
def confirm(
    caller: Asking,
    workspace_id: WorkspacePath,
    item_id: ItemPath,
    body: Annotated[ConfirmIn, Body()] = _NEVER_AGAIN,
    if_match: IfMatch = None,
) -> Response:
    """Say that an active item still holds, against the version that was shown (If-Match, required).

    It is asked about again at `review_by`, or never. Its text and its version stay.
    """
    shown = required_version(if_match)
    item = caller.ask(confirm_item, workspace_id, item_id, shown=shown, review_by=body.review_by)
    return answer(item_out(item), headers=etag(item.version))


def _decision(item: ItemPath, if_match: str | None, replaced_version: int | None) -> Decision:
    replaced = None if replaced_version is None else ItemVersion(replaced_version)
    return Decision(item, required_version(if_match), replaced)
