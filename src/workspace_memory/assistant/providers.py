"""The providers' models, built so that nothing is kept at a provider and nothing is sent twice behind our back.

The clients stand in `anthropic_models.py`, `google_models.py` and `openai_models.py`. They do not try again and follow
no redirect by themselves; `retrying.py` does the one, nobody the other. No provider stores answers or compacts
conversations. A model stands here unbound: `binding.py` goes around each.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import httpx2
from pydantic_ai.models import Model

from workspace_memory.assistant.binding import Recall, RecallModel
from workspace_memory.assistant.bounded_answers import bound_answer
from workspace_memory.assistant.demonstration import DEMONSTRATION, demonstration_model
from workspace_memory.assistant.model_choices import ModelChoice, ProviderKind
from workspace_memory.assistant.retrying import Sleep, with_retries_and_fallbacks

ANSWER_SECONDS_MAX = 300.0
"""How long a provider may be silent within an answer."""
CONNECT_SECONDS_MAX = 10.0


@dataclass(frozen=True, slots=True)
class Models:
    """The models of an installation, in their order; none for the demonstration."""

    choices: Sequence[ModelChoice]
    unbound: Sequence[Model]
    client: httpx2.AsyncClient

    @property
    def name(self) -> str:
        """What a turn says that it runs with."""
        return str(self.choices[0]) if self.choices else DEMONSTRATION

    @property
    def is_demonstration(self) -> bool:
        """Whether a script answers instead of a model."""
        return not self.choices

    def bound(self, recall: Recall, *, sleep: Sleep) -> Model:
        """The model of one turn: each candidate with a binding and tries of its own."""
        if not self.choices:
            return RecallModel(demonstration_model(), recall, name=DEMONSTRATION)
        pairs = zip(self.choices, self.unbound, strict=True)
        return with_retries_and_fallbacks(
            [RecallModel(model, recall, name=str(choice)) for choice, model in pairs], sleep=sleep
        )

    async def close(self) -> None:
        """Close the connections to the providers."""
        await self.client.aclose()


def make_models(choices: Sequence[ModelChoice]) -> Models:
    """The models of the settings, with one HTTP client for all; connections are made when they are first needed."""
    client = httpx2.AsyncClient(
        timeout=httpx2.Timeout(ANSWER_SECONDS_MAX, connect=CONNECT_SECONDS_MAX),
        event_hooks={"response": [bound_answer]},
    )
    return Models(choices, [_model(choice, client) for choice in choices], client)


def _model(choice: ModelChoice, client: httpx2.AsyncClient) -> Model:
    # Each maker's client takes one or two seconds to load, so that only those are which the settings name.
    match choice.provider:
        case ProviderKind.ANTHROPIC:
            from workspace_memory.assistant.anthropic_models import anthropic_model  # noqa: PLC0415

            return anthropic_model(choice, client)
        case ProviderKind.GOOGLE:
            from workspace_memory.assistant.google_models import google_model  # noqa: PLC0415

            return google_model(choice, client)
        case ProviderKind.OPENAI:
            from workspace_memory.assistant.openai_models import openai_model  # noqa: PLC0415

            return openai_model(choice, client)
        case ProviderKind.OLLAMA:
            from workspace_memory.assistant.openai_models import ollama_model  # noqa: PLC0415

            return ollama_model(choice, client)
        case ProviderKind.COMPATIBLE:
            from workspace_memory.assistant.openai_models import compatible_model  # noqa: PLC0415

            return compatible_model(choice, client)
