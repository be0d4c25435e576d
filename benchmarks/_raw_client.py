"""An AI client reduced to its bytes: MCP over HTTP/1.1 on one kept connection, in a process of its own.

As cheap as Python allows, so that on a small machine the clients leave the processor to the server. It speaks the
stateless era of the protocol (2026-07-28); `_official_client.py` is the client that most people's software uses.

Run as a program by `_load.py`: reads its calls as one line of JSON, says "ready", waits for a line, makes the
calls one after the other and prints the milliseconds of each as JSON. Imports little, since eight are started.
"""

import json
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

PROTOCOL = "2026-07-28"
ANSWER_SECONDS = 30.0

_META = {
    "io.modelcontextprotocol/protocolVersion": PROTOCOL,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
}


class CallFailed(Exception):
    """The server answered with an error or not with HTTP as expected; the message has the answer's beginning."""


class RawClient:
    """One connection. Use it from one thread."""

    def __init__(self, url: str, token: str) -> None:
        place = urlsplit(url)
        self._path = place.path or "/"
        self._host = place.netloc
        self._token = token
        self._socket = socket.create_connection((place.hostname, place.port), timeout=ANSWER_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._socket.makefile("rb")

    def close(self) -> None:
        """End the connection."""
        self._answers.close()
        self._socket.close()

    def request(
        self, tool: str, arguments: Mapping[str, object], *, path: str = "", token: str = ""
    ) -> bytes:
        """The bytes of one call. The name of the tool stands in the head too, as this era demands.

        `path` and `token` are another MCP server's of the same host, where one client calls several.
        """
        params = {"name": tool, "arguments": arguments, "_meta": _META}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
        head = (
            f"POST {path or self._path} HTTP/1.1\r\nHost: {self._host}\r\n"
            f"Authorization: Bearer {token or self._token}\r\n"
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
            f"Mcp-Protocol-Version: {PROTOCOL}\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    def exchange(self, request: bytes) -> bytes:
        """Send a request and read the whole answer's body. Raises: CallFailed, OSError."""
        self._socket.sendall(request)
        status = self._answers.readline()
        length = -1
        while (line := self._answers.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if b" 200 " not in status or length < 0:
            raise CallFailed(f"{status.decode(errors='replace').strip()} {self._rest(length)}")
        return self._answers.read(length)

    def _rest(self, length: int) -> str:
        return self._answers.read(min(max(length, 0), 500)).decode(errors="replace")


def require_success(body: bytes) -> None:
    """Check one answer whole. Raises: CallFailed for an error of the protocol or of the tool."""
    answer = cast("dict[str, Any]", json.loads(body))
    if "result" not in answer or answer["result"].get("isError"):
        raise CallFailed(body[:500].decode(errors="replace"))


def timed_calls(client: RawClient, calls: Sequence[tuple[str, Mapping[str, object]]]) -> list[float]:
    """Make the calls and give each one's milliseconds. Raises: CallFailed, OSError."""
    times: list[float] = []
    for tool, arguments in calls:
        # Made before the clock starts, and the answer read after it: neither is the server's doing.
        request = client.request(tool, arguments)
        started = time.perf_counter()
        body = client.exchange(request)
        times.append((time.perf_counter() - started) * 1000)
        require_success(body)
    return times


def main() -> int:
    """Be one client of `_load.py`."""
    order: dict[str, Any] = json.loads(sys.stdin.readline())
    client = RawClient(order["url"], order["token"])
    try:
        warm: list[tuple[str, dict[str, object]]] = order["warm"]
        timed_calls(client, warm)
        print("ready", flush=True)
        sys.stdin.readline()
        times = timed_calls(client, order["calls"])
    finally:
        client.close()
    print(json.dumps(times), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
