"""Whether the service can do its work: a write that is rolled back, not a promise."""

from workspace_memory.services.deps import Deps


class _Undo(Exception):
    """Leaves the transaction without keeping anything."""


def check_ready(deps: Deps) -> None:
    """Write to the database and take it back. Raises: Busy, StorageFull."""
    try:
        with deps.database.begin() as tx:
            tx.accounts.add_instance_value("readiness", b"1")
            raise _Undo
    except _Undo:
        return
