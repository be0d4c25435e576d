"""What the quality benchmark says: the same figures for everything, for each set of texts and for each group.

Pure. A figure over several questions is their mean, so a long conversation weighs more than a short one.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from _cases import Shape
from _mapping import group_by_label
from _metrics import Scores, mean_scores, ndcg_at, recall_at, reciprocal_rank
from _tables import table

DEPTH = 20
FIGURES = ("recall@1", "recall@5", "recall@10", "recall@20", "mrr", "ndcg@10")


@dataclass(frozen=True, slots=True)
class SetResult:
    """One workspace: the group and the scores of each question that was asked in it, in order."""

    name: str
    labels: Sequence[str]
    scores: Sequence[Scores]


def score(ranking: Sequence[str], gold: Collection[str]) -> Scores:
    """Every figure of one question; the ranking ends at `DEPTH`, and so does the mean reciprocal rank."""
    recalls = {f"recall@{depth}": recall_at(ranking, gold, depth) for depth in (1, 5, 10, 20)}
    return {**recalls, "mrr": reciprocal_rank(ranking, gold), "ndcg@10": ndcg_at(ranking, gold, 10)}


def as_json(shape: Shape, results: Sequence[SetResult], *, left_out: int) -> Mapping[str, object]:
    """The report for programs. Languages are reported by their names alone, conversations with an overall part."""
    if shape is Shape.LANGUAGES:
        return {result.name: _with_groups([result], "kinds") for result in results}
    return {
        "overall": _with_groups(results, "categories"),
        "conversations": {result.name: _with_groups([result], "categories") for result in results},
        "left_out": left_out,
    }


def as_text(shape: Shape, results: Sequence[SetResult], *, left_out: int) -> str:
    """The report for people, as Markdown tables."""
    one, group = ("language", "kind") if shape is Shape.LANGUAGES else ("conversation", "category")
    rows = [_row(result.name, result.scores) for result in results]
    rows.append(_row("all", [scores for result in results for scores in result.scores]))
    lines = [table([one, "questions", *FIGURES], rows)]
    if shape is Shape.LANGUAGES:
        groups = [
            _row(f"{result.name}, {label}", scores)
            for result in results
            for label, scores in _by_label([result]).items()
        ]
    else:
        groups = [_row(label, scores) for label, scores in _by_label(results).items()]
        spread = [mean_scores(result.scores)["recall@10"] for result in results if result.scores]
        lines.append(f"recall@10 of single conversations: {min(spread):.3f} to {max(spread):.3f}")
    lines.append(table([group, "questions", *FIGURES], groups))
    if left_out:
        lines.append(f"Left out, since no text answers them: {left_out} questions.")
    return "\n\n".join(lines)


def _with_groups(results: Sequence[SetResult], groups: str) -> Mapping[str, object]:
    scores = [one for result in results for one in result.scores]
    by_label = {label: _counted(some) for label, some in _by_label(results).items()}
    return {**_counted(scores), groups: by_label}


def _counted(scores: Sequence[Scores]) -> Mapping[str, float]:
    rounded = {name: round(value, 4) for name, value in mean_scores(scores).items()}
    return {**rounded, "questions": len(scores)}


def _by_label(results: Sequence[SetResult]) -> Mapping[str, list[Scores]]:
    labels = [label for result in results for label in result.labels]
    scores = [one for result in results for one in result.scores]
    return {label: [scores[at] for at in places] for label, places in group_by_label(labels).items()}


def _row(name: str, scores: Sequence[Scores]) -> list[str]:
    means = mean_scores(scores)
    return [name, str(len(scores)), *(f"{means[figure]:.3f}" if means else "–" for figure in FIGURES)]
