"""The caller's side of the channel: connections to the present owner, and how a forwarded call can end.

It decides what a broken connection means. The owner says "begun" before it carries out a call. A connection
that ends before that word proves that nothing was done; after it, nobody knows. What is done about either is
decided in `gateway.py`.
"""

import sys
import threading
import time
from pathlib import Path

from workspace_memory.folder.address import Address, connect, read_address
from workspace_memory.folder.channel import Connection, ConnectionLost, PeerSilent, prove_as_caller
from workspace_memory.folder.errors import OtherVersionOwns
from workspace_memory.folder.listener import BEGUN, CALL, HAND_OVER, HANDED_OVER, REFUSED

CONNECTIONS_MAX = 8
_CONNECT_SECONDS_MAX = 2.0


class NotBegun(Exception):
    """No owner, or it did not begin the call: nothing was done. `reason` as in `listener.py`, or empty."""

    def __init__(self, reason: bytes = b"") -> None:
        super().__init__()
        self.reason = reason


class LostAfterBegin(Exception):
    """The owner began the call and its answer never came: nobody knows whether it was done.

    `silent`: the connection holds, but the bound of the wait has passed.
    """

    def __init__(self, *, silent: bool) -> None:
        super().__init__()
        self.silent = silent


class Forwarder:
    """Connections to the owner of a folder, shared by the threads of this process; at most 8 at once."""

    def __init__(self, folder: Path, *, version: str) -> None:
        self._folder = folder
        self._version = version
        self._slots = threading.BoundedSemaphore(CONNECTIONS_MAX)
        self._guard = threading.Lock()
        self._unused: list[tuple[Connection, Address]] = []

    def call(self, request: bytes, *, begin_by: float, answer_seconds_max: float) -> tuple[bytes, bytes]:
        """Send an encoded call; give kind and payload of the answer.

        `begin_by` is a monotonic time. Raises: NotBegun, LostAfterBegin, OtherVersionOwns.
        """
        if not self._slots.acquire(timeout=max(begin_by - time.monotonic(), 0)):
            raise NotBegun
        try:
            connection, address = self._take()
            try:
                answer = _exchange(connection, address, request, begin_by, answer_seconds_max)
            except BaseException:
                connection.close()
                raise
            self._give_back(connection, address)
            return answer
        finally:
            self._slots.release()

    def ask_for_hand_over(self, *, until: float) -> bool:
        """Ask the owner to give up the folder, whatever its version; whether it did. Raises: NotBegun."""
        address = read_address(self._folder)
        if address is None:
            raise NotBegun
        connection = self._connect(address)
        try:
            connection.send(HAND_OVER)
            kind, _ = connection.receive(seconds=max(until - time.monotonic(), 0))
        except ConnectionLost:
            return False
        finally:
            connection.close()
        return kind == HANDED_OVER

    def close(self) -> None:
        """Close the unused connections."""
        with self._guard:
            unused, self._unused = self._unused, []
        for connection, _ in unused:
            connection.close()

    def _take(self) -> tuple[Connection, Address]:
        while True:
            with self._guard:
                kept = self._unused.pop() if self._unused else None
            if kept is None:
                break
            if kept[0].is_quiet():
                return kept
            kept[0].close()  # the owner has ended it, or has ended
        address = read_address(self._folder)
        if address is None:
            raise NotBegun
        if address.version != self._version:
            raise OtherVersionOwns(str(self._folder), address.pid, address.version, self._version)
        return self._connect(address), address

    def _give_back(self, connection: Connection, address: Address) -> None:
        with self._guard:
            self._unused.append((connection, address))

    def _connect(self, address: Address) -> Connection:
        try:
            connection = Connection(connect(self._folder, address, seconds=_CONNECT_SECONDS_MAX))
        except OSError as error:
            raise NotBegun from error
        try:
            prove_as_caller(connection, address.secret)
        except ConnectionLost as error:
            connection.close()
            raise NotBegun from error
        return connection


def _exchange(
    connection: Connection, address: Address, request: bytes, begin_by: float, answer_seconds_max: float
) -> tuple[bytes, bytes]:
    _await_begin(connection, address, request, begin_by)
    try:
        return connection.receive(seconds=answer_seconds_max)
    except ConnectionLost as error:
        raise LostAfterBegin(silent=isinstance(error, PeerSilent)) from error


def _await_begin(connection: Connection, address: Address, request: bytes, begin_by: float) -> None:
    try:
        connection.send(CALL, request)
        kind, reason = connection.receive(seconds=max(begin_by - time.monotonic(), 0))
    except PeerSilent as error:
        # The owner may say "begun" at this very moment. Shutting the connection makes any later word of it
        # fail, so that it will not begin; a word said before is still there to read, on Linux at least.
        connection.interrupt()
        if sys.platform != "linux" or address.is_tcp() or _said_anything(connection):
            raise LostAfterBegin(silent=True) from error
        raise NotBegun from error
    except ConnectionLost as error:
        # TCP throws away what was received when the peer dies, "begun" included; a Unix socket keeps it.
        raise (LostAfterBegin(silent=False) if address.is_tcp() else NotBegun()) from error
    if kind == REFUSED:
        raise NotBegun(reason)
    if kind != BEGUN:
        raise NotBegun


def _said_anything(connection: Connection) -> bool:
    try:
        connection.receive(seconds=0)
    except ConnectionLost:
        return False
    return True
