"""What every text that is kept has to be: valid Unicode that each database can hold."""

from workspace_memory.domain.errors import InvalidRequest


def require_plain(field: str, text: str) -> None:
    """Raise InvalidRequest, naming the field, for a NUL character or half of a surrogate pair."""
    if "\0" in text:
        raise InvalidRequest(field, "contains a NUL character, which no text has")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidRequest(field, "contains half of a surrogate pair, which is not valid Unicode") from None
