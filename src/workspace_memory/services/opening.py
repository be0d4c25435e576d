"""Opening an installation: its database, brought to the newest schema, and the Deps over it."""

import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from workspace_memory.crypto.errors import KeyStoreUnavailable, KeyStoreUnsafe
from workspace_memory.crypto.key_sessions import KeyStore
from workspace_memory.domain.errors import Busy, FolderUnusable, InvalidRequest
from workspace_memory.domain.rate import RateLimits
from workspace_memory.domain.secret_scanner import SecretScanner
from workspace_memory.semantic.choosing import SemanticTerms, chosen_embedder
from workspace_memory.services.deps import Deps, KeySessionTimes, SystemClock, ram_key_store
from workspace_memory.services.embeddings import VectorWork
from workspace_memory.services.instance_keys import instance_secret
from workspace_memory.services.licence_terms import LicenceTerms
from workspace_memory.services.semantic_signals import SemanticSignal
from workspace_memory.storage.database import Database, open_postgresql, open_sqlite
from workspace_memory.storage.dialect import Contention
from workspace_memory.storage.migrating import migrate

SQLITE_NAME = "memory.db"


@dataclass(frozen=True, slots=True)
class KeyTerms:
    """Where key sessions lie and when they end; `store_url` is empty for the memory of this process.

    `instance_key` is the setting of the instance's own secret, empty for the file in the data folder.
    """

    times: KeySessionTimes = field(default_factory=KeySessionTimes)
    store_url: str = field(default="", repr=False)
    instance_key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class OpenServices:
    """The Deps of an open installation; `close` writes what is still in RAM and closes the database."""

    deps: Deps
    vector_work: VectorWork | None = None

    def close(self) -> None:
        """End everything that was opened."""
        if self.vector_work is not None:
            self.vector_work.stop()
        if self.deps.semantic is not None:
            self.deps.semantic.embedder.close()
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
    keys: KeyTerms | None = None,
    secret_scanner: SecretScanner | None = None,
    semantic: SemanticTerms | None = None,
) -> OpenServices:
    """The embedded database in a data folder, which is made when it is missing. The caller owns the folder.

    Raises: FolderUnusable, StorageFull, SchemaTooNew, InvalidRequest.
    """
    path = folder / SQLITE_NAME
    signal = _semantic(semantic)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Made here, before SQLite would make it readable for others.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise FolderUnusable(folder=str(folder), reason=error.strerror or "it cannot be written") from None
    keys = keys or KeyTerms()
    secret = instance_secret(keys.instance_key, folder)
    return _open(open_sqlite(path), public_url, licensing, rates, keys, secret, secret_scanner, signal)


def open_server(
    database_url: str,
    *,
    public_url: str,
    licensing: LicenceTerms | None = None,
    rates: RateLimits | None = None,
    keys: KeyTerms | None = None,
    folder: Path | None = None,
    secret_scanner: SecretScanner | None = None,
    semantic: SemanticTerms | None = None,
) -> OpenServices:
    """A PostgreSQL database. `folder` is where `instance.key` lies; without it the secret is this process's own.

    Raises: Busy when it cannot be reached, SchemaTooNew, FolderUnusable, InvalidRequest.
    """
    keys = keys or KeyTerms()
    signal = _semantic(semantic)
    if folder is None and not keys.instance_key:
        secret = secrets.token_bytes(32)
    else:
        secret = instance_secret(keys.instance_key, folder or Path())
    return _open(
        open_postgresql(database_url), public_url, licensing, rates, keys, secret, secret_scanner, signal
    )


def _open(
    database: Database,
    public_url: str,
    licensing: LicenceTerms | None,
    rates: RateLimits | None,
    keys: KeyTerms,
    secret: bytes,
    secret_scanner: SecretScanner | None,
    semantic: SemanticSignal | None,
) -> OpenServices:
    try:
        with database.translating():
            migrate(database)
        key_store = _key_store(keys.store_url)
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
        key_store=key_store,
        key_session_times=keys.times,
        instance_secret=secret,
        secret_scanner=secret_scanner,
        semantic=semantic,
    )
    if semantic is None:
        return OpenServices(deps)
    work = VectorWork(deps, semantic)
    work.start()
    return OpenServices(deps, work)


def _semantic(terms: SemanticTerms | None) -> SemanticSignal | None:
    """The signal that the settings ask for, before anything is opened. Raises: InvalidRequest."""
    embedder = chosen_embedder(terms or SemanticTerms())
    return None if embedder is None else SemanticSignal(embedder)


def _key_store(url: str) -> KeyStore:
    """The store of key sessions. Raises: InvalidRequest when it cannot be used; the address is not repeated."""
    if not url:
        return ram_key_store()
    name = "WORKSPACE_MEMORY_KEY_STORE_URL"
    try:
        # Here, since it needs a library that an installation of one process does without.
        from workspace_memory.crypto.valkey_key_store import ValkeyKeyStore  # noqa: PLC0415
    except ModuleNotFoundError:
        raise InvalidRequest(
            name, "needs the extra 'valkey': pip install 'workspace-memory[valkey]'"
        ) from None
    try:
        return ValkeyKeyStore(url, SystemClock().now)
    except (KeyStoreUnsafe, KeyStoreUnavailable) as error:
        reason = str(error)
    raise InvalidRequest(name, reason)
