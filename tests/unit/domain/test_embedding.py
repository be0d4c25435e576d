"""What a failure is called: a sentence for people, and the code beside it for whoever looks it up."""

import pytest

from workspace_memory.domain.embedding import failure_in_words

UNKNOWN = "embeddings fail"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ReadTimeout", "did not answer in time"),
        ("ConnectTimeout", "did not answer in time"),
        ("ConnectError", "cannot be reached"),
        ("RemoteProtocolError", "connection"),
        ("answer_not_understood", "no vectors"),
        ("other_dimensions", "another length"),
        ("model_unusable", "cannot be loaded"),
        ("library_unusable", "cannot be imported"),
        ("http_302", "another address"),
        ("http_400", "name of the model"),
        ("http_401", "WORKSPACE_MEMORY_SEMANTIC_API_KEY"),
        ("http_403", "WORKSPACE_MEMORY_SEMANTIC_API_KEY"),
        ("http_404", "WORKSPACE_MEMORY_SEMANTIC_MODEL"),
        ("http_429", "too many"),
        ("http_503", "fails itself"),
    ],
)
def test_each_failure_has_a_sentence_with_its_code(code: str, said: str) -> None:
    words = failure_in_words(code)
    assert said in words
    assert words.endswith(f"({code})")
    assert not words.startswith(UNKNOWN)


@pytest.mark.parametrize("code", ["http_418", "RuntimeError", ""])
def test_one_that_nobody_foresaw_has_at_least_its_code(code: str) -> None:
    assert failure_in_words(code) == f"{UNKNOWN} ({code})"
