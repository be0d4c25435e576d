"""Text that holds a password, token or key: whether there is one, by which rule, and on which line.

Pure; the value itself is never handed out. `unveiling.py` gives the forms of a text, three modules look at each:
`secret_providers.py` (a maker's mark), `secret_shapes.py` (place or randomness) and `secret_pairs.py` (words around
it). What this can and cannot find is measured by benchmarks/refusals.py and told in docs/explanation/refusals.md.
`frontend/src/lib/secrets` is the same for the browser, held to this by tests/architecture/web_secret_patterns.py.
"""

from collections.abc import Iterator

from workspace_memory.domain.secret_pairs import announced_values
from workspace_memory.domain.secret_providers import marked_credentials
from workspace_memory.domain.secret_scanner import SecretFound
from workspace_memory.domain.secret_shapes import placed_credentials, random_words, without_public_blocks
from workspace_memory.domain.unveiling import View, decoded_views, disguised_views, plain_view, seam_views


def find_secret(text: str) -> SecretFound | None:
    """The first secret in the text, or None. Texts of memory items have at most 2,000 characters."""
    plain = plain_view(text)
    joined: View | None = None
    for view in (plain, *disguised_views(plain)):
        if view.name == "joined":
            joined = view
        if (found := _first(view, _in_view(view, plain))) is not None:
            return found
    for seams in seam_views(plain):
        if (found := _first(seams, _in_view(seams, plain))) is not None:
            return found
    for view in (plain, joined):
        if view is not None:
            for decoded in decoded_views(view, known=plain.text if view is joined else ""):
                if (found := _first(decoded, _in_decoded(decoded))) is not None:
                    return found
    return None


def _in_view(view: View, plain: View) -> Iterator[tuple[str, int]]:
    if view.name in {"joined", "seams"}:
        # Words of different lines stand together here: only marks are certain enough.
        yield from marked_credentials(view.text, joined_from=plain.text)
        return
    yield from marked_credentials(view.text)
    text = without_public_blocks(view.text)
    yield from placed_credentials(text)
    yield from announced_values(text)
    if view.name != "letters":
        yield from random_words(text)


def _in_decoded(view: View) -> Iterator[tuple[str, int]]:
    yield from marked_credentials(view.text)
    yield from placed_credentials(view.text)
    yield from announced_values(view.text)


def _first(view: View, found: Iterator[tuple[str, int]]) -> SecretFound | None:
    for rule, offset in found:
        return SecretFound(rule, view.line_at(offset))
    return None
