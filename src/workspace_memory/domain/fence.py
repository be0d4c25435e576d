"""The commit fence: whether an automatic capture may still be written.

Pure. `storage/fence.py` evaluates the same clauses in SQL inside the write's own transaction; that one is the
authority, this one names the clause that is broken. tests/contract/test_fence.py keeps them equal.
docs/explanation/transactions.md explains the linearization point.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from workspace_memory.domain.access import Action, MemberStatus, Role, may
from workspace_memory.domain.admission import Admission, AdmissionState
from workspace_memory.domain.ai_consent import AiConsent
from workspace_memory.domain.conversation import Conversation
from workspace_memory.domain.ids import KeySessionId, UserId, WorkspaceId
from workspace_memory.domain.policy import Mode, Policy


@dataclass(frozen=True, slots=True)
class FenceFacts:
    """All that the fence reads, at one moment under the workspace lock.

    `presented` is the key session that came with the capture; `session_expires_at` and `session_revoked` are about
    the admission's own, None when the owner never opened it. `role` is None for a stranger.
    """

    user: UserId
    workspace: WorkspaceId
    now: datetime
    admission: Admission
    policy: Policy
    consent: AiConsent
    conversation: Conversation
    presented: KeySessionId
    session_expires_at: datetime | None
    session_revoked: bool
    role: Role | None
    status: MemberStatus


Clause = Callable[[FenceFacts], bool]

# In the order in which a person would want to hear of them: what is nobody's doing comes last.
CLAUSES: Mapping[str, Clause] = {
    "owner": lambda f: f.admission.owner == f.user,
    "workspace": lambda f: f.admission.workspace == f.workspace,
    "not_committed": lambda f: f.admission.state is AdmissionState.OPEN,
    "admitted_in_auto": lambda f: f.admission.mode is Mode.AUTO,
    "mode_auto": lambda f: f.policy.mode is Mode.AUTO,
    "policy_revision": lambda f: f.policy.revision == f.admission.policy_revision,
    "clear_generation": lambda f: f.policy.clear_generation == f.admission.clear_generation,
    "ai_enabled": lambda f: f.consent.enabled,
    "consent_revision": lambda f: f.consent.revision == f.admission.consent_revision,
    "newest_turn": lambda f: f.conversation.slot_nonce == f.admission.nonce,
    "member_active": lambda f: f.role is not None and f.status is MemberStatus.ACTIVE,
    "member_may_write": lambda f: f.role is not None and may(f.role, Action.WRITE_DOCUMENT),
    "same_key_session": lambda f: f.session_expires_at is not None and f.presented == f.admission.key_session,
    "key_session_not_revoked": lambda f: not f.session_revoked,
    "key_session_not_expired": lambda f: f.session_expires_at is not None and f.now < f.session_expires_at,
    # A clock that was set back behind its beginning prolongs nothing.
    "admission_begun": lambda f: f.admission.created_at <= f.now,
    "admission_not_expired": lambda f: f.now < f.admission.expires_at,
    "slot_not_expired": lambda f: (
        f.conversation.slot_expires_at is not None and f.now < f.conversation.slot_expires_at
    ),
}

PROPOSAL_CLAUSES = frozenset(CLAUSES) - {"admitted_in_auto", "mode_auto", "member_may_write"}
"""What has to hold for a proposal: it writes nothing that a model is given, but it is a turn's work all the same."""


def first_broken_clause(facts: FenceFacts, among: Collection[str] = CLAUSES.keys()) -> str | None:
    """The name of the first clause that does not hold, or None when all do."""
    return next((name for name, holds in CLAUSES.items() if name in among and not holds(facts)), None)
