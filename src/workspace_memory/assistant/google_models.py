"""A model of Google, by its own client; `providers.py` loads this where the settings name one."""

import httpx2
from google.genai.types import HttpRetryOptions
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider

from workspace_memory.assistant.model_choices import ModelChoice

# Not the SDK's default, which reads other environment variables.
_URL = "https://generativelanguage.googleapis.com"


def google_model(choice: ModelChoice, client: httpx2.AsyncClient) -> GoogleModel:
    """A model over Google's own protocol."""
    provider = GoogleProvider(
        api_key=choice.key,
        base_url=choice.base_url or _URL,
        http_client=client,
        retry_options=HttpRetryOptions(attempts=1),
    )
    return GoogleModel(choice.name, provider=provider)
