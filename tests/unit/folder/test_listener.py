import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from workspace_memory.folder.address import Address, connect, read_address
from workspace_memory.folder.calls import ERROR, RESULT, decode_error
from workspace_memory.folder.channel import (
    MESSAGE_BYTES_MAX,
    Connection,
    ConnectionLost,
    NotTrusted,
    prove_as_caller,
)
from workspace_memory.folder.errors import MessageTooLarge
from workspace_memory.folder.listener import BEGUN, CALL, FULL, HAND_OVER, HANDED_OVER, REFUSED, Listener

SECONDS = 5.0
CONNECTIONS_MAX = 4


@dataclass
class Echo:
    """Answers with what it was asked; `hold` stays in flight until `go_on`."""

    holding: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    go_on: threading.Event = field(default_factory=threading.Event)

    def answer_call(self, request: bytes, *, begin: Callable[[], None]) -> tuple[bytes, bytes]:
        if request == b"refuse":
            return REFUSED, b"not now"
        begin()
        if request == b"hold":
            self.holding.release()
            self.go_on.wait(SECONDS)
        return RESULT, request

    def hand_over(self, *, still_wanted: Callable[[], bool]) -> tuple[bytes, bytes]:
        return (HANDED_OVER if still_wanted() else REFUSED), b""


@dataclass
class Place:
    folder: Path
    echo: Echo
    open_connections: ExitStack

    def address(self) -> Address:
        address = read_address(self.folder)
        assert address is not None
        return address

    def raw(self) -> socket.socket:
        return self.open_connections.enter_context(connect(self.folder, self.address(), seconds=SECONDS))

    def trusted(self) -> Connection:
        connection = Connection(self.raw())
        prove_as_caller(connection, self.address().secret)
        return connection


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    echo = Echo()
    listener = Listener(tmp_path, version="1", answerer=echo, connections_max=CONNECTIONS_MAX)
    with ExitStack() as stack:
        yield Place(tmp_path, echo, stack)
    echo.go_on.set()
    listener.close(seconds=SECONDS)


def ask(connection: Connection, request: bytes) -> list[tuple[bytes, bytes]]:
    connection.send(CALL, request)
    return [connection.receive(seconds=SECONDS) for _ in range(2)]


def test_a_call_is_said_to_be_begun_and_then_answered(place: Place) -> None:
    assert ask(place.trusted(), b"tea") == [(BEGUN, b""), (RESULT, b"tea")]


def test_a_connection_serves_many_calls(place: Place) -> None:
    connection = place.trusted()
    assert [ask(connection, word)[1][1] for word in (b"a", b"b")] == [b"a", b"b"]


def test_a_refused_call_is_not_begun(place: Place) -> None:
    connection = place.trusted()
    connection.send(CALL, b"refuse")
    assert connection.receive(seconds=SECONDS) == (REFUSED, b"not now")


def test_a_request_to_hand_over_is_answered(place: Place) -> None:
    connection = place.trusted()
    connection.send(HAND_OVER)
    assert connection.receive(seconds=SECONDS) == (HANDED_OVER, b"")


def test_a_wrong_secret_is_refused(place: Place) -> None:
    with pytest.raises(NotTrusted):
        prove_as_caller(Connection(place.raw()), replace(place.address(), secret=b"guess").secret)


def test_a_peer_that_skips_the_proof_is_not_answered(place: Place) -> None:
    connection = Connection(place.raw())
    connection.receive(seconds=SECONDS)
    connection.send(CALL, b"tea")
    assert connection.receive(seconds=SECONDS) == (b"-", b"")
    with pytest.raises(ConnectionLost):
        connection.receive(seconds=SECONDS)


def test_an_oversized_message_is_refused_in_clear_words(place: Place) -> None:
    raw = place.raw()
    connection = Connection(raw)
    prove_as_caller(connection, place.address().secret)
    raw.sendall((MESSAGE_BYTES_MAX + 2).to_bytes(4, "big"))
    kind, answer = connection.receive(seconds=SECONDS)
    assert kind == ERROR
    assert isinstance(decode_error(answer), MessageTooLarge)


def test_an_unknown_kind_of_frame_ends_the_connection(place: Place) -> None:
    connection = place.trusted()
    connection.send(b"Z")
    with pytest.raises(ConnectionLost):
        connection.receive(seconds=SECONDS)


def test_peers_that_say_nothing_block_nobody(place: Place) -> None:
    for _ in range(3 * CONNECTIONS_MAX):
        place.raw()
    assert ask(place.trusted(), b"tea")[1] == (RESULT, b"tea")


def test_a_peer_that_stops_in_the_middle_of_a_frame_blocks_nobody(place: Place) -> None:
    raw = place.raw()
    prove_as_caller(Connection(raw), place.address().secret)
    raw.sendall(b"\0\0")
    assert ask(place.trusted(), b"tea")[1] == (RESULT, b"tea")


def test_a_call_in_flight_blocks_nobody(place: Place) -> None:
    place.trusted().send(CALL, b"hold")
    place.echo.holding.acquire(timeout=SECONDS)
    assert ask(place.trusted(), b"tea")[1] == (RESULT, b"tea")


def test_the_connection_that_is_idle_longest_gives_way_to_a_new_one(place: Place) -> None:
    connections = [place.trusted() for _ in range(CONNECTIONS_MAX)]
    for connection in connections[1:] + connections[:1]:
        connection.send(CALL, b"refuse")  # refused, and so never at work
        connection.receive(seconds=SECONDS)
    newcomer = place.trusted()
    assert ask(newcomer, b"tea")[1] == (RESULT, b"tea")
    with pytest.raises(ConnectionLost):
        ask(connections[1], b"tea")


def test_a_newcomer_is_told_to_come_again_when_all_connections_are_at_work(place: Place) -> None:
    for _ in range(CONNECTIONS_MAX):
        place.trusted().send(CALL, b"hold")
        place.echo.holding.acquire(timeout=SECONDS)
    assert Connection(place.raw()).receive(seconds=SECONDS) == (REFUSED, FULL)


def test_closing_lets_the_answer_in_flight_leave_and_ends_idle_connections(tmp_path: Path) -> None:
    echo = Echo()
    listener = Listener(tmp_path, version="1", answerer=echo)
    with ExitStack() as stack:
        place = Place(tmp_path, echo, stack)
        busy, idle = place.trusted(), place.trusted()
        busy.send(CALL, b"hold")
        echo.holding.acquire(timeout=SECONDS)
        closing = threading.Thread(target=listener.close, kwargs={"seconds": SECONDS})
        closing.start()
        with pytest.raises(ConnectionLost):
            idle.receive(seconds=SECONDS)
        echo.go_on.set()
        assert [busy.receive(seconds=SECONDS)[0] for _ in range(2)] == [BEGUN, RESULT]
        closing.join(SECONDS)
        assert not closing.is_alive()
    assert list(tmp_path.iterdir()) == []
