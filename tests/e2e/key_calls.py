"""Bodies of the routes about keys, made by the cast's own keys (tests/contract/keyed.py)."""

import base64

from tests.contract.keyed import a_wrapping, public_of
from tests.e2e.rest_calls import Json

from workspace_memory.crypto.session_sealing import new_session_token, seal_for_session, write_session_token
from workspace_memory.crypto.user_keys import UserKeys, new_user_keys
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.ids import UserId
from workspace_memory.domain.user_key import Wrapping
from workspace_memory.services.workspace_keys import MadeCheck, MadeGrant


def b64(raw: bytes) -> str:
    """Base64url without padding, by another hand than the product's."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def wrapping_json(wrapping: Wrapping) -> Json:
    return {
        "salt": b64(wrapping.salt),
        "memory_kib": wrapping.memory_kib,
        "passes": wrapping.passes,
        "lanes": wrapping.lanes,
        "wrapped": b64(wrapping.wrapped),
        "recovery_wrapped": b64(wrapping.recovery_wrapped),
    }


def public_json(keys: UserKeys) -> Json:
    public = public_of(keys)
    return {"x25519": b64(public.x25519), "ed25519": b64(public.ed25519)}


def keys_json(keys: UserKeys | None = None, wrapping: Wrapping | None = None) -> Json:
    """A body that sets keys up."""
    return {
        "public_keys": public_json(keys or new_user_keys()),
        "wrapping": wrapping_json(wrapping or a_wrapping()),
    }


def grant_json(grant: MadeGrant) -> Json:
    return {
        "member_id": grant.member,
        "member_public": b64(grant.member_public),
        "sealed": b64(grant.sealed),
        "signature": b64(grant.signature),
    }


def check_json(check: MadeCheck) -> Json:
    return {"check_value": b64(check.value), "check_signature": b64(check.signature)}


def session_request(key: WorkspaceKey, user: UserId) -> tuple[Json, str]:
    """A body that opens a key session, and its token."""
    token = new_session_token()
    body: Json = {"name": "laptop", "epoch": key.epoch, "sealed": b64(seal_for_session(key, token, user))}
    return body, write_session_token(token)
