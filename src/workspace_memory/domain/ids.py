"""Typed ids. Each is a canonical UUIDv7 text of 36 lower-case characters, made by the application.

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
ItemId = NewType("ItemId", str)

ItemVersion = NewType("ItemVersion", int)
"""The number of an item's present text: 1 when it was made, one more with each change."""

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def is_id(text: str) -> bool:
    """Whether the text has the shape of an id."""
    return _ID.fullmatch(text) is not None
