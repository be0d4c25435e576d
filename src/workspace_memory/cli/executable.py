"""How this program is called, as absolute words that work from any folder and for any parent process."""

import shlex
import shutil
import sys
from pathlib import Path

NAME = "workspace-memory"


def command_words() -> list[str]:
    """The absolute path of the installed command; the interpreter and the module where there is none."""
    called = Path(sys.argv[0])
    beside = Path(sys.executable).with_name(called.name if called.stem == NAME else NAME)
    for candidate in (called, beside, beside.with_suffix(".exe")):
        if candidate.stem == NAME and candidate.is_file():
            # Absolute and not resolved: a link into another folder is often the name that stays.
            return [str(candidate.absolute())]
    found = shutil.which(NAME)
    if found:
        return [str(Path(found).absolute())]
    return [str(Path(sys.executable).absolute()), "-m", "workspace_memory.cli.main"]


def typed(words: str = "") -> str:
    """What a person types for these words of a command: the program by a path that works in every terminal.

    A checkout's program is on nobody's search path, and a second terminal has not the first one's environment.
    """
    return f"{shlex.join(command_words())} {words}".rstrip()
