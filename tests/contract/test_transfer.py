"""Moving memory out and in again, against every store."""

import functools
import json
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest
from tests.conftest import World, a_draft

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.errors import Forbidden, InvalidRequest, LevelTooLow, NotFound
from workspace_memory.domain.exchange import Batch, Record, parse
from workspace_memory.domain.exchange_jsonl import BlockMark, block_digest, trailer_line
from workspace_memory.domain.ids import ItemId, UserId, WorkspaceId
from workspace_memory.domain.item import Held, Kind, MemoryItem, Scope, Status
from workspace_memory.services import exporting, importer
from workspace_memory.services.deps import Deps
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.items import Change, delete_item, edit_item, item_history
from workspace_memory.services.running import run
from workspace_memory.services.saving import add_items
from workspace_memory.services.screening import screen
from workspace_memory.services.transfer import (
    ExportForm,
    Imported,
    export_page,
    import_items,
    outline_export,
    plan_import,
    write_export,
)

NAME = "memory.jsonl"


def export(world: World, actor: Actor, scope: Scope, *, workspace: WorkspaceId | None = None) -> bytes:
    parts: list[bytes] = []
    runner = functools.partial(run, world.deps)
    write_export(runner, actor, workspace or world.workspace, scope, parts.append)
    return b"".join(parts)


def bring_in(world: World, actor: Actor, content: bytes, **options: object) -> Imported:
    """Import a file of our own format, all its batches."""
    workspace = world.other_workspace if actor.user == world.mallory else world.workspace
    results = [
        import_items(world.deps, actor, workspace, batch, **options)  # pyright: ignore[reportArgumentType]  a test's shorthand
        for batch in parse("workspace-memory", [(NAME, content)]).batches()
    ]
    return functools.reduce(Imported.plus, results)


def items_of(world: World, user: UserId, scope: Scope, status: Status | None = None) -> list[MemoryItem]:
    query = Query(scope=scope, status=status, limit=50)
    page = find_items(world.deps, world.by_hand(user), world.workspace, query)
    return [found.item for found in page.found]


def wipe(world: World, user: UserId, scope: Scope) -> None:
    for item in items_of(world, user, scope):
        delete_item(world.deps, world.by_hand(user), world.workspace, item.id)


def texts(*contents: str) -> Batch:
    return Batch(tuple(Record(f"line {n}", text) for n, text in enumerate(contents, start=1)))


def company_memory(world: World) -> None:
    """Company items of three people in two states, one of them edited twice."""
    world.set_level(world.bob, AccessLevel.CONTRIBUTE)
    first = world.company_item("Die Großküche München schließt um sechs \u2028 雾凇").item
    world.clock.move(timedelta(minutes=1))
    world.save(
        world.by_hand(world.alice),
        'Deliveries "C:\\tea" arrive\nat <b>nine</b>\r\n\tsharp',
        scope=Scope.ORGANIZATION,
        kind=Kind.FACT,
        tags=("Küche", 'a "tag"'),
        review_by=date(2027, 1, 31),
    )
    world.save(world.client(world.bob), "Proposed by a client", scope=Scope.ORGANIZATION)
    for version, text in ((1, "The kitchen closes at seven"), (2, "The kitchen closes at eight")):
        world.clock.move(timedelta(microseconds=123_457))
        edit_item(
            world.deps,
            world.by_hand(world.alice),
            world.workspace,
            first.id,
            Change(content=text, tags=("hours",)),
            shown=version,  # pyright: ignore[reportArgumentType]  a version is a number
        )


@pytest.mark.requirement("field:case-28")
def test_company_items_come_back_byte_for_byte_after_export_wipe_and_import(world: World) -> None:
    company_memory(world)
    alice = world.by_hand(world.alice)
    before = export(world, alice, Scope.ORGANIZATION)
    wipe(world, world.alice, Scope.ORGANIZATION)
    assert items_of(world, world.alice, Scope.ORGANIZATION) == []
    world.clock.move(timedelta(days=3))
    imported = bring_in(world, alice, before)
    assert (imported.restores, imported.new, imported.problems) == (True, 3, ())
    assert export(world, alice, Scope.ORGANIZATION) == before


@pytest.mark.requirement("field:case-28")
def test_personal_items_come_back_byte_for_byte_after_export_wipe_and_import(world: World) -> None:
    bob = world.by_hand(world.bob)
    saved = world.save(bob, "likes green tea", tags=("tea",)).item
    edit_item(
        world.deps, bob, world.workspace, saved.id, Change(content="likes black tea"), shown=saved.version
    )
    world.save(world.client(world.bob), "works from Trento")
    before = export(world, bob, Scope.PERSONAL)
    wipe(world, world.bob, Scope.PERSONAL)
    bring_in(world, bob, before)
    assert export(world, bob, Scope.PERSONAL) == before


def test_an_item_that_came_back_has_its_history_and_is_found(world: World) -> None:
    bob = world.by_hand(world.bob)
    saved = world.save(bob, "likes green tea").item
    edit_item(
        world.deps, bob, world.workspace, saved.id, Change(content="likes black tea"), shown=saved.version
    )
    history = item_history(world.deps, bob, world.workspace, saved.id)
    content = export(world, bob, Scope.PERSONAL)
    wipe(world, world.bob, Scope.PERSONAL)
    bring_in(world, bob, content)
    assert item_history(world.deps, bob, world.workspace, saved.id) == history
    page = find_items(world.deps, bob, world.workspace, Query("black tea"))
    assert [found.item.id for found in page.found] == [saved.id]


def test_a_proposal_that_came_back_waits_and_is_not_found(world: World) -> None:
    company_memory(world)
    alice = world.by_hand(world.alice)
    content = export(world, alice, Scope.ORGANIZATION)
    wipe(world, world.alice, Scope.ORGANIZATION)
    bring_in(world, alice, content)
    [waiting] = items_of(world, world.alice, Scope.ORGANIZATION, Status.PENDING)
    assert (waiting.content, waiting.author_name) == ("Proposed by a client", "bob")
    assert find_items(world.deps, alice, world.workspace, Query("proposed client")).found == []


def test_two_items_with_one_text_both_come_back(world: World) -> None:
    # Carol's client does not see bob's proposal, and so proposes the same.
    for user in (world.bob, world.carol):
        world.set_level(user, AccessLevel.CONTRIBUTE)
        world.save(world.client(user), "closed on monday", scope=Scope.ORGANIZATION)
    alice = world.by_hand(world.alice)
    before = export(world, alice, Scope.ORGANIZATION)
    wipe(world, world.alice, Scope.ORGANIZATION)
    bring_in(world, alice, before)
    assert export(world, alice, Scope.ORGANIZATION) == before


def test_an_export_is_the_same_at_any_time(world: World) -> None:
    company_memory(world)
    alice = world.by_hand(world.alice)
    first = export(world, alice, Scope.ORGANIZATION)
    world.clock.move(timedelta(days=1))
    assert export(world, alice, Scope.ORGANIZATION) == first


def test_importing_twice_changes_nothing(world: World) -> None:
    company_memory(world)
    alice = world.by_hand(world.alice)
    content = export(world, alice, Scope.ORGANIZATION)
    again = bring_in(world, alice, content)
    assert (again.new, again.already_there) == (0, 3)


def test_a_text_that_was_added_anew_is_not_brought_back_beside_it(world: World) -> None:
    bob = world.by_hand(world.bob)
    world.save(bob, "likes green tea")
    content = export(world, bob, Scope.PERSONAL)
    wipe(world, world.bob, Scope.PERSONAL)
    world.clock.move(timedelta(minutes=1))
    world.save(bob, "Likes  green tea")
    imported = bring_in(world, bob, content)
    assert (imported.new, imported.already_there) == (0, 1)


def test_an_import_that_was_interrupted_goes_on_where_it_stopped(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "BLOCK_ITEMS_MAX", 3)
    bob = world.by_hand(world.bob)
    add_items(world.deps, bob, world.workspace, [a_draft(f"number {n}") for n in range(7)])
    content = export(world, bob, Scope.PERSONAL)
    first, *others = parse("workspace-memory", [(NAME, content)]).batches()
    wipe(world, world.bob, Scope.PERSONAL)
    import_items(world.deps, bob, world.workspace, first)
    again = [import_items(world.deps, bob, world.workspace, batch) for batch in (first, *others)]
    assert [(one.new, one.already_there) for one in again] == [(0, 3), (3, 0), (1, 0)]
    assert export(world, bob, Scope.PERSONAL) == content


def test_a_batch_that_fails_leaves_nothing(world: World) -> None:
    company_memory(world)
    alice = world.by_hand(world.alice)
    content = export(world, alice, Scope.ORGANIZATION)
    wipe(world, world.alice, Scope.ORGANIZATION)
    [batch] = parse("workspace-memory", [(NAME, content)]).batches()
    assert batch.sealed is not None
    lines = batch.sealed.lines.replace(b"at eight", b"at nine.")
    with pytest.raises(InvalidRequest, match="not the exported one"):
        import_items(world.deps, alice, world.workspace, Batch(sealed=replace(batch.sealed, lines=lines)))
    assert items_of(world, world.alice, Scope.ORGANIZATION) == []


def test_a_file_with_a_forged_seal_gives_new_items_of_the_importer(world: World) -> None:
    company_memory(world)
    alice = world.by_hand(world.alice)
    lines = export(world, alice, Scope.ORGANIZATION).split(b"\n")
    wipe(world, world.alice, Scope.ORGANIZATION)
    body = b"\n".join(lines[1:-2]).replace(b"at eight", b"at nine.") + b"\n"
    mac = bytes.fromhex(json.loads(lines[-2])["mac"])
    forged = lines[0] + b"\n" + body + trailer_line([BlockMark(3, block_digest(body))], mac) + b"\n"
    imported = bring_in(world, alice, forged)
    assert (imported.restores, imported.scope, imported.new) == (False, Scope.PERSONAL, 3)
    assert {item.author for item in items_of(world, world.alice, Scope.PERSONAL)} == {world.alice}


@pytest.mark.requirement("field:case-28")
def test_an_export_of_another_workspace_gives_new_items(world: World) -> None:
    world.save(world.by_hand(world.mallory), "rivals drink coffee")
    content = export(world, world.by_hand(world.mallory), Scope.PERSONAL, workspace=world.other_workspace)
    imported = bring_in(world, world.by_hand(world.bob), content)
    [item] = items_of(world, world.bob, Scope.PERSONAL)
    assert (imported.restores, item.author, item.source) == (False, world.bob, "import")
    assert item.id != json.loads(content.split(b"\n")[1])["id"]


def test_a_personal_export_gives_ids_back_to_its_owner_alone(world: World) -> None:
    bob = world.by_hand(world.bob)
    saved = world.save(bob, "likes green tea").item
    content = export(world, bob, Scope.PERSONAL)
    wipe(world, world.bob, Scope.PERSONAL)
    bring_in(world, world.by_hand(world.alice), content)
    [item] = items_of(world, world.alice, Scope.PERSONAL)
    assert (item.owner, item.id != saved.id) == (world.alice, True)
    bring_in(world, bob, content)
    assert [item.id for item in items_of(world, world.bob, Scope.PERSONAL)] == [saved.id]


def test_an_own_export_sent_to_the_other_scope_gives_new_items(world: World) -> None:
    bob = world.by_hand(world.bob)
    world.save(bob, "likes green tea")
    imported = bring_in(world, bob, export(world, bob, Scope.PERSONAL), scope=Scope.ORGANIZATION)
    assert (imported.restores, imported.status, imported.new) == (False, Status.PENDING, 1)


def test_a_text_from_elsewhere_becomes_an_active_personal_item_of_the_importer(world: World) -> None:
    import_items(world.deps, world.by_hand(world.carol), world.workspace, texts("likes black tea"))
    [item] = items_of(world, world.carol, Scope.PERSONAL)
    assert (item.status, item.author, item.source) == (Status.ACTIVE, world.carol, "import")


def test_company_texts_from_elsewhere_wait_for_approval(world: World) -> None:
    bob = world.by_hand(world.bob)
    import_items(world.deps, bob, world.workspace, texts("opens at eight"), scope=Scope.ORGANIZATION)
    [item] = items_of(world, world.bob, Scope.ORGANIZATION)
    assert (item.status, item.approver) == (Status.PENDING, None)


def test_a_curator_may_approve_company_texts_at_once(world: World) -> None:
    bob = world.by_hand(world.bob)
    import_items(
        world.deps, bob, world.workspace, texts("opens at eight"), scope=Scope.ORGANIZATION, approve=True
    )
    [item] = items_of(world, world.bob, Scope.ORGANIZATION)
    assert (item.status, item.approver) == (Status.ACTIVE, world.bob)


def test_a_viewer_imports_no_company_memory(world: World) -> None:
    carol = world.by_hand(world.carol)
    with pytest.raises(Forbidden):
        import_items(world.deps, carol, world.workspace, texts("opens at eight"), scope=Scope.ORGANIZATION)


def test_a_viewer_does_not_bring_company_memory_back(world: World) -> None:
    company_memory(world)
    content = export(world, world.by_hand(world.alice), Scope.ORGANIZATION)
    with pytest.raises(Forbidden):
        bring_in(world, world.by_hand(world.carol), content)


@pytest.mark.parametrize("name", ["bob", "carol"])
def test_only_an_admin_exports_company_memory(world: World, name: str) -> None:
    actor = world.by_hand(getattr(world, name))
    with pytest.raises(Forbidden, match="admin"):
        outline_export(world.deps, actor, world.workspace, Scope.ORGANIZATION)


def test_an_admin_with_a_token_below_contribute_exports_no_company_memory(world: World) -> None:
    actor = world.by_hand(world.alice, max_level=AccessLevel.PERSONAL)
    with pytest.raises(LevelTooLow):
        outline_export(world.deps, actor, world.workspace, Scope.ORGANIZATION)


def test_neither_export_nor_import_is_open_to_an_ai_client(world: World) -> None:
    client = world.client(world.alice)
    with pytest.raises(Forbidden, match="by hand"):
        outline_export(world.deps, client, world.workspace, Scope.PERSONAL)
    with pytest.raises(Forbidden, match="by hand"):
        import_items(world.deps, client, world.workspace, texts("likes tea"))


def test_a_stranger_finds_no_workspace_to_export(world: World) -> None:
    with pytest.raises(NotFound):
        outline_export(world.deps, world.by_hand(world.mallory), world.workspace, Scope.PERSONAL)


def test_nobodys_personal_items_are_in_another_export(world: World) -> None:
    world.save(world.by_hand(world.bob), "bob keeps a secret recipe")
    world.company_item("The office closes at six")
    alice = world.by_hand(world.alice)
    everything = export(world, alice, Scope.ORGANIZATION) + export(world, alice, Scope.PERSONAL)
    assert b"secret recipe" not in everything
    assert b"closes at six" in everything


def test_a_block_of_anothers_export_is_not_read_out(world: World) -> None:
    bob = world.by_hand(world.bob)
    world.save(bob, "bob keeps a recipe")
    [block] = outline_export(world.deps, bob, world.workspace, Scope.PERSONAL).blocks
    alice = world.by_hand(world.alice)
    assert export_page(world.deps, alice, world.workspace, Scope.PERSONAL, block) is None


def test_a_block_that_changed_since_the_outline_is_not_given(world: World) -> None:
    bob = world.by_hand(world.bob)
    saved = world.save(bob, "likes green tea").item
    [block] = outline_export(world.deps, bob, world.workspace, Scope.PERSONAL).blocks
    edit_item(world.deps, bob, world.workspace, saved.id, Change(content="likes tea"), shown=saved.version)
    assert export_page(world.deps, bob, world.workspace, Scope.PERSONAL, block) is None


def test_an_export_shows_one_moment_although_memory_changes_meanwhile(world: World) -> None:
    bob = world.by_hand(world.bob)
    saved = world.save(bob, "likes green tea").item
    changes = iter(["likes black tea"])

    def run_and_disturb(use_case: object, /, *args: object, **kwargs: object) -> object:
        if use_case is export_page:
            for text in changes:
                change = Change(content=text)
                edit_item(world.deps, bob, world.workspace, saved.id, change, shown=saved.version)
        return use_case(world.deps, *args, **kwargs)  # pyright: ignore[reportCallIssue, reportUnknownVariableType]

    parts: list[bytes] = []
    write_export(run_and_disturb, bob, world.workspace, Scope.PERSONAL, parts.append)  # pyright: ignore[reportArgumentType]  a test's runner
    assert b"".join(parts) == export(world, bob, Scope.PERSONAL)
    assert b"black" in b"".join(parts)


def test_an_empty_memory_is_exported_and_comes_back(world: World) -> None:
    bob = world.by_hand(world.bob)
    content = export(world, bob, Scope.PERSONAL)
    assert content.count(b"\n") == 2
    assert parse("workspace-memory", [(NAME, content)]).batches() == ()


def test_a_markdown_export_shows_texts_people_and_states(world: World) -> None:
    company_memory(world)
    parts: list[bytes] = []
    runner = functools.partial(run, world.deps)
    alice = world.by_hand(world.alice)
    count = write_export(
        runner, alice, world.workspace, Scope.ORGANIZATION, parts.append, form=ExportForm.MARKDOWN
    )
    text = b"".join(parts).decode()
    assert count == 3
    assert "> The kitchen closes at eight" in text
    assert "- Author: bob" in text
    assert "- Status: pending" in text


@pytest.mark.requirement("field:case-28")
def test_a_dry_run_counts_what_an_import_then_does(world: World) -> None:
    bob = world.by_hand(world.bob)
    world.save(bob, "likes green tea")
    batch = texts("LIKES green  tea", "likes coffee", "Likes Coffee", "x" * 2_001, "likes water")
    planned = plan_import(world.deps, bob, world.workspace, batch)
    assert len(items_of(world, world.bob, Scope.PERSONAL)) == 1
    assert import_items(world.deps, bob, world.workspace, batch) == planned
    assert (planned.new, planned.already_there, len(planned.problems)) == (2, 2, 1)


def test_a_problem_names_place_and_reason_and_not_the_text(world: World) -> None:
    batch = texts("fine", "secret " * 300)
    planned = plan_import(world.deps, world.by_hand(world.bob), world.workspace, batch)
    [problem] = planned.problems
    assert problem.where == "line 2"
    assert "2,100 characters" in problem.reason
    assert "secret" not in problem.reason


def fill(world: World, count: int) -> None:
    """Personal items of bob, without their place in the search index, which costs most of the time."""
    bob = world.by_hand(world.bob)
    pattern = world.save(bob, "number 0").item
    with world.deps.database.begin() as tx:
        for number in range(1, count):
            item = replace(pattern, id=ItemId(world.deps.new_id()), content=f"number {number}")
            tx.items.add(item, changed_by=world.bob)


def test_what_exceeds_the_limit_is_counted_and_left_out(world: World) -> None:
    fill(world, 998)
    bob = world.by_hand(world.bob)
    batch = texts("one more", "and another", "too many")
    planned = plan_import(world.deps, bob, world.workspace, batch)
    imported = import_items(world.deps, bob, world.workspace, batch)
    assert (planned.new, planned.over_quota) == (imported.new, imported.over_quota) == (2, 1)


def test_a_dry_run_of_several_batches_adds_up_against_the_limit(world: World) -> None:
    fill(world, 998)
    bob = world.by_hand(world.bob)
    first = plan_import(world.deps, bob, world.workspace, texts("one more"))
    second = plan_import(world.deps, bob, world.workspace, texts("another", "too many"), planned=first.new)
    assert (second.new, second.over_quota) == (1, 1)


def test_imports_at_the_same_time_never_exceed_the_limit(world: World) -> None:
    fill(world, 990)
    bob = world.by_hand(world.bob)
    results: list[Imported] = []

    def bring(number: int) -> None:
        batch = texts(*(f"import {number}, text {n}" for n in range(8)))
        results.append(run(world.deps, import_items, bob, world.workspace, batch))

    threads = [threading.Thread(target=bring, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sum(result.new for result in results) == 10
    assert sum(result.over_quota for result in results) == 22


def test_items_of_one_import_stand_in_the_order_of_the_file_with_their_first_version(world: World) -> None:
    bob = world.by_hand(world.bob)
    contents = [f"text number {number}" for number in range(30)]
    import_items(world.deps, bob, world.workspace, texts(*contents))
    items = items_of(world, world.bob, Scope.PERSONAL)
    assert [item.content for item in sorted(items, key=lambda item: item.id)] == contents
    for item in items:
        [version] = item_history(world.deps, bob, world.workspace, item.id)
        assert (version.content, version.changed_at) == (item.content, item.created_at)
    found = find_items(world.deps, bob, world.workspace, Query(text="number 17", limit=1))
    assert found.found[0].item.content == "text number 17"


def test_of_a_batch_that_fails_nothing_is_kept_and_a_repetition_brings_in_the_rest(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = world.by_hand(world.bob)
    batches = [texts(*(f"batch {batch}, text {n}" for n in range(20))) for batch in range(3)]
    import_items(world.deps, bob, world.workspace, batches[0])
    with monkeypatch.context() as broken:
        broken.setattr(importer, "index_new_items", interrupted)
        with pytest.raises(KeyboardInterrupt):
            import_items(world.deps, bob, world.workspace, batches[1])
    assert len(items_of(world, world.bob, Scope.PERSONAL)) == 20
    again = [import_items(world.deps, bob, world.workspace, batch) for batch in batches]
    assert [(done.new, done.already_there) for done in again] == [(0, 20), (20, 0), (20, 0)]


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_text_that_a_dry_run_let_pass_is_looked_at_once_for_the_one_who_tried_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[str] = []

    def counting(deps: Deps, content: str, tags: Sequence[str] = ()) -> Held | None:
        looked_at.append(content)
        return screen(deps, content, tags)

    monkeypatch.setattr(importer, "screen", counting)
    bob, carol = world.by_hand(world.bob), world.by_hand(world.carol)
    secret = "the password is hunter2-Zk81qPw"
    batch = texts("likes green tea", secret)
    plan_import(world.deps, bob, world.workspace, batch)
    imported = import_items(world.deps, bob, world.workspace, batch)
    assert looked_at == ["likes green tea", secret, secret]
    assert (imported.new, len(imported.problems)) == (1, 1)
    for actor in (carol, bob):
        import_items(world.deps, actor, world.workspace, batch)
    assert looked_at[3:] == ["likes green tea", secret] * 2


def test_a_batch_has_at_most_500_records(world: World) -> None:
    batch = texts(*(f"number {n}" for n in range(501)))
    with pytest.raises(InvalidRequest, match="at most 500"):
        import_items(world.deps, world.by_hand(world.bob), world.workspace, batch)


def test_a_token_for_reading_imports_nothing(world: World) -> None:
    actor = world.by_hand(world.bob, max_level=AccessLevel.READ)
    with pytest.raises(LevelTooLow):
        import_items(world.deps, actor, world.workspace, texts("likes tea"))
