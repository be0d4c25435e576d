"""The canonical form of JSON, RFC 8785, for texts, whole numbers, booleans, null, lists and objects.

Fractions are left out on purpose: no body that is compared holds one, and their canonical form is the hard part.
"""

import json
from collections.abc import Mapping, Sequence

from workspace_memory.crypto.packing import utf8

Json = str | int | bool | None | Sequence["Json"] | Mapping[str, "Json"]

# Beyond these, a program that reads numbers as doubles would write another form (RFC 7493, 2.2).
_SAFE_INTEGER = 2**53 - 1


def canonical_json(value: Json) -> bytes:
    """UTF-8 without blanks, members sorted by the UTF-16 code units of their names.

    Raises: ValueError for a number beyond ±(2^53-1) or a value that is none of these; NotText.
    """
    return utf8(_text(value))


def _text(value: Json) -> str:
    if value is None or isinstance(value, (bool, str)):
        # What json escapes without ensure_ascii is what RFC 8785, 3.2.2.2 asks for.
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        if abs(value) > _SAFE_INTEGER:
            raise ValueError("a number beyond 2^53-1 has no canonical form")
        return str(int(value))
    if isinstance(value, Mapping):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_text(name)}:{_text(member)}" for name, member in members) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_text(member) for member in value) + "]"
    raise ValueError(
        "only texts, whole numbers, booleans, null, lists and objects have a canonical form here"
    )
