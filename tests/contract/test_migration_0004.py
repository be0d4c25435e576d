"""Migration 0004 on a database with keys of the release before: all are there still, and a key may be begun anew."""

from collections.abc import Generator
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError
from tests.contract.older import upgrade_to

from workspace_memory.domain.ids import Epoch, UserId, WorkspaceId
from workspace_memory.services.deps import new_uuid7
from workspace_memory.storage.database import Database, open_postgresql, open_sqlite
from workspace_memory.storage.migrating import migrate

WORKSPACE, ALICE = WorkspaceId(new_uuid7()), UserId(new_uuid7())
AT = "2026-01-02 03:04:05.000000"
FILL = (
    "INSERT INTO users (id, email, email_key, name, status, created_at)"
    " VALUES (:alice, 'a@example.com', 'a@example.com', 'alice', 'active', :at)",
    "INSERT INTO workspaces (id, name, created_at) VALUES (:workspace, 'Tea shop', :at)",
    "INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (:workspace, :alice, 'admin', :at)",
    "INSERT INTO workspace_key_epochs (workspace_id, epoch, maker_id, check_value, check_signature, older_sealed,"
    " rotation_due, created_at) VALUES (:workspace, 1, :alice, :bytes, :bytes, NULL, false, :at),"
    " (:workspace, 2, :alice, :bytes, :bytes, :bytes, true, :at)",
    "INSERT INTO key_grants (workspace_id, epoch, member_id, granter_id, member_public, sealed, signature,"
    " granter_public, created_at) VALUES (:workspace, 1, :alice, :alice, :bytes, :bytes, :bytes, :bytes, :at),"
    " (:workspace, 2, :alice, :alice, :bytes, :bytes, :bytes, :bytes, :at)",
)
BEGIN = (
    "INSERT INTO workspace_key_epochs (workspace_id, epoch, maker_id, check_value, check_signature, older_sealed,"
    " rotation_due, created_at) SELECT workspace_id, {epoch}, maker_id, check_value, check_signature, {older},"
    " rotation_due, created_at FROM workspace_key_epochs WHERE epoch = 2"
)


@pytest.fixture(params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Database]:
    """A database as the release before has left it, brought to the newest schema."""
    if request.param == "sqlite":
        database = open_sqlite(tmp_path / "old.db")
    else:
        database = open_postgresql(request.getfixturevalue("postgresql_database_url"))
    with database.dialect.writing(), database.dialect.writer.begin() as connection:
        fill(connection)
    migrate(database)
    yield database
    database.close()


def fill(connection: Connection) -> None:
    upgrade_to(connection, "0003")
    facts = {"workspace": WORKSPACE, "alice": ALICE, "bytes": bytes(range(60))}
    for statement in FILL:
        known = {name: value for name, value in facts.items() if f":{name}" in statement}
        connection.execute(text(statement.replace(":at", f"'{AT}'")), known)


def test_epochs_and_grants_are_there_as_before(filled: Database) -> None:
    with filled.read() as tx:
        newest, first = tx.workspace_keys.epochs(WORKSPACE)
        grants = [tx.workspace_keys.grant(WORKSPACE, Epoch(epoch), ALICE) for epoch in (1, 2)]
    assert (newest.epoch, newest.older_sealed, newest.rotation_due) == (2, bytes(range(60)), True)
    assert (first.epoch, first.older_sealed, first.rotation_due) == (1, None, False)
    assert [None if each is None else each.sealed for each in grants] == [bytes(range(60))] * 2


def test_nothing_is_left_of_the_way(filled: Database) -> None:
    with filled.read() as tx:
        names = inspect(tx.connection).get_table_names()
    assert [name for name in names if name.startswith("kept")] == []


def test_a_later_epoch_may_keep_no_older_key_and_the_first_none(filled: Database) -> None:
    with filled.begin() as tx:
        tx.connection.exec_driver_sql(BEGIN.format(epoch=3, older="NULL"))
    for statement in (
        BEGIN.format(epoch=0, older="NULL"),
        "UPDATE workspace_key_epochs SET older_sealed = check_value WHERE epoch = 1",
    ):
        with pytest.raises(DBAPIError), filled.begin() as tx:
            tx.connection.exec_driver_sql(statement)


def test_grants_go_with_their_epochs_and_members_still(filled: Database) -> None:
    with filled.begin() as tx:
        tx.connection.exec_driver_sql("DELETE FROM workspace_key_epochs WHERE epoch = 1")
        assert tx.workspace_keys.grant(WORKSPACE, Epoch(1), ALICE) is None
        tx.connection.exec_driver_sql("DELETE FROM members")
        assert tx.workspace_keys.grant(WORKSPACE, Epoch(2), ALICE) is None
