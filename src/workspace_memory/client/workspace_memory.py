"""The client as a whole: the calls of the modules beside on one connection.

What makes and opens keys is not here but in `keys.py`: it costs start-up time that most programs need not pay.
"""

from workspace_memory.client.assistant import AssistantCalls
from workspace_memory.client.documents import DocumentCalls
from workspace_memory.client.govern import GovernCalls
from workspace_memory.client.items import ItemCalls
from workspace_memory.client.key_calls import KeyCalls
from workspace_memory.client.notes import NoteCalls
from workspace_memory.client.people import PeopleCalls
from workspace_memory.client.places import PlaceCalls
from workspace_memory.client.plain_notes import PlainNoteCalls
from workspace_memory.client.transfers import TransferCalls


class WorkspaceMemory(
    ItemCalls,
    DocumentCalls,
    AssistantCalls,
    NoteCalls,
    PlainNoteCalls,
    TransferCalls,
    GovernCalls,
    KeyCalls,
    PeopleCalls,
    PlaceCalls,
):
    """`WorkspaceMemory(url, token)`, or without a token followed by `sign_in`.

    `workspace=` names the workspace of the calls; without it, it is the only one that the credential reaches. A
    context manager; `close` does the same.
    """
