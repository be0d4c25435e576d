"""Skills: notes that teach the Assistant how something is done here, `.workspace/skills/NAME/SKILL.md`.

Pure. A skill is a note whose front matter has a name, which is that of its folder, and a description in one line; what
follows is loaded on demand. One that is broken is none, and breaks nothing else.
"""

import re
from dataclasses import dataclass, field

from workspace_memory.domain.hidden_characters import with_hidden_shown

SKILLS_FOLDER = ".workspace/skills/"
SKILL_FILE = "SKILL.md"
SKILLS_MAX = 20
"""How many skills are offered in a turn, the first by name."""
SKILL_BYTES_MAX = 32 * 1024
"""A longer one is broken."""
DESCRIPTION_CHARACTERS_MAX = 300

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_NAME_CHARACTERS_MAX = 64
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)---[ \t]*(?:\n|$)(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that can be offered. `text` is what is behind the front matter."""

    name: str
    description: str
    text: str = field(repr=False)


def skill_path(name: str) -> str | None:
    """Where the skill of a name stands; None for what cannot be a name."""
    if len(name) > _NAME_CHARACTERS_MAX or not _NAME.fullmatch(name):
        return None
    return f"{SKILLS_FOLDER}{name}/{SKILL_FILE}"


def skill_of(path: str, text: str) -> Skill | None:
    """The skill that a note is; None for one that is broken or stands elsewhere."""
    name = path.removeprefix(SKILLS_FOLDER).removesuffix(f"/{SKILL_FILE}")
    if skill_path(name) != path or len(text.encode()) > SKILL_BYTES_MAX:
        return None
    parts = _FRONT_MATTER.fullmatch(text.replace("\r\n", "\n"))
    if parts is None:
        return None
    fields = _fields(parts[1])
    description = with_hidden_shown(fields.get("description", ""))
    if fields.get("name") != name or not 1 <= len(description) <= DESCRIPTION_CHARACTERS_MAX:
        return None
    return Skill(name, description, parts[2].strip("\n"))


def _fields(front_matter: str) -> dict[str, str]:
    """The one-line fields; what YAML knows beside them is no part of a skill here."""
    fields: dict[str, str] = {}
    for line in front_matter.split("\n"):
        key, separator, value = line.partition(":")
        if separator and key == key.strip():
            fields.setdefault(key, _unquoted(value.strip()))
    return fields


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
