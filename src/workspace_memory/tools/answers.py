"""What a tool answers: the JSON of its result, or a sentence that a model can act on."""

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answers: the JSON of its result, or, when `is_error`, a sentence."""

    text: str
    is_error: bool = False


# Made once: `json.dumps` makes an encoder for each call, which takes longer than a short value.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def to_json(value: object) -> str:
    """The value as compact JSON, with every script as it is written."""
    return _encode(value)
