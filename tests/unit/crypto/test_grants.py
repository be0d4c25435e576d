"""Grants of workspace keys."""

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from tests.unit.crypto.keys_made import (
    ALICE,
    ALICE_KEYS,
    BOB,
    BOB_KEYS,
    ELSEWHERE,
    KEY,
    MALLORY,
    MALLORY_KEYS,
    WORKSPACE,
    tampered,
)
from tests.vectors import hpke_by_hand

from workspace_memory.crypto.errors import GrantRefused, SealBroken
from workspace_memory.crypto.grants import (
    SUITE,
    Grant,
    GrantContext,
    check_grant,
    make_grant,
    open_grant,
)
from workspace_memory.crypto.packing import lp
from workspace_memory.crypto.user_keys import PublicKeys, UserKeys
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.ids import UserId, WorkspaceId

GRANT = make_grant(KEY, member=BOB, member_keys=BOB_KEYS.public, granter=ALICE, granter_keys=ALICE_KEYS)
CONTEXT = GrantContext(WORKSPACE, 1, BOB, BOB_KEYS.public.x25519, ALICE)
OTHERS: dict[str, object] = {
    "workspace": ELSEWHERE,
    "epoch": 2,
    "member": MALLORY,
    "member_x25519": MALLORY_KEYS.public.x25519,
    "granter": MALLORY,
}
RFC9180 = json.loads((Path(__file__).parents[2] / "vectors" / "rfc9180.json").read_text())


def opened(
    grant: Grant = GRANT,
    *,
    workspace: WorkspaceId = WORKSPACE,
    epoch: int = 1,
    member: UserId = BOB,
    member_keys: UserKeys = BOB_KEYS,
    granter: UserId = ALICE,
    granter_keys: PublicKeys = ALICE_KEYS.public,
) -> WorkspaceKey:
    return open_grant(
        grant,
        workspace=workspace,
        epoch=epoch,
        member=member,
        member_keys=member_keys,
        granter=granter,
        granter_keys=granter_keys,
    )


def signed_again(context: GrantContext, sealed: bytes = GRANT.sealed) -> Grant:
    """As alice's client would sign it: what then refuses is the seal alone."""
    return Grant(sealed, ALICE_KEYS.sign(lp("wm/v1/grant-sig", context.info(), sealed)))


def test_a_member_opens_the_grant() -> None:
    assert opened() == KEY


def test_the_signed_bytes_are_those_of_the_page() -> None:
    info = lp("wm/v1/grant", WORKSPACE, 1, BOB, BOB_KEYS.public.x25519, ALICE)
    assert ALICE_KEYS.sign(lp("wm/v1/grant-sig", info, GRANT.sealed)) == GRANT.signature
    assert SUITE.decrypt(GRANT.sealed, BOB_KEYS.receiving, info=info) == KEY.secret


@pytest.mark.parametrize("name", [field.name for field in fields(GrantContext)])
def test_every_field_of_the_context_alone_is_signed(name: str) -> None:
    with pytest.raises(GrantRefused):
        check_grant(GRANT, replace(CONTEXT, **{name: OTHERS[name]}), ALICE_KEYS.public)


def test_every_field_of_the_context_alone_is_bound_by_the_seal_too() -> None:
    def re_signed(name: str) -> Grant:
        return signed_again(replace(CONTEXT, **{name: OTHERS[name]}))

    with pytest.raises(SealBroken):
        opened(re_signed("workspace"), workspace=ELSEWHERE)
    with pytest.raises(SealBroken):
        opened(re_signed("epoch"), epoch=2)
    with pytest.raises(SealBroken):
        opened(re_signed("member"), member=MALLORY)
    with pytest.raises(SealBroken):
        opened(re_signed("granter"), granter=MALLORY)


def test_somebody_else_does_not_open_it() -> None:
    grant = signed_again(replace(CONTEXT, member_x25519=MALLORY_KEYS.public.x25519))
    with pytest.raises(SealBroken):
        opened(grant, member_keys=MALLORY_KEYS)


def test_a_grant_that_the_server_made_is_refused() -> None:
    forged = make_grant(
        KEY, member=BOB, member_keys=BOB_KEYS.public, granter=ALICE, granter_keys=MALLORY_KEYS
    )
    with pytest.raises(GrantRefused):
        opened(forged)


def test_swapped_keys_of_the_granter_are_refused() -> None:
    with pytest.raises(GrantRefused):
        opened(granter_keys=MALLORY_KEYS.public)


def test_a_changed_bit_anywhere_is_refused() -> None:
    for changed in tampered(GRANT.sealed):
        with pytest.raises(GrantRefused):
            opened(replace(GRANT, sealed=changed))
    for changed in tampered(GRANT.signature):
        with pytest.raises(GrantRefused):
            opened(replace(GRANT, signature=changed))


def test_a_changed_bit_is_refused_by_the_seal_too() -> None:
    for changed in tampered(GRANT.sealed):
        with pytest.raises(SealBroken):
            opened(signed_again(CONTEXT, changed))


def test_what_is_sealed_and_signed_but_no_key_does_not_open() -> None:
    sealed = SUITE.encrypt(b"short", BOB_KEYS.receiving.public_key(), info=CONTEXT.info())
    with pytest.raises(SealBroken):
        opened(signed_again(CONTEXT, sealed))


@pytest.mark.parametrize("point", [bytes(32), b"\x01" + bytes(31)])
def test_nothing_is_sealed_to_a_key_that_everybody_could_open(point: bytes) -> None:
    public = PublicKeys(point, BOB_KEYS.public.ed25519)
    with pytest.raises(GrantRefused):
        make_grant(KEY, member=BOB, member_keys=public, granter=ALICE, granter_keys=ALICE_KEYS)


def test_no_representation_shows_a_grant() -> None:
    assert repr(GRANT) == "Grant()"


@pytest.mark.parametrize("vector", RFC9180, ids=["AES-128-GCM", "AES-256-GCM"])
def test_hpke_written_out_is_that_of_rfc_9180(vector: dict[str, str | int | dict[str, str]]) -> None:
    def raw(name: str) -> bytes:
        return bytes.fromhex(str(vector[name]))

    first = vector["encryption"]
    assert isinstance(first, dict)
    aead, aad, plain = int(str(vector["aead_id"])), bytes.fromhex(first["aad"]), bytes.fromhex(first["pt"])
    sealed = hpke_by_hand.seal(plain, raw("pkRm"), raw("skEm"), raw("info"), aead=aead, aad=aad)
    assert sealed == raw("enc") + bytes.fromhex(first["ct"])
    receiver = X25519PrivateKey.from_private_bytes(raw("skRm"))
    assert hpke_by_hand.open_sealed(sealed, receiver, raw("info"), aead=aead, aad=aad) == plain
    shared = hpke_by_hand.shared_secret(receiver, raw("enc"), raw("enc"), raw("pkRm"))
    assert shared == raw("shared_secret")
    assert hpke_by_hand.key_and_nonce(shared, raw("info"), aead) == (raw("key"), raw("base_nonce"))


def test_the_library_and_hpke_written_out_open_each_other() -> None:
    receiver = BOB_KEYS.receiving
    by_hand = hpke_by_hand.seal(b"tea", BOB_KEYS.public.x25519, bytes(range(32)), b"info")
    assert SUITE.decrypt(by_hand, receiver, info=b"info") == b"tea"
    by_library = SUITE.encrypt(b"tea", receiver.public_key(), info=b"info")
    assert hpke_by_hand.open_sealed(by_library, receiver, b"info") == b"tea"
