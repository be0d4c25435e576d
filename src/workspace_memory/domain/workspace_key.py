"""What has to follow with the workspace key once somebody has left. `services/leaving.py` decides it."""

from enum import StrEnum


class KeyDue(StrEnum):
    """`rotation`: a holder makes a new key. `new_beginning`: nobody holds it any more, so that it is begun anew."""

    NOTHING = "nothing"
    ROTATION = "rotation"
    NEW_BEGINNING = "new_beginning"
