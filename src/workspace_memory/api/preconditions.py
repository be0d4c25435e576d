"""ETag and If-Match: the version of an item that was shown, as HTTP says it."""

import re
from typing import Annotated

from fastapi import Header

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import ItemVersion

_VERSION = re.compile(r'"([1-9][0-9]{0,8})"')
_HOW = 'send the ETag that came with the item, such as If-Match: "3"'

IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        description='The ETag of the version that was shown, such as `"3"`.',
        examples=['"3"'],
    ),
]


def etag(version: ItemVersion) -> dict[str, str]:
    """The header that carries a version."""
    return {"ETag": f'"{version}"'}


def required_version(if_match: str | None) -> ItemVersion:
    """The version that the caller was shown. Raises: InvalidRequest when there is none."""
    if if_match is None:
        raise InvalidRequest("If-Match", f"is required: {_HOW}")
    return _version(if_match)


def optional_version(if_match: str | None) -> ItemVersion | None:
    """The same, where a caller may leave it out. Raises: InvalidRequest for a malformed one."""
    return None if if_match is None or if_match.strip() == "*" else _version(if_match)


def _version(if_match: str) -> ItemVersion:
    found = _VERSION.fullmatch(if_match.strip())
    if found is None:
        raise InvalidRequest("If-Match", f"is no version: {_HOW}")
    return ItemVersion(int(found.group(1)))
