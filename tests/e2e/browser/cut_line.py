"""A line between a browser and the server that can be cut, as a network does it: no answer ends, they are just gone."""

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

_PIECE_BYTES = 65536


@dataclass
class Line:
    """Connects to `port` of the loopback whoever connects to `url`, while it is not cut."""

    port: int
    listener: socket.socket
    _open: list[socket.socket] = field(default_factory=list[socket.socket])
    _threads: list[threading.Thread] = field(default_factory=list[threading.Thread])
    _is_cut: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        """Where a browser connects."""
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def cut(self) -> None:
        """Break every connection, and refuse others until it is mended."""
        self._is_cut.set()
        broken, self._open[:] = list(self._open), []
        for each in broken:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let connections through again."""
        self._is_cut.clear()

    def serve(self) -> None:
        """Take connections until the listener is closed."""
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if self._is_cut.is_set():
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.port))
            self._open += [near, far]
            for source, target in ((near, far), (far, near)):
                self.start(threading.Thread(target=_carry, args=(source, target), daemon=True))

    def start(self, thread: threading.Thread) -> None:
        """Start a thread that `close` waits for."""
        self._threads.append(thread)
        thread.start()

    def close(self) -> None:
        """Break everything for good."""
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()
        for each in self._threads:
            each.join(10)


@contextmanager
def line_to(url: str) -> Generator[Line]:
    """A line to the server at that address."""
    listener = socket.create_server(("127.0.0.1", 0))
    line = Line(urlsplit(url).port or 80, listener)
    line.start(threading.Thread(target=line.serve, daemon=True))
    try:
        yield line
    finally:
        line.close()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(_PIECE_BYTES):
            target.sendall(piece)
    for each in (source, target):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
    # Each is the source of one of the two threads.
    source.close()
