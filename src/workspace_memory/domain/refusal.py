"""What is refused on every write path, and what is held: one entry for each, for content and tags alike.

Pure. Callers ask `check_refusals` before anything is written and `suspicion` before an item becomes active. The
value that was found appears nowhere: the errors carry a rule and a place.
"""

from collections.abc import Callable, Iterator, Sequence

from workspace_memory.domain.errors import SecretRefused, StructureRefused
from workspace_memory.domain.injection_scan import Suspicion, find_structure, find_suspicion
from workspace_memory.domain.secret_scan import find_secret
from workspace_memory.domain.secret_scanner import SecretFound
from workspace_memory.domain.unveiling import plain_view

_END_CHARACTERS = 200

__all__ = ["Suspicion", "check_refusals", "suspicion"]


def check_refusals(
    content: str, tags: Sequence[str], *, second: Callable[[str], SecretFound | None] | None = None
) -> None:
    """Pass, or say which rule refuses the text and where ("content, line 3", "tag 2").

    `second` is asked about secrets where the own patterns find none; it sees the text without hidden characters.
    Raises: SecretRefused for a password, token or key; StructureRefused for forged structure or hidden characters.
    """
    for place, text in _texts(content, tags):
        if (secret := find_secret(text)) is not None:
            raise SecretRefused(secret.rule, _where(place, secret.line))
        if (structure := find_structure(text)) is not None:
            raise StructureRefused(structure.rule, _where(place, structure.line))
        if second is not None and (secret := second(plain_view(text).text)) is not None:
            raise SecretRefused(secret.rule, _where(place, secret.line))
    for text in _content_and_tags(content, tags):
        if (secret := find_secret(text)) is not None:
            raise SecretRefused(secret.rule, "content and tags")


def suspicion(content: str, tags: Sequence[str]) -> Suspicion | None:
    """Why a person should look at the text before it is used, or None. For texts that `check_refusals` passes."""
    for _, text in _texts(content, tags):
        if (found := find_suspicion(text)) is not None:
            return found
    return None


def _texts(content: str, tags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The content, each tag, and all tags together: a secret may be cut over them, or announced by one for another."""
    yield "content", content
    for number, tag in enumerate(tags, 1):
        yield f"tag {number}", tag
    if len(tags) > 1:
        yield "tags", "\n".join(tags)


def _content_and_tags(content: str, tags: Sequence[str]) -> Iterator[str]:
    """The end of the content with all tags, and with each: it may begin or announce what a tag ends."""
    end = content.rstrip().rpartition("\n")[2][-_END_CHARACTERS:]
    if tags:
        yield "\n".join([end, *tags])
    if len(tags) > 1:
        yield from (f"{end}\n{tag}" for tag in tags)


def _where(place: str, line: int) -> str:
    return f"content, line {line}" if place == "content" else place
