"""What all shapes share: unknown arguments are refused, and texts hold no NUL, which databases cannot keep."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

EXAMPLE_ID = "019d2f6e-8c1a-7b42-9d3e-5f60718293a4"
EXAMPLE_TIME = "2026-11-02T09:00:00Z"
CURSOR_CHARACTERS_MAX = 500

_DIGITS = re.compile(r"[0-9]{1,10}")


class Arguments(BaseModel):
    """Base of everything that is sent to the service."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Answer(BaseModel):
    """Base of everything that the service answers."""

    model_config = ConfigDict(frozen=True)


def with_example(example: dict[str, Any]) -> ConfigDict:
    """`model_config` with an example for the document."""
    return ConfigDict(json_schema_extra={"examples": [example]})


def _plain(text: str) -> str:
    if "\0" in text:
        raise ValueError("contains a NUL character, which no text has")
    if any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        raise ValueError("contains half of a surrogate pair, which is not valid Unicode")
    return text


def _in_utc(time: datetime) -> datetime:
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise ValueError("lies outside of the calendar") from None


Text = Annotated[str, AfterValidator(_plain)]
"""A text that a database can keep: no NUL, no half of a surrogate pair."""


def _digits(value: object) -> object:
    # int() takes blanks, signs, underscores, ".0" and the digits of every script as well.
    if isinstance(value, str) and _DIGITS.fullmatch(value) is None:
        raise ValueError("must be a whole number, in digits alone")
    return value


InDigits = BeforeValidator(_digits)
"""For a number in a header or a path: `0` to `9999999999`, spelt in one way."""

UtcTime = Annotated[AwareDatetime, AfterValidator(_in_utc)]
"""A time with its zone, as UTC."""

Cursor = Annotated[
    Text | None,
    Field(
        default=None,
        max_length=CURSOR_CHARACTERS_MAX,
        description="Where to continue: `next_cursor` of the page before. Opaque, and valid for the same query only.",
    ),
]
