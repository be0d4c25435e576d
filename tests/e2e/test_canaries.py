"""Nothing in plaintext: no canary stands in any table, file, log, error answer or dump, in any spelling.

SQLite keeps its key sessions in the server's memory, PostgreSQL in a Valkey, so that both stores are searched. That
the search sees is proved by canaries that are planted in each kind of place.
"""

import base64
import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.contract.valkey_server import Running, running
from tests.e2e import assistant_calls
from tests.e2e.assistant_wire.provider_server import Provider, playing
from tests.e2e.canaries import Canaries, files, spellings, tables
from tests.e2e.canary_walk import Walk
from tests.e2e.command_line import Serve, serving, succeed

DEBUG = {"WORKSPACE_MEMORY_LOG_LEVEL": "debug", "WORKSPACE_MEMORY_RATE_KEY_SESSIONS": "0"}


@pytest.fixture
def canaries() -> Canaries:
    return Canaries()


@pytest.fixture
def provider() -> Iterator[Provider]:
    with playing() as running:
        yield running


def provided(provider: Provider, canaries: Canaries) -> dict[str, str]:
    """The settings of an Assistant whose model is at the provider; its key is a canary."""
    key = secrets.token_urlsafe(24)
    canaries.keep("provider key", key)
    settings = {**assistant_calls.provided(provider), "assistant_api_key": key}
    return {f"WORKSPACE_MEMORY_{name.upper()}": value for name, value in settings.items()}


@pytest.mark.timeout(300)
def test_no_canary_stands_anywhere_with_sqlite(
    tmp_path: Path, canaries: Canaries, provider: Provider
) -> None:
    folder = tmp_path / "folder"
    token = json.loads(init(folder, {}))["token"]
    with serving(folder, env={**DEBUG, **provided(provider, canaries)}) as serve:
        walk = Walk(serve.url, token, canaries, provider)
        walk.all_the_way()
        # The write-ahead log is there while the server runs.
        assert {"memory.db", "memory.db-wal"} <= {path.name for path in folder.iterdir()}
        places = [*files(folder), *tables(f"sqlite:///{folder / 'memory.db'}")]
        serve.stop()
        places += [*files(folder), *said(serve, walk)]
    assert canaries.unused() == set()
    assert "\n".join(canaries.found_in(places)) == ""


@pytest.mark.timeout(300)
def test_no_canary_stands_anywhere_with_postgresql_and_valkey(
    tmp_path: Path, migrated_postgresql_url: str, canaries: Canaries, provider: Provider
) -> None:
    folder = tmp_path / "folder"
    with running() as valkey:
        env = {
            **DEBUG,
            **provided(provider, canaries),
            "WORKSPACE_MEMORY_DATABASE_URL": migrated_postgresql_url,
            "WORKSPACE_MEMORY_KEY_STORE_URL": valkey.url,
        }
        token = json.loads(init(folder, env))["token"]
        with serving(folder, env=env) as serve:
            walk = Walk(serve.url, token, canaries, provider)
            walk.all_the_way()
            places = list(tables(by_psycopg(migrated_postgresql_url)))
            dumps = list(dumps_of_valkey(valkey))
            assert any(name.startswith("HGETALL of wm:ks:") for name, _ in dumps)
            places += [*files_of_postgresql(migrated_postgresql_url, canaries), *dumps]
            serve.stop()
            places += [*files(folder), *said(serve, walk)]
    assert canaries.unused() == set()
    assert "\n".join(canaries.found_in(places)) == ""


@pytest.mark.parametrize("how", [how for how, _ in spellings(b"an example of a canary")])
def test_the_search_finds_a_canary_in_every_spelling(how: str, canaries: Canaries) -> None:
    name, shift = "document", int(how[-1]) if how[-1].isdigit() else 0
    plain = canaries.text(name).encode()
    spelt = dict(spellings(plain))[how]
    if "base64" in how:
        encode = base64.urlsafe_b64encode if "url" in how else base64.b64encode
        # By another hand than the search's own: in the midst of something longer.
        spelt = encode(b"x" * (30 + shift) + plain + b"something behind it")
    found = canaries.found_in([("here", b"before " + spelt + b" behind")])
    assert f"{name} as {how} in here" in found


def test_the_search_finds_what_is_planted_in_a_file_and_a_table_of_sqlite(
    tmp_path: Path, canaries: Canaries
) -> None:
    folder = tmp_path / "folder"
    init(folder, {}, name=canaries.text("note"))
    database = folder / "memory.db"
    assert any(
        "note as it is in table" in each for each in canaries.found_in(tables(f"sqlite:///{database}"))
    )
    assert any("in file memory.db" in each for each in canaries.found_in(files(folder)))


def test_the_search_finds_what_is_planted_in_postgresql(
    tmp_path: Path, migrated_postgresql_url: str, canaries: Canaries
) -> None:
    env = {"WORKSPACE_MEMORY_DATABASE_URL": migrated_postgresql_url}
    init(tmp_path / "folder", env, name=canaries.text("note"))
    in_tables = canaries.found_in(tables(by_psycopg(migrated_postgresql_url)))
    assert any("note as it is in table" in each for each in in_tables)
    if not list(files_of_postgresql(migrated_postgresql_url, canaries)):
        pytest.skip("the server's files are not here")
    assert canaries.found_in(files_of_postgresql(migrated_postgresql_url, canaries)) != []


def test_the_search_finds_what_is_planted_in_valkey(canaries: Canaries) -> None:
    with running() as valkey:
        valkey.ask("SET", "planted", canaries.text("note"))
        places = {each.split(" in ")[1] for each in canaries.found_in(dumps_of_valkey(valkey))}
    assert {"DUMP of planted", "GET of planted", "file dump.rdb"} <= places


def by_psycopg(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://", 1)


def init(folder: Path, env: dict[str, str], *, name: str = "Tea shop") -> str:
    words = ("init", "--email", "alice@example.com", "--workspace", name, "--json")
    # Not --data, which would go before the database of the environment.
    return succeed(*words, env={"WORKSPACE_MEMORY_DATA": str(folder), **env})


def said(serve: Serve, walk: Walk) -> Iterator[tuple[str, bytes]]:
    """The log of a server that has ended, and the error answers."""
    log = serve.everything_said()
    assert "PUT /api/v1/" in log
    assert len(walk.listener.errors) > 10
    yield "log", log.encode()
    yield from ((f"error answer {number}", each) for number, each in enumerate(walk.listener.errors))


def files_of_postgresql(url: str, canaries: Canaries) -> Iterator[tuple[str, bytes]]:
    """The files of this database, and the write-ahead log and logs of a server on this machine.

    The log is long after many tests: what was last written before the canaries were made cannot hold one.
    """
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("CHECKPOINT")
        row = admin.execute(
            "SELECT current_setting('data_directory'), oid::text FROM pg_database"
            " WHERE datname = current_database()"
        ).fetchone()
    assert row is not None
    folder = Path(row[0])
    if not os.access(folder, os.R_OK):
        return
    for below in (f"base/{row[1]}", "pg_wal", "log"):
        written = files(folder / below, since=canaries.made_at)
        yield from ((f"{below}: {name}", content.rstrip(b"\0")) for name, content in written)


def dumps_of_valkey(valkey: Running) -> Iterator[tuple[str, bytes]]:
    """Each key as it is, as DUMP gives it, and the whole as a forced save writes it into a file."""
    for key in valkey.ask("KEYS", "*"):
        name = key.decode()
        yield f"DUMP of {name}", valkey.ask("DUMP", key)
        if valkey.ask("TYPE", key) == b"hash":
            yield f"HGETALL of {name}", b"\0".join(valkey.ask("HGETALL", key))
        else:
            yield f"GET of {name}", valkey.ask("GET", key)
    # Compressed, nothing would be found.
    valkey.ask("CONFIG", "SET", "rdbcompression", "no")
    valkey.ask("SAVE")
    assert (valkey.folder / "dump.rdb").stat().st_size > 0
    for path in sorted(valkey.folder.rglob("*")):
        if path.is_file():
            yield f"file {path.name}", path.read_bytes()
