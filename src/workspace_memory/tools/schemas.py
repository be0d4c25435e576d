"""Schemas of tools, built from a few flat pieces.

Kept flat on purpose: no oneOf, anyOf, allOf, no $ref, no null, arrays with items. One schema that a client cannot
read hides the whole list of tools in several clients. `tests/unit/tools` lints each tool.
"""

from collections.abc import Mapping, Sequence

Schema = Mapping[str, object]
Definition = Mapping[str, object]
"""A tool as MCP shows it: name, title, description, inputSchema, outputSchema, annotations."""


def a_text(description: str) -> Schema:
    """A string."""
    return {"type": "string", "description": description}


def a_number(description: str, *, least: int | None = None, usual: int | None = None) -> Schema:
    """A whole number, perhaps with a least one and the one that is taken when none is given."""
    return {
        "type": "integer",
        **({} if least is None else {"minimum": least}),
        **({} if usual is None else {"default": usual}),
        "description": description,
    }


def a_flag(description: str) -> Schema:
    """True or false."""
    return {"type": "boolean", "description": description}


def one_of(values: Sequence[str], description: str) -> Schema:
    """A string out of these."""
    return {"type": "string", "enum": [str(value) for value in values], "description": description}


def texts(description: str) -> Schema:
    """A list of strings."""
    return {"type": "array", "items": {"type": "string"}, "description": description}


def a_list(items: Schema, description: str) -> Schema:
    """A list of things of one schema."""
    return {"type": "array", "items": items, "description": description}


def an_object(properties: Mapping[str, Schema], *, required: Sequence[str] = ()) -> Schema:
    """An object with these members and no other."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def definition(
    name: str,
    title: str,
    description: str,
    takes: Schema,
    gives: Schema,
    *,
    reads_only: bool = False,
    destroys: bool = False,
    idempotent: bool = True,
) -> Definition:
    """A tool's definition."""
    return {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": takes,
        "outputSchema": gives,
        "annotations": {
            "title": title,
            "readOnlyHint": reads_only,
            "destructiveHint": destroys,
            "idempotentHint": idempotent,
            "openWorldHint": False,
        },
    }
