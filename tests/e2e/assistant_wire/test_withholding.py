"""Each status of a recall, reached end to end: what then stands on the wire, in the events and in the receipts."""

from collections.abc import Callable

import pytest
from tests.conftest import World
from tests.contract.memory_stage import Stage, Turn, make_stage
from tests.e2e.assistant_wire.provider_server import Provider, Say, call
from tests.e2e.assistant_wire.turns import NOTE, Ran, assert_given, blocks, choice, run_assistant

from workspace_memory.assistant.model_choices import ProviderKind
from workspace_memory.domain.access import MemberStatus
from workspace_memory.domain.client_state import CONFLICT, PENDING, ClientState, ClientStateKind
from workspace_memory.domain.document_errors import AiDisabled
from workspace_memory.domain.ids import Version
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.recall import REASONS, RecallStatus
from workspace_memory.domain.turn import TurnState
from workspace_memory.services.conversations import list_receipts
from workspace_memory.services.members import change_member

Before = Callable[[Stage], Turn]
KINDS = pytest.mark.parametrize("kind", [ProviderKind.ANTHROPIC, ProviderKind.COMPATIBLE])


def off(stage: Stage) -> Turn:
    turn = stage.admit()
    stage.set_mode(Mode.OFF)
    return turn


def superseded(stage: Stage) -> Turn:
    turn = stage.admit()
    stage.admit(conversation=turn.conversation)
    return turn


def without_access(stage: Stage) -> Turn:
    turn = stage.admit()
    change_member(
        stage.world.deps,
        stage.actor(stage.world.alice),
        stage.world.workspace,
        stage.world.bob,
        status=MemberStatus.DEACTIVATED,
    )
    return turn


def revoked(stage: Stage) -> Turn:
    turn = stage.admit()
    stage.revoke(stage.world.bob)
    return turn


def deleted(stage: Stage) -> Turn:
    stage.delete()
    return stage.admit()


def ahead(stage: Stage) -> Turn:
    return stage.admit(state=ClientState(ClientStateKind.SAVED, Version(99)))


def too_long(stage: Stage) -> Turn:
    stage.save("x" * 8_193)
    return stage.admit()


def emptied(stage: Stage) -> Turn:
    stage.clear()
    return stage.admit()


WITHHELD: list[tuple[RecallStatus, Before]] = [
    (RecallStatus.SUPERSEDED, superseded),
    (RecallStatus.NO_ACCESS, without_access),
    (RecallStatus.PENDING, lambda stage: stage.admit(state=PENDING)),
    (RecallStatus.CONFLICT, lambda stage: stage.admit(state=CONFLICT)),
    (RecallStatus.UNAVAILABLE, revoked),
    (RecallStatus.DELETED, deleted),
    (RecallStatus.STALE, ahead),
    (RecallStatus.OVERSIZED, too_long),
]


def ran(stage: Stage, provider: Provider, kind: ProviderKind, before: Before) -> Ran:
    return run_assistant(stage, before(stage), [choice(provider, kind)])


@KINDS
@pytest.mark.parametrize(("status", "before"), WITHHELD, ids=[str(status) for status, _ in WITHHELD])
def test_withheld_memory_is_a_note_at_the_end_of_the_system_text(
    stage: Stage, provider: Provider, kind: ProviderKind, status: RecallStatus, before: Before
) -> None:
    done = ran(stage, provider, kind, before)
    [request] = provider.recorded
    assert done.result.state is TurnState.DONE
    assert [given.status for given in done.given] == [status]
    assert blocks(request) == 0
    assert "We ship on Thursday" not in request.raw
    assert REASONS[status] in request.system[-1]
    assert request.system[-1].endswith("If the answer depends on it, say so.")
    assert NOTE not in done.stored


@KINDS
@pytest.mark.parametrize(("status", "before"), [(RecallStatus.OFF, off), (RecallStatus.EMPTY, emptied)])
def test_where_there_is_nothing_to_give_nothing_is_said(
    stage: Stage, provider: Provider, kind: ProviderKind, status: RecallStatus, before: Before
) -> None:
    done = ran(stage, provider, kind, before)
    [request] = provider.recorded
    assert [given.status for given in done.given] == [status]
    assert blocks(request) == 0
    assert NOTE not in request.raw


@KINDS
def test_a_document_that_was_never_written_adds_nothing(
    world: World, provider: Provider, kind: ProviderKind
) -> None:
    stage = make_stage(world, text=None)
    done = run_assistant(stage, stage.admit(), [choice(provider, kind)])
    assert [given.status for given in done.given] == [RecallStatus.EMPTY]
    assert blocks(provider.recorded[0]) == 0


@KINDS
def test_what_is_attached_is_named_by_the_receipt(
    stage: Stage, provider: Provider, kind: ProviderKind
) -> None:
    turn = stage.admit()
    done = run_assistant(stage, turn, [choice(provider, kind)])
    assert_given(provider.recorded[0], revision=1)
    page = list_receipts(stage.world.deps, stage.actor(turn.user), turn.conversation)
    [receipt] = page.receipts
    assert receipt.id == done.given[0].receipt
    assert (receipt.status, receipt.version, receipt.model) == ("attached", 1, f"{kind}:scripted")


@KINDS
def test_a_turn_whose_workspace_has_turned_ai_off_is_stopped_before_the_provider(
    stage: Stage, provider: Provider, kind: ProviderKind
) -> None:
    turn = stage.admit()
    stage.set_ai(False)
    done = run_assistant(stage, turn, [choice(provider, kind)])
    assert provider.recorded == []
    assert isinstance(done.result.error, AiDisabled)
    assert done.result.usage.calls == 0
    assert done.given == []


@KINDS
def test_ai_turned_off_in_the_middle_of_a_turn_stops_its_next_request(
    stage: Stage, provider: Provider, kind: ProviderKind
) -> None:
    provider.script[:] = [call("search_documents", query="tea"), Say("Done")]
    provider.on_request = lambda _: stage.set_ai(False)
    done = run_assistant(stage, stage.admit(), [choice(provider, kind)])
    assert len(provider.recorded) == 1
    assert isinstance(done.result.error, AiDisabled)
