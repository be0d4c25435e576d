"""A person's keys: wrapped, opened, shown to nobody."""

import pickle
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from tests.unit.crypto.keys_made import ALICE, ALICE_KEYS, BOB, BOB_KEYS, tampered

from workspace_memory.crypto.aead import derive_key, open_bytes, seal_bytes
from workspace_memory.crypto.errors import SealBroken, WeakParameters, WrongKey
from workspace_memory.crypto.packing import lp
from workspace_memory.crypto.passphrases import FLOOR, PassphraseWork, key_encryption_key
from workspace_memory.crypto.recovery_keys import new_recovery_key
from workspace_memory.crypto.user_keys import (
    PublicKeys,
    UserKeys,
    change_passphrase,
    new_user_keys,
    unwrap_by_recovery,
    unwrap_keys,
    wrap_for_recovery,
    wrap_keys,
)

PUBLIC = ALICE_KEYS.public
WRAPPED = wrap_keys(ALICE_KEYS, ALICE, "tea")
MORE = wrap_keys(ALICE_KEYS, ALICE, "tea", work=PassphraseWork(passes=4))
RECOVERY = new_recovery_key()
BY_RECOVERY = wrap_for_recovery(ALICE_KEYS, ALICE, RECOVERY)


@pytest.fixture
def one_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Argon2id is done once: for tests that try hundreds of bytes under one passphrase."""
    kek = key_encryption_key("tea", WRAPPED.salt, WRAPPED.work)

    def known(*_: object) -> bytes:
        return kek

    monkeypatch.setattr("workspace_memory.crypto.user_keys.key_encryption_key", known)


def private_bytes(keys: UserKeys) -> bytes:
    return keys.receiving.private_bytes_raw() + keys.signing.private_bytes_raw()


def test_the_passphrase_opens_the_keys() -> None:
    assert private_bytes(unwrap_keys(WRAPPED, ALICE, "tea")) == private_bytes(ALICE_KEYS)


def test_the_recovery_key_opens_the_same_keys() -> None:
    keys = unwrap_by_recovery(BY_RECOVERY, ALICE, PUBLIC, RECOVERY)
    assert private_bytes(keys) == private_bytes(ALICE_KEYS)


@pytest.mark.usefixtures("one_work")
def test_the_bytes_are_those_of_the_page() -> None:
    kek = key_encryption_key("tea", WRAPPED.salt, WRAPPED.work)
    aad = lp("wm/v1/userkeys", ALICE, PUBLIC.x25519, PUBLIC.ed25519, WRAPPED.salt, 65536, 3, 4)
    assert open_bytes(kek, aad, WRAPPED.wrapped) == private_bytes(ALICE_KEYS)
    kek = derive_key(RECOVERY.secret, "wm/v1/recovery")
    aad = lp("wm/v1/recovery", ALICE, PUBLIC.x25519, PUBLIC.ed25519)
    assert open_bytes(kek, aad, BY_RECOVERY) == private_bytes(ALICE_KEYS)


def test_another_passphrase_does_not() -> None:
    with pytest.raises(WrongKey):
        unwrap_keys(WRAPPED, ALICE, "Tea")


def test_another_recovery_key_does_not() -> None:
    with pytest.raises(WrongKey):
        unwrap_by_recovery(BY_RECOVERY, ALICE, PUBLIC, new_recovery_key())


SWAPPED = [
    replace(PUBLIC, x25519=BOB_KEYS.public.x25519),
    replace(PUBLIC, ed25519=BOB_KEYS.public.ed25519),
    PublicKeys(PUBLIC.ed25519, PUBLIC.x25519),
    BOB_KEYS.public,
]


@pytest.mark.parametrize("public", SWAPPED)
def test_swapped_public_keys_do_not_open(public: PublicKeys) -> None:
    with pytest.raises(WrongKey):
        unwrap_keys(replace(WRAPPED, public=public), ALICE, "tea")
    with pytest.raises(WrongKey):
        unwrap_by_recovery(BY_RECOVERY, ALICE, public, RECOVERY)


@pytest.mark.usefixtures("one_work")
def test_each_part_of_the_context_alone_is_bound_even_where_the_key_is_the_same() -> None:
    changed = [
        *(replace(WRAPPED, public=public) for public in SWAPPED),
        replace(WRAPPED, salt=bytes(16)),
        *(replace(WRAPPED, work=replace(FLOOR, **{name: 9})) for name in ("memory_kib", "passes", "lanes")),
    ]
    assert private_bytes(unwrap_keys(WRAPPED, ALICE, "tea")) == private_bytes(ALICE_KEYS)
    for record in changed:
        with pytest.raises(WrongKey):
            unwrap_keys(record, ALICE, "tea")


@pytest.mark.usefixtures("one_work")
def test_the_keys_of_one_person_are_not_those_of_another() -> None:
    with pytest.raises(WrongKey):
        unwrap_keys(WRAPPED, BOB, "tea")
    with pytest.raises(WrongKey):
        unwrap_by_recovery(BY_RECOVERY, BOB, PUBLIC, RECOVERY)


def test_a_lower_work_is_refused_before_the_passphrase_is_used() -> None:
    with pytest.raises(WeakParameters):
        unwrap_keys(replace(MORE, work=PassphraseWork(passes=1)), ALICE, "tea")


def test_a_work_lowered_to_the_floor_does_not_open() -> None:
    with pytest.raises(WrongKey):
        unwrap_keys(replace(MORE, work=FLOOR), ALICE, "tea")


@pytest.mark.usefixtures("one_work")
def test_a_changed_bit_anywhere_does_not_open() -> None:
    for changed in tampered(WRAPPED.wrapped):
        with pytest.raises(WrongKey):
            unwrap_keys(replace(WRAPPED, wrapped=changed), ALICE, "tea")
    for changed in tampered(BY_RECOVERY):
        with pytest.raises(WrongKey):
            unwrap_by_recovery(changed, ALICE, PUBLIC, RECOVERY)


@pytest.mark.usefixtures("one_work")
def test_keys_that_are_not_those_of_the_public_ones_are_refused() -> None:
    kek = key_encryption_key("tea", WRAPPED.salt, WRAPPED.work)
    aad = lp("wm/v1/userkeys", ALICE, PUBLIC.x25519, PUBLIC.ed25519, WRAPPED.salt, 65536, 3, 4)
    for private in (private_bytes(BOB_KEYS), private_bytes(ALICE_KEYS)[:32], b""):
        with pytest.raises(WrongKey):
            unwrap_keys(replace(WRAPPED, wrapped=seal_bytes(kek, aad, private)), ALICE, "tea")


def test_what_one_way_wraps_the_other_does_not_open() -> None:
    with pytest.raises(WrongKey):
        unwrap_by_recovery(WRAPPED.wrapped, ALICE, PUBLIC, RECOVERY)


def test_a_changed_passphrase_keeps_the_keys_and_what_the_recovery_key_wraps() -> None:
    changed = change_passphrase(WRAPPED, ALICE, "tea", "coffee")
    assert private_bytes(unwrap_keys(changed, ALICE, "coffee")) == private_bytes(ALICE_KEYS)
    assert (changed.salt == WRAPPED.salt, changed.public) == (False, PUBLIC)
    assert unwrap_by_recovery(BY_RECOVERY, ALICE, changed.public, RECOVERY).public == PUBLIC
    with pytest.raises(WrongKey):
        unwrap_keys(changed, ALICE, "tea")


def test_only_the_right_passphrase_is_changed() -> None:
    with pytest.raises(WrongKey):
        change_passphrase(WRAPPED, ALICE, "coffee", "tea")


def test_a_wrong_key_is_a_broken_seal_that_names_its_cause() -> None:
    assert issubclass(WrongKey, SealBroken)
    assert "passphrase" in str(WrongKey())


def test_a_fingerprint_is_8_groups_over_both_keys() -> None:
    fingerprints = {public.fingerprint() for public in (PUBLIC, *SWAPPED)}
    assert len(fingerprints) == 5
    assert {tuple(map(len, text.split(" "))) for text in fingerprints} == {(4,) * 8}


@pytest.mark.parametrize(("x25519", "ed25519"), [(b"", bytes(32)), (bytes(32), bytes(33))])
def test_public_keys_have_32_bytes(x25519: bytes, ed25519: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        PublicKeys(x25519, ed25519)


def test_no_representation_shows_private_keys() -> None:
    assert repr(new_user_keys()) == "UserKeys()"
    assert WRAPPED.wrapped.hex() not in repr(WRAPPED)
    assert repr(WRAPPED.wrapped) not in repr(WRAPPED)


def test_private_keys_cannot_be_pickled() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(ALICE_KEYS)


# RFC 7748, 5.2.
@pytest.mark.parametrize(
    ("scalar", "point", "expected"),
    [
        (
            "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
            "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
        ),
        (
            "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
            "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
            "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
        ),
    ],
)
def test_the_librarys_x25519_is_that_of_the_rfc(scalar: str, point: str, expected: str) -> None:
    private = X25519PrivateKey.from_private_bytes(bytes.fromhex(scalar))
    assert private.exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(point))).hex() == expected
