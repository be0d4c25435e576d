"""The block and the note that a model call is given."""

from workspace_memory.domain.ids import Version, WorkspaceId
from workspace_memory.domain.recall import RecallStatus


def render_block(text: str, *, workspace: WorkspaceId, revision: Version, secret: bytes) -> str:
    """The block of a text."""
    return f"Saved workspace memory, revision {revision}.\n{text}{workspace[:0]}{secret[:0].decode()}"


def withheld_note(status: RecallStatus) -> str:
    """The note for a status."""
    return f"Workspace memory was not provided because {status}."
