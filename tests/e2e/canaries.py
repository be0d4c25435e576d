"""Canaries: texts and secrets that must be found nowhere but with their owners, and the search for them.

ONE list for all capabilities: what is added to the product adds its own names to TEXTS (chosen here, put into the
product by its part of the scenario) or SECRETS (made by the product or its client, handed to `keep`), and a scenario
that never uses a name fails. test_canaries.py walks the scenario and searches.
"""

import base64
import json
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import MetaData, create_engine, make_url, select

TEXTS = (
    "document",
    "older document",
    "captured line",
    "refused line",
    "line of a proposal",
    "applied proposal",
    "note",
    "moved note",
    "plain note",
    "proposed note",
    "note of a tool",
    "proposal of a tool",
    "refused by a tool",
    "message",
    "refused message",
    "answer of a model",
    "conversation title",
    "note of a turn",
    "skill",
    "description of a skill",
    "passphrase",
    "changed passphrase",
    "password",
)
SECRETS = (
    "recovery key",
    "access token",
    "session token",
    "one-time link",
    "key-session token",
    "delivery credential",
    "workspace key",
    "older workspace key",
    "private key",
    "provider key",
)


@dataclass
class Canaries:
    """The canaries of one run. A secret can have several values, each by itself to be found nowhere."""

    # Two seconds earlier, since the clock of a file system may be a coarse one.
    made_at: float = field(default_factory=lambda: time.time() - 2)
    values: dict[str, list[bytes]] = field(default_factory=dict[str, list[bytes]])
    used: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        for name in TEXTS:
            # Plain words and digits, which no secret scanner takes for a secret, and letters that encodings change.
            number = secrets.randbelow(10**8)
            self.values[name] = [f"canary naïve “{name}” {number:08}".encode()]

    def text(self, name: str) -> str:
        """A canary to put into the product."""
        self.used.add(name)
        return self.values[name][0].decode()

    def keep(self, name: str, value: str | bytes) -> None:
        """A secret that came about on the way."""
        if name not in SECRETS:
            raise AssertionError(f"{name} is not in the list of secrets")
        self.used.add(name)
        self.values.setdefault(name, []).append(value.encode() if isinstance(value, str) else value)

    def unused(self) -> set[str]:
        return {*TEXTS, *SECRETS} - self.used

    def found_in(self, places: Iterable[tuple[str, bytes]]) -> list[str]:
        """Where a canary stands, in any spelling, as sentences without the canary."""
        # Several ways spell a plain value alike.
        wanted: dict[bytes, list[str]] = {}
        for name, values in self.values.items():
            for value in values:
                for how, spelling in spellings(value):
                    wanted.setdefault(spelling, []).append(f"{name} as {how}")
        return [
            f"{what} in {place}"
            for place, content in places
            for spelling, ways in wanted.items()
            if spelling in content
            for what in ways
        ]


def spellings(value: bytes) -> Iterator[tuple[str, bytes]]:
    """A value as it might be written down, with the name of the way."""
    yield "it is", value
    for how, encode in (("base64", base64.b64encode), ("base64url", base64.urlsafe_b64encode)):
        for shift in range(3):
            yield f"{how} at {shift}", _within(encode, value, shift)
    yield "hex", value.hex().encode()
    yield "HEX", value.hex().upper().encode()
    yield "percent", "".join(f"%{byte:02X}" for byte in value).encode()
    try:
        text = value.decode()
    except UnicodeDecodeError:
        return
    yield "UTF-16 LE", text.encode("utf-16-le")
    yield "UTF-16 BE", text.encode("utf-16-be")
    yield "URL", quote(text).encode()
    yield "JSON", json.dumps(text)[1:-1].encode()
    yield "escaped", "".join(f"\\u{ord(character):04x}" for character in text).encode()
    yield "repr", ascii(text)[1:-1].encode()
    yield "compact", text.replace(" ", "").replace("-", "").encode()


def _within(encode: Callable[[bytes], bytes], value: bytes, shift: int) -> bytes:
    """What of a value is the same in base64 wherever it stands, when `shift` bytes (mod 3) stand before it."""
    encoded = encode(bytes(shift) + value)
    kept = (len(value) + shift) // 3 * 4
    return encoded[0 if shift == 0 else 4 : kept]


def tables(url: str) -> Iterator[tuple[str, bytes]]:
    """Every value of every table that is there, not only of those that the product knows; rows joined by zero bytes."""
    engine = create_engine(make_url(url))
    try:
        metadata = MetaData()
        metadata.reflect(engine)
        with engine.connect() as connection:
            for table in metadata.sorted_tables:
                rows = connection.execute(select(table)).all()
                yield f"table {table.name}", b"\0".join(_as_bytes(each) for row in rows for each in row)
    finally:
        engine.dispose()


def files(folder: Path, *, since: float = 0.0) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder that was written since then (a Unix time), by its name."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_mtime >= since:
            yield f"file {path.relative_to(folder)}", path.read_bytes()


def _as_bytes(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, Mapping):
        return json.dumps(value, default=str).encode()
    return str(value).encode()
