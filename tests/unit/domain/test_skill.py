"""Skills: which notes are one, and what is left out as broken."""

import pytest

from workspace_memory.domain.skill import (
    DESCRIPTION_CHARACTERS_MAX,
    SKILL_BYTES_MAX,
    Skill,
    skill_of,
    skill_path,
)

PATH = ".workspace/skills/release-notes/SKILL.md"
TEXT = (
    "---\nname: release-notes\ndescription: How release notes are written here\n---\n\n# Steps\n\n1. Ask.\n"
)
SKILL = Skill("release-notes", "How release notes are written here", "# Steps\n\n1. Ask.")


def described(description: str) -> str:
    return f"---\nname: release-notes\ndescription: {description}\n---\nText"


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("release-notes\n", '"release-notes"\n').replace("---\n\n", "--- \n"),
        TEXT.replace("name:", "license: MIT\nmetadata:\n  version: 1\nname:"),
    ],
)
def test_a_note_with_name_and_description_is_a_skill(text: str) -> None:
    assert skill_of(PATH, text) == SKILL


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Steps",
        "---\nname: release-notes\n",
        "---\nname: release-notes\n---\nText",
        TEXT.replace("name: release-notes", "name: other"),
        "\n" + TEXT,
        described(""),
        described("x" * (DESCRIPTION_CHARACTERS_MAX + 1)),
        TEXT + "x" * SKILL_BYTES_MAX,
        TEXT.replace("name:", "  name:"),
    ],
)
def test_a_broken_note_is_no_skill(text: str) -> None:
    assert skill_of(PATH, text) is None


@pytest.mark.parametrize(
    "path",
    [
        "notes/release-notes/SKILL.md",
        ".workspace/skills/SKILL.md",
        ".workspace/skills/release-notes/skill.md",
        ".workspace/skills/release-notes/more/SKILL.md",
        ".workspace/skills/Release-Notes/SKILL.md",
        ".workspace/skills/../memory/SKILL.md",
    ],
)
def test_a_note_elsewhere_is_no_skill(path: str) -> None:
    assert skill_of(path, TEXT) is None


@pytest.mark.parametrize("name", ["", "..", "a/b", "A", "a_b", "-a", "a--b", "x" * 65, "a\n"])
def test_what_cannot_be_a_name_has_no_path(name: str) -> None:
    assert skill_path(name) is None


def test_hidden_characters_of_a_description_are_shown() -> None:
    skill = skill_of(PATH, described("pay \u202eevil"))
    assert skill is not None
    assert skill.description == "pay ⟦U+202E⟧evil"
