"""No key and no token of a key session lies in a table or a file: only what is sealed, and hashes."""

import hashlib
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.conftest import World
from tests.contract.keyed import Keyed

from workspace_memory.crypto.session_sealing import write_session_token
from workspace_memory.storage.metadata import metadata


def everything_stored(world: World, folder: Path) -> bytes:
    """Every value of every table, and on SQLite every file too, the write-ahead log included."""
    kept: list[bytes] = []
    with world.deps.database.read() as tx:
        for table in metadata.tables.values():
            for row in tx.connection.execute(select(table)):
                kept += [each if isinstance(each, bytes) else str(each).encode() for each in row]
    kept += [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    return b"\n".join(kept)


@pytest.mark.requirement("document:keys:in-memory-only")
def test_keys_and_tokens_are_in_no_table_and_no_file(world: World, tmp_path: Path) -> None:
    keyed = Keyed(world)
    keyed.set_up(world.alice, world.bob)
    keyed.start(world.alice)
    keyed.grant(world.alice, world.bob)
    keyed.rotate(world.bob, [world.alice, world.bob])
    _, token = keyed.open_session(world.bob)
    stored = everything_stored(world, tmp_path)
    private = [
        half
        for keys in keyed.keys.values()
        for half in (keys.receiving.private_bytes_raw(), keys.signing.private_bytes_raw())
    ]
    for secret in [*(key.secret for key in keyed.chain), token, *private]:
        for form in (secret, secret.hex().encode(), write_session_token(secret).encode()):
            assert form not in stored
    # Else the search might see nothing at all.
    assert hashlib.sha256(token).digest() in stored
    assert keyed.keys[world.bob].public.x25519 in stored
