"""The one Alembic line for both databases; `upgrade` brings a database to the newest revision."""
