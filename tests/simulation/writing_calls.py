"""Every use case of the memory document, of notes and of keys that writes, each made ready to be called.

What makes one ready runs undisturbed; the call itself may be repeated until it succeeds.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.conftest import World
from tests.contract.agent_notes import Agent
from tests.contract.keyed import Keyed
from tests.contract.memory_stage import Stage, add
from tests.contract.noted import Noted

from workspace_memory.crypto.session_sealing import new_session_token, seal_for_session
from workspace_memory.domain.access import MemberStatus, Role
from workspace_memory.domain.document import RevisionKind
from workspace_memory.domain.ids import Epoch, PolicyRevision, ProposalId, Version
from workspace_memory.domain.key_session import KeySessionWay
from workspace_memory.domain.policy import Mode
from workspace_memory.services.ai_consents import set_skills_trust
from workspace_memory.services.captures import Captured
from workspace_memory.services.key_sessions import open_key_session
from workspace_memory.services.members import change_member, remove_member
from workspace_memory.services.policies import change_policy
from workspace_memory.services.proposals import (
    apply_proposal,
    dismiss_proposal,
    propose_note_change,
    share_proposal,
)

Call = Callable[[], object]


@dataclass
class Ready:
    """The cast with keys, a document of two versions, and a note."""

    stage: Stage
    keyed: Keyed
    noted: Noted

    @property
    def world(self) -> World:
        return self.stage.world

    def proposal(self) -> ProposalId:
        """A proposal of carol's, who is a viewer."""
        captured = self.stage.capture(self.stage.shown(self.world.carol), add("likes milk"))
        assert captured.proposal is not None
        return captured.proposal


def make_ready(world: World) -> Ready:
    keyed = Keyed(world)
    keyed.set_up(world.alice, world.bob)
    keyed.start(world.alice)
    keyed.grant(world.alice, world.bob)
    stage = Stage(world, keyed.key)
    stage.set_ai(True)
    stage.set_mode(Mode.AUTO)
    stage.save("- We ship on Thursday\n")
    stage.save("- We ship on Friday\n")
    for user in (world.alice, world.bob, world.carol):
        stage.open_session(user)
    return Ready(stage, keyed, Noted(world, [keyed.key]))


def save(ready: Ready) -> Call:
    return lambda: ready.stage.save("- once more\n", base=Version(2))


def undo(ready: Ready) -> Call:
    return lambda: ready.stage.undo(Version(1), base=Version(2))


def clear(ready: Ready) -> Call:
    return lambda: ready.stage.clear(base=Version(2))


def delete(ready: Ready) -> Call:
    return ready.stage.delete


def revive(ready: Ready) -> Call:
    ready.stage.delete()
    return lambda: ready.stage.save("- there again\n", base=Version(3))


def change_mode(ready: Ready) -> Call:
    deps, alice, here = ready.world.deps, ready.stage.actor(ready.world.alice), ready.world.workspace
    expected = PolicyRevision(ready.stage.policy().revision)
    return lambda: change_policy(deps, alice, here, Mode.OFF, expected=expected)


def turn_ai_off(ready: Ready) -> Call:
    return lambda: ready.stage.set_ai(False)


def trust_skills(ready: Ready) -> Call:
    alice = ready.stage.actor(ready.world.alice)
    return lambda: set_skills_trust(ready.world.deps, alice, ready.world.workspace, trusted=True)


def converse(ready: Ready) -> Call:
    return lambda: ready.stage.converse(ready.world.bob)


def admit(ready: Ready) -> Call:
    talk = ready.stage.converse(ready.world.bob)
    return lambda: ready.stage.admit(conversation=talk, key="one turn")


def capture(ready: Ready) -> Call:
    turn = ready.stage.shown()
    return lambda: ready.stage.capture(turn, add("likes tea"))


def capture_as_viewer(ready: Ready) -> Call:
    turn = ready.stage.shown(ready.world.carol)
    return lambda: ready.stage.capture(turn, add("likes tea"))


def capture_against_older(ready: Ready) -> Call:
    turn = ready.stage.shown()
    ready.stage.save("- newer\n")

    def call() -> Captured:
        captured = ready.stage.capture(turn, add("likes tea"))
        assert captured.proposal is not None
        return captured

    return call


def apply(ready: Ready) -> Call:
    proposal, stage = ready.proposal(), ready.stage
    carol = stage.actor(ready.world.carol)
    share_proposal(ready.world.deps, carol, ready.world.workspace, proposal)
    sealed = stage.sealed(ready.world.bob, "- likes milk\n", base=Version(2), kind=RevisionKind.SAVE)
    bob = stage.actor(ready.world.bob)
    return lambda: apply_proposal(
        ready.world.deps, bob, ready.world.workspace, proposal, base=Version(2), sealed=sealed
    )


def dismiss(ready: Ready) -> Call:
    proposal, carol = ready.proposal(), ready.stage.actor(ready.world.carol)
    return lambda: dismiss_proposal(ready.world.deps, carol, ready.world.workspace, proposal)


def share(ready: Ready) -> Call:
    proposal, carol = ready.proposal(), ready.stage.actor(ready.world.carol)
    return lambda: share_proposal(ready.world.deps, carol, ready.world.workspace, proposal)


def open_session(ready: Ready) -> Call:
    token, key, bob = new_session_token(), ready.keyed.key, ready.world.bob
    return lambda: open_key_session(
        ready.world.deps,
        ready.stage.actor(bob),
        ready.world.workspace,
        token=token,
        sealed=seal_for_session(key, token, bob),
        epoch=Epoch(key.epoch),
        name="laptop",
        way=KeySessionWay.HEADER,
    )


def revoke_session(ready: Ready) -> Call:
    return lambda: ready.stage.revoke(ready.world.bob)


def deactivate(ready: Ready) -> Call:
    world, alice = ready.world, ready.stage.actor(ready.world.alice)
    return lambda: change_member(
        world.deps, alice, world.workspace, world.bob, status=MemberStatus.DEACTIVATED
    )


def remove(ready: Ready) -> Call:
    world, alice = ready.world, ready.stage.actor(ready.world.alice)
    return lambda: remove_member(world.deps, alice, world.workspace, world.bob)


def lower_role(ready: Ready) -> Call:
    world, alice = ready.world, ready.stage.actor(ready.world.alice)
    return lambda: change_member(world.deps, alice, world.workspace, world.bob, role=Role.VIEWER)


def rotate(ready: Ready) -> Call:
    return lambda: ready.keyed.rotate(ready.world.alice, [ready.world.alice, ready.world.bob])


def make_note(ready: Ready) -> Call:
    return lambda: ready.noted.make(ready.world.bob)


def save_note(ready: Ready) -> Call:
    note = ready.noted.make(ready.world.bob)
    return lambda: ready.noted.save(ready.world.bob, note, "White tea")


def move_note(ready: Ready) -> Call:
    note = ready.noted.make(ready.world.bob)
    return lambda: ready.noted.move(ready.world.bob, note, "notes/white.md")


def delete_note(ready: Ready) -> Call:
    note = ready.noted.make(ready.world.bob)
    return lambda: ready.noted.delete(ready.world.bob, note)


def put_plain_note(ready: Ready) -> Call:
    agent = Agent(ready.noted, ready.world.bob)
    return lambda: agent.put("notes/plain.md", "Black tea", key="one request")


def move_plain_note(ready: Ready) -> Call:
    agent = Agent(ready.noted, ready.world.bob)
    agent.put("notes/plain.md", "Black tea")
    return lambda: agent.move("notes/plain.md", "notes/moved.md", 1)


def propose_note(ready: Ready) -> Call:
    agent = Agent(ready.noted, ready.world.bob)
    return lambda: propose_note_change(
        ready.world.deps,
        agent.by,
        ready.world.workspace,
        "notes/proposed.md",
        "Red tea",
        base=Version(0),
        key_session=agent.token,
    )


WRITING: Mapping[str, Callable[[Ready], Call]] = {
    made.__name__: made
    for made in (
        save,
        undo,
        clear,
        delete,
        revive,
        change_mode,
        turn_ai_off,
        trust_skills,
        converse,
        admit,
        capture,
        capture_as_viewer,
        capture_against_older,
        apply,
        dismiss,
        share,
        open_session,
        revoke_session,
        deactivate,
        remove,
        lower_role,
        rotate,
        make_note,
        save_note,
        move_note,
        delete_note,
        put_plain_note,
        move_plain_note,
        propose_note,
    )
}
