"""A second opinion on secrets from the optional extra `kingfisher`, for the long tail of makers.

Loaded only when it is installed and wanted. It scans in this process: its validator, which calls the makers over
the network, is never made. `domain/secret_scan.py` decides first; either of the two refuses.
"""

import importlib
from collections.abc import Callable
from typing import Protocol, cast

from workspace_memory.domain.secret_scan import SecretFound

_SCAN_SECONDS_MAX = 1.0


class _Finding(Protocol):
    @property
    def visible(self) -> bool: ...


class _Scanner(Protocol):
    def scan(self, data: str, *, timeout: float | None = None) -> list[_Finding]: ...


class _Library(Protocol):
    Scanner: Callable[..., _Scanner]
    Rules: Callable[..., object]


class SecretScannerMissing(RuntimeError):
    """The extra is wanted and not installed: `pip install 'workspace-memory[kingfisher]'`."""


class SecretScannerExtra:
    """The scanner with its rules compiled: once per process; the first time takes seconds, later a cache is read."""

    def __init__(self) -> None:
        """Raises: SecretScannerMissing."""
        try:
            library = cast("_Library", importlib.import_module("kingfisher_sdk"))
        except ImportError as error:
            raise SecretScannerMissing(
                "The secret scanner is not installed: pip install 'workspace-memory[kingfisher]'"
            ) from error
        self._scanner = library.Scanner(library.Rules(), redact=True)

    def find_secret(self, text: str) -> SecretFound | None:
        """The first secret that the library's rules know, or None. Its own name of the rule is not passed on.

        A scan that takes longer than a second finds nothing: this is a second opinion, and the first has passed.
        """
        try:
            findings = self._scanner.scan(text, timeout=_SCAN_SECONDS_MAX)
        except TimeoutError:
            return None
        return SecretFound("known_maker", 1) if any(finding.visible for finding in findings) else None
