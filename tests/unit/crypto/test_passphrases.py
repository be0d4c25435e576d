"""Keys from passphrases: normal form, floor and ceiling."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from workspace_memory.crypto import passphrases
from workspace_memory.crypto.aead import derive_key
from workspace_memory.crypto.errors import NotText, WeakParameters
from workspace_memory.crypto.passphrases import CEILING, FLOOR, PassphraseWork, key_encryption_key, new_salt

SALT = b"0123456789abcdef"


def test_the_floor_is_the_second_set_of_rfc_9106() -> None:
    assert PassphraseWork(memory_kib=65536, passes=3, lanes=4) == FLOOR


def test_the_key_is_argon2id_and_then_hkdf() -> None:
    stretched = Argon2id(salt=SALT, length=32, iterations=3, lanes=4, memory_cost=65536).derive(b"tea")
    assert key_encryption_key("tea", SALT, FLOOR) == derive_key(stretched, "wm/v1/kek")


# RFC 9106, 5.3, and two of the reference program, which the RFC's authors wrote.
@pytest.mark.parametrize(
    ("secret", "ad", "passphrase", "expected"),
    [
        (
            b"\x03" * 8,
            b"\x04" * 12,
            b"\x01" * 32,
            "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659",
        ),
        (None, None, b"\x01" * 32, "03aab965c12001c9d7d0d2de33192c0494b684bb148196d73c1df1acaf6d0c2e"),
        (None, None, b"", "0a34f1abde67086c82e785eaf17c68382259a264f4e61b91cd2763cb75ac189a"),
    ],
)
def test_the_librarys_argon2id_is_that_of_the_rfc(
    secret: bytes | None, ad: bytes | None, passphrase: bytes, expected: str
) -> None:
    argon2 = Argon2id(
        salt=b"\x02" * 16, length=32, iterations=3, lanes=4, memory_cost=32, ad=ad, secret=secret
    )
    assert argon2.derive(passphrase).hex() == expected


def test_a_passphrase_is_the_same_however_its_characters_are_composed() -> None:
    composed, decomposed = "Ångström", "A\u030angstro\u0308m"
    assert key_encryption_key(composed, SALT, FLOOR) == key_encryption_key(decomposed, SALT, FLOOR)


def test_case_and_blanks_of_a_passphrase_matter() -> None:
    keys = {key_encryption_key(text, SALT, FLOOR) for text in ("tea", "Tea", "tea ")}
    assert len(keys) == 3


def _outside() -> Iterator[PassphraseWork]:
    for name in ("memory_kib", "passes", "lanes"):
        for value in (getattr(FLOOR, name) - 1, 0, -1, getattr(CEILING, name) + 1, 2**32, 2**70):
            yield replace(FLOOR, **{name: value})


@pytest.mark.parametrize("work", list(_outside()))
def test_weaker_and_endless_work_is_refused_before_anything_is_computed(
    work: PassphraseWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passphrases, "Argon2id", None)
    with pytest.raises(WeakParameters, match="outside of"):
        key_encryption_key("tea", SALT, work)


@pytest.mark.parametrize("salt", [b"", SALT[:-1], SALT + b"x"])
def test_a_salt_has_16_bytes(salt: bytes) -> None:
    with pytest.raises(WeakParameters, match="salt"):
        key_encryption_key("tea", salt, FLOOR)


def test_more_work_than_the_floor_is_done() -> None:
    more = PassphraseWork(memory_kib=65536, passes=4, lanes=4)
    assert key_encryption_key("tea", SALT, more) != key_encryption_key("tea", SALT, FLOOR)


def test_half_a_character_is_no_passphrase() -> None:
    with pytest.raises(NotText):
        key_encryption_key("\ud800", SALT, FLOOR)


def test_salts_differ() -> None:
    assert len({new_salt() for _ in range(8)}) == 8
