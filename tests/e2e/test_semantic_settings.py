"""The semantic signal on the command line: off by default, and a model that is missing or broken stops a start."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.command_line import BOUND_SECONDS, COMMAND, environment, run, sentence, set_up, succeed

from workspace_memory.semantic import folder_model

WAYS = {
    "serve": ("serve", "--port", "0"),
    "a command": ("items", "list"),
    "init": ("init", "--email", "alice@example.com"),
}


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the libraries are there, which the messages of these tests do not need."""
    monkeypatch.setattr(folder_model, "LIBRARIES", ())


def wanted(folder: Path) -> dict[str, str]:
    return {"WORKSPACE_MEMORY_SEMANTIC": "folder", "WORKSPACE_MEMORY_SEMANTIC_FOLDER": str(folder)}


def test_it_is_off_by_default(tmp_path: Path) -> None:
    run("init", "--email", "alice@example.com", "--data", tmp_path)
    shown = run("semantic", "--data", tmp_path)
    assert (shown.code, shown.out) == (0, "semantic  off\n")
    assert json.loads(run("semantic", "--json", "--data", tmp_path).out) is None


@pytest.mark.parametrize("way", WAYS)
def test_a_missing_model_is_named_and_nothing_is_made(tmp_path: Path, way: str) -> None:
    data = tmp_path / "memory"
    if way == "a command":
        run("init", "--email", "alice@example.com", "--data", data)
    said = sentence(run(*WAYS[way], "--data", data, env=wanted(tmp_path / "missing")))
    assert "WORKSPACE_MEMORY_SEMANTIC_FOLDER" in said
    assert "there is no file model.onnx" in said
    assert (data / "memory.db").exists() == (way == "a command")


@pytest.mark.parametrize("way", [("serve", "--port", "0"), ("semantic",)], ids=lambda way: way[0])
def test_a_broken_model_is_told_at_the_start(tmp_path: Path, way: tuple[str, ...]) -> None:
    run("init", "--email", "alice@example.com", "--data", tmp_path)
    model = tmp_path / "model"
    model.mkdir()
    for name in ("model.onnx", "tokenizer.json"):
        (model / name).write_bytes(b"no model")
    ended = run(*way, "--data", tmp_path, env=wanted(model))
    assert ended.code == 1
    assert "cannot be used" in ended.err


def test_a_numpy_that_cannot_be_imported_is_told_at_the_start_and_else_the_words_answer(
    tmp_path: Path,
) -> None:
    data, broken = tmp_path / "memory", tmp_path / "broken" / "numpy"
    set_up(data)
    succeed("items", "add", "likes green tea", "--data", data)
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise ImportError('made for another processor')")
    env = environment(
        PYTHONPATH=str(broken.parent),
        WORKSPACE_MEMORY_SEMANTIC="endpoint",
        WORKSPACE_MEMORY_SEMANTIC_URL="http://127.0.0.1:9/v1",
        WORKSPACE_MEMORY_SEMANTIC_MODEL="tiny",
    )

    def ended(*words: str) -> subprocess.CompletedProcess[str]:
        command = [str(COMMAND), *words, "--data", str(data)]
        return subprocess.run(
            command, env=env, capture_output=True, text=True, check=False, timeout=BOUND_SECONDS
        )

    for words in (("serve", "--port", "0"), ("semantic",)):
        refused = ended(*words)
        assert refused.returncode == 1
        assert "WORKSPACE_MEMORY_SEMANTIC: needs numpy" in refused.stderr
    assert "likes green tea" in ended("items", "search", "tea").stdout


def test_a_choice_that_nobody_knows_is_wrong_usage(tmp_path: Path) -> None:
    ended = run("items", "list", "--data", tmp_path, env={"WORKSPACE_MEMORY_SEMANTIC": "other"})
    assert ended.code == 2
    assert "'off', 'folder' or 'endpoint'" in ended.err


def test_where_it_is_off_none_of_its_libraries_is_imported() -> None:
    code = (
        "import sys, workspace_memory.app, workspace_memory.cli.opening\n"
        "print([name for name in ('numpy', 'onnxruntime', 'tokenizers', 'workspace_memory.semantic.endpoint',"
        " 'workspace_memory.semantic.folder_model') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"
