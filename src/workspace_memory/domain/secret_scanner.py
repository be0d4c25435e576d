"""Who looks for secrets, and what is answered. Light: the patterns themselves are in `secret_scan.py`.

A second scanner is handed to the use cases in `Deps`; `services/secret_scanner_extra.py` is the one that exists.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class ScannerChoice(StrEnum):
    """Who is asked: the own patterns alone, or the extra after them."""

    OWN = "own"
    KINGFISHER = "kingfisher"


@dataclass(frozen=True, slots=True)
class SecretFound:
    """By which rule a text is refused, and on which of its lines (from 1). Never the value."""

    rule: str
    line: int


class SecretScanner(Protocol):
    """A further opinion on whether a text holds a secret."""

    def find_secret(self, text: str) -> SecretFound | None:
        """The first secret in the text, or None. Raises: TimeoutError when it gives no answer in time."""
        ...
