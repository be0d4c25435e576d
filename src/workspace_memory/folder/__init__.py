"""How one process owns a data folder, and nobody notices.

SQLite wants one process per file. The first process that opens a folder owns it (`lock.py`) and listens there
(`listener.py`); processes started later forward their service calls to it (`forwarding.py`, `calls.py`); when
the owner ends, the next one takes over (`gateway.py`). This package knows no use case, no database and no web
framework: it is given callables. docs/explanation/one-owner.md tells the whole story.
"""
