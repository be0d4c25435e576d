"""A model of Anthropic, by its own client; `providers.py` loads this where the settings name one."""

import httpx2
from anthropic import AsyncAnthropic
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.settings import ModelSettings

from workspace_memory.assistant.model_choices import ModelChoice

# Not the SDK's default, which reads other environment variables.
_URL = "https://api.anthropic.com"


def anthropic_model(choice: ModelChoice, client: httpx2.AsyncClient) -> AnthropicModel:
    """A model over Anthropic's own protocol."""
    sdk = AsyncAnthropic(
        api_key=choice.key, base_url=choice.base_url or _URL, max_retries=0, http_client=client
    )
    return AnthropicModel(
        choice.name,
        provider=AnthropicProvider(anthropic_client=sdk),
        settings=ModelSettings(cache=True),
    )
