"""The socket that `serve` listens on, its sentences when it cannot be had, and whether anybody listens elsewhere."""

import errno
import os
import socket
from contextlib import closing
from urllib.parse import urlsplit

from workspace_memory.cli.failures import Refused


def bind(host: str, port: int) -> socket.socket:
    """A bound TCP socket; port 0 takes a free one. Raises: Refused, naming address and port."""
    where = f"{host or 'every address'}, port {port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError:
        raise Refused(
            f"'{host}' is no address of this machine. Give one with --host, such as 127.0.0.1."
        ) from None
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name != "nt":
            # A restart must not wait for connections of the last run; on Windows the option means something else.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.set_inheritable(False)
    except OSError as error:
        listener.close()
        raise Refused(_sentence(error, where, port)) from None
    return listener


def answers(address: str) -> bool:
    """Whether something listens at an http address; waits a second at most."""
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        with closing(socket.create_connection((parts.hostname or "", port), timeout=1)):
            return True
    except OSError:
        return False


def _sentence(error: OSError, where: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"Port {port} is in use by another program ({where}). Stop that one, or choose another with --port."
        case errno.EACCES | errno.EPERM:
            return f"This user may not listen on {where}. Choose a port from 1024 on with --port."
        case errno.EADDRNOTAVAIL:
            return f"This machine has no such address ({where}). Choose one with --host, such as 127.0.0.1."
        case _:
            return f"Cannot listen on {where}: {os.strerror(error.errno or 0)}."
