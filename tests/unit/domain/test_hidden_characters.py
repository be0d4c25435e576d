"""Hidden characters are found and shown; what a reader sees stays as it is."""

import pytest

from workspace_memory.domain.hidden_characters import hidden_characters, with_hidden_shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pay\u200bpal", "pay⟦U+200B⟧pal"),
        ("\u202egnp.exe", "⟦U+202E⟧gnp.exe"),
        ("\u2066a\u2069", "⟦U+2066⟧a⟦U+2069⟧"),
        ("a\u00adb", "a⟦U+00AD⟧b"),
        ("a\u00a0b", "a⟦U+00A0⟧b"),
        ("\U000e0041", "⟦U+E0041⟧"),
        ("x\U000e0100", "x⟦U+E0100⟧"),
        ("\x1b[31mred", "⟦U+001B⟧[31mred"),
        ("a\rb", "a⟦U+000D⟧b"),
        ("\u2028", "⟦U+2028⟧"),
        ("\u3164", "⟦U+3164⟧"),
        ("\ue000", "⟦U+E000⟧"),
    ],
)
def test_a_hidden_character_is_shown(text: str, shown: str) -> None:
    assert with_hidden_shown(text) == shown


@pytest.mark.parametrize(
    "text", ["plain", "line\nline\tcell", "雾凇词库部署", "Größe Ωmega ñ", "🙂", "</memory>"]
)
def test_what_is_seen_stays(text: str) -> None:
    assert (with_hidden_shown(text), hidden_characters(text)) == (text, [])


def test_each_is_named_with_its_place() -> None:
    [one, other] = hidden_characters("a\u200b\ncd\u202e")
    assert (one.position, one.code, one.name) == (1, "U+200B", "ZERO WIDTH SPACE")
    assert (other.position, other.code, other.name) == (5, "U+202E", "RIGHT-TO-LEFT OVERRIDE")
