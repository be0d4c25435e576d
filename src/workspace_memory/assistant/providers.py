"""The providers' models, built so that nothing is kept at a provider and nothing is sent twice behind our back.

The clients do not try again and follow no redirect by themselves; `retrying.py` does the one, nobody the other. No
provider stores answers or compacts conversations. A model stands here unbound: `binding.py` goes around each.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import httpx2
from anthropic import AsyncAnthropic
from google.genai.types import HttpRetryOptions
from openai import AsyncOpenAI
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.ollama import OllamaModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from workspace_memory.assistant.binding import Recall, RecallModel
from workspace_memory.assistant.bounded_answers import bound_answer
from workspace_memory.assistant.demonstration import DEMONSTRATION, demonstration_model
from workspace_memory.assistant.model_choices import ModelChoice, ProviderKind
from workspace_memory.assistant.retrying import Sleep, with_retries_and_fallbacks

ANSWER_SECONDS_MAX = 300.0
"""How long a provider may be silent within an answer."""
CONNECT_SECONDS_MAX = 10.0

# Not the SDKs' defaults, which read other environment variables.
_ANTHROPIC_URL = "https://api.anthropic.com"
_OPENAI_URL = "https://api.openai.com/v1"
_GOOGLE_URL = "https://generativelanguage.googleapis.com"

# Chat templates of small servers know one system message, at the beginning.
_ONE_SYSTEM_MESSAGE = OpenAIModelProfile(
    openai_chat_supports_multiple_system_messages=False, supports_inline_system_prompts=False
)


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
    match choice.provider:
        case ProviderKind.ANTHROPIC:
            return _anthropic(choice, client)
        case ProviderKind.OPENAI:
            return OpenAIChatModel(
                choice.name,
                provider=OpenAIProvider(openai_client=_openai_client(choice, client)),
                settings=OpenAIChatModelSettings(openai_store=False, cache=True),
            )
        case ProviderKind.GOOGLE:
            return _google(choice, client)
        case ProviderKind.OLLAMA:
            return OllamaModel(
                choice.name,
                provider=OllamaProvider(openai_client=_openai_client(choice, client)),
                profile=_ONE_SYSTEM_MESSAGE,
            )
        case ProviderKind.COMPATIBLE:
            return OpenAIChatModel(
                choice.name,
                provider=OpenAIProvider(openai_client=_openai_client(choice, client)),
                profile=_ONE_SYSTEM_MESSAGE,
            )


def _anthropic(choice: ModelChoice, client: httpx2.AsyncClient) -> AnthropicModel:
    sdk = AsyncAnthropic(
        api_key=choice.key,
        base_url=choice.base_url or _ANTHROPIC_URL,
        max_retries=0,
        http_client=client,
    )
    return AnthropicModel(
        choice.name,
        provider=AnthropicProvider(anthropic_client=sdk),
        settings=ModelSettings(cache=True),
    )


def _openai_client(choice: ModelChoice, client: httpx2.AsyncClient) -> AsyncOpenAI:
    return AsyncOpenAI(
        # Servers of one's own often want none, and the SDK wants one.
        api_key=choice.key or "none",
        base_url=choice.base_url or _OPENAI_URL,
        max_retries=0,
        http_client=client,
    )


def _google(choice: ModelChoice, client: httpx2.AsyncClient) -> GoogleModel:
    provider = GoogleProvider(
        api_key=choice.key,
        base_url=choice.base_url or _GOOGLE_URL,
        http_client=client,
        retry_options=HttpRetryOptions(attempts=1),
    )
    return GoogleModel(choice.name, provider=provider)
