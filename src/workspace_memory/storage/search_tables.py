"""The tables of the search index (`search.py` reads and writes them; docs/explanation/search.md explains them).

A list is what one search may see as a whole: "company", or a member's user id. Each row belongs to one list of
one workspace, so a list can be erased exactly, and no statistic or timing of it depends on another one. Items
of a list are numbered from 0, 8,192 to a segment; sets of numbers are packed by `search_numbers.py`.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from workspace_memory.domain.terms import TERM_CHARACTERS_MAX, TRIGRAM_LETTERS
from workspace_memory.storage.metadata import metadata
from workspace_memory.storage.vector_tables import VECTOR_TABLES

_ID = String(36)
# Compared byte by byte: terms are keys, and a language's sorting rules would only cost time.
_TERM = String(TERM_CHARACTERS_MAX).with_variant(String(TERM_CHARACTERS_MAX, collation="C"), "postgresql")
_TRIGRAM = String(TRIGRAM_LETTERS).with_variant(String(TRIGRAM_LETTERS, collation="C"), "postgresql")

search_segments = Table(
    "search_segments",
    metadata,
    Column("workspace_id", _ID, primary_key=True),
    Column("list_key", _ID, primary_key=True),
    Column("segment", Integer, primary_key=True, autoincrement=False),
    Column("numbers", LargeBinary, nullable=False),  # the numbers in use
    # A line for each item that waits for its postings: its number in the segment, and its terms.
    Column("waiting", Text, nullable=False, server_default=text("''")),
    sqlite_with_rowid=False,
)

search_documents = Table(
    "search_documents",
    metadata,
    Column("workspace_id", _ID, primary_key=True),
    Column("list_key", _ID, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("item_id", _ID, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),  # microseconds since 1970, UTC
    Column(
        "words", Text, nullable=False
    ),  # in their order, with blanks between: phrases, and the second pass
    Column("forms", Text, nullable=False),  # every further term, so that exactly these are deleted later
    UniqueConstraint("workspace_id", "item_id"),
    # Asked at every save: is the new one the newest of its list?
    Index("ix_search_documents_time", "workspace_id", "list_key", "created_at_us"),
    sqlite_with_rowid=False,
)

search_postings = Table(
    "search_postings",
    metadata,
    Column("workspace_id", _ID, primary_key=True),
    Column("list_key", _ID, primary_key=True),
    Column("term", _TERM, primary_key=True),
    Column("segment", Integer, primary_key=True, autoincrement=False),
    Column("numbers", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

search_trigrams = Table(
    "search_trigrams",
    metadata,
    Column("workspace_id", _ID, primary_key=True),
    Column("list_key", _ID, primary_key=True),
    Column("trigram", _TRIGRAM, primary_key=True),
    Column("terms", Text, nullable=False),  # a line break after each term
    sqlite_with_rowid=False,
)

TABLES = (search_segments, search_documents, search_postings, search_trigrams, *VECTOR_TABLES)
