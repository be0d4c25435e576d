"""A PostgreSQL for one benchmark run: from its wheel, as the tests use it, or a server that somebody names."""

import tempfile
from collections.abc import Generator
from contextlib import contextmanager

import psycopg
from psycopg import sql
from sqlalchemy import make_url

from _servers import cpu_seconds_of


@contextmanager
def postgresql_server(url: str = "") -> Generator[str]:
    """The URL of a server: the given one, or one from the wheel whose files lie in the temporary folder."""
    if url:
        yield url
        return
    # Here, since a run on SQLite needs none of it.
    from pgserver import get_server  # noqa: PLC0415  # pyright: ignore[reportPrivateImportUsage]

    # A short path, since the server's socket lives in it.
    with tempfile.TemporaryDirectory(prefix="wm-pg-") as folder:
        server = get_server(folder)
        uri: str = server.get_uri()
        try:
            yield uri
        finally:
            server.cleanup()


@contextmanager
def new_database(server_url: str, name: str, *, like: str = "") -> Generator[str]:
    """The URL of a new database on the server, empty or a copy of another; dropped at the end.

    Nobody may be connected to the database that is copied.
    """
    with psycopg.connect(server_url, autocommit=True) as admin:
        template = sql.SQL(" TEMPLATE {}").format(sql.Identifier(like)) if like else sql.SQL("")
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)) + template)
    try:
        yield make_url(server_url).set(database=name).render_as_string(hide_password=False)
    finally:
        with psycopg.connect(server_url, autocommit=True) as admin:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def backends_cpu_seconds(url: str) -> float:
    """The processor time of all connections that others have to a database; 0 for a server of another machine."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchall()
    return sum(cpu_seconds_of(pid) for (pid,) in rows)
