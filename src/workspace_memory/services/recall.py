"""Recall: what a model call of a turn is given of the memory document. It never throws into the turn.

All of it is given up after two seconds, whatever it waits for (`deadlines.py`). One snapshot decides; the text is
opened outside of it; the receipt is written before the answer leaves, in a transaction that decides once more, so that
nothing older than the receipt is ever given. No receipt, no memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from workspace_memory.crypto.errors import SealBroken
from workspace_memory.domain.access import AccessLevel, offers
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.admission import Admission
from workspace_memory.domain.document import Head, Revision
from workspace_memory.domain.document_errors import DeliveryRefused, KeyLost, KeySessionRequired, KeyStoreDown
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import AdmissionId, ReceiptId, Version, WorkspaceId
from workspace_memory.domain.key_session import KeySession
from workspace_memory.domain.policy import Policy
from workspace_memory.domain.recall import (
    REASONS,
    Attach,
    HeadState,
    Nothing,
    ReadText,
    RecallFacts,
    RecallStatus,
    TurnStopped,
    Withhold,
    decide_before_text,
    decide_text,
)
from workspace_memory.domain.recall_block import render_block, withheld_note
from workspace_memory.domain.receipt import Receipt, ReceiptKind
from workspace_memory.services.admissions import require_admission
from workspace_memory.services.deadlines import Deadline, answer_by
from workspace_memory.services.deps import Deps
from workspace_memory.services.seals import open_revision
from workspace_memory.services.session_keys import Keyring, borrow_key, find_session
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.workspace_keys import KeyEpoch

Decision = Attach | Withhold | Nothing | TurnStopped

RECALL_SECONDS = 2.0
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Recalled:
    """`block` or `note` goes to the end of the system text, or neither. `stop`: AI is off, make no call.

    `version` is the revision that was inspected. `receipt` is None only where the memory is withheld for want of one.
    """

    status: RecallStatus
    version: Version | None
    block: str | None
    note: str | None
    receipt: ReceiptId | None
    stop: bool = False


@dataclass(frozen=True, slots=True)
class _Snapshot:
    admission: Admission
    policy: Policy
    facts: RecallFacts
    session: KeySession | None
    revision: Revision | None

    @property
    def version(self) -> Version | None:
        return self.facts.version or None


def recall(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    admission: AdmissionId,
    *,
    credential: str,
    key_session_token: bytes | None,
    model: str | None = None,
) -> Recalled:
    """Decide about one model call of a turn, and write its receipt.

    Raises: NotFound, DeliveryRefused for what is no turn of the actor's own. Everything else is a status.
    """
    deadline = Deadline(RECALL_SECONDS)

    def attempts() -> Recalled:
        for _ in range(_ATTEMPTS):
            recalled = _attempt(
                deps, actor, workspace, admission, credential, key_session_token, model, deadline
            )
            if recalled is not None:
                return recalled
        return _unrecorded()

    try:
        return answer_by(deadline, attempts)
    except (NotFound, DeliveryRefused):
        raise
    except Exception:
        return _unrecorded()


def _attempt(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    admission: AdmissionId,
    credential: str,
    token: bytes | None,
    model: str | None,
    deadline: Deadline,
) -> Recalled | None:
    """One look and its receipt; None when the facts changed in between."""
    with deps.database.read(within=deadline.left()) as tx:
        found = require_admission(deps, tx, actor, workspace, admission, credential)
        seen = _snapshot(deps, tx, actor, found, token)
        epochs = tx.workspace_keys.epochs(workspace)
    decision = _decide(deps, workspace, seen, token, epochs)
    receipt_id = ReceiptId(deps.new_id())
    with deps.database.begin(within=deadline.left()) as tx:
        tx.lock_workspace(workspace)
        found = require_admission(deps, tx, actor, workspace, admission, credential)
        now_seen = _snapshot(deps, tx, actor, found, token)
        if now_seen.facts != seen.facts:
            return None
        call = tx.admissions.note_recall(found, _status(decision), seen.version)
        receipt = _receipt(deps, receipt_id, now_seen, decision, call, model)
        tx.receipts.add(workspace, receipt)
        # A receipt that is late says that memory was given, when the turn has gone on without it.
        deadline.settle()
    return _recalled(deps, workspace, seen, decision, receipt_id)


def _snapshot(
    deps: Deps, tx: Transaction, actor: Actor, admission: Admission, token: bytes | None
) -> _Snapshot:
    workspace = admission.workspace
    policy = tx.policies.get(workspace)
    consent = tx.policies.consent(workspace)
    conversation = tx.conversations.get(admission.conversation)
    standing = tx.members.standing(workspace, admission.owner)
    now = deps.clock.now()
    session = _session(deps, tx, admission, token)
    head = tx.documents.memory_head(workspace)
    facts = RecallFacts(
        mode=policy.mode,
        holds_delivery=conversation is not None
        and conversation.slot_nonce == admission.nonce
        and conversation.slot_expires_at is not None
        and admission.created_at <= now < conversation.slot_expires_at,
        sender_is_active=standing is not None and standing.active,
        scope_granted=offers(actor.max_level, AccessLevel.READ),
        ai_enabled=consent.enabled,
        consent_unchanged=consent.revision == admission.consent_revision,
        client_state=admission.client_state,
        key_session_open=session is not None,
        head=_head_state(head),
        version=Version(0) if head is None else head.version,
    )
    revision = None if head is None else tx.documents.revision(workspace, head.id, head.version)
    return _Snapshot(admission, policy, facts, session, revision)


def _session(deps: Deps, tx: Transaction, admission: Admission, token: bytes | None) -> KeySession | None:
    """The admission's own key session, when its token came along and it is open."""
    try:
        session = find_session(deps, tx, admission.owner, admission.workspace, token)
    except KeySessionRequired:
        return None
    return session if session.id == admission.key_session else None


def _head_state(head: Head | None) -> HeadState:
    if head is None:
        return HeadState.ABSENT
    return HeadState.LIVE if head.live else HeadState.TOMBSTONE


def _decide(
    deps: Deps,
    workspace: WorkspaceId,
    seen: _Snapshot,
    token: bytes | None,
    epochs: Sequence[KeyEpoch],
) -> Decision:
    """What the model call is given. The key is used only where nothing before it in the order decides."""
    facts, keyring = seen.facts, None
    needs_key = decide_before_text(replace(facts, key_session_open=False)) == Withhold(
        RecallStatus.UNAVAILABLE
    )
    if facts.key_session_open and needs_key:
        # The rows know nothing of an eviction, and a key that is gone comes before whatever there is to read.
        keyring = _keyring(deps, seen.session, token, epochs)
        facts = replace(facts, key_session_open=keyring is not None)
    decision = decide_before_text(facts)
    if isinstance(decision, ReadText):
        return decide_text(facts, _open(workspace, seen.revision, keyring))
    return decision


def _keyring(
    deps: Deps, session: KeySession | None, token: bytes | None, epochs: Sequence[KeyEpoch]
) -> Keyring | None:
    if session is None or token is None:
        return None
    try:
        return Keyring(borrow_key(deps.key_store, session, token), epochs)
    except (KeySessionRequired, KeyStoreDown):
        return None


def _open(workspace: WorkspaceId, revision: Revision | None, keyring: Keyring | None) -> str | None:
    """The text of the newest version, or None when it cannot be read."""
    if revision is None or keyring is None:
        return None
    try:
        return open_revision(keyring, workspace, revision)
    except (KeySessionRequired, KeyLost, SealBroken):
        return None


def _status(decision: Decision) -> RecallStatus:
    return RecallStatus.ATTACHED if isinstance(decision, Attach) else decision.status


def _receipt(
    deps: Deps, receipt: ReceiptId, seen: _Snapshot, decision: Decision, call: int, model: str | None
) -> Receipt:
    admission = seen.admission
    return Receipt(
        id=receipt,
        kind=ReceiptKind.RECALL,
        conversation=admission.conversation,
        admission=admission.id,
        turn=admission.turn,
        call_number=call,
        at=deps.clock.now(),
        status=_status(decision).value,
        version=seen.version,
        bytes=len(decision.text.encode()) if isinstance(decision, Attach) else None,
        mode=seen.policy.mode,
        policy_revision=seen.policy.revision,
        clear_generation=seen.policy.clear_generation,
        client_state=str(admission.client_state),
        via=admission.via,
        model=model,
    )


def _recalled(
    deps: Deps, workspace: WorkspaceId, seen: _Snapshot, decision: Decision, receipt: ReceiptId
) -> Recalled:
    status, version = _status(decision), seen.version
    match decision:
        case Attach(revision, text):
            block = render_block(text, workspace=workspace, revision=revision, secret=deps.instance_secret)
            return Recalled(status, version, block, None, receipt)
        case Nothing():
            return Recalled(status, version, None, None, receipt)
        case Withhold():
            return Recalled(status, version, None, withheld_note(status), receipt)
        case TurnStopped():
            note = withheld_note(status) if status in REASONS else None
            return Recalled(status, version, None, note, receipt, stop=True)
        case _:
            assert_never(decision)


def _unrecorded() -> Recalled:
    note = withheld_note(RecallStatus.UNAVAILABLE)
    return Recalled(RecallStatus.UNAVAILABLE, None, None, note, receipt=None)
