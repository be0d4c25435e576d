"""Access tokens: what one may make, who sees and revokes them, when they end."""

from datetime import datetime, timedelta

import pytest
from tests.conftest import World

from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.actor import Actor, Channel, Surface
from workspace_memory.domain.errors import (
    Forbidden,
    InvalidRequest,
    LevelTooLow,
    NotAuthenticated,
    NotFound,
)
from workspace_memory.domain.ids import TokenId
from workspace_memory.services.authentication import authenticate_token
from workspace_memory.services.members import remove_member
from workspace_memory.services.tokens import (
    MadeToken,
    list_tokens,
    make_token,
    make_token_here,
    revoke_token,
    revoke_token_here,
)

READ, PERSONAL, CONTRIBUTE = AccessLevel.READ, AccessLevel.PERSONAL, AccessLevel.CONTRIBUTE


def made_by(
    world: World, actor: Actor, level: AccessLevel = READ, *, expires_at: datetime | None = None
) -> MadeToken:
    return make_token(
        world.deps, actor, world.workspace, name="Laptop", max_level=level, expires_at=expires_at
    )


def actor_of(world: World, made: MadeToken) -> Actor:
    return authenticate_token(world.deps, made.secret, channel=Channel.PERSON)


def works(world: World, made: MadeToken) -> bool:
    try:
        return actor_of(world, made).token == made.token.id
    except NotAuthenticated:
        return False


def test_a_member_makes_a_token(world: World) -> None:
    made = made_by(world, world.by_hand(world.carol), CONTRIBUTE)
    actor = actor_of(world, made)
    assert (actor.user, actor.workspace, actor.max_level) == (world.carol, world.workspace, CONTRIBUTE)


def test_only_the_hash_of_it_is_kept(world: World) -> None:
    made = made_by(world, world.by_hand(world.carol))
    with world.deps.database.read() as tx:
        rows = tx.connection.exec_driver_sql("SELECT * FROM access_tokens").all()
    assert made.token.id in repr(rows)
    assert made.secret not in repr(rows)
    assert made.secret not in repr(list_tokens(world.deps, world.by_hand(world.carol), world.workspace))


@pytest.mark.parametrize("own", [READ, PERSONAL, CONTRIBUTE])
@pytest.mark.parametrize("wanted", [READ, PERSONAL, CONTRIBUTE])
def test_a_token_makes_none_that_may_more(world: World, own: AccessLevel, wanted: AccessLevel) -> None:
    rising = [READ, PERSONAL, CONTRIBUTE]
    actor = actor_of(world, made_by(world, world.by_hand(world.bob), own))
    if rising.index(wanted) <= rising.index(own):
        assert made_by(world, actor, wanted).token.max_level is wanted
    else:
        with pytest.raises(LevelTooLow):
            made_by(world, actor, wanted)


def test_a_token_makes_none_that_outlives_it(world: World) -> None:
    end = world.clock.now() + timedelta(days=1)
    actor = actor_of(world, made_by(world, world.by_hand(world.bob), expires_at=end))
    for later in (None, end + timedelta(seconds=1)):
        with pytest.raises(Forbidden, match="outlives"):
            made_by(world, actor, expires_at=later)
    assert made_by(world, actor, expires_at=end).token.expires_at == end


def test_a_token_for_mcp_makes_none(world: World) -> None:
    made = make_token_here(
        world.deps, world.workspace, world.bob, name="Laptop", max_level=CONTRIBUTE, surface=Surface.MCP
    )
    actor = authenticate_token(world.deps, made.secret, channel=Channel.CLIENT)
    with pytest.raises(Forbidden):
        made_by(world, actor)


def test_there_is_no_token_that_inherits(world: World) -> None:
    with pytest.raises(InvalidRequest, match="max_level"):
        made_by(world, world.by_hand(world.bob), AccessLevel.INHERIT)


@pytest.mark.parametrize("name", ["", " ", "x" * 101, "a\nb", "a\0"])
def test_what_cannot_be_a_name_is_refused(world: World, name: str) -> None:
    with pytest.raises(InvalidRequest, match="name"):
        make_token(world.deps, world.by_hand(world.bob), world.workspace, name=name, max_level=READ)


def test_a_token_ends_at_its_time(world: World) -> None:
    made = made_by(world, world.by_hand(world.bob), expires_at=world.clock.now() + timedelta(hours=1))
    world.clock.move(timedelta(minutes=59))
    assert works(world, made)
    world.clock.move(timedelta(minutes=1))
    assert not works(world, made)


def test_a_token_does_not_end_in_the_past(world: World) -> None:
    with pytest.raises(InvalidRequest, match="expires_at"):
        made_by(world, world.by_hand(world.bob), expires_at=world.clock.now())


@pytest.mark.parametrize("who", ["bob", "alice"])
def test_owner_and_admins_revoke_a_token_at_once(world: World, who: str) -> None:
    made = made_by(world, world.by_hand(world.bob))
    revoke_token(world.deps, world.by_hand(getattr(world, who)), world.workspace, made.token.id)
    assert not works(world, made)


def test_for_other_members_it_is_not_there(world: World) -> None:
    made = made_by(world, world.by_hand(world.bob))
    with pytest.raises(NotFound):
        revoke_token(world.deps, world.by_hand(world.carol), world.workspace, made.token.id)
    assert works(world, made)


def test_an_admins_capped_token_revokes_no_others(world: World) -> None:
    made = made_by(world, world.by_hand(world.bob))
    capped = world.by_hand(world.alice, max_level=PERSONAL)
    with pytest.raises(LevelTooLow):
        revoke_token(world.deps, capped, world.workspace, made.token.id)
    assert works(world, made)


def test_a_token_may_revoke_itself(world: World) -> None:
    made = made_by(world, world.by_hand(world.bob))
    revoke_token(world.deps, actor_of(world, made), world.workspace, made.token.id)
    assert not works(world, made)


def test_a_token_of_another_workspace_is_not_there(world: World) -> None:
    made = made_by(world, world.by_hand(world.bob))
    with pytest.raises(NotFound):
        revoke_token(world.deps, world.by_hand(world.mallory), world.other_workspace, made.token.id)


@pytest.mark.parametrize("token", ["", "nothing", "\0", "\ud800"])
def test_what_is_no_token_is_not_found(world: World, token: str) -> None:
    with pytest.raises(NotFound):
        revoke_token(world.deps, world.by_hand(world.alice), world.workspace, TokenId(token))
    with pytest.raises(NotFound):
        revoke_token_here(world.deps, world.workspace, TokenId(token))


def test_members_see_their_own_and_admins_everybodys(world: World) -> None:
    made = made_by(world, world.by_hand(world.bob))
    for who in (world.bob, world.alice):
        listed = list_tokens(world.deps, world.by_hand(who), world.workspace, world.bob)
        assert [token.id for token in listed] == [made.token.id]
    with pytest.raises(Forbidden):
        list_tokens(world.deps, world.by_hand(world.carol), world.workspace, world.bob)


def test_revoked_ones_are_listed_with_their_time(world: World) -> None:
    made = made_by(world, world.by_hand(world.bob))
    revoke_token_here(world.deps, world.workspace, made.token.id)
    (listed,) = list_tokens(world.deps, world.by_hand(world.bob), world.workspace)
    assert listed.revoked_at == world.clock.now()


def test_a_membership_that_ends_takes_its_tokens_along(world: World) -> None:
    made = made_by(world, world.by_hand(world.bob))
    remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob)
    assert not works(world, made)
    with world.deps.database.begin() as tx:
        tx.members.add(workspace=world.workspace, user=world.bob, role=Role.VIEWER, at=world.clock.now())
    assert not works(world, made)


def test_a_stranger_gets_no_token(world: World) -> None:
    with pytest.raises(NotFound):
        made_by(world, world.by_hand(world.mallory))
    with pytest.raises(NotFound):
        make_token_here(world.deps, world.workspace, world.mallory, name="Laptop", max_level=READ)
