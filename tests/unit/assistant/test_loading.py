"""The framework takes a second to load: no start of a command, of a server or of `mcp` over stdio pays for it."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module",
    [
        "workspace_memory.cli.main",
        "workspace_memory.cli.stdio",
        "workspace_memory.cli.serve",
        "workspace_memory.mcp.stdio",
        "workspace_memory.app",
        "workspace_memory.assistant.model_choices",
    ],
)
def test_starting_does_not_load_the_framework(module: str) -> None:
    code = (
        f"import sys, {module}; print(sorted(each for each in sys.modules if each.startswith('pydantic_ai')))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_the_framework_prints_nothing_of_its_own_on_a_terminal() -> None:
    code = (
        "import asyncio, workspace_memory.assistant.loading as loading, pydantic_ai; "
        "asyncio.run(loading.Assistant(None, (), tuple)._loaded()); print(pydantic_ai.BANNER_ENABLED)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"
