"""The lint of a tool: what makes some client hide it, or the whole list."""

import re
from collections.abc import Iterator, Mapping
from typing import cast

from workspace_memory.tools.schemas import Definition

Json = Mapping[str, object]


def faults(tool: Definition) -> Iterator[str]:
    """What a client somewhere does not understand."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", str(tool["name"])):
        yield f"{tool['name']}: name"
    if not tool["title"] or not 20 <= len(str(tool["description"])) <= 1_024:
        yield f"{tool['name']}: title or description"
    for part in ("inputSchema", "outputSchema"):
        schema = cast("Json", tool[part])
        if schema.get("type") != "object":
            yield f"{tool['name']}.{part}: not an object; every schema has one type"
        yield from _schema_faults(schema, f"{tool['name']}.{part}")


def _schema_faults(schema: Json, place: str) -> Iterator[str]:
    for word in ("oneOf", "anyOf", "allOf", "not", "$ref", "$defs", "nullable", "const"):
        if word in schema:
            yield f"{place}: {word}"
    kind = str(schema.get("type"))
    if kind not in {"string", "integer", "number", "boolean", "array", "object"}:
        yield f"{place}: every schema has one type"
    if kind == "array":
        if "items" not in schema:
            yield f"{place}: an array without items"
        yield from _schema_faults(cast("Json", schema.get("items", {"type": "string"})), f"{place}[]")
    if kind == "object":
        properties = cast("Mapping[str, Json]", schema.get("properties", {}))
        if not set(cast("list[str]", schema.get("required", []))) <= set(properties):
            yield f"{place}: required names what is no property"
        for name, each in properties.items():
            if not each.get("description") and each.get("type") != "object":
                yield f"{place}.{name}: nothing says what it is"
            yield from _schema_faults(each, f"{place}.{name}")
