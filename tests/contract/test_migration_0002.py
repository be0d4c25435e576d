"""Migration 0002 on a database that was filled under 0001: nothing is lost, and the triggers still refuse."""

from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from tests.contract.older import upgrade_to

from workspace_memory.domain.actor import Actor, Channel
from workspace_memory.domain.audit import Verified
from workspace_memory.domain.ids import ItemId, UserId, WorkspaceId
from workspace_memory.domain.item import Status
from workspace_memory.services.audit import verify_audit_here
from workspace_memory.services.deps import Deps, new_uuid7
from workspace_memory.services.erasing import erase_personal
from workspace_memory.services.items import get_item, item_history
from workspace_memory.services.reviewing import Decision, approve_item, review_queue
from workspace_memory.storage.database import Database, open_postgresql, open_sqlite
from workspace_memory.storage.migrating import migrate

WORKSPACE, ALICE, OWN, PROPOSAL = (new_uuid7() for _ in range(4))
MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
FILL = (
    "INSERT INTO users (id, email, email_key, name, status, created_at)"
    " VALUES (:alice, 'a@example.com', 'a@example.com', 'alice', 'active', :at)",
    "INSERT INTO workspaces (id, name, created_at) VALUES (:workspace, 'Tea shop', :at)",
    "INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (:workspace, :alice, 'admin', :at)",
    "INSERT INTO memory_items (workspace_id, id, scope, owner_id, kind, content, content_key, tags, tag_keys,"
    " status, source, author_id, created_at, updated_at, version) VALUES"
    " (:workspace, :own, 'personal', :alice, 'note', 'own text', :key, '[]', '', 'active', 'Cursor', :alice,"
    " :at, :at, 1), (:workspace, :proposal, 'organization', NULL, 'note', 'proposal text', :key, '[]', '',"
    " 'pending', 'Cursor', :alice, :at, :at, 1)",
    "INSERT INTO memory_item_history (workspace_id, item_id, version, content, kind, tags, source, changed_by,"
    " changed_at) VALUES (:workspace, :own, 1, 'own text', 'note', '[]', 'Cursor', :alice, :at),"
    " (:workspace, :proposal, 1, 'proposal text', 'note', '[]', 'Cursor', :alice, :at)",
)


@pytest.fixture(params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Database]:
    """A database as the release before has left it."""
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
    upgrade_to(connection, "0001")
    at = MOMENT.replace(tzinfo=None).isoformat(" ") if connection.dialect.name == "sqlite" else MOMENT
    if isinstance(at, str):
        at += ".000000"
    facts = {
        "workspace": WORKSPACE,
        "alice": ALICE,
        "own": OWN,
        "proposal": PROPOSAL,
        "key": bytes(32),
        "at": at,
    }
    for statement in FILL:
        names = [name for name in facts if f":{name}" in statement]
        connection.execute(text(statement), {name: facts[name] for name in names})


def by_hand() -> Actor:
    return Actor(UserId(ALICE), Channel.PERSON, "session")


def test_what_was_stored_is_there_as_before(filled: Database) -> None:
    deps = Deps(filled)
    item = get_item(deps, by_hand(), WorkspaceId(WORKSPACE), ItemId(OWN))
    assert (item.content, item.created_at, item.held, item.token) == ("own text", MOMENT, None, None)
    assert len(item_history(deps, by_hand(), WorkspaceId(WORKSPACE), ItemId(OWN))) == 1


def test_an_older_proposal_is_reviewed_like_a_new_one(filled: Database) -> None:
    deps, workspace = Deps(filled), WorkspaceId(WORKSPACE)
    [entry] = review_queue(deps, by_hand(), workspace).entries
    approved = approve_item(deps, by_hand(), workspace, Decision(entry.item.id, entry.item.version))
    assert approved.status is Status.ACTIVE
    assert isinstance(verify_audit_here(deps, workspace), Verified)


def test_an_older_personal_memory_is_erased(filled: Database) -> None:
    erased = erase_personal(Deps(filled), by_hand(), WorkspaceId(WORKSPACE), UserId(ALICE))
    assert erased.personal_items == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory_item_history SET content = 'other'",
        "DELETE FROM memory_item_history",
    ],
)
def test_history_is_still_append_only(filled: Database, statement: str) -> None:
    with pytest.raises(DBAPIError, match="append-only"), filled.begin() as tx:
        tx.connection.exec_driver_sql(statement)
