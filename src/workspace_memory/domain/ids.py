"""Typed ids. Each is a canonical UUIDv7 text of 36 lower-case characters, made by the application, but for SignInId,
which is made of what is kept of a session.

Text that is no id cannot name anything, so `is_id` lets a lookup answer "not found" for a malformed id in
exactly the way in which it answers for a missing one.
"""

import re
from typing import NewType

WorkspaceId = NewType("WorkspaceId", str)
UserId = NewType("UserId", str)
ServerId = NewType("ServerId", str)
TokenId = NewType("TokenId", str)
LinkId = NewType("LinkId", str)
SignInId = NewType("SignInId", str)
ItemId = NewType("ItemId", str)
ConversationId = NewType("ConversationId", str)
AdmissionId = NewType("AdmissionId", str)
KeySessionId = NewType("KeySessionId", str)
ProposalId = NewType("ProposalId", str)
ReceiptId = NewType("ReceiptId", str)
DocumentId = NewType("DocumentId", str)

ItemVersion = NewType("ItemVersion", int)
"""The number of an item's present text: 1 when it was made, one more with each change."""

Version = NewType("Version", int)
"""A revision of the memory document or of a note: 0 when it was never written, one more with each write."""

PolicyRevision = NewType("PolicyRevision", int)
"""How often the mode of a workspace was changed."""

ClearGeneration = NewType("ClearGeneration", int)
"""How often the memory document was cleared or deleted: what is older than the last time is retired."""

ConsentRevision = NewType("ConsentRevision", int)
"""How often workspace AI was turned on or off."""

Epoch = NewType("Epoch", int)
"""The number of a workspace key: one more with each rotation."""

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def is_id(text: str) -> bool:
    """Whether the text has the shape of an id."""
    return _ID.fullmatch(text) is not None
