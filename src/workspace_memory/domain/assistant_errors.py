"""What can go wrong with a turn of the Assistant: a branch of the tree in `errors.py`.

    DomainError
    ├── ModelUnavailable          the provider does not answer, or fails
    ├── ModelLimit                the provider's rate or quota is used up
    ├── ModelRefusedCredentials   the provider does not take the key
    ├── ModelNotFound             the provider does not know the model, or the address is wrong
    ├── ModelRefusedRequest       the provider refuses the request itself
    ├── ContextTooLong            the conversation is longer than what the model can read
    ├── ModelAnswerUnusable       the model's answer cannot be used: withheld, cut off or malformed
    ├── TurnLimitReached          the turn has made as many calls, or used as many tokens, as it may
    ├── DailyLimitReached         the workspace has used its tokens of the day: no turn begins
    └── AssistantFailed           something unexpected in the Assistant itself

No message repeats what was sent to the provider or what it said: both may hold memory. `model` is the name from the
settings. A turn whose workspace has turned AI off ends with `document_errors.AiDisabled`.
"""

from dataclasses import dataclass
from typing import ClassVar

from workspace_memory.domain.errors import DomainError


@dataclass(eq=False)
class ModelUnavailable(DomainError):
    """No answer within the tries that a turn makes: no connection, or a failure at the provider."""

    code: ClassVar[str] = "model_unavailable"
    model: str

    def message(self) -> str:
        """Say that it may pass."""
        return f"The model {self.model} cannot be reached at the moment. Send the message again in a minute."


@dataclass(eq=False)
class ModelLimit(DomainError):
    """The provider's rate, quota or credit is used up."""

    code: ClassVar[str] = "model_limit"
    model: str

    def message(self) -> str:
        """Say where the limit is."""
        return (
            f"The provider of {self.model} takes no more requests for now: its rate or the account's quota is used up. "
            "Try later, or ask the operator of this service."
        )


@dataclass(eq=False)
class ModelRefusedCredentials(DomainError):
    """The provider does not take the key of the settings."""

    code: ClassVar[str] = "model_refused_credentials"
    model: str

    def message(self) -> str:
        """Say who can mend it."""
        return (
            f"The provider of {self.model} refuses the key of this service. Its operator has to set another."
        )


@dataclass(eq=False)
class ModelNotFound(DomainError):
    """The provider does not know the model of the settings, or its address is wrong."""

    code: ClassVar[str] = "model_not_found"
    model: str

    def message(self) -> str:
        """Say who can mend it."""
        return (
            f"The provider does not know the model {self.model}, or its address is wrong. The operator of this service "
            "has to correct WORKSPACE_MEMORY_ASSISTANT_MODELS or WORKSPACE_MEMORY_ASSISTANT_BASE_URL."
        )


@dataclass(eq=False)
class ModelRefusedRequest(DomainError):
    """The provider refuses the request, so that sending it again is useless."""

    code: ClassVar[str] = "model_refused_request"
    model: str

    def message(self) -> str:
        """Say what may help."""
        return f"The provider of {self.model} refuses this request. Say it in other words, or begin a new conversation."


@dataclass(eq=False)
class ContextTooLong(DomainError):
    """Conversation, tools and memory together are longer than what the model can read."""

    code: ClassVar[str] = "context_too_long"
    model: str

    def message(self) -> str:
        """Say what to do."""
        return f"This conversation has become too long for {self.model}. Begin a new one."


@dataclass(eq=False)
class ModelAnswerUnusable(DomainError):
    """The answer was withheld by the provider, cut off, or in no form that can be used."""

    code: ClassVar[str] = "model_answer_unusable"
    model: str

    def message(self) -> str:
        """Say what may help."""
        return f"The answer of {self.model} cannot be used: it was withheld, cut off or malformed. Try again."


@dataclass(eq=False)
class TurnLimitReached(DomainError):
    """The turn was stopped at a bound; what was done until then stays."""

    code: ClassVar[str] = "turn_limit"

    def message(self) -> str:
        """Say how to go on."""
        return (
            "This turn was stopped: it has made as many model calls, or used as many tokens, as one turn may. "
            "Send a smaller question."
        )


@dataclass(eq=False)
class AssistantFailed(DomainError):
    """A fault of the program; the log names its kind."""

    code: ClassVar[str] = "assistant_failed"

    def message(self) -> str:
        """Say that it was not the sender's fault."""
        return "Something unexpected went wrong in the Assistant. The log of the service names the kind of fault."


@dataclass(eq=False)
class DailyLimitReached(DomainError):
    """The workspace has used up its tokens of the day. `retry_after` is in seconds, until midnight in UTC."""

    code: ClassVar[str] = "assistant_limit_reached"
    limit: int
    retry_after: int

    def message(self) -> str:
        """Say what the limit is and who may change it."""
        hours = -(-self.retry_after // 3600)
        return (
            f"This workspace has used its {self.limit:,} Assistant tokens of today (UTC). Nothing was sent to a model; "
            f"try again in {hours} {'hour' if hours == 1 else 'hours'}, or ask an admin to raise the limit."
        )
