"""Keys from the command line: joining, leaving, recovering, and who is refused, by all three ways."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.command_line import PASSWORD, on_a_terminal, sentence, succeed
from tests.e2e.document_team import ANOTHER_PASSPHRASE, PASSPHRASE, WAYS, Person, Team, gathered

TEXT = "# Team\n\n- We ship on Thursday\n"
WRONG = "The passphrase or recovery key does not fit."


@pytest.fixture(params=WAYS)
def team(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Team]:
    """A team by each way."""
    with gathered(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Team]:
    """A team in a folder."""
    with gathered("folder", tmp_path) as found:
        yield found


def standings(person: Person) -> dict[str, str]:
    return {each["email"]: each["standing"] for each in person.sees("keys", "show")["members"]}


def tampered(team: Team, statement: str, *values: object) -> None:
    """Change the database as somebody would who holds the server."""
    with sqlite3.connect(team.folder / "memory.db") as database:
        assert database.execute(statement, values).rowcount == 1
    database.close()


# --- By all three ways ---------------------------------------------------------------------------------------


def test_a_member_waits_until_another_one_grants_the_key(team: Team) -> None:
    alice = team.person("alice@example.com")
    alice.saves(TEXT)
    bob = team.join("bob@example.com")
    assert standings(alice) == {"alice@example.com": "holds", "bob@example.com": "waiting"}
    assert "can grant it: alice <alice@example.com>." in sentence(bob.tries("document", "show"))
    alice.grants(bob)
    assert standings(bob) == {"alice@example.com": "holds", "bob@example.com": "holds"}
    assert bob.does("document", "show") == TEXT.rstrip("\n")
    assert bob.does("keys", "fingerprint") == bob.fingerprint
    assert bob.fingerprint in alice.does("keys", "show", unlocked=False)


def test_after_somebody_has_left_a_new_key_keeps_the_text_readable(team: Team) -> None:
    alice, bob, carol = team.person("alice@example.com"), team.join("bob@example.com"), None
    carol = team.join("carol@example.com", "viewer")
    alice.grants(bob)
    alice.grants(carol)
    alice.saves(TEXT)
    assert "Nothing to do" in alice.tries("keys", "rotate").err
    succeed("member", "remove", bob.email, "--yes", "--data", team.folder)
    assert alice.sees("keys", "show")["rotation_due"] is True
    assert "'keys rotate" not in alice.tries("keys", "rotate").err
    assert (alice.sees("keys", "show")["epoch"], alice.sees("keys", "show")["rotation_due"]) == (2, False)
    assert alice.saves(TEXT + "- New\n") == 2
    assert carol.does("document", "show", "--version", 1) == TEXT.rstrip("\n")
    assert carol.does("document", "show").endswith("- New")
    assert bob.tries("document", "show").code == 1


def test_secrets_are_changed_and_recovered(team: Team) -> None:
    alice = team.person("alice@example.com")
    alice.saves(TEXT)
    alice.does("keys", "passphrase", "--new-passphrase-file", alice.file(ANOTHER_PASSPHRASE, "new"))
    assert sentence(alice.tries("document", "show")).startswith(WRONG)
    alice.choose("a third one, for a change")
    recovery = ("keys", "recover", "--recovery-key-file", alice.file(alice.recovery_key.lower(), "recovery"))
    alice.does(*recovery)
    assert alice.does("document", "show") == TEXT.rstrip("\n")
    newer = alice.does("keys", "recovery-key", "--yes")
    assert sentence(alice.tries(*recovery)).startswith(WRONG)
    alice.does("keys", "recover", stdin=f"{newer}\n")
    assert alice.does("keys", "fingerprint") == alice.fingerprint


def test_who_has_lost_both_secrets_is_let_in_again_by_another_member(team: Team) -> None:
    alice, bob = team.person("alice@example.com"), team.join("bob@example.com")
    alice.grants(bob)
    alice.saves(TEXT)
    way = (
        ("--url", team.serve.url, "--sign-in", bob.email)
        if team.way == "url" and team.serve is not None
        else bob.here
    )
    bob.choose(ANOTHER_PASSPHRASE)
    lost = Person(bob.email, way, bob.own, env=bob.env)
    made = lost.does("keys", "replace", "--yes", "--password-stdin", stdin=PASSWORD + "\n")
    assert made != bob.recovery_key
    before, bob.fingerprint = bob.fingerprint, bob.does("keys", "fingerprint")
    assert bob.fingerprint != before
    assert "alice" in sentence(bob.tries("document", "show"))
    refused = sentence(alice.tries("keys", "grant", bob.email, "--fingerprint", bob.fingerprint))
    assert refused.startswith("STOP: the key of bob is not the one")
    alice.does("keys", "trust", bob.email, "--fingerprint", bob.fingerprint, unlocked=False)
    alice.grants(bob)
    alice.does("keys", "rotate")
    assert bob.does("document", "show") == TEXT.rstrip("\n")
    bob.choose("a third one, for a change")
    bob.does("keys", "recover", stdin=f"{made}\n")
    assert bob.does("document", "show", "--version", 1) == TEXT.rstrip("\n")


# --- Setting up ----------------------------------------------------------------------------------------------


def test_setup_without_keys_of_the_workspace_makes_them_and_says_what_comes_next(here: Team) -> None:
    alice = here.person("alice@example.com", keys=False)
    ended = alice.tries("keys", "setup")
    assert len(ended.out.split()) == 14
    assert "The key of this workspace is made too." in ended.err
    bob = here.join("bob@example.com", keys=False)
    assert "You wait for the key of this workspace" in bob.tries("keys", "setup").err


def test_setup_a_second_time_changes_nothing_and_names_what_helps(here: Team) -> None:
    alice = here.person("alice@example.com")
    said = sentence(alice.tries("keys", "setup"))
    assert "You have keys already" in said
    assert "'keys replace' when both are" in said
    assert alice.does("keys", "fingerprint") == alice.fingerprint


def test_in_a_further_workspace_the_same_passphrase_makes_that_ones_key(here: Team) -> None:
    alice = here.person("alice@example.com")
    succeed("workspace", "create", "Tea shop", "--data", here.folder)
    alice.here = (*alice.here, "--workspace", "Tea shop")
    assert "'document" not in sentence(alice.tries("document", "show"))
    assert "no key yet" in sentence(alice.tries("document", "show"))
    made = alice.sees("keys", "setup", unlocked=True)
    assert made == {"recovery_key": None, "fingerprint": alice.fingerprint, "workspace_key": "started"}
    alice.saves(TEXT)
    assert alice.does("document", "show") == TEXT.rstrip("\n")


def test_a_viewer_gets_a_recovery_key_also_where_nobody_has_made_the_workspaces_key(here: Team) -> None:
    carol = here.join("carol@example.com", "viewer", keys=False)
    ended = carol.tries("keys", "setup")
    assert (ended.code, len(ended.out.split())) == (0, 14)
    assert "an admin or editor makes it" in ended.err


def test_a_short_passphrase_is_refused(here: Team) -> None:
    alice = here.person("alice@example.com", keys=False)
    alice.choose("too short")
    assert "at least 12 characters" in sentence(alice.tries("keys", "setup"))
    assert standings(alice) == {"alice@example.com": "no_keys"}


def test_setup_on_a_terminal_asks_twice_and_shows_no_passphrase(here: Team) -> None:
    words = ["keys", "setup", "--data", str(here.folder)]
    code, shown = on_a_terminal(
        words,
        [b"New passphrase", b"New passphrase", b"Once more", b"New passphrase", b"Once more"],
        ["too short", PASSPHRASE, "another one, mistyped", PASSPHRASE, PASSPHRASE],
    )
    assert code == 0, shown
    assert "The two are not the same." in shown
    assert PASSPHRASE not in shown
    alice = here.person("alice@example.com", keys=False)
    assert alice.does("keys", "fingerprint") in shown


# --- Granting ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "holds"), [("y", "holds"), ("n", "waiting")])
def test_granting_on_a_terminal_shows_the_fingerprint_and_asks(here: Team, answer: str, holds: str) -> None:
    alice, bob = here.person("alice@example.com"), here.join("bob@example.com")
    words = ["keys", "grant", bob.email, *map(str, (*alice.here, *alice.unlocking))]
    code, shown = on_a_terminal(words, [b"Is it the same?"], [answer])
    assert code == (0 if answer == "y" else 1), shown
    assert bob.fingerprint in shown
    assert standings(alice)[bob.email] == holds


def test_without_a_terminal_nothing_is_granted_before_the_fingerprint_was_compared(here: Team) -> None:
    alice, bob = here.person("alice@example.com"), here.join("bob@example.com")
    ended = alice.tries("keys", "grant", bob.email)
    assert (ended.code, standings(alice)[bob.email]) == (1, "waiting")
    assert "Give --fingerprint TEXT" in ended.err


def test_a_new_key_for_somebody_unknown_names_what_a_script_does_first(here: Team) -> None:
    alice, bob = here.person("alice@example.com"), here.join("bob@example.com")
    alice.grants(bob)
    (here.folder / "known-keys.json").unlink()
    assert f"keys trust {bob.email} --fingerprint" in alice.tries("keys", "rotate", "--now").err


def test_a_wrong_fingerprint_grants_nothing(here: Team) -> None:
    alice, bob = here.person("alice@example.com"), here.join("bob@example.com")
    ended = alice.tries("keys", "grant", bob.email, "--fingerprint", alice.fingerprint)
    assert "fingerprint of bob was not confirmed" in sentence(ended)
    assert standings(alice)[bob.email] == "waiting"


def test_a_fingerprint_is_taken_however_it_is_written(here: Team) -> None:
    alice, bob = here.person("alice@example.com"), here.join("bob@example.com")
    written = bob.fingerprint.lower().replace(" ", "-")
    alice.does("keys", "grant", bob.email.upper(), "--fingerprint", written)
    assert standings(alice)[bob.email] == "holds"


def test_who_has_no_keys_or_is_nobody_is_granted_nothing(here: Team) -> None:
    alice = here.person("alice@example.com")
    here.join("bob@example.com", keys=False)
    assert "bob has no keys yet" in sentence(alice.tries("keys", "grant", "bob@example.com"))
    assert "no active member dora@example.com" in sentence(alice.tries("keys", "grant", "dora@example.com"))


def test_a_member_who_waits_cannot_pass_the_key_on(here: Team) -> None:
    here.person("alice@example.com")
    bob, carol = here.join("bob@example.com"), here.join("carol@example.com", "viewer")
    refused = bob.tries("keys", "grant", carol.email, "--fingerprint", carol.fingerprint)
    assert "You wait for the key" in sentence(refused)


def test_a_viewer_who_holds_the_key_grants_it(here: Team) -> None:
    alice, carol = here.person("alice@example.com"), here.join("carol@example.com", "viewer")
    alice.grants(carol)
    bob = here.join("bob@example.com")
    carol.grants(bob)
    assert standings(alice)[bob.email] == "holds"


# --- A server that lies --------------------------------------------------------------------------------------


def test_swapped_public_keys_are_refused_before_a_new_key_goes_out(here: Team) -> None:
    alice, bob = here.person("alice@example.com"), here.join("bob@example.com")
    alice.grants(bob)
    swap = "UPDATE user_keys SET x25519_public = randomblob(32) WHERE user_id = (SELECT id FROM users WHERE email = ?)"
    tampered(here, swap, bob.email)
    assert sentence(alice.tries("keys", "rotate", "--now")).startswith("STOP: the key of bob is not the one")
    assert alice.sees("keys", "show")["epoch"] == 1


def test_swapped_own_keys_do_not_open(here: Team) -> None:
    alice = here.person("alice@example.com")
    tampered(here, "UPDATE user_keys SET ed25519_public = randomblob(32)")
    assert "the stored keys were changed" in sentence(alice.tries("document", "show"))


def test_weaker_parameters_are_not_followed(here: Team) -> None:
    alice = here.person("alice@example.com")
    tampered(here, "UPDATE user_keys SET memory_kib = 8192")
    assert sentence(alice.tries("document", "show")).startswith("STOP: ")


def test_an_older_epoch_than_was_seen_is_told_loudly(here: Team) -> None:
    alice = here.person("alice@example.com")
    before = (here.folder / "memory.db").read_bytes()
    alice.does("keys", "rotate", "--now")
    (here.folder / "memory.db").write_bytes(before)
    assert "STOP: the service shows epoch 1, but this client has seen 2" in sentence(
        alice.tries("keys", "show", unlocked=False)
    )


def test_a_damaged_file_of_known_keys_is_named_and_not_begun_again(here: Team) -> None:
    alice = here.person("alice@example.com")
    known = here.folder / "known-keys.json"
    known.write_text("{")
    assert str(known) in sentence(alice.tries("document", "show"))
    assert known.read_text() == "{"


# --- Secrets that do not fit ---------------------------------------------------------------------------------


def test_a_wrong_passphrase_opens_nothing(here: Team) -> None:
    alice = here.person("alice@example.com")
    alice.choose(ANOTHER_PASSPHRASE)
    assert sentence(alice.tries("document", "show")).startswith(WRONG)


def test_without_a_terminal_the_passphrase_has_to_come_from_a_file(here: Team) -> None:
    alice = here.person("alice@example.com")
    ended = alice.tries("document", "show", unlocked=False)
    assert (ended.code, ended.out) == (2, "")
    assert "--passphrase-file" in ended.err


def test_the_passphrase_comes_from_standard_input_with_the_text_behind_it(here: Team) -> None:
    alice = here.person("alice@example.com")
    words = ("document", "save", "-", "--passphrase-file", "-")
    alice.does(*words, stdin=f"{PASSPHRASE}\n{TEXT}", unlocked=False)
    assert alice.does("document", "show") == TEXT.rstrip("\n")


def test_a_passphrase_file_that_is_no_text_is_named(here: Team) -> None:
    alice = here.person("alice@example.com")
    alice.passphrase_file.write_bytes(b"\xff\xfe\x00")
    assert "is no text in UTF-8" in sentence(alice.tries("document", "show"))


def test_who_has_no_keys_is_told_so_before_a_passphrase_is_asked_for(here: Team) -> None:
    alice = here.person("alice@example.com", keys=False)
    assert "You have no keys yet" in sentence(alice.tries("document", "show", unlocked=False))
    assert "You have no keys to replace" in sentence(
        alice.tries("keys", "replace", "--yes", "--password-stdin", stdin=PASSWORD + "\n")
    )


@pytest.mark.parametrize(
    ("written", "said"),
    [("8F6D N302", "recovery key"), ("0" * 56, "recovery key")],
    ids=["short", "mistyped"],
)
def test_a_mistyped_recovery_key_is_told_apart_and_not_repeated(here: Team, written: str, said: str) -> None:
    alice = here.person("alice@example.com")
    ended = alice.tries("keys", "recover", stdin=f"{written}\n")
    assert ended.code == 1
    assert said in ended.err.splitlines()[-1]
    assert written not in ended.err


# --- Replacing -----------------------------------------------------------------------------------------------


def test_keys_are_not_replaced_without_the_accounts_password(here: Team) -> None:
    alice = here.person("alice@example.com")
    ended = alice.tries("keys", "replace", "--yes", "--password-stdin", stdin="another password\n")
    assert ended.code == 1
    assert alice.does("keys", "fingerprint") == alice.fingerprint


def test_a_token_replaces_no_keys(here: Team) -> None:
    ended = here.person("alice@example.com", keys=False)
    refused = Person(ended.email, ("--url", "http://127.0.0.1:9", "--token", "wm_pat_x"), ended.own)
    said = refused.tries("keys", "replace", "--yes")
    assert (said.code, "--sign-in EMAIL" in said.err) == (2, True)


def test_replacing_asks_first(here: Team) -> None:
    alice = here.person("alice@example.com")
    assert "Give --yes" in sentence(alice.tries("keys", "replace"))
    assert "Give --yes" in sentence(alice.tries("keys", "recovery-key"))
    assert alice.does("keys", "fingerprint") == alice.fingerprint
