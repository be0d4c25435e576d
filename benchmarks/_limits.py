"""What the machine can do at best with the same texts: SQLite's full text in process, and one durable commit.

FTS5 with any word, bm25 and twenty answers is what most memory products are built on; its trigram tokenizer is
the engine's own answer to partial words and codes. Without a network, access rules or other lists beside them.
"""

import re
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

from _texts import QueryKind

ANSWERS = 20
_BY_TRIGRAM = frozenset({QueryKind.PARTIAL, QueryKind.CODE})


class RawFullText:
    """The texts in two FTS5 tables of one file."""

    def __init__(self, path: Path, texts: Sequence[str]) -> None:
        self._connection = sqlite3.connect(path)
        self._connection.execute("CREATE VIRTUAL TABLE words USING fts5(content, tokenize = 'unicode61')")
        self._connection.execute("CREATE VIRTUAL TABLE trigrams USING fts5(content, tokenize = 'trigram')")
        rows = [(text,) for text in texts]
        with self._connection:
            self._connection.executemany("INSERT INTO words (content) VALUES (?)", rows)
            self._connection.executemany("INSERT INTO trigrams (content) VALUES (?)", rows)

    def times(self, kind: QueryKind, queries: Sequence[str]) -> list[float]:
        """The milliseconds of each query: any of its words, the best twenty texts by bm25."""
        table = "trigrams" if kind in _BY_TRIGRAM else "words"
        statement = f"SELECT content FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT {ANSWERS}"  # noqa: S608  two names of ours
        times: list[float] = []
        for query in queries:
            words = [query] if table == "trigrams" else re.findall(r"\w+", query)
            match = " OR ".join(f'"{word}"' for word in words)
            started = time.perf_counter()
            self._connection.execute(statement, (match,)).fetchall()
            times.append((time.perf_counter() - started) * 1000)
        return times

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def durable_commits(path: Path, text: str, count: int) -> list[float]:
    """The milliseconds of each insert of one row that survives a power cut, one transaction each."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, content TEXT)")
        times: list[float] = []
        for _ in range(count):
            started = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO rows (content) VALUES (?)", (text,))
            connection.execute("COMMIT")
            times.append((time.perf_counter() - started) * 1000)
        return times
    finally:
        connection.close()
