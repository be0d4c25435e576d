"""The cast with a key, AI on and a document, in a database that is put back to a kept state within milliseconds."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import psycopg
from psycopg import sql
from tests.conftest import World, make_world
from tests.contract.keyed import Keyed
from tests.contract.memory_stage import Stage
from tests.simulation.interleavings import Client, Conductor, Played, SteppedDatabase, SteppedKeyStore, Stop

from workspace_memory.crypto.key_sessions import HeldKey
from workspace_memory.storage.dialect import Dialect
from workspace_memory.storage.metadata import metadata
from workspace_memory.storage.sqlite import SqliteDialect

TABLES = [table.name for table in metadata.sorted_tables]


@dataclass(frozen=True)
class Kept:
    """What is not in the database of a kept state."""

    time: datetime
    held: Mapping[str, tuple[HeldKey, int, datetime]] = field(repr=False)


class Arena:
    """One database. `keep` and `put_back` are by name; a name is kept until it is kept anew."""

    def __init__(self, dialect: Dialect, folder: Path) -> None:
        self.dialect = dialect
        self.conductor = Conductor(dialect)
        self._folder = folder
        self._kept: dict[str, Kept] = {}
        world = make_world(SteppedDatabase(dialect, self.conductor))
        self._clock = world.clock
        self._key_store = SteppedKeyStore(world.clock, self.conductor)
        self.world: World = replace(world, deps=replace(world.deps, key_store=self._key_store))
        self.stage = self._set_up()
        self.keep("beginning")

    def _set_up(self) -> Stage:
        """A workspace key that alice and bob hold, AI on, and open key sessions."""
        keyed = Keyed(self.world)
        keyed.set_up(self.world.alice, self.world.bob)
        keyed.start(self.world.alice)
        keyed.grant(self.world.alice, self.world.bob)
        self.keyed = keyed
        stage = Stage(self.world, keyed.key)
        stage.set_ai(True)
        for user in (self.world.alice, self.world.bob, self.world.carol):
            stage.open_session(user)
        return stage

    def beginning(self) -> Stage:
        """The stage as it was set up: no document yet, mode read_only."""
        self.put_back("beginning")
        return replace(self.stage, tokens=dict(self.stage.tokens), sessions=dict(self.stage.sessions))

    def play(self, clients: Sequence[Client], stops: Sequence[Stop] = ()) -> Played:
        """Put the state of the case back, and run its clients."""
        self.put_back("case")
        return self.conductor.play(self.world.deps, clients, stops)

    def keep(self, name: str) -> None:
        """Remember the present state under a name."""
        self._kept[name] = Kept(self._clock.time, dict(self._key_store.kept))
        if isinstance(self.dialect, SqliteDialect):
            self._copy(self.dialect.path, self._folder / f"{name}.db")
            return
        admin, schema = self._admin(), sql.Identifier(name)
        admin.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(schema))
        admin.execute(sql.SQL("CREATE SCHEMA {}").format(schema))
        for table in TABLES:
            admin.execute(
                sql.SQL("CREATE TABLE {} AS TABLE {}").format(
                    sql.Identifier(name, table), sql.Identifier("public", table)
                )
            )

    def put_back(self, name: str) -> None:
        """Be in a kept state again."""
        kept = self._kept[name]
        self._clock.time = kept.time
        self._key_store.put_back(kept.held)
        if isinstance(self.dialect, SqliteDialect):
            self._copy(self._folder / f"{name}.db", self.dialect.path)
            return
        # Without triggers: neither the order of foreign keys nor an append-only log is in the way.
        statements: list[sql.Composable] = [sql.SQL("BEGIN; SET LOCAL session_replication_role = replica")]
        for table in TABLES:
            kept_table, present = sql.Identifier(name, table), sql.Identifier("public", table)
            statements.append(sql.SQL("DELETE FROM {}").format(present))
            statements.append(sql.SQL("INSERT INTO {} SELECT * FROM {}").format(present, kept_table))
        statements.append(sql.SQL("COMMIT"))
        self._admin().execute(sql.SQL("; ").join(statements))

    def close(self) -> None:
        """Close every connection."""
        self.conductor.close()
        self.dialect.writer.dispose()
        self.dialect.reader.dispose()

    def _admin(self) -> psycopg.Connection:
        watcher = self.conductor.watcher
        assert watcher is not None
        return watcher

    @staticmethod
    def _copy(source: Path, target: Path) -> None:
        here, there = sqlite3.connect(source), sqlite3.connect(target)
        try:
            there.execute("PRAGMA synchronous=OFF")
            here.backup(there)
        finally:
            here.close()
            there.close()
