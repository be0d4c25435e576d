"""The cast and the stores of the tests: alice (admin), bob (editor), carol (viewer), mallory (another workspace).

`world` runs each test against every store: a SQLite file and PostgreSQL. WORKSPACE_MEMORY_TEST_POSTGRESQL_URL names
a PostgreSQL of your own; without it one is started from its wheel.
"""

import gc
import itertools
import logging
import os
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import hypothesis
import psycopg
import pytest
from psycopg import sql
from sqlalchemy import delete, insert, make_url, update
from tests.kept import KeptPostgresql, Rows, rows_of, share_compiled_statements, share_routes, write_rows

from workspace_memory.crypto import passwords
from workspace_memory.crypto.key_sessions import RamKeyStore
from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.actor import Actor, Channel
from workspace_memory.domain.ids import ServerId, UserId, WorkspaceId
from workspace_memory.domain.item import Draft, Kind, MemoryItem, Scope, Status, WriteMode, draft
from workspace_memory.services.accounts import add_workspace
from workspace_memory.services.deps import Deps, new_uuid7
from workspace_memory.services.members import change_member
from workspace_memory.services.saving import Saved, save_item
from workspace_memory.storage.database import Database, open_postgresql, open_sqlite
from workspace_memory.storage.migrating import migrate
from workspace_memory.storage.sqlite import SqliteDialect
from workspace_memory.storage.tables import memory_items, workspace_settings

_PRODUCT_VARIABLES = [name for name in os.environ if name.startswith("WORKSPACE_MEMORY_")]
POSTGRESQL_URL = os.environ.get("WORKSPACE_MEMORY_TEST_POSTGRESQL_URL", "")
for _name in _PRODUCT_VARIABLES:
    del os.environ[_name]

# The tests of many writers must not depend on how busy the machine is.
PATIENCE_SECONDS = 60.0

_numbers = itertools.count(1)
# What is imported and collected stays until the end: looking through it again and again finds nothing.
gc.disable()
share_compiled_statements()
share_routes()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A run in the background ignores Ctrl-C, and so would every program that a test starts and then interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)


# A change is judged by the same examples each time, not by the luck of a draw or the pace of a machine. An exhaustive
# run draws new ones, and what one of them finds becomes an @example.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None)
hypothesis.settings.register_profile("drawn", deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    """Choose where the examples of properties come from."""
    drawn = config.getoption("--exhaustive") or config.getoption("--hypothesis-seed") is not None
    hypothesis.settings.load_profile("drawn" if drawn else "steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run be told to walk everything instead of a seeded selection."""
    parser.addoption("--exhaustive", action="store_true", help="walk the whole matrices and simulations")
    parser.addoption("--shots-language", default="en", help="the language of the pictures of the pages")


def pytest_collection_finish() -> None:
    """Look for garbage again, among what tests make."""
    gc.freeze()
    gc.enable()


class MovableClock:
    """A clock that stands until a test moves it."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time

    def move(self, by: timedelta) -> None:
        self.time += by


@dataclass
class World:
    """One workspace with its cast, another workspace with mallory, and short ways to act."""

    deps: Deps
    clock: MovableClock
    workspace: WorkspaceId
    server: ServerId
    alice: UserId
    bob: UserId
    carol: UserId
    mallory: UserId
    other_workspace: WorkspaceId
    other_server: ServerId
    people: dict[UserId, str] = field(default_factory=dict[UserId, str])

    def by_hand(self, user: UserId, *, max_level: AccessLevel = AccessLevel.CONTRIBUTE) -> Actor:
        """The user in person, with a session."""
        return Actor(user, Channel.PERSON, "session", max_level=max_level)

    def client(self, user: UserId, *, max_level: AccessLevel = AccessLevel.CONTRIBUTE) -> Actor:
        """The user's AI client, with a token of the user's workspace."""
        workspace = self.other_workspace if user == self.mallory else self.workspace
        return Actor(user, Channel.CLIENT, "Test client", workspace=workspace, max_level=max_level)

    def set_level(self, user: UserId, level: AccessLevel) -> None:
        """Set a member's access level as an admin would."""
        change_member(self.deps, self.by_hand(self.alice), self.workspace, user, memory_access=level)

    def configure(
        self,
        *,
        default_access: AccessLevel = AccessLevel.PERSONAL,
        write_mode: WriteMode = WriteMode.APPROVAL,
    ) -> None:
        """Write the settings of the workspace, past every service."""
        with self.deps.database.begin() as tx:
            values = {"default_access": default_access.value, "write_mode": write_mode.value}
            of_workspace = workspace_settings.c.workspace_id == self.workspace
            tx.connection.execute(delete(workspace_settings).where(of_workspace))
            tx.connection.execute(insert(workspace_settings).values(workspace_id=self.workspace, **values))

    def set_status(self, item: MemoryItem, status: Status) -> None:
        """Write an item's status, past every service."""
        with self.deps.database.begin() as tx:
            of_item = memory_items.c.id == item.id
            tx.connection.execute(update(memory_items).where(of_item).values(status=status.value))

    def save(self, actor: Actor, content: str = "likes green tea", **changes: object) -> Saved:
        """Save a text in the actor's workspace."""
        workspace = self.other_workspace if actor.user == self.mallory else self.workspace
        return save_item(self.deps, actor, workspace, a_draft(content, **changes))

    def company_item(self, content: str = "The office closes at six") -> Saved:
        """An active company item, added by hand by bob."""
        return self.save(self.by_hand(self.bob), content, scope=Scope.ORGANIZATION)


def a_draft(content: str = "likes green tea", **changes: object) -> Draft:
    """A valid draft with some fields changed."""
    return replace(draft(content, kind=Kind.NOTE), **changes)  # pyright: ignore[reportArgumentType]  a test's shorthand


def make_world(database: Database, *, cast: str = "") -> World:
    """Fill a migrated database with the cast; `cast` tells its e-mail addresses from those of another one there."""
    clock = MovableClock()
    deps = Deps(database, clock=clock, key_store=RamKeyStore(clock.now))
    with database.begin() as tx:
        users: dict[str, UserId] = {}
        for name in ("alice", "bob", "carol", "mallory"):
            users[name] = UserId(new_uuid7())
            tx.accounts.add(
                user=users[name],
                email=f"{name}{cast}@example.com",
                name=name,
                password_hash=None,
                at=clock.now(),
            )
        workspace, server = add_workspace(deps, tx, name="Tea shop", admin=users["alice"])
        tx.members.add(workspace=workspace, user=users["bob"], role=Role.EDITOR, at=clock.now())
        tx.members.add(workspace=workspace, user=users["carol"], role=Role.VIEWER, at=clock.now())
        other_workspace, other_server = add_workspace(deps, tx, name="Rivals", admin=users["mallory"])
    return World(
        deps=deps,
        clock=clock,
        workspace=workspace,
        server=server,
        other_workspace=other_workspace,
        other_server=other_server,
        people={user: name for name, user in users.items()},
        **users,
    )


@pytest.fixture(autouse=True)
def _loggers_as_they_were() -> None:
    """What ran before in this process may have set the level of the product's loggers, or silenced them."""
    logging.getLogger("workspace_memory").setLevel(logging.NOTSET)
    for logger in logging.Logger.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.disabled = False


def make_passwords_cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let passwords be hashed by Argon2id with the least work in this process. Nothing for tests of that work."""
    monkeypatch.setattr(passwords, "_MEMORY_KIB", 64)
    monkeypatch.setattr(passwords, "_PASSES", 1)
    monkeypatch.setattr(passwords, "_nobody", [])


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are named by their argument: keys that are random would give each worker other names of tests."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """A PostgreSQL server for the whole run."""
    if POSTGRESQL_URL:
        yield POSTGRESQL_URL
        return
    # Here, since it is needed only where no server was named.
    from pgserver import get_server  # noqa: PLC0415  # pyright: ignore[reportPrivateImportUsage]

    # A short path, since the server's socket lives in it.
    with tempfile.TemporaryDirectory(prefix="wm-pg-") as folder:
        server = get_server(folder)
        with psycopg.connect(server.get_uri(), autocommit=True) as admin:
            # What is lost in a power cut here is nothing that anybody needs.
            for setting in ("fsync", "full_page_writes"):
                admin.execute(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
            admin.execute("SELECT pg_reload_conf()")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@pytest.fixture
def postgresql_database_url(postgresql_url: str) -> Iterator[str]:
    """A fresh, empty database on the server."""
    name = f"wm_test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(postgresql_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield with_database(postgresql_url, name)
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def with_database(url: str, name: str) -> str:
    """The same server's URL with another database."""
    return make_url(url).set(database=name).render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that was migrated once, to be copied: migrating takes a second."""
    path = tmp_path_factory.mktemp("migrated") / "memory.db"
    opened = open_sqlite(path)
    migrate(opened)
    opened.close()
    return path


@pytest.fixture(scope="session")
def kept_postgresql(postgresql_url: str) -> Iterator[KeptPostgresql]:
    """A PostgreSQL database that was migrated once, to be emptied: making one takes half a second."""
    name = f"wm_emptied_{os.getpid()}"
    with psycopg.connect(postgresql_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            url = with_database(postgresql_url, name)
            opened = open_postgresql(url)
            migrate(opened)
            opened.close()
            kept = KeptPostgresql(url, wait_seconds=PATIENCE_SECONDS)
            yield kept
            kept.close()
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def emptied_postgresql(kept_postgresql: KeptPostgresql) -> KeptPostgresql:
    """A migrated database without a row."""
    kept_postgresql.empty()
    return kept_postgresql


@pytest.fixture
def migrated_postgresql_url(emptied_postgresql: KeptPostgresql) -> str:
    """Its address."""
    return emptied_postgresql.url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Database]:
    """An empty, migrated database of each kind."""
    if request.param == "postgresql":
        # Its connections stay for the next test.
        yield Database(request.getfixturevalue("emptied_postgresql").dialect)
        return
    shutil.copyfile(request.getfixturevalue("migrated_file"), tmp_path / "memory.db")
    opened = Database(SqliteDialect(tmp_path / "memory.db", wait_seconds=PATIENCE_SECONDS))
    try:
        yield opened
    finally:
        opened.close()


@pytest.fixture(scope="session")
def kept_cast(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Rows]:
    """The cast as it is before every test, and its rows: the services need ten times as long as writing these."""
    path = tmp_path_factory.mktemp("cast") / "memory.db"
    shutil.copyfile(migrated_file, path)
    opened = open_sqlite(path)
    try:
        made = make_world(opened)
        return made, rows_of(opened)
    finally:
        opened.close()


@pytest.fixture
def world(database: Database, kept_cast: tuple[World, Rows]) -> World:
    """The cast in a fresh database of each kind."""
    made, rows = kept_cast
    write_rows(database, rows)
    clock = MovableClock()
    deps = Deps(database, clock=clock, key_store=RamKeyStore(clock.now))
    return replace(made, deps=deps, clock=clock, people=dict(made.people))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the lines that tests recorded as `summary`, added up: `(what, {name: number})`."""
    sums: dict[str, Counter[str]] = {}
    for report in terminalreporter.stats.get("passed", []) + terminalreporter.stats.get("failed", []):
        for what, numbers in (value for name, value in report.user_properties if name == "summary"):
            sums.setdefault(what, Counter()).update(numbers)
    for what, numbers in sorted(sums.items()):
        terminalreporter.write_line(
            f"{what}: " + ", ".join(f"{value:g} {name}" for name, value in numbers.items())
        )
