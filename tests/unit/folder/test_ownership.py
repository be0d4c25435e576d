from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from workspace_memory.folder.calls import RESULT, CallRegistry
from workspace_memory.folder.listener import ENDING, HANDING_OVER, REFUSED, SERVING
from workspace_memory.folder.ownership import Ownership, run_once


@dataclass
class Notes:
    deps: list[str] = field(default_factory=list[str])
    closed: bool = False

    def close(self) -> None:
        self.closed = True
        raise OSError("the disk is gone")


def write(deps: list[str], word: str) -> None:
    deps.append(word)


REGISTRY = CallRegistry({"write": write})
WRITE_TEA = REGISTRY.encode_call("write", ("tea",), {})


@dataclass
class Owner:
    notes: Notes
    ownership: Ownership[list[str]]


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[Owner]:
    notes = Notes()
    ownership = Ownership(
        tmp_path,
        version="1",
        registry=REGISTRY,
        open_local=lambda: notes,
        run_here=run_once,
        hand_over=lambda _: (REFUSED, SERVING),
    )
    yield Owner(notes, ownership)
    if not notes.closed:
        ownership.end()


def test_a_forwarded_call_is_carried_out_with_the_opened_services(owner: Owner) -> None:
    assert owner.ownership.answer_call(WRITE_TEA, begin=lambda: None)[0] == RESULT
    assert owner.notes.deps == ["tea"]


@pytest.mark.parametrize("reason", [ENDING, HANDING_OVER])
def test_a_call_that_comes_after_the_gate_was_closed_is_refused_with_the_reason(
    owner: Owner, reason: bytes
) -> None:
    owner.ownership.refusal = reason
    owner.ownership.gate.close(seconds=0)
    assert owner.ownership.answer_call(WRITE_TEA, begin=lambda: None) == (REFUSED, reason)
    assert owner.notes.deps == []


def test_a_call_whose_caller_is_gone_is_not_carried_out(owner: Owner) -> None:
    def fail() -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        owner.ownership.answer_call(WRITE_TEA, begin=fail)
    assert owner.notes.deps == []
    assert owner.ownership.gate.close(seconds=0)


def test_the_end_is_reached_even_when_the_services_do_not_close_in_order(
    owner: Owner, caplog: pytest.LogCaptureFixture
) -> None:
    owner.ownership.end()
    assert owner.notes.closed
    assert "the folder did not close in order: OSError" in caplog.text
    assert "disk" not in caplog.text
