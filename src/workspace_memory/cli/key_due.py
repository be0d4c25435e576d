"""What a command that ends somebody's membership says about the key of the workspace."""

from workspace_memory.cli.executable import typed
from workspace_memory.cli.output import say
from workspace_memory.domain.workspace_key import KeyDue


def say_key_due(due: KeyDue) -> None:
    """Name the command that comes next, if one does."""
    if due is KeyDue.ROTATION:
        say(f"A new workspace key is due: a member who holds the present one runs '{typed('keys rotate')}'.")
    elif due is KeyDue.NEW_BEGINNING:
        say(
            "Nobody holds the key of this workspace any more: what was sealed with it cannot be read. An editor or "
            f"admin begins another one with '{typed('keys begin-anew')}'."
        )
