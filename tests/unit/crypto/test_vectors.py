"""The frozen vectors of wm/v1: today's code makes them, and opens what they hold."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import cast

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from tests.vectors import make

from workspace_memory.crypto.envelope import (
    Context,
    MessageContext,
    ProposalContext,
    RevisionContext,
    open_sealed,
)
from workspace_memory.crypto.grants import Grant, open_grant
from workspace_memory.crypto.key_wrapping import is_signed_by
from workspace_memory.crypto.packing import lp
from workspace_memory.crypto.passphrases import FLOOR
from workspace_memory.crypto.recovery_keys import read_recovery_key
from workspace_memory.crypto.session_sealing import SessionContext, open_for_session, open_from_store
from workspace_memory.crypto.user_keys import (
    PublicKeys,
    WrappedKeys,
    unwrap_by_recovery,
    unwrap_keys,
    user_keys_from,
)
from workspace_memory.crypto.workspace_keys import WorkspaceKey, open_older, proves, require_check_of
from workspace_memory.domain.ids import UserId, WorkspaceId
from workspace_memory.domain.user_key import Wrapping


class Case:
    """One record of the file."""

    def __init__(self, record: dict[str, object]) -> None:
        self.record = record

    def text(self, name: str) -> str:
        return cast("str", self.record[name])

    def number(self, name: str) -> int:
        return cast("int", self.record[name])

    def raw(self, name: str) -> bytes:
        return bytes.fromhex(self.text(name))


def cases(primitive: str) -> list[Case]:
    kept = cast("dict[str, list[dict[str, object]]]", json.loads(make.FILE.read_text()))
    return [Case(record) for record in kept[primitive]]


def test_todays_code_makes_the_same_vectors() -> None:
    assert make.rendered() == make.FILE.read_text()


@pytest.mark.parametrize("case", cases("user_keys"))
def test_wrapped_keys_open(case: Case) -> None:
    public = PublicKeys(case.raw("x25519_public"), case.raw("ed25519_public"))
    user = UserId(case.text("user"))
    record = WrappedKeys(public, case.raw("salt"), FLOOR, case.raw("wrapped"))
    assert unwrap_keys(record, user, case.text("passphrase")).public == public
    recovery = read_recovery_key(case.text("recovery_key_written"))
    assert unwrap_by_recovery(case.raw("recovery_wrapped"), user, public, recovery).public == public


@pytest.mark.parametrize("case", cases("workspace_keys"))
def test_check_values_prove_their_keys(case: Case) -> None:
    workspace, epoch, check = WorkspaceId(case.text("workspace")), case.number("epoch"), case.raw("check")
    assert proves(WorkspaceKey(workspace, epoch, case.raw("key")), check)
    maker = PublicKeys(bytes(32), case.raw("check_maker_ed25519"))
    require_check_of(maker, workspace, epoch, check, case.raw("check_signature"))


@pytest.mark.parametrize("case", cases("grants"))
def test_grants_open(case: Case) -> None:
    key = open_grant(
        Grant(case.raw("sealed"), case.raw("signature")),
        workspace=WorkspaceId(case.text("workspace")),
        epoch=case.number("epoch"),
        member=UserId(case.text("member")),
        member_keys=user_keys_from(case.raw("member_x25519_private"), bytes(32)),
        granter=UserId(case.text("granter")),
        granter_keys=PublicKeys(bytes(32), case.raw("granter_ed25519_public")),
    )
    assert key.secret == case.raw("key")


@pytest.mark.parametrize("case", cases("older_keys"))
def test_older_keys_open(case: Case) -> None:
    newer = WorkspaceKey(
        WorkspaceId(case.text("workspace")), case.number("newer_epoch"), case.raw("newer_key")
    )
    assert open_older(newer, case.raw("wrapped")).secret == case.raw("older_key")


CONTEXTS: dict[str, Callable[..., Context]] = {
    context.label: context for context in (RevisionContext, MessageContext, ProposalContext)
}


@pytest.mark.parametrize("case", cases("sealed"))
def test_sealed_texts_open(case: Case) -> None:
    named = cast("dict[str, object]", case.record["context"])
    if "previous" in named:
        named = {**named, "previous": bytes.fromhex(cast("str", named["previous"]))}
    context = CONTEXTS[case.text("label")](**named)
    assert context.aad() == case.raw("aad")
    key = WorkspaceKey(context.workspace, context.epoch, case.raw("key"))
    assert open_sealed(key, context, case.raw("sealed")) == case.text("text")


@pytest.mark.parametrize("case", cases("rewrap_signatures"))
def test_a_new_wrapping_is_signed_by_its_owner_over_the_bytes_of_the_page(case: Case) -> None:
    user, version = UserId(case.text("user")), case.number("version")
    public = PublicKeys(case.raw("x25519_public"), case.raw("ed25519_public"))
    work = (case.number("memory_kib"), case.number("passes"), case.number("lanes"))
    sealed = (case.raw("wrapped"), case.raw("recovery_wrapped"))
    signature = case.raw("signature")
    assert is_signed_by(public, user, version, Wrapping(case.raw("salt"), *work, *sealed), signature)
    keys = (public.x25519, public.ed25519)
    signed = lp("wm/v1/rewrap-sig", user, version, *keys, case.raw("salt"), *work, *sealed)
    Ed25519PublicKey.from_public_bytes(public.ed25519).verify(signature, signed)


@pytest.mark.parametrize("case", cases("key_sessions"))
def test_keys_of_sessions_open(case: Case) -> None:
    user, workspace = UserId(case.text("user")), WorkspaceId(case.text("workspace"))
    key = open_for_session(
        case.raw("open_request"),
        case.raw("token"),
        user=user,
        workspace=workspace,
        epoch=case.number("epoch"),
        check=case.raw("check"),
    )
    assert key.secret == case.raw("key")
    expires_at = datetime.fromtimestamp(case.number("expires_at"), UTC)
    context = SessionContext(case.text("session_id"), user, workspace, expires_at)
    assert open_from_store(case.raw("stored"), case.raw("token"), context, key.epoch) == key
