"""From what the settings say to the one that makes embeddings, or nobody."""

from dataclasses import dataclass, field
from pathlib import Path

from workspace_memory.domain.embedding import Embedder, EmbedderChoice, EmbedderUnusable, LibraryUnusable
from workspace_memory.domain.errors import InvalidRequest

CHOICE = "WORKSPACE_MEMORY_SEMANTIC"
FOLDER = "WORKSPACE_MEMORY_SEMANTIC_FOLDER"
URL = "WORKSPACE_MEMORY_SEMANTIC_URL"
MODEL = "WORKSPACE_MEMORY_SEMANTIC_MODEL"


@dataclass(frozen=True, slots=True)
class SemanticTerms:
    """What the settings say of the semantic signal."""

    choice: EmbedderChoice = EmbedderChoice.OFF
    folder: Path | None = None
    url: str = ""
    model: str = ""
    key: str = field(default="", repr=False)


def chosen_embedder(terms: SemanticTerms) -> Embedder | None:
    """Who makes embeddings; None where the signal is off.

    Raises: InvalidRequest that names the setting which is wrong or missing, and says what to do.
    """
    try:
        match terms.choice:
            case EmbedderChoice.OFF:
                return None
            case EmbedderChoice.FOLDER:
                return _folder_model(terms)
            case EmbedderChoice.ENDPOINT:
                return _endpoint(terms)
    except LibraryUnusable as unusable:
        reason = str(unusable)
    raise InvalidRequest(CHOICE, reason)


def _folder_model(terms: SemanticTerms) -> Embedder:
    # Here as below: an installation without the signal need not load any of it.
    from workspace_memory.semantic.folder_model import FolderModel  # noqa: PLC0415

    if terms.folder is None:
        raise InvalidRequest(
            FOLDER, "is needed for WORKSPACE_MEMORY_SEMANTIC=folder: the folder of the model"
        )
    try:
        return FolderModel(terms.folder)
    except LibraryUnusable:
        raise
    except EmbedderUnusable as unusable:
        reason = str(unusable)
    raise InvalidRequest(FOLDER, reason)


def _endpoint(terms: SemanticTerms) -> Embedder:
    from workspace_memory.semantic.endpoint import EmbeddingEndpoint  # noqa: PLC0415

    if not terms.model.strip():
        raise InvalidRequest(MODEL, "is needed for WORKSPACE_MEMORY_SEMANTIC=endpoint: the name of the model")
    try:
        return EmbeddingEndpoint(terms.url.strip(), terms.model.strip(), terms.key.strip())
    except LibraryUnusable:
        raise
    except EmbedderUnusable as unusable:
        reason = str(unusable)
    raise InvalidRequest(URL, reason)
