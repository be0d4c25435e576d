"""Sentences that order a model about: to drop its rules, to send things out, to hide, to wait for a word.

Pure. `refused_orders` gives what no memory of people says; `held_orders` what people do say at times, so that a
person decides. Plausible lies look like any other memory: no pattern finds them, and none is tried.
The patterns stand in `injection_patterns.py`, what makes of them a report or a quotation in `injection_context.py`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from workspace_memory.domain import injection_context as context
from workspace_memory.domain import injection_patterns as patterns

_SENTENCE_REST_MAX = 120
# A text is asked about twice, whether it is refused and then whether it is held, and by several threads.
_TEXTS_KEPT = 8


def refused_orders(lower: str) -> Iterator[tuple[str, int, int]]:
    """The rule, start and end of each order in lower-case text for which it is refused."""
    quotations = _quotations(lower)
    for rule, start, end in _orders(lower):
        if not any(first <= start < last for first, last in quotations):
            yield rule, start, end


def quoted_orders(lower: str) -> Iterator[tuple[str, int, int]]:
    """The rule, start and end of each order that a sentence about attacks quotes: a person is asked."""
    quotations = _quotations(lower)
    for rule, start, end in _orders(lower) if quotations else ():
        if any(first <= start < last for first, last in quotations):
            yield rule, start, end


@lru_cache(_TEXTS_KEPT)
def _quotations(lower: str) -> Sequence[tuple[int, int]]:
    """Start and end of what is quoted on a line that says beside it that it is about attacks."""
    if context.ABOUT_ATTACKS.search(lower) is None:
        return []
    found: list[tuple[int, int]] = []
    offset = 0
    for line in lower.split("\n"):
        spans = [match.span("said") for match in context.QUOTED.finditer(line)]
        beside = context.QUOTED.sub(" ", line)
        if spans and context.ABOUT_ATTACKS.search(beside):
            found += [(offset + first, offset + last) for first, last in spans]
        offset += len(line) + 1
    return found


def _orders(lower: str) -> Iterator[tuple[str, int, int]]:
    yield from ((rule, start, end) for rule, start, end, own in _overrides(lower) if own)
    yield from _said(lower)
    if _has(lower, patterns.PLACES_TO_SEND):
        for gates, pattern in patterns.EXFILTRATION:
            if _has(lower, gates) and (match := pattern.search(lower)) is not None:
                yield "exfiltration", match.start(), match.end()
    yield from (("concealment", start, end) for start, end in _concealed(lower))
    if _has(lower, patterns.TOOLS):
        for match in patterns.TOOL_REFUSED.finditer(lower):
            if _is_about_a_tool(lower, match):
                yield "tool_order", match.start(), match.end()
    for start, end, then in _triggers(lower):
        if patterns.DIRE.search(then):
            yield "delayed_trigger", start, end
    if "ユーザーが" in lower and (match := patterns.TRIGGER_JA.search(lower)) is not None:
        yield "delayed_trigger", match.start(), match.end()


def held_orders(lower: str) -> Iterator[tuple[str, int, int]]:
    """The rule, start and end of each order in lower-case text for which a person is asked."""
    yield from ((rule, start, end) for rule, start, end, _ in _overrides(lower))
    if _has(lower, ("user", "secretly", "keep ")) and (match := patterns.CONCEAL_HELD.search(lower)):
        yield "concealment", match.start(), match.end()
    for rule, gates, pattern in patterns.HELD:
        if _has(lower, gates):
            for match in pattern.finditer(lower):
                if _begins(lower, match.start()) and (rule != "tool_order" or _is_about_a_tool(lower, match)):
                    yield rule, match.start(), match.end()
    if not lower.isascii() and (match := patterns.LEAK_HELD_JA.search(lower)) is not None:
        yield "leak", match.start(), match.end()
    for gates, pattern in patterns.CLAIMS:
        if _has(lower, gates) and (match := pattern.search(lower)) is not None:
            yield "claim", match.start(), match.end()
    yield from (("delayed_trigger", start, end) for start, end, _ in _triggers(lower))


def _said(lower: str) -> Iterator[tuple[str, int, int]]:
    """Whole orders in words that are known."""
    for rule, needs, pattern in patterns.SAID:
        if _has_all(lower, needs):
            for match in pattern.finditer(lower):
                if not _is_reported(lower, match.start()):
                    yield rule, match.start(), match.end()


def _begins(lower: str, start: int) -> bool:
    return context.BEGINS.search(lower, max(0, start - 16), start) is not None


def _is_told_of(lower: str, match: re.Match[str]) -> bool:
    """Whether a sentence tells what something does or can do: "overriding the rules", "admins can override them"."""
    return bool(
        context.GERUND.match(match.group())
        or context.POSSIBLE.search(lower, max(0, match.start() - 24), match.start())
    )


def _is_reported(lower: str, start: int) -> bool:
    return context.REPORTED.search(lower, max(0, start - 24), start) is not None


def _is_about_a_tool(lower: str, match: re.Match[str]) -> bool:
    """Whether what is to be called is a tool of a model, and not any function of any program."""
    sentence = re.split(r"\n|\.(?=\s|$)", lower[match.start() : match.end() + _SENTENCE_REST_MAX])[0]
    return bool(context.TOOL_FOR_CERTAIN.search(match.group()) or context.TALK.search(sentence))


def _concealed(lower: str) -> Iterator[tuple[int, int]]:
    """Start and end of each order to hide this very thing from people."""
    if _has(lower, patterns.PEOPLE):
        for gates, pattern in patterns.CONCEAL_REFUSED:
            if _has(lower, gates) and (match := pattern.search(lower)) is not None:
                yield match.start(), match.end()
    if _has(lower, patterns.IN_SECRET) and (match := patterns.SILENTLY.search(lower)) is not None:
        yield match.start(), match.end()


def _triggers(lower: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of "when somebody says …, do …", and what is to be done."""
    if not _has(lower, patterns.SPEAKERS):
        return
    for match in patterns.TRIGGER.finditer(lower):
        if (act := patterns.TRIGGER_ACT.search(match["then"])) is not None:
            yield match.start(), match.start("then") + act.end(), match["then"]


def _has(lower: str, words: Iterable[str]) -> bool:
    """Whether one of the words is in the text. A plain loop: this runs for each pattern of each text."""
    for word in words:  # noqa: SIM110 -- a generator would cost twice the time
        if word in lower:
            return True
    return False


def _has_all(lower: str, groups: Iterable[Iterable[str]]) -> bool:
    """Whether of each group one of the words is in the text. A plain loop for the same reason."""
    for group in groups:  # noqa: SIM110
        if not _has(lower, group):
            return False
    return True


@lru_cache(_TEXTS_KEPT)
def _overrides(lower: str) -> Sequence[tuple[str, int, int, bool]]:
    """Each override, and whether it is about the model's own rules for certain."""
    return tuple(_find_overrides(lower))


def _find_overrides(lower: str) -> Iterator[tuple[str, int, int, bool]]:
    for verbs, things, pattern, owns in patterns.OVERRIDES:
        if not (_has(lower, things) and _has(lower, verbs)):
            continue
        for match in pattern.finditer(lower):
            owned = bool(
                owns.search(match["between"])
                or match["after"]
                or patterns.STRONG_THINGS.search(match.group())
            )
            if not owned or _is_reported(lower, match.start()):
                continue
            everyday = context.EVERYDAY_VERBS.match(match.group()) is not None
            if everyday and not _begins(lower, match.start()):
                continue
            thing = match.group()[: len(match.group()) - len(match["else"] or "") - len(match["after"] or "")]
            weak_thing = patterns.WEAK_OVERRIDE.search(thing) is not None
            weak = weak_thing and not patterns.ABOUT_MODEL.search(match["between"] + (match["after"] or ""))
            if weak_thing and _is_told_of(lower, match):
                continue
            if everyday and weak and context.EVERYDAY_THINGS.search(thing):
                continue
            mild = everyday and not context.WHOLE_OR_YOURS.search(match["between"])
            yield "override", match.start(), match.end(), not (weak or mild or match["else"])
