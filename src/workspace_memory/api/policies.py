"""The memory policy and the AI consent over REST."""

from fastapi import Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.documents import (
    AiConsentIn,
    AiConsentOut,
    PolicyIn,
    PolicyOut,
    SkillsTrustIn,
    ai_consent_out,
    policy_out,
)
from workspace_memory.domain.document_errors import ConsentConflict
from workspace_memory.domain.errors import Forbidden, LevelTooLow, NotFound, PolicyConflict
from workspace_memory.services.ai_consents import change_ai_consent, get_ai_consent, set_skills_trust
from workspace_memory.services.policies import change_policy, get_policy

POLICY = "/workspaces/{workspace_id}/memory/policy"
CONSENT = "/workspaces/{workspace_id}/ai-consent"

router = new_router("memory document")


@router.get(
    POLICY,
    summary="Get the memory policy",
    response_model=PolicyOut,
    responses=errors(NotFound, Forbidden),
)
def read_policy(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """The mode, the policy revision and the clear generation; read_only, 0 and 0 where nobody has set any."""
    return answer(policy_out(caller.ask(get_policy, workspace_id)))


@router.put(
    POLICY,
    summary="Change the mode",
    response_model=PolicyOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, PolicyConflict),
)
def write_policy(caller: Asking, workspace_id: WorkspacePath, body: PolicyIn) -> Response:
    """Set the mode against the revision that was read: every member. `policy_conflict` carries the present policy.

    A change retires what was admitted before. It turns on no AI, opens no key session and trusts no skill.
    """
    return answer(policy_out(caller.ask(change_policy, workspace_id, body.mode, expected=body.expected())))


@router.get(
    CONSENT,
    summary="Get the AI consent",
    response_model=AiConsentOut,
    responses=errors(NotFound, Forbidden),
)
def read_ai_consent(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """Whether AI may work with the memory document here, and whether the workspace's skills are trusted."""
    return answer(ai_consent_out(caller.ask(get_ai_consent, workspace_id)))


@router.put(
    CONSENT,
    summary="Turn workspace AI on or off",
    response_model=AiConsentOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, ConsentConflict),
)
def write_ai_consent(caller: Asking, workspace_id: WorkspacePath, body: AiConsentIn) -> Response:
    """Set the consent against the revision that was read: admins. A change retires what was admitted before."""
    consent = caller.ask(change_ai_consent, workspace_id, enabled=body.enabled, expected=body.expected())
    return answer(ai_consent_out(consent))


@router.put(
    f"{CONSENT}/skills-trust",
    summary="Trust the workspace's skills, or not",
    response_model=AiConsentOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def write_skills_trust(caller: Asking, workspace_id: WorkspacePath, body: SkillsTrustIn) -> Response:
    """A switch of its own beside the consent: admins."""
    return answer(ai_consent_out(caller.ask(set_skills_trust, workspace_id, trusted=body.trusted)))
