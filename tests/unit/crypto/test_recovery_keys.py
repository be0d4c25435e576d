"""Recovery keys as people write them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.crypto.errors import Mistake, RecoveryKeyMistyped
from workspace_memory.crypto.recovery_keys import RecoveryKey, base32, new_recovery_key, read_recovery_key

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
WRITTEN = RecoveryKey(bytes(range(32))).written()
KEYS = st.builds(RecoveryKey, st.binary(min_size=32, max_size=32))


def test_it_is_written_in_14_groups_of_4() -> None:
    assert re.fullmatch(f"([{ALPHABET}]{{4}} ){{13}}[{ALPHABET}]{{4}}", new_recovery_key().written())


@given(KEYS)
def test_what_is_written_is_read(key: RecoveryKey) -> None:
    assert read_recovery_key(key.written()) == key


@given(KEYS, st.data())
def test_it_is_read_as_people_type_it(key: RecoveryKey, data: st.DataObject) -> None:
    looks_like = {"0": "0Oo", "1": "1IiLl"}
    typed = "".join(
        data.draw(st.sampled_from(looks_like.get(c, c + c.lower())))
        + data.draw(st.sampled_from(["", " ", "-", "–", "\n"]))
        for c in key.written().replace(" ", "")
    )
    assert read_recovery_key(typed) == key


@given(KEYS, st.integers(0, 55), st.sampled_from(ALPHABET))
def test_one_wrong_character_is_noticed(key: RecoveryKey, place: int, character: str) -> None:
    text = key.written().replace(" ", "")
    typed = text[:place] + character + text[place + 1 :]
    if typed == text:
        return
    with pytest.raises(RecoveryKeyMistyped, match="checksum") as caught:
        read_recovery_key(typed)
    assert caught.value.mistake is Mistake.CHECKSUM


def test_two_swapped_characters_are_noticed() -> None:
    text = WRITTEN.replace(" ", "")
    for place in range(len(text) - 1):
        swapped = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
        if swapped != text:
            with pytest.raises(RecoveryKeyMistyped, match="checksum"):
                read_recovery_key(swapped)


@pytest.mark.parametrize("typed", [WRITTEN[:-1], WRITTEN + "0", WRITTEN[5:], "", " - "])
def test_a_wrong_length_is_named(typed: str) -> None:
    with pytest.raises(RecoveryKeyMistyped, match="56") as caught:
        read_recovery_key(typed)
    assert caught.value.mistake is Mistake.LENGTH


@pytest.mark.parametrize("character", ["U", "u", "*", "ß", "\ud800", "é"])
def test_a_foreign_character_is_named_by_its_group(character: str) -> None:
    text = "0" * 9 + character + "0" * 46
    with pytest.raises(RecoveryKeyMistyped, match="group 3") as caught:
        read_recovery_key(text)
    assert caught.value.mistake is Mistake.CHARACTER


def test_no_error_shows_what_was_typed() -> None:
    text = new_recovery_key().written()
    for typed in (text[:-1], text[:-1] + "U", text[5:] + " 0000"):
        with pytest.raises(RecoveryKeyMistyped) as caught:
            read_recovery_key(typed)
        assert not any(group in str(caught.value) for group in text.split())


def test_no_representation_shows_it() -> None:
    key = RecoveryKey(b"tea!" * 8)
    assert repr(key) == "RecoveryKey()"


def test_a_recovery_key_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        RecoveryKey(b"short")


def test_base32_keeps_leading_zeros() -> None:
    assert base32(bytes(5)) == "00000000"
    assert base32(b"\x00\x00\x00\x00\x1f") == "0000000Z"
