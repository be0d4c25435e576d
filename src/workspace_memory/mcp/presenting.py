"""Answers of the tools that save, forget and serve ChatGPT, as JSON; `tools/found_items.py` has those of the search."""

from typing import Final

from workspace_memory.domain.item import MemoryItem, Scope, Status
from workspace_memory.services.finding import FoundPage
from workspace_memory.services.saving import Outcome, Saved
from workspace_memory.tools.answers import to_json
from workspace_memory.tools.found_items import FORMER_MEMBER, NOTICE, time_of

_TITLE_CHARACTERS_MAX: Final = 80


_LIKE_AN_ORDER: Final = "looks like an instruction to an AI"
# What the rules of `domain/injection_orders.py` mean, for those texts that their owner is to look at.
_HELD_FOR: Final = {
    "concealment": "asks to keep something from the user",
    "delayed_trigger": "waits for a certain word or moment to make an AI do something",
    "tool_order": "orders an AI to call a tool",
    "leak": "orders an AI to give something away",
    "claim": "claims a permission that no text can give",
    "override": "tells an AI to drop its rules",
}


def saved_answer(saved: Saved) -> str:
    """What memory_save answers."""
    item = saved.item
    similar = [{"id": each.id, "content": each.content} for each in saved.similar]
    return to_json(
        {
            "id": item.id,
            "status": item.status.value,
            "outcome": saved.outcome.value,
            "scope": item.scope.value,
            "version": item.version,
            "message": _what_happened(saved),
            **({"similar": similar} if similar else {}),
        }
    )


def forgotten_answer(item: str) -> str:
    """What memory_forget answers."""
    return to_json(
        {"id": item, "forgotten": True, "message": "The item is deleted for good, with its history."}
    )


def chatgpt_found_answer(page: FoundPage, *, address: str) -> str:
    """What ChatGPT's search answers."""
    results = [
        {"id": found.item.id, "title": _title(found.item), "url": _url(found.item, address)}
        for found in page.found
    ]
    return to_json({"notice": NOTICE, "results": results})


def chatgpt_item_answer(item: MemoryItem, *, address: str) -> str:
    """What ChatGPT's fetch answers."""
    return to_json(
        {
            "id": item.id,
            "title": _title(item),
            "text": item.content,
            "url": _url(item, address),
            "metadata": {
                "notice": NOTICE,
                "kind": item.kind.value,
                "scope": item.scope.value,
                "status": item.status.value,
                "author": item.author_name or FORMER_MEMBER,
                "source": item.source,
                "created_at": time_of(item.created_at),
                "updated_at": time_of(item.updated_at),
            },
        }
    )


def _what_happened(saved: Saved) -> str:
    sentence = _outcome(saved)
    if saved.similar:
        sentence += (
            " Similar items exist already; they are named in similar. If this text takes the place of one of them, "
            "save it again with that item's id as replaces."
        )
    return sentence


def _outcome(saved: Saved) -> str:
    company = saved.item.scope is Scope.ORGANIZATION
    match saved.outcome:
        case Outcome.SAVED if company:
            return "Saved to the company memory; the whole workspace can find it."
        case Outcome.SAVED:
            return "Saved to the user's personal memory."
        case Outcome.REPLACED:
            return "The item has this text now; the earlier one stays in its history."
        case Outcome.HELD:
            return _held(saved)
        case Outcome.PROPOSED if company:
            return (
                "Not in the company memory yet: it waits for a review by an admin or editor of the workspace, and "
                "search does not find it before it is approved."
            )
        case Outcome.PROPOSED:
            return "Kept aside: it waits until the user reviews it, and search does not find it before it is approved."
        case Outcome.ALREADY_SAVED if saved.item.status is Status.PENDING:
            return "The same text is saved already and still waits for a review. Nothing was changed."
        case Outcome.ALREADY_SAVED:
            return "The same text is saved already. Nothing was changed."
        case Outcome.REJECTED_BEFORE:
            return (
                "Not saved: a reviewer of the workspace has rejected this text before. Do not try again; a person "
                "can add it by hand."
            )


def _held(saved: Saved) -> str:
    if saved.item.scope is Scope.ORGANIZATION:
        return (
            "Not in the company memory yet: its wording looks like an instruction to an AI, so it waits for a review "
            "by an admin or editor of the workspace, in automatic mode too. Search does not find it before it is "
            "approved."
        )
    held = saved.item.held
    why = _LIKE_AN_ORDER if held is None else _HELD_FOR.get(held.rule, _LIKE_AN_ORDER)
    return (
        f"Kept aside: the wording {why}. It waits for the user alone, who approves or drops it by hand; nobody else "
        "sees it, and search does not find it before."
    )


def _title(item: MemoryItem) -> str:
    line = " ".join(item.content.split())
    return line if len(line) <= _TITLE_CHARACTERS_MAX else f"{line[: _TITLE_CHARACTERS_MAX - 1].rstrip()}…"


def _url(item: MemoryItem, address: str) -> str:
    """Where the item can be read over HTTP; a bare name of it when there is no address, as on stdio."""
    if not address:
        return f"urn:uuid:{item.id}"
    return f"{address}/api/v1/workspaces/{item.workspace}/memory/items/{item.id}"
