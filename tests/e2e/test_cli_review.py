"""Review from the command line, by each of its ways: the data folder, beside a running server, over REST."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.e2e.command_line import Ended, run, sentence, set_up, succeed
from tests.e2e.in_thread import Here, serving_here

from workspace_memory.cli.local import opened
from workspace_memory.domain.actor import Actor, Channel
from workspace_memory.domain.ids import ItemId, UserId, WorkspaceId
from workspace_memory.domain.item import Scope, draft
from workspace_memory.services.saving import save_item
from workspace_memory.settings import Settings

MISSING = "01900000-0000-7000-8000-000000000000"


@dataclass(frozen=True)
class Place:
    """A folder that alice has set up, and what reaches it."""

    folder: Path
    workspace: WorkspaceId
    alice: UserId
    token: str

    def propose(self, text: str, *, replaces: str | None = None) -> str:
        """Let alice's AI client save company memory; the id of what waits."""
        client = Actor(self.alice, Channel.CLIENT, "Claude Code", workspace=self.workspace)
        wanted = draft(text, scope=Scope.ORGANIZATION)
        with opened(Settings(data=self.folder)) as way:
            saved = way.runner(
                save_item,
                client,
                self.workspace,
                wanted,
                replaces=None if replaces is None else ItemId(replaces),
            )
        return saved.item.id


def place_in(folder: Path) -> Place:
    """Set a folder up; alice's AI client may contribute."""
    made = set_up(folder)
    place = Place(folder, WorkspaceId(made["workspace_id"]), UserId(made["user_id"]), made["token"])
    succeed("member", "level", "alice@example.com", "contribute", "--data", folder)
    return place


@dataclass(frozen=True)
class Reviewing:
    """The command line by one of its ways, and the place that it reaches."""

    place: Place
    name: str
    way: tuple[object, ...]

    def __call__(self, *words: object) -> Ended:
        return run(*words, *self.way)

    def propose(self, text: str, *, replaces: str | None = None) -> str:
        """Let the AI client propose a text; two ways share a folder, and no text comes twice."""
        return self.place.propose(f"{text} ({self.name})", replaces=replaces)

    def out(self, *words: object) -> str:
        return succeed(*words, *self.way)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, Here]]:
    place = place_in(tmp_path_factory.mktemp("served"))
    with serving_here(place.folder) as serve:
        yield place, serve


@pytest.fixture(params=["folder", "beside a server", "url"])
def command(request: pytest.FixtureRequest, tmp_path: Path) -> Reviewing:
    """The command line by one of its ways."""
    if request.param == "folder":
        return Reviewing(place_in(tmp_path), "folder", ("--data", tmp_path))
    place, serve = request.getfixturevalue("served")
    if request.param == "url":
        return Reviewing(place, "url", ("--url", serve.url, "--token", place.token))
    return Reviewing(place, "beside", ("--data", place.folder))


def test_a_proposal_is_listed_with_who_which_client_and_when(command: Reviewing) -> None:
    item = command.propose("The office moves to Bremen in May")
    shown = command.out("review", "list", "--all")
    entry = shown[shown.index(f"{item}@1") :]
    assert "by alice through Claude Code, 20" in entry
    assert "The office moves to Bremen in May" in entry


def test_an_approved_item_is_found(command: Reviewing) -> None:
    item = command.propose("The printer stands on the second floor")
    assert item not in command.out("items", "search", "printer")
    command.out("review", "approve", f"{item}@1")
    assert item in command.out("items", "search", "printer")


def test_several_are_approved_at_once(command: Reviewing) -> None:
    items = [command.propose(f"Room {number} has a projector") for number in (21, 22)]
    ended = command("review", "approve", *(f"{item}@1" for item in items))
    assert (ended.code, ended.err) == (0, "2 items approved.\n")


def test_what_cannot_be_approved_is_named_and_the_rest_is_done(command: Reviewing) -> None:
    item = command.propose("The lift is repaired on Mondays")
    ended = command("review", "approve", f"{item}@1", f"{MISSING}@1")
    assert ended.code == 1
    assert f"{MISSING} was not approved: There is no such item." in ended.err
    assert "1 of 2 items were not approved" in ended.err
    assert item in command.out("items", "search", "lift")


def test_another_version_than_the_one_shown_is_not_approved(command: Reviewing) -> None:
    item = command.propose("The bakery next door opens at seven")
    assert "version" in sentence(command("review", "approve", f"{item}@2"))


def test_nobody_approves_twice(command: Reviewing) -> None:
    item = command.propose("The bicycle cellar is shared")
    command.out("review", "approve", f"{item}@1")
    assert "active" in sentence(command("review", "approve", f"{item}@1"))


def test_what_was_rejected_or_deleted_is_not_approved(command: Reviewing) -> None:
    rejected, deleted = (command.propose(f"The {room} is painted in May") for room in ("hall", "attic"))
    command.out("review", "reject", f"{rejected}@1")
    command.out("items", "forget", deleted)
    assert "rejected" in sentence(command("review", "approve", f"{rejected}@1"))
    assert "no such item" in sentence(command("review", "approve", f"{deleted}@1"))


def test_a_bare_id_is_shown_and_needs_somebody_to_ask(command: Reviewing) -> None:
    item = command.propose("The garden gate sticks")
    ended = command("review", "approve", item)
    assert ended.code == 1
    assert "The garden gate sticks" in ended.out
    assert (
        f"Nothing was decided: there is nobody to ask. Name the version that was read, {item}@1" in ended.err
    )
    command.out("review", "approve", item, "--yes")


def test_a_rejected_item_is_shown_to_its_author_with_the_reason(command: Reviewing) -> None:
    item = command.propose("The heating is off on Sundays")
    command.out("review", "reject", f"{item}@1", "--reason", "That was last year")
    shown = command.out("items", "list", "--status", "rejected", "--scope", "organization")
    assert "Rejected: That was last year" in shown[shown.index(item) :]


def test_a_proposed_change_is_shown_as_a_difference_and_carried_out(command: Reviewing) -> None:
    item = command.out(
        "items", "add", f"The canteen opens at noon ({command.name})", "--scope", "organization"
    )
    proposal = command.propose("The canteen opens at one", replaces=item)
    shown = command.out("review", "list", "--all")
    entry = shown[shown.index(f"{proposal}@1/1") :]
    assert "- The canteen opens at noon" in entry
    assert "+ The canteen opens at one" in entry
    command.out("review", "approve", f"{proposal}@1/1")
    assert "The canteen opens at one" in command.out("items", "history", item)


def test_similar_items_are_named(command: Reviewing) -> None:
    text = "Invoices are sent to accounting on the last working day of each month"
    item = command.out("items", "add", f"{text} ({command.name})", "--scope", "organization")
    proposal = command.propose(text.replace("last", "first"))
    listed = json.loads(command.out("review", "list", "--all", "--json"))
    [entry] = [each for each in listed["entries"] if each["item"]["id"] == proposal]
    assert item in [each["id"] for each in entry["similar"]]


def test_a_hidden_character_is_made_visible(command: Reviewing) -> None:
    item = command.propose("Coffee\u00a0beans are in the left cupboard")
    shown = command.out("review", "list", "--all")
    entry = shown[shown.index(item) :]
    assert "Coffee⟦U+00A0⟧beans" in entry
    assert "Hidden characters: 1 × U+00A0 NO-BREAK SPACE" in entry


def test_an_item_is_confirmed_until_the_next_date(command: Reviewing) -> None:
    item = command.out(
        "items", "add", f"The lease ends in 2031 ({command.name})", "--review-by", "2025-01-01"
    )
    due = json.loads(command.out("review", "list", "--json"))["to_confirm"]
    assert item in [each["id"] for each in due]
    command.out("review", "confirm", f"{item}@1", "--review-by", "2099-01-01")
    due = json.loads(command.out("review", "list", "--json"))["to_confirm"]
    assert item not in [each["id"] for each in due]


def test_what_is_no_handle_is_wrong_usage(command: Reviewing) -> None:
    ended = command("review", "approve", "x@y")
    assert ended.code == 2
    assert "ID@VERSION" in ended.err
