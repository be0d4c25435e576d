"""What is sent again is recalled again: after a failure, at a fallback model, and never behind our back."""

import json

import pytest
from tests.contract.memory_stage import Stage
from tests.e2e.assistant_wire.provider_server import Call, Fail, HangUp, Provider, Say
from tests.e2e.assistant_wire.turns import MARKER, assert_given, blocks, choice, run_assistant

from workspace_memory.assistant.model_choices import ProviderKind
from workspace_memory.domain.assistant_errors import (
    ContextTooLong,
    ModelAnswerUnusable,
    ModelLimit,
    ModelNotFound,
    ModelRefusedCredentials,
    ModelRefusedRequest,
    ModelUnavailable,
)
from workspace_memory.domain.document_errors import AiDisabled
from workspace_memory.domain.turn import TurnState

KINDS = pytest.mark.parametrize(
    "kind", [ProviderKind.ANTHROPIC, ProviderKind.OPENAI, ProviderKind.GOOGLE, ProviderKind.COMPATIBLE]
)
FACT = "We ship on Thursday"
SECRET_PROMPT = "What about the walrus merger?"


def clear_at_the_first(stage: Stage, provider: Provider) -> None:
    provider.on_request = lambda number: stage.clear() and None if number == 1 else None


@KINDS
def test_a_clear_before_the_second_try_sends_no_old_text(
    stage: Stage, provider: Provider, kind: ProviderKind
) -> None:
    provider.script[:] = [Fail(503), Say("Done")]
    clear_at_the_first(stage, provider)
    ran = run_assistant(stage, stage.admit(), [choice(provider, kind)])
    first, second = provider.recorded
    assert ran.result.state is TurnState.DONE
    assert_given(first, revision=1)
    assert FACT not in second.raw
    assert blocks(second) == 0
    assert ran.slept == [0.5]


@KINDS
def test_a_clear_before_the_fallback_model_sends_it_no_old_text(
    stage: Stage, provider: Provider, kind: ProviderKind
) -> None:
    provider.script[:] = [Fail(400), Say("Done")]
    clear_at_the_first(stage, provider)
    choices = [choice(provider, kind, "first"), choice(provider, ProviderKind.ANTHROPIC, "second")]
    ran = run_assistant(stage, stage.admit(), choices)
    first, second = provider.recorded
    assert ran.result.state is TurnState.DONE
    assert_given(first, revision=1)
    assert FACT not in second.raw
    assert second.body["model"] == "second"
    assert len({given.receipt for given in ran.given}) == 2


@KINDS
def test_a_change_before_the_fallback_model_is_what_it_is_given(
    stage: Stage, provider: Provider, kind: ProviderKind
) -> None:
    provider.script[:] = [Fail(400), Say("Done")]
    provider.on_request = lambda number: stage.save("- We ship on Friday\n") and None if number == 1 else None
    choices = [choice(provider, ProviderKind.OPENAI, "first"), choice(provider, kind, "second")]
    run_assistant(stage, stage.admit(), choices)
    assert_given(provider.recorded[0], revision=1)
    assert_given(provider.recorded[1], revision=2)
    assert "Friday" in provider.recorded[1].system[-1]


@KINDS
def test_a_failing_provider_is_asked_three_times_each_with_a_receipt(
    stage: Stage, provider: Provider, kind: ProviderKind
) -> None:
    provider.script[:] = [Fail(503), Fail(500), Fail(502), Say("too late")]
    ran = run_assistant(stage, stage.admit(), [choice(provider, kind)])
    assert len(provider.recorded) == 3
    assert ran.slept == [0.5, 2.0]
    assert len({given.receipt for given in ran.given}) == 3
    assert isinstance(ran.result.error, ModelUnavailable)
    assert ran.result.state is TurnState.FAILED


def test_the_fallback_model_is_asked_after_the_third_failure(stage: Stage, provider: Provider) -> None:
    provider.script[:] = [Fail(503), Fail(503), Fail(503), Say("Here I am")]
    choices = [
        choice(provider, ProviderKind.OPENAI, "first"),
        choice(provider, ProviderKind.OPENAI, "second"),
    ]
    ran = run_assistant(stage, stage.admit(), choices)
    assert [request.body["model"] for request in provider.recorded] == ["first"] * 3 + ["second"]
    assert ran.text.strip() == "Here I am"


def test_the_providers_wish_for_a_pause_is_kept_when_it_is_short(stage: Stage, provider: Provider) -> None:
    provider.script[:] = [Fail(429, headers={"Retry-After": "3"}), Say("Done")]
    ran = run_assistant(stage, stage.admit(), [choice(provider, ProviderKind.ANTHROPIC)])
    assert ran.slept == [3.0]
    assert len(provider.recorded) == 2


def test_for_a_long_pause_nobody_waits(stage: Stage, provider: Provider) -> None:
    provider.script[:] = [Fail(429, headers={"Retry-After": "60"}), Say("Done")]
    ran = run_assistant(stage, stage.admit(), [choice(provider, ProviderKind.ANTHROPIC)])
    assert ran.slept == []
    assert isinstance(ran.result.error, ModelLimit)


@KINDS
def test_an_answer_that_broke_off_is_not_begun_anew(
    stage: Stage, provider: Provider, kind: ProviderKind
) -> None:
    provider.script[:] = [HangUp("one two three four five six"), Say("again")]
    ran = run_assistant(stage, stage.admit(), [choice(provider, kind)])
    if kind is ProviderKind.GOOGLE:
        # Its one piece is the whole answer, so that it broke off before the first event.
        assert len(provider.recorded) == 2
        return
    assert len(provider.recorded) == 1
    assert ran.text.startswith("one ")
    assert isinstance(ran.result.error, ModelUnavailable)


def test_a_redirect_is_not_followed(stage: Stage, provider: Provider) -> None:
    provider.script[:] = [Fail(307, headers={"Location": f"{provider.url}/v1/messages"}), Say("Done")]
    ran = run_assistant(stage, stage.admit(), [choice(provider, ProviderKind.OPENAI)])
    assert len(provider.recorded) == 1
    assert ran.result.state is TurnState.FAILED


@pytest.mark.parametrize("fallbacks", [0, 1])
def test_when_ai_is_turned_off_between_two_tries_nothing_more_is_sent(
    stage: Stage, provider: Provider, fallbacks: int
) -> None:
    provider.script[:] = [Fail(503), Say("Done")]
    provider.on_request = lambda number: stage.set_ai(False) if number == 1 else None
    choices = [choice(provider, ProviderKind.OPENAI, f"model-{number}") for number in range(1 + fallbacks)]
    ran = run_assistant(stage, stage.admit(), choices)
    assert len(provider.recorded) == 1
    assert isinstance(ran.result.error, AiDisabled)


REFUSALS = [
    (Fail(401), ModelRefusedCredentials),
    (Fail(403), ModelRefusedCredentials),
    (Fail(404), ModelNotFound),
    (Fail(429), ModelLimit),
    (Fail(402), ModelLimit),
    (Fail(400), ModelRefusedRequest),
    (
        Fail(400, {"error": {"message": "too many tokens", "code": "context_length_exceeded"}}),
        ContextTooLong,
    ),
]


@pytest.mark.parametrize(("failure", "expected"), REFUSALS)
def test_a_refusal_has_a_code_and_says_nothing_of_the_request(
    stage: Stage,
    provider: Provider,
    failure: Fail,
    expected: type[Exception],
    caplog: pytest.LogCaptureFixture,
) -> None:
    told = failure.body or {"error": {"message": f"{SECRET_PROMPT} {FACT}", "type": "x"}}
    provider.script[:] = [Fail(failure.status, told)] * 3
    with caplog.at_level("DEBUG", logger="workspace_memory"):
        ran = run_assistant(stage, stage.admit(), [choice(provider, ProviderKind.OPENAI)], SECRET_PROMPT)
    error = ran.result.error
    assert error is not None
    assert type(error) is expected
    assert error.facts() == {"model": "openai:scripted"}
    for said in (str(error), caplog.text):
        assert "walrus" not in said
        assert FACT not in said
    assert error.code in caplog.text


def test_what_a_failed_turn_has_done_is_kept_and_the_next_goes_on_from_it(
    stage: Stage, provider: Provider
) -> None:
    provider.script[:] = [
        Call([("search_documents", {"query": "tea"})]),
        Fail(400),
        Say("Better now"),
    ]
    kind = choice(provider, ProviderKind.ANTHROPIC)
    failed = run_assistant(stage, stage.admit(), [kind], "Find tea")
    assert len(failed.result.messages) == 3
    again = run_assistant(stage, stage.admit(), [kind], "And now?", history=failed.result.messages)
    assert again.text.strip() == "Better now"
    # What is stored of a turn begins with the message of that turn, and with nothing of the one before.
    [words] = [part["content"] for part in json.loads(again.result.messages[0])["parts"]]
    assert words == "And now?"
    assert len(again.result.messages) == 2
    assert "Find tea" in provider.recorded[-1].messages
    assert "And now?" in provider.recorded[-1].messages


def test_a_turn_whose_first_request_fails_keeps_the_persons_words(stage: Stage, provider: Provider) -> None:
    provider.script[:] = [Fail(400)]
    ran = run_assistant(stage, stage.admit(), [choice(provider, ProviderKind.OPENAI)], "Find tea")
    assert len(ran.result.messages) == 1
    assert "Find tea" in ran.stored
    assert MARKER not in ran.stored


def test_calls_in_no_form_that_is_known_end_the_turn_after_a_few(stage: Stage, provider: Provider) -> None:
    provider.script[:] = [Call([("no_such_tool", "not json")])] * 10
    ran = run_assistant(stage, stage.admit(), [choice(provider, ProviderKind.OPENAI)])
    assert isinstance(ran.result.error, ModelAnswerUnusable)
    assert len(provider.recorded) == 6
