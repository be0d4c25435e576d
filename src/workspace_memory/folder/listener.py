"""The owner's side of the channel: accepts processes of the same folder and answers their requests.

One thread per connection, at most 64; when all are taken, the connection that has been idle longest gives
way, and only when all are at work a newcomer is told to come again. What a call means and whether calls are
taken at all is not decided here: `Answerer` (in `gateway.py`) does.

Frames, by their first byte. From the caller: C a call, H "hand the folder over". From the owner: B "begun",
sent before a call is carried out, so that a caller whose connection breaks earlier knows that nothing was
done; R and E the answer (`calls.py`); N a refusal, with its reason; Y "handed over".
"""

import logging
import selectors
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from workspace_memory.folder.address import listen_and_publish, withdraw
from workspace_memory.folder.calls import ERROR, encode_error
from workspace_memory.folder.channel import (
    MESSAGE_BYTES_MAX,
    Connection,
    ConnectionLost,
    FrameTooLarge,
    prove_as_owner,
)
from workspace_memory.folder.errors import MessageTooLarge

CONNECTIONS_MAX = 64

CALL = b"C"
HAND_OVER = b"H"
BEGUN = b"B"
REFUSED = b"N"
HANDED_OVER = b"Y"

# Reasons of a refusal.
HANDING_OVER = b"handing over"
ENDING = b"ending"
FULL = b"full"
STILL_BUSY = b"still busy"
SERVING = b"serving"

_logger = logging.getLogger(__name__)


class Answerer(Protocol):
    """What the owner does with a request."""

    def answer_call(self, request: bytes, *, begin: Callable[[], None]) -> tuple[bytes, bytes]:
        """Call `begin`, carry the call out, and give kind and payload of the answer; or refuse without `begin`.

        An exception of `begin` means that the caller is gone and nothing may be done.
        """
        ...

    def hand_over(self, *, still_wanted: Callable[[], bool]) -> tuple[bytes, bytes]:
        """Give up the folder if the asker is still there when that has become possible; or refuse."""
        ...


@dataclass(eq=False, slots=True)
class _Peer:
    connection: Connection
    thread: int = 0
    works: bool = False
    quiet_since: float = field(default_factory=time.monotonic)


class Listener:
    """Listens from its making until `close`. Raises: OSError when no socket can be opened."""

    def __init__(
        self, folder: Path, *, version: str, answerer: Answerer, connections_max: int = CONNECTIONS_MAX
    ) -> None:
        self._folder = folder
        self._answerer = answerer
        self._connections_max = connections_max
        self._peers: set[_Peer] = set()
        self._changed = threading.Condition()  # guards _peers
        self._closing = threading.Event()
        # First, since a full disk refuses it, and nothing else is open then.
        self._socket, self._address = listen_and_publish(folder, version)
        # A thread that waits in accept() is not woken by close(); a byte on this pair wakes it everywhere.
        self._waker, self._woken = socket.socketpair()
        self._socket.setblocking(False)
        self._thread = threading.Thread(target=self._accept_all, name="folder-listener", daemon=True)
        self._thread.start()

    def close(self, *, seconds: float) -> None:
        """Stop listening, let answers that are being sent leave for at most `seconds`, end all connections.

        May be called from the thread of a connection (a hand-over), whose connection then stays.
        """
        self._closing.set()
        self._waker.send(b"!")
        self._thread.join()
        self._socket.close()
        withdraw(self._folder)
        own = threading.get_ident()
        with self._changed:
            others = [peer for peer in self._peers if peer.thread != own]
            for peer in others:
                if not peer.works:
                    peer.connection.interrupt()
            self._changed.wait_for(lambda: self._peers.isdisjoint(others), timeout=seconds)
            for peer in self._peers.intersection(others):
                peer.connection.interrupt()
        self._waker.close()
        self._woken.close()

    def _accept_all(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                if self._woken in ready:
                    return
                try:
                    accepted, _ = self._socket.accept()
                    self._admit(Connection(accepted))
                except BlockingIOError:
                    continue
                except (OSError, RuntimeError) as error:
                    # Out of descriptors or threads. Wait a moment, or this loop burns a core until it is
                    # over.
                    _logger.warning("a connection could not be accepted: %s", type(error).__name__)
                    self._closing.wait(0.05)

    def _admit(self, connection: Connection) -> None:
        peer = _Peer(connection)
        with self._changed:
            full = len(self._peers) >= self._connections_max
            if full:
                quiet = [other for other in self._peers if not other.works]
                if quiet:
                    longest = min(quiet, key=lambda other: other.quiet_since)
                    longest.connection.interrupt()
                    self._peers.discard(longest)
                    full = False
            if not full:
                self._peers.add(peer)
        if full:
            with suppress(ConnectionLost):
                connection.send(REFUSED, FULL, seconds=0.1)
            connection.close()
            return
        try:
            threading.Thread(target=self._serve, args=(peer,), name="folder-connection", daemon=True).start()
        except RuntimeError:
            self._forget(peer)
            raise

    def _serve(self, peer: _Peer) -> None:
        peer.thread = threading.get_ident()
        try:
            prove_as_owner(peer.connection, self._address.secret)
            while not self._closing.is_set():
                self._answer_one(peer)
        except ConnectionLost:
            pass  # the ordinary end of a connection
        except Exception as error:  # the last line of the thread: nobody above would log it
            _logger.error("a connection ended: %s", type(error).__name__)
        finally:
            self._forget(peer)

    def _answer_one(self, peer: _Peer) -> None:
        try:
            kind, request = peer.connection.receive(seconds=None)
        except FrameTooLarge:
            # Nothing of it was read, so the frames are out of step: say why, and end.
            peer.connection.send(ERROR, encode_error(MessageTooLarge("request", MESSAGE_BYTES_MAX)))
            raise
        try:
            if kind == CALL:
                answer = self._answerer.answer_call(request, begin=lambda: self._begin(peer))
            elif kind == HAND_OVER:
                self._start_work(peer)
                answer = self._answerer.hand_over(still_wanted=peer.connection.is_quiet)
            else:
                raise ConnectionLost
            peer.quiet_since = time.monotonic()
            peer.connection.send(*answer)
        finally:
            peer.works = False

    def _begin(self, peer: _Peer) -> None:
        self._start_work(peer)
        peer.connection.send(BEGUN)

    def _start_work(self, peer: _Peer) -> None:
        with self._changed:
            # A connection that gave way to another may have sent a call meanwhile; its caller will ask again.
            if peer not in self._peers:
                raise ConnectionLost
            peer.works = True

    def _forget(self, peer: _Peer) -> None:
        with self._changed:
            self._peers.discard(peer)
            self._changed.notify_all()
        peer.connection.close()
