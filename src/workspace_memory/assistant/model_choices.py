"""Which models the settings name, checked without loading any of them: a wrong setting stops the start.

`providers.py` builds what is chosen here. Loading it takes a second, which no start of a command should pay.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.settings import Settings

OLLAMA_URL = "http://127.0.0.1:11434/v1"
MODELS_MAX = 5
DEMONSTRATION = "demonstration"
"""What turns say that they run with where no model is set."""

_MODELS = "WORKSPACE_MEMORY_ASSISTANT_MODELS"
_BASE_URL = "WORKSPACE_MEMORY_ASSISTANT_BASE_URL"


class ProviderKind(StrEnum):
    """Whose protocol is spoken, and whose key is needed."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    GOOGLE = "google"
    OLLAMA = "ollama"
    COMPATIBLE = "compatible"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """One model of the settings. `base_url` is empty for the provider's own address; so is a key that is not needed."""

    provider: ProviderKind
    name: str
    base_url: str = ""
    key: str = field(default="", repr=False)

    def __str__(self) -> str:
        """As it stands in the settings, and in receipts."""
        return f"{self.provider}:{self.name}"


def choices_of(settings: Settings) -> tuple[ModelChoice, ...]:
    """The models in their order; none for the demonstration.

    Raises: InvalidRequest that names the setting which is wrong or missing.
    """
    named = [entry.strip() for entry in settings.assistant_models.split(",")]
    if named == [""]:
        return ()
    if len(named) > MODELS_MAX:
        raise InvalidRequest(_MODELS, f"names {len(named)} models; at most {MODELS_MAX} are used")
    if len(set(named)) < len(named):
        raise InvalidRequest(_MODELS, "names the same model twice")
    return tuple(_choice(entry, settings) for entry in named)


def _choice(entry: str, settings: Settings) -> ModelChoice:
    provider, separator, name = entry.partition(":")
    # Neither value is repeated: a key may stand there by mistake.
    if not separator or not name.strip() or provider not in list(ProviderKind):
        raise InvalidRequest(
            _MODELS,
            "must be PROVIDER:NAME, separated by commas, where PROVIDER is one of " + ", ".join(ProviderKind),
        )
    kind = ProviderKind(provider)
    match kind:
        case ProviderKind.ANTHROPIC:
            return ModelChoice(kind, name, key=_needed(settings.anthropic_api_key, kind))
        case ProviderKind.OPENAI:
            return ModelChoice(kind, name, key=_needed(settings.openai_api_key, kind))
        case ProviderKind.GOOGLE:
            return ModelChoice(kind, name, key=_needed(settings.google_api_key, kind))
        case ProviderKind.OLLAMA:
            return ModelChoice(kind, name, _address(settings.assistant_base_url or OLLAMA_URL))
        case ProviderKind.COMPATIBLE:
            return ModelChoice(
                kind, name, _address(settings.assistant_base_url), settings.assistant_api_key.strip()
            )


def _needed(key: str, kind: ProviderKind) -> str:
    if not key.strip():
        raise InvalidRequest(
            f"WORKSPACE_MEMORY_{kind.upper()}_API_KEY", f"is needed for the models of {kind} in {_MODELS}"
        )
    return key.strip()


def _address(url: str) -> str:
    if not url:
        raise InvalidRequest(_BASE_URL, f"is needed for the compatible models in {_MODELS}")
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise InvalidRequest(_BASE_URL, "must be an address such as http://127.0.0.1:8080/v1")
    return url.rstrip("/")
