"""Reading one JSON line of an export strictly: each field has the one type that the format gives it.

Pure. Every refusal names the line and the field, and never what stands in it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.exchange_records import as_list, as_object, read_json
from workspace_memory.domain.ids import is_id


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one JSON object. Each reader raises InvalidRequest when the field is missing or of another type."""

    facts: dict[str, object]
    where: str

    @classmethod
    def of(cls, line: bytes, where: str) -> "Fields":
        """The object on a line. Raises: InvalidRequest when there is none."""
        try:
            text = line.decode()
        except UnicodeDecodeError:
            raise InvalidRequest("file", f"{where}: is not UTF-8") from None
        facts = as_object(read_json(where, text))
        if facts is None:
            raise InvalidRequest("file", f"{where}: is not a JSON object")
        return cls(facts, where)

    def wrong(self, name: str, reason: str) -> InvalidRequest:
        """The error for a field."""
        return InvalidRequest("file", f"{self.where}: '{name}' {reason}")

    def text(self, name: str) -> str:
        """A text."""
        value = self.facts.get(name)
        if not isinstance(value, str):
            raise self.wrong(name, "is missing or no text")
        return value

    def optional_text(self, name: str) -> str | None:
        """A text or null."""
        return None if self.facts.get(name) is None else self.text(name)

    def identifier(self, name: str) -> str:
        """An id of this product."""
        value = self.text(name)
        if not is_id(value):
            raise self.wrong(name, "is not an id")
        return value

    def optional_identifier(self, name: str) -> str | None:
        """An id or null."""
        return None if self.facts.get(name) is None else self.identifier(name)

    def number(self, name: str) -> int:
        """A number from 0 on that a database can keep."""
        value = self.facts.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
            raise self.wrong(name, "is missing or no whole number")
        return value

    def time(self, name: str) -> datetime:
        """An aware time in UTC."""
        try:
            time = datetime.fromisoformat(self.text(name))
            if time.tzinfo is not None:
                return time.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        raise self.wrong(name, "is not a time such as 2026-11-02T09:00:00Z")

    def optional_time(self, name: str) -> datetime | None:
        """A time or null."""
        return None if self.facts.get(name) is None else self.time(name)

    def optional_date(self, name: str) -> date | None:
        """A date or null."""
        text = self.optional_text(name)
        try:
            return None if text is None else date.fromisoformat(text)
        except ValueError:
            raise self.wrong(name, "is not a date such as 2027-01-31") from None

    def array(self, name: str) -> list[object]:
        """A list of anything."""
        value = as_list(self.facts.get(name))
        if value is None:
            raise self.wrong(name, "is missing or no list")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        values = self.array(name)
        texts = tuple(value for value in values if isinstance(value, str))
        if len(texts) != len(values):
            raise self.wrong(name, "is not a list of texts")
        return texts

    def one_of(self, name: str, choices: type[StrEnum]) -> str:
        """One of an enumeration's values."""
        value = self.text(name)
        values = _values(choices)
        if value not in values:
            raise self.wrong(name, f"is none of {', '.join(values)}")
        return value

    def of_hex(self, name: str, digits: str) -> bytes:
        """Bytes that stand as hexadecimal digits within a field."""
        try:
            return bytes.fromhex(digits)
        except ValueError:
            raise self.wrong(name, "has something else than hexadecimal digits") from None


def _values(choices: Iterable[StrEnum]) -> list[str]:
    return [choice.value for choice in choices]
