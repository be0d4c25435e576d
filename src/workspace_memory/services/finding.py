"""Finding memory items: ranked for a query, newest first without one.

Only what the caller may see is looked at: the search lists are the caller's own and the company's, and the rows
are read again under the visibility rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Actor, Membership
from workspace_memory.domain.errors import Forbidden, InvalidRequest
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.item import Kind, MemoryItem, Scope, Status, check_tags, tag_key
from workspace_memory.domain.paging import (
    AfterCount,
    AfterPosition,
    decode_cursor,
    encode_cursor,
    fingerprint,
)
from workspace_memory.domain.rate import Rate
from workspace_memory.domain.terms import has_words
from workspace_memory.services.authorization import require_use
from workspace_memory.services.deps import Deps
from workspace_memory.services.items import COMPANY_LIST, viewer
from workspace_memory.services.licences import require_memory
from workspace_memory.services.rate_limits import rated
from workspace_memory.services.semantic_signals import Meaning, search_lists
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.items import Filter, Viewer

LIMIT_DEFAULT = 20
LIMIT_MAX = 50
# Deeper than this nobody reads a ranking; a narrower query finds more than a later page.
RANKED_MAX = 1_000
QUERY_CHARACTERS_MAX = 10_000


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for. Without `text` the newest come first; `status` other than active only then."""

    text: str = ""
    scope: Scope | None = None
    kind: Kind | None = None
    tag: str | None = None
    status: Status | None = Status.ACTIVE
    limit: int = LIMIT_DEFAULT
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One item with its score (0 without a query) and its place in the answer to the query of this fingerprint."""

    item: MemoryItem
    score: float
    place: AfterPosition | AfterCount
    query: str

    @property
    def cursor(self) -> str:
        """What continues after it."""
        return encode_cursor(self.place, self.query)


@dataclass(frozen=True, slots=True)
class FoundPage:
    """Items in order; `more` tells whether others follow, after the last one's cursor.

    `as_of` is the time of the answer, from which ages are told.
    """

    found: Sequence[Found]
    more: bool
    as_of: datetime

    @property
    def next_cursor(self) -> str | None:
        """Where the next page begins."""
        return self.found[-1].cursor if self.more and self.found else None


@rated(Rate.SEARCH)
def find_items(deps: Deps, actor: Actor, workspace: WorkspaceId, query: Query) -> FoundPage:
    """The visible items that match.

    Raises: NotFound, Forbidden (also for a viewer who asks for pending company items), LevelTooLow, InvalidRequest.
    """
    query = replace(
        query,
        limit=max(1, min(query.limit, LIMIT_MAX)),
        text=query.text[:QUERY_CHARACTERS_MAX],
        tag=_wanted_tag(query.tag),
    )
    ranked = has_words(query.text)
    meaning = None
    if ranked and deps.semantic is not None:
        with deps.database.read() as tx:
            _require_search(deps, tx, actor, workspace)
        # Between two transactions: a model takes milliseconds, and a service somewhere else up to seconds.
        meaning = deps.semantic.meaning_of(query.text)
    with deps.database.read() as tx:
        membership = _require_search(deps, tx, actor, workspace)
        eyes = viewer(actor, membership)
        key = fingerprint(
            [query.text if ranked else "", query.scope, query.kind, query.tag, query.status, str(ranked)]
        )
        place = None if query.cursor is None else decode_cursor(query.cursor, key, ranked=ranked)
        find = partial(_ranked, meaning=meaning) if ranked else _newest
        found, more = find(tx, membership, eyes, query, place, key)
    return FoundPage(found, more, as_of=deps.clock.now())


def _require_search(deps: Deps, tx: Transaction, actor: Actor, workspace: WorkspaceId) -> Membership:
    membership = require_memory(deps, tx, actor, workspace)
    require_use(actor, membership, AccessLevel.READ)
    return membership


def _wanted_tag(tag: str | None) -> str | None:
    """The tag to filter by; a blank one is none. Raises: InvalidRequest for a text that no tag can be."""
    if tag is None or not tag.strip():
        return None
    try:
        return check_tags([tag])[0]
    except InvalidRequest as error:
        raise InvalidRequest("tag", error.reason) from None


def _newest(
    tx: Transaction,
    membership: Membership,
    eyes: Viewer,
    query: Query,
    place: AfterPosition | AfterCount | None,
    key: str,
) -> tuple[Sequence[Found], bool]:
    if (
        query.status in (Status.PENDING, Status.REJECTED)
        and query.scope is Scope.ORGANIZATION
        and not eyes.curator
    ):
        raise Forbidden(
            need="only admins and editors of this workspace see the company memory that waits for review"
        )
    before = (place.created_at, place.item) if isinstance(place, AfterPosition) else None
    wanted = Filter(scope=query.scope, status=query.status, kind=query.kind, tag=query.tag)
    items = tx.items.page(membership.workspace, eyes, wanted, before=before, limit=query.limit + 1)
    shown = items[: query.limit]
    found = [Found(item, 0.0, AfterPosition(item.created_at, item.id), key) for item in shown]
    return found, len(items) > query.limit


def _ranked(
    tx: Transaction,
    membership: Membership,
    eyes: Viewer,
    query: Query,
    place: AfterPosition | AfterCount | None,
    key: str,
    *,
    meaning: Meaning | None,
) -> tuple[Sequence[Found], bool]:
    if query.status is not Status.ACTIVE:
        raise InvalidRequest("status", "search finds active items only; leave the query out to list others")
    skip = place.count if isinstance(place, AfterCount) else 0
    narrowed = query.kind is not None or query.tag is not None
    wanted = RANKED_MAX if narrowed else min(skip + query.limit + 1, RANKED_MAX)
    lists = _lists(membership, query.scope)
    hits = search_lists(tx, membership.workspace, lists, query.text, limit=wanted, meaning=meaning)
    if not narrowed:
        hits = hits[skip:]
    items = tx.items.get_many(membership.workspace, [hit.item for hit in hits], eyes)
    matching = [
        (items[hit.item], hit.score) for hit in hits if hit.item in items and _fits(items[hit.item], query)
    ]
    if narrowed:
        matching = matching[skip:]
    found = [
        Found(item, score, AfterCount(skip + number), key)
        for number, (item, score) in enumerate(matching[: query.limit], start=1)
    ]
    return found, len(matching) > query.limit


def _lists(membership: Membership, scope: Scope | None) -> list[str]:
    match scope:
        case Scope.PERSONAL:
            return [membership.user]
        case Scope.ORGANIZATION:
            return [COMPANY_LIST]
        case None:
            return [COMPANY_LIST, membership.user]


def _fits(item: MemoryItem, query: Query) -> bool:
    if query.kind is not None and item.kind is not query.kind:
        return False
    return query.tag is None or tag_key(query.tag) in {tag_key(tag) for tag in item.tags}
