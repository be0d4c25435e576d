"""X-Memory-State is read by its exact grammar, and by nothing that is merely like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.domain.client_state import (
    CONFLICT,
    PENDING,
    UNKNOWN,
    VERSION_MAX,
    ClientState,
    ClientStateKind,
    parse_memory_state,
    saved,
)
from workspace_memory.domain.errors import MemoryStateInvalid
from workspace_memory.domain.ids import Version

STATES = st.sampled_from([UNKNOWN, PENDING, CONFLICT]) | st.integers(0, VERSION_MAX).map(
    lambda number: saved(Version(number))
)


def test_no_header_is_unknown() -> None:
    assert parse_memory_state([]) == UNKNOWN


@pytest.mark.parametrize(
    ("value", "state"),
    [
        ("unknown", UNKNOWN),
        ("pending", PENDING),
        ("conflict", CONFLICT),
        ("saved;version=12", saved(Version(12))),
        ("saved;version=0", saved(Version(0))),
        ("saved;version=007", saved(Version(7))),
        ("saved;version=9999999999", saved(Version(VERSION_MAX))),
    ],
)
def test_each_form_of_the_grammar_is_read(value: str, state: ClientState) -> None:
    assert parse_memory_state([value]) == state


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "Unknown",
        "UNKNOWN",
        "unknown ",
        " pending",
        "pending\n",
        "saved",
        "saved;",
        "saved;version=",
        "12",
        "saved;version=12345678901",
        "saved;version=00000000001",
        "saved;version=-1",
        "saved;version=+1",
        "saved;version=1.0",
        "saved;version=1_0",
        "saved;version=1\n",
        "saved; version=1",
        "saved;version = 1",
        "saved;version=0x1",
        "saved;version=١",
        "saved;version=１",
        "saved;version=²",
        "Saved;version=1",
        "saved;Version=1",
        "saved;version=1;version=1",
        "saved;version=1,unknown",
        "unknown, unknown",
        "unknown;version=1",
        '"unknown"',
        "unk\0nown",
        "\ud800",
    ],
)
def test_anything_else_is_invalid(value: str) -> None:
    with pytest.raises(MemoryStateInvalid):
        parse_memory_state([value])


@pytest.mark.parametrize("values", [["unknown", "unknown"], ["unknown", "pending"], ["", ""], ["x"] * 9])
def test_a_repeated_header_is_invalid(values: list[str]) -> None:
    with pytest.raises(MemoryStateInvalid):
        parse_memory_state(values)


@given(STATES)
def test_what_is_written_reads_back(state: ClientState) -> None:
    assert parse_memory_state([str(state)]) == state


@given(st.text())
def test_any_text_is_a_state_or_invalid(value: str) -> None:
    try:
        state = parse_memory_state([value])
    except MemoryStateInvalid:
        return
    assert value == str(state) or value.startswith("saved;version=0")


def test_the_error_does_not_repeat_what_was_sent() -> None:
    with pytest.raises(MemoryStateInvalid) as refused:
        parse_memory_state(["hunter2"])
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("number", [-1, VERSION_MAX + 1])
def test_a_version_that_no_header_could_say_makes_no_state(number: int) -> None:
    with pytest.raises(ValueError, match="digits"):
        saved(Version(number))


@pytest.mark.parametrize("kind", ClientStateKind)
def test_a_version_belongs_to_saved_alone(kind: ClientStateKind) -> None:
    with pytest.raises(ValueError, match="belongs to saved"):
        ClientState(kind, None if kind is ClientStateKind.SAVED else Version(1))
