"""Models of OpenAI and of whatever speaks its protocol; `providers.py` loads this where the settings name one."""

import httpx2
from openai import AsyncOpenAI
from pydantic_ai.models.ollama import OllamaModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider

from workspace_memory.assistant.model_choices import ModelChoice

# Not the SDK's default, which reads other environment variables.
_URL = "https://api.openai.com/v1"

# Chat templates of small servers know one system message, at the beginning.
_ONE_SYSTEM_MESSAGE = OpenAIModelProfile(
    openai_chat_supports_multiple_system_messages=False, supports_inline_system_prompts=False
)


def openai_model(choice: ModelChoice, client: httpx2.AsyncClient) -> OpenAIChatModel:
    """A model of OpenAI itself."""
    return OpenAIChatModel(
        choice.name,
        provider=OpenAIProvider(openai_client=_openai_client(choice, client)),
        settings=OpenAIChatModelSettings(openai_store=False, cache=True),
    )


def ollama_model(choice: ModelChoice, client: httpx2.AsyncClient) -> OllamaModel:
    """A model of an Ollama."""
    return OllamaModel(
        choice.name,
        provider=OllamaProvider(openai_client=_openai_client(choice, client)),
        profile=_ONE_SYSTEM_MESSAGE,
    )


def compatible_model(choice: ModelChoice, client: httpx2.AsyncClient) -> OpenAIChatModel:
    """A model of any other server with this protocol."""
    return OpenAIChatModel(
        choice.name,
        provider=OpenAIProvider(openai_client=_openai_client(choice, client)),
        profile=_ONE_SYSTEM_MESSAGE,
    )


def _openai_client(choice: ModelChoice, client: httpx2.AsyncClient) -> AsyncOpenAI:
    return AsyncOpenAI(
        # Servers of one's own often want none, and the SDK wants one.
        api_key=choice.key or "none",
        base_url=choice.base_url or _URL,
        max_retries=0,
        http_client=client,
    )
