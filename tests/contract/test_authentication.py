"""Sign-in and its delays, sessions and their ends, tokens and their actors."""

from datetime import timedelta

import pytest
from tests.conftest import World
from tests.contract.together import at_once, failures

from workspace_memory.crypto import passwords
from workspace_memory.crypto.passwords import hash_password, verify_password
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.account import SESSION_ABSOLUTE, SESSION_IDLE
from workspace_memory.domain.actor import Channel, Surface
from workspace_memory.domain.errors import (
    NotAuthenticated,
    SignInRefused,
    TokenForMcpOnly,
    TooManyAttempts,
)
from workspace_memory.services import authentication
from workspace_memory.services.accounts import (
    deactivate_account_here,
    make_password_reset_here,
    redeem_link,
)
from workspace_memory.services.authentication import (
    FREE_FAILURES,
    FREE_FAILURES_OF_ADDRESS,
    LONGEST_DELAY,
    SignedIn,
    authenticate_session,
    authenticate_token,
    sign_in,
    sign_out,
    who_am_i,
)
from workspace_memory.services.tokens import list_tokens, make_token_here

PASSWORD = "correct horse tea"
BOB = "bob@example.com"
WRONG = "wrong password"
HERE = "192.0.2.1"


@pytest.fixture
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Passwords compared in no time; the list gets one entry for each hash that would have been computed."""
    checked: list[str | None] = []

    def verify(password: str, password_hash: str | None) -> bool:
        checked.append(password_hash)
        return password_hash is not None and password == PASSWORD

    monkeypatch.setattr(authentication, "verify_password", verify)
    return checked


def give_bob_a_password(world: World) -> None:
    redeem_link(world.deps, make_password_reset_here(world.deps, BOB).secret, password=PASSWORD)


def attempt(world: World, *, email: str = BOB, password: str = WRONG, address: str = HERE) -> SignedIn:
    return sign_in(world.deps, email=email, password=password, address=address)


def fail(world: World, times: int, *, email: str = BOB, address: str = HERE) -> None:
    for _ in range(times):
        with pytest.raises(SignInRefused):
            attempt(world, email=email, address=address)


def wait_after_failures(world: World, *, email: str = BOB, address: str = HERE) -> int:
    with pytest.raises(TooManyAttempts) as delayed:
        attempt(world, email=email, password=PASSWORD, address=address)
    return delayed.value.retry_after


# --- One answer ----------------------------------------------------------------------------------------------


def test_the_right_password_signs_in(world: World) -> None:
    give_bob_a_password(world)
    signed_in = attempt(world, email=" BOB@example.com ", password=PASSWORD)
    assert authenticate_session(world.deps, signed_in.secret).user == world.bob


@pytest.mark.parametrize(
    "email", [BOB, "carol@example.com", "nobody@example.com", "", "no address", "a\0@b.cd", "\ud800@b.cd"]
)
def test_every_refusal_has_the_same_answer(world: World, quick_hashes: list[str | None], email: str) -> None:
    give_bob_a_password(world)
    with pytest.raises(SignInRefused) as refused:
        attempt(world, email=email)
    assert (str(refused.value), refused.value.facts()) == (str(SignInRefused()), {})


def test_a_deactivated_account_has_the_same_answer(world: World, quick_hashes: list[str | None]) -> None:
    give_bob_a_password(world)
    deactivate_account_here(world.deps, BOB)
    with pytest.raises(SignInRefused) as refused:
        attempt(world, password=PASSWORD)
    assert str(refused.value) == str(SignInRefused())


@pytest.mark.parametrize("email", [BOB, "carol@example.com", "nobody@example.com", "no address"])
def test_every_attempt_costs_one_hash(world: World, quick_hashes: list[str | None], email: str) -> None:
    give_bob_a_password(world)
    fail(world, 1, email=email)
    assert len(quick_hashes) == 1


def test_without_an_account_the_hash_is_computed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[bytes] = []

    class Counting:
        @staticmethod
        def verify_phc_encoded(key_material: bytes, phc_encoded: str) -> None:
            assert phc_encoded.startswith("$argon2id$")
            computed.append(key_material)

    monkeypatch.setattr(passwords, "_nobody", [hash_password("nobody's own")])
    monkeypatch.setattr(passwords, "Argon2id", Counting)
    assert not verify_password("tea", None)
    assert computed == [b"tea"]


def test_an_unknown_address_is_delayed_like_a_known_one(world: World, quick_hashes: list[str | None]) -> None:
    give_bob_a_password(world)
    fail(world, FREE_FAILURES, address="192.0.2.7")
    fail(world, FREE_FAILURES, email="nobody@example.com", address="192.0.2.8")
    known = wait_after_failures(world, address="192.0.2.9")
    assert known == wait_after_failures(world, email="nobody@example.com", address="192.0.2.9")


# --- Delays ------------------------------------------------------------------------------------------------


def test_a_few_failures_cost_no_time(world: World, quick_hashes: list[str | None]) -> None:
    give_bob_a_password(world)
    fail(world, FREE_FAILURES - 1)
    assert attempt(world, password=PASSWORD).user == world.bob


def test_after_more_the_wait_doubles_up_to_a_quarter_of_an_hour(
    world: World, quick_hashes: list[str | None]
) -> None:
    give_bob_a_password(world)
    fail(world, FREE_FAILURES)
    waits: list[int] = []
    for number in range(12):
        waits.append(wait_after_failures(world, address=f"192.0.2.{number}"))
        world.clock.move(timedelta(seconds=waits[-1]))
        fail(world, 1, address=f"192.0.2.{number}")
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]
    assert timedelta(seconds=900) == LONGEST_DELAY


def test_during_the_wait_the_right_password_is_not_even_looked_at(
    world: World, quick_hashes: list[str | None]
) -> None:
    give_bob_a_password(world)
    fail(world, FREE_FAILURES)
    quick_hashes.clear()
    wait_after_failures(world)
    assert quick_hashes == []


def test_an_account_is_delayed_from_every_address(world: World, quick_hashes: list[str | None]) -> None:
    give_bob_a_password(world)
    fail(world, FREE_FAILURES)
    assert wait_after_failures(world, address="198.51.100.1") == 1


def test_an_address_is_delayed_for_every_account(world: World, quick_hashes: list[str | None]) -> None:
    give_bob_a_password(world)
    for number in range(FREE_FAILURES_OF_ADDRESS):
        fail(world, 1, email=f"guess{number}@example.com")
    assert wait_after_failures(world) == 1
    assert attempt(world, password=PASSWORD, address="198.51.100.1").user == world.bob


def test_a_success_begins_anew(world: World, quick_hashes: list[str | None]) -> None:
    give_bob_a_password(world)
    fail(world, FREE_FAILURES - 1)
    attempt(world, password=PASSWORD)
    fail(world, FREE_FAILURES - 1)
    assert attempt(world, password=PASSWORD).user == world.bob


def test_failures_are_forgotten_after_a_while(world: World, quick_hashes: list[str | None]) -> None:
    give_bob_a_password(world)
    fail(world, FREE_FAILURES + 0)
    world.clock.move(timedelta(hours=2))
    fail(world, FREE_FAILURES - 1)
    assert attempt(world, password=PASSWORD).user == world.bob


def test_forgotten_failures_leave_no_row(world: World, quick_hashes: list[str | None]) -> None:
    fail(world, 3, email="nobody@example.com")
    world.clock.move(timedelta(hours=2))
    fail(world, 1, email="somebody@example.com", address="192.0.2.2")
    with world.deps.database.read() as tx:
        assert tx.connection.exec_driver_sql("SELECT count(*) FROM sign_in_failures").scalar() == 2


def test_many_attempts_at_once_are_all_counted(world: World, quick_hashes: list[str | None]) -> None:
    give_bob_a_password(world)
    outcomes = at_once(*[lambda: attempt(world)] * 16)
    kinds = failures(outcomes)
    assert (kinds.count(SignInRefused), kinds.count(TooManyAttempts)) == (FREE_FAILURES, 16 - FREE_FAILURES)


def test_a_clock_that_is_set_back_locks_nobody_out(world: World, quick_hashes: list[str | None]) -> None:
    give_bob_a_password(world)
    fail(world, FREE_FAILURES)
    world.clock.move(-timedelta(days=30))
    assert attempt(world, password=PASSWORD).user == world.bob


def test_a_password_that_was_changed_meanwhile_does_not_sign_in(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_bob_a_password(world)

    def verify_while_it_changes(password: str, password_hash: str | None) -> bool:
        reset = make_password_reset_here(world.deps, BOB)
        redeem_link(world.deps, reset.secret, password="battery staple coffee")
        return True

    monkeypatch.setattr(authentication, "verify_password", verify_while_it_changes)
    with pytest.raises(SignInRefused):
        attempt(world, password=PASSWORD)


# --- Sessions ----------------------------------------------------------------------------------------------


@pytest.fixture
def session(world: World, quick_hashes: list[str | None]) -> SignedIn:
    """Bob, signed in."""
    give_bob_a_password(world)
    return attempt(world, password=PASSWORD)


def test_a_session_is_a_person_with_every_workspace(world: World, session: SignedIn) -> None:
    actor = authenticate_session(world.deps, session.secret)
    assert (actor.channel, actor.workspace, actor.max_level) == (Channel.PERSON, None, AccessLevel.CONTRIBUTE)


def test_a_session_ends_after_8_idle_hours(world: World, session: SignedIn) -> None:
    world.clock.move(SESSION_IDLE)
    assert timedelta(hours=8) == SESSION_IDLE
    with pytest.raises(NotAuthenticated):
        authenticate_session(world.deps, session.secret)


def test_use_keeps_a_session(world: World, session: SignedIn) -> None:
    for _ in range(3):
        world.clock.move(SESSION_IDLE - timedelta(minutes=1))
        assert authenticate_session(world.deps, session.secret).user == world.bob


def test_a_session_ends_after_7_days_of_use(world: World, session: SignedIn) -> None:
    hours = 0
    while timedelta(hours=hours + 7) < SESSION_ABSOLUTE:
        world.clock.move(timedelta(hours=7))
        hours += 7
        authenticate_session(world.deps, session.secret)
    world.clock.move(SESSION_ABSOLUTE - timedelta(hours=hours))
    assert timedelta(days=7) == SESSION_ABSOLUTE
    with pytest.raises(NotAuthenticated):
        authenticate_session(world.deps, session.secret)


def test_a_session_survives_a_clock_that_is_set_back(world: World, session: SignedIn) -> None:
    world.clock.move(-timedelta(days=1))
    assert authenticate_session(world.deps, session.secret).user == world.bob


def test_sign_out_ends_the_session(world: World, session: SignedIn) -> None:
    sign_out(world.deps, session.secret)
    with pytest.raises(NotAuthenticated):
        authenticate_session(world.deps, session.secret)


def test_deactivation_ends_the_sessions_for_good(world: World, session: SignedIn) -> None:
    deactivate_account_here(world.deps, BOB)
    deactivate_account_here(world.deps, BOB, active=True)
    with pytest.raises(NotAuthenticated):
        authenticate_session(world.deps, session.secret)


def test_each_sign_in_has_a_session_of_its_own(world: World, session: SignedIn) -> None:
    other = attempt(world, password=PASSWORD)
    sign_out(world.deps, session.secret)
    assert authenticate_session(world.deps, other.secret).user == world.bob


def test_a_new_sign_in_deletes_the_sessions_that_are_over(world: World, session: SignedIn) -> None:
    world.clock.move(SESSION_IDLE)
    attempt(world, password=PASSWORD)
    with world.deps.database.read() as tx:
        assert tx.connection.exec_driver_sql("SELECT count(*) FROM sign_in_sessions").scalar() == 1


@pytest.mark.parametrize("secret", ["", "wm_ses_unknown", "\0", "\ud800"])
def test_an_unknown_session_is_refused(world: World, secret: str) -> None:
    with pytest.raises(NotAuthenticated):
        authenticate_session(world.deps, secret)
    sign_out(world.deps, secret)


def test_of_a_session_only_the_hash_is_kept(world: World, session: SignedIn) -> None:
    with world.deps.database.read() as tx:
        rows = tx.connection.exec_driver_sql("SELECT * FROM sign_in_sessions").all()
    assert rows
    assert session.secret not in repr(rows)


def test_who_am_i_tells_no_password_hash(world: World, session: SignedIn) -> None:
    me = who_am_i(world.deps, authenticate_session(world.deps, session.secret))
    assert (me.account.email, me.account.password_hash) == (BOB, None)
    assert [workspace.id for workspace in me.workspaces] == [world.workspace]


# --- Tokens ------------------------------------------------------------------------------------------------


def token(world: World, surface: Surface = Surface.ALL, level: AccessLevel = AccessLevel.READ) -> str:
    return make_token_here(
        world.deps, world.workspace, world.bob, name="Test client", max_level=level, surface=surface
    ).secret


@pytest.mark.parametrize("channel", list(Channel))
def test_a_token_is_its_user_within_its_workspace_and_level(world: World, channel: Channel) -> None:
    actor = authenticate_token(world.deps, token(world), channel=channel)
    assert (actor.user, actor.workspace, actor.max_level, actor.channel) == (
        world.bob,
        world.workspace,
        AccessLevel.READ,
        channel,
    )


@pytest.mark.requirement("items:model:source-comes-from-the-credential")
@pytest.mark.parametrize(
    ("source", "known_as"), [("", "Test client"), ("  \0", "Test client"), ("Cursor 2\n", "Cursor 2")]
)
def test_a_client_is_known_by_its_name_or_the_tokens(world: World, source: str, known_as: str) -> None:
    actor = authenticate_token(world.deps, token(world), channel=Channel.CLIENT, source=source)
    assert actor.source == known_as


def test_a_token_for_mcp_works_there(world: World) -> None:
    secret = token(world, Surface.MCP)
    assert authenticate_token(world.deps, secret, channel=Channel.CLIENT).user == world.bob


def test_a_token_for_mcp_works_there_only(world: World) -> None:
    with pytest.raises(TokenForMcpOnly):
        authenticate_token(world.deps, token(world, Surface.MCP), channel=Channel.PERSON)


@pytest.mark.requirement("items:unit:access-without-a-user")
@pytest.mark.parametrize("secret", ["", "wm_pat_unknown", "\0", "\ud800", "x" * 100_000])
def test_an_unknown_token_is_nobody(world: World, secret: str) -> None:
    with pytest.raises(NotAuthenticated):
        authenticate_token(world.deps, secret, channel=Channel.CLIENT)


def test_the_last_use_is_shown_before_it_is_written(world: World) -> None:
    secret = token(world)
    world.clock.move(timedelta(minutes=5))
    authenticate_token(world.deps, secret, channel=Channel.CLIENT)
    (shown,) = list_tokens(world.deps, world.by_hand(world.bob), world.workspace, world.bob)
    assert shown.last_used_at == world.clock.now()


def test_the_last_use_is_written_in_the_end(world: World) -> None:
    authenticate_token(world.deps, token(world), channel=Channel.CLIENT)
    world.deps.last_used.flush(world.deps.database)
    with world.deps.database.read() as tx:
        (kept,) = tx.tokens.of_user(world.workspace, world.bob)
    assert kept.last_used_at == world.clock.now()
