import enum
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple, NewType, Protocol, TypeVar
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.folder.codec import NotSendable, codec_for

T = TypeVar("T")
ItemId = NewType("ItemId", str)


class Kind(enum.StrEnum):
    FACT = "fact"
    NOTE = "note"


class Right(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass(frozen=True, slots=True)
class Stored:
    id: ItemId


@dataclass(frozen=True, slots=True)
class AlreadyStored:
    id: ItemId


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


@dataclass(frozen=True)
class Special(Stored):
    pass


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    items: tuple[T, ...]
    next: "Page[T] | None" = None


@dataclass(frozen=True, slots=True)
class Record:
    text: str
    raw: bytes
    at: datetime
    numbers: dict[str, int]


class Point(NamedTuple):
    x: int
    y: float


class Unknown(Protocol): ...


def through_json(hint: Any, value: object) -> object:
    codec = codec_for(hint)
    return codec.decode(json.loads(json.dumps(codec.encode(value))))


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (None, None),
        (bool, True),
        (int, 2**70),
        (float, 0.1),
        (str, "naïve 👩‍🚀"),
        (bytes, b"\xff\x00"),
        (datetime, datetime(2026, 3, 1, 12, 30, 0, 5, tzinfo=UTC)),
        (datetime, datetime(2026, 3, 1, tzinfo=timezone(timedelta(hours=-3)))),
        (date, date(2026, 3, 1)),
        (timedelta, timedelta(days=-1, microseconds=3)),
        (UUID, UUID(int=7)),
        (Path, Path("a/b")),
        (Decimal, Decimal("1.10")),
        (Kind, Kind.NOTE),
        (Right, Right.READ | Right.WRITE),
        (Literal["a", 1, True], True),
        (Literal[Kind.FACT], Kind.FACT),
        (ItemId, ItemId("i")),
        (tuple[int, ...], (1, 2)),
        (tuple[int, str], (1, "a")),
        (tuple[()], ()),
        (list[bytes], [b"a"]),
        (set[int], {1}),
        (frozenset[Kind], frozenset({Kind.FACT})),
        (dict[Kind, Stored], {Kind.FACT: Stored(ItemId("i"))}),
        (Mapping[str, object], {"a": [1, {"b": None}]}),
        (Sequence[int], (1, 2)),
        (str | None, None),
        (str | bytes, b"a"),
        (int | float | bool, True),
        (str | Kind, Kind.FACT),
        (Stored | AlreadyStored | Nothing, Stored(ItemId("i"))),
        (Stored | AlreadyStored | Nothing, AlreadyStored(ItemId("i"))),
        (Stored | AlreadyStored | Nothing, Nothing()),
        (list[int] | list[str], ["a"]),
        (Point, Point(1, 2.5)),
        (Page[Stored | None], Page((Stored(ItemId("i")), None), Page(()))),
    ],
)
def test_a_value_arrives_as_it_was_sent(hint: Any, value: object) -> None:
    arrived = through_json(hint, value)
    assert arrived == value
    assert type(arrived) is type(value)


@given(
    text=st.text(),
    raw=st.binary(),
    at=st.datetimes(timezones=st.just(UTC)),
    numbers=st.dictionaries(st.text(), st.integers()),
)
def test_any_record_arrives_as_it_was_sent(
    text: str, raw: bytes, at: datetime, numbers: dict[str, int]
) -> None:
    record = Record(text, raw, at, numbers)
    assert through_json(Record, record) == record


def test_a_member_of_an_enum_given_for_a_str_arrives_as_plain_str() -> None:
    assert type(through_json(str, Kind.FACT)) is str


def test_the_order_in_which_a_union_is_written_does_not_matter() -> None:
    # Two hints, because Python takes `A | B` and `B | A` for one.
    one_way = codec_for(tuple[Stored | AlreadyStored, int]).encode((Stored(ItemId("i")), 0))
    other_way = codec_for(tuple[AlreadyStored | Stored, int, int]).encode((Stored(ItemId("i")), 0, 0))
    assert isinstance(one_way, list)
    assert isinstance(other_way, list)
    assert one_way[0] == other_way[0]


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (int, True),
        (int, "1"),
        (str, 1),
        (bytes, "a"),
        (Kind, "fact"),
        (Stored, AlreadyStored(ItemId("i"))),
        (Stored, Special(ItemId("i"))),
        (Stored | None, Nothing()),
        (tuple[int, ...], 1),
        (tuple[int, int], (1,)),
        (list[int], (1,)),
        (dict[str, int], [1]),
        (Literal[1], True),
    ],
)
def test_a_value_that_is_not_what_its_hint_says_is_not_sent(hint: Any, value: object) -> None:
    with pytest.raises(NotSendable):
        codec_for(hint).encode(value)


@pytest.mark.parametrize(
    ("hint", "encoded"),
    [
        (int, "1"),
        (bytes, "not base64!"),
        (datetime, "yesterday"),
        (timedelta, [1]),
        (Kind, "no such"),
        (Stored, {"id": "i", "more": 1}),
        (Stored, {}),
        (Stored, "i"),
        (str | None, [7, "a"]),
        (str | None, "a"),
        (tuple[int, int], [1]),
        (list[int], {}),
        (Literal[1], True),
    ],
)
def test_what_does_not_fit_is_not_read(hint: Any, encoded: object) -> None:
    with pytest.raises(NotSendable):
        codec_for(hint).decode(encoded)


@pytest.mark.parametrize("hint", [Unknown, list, T, type[int], Page[Unknown], Page])
def test_a_hint_that_cannot_be_sent_is_found_before_any_call(hint: Any) -> None:
    with pytest.raises(NotSendable):
        codec_for(hint)


def test_a_refusal_names_classes_and_never_the_value() -> None:
    with pytest.raises(NotSendable) as refusal:
        codec_for(int).encode("my private note")
    assert "private" not in str(refusal.value)
