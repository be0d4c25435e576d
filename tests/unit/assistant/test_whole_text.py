"""Texts of models that hold halves of surrogate pairs."""

from workspace_memory.assistant.whole_text import whole


def test_halves_that_came_in_two_pieces_are_the_character() -> None:
    assert whole("tea \ud83c" + "\udf75!") == "tea \U0001f375!"


def test_every_other_half_is_replaced() -> None:
    assert whole("\udf75 tea \ud83c") == "\ufffd tea \ufffd"


def test_sound_text_stays() -> None:
    assert whole("tea \U0001f375\0") == "tea \U0001f375\0"
