"""A second opinion on secrets from the optional extra `kingfisher`, for the long tail of makers.

Used only when `WORKSPACE_MEMORY_SECRET_SCANNER=kingfisher`. It scans in this process: its validator, which calls the
makers over the network, is never made. `domain/secret_scan.py` decides first; either of the two refuses.
"""

import importlib
import importlib.util
import threading
from collections.abc import Callable
from typing import Protocol, cast

from workspace_memory.domain.secret_scanner import ScannerChoice, SecretFound

SCAN_SECONDS_MAX = 1.0
MODULE = "kingfisher_sdk"


class _Finding(Protocol):
    @property
    def visible(self) -> bool: ...

    @property
    def location(self) -> dict[str, int]: ...


class _Scanner(Protocol):
    def scan(self, data: str, *, timeout: float | None = None) -> list[_Finding]: ...


class _Library(Protocol):
    Scanner: Callable[..., _Scanner]
    Rules: Callable[..., object]


class SecretScannerMissing(RuntimeError):
    """The extra is wanted and not installed; the message says what to install."""


class SecretScannerExtra:
    """The scanner of the extra. Its rules are compiled at the first scan: in seconds, later from a cache of its own.

    Thread-safe.
    """

    def __init__(self) -> None:
        """Raises: SecretScannerMissing."""
        require_scanner(ScannerChoice.KINGFISHER)
        self._guard = threading.Lock()
        self._compiled: _Scanner | None = None

    def find_secret(self, text: str) -> SecretFound | None:
        """The first secret that the library's rules know, or None. Its own name of the rule is not passed on.

        Raises: TimeoutError when a scan takes longer than a second.
        """
        # Here, as in `screening.py`: the patterns cost half a second to make ready.
        from workspace_memory.domain.secret_shapes import is_stand_in  # noqa: PLC0415

        coded = text.encode()
        lines = [
            place["line"]
            for place in (
                each.location for each in self._scanner().scan(text, timeout=SCAN_SECONDS_MAX) if each.visible
            )
            # The library refuses the guest:guest@localhost of every manual.
            if not is_stand_in(coded[place["start_offset"] : place["end_offset"]].decode(errors="replace"))
        ]
        return SecretFound("known_maker", min(lines)) if lines else None

    def _scanner(self) -> _Scanner:
        with self._guard:
            if self._compiled is None:
                library = cast("_Library", importlib.import_module(MODULE))
                self._compiled = library.Scanner(library.Rules(), redact=True)
            return self._compiled


def require_scanner(choice: ScannerChoice) -> None:
    """Pass when the scanner can be had; costs next to nothing, since nothing is imported.

    Raises: SecretScannerMissing.
    """
    if choice is ScannerChoice.KINGFISHER and importlib.util.find_spec(MODULE) is None:
        raise SecretScannerMissing(
            "The secret scanner that WORKSPACE_MEMORY_SECRET_SCANNER=kingfisher asks for is not installed: "
            "pip install 'workspace-memory[kingfisher]', or set it to own."
        )
