"""Admissions: a turn's authority, frozen at its beginning together with the conversation's delivery slot.

The credential of a turn is derived from its nonce with the instance's secret, so that a repetition of the request is
given the same one again and the database alone gives none away.
"""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from datetime import datetime

from workspace_memory.domain.access import Action
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.admission import LIFETIME, NONCE_BYTES, Admission, Conversation, Via
from workspace_memory.domain.ai_consent import AiConsent
from workspace_memory.domain.client_state import ClientState
from workspace_memory.domain.document_errors import AiDisabled, DeliveryRefused
from workspace_memory.domain.errors import IdempotencyKeyReused, NotFound
from workspace_memory.domain.ids import AdmissionId, ConversationId, WorkspaceId
from workspace_memory.domain.key_session import KeySession
from workspace_memory.services.authorization import require_action
from workspace_memory.services.conversations import require_conversation
from workspace_memory.services.deps import Deps
from workspace_memory.services.session_keys import borrow_key, find_session
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
    KeySessionRequired also for a session whose key is gone, KeyStoreDown, IdempotencyKeyReused, NotFound, Forbidden,
    LevelTooLow.
    """
    key_hash = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
    request_hash = hashlib.sha256(f"{conversation}\n{client_state}\n{via}".encode()).digest()
    asked = _Asked(deps, actor, workspace, conversation, key_hash, request_hash, key_session_token)
    with deps.database.read() as tx:
        looked_up = asked.look_up(tx)
    if isinstance(looked_up, Admission):
        return _admitted(deps.instance_secret, looked_up)
    # Used once here, before anything is stored: of a turn without a key one would learn at its recall alone. Not within
    # a transaction, since the key store may be another process.
    borrow_key(deps.key_store, looked_up.session, key_session_token or b"")
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        looked_up = asked.look_up(tx)
        if isinstance(looked_up, Admission):
            return _admitted(deps.instance_secret, looked_up)
        found, consent, session = looked_up.conversation, looked_up.consent, looked_up.session
        policy = tx.policies.get(workspace)
        now = deps.clock.now()
        nonce = secrets.token_bytes(NONCE_BYTES)
        expires_at = now + LIFETIME
        admission = Admission(
            workspace=workspace,
            id=AdmissionId(deps.new_id()),
            conversation=conversation,
            turn=tx.conversations.begin_turn(found, nonce=nonce, expires_at=expires_at),
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
        return _admitted(deps.instance_secret, admission)


@dataclass(frozen=True, slots=True)
class _Ready:
    """What a turn that may be admitted is admitted under, as one transaction sees it."""

    conversation: Conversation
    consent: AiConsent
    session: KeySession


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request for an admission. `key_hash` and `request_hash` are SHA-256."""

    deps: Deps
    actor: Actor
    workspace: WorkspaceId
    conversation: ConversationId
    key_hash: bytes
    request_hash: bytes
    token: bytes | None = field(repr=False)

    def look_up(self, tx: Transaction) -> _Ready | Admission:
        """What it would be admitted under, or the admission that the same request was given before.

        Raises: AiDisabled, KeySessionRequired, IdempotencyKeyReused, NotFound, Forbidden, LevelTooLow.
        """
        require_action(tx, self.actor, self.workspace, Action.CHAT)
        found = require_conversation(tx, self.actor, self.conversation)
        if found.workspace != self.workspace:
            raise NotFound("conversation")
        kept = tx.admissions.by_key(found, self.key_hash)
        if kept is not None:
            admission, first_request = kept
            if first_request != self.request_hash:
                raise IdempotencyKeyReused
            return admission
        consent = tx.policies.consent(self.workspace)
        if not consent.enabled:
            raise AiDisabled
        session = find_session(self.deps, tx, self.actor.user, self.workspace, self.token)
        return _Ready(found, consent, session)


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


def _admitted(secret: bytes, admission: Admission) -> Admitted:
    return Admitted(admission.id, delivery_credential(secret, admission), admission.expires_at)
