"""Whether the libraries of the extra are there: looked for at every start, imported where they are to be used."""

import importlib
import importlib.util
from collections.abc import Iterable

from workspace_memory.domain.embedding import LibraryUnusable


def require_installed(names: Iterable[str]) -> None:
    """Look, and import nothing. Raises: LibraryUnusable."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        raise LibraryUnusable(
            f"needs {', '.join(missing)}, which the extra brings: pip install 'workspace-memory[semantic]'"
        )


def require_importable(names: Iterable[str]) -> None:
    """Import them: what is there may be made for another Python or another processor. Raises: LibraryUnusable."""
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:  # whatever a library does when it is imported
            raise LibraryUnusable(
                f"needs {name}, which is there but cannot be imported ({type(error).__name__}); the extra brings one "
                "that can: pip install --force-reinstall 'workspace-memory[semantic]'"
            ) from None
