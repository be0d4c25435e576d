"""The name under which a client is remembered with what it saved."""

import pytest

from workspace_memory.domain.actor import source_name


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("claude-code 2.1", "claude-code 2.1"),
        ("  Cursor\n", "Cursor"),
        ("a\0b\x1b[31m", "ab[31m"),
        ("safe\u202etxt", "safetxt"),
        ("\ud800", ""),
        ("", ""),
        ("x" * 500, "x" * 200),
    ],
)
def test_a_clients_name_is_kept_as_one_visible_line(given: str, kept: str) -> None:
    assert source_name(given) == kept
