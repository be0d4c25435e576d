"""Opening an installation: its database, brought to the newest schema, and the Deps over it."""

import os
from dataclasses import dataclass
from pathlib import Path

from workspace_memory.domain.errors import Busy, FolderUnusable
from workspace_memory.domain.rate import RateLimits
from workspace_memory.domain.secret_scanner import SecretScanner
from workspace_memory.services.deps import Deps
from workspace_memory.services.licence_terms import LicenceTerms
from workspace_memory.storage.database import Database, open_postgresql, open_sqlite
from workspace_memory.storage.dialect import Contention
from workspace_memory.storage.migrating import migrate

SQLITE_NAME = "memory.db"


@dataclass(frozen=True, slots=True)
class OpenServices:
    """The Deps of an open installation; `close` writes what is still in RAM and closes the database."""

    deps: Deps

    def close(self) -> None:
        """End everything that was opened."""
        try:
            self.deps.last_used.flush(self.deps.database)
        finally:
            self.deps.database.close()


def open_folder(
    folder: Path,
    *,
    public_url: str,
    licensing: LicenceTerms | None = None,
    rates: RateLimits | None = None,
    secret_scanner: SecretScanner | None = None,
) -> OpenServices:
    """The embedded database in a data folder, which is made when it is missing. The caller owns the folder.

    Raises: FolderUnusable, StorageFull, SchemaTooNew.
    """
    path = folder / SQLITE_NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Made here, before SQLite would make it readable for others.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise FolderUnusable(folder=str(folder), reason=error.strerror or "it cannot be written") from None
    return _open(open_sqlite(path), public_url, licensing, rates, secret_scanner)


def open_server(
    database_url: str,
    *,
    public_url: str,
    licensing: LicenceTerms | None = None,
    rates: RateLimits | None = None,
    secret_scanner: SecretScanner | None = None,
) -> OpenServices:
    """A PostgreSQL database. Raises: Busy when it cannot be reached, SchemaTooNew."""
    return _open(open_postgresql(database_url), public_url, licensing, rates, secret_scanner)


def _open(
    database: Database,
    public_url: str,
    licensing: LicenceTerms | None,
    rates: RateLimits | None,
    secret_scanner: SecretScanner | None,
) -> OpenServices:
    try:
        with database.translating():
            migrate(database)
    except BaseException as error:
        database.close()
        # Another process that starts is migrating for longer than a lock is waited for.
        if isinstance(error, Contention):
            raise Busy from None
        raise
    deps = Deps(
        database,
        public_url=public_url,
        licensing=licensing or LicenceTerms(),
        rates=rates or RateLimits(),
        secret_scanner=secret_scanner,
    )
    return OpenServices(deps)
