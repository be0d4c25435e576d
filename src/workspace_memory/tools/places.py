"""The first wall before the memory document: a path is refused before anything else is looked at, whatever exists.

`domain/namespace.py` knows the spellings. No use case runs for a refused path, so that an answer cannot tell whether
there is a document, who asks, or whether a key session is open.
"""

from collections.abc import Mapping

from workspace_memory.domain.note import require_note_path, require_unreserved


def require_readable(arguments: Mapping[str, object]) -> None:
    """Let the path of a call pass that may be read. Raises: NamespaceReserved, InvalidRequest."""
    path = arguments.get("path")
    if isinstance(path, str):
        require_unreserved(path)


def require_writable(arguments: Mapping[str, object]) -> None:
    """Let the path of a call pass under which a text may be kept. Raises: NamespaceReserved, InvalidRequest."""
    path = arguments.get("path")
    if isinstance(path, str):
        require_note_path(path)
