"""Memory items: what may be saved, how texts are compared, which limits hold.

A text is kept byte-exact apart from NFC: never translated, summarised or rewritten. Who may see or change an item
is decided in `access.py` and in the WHERE of `storage/items.py`; refusals of secrets and forged structure, and what
is held for review, stand in `refusal.py` and are asked by `services/screening.py`.
"""

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from workspace_memory.domain.errors import InvalidRequest, QuotaExceeded
from workspace_memory.domain.ids import ItemId, ItemVersion, TokenId, UserId, WorkspaceId
from workspace_memory.domain.plain_text import require_plain

CONTENT_CHARACTERS_MAX = 2_000
TAGS_MAX = 10
TAG_CHARACTERS_MAX = 50
# NFC puts at most four characters into one (a Greek vowel and its three marks). A longer text cannot fit, and is
# refused before the work, which grows with the square of the length for long runs of combining marks.
COMPOSED_CHARACTERS_MAX = 4
PERSONAL_ITEMS_MAX = 1_000
WORKSPACE_ITEMS_MAX = 20_000
REASON_CHARACTERS_MAX = 500


class Kind(StrEnum):
    """What sort of thing an item says."""

    FACT = "fact"
    PREFERENCE = "preference"
    NOTE = "note"


class Scope(StrEnum):
    """Whose an item is: one member's alone, or the whole workspace's."""

    PERSONAL = "personal"
    ORGANIZATION = "organization"


class Status(StrEnum):
    """Only active items are found by search."""

    ACTIVE = "active"
    PENDING = "pending"
    REJECTED = "rejected"


class WriteMode(StrEnum):
    """What becomes of company memory that comes from AI clients."""

    APPROVAL = "approval"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Draft:
    """A checked text to save. Make it with `draft`, which raises InvalidRequest for anything out of bounds.

    A `kind` of None was not said: a note, or the kind of the item that the text replaces.
    """

    content: str
    kind: Kind | None = None
    scope: Scope = Scope.PERSONAL
    tags: tuple[str, ...] = ()
    review_by: date | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """Why a text waits for a person although it would be active otherwise: the rule, and the phrase it found."""

    rule: str
    phrase: str


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One item as it stands now. `author` is None when that account was deleted; times are UTC.

    `replaces` and `replaces_version` name the item that a pending change would change, and the version that it was
    made against. `held` is for the eyes of whoever decides about the item. `token` made the item; None by hand.
    """

    workspace: WorkspaceId
    id: ItemId
    scope: Scope
    owner: UserId | None
    kind: Kind
    content: str
    tags: tuple[str, ...]
    status: Status
    source: str
    author: UserId | None
    author_name: str | None
    approver: UserId | None
    approver_name: str | None
    created_at: datetime
    updated_at: datetime
    review_by: date | None
    version: ItemVersion
    replaces: ItemId | None = None
    reason: str | None = None
    replaces_version: ItemVersion | None = None
    held: Held | None = None
    token: TokenId | None = None


@dataclass(frozen=True, slots=True)
class ItemRevision:
    """One earlier or present version of an item's text, for its history."""

    version: ItemVersion
    content: str
    kind: Kind
    tags: tuple[str, ...]
    changed_at: datetime
    changed_by_name: str | None
    source: str


def draft(
    content: str,
    *,
    kind: Kind | None = None,
    scope: Scope = Scope.PERSONAL,
    tags: Sequence[str] = (),
    review_by: date | None = None,
) -> Draft:
    """Check a text and its tags and bring them to the form in which they are kept.

    Raises: InvalidRequest that names the field and the bound.
    """
    return Draft(check_content(content), kind, scope, check_tags(tags), review_by)


def check_content(content: str) -> str:
    """The content in NFC. Raises InvalidRequest when it is empty, too long or holds characters no text has."""
    require_plain("content", content)
    fits = len(content) <= CONTENT_CHARACTERS_MAX * COMPOSED_CHARACTERS_MAX
    text = unicodedata.normalize("NFC", content) if fits else content
    if not text.strip():
        raise InvalidRequest("content", "must not be empty")
    if len(text) > CONTENT_CHARACTERS_MAX:
        raise InvalidRequest(
            "content",
            f"has {len(text):,} characters; at most {CONTENT_CHARACTERS_MAX:,} are allowed. "
            "Save the parts as items of their own.",
        )
    return text


def check_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """The tags trimmed, in NFC and without repetitions (compared by `tag_key`), in the given order."""
    kept: dict[str, str] = {}
    for tag in tags:
        require_plain("tags", tag)
        text = tag.strip()
        if len(text) <= TAG_CHARACTERS_MAX * COMPOSED_CHARACTERS_MAX:
            text = unicodedata.normalize("NFC", text)
        if not text:
            raise InvalidRequest("tags", "a tag must not be empty")
        if len(text) > TAG_CHARACTERS_MAX:
            raise InvalidRequest("tags", f"a tag has at most {TAG_CHARACTERS_MAX} characters")
        if any(unicodedata.category(character) in {"Cc", "Zl", "Zp"} for character in text):
            raise InvalidRequest("tags", "a tag is one line without control characters")
        kept.setdefault(tag_key(text), text)
    if len(kept) > TAGS_MAX:
        raise InvalidRequest("tags", f"at most {TAGS_MAX} tags are allowed, not {len(kept)}")
    return tuple(kept.values())


def check_reason(reason: str) -> str:
    """The reason of a rejection, trimmed and in NFC; empty for none. Raises InvalidRequest."""
    require_plain("reason", reason)
    text = reason.strip()
    if len(text) <= REASON_CHARACTERS_MAX * COMPOSED_CHARACTERS_MAX:
        text = unicodedata.normalize("NFC", text)
    if len(text) > REASON_CHARACTERS_MAX:
        raise InvalidRequest("reason", f"must have at most {REASON_CHARACTERS_MAX} characters")
    return text


def is_due(item: MemoryItem, today: date) -> bool:
    """Whether an active item's date of review has come: it stays found, and is marked "to be confirmed"."""
    return item.status is Status.ACTIVE and item.review_by is not None and item.review_by <= today


def tag_key(tag: str) -> str:
    """The form in which tags are compared: trimmed, NFC, lower case."""
    return unicodedata.normalize("NFC", tag.strip().lower())


def content_key(content: str) -> bytes:
    """A 32-byte key that is equal for texts which differ only in case, width, composition or white space."""
    if content.isascii():
        folded = content.lower()
    else:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", content).casefold())
    return hashlib.sha256(" ".join(folded.split()).encode()).digest()


def check_quota(*, scope: Scope, personal_items: int, workspace_items: int, adding: int = 1) -> None:
    """Raise QuotaExceeded unless `adding` more items fit. The counts are those of the write's own transaction."""
    if scope is Scope.PERSONAL and personal_items + adding > PERSONAL_ITEMS_MAX:
        raise QuotaExceeded(PERSONAL_ITEMS_MAX, "personal items of one member")
    if workspace_items + adding > WORKSPACE_ITEMS_MAX:
        raise QuotaExceeded(WORKSPACE_ITEMS_MAX, "items of one workspace")
