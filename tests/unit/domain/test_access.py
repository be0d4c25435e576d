"""The table of roles and the rules of levels, each cell of both."""

import pytest

from workspace_memory.domain.access import (
    AccessLevel,
    Action,
    Role,
    effective_level,
    may,
    offers,
    require_level,
    require_role,
)
from workspace_memory.domain.errors import Forbidden, LevelTooLow

# docs/reference/roles.md, line by line: viewer, editor, admin.
ROLE_TABLE = {
    Action.READ_DOCUMENT: (True, True, True),
    Action.CHAT: (True, True, True),
    Action.CHANGE_MODE: (True, True, True),
    Action.USE_PERSONAL_ITEMS: (True, True, True),
    Action.SEE_COMPANY_ITEMS: (True, True, True),
    Action.WRITE_DOCUMENT: (False, True, True),
    Action.WRITE_NOTES: (False, True, True),
    Action.APPLY_PROPOSALS: (False, True, True),
    Action.CURATE_COMPANY_ITEMS: (False, True, True),
    Action.CHANGE_SETTINGS: (False, False, True),
    Action.GIVE_CONSENT: (False, False, True),
    Action.TRUST_SKILLS: (False, False, True),
    Action.SET_ACCESS_LEVELS: (False, False, True),
    Action.MANAGE_MEMBERS: (False, False, True),
    Action.MANAGE_SERVERS: (False, False, True),
    Action.READ_AUDIT: (False, False, True),
    Action.ERASE_PERSONAL: (False, False, True),
    Action.MANAGE_LICENCE: (False, False, True),
}
ROLES = (Role.VIEWER, Role.EDITOR, Role.ADMIN)
CELLS = [
    (role, action, allowed)
    for action, row in ROLE_TABLE.items()
    for role, allowed in zip(ROLES, row, strict=True)
]

NONE, READ, PERSONAL, CONTRIBUTE = (
    AccessLevel.NONE,
    AccessLevel.READ,
    AccessLevel.PERSONAL,
    AccessLevel.CONTRIBUTE,
)
RISING = (NONE, READ, PERSONAL, CONTRIBUTE)


def test_the_table_has_a_line_for_every_action() -> None:
    assert set(ROLE_TABLE) == set(Action)


def test_there_are_no_other_roles() -> None:
    assert set(ROLES) == set(Role)


@pytest.mark.parametrize(("role", "action", "allowed"), CELLS)
def test_a_role_may_do_what_the_table_says(role: Role, action: Action, allowed: bool) -> None:
    assert may(role, action) is allowed


@pytest.mark.parametrize(
    ("role", "action"), [(role, action) for role, action, allowed in CELLS if not allowed]
)
def test_a_refused_role_is_told_who_may(role: Role, action: Action) -> None:
    with pytest.raises(Forbidden, match="admin") as refused:
        require_role(role, action)
    assert role.value not in refused.value.need.split()


@pytest.mark.parametrize(("role", "action"), [(role, action) for role, action, allowed in CELLS if allowed])
def test_an_allowed_role_passes(role: Role, action: Action) -> None:
    require_role(role, action)


@pytest.mark.requirement("items:access:five-levels")
def test_there_are_five_levels() -> None:
    assert [level.value for level in AccessLevel] == ["inherit", "none", "read", "personal", "contribute"]


@pytest.mark.requirement("items:access:five-levels")
def test_another_level_is_refused() -> None:
    with pytest.raises(ValueError, match="owner"):
        AccessLevel("owner")


@pytest.mark.requirement("items:unit:tools-per-level")
@pytest.mark.parametrize(("have", "at"), [(level, at) for at, level in enumerate(RISING)])
def test_a_level_includes_itself_and_the_lower_ones_only(have: AccessLevel, at: int) -> None:
    assert [offers(have, needed) for needed in RISING] == [place <= at for place in range(len(RISING))]


@pytest.mark.requirement("items:unit:access-inherited")
@pytest.mark.parametrize("default", RISING)
def test_inherit_resolves_to_the_default(default: AccessLevel) -> None:
    assert effective_level(AccessLevel.INHERIT, default) is default


@pytest.mark.requirement("items:unit:access-explicit")
@pytest.mark.parametrize("default", RISING)
@pytest.mark.parametrize("own", RISING)
def test_a_level_of_ones_own_wins_over_the_default(own: AccessLevel, default: AccessLevel) -> None:
    assert effective_level(own, default) is own


@pytest.mark.parametrize("cap", RISING)
@pytest.mark.parametrize("own", [AccessLevel.INHERIT, *RISING])
def test_a_token_caps_the_level_and_never_raises_it(own: AccessLevel, cap: AccessLevel) -> None:
    uncapped = effective_level(own, PERSONAL)
    capped = effective_level(own, PERSONAL, cap)
    assert RISING.index(capped) == min(RISING.index(uncapped), RISING.index(cap))


def test_a_refused_level_names_the_needed_one() -> None:
    with pytest.raises(LevelTooLow, match="'contribute'"):
        require_level(PERSONAL, CONTRIBUTE)
