"""What has the shape of an id."""

import pytest

from workspace_memory.domain.ids import is_id
from workspace_memory.services.deps import new_uuid7


def test_a_new_id_is_one() -> None:
    assert is_id(new_uuid7())


def test_ids_sort_by_the_order_in_which_they_were_made() -> None:
    made = [new_uuid7() for _ in range(500)]
    assert made == sorted(made)


@pytest.mark.parametrize(
    "text",
    [
        "0190A0B0-AAAA-7000-8000-00000000ABCD",
        "0190a0b0-aaaa-7000-8000-00000000abcd\n",
        " 0190a0b0-aaaa-7000-8000-00000000abcd",
        "0190a0b0-aaaa-7000-8000-00000000abc",
        "0190a0b0aaaa7000800000000000abcd",
    ],
)
def test_another_spelling_of_an_id_is_none(text: str) -> None:
    assert not is_id(text)


@pytest.mark.parametrize("text", ["", "company", "' OR 1=1 --", "\0", "\ud800", "٠" * 36])
def test_other_texts_are_none(text: str) -> None:
    assert not is_id(text)
