"""The rules of the state machine: each does one thing by the real services and asks the oracle what it must become.

test_document_machine.py runs it. People are alice, who stays an admin, bob and carol, whose roles change.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.conftest import World, make_world
from tests.contract.keyed import Keyed
from tests.contract.memory_stage import Stage, Turn, add
from tests.simulation.document_oracle import (
    OVERSIZED,
    REFUSED,
    SUSPICIOUS,
    Admitted,
    Offered,
    Oracle,
    Session,
)

from workspace_memory.domain.access import MemberStatus, Role
from workspace_memory.domain.audit import Verified
from workspace_memory.domain.client_state import parse_memory_state
from workspace_memory.domain.document import NO_PREVIOUS, Revision, RevisionKind, SealedText
from workspace_memory.domain.errors import Conflict, DomainError, Forbidden, IdempotencyKeyReused, NotFound
from workspace_memory.domain.ids import ClearGeneration, PolicyRevision, ProposalId, UserId, Version
from workspace_memory.domain.key_session import ABSOLUTE_MAX
from workspace_memory.domain.policy import Mode
from workspace_memory.services.audit import verify_audit
from workspace_memory.services.captures import CaptureOutcome, commit_capture
from workspace_memory.services.deps import KeySessionTimes
from workspace_memory.services.documents import (
    clear_document,
    delete_document,
    get_document,
    get_revision,
    list_revisions,
    save_document,
)
from workspace_memory.services.members import change_member, remove_member
from workspace_memory.services.policies import change_policy
from workspace_memory.services.proposals import apply_proposal, dismiss_proposal, share_proposal
from workspace_memory.services.recall import recall
from workspace_memory.services.seals import open_revision
from workspace_memory.services.session_keys import Keyring
from workspace_memory.storage.database import Database

PEOPLE = ("alice", "bob", "carol")
someone = st.sampled_from((*PEOPLE, "bob", "bob"))
changing = st.sampled_from(("carol", "bob"))
line = st.sampled_from(("likes tea", "likes milk", "ships on Thursday", SUSPICIOUS))
stale = st.sampled_from((False, False, False, False, False, True))
# What ends the work of others is rare, or nothing would ever be written.
rarely = st.sampled_from((False, False, True))
recent = st.sampled_from((1, 1, 1, 2, 3))
steps = st.sampled_from((1, 1, 300, 899, 900, 901, -60, 12 * 3600))


class DocumentMachine(RuleBasedStateMachine):
    """One workspace from its first key on. `outcomes` counts what came of it over all examples."""

    database: ClassVar[Database]
    outcomes: ClassVar[Counter[str]]
    examples: ClassVar[Iterator[int]]

    @initialize(
        mode=st.sampled_from((*Mode, Mode.AUTO, Mode.AUTO)), ai=st.sampled_from((True, True, True, False))
    )
    def begin(self, mode: Mode, ai: bool) -> None:
        # A database of its own for each example would cost more than all of its steps.
        self.world: World = make_world(self.database, cast=f"-{next(self.examples)}")
        # An eviction is a rule here, not a matter of half an hour.
        times = KeySessionTimes(idle=2 * ABSOLUTE_MAX)
        self.world.deps = replace(self.world.deps, key_session_times=times)
        self.users: dict[str, UserId] = {name: getattr(self.world, name) for name in PEOPLE}
        self.keyed = Keyed(self.world)
        self.keyed.set_up(*self.users.values())
        self.keyed.start(self.world.alice)
        for name in ("bob", "carol"):
            self.keyed.grant(self.world.alice, self.users[name])
        self.stage = Stage(self.world, self.keyed.key)
        self.oracle = Oracle(self.world.clock.now())
        self.oracle.roles = {"alice": "admin", "bob": "editor", "carol": "viewer"}
        self.turns: list[Turn] = []
        self.newest_token: dict[str, bytes] = {}
        self.set_ai(ai)
        self.set_mode(mode, user="alice", stale=False)
        for user in PEOPLE:
            self.open_session(user)

    # --- Decisions about the workspace ---------------------------------------------------------------------------

    @rule(mode=st.sampled_from((*Mode, Mode.AUTO, Mode.AUTO)), user=someone, stale=stale)
    def set_mode(self, mode: Mode, user: str, stale: bool) -> None:
        expected = self.oracle.policy_revision - stale
        deps, actor, here = self.world.deps, self.stage.actor(self.users[user]), self.world.workspace
        done = self.attempt(lambda: change_policy(deps, actor, here, mode, expected=PolicyRevision(expected)))
        assert done == ("ok" if self.oracle.active(user) and not stale else REFUSED)
        if done == "ok" and mode.value != self.oracle.mode:
            self.oracle.mode = mode.value
            self.oracle.policy_revision += 1

    @rule(enabled=st.sampled_from((True, True, False)))
    def set_ai(self, enabled: bool) -> None:
        self.stage.set_ai(enabled)
        if enabled != self.oracle.ai:
            self.oracle.ai = enabled
            self.oracle.consent_revision += 1

    @rule(seconds=steps)
    def let_time_pass(self, seconds: int) -> None:
        self.world.clock.move(timedelta(seconds=seconds))
        self.oracle.now = self.world.clock.now()
        # Sweeps the store, so that a clock that is set back afterwards finds the same keys gone.
        self.world.deps.key_store.count()
        for session in self.oracle.sessions.values():
            session.evicted |= self.oracle.now >= session.expires_at

    @rule(user=changing, role=st.sampled_from((*Role, Role.EDITOR, Role.EDITOR)))
    def change_role(self, user: str, role: Role) -> None:
        done = self.attempt(lambda: self.change(user, role=role))
        assert done == ("ok" if user in self.oracle.roles else REFUSED)
        if done == "ok":
            self.oracle.roles[user] = role.value

    @rule(user=changing, sure=rarely)
    def deactivate(self, user: str, sure: bool) -> None:
        if not sure:
            return
        if self.attempt(lambda: self.change(user, status=MemberStatus.DEACTIVATED)) == "ok":
            self.oracle.end(user, removed=False)

    @rule(user=changing, sure=rarely)
    def remove(self, user: str, sure: bool) -> None:
        if not sure:
            return
        actor = self.stage.actor(self.world.alice)
        here = self.world.workspace
        done = self.attempt(lambda: remove_member(self.world.deps, actor, here, self.users[user]))
        assert done == ("ok" if user in self.oracle.roles else REFUSED)
        if done == "ok":
            self.oracle.end(user, removed=True)

    @precondition(lambda self: any(not self.oracle.active(user) for user in PEOPLE))
    @rule(user=changing)
    def come_back(self, user: str) -> None:
        if self.oracle.active(user):
            return
        if user in self.oracle.roles:
            self.change(user, status=MemberStatus.ACTIVE)
        else:
            with self.database.begin() as tx:
                tx.members.add(
                    workspace=self.world.workspace,
                    user=self.users[user],
                    role=Role.EDITOR,
                    at=self.world.clock.now(),
                )
            self.oracle.roles[user] = "editor"
        self.oracle.inactive.discard(user)
        self.keyed.grant(self.world.alice, self.users[user])

    @rule(sure=rarely)
    def rotate(self, sure: bool) -> None:
        if not sure:
            return
        holders = [self.users[user] for user in PEOPLE if self.oracle.active(user)]
        self.keyed.rotate(self.world.alice, holders)
        self.stage.key = self.keyed.key
        self.oracle.begin_epoch()

    @rule(sure=rarely, again=rarely)
    def begin_anew(self, sure: bool, again: bool) -> None:
        """Everybody loses the own keys, and with them that of the workspace."""
        if not (sure and again):
            return
        holders = [self.users[user] for user in PEOPLE if self.oracle.active(user)]
        self.keyed.lose(*holders)
        self.keyed.begin_anew(self.world.alice)
        for user in holders:
            self.keyed.grant(self.world.alice, user)
        self.stage.key = self.keyed.key
        self.oracle.begin_epoch(anew=True)
        type(self).outcomes["begun anew"] += 1

    # --- Key sessions --------------------------------------------------------------------------------------------

    @rule(user=someone)
    def open_session(self, user: str) -> None:
        if not self.oracle.active(user):
            return
        token = self.stage.open_session(self.users[user])
        expires_at = self.oracle.now.replace(microsecond=0) + ABSOLUTE_MAX
        self.oracle.sessions[token] = Session(user, expires_at)
        self.newest_token[user] = token

    @rule(user=someone, sure=rarely)
    def revoke(self, user: str, sure: bool) -> None:
        if sure and user in self.newest_token and self.oracle.active(user):
            done = self.attempt(lambda: self.stage.revoke(self.users[user]))
            # A session that ended with a former membership is no longer there to be revoked.
            assert done == "ok" or self.oracle.sessions[self.newest_token[user]].revoked
            self.oracle.sessions[self.newest_token[user]].revoked = True

    @rule(user=someone, sure=rarely)
    def evict(self, user: str, sure: bool) -> None:
        if sure and user in self.newest_token:
            self.world.deps.key_store.drop(self.stage.sessions[self.users[user]])
            self.oracle.sessions[self.newest_token[user]].evicted = True

    # --- People write --------------------------------------------------------------------------------------------

    @rule(user=someone, lines=st.lists(line, max_size=3, unique=True), long=stale, stale=stale)
    def save(self, user: str, lines: list[str], long: bool, stale: bool) -> None:
        lines = [*lines, OVERSIZED] if long and stale else lines
        self.write("save", user, lines, stale=stale and not long)

    @rule(user=someone, stale=stale)
    def clear(self, user: str, stale: bool) -> None:
        self.write("clear", user, [], stale=stale)

    @precondition(lambda self: self.oracle.version > 0)
    @rule(user=someone, back=recent, stale=stale)
    def undo(self, user: str, back: int, stale: bool) -> None:
        lines = self.oracle.history[-min(back, self.oracle.version)].lines
        self.write("undo", user, lines or [], stale=stale)

    @rule(user=someone, stale=stale)
    def delete(self, user: str, stale: bool) -> None:
        self.write("delete", user, None, stale=stale)

    # --- Turns ---------------------------------------------------------------------------------------------------

    @rule(
        user=someone,
        again=st.booleans(),
        state=st.sampled_from(("unknown", "unknown", "saved", "ahead", "pending", "conflict")),
        and_recall=st.sampled_from((True, True, False)),
        any_session=rarely,
    )
    def admit(self, user: str, again: bool, state: str, and_recall: bool, any_session: bool = False) -> None:
        """A turn by the newest session, which is opened where there is none; `any_session` takes a dead one too."""
        dead = user not in self.newest_token or not self.oracle.usable(self.newest_token[user], user)
        if user not in self.newest_token or (dead and not any_session):
            self.open_session(user)
        if not self.oracle.active(user):
            return
        token = self.newest_token[user]
        stated_version = {"saved": self.oracle.version, "ahead": self.oracle.version + 1}.get(state, 0)
        header = f"saved;version={stated_version}" if state in {"saved", "ahead"} else state
        own = [turn for turn in self.turns if turn.user == self.users[user] and self.known(turn)]
        conversation = own[-1].conversation if again and own else None
        try:
            turn = self.stage.admit(
                self.users[user], conversation=conversation, state=parse_memory_state([header])
            )
        except Forbidden as refusal:
            assert not self.oracle.may_admit(user, token)
            type(self).outcomes[f"admit {type(refusal).__name__}"] += 1
            return
        assert self.oracle.may_admit(user, token)
        self.turns.append(turn)
        self.oracle.slots[turn.conversation] = turn.admission
        self.oracle.turns[turn.admission] = Admitted(
            owner=user,
            conversation=turn.conversation,
            session=token,
            mode=self.oracle.mode,
            policy_revision=self.oracle.policy_revision,
            generation=self.oracle.generation,
            consent_revision=self.oracle.consent_revision,
            stated=state,
            stated_version=stated_version,
            begun_at=self.oracle.now,
        )
        if and_recall:
            self.recall(back=1, other=False)

    @precondition(lambda self: self.turns)
    @rule(back=recent, other=stale)
    def recall(self, back: int, other: bool) -> None:
        turn, token = self.pick(back, other)
        expected = self.oracle.recall(turn.admission, token)
        try:
            recalled = recall(
                self.world.deps,
                self.stage.actor(turn.user),
                self.world.workspace,
                turn.admission,
                credential=turn.credential,
                key_session_token=token,
            )
        except NotFound:
            assert expected == REFUSED
            return
        type(self).outcomes[f"recall {expected}"] += 1
        assert recalled.status.value == expected
        assert recalled.receipt is not None
        assert recalled.stop == self.oracle.stopped(turn.admission)
        if expected == "attached":
            assert recalled.version == self.oracle.version
            assert (as_text(self.oracle.lines) or "nothing") in (recalled.block or "")
        else:
            assert recalled.block is None

    @precondition(lambda self: self.turns)
    @rule(back=recent, line=line, other=stale)
    def capture(self, back: int, line: str, other: bool) -> None:
        turn, token = self.pick(back, other)
        expected = self.oracle.capture(turn.admission, token, line)
        try:
            captured = commit_capture(
                self.world.deps,
                self.stage.actor(turn.user),
                self.world.workspace,
                turn.admission,
                credential=turn.credential,
                key=f"memory:{turn.admission}",
                key_session_token=token,
                edits=[add(line)],
            )
        except (Conflict, Forbidden, NotFound, IdempotencyKeyReused) as refusal:
            type(self).outcomes[f"capture {type(refusal).__name__}"] += 1
            if expected != REFUSED:
                raise
            return
        type(self).outcomes[f"capture {expected}"] += 1
        if expected == "again":
            assert captured.outcome.value == self.oracle.turns[turn.admission].outcome
            return
        assert captured.outcome.value == expected
        if captured.outcome is CaptureOutcome.COMMITTED:
            assert captured.version == self.oracle.version
        if captured.proposal is not None:
            owner = self.oracle.turns[turn.admission].owner
            self.oracle.proposals[captured.proposal] = Offered(owner, self.oracle.generation)

    @rule(
        user=someone,
        line=line,
        meanwhile=st.sampled_from(("rotate", "anew", "clear", "revoke", "mode", "nothing")),
    )
    def lose_the_answer(self, user: str, line: str, meanwhile: str) -> None:
        """A capture whose answer is lost; the client sends it again after something else, by a session of then."""
        self.make_ready()
        self.take_a_turn(user, line, False)
        happen: dict[str, Callable[[], None]] = {
            "rotate": lambda: self.rotate(True),
            "anew": lambda: self.begin_anew(True, True),
            "clear": lambda: self.clear("alice", False),
            "revoke": lambda: self.revoke(user, True),
            "mode": lambda: self.set_mode(Mode.OFF, "alice", False),
            "nothing": lambda: None,
        }
        happen[meanwhile]()
        self.open_session(user)
        self.capture_again(back=1)

    @precondition(lambda self: self.oracle.proposals)
    @rule(line=line, what=st.sampled_from(("applied", "dismissed", "shared")))
    def settle_as_its_owner(self, line: str, what: str) -> None:
        """So that more than strangers come to look at one."""
        name = list(self.oracle.proposals)[-1]
        self.settle(self.oracle.proposals[name].owner, 1, what, line, False)

    @precondition(lambda self: self.turns)
    @rule(back=recent)
    def capture_again(self, back: int) -> None:
        """The answer was lost, and the client sends the same again, by whatever session it has now."""
        if not self.turns:
            return
        turn = self.turns[-min(back, len(self.turns))]
        known = self.oracle.turns.get(turn.admission)
        if known is not None and known.outcome:
            self.capture(back, known.line, other=True)

    @rule(user=someone, line=line, again=st.booleans())
    def take_a_turn(self, user: str, line: str, again: bool) -> None:
        """The whole of it, without anybody in between."""
        before = len(self.turns)
        self.admit(user, again, "unknown", and_recall=True)
        if len(self.turns) > before:
            self.capture(back=1, line=line, other=False)

    @rule(
        user=someone,
        line=line,
        meanwhile=st.sampled_from(("clear", "mode", "revoke", "turn", "undo", "consent")),
        with_recall=st.booleans(),
    )
    def race(self, user: str, line: str, meanwhile: str, with_recall: bool) -> None:
        """The ones that are named most often; a recall in between lets the turn know the newest version."""
        self.be_interrupted(user, line, False, meanwhile, 0, with_recall)

    @rule(
        user=someone,
        line=line,
        again=st.booleans(),
        meanwhile=st.sampled_from(
            (
                "clear",
                "save",
                "delete",
                "undo",
                "mode",
                "ai",
                "revoke",
                "evict",
                "turn",
                "role",
                "end",
                "time",
                "rotate",
                "anew",
            )
        ),
        seconds=steps,
        with_recall=rarely,
    )
    def be_interrupted(
        self, user: str, line: str, again: bool, meanwhile: str, seconds: int, with_recall: bool
    ) -> None:
        """A turn between whose recall and capture something else happens."""
        self.make_ready()
        before = len(self.turns)
        self.admit(user, again, "unknown", and_recall=True)
        if len(self.turns) == before:
            return
        other = "carol" if user == "bob" else "bob"
        happen: dict[str, Callable[[], None]] = {
            "clear": lambda: self.clear("alice", False),
            "save": lambda: self.save("alice", [line], False, False),
            "delete": lambda: self.delete("alice", False),
            "undo": lambda: self.write("undo", "alice", ["likes milk"], stale=False),
            "mode": self.turn_off_and_on,
            "ai": lambda: self.set_ai(not self.oracle.ai),
            "consent": self.give_consent_anew,
            "revoke": lambda: self.revoke(user, True),
            "evict": lambda: self.evict(user, True),
            "turn": lambda: self.admit(user, True, "unknown", and_recall=False),
            "role": lambda: self.change_role(other if user == "alice" else user, Role.VIEWER),
            "end": lambda: self.deactivate(other if user == "alice" else user, True),
            "time": lambda: self.let_time_pass(seconds),
            "rotate": lambda: self.rotate(True),
            "anew": lambda: self.begin_anew(True, True),
        }
        happen[meanwhile]()
        back = len(self.turns) - before
        if with_recall:
            self.recall(back, other=False)
        self.capture(back, line, other=False)

    @precondition(lambda self: self.oracle.proposals)
    @rule(
        user=someone,
        back=recent,
        what=st.sampled_from(("applied", "applied", "dismissed", "shared")),
        line=line,
        stale=stale,
    )
    def settle(self, user: str, back: int, what: str, line: str, stale: bool) -> None:
        names = list(self.oracle.proposals)
        name = names[-min(back, len(names))]
        base, lines = self.oracle.version - stale, self.oracle.lines
        deps, actor, here = self.world.deps, self.stage.actor(self.users[user]), self.world.workspace
        proposal = ProposalId(name)
        calls: dict[str, Callable[[], object]] = {
            "dismissed": lambda: dismiss_proposal(deps, actor, here, proposal),
            "shared": lambda: share_proposal(deps, actor, here, proposal),
            "applied": lambda: apply_proposal(
                deps,
                actor,
                here,
                proposal,
                base=Version(base),
                sealed=self.sealed("save", user, [*(lines or []), line], base),
            ),
        }
        done = self.attempt(calls[what])
        assert done == self.oracle.settle(name, user, what, base=base, line=line)
        type(self).outcomes[f"proposal {what if done == 'ok' else done}"] += 1

    # --- What must hold after every step -------------------------------------------------------------------------

    @invariant()
    def the_server_holds_what_the_oracle_holds(self) -> None:
        policy = self.stage.policy()
        assert (policy.mode.value, policy.revision, policy.clear_generation) == (
            self.oracle.mode,
            self.oracle.policy_revision,
            self.oracle.generation,
        )
        alice = self.stage.actor(self.world.alice)
        newest = get_document(self.world.deps, alice, self.world.workspace).newest
        assert (0 if newest is None else newest.version) == self.oracle.version
        if newest is not None:
            assert self.text_of(newest) == as_text(self.oracle.lines)

    def teardown(self) -> None:
        """The whole history, once, at the end of an example."""
        if not hasattr(self, "newest_token"):
            return
        deps, alice, here = self.world.deps, self.stage.actor(self.world.alice), self.world.workspace
        previous, found = NO_PREVIOUS, list(reversed(list_revisions(deps, alice, here, limit=200).revisions))
        assert len(found) == self.oracle.version
        for number, (revision, kept) in enumerate(zip(found, self.oracle.history, strict=True), start=1):
            assert (revision.version, revision.previous) == (number, previous)
            assert (revision.kind.value, revision.clear_generation) == (kept.kind, kept.generation)
            whole = get_revision(deps, alice, here, revision.version)
            assert self.text_of(whole) == as_text(kept.lines)
            previous = revision.sha256
        assert isinstance(verify_audit(deps, alice, here), Verified)

    def make_ready(self) -> None:
        """Let a capture be possible, so that what comes between is what stops it."""
        if not self.oracle.ai:
            self.set_ai(True)
        if self.oracle.mode == "off":
            self.set_mode(Mode.AUTO, "alice", False)
        if self.oracle.lines is None:
            self.save("alice", ["likes milk"], False, False)

    def give_consent_anew(self) -> None:
        self.set_ai(False)
        self.set_ai(True)

    def turn_off_and_on(self) -> None:
        self.set_mode(Mode.OFF, "carol", False)
        self.set_mode(Mode.AUTO, "alice", False)

    # --- Short ways ----------------------------------------------------------------------------------------------

    def attempt(self, call: Callable[[], object]) -> str:
        try:
            call()
        except DomainError:
            return REFUSED
        return "ok"

    def change(self, user: str, *, role: Role | None = None, status: MemberStatus | None = None) -> None:
        alice = self.stage.actor(self.world.alice)
        change_member(
            self.world.deps, alice, self.world.workspace, self.users[user], role=role, status=status
        )

    def known(self, turn: Turn) -> bool:
        return turn.admission in self.oracle.turns

    def pick(self, back: int, other: bool) -> tuple[Turn, bytes]:
        """One of the last turns, and its own token or the one that its user has now."""
        turn = self.turns[-min(back, len(self.turns))]
        name = self.world.people[turn.user]
        return turn, self.newest_token[name] if other else turn.token

    def write(self, kind: str, user: str, lines: list[str] | None, *, stale: bool) -> None:
        base = self.oracle.version - stale
        done = self.attempt(lambda: self.send(kind, user, lines, base))
        assert done == self.oracle.write(kind, lines, base=base, user=user)
        type(self).outcomes[f"{kind} {done}"] += 1

    def send(self, kind: str, user: str, lines: list[str] | None, base: int) -> None:
        deps, actor, here = self.world.deps, self.stage.actor(self.users[user]), self.world.workspace
        if lines is None:
            delete_document(deps, actor, here, base=Version(base))
            return
        sealed = self.sealed(kind, user, lines, base)
        if kind == "clear":
            clear_document(deps, actor, here, base=Version(base), sealed=sealed)
        else:
            save_document(deps, actor, here, base=Version(base), sealed=sealed, undo=kind == "undo")

    def sealed(self, kind: str, user: str, lines: list[str], base: int) -> SealedText:
        return self.stage.sealed(
            self.users[user],
            as_text(lines) or "",
            base=Version(base),
            kind=RevisionKind(kind),
            generation=ClearGeneration(self.oracle.generation + (kind == "clear")),
        )

    def text_of(self, revision: Revision) -> str | None:
        if revision.sealed is None:
            return None
        key = self.keyed.chain[revision.sealed.epoch - 1]
        return open_revision(Keyring(key, ()), self.world.workspace, revision)


def as_text(lines: list[str] | None) -> str | None:
    """The document of these lines."""
    return None if lines is None else "".join(f"- {each}\n" for each in lines)
