"""A workspace key that nobody holds any more, from the command line: told, begun anew after a question, written on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.command_line import PASSWORD, on_a_terminal, sentence, succeed
from tests.e2e.document_team import WAYS, Person, Team, gathered

TEXT = "# Team\n\n- We ship on Thursday\n"
LOST = "under a key that nobody holds any more"


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


def left_behind(team: Team) -> Person:
    """Alice, whose workspace's only holder, bob, has saved two versions and is gone."""
    bob = team.join("bob@example.com")
    bob.saves(TEXT)
    bob.saves(TEXT + "- New\n")
    alice = team.person("alice@example.com")
    succeed("member", "remove", bob.email, "--yes", "--data", team.folder)
    return alice


def begun_anew(alice: Person) -> None:
    alice.does("keys", "begin-anew", "--yes")


def test_a_lost_key_is_told_begun_anew_and_written_on(team: Team) -> None:
    alice = left_behind(team)
    assert "Nobody holds the key" in alice.tries("keys", "show", unlocked=False).err
    seen = alice.sees("keys", "show")
    assert (seen["nobody_holds"], seen["epoch"]) == (True, 1)
    said = sentence(alice.tries("document", "show"))
    assert "Nobody holds the key of this workspace any more" in said
    assert "keys begin-anew" in said
    assert "at epoch 2 now" in alice.tries("keys", "begin-anew", "--yes").err
    assert alice.sees("keys", "show")["nobody_holds"] is False
    for words in ((), ("--version", 1)):
        assert LOST in sentence(alice.tries("document", "show", *words))
    assert alice.saves("anew\n") == 3
    assert alice.does("document", "show") == "anew"
    carol = team.join("carol@example.com", "viewer")
    alice.grants(carol)
    assert carol.does("document", "show") == "anew"
    assert LOST in sentence(carol.tries("document", "show", "--version", 2))


def test_history_names_the_versions_that_nobody_can_read(here: Team) -> None:
    alice = left_behind(here)
    begun_anew(alice)
    alice.saves("anew\n")
    ended = alice.tries("document", "history", unlocked=False)
    assert ended.out.count("save") == 3
    assert f"{LOST}, so that nobody can read it: version 1, 2." in ended.err
    rows = alice.sees("document", "history")
    assert [(each["version"], each["key_lost"]) for each in rows] == [(3, False), (2, True), (1, True)]


def test_a_lost_version_is_cleared_and_not_undone_to(here: Team) -> None:
    alice = left_behind(here)
    begun_anew(alice)
    assert alice.sees("document", "clear", "--yes", unlocked=True)["version"] == 3
    assert LOST in sentence(alice.tries("document", "undo", "1"))
    assert LOST in sentence(alice.tries("document", "diff", "2", "3"))


def test_edit_says_that_the_draft_begins_empty(here: Team) -> None:
    alice = left_behind(here)
    begun_anew(alice)
    editor = alice.file(
        '#!/bin/sh\nwc -c < "$1" > "$1.size"\nprintf \'from the editor\\n\' > "$1"\n', "editor"
    )
    editor.chmod(0o700)
    ended = alice.tries("document", "edit", env={"EDITOR": str(editor)})
    assert (ended.code, "Your draft begins empty." in ended.err) == (0, True)
    assert alice.does("document", "show") == "from the editor"


# --- The question --------------------------------------------------------------------------------------------


def test_without_a_terminal_it_explains_and_begins_nothing(here: Team) -> None:
    alice = left_behind(here)
    ended = alice.tries("keys", "begin-anew")
    assert ended.code == 1
    assert "can never be read" in ended.err
    assert "Nothing was begun: there is nobody to ask. Give --yes" in ended.err
    assert alice.sees("keys", "show")["epoch"] == 1


@pytest.mark.parametrize(("answer", "epoch"), [("y", 2), ("n", 1)])
def test_on_a_terminal_it_asks(here: Team, answer: str, epoch: int) -> None:
    alice = left_behind(here)
    words = ["keys", "begin-anew", *map(str, (*alice.here, *alice.unlocking))]
    _, shown = on_a_terminal(words, [b"give up what is sealed?"], [answer])
    assert alice.sees("keys", "show")["epoch"] == epoch, shown


def test_a_key_that_somebody_holds_is_kept_and_the_holder_named(here: Team) -> None:
    bob = here.join("bob@example.com")
    alice = here.person("alice@example.com")
    said = sentence(alice.tries("keys", "begin-anew", "--yes"))
    assert "held by bob <bob@example.com>, who can grant it" in said
    assert bob.sees("keys", "show")["epoch"] == 1


def test_before_the_first_key_setup_is_named(here: Team) -> None:
    alice = here.person("alice@example.com", keys=False)
    said = sentence(alice.tries("keys", "begin-anew", "--yes"))
    assert "no key yet" in said
    assert "keys setup" in said


def test_setup_says_that_the_key_is_lost(here: Team) -> None:
    bob = here.join("bob@example.com")
    alice = here.person("alice@example.com", keys=False)
    succeed("member", "remove", bob.email, "--yes", "--data", here.folder)
    assert "keys begin-anew" in alice.tries("keys", "setup").err
    assert "keys begin-anew" in sentence(alice.tries("keys", "setup"))


def test_whoever_replaced_the_only_keys_begins_anew(here: Team) -> None:
    alice = here.person("alice@example.com")
    alice.saves(TEXT)
    alice.does("keys", "replace", "--yes", "--password-stdin", stdin=PASSWORD + "\n")
    begun_anew(alice)
    assert LOST in sentence(alice.tries("document", "show"))
    assert alice.saves("anew\n") == 2


# --- What leaving says ---------------------------------------------------------------------------------------


def test_removing_a_holder_names_the_command_that_follows(team: Team) -> None:
    alice, bob = team.person("alice@example.com"), team.join("bob@example.com")
    alice.grants(bob)
    ended = alice.tries("member", "remove", bob.email, "--yes", unlocked=False)
    assert "A new workspace key is due" in ended.err
    assert "keys rotate" in ended.err


def test_deactivating_a_holder_names_the_command_that_follows(team: Team) -> None:
    alice, bob = team.person("alice@example.com"), team.join("bob@example.com")
    alice.grants(bob)
    assert "keys rotate" in alice.tries("user", "deactivate", bob.email, unlocked=False).err


def test_removing_the_last_holder_says_that_the_key_is_lost(here: Team) -> None:
    bob = here.join("bob@example.com")
    alice = here.person("alice@example.com")
    ended = alice.tries("member", "remove", bob.email, "--yes", unlocked=False)
    assert "keys begin-anew" in ended.err


def test_removing_who_holds_no_key_names_nothing(here: Team) -> None:
    alice, bob = here.person("alice@example.com"), here.join("bob@example.com")
    assert alice.sees("member", "remove", bob.email, "--yes") == {"personal_items": 0, "key_due": "nothing"}
    carol = here.join("carol@example.com")
    assert "keys" not in alice.tries("member", "remove", carol.email, "--yes", unlocked=False).err
