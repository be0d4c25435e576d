"""What a client remembers: keys once compared, signers once met, marks that never go down, in one file."""

import os
from pathlib import Path

import pytest

from workspace_memory.client.key_errors import KnownKeysUnreadable, PinnedKeyChanged, ServerRolledBack
from workspace_memory.client.known_keys import DOCUMENT, EPOCH, KnownKeys
from workspace_memory.crypto.user_keys import new_user_keys
from workspace_memory.domain.ids import UserId, WorkspaceId

SERVER = "https://memory.example.com"
BOB, CAROL = UserId("bob"), UserId("carol")
HERE, ELSEWHERE = WorkspaceId("w-1"), WorkspaceId("w-2")
KEYS, OTHERS = new_user_keys().public, new_user_keys().public


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "known-keys.json"


def known(path: Path, server: str = SERVER) -> KnownKeys:
    """Each time another client: nothing is remembered but by the file."""
    return KnownKeys(path, server=server)


def test_a_compared_key_is_known_to_every_client_of_the_file(path: Path) -> None:
    assert known(path).accepted(BOB) is None
    known(path).accept(BOB, KEYS)
    assert known(path).accepted(BOB) == KEYS
    known(path).require(BOB, "bob", KEYS)
    assert known(path).accepted(CAROL) is None


def test_another_key_is_refused_with_both_fingerprints(path: Path) -> None:
    known(path).accept(BOB, KEYS)
    with pytest.raises(PinnedKeyChanged) as refused:
        known(path).require(BOB, "bob", OTHERS)
    for said in (KEYS.fingerprint(), OTHERS.fingerprint(), "bob", "STOP"):
        assert said in str(refused.value)


def test_half_of_a_key_that_is_another_is_another_key(path: Path) -> None:
    known(path).accept(BOB, KEYS)
    for swapped in (
        type(KEYS)(KEYS.x25519, OTHERS.ed25519),
        type(KEYS)(OTHERS.x25519, KEYS.ed25519),
    ):
        with pytest.raises(PinnedKeyChanged):
            known(path).require(BOB, "bob", swapped)


def test_nobody_is_known_by_being_met(path: Path) -> None:
    known(path).require(BOB, "bob", KEYS)
    assert known(path).accepted(BOB) is None


def test_a_signer_is_trusted_on_first_use_and_held_against_the_next(path: Path) -> None:
    known(path).require_signer(BOB, "bob", KEYS.ed25519)
    known(path).require_signer(BOB, "bob", KEYS.ed25519)
    with pytest.raises(PinnedKeyChanged):
        known(path).require_signer(BOB, "bob", OTHERS.ed25519)


def test_what_was_signed_with_keys_accepted_before_stays_right(path: Path) -> None:
    known(path).accept(BOB, KEYS)
    known(path).accept(BOB, OTHERS)
    assert known(path).accepted(BOB) == OTHERS
    for keys in (KEYS, OTHERS):
        known(path).require_signer(BOB, "bob", keys.ed25519)


def test_a_signer_who_was_only_met_is_forgotten_once_the_person_is_compared(path: Path) -> None:
    known(path).require_signer(BOB, "bob", OTHERS.ed25519)
    known(path).accept(BOB, KEYS)
    with pytest.raises(PinnedKeyChanged):
        known(path).require_signer(BOB, "bob", OTHERS.ed25519)


def test_marks_only_go_up(path: Path) -> None:
    assert known(path).mark(HERE, DOCUMENT) == 0
    known(path).advance(HERE, DOCUMENT, 7)
    known(path).advance(HERE, DOCUMENT, 7)
    with pytest.raises(ServerRolledBack) as refused:
        known(path).advance(HERE, DOCUMENT, 6)
    assert (refused.value.seen, refused.value.presented) == (7, 6)
    assert [known(path).mark(HERE, DOCUMENT), known(path).mark(HERE, EPOCH)] == [7, 0]
    known(path).advance(ELSEWHERE, DOCUMENT, 1)


def test_what_another_client_of_the_user_saw_meanwhile_is_no_rollback(path: Path) -> None:
    seen = known(path).mark(HERE, DOCUMENT)
    known(path).advance(HERE, DOCUMENT, 7)
    known(path).advance(HERE, DOCUMENT, 6, seen=seen)
    assert known(path).mark(HERE, DOCUMENT) == 7
    with pytest.raises(ServerRolledBack):
        known(path).advance(HERE, DOCUMENT, 6, seen=7)


def test_one_service_does_not_inherit_the_trust_in_another(path: Path) -> None:
    known(path).accept(BOB, KEYS)
    known(path).advance(HERE, DOCUMENT, 7)
    other = known(path, "https://rivals.example.com")
    assert other.accepted(BOB) is None
    other.advance(HERE, DOCUMENT, 1)
    assert known(path, f"{SERVER}/").accepted(BOB) == KEYS


def test_the_file_is_its_owners_and_whole(path: Path) -> None:
    for number in range(1, 5):
        known(path).advance(HERE, DOCUMENT, number)
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"https://memory.example.com": []}',
        '{"https://memory.example.com": {"people": {"bob": [{"x25519": "AAAA", "ed25519": "AAAA"}]}}}',
        '{"https://memory.example.com": {"marks": {"w-1": {"document": -1}}}}',
    ],
)
def test_a_damaged_file_is_refused_and_not_begun_again(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(KnownKeysUnreadable):
        known(path).accepted(BOB)
    with pytest.raises(KnownKeysUnreadable):
        known(path).accept(BOB, KEYS)
    assert path.read_text() == text


def test_what_cannot_be_remembered_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(KnownKeysUnreadable):
        known(tmp_path / "file" / "known-keys.json").accept(BOB, KEYS)


def test_without_a_file_it_lasts_as_long_as_the_object() -> None:
    one = KnownKeys(None, server=SERVER)
    one.accept(BOB, KEYS)
    assert one.accepted(BOB) == KEYS
    assert KnownKeys(None, server=SERVER).accepted(BOB) is None
