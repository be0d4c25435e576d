"""Review as JSON: what a reviewer is shown, and decisions."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from pydantic import Field, StrictInt

from workspace_memory.api.schemas.common import EXAMPLE_ID, Answer, Arguments, Cursor, Text, with_example
from workspace_memory.api.schemas.items import ITEM_EXAMPLE, ItemOut, item_out
from workspace_memory.domain.ids import ItemId, ItemVersion, TokenId
from workspace_memory.domain.item import REASON_CHARACTERS_MAX, MemoryItem, Scope
from workspace_memory.services.reviewing import BULK_MAX, PAGE_MAX, Decided, Decision, ReviewEntry, ReviewPage

VERSION_MAX = 999_999_999

Version = Annotated[StrictInt, Field(ge=1, le=VERSION_MAX)]
# Counted by the domain, after composing the characters.
Reason = Annotated[
    Text,
    Field(
        description=f"Why, for the author to read: at most {REASON_CHARACTERS_MAX} characters, empty for none.",
        json_schema_extra={"maxLength": REASON_CHARACTERS_MAX},
    ),
]

_PENDING_EXAMPLE = ITEM_EXAMPLE | {"scope": "organization", "status": "pending"}
_ENTRY_EXAMPLE = {
    "item": _PENDING_EXAMPLE,
    "token_id": EXAMPLE_ID,
    "content_shown": "Prefers green tea⟦U+200B⟧ to coffee",
    "tags_shown": ["drinks"],
    "hidden": [{"position": 17, "code": "U+200B", "name": "ZERO WIDTH SPACE"}],
    "similar": [],
    "replaced": None,
    "replaced_meanwhile": False,
}


class ReviewQuery(Arguments):
    """Which page of what waits."""

    scope: Scope | None = Field(default=None, description="Only company items, or only own held ones.")
    limit: int = Field(default=50, ge=1, description=f"How many at once; above {PAGE_MAX} it is {PAGE_MAX}.")
    cursor: Cursor


class DueQuery(Arguments):
    """How many items to confirm."""

    limit: int = Field(default=50, ge=1, description=f"How many at once; above {PAGE_MAX} it is {PAGE_MAX}.")


class ApproveIn(Arguments):
    """What an approval may add."""

    model_config = with_example({"replaced_version": 4})

    replaced_version: Version | None = Field(
        default=None,
        description="For a proposed change: the version of the replaced item that was shown. Without it, the one "
        "against which the change was proposed.",
    )


class RejectIn(Arguments):
    """What a rejection may add."""

    model_config = with_example({"reason": "We have no office in Oslo any more."})

    reason: Reason = ""


class ConfirmIn(Arguments):
    """When to ask again."""

    model_config = with_example({"review_by": "2027-11-02"})

    review_by: date | None = Field(
        default=None, description="The next date, in the future; null to ask no more."
    )


class DecisionIn(Arguments):
    """One item to decide about, in the version that was shown."""

    id: ItemId
    version: Version
    replaced_version: Version | None = Field(default=None, description="As in a single approval.")

    def to_decision(self) -> Decision:
        """The decision."""
        replaced = self.replaced_version
        return Decision(
            self.id, ItemVersion(self.version), None if replaced is None else ItemVersion(replaced)
        )


class ApproveManyIn(Arguments):
    """Items to approve."""

    model_config = with_example({"items": [{"id": EXAMPLE_ID, "version": 1}]})

    items: list[DecisionIn] = Field(
        description=f"At most {BULK_MAX}, each once.", json_schema_extra={"maxItems": BULK_MAX}
    )

    def to_decisions(self) -> list[Decision]:
        """The decisions; the service counts them."""
        return [each.to_decision() for each in self.items]


class RejectManyIn(ApproveManyIn):
    """Items to reject, with one reason for all."""

    model_config = with_example({"items": [{"id": EXAMPLE_ID, "version": 1}], "reason": "Out of date"})

    reason: Reason = ""


class DecidedOut(Answer):
    """What became of one item."""

    id: ItemId
    done: bool
    code: str | None = Field(description="Why not: the code of an error, as in docs/reference/errors.md.")
    detail: str = Field(description="The same as a sentence; empty when it was done.")


class DecidedManyOut(Answer):
    """What became of the items, in their order."""

    model_config = with_example({"items": [{"id": EXAMPLE_ID, "done": True, "code": None, "detail": ""}]})

    items: list[DecidedOut]


class HiddenCharacterOut(Answer):
    """A character of the content that a reader does not see."""

    position: int = Field(description="In characters, from 0.")
    code: str
    name: str


class ReviewEntryOut(Answer):
    """What a reviewer is shown of one item; who, which client and when stand in the item."""

    model_config = with_example(_ENTRY_EXAMPLE)

    item: ItemOut
    token_id: TokenId | None = Field(description="The token that saved it; null when it was saved by hand.")
    content_shown: str = Field(description="The content with hidden characters written as ⟦U+200B⟧.")
    tags_shown: list[str]
    hidden: list[HiddenCharacterOut]
    similar: list[ItemOut] = Field(description="Active items that say nearly the same, at most three.")
    replaced: ItemOut | None = Field(description="The item that a proposal would change, as it is now.")
    replaced_meanwhile: bool = Field(description="Whether that one was changed since the proposal.")


class ReviewPageOut(Answer):
    """One page of what waits, oldest first."""

    model_config = with_example({"entries": [_ENTRY_EXAMPLE], "next_cursor": None})

    entries: list[ReviewEntryOut]
    next_cursor: str | None = Field(description="Where the next page begins; null on the last one.")


class DueOut(Answer):
    """Items whose review date has come, the longest overdue first."""

    model_config = with_example({"items": [ITEM_EXAMPLE | {"review_by": "2026-11-02"}]})

    items: list[ItemOut]


def review_entry_out(entry: ReviewEntry) -> ReviewEntryOut:
    """An entry for an answer."""
    return ReviewEntryOut(
        item=item_out(entry.item),
        token_id=entry.item.token,
        content_shown=entry.shown,
        tags_shown=list(entry.shown_tags),
        hidden=[
            HiddenCharacterOut(position=each.position, code=each.code, name=each.name)
            for each in entry.hidden
        ],
        similar=[item_out(each) for each in entry.similar],
        replaced=None if entry.replaced is None else item_out(entry.replaced),
        replaced_meanwhile=entry.replaced_meanwhile,
    )


def review_page_out(page: ReviewPage) -> ReviewPageOut:
    """A page for an answer."""
    return ReviewPageOut(
        entries=[review_entry_out(each) for each in page.entries], next_cursor=page.next_cursor
    )


def decided_out(decided: Sequence[Decided]) -> DecidedManyOut:
    """Many decisions for an answer."""
    return DecidedManyOut(
        items=[
            DecidedOut(id=each.item, done=each.code is None, code=each.code, detail=each.detail)
            for each in decided
        ]
    )


def due_out(items: Sequence[MemoryItem]) -> DueOut:
    """Items to confirm for an answer."""
    return DueOut(items=[item_out(each) for each in items])
