"""RFC 8785 for what bodies hold."""

import json
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.crypto.canonical_json import Json, canonical_json
from workspace_memory.crypto.errors import NotText

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_it_says_the_same(value: Json) -> None:
    assert json.loads(canonical_json(value)) == value


@given(st.dictionaries(TEXTS, st.integers(0, 9), max_size=6))
def test_the_order_of_the_members_does_not_matter(body: dict[str, int]) -> None:
    assert canonical_json(dict(reversed(body.items()))) == canonical_json(body)


def test_members_are_sorted_by_their_utf_16() -> None:
    # The emoji begins with D83D, before FB33, though its code point is the greater one (RFC 8785, 3.2.3).
    canonical = canonical_json({"\ufb33": 1, "\U0001f600": 2, "a": 3})
    assert canonical == '{"a":3,"\U0001f600":2,"\ufb33":1}'.encode()


def test_only_what_has_to_be_escaped_is() -> None:
    assert canonical_json('\x00\x08\t\n\x0b\x0c\r\x1f"\\/\x7f€') == (
        b'"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\/\x7f\xe2\x82\xac"'
    )


def test_there_are_no_blanks() -> None:
    assert canonical_json({"b": [1, None, True], "a": {}}) == b'{"a":{},"b":[1,null,true]}'


@pytest.mark.parametrize("value", [2**53, -(2**53), 1.5, b"bytes", {1, 2}, object()])
def test_what_has_no_canonical_form_here_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="canonical form"):
        canonical_json(cast("Json", value))


def test_half_a_character_is_refused() -> None:
    with pytest.raises(NotText):
        canonical_json({"text": "\ud800"})
