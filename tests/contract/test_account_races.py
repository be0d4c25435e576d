"""An account that ends while something is made for it: no workspace is left without an active admin."""

from collections.abc import Callable

import pytest
from sqlalchemy import text
from tests.conftest import World
from tests.contract.together import at_once

from workspace_memory.domain.access import Role
from workspace_memory.domain.ids import UserId
from workspace_memory.services.accounts import deactivate_account_here
from workspace_memory.services.deps import Deps, new_uuid7
from workspace_memory.services.erasing import delete_account_here
from workspace_memory.services.members import change_member
from workspace_memory.services.running import run
from workspace_memory.services.workspaces import make_workspace

ROUNDS = 8

ORPHANS = text(
    "SELECT count(*) FROM workspaces WHERE NOT EXISTS (SELECT 1 FROM members JOIN users ON users.id = members.user_id"
    " WHERE members.workspace_id = workspaces.id AND members.role = 'admin' AND members.status = 'active'"
    " AND users.status = 'active')"
)


def another_admin(world: World, number: int) -> tuple[UserId, str]:
    user, email = UserId(new_uuid7()), f"dave{number}@example.com"
    with world.deps.database.begin() as tx:
        tx.accounts.add(user=user, email=email, name="dave", password_hash=None, at=world.clock.now())
        tx.members.add(workspace=world.workspace, user=user, role=Role.ADMIN, at=world.clock.now())
    return user, email


def orphans(world: World) -> int:
    with world.deps.database.read() as tx:
        return tx.connection.execute(ORPHANS).scalar_one()


@pytest.mark.parametrize("end", [delete_account_here, deactivate_account_here])
def test_a_workspace_made_while_its_admin_goes_is_not_left_alone(
    world: World, end: Callable[[Deps, str], object]
) -> None:
    for number in range(ROUNDS):
        user, email = another_admin(world, number)
        at_once(
            lambda user=user: run(world.deps, make_workspace, world.by_hand(user), name="Another"),
            lambda email=email: run(world.deps, end, email),
        )
        assert orphans(world) == 0


@pytest.mark.parametrize("end", [delete_account_here, deactivate_account_here])
def test_of_two_last_admins_that_go_at_once_one_stays(
    world: World, end: Callable[[Deps, str], object]
) -> None:
    for number in range(ROUNDS):
        user, email = another_admin(world, number)
        at_once(
            lambda user=user: run(
                world.deps,
                change_member,
                world.by_hand(user),
                world.workspace,
                world.alice,
                role=Role.VIEWER,
            ),
            lambda email=email: run(world.deps, end, email),
        )
        assert orphans(world) == 0
        with world.deps.database.begin() as tx:
            tx.connection.exec_driver_sql("UPDATE members SET role = 'admin'")
