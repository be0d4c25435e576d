"""One connection between two processes of the same data folder: frames, and proof of the shared secret.

A frame is four bytes of length (big endian) and that many bytes. Every wait has a bound, so a silent or slow
peer costs its own thread and nothing else. Before the proof a peer may send a few hundred bytes only. Not
`multiprocessing.connection`: its `accept` waits for the peer's proof without a bound, so one silent peer
stops everybody. What the frames mean is told in `listener.py` and `forwarding.py`; nothing is ever pickled.
"""

import hmac
import os
import socket
import time
from contextlib import suppress

MESSAGE_BYTES_MAX = 8 * 1024 * 1024
HANDSHAKE_SECONDS_MAX = 2.0
FRAME_SECONDS_MAX = 10.0

_GREETING = b"workspace-memory-1:"
_NONCE_BYTES = 32
_CHUNK_BYTES = 256 * 1024
_HANDSHAKE_BYTES_MAX = 256


class ConnectionLost(Exception):
    """The peer is gone, silent for too long, or speaks something else."""


class PeerSilent(ConnectionLost):
    """The bound of a wait has passed; the peer may still live."""


class FrameTooLarge(ConnectionLost):
    """The peer announces a frame above the bound. Nothing of it was read."""


class NotTrusted(ConnectionLost):
    """The peer does not know the secret of this owner."""


class Connection:
    """Frames over a connected socket. One thread reads and writes; any thread may `interrupt`."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock

    def send(self, kind: bytes, payload: bytes = b"", *, seconds: float = FRAME_SECONDS_MAX) -> None:
        """Send one frame: a byte that names its kind, then the payload. Raises: ConnectionLost."""
        length = len(kind) + len(payload)
        try:
            self._socket.settimeout(seconds)
            self._socket.sendall(length.to_bytes(4, "big") + kind + payload)
        except TimeoutError as error:
            raise PeerSilent from error
        except OSError as error:
            raise ConnectionLost from error

    def receive(self, *, seconds: float | None, bytes_max: int = MESSAGE_BYTES_MAX) -> tuple[bytes, bytes]:
        """Wait up to `seconds` (None: for ever) for a frame to start; give its kind and its payload.

        Raises: ConnectionLost, of which FrameTooLarge when it is larger than `bytes_max`.
        """
        first = self._receive_exactly(1, deadline=None if seconds is None else time.monotonic() + seconds)
        deadline = time.monotonic() + FRAME_SECONDS_MAX
        length = int.from_bytes(first + self._receive_exactly(3, deadline=deadline), "big")
        if length > bytes_max + 1:
            raise FrameTooLarge
        if length == 0:
            raise ConnectionLost
        frame = self._receive_exactly(length, deadline=deadline)
        return frame[:1], frame[1:]

    def is_quiet(self) -> bool:
        """Whether the connection is open with nothing to read: what an unused connection has to be."""
        try:
            self._socket.setblocking(False)
            self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def interrupt(self) -> None:
        """End the connection from any thread: a wait in `receive` or `send` ends with ConnectionLost."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Release the socket. Only the thread that uses the connection calls this."""
        self._socket.close()

    def _receive_exactly(self, count: int, *, deadline: float | None) -> bytes:
        parts: list[bytes] = []
        while count:
            try:
                # Zero would mean "do not block"; a passed deadline still gets its moment for what is here
                # already.
                self._socket.settimeout(None if deadline is None else max(deadline - time.monotonic(), 0.001))
                part = self._socket.recv(min(count, _CHUNK_BYTES))
            except TimeoutError as error:
                raise PeerSilent from error
            except OSError as error:
                raise ConnectionLost from error
            if not part:
                raise ConnectionLost
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


def prove_as_owner(connection: Connection, secret: bytes) -> None:
    """The owner's half of the handshake. Raises: ConnectionLost, of which NotTrusted for a wrong secret."""
    challenge = os.urandom(_NONCE_BYTES)
    connection.send(b"?", _GREETING + challenge, seconds=HANDSHAKE_SECONDS_MAX)
    _, reply = connection.receive(seconds=HANDSHAKE_SECONDS_MAX, bytes_max=_HANDSHAKE_BYTES_MAX)
    counter, proof = reply[:_NONCE_BYTES], reply[_NONCE_BYTES:]
    if not hmac.compare_digest(proof, _proof(secret, b"caller", challenge + counter)):
        with suppress(ConnectionLost):
            connection.send(b"-", seconds=HANDSHAKE_SECONDS_MAX)
        raise NotTrusted
    connection.send(b"+", _proof(secret, b"owner", challenge + counter), seconds=HANDSHAKE_SECONDS_MAX)


def prove_as_caller(connection: Connection, secret: bytes) -> None:
    """The caller's half: the owner too has to know the secret, for anybody may listen on a port.

    Raises: ConnectionLost, of which NotTrusted when either side does not know the secret.
    """
    _, greeting = connection.receive(seconds=HANDSHAKE_SECONDS_MAX, bytes_max=_HANDSHAKE_BYTES_MAX)
    challenge = greeting.removeprefix(_GREETING)
    if not greeting.startswith(_GREETING) or len(challenge) != _NONCE_BYTES:
        raise ConnectionLost
    counter = os.urandom(_NONCE_BYTES)
    # The role stands in the proof, so that no proof can be sent back to the one who made it.
    connection.send(
        b"!", counter + _proof(secret, b"caller", challenge + counter), seconds=HANDSHAKE_SECONDS_MAX
    )
    kind, proof = connection.receive(seconds=HANDSHAKE_SECONDS_MAX, bytes_max=_HANDSHAKE_BYTES_MAX)
    if kind != b"+" or not hmac.compare_digest(proof, _proof(secret, b"owner", challenge + counter)):
        raise NotTrusted


def _proof(secret: bytes, role: bytes, nonces: bytes) -> bytes:
    return hmac.digest(secret, role + nonces, "sha256")
