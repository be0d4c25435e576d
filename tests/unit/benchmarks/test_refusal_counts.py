"""The figures of the refusal benchmark: what counts for and against precision and recall."""

from benchmarks._refusal_counts import Judged, Labelled, Verdict, counts_by, judge, misses, precision, recall

from workspace_memory.domain.secret_scanner import SecretFound


def judged(label: str, verdict: Verdict, kind: str = "") -> Judged:
    return Judged(Labelled("text", label, kind), verdict, "rule")


def test_held_attacks_count_as_caught() -> None:
    assert recall([judged("injection", Verdict.HELD), judged("secret", Verdict.ACCEPTED)]) == 0.5


def test_lies_count_neither_way() -> None:
    lie = judged("injection", Verdict.ACCEPTED, "lie")
    assert recall([lie, judged("injection", Verdict.REFUSED, "overt")]) == 1.0
    assert misses([lie]) == []


def test_a_refused_clean_text_lowers_precision() -> None:
    assert precision([judged("secret", Verdict.REFUSED), judged("clean", Verdict.REFUSED)]) == 0.5


def test_a_held_clean_text_does_not_lower_precision() -> None:
    held = judged("clean", Verdict.HELD)
    assert precision([judged("secret", Verdict.REFUSED), held]) == 1.0
    assert misses([held]) == [held]


def test_counts_are_kept_per_kind() -> None:
    counts = counts_by([judged("clean", Verdict.HELD, "talk")], lambda case: case.name)
    assert counts == {"talk": {"refused": 0, "held": 1, "accepted": 0}}


def test_the_second_scanner_may_refuse_what_passed() -> None:
    case = Labelled("The office opens at nine", "clean")
    assert judge(case).verdict is Verdict.ACCEPTED
    assert judge(case, lambda _: SecretFound("known_maker", 1)).verdict is Verdict.REFUSED
