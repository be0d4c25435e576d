"""Runs use cases against each other: one is stopped at a chosen point while others run, then goes on.

A point is before each statement, before each COMMIT, after each transaction, and before each use of the key store: all
that one use case can see of another happens between two points. Whoever is started while the other one stands still
runs to its end, or until it waits for a lock, which is looked up in the database and never guessed by a pause.
"""

import threading
import time
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import psycopg
from sqlalchemy import Connection, event

from workspace_memory.crypto.key_sessions import HeldKey, KeyStore, RamKeyStore
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.ids import UserId, WorkspaceId
from workspace_memory.services.deps import Clock, Deps
from workspace_memory.services.running import run
from workspace_memory.storage.database import Database, Transaction
from workspace_memory.storage.dialect import Dialect
from workspace_memory.storage.search_sql import Statement
from workspace_memory.storage.sqlite import SqliteDialect

BOUND_SECONDS = 60.0
_WRITES = ("INSERT", "UPDATE", "DELETE")


@dataclass(frozen=True)
class Move:
    """One use case, called as its client calls it. `before_commit` runs right before the COMMIT of a capture."""

    name: str
    call: Callable[[], object]
    before_commit: Callable[[], None] | None = None


Client = Sequence[Move]
"""One request after another, each whatever became of the one before."""


@dataclass(frozen=True)
class Stop:
    """Before its point number `at`, counted from 0, the first client stands still until this one has run."""

    at: int
    client: int


@dataclass(frozen=True)
class Unit:
    """A request: which one of which client."""

    client: int
    number: int


@dataclass(frozen=True)
class Played:
    """What became of the requests: the answer or the exception of each, and whose writes were committed, in order.

    `starts` are the points of the first client at which its requests begin, and `points` says of each that it passed
    what came next: the first words of a statement, `COMMIT`, `borrow`, or nothing in particular.
    """

    outcomes: Mapping[Unit, object]
    commits: Sequence[Unit]
    starts: Sequence[int]
    points: Sequence[str]


class _Player:
    """A client in a thread of its own."""

    def __init__(self, number: int, client: Client, deps: Deps, stops: Iterable[int] = ()) -> None:
        self.number = number
        self.client = client
        self.points: list[str] = []
        self.starts: list[int] = []
        self.at_rest = threading.Event()
        self.ended = threading.Event()
        self.outcomes: dict[Unit, object] = {}
        self.wrote = False
        self.fenced = False
        self._deps = deps
        self._stops = set(stops)
        self._go = threading.Event()

    @property
    def unit(self) -> Unit:
        return Unit(self.number, len(self.starts) - 1)

    @property
    def move(self) -> Move:
        return self.client[self.unit.number]

    def run(self) -> None:
        try:
            for move in self.client:
                self._ask(move)
        finally:
            self.ended.set()
            self.at_rest.set()

    def _ask(self, move: Move) -> None:
        self.starts.append(len(self.points))
        try:
            self.pass_point()
            self.outcomes[self.unit] = run(self._deps, lambda _deps: move.call())
        except Exception as error:
            self.outcomes[self.unit] = error

    def pass_point(self, what: str = "") -> None:
        number = len(self.points)
        self.points.append(what)
        if number in self._stops:
            self.at_rest.set()
            if not self._go.wait(BOUND_SECONDS):
                raise TimeoutError
            self._go.clear()

    def go_on(self) -> None:
        self.at_rest.clear()
        self._go.set()


# Not by the thread: a recall runs in a thread of its own, in the context of its caller.
_playing: ContextVar[_Player | None] = ContextVar("_playing", default=None)
_rows = Statement.rows


def _rows_after_a_point(self: Statement, connection: Connection, *values: Any) -> list[tuple[Any, ...]]:
    player = _playing.get()
    if player is not None:
        player.pass_point("a fixed SELECT")
    return _rows(self, connection, *values)


# What goes straight to the driver is no event of SQLAlchemy's.
Statement.rows = _rows_after_a_point


class Conductor:
    """The points of one database, and who of several threads stands at which."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._commits: list[Unit] = []
        self.watcher: psycopg.Connection | None = None
        if not isinstance(dialect, SqliteDialect):
            url = dialect.writer.url.set(drivername="postgresql").render_as_string(hide_password=False)
            self.watcher = psycopg.connect(url, autocommit=True)
        # On PostgreSQL the reader is the writer with other options, and shares its events.
        engines = {dialect.writer, dialect.reader} if self.watcher is None else {dialect.writer}
        for engine in engines:
            event.listen(engine, "before_cursor_execute", self._before_statement)
            event.listen(engine, "commit", self._before_commit)
            event.listen(engine, "rollback", self._after_rollback)

    def close(self) -> None:
        """Close what looks after the locks."""
        if self.watcher is not None:
            self.watcher.close()

    def point(self, what: str = "") -> None:
        """A point of whichever client this is called for; nothing where it is none."""
        player = _playing.get()
        if player is not None:
            player.pass_point(what)

    def play(self, deps: Deps, clients: Sequence[Client], stops: Sequence[Stop] = ()) -> Played:
        """Run the first client, at each of its stops another one, and those without a stop at the end."""
        self._commits = []
        first = _Player(0, clients[0], deps, {stop.at for stop in stops})
        players = {0: first}
        self._start(first)
        for at in sorted({stop.at for stop in stops}):
            self._wait_for(first, waiting=self._waiting())
            for stop in (stop for stop in stops if stop.at == at):
                waiting = self._waiting()
                players[stop.client] = _Player(stop.client, clients[stop.client], deps)
                self._start(players[stop.client])
                self._wait_for(players[stop.client], waiting=waiting)
            if not first.ended.is_set():
                first.go_on()
        self._join(players.values())
        for number, client in enumerate(clients):
            if number not in players:
                players[number] = _Player(number, client, deps)
                self._start(players[number])
                self._join([players[number]])
        outcomes = {unit: outcome for each in players.values() for unit, outcome in each.outcomes.items()}
        return Played(outcomes, tuple(self._commits), tuple(first.starts), tuple(first.points))

    def _start(self, player: _Player) -> None:
        def run_registered() -> None:
            _playing.set(player)
            player.run()

        thread = threading.Thread(target=run_registered, daemon=True)
        thread.start()

    def _wait_for(self, player: _Player, *, waiting: int) -> None:
        """Until the player has ended, stands at a stop, or stands in line for a lock behind those who `waiting`."""
        give_up_at = time.monotonic() + BOUND_SECONDS
        while not (player.at_rest.wait(0.003) or player.ended.is_set()):
            if self._waiting() > waiting:
                return
            if time.monotonic() > give_up_at:
                raise TimeoutError(player.client[0].name)

    @staticmethod
    def _join(players: Iterable[_Player]) -> None:
        for player in players:
            if not player.ended.wait(BOUND_SECONDS):
                raise TimeoutError(player.client[0].name)

    def _waiting(self) -> int:
        if isinstance(self._dialect, SqliteDialect):
            return self._dialect.writers_waiting
        assert self.watcher is not None
        row = self.watcher.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).fetchone()
        assert row is not None
        return row[0]

    def _before_statement(
        self, _connection: Connection, _cursor: object, statement: str, *_more: object
    ) -> None:
        player = _playing.get()
        if player is None:
            return
        player.pass_point(statement[:40])
        if statement.startswith(_WRITES):
            player.wrote = True
            player.fenced = player.fenced or "INTO memory_commit_fence" in statement

    def _before_commit(self, _connection: Connection) -> None:
        player = _playing.get()
        if player is None:
            return
        player.pass_point("COMMIT")
        if player.fenced and player.move.before_commit is not None:
            # Looked at through another connection, which sees what everybody else has committed by now.
            watching = _playing.set(None)
            try:
                player.move.before_commit()
            finally:
                _playing.reset(watching)
        if player.wrote:
            self._commits.append(player.unit)
        player.wrote = player.fenced = False

    def _after_rollback(self, _connection: Connection) -> None:
        player = _playing.get()
        if player is not None:
            player.wrote = player.fenced = False


class SteppedDatabase(Database):
    """The product's own database, with a point after each transaction."""

    def __init__(self, dialect: Dialect, conductor: Conductor) -> None:
        super().__init__(dialect)
        self._conductor = conductor

    @contextmanager
    def begin(self, *, within: float | None = None) -> Generator[Transaction]:
        with super().begin(within=within) as tx:
            yield tx
        self._conductor.point()

    @contextmanager
    def read(self, *, within: float | None = None) -> Generator[Transaction]:
        with super().read(within=within) as tx:
            yield tx
        self._conductor.point()

    def forget_deleted(self) -> None:
        """Nothing: it waits for readers, of which one may stand still; and what is in the files is no state."""


@dataclass
class SteppedKeyStore:
    """The product's own key store in RAM, with a point before each use; what it holds can be put back."""

    clock: Clock
    conductor: Conductor
    kept: dict[str, tuple[HeldKey, int, datetime]] = field(
        default_factory=dict[str, tuple[HeldKey, int, datetime]]
    )
    inner: KeyStore = field(init=False)

    def __post_init__(self) -> None:
        self.inner = RamKeyStore(self.clock.now)

    def put(self, session_id: str, entry: HeldKey, *, idle_seconds: int, expires_at: datetime) -> None:
        self.conductor.point("put")
        self.inner.put(session_id, entry, idle_seconds=idle_seconds, expires_at=expires_at)
        self.kept[session_id] = (entry, idle_seconds, expires_at)

    def borrow(self, session_id: str, *, token: bytes, user: UserId, workspace: WorkspaceId) -> WorkspaceKey:
        self.conductor.point("borrow")
        return self.inner.borrow(session_id, token=token, user=user, workspace=workspace)

    def drop(self, session_id: str) -> None:
        self.conductor.point("drop")
        self.inner.drop(session_id)
        self.kept.pop(session_id, None)

    def held(self, session_ids: Collection[str]) -> frozenset[str]:
        return self.inner.held(session_ids)

    def count(self) -> int:
        return self.inner.count()

    def put_back(self, held: Mapping[str, tuple[HeldKey, int, datetime]]) -> None:
        """Hold exactly these keys again."""
        self.inner = RamKeyStore(self.clock.now)
        self.kept = dict(held)
        for session_id, (entry, idle_seconds, expires_at) in held.items():
            self.inner.put(session_id, entry, idle_seconds=idle_seconds, expires_at=expires_at)
