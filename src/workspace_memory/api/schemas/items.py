"""Memory items as JSON."""

from datetime import date, datetime
from typing import Annotated, Self

from pydantic import Field, StrictStr, model_validator

from workspace_memory.api.schemas.common import (
    EXAMPLE_ID,
    EXAMPLE_TIME,
    Answer,
    Arguments,
    Cursor,
    Text,
    with_example,
)
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import ItemId, UserId
from workspace_memory.domain.item import (
    CONTENT_CHARACTERS_MAX,
    TAG_CHARACTERS_MAX,
    TAGS_MAX,
    Draft,
    ItemRevision,
    Kind,
    MemoryItem,
    Scope,
    Status,
    draft,
    is_due,
)
from workspace_memory.services.finding import (
    LIMIT_DEFAULT,
    LIMIT_MAX,
    QUERY_CHARACTERS_MAX,
    RANKED_MAX,
    Found,
    FoundPage,
    Query,
)
from workspace_memory.services.items import Change
from workspace_memory.services.saving import BULK_MAX, Outcome, Saved

# Documented here and checked by the domain, which counts characters after composing them.
Content = Annotated[
    StrictStr,
    Field(
        description=f"The text, 1-{CONTENT_CHARACTERS_MAX:,} characters in NFC; otherwise kept as it is.",
        json_schema_extra={"minLength": 1, "maxLength": CONTENT_CHARACTERS_MAX},
    ),
]
Tags = Annotated[
    list[StrictStr],
    Field(
        description=f"At most {TAGS_MAX} tags of 1-{TAG_CHARACTERS_MAX} characters, compared without regard to case.",
        json_schema_extra={"maxItems": TAGS_MAX},
    ),
]

ITEM_EXAMPLE = {
    "id": EXAMPLE_ID,
    "scope": "personal",
    "kind": "preference",
    "content": "Prefers green tea to coffee",
    "tags": ["drinks"],
    "status": "active",
    "source": "Claude Code",
    "author": {"id": EXAMPLE_ID, "name": "bob"},
    "approver": None,
    "created_at": EXAMPLE_TIME,
    "updated_at": EXAMPLE_TIME,
    "review_by": None,
    "version": 1,
    "replaces": None,
    "replaces_version": None,
    "reason": None,
    "held": None,
}


class DraftIn(Arguments):
    """A text to save."""

    content: Content
    kind: Kind | None = Field(
        default=None,
        description="What sort of thing the item says. Left out: a note, or the kind of the item that it replaces.",
    )
    scope: Scope = Field(default=Scope.PERSONAL, description="For the caller alone, or for the company.")
    tags: Tags = Field(default_factory=list[str])
    review_by: date | None = Field(default=None, description="When somebody should confirm it (a date).")

    def to_draft(self) -> Draft:
        """The checked draft. Raises: InvalidRequest."""
        return draft(self.content, kind=self.kind, scope=self.scope, tags=self.tags, review_by=self.review_by)


class SaveIn(DraftIn):
    """A text to save, perhaps instead of an older one."""

    model_config = with_example(
        {"content": "Prefers green tea to coffee", "kind": "preference", "tags": ["drinks"]}
    )

    replaces: ItemId | None = Field(default=None, description="The item of which this is the new version.")


class BulkIn(Arguments):
    """Texts to save in one transaction, all or none."""

    model_config = with_example(
        {
            "items": [
                {"content": "The office closes at six", "scope": "organization"},
                {"content": "Likes tea"},
            ]
        }
    )

    items: list[DraftIn] = Field(
        description=f"At most {BULK_MAX}, within 384 KiB in all.",
        json_schema_extra={"maxItems": BULK_MAX},
    )

    def to_drafts(self) -> list[Draft]:
        """The checked drafts. Raises: InvalidRequest that says which one."""
        if len(self.items) > BULK_MAX:
            raise InvalidRequest("items", f"at most {BULK_MAX} items at once, not {len(self.items)}")
        drafts: list[Draft] = []
        for number, each in enumerate(self.items):
            try:
                drafts.append(each.to_draft())
            except InvalidRequest as error:
                raise InvalidRequest(f"items.{number}.{error.field}", error.reason) from None
        return drafts


class ChangeIn(Arguments):
    """What an edit sets; what is left out stays."""

    model_config = with_example({"content": "Prefers white tea", "tags": ["drinks", "tea"]})

    content: Content | None = None
    kind: Kind | None = Field(default=None, description="Another kind.")
    tags: Tags | None = None
    review_by: date | None = Field(default=None, description="Another date for somebody to confirm it.")

    @model_validator(mode="after")
    def _sets_something(self) -> Self:
        if self.content is None and self.kind is None and self.tags is None and self.review_by is None:
            raise ValueError("must set content, kind, tags or review_by")
        return self

    def to_change(self) -> Change:
        """The change; the domain checks its texts."""
        return Change(self.content, self.kind, self.tags, self.review_by)


class ItemQuery(Arguments):
    """Which items are wanted."""

    query: Text = Field(
        default="",
        max_length=QUERY_CHARACTERS_MAX,
        description=(
            f"Words, any of which may match; its best {RANKED_MAX:,} items at most, ranked. Without it the newest come "
            "first."
        ),
        examples=["green tea"],
    )
    scope: Scope | None = Field(default=None, description="Only this scope.")
    status: Status | None = Field(
        default=Status.ACTIVE, description="Only this status; other than active only without a query."
    )
    kind: Kind | None = Field(default=None, description="Only this kind.")
    tag: Text | None = Field(default=None, max_length=200, description="Only items with this whole tag.")
    limit: int = Field(
        default=LIMIT_DEFAULT, ge=1, description=f"How many at once; above {LIMIT_MAX} it is {LIMIT_MAX}."
    )
    cursor: Cursor

    def to_query(self) -> Query:
        """The service's query."""
        return Query(self.query, self.scope, self.kind, self.tag, self.status, self.limit, self.cursor)


class PersonOut(Answer):
    """A person by id and name."""

    id: UserId
    name: str | None = Field(description="Null when it is not known.")


class HeldOut(Answer):
    """Why a text waits for a person: the rule, and the phrase that it found."""

    rule: str
    phrase: str


class ItemOut(Answer):
    """One item as it stands."""

    model_config = with_example(ITEM_EXAMPLE)

    id: ItemId
    scope: Scope
    kind: Kind
    content: str
    tags: list[str]
    status: Status
    source: str = Field(description="Which client wrote it, from its credential.")
    author: PersonOut | None = Field(description="Null when the account was deleted.")
    approver: PersonOut | None
    created_at: datetime
    updated_at: datetime
    review_by: date | None = Field(
        description="When somebody should confirm it; it stays active all the same."
    )
    version: int = Field(description="What the ETag carries.")
    replaces: ItemId | None = Field(description="For a proposal: the item that it would change.")
    replaces_version: int | None = Field(description="The version against which the proposal was made.")
    reason: str | None = Field(description="For a rejected item: why.")
    held: HeldOut | None = Field(description="Why it waits, for whoever decides about it.")


class FoundOut(ItemOut):
    """One item of a list."""

    score: float = Field(description="How well it matches; 0 without a query.")
    to_be_confirmed: bool = Field(description="Whether its review date has come.")


class ItemPageOut(Answer):
    """One page of items."""

    model_config = with_example(
        {"items": [ITEM_EXAMPLE | {"score": 3.2, "to_be_confirmed": False}], "next_cursor": None}
    )

    items: list[FoundOut]
    next_cursor: str | None = Field(description="Where the next page begins; null on the last one.")


class SavedOut(Answer):
    """What became of a text."""

    model_config = with_example({"item": ITEM_EXAMPLE, "outcome": "saved", "similar": []})

    item: ItemOut
    outcome: Outcome = Field(
        description="Whether it was saved, was there already, replaced another, awaits review or is held as suspicious."
    )
    similar: list[ItemOut] = Field(description="Active items that say nearly the same; nothing is merged.")


class BulkOut(Answer):
    """What became of the texts, in their order."""

    model_config = with_example({"items": [{"id": EXAMPLE_ID, "version": 1, "outcome": "saved"}]})

    items: list["BulkLineOut"]


class BulkLineOut(Answer):
    """What became of one text."""

    id: ItemId
    version: int
    outcome: Outcome


class RevisionOut(Answer):
    """One version of an item."""

    version: int
    content: str
    kind: Kind
    tags: list[str]
    changed_at: datetime
    changed_by: str | None = Field(description="The name of who wrote it; null when the account was deleted.")
    source: str


class HistoryOut(Answer):
    """Every version of an item, newest first."""

    model_config = with_example(
        {
            "revisions": [
                {
                    "version": 1,
                    "content": "Prefers green tea to coffee",
                    "kind": "preference",
                    "tags": ["drinks"],
                    "changed_at": EXAMPLE_TIME,
                    "changed_by": "bob",
                    "source": "Claude Code",
                }
            ]
        }
    )

    revisions: list[RevisionOut]


def item_out(item: MemoryItem) -> ItemOut:
    """An item for an answer."""
    return ItemOut(
        id=item.id,
        scope=item.scope,
        kind=item.kind,
        content=item.content,
        tags=list(item.tags),
        status=item.status,
        source=item.source,
        author=_person(item.author, item.author_name),
        approver=_person(item.approver, item.approver_name),
        created_at=item.created_at,
        updated_at=item.updated_at,
        review_by=item.review_by,
        version=item.version,
        replaces=item.replaces,
        replaces_version=item.replaces_version,
        reason=item.reason,
        held=None if item.held is None else HeldOut(rule=item.held.rule, phrase=item.held.phrase),
    )


def page_out(page: FoundPage) -> ItemPageOut:
    """A page for an answer."""
    return ItemPageOut(
        items=[_found_out(found, page.as_of) for found in page.found], next_cursor=page.next_cursor
    )


def saved_out(saved: Saved) -> SavedOut:
    """An outcome for an answer."""
    return SavedOut(
        item=item_out(saved.item), outcome=saved.outcome, similar=[item_out(item) for item in saved.similar]
    )


def bulk_out(saved: list[Saved]) -> BulkOut:
    """Many outcomes for an answer."""
    return BulkOut(
        items=[
            BulkLineOut(id=each.item.id, version=each.item.version, outcome=each.outcome) for each in saved
        ]
    )


def history_out(revisions: list[ItemRevision]) -> HistoryOut:
    """A history for an answer."""
    return HistoryOut(
        revisions=[
            RevisionOut(
                version=revision.version,
                content=revision.content,
                kind=revision.kind,
                tags=list(revision.tags),
                changed_at=revision.changed_at,
                changed_by=revision.changed_by_name,
                source=revision.source,
            )
            for revision in revisions
        ]
    )


def _found_out(found: Found, as_of: datetime) -> FoundOut:
    due = is_due(found.item, as_of.date())
    return FoundOut(**dict(item_out(found.item)), score=found.score, to_be_confirmed=due)


def _person(user: UserId | None, name: str | None) -> PersonOut | None:
    return None if user is None else PersonOut(id=user, name=name)
