"""Key sessions against both stores: the memory of this process, and a real Valkey."""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.conftest import MovableClock
from tests.contract.together import at_once

from workspace_memory.crypto import key_sessions
from workspace_memory.crypto.errors import KeySessionNotHeld, SealBroken
from workspace_memory.crypto.key_sessions import (
    ABSOLUTE_SECONDS,
    IDLE_SECONDS,
    HeldKey,
    KeyStore,
    RamKeyStore,
    held_key,
)
from workspace_memory.crypto.session_sealing import SessionContext, new_session_token
from workspace_memory.crypto.workspace_keys import WorkspaceKey, new_workspace_key
from workspace_memory.domain.ids import UserId, WorkspaceId

WORKSPACE, ELSEWHERE = WorkspaceId("w-1"), WorkspaceId("w-2")
ALICE, BOB = UserId("alice"), UserId("bob")
KEY = new_workspace_key(WORKSPACE, 3)
TOKEN = new_session_token()
HOUR = timedelta(hours=1)

Opener = Callable[[MovableClock], KeyStore]


@pytest.fixture(scope="module")
def valkey() -> Iterator[Opener]:
    server = importlib.import_module("tests.contract.valkey_server")
    stores = importlib.import_module("workspace_memory.crypto.valkey_key_store")
    with server.running() as running:

        def fresh(clock: MovableClock) -> KeyStore:
            running.ask("FLUSHALL")
            return stores.ValkeyKeyStore(running.url, clock.now)

        yield fresh


@pytest.fixture(params=["ram", "valkey"])
def store(request: pytest.FixtureRequest, clock: MovableClock) -> KeyStore:
    if request.param == "ram":
        return RamKeyStore(clock.now)
    opener: Opener = request.getfixturevalue("valkey")
    return opener(clock)


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


def sealed(clock: MovableClock, session_id: str = "s-1", token: bytes = TOKEN) -> HeldKey:
    return held_key(KEY, token, session_id=session_id, user=ALICE, expires_at=clock.time + HOUR)


def put(store: KeyStore, clock: MovableClock, session_id: str = "s-1", token: bytes = TOKEN) -> None:
    store.put(
        session_id, sealed(clock, session_id, token), idle_seconds=IDLE_SECONDS, expires_at=clock.time + HOUR
    )


def borrowed(store: KeyStore, session_id: str = "s-1", token: bytes = TOKEN) -> WorkspaceKey:
    return store.borrow(session_id, token=token, user=ALICE, workspace=WORKSPACE)


def test_the_key_is_lent_to_whom_it_was_put_for(store: KeyStore, clock: MovableClock) -> None:
    put(store, clock)
    assert [borrowed(store), borrowed(store)] == [KEY, KEY]


def test_an_unknown_session_holds_nothing(store: KeyStore) -> None:
    for session_id in ("s-1", "", "a|b", "é", "\ud800"):
        with pytest.raises(KeySessionNotHeld):
            borrowed(store, session_id)


def test_every_part_of_the_question_has_to_fit(store: KeyStore, clock: MovableClock) -> None:
    put(store, clock)
    put(store, clock, "s-2", new_session_token())
    with pytest.raises(KeySessionNotHeld):
        borrowed(store, token=new_session_token())
    with pytest.raises(KeySessionNotHeld):
        borrowed(store, token=b"")
    with pytest.raises(KeySessionNotHeld):
        borrowed(store, "s-2")
    with pytest.raises(KeySessionNotHeld):
        store.borrow("s-1", token=TOKEN, user=BOB, workspace=WORKSPACE)
    with pytest.raises(KeySessionNotHeld):
        store.borrow("s-1", token=TOKEN, user=ALICE, workspace=ELSEWHERE)
    assert borrowed(store) == KEY


@pytest.mark.parametrize("seconds", [-1, 0, 1])
def test_the_absolute_expiry_is_half_open(store: KeyStore, clock: MovableClock, seconds: int) -> None:
    put(store, clock)
    clock.move(timedelta(minutes=25))
    borrowed(store)
    clock.move(timedelta(minutes=25))
    borrowed(store)
    clock.move(timedelta(minutes=10, seconds=seconds))
    if seconds < 0:
        assert borrowed(store) == KEY
    else:
        with pytest.raises(KeySessionNotHeld):
            borrowed(store)


def test_a_key_that_has_expired_already_is_not_lent(store: KeyStore, clock: MovableClock) -> None:
    entry = sealed(clock)
    clock.move(HOUR)
    store.put("s-1", entry, idle_seconds=IDLE_SECONDS, expires_at=clock.time)
    with pytest.raises(KeySessionNotHeld):
        borrowed(store)


def test_a_dropped_session_holds_nothing(store: KeyStore, clock: MovableClock) -> None:
    put(store, clock)
    store.drop("s-1")
    with pytest.raises(KeySessionNotHeld):
        borrowed(store)


def test_a_key_dropped_while_it_is_opened_is_not_lent(
    store: KeyStore, clock: MovableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, clock)
    opens = key_sessions.open_from_store

    def dropped_meanwhile(sealed: bytes, token: bytes, context: SessionContext, epoch: int) -> WorkspaceKey:
        store.drop("s-1")
        return opens(sealed, token, context, epoch)

    monkeypatch.setattr(key_sessions, "open_from_store", dropped_meanwhile)
    with pytest.raises(KeySessionNotHeld):
        borrowed(store)


def test_of_the_sessions_that_are_asked_for_those_with_a_key_are_named(
    store: KeyStore, clock: MovableClock
) -> None:
    assert store.held([]) == set()
    for session_id in ("s-1", "s-2", "s-3"):
        put(store, clock, session_id)
    store.drop("s-2")
    assert store.held(["s-1", "s-2", "s-9", "\ud800"]) == {"s-1"}


def test_asking_whether_a_key_is_held_is_no_use_of_it(clock: MovableClock) -> None:
    store = RamKeyStore(clock.now)
    put(store, clock)
    clock.move(timedelta(seconds=IDLE_SECONDS - 1))
    assert store.held(["s-1"]) == {"s-1"}
    clock.move(timedelta(seconds=1))
    assert store.held(["s-1"]) == set()


def test_dropping_what_is_not_there_is_no_error(store: KeyStore) -> None:
    store.drop("s-1")


def test_sessions_are_counted(store: KeyStore, clock: MovableClock) -> None:
    counts = [store.count()]
    for session_id in ("s-1", "s-2", "s-1"):
        put(store, clock, session_id)
        counts.append(store.count())
    store.drop("s-1")
    assert [*counts, store.count()] == [0, 1, 2, 2, 1]


def test_a_key_under_a_refreshed_token_replaces_the_one_before(store: KeyStore, clock: MovableClock) -> None:
    put(store, clock)
    refreshed = new_session_token()
    put(store, clock, token=refreshed)
    assert borrowed(store, token=refreshed) == KEY
    with pytest.raises(KeySessionNotHeld):
        borrowed(store)


def test_another_expiry_than_the_sealed_one_does_not_open(store: KeyStore, clock: MovableClock) -> None:
    store.put("s-1", sealed(clock), idle_seconds=IDLE_SECONDS, expires_at=clock.time + 2 * HOUR)
    with pytest.raises(SealBroken):
        borrowed(store)


def test_a_kept_key_that_was_changed_does_not_open(store: KeyStore, clock: MovableClock) -> None:
    entry = sealed(clock)
    for place in (0, 20, len(entry.sealed) - 1):
        changed = entry.sealed[:place] + bytes([entry.sealed[place] ^ 1]) + entry.sealed[place + 1 :]
        store.put(
            "s-1", replace(entry, sealed=changed), idle_seconds=IDLE_SECONDS, expires_at=clock.time + HOUR
        )
        with pytest.raises(SealBroken):
            borrowed(store)


def test_a_key_put_for_one_session_does_not_open_in_another(store: KeyStore, clock: MovableClock) -> None:
    store.put("s-2", sealed(clock, "s-1"), idle_seconds=IDLE_SECONDS, expires_at=clock.time + HOUR)
    with pytest.raises(SealBroken):
        borrowed(store, "s-2")


def test_many_threads_borrow_at_once(store: KeyStore, clock: MovableClock) -> None:
    put(store, clock)
    assert at_once(*[lambda: borrowed(store)] * 8) == [KEY] * 8


def test_the_defaults_are_half_an_hour_and_half_a_day() -> None:
    assert (IDLE_SECONDS, ABSOLUTE_SECONDS) == (1800, 43200)
