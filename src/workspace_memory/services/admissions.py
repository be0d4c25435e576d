"""Admissions: a turn's authority, frozen at its beginning together with the conversation's delivery slot.

The credential of a turn is derived from its nonce with the instance's secret, so that a repetition of the request is
given the same one again and the database alone gives none away.
"""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.admission import LIFETIME, NONCE_BYTES, Admission, Via
from workspace_memory.domain.client_state import ClientState
from workspace_memory.domain.conversation import Conversation
from workspace_memory.domain.document_errors import AiDisabled, DeliveryRefused
from workspace_memory.domain.errors import IdempotencyKeyReused, NotFound
from workspace_memory.domain.ids import AdmissionId, ConversationId, WorkspaceId
from workspace_memory.services.authorization import require_chat
from workspace_memory.services.conversations import require_conversation
from workspace_memory.services.deps import Deps
from workspace_memory.services.session_keys import find_session
from workspace_memory.storage.database import Transaction


@dataclass(frozen=True, slots=True)
class Admitted:
    """What the client of a turn needs for recall and capture."""

    admission: AdmissionId
    credential: str
    expires_at: datetime


def admit_turn(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    conversation: ConversationId,
    *,
    key: str,
    key_session_token: bytes | None,
    client_state: ClientState,
    via: Via = Via.AUTOMATION,
) -> Admitted:
    """Admit a turn under the present policy, consent and key session, and supersede the turn before.

    The same `key` again gives the first admission and its credential, whatever became of it. Raises: AiDisabled,
    KeySessionRequired, IdempotencyKeyReused, NotFound, Forbidden, LevelTooLow.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_chat(tx, actor, workspace)
        found = require_conversation(tx, actor, conversation)
        if found.workspace != workspace:
            raise NotFound("conversation")
        admission, _ = admit(
            deps, tx, actor, found, key=key, token=key_session_token, client_state=client_state, via=via
        )
    return Admitted(admission.id, delivery_credential(deps.instance_secret, admission), admission.expires_at)


def admit(
    deps: Deps,
    tx: Transaction,
    actor: Actor,
    conversation: Conversation,
    *,
    key: str,
    token: bytes | None,
    client_state: ClientState,
    via: Via,
) -> tuple[Admission, bool]:
    """Admit within the transaction, and under the lock, of a caller that has asked whether the actor may chat.

    Also whether it is new. Raises: AiDisabled, KeySessionRequired, IdempotencyKeyReused.
    """
    key_hash = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
    request_hash = hashlib.sha256(f"{conversation.id}\n{client_state}\n{via}".encode()).digest()
    kept = tx.admissions.by_key(conversation, key_hash)
    if kept is not None:
        admission, first_request = kept
        if first_request != request_hash:
            raise IdempotencyKeyReused
        return admission, False
    workspace = conversation.workspace
    consent = tx.policies.consent(workspace)
    if not consent.enabled:
        raise AiDisabled
    session = find_session(deps, tx, actor.user, workspace, token)
    policy = tx.policies.get(workspace)
    now = deps.clock.now()
    nonce = secrets.token_bytes(NONCE_BYTES)
    expires_at = now + LIFETIME
    admission = Admission(
        workspace=workspace,
        id=AdmissionId(deps.new_id()),
        conversation=conversation.id,
        turn=tx.conversations.begin_turn(conversation, nonce=nonce, expires_at=expires_at),
        owner=actor.user,
        mode=policy.mode,
        policy_revision=policy.revision,
        clear_generation=policy.clear_generation,
        consent_revision=consent.revision,
        key_session=session.id,
        nonce=nonce,
        client_state=client_state,
        via=via,
        created_at=now,
        expires_at=expires_at,
    )
    tx.admissions.add(admission, key_hash=key_hash, request_hash=request_hash)
    return admission, True


def require_admission(
    deps: Deps,
    tx: Transaction,
    actor: Actor,
    workspace: WorkspaceId,
    admission: AdmissionId,
    credential: str,
) -> Admission:
    """The actor's own admission, proved by its credential. Raises: NotFound, DeliveryRefused."""
    found = tx.admissions.get(workspace, admission)
    if found is None or found.owner != actor.user or actor.workspace not in {None, workspace}:
        raise NotFound("admission")
    if not hmac.compare_digest(
        delivery_credential(deps.instance_secret, found).encode(), credential.encode("utf-8", "surrogatepass")
    ):
        raise DeliveryRefused
    return found


def delivery_credential(secret: bytes, admission: Admission) -> str:
    """The credential that belongs to an admission's nonce: base64url of 32 bytes."""
    subject = b"delivery-credential\n" + admission.id.encode() + b"\n" + admission.nonce
    mac = hmac.digest(secret, subject, "sha256")
    return base64.urlsafe_b64encode(mac).decode().rstrip("=")
