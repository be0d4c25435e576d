"""Dates and times as options: a day, or a moment in ISO 8601. A time without a zone is UTC."""

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import click

# The class is generic for the type checker alone.
if TYPE_CHECKING:
    _Moments = click.ParamType[datetime]
    _Days = click.ParamType[date]
else:
    _Moments = _Days = click.ParamType


class Moment(_Moments):
    """2026-11-02 or 2026-11-02T09:00:00Z, as an aware time."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Read it."""
        try:
            time = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"'{value}' is no time; write 2026-11-02 or 2026-11-02T09:00:00Z.", param, ctx)
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


class Day(_Days):
    """2026-11-02."""

    name = "date"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Read it."""
        try:
            return value if isinstance(value, date) else date.fromisoformat(str(value))
        except ValueError:
            self.fail(f"'{value}' is no date; write 2026-11-02.", param, ctx)
