"""What is kept, on SQLite and PostgreSQL: tables, transactions and one repository per table group."""
