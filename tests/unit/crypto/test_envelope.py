"""Seals of documents, notes, messages and proposals."""

import hmac
from dataclasses import fields, replace

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.crypto.keys_made import ALICE, BOB, ELSEWHERE, KEY, WORKSPACE, key_of, tampered

from workspace_memory.crypto.envelope import (
    NO_PREVIOUS,
    TITLE_SEQUENCE,
    Context,
    MessageContext,
    ProposalContext,
    RevisionContext,
    ciphertext_hash,
    idempotency_mac,
    is_empty_sealed,
    open_sealed,
    seal,
    sealed_text_bytes,
)
from workspace_memory.crypto.errors import NotText, SealBroken
from workspace_memory.crypto.workspace_keys import WorkspaceKey, new_workspace_key

REVISION = RevisionContext(WORKSPACE, "memory.md", 1, 3, b"\x07" * 32, 2, "save", ALICE)
MESSAGE = MessageContext(WORKSPACE, "c-1", 4, 1)
PROPOSAL = ProposalContext(WORKSPACE, "p-1", 1, 3, 2)
CONTEXTS = [REVISION, MESSAGE, PROPOSAL]

# One other value per field, also such that a missing length or order would not notice.
OTHERS: dict[str, list[object]] = {
    "workspace": [ELSEWHERE],
    "path": ["memory.mdx", "Memory.md", ""],
    "epoch": [2],
    "version": [2, 4],
    "previous": [NO_PREVIOUS, b"\x08" * 32],
    "clear_generation": [1, 3],
    "kind": ["undo", "clear", "capture"],
    "author": [BOB],
    "conversation": ["c-2"],
    "sequence": [5, TITLE_SEQUENCE],
    "proposal": ["p-2"],
    "base": [2, 4],
}
CHANGED = [
    pytest.param(context, field.name, value, id=f"{context.label} {field.name}={value}")
    for context in CONTEXTS
    for field in fields(context)
    for value in OTHERS[field.name]
]


@given(st.sampled_from(CONTEXTS), st.text(st.characters(exclude_categories=["Cs"])))
def test_what_is_sealed_opens(context: Context, text: str) -> None:
    assert open_sealed(KEY, context, seal(KEY, context, text)) == text


@pytest.mark.parametrize("text", ["", "\ufefftea", "a\r\nb\n", "\x00", "🍵" * 1000])
def test_a_text_comes_back_byte_for_byte(text: str) -> None:
    assert open_sealed(KEY, REVISION, seal(KEY, REVISION, text)) == text


@pytest.mark.parametrize(("context", "name", "value"), CHANGED)
def test_every_field_of_the_context_alone_is_bound(context: Context, name: str, value: object) -> None:
    sealed = seal(KEY, context, "tea")
    other = replace(context, **{name: value})
    # The same secret, so that what refuses is the associated data.
    key = key_of(other.workspace, other.epoch)
    with pytest.raises(SealBroken):
        open_sealed(key, other, sealed)


def test_the_same_fields_under_another_label_do_not_open() -> None:
    with pytest.raises(SealBroken):
        open_sealed(KEY, ProposalContext(WORKSPACE, "c-1", 4, 1, 0), seal(KEY, MESSAGE, "tea"))


@pytest.mark.parametrize("context", CONTEXTS)
def test_a_changed_bit_anywhere_does_not_open(context: Context) -> None:
    for changed in tampered(seal(KEY, context, "tea")):
        with pytest.raises(SealBroken):
            open_sealed(KEY, context, changed)


def test_another_key_does_not_open() -> None:
    with pytest.raises(SealBroken):
        open_sealed(new_workspace_key(WORKSPACE), REVISION, seal(KEY, REVISION, "tea"))


@pytest.mark.parametrize("key", [key_of(ELSEWHERE, 1), key_of(WORKSPACE, 2)])
def test_a_key_of_another_workspace_or_epoch_neither_seals_nor_opens(key: WorkspaceKey) -> None:
    with pytest.raises(ValueError, match="another workspace or epoch"):
        seal(key, REVISION, "tea")
    with pytest.raises(SealBroken):
        open_sealed(key, REVISION, seal(KEY, REVISION, "tea"))


def test_two_seals_of_one_text_differ() -> None:
    assert seal(KEY, REVISION, "tea") != seal(KEY, REVISION, "tea")


def test_the_bytes_are_those_of_the_page() -> None:
    aad = b"".join(
        len(part).to_bytes(4, "big") + part
        for part in (
            b"wm/v1/doc",
            b"w-1",
            b"memory.md",
            (1).to_bytes(8, "big"),
            (3).to_bytes(8, "big"),
            b"\x07" * 32,
            (2).to_bytes(8, "big"),
            b"save",
            b"alice",
        )
    )
    # HKDF-SHA-256 with an empty salt for one block, written out (RFC 5869).
    extracted = hmac.digest(bytes(32), KEY.secret, "sha256")
    key = hmac.digest(extracted, b"wm/v1/doc\x01", "sha256")
    sealed = seal(KEY, REVISION, "tea")
    assert AESGCM(key).decrypt(sealed[:12], sealed[12:], aad) == b"tea"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_length_is_known_without_a_key(text: str) -> None:
    sealed = seal(KEY, MESSAGE, text)
    assert sealed_text_bytes(sealed) == len(text.encode())
    assert is_empty_sealed(sealed) == (text == "")


@pytest.mark.parametrize("length", [0, 12, 27])
def test_what_is_too_short_is_no_seal(length: int) -> None:
    with pytest.raises(SealBroken):
        sealed_text_bytes(bytes(length))
    with pytest.raises(SealBroken):
        is_empty_sealed(bytes(length))


def test_a_text_with_half_a_character_is_not_sealed() -> None:
    with pytest.raises(NotText):
        seal(KEY, REVISION, "tea \ud800")


def test_sealed_bytes_that_are_no_text_do_not_open_and_are_in_no_error() -> None:
    nonce = bytes(12)
    sealed = nonce + AESGCM(KEY.derived("wm/v1/doc")).encrypt(nonce, b"secret \xff", REVISION.aad())
    with pytest.raises(SealBroken) as caught:
        open_sealed(KEY, REVISION, sealed)
    assert caught.value.__context__ is None


def test_a_previous_hash_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        replace(REVISION, previous=b"")


def test_a_hash_is_of_the_ciphertext() -> None:
    one, other = seal(KEY, REVISION, "tea"), seal(KEY, REVISION, "tea")
    assert len(ciphertext_hash(one)) == 32
    assert ciphertext_hash(one) != ciphertext_hash(other)


@pytest.mark.parametrize("nonce", [b"", bytes(11), bytes(13)])
def test_a_nonce_has_12_bytes(nonce: bytes) -> None:
    with pytest.raises(ValueError, match="12 bytes"):
        seal(KEY, REVISION, "tea", nonce)


def test_the_same_body_has_the_same_mac_in_any_order() -> None:
    assert idempotency_mac(KEY, {"a": 1, "b": [2]}) == idempotency_mac(KEY, {"b": [2], "a": 1})


def test_another_body_or_key_has_another_mac() -> None:
    macs = {
        idempotency_mac(KEY, {"a": 1}),
        idempotency_mac(KEY, {"a": 2}),
        idempotency_mac(KEY, {"a": "1"}),
        idempotency_mac(new_workspace_key(WORKSPACE), {"a": 1}),
    }
    assert len(macs) == 4
