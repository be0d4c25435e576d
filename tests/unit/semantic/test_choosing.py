"""What the settings of the semantic signal lead to."""

from pathlib import Path

import pytest

from workspace_memory.domain.embedding import EmbedderChoice
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.semantic import endpoint, folder_model
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
def test_what_is_missing_is_named(
    terms: SemanticTerms, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (endpoint, folder_model):
        monkeypatch.setattr(module, "LIBRARIES", ())
    with pytest.raises(InvalidRequest) as refused:
        chosen_embedder(terms)
    assert setting in str(refused.value)


@pytest.mark.parametrize(
    "terms",
    [
        SemanticTerms(EmbedderChoice.FOLDER, Path("/no/such")),
        SemanticTerms(EmbedderChoice.ENDPOINT, url="http://a/v1", model="tiny"),
    ],
)
def test_a_missing_library_is_no_fault_of_the_folder_or_address(
    terms: SemanticTerms, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (endpoint, folder_model):
        monkeypatch.setattr(module, "LIBRARIES", ("no_such_library",))
    with pytest.raises(InvalidRequest) as refused:
        chosen_embedder(terms)
    assert str(refused.value) == (
        "WORKSPACE_MEMORY_SEMANTIC: needs no_such_library, which the extra brings: "
        "pip install 'workspace-memory[semantic]'"
    )


def test_the_key_is_not_shown() -> None:
    assert "s3cret" not in repr(SemanticTerms(EmbedderChoice.ENDPOINT, key="s3cret"))
