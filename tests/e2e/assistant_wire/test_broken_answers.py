"""Answers that no sound provider gives: the turn is told to its end, what it has cost counts, and nothing grows on."""

import pytest
from tests.contract.memory_stage import Stage
from tests.e2e.assistant_wire.provider_server import Call, Endless, Provider, Say
from tests.e2e.assistant_wire.turns import choice, run_assistant

from workspace_memory.assistant import bounded_answers, turn_loop
from workspace_memory.assistant.model_choices import ProviderKind
from workspace_memory.domain.assistant_errors import ModelAnswerUnusable, TurnLimitReached
from workspace_memory.domain.turn import TurnState
from workspace_memory.domain.turn_event import ToolCalled

KINDS = pytest.mark.parametrize(
    "kind", [ProviderKind.ANTHROPIC, ProviderKind.COMPATIBLE, ProviderKind.GOOGLE]
)


@KINDS
def test_half_a_surrogate_pair_in_an_answer_is_told_and_kept_as_a_replacement(
    stage: Stage, provider: Provider, kind: ProviderKind
) -> None:
    provider.script[:] = [Say("tea \ud83c and milk")]
    ran = run_assistant(stage, stage.admit(), [choice(provider, kind)])
    assert ran.result.state is TurnState.DONE
    assert ran.text.split() == ["tea", "\ufffd", "and", "milk"]
    assert "tea \ufffd and milk" in ran.result.messages[-1]


@KINDS
def test_halves_in_a_call_and_its_name_end_no_turn(
    stage: Stage, provider: Provider, kind: ProviderKind
) -> None:
    provider.script[:] = [
        Call([("search_documents", {"query": "tea \ud83c"}), ("make_\udf75", {"name": "tea"})]),
        Say("Done"),
    ]
    ran = run_assistant(stage, stage.admit(), [choice(provider, kind)])
    assert ran.result.state is TurnState.DONE, ran.result.error
    assert sum(isinstance(event, ToolCalled) for event in ran.events) == 2
    for text in ran.result.messages:
        text.encode()


@pytest.mark.parametrize("kind", [ProviderKind.ANTHROPIC, ProviderKind.COMPATIBLE])
def test_a_number_of_tokens_that_no_column_holds_is_cut(
    stage: Stage, provider: Provider, kind: ProviderKind
) -> None:
    provider.script[:] = [Say("Done", tokens=10**30)]
    ran = run_assistant(stage, stage.admit(), [choice(provider, kind)])
    assert ran.result.usage.input_tokens == 1_000_000_000


@pytest.mark.timeout(60)
@KINDS
def test_an_answer_without_an_end_ends_at_a_bound_and_what_was_said_is_kept(
    stage: Stage, provider: Provider, kind: ProviderKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_loop, "ANSWER_CHARACTERS_MAX", 10_000)
    provider.script[:] = [Endless("tea" * 100)]
    ran = run_assistant(stage, stage.admit(), [choice(provider, kind)])
    assert isinstance(ran.result.error, TurnLimitReached)
    assert 10_000 <= len(ran.text) < 11_000
    assert "teatea" in ran.result.messages[-1]


@pytest.mark.timeout(60)
@KINDS
def test_bytes_without_an_end_end_at_a_bound(
    stage: Stage, provider: Provider, kind: ProviderKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_answers, "ANSWER_BYTES_MAX", 100_000)
    provider.script[:] = [Endless("tea", bytes_of="x" * 1_000)]
    ran = run_assistant(stage, stage.admit(), [choice(provider, kind)])
    assert isinstance(ran.result.error, ModelAnswerUnusable)
    assert len(provider.recorded) == 1
