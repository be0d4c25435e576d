"""Use cases as their clients call them: what a client prepares beforehand (a base, a seal) is prepared here.

So a stale base stays stale, and a move is exactly one request, unless its name says more.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from tests.contract.memory_stage import Stage, Turn
from tests.simulation.arena import Arena
from tests.simulation.interleavings import Move

from workspace_memory.crypto.session_sealing import new_session_token, seal_for_session
from workspace_memory.crypto.workspace_keys import WorkspaceKey, new_workspace_key, wrap_older
from workspace_memory.domain.access import MemberStatus, Role
from workspace_memory.domain.admission import Via
from workspace_memory.domain.client_state import UNKNOWN
from workspace_memory.domain.document import RevisionKind
from workspace_memory.domain.edits import Edit
from workspace_memory.domain.fence import CLAUSES, first_broken_clause
from workspace_memory.domain.ids import (
    ClearGeneration,
    ConsentRevision,
    ConversationId,
    Epoch,
    PolicyRevision,
    ProposalId,
    UserId,
    Version,
)
from workspace_memory.domain.key_session import KeySessionWay
from workspace_memory.domain.message import MessageKind, NewMessage
from workspace_memory.domain.policy import Mode
from workspace_memory.services.accounts import deactivate_account_here
from workspace_memory.services.ai_consents import change_ai_consent, set_skills_trust
from workspace_memory.services.authentication import sign_out, start_session
from workspace_memory.services.conversations import create_conversation
from workspace_memory.services.documents import clear_document, delete_document, save_document
from workspace_memory.services.erasing import delete_account_here
from workspace_memory.services.fence_facts import read_fence_facts
from workspace_memory.services.key_sessions import open_key_session
from workspace_memory.services.members import change_member, remove_member
from workspace_memory.services.policies import change_policy
from workspace_memory.services.proposals import (
    apply_proposal,
    dismiss_proposal,
    list_proposals,
    share_proposal,
)
from workspace_memory.services.turns import Submission, begin_turn
from workspace_memory.services.workspace_keys import grant_key, rotate_workspace_key
from workspace_memory.services.workspaces import delete_workspace

# The time of a capture is read once, under the lock; at its COMMIT the clock may be further on.
TIMELESS_CLAUSES = frozenset(CLAUSES) - {
    "admission_begun",
    "admission_not_expired",
    "slot_not_expired",
    "key_session_not_expired",
}


class PredicateFalse(AssertionError):
    """A capture is about to be committed, and its predicate is false by what others have committed."""


class Moves:
    """Moves on one stage. `keys` gains the workspace keys that are made."""

    def __init__(self, arena: Arena, stage: Stage) -> None:
        self.arena = arena
        self.stage = stage
        self.keys: dict[int, WorkspaceKey] = {stage.key.epoch: stage.key}
        self.deps, self.workspace = stage.world.deps, stage.world.workspace
        self.alice, self.bob, self.carol = stage.world.alice, stage.world.bob, stage.world.carol

    def capture(self, turn: Turn, *edits: Edit) -> Move:
        return Move("capture", partial(self.stage.capture, turn, *edits), partial(self._check, turn))

    def recall(self, turn: Turn) -> Move:
        return Move("recall", partial(self.stage.recall, turn))

    def save(self, text: str, user: UserId | None = None, *, base: Version | None = None) -> Move:
        by = user or self.bob
        at = self.stage.version() if base is None else base
        sealed = self.stage.sealed(by, text, base=at)
        return self._by(by, "Save", save_document, base=at, sealed=sealed)

    def undo(self, to: Version) -> Move:
        at = self.stage.version()
        sealed = self.stage.sealed(self.alice, self.stage.text(to) or "", base=at, kind=RevisionKind.UNDO)
        return self._by(self.alice, "Undo", save_document, base=at, sealed=sealed, undo=True)

    def clear(self, user: UserId | None = None) -> Move:
        by, at = user or self.alice, self.stage.version()
        generation = ClearGeneration(self.stage.policy().clear_generation + 1)
        sealed = self.stage.sealed(by, "", base=at, kind=RevisionKind.CLEAR, generation=generation)
        return self._by(by, "Clear", clear_document, base=at, sealed=sealed)

    def delete(self) -> Move:
        return self._by(self.alice, "delete", delete_document, base=self.stage.version())

    def mode(self, mode: Mode, user: UserId | None = None, *, after: int = 0) -> Move:
        """A change against the present revision, or the one that so many changes from now will make."""
        expected = PolicyRevision(self.stage.policy().revision + after)
        return self._by(user or self.alice, f"mode {mode}", change_policy, mode, expected=expected)

    def consent(self, enabled: bool, *, after: int = 0) -> Move:
        with self.deps.database.read() as tx:
            revision = tx.policies.consent(self.workspace).revision
        expected = ConsentRevision(revision + after)
        return self._by(self.alice, f"AI {enabled}", change_ai_consent, enabled=enabled, expected=expected)

    def trust_skills(self) -> Move:
        return self._by(self.alice, "trust skills", set_skills_trust, trusted=True)

    def admit(self, conversation: ConversationId, user: UserId | None = None) -> Move:
        by = user or self.bob
        return Move(
            "newer turn", partial(self.stage.admit, by, conversation=conversation, key="the newer turn")
        )

    def ask_assistant(self, conversation: ConversationId) -> Move:
        submission = Submission(
            text="When do we release?",
            message=NewMessage(MessageKind.REQUEST, "{}", "test 1"),
            key="the turn of the Assistant",
            client_state=UNKNOWN,
            via=Via.ASSISTANT,
            model="test",
        )
        return Move(
            "turn of the Assistant",
            partial(
                begin_turn,
                self.deps,
                self.stage.actor(self.bob),
                conversation,
                submission,
                key_session=self.stage.token(self.bob),
            ),
        )

    def revoke(self, user: UserId) -> Move:
        return Move("revoke", partial(self.stage.revoke, user))

    def open_session(self, user: UserId, way: KeySessionWay = KeySessionWay.HEADER) -> Move:
        token = new_session_token()
        return self._by(
            user,
            "open key session",
            open_key_session,
            token=token,
            sealed=seal_for_session(self.stage.key, token, user),
            epoch=Epoch(self.stage.key.epoch),
            name="Another",
            way=way,
        )

    def evict(self, user: UserId) -> Move:
        return Move("evict", partial(self.deps.key_store.drop, self.stage.sessions[user]))

    def role(self, user: UserId, role: Role) -> Move:
        return self._by(self.alice, f"role {role}", change_member, user, role=role)

    def deactivate(self, user: UserId) -> Move:
        return self._by(self.alice, "deactivate", change_member, user, status=MemberStatus.DEACTIVATED)

    def remove(self, user: UserId) -> Move:
        return self._by(self.alice, "remove", remove_member, user)

    def deactivate_account(self) -> Move:
        return Move("deactivate account", partial(deactivate_account_here, self.deps, "bob@example.com"))

    def delete_account(self) -> Move:
        return Move("delete account", partial(delete_account_here, self.deps, "bob@example.com"))

    def sign_out(self, user: UserId) -> Move:
        """The end of a session that is begun here, with the key sessions that were opened by cookie."""
        with self.deps.database.begin() as tx:
            signed_in = start_session(tx, user, self.deps.clock.now())
        return Move("sign out", partial(sign_out, self.deps, signed_in.secret))

    def delete_workspace(self) -> Move:
        return self._by(self.alice, "delete workspace", delete_workspace, confirm_name="Tea shop")

    def rotate(self, maker: UserId) -> Move:
        older = self.stage.key
        newer = new_workspace_key(self.workspace, older.epoch + 1)
        self.keys[newer.epoch] = newer
        keyed = self.arena.keyed
        return self._by(
            maker,
            "rotate",
            rotate_workspace_key,
            epoch=Epoch(newer.epoch),
            check=keyed.made_check(maker, newer),
            older_sealed=wrap_older(newer, older),
            grants=[keyed.made_grant(maker, member, newer) for member in (self.alice, self.bob)],
        )

    def grant(self, user: UserId) -> Move:
        """Alice passes the newest key on."""
        made = self.arena.keyed.made_grant(self.alice, user)
        return self._by(self.alice, "grant", grant_key, epoch=Epoch(self.stage.key.epoch), grant=made)

    def proposal(self) -> ProposalId:
        """The newest proposal that bob sees."""
        page = list_proposals(self.deps, self.stage.actor(self.bob), self.workspace)
        return page.proposals[0].id

    def apply(self, proposal: ProposalId, text: str = "- applied\n", user: UserId | None = None) -> Move:
        by, at = user or self.bob, self.stage.version()
        sealed = self.stage.sealed(by, text, base=at)
        return self._by(by, "apply", apply_proposal, proposal, base=at, sealed=sealed)

    def dismiss(self, proposal: ProposalId) -> Move:
        return self._by(self.bob, "dismiss", dismiss_proposal, proposal)

    def share(self, proposal: ProposalId) -> Move:
        return self._by(self.bob, "share", share_proposal, proposal)

    def converse(self, user: UserId) -> Move:
        return self._by(user, "new conversation", create_conversation)

    def clock(self, name: str, at: datetime) -> Move:
        """The clock is at a moment."""
        return Move(name, partial(setattr, self.stage.world.clock, "time", at))

    def wait(self, by: timedelta) -> None:
        """Move the clock now, while the pair is prepared."""
        self.stage.world.clock.move(by)

    def _by(
        self, user: UserId, what: str, use_case: Callable[..., object], *more: object, **named: object
    ) -> Move:
        return Move(
            what, partial(use_case, self.deps, self.stage.actor(user), self.workspace, *more, **named)
        )

    def _check(self, turn: Turn) -> None:
        """Raise unless the predicate holds by what is committed, whatever the capture's own transaction saw."""
        with self.deps.database.read() as tx:
            facts = read_fence_facts(
                self.deps,
                tx,
                self.stage.actor(turn.user),
                self.workspace,
                turn.admission,
                self.stage.sessions[turn.user],
            )
        broken = first_broken_clause(facts, TIMELESS_CLAUSES)
        if broken is not None:
            raise PredicateFalse(broken)
