"""What a person pastes as a one-time link: the whole link, or its bare secret."""

import re

from workspace_memory.cli.failures import Refused
from workspace_memory.domain.address import split_link
from workspace_memory.domain.errors import LinkInvalid

_SECRET = re.compile(r"wm_lnk_[A-Za-z0-9_-]{20,}")


def secret_of(link: str) -> str:
    """The secret in a link, or the secret itself. Raises: Refused when there is none."""
    found = _SECRET.search(link)
    if found is None:
        raise Refused(
            "This is no one-time link: it should end in 'wm_lnk_' and 43 more characters. Copy it whole."
        )
    return found[0]


def server_of(link: str) -> str | None:
    """The address of the server in a link; None for a bare secret."""
    try:
        return split_link(link).service
    except LinkInvalid:
        return None
