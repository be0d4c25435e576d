"""The bounds of every request, without a server."""

import pytest

from workspace_memory.api.request_bounds import JSON_DEPTH_MAX, check_json_bounds, is_json
from workspace_memory.domain.errors import InvalidRequest


def test_json_as_deep_as_allowed_passes() -> None:
    check_json_bounds(b"[" * JSON_DEPTH_MAX + b"]" * JSON_DEPTH_MAX)


def test_json_one_level_deeper_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="nested deeper"):
        check_json_bounds(b"[" * (JSON_DEPTH_MAX + 1) + b"]" * (JSON_DEPTH_MAX + 1))


def test_objects_and_arrays_count_alike() -> None:
    with pytest.raises(InvalidRequest, match="nested deeper"):
        check_json_bounds(b'{"a":[' * 15 + b"1" + b"]}" * 15)


def test_brackets_within_text_do_not_count() -> None:
    check_json_bounds(b'{"content": "' + b"[" * 1_000 + b'\\"' + b"{" * 1_000 + b'"}')


def test_many_shallow_values_pass() -> None:
    check_json_bounds(b'{"items": [' + b",".join([b"{}"] * 500) + b"]}")


@pytest.mark.parametrize("body", [b"\xff", b'{"a": "\0"}', '{"a": 1}'.encode("utf-16-le"), b"\xed\xa0\x80"])
def test_what_is_no_text_in_utf_8_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        check_json_bounds(body)


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("application/json", True),
        ("Application/JSON; charset=utf-8", True),
        ("application/json-patch+json", False),
        ("text/plain", False),
        ("text/plain; application/json", False),
        ("", False),
    ],
)
def test_only_json_counts_as_json(content_type: str, expected: bool) -> None:
    assert is_json(content_type) is expected
