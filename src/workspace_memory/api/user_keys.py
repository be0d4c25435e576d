"""The caller's own keys over REST. They belong to the account, whatever workspaces it is in."""

from fastapi import Request, Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.routing import errors, new_router
from workspace_memory.api.schemas.keys import KeysIn, KeysOut, ReplaceKeysIn, RewrapIn, keys_out
from workspace_memory.domain.document_errors import KeysExist, KeysMissing
from workspace_memory.domain.errors import (
    Forbidden,
    LevelTooLow,
    NotFound,
    SignInRefused,
    TooManyAttempts,
    VersionMismatch,
)
from workspace_memory.services.user_keys import create_keys, get_own_keys, replace_keys, rewrap_keys

OWN_KEYS = "/me/keys"

router = new_router("own keys")


@router.get(
    OWN_KEYS,
    summary="Get the own keys",
    response_model=KeysOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def read_own_keys(caller: Asking) -> Response:
    """The caller's public keys and the sealed private ones, which only the passphrase or the recovery key opens."""
    return answer(keys_out(caller.ask(get_own_keys)))


@router.put(
    OWN_KEYS,
    summary="Set up the own keys",
    status_code=201,
    response_model=KeysOut,
    responses=errors(Forbidden, LevelTooLow, KeysExist),
)
def store_own_keys(caller: Asking, body: KeysIn) -> Response:
    """Store keys that the client made and sealed, once. The service can open neither wrapping."""
    made = caller.ask(create_keys, body.public_keys.to_pair(), body.wrapping.to_wrapping())
    return answer(keys_out(made), status=201)


@router.patch(
    OWN_KEYS,
    summary="Wrap the own keys anew",
    response_model=KeysOut,
    responses=errors(Forbidden, LevelTooLow, KeysMissing, VersionMismatch),
)
def wrap_own_keys(caller: Asking, body: RewrapIn) -> Response:
    """Another passphrase or recovery key for the same keys, against the version that was read. What stays the same
    is sent again; the public keys cannot change.
    """
    changed = caller.ask(
        rewrap_keys,
        version=body.version,
        wrapping=body.wrapping.to_wrapping(),
        signature=body.signature,
    )
    return answer(keys_out(changed))


@router.post(
    f"{OWN_KEYS}/replacement",
    summary="Replace the own keys",
    response_model=KeysOut,
    responses=errors(Forbidden, KeysMissing, SignInRefused, TooManyAttempts),
)
def replace_own_keys(request: Request, caller: Asking, body: ReplaceKeysIn) -> Response:
    """Other keys, where passphrase and recovery key are both lost: signed in, and with the account's password.

    The caller then waits for the key in every workspace, and the key sessions there end. What only the lost keys could
    open stays closed for good.
    """
    address = request.client.host if request.client else ""
    made = caller.ask(
        replace_keys,
        body.public_keys.to_pair(),
        body.wrapping.to_wrapping(),
        password=body.password,
        address=address,
    )
    return answer(keys_out(made))
