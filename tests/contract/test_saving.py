"""Saving: what becomes of a text by level, role and write mode; the same text; replacing; repeated requests."""

import unicodedata
from datetime import date, timedelta

import pytest
from tests.conftest import World, a_draft
from tests.contract.together import answers, at_once

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.errors import (
    Forbidden,
    IdempotencyKeyReused,
    InvalidRequest,
    LevelTooLow,
    NotFound,
    QuotaExceeded,
)
from workspace_memory.domain.ids import ItemId
from workspace_memory.domain.item import Draft, Kind, MemoryItem, Scope, Status, WriteMode, draft
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.idempotency import VALID_FOR
from workspace_memory.services.items import forget_item, get_item, item_history
from workspace_memory.services.saving import BULK_MAX, Outcome, Saved, add_items, save_item
from workspace_memory.storage.items import Filter, Viewer

COMPANY = Scope.ORGANIZATION


def replace_item(world: World, actor: object, replaces: ItemId, text: str, **changes: object) -> Saved:
    return save_item(world.deps, actor, world.workspace, a_draft(text, **changes), replaces=replaces)  # pyright: ignore[reportArgumentType]  a test's shorthand


def count(world: World) -> int:
    with world.deps.database.read() as tx:
        return tx.items.count(world.workspace)


def reject(world: World, item: MemoryItem) -> None:
    world.set_status(item, Status.REJECTED)


@pytest.fixture
def contributor(world: World) -> World:
    """The world with bob and carol at level contribute."""
    world.set_level(world.bob, AccessLevel.CONTRIBUTE)
    world.set_level(world.carol, AccessLevel.CONTRIBUTE)
    return world


# --- What is kept ------------------------------------------------------------------------------------------


@pytest.mark.requirement("items:save:facts-preferences-and-notes")
@pytest.mark.parametrize("kind", list(Kind))
def test_each_kind_is_kept(world: World, kind: Kind) -> None:
    saved = world.save(world.client(world.bob), kind=kind)
    assert get_item(world.deps, world.client(world.bob), world.workspace, saved.item.id).kind is kind


@pytest.mark.requirement("items:model:personal-item-has-its-owner")
@pytest.mark.requirement("items:model:author-is-recorded")
def test_owner_and_author_are_the_member_behind_the_credential(world: World) -> None:
    item = world.save(world.client(world.bob)).item
    assert (item.owner, item.author, item.author_name) == (world.bob, world.bob, "bob")


@pytest.mark.requirement("items:model:source-comes-from-the-credential")
def test_the_source_is_the_credentials(world: World) -> None:
    assert world.save(world.client(world.bob)).item.source == "Test client"


@pytest.mark.requirement("items:model:belongs-to-one-workspace")
def test_an_item_is_of_the_workspace_it_was_saved_in(world: World) -> None:
    item = world.save(world.client(world.bob)).item
    with world.deps.database.read() as tx:
        elsewhere = tx.items.get_visible(world.other_workspace, item.id, Viewer(world.bob, curator=True))
    assert (item.workspace, elsewhere) == (world.workspace, None)


@pytest.mark.requirement("items:model:tags-are-kept")
def test_tags_are_kept(world: World) -> None:
    item = world.save(world.client(world.bob), tags=("Tea", "Großküche")).item
    assert get_item(world.deps, world.by_hand(world.bob), world.workspace, item.id).tags == (
        "Tea",
        "Großküche",
    )


@pytest.mark.requirement("items:model:content-up-to-2000-characters")
@pytest.mark.parametrize("character", ["x", "ß", "雾", "😀"])
def test_2000_characters_are_stored_whole(world: World, character: str) -> None:
    saved = save_item(world.deps, world.client(world.bob), world.workspace, draft(character * 2_000))
    assert saved.item.content == character * 2_000


@pytest.mark.parametrize(
    "text",
    [
        "La signora preferisce il tè verde, non è vero?",
        "Mu\u0308nchen, Großküche",
        "雾凇词库部署 한국어 ภาษาไทย",
        " kept \r\n\tas it is \u200b ﬁ Ａ 👩\u200d🍳 ",
        "%_\\'\";--",
    ],
)
def test_a_text_comes_back_to_the_byte_apart_from_nfc(world: World, text: str) -> None:
    saved = save_item(world.deps, world.client(world.bob), world.workspace, draft(text))
    kept = get_item(world.deps, world.by_hand(world.bob), world.workspace, saved.item.id).content
    assert kept.encode() == unicodedata.normalize("NFC", text).encode()


# --- Levels, roles, write mode -----------------------------------------------------------------------------


@pytest.mark.requirement("items:unit:save-by-level")
@pytest.mark.parametrize("level", [AccessLevel.NONE, AccessLevel.READ])
@pytest.mark.parametrize("scope", list(Scope))
def test_below_personal_a_client_saves_nothing(world: World, level: AccessLevel, scope: Scope) -> None:
    world.set_level(world.bob, level)
    with pytest.raises(LevelTooLow):
        world.save(world.client(world.bob), scope=scope)
    assert count(world) == 0


@pytest.mark.requirement("items:unit:save-by-level")
@pytest.mark.requirement("items:level:personal-saves-personal-items-only")
def test_at_personal_a_client_saves_personal_items_only(world: World) -> None:
    world.set_level(world.bob, AccessLevel.PERSONAL)
    assert world.save(world.client(world.bob)).item.scope is Scope.PERSONAL
    with pytest.raises(LevelTooLow):
        world.save(world.client(world.bob), "company text", scope=COMPANY)
    assert count(world) == 1


@pytest.mark.requirement("items:unit:save-by-level")
@pytest.mark.requirement("items:level:contribute-may-choose-organization")
@pytest.mark.requirement("items:unit:organization-only-from-contribute")
def test_at_contribute_a_client_chooses_the_scope(contributor: World) -> None:
    world = contributor
    scopes = [world.save(world.client(world.bob), f"text {scope}", scope=scope).item.scope for scope in Scope]
    assert scopes == list(Scope)


@pytest.mark.requirement("field:case-01:items")
@pytest.mark.parametrize("cap", [AccessLevel.NONE, AccessLevel.READ])
def test_a_capped_token_saves_nothing(contributor: World, cap: AccessLevel) -> None:
    world = contributor
    for actor in (world.client(world.bob, max_level=cap), world.by_hand(world.bob, max_level=cap)):
        with pytest.raises(LevelTooLow):
            world.save(actor)
    assert count(world) == 0


@pytest.mark.requirement("items:unit:save-under-approval")
@pytest.mark.requirement("items:save:company-item-is-pending-under-approval")
@pytest.mark.requirement("items:settings:write-mode-starts-as-approval")
@pytest.mark.parametrize("who", ["alice", "bob", "carol"])
def test_under_approval_a_clients_company_item_is_pending_whatever_the_role(
    contributor: World, who: str
) -> None:
    world = contributor
    user = getattr(world, who)
    world.set_level(user, AccessLevel.CONTRIBUTE)
    saved = world.save(world.client(user), scope=COMPANY)
    assert (saved.item.status, saved.outcome, saved.item.approver) == (Status.PENDING, Outcome.PROPOSED, None)


def test_under_auto_it_is_active_and_found(contributor: World) -> None:
    world = contributor
    world.configure(write_mode=WriteMode.AUTO)
    saved = world.save(world.client(world.carol), "zebra crossing", scope=COMPANY)
    found = find_items(world.deps, world.client(world.bob), world.workspace, Query("zebra")).found
    assert (saved.item.status, [f.item.id for f in found]) == (Status.ACTIVE, [saved.item.id])


@pytest.mark.requirement("items:unit:save-by-a-curator")
@pytest.mark.parametrize("who", ["alice", "bob"])
def test_a_curators_company_item_is_active_at_once(world: World, who: str) -> None:
    user = getattr(world, who)
    saved = world.save(world.by_hand(user), scope=COMPANY)
    assert (saved.item.status, saved.item.approver, saved.item.owner) == (Status.ACTIVE, user, None)


@pytest.mark.requirement("items:e2e:viewer-may-not-add-company-items")
def test_a_viewer_adds_no_company_item(contributor: World) -> None:
    world = contributor
    with pytest.raises(Forbidden):
        world.save(world.by_hand(world.carol), scope=COMPANY)
    assert count(world) == 0


@pytest.mark.requirement("items:e2e:viewer-saves-a-personal-item")
def test_a_viewer_keeps_a_personal_memory(world: World) -> None:
    assert world.save(world.by_hand(world.carol)).item.owner == world.carol


# --- The same text, similar texts --------------------------------------------------------------------------


@pytest.mark.parametrize("again", ["likes green tea", "Likes  GREEN tea ", "likes green ｔea"])
def test_the_same_text_again_is_the_item_that_exists(world: World, again: str) -> None:
    first = world.save(world.client(world.bob))
    second = world.save(world.client(world.bob), again)
    assert (second.item.id, second.item.content, second.outcome) == (
        first.item.id,
        "likes green tea",
        Outcome.ALREADY_SAVED,
    )
    assert count(world) == 1


def test_the_same_text_in_the_other_scope_is_another_item(world: World) -> None:
    personal, company = (
        world.save(world.by_hand(world.bob)),
        world.save(world.by_hand(world.bob), scope=COMPANY),
    )
    assert personal.item.id != company.item.id


@pytest.mark.requirement("items:privacy:personal-memory-for-its-owner-alone")
@pytest.mark.parametrize("who", ["alice", "carol"])
def test_the_same_text_in_somebodys_personal_memory_changes_nothing(world: World, who: str) -> None:
    world.save(world.client(world.bob), "I use green tea every day")
    saved = world.save(world.client(getattr(world, who)), "I use green tea every day")
    assert (saved.outcome, saved.similar, saved.item.owner) == (Outcome.SAVED, [], getattr(world, who))


@pytest.mark.parametrize("channel", ["client", "by_hand"])
def test_the_proposal_of_another_author_changes_nothing(contributor: World, channel: str) -> None:
    world = contributor
    proposed = world.save(world.client(world.carol), scope=COMPANY)
    saved = world.save(getattr(world, channel)(world.bob), scope=COMPANY)
    assert saved.item.id != proposed.item.id
    assert saved.outcome is (Outcome.SAVED if channel == "by_hand" else Outcome.PROPOSED)


def test_an_own_proposal_is_not_proposed_twice(contributor: World) -> None:
    world = contributor
    first, second = (world.save(world.client(world.carol), scope=COMPANY) for _ in range(2))
    assert (second.item.id, second.outcome) == (first.item.id, Outcome.ALREADY_SAVED)


def test_an_active_company_item_is_already_saved_for_everybody(contributor: World) -> None:
    world = contributor
    first = world.company_item()
    second = world.save(world.client(world.carol), "the OFFICE closes at six", scope=COMPANY)
    assert (second.item.id, second.outcome) == (first.item.id, Outcome.ALREADY_SAVED)


def test_a_client_is_told_that_its_proposal_was_rejected_before(contributor: World) -> None:
    world = contributor
    first = world.save(world.client(world.bob), scope=COMPANY)
    reject(world, first.item)
    again = world.save(world.client(world.bob), scope=COMPANY)
    assert (again.item.id, again.outcome, count(world)) == (first.item.id, Outcome.REJECTED_BEFORE, 1)


def test_a_person_may_add_what_was_rejected_before(contributor: World) -> None:
    world = contributor
    reject(world, world.save(world.client(world.bob), scope=COMPANY).item)
    added = world.save(world.by_hand(world.bob), scope=COMPANY)
    assert (added.item.status, added.outcome) == (Status.ACTIVE, Outcome.SAVED)


def test_what_was_rejected_of_another_author_may_be_proposed(contributor: World) -> None:
    world = contributor
    reject(world, world.save(world.client(world.carol), scope=COMPANY).item)
    assert world.save(world.client(world.bob), scope=COMPANY).outcome is Outcome.PROPOSED


def test_a_similar_item_is_named_and_both_are_kept(world: World) -> None:
    old = world.save(world.client(world.bob), "I use tea")
    new = world.save(world.client(world.bob), "I no longer use tea, coffee now")
    assert ([item.id for item in new.similar], count(world)) == ([old.item.id], 2)


def test_similar_personal_and_company_items_are_kept_apart(world: World) -> None:
    world.company_item("I use tea in the office")
    assert world.save(world.client(world.bob), "I use tea at the office").similar == []


# --- Replacing ---------------------------------------------------------------------------------------------


def test_replacing_leaves_one_item_with_its_history(world: World) -> None:
    old = world.save(world.client(world.bob), "I use tea")
    new = replace_item(world, world.client(world.bob), old.item.id, "I use coffee")
    history = item_history(world.deps, world.by_hand(world.bob), world.workspace, old.item.id)
    assert (new.item.id, new.outcome, new.item.version, count(world)) == (old.item.id, Outcome.REPLACED, 2, 1)
    assert [(entry.version, entry.content) for entry in history] == [(2, "I use coffee"), (1, "I use tea")]


@pytest.mark.parametrize("corrected", ["I use Tea", "I use tea.", "I  use tea"])
def test_a_correction_of_the_form_is_a_new_version(world: World, corrected: str) -> None:
    old = world.save(world.client(world.bob), "I use tea")
    new = replace_item(world, world.client(world.bob), old.item.id, corrected)
    assert (new.item.content, new.outcome) == (corrected, Outcome.REPLACED)


def test_other_tags_for_the_same_text_are_a_new_version(world: World) -> None:
    old = world.save(world.client(world.bob), "I use tea")
    assert (
        replace_item(world, world.client(world.bob), old.item.id, "I use tea", tags=("drinks",)).item.version
        == 2
    )


def test_replacing_by_the_very_same_changes_nothing(world: World) -> None:
    old = world.save(world.client(world.bob), "I use tea", tags=("drinks",))
    new = replace_item(world, world.client(world.bob), old.item.id, "I use tea")
    assert (new.outcome, new.item.version, new.item.tags) == (Outcome.ALREADY_SAVED, 1, ("drinks",))


def test_replacing_sets_the_date_of_review(world: World) -> None:
    old = world.save(world.client(world.bob), "I use tea")
    when = date(2027, 1, 31)
    replace_item(world, world.client(world.bob), old.item.id, "I use tea", review_by=when)
    assert get_item(world.deps, world.by_hand(world.bob), world.workspace, old.item.id).review_by == when


def test_a_personal_item_is_not_replaced_by_a_company_one(contributor: World) -> None:
    world = contributor
    old = world.save(world.client(world.bob), "I use tea")
    with pytest.raises(InvalidRequest, match="scope"):
        replace_item(world, world.client(world.bob), old.item.id, "We use tea", scope=COMPANY)


@pytest.mark.parametrize("who", ["alice", "carol"])
def test_somebody_elses_item_cannot_be_replaced(world: World, who: str) -> None:
    old = world.save(world.client(world.bob), "I use tea")
    for actor in (world.client(getattr(world, who)), world.by_hand(getattr(world, who))):
        with pytest.raises(NotFound):
            replace_item(world, actor, old.item.id, "I use coffee")


@pytest.mark.requirement("items:unit:arguments-stay-in-the-servers-workspace")
def test_an_item_of_another_workspace_cannot_be_replaced(world: World) -> None:
    foreign = world.save(world.by_hand(world.mallory), "We sell coffee", scope=COMPANY)
    with pytest.raises(NotFound):
        replace_item(world, world.by_hand(world.bob), foreign.item.id, "We sell tea", scope=COMPANY)


@pytest.mark.parametrize("level", [AccessLevel.PERSONAL, AccessLevel.READ])
def test_below_contribute_a_company_item_is_like_a_missing_id(world: World, level: AccessLevel) -> None:
    item = world.company_item().item
    world.set_level(world.bob, level)
    expected = NotFound if level is AccessLevel.PERSONAL else LevelTooLow
    with pytest.raises(expected) as refused:
        replace_item(world, world.client(world.bob), item.id, "The office closes at eight")
    with pytest.raises(expected) as missing:
        replace_item(
            world, world.client(world.bob), ItemId(world.deps.new_id()), "The office closes at eight"
        )
    assert str(refused.value) == str(missing.value)


def test_under_approval_replacing_a_company_item_is_a_proposal(contributor: World) -> None:
    world = contributor
    old = world.company_item().item
    proposed = replace_item(world, world.client(world.bob), old.id, "The office closes at eight")
    assert (proposed.outcome, proposed.item.status, proposed.item.replaces) == (
        Outcome.PROPOSED,
        Status.PENDING,
        old.id,
    )
    assert get_item(world.deps, world.by_hand(world.carol), world.workspace, old.id).content == old.content


def test_the_same_proposal_to_replace_is_made_once(contributor: World) -> None:
    world = contributor
    old = world.company_item().item
    first, second = (
        replace_item(world, world.client(world.bob), old.id, "The office closes at eight") for _ in range(2)
    )
    assert (second.item.id, second.outcome, count(world)) == (first.item.id, Outcome.ALREADY_SAVED, 2)


def test_a_rejected_proposal_to_replace_is_not_made_again(contributor: World) -> None:
    world = contributor
    old = world.company_item().item
    reject(world, replace_item(world, world.client(world.bob), old.id, "The office closes at eight").item)
    again = replace_item(world, world.client(world.bob), old.id, "The office closes at eight")
    assert (again.outcome, count(world)) == (Outcome.REJECTED_BEFORE, 2)


def test_proposing_what_stands_there_already_proposes_nothing(contributor: World) -> None:
    world = contributor
    old = world.company_item().item
    assert replace_item(world, world.client(world.bob), old.id, old.content).outcome is Outcome.ALREADY_SAVED


def test_under_auto_replacing_a_company_item_is_in_force(contributor: World) -> None:
    world = contributor
    world.configure(write_mode=WriteMode.AUTO)
    old = world.company_item().item
    new = replace_item(world, world.client(world.carol), old.id, "The office closes at eight")
    assert (new.outcome, new.item.id, new.item.version, new.item.scope) == (
        Outcome.REPLACED,
        old.id,
        2,
        COMPANY,
    )


def test_a_pending_item_is_not_replaced(contributor: World) -> None:
    world = contributor
    pending = world.save(world.client(world.bob), scope=COMPANY).item
    with pytest.raises(NotFound):
        replace_item(world, world.client(world.bob), pending.id, "likes black tea", scope=COMPANY)


@pytest.mark.parametrize("item", ["", "nothing", "\0", "\ud800", "0190a0b0-aaaa-7000-8000-00000000abcd"])
def test_what_is_no_item_cannot_be_replaced(world: World, item: str) -> None:
    with pytest.raises(NotFound):
        replace_item(world, world.client(world.bob), ItemId(item), "I use coffee")


# --- Repeated requests -------------------------------------------------------------------------------------


def save_with_key(world: World, key: str = "k1", given: Draft | None = None, who: str = "bob") -> Saved:
    actor = world.client(getattr(world, who))
    return save_item(world.deps, actor, world.workspace, given or a_draft(), idempotency_key=key)


def test_a_repeated_request_gets_its_first_answer(world: World) -> None:
    first, second = save_with_key(world), save_with_key(world)
    assert (second.item.id, second.outcome, count(world)) == (first.item.id, Outcome.SAVED, 1)


def test_a_request_repeated_at_the_same_moment_makes_one_row(world: World) -> None:
    outcomes = at_once(*[lambda: save_with_key(world).item.id] * 8)
    assert (len(answers(outcomes)), len(set(answers(outcomes))), count(world)) == (8, 1, 1)


@pytest.mark.parametrize(
    "other",
    [a_draft("likes coffee"), a_draft(kind=Kind.FACT), a_draft(tags=("tea",)), a_draft(scope=COMPANY)],
)
def test_the_key_of_another_request_is_refused(contributor: World, other: Draft) -> None:
    save_with_key(contributor)
    with pytest.raises(IdempotencyKeyReused):
        save_with_key(contributor, given=other)
    assert count(contributor) == 1


def test_another_members_key_is_another_key(world: World) -> None:
    assert save_with_key(world).item.id != save_with_key(world, who="carol").item.id


def test_after_a_forget_the_repeated_request_saves_nothing(world: World) -> None:
    saved = save_with_key(world)
    forget_item(world.deps, world.client(world.bob), world.workspace, saved.item.id)
    with pytest.raises(NotFound):
        save_with_key(world)
    assert count(world) == 0


def test_after_a_day_the_key_is_free(world: World) -> None:
    saved = save_with_key(world)
    forget_item(world.deps, world.client(world.bob), world.workspace, saved.item.id)
    world.clock.move(VALID_FOR)
    assert timedelta(hours=24) == VALID_FOR
    assert save_with_key(world).outcome is Outcome.SAVED


def test_a_refused_request_does_not_use_its_key_up(world: World) -> None:
    with pytest.raises(LevelTooLow):
        save_with_key(world, given=a_draft(scope=COMPANY))
    assert save_with_key(world).outcome is Outcome.SAVED


@pytest.mark.parametrize("key", ["", "\0", "\ud800", "k" * 100_000])
def test_any_text_is_a_key(world: World, key: str) -> None:
    assert save_with_key(world, key).item.id == save_with_key(world, key).item.id


def test_no_text_is_kept_with_a_key(world: World) -> None:
    save_with_key(world, given=a_draft("a zebra in the kitchen"))
    with world.deps.database.read() as tx:
        rows = tx.connection.exec_driver_sql("SELECT * FROM idempotency_keys").all()
    assert rows
    assert "zebra" not in repr(rows)


# --- Many at once ------------------------------------------------------------------------------------------


def test_many_are_added_together(world: World) -> None:
    drafts = [a_draft(f"fact number {number}") for number in range(20)]
    saved = add_items(world.deps, world.by_hand(world.bob), world.workspace, [*drafts, drafts[0]])
    assert ([s.outcome for s in saved].count(Outcome.SAVED), saved[-1].outcome) == (20, Outcome.ALREADY_SAVED)


def test_of_many_all_or_none_are_added(world: World) -> None:
    drafts = [a_draft("a personal one"), a_draft("a company one", scope=COMPANY)]
    with pytest.raises(Forbidden):
        add_items(world.deps, world.by_hand(world.carol), world.workspace, drafts)
    assert count(world) == 0


def test_what_is_added_together_is_answered_as_one_by_one(world: World) -> None:
    bob = world.by_hand(world.bob)
    known = world.company_item("opens at eight").item
    drafts = [
        a_draft("opens at EIGHT", scope=COMPANY),
        a_draft("opens at eight"),
        a_draft("closes at six", scope=COMPANY),
        a_draft("Closes at six", scope=COMPANY),
    ]
    saved = add_items(world.deps, bob, world.workspace, drafts)
    assert [one.outcome for one in saved] == [
        Outcome.ALREADY_SAVED,
        Outcome.SAVED,
        Outcome.SAVED,
        Outcome.ALREADY_SAVED,
    ]
    assert (saved[0].item.id, saved[3].item) == (known.id, saved[2].item)
    assert [one.item.author_name for one in saved[1:3]] == ["bob", "bob"]
    for one in saved[1:3]:
        assert get_item(world.deps, bob, world.workspace, one.item.id) == one.item
        assert [
            version.version for version in item_history(world.deps, bob, world.workspace, one.item.id)
        ] == [1]


def test_of_many_that_exceed_the_limit_none_is_added(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workspace_memory.domain.item.PERSONAL_ITEMS_MAX", 2)
    drafts = [a_draft(f"fact number {number}") for number in range(3)]
    with pytest.raises(QuotaExceeded):
        add_items(world.deps, world.by_hand(world.bob), world.workspace, drafts)
    assert count(world) == 0


def test_501_at_once_are_refused(world: World) -> None:
    with pytest.raises(InvalidRequest, match="at most 500"):
        add_items(world.deps, world.by_hand(world.bob), world.workspace, [a_draft()] * (BULK_MAX + 1))


@pytest.mark.requirement("field:case-04")
def test_forty_parallel_saves_make_forty_rows(world: World) -> None:
    outcomes = at_once(
        *(
            lambda n=number: world.save(world.client(world.bob), f"text number {n}").item.id
            for number in range(40)
        )
    )
    with world.deps.database.read() as tx:
        listed = tx.items.page(world.workspace, Viewer(world.bob), Filter(), before=None, limit=100)
    assert len(set(answers(outcomes))) == 40
    assert {item.id for item in listed} == set(answers(outcomes))
