"""The arguments of each tool, read strictly where it matters and leniently where models are known to stumble.

An unknown argument is refused by its name, never dropped: a model that believes to have chosen a workspace must
learn that it has not. A null counts as missing, since many clients send every argument. What is wrong is said in
sentences that a model can act on, and no value is quoted in them.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.item import Kind, Scope
from workspace_memory.mcp.failures import shown_name
from workspace_memory.services.finding import LIMIT_DEFAULT

_SENTENCES_MAX = 3
_CHOICES = {"kind": list(Kind), "scope": list(Scope)}
_TAGS_WANTED = 'must be a list of texts, such as ["tea", "office"]'


def _as_tags(value: object) -> object:
    """Tags as an array, as the JSON text of one, or as a comma list."""
    if isinstance(value, str):
        if not value.lstrip().startswith("["):
            return [tag for tag in (part.strip() for part in value.split(",")) if tag]
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise ValueError(_TAGS_WANTED) from None
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in cast("list[object]", value)):
        raise ValueError(_TAGS_WANTED)
    return cast("list[str]", value)


class Arguments(BaseModel):
    """Arguments of one tool."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class SearchArguments(Arguments):
    """memory_search."""

    query: str = ""
    scope: Scope | None = None
    kind: Kind | None = None
    tag: str | None = None
    limit: int = Field(default=LIMIT_DEFAULT, ge=1)
    cursor: str | None = None


class SaveArguments(Arguments):
    """memory_save at level personal."""

    content: str
    kind: Kind | None = None
    tags: Annotated[Sequence[str], BeforeValidator(_as_tags)] = ()
    replaces: str | None = None


class SaveAnywhereArguments(SaveArguments):
    """memory_save at level contribute."""

    scope: Scope = Scope.PERSONAL


class ForgetArguments(Arguments):
    """memory_forget."""

    id: str


class ChatGptSearchArguments(Arguments):
    """ChatGPT's search."""

    query: str


class ChatGptFetchArguments(Arguments):
    """ChatGPT's fetch."""

    id: str


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
    return shown_name(str(fault["loc"][0])) if fault["loc"] else ""


def _reason(fault: ErrorDetails, model: type[Arguments], tool: str) -> str:
    match fault["type"]:
        case "extra_forbidden":
            return (
                f"{tool} has no argument of this name at your access level; leave it out. "
                f"Its arguments are: {', '.join(model.model_fields)}."
            )
        case "missing":
            return f"is missing; {tool} needs it."
        case "enum":
            return f"must be one of {', '.join(_CHOICES[str(fault['loc'][0])])}."
        case "string_type" | "string_unicode":
            return "must be a text."
        case "greater_than_equal":
            return "must be 1 or more."
        case "value_error":
            return f"{_TAGS_WANTED}."
        case "int_type" | "int_parsing" | "int_from_float" | "int_parsing_size" | "finite_number":
            return "must be a whole number."
        case _:
            return "has a value of the wrong type."
