"""Bodies are measured in linear time before anybody is asked who they are."""

import pytest

from workspace_memory.api.request_bounds import check_json_bounds
from workspace_memory.domain.errors import InvalidRequest


def test_a_string_without_an_end_is_measured_once() -> None:
    # With work that grows with the square of the length this would take half an hour.
    check_json_bounds(b"[]" * 30 + b'"' + b'\\"' * 190_000)


def test_brackets_within_text_do_not_count() -> None:
    check_json_bounds(b'["' + b"[" * 100 + b'"]')


def test_a_body_that_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="nested deeper"):
        check_json_bounds(b"[" * 21 + b"]" * 21)
