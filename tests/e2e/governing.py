"""Short ways to what governance needs: proposals of AI clients, licences, other rates on a live server."""

from dataclasses import replace
from datetime import timedelta

from tests.conftest import World

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.ids import UserId, WorkspaceId
from workspace_memory.domain.item import MemoryItem, Scope
from workspace_memory.domain.licence import Licence, Licensing, Plan
from workspace_memory.services.licence_terms import LicenceTerms
from workspace_memory.services.licences import IssuerKeys, make_issuer_keys, sign_licence


def proposal(cast: World, content: str = "regulars get a stamp", user: UserId | None = None) -> MemoryItem:
    """A company item that waits, saved by an AI client of bob, or of somebody else."""
    author = cast.bob if user is None else user
    cast.set_level(author, AccessLevel.CONTRIBUTE)
    return cast.save(cast.client(author), content, scope=Scope.ORGANIZATION).item


def licensed_world(cast: World, mode: Licensing = Licensing.SELF_HOSTED) -> tuple[World, IssuerKeys]:
    """The same cast where licences are asked for, and the keys of the issuer."""
    keys = make_issuer_keys()
    terms = LicenceTerms(mode, keys.public_key)
    return replace(cast, deps=replace(cast.deps, licensing=terms)), keys


def licence_key(
    cast: World,
    keys: IssuerKeys,
    subject: WorkspaceId | str | None = None,
    *,
    plan: Plan = Plan.ENTERPRISE,
    days: int = 30,
    from_days: int = 0,
    active: bool = True,
) -> str:
    """A licence key for the cast's workspace, valid from `from_days` on until `days` from now."""
    now = cast.clock.now()
    licence = Licence(
        id="L-1",
        subject=subject or cast.workspace,
        plan=plan,
        active=active,
        holder="Tea shop",
        issued_at=now + timedelta(days=from_days),
        expires_at=now + timedelta(days=days),
    )
    return sign_licence(licence, keys.private_key)
