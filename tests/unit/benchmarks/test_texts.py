import pytest
from benchmarks._texts import (
    RARE_TEXTS_MAX,
    WORDS_MAX,
    WORDS_MIN,
    QueryKind,
    Writer,
    different_queries,
    queries,
)

TEXTS = Writer().texts(400)


def test_the_same_seed_writes_the_same_texts() -> None:
    assert Writer(seed=3).texts(50) == Writer(seed=3).texts(50)


def test_another_seed_writes_other_texts() -> None:
    assert Writer(seed=3).texts(50) != Writer(seed=4).texts(50)


def test_texts_are_written_in_the_words_that_are_given() -> None:
    given = ["beer", "milk", "teas", "water"]
    used = {word for text in Writer(words=given).texts(20) for word in text.partition(",")[0].lower().split()}
    assert {word for word in used if word.isalpha()} == set(given)


def test_no_two_texts_are_alike() -> None:
    writer = Writer()
    endings = [text.rpartition(",")[2] for text in (*writer.texts(300), *writer.texts(300))]
    assert len(set(endings)) == 600


def test_texts_are_of_the_length_of_a_real_note() -> None:
    # The code and the two words that tell texts apart come on top.
    assert all(WORDS_MIN <= len(text.split()) <= WORDS_MAX + 3 for text in TEXTS)


def test_a_few_words_are_very_frequent_and_most_are_rare() -> None:
    words = set(TEXTS[7].partition(",")[0].lower().split())
    spread = [sum(word in text.lower().split() for text in TEXTS) for word in words]
    assert max(spread) > len(TEXTS) / 2
    assert min(spread) <= RARE_TEXTS_MAX


@pytest.mark.parametrize("kind", QueryKind)
def test_every_query_is_answered_by_some_text(kind: QueryKind) -> None:
    lowered = [text.lower() for text in TEXTS]
    for query in queries(TEXTS, kind, 20):
        assert any(all(word in text for word in query.lower().split()) for text in lowered)


def test_a_rare_word_stands_in_a_few_texts_only() -> None:
    for query in queries(TEXTS, QueryKind.RARE, 20):
        assert sum(query in text.lower().split() for text in TEXTS) <= RARE_TEXTS_MAX


def test_a_partial_word_is_no_whole_word_of_the_vocabulary_alone() -> None:
    assert {len(query) for query in queries(TEXTS, QueryKind.PARTIAL, 20)} == {5}


def test_queries_do_not_repeat_while_there_are_others() -> None:
    asked = queries(TEXTS, QueryKind.RARE, 100)
    assert len(set(asked)) == 100


def test_queries_repeat_when_there_are_too_few() -> None:
    assert len(queries(TEXTS[:5], QueryKind.CODE, 30)) == 30


def test_different_queries_differ_between_the_kinds_as_well() -> None:
    asked = [query for some in different_queries(TEXTS, 70).values() for query in some]
    assert len(set(asked)) == 70 * len(QueryKind)


def test_frequent_words_reach_as_far_down_as_it_takes() -> None:
    frequent = different_queries(TEXTS, 70)[QueryKind.FREQUENT]
    assert set(queries(TEXTS, QueryKind.FREQUENT, 50)) < set(frequent)


def test_more_different_queries_than_there_are_is_an_error() -> None:
    with pytest.raises(ValueError, match="81 different queries of the kind code"):
        different_queries(TEXTS, 81)


def test_texts_without_codes_offer_no_code_to_search_for() -> None:
    with pytest.raises(ValueError, match="code"):
        queries(["Green tea is served"], QueryKind.CODE, 1)
