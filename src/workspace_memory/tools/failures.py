"""What is said, and what is logged, when something fails that nobody expected, and how a made-up name is shown."""

import re
import traceback
from pathlib import Path
from typing import Final

UNEXPECTED: Final = (
    "The memory service failed at this call, through no fault of its arguments. Trying again is safe; if it fails "
    "again, tell an administrator of the service."
)
_NAME_CHARACTERS_SHOWN: Final = 60


def place_of(error: BaseException) -> str:
    """Where an error came from, as file:line of the last three frames.

    This and the type are all that is logged: the text of an unexpected error may quote what it stumbled over.
    """
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)


def shown_name(name: str) -> str:
    """A name that a caller made up, short and harmless enough to stand in a sentence."""
    printable = re.sub(r"[^\w.\-/ ]", "?", name.encode("utf-8", "replace").decode())
    return printable if len(printable) <= _NAME_CHARACTERS_SHOWN else f"{printable[:_NAME_CHARACTERS_SHOWN]}…"
