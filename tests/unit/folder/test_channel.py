import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from workspace_memory.folder.channel import (
    Connection,
    ConnectionLost,
    FrameTooLarge,
    NotTrusted,
    PeerSilent,
    prove_as_caller,
    prove_as_owner,
)

Pair = tuple[Connection, Connection]


@pytest.fixture
def pair() -> Iterator[Pair]:
    one, other = socket.socketpair()
    with one, other:
        yield Connection(one), Connection(other)


def test_a_frame_arrives_with_its_kind(pair: Pair) -> None:
    pair[0].send(b"C", b"tea")
    assert pair[1].receive(seconds=1) == (b"C", b"tea")


def test_frames_stay_apart(pair: Pair) -> None:
    pair[0].send(b"C", b"tea")
    pair[0].send(b"H")
    assert [pair[1].receive(seconds=1) for _ in range(2)] == [(b"C", b"tea"), (b"H", b"")]


def test_a_large_frame_arrives_whole(pair: Pair) -> None:
    large = b"x" * 3_000_000
    sender = threading.Thread(target=pair[0].send, args=(b"C", large))
    sender.start()
    assert pair[1].receive(seconds=5) == (b"C", large)
    sender.join()


def test_a_frame_above_the_bound_is_not_read(pair: Pair) -> None:
    pair[0].send(b"C", b"12345")
    with pytest.raises(FrameTooLarge):
        pair[1].receive(seconds=1, bytes_max=4)


def test_a_silent_peer_costs_no_more_than_the_bound(pair: Pair) -> None:
    since = time.monotonic()
    with pytest.raises(PeerSilent):
        pair[1].receive(seconds=0.02)
    assert time.monotonic() - since < 1


def test_a_peer_that_does_not_read_costs_no_more_than_the_bound(pair: Pair) -> None:
    with pytest.raises(PeerSilent):
        pair[0].send(b"C", b"x" * 8_000_000, seconds=0.02)


def test_a_closed_connection_is_lost(pair: Pair) -> None:
    pair[0].close()
    with pytest.raises(ConnectionLost):
        pair[1].receive(seconds=1)


def test_a_waiting_thread_can_be_interrupted(pair: Pair) -> None:
    with ThreadPoolExecutor(1) as threads:
        waiting: Future[object] = threads.submit(pair[0].receive, seconds=None)
        pair[0].interrupt()
        assert isinstance(waiting.exception(timeout=5), ConnectionLost)


def test_an_open_connection_with_nothing_to_read_is_quiet(pair: Pair) -> None:
    assert pair[0].is_quiet()


def test_a_connection_that_the_peer_has_closed_is_not_quiet(pair: Pair) -> None:
    pair[1].close()
    assert not pair[0].is_quiet()


def prove(
    pair: Pair, owner_secret: bytes, caller_secret: bytes
) -> tuple[BaseException | None, BaseException | None]:
    """Both halves of the handshake; what each ended with."""
    with ThreadPoolExecutor(2) as threads:
        owner = threads.submit(prove_as_owner, pair[0], owner_secret)
        caller = threads.submit(prove_as_caller, pair[1], caller_secret)
        return owner.exception(5), caller.exception(5)


def test_two_processes_with_the_same_secret_trust_each_other(pair: Pair) -> None:
    assert prove(pair, b"secret", b"secret") == (None, None)


def test_a_caller_with_another_secret_is_refused_by_both(pair: Pair) -> None:
    owner, caller = prove(pair, b"secret", b"guess")
    assert isinstance(owner, NotTrusted)
    assert isinstance(caller, NotTrusted)


def test_an_owner_that_only_pretends_is_not_trusted(pair: Pair) -> None:
    with ThreadPoolExecutor(1) as threads:
        caller = threads.submit(prove_as_caller, pair[1], b"secret")
        pair[0].send(b"?", b"workspace-memory-1:" + bytes(32))
        _, reply = pair[0].receive(seconds=1)
        pair[0].send(b"+", reply[32:])  # the caller's own proof, sent back
        assert isinstance(caller.exception(5), NotTrusted)


def test_a_caller_does_not_answer_a_stranger(pair: Pair) -> None:
    pair[0].send(b"?", b"HTTP/1.1 400 Bad Request")
    with pytest.raises(ConnectionLost):
        prove_as_caller(pair[1], b"secret")


def test_before_its_proof_a_peer_may_send_little(pair: Pair) -> None:
    pair[1].send(b"!", b"x" * 100_000)
    with pytest.raises(FrameTooLarge):
        prove_as_owner(pair[0], b"secret")
