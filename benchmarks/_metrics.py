"""The figures of the benchmarks: how good a ranking is, and how long calls took.

Pure. A ranking is a sequence of distinct keys, best first; gold is the set of keys that answer the question. Each
gold key counts alike (binary relevance), as in the papers that the data sets come from. `quality.py` asks,
`speed.py` times; both only report what stands here.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

Scores = dict[str, float]
"""Named figures between 0 and 1, such as {"recall@10": 0.7, "mrr": 0.5}."""


def recall_at(ranking: Sequence[str], gold: Collection[str], depth: int) -> float:
    """The share of the gold keys that are among the first `depth`. Raises: ValueError without gold."""
    wanted = _wanted(gold)
    return len(wanted.intersection(ranking[:depth])) / len(wanted)


def reciprocal_rank(ranking: Sequence[str], gold: Collection[str]) -> float:
    """One divided by the place of the first gold key, counted from 1; 0 when there is none in the ranking."""
    wanted = _wanted(gold)
    return next((1 / place for place, key in enumerate(ranking, start=1) if key in wanted), 0.0)


def ndcg_at(ranking: Sequence[str], gold: Collection[str], depth: int) -> float:
    """Discounted gain of the first `depth`, as a share of what the best order of the same gold would have.

    The discount of place n is log2(n + 1) (Järvelin and Kekäläinen 2002).
    """
    wanted = _wanted(gold)
    gain = sum(_gain(place) for place, key in enumerate(ranking[:depth], start=1) if key in wanted)
    return gain / sum(map(_gain, range(1, min(len(wanted), depth) + 1)))


def mean_scores(scores: Sequence[Scores]) -> Scores:
    """The mean of each figure over questions that all carry the same ones; empty for none."""
    if not scores:
        return {}
    return {name: math.fsum(one[name] for one in scores) / len(scores) for name in scores[0]}


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest of the values that at least `share` of them (0 to 1) do not exceed: no value is made up.

    Raises: ValueError without values or for a share outside 0 to 1.
    """
    ordered = sorted(values)
    if not ordered or not 0 <= share <= 1:
        raise ValueError("a percentile needs values and a share between 0 and 1")
    # Rounded first: 0.07 * 100 is a little more than 7 in binary and would be taken for 8.
    return ordered[max(0, math.ceil(round(share * len(ordered), 9)) - 1)]


@dataclass(frozen=True, slots=True)
class Timing:
    """How long calls took, in milliseconds, and how many were made how fast.

    `cpu` is what the server's process spent on each call, in milliseconds, 0 where nobody measured it: on a shared
    machine it differs less from run to run than the time that passed.
    """

    calls: int
    p50: float
    p95: float
    p99: float
    per_second: float
    cpu: float = 0.0


@dataclass(frozen=True, slots=True)
class Pair:
    """The same calls at two servers, in turn, so that a ratio is not the machine's mood."""

    base: Timing
    here: Timing

    @property
    def ratio(self) -> float:
        """The median here to the median at the base."""
        return self.here.p50 / self.base.p50

    @property
    def cpu_ratio(self) -> float:
        """The processor time of a call here to that at the base; 0 where it was not measured."""
        return self.here.cpu / self.base.cpu if self.base.cpu else 0.0


def timing(milliseconds: Sequence[float], *, elapsed_seconds: float, cpu_seconds: float = 0.0) -> Timing:
    """Percentiles of the calls' own times; the rate is over the wall clock, which parallel clients share."""
    p50, p95, p99 = (percentile(milliseconds, share) for share in (0.50, 0.95, 0.99))
    calls = len(milliseconds)
    return Timing(calls, p50, p95, p99, calls / elapsed_seconds, cpu_seconds * 1000 / calls)


def _wanted(gold: Collection[str]) -> set[str]:
    if not gold:
        raise ValueError("a question without gold keys cannot be scored")
    return set(gold)


def _gain(place: int) -> float:
    return 1 / math.log2(place + 1)
