"""Alembic's entry point: runs within the connection and transaction that `migrating.py` opened."""

from alembic import context

from workspace_memory.storage.metadata import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
context.run_migrations()
