"""The model in a folder: a missing or broken one is named at the start, and a real one knows what is alike."""

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.unit.semantic.real_model import real_model

from workspace_memory.domain.embedding import EmbedderUnusable, EmbeddingFailed, LibraryUnusable
from workspace_memory.semantic import folder_model
from workspace_memory.semantic.folder_model import FolderModel


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the libraries are there."""
    monkeypatch.setattr(folder_model, "LIBRARIES", ())


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True)) / (math.hypot(*one) * math.hypot(*other))


def test_missing_libraries_are_named_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_model, "LIBRARIES", ("no_such_library",))
    with pytest.raises(
        EmbedderUnusable, match=r"no_such_library.*pip install 'workspace-memory\[semantic\]'"
    ):
        FolderModel(tmp_path)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("present", [[], ["model.onnx"], ["tokenizer.json"]])
def test_a_missing_file_is_named(tmp_path: Path, present: list[str]) -> None:
    for name in present:
        (tmp_path / name).touch()
    with pytest.raises(EmbedderUnusable, match="there is no file") as unusable:
        FolderModel(tmp_path)
    assert not any(f"no file {name}" in str(unusable.value) for name in present)


@pytest.mark.usefixtures("installed")
def test_a_broken_model_is_told_when_it_is_made_ready(tmp_path: Path) -> None:
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"no model")
    model = FolderModel(tmp_path)
    with pytest.raises(EmbedderUnusable, match="cannot be used"):
        model.make_ready()
    with pytest.raises(EmbeddingFailed, match="model_unusable"):
        model.embed_query("tea")


def test_a_library_that_cannot_be_imported_is_told_when_it_is_made_ready(
    tmp_path: Path, broken_library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_model, "LIBRARIES", (broken_library,))
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).touch()
    model = FolderModel(tmp_path)
    with pytest.raises(LibraryUnusable, match=f"needs {broken_library}.*cannot be imported"):
        model.make_ready()
    with pytest.raises(EmbeddingFailed, match="library_unusable"):
        model.embed_query("tea")


# --- A real one --------------------------------------------------------------------------------------------------


@pytest.fixture
def real(tmp_path: Path) -> FolderModel:
    return FolderModel(real_model(tmp_path))


def test_a_real_model_tells_what_is_alike(real: FolderModel) -> None:
    asked = real.embed_query("which car does bob drive")
    near, far = real.embed(["bob has an automobile of 1987", "the kettle was descaled"])
    assert cosine(asked, near) > 0.4 > cosine(asked, far)


def test_a_text_has_the_same_vector_whatever_stands_beside_it(real: FolderModel) -> None:
    alone = real.embed(["green tea"])[0]
    assert real.embed(["a much longer text about something else", "green tea"])[1] == alone


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "tea " * 3_000, "在庫 🍵"])
def test_any_text_has_a_vector(real: FolderModel, text: str) -> None:
    dimensions = int(real.space().rpartition("-")[2])
    assert len(real.embed_query(text)) == dimensions


def test_another_tokenizer_is_another_space(
    real: FolderModel, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("changed")
    (folder / "model.onnx").symlink_to((Path(real.name) / "model.onnx").resolve())
    text = (Path(real.name) / "tokenizer.json").read_text()
    (folder / "tokenizer.json").write_text(f"{text}\n")
    assert FolderModel(folder).space() != real.space()
    assert FolderModel(Path(real.name)).space() == real.space()
