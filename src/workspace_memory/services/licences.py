"""Whether memory may be used in a workspace, and the licence keys that say so.

Off by default. Where licensing is on, every item service asks `require_memory`, after the membership: to somebody
who is no member a workspace does not exist, licensed or not. What takes memory away or out works without a licence:
export, erasing, leaving, deleting an account, removing what a client saved.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from workspace_memory.crypto.licence_keys import NotSigned, new_issuer, sign, signed_payload
from workspace_memory.domain.access import Action
from workspace_memory.domain.actor import Actor, Membership
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import EditionRequired, InvalidRequest, LicenceInvalid, NotFound
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.licence import (
    INSTANCE,
    Licence,
    Licensing,
    includes_memory,
    licence_text,
    read_licence,
)
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import require_action, require_membership
from workspace_memory.services.deps import Deps
from workspace_memory.storage.database import Transaction


@dataclass(frozen=True, slots=True)
class LicenceState:
    """Whether a licence is asked for, whether memory is on, and the workspace's own licence, if it can be read."""

    licensing: Licensing
    memory: bool
    licence: Licence | None


@dataclass(frozen=True, slots=True)
class IssuerKeys:
    """A new issuer's keys: the private one signs and stays with the issuer, the public one is a setting."""

    private_key: str
    public_key: str


def require_memory(deps: Deps, tx: Transaction, actor: Actor, workspace: WorkspaceId) -> Membership:
    """The actor's active membership, where a licence lets memory be used: what every item service begins with.

    Raises: NotFound, Forbidden, EditionRequired.
    """
    membership = require_membership(tx, actor, workspace)
    if not has_memory(deps, tx, workspace):
        raise EditionRequired
    return membership


def has_memory(deps: Deps, tx: Transaction, workspace: WorkspaceId) -> bool:
    """Whether a licence lets this workspace use memory now; a known answer is 60 seconds old at most."""
    terms = deps.licensing
    if terms.mode is Licensing.OFF:
        return True
    now = deps.clock.now()
    answer = terms.cache.get(workspace, now)
    if answer is None:
        answer = any(
            includes_memory(licence, licensing=terms.mode, workspace=workspace, now=now)
            for licence in _licences(deps, tx, workspace)
        )
        terms.cache.put(workspace, now, answer)
    return answer


def memory_is_on(deps: Deps, workspace: WorkspaceId) -> bool:
    """The same for an edge that only wants to know; the caller has shown that the workspace may be known."""
    known = True if deps.licensing.mode is Licensing.OFF else None
    if known is None:
        known = deps.licensing.cache.get(workspace, deps.clock.now())
    if known is not None:
        return known
    with deps.database.read() as tx:
        return has_memory(deps, tx, workspace)


def licence_state(deps: Deps, actor: Actor, workspace: WorkspaceId) -> LicenceState:
    """What licence the workspace has, for admins. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        require_action(tx, actor, workspace, Action.MANAGE_LICENCE)
        return _state(deps, tx, workspace)


def store_licence(deps: Deps, actor: Actor, workspace: WorkspaceId, licence_key: str) -> LicenceState:
    """Keep a licence key for the workspace in place of the one before: an admin.

    A genuine licence that does not include memory (another plan, an inactive one) is kept too; the answer says that
    memory is off. Raises: NotFound, Forbidden, LevelTooLow; LicenceInvalid for a key that is not genuine, is
    another workspace's, has expired or is from the future.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.MANAGE_LICENCE)
        licence = genuine_licence(licence_key, deps.licensing.public_key)
        _require_own(deps, licence, workspace)
        tx.licences.put(workspace, licence_key.strip(), at=deps.clock.now())
        record(
            deps,
            tx,
            workspace,
            AuditAction.LICENCE_CHANGED,
            actor,
            plan=licence.plan.value,
            expires_at=licence.expires_at.isoformat(),
        )
    deps.licensing.cache.forget(workspace)
    return licence_state(deps, actor, workspace)


def remove_licence(deps: Deps, actor: Actor, workspace: WorkspaceId) -> LicenceState:
    """Delete the workspace's licence key: an admin. Items are kept. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.MANAGE_LICENCE)
        if not tx.licences.remove(workspace):
            raise NotFound("licence of this workspace")
        record(deps, tx, workspace, AuditAction.LICENCE_CHANGED, actor, plan="none")
    deps.licensing.cache.forget(workspace)
    return licence_state(deps, actor, workspace)


def inspect_licence(deps: Deps, licence_key: str, public_key: str = "") -> Licence:
    """What a genuine key says, by the issuer's public key or the installation's. Nothing is stored or looked up.

    Raises: LicenceInvalid.
    """
    return genuine_licence(licence_key, public_key or deps.licensing.public_key)


def genuine_licence(licence_key: str, public_key: str) -> Licence:
    """What a key says that this issuer has signed; expired or not. Raises: LicenceInvalid."""
    if not public_key:
        raise LicenceInvalid(
            "no issuer is known to check it by; WORKSPACE_MEMORY_LICENCE_PUBLIC_KEY is empty"
        )
    try:
        return read_licence(signed_payload(licence_key, public_key))
    except (NotSigned, InvalidRequest):
        raise LicenceInvalid("it was not signed by this installation's issuer, or was changed") from None


def make_issuer_keys() -> IssuerKeys:
    """Keys for somebody who begins to issue licences."""
    return IssuerKeys(*new_issuer())


def sign_licence(licence: Licence, private_key: str) -> str:
    """The licence key that an issuer hands out. Raises: InvalidRequest for something that is no private key."""
    try:
        return sign(licence_text(licence), private_key)
    except ValueError:
        raise InvalidRequest("private_key", "is not an issuer's private key") from None


def _state(deps: Deps, tx: Transaction, workspace: WorkspaceId) -> LicenceState:
    key = tx.licences.get(workspace)
    licence: Licence | None = None
    if key is not None:
        try:
            licence = genuine_licence(key, deps.licensing.public_key)
        except LicenceInvalid:
            licence = None  # the issuer's key was changed in the settings since
    return LicenceState(deps.licensing.mode, has_memory(deps, tx, workspace), licence)


def _licences(deps: Deps, tx: Transaction, workspace: WorkspaceId) -> Iterator[Licence]:
    for key in (tx.licences.get(workspace), deps.licensing.instance_key):
        if key:
            try:
                yield genuine_licence(key, deps.licensing.public_key)
            except LicenceInvalid:
                continue


def _require_own(deps: Deps, licence: Licence, workspace: WorkspaceId) -> None:
    subjects = {workspace} if deps.licensing.mode is Licensing.CLOUD else {workspace, INSTANCE}
    now = deps.clock.now()
    if licence.subject not in subjects:
        raise LicenceInvalid("it was made for another workspace or another kind of hosting")
    if licence.expires_at <= now:
        raise LicenceInvalid(f"it expired on {licence.expires_at.date().isoformat()}")
    if licence.issued_at > now:
        raise LicenceInvalid(
            f"it is valid from {licence.issued_at.date().isoformat()} on; is the clock of this machine right?"
        )
