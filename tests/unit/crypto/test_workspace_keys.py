"""Workspace keys: proved, signed, chained."""

import pytest
from tests.unit.crypto.keys_made import (
    ALICE_KEYS,
    ELSEWHERE,
    KEY,
    MALLORY_KEYS,
    WORKSPACE,
    key_of,
    tampered,
)

from workspace_memory.crypto.aead import seal_bytes
from workspace_memory.crypto.errors import GrantRefused, SealBroken
from workspace_memory.crypto.packing import lp
from workspace_memory.crypto.user_keys import PublicKeys
from workspace_memory.crypto.workspace_keys import (
    WorkspaceKey,
    check_value,
    new_workspace_key,
    open_chain,
    open_older,
    proves,
    require_check_of,
    sign_check,
    wrap_older,
)
from workspace_memory.domain.ids import WorkspaceId

KEYS = {epoch: new_workspace_key(WORKSPACE, epoch) for epoch in range(1, 6)}
CHAIN = {epoch: wrap_older(KEYS[epoch + 1], KEYS[epoch]) for epoch in range(1, 5)}
CHECK = check_value(KEY)
SIGNATURE = sign_check(ALICE_KEYS, WORKSPACE, 1, CHECK)


def test_a_key_is_proved_by_its_check_value() -> None:
    assert proves(KEY, CHECK)


@pytest.mark.parametrize("other", [new_workspace_key(WORKSPACE), key_of(ELSEWHERE, 1), key_of(WORKSPACE, 2)])
def test_another_key_workspace_or_epoch_is_not(other: WorkspaceKey) -> None:
    assert not proves(other, CHECK)


@pytest.mark.parametrize("check", [b"", CHECK[:-1], CHECK + b"\x00", bytes(32)])
def test_another_check_value_proves_nothing(check: bytes) -> None:
    assert not proves(KEY, check)


def test_a_check_value_is_signed_by_its_maker() -> None:
    require_check_of(ALICE_KEYS.public, WORKSPACE, 1, CHECK, SIGNATURE)


def test_the_signed_bytes_are_those_of_the_page() -> None:
    assert ALICE_KEYS.sign(lp("wm/v1/check-sig", WORKSPACE, 1, CHECK)) == SIGNATURE


@pytest.mark.parametrize(
    ("maker", "workspace", "epoch", "check"),
    [
        (MALLORY_KEYS.public, WORKSPACE, 1, CHECK),
        (ALICE_KEYS.public, ELSEWHERE, 1, CHECK),
        (ALICE_KEYS.public, WORKSPACE, 2, CHECK),
        (ALICE_KEYS.public, WORKSPACE, 1, bytes(32)),
    ],
)
def test_each_part_of_a_signed_check_value_alone_is_bound(
    maker: PublicKeys, workspace: WorkspaceId, epoch: int, check: bytes
) -> None:
    with pytest.raises(GrantRefused):
        require_check_of(maker, workspace, epoch, check, SIGNATURE)


def test_a_changed_signature_is_refused() -> None:
    for changed in tampered(SIGNATURE):
        with pytest.raises(GrantRefused):
            require_check_of(ALICE_KEYS.public, WORKSPACE, 1, CHECK, changed)


def test_the_newest_key_opens_the_chain() -> None:
    assert open_chain(KEYS[5], CHAIN) == KEYS


def test_a_young_workspace_has_a_chain_of_one() -> None:
    assert open_chain(KEYS[1], {}) == {1: KEYS[1]}


def test_a_key_does_not_open_what_is_newer() -> None:
    assert open_chain(KEYS[3], CHAIN) == {epoch: KEYS[epoch] for epoch in (1, 2, 3)}


@pytest.mark.parametrize("missing", [1, 2, 3, 4])
def test_a_missing_link_is_noticed(missing: int) -> None:
    with pytest.raises(SealBroken):
        open_chain(KEYS[5], {epoch: link for epoch, link in CHAIN.items() if epoch != missing})


def test_swapped_links_do_not_open() -> None:
    with pytest.raises(SealBroken):
        open_chain(KEYS[5], {**CHAIN, 2: CHAIN[3], 3: CHAIN[2]})


@pytest.mark.parametrize(("workspace", "epoch"), [(ELSEWHERE, 2), (WORKSPACE, 3)])
def test_workspace_and_epochs_of_a_link_are_bound(workspace: WorkspaceId, epoch: int) -> None:
    with pytest.raises(SealBroken):
        open_older(key_of(workspace, epoch, like=KEYS[2]), CHAIN[1])


def test_a_changed_link_does_not_open() -> None:
    for changed in tampered(CHAIN[1]):
        with pytest.raises(SealBroken):
            open_older(KEYS[2], changed)


def test_a_link_that_holds_no_key_does_not_open() -> None:
    wrapped = seal_bytes(KEYS[2].derived("wm/v1/older"), lp("wm/v1/older", WORKSPACE, 2, 1), b"short")
    with pytest.raises(SealBroken):
        open_older(KEYS[2], wrapped)


@pytest.mark.parametrize(
    ("newer", "older"), [(KEYS[3], KEYS[1]), (KEYS[1], KEYS[2]), (KEYS[2], key_of(ELSEWHERE, 1))]
)
def test_only_the_next_epoch_of_a_workspace_keeps_a_key(newer: WorkspaceKey, older: WorkspaceKey) -> None:
    with pytest.raises(ValueError, match="next epoch"):
        wrap_older(newer, older)


@pytest.mark.parametrize(("epoch", "secret"), [(0, bytes(32)), (1, bytes(31)), (1, b"")])
def test_a_key_has_32_bytes_and_an_epoch_from_1(epoch: int, secret: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes and an epoch"):
        WorkspaceKey(WORKSPACE, epoch, secret)


def test_no_representation_shows_a_key() -> None:
    assert repr(KEY) == "WorkspaceKey(workspace='w-1', epoch=1)"
