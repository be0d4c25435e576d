"""What a command imports before it knows where it goes: nothing of a server, which a client has no use for."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["documents", "keys", "proposals", "key_sessions", "ai", "assistant"])
def test_commands_of_the_document_import_no_server_until_they_need_one(module: str) -> None:
    heavy = "{'fastapi', 'sqlalchemy', 'uvicorn', 'mcp'}"
    code = f"import sys, workspace_memory.cli.{module}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_entry_point_of_every_command_imports_no_client() -> None:
    heavy = "{'pydantic', 'httpx2', 'cryptography', 'workspace_memory.client'}"
    code = f"import sys, workspace_memory.cli.main; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_turn_loads_no_maker_of_models_that_the_settings_do_not_name() -> None:
    makers = "{'anthropic', 'openai', 'google.genai'}"
    code = (
        "import sys; from workspace_memory.assistant import runner; from workspace_memory.assistant.providers import "
        f"make_models; make_models(()); print(sorted({makers} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
