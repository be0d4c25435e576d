"""The rules that the web application follows too: frontend/src/lib/memory/*.test.ts tries the same cases there."""

import json
from pathlib import Path
from typing import Any

import pytest

from workspace_memory.domain.edits import Applied, Edit, EditOp, apply_edits
from workspace_memory.domain.errors import EditRefused
from workspace_memory.domain.recall_block import shown_text

VECTORS = Path(__file__).parents[2] / "vectors"
EDITS: list[dict[str, Any]] = json.loads((VECTORS / "edits.json").read_text())
BLOCK: list[dict[str, str]] = json.loads((VECTORS / "recall-block.json").read_text())


@pytest.mark.parametrize("case", EDITS, ids=range(len(EDITS)))
def test_edits_do_here_what_the_page_expects(case: dict[str, Any]) -> None:
    edits = [Edit(EditOp(each.pop("op")), **each) for each in map(dict, case["edits"])]
    if "refused" in case:
        with pytest.raises(EditRefused) as refused:
            apply_edits(case["text"], edits)
        assert (refused.value.refusal, refused.value.index) == (case["refused"], case["index"])
        return
    made = apply_edits(case["text"], edits)
    assert (made.text if isinstance(made, Applied) else None) == case.get("result")


@pytest.mark.parametrize("case", BLOCK, ids=range(len(BLOCK)))
def test_the_block_shows_here_what_the_page_expects(case: dict[str, str]) -> None:
    assert shown_text(case["text"]) == case["shown"]
