"""What models say, as valid Unicode: JSON can escape halves of surrogate pairs, which nothing can encode.

Some servers cut an answer between the two halves of a character; others let a model write half of one. Such a half
could be neither shown, nor kept, nor sent in the next request.
"""

import json
from dataclasses import replace

from pydantic_ai.messages import ModelResponse, ModelResponsePart, TextPart, ThinkingPart, ToolCallPart


def whole(text: str) -> str:
    """The text with halves that belong together joined, and U+FFFD in place of every other half."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def make_whole(response: ModelResponse) -> None:
    """The same for all that a model has answered, in place: tools and the next request are given it."""
    response.parts = [_whole_part(part) for part in response.parts]


def _whole_part(part: ModelResponsePart) -> ModelResponsePart:
    match part:
        case TextPart() | ThinkingPart():
            return replace(part, content=whole(part.content))
        case ToolCallPart():
            return replace(
                part,
                tool_name=whole(part.tool_name),
                tool_call_id=whole(part.tool_call_id),
                args=_whole_arguments(part.args),
            )
        case _:
            return part


def _whole_arguments(args: object) -> object:
    if args is None:
        return None
    return whole(args) if isinstance(args, str) else json.loads(whole(json.dumps(args, ensure_ascii=False)))
