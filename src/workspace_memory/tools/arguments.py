"""The arguments of tools, read strictly where it matters and leniently where models are known to stumble.

An unknown argument is refused by its name, never dropped: a model that believes to have chosen a workspace must
learn that it has not. A null counts as missing, since many clients send every argument. What is wrong is said in
sentences that a model can act on, and no value is quoted in them.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.item import Kind, Scope
from workspace_memory.tools.failures import shown_name

_SENTENCES_MAX = 3
_CHOICES = {"kind": list(Kind), "scope": list(Scope)}
_TEXT = "must be a text."
_NUMBER = "must be a whole number."
_LIST = "must be a list."
_OBJECT = "must be an object."
_REASONS = {
    "extra_forbidden": "is not known here; leave it out.",
    "string_type": _TEXT,
    "string_unicode": _TEXT,
    "string_too_long": "must have at most {max_length} characters.",
    "string_too_short": "must not be empty.",
    "greater_than_equal": "must be {ge} or more.",
    "less_than_equal": "must be {le} or less.",
    "int_type": _NUMBER,
    "int_parsing": _NUMBER,
    "int_from_float": _NUMBER,
    "int_parsing_size": _NUMBER,
    "finite_number": _NUMBER,
    "tuple_type": _LIST,
    "list_type": _LIST,
    "too_long": "must have at most {max_length} entries.",
    "too_short": "must have at least one entry.",
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    # Of a validator of ours, whose words quote no value.
    "value_error": "{error}.",
}


def _whole(text: str) -> str:
    # Else it could be neither sealed nor stored.
    if any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        raise ValueError("contains half of a surrogate pair, which is not valid Unicode")
    return text


Text = Annotated[str, AfterValidator(_whole)]
"""A text that can be encoded."""


class Arguments(BaseModel):
    """Arguments of one tool."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


A = TypeVar("A", bound=Arguments)


def read_arguments(model: type[A], tool: str, given: Mapping[str, object]) -> A:
    """The arguments of a call. Raises: InvalidRequest that names each of the first three faults."""
    known = model.model_fields
    try:
        return model.model_validate(
            {name: value for name, value in given.items() if value is not None or name not in known}
        )
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=True, include_input=False)
        raise _refusal([(_field(fault), _reason(fault, model, tool)) for fault in faults]) from None


def _refusal(faults: Sequence[tuple[str, str]]) -> InvalidRequest:
    if len(faults) == 1:
        return InvalidRequest(*faults[0])
    said = [f"{field}: {reason}" for field, reason in faults[:_SENTENCES_MAX]]
    more = len(faults) - len(said)
    return InvalidRequest("", " ".join([*said, *([f"And {more} more."] if more else [])]))


def _field(fault: ErrorDetails) -> str:
    return shown_name(".".join(str(part) for part in fault["loc"]))


def _reason(fault: ErrorDetails, model: type[Arguments], tool: str) -> str:
    kind = fault["type"]
    # What the rule itself says, which is nothing that came in.
    rule = fault.get("ctx", {})
    if kind == "extra_forbidden" and len(fault["loc"]) == 1:
        return (
            f"{tool} has no argument of this name at your access level; leave it out. "
            f"Its arguments are: {', '.join(model.model_fields)}."
        )
    if kind == "missing":
        return f"is missing; {tool} needs it."
    if kind == "enum":
        return f"must be one of {', '.join(_CHOICES[str(fault['loc'][-1])])}."
    return _REASONS.get(kind, "has a value of the wrong type.").format(**rule)
