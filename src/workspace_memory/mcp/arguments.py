"""The arguments of the tools that save, forget and serve ChatGPT; `tools/arguments.py` reads them.

Models are known to stumble over lists, so that tags come in three forms.
"""

import json
from collections.abc import Sequence
from typing import Annotated, cast

from pydantic import BeforeValidator

from workspace_memory.domain.item import Kind, Scope
from workspace_memory.tools.arguments import Arguments

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
