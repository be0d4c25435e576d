"""The quick encoder writes what the standard one does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.tools.answers import to_json
from workspace_memory.tools.whole_json import whole_to_json


@given(st.text(), st.lists(st.text()))
def test_an_item_is_written_as_by_the_standard_encoder(text: str, tags: list[str]) -> None:
    item = {"content": text, "tags": tuple(tags), "version": 7}
    assert whole_to_json(item).decode() == to_json(item)


def test_so_is_every_character_that_json_escapes() -> None:
    text = "".join(map(chr, range(256))) + "\u2028\u2029\ufeff\U0001f375"
    assert whole_to_json(text).decode() == to_json(text)


def test_so_is_every_score() -> None:
    scores = [thousandths / 1_000 for thousandths in range(5_000)]
    assert whole_to_json(scores).decode() == to_json(scores)


def test_half_of_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(ValueError, match="surrogates"):
        whole_to_json({"content": "\ud83d"})
