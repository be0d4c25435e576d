"""What only Valkey can get wrong: its settings, its connection, its dump."""

import logging
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest
from tests.contract.valkey_server import Running, running

from workspace_memory.crypto.errors import (
    KeySessionNotHeld,
    KeyStoreFull,
    KeyStoreUnavailable,
    KeyStoreUnsafe,
    SealBroken,
)
from workspace_memory.crypto.key_sessions import IDLE_SECONDS, held_key
from workspace_memory.crypto.session_sealing import new_session_token, session_token_hash
from workspace_memory.crypto.valkey_key_store import ValkeyKeyStore
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.ids import UserId, WorkspaceId

ALICE, WORKSPACE = UserId("alice"), WorkspaceId("w-1")
# Bytes that no representation escapes, so that a leak would be found as it is written.
KEY = WorkspaceKey(WORKSPACE, 1, b"a-key-that-is-32-bytes-long-yes!")
TOKEN = b"a-token-that-is-32-bytes-long-ok"
NAME = "wm:ks:s-1"


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as one:
        yield one


@pytest.fixture
def store(server: Running) -> ValkeyKeyStore:
    server.ask("FLUSHALL")
    server.ask("CONFIG SET", "maxmemory", 0)
    return ValkeyKeyStore(server.url, now)


def now() -> datetime:
    return datetime.now(UTC)


def put(
    store: ValkeyKeyStore, *, idle_seconds: int = IDLE_SECONDS, lasts: timedelta = timedelta(hours=12)
) -> None:
    expires_at = now() + lasts
    entry = held_key(KEY, TOKEN, session_id="s-1", user=ALICE, expires_at=expires_at)
    store.put("s-1", entry, idle_seconds=idle_seconds, expires_at=expires_at)


def borrowed(store: ValkeyKeyStore) -> WorkspaceKey:
    return store.borrow("s-1", token=TOKEN, user=ALICE, workspace=WORKSPACE)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("save", "900 1"),
        ("appendonly", "yes"),
        ("maxmemory_policy", "allkeys-lru"),
        ("maxmemory_policy", "volatile-ttl"),
    ],
)
def test_a_server_that_would_keep_or_evict_keys_is_refused(setting: str, value: str) -> None:
    name = setting.replace("_", "-")
    with running(**{setting: value}) as unsafe, pytest.raises(KeyStoreUnsafe, match=f"{name} is '{value}'"):
        ValkeyKeyStore(unsafe.url, now)


def test_a_server_that_does_not_tell_its_settings_is_refused() -> None:
    with running(rename_command='CONFIG ""') as silent, pytest.raises(KeyStoreUnsafe, match="CONFIG GET"):
        ValkeyKeyStore(silent.url, now)


@pytest.mark.parametrize("url", ["", "http://user:hunter2@host", "valkey://user:hunter2@host:port"])
def test_what_is_no_address_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(KeyStoreUnsafe, match="address") as caught:
        ValkeyKeyStore(url, now)
    assert "hunter2" not in "".join(traceback.format_exception(caught.value))


def test_a_server_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(KeyStoreUnavailable):
        ValkeyKeyStore(f"unix://{tmp_path / 'none'}", now)


def test_nobody_else_can_open_what_lies_there(server: Running, store: ValkeyKeyStore) -> None:
    put(store)
    borrowed(store)
    kept = server.ask("HGETALL", NAME)
    everything = b"".join([*kept, *kept.values(), server.ask("DUMP", NAME)])
    assert session_token_hash(TOKEN) in everything
    assert not any(secret in everything for secret in (KEY.secret, TOKEN))


def test_nothing_is_on_the_disk_after_a_crash() -> None:
    with running() as crashing:
        put(ValkeyKeyStore(crashing.url, now))
        crashing.kill()
        left = {path.name for path in crashing.folder.iterdir()}
        assert not any(name.endswith((".rdb", ".aof")) or name == "appendonlydir" for name in left)


def test_use_begins_idling_anew(server: Running, store: ValkeyKeyStore) -> None:
    put(store)
    server.ask("EXPIRE", NAME, 5)
    borrowed(store)
    assert server.ask("TTL", NAME) > IDLE_SECONDS - 60


def test_asking_whether_a_key_is_held_is_no_use_of_it(server: Running, store: ValkeyKeyStore) -> None:
    put(store)
    server.ask("EXPIRE", NAME, 60)
    assert store.held(["s-1"]) == {"s-1"}
    assert server.ask("TTL", NAME) <= 60


def test_a_wrong_token_is_no_use(server: Running, store: ValkeyKeyStore) -> None:
    put(store)
    server.ask("EXPIRE", NAME, 60)
    with pytest.raises(KeySessionNotHeld):
        store.borrow("s-1", token=new_session_token(), user=ALICE, workspace=WORKSPACE)
    assert server.ask("TTL", NAME) <= 60


def test_an_idle_key_is_evicted(server: Running, store: ValkeyKeyStore) -> None:
    put(store, idle_seconds=1)
    deadline = now() + timedelta(seconds=30)
    while server.ask("EXISTS", NAME):
        assert now() < deadline
    with pytest.raises(KeySessionNotHeld):
        borrowed(store)


def test_use_never_lasts_beyond_the_absolute_expiry(server: Running, store: ValkeyKeyStore) -> None:
    put(store, lasts=timedelta(minutes=5))
    borrowed(store)
    assert server.ask("TTL", NAME) <= 300


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("expires", "99999999999"),
        ("expires", "9" * 30),
        ("expires", "soon"),
        ("idle", "long"),
        ("epoch", "0"),
        ("epoch", "one"),
        ("sealed", ""),
        ("user", b"\xff"),
    ],
)
def test_a_changed_record_does_not_open(
    server: Running, store: ValkeyKeyStore, field: str, value: str | bytes
) -> None:
    put(store)
    server.ask("HSET", NAME, field, value)
    with pytest.raises(SealBroken):
        borrowed(store)


@pytest.mark.parametrize(("field", "value"), [("user", "b|b"), ("workspace", "w-2"), ("token_hash", "")])
def test_a_record_of_somebody_else_is_not_lent(
    server: Running, store: ValkeyKeyStore, field: str, value: str
) -> None:
    put(store)
    server.ask("HSET", NAME, field, value)
    with pytest.raises(KeySessionNotHeld):
        borrowed(store)


def test_a_record_without_a_field_does_not_open(server: Running, store: ValkeyKeyStore) -> None:
    put(store)
    server.ask("HDEL", NAME, "sealed")
    with pytest.raises(SealBroken):
        borrowed(store)


def test_a_full_server_takes_no_more_and_still_lends(server: Running, store: ValkeyKeyStore) -> None:
    put(store)
    server.ask("CONFIG SET", "maxmemory", 1)
    with pytest.raises(KeyStoreFull) as caught:
        put(store)
    assert borrowed(store) == KEY
    assert KEY.secret.decode() not in repr(caught.value.__context__)


def test_another_kind_of_record_is_unavailable_and_shows_nothing(
    server: Running, store: ValkeyKeyStore
) -> None:
    server.ask("SET", NAME, "not a hash")
    with pytest.raises(KeyStoreUnavailable) as caught:
        borrowed(store)
    assert (caught.value.__context__, caught.value.__cause__) == (None, None)


def test_a_lost_connection_is_one_error_that_shows_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with running() as ending:
        store = ValkeyKeyStore(ending.url, now)
        put(store)
        ending.kill()
        with caplog.at_level(logging.DEBUG):
            for call in (
                partial(borrowed, store),
                partial(put, store),
                partial(store.drop, "s-1"),
                store.count,
            ):
                with pytest.raises(KeyStoreUnavailable) as caught:
                    call()
                told = "".join(traceback.format_exception(caught.value)) + caplog.text
                assert not any(secret.decode() in told for secret in (KEY.secret, TOKEN))
                assert caught.value.__context__ is None
        ending.start()
        # A server without persistence comes back empty: evicted, which is no revocation.
        with pytest.raises(KeySessionNotHeld):
            borrowed(store)
        put(store)
        assert borrowed(store) == KEY


def borrow_often(url: str, times: int) -> int:
    store = ValkeyKeyStore(url, now)
    return sum(borrowed(store) == KEY for _ in range(times))


def test_several_processes_share_a_session(server: Running, store: ValkeyKeyStore) -> None:
    put(store)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert list(processes.map(borrow_often, [server.url] * 2, [200] * 2)) == [200, 200]
