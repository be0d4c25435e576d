"""The store in the memory of this process; what both stores do is in tests/contract/test_key_stores.py."""

import gc
from datetime import UTC, datetime, timedelta

import pytest
from tests.unit.crypto.keys_made import ALICE, KEY, WORKSPACE

from workspace_memory.crypto import key_sessions
from workspace_memory.crypto.errors import KeySessionNotHeld, KeyStoreFull
from workspace_memory.crypto.key_sessions import IDLE_SECONDS, HeldKey, RamKeyStore, held_key
from workspace_memory.crypto.session_sealing import SessionContext, new_session_token
from workspace_memory.crypto.workspace_keys import WorkspaceKey

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
EXPIRES = START + timedelta(hours=12)
IDLE = timedelta(seconds=IDLE_SECONDS)
SECOND = timedelta(seconds=1)
TOKEN = new_session_token()


class Store(RamKeyStore):
    """A store with a clock that the test sets, and with alice's key under each name."""

    def __init__(self, capacity: int = 10) -> None:
        self.time = START
        super().__init__(lambda: self.time, capacity=capacity)

    def add(self, session_id: str = "s-1") -> None:
        self.put(session_id, entry(session_id), idle_seconds=IDLE_SECONDS, expires_at=EXPIRES)

    def key(self, session_id: str = "s-1", token: bytes = TOKEN) -> WorkspaceKey:
        return self.borrow(session_id, token=token, user=ALICE, workspace=WORKSPACE)


def entry(session_id: str = "s-1") -> HeldKey:
    return held_key(KEY, TOKEN, session_id=session_id, user=ALICE, expires_at=EXPIRES)


@pytest.mark.parametrize("by", [timedelta(0), SECOND])
def test_an_idle_key_is_evicted(by: timedelta) -> None:
    store = Store()
    store.add()
    store.time += IDLE + by
    with pytest.raises(KeySessionNotHeld):
        store.key()
    assert store.count() == 0


def test_use_begins_idling_anew() -> None:
    store = Store()
    store.add()
    for _ in range(5):
        store.time += IDLE - SECOND
        assert store.key() == KEY


def test_a_wrong_token_is_no_use() -> None:
    store = Store()
    store.add()
    store.time += IDLE - SECOND
    with pytest.raises(KeySessionNotHeld):
        store.key(token=new_session_token())
    store.time += SECOND
    with pytest.raises(KeySessionNotHeld):
        store.key()


def test_an_evicted_key_does_not_come_back_with_the_time() -> None:
    store = Store()
    store.add()
    store.time += IDLE
    assert store.count() == 0
    store.time = START
    with pytest.raises(KeySessionNotHeld):
        store.key()


def test_a_full_store_takes_no_more_but_replaces() -> None:
    store = Store(capacity=2)
    store.add("s-1")
    store.add("s-2")
    store.add("s-2")
    with pytest.raises(KeyStoreFull):
        store.add("s-3")
    assert store.count() == 2


def test_what_is_idle_makes_room() -> None:
    store = Store(capacity=1)
    store.add("s-1")
    store.time += IDLE
    store.add("s-2")
    assert store.key("s-2") == KEY


def test_a_key_replaced_while_it_is_opened_is_not_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store()
    store.add()
    opens = key_sessions.open_from_store

    def replaced_meanwhile(sealed: bytes, token: bytes, context: SessionContext, epoch: int) -> WorkspaceKey:
        store.add()
        return opens(sealed, token, context, epoch)

    monkeypatch.setattr(key_sessions, "open_from_store", replaced_meanwhile)
    with pytest.raises(KeySessionNotHeld):
        store.key()


def test_nothing_that_is_kept_holds_the_key_or_the_token() -> None:
    store = Store()
    store.add()
    store.key()
    reached: set[int] = set()
    todo: list[object] = [store._slots]  # pyright: ignore[reportPrivateUsage]  # what lies in RAM is the claim
    found: list[bytes] = []
    while todo:
        one = todo.pop()
        if id(one) in reached or isinstance(one, type):
            continue
        reached.add(id(one))
        if isinstance(one, bytes):
            found.append(one)
        todo.extend(gc.get_referents(one))
    assert len(found) == 2
    assert not any(secret in kept for kept in found for secret in (KEY.secret, TOKEN))


def test_no_representation_shows_what_is_kept() -> None:
    assert repr(entry()) == "HeldKey(user='alice', workspace='w-1', epoch=1)"
