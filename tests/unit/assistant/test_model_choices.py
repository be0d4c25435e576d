"""The settings of the Assistant: which models they name, and the sentence for what is wrong."""

from functools import partial
from typing import cast

import pytest

from workspace_memory.app import build_app
from workspace_memory.assistant.model_choices import OLLAMA_URL, ModelChoice, ProviderKind, choices_of
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.services.deps import Deps
from workspace_memory.services.running import run
from workspace_memory.settings import Settings

KEY = "sk-of-a-test"


def settings(**values: str) -> Settings:
    return Settings.model_validate(values)


def test_without_models_there_are_none() -> None:
    assert choices_of(settings()) == ()


def test_the_models_come_in_their_order_with_their_keys_and_addresses() -> None:
    found = choices_of(
        settings(
            assistant_models="anthropic:claude-a, openai:gpt-b,google:gemini-c,compatible:d:7b",
            anthropic_api_key="a",
            openai_api_key="b",
            google_api_key="c",
            assistant_base_url="http://127.0.0.1:8080/v1/",
            assistant_api_key="d",
        )
    )
    assert found == (
        ModelChoice(ProviderKind.ANTHROPIC, "claude-a", key="a"),
        ModelChoice(ProviderKind.OPENAI, "gpt-b", key="b"),
        ModelChoice(ProviderKind.GOOGLE, "gemini-c", key="c"),
        ModelChoice(ProviderKind.COMPATIBLE, "d:7b", "http://127.0.0.1:8080/v1", "d"),
    )


def test_ollama_is_looked_for_on_this_machine_unless_an_address_is_set() -> None:
    assert choices_of(settings(assistant_models="ollama:qwen"))[0].base_url == OLLAMA_URL
    elsewhere = settings(assistant_models="ollama:qwen", assistant_base_url="http://ollama.lan/v1")
    assert choices_of(elsewhere)[0].base_url == "http://ollama.lan/v1"


@pytest.mark.parametrize(
    ("values", "setting"),
    [
        ({"assistant_models": "gpt-5"}, "ASSISTANT_MODELS"),
        ({"assistant_models": "openai:"}, "ASSISTANT_MODELS"),
        ({"assistant_models": "openai:a,,"}, "ASSISTANT_MODELS"),
        ({"assistant_models": "acme:a"}, "ASSISTANT_MODELS"),
        ({"assistant_models": "ollama:a,ollama:a"}, "ASSISTANT_MODELS"),
        ({"assistant_models": ",".join(f"ollama:{n}" for n in range(6))}, "ASSISTANT_MODELS"),
        ({"assistant_models": "anthropic:a"}, "ANTHROPIC_API_KEY"),
        ({"assistant_models": "ollama:a,openai:b"}, "OPENAI_API_KEY"),
        ({"assistant_models": "google:a", "google_api_key": " "}, "GOOGLE_API_KEY"),
        ({"assistant_models": "compatible:a"}, "ASSISTANT_BASE_URL"),
        ({"assistant_models": "ollama:a", "assistant_base_url": "localhost:1"}, "ASSISTANT_BASE_URL"),
        ({"assistant_models": "ollama:a", "assistant_base_url": "file:///etc"}, "ASSISTANT_BASE_URL"),
    ],
)
def test_what_is_wrong_is_named_by_its_setting(values: dict[str, str], setting: str) -> None:
    given = {"openai_api_key": KEY, **values} if setting == "ASSISTANT_MODELS" else values
    with pytest.raises(InvalidRequest) as refused:
        choices_of(settings(**given))
    assert refused.value.field == f"WORKSPACE_MEMORY_{setting}"


def test_a_wrong_setting_stops_the_start() -> None:
    with pytest.raises(InvalidRequest, match="ANTHROPIC_API_KEY"):
        build_app(partial(run, cast("Deps", None)), settings(assistant_models="anthropic:a"))


@pytest.mark.parametrize(
    "name", ["anthropic_api_key", "openai_api_key", "google_api_key", "assistant_api_key"]
)
def test_no_key_is_shown(name: str) -> None:
    held = settings(
        **{name: KEY}, assistant_models="compatible:a", assistant_base_url="http://127.0.0.1:1/v1"
    )
    assert KEY not in repr(held)
    assert KEY not in repr(choices_of(held))


def test_a_value_that_stands_in_the_wrong_place_is_not_repeated() -> None:
    with pytest.raises(InvalidRequest) as refused:
        choices_of(settings(assistant_models=KEY))
    assert KEY not in str(refused.value)
