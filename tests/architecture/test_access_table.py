"""docs/reference/roles.md says what `domain/access.py` decides."""

from pathlib import Path

import pytest

from workspace_memory.domain.access import AccessLevel, Action, Role, may

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "roles.md").read_text()
ROLES = [Role.VIEWER, Role.EDITOR, Role.ADMIN]

# The words by which the page speaks of an action.
SPOKEN_OF = {
    Action.READ_DOCUMENT: "read the memory document",
    Action.CHAT: "conversations of one's own",
    Action.CHANGE_MODE: "set the document's mode",
    Action.WRITE_DOCUMENT: "write, clear and delete the memory document",
    Action.WRITE_NOTES: "and notes, apply",
    Action.APPLY_PROPOSALS: "apply proposals",
    Action.GIVE_CONSENT: "turn AI on and off",
    Action.TRUST_SKILLS: "trust skills",
    Action.USE_PERSONAL_ITEMS: "own personal items",
    Action.SEE_COMPANY_ITEMS: "active company items",
    Action.CURATE_COMPANY_ITEMS: "approve and reject company items",
    Action.CHANGE_SETTINGS: "workspace settings",
    Action.MANAGE_MEMBERS: "members, invitations",
    Action.SET_ACCESS_LEVELS: "access levels",
    Action.MANAGE_SERVERS: "MCP servers, others' tokens",
    Action.READ_AUDIT: "audit log",
    Action.ERASE_PERSONAL: "erase",
    Action.MANAGE_LICENCE: "licence",
}


def cells(words: str) -> list[str]:
    """The cells of the one line of the first table that has these words."""
    table = PAGE.split("## By hand")[1].split("\n## ")[0]
    (line,) = [line for line in table.splitlines() if line.startswith("|") and words in line]
    return [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize(("action", "words"), SPOKEN_OF.items())
def test_the_page_and_the_rule_give_the_same_answer(action: Action, words: str) -> None:
    assert cells(words)[1:] == ["yes" if may(role, action) else "no" for role in ROLES]


def test_the_page_speaks_of_every_action() -> None:
    assert set(SPOKEN_OF) == set(Action)


def test_the_page_has_the_roles_in_this_order() -> None:
    assert cells("viewer")[1:] == [role.value for role in ROLES]


@pytest.mark.parametrize("level", list(AccessLevel))
def test_the_page_explains_every_level(level: AccessLevel) -> None:
    assert f"| `{level}` |" in PAGE
