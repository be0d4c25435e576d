"""From the settings to an open installation: what the services are told of licences, rates, scanners and keys."""

from datetime import timedelta
from pathlib import Path

from workspace_memory.cli.failures import Refused
from workspace_memory.domain.rate import RateLimits
from workspace_memory.domain.secret_scanner import ScannerChoice, SecretScanner
from workspace_memory.semantic.choosing import SemanticTerms
from workspace_memory.services.deps import KeySessionTimes
from workspace_memory.services.licence_terms import LicenceTerms
from workspace_memory.services.opening import KeyTerms, OpenServices, open_folder, open_server
from workspace_memory.services.secret_scanner_extra import (
    SecretScannerExtra,
    SecretScannerMissing,
    require_scanner,
)
from workspace_memory.settings import Settings


def open_own_folder(settings: Settings, folder: Path) -> OpenServices:
    """The embedded database in a folder. Raises: FolderUnusable, StorageFull, SchemaTooNew, InvalidRequest."""
    return open_folder(
        folder,
        public_url=settings.address(),
        licensing=_licensing(settings),
        rates=_rates(settings),
        keys=_keys(settings),
        secret_scanner=_scanner(settings),
        semantic=_semantic(settings),
    )


def open_own_server(settings: Settings) -> OpenServices:
    """The PostgreSQL database of the settings. Raises: Busy, SchemaTooNew, FolderUnusable, InvalidRequest."""
    return open_server(
        settings.database_url,
        public_url=settings.address(),
        licensing=_licensing(settings),
        rates=_rates(settings),
        keys=_keys(settings),
        folder=settings.data,
        secret_scanner=_scanner(settings),
        semantic=_semantic(settings),
    )


def check_scanner(settings: Settings) -> None:
    """Let a process start only when the secret scanner that is wanted is there. Raises: Refused, with what to install.

    Asked at the start and not at the first save: a text must not pass because something is missing.
    """
    try:
        require_scanner(settings.secret_scanner)
    except SecretScannerMissing as missing:
        raise Refused(str(missing)) from None


def _licensing(settings: Settings) -> LicenceTerms:
    return LicenceTerms(settings.licensing, settings.licence_public_key, settings.licence_key)


def _rates(settings: Settings) -> RateLimits:
    return RateLimits(settings.rate_saves, settings.rate_searches, settings.rate_key_sessions)


def _keys(settings: Settings) -> KeyTerms:
    times = KeySessionTimes(
        idle=timedelta(minutes=settings.key_session_idle_minutes),
        absolute=timedelta(hours=settings.key_session_hours),
    )
    return KeyTerms(times, settings.key_store_url, settings.instance_key)


def _scanner(settings: Settings) -> SecretScanner | None:
    return SecretScannerExtra() if settings.secret_scanner is ScannerChoice.KINGFISHER else None


def _semantic(settings: Settings) -> SemanticTerms:
    return SemanticTerms(
        settings.semantic,
        settings.semantic_folder,
        settings.semantic_url,
        settings.semantic_model,
        settings.semantic_api_key,
    )
