"""Captures: the only automatic writer of the memory document, behind the commit fence.

A capture is a turn's one set of exact edits. It commits against the version that the turn was shown, under the very
authority that the turn was admitted with, or it becomes a proposal for a person, or nothing happens. It is never
rebased. docs/explanation/transactions.md names the linearization point: the COMMIT in `_commit`.
"""

import hmac
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import assert_never

from workspace_memory.crypto.canonical_json import Json
from workspace_memory.crypto.envelope import idempotency_mac
from workspace_memory.crypto.errors import SealBroken
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.access import AccessLevel, Action, Role, may
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.admission import Admission
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.client_state import ClientStateKind
from workspace_memory.domain.document import (
    MEMORY_PATH,
    NO_PREVIOUS,
    DocumentKind,
    Revision,
    RevisionKind,
)
from workspace_memory.domain.document_errors import (
    AdmissionRetired,
    CaptureWithheld,
    MemoryTooLong,
    TextUnreadable,
    VersionConflict,
)
from workspace_memory.domain.edits import Applied, Edit, Unchanged, apply_edits
from workspace_memory.domain.errors import IdempotencyKeyReused, InvalidRequest
from workspace_memory.domain.fence import PROPOSAL_CLAUSES, first_broken_clause
from workspace_memory.domain.ids import (
    AdmissionId,
    ProposalId,
    ReceiptId,
    Version,
    WorkspaceId,
)
from workspace_memory.domain.key_session import KeySession
from workspace_memory.domain.policy import Mode, Policy
from workspace_memory.domain.proposal import Proposal, ProposalReason, ProposalState
from workspace_memory.domain.recall import RECALL_BYTES_MAX, RecallStatus
from workspace_memory.domain.receipt import COMMITTED, Receipt, ReceiptKind
from workspace_memory.services.admissions import require_admission
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import require_by_hand, require_membership, require_use
from workspace_memory.services.deps import Deps
from workspace_memory.services.documents import write_memory
from workspace_memory.services.fence_facts import read_fence_facts
from workspace_memory.services.screening import refuse, suspicious
from workspace_memory.services.seals import open_revision, seal_proposal, seal_revision
from workspace_memory.services.session_keys import Keyring, borrow_key, find_session, require_newest_epoch
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.dialect import Contention
from workspace_memory.storage.fence import FenceBroken

# The key is the admission's own, so that another key would not help.
_ONE_CAPTURE = (
    "This turn has already had its capture. For another one, admit a new turn and recall the memory in it."
)


class CaptureOutcome(StrEnum):
    """What became of a capture; a refusal is an error."""

    COMMITTED = "committed"
    PROPOSED = "proposed"
    UNCHANGED = "unchanged"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Captured:
    """`version` is the revision that was made; `proposal` and `reason` belong to `proposed`."""

    outcome: CaptureOutcome
    version: Version | None = None
    proposal: ProposalId | None = None
    reason: ProposalReason | None = None


@dataclass(frozen=True, slots=True)
class _Turn:
    """What the turn was shown and may do, as one snapshot read it."""

    admission: Admission
    session: KeySession
    policy: Policy
    role: Role
    shown: Revision | None
    keyring: Keyring
    edits: Sequence[Edit]

    @property
    def key(self) -> WorkspaceKey:
        return self.keyring.newest

    @property
    def base(self) -> Version:
        return Version(0) if self.shown is None else self.shown.version

    @property
    def body(self) -> Json:
        return {
            "changes": [{name: str(value) for name, value in asdict(edit).items()} for edit in self.edits]
        }

    def mac(self, epoch: int | None = None) -> bytes:
        """The keyed MAC of the edits, by the key of an epoch: the newest one's for what is written now."""
        try:
            return idempotency_mac(self.key if epoch is None else self.keyring.at(epoch), self.body)
        except SealBroken:
            raise TextUnreadable from None


def commit_capture(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    admission: AdmissionId,
    *,
    credential: str,
    key: str,
    key_session_token: bytes | None,
    edits: Sequence[Edit],
) -> Captured:
    """Carry out a turn's edits: write them, propose them, or do nothing, as the policy of the turn says.

    The one use case with two transactions: a version conflict, or a role that was lowered meanwhile, rolls the write
    back, and the same edits become a proposal in another. The same again gives the same receipt. Raises:
    AdmissionRetired with the broken clause, CaptureWithheld, MemoryTooLong, EditRefused, SecretRefused,
    StructureRefused, IdempotencyKeyReused, KeySessionRequired, EpochConflict, TextUnreadable, DeliveryRefused,
    InvalidRequest, NotFound, Forbidden, LevelTooLow.
    """
    if key != f"memory:{admission}":
        raise InvalidRequest("Idempotency-Key", "must be memory: and the id in X-Memory-Admission")
    found = _read_turn(
        deps, actor, workspace, admission, credential=credential, token=key_session_token, edits=edits
    )
    if not isinstance(found, _Turn):
        return found
    turn = found
    reason = _reason_to_propose(turn)
    if isinstance(_changed_text(turn, workspace), Unchanged):
        _require_authority(deps, actor, workspace, turn)
        return Captured(CaptureOutcome.UNCHANGED)
    # After the rules of the edits, which say more exactly what is wrong with a line.
    _screen(deps, edits)
    if reason is None:
        try:
            return _commit(deps, actor, workspace, turn, key_session_token)
        except VersionConflict:
            reason = ProposalReason.VERSION_CONFLICT
        except AdmissionRetired as retired:
            if retired.clause != "member_may_write":
                raise
            # Made a viewer since the turn was read: proposed, as it would be a moment later.
            reason = ProposalReason.VIEWER
    return _propose(deps, actor, workspace, turn, reason)


def _screen(deps: Deps, edits: Sequence[Edit]) -> None:
    for edit in edits:
        refuse(deps, edit.text)
        refuse(deps, edit.heading)


def _read_turn(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    admission: AdmissionId,
    *,
    credential: str,
    token: bytes | None,
    edits: Sequence[Edit],
) -> _Turn | Captured:
    """One snapshot of the turn, or the answer where there is nothing (more) to do."""
    with deps.database.read() as tx:
        membership = require_membership(tx, actor, workspace)
        require_by_hand(actor)
        require_use(actor, membership, AccessLevel.CONTRIBUTE)
        found = require_admission(deps, tx, actor, workspace, admission, credential)
        policy = tx.policies.get(workspace)
        done = tx.fence.committed(workspace, admission) is not None
        done = done or tx.proposals.of_admission(workspace, admission) is not None
        if policy.mode is Mode.OFF and not done:
            return Captured(CaptureOutcome.OFF)
        session = find_session(deps, tx, actor.user, workspace, token)
        shown = None
        if not done:
            _require_shown(found)
            head = tx.documents.memory_head(workspace)
            if found.shown_version is not None and head is not None:
                shown = tx.documents.revision(workspace, head.id, found.shown_version)
        epochs = tx.workspace_keys.epochs(workspace)
    assert token is not None  # noqa: S101  find_session refuses none
    keyring = Keyring(borrow_key(deps.key_store, session, token), epochs)
    turn = _Turn(found, session, policy, membership.role, shown, keyring, edits)
    if done:
        with deps.database.read() as tx:
            replayed = _replay(tx, workspace, turn)
        if replayed is not None:
            return replayed
    return turn


def _require_shown(admission: Admission) -> None:
    """Raise unless this turn was given the memory, or was told that it is empty."""
    state = admission.client_state.kind
    if state in {ClientStateKind.PENDING, ClientStateKind.CONFLICT}:
        raise CaptureWithheld(state.value)
    match admission.shown_status:
        case RecallStatus.ATTACHED | RecallStatus.EMPTY:
            return
        case RecallStatus.OVERSIZED:
            raise MemoryTooLong(RECALL_BYTES_MAX)
        case None:
            raise CaptureWithheld("not_recalled")
        case _:
            raise CaptureWithheld(admission.shown_status.value)


def _reason_to_propose(turn: _Turn) -> ProposalReason | None:
    if not may(turn.role, Action.WRITE_DOCUMENT):
        return ProposalReason.VIEWER
    if turn.admission.mode is Mode.READ_ONLY:
        return ProposalReason.READ_ONLY
    if any(suspicious(edit.text) or suspicious(edit.heading) for edit in turn.edits):
        return ProposalReason.SUSPICIOUS
    return None


def _changed_text(turn: _Turn, workspace: WorkspaceId) -> Applied | Unchanged:
    shown = turn.shown
    try:
        text = "" if shown is None or shown.sealed is None else open_revision(turn.keyring, workspace, shown)
    except SealBroken:
        raise TextUnreadable from None
    return apply_edits(text, turn.edits)


def _require_authority(deps: Deps, actor: Actor, workspace: WorkspaceId, turn: _Turn) -> None:
    """Raise AdmissionRetired: what a Clear has taken away must not be said to stand there already."""
    with deps.database.read() as tx:
        _require_unbroken(deps, tx, actor, workspace, turn)


def _require_unbroken(deps: Deps, tx: Transaction, actor: Actor, workspace: WorkspaceId, turn: _Turn) -> None:
    facts = read_fence_facts(deps, tx, actor, workspace, turn.admission.id, turn.session.id)
    broken = first_broken_clause(facts, PROPOSAL_CLAUSES)
    if broken is not None:
        raise AdmissionRetired(broken)


def _commit(deps: Deps, actor: Actor, workspace: WorkspaceId, turn: _Turn, token: bytes | None) -> Captured:
    changed = _changed_text(turn, workspace)
    match changed:
        case Unchanged():
            return Captured(CaptureOutcome.UNCHANGED)
        case Applied(text):
            pass
        case _:
            assert_never(changed)
    admission = turn.admission
    sealed = seal_revision(
        turn.key,
        text,
        path=MEMORY_PATH,
        base=turn.base,
        previous=NO_PREVIOUS if turn.shown is None else turn.shown.sha256,
        generation=admission.clear_generation,
        kind=RevisionKind.CAPTURE,
        author=actor.user,
    )
    # Revalidate last: the key lives in RAM, where no SQL predicate can see it.
    borrow_key(deps.key_store, turn.session, token or b"")
    try:
        with deps.database.begin() as tx:
            tx.lock_workspace(workspace)
            replayed = _replay(tx, workspace, turn)
            if replayed is not None:
                return replayed
            head = write_memory(
                deps,
                tx,
                actor,
                workspace,
                RevisionKind.CAPTURE,
                sealed,
                base=turn.base,
                generation=admission.clear_generation,
                require_live=True,
            )
            tx.fence.pass_through(
                user=actor.user,
                workspace=workspace,
                admission=admission.id,
                session=turn.session.id,
                version=head.version,
                body_mac=turn.mac(),
                # Read after the lock is held: a wait for it may have crossed an expiry.
                now=deps.clock.now(),
            )
            if not tx.admissions.commit(workspace, admission.id):
                raise FenceBroken
            tx.receipts.add(workspace, _receipt(deps, turn, head.version, len(text.encode())))
            record(
                deps,
                tx,
                workspace,
                AuditAction.CAPTURE_COMMITTED,
                actor,
                version=head.version,
                admission=admission.id,
            )
    except FenceBroken:
        raise AdmissionRetired(_broken_clause(deps, actor, workspace, turn)) from None
    return Captured(CaptureOutcome.COMMITTED, head.version)


def _broken_clause(deps: Deps, actor: Actor, workspace: WorkspaceId, turn: _Turn) -> str:
    with deps.database.read() as tx:
        facts = read_fence_facts(deps, tx, actor, workspace, turn.admission.id, turn.session.id)
    return first_broken_clause(facts) or "not_committed"


def _replay(tx: Transaction, workspace: WorkspaceId, turn: _Turn) -> Captured | None:
    """The answer of the admission's capture, if there was one. Raises: IdempotencyKeyReused for another body.

    Compared by the key of then: a client that lost the answer may come back with a session of a newer key.
    """
    committed = tx.fence.committed(workspace, turn.admission.id)
    if committed is not None:
        _require_same(committed.body_mac, turn.mac(_epoch_of(tx, workspace, committed.version)))
        return Captured(CaptureOutcome.COMMITTED, committed.version)
    proposed = tx.proposals.of_admission(workspace, turn.admission.id)
    if proposed is None:
        return None
    proposal, body_mac = proposed
    _require_same(body_mac or b"", turn.mac(proposal.sealed.epoch))
    return Captured(CaptureOutcome.PROPOSED, proposal=proposal.id, reason=proposal.reason)


def _epoch_of(tx: Transaction, workspace: WorkspaceId, version: Version) -> int | None:
    head = tx.documents.memory_head(workspace)
    revision = None if head is None else tx.documents.revision(workspace, head.id, version)
    return None if revision is None or revision.sealed is None else revision.sealed.epoch


def _require_same(kept: bytes, presented: bytes) -> None:
    if not hmac.compare_digest(kept, presented):
        raise IdempotencyKeyReused(_ONE_CAPTURE)


def _propose(
    deps: Deps, actor: Actor, workspace: WorkspaceId, turn: _Turn, reason: ProposalReason
) -> Captured:
    """Keep the edits as a proposal against the newest version, under the same authority but for mode and role."""
    admission = turn.admission
    with deps.database.read() as tx:
        head = tx.documents.memory_head(workspace)
    base = Version(0) if head is None else head.version
    proposal_id = ProposalId(deps.new_id())
    sealed = seal_proposal(
        turn.key, turn.body, proposal=proposal_id, base=base, generation=admission.clear_generation
    )
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        replayed = _replay(tx, workspace, turn)
        if replayed is not None:
            return replayed
        _require_unbroken(deps, tx, actor, workspace, turn)
        require_newest_epoch(tx, workspace, sealed.epoch)
        present = tx.documents.memory_head(workspace)
        if present is not None and present.version != base:
            # Written once more meanwhile: run again, against that one.
            raise Contention
        proposal = Proposal(
            id=proposal_id,
            owner=actor.user,
            conversation=admission.conversation,
            admission=admission.id,
            kind=DocumentKind.MEMORY,
            document=None,
            path=MEMORY_PATH,
            base=base,
            clear_generation=admission.clear_generation,
            sealed=sealed,
            reason=reason,
            state=ProposalState.OPEN,
            shared=False,
            created_at=deps.clock.now(),
        )
        tx.proposals.add(workspace, proposal, body_mac=turn.mac())
    return Captured(CaptureOutcome.PROPOSED, proposal=proposal_id, reason=reason)


def _receipt(deps: Deps, turn: _Turn, version: Version, text_bytes: int) -> Receipt:
    admission = turn.admission
    return Receipt(
        id=ReceiptId(deps.new_id()),
        kind=ReceiptKind.CAPTURE,
        conversation=admission.conversation,
        admission=admission.id,
        turn=admission.turn,
        call_number=admission.calls,
        at=deps.clock.now(),
        status=COMMITTED,
        version=version,
        bytes=text_bytes,
        mode=admission.mode,
        policy_revision=admission.policy_revision,
        clear_generation=admission.clear_generation,
        client_state=str(admission.client_state),
        via=admission.via,
        model=None,
    )
