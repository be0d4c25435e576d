"""How a workspace key travels into a key session, and how it lies there."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.crypto.keys_made import ALICE, BOB, ELSEWHERE, KEY, WORKSPACE, key_of, tampered

from workspace_memory.crypto.aead import derive_key, seal_bytes
from workspace_memory.crypto.errors import KeySessionNotHeld, SealBroken, WrongKey
from workspace_memory.crypto.packing import lp
from workspace_memory.crypto.session_sealing import (
    SessionContext,
    new_session_token,
    open_for_session,
    open_from_store,
    read_session_token,
    seal_for_session,
    seal_for_store,
    session_token_hash,
    write_session_token,
)
from workspace_memory.crypto.workspace_keys import WorkspaceKey, check_value, new_workspace_key
from workspace_memory.domain.ids import UserId, WorkspaceId

TOKEN = new_session_token()
REQUEST = seal_for_session(KEY, TOKEN, ALICE)
CHECK = check_value(KEY)
CONTEXT = SessionContext("s-1", ALICE, WORKSPACE, datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC))
STORED = seal_for_store(KEY, TOKEN, CONTEXT)


def received(
    sealed: bytes = REQUEST,
    token: bytes = TOKEN,
    *,
    user: UserId = ALICE,
    workspace: WorkspaceId = WORKSPACE,
    epoch: int = 1,
    check: bytes = CHECK,
) -> WorkspaceKey:
    return open_for_session(sealed, token, user=user, workspace=workspace, epoch=epoch, check=check)


def test_the_server_opens_and_proves_what_the_client_sealed() -> None:
    assert received() == KEY


def test_another_token_does_not_open_it() -> None:
    with pytest.raises(WrongKey):
        received(token=new_session_token())


def test_every_part_of_the_context_alone_is_bound() -> None:
    with pytest.raises(WrongKey):
        received(user=BOB)
    # With the check value that would fit, so that what refuses is the seal.
    with pytest.raises(WrongKey):
        received(workspace=ELSEWHERE, check=check_value(key_of(ELSEWHERE, 1)))
    with pytest.raises(WrongKey):
        received(epoch=2, check=check_value(key_of(WORKSPACE, 2)))


def test_a_changed_bit_anywhere_does_not_open() -> None:
    for changed in tampered(REQUEST):
        with pytest.raises(WrongKey):
            received(changed)


def test_a_key_that_is_not_the_workspaces_is_refused() -> None:
    wrong = seal_for_session(new_workspace_key(WORKSPACE), TOKEN, ALICE)
    with pytest.raises(WrongKey):
        received(wrong)


def test_what_is_sealed_but_no_key_is_refused() -> None:
    aad = lp("wm/v1/ks-open", ALICE, WORKSPACE, 1)
    with pytest.raises(WrongKey):
        received(seal_bytes(derive_key(TOKEN, "wm/v1/ks-open"), aad, b"short"))


@pytest.mark.parametrize("token", [b"", bytes(31)])
def test_a_token_that_could_be_guessed_is_not_used(token: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        seal_for_session(KEY, token, ALICE)
    with pytest.raises(ValueError, match="32 bytes"):
        seal_for_store(KEY, token, CONTEXT)
    aad = lp("wm/v1/ks-open", ALICE, WORKSPACE, 1)
    with pytest.raises(WrongKey):
        received(seal_bytes(derive_key(token, "wm/v1/ks-open"), aad, KEY.secret), token)


def test_an_access_token_of_oauth_serves_as_a_token() -> None:
    token = b"wm_oat_" + b"x" * 43
    assert received(seal_for_session(KEY, token, ALICE), token) == KEY


def test_a_kept_key_opens_with_its_token() -> None:
    assert open_from_store(STORED, TOKEN, CONTEXT, 1) == KEY


def test_what_a_kept_key_is_bound_to_is_that_of_the_page() -> None:
    assert CONTEXT.aad() == b"ks1|s-1|alice|w-1|1893553445"


@pytest.mark.parametrize(
    "other",
    [
        replace(CONTEXT, session_id="s-2"),
        replace(CONTEXT, user=BOB),
        replace(CONTEXT, workspace=ELSEWHERE),
        replace(CONTEXT, expires_at=CONTEXT.expires_at + timedelta(seconds=1)),
        replace(CONTEXT, expires_at=CONTEXT.expires_at - timedelta(seconds=1)),
    ],
)
def test_every_field_of_a_kept_key_alone_is_bound(other: SessionContext) -> None:
    with pytest.raises(SealBroken):
        open_from_store(STORED, TOKEN, other, 1)


def test_another_token_does_not_open_a_kept_key() -> None:
    with pytest.raises(SealBroken):
        open_from_store(STORED, new_session_token(), CONTEXT, 1)


def test_a_changed_bit_of_a_kept_key_does_not_open() -> None:
    for changed in tampered(STORED):
        with pytest.raises(SealBroken):
            open_from_store(changed, TOKEN, CONTEXT, 1)


def test_what_was_sent_is_not_what_is_kept() -> None:
    with pytest.raises(SealBroken):
        open_from_store(REQUEST, TOKEN, CONTEXT, 1)


def test_a_key_of_another_workspace_is_not_kept() -> None:
    with pytest.raises(ValueError, match="another workspace"):
        seal_for_store(new_workspace_key(ELSEWHERE), TOKEN, CONTEXT)


@pytest.mark.parametrize("context", [{"session_id": "a|b"}, {"user": "a|b"}, {"workspace": "a|b"}])
def test_parts_that_could_run_together_are_refused(context: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="vertical bar"):
        replace(CONTEXT, **context)


@given(st.binary(min_size=32, max_size=32))
def test_a_token_is_read_as_it_is_written(token: bytes) -> None:
    assert read_session_token(write_session_token(token)) == token


@pytest.mark.parametrize("text", ["", "a", "é" * 43, "=" * 43, "A" * 42, "A" * 44, "A" * 42 + "!", "\ud800"])
def test_what_is_no_token_holds_nothing(text: str) -> None:
    with pytest.raises(KeySessionNotHeld):
        read_session_token(text)


def test_a_token_is_known_by_its_sha_256() -> None:
    assert session_token_hash(b"abc").hex().startswith("ba7816bf8f01cfea")
