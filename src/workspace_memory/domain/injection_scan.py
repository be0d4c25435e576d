"""Text that forges structure or orders a model about: refused, or held until a person has looked.

Pure. `injection_marks.py` finds forged structure, `injection_orders.py` orders. This is hygiene, not a defence: what
protects is that memory grants no authority. Lies that read like any other sentence pass; no pattern can tell them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from workspace_memory.domain.injection_marks import forged_marks, hidden_marks
from workspace_memory.domain.injection_orders import held_orders, quoted_orders, refused_orders
from workspace_memory.domain.unveiling import View, decoded_views, disguised_views, plain_view

PHRASE_CHARACTERS_MAX = 80
# A text is asked about twice, whether it is refused and then whether it is held, and by several threads.
_TEXTS_KEPT = 8
_SQUASHED = re.compile(
    r"(?:ignore|disregard|forget|bypass|override)(?:all)?(?:the|of|your|any)?(?:previous|prior|above|earlier"
    r"|preceding|system|safety)"
    r"(?:instructions?|prompts?|rules|guidelines|directives)|ignoriere(?:alle)?(?:die|deine)?(?:vorherigen"
    r"|bisherigen|vorigen)"
    r"anweisungen|ignora(?:tutte)?(?:le|las)?(?:istruzioni|instrucciones)|(?:ignore"
    r"|oublie)z?(?:toutes)?les(?:instructions|consignes)"
    r"|revealyoursystemprompt"
)
_LEET = str.maketrans("013457@$", "oieastas")
_LEET_WORDS = (
    "ignore",
    "disregard",
    "forget",
    "override",
    "bypass",
    "reveal",
    "instruct",
    "previous",
    "system",
)
# Marks of Markdown and HTML, which stand in or between words and are not seen when the text is shown.
_MARKS = re.compile(
    r"\*{1,3}|`{1,3}|~~|</?(?:b|i|u|s|em|strong|span|code|a|p|br|div)(?: [^<>\n]{0,80})?/?>|<!---->"
)
_MARKED = ("*", "`", "~", "<", "|")  # without any of these there is nothing to take out
_CELLS = re.compile(r"[ \t]*\|[ \t]*")
_COMMENT = re.compile(r"<!--(?P<html>.{3,600}?)(?:-->|$)|\[//\]: # \((?P<link>[^)\n]{3,400})\)", re.S)
_COMMENT_ORDER = re.compile(
    r"(?:^|[\s:])(?:ai|llm|assistant|system|you|your|ignore|instructions?|agent|prompt|secretly|user)\b[^>]{0,80}"
    r"(?:must|always|never|now|ignore|send|reveal|call|from now|approve|obey|disregard|tell|unrestricted)\b"
)


@dataclass(frozen=True, slots=True)
class StructureFound:
    """By which rule a text is refused, and on which of its lines (from 1)."""

    rule: str
    line: int


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Why a text is held for review: the rule, and the phrase (at most 80 characters) that a reviewer may see."""

    rule: str
    phrase: str


def find_structure(text: str) -> StructureFound | None:
    """The first forged structure or order for which the text is refused, or None."""
    for rule, offset in hidden_marks(text):
        return StructureFound(rule, text.count("\n", 0, offset) + 1)
    for view in _views(text):
        lower = view.text.lower()
        for rule, offset in _refused_in(view, lower):
            return StructureFound(rule, view.line_at(min(offset, len(view.text))))
    return None


def find_suspicion(text: str) -> Suspicion | None:
    """The first phrase for which the text is held, or None. Asked only of texts that are not refused."""
    for view in _views(text):
        lower = view.text.lower()
        for rule, start, end in chain(quoted_orders(lower), held_orders(lower)):
            phrase = " ".join(view.text[start:end].split())
            return Suspicion(rule, phrase[:PHRASE_CHARACTERS_MAX])
    return None


def _refused_in(view: View, lower: str) -> Iterator[tuple[str, int]]:
    yield from forged_marks(view.text)
    for rule, start, _ in refused_orders(lower):
        yield rule, start
    if "<!--" in lower or "[//]" in lower:
        for match in _COMMENT.finditer(lower):
            if _COMMENT_ORDER.search(match["html"] or match["link"]):
                yield "hidden_comment", match.start()
    if view.name == "spaced" and (match := _SQUASHED.search(re.sub(r"[\W_]+", "", lower))) is not None:
        yield "override", 0
    if view.name == "plain" and (replaced := _without_digits(lower)) is not None:
        for rule, start, _ in refused_orders(replaced):
            yield rule, start


def _without_digits(lower: str) -> str | None:
    """The text with `ign0re` as `ignore`, when that makes a word of an order that was not there before."""
    replaced = lower.translate(_LEET)
    if any(replaced.count(word) > lower.count(word) for word in _LEET_WORDS):
        return replaced
    return None


@lru_cache(_TEXTS_KEPT)
def _views(text: str) -> Sequence[View]:
    plain = plain_view(text)
    # A text that is joined over its lines says nothing new here: orders are looked for across line ends.
    views = [plain, *disguised_views(plain, joined=False)]
    if any(sign in plain.text for sign in _MARKED):
        unmarked = _CELLS.sub(" ", _MARKS.sub("", plain.text))
        if unmarked != plain.text:
            views.append(replace(plain_view(unmarked), name="marks"))
    return [*views, *decoded_views(plain)]
