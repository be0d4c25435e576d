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

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.admission import LIFETIME, NONCE_BYTES, Admission, Via
from workspace_memory.domain.ai_consent import AiConsent
from workspace_memory.domain.client_state import ClientState
from workspace_memory.domain.conversation import Conversation
from workspace_memory.domain.document_errors import AiDisabled, DeliveryRefused
from workspace_memory.domain.errors import IdempotencyKeyReused, NotFound
from workspace_memory.domain.ids import AdmissionId, ConversationId, WorkspaceId
from workspace_memory.domain.key_session import KeySession
from workspace_memory.services.authorization import require_by_hand, require_chat
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
    asked = AskedAdmission(deps, actor, conversation, key, key_session_token, client_state, via)
    with deps.database.read() as tx:
        looked_up = asked.look_up(tx, workspace)
    if isinstance(looked_up, AdmissibleTurn):
        # Used once here, before anything is stored: of a turn without a key one would learn at its recall alone. Not
        # within a transaction, since the key store may be another process.
        borrow_key(deps.key_store, looked_up.session, key_session_token or b"")
        with deps.database.begin() as tx:
            tx.lock_workspace(workspace)
            looked_up = asked.admit(tx, workspace)
    admission = looked_up.admission if isinstance(looked_up, NewAdmission) else looked_up
    return Admitted(admission.id, delivery_credential(deps.instance_secret, admission), admission.expires_at)


@dataclass(frozen=True, slots=True)
class AdmissibleTurn:
    """What a turn that may be admitted is admitted under, as one transaction sees it."""

    conversation: Conversation
    consent: AiConsent
    session: KeySession


@dataclass(frozen=True, slots=True)
class NewAdmission:
    """An admission that was made by this request."""

    admission: Admission


@dataclass(frozen=True, slots=True)
class AskedAdmission:
    """A request for an admission; `key` is the caller's name for it, `token` the one of a key session."""

    deps: Deps
    actor: Actor
    conversation: ConversationId
    key: str
    token: bytes | None = field(repr=False)
    client_state: ClientState
    via: Via

    def look_up(self, tx: Transaction, workspace: WorkspaceId) -> AdmissibleTurn | Admission:
        """What it would be admitted under, or the admission that the same request was given before.

        Raises: AiDisabled, KeySessionRequired, IdempotencyKeyReused, NotFound, Forbidden, LevelTooLow.
        """
        if self.via is not Via.MCP_ASK:
            require_by_hand(self.actor)
        require_chat(tx, self.actor, workspace)
        found = require_conversation(tx, self.actor, self.conversation)
        if found.workspace != workspace:
            raise NotFound("conversation")
        kept = tx.admissions.by_key(found, self._key_hash)
        if kept is not None:
            admission, first_request = kept
            if first_request != self._request_hash:
                raise IdempotencyKeyReused
            return admission
        consent = tx.policies.consent(workspace)
        if not consent.enabled:
            raise AiDisabled
        session = find_session(self.deps, tx, self.actor.user, workspace, self.token)
        return AdmissibleTurn(found, consent, session)

    def admit(self, tx: Transaction, workspace: WorkspaceId) -> NewAdmission | Admission:
        """Look up once more under the lock that the caller holds, and admit what is new. Raises: as `look_up`."""
        ready = self.look_up(tx, workspace)
        if isinstance(ready, Admission):
            return ready
        policy = tx.policies.get(workspace)
        now = self.deps.clock.now()
        nonce = secrets.token_bytes(NONCE_BYTES)
        expires_at = now + LIFETIME
        admission = Admission(
            workspace=workspace,
            id=AdmissionId(self.deps.new_id()),
            conversation=self.conversation,
            turn=tx.conversations.begin_turn(ready.conversation, nonce=nonce, expires_at=expires_at),
            owner=self.actor.user,
            mode=policy.mode,
            policy_revision=policy.revision,
            clear_generation=policy.clear_generation,
            consent_revision=ready.consent.revision,
            key_session=ready.session.id,
            nonce=nonce,
            client_state=self.client_state,
            via=self.via,
            created_at=now,
            expires_at=expires_at,
        )
        tx.admissions.add(admission, key_hash=self._key_hash, request_hash=self._request_hash)
        return NewAdmission(admission)

    @property
    def _key_hash(self) -> bytes:
        return hashlib.sha256(self.key.encode("utf-8", "surrogatepass")).digest()

    @property
    def _request_hash(self) -> bytes:
        return hashlib.sha256(f"{self.conversation}\n{self.client_state}\n{self.via}".encode()).digest()


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
