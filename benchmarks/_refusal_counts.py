"""Verdicts on labelled texts, and the figures made of them. Pure: reads nothing, prints nothing."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from workspace_memory.domain.errors import ContentRefused
from workspace_memory.domain.refusal import check_refusals, suspicion
from workspace_memory.domain.secret_scanner import SecretFound


class Verdict(StrEnum):
    """What becomes of a text."""

    REFUSED = "refused"
    HELD = "held"
    ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Labelled:
    """One case: `label` is secret, injection or clean; `kind` is free and may be empty."""

    text: str
    label: str
    kind: str = ""

    @property
    def name(self) -> str:
        """The name under which it is counted."""
        return self.kind or self.label

    @property
    def is_counted(self) -> bool:
        """Plausible lies carry no expectation: they count neither for nor against recall."""
        return self.kind != "lie"


@dataclass(frozen=True, slots=True)
class Judged:
    """A case and what became of it."""

    case: Labelled
    verdict: Verdict
    rule: str


def judge(case: Labelled, second: Callable[[str], SecretFound | None] | None = None) -> Judged:
    """The verdict on a case; `second` is a further scanner that may refuse."""
    try:
        check_refusals(case.text, (), second=second)
    except ContentRefused as error:
        return Judged(case, Verdict.REFUSED, error.rule)
    if (found := suspicion(case.text, ())) is not None:
        return Judged(case, Verdict.HELD, found.rule)
    return Judged(case, Verdict.ACCEPTED, "")


def precision(judged: Iterable[Judged]) -> float:
    """Of all refused texts, the share that is not clean. 1.0 when nothing was refused. Held texts do not count."""
    refused = [one for one in judged if one.verdict is Verdict.REFUSED]
    return sum(one.case.label != "clean" for one in refused) / len(refused) if refused else 1.0


def recall(judged: Iterable[Judged]) -> float:
    """Of all secrets and injections (lies left out), the share that was refused or held. 1.0 when there are none."""
    bad = [one for one in judged if one.case.label != "clean" and one.case.is_counted]
    return sum(one.verdict is not Verdict.ACCEPTED for one in bad) / len(bad) if bad else 1.0


def counts_by(judged: Iterable[Judged], key: Callable[[Labelled], str]) -> dict[str, dict[str, int]]:
    """How many were refused, held and accepted, per what `key` says of a case."""
    counts: dict[str, dict[str, int]] = defaultdict(lambda: {verdict.value: 0 for verdict in Verdict})
    for one in judged:
        counts[key(one.case)][one.verdict.value] += 1
    return dict(counts)


def misses(judged: Iterable[Judged]) -> list[Judged]:
    """What went wrong: bad texts that were accepted, clean ones that were refused or held."""
    return [
        one
        for one in judged
        if one.case.is_counted and (one.case.label == "clean") == (one.verdict is not Verdict.ACCEPTED)
    ]
