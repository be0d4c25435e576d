"""What the settings of the semantic signal lead to."""

from pathlib import Path

import pytest

from workspace_memory.domain.embedding import EmbedderChoice
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.semantic.choosing import SemanticTerms, chosen_embedder


def test_it_is_off_by_default() -> None:
    assert chosen_embedder(SemanticTerms()) is None


@pytest.mark.parametrize(
    ("terms", "setting"),
    [
        (SemanticTerms(EmbedderChoice.FOLDER), "WORKSPACE_MEMORY_SEMANTIC_FOLDER"),
        (SemanticTerms(EmbedderChoice.FOLDER, Path("/no/such")), "WORKSPACE_MEMORY_SEMANTIC_FOLDER"),
        (SemanticTerms(EmbedderChoice.ENDPOINT, url="http://a/v1"), "WORKSPACE_MEMORY_SEMANTIC_MODEL"),
        (SemanticTerms(EmbedderChoice.ENDPOINT, model="tiny"), "WORKSPACE_MEMORY_SEMANTIC_URL"),
    ],
)
def test_what_is_missing_is_named(terms: SemanticTerms, setting: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        chosen_embedder(terms)
    assert setting in str(refused.value)


def test_the_key_is_not_shown() -> None:
    assert "s3cret" not in repr(SemanticTerms(EmbedderChoice.ENDPOINT, key="s3cret"))
