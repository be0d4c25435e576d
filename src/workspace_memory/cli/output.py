"""What commands print: data on standard output, everything that is said about it on standard error."""

import json
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from datetime import UTC, date, datetime
from enum import Enum
from typing import cast

import click


def say(text: str = "") -> None:
    """A line for the person, on standard error: it does not get into what a script reads."""
    click.echo(text, err=True)


def show(text: str = "") -> None:
    """A line of data on standard output."""
    click.echo(text)


def show_json(value: object) -> None:
    """One JSON value on standard output and nothing else."""
    click.echo(json.dumps(plain(value), ensure_ascii=False, indent=2))


def plain(value: object) -> object:
    """A value as plain JSON: dataclasses by their fields, times in ISO 8601."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(field) for name, field in asdict(value).items()}
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in cast("dict[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in cast("Sequence[object]", value)]
    return value


def show_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns of equal width; headings in the first line, on standard error when there are no rows."""
    if not rows:
        say("None.")
        return
    table = [list(headings), *(list(row) for row in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(headings))]
    for row in table:
        show("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def moment(time: datetime) -> str:
    """A time to the minute, with its zone."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def day(time: datetime | None, *, without: str = "-") -> str:
    """The date of a time in UTC."""
    return without if time is None else time.astimezone(UTC).date().isoformat()


def minute(time: datetime | None, *, without: str = "-") -> str:
    """The date and time of day in UTC."""
    return without if time is None else time.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
