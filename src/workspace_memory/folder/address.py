"""Where the owner listens: a socket, and `owner.json` (0600) that names it together with its secret.

One file, replaced in one step, so that nobody can pair the address of one owner with the secret of another.
Only the holder of `owner.lock` writes or removes anything here; whatever a killed owner left is therefore
removed without asking. `channel.py` speaks over the sockets.
"""

import json
import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from workspace_memory.folder.lock import open_private

ADDRESS_FILE = "owner.json"
SOCKET_FILE = "owner.sock"
_SECRET_BYTES = 32
_TEMPORARY_PREFIX = "workspace-memory-"
_BACKLOG = 128


@dataclass(frozen=True, slots=True)
class Address:
    """`place` is a port on the loopback interface, or a socket file (relative: in the data folder)."""

    place: int | str
    secret: bytes
    pid: int
    version: str

    def is_tcp(self) -> bool:
        """Whether a broken connection may have swallowed bytes that the owner had sent (see `forwarding.py`)."""
        return isinstance(self.place, int)


def listen_and_publish(folder: Path, version: str) -> tuple[socket.socket, Address]:
    """Open a listening socket and tell where it is. The caller holds `owner.lock`. Raises: OSError."""
    withdraw(folder)
    listening, place = _listen(folder)
    address = Address(place, os.urandom(_SECRET_BYTES), os.getpid(), version)
    try:
        _publish(folder, address)
    except OSError:
        listening.close()
        _remove_socket(folder, place)
        raise
    return listening, address


def withdraw(folder: Path) -> None:
    """Remove what this owner, or a killed one, has published. The caller holds `owner.lock`."""
    published = read_address(folder)
    if published is not None:
        _remove_socket(folder, published.place)
    _remove_socket(folder, SOCKET_FILE)
    with suppress(FileNotFoundError):
        (folder / ADDRESS_FILE).unlink()


def read_address(folder: Path) -> Address | None:
    """What the present owner published; None when there is nothing, or nothing that can be trusted."""
    try:
        with open(folder / ADDRESS_FILE, "rb", opener=_open_without_following) as file:
            if not _is_private(os.fstat(file.fileno()), os.stat(folder)):
                return None
            return _parse(file.read(4096))
    except OSError:
        return None


def connect(folder: Path, address: Address, *, seconds: float) -> socket.socket:
    """A connected socket. Raises: OSError."""
    if isinstance(address.place, int):
        return socket.create_connection(("127.0.0.1", address.place), timeout=seconds)
    if sys.platform == "win32":
        raise OSError("this folder is owned by a process of another operating system")
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        connection.connect(os.fspath(folder / address.place))
    except BaseException:
        connection.close()
        raise
    return connection


def _listen(folder: Path) -> tuple[socket.socket, int | str]:
    if sys.platform == "win32":
        listening = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
        return listening, int(listening.getsockname()[1])
    try:
        return _listen_unix(folder / SOCKET_FILE), SOCKET_FILE
    except OSError:
        # A socket path holds about 100 bytes (108 on Linux, 104 on macOS), and some mounts take no sockets.
        import tempfile  # noqa: PLC0415 - rarely needed; every process pays for imports at its start

        path = Path(tempfile.mkdtemp(prefix=_TEMPORARY_PREFIX)) / SOCKET_FILE  # mkdtemp makes it 0700
        try:
            return _listen_unix(path), str(path)
        except OSError:
            path.parent.rmdir()
            raise


def _listen_unix(path: Path) -> socket.socket:
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.bind(os.fspath(path))
        path.chmod(0o600)
        listening.listen(_BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def _publish(folder: Path, address: Address) -> None:
    facts = {
        "place": address.place,
        "secret": address.secret.hex(),
        "pid": address.pid,
        "version": address.version,
    }
    unfinished = folder / f"{ADDRESS_FILE}.new"
    with open(open_private(unfinished, os.O_TRUNC), "w", encoding="utf-8") as file:
        json.dump(facts, file)
    unfinished.replace(folder / ADDRESS_FILE)


def _parse(raw: bytes) -> Address | None:
    try:
        facts: object = json.loads(raw)
    except ValueError:
        return None
    if not isinstance(facts, dict):
        return None
    match cast("Mapping[str, object]", facts):
        case {
            "place": int() | str() as place,
            "secret": str(secret),
            "pid": int(pid),
            "version": str(version),
        }:
            with suppress(ValueError):
                return Address(place, bytes.fromhex(secret), pid, version)
        case _:
            pass
    return None


def _is_private(file: os.stat_result, folder: os.stat_result) -> bool:
    """Whether only the owner of the folder, root or ourselves can have written the file."""
    if sys.platform == "win32":
        return True
    return file.st_mode & 0o077 == 0 and file.st_uid in {os.geteuid(), folder.st_uid, 0}


def _open_without_following(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))


def _remove_socket(folder: Path, place: int | str) -> None:
    if isinstance(place, int):
        return
    path = folder / place
    with suppress(OSError):
        if path.parent == folder or path.parent.name.startswith(_TEMPORARY_PREFIX):
            if path.is_socket():
                path.unlink()
            if path.parent != folder:
                path.parent.rmdir()
