"""The client's half of the keys against the real service: two members, lost and changed secrets, and a lying server.

A lying server is the real one behind a transport that changes its answers, as somebody would who holds it. Passphrases
cost what they cost in real life.
"""

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
from tests.conftest import World
from tests.e2e.conftest import Live
from tests.e2e.rest_calls import PASSWORD, Rest

from workspace_memory.client import WorkspaceMemory
from workspace_memory.client.document_answers import SealedRevision
from workspace_memory.client.key_errors import (
    KeyDistrusted,
    KeysLocked,
    NotConfirmed,
    PinnedKeyChanged,
    RecoveryKeyMistyped,
    ServerRolledBack,
    WaitingForKey,
    WrongSecret,
)
from workspace_memory.client.keys import Acquaintance, Keyholder
from workspace_memory.client.known_keys import EPOCH, KnownKeys
from workspace_memory.client.memory_document import MemoryDocument
from workspace_memory.client.open_notes import Notes
from workspace_memory.crypto.errors import SealBroken
from workspace_memory.crypto.grants import make_grant
from workspace_memory.crypto.session_sealing import read_session_token
from workspace_memory.crypto.user_keys import UserKeys, new_user_keys
from workspace_memory.crypto.workspace_keys import WorkspaceKey, check_value, new_workspace_key
from workspace_memory.domain.access import MemberStatus, Role
from workspace_memory.domain.document_errors import (
    EpochConflict,
    KeyLost,
    KeysExist,
    KeysMissing,
    KeyStillHeld,
)
from workspace_memory.domain.errors import NotAuthenticated, NotFound, SignInRefused
from workspace_memory.domain.ids import UserId
from workspace_memory.services.members import change_member, remove_member
from workspace_memory.services.session_keys import borrow_key, find_session

PASSPHRASE = "a long walk along the river"
Answer = dict[str, Any]
Lie = Callable[[str, str, Answer], None]


class Liar(httpx2.BaseTransport):
    """Passes requests on and lets a lie change the JSON of what comes back."""

    def __init__(self) -> None:
        self._honest = httpx2.HTTPTransport(verify=False)
        self.lie: Lie | None = None

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        response = self._honest.handle_request(request)
        content = response.read()
        if self.lie is not None and response.status_code < 300 and content:
            told = json.loads(content)
            self.lie(request.method, request.url.path, told)
            content = json.dumps(told).encode()
        return httpx2.Response(response.status_code, json=json.loads(content) if content else None)

    def close(self) -> None:
        self._honest.close()


@dataclass
class Person:
    """One of the cast with a client, and what the client remembers."""

    user: UserId
    memory: WorkspaceMemory
    liar: Liar
    known: KnownKeys
    holder: Keyholder
    recovery_key: str = ""


@dataclass
class Members:
    """The cast's clients."""

    live: Live
    folder: Path
    stack: ExitStack
    people: dict[str, Person] = field(default_factory=dict[str, Person])

    @property
    def world(self) -> World:
        return self.live.world

    def join(self, name: str, *, set_up: bool = True) -> Person:
        """A client of one of the cast, with keys."""
        user = cast("UserId", getattr(self.world, name))
        liar = Liar()
        memory = WorkspaceMemory(self.live.url, self.live.token(user), transport=liar)
        self.stack.enter_context(memory)
        known = KnownKeys(self.folder / f"{name}.json", server=memory.url)
        person = Person(user, memory, liar, known, Keyholder(memory, known))
        if set_up:
            person.recovery_key = person.holder.set_up_keys(PASSPHRASE)
        self.people[name] = person
        return person

    def another_device(self, person: Person) -> Keyholder:
        """The same person where nothing is remembered."""
        return Keyholder(person.memory, KnownKeys(None, server=person.memory.url))


@pytest.fixture
def members(live: Live, tmp_path: Path) -> Iterator[Members]:
    with ExitStack() as stack:
        yield Members(live, tmp_path, stack)


def nobody_asks(shown: Acquaintance) -> bool:
    raise AssertionError(f"{shown.name} is known already")


def compares_with(person: Person) -> Callable[[Acquaintance], bool]:
    """Somebody who compares what is shown with what the person's own client shows."""
    return lambda shown: shown.fingerprint == person.holder.fingerprint()


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


# --- What works ----------------------------------------------------------------------------------------------


def test_two_members_share_a_key_and_use_it(members: Members) -> None:
    alice, bob = members.join("alice"), members.join("bob")
    key = alice.holder.start_workspace_key()
    with pytest.raises(WaitingForKey, match="alice"):
        bob.holder.workspace_key()
    shown: list[Acquaintance] = []

    def confirm(who: Acquaintance) -> bool:
        shown.append(who)
        return True

    alice.holder.grant(bob.user, confirm)
    assert [(each.name, each.fingerprint, each.known) for each in shown] == [
        ("bob", bob.holder.fingerprint(), False)
    ]
    assert bob.holder.workspace_key() == alice.holder.workspace_key() == key
    token = read_session_token(bob.holder.open_key_session("laptop"))
    world = members.world
    with world.deps.database.read() as tx:
        session = find_session(world.deps, tx, bob.user, world.workspace, token)
    assert borrow_key(world.deps.key_store, session, token) == key
    assert [(each.name, each.id) for each in bob.memory.list_key_sessions()] == [("laptop", session.id)]
    bob.memory.revoke_key_session(session.id)
    assert bob.memory.list_key_sessions() == ()
    bob.holder.open_key_session("phone")
    bob.memory.revoke_key_session_by_id(bob.memory.list_key_sessions()[0].id)
    assert bob.memory.list_key_sessions() == ()


def test_passphrase_and_recovery_key_open_the_same_keys_anywhere(members: Members) -> None:
    alice = members.join("alice")
    key = alice.holder.start_workspace_key()
    fingerprint = alice.holder.fingerprint()
    elsewhere = members.another_device(alice)
    with pytest.raises(KeysLocked):
        elsewhere.workspace_key()
    with pytest.raises(WrongSecret):
        elsewhere.unlock("another passphrase")
    elsewhere.unlock(PASSPHRASE)
    assert (elsewhere.fingerprint(), elsewhere.workspace_key()) == (fingerprint, key)
    elsewhere.lock()
    with pytest.raises(KeysLocked):
        elsewhere.workspace_key()
    elsewhere.unlock_by_recovery(alice.recovery_key.lower().replace(" ", "-"))
    assert elsewhere.workspace_key() == key
    with pytest.raises(RecoveryKeyMistyped):
        elsewhere.unlock_by_recovery(alice.recovery_key[:-1])


def test_a_changed_passphrase_only_wraps_anew(members: Members) -> None:
    alice = members.join("alice")
    key = alice.holder.start_workspace_key()
    elsewhere = members.another_device(alice)
    elsewhere.unlock_by_recovery(alice.recovery_key)
    elsewhere.change_passphrase("another walk, along the sea")
    with pytest.raises(WrongSecret):
        elsewhere.unlock(PASSPHRASE)
    elsewhere.unlock("another walk, along the sea")
    assert elsewhere.workspace_key() == key
    elsewhere.unlock_by_recovery(alice.recovery_key)
    written = elsewhere.new_recovery_key()
    with pytest.raises(WrongSecret):
        elsewhere.unlock_by_recovery(alice.recovery_key)
    elsewhere.unlock_by_recovery(written)
    elsewhere.unlock("another walk, along the sea")
    assert elsewhere.workspace_key() == key


def test_keys_are_set_up_once(members: Members) -> None:
    alice = members.join("alice")
    with pytest.raises(KeysExist):
        members.another_device(alice).set_up_keys("another passphrase")
    with pytest.raises(NotFound):
        members.join("bob", set_up=False).holder.unlock(PASSPHRASE)


def test_after_a_leaver_the_next_client_makes_a_new_key(members: Members) -> None:
    world = members.world
    alice, bob, carol = (members.join(name) for name in ("alice", "bob", "carol"))
    first = alice.holder.start_workspace_key()
    alice.holder.grant(bob.user, compares_with(bob))
    alice.holder.grant(carol.user, compares_with(carol))
    assert alice.holder.rotate(nobody_asks) == first, "nothing is due yet"
    remove_member(world.deps, world.by_hand(alice.user), world.workspace, carol.user)
    second = alice.holder.rotate(nobody_asks)
    assert second.epoch == 2
    assert alice.holder.keyring() == bob.holder.keyring() == {1: first, 2: second}
    with pytest.raises(NotAuthenticated):
        carol.memory.workspace_keys()


def test_who_rotates_is_shown_whoever_is_not_known_yet(members: Members) -> None:
    alice, bob, carol = (members.join(name) for name in ("alice", "bob", "carol"))
    alice.holder.start_workspace_key()
    alice.holder.grant(bob.user, compares_with(bob))
    alice.holder.grant(carol.user, compares_with(carol))
    with pytest.raises(NotConfirmed):
        bob.holder.rotate(lambda _: False, even_if_not_due=True)
    assert bob.holder.workspace_key().epoch == 1
    names: list[str] = []

    def confirm(shown: Acquaintance) -> bool:
        names.append(shown.name)
        return shown.fingerprint == members.people[shown.name].holder.fingerprint()

    bob.holder.rotate(confirm, even_if_not_due=True)
    assert names == ["alice", "carol"]
    assert carol.holder.workspace_key() == alice.holder.workspace_key()


def test_lost_keys_are_replaced_and_granted_again(members: Members, rest: Rest) -> None:
    rest.give_password("bob@example.com")
    alice, bob = members.join("alice"), members.join("bob")
    alice.holder.start_workspace_key()
    alice.holder.grant(bob.user, compares_with(bob))
    with WorkspaceMemory(members.live.url, workspace=members.world.workspace) as memory:
        memory.sign_in("bob@example.com", PASSWORD)
        lost = Keyholder(memory, KnownKeys(None, server=memory.url))
        with pytest.raises(SignInRefused):
            lost.replace_keys("a third passphrase", password="not the password at all")
        lost.replace_keys("a third passphrase", password=PASSWORD)
        with pytest.raises(WaitingForKey):
            lost.workspace_key()
        alice.holder.rotate(nobody_asks)
        with pytest.raises(PinnedKeyChanged):
            alice.holder.grant(bob.user, nobody_asks)
        alice.holder.trust_again(bob.user, lambda shown: shown.fingerprint == lost.fingerprint())
        with pytest.raises(NotConfirmed):
            # Also who is known is shown before a key is passed on.
            alice.holder.grant(bob.user, lambda _: False)
        alice.holder.grant(bob.user, lambda shown: shown.known)
        assert lost.workspace_key() == alice.holder.workspace_key()


def test_nothing_is_granted_to_nobody(members: Members) -> None:
    alice = members.join("alice")
    alice.holder.start_workspace_key()
    with pytest.raises(KeysMissing):
        alice.holder.grant(members.world.bob, nobody_asks)
    with pytest.raises(NotFound):
        alice.holder.grant(members.world.mallory, nobody_asks)
    with pytest.raises(EpochConflict):
        alice.holder.start_workspace_key()


# --- A lying server ------------------------------------------------------------------------------------------


def swap_keys(user: UserId, keys: UserKeys) -> Lie:
    """Show the server's own public keys in the place of a member's."""

    def lie(method: str, path: str, told: Answer) -> None:
        for member in told.get("members", []):
            if member["user_id"] == user:
                public = keys.public
                member["public_keys"] = {"x25519": text(public.x25519), "ed25519": text(public.ed25519)}

    return lie


def test_swapped_keys_show_another_fingerprint(members: Members) -> None:
    alice, bob = members.join("alice"), members.join("bob")
    alice.holder.start_workspace_key()
    alice.liar.lie = swap_keys(bob.user, new_user_keys())
    with pytest.raises(NotConfirmed):
        alice.holder.grant(bob.user, compares_with(bob))
    alice.liar.lie = None
    with pytest.raises(WaitingForKey):
        bob.holder.workspace_key()


def test_swapped_keys_of_a_known_member_are_refused_without_asking(members: Members) -> None:
    alice, bob = members.join("alice"), members.join("bob")
    alice.holder.start_workspace_key()
    alice.holder.grant(bob.user, compares_with(bob))
    alice.liar.lie = swap_keys(bob.user, new_user_keys())
    with pytest.raises(PinnedKeyChanged, match="STOP"):
        alice.holder.rotate(nobody_asks, even_if_not_due=True)
    with pytest.raises(PinnedKeyChanged):
        alice.holder.grant(bob.user, nobody_asks)
    alice.liar.lie = None
    assert bob.holder.workspace_key().epoch == 1


def forged_grant(person: Person, key: WorkspaceKey, keys: UserKeys, granter: UserId) -> Lie:
    """Give a member a key of the server's own, said to come from somebody else, with a fitting check value."""

    def lie(method: str, path: str, told: Answer) -> None:
        if "own_grant" not in told:
            return
        public = cast("UserKeys", person.holder._keys).public  # pyright: ignore[reportPrivateUsage]  the liar knows it
        grant = make_grant(key, member=person.user, member_keys=public, granter=granter, granter_keys=keys)
        told["own_grant"] = {
            "granter_id": granter,
            "granter_ed25519": text(keys.public.ed25519),
            "member_public": text(public.x25519),
            "sealed": text(grant.sealed),
            "signature": text(grant.signature),
            "created_at": "2026-11-02T09:00:00Z",
        }
        told["epochs"][0]["check_value"] = text(check_value(key))
        swap_keys(granter, keys)(method, path, told)

    return lie


def test_a_key_of_the_servers_own_is_not_taken_for_the_granters(members: Members) -> None:
    alice, bob = members.join("alice"), members.join("bob")
    key = alice.holder.start_workspace_key()
    alice.holder.grant(bob.user, compares_with(bob))
    assert bob.holder.workspace_key() == key
    servers = new_workspace_key(members.world.workspace)
    bob.liar.lie = forged_grant(bob, servers, new_user_keys(), alice.user)
    with pytest.raises(PinnedKeyChanged, match="alice"):
        bob.holder.workspace_key()
    alice.liar.lie = forged_grant(alice, servers, new_user_keys(), alice.user)
    with pytest.raises(KeyDistrusted, match="not signed"):
        alice.holder.open_key_session("laptop")


def test_a_granted_key_has_to_fit_its_check_value(members: Members) -> None:
    alice = members.join("alice")
    alice.holder.start_workspace_key()

    def lie(method: str, path: str, told: Answer) -> None:
        for epoch in told.get("epochs", []):
            epoch["check_value"] = text(bytes(32))

    alice.liar.lie = lie
    with pytest.raises(KeyDistrusted, match="check value"):
        alice.holder.workspace_key()


def test_an_epoch_that_this_client_has_seen_cannot_be_taken_back(members: Members) -> None:
    alice = members.join("alice")
    alice.holder.start_workspace_key()
    before: list[Answer] = []

    def watch(method: str, path: str, told: Answer) -> None:
        if method == "GET" and "own_grant" in told:
            before.append(json.loads(json.dumps(told)))

    alice.liar.lie = watch
    alice.holder.rotate(nobody_asks, even_if_not_due=True)

    def lie(method: str, path: str, told: Answer) -> None:
        if "own_grant" in told:
            told.update(before[0])

    alice.liar.lie = lie
    with pytest.raises(ServerRolledBack, match="epoch"):
        alice.holder.open_key_session("laptop")
    assert alice.known.mark(members.world.workspace, EPOCH) == 2


def test_a_chain_with_a_gap_is_no_young_workspace(members: Members) -> None:
    alice = members.join("alice")
    alice.holder.start_workspace_key()
    alice.holder.rotate(nobody_asks, even_if_not_due=True)

    def lie(method: str, path: str, told: Answer) -> None:
        if "epochs" in told:
            del told["epochs"][1:]
            told["epochs"][0]["older_sealed"] = None

    alice.liar.lie = lie
    with pytest.raises(KeyDistrusted, match="left out"):
        alice.holder.keyring()


# --- A key that nobody holds any more ------------------------------------------------------------------------


def lost_by_bob(members: Members) -> tuple[Person, WorkspaceKey]:
    """Alice with keys of her own, after bob, the only one who held the workspace's, was removed."""
    world, alice, bob = members.world, members.join("alice"), members.join("bob")
    key = bob.holder.start_workspace_key()
    remove_member(world.deps, world.by_hand(alice.user), world.workspace, bob.user)
    return alice, key


def test_a_lost_key_is_told_and_begun_anew_by_naming_it(members: Members) -> None:
    alice, _ = lost_by_bob(members)
    with pytest.raises(WaitingForKey, match="Nobody holds the key"):
        alice.holder.workspace_key()
    for wrong in (None, 2):
        with pytest.raises(EpochConflict):
            alice.holder.start_workspace_key(lost_epoch=wrong)
    key = alice.holder.start_workspace_key(lost_epoch=1)
    assert alice.holder.keyring() == {2: key}
    third = alice.holder.rotate(nobody_asks, even_if_not_due=True)
    assert alice.holder.keyring() == {2: key, 3: third}


def test_a_key_that_is_held_is_not_begun_anew(members: Members) -> None:
    alice, bob = members.join("alice"), members.join("bob")
    bob.holder.start_workspace_key()

    def lie(method: str, path: str, told: Answer) -> None:
        if "nobody_holds" in told:
            told["nobody_holds"] = True

    with pytest.raises(KeyStillHeld):
        alice.holder.start_workspace_key(lost_epoch=1)
    alice.liar.lie = lie
    # The service decides by itself, whatever the client was told.
    with pytest.raises(KeyStillHeld):
        alice.holder.start_workspace_key(lost_epoch=1)


def test_a_key_that_this_client_has_opened_cannot_be_said_to_be_lost(members: Members) -> None:
    alice = members.join("alice")
    alice.holder.start_workspace_key()
    for _ in range(2):
        alice.holder.rotate(nobody_asks, even_if_not_due=True)
    alice.holder.keyring()

    def lie(method: str, path: str, told: Answer) -> None:
        if "epochs" in told:
            told["epochs"][0]["older_sealed"] = None

    alice.liar.lie = lie
    with pytest.raises(KeyDistrusted, match="said to be lost"):
        alice.holder.keyring()


def test_a_key_that_was_lost_later_than_this_client_looked_is_believed(members: Members) -> None:
    alice, bob = members.join("alice"), members.join("bob")
    alice.holder.start_workspace_key()
    alice.holder.rotate(nobody_asks, even_if_not_due=True)
    alice.holder.keyring()
    world = members.world
    change_member(world.deps, world.by_hand(alice.user), world.workspace, bob.user, role=Role.ADMIN)
    change_member(
        world.deps, world.by_hand(bob.user), world.workspace, alice.user, status=MemberStatus.DEACTIVATED
    )
    key = bob.holder.start_workspace_key(lost_epoch=2)
    change_member(
        world.deps, world.by_hand(bob.user), world.workspace, alice.user, status=MemberStatus.ACTIVE
    )
    bob.holder.grant(alice.user, compares_with(alice))
    assert alice.holder.keyring() == {3: key}
    assert alice.holder.keyring() == {3: key}


def test_a_server_cannot_pass_another_version_or_text_off(
    members: Members, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = members.join("bob")
    bob.holder.start_workspace_key()
    document = MemoryDocument(bob.memory, bob.holder.keyring(), bob.user, bob.holder.known)
    document.save("one\n", document.read())
    old = bob.memory.get_document()
    document.save("two\n", document.read())
    new = bob.memory.get_document()
    assert old.newest is not None
    assert new.newest is not None
    note = Notes(bob.memory, bob.holder.keyring(), bob.user).create("a.md", "a note")
    sealed_note = bob.memory.get_note(note.id).newest

    for answer in (
        replace(new, newest=old.newest),
        replace(new, newest=replace(new.newest, ciphertext=None)),
        replace(new, newest=None),
        replace(new, version=sealed_note.version, newest=sealed_note),
    ):
        monkeypatch.setattr(bob.memory, "get_document", lambda answer=answer: answer)
        with pytest.raises((SealBroken, ServerRolledBack)):
            document.read()
    monkeypatch.undo()
    passed_off = bob.memory.document_version(1), replace(sealed_note, version=2)
    for version in passed_off:

        def document_version(_number: int, version: SealedRevision = version) -> SealedRevision:
            return version

        monkeypatch.setattr(bob.memory, "document_version", document_version)
        with pytest.raises(SealBroken):
            document.version(2)


def test_the_next_version_is_bound_to_what_came_and_not_to_a_claim(
    members: Members, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = members.join("bob")
    bob.holder.start_workspace_key()
    document = MemoryDocument(bob.memory, bob.holder.keyring(), bob.user)
    document.save("one\n", document.read())
    told = bob.memory.get_document()
    assert told.newest is not None
    claimed = replace(told, newest=replace(told.newest, sha256=bytes(32)))
    monkeypatch.setattr(bob.memory, "get_document", lambda: claimed)
    assert document.read().sha256 == told.newest.sha256


def test_what_a_lost_key_sealed_is_told_apart_and_written_over(members: Members) -> None:
    world, bob, alice = members.world, members.join("bob"), members.join("alice")
    bob.holder.start_workspace_key()
    theirs = MemoryDocument(bob.memory, bob.holder.keyring(), bob.user)
    theirs.save("likes tea\n", theirs.read())
    note = Notes(bob.memory, bob.holder.keyring(), bob.user).create("a.md", "one")
    remove_member(world.deps, world.by_hand(alice.user), world.workspace, bob.user)
    alice.holder.start_workspace_key(lost_epoch=1)
    ours = MemoryDocument(alice.memory, alice.holder.keyring(), alice.user)
    notes = Notes(alice.memory, alice.holder.keyring(), alice.user)
    for read in (
        ours.read,
        lambda: ours.version(1),
        lambda: notes.read("a.md"),
        lambda: notes.version(note, 1),
    ):
        with pytest.raises(KeyLost):
            read()
    assert ours.save("likes coffee\n", ours.head()).version == 2
    assert ours.clear(ours.head()).version == 3
    assert ours.read().text == ""
    assert notes.save("two", notes.head("a.md")).version == 2
    assert notes.read("a.md").text == "two"


def test_a_weakened_passphrase_is_not_followed(members: Members) -> None:
    alice = members.join("alice")

    def lie(method: str, path: str, told: Answer) -> None:
        if "wrapping" in told:
            told["wrapping"]["memory_kib"] = 64

    alice.liar.lie = lie
    with pytest.raises(KeyDistrusted, match="weaken"):
        members.another_device(alice).unlock(PASSPHRASE)


def test_other_own_keys_do_not_open_by_the_passphrase(members: Members) -> None:
    alice = members.join("alice")
    public = new_user_keys().public

    def lie(method: str, path: str, told: Answer) -> None:
        if "wrapping" in told:
            told["public_keys"] = {"x25519": text(public.x25519), "ed25519": text(public.ed25519)}

    alice.liar.lie = lie
    with pytest.raises(WrongSecret):
        members.another_device(alice).unlock(PASSPHRASE)
    with pytest.raises(KeyDistrusted, match="not those that you opened"):
        alice.holder.change_passphrase("another passphrase")
    alice.liar.lie = None
    members.another_device(alice).unlock(PASSPHRASE)


def test_a_public_key_of_another_length_is_no_key(members: Members) -> None:
    alice, bob = members.join("alice"), members.join("bob")
    alice.holder.start_workspace_key()

    def lie(method: str, path: str, told: Answer) -> None:
        for member in told.get("members", []):
            if member["user_id"] == bob.user:
                member["public_keys"]["x25519"] = text(bytes(31))

    alice.liar.lie = lie
    with pytest.raises(KeyDistrusted, match="32 bytes"):
        alice.holder.grant(bob.user, nobody_asks)
