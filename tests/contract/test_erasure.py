"""What is deleted is gone: from every file of the SQLite folder, and from every row on PostgreSQL."""

import shutil
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import event, inspect
from tests.conftest import World, a_draft

from workspace_memory.domain.access import Role
from workspace_memory.domain.ids import ItemVersion
from workspace_memory.domain.item import MemoryItem, Scope
from workspace_memory.services.erasing import erase_personal
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.items import Change, delete_item, edit_item, forget_item, remove_item
from workspace_memory.services.members import remove_member
from workspace_memory.services.saving import save_item
from workspace_memory.services.workspaces import delete_workspace
from workspace_memory.storage.database import Database
from workspace_memory.storage.sqlite import SqliteDialect

# Words that stand in no schema, in parts too: the index holds beginnings, pairs and joined forms of words.
SECRET = "Quagga Xylophon Zwiebelkuchen 雾凇词库 Ωmegaβ-77421"
TRACES = [
    trace
    for word in (
        "quagga",
        "xylophon",
        "zwiebelkuchen",
        "雾凇",
        "词库",
        "ωmega",
        "77421",
        "quag",
        "xylo",
        "zwie",
    )
    for trace in {word, word.capitalize(), word.upper()}
]


def traces(world: World) -> set[str]:
    """Those of the traces that are still anywhere."""
    dialect = world.deps.database.dialect
    kept = files(dialect.path) if isinstance(dialect, SqliteDialect) else all_rows(world)
    return {trace for trace in TRACES if trace.encode() in kept}


def files(path: Path) -> bytes:
    """Every byte of the main file, its write-ahead log and its shared memory."""
    return b"\n".join(each.read_bytes() for each in sorted(path.parent.glob(f"{path.name}*")))


def all_rows(world: World) -> bytes:
    """Every value of every column of every table."""
    parts: list[bytes] = []
    with world.deps.database.read() as tx:
        for table in inspect(tx.connection).get_table_names():
            for row in tx.connection.exec_driver_sql(f'SELECT * FROM "{table}"'):  # noqa: S608
                parts += [value if isinstance(value, bytes) else str(value).encode() for value in row]
    return b"\n".join(parts)


@pytest.fixture
def secret(world: World) -> MemoryItem:
    """An item of bob's with the words in its text, its tags and its history, among items of others."""
    for number in range(40):
        world.save(world.client(world.carol), f"something else, number {number}")
    bob = world.by_hand(world.bob)
    item = world.save(bob, f"{SECRET} the first time", tags=("Quagga",)).item
    change = Change(f"{SECRET} the second time, " + "Xylophon " * 150)
    return edit_item(world.deps, bob, world.workspace, item.id, change, shown=ItemVersion(1))


def test_the_traces_are_there_before(world: World, secret: MemoryItem) -> None:
    assert {"Quagga", "quagga", "Xylophon", "xylophon", "雾凇", "77421"} <= traces(world)


def test_a_forgotten_item_leaves_no_trace(world: World, secret: MemoryItem) -> None:
    forget_item(world.deps, world.client(world.bob), world.workspace, secret.id)
    assert traces(world) == set()


def test_a_deleted_item_leaves_no_trace(world: World, secret: MemoryItem) -> None:
    delete_item(world.deps, world.by_hand(world.bob), world.workspace, secret.id)
    assert traces(world) == set()


def test_a_removed_member_leaves_no_trace(world: World, secret: MemoryItem) -> None:
    removed = remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob)
    assert (removed.personal_items, traces(world)) == (1, set())


def test_a_removed_member_leaves_no_hash_of_a_request(world: World) -> None:
    save_item(world.deps, world.client(world.bob), world.workspace, a_draft(), idempotency_key="k")
    remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob)
    with world.deps.database.read() as tx:
        assert tx.connection.exec_driver_sql("SELECT count(*) FROM idempotency_keys").scalar() == 0


def test_a_removed_members_memory_elsewhere_stays(world: World, secret: MemoryItem) -> None:
    with world.deps.database.begin() as tx:
        tx.members.add(
            workspace=world.other_workspace, user=world.bob, role=Role.VIEWER, at=world.clock.now()
        )
    elsewhere = save_item(world.deps, world.by_hand(world.bob), world.other_workspace, a_draft(SECRET))
    remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob)
    found = find_items(world.deps, world.by_hand(world.bob), world.other_workspace, Query("quagga")).found
    assert [f.item.id for f in found] == [elsewhere.item.id]


def test_a_removed_member_takes_nobody_elses_items_along(world: World, secret: MemoryItem) -> None:
    world.company_item("The office closes at six")
    remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob)
    for text, who in (("something", world.carol), ("office", world.alice)):
        assert find_items(world.deps, world.by_hand(who), world.workspace, Query(text)).found


def test_a_deleted_workspace_leaves_no_trace(world: World, secret: MemoryItem) -> None:
    world.company_item(SECRET)
    delete_workspace(world.deps, world.by_hand(world.alice), world.workspace, confirm_name="Tea shop")
    assert traces(world) == set()


def test_another_workspace_stays_whole(world: World, secret: MemoryItem) -> None:
    world.save(world.client(world.mallory), "sells coffee")
    delete_workspace(world.deps, world.by_hand(world.alice), world.workspace, confirm_name="Tea shop")
    found = find_items(world.deps, world.client(world.mallory), world.other_workspace, Query("coffee"))
    assert len(found.found) == 1


def test_the_words_of_an_old_version_leave_the_index(world: World, secret: MemoryItem) -> None:
    edit_item(
        world.deps,
        world.by_hand(world.bob),
        world.workspace,
        secret.id,
        Change("plain", tags=()),
        shown=ItemVersion(2),
    )
    with world.deps.database.read() as tx:
        for table in ("search_postings", "search_documents", "search_trigrams"):
            rows = tx.connection.exec_driver_sql(f"SELECT * FROM {table}").all()  # noqa: S608
            assert "quagga" not in repr(rows)


def test_among_many_items_each_forgotten_one_leaves_no_trace(world: World) -> None:
    """Rows move between pages as a table grows; what they leave behind must not outlive them."""
    bob = world.client(world.bob)
    items: list[MemoryItem] = []
    for number in range(60):
        world.save(world.client(world.carol), f"filler {number} " + "padding " * (number * 7 % 90))
        content = f"Quagga {number} Xylophon " + "Zwiebelkuchen " * (number * 13 % 60 + 1)
        items.append(world.save(bob, content, scope=Scope.PERSONAL).item)
    for item in items[::2] + items[1::2]:
        forget_item(world.deps, bob, world.workspace, item.id)
    assert traces(world) == set()


def test_a_reader_at_the_moment_of_the_deletion_keeps_no_trace(world: World, secret: MemoryItem) -> None:
    reading, done = threading.Event(), threading.Event()

    def read() -> None:
        with world.deps.database.read() as tx:
            tx.items.count(world.workspace)
            reading.set()
            done.wait(0.5)

    thread = threading.Thread(target=read)
    thread.start()
    reading.wait(10)
    forget_item(world.deps, world.client(world.bob), world.workspace, secret.id)
    done.set()
    thread.join(10)
    assert traces(world) == set()


def sqlite_of(world: World) -> SqliteDialect:
    dialect = world.deps.database.dialect
    if not isinstance(dialect, SqliteDialect):
        pytest.skip("the files are SQLite's")
    return dialect


def test_what_a_killed_process_deleted_last_is_forgotten_by_the_next(
    world: World, secret: MemoryItem, tmp_path: Path
) -> None:
    path = sqlite_of(world).path
    with world.deps.database.begin() as tx:
        remove_item(tx, world.workspace, secret.id)
    # The files as they lie there when the process is killed between the deletion and what follows it.
    (tmp_path / "next").mkdir()
    for each in path.parent.glob(f"{path.name}*"):
        shutil.copyfile(each, tmp_path / "next" / each.name)
    again = Database(SqliteDialect(tmp_path / "next" / path.name))
    assert b"quagga" in files(tmp_path / "next" / path.name)
    again.forget_owed()
    assert b"quagga" not in files(tmp_path / "next" / path.name)
    again.close()


def test_what_is_still_owed_at_the_end_is_done_then(world: World, secret: MemoryItem) -> None:
    dialect = sqlite_of(world)
    with world.deps.database.read() as tx:
        tx.items.count(world.workspace)
        dialect._wait_seconds = 0.05  # pyright: ignore[reportPrivateUsage]
        forget_item(world.deps, world.client(world.bob), world.workspace, secret.id)
        assert dialect.owes_forgetting
        assert "tries again" in world.deps.database.deletion_remains
    world.deps.database.close()
    assert b"quagga" not in files(dialect.path)


def test_a_deletion_is_done_also_where_the_files_cannot_be_written_anew(
    world: World, secret: MemoryItem
) -> None:
    dialect = sqlite_of(world)

    def make_read_only(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA query_only=ON")

    # When the deletion has given its connection back.
    event.listen(dialect.writer, "checkin", make_read_only)
    erased = erase_personal(world.deps, world.by_hand(world.alice), world.workspace, world.bob)
    assert erased.personal_items == 1
    assert erased.remains != ""
    with world.deps.database.read() as tx:
        assert tx.items.count_personal(world.workspace, world.bob) == 0
