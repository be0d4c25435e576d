"""Memory items over REST: listed, searched, saved, changed, deleted by hand."""

from typing import Annotated

from fastapi import Header, Query, Response

from workspace_memory.api.answers import answer, no_content
from workspace_memory.api.callers import Asking
from workspace_memory.api.preconditions import IfMatch, etag, optional_version, required_version
from workspace_memory.api.routing import ItemPath, WorkspacePath, errors, new_router
from workspace_memory.api.schemas.items import (
    BulkIn,
    BulkOut,
    ChangeIn,
    HistoryOut,
    ItemOut,
    ItemPageOut,
    ItemQuery,
    SavedOut,
    SaveIn,
    bulk_out,
    history_out,
    item_out,
    page_out,
    saved_out,
)
from workspace_memory.domain.errors import (
    AlreadySaved,
    EditionRequired,
    Forbidden,
    IdempotencyKeyReused,
    LevelTooLow,
    NotFound,
    QuotaExceeded,
    RateLimited,
    SecretRefused,
    StructureRefused,
    VersionMismatch,
)
from workspace_memory.services.finding import find_items
from workspace_memory.services.items import delete_item, edit_item, get_item, item_history
from workspace_memory.services.saving import Outcome, add_items, save_item

ITEMS = "/workspaces/{workspace_id}/memory/items"
_ETAG = {"ETag": {"description": "The item's version, for If-Match.", "schema": {"type": "string"}}}
_KEPT_OUT = (SecretRefused, StructureRefused)
_USUAL = (NotFound, Forbidden, LevelTooLow, EditionRequired)
_MADE = {Outcome.SAVED, Outcome.PROPOSED, Outcome.HELD}

router = new_router("memory items")

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="The caller's own name for this request: repeated within 24 hours, it changes nothing again.",
        examples=["4f2c0d3e-save-tea"],
    ),
]


@router.get(
    ITEMS,
    summary="List or search memory items",
    response_model=ItemPageOut,
    responses=errors(*_USUAL, RateLimited),
)
def list_items(caller: Asking, workspace_id: WorkspacePath, query: Annotated[ItemQuery, Query()]) -> Response:
    """The items that the caller may see: the own personal ones and company memory, newest first or ranked.

    What others keep for themselves does not exist here, for admins neither. Pending and rejected company items are
    for admins and editors; authors see their own.
    """
    return answer(page_out(caller.ask(find_items, workspace_id, query.to_query())))


@router.post(
    ITEMS,
    summary="Save a memory item",
    status_code=201,
    response_model=SavedOut,
    responses={
        200: {
            "model": SavedOut,
            "description": "Nothing new was made; `outcome` says why.",
            "headers": _ETAG,
        },
        201: {"description": "The item was made.", "headers": _ETAG},
        **errors(*_USUAL, QuotaExceeded, IdempotencyKeyReused, RateLimited, *_KEPT_OUT),
    },
)
def create_item(
    caller: Asking, workspace_id: WorkspacePath, body: SaveIn, idempotency_key: IdempotencyKey = None
) -> Response:
    """Save a text by hand: for oneself, or as a curator (admin, editor) for the company, active at once.

    The same text in the same scope is not saved twice: the answer is then 200 with the item that exists. Similar
    items are named, never merged. With `replaces` the text becomes a new version of that item. A suspicious text is
    `held`: it waits for whoever decides about it, and `item.held` says why.
    """
    saved = caller.ask(
        save_item, workspace_id, body.to_draft(), replaces=body.replaces, idempotency_key=idempotency_key
    )
    status = 201 if saved.outcome in _MADE else 200
    return answer(saved_out(saved), status=status, headers=etag(saved.item.version))


@router.post(
    f"{ITEMS}/bulk",
    summary="Save many memory items",
    response_model=BulkOut,
    responses=errors(*_USUAL, QuotaExceeded, RateLimited, *_KEPT_OUT),
)
def create_items(caller: Asking, workspace_id: WorkspacePath, body: BulkIn) -> Response:
    """Save up to 500 texts in one transaction: all or none. Texts that exist already keep their item.

    Similar items are not looked for.
    """
    return answer(bulk_out(caller.ask(add_items, workspace_id, body.to_drafts())))


@router.get(
    f"{ITEMS}/{{item_id}}",
    summary="Get one memory item",
    response_model=ItemOut,
    responses={200: {"headers": _ETAG}, **errors(*_USUAL)},
)
def read_item(caller: Asking, workspace_id: WorkspacePath, item_id: ItemPath) -> Response:
    """One item that the caller may see; everything else is not found."""
    item = caller.ask(get_item, workspace_id, item_id)
    return answer(item_out(item), headers=etag(item.version))


@router.patch(
    f"{ITEMS}/{{item_id}}",
    summary="Edit a memory item",
    response_model=ItemOut,
    responses={
        200: {"headers": _ETAG},
        **errors(*_USUAL, AlreadySaved, VersionMismatch, RateLimited, *_KEPT_OUT),
    },
)
def change_item(
    caller: Asking, workspace_id: WorkspacePath, item_id: ItemPath, body: ChangeIn, if_match: IfMatch = None
) -> Response:
    """Edit an own personal item, or as a curator a company item, against the version that was shown.

    If-Match is required and names that version; 412 says which version is there now. Every version stays in the
    history. A text that became suspicious waits for a person: the item is pending again.
    """
    shown = required_version(if_match)
    item = caller.ask(edit_item, workspace_id, item_id, body.to_change(), shown=shown)
    return answer(item_out(item), headers=etag(item.version))


@router.delete(
    f"{ITEMS}/{{item_id}}",
    summary="Delete a memory item",
    status_code=204,
    responses=errors(*_USUAL, VersionMismatch),
)
def remove_item(
    caller: Asking, workspace_id: WorkspacePath, item_id: ItemPath, if_match: IfMatch = None
) -> Response:
    """Delete an own personal item, as a curator a company item, or as its author a pending one.

    With If-Match only the version that was shown.
    """
    caller.ask(delete_item, workspace_id, item_id, shown=optional_version(if_match))
    return no_content()


@router.get(
    f"{ITEMS}/{{item_id}}/history",
    summary="Get a memory item's history",
    response_model=HistoryOut,
    responses=errors(*_USUAL),
)
def read_item_history(caller: Asking, workspace_id: WorkspacePath, item_id: ItemPath) -> Response:
    """Every version of an item that the caller may see, newest first."""
    return answer(history_out(caller.ask(item_history, workspace_id, item_id)))
