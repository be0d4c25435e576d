"""The tables of the semantic signal (`vectors.py` reads and writes them; docs/explanation/search.md explains them).

They follow the lists and numbers of `search_tables.py`, so a vector goes with its item and with its list. `space` is
the fingerprint of the model; rows of another model are there only until its successor has made its own.
"""

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, String, Table

from workspace_memory.domain.embedding import REASON_CHARACTERS_MAX, SPACE_CHARACTERS_MAX
from workspace_memory.storage.metadata import metadata

_ID = String(36)
_SPACE = String(SPACE_CHARACTERS_MAX)

search_vectors = Table(
    "search_vectors",
    metadata,
    Column("workspace_id", _ID, primary_key=True),
    Column("list_key", _ID, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("space", _SPACE, primary_key=True),
    Column("vector", LargeBinary, nullable=False),  # a signed byte for each dimension
    sqlite_with_rowid=False,
)

search_vector_chunks = Table(
    "search_vector_chunks",
    metadata,
    Column("workspace_id", _ID, primary_key=True),
    Column("list_key", _ID, primary_key=True),
    Column("space", _SPACE, primary_key=True),
    Column("chunk", Integer, primary_key=True, autoincrement=False),  # number // 512
    Column("numbers", LargeBinary, nullable=False),  # a bit for each number of the chunk that has a vector
    Column("signs", LargeBinary, nullable=False),  # for each number the signs of its vector, a bit each
    Column("version", BigInteger, nullable=False, server_default="0"),  # another, random one with each change
    # Every search reads all versions of its lists, and in the row they stand behind 24 kB of signs.
    Index("ix_search_vector_chunks_version", "workspace_id", "list_key", "space", "chunk", "version"),
    sqlite_with_rowid=False,
)

search_vector_refusals = Table(
    "search_vector_refusals",
    metadata,
    Column("workspace_id", _ID, primary_key=True),
    Column("list_key", _ID, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("space", _SPACE, primary_key=True),
    Column("reason", String(REASON_CHARACTERS_MAX), nullable=False),  # the code of the last failure
    Column("tries", Integer, nullable=False),
    Column("tried_at_us", BigInteger, nullable=False),  # microseconds since 1970, UTC
    sqlite_with_rowid=False,
)

VECTOR_TABLES = (search_vectors, search_vector_chunks, search_vector_refusals)
