"""Cursors: they continue the query that gave them, and nothing else."""

import base64
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import ItemId
from workspace_memory.domain.paging import (
    AfterCount,
    AfterPosition,
    decode_cursor,
    encode_cursor,
    fingerprint,
)

ITEM = ItemId("0190a0b0-aaaa-7000-8000-00000000abcd")
QUERY = fingerprint(["tea", None])
UTC_TIMES = st.datetimes(timezones=st.just(UTC))


def forged(*fields: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")


@given(UTC_TIMES)
def test_a_position_comes_back_to_the_microsecond(time: datetime) -> None:
    place = AfterPosition(time, ITEM)
    assert decode_cursor(encode_cursor(place, QUERY), QUERY, ranked=False) == place


@given(st.integers(0, 1_000_000))
def test_a_count_comes_back(count: int) -> None:
    assert decode_cursor(encode_cursor(AfterCount(count), QUERY), QUERY, ranked=True) == AfterCount(count)


def test_the_cursor_of_another_query_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="cursor"):
        decode_cursor(encode_cursor(AfterCount(5), fingerprint(["coffee", None])), QUERY, ranked=True)


@pytest.mark.parametrize(
    ("place", "ranked"), [(AfterCount(5), False), (AfterPosition(datetime.now(UTC), ITEM), True)]
)
def test_a_place_of_the_other_order_is_refused(place: AfterCount | AfterPosition, ranked: bool) -> None:
    with pytest.raises(InvalidRequest, match="cursor"):
        decode_cursor(encode_cursor(place, QUERY), QUERY, ranked=ranked)


@pytest.mark.parametrize("ranked", [True, False])
@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "ü",
        "\0",
        "\ud800",
        "!!!!",
        "W10",
        base64.urlsafe_b64encode(b"[" * 50_000).decode(),
        base64.urlsafe_b64encode(b"\xff\xfe").decode(),
        base64.urlsafe_b64encode(b"9" * 5_000).decode(),
        forged(QUERY),
        forged(QUERY, -1),
        forged(QUERY, 10**9),
        forged(QUERY, 1.5),
        forged(QUERY, None),
        forged(QUERY, "yesterday", ITEM),
        forged(QUERY, "2026-11-02T09:00:00+00:00", "' OR 1=1"),
        forged(QUERY, "9999-12-31T23:59:59-14:00", ITEM),
        forged(QUERY, "0001-01-01T00:00:00+14:00", ITEM),
        forged([QUERY], 1),
    ],
)
def test_a_hostile_cursor_is_refused(cursor: str, ranked: bool) -> None:
    with pytest.raises(InvalidRequest, match="cursor"):
        decode_cursor(cursor, QUERY, ranked=ranked)


@given(st.text(max_size=200), st.booleans())
def test_no_text_does_more_than_be_refused(cursor: str, ranked: bool) -> None:
    with pytest.raises(InvalidRequest):
        decode_cursor(cursor, QUERY, ranked=ranked)


@pytest.mark.parametrize(
    ("one", "other"), [(["a", "b"], ["ab", ""]), ([None], [""]), (["a", None], [None, "a"])]
)
def test_queries_that_differ_in_a_part_differ_in_their_fingerprint(
    one: list[str | None], other: list[str | None]
) -> None:
    assert fingerprint(one) != fingerprint(other)


def test_a_query_with_half_a_surrogate_has_a_fingerprint() -> None:
    assert len(fingerprint(["\ud800"])) == 8
