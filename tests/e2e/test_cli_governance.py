"""Settings, members, audit and clients from the command line: the data folder, beside a running server, over REST."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.e2e.command_line import PASSWORD, Ended, run, sentence, set_up, succeed
from tests.e2e.in_thread import Here, serving_here

from workspace_memory.cli.local import opened
from workspace_memory.domain.actor import Channel
from workspace_memory.domain.ids import UserId, WorkspaceId
from workspace_memory.domain.item import draft
from workspace_memory.services.authentication import authenticate_token
from workspace_memory.services.saving import save_item
from workspace_memory.settings import Settings

NOBODY = "dave@example.com"


@dataclass(frozen=True)
class Place:
    """A folder with alice as admin and bob as editor."""

    folder: Path
    workspace: WorkspaceId
    alice: UserId
    token: str

    def add_member(self, email: str, role: str = "editor") -> None:
        """Invite a person and redeem the link."""
        link = succeed("user", "add", email, "--role", role, "--data", self.folder)
        succeed("user", "accept", link, "--data", self.folder, "--password-stdin", stdin=PASSWORD + "\n")

    def save_through_client(self, text: str, *, token: str) -> str:
        """Save a personal text with a token's own AI client; the id of the item."""
        with opened(Settings(data=self.folder)) as way:
            actor = way.runner(authenticate_token, token, channel=Channel.CLIENT)
            return way.runner(save_item, actor, self.workspace, draft(text)).item.id


def place_in(folder: Path) -> Place:
    """Set a folder up."""
    made = set_up(folder)
    return Place(folder, WorkspaceId(made["workspace_id"]), UserId(made["user_id"]), made["token"])


@dataclass(frozen=True)
class Governing:
    """The command line by one of its ways, and the place that it reaches. `bob` is a member of this way alone."""

    place: Place
    bob: str
    way: tuple[object, ...]

    def __call__(self, *words: object, stdin: str = "") -> Ended:
        return run(*words, *self.way, stdin=stdin)

    def out(self, *words: object, stdin: str = "") -> str:
        return succeed(*words, *self.way, stdin=stdin)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, Here]]:
    place = place_in(tmp_path_factory.mktemp("served"))
    with serving_here(place.folder) as serve:
        yield place, serve


_numbers = iter(range(1_000))


@pytest.fixture(params=["folder", "beside a server", "url"])
def command(request: pytest.FixtureRequest, tmp_path: Path) -> Governing:
    """The command line by one of its ways, with a new member bob."""
    bob = f"bob{next(_numbers)}@example.com"
    if request.param == "folder":
        place, way = place_in(tmp_path), ("--data", tmp_path)
    else:
        place, serve = request.getfixturevalue("served")
        way = ("--data", place.folder)
        # The served place outlives the test: what an earlier one set would decide what this one may do.
        succeed("settings", "set", "--default-access", "personal", "--write-mode", "approval", *way)
        succeed("member", "level", "alice@example.com", "inherit", *way)
        if request.param == "url":
            way = ("--url", serve.url, "--token", place.token)
    place.add_member(bob)
    return Governing(place, bob, way)


def test_settings_are_shown_and_set(command: Governing) -> None:
    command.out("settings", "set", "--default-access", "read", "--write-mode", "auto")
    command.out("settings", "set", "--assistant-tokens-per-day", 500_000)
    shown = json.loads(command.out("settings", "show", "--json"))
    assert shown == {"default_access": "read", "write_mode": "auto", "assistant_tokens_per_day": 500_000}


def test_a_day_without_a_limit_is_said(command: Governing) -> None:
    said = command.out("settings", "set", "--assistant-tokens-per-day", 0)
    assert said.splitlines()[-1].split("  ") == ["assistant tokens", "no limit"]
    assert command("settings", "set", "--assistant-tokens-per-day", -1).code == 2


def test_a_setting_that_is_none_is_wrong_usage_with_the_allowed_values(command: Governing) -> None:
    ended = command("settings", "set", "--default-access", "inherit")
    assert ended.code == 2
    assert "'none', 'read', 'personal', 'contribute'" in ended.err


def test_levels_of_several_members_are_set(command: Governing) -> None:
    members = command.out("member", "level", "alice@example.com", command.bob, "contribute", "--json")
    assert {each["email"]: each["memory_access"] for each in json.loads(members)} == {
        "alice@example.com": "contribute",
        command.bob: "contribute",
    }


def test_a_level_that_does_not_exist_is_wrong_usage_with_those_that_do(command: Governing) -> None:
    ended = command("member", "level", command.bob, "write")
    assert (ended.code, ended.out) == (2, "")
    assert "'inherit', 'none', 'read', 'personal', 'contribute'" in ended.err


def test_a_level_for_a_stranger_changes_nobodys(command: Governing) -> None:
    assert NOBODY in sentence(command("member", "level", command.bob, NOBODY, "none"))
    members = json.loads(command.out("member", "list", "--json"))
    assert {each["email"]: each["memory_access"] for each in members}[command.bob] == "inherit"


def test_a_role_is_given(command: Governing) -> None:
    command.out("member", "role", command.bob, "viewer")
    members = json.loads(command.out("member", "list", "--json"))
    assert {each["email"]: each["role"] for each in members}[command.bob] == "viewer"


def test_a_members_personal_memory_is_erased_after_the_address_is_repeated(command: Governing) -> None:
    succeed("items", "add", "bob only", "--data", command.place.folder, "--as", command.bob)
    ended = command("member", "erase", command.bob, stdin=f"{command.bob}\n")
    assert (ended.code, ended.out) == (0, "Personal items deleted: 1.\n")
    assert "bob only" not in ended.err
    listed = run("items", "list", "--data", command.place.folder, "--as", command.bob)
    assert listed.out == ""


def test_another_address_erases_nothing(command: Governing) -> None:
    succeed("items", "add", "bob only", "--data", command.place.folder, "--as", command.bob)
    ended = command("member", "erase", command.bob, stdin="alice@example.com\n")
    assert ended.code == 1
    assert "Nothing was erased" in ended.err
    assert "bob only" in succeed("items", "list", "--data", command.place.folder, "--as", command.bob)


def test_nothing_is_erased_when_nobody_can_be_asked(command: Governing) -> None:
    succeed("items", "add", "bob's own", "--data", command.place.folder, "--as", command.bob)
    ended = command("member", "erase", command.bob)
    assert ended.code == 1
    assert "there is nobody to ask. Give --yes." in ended.err
    assert "bob's own" in succeed("items", "list", "--data", command.place.folder, "--as", command.bob)


def test_the_list_of_members_says_what_inherit_is(command: Governing) -> None:
    command.out("settings", "set", "--default-access", "read")
    assert "'inherit' is the workspace's default access: read." in command("member", "list").err


def test_a_removed_member_is_listed_no_more(command: Governing) -> None:
    command.out("member", "remove", command.bob, "--yes")
    assert command.bob not in command.out("member", "list")


def test_the_last_admin_is_not_removed(command: Governing) -> None:
    assert "last active admin" in sentence(command("member", "remove", "alice@example.com", "--yes"))


def test_what_was_decided_is_listed_by_action_and_member(command: Governing) -> None:
    command.out("member", "level", command.bob, "read")
    shown = command.out("audit", "list", "--action", "MEMORY_ACCESS_CHANGED", "--member", command.bob)
    assert shown.count("\n") == 0
    assert f"about {command.bob} " in shown
    assert "level_from=inherit level_to=read" in shown


def test_an_action_is_named_in_small_letters_too(command: Governing) -> None:
    command.out("member", "level", command.bob, "read")
    assert command.bob in command.out("audit", "list", "--action", "memory_access_changed")


def test_events_about_somebody_who_has_left_are_found_by_the_id(command: Governing) -> None:
    [bob] = [
        each["id"]
        for each in json.loads(command.out("member", "list", "--json"))
        if each["email"] == command.bob
    ]
    command.out("member", "remove", command.bob, "--yes")
    assert "keeps the id" in sentence(command("audit", "list", "--member", command.bob))
    assert "MEMBER_REMOVED" in command.out("audit", "list", "--member", bob)


def test_a_log_says_that_there_are_more_events(command: Governing) -> None:
    assert "--all" in command("audit", "list", "--limit", 1).err
    everything = json.loads(command.out("audit", "list", "--all", "--json"))
    assert everything["more"] is False
    assert everything["events"][-1]["number"] == 1


def test_a_whole_log_is_verified_against_its_exported_head(command: Governing, tmp_path: Path) -> None:
    head = tmp_path / "head.json"
    head.write_text(command.out("audit", "head"))
    command.out("member", "level", command.bob, "read")
    ended = command("audit", "verify", "--head", head)
    assert "Whole up to event" in ended.out
    assert f"It contains event {json.loads(head.read_text())['number']}" in ended.err


def test_what_is_no_head_is_a_plain_sentence(command: Governing, tmp_path: Path) -> None:
    head = tmp_path / "head.json"
    head.write_text('{"number": 1}')
    assert "is no head" in sentence(command("audit", "verify", "--head", head))


def test_a_client_is_listed_and_what_it_saved_is_removed(command: Governing) -> None:
    made = json.loads(command.out("token", "create", "--name", "Cursor", "--mcp-only", "--json"))
    item = command.place.save_through_client(f"saved for {command.bob}", token=made["token"])
    assert made["id"] in command.out("client", "list")
    removal = ("client", "remove-items", made["id"], "--since", "2020-01-01")
    planned = json.loads(command.out(*removal, "--dry-run", "--json"))
    assert planned["plan"]["personal_removed"] == 1
    assert item in command.out("items", "list", "--all")
    command.out(*removal, "--yes")
    assert item not in command.out("items", "list", "--all")


def test_the_clients_of_one_member_are_listed(command: Governing) -> None:
    made = json.loads(
        succeed(
            "token", "create", "--name", "X", "--json", "--data", command.place.folder, "--as", command.bob
        )
    )
    clients = json.loads(command.out("client", "list", "--member", command.bob, "--json"))
    assert [each["token"]["id"] for each in clients] == [made["id"]]
    assert "no such member" in sentence(command("client", "list", "--member", NOBODY))


@pytest.mark.parametrize(
    "words", [("token", "revoke", "Emacs"), ("client", "remove-items", "Emacs", "--since", "2020-01-01")]
)
def test_a_name_in_the_place_of_a_tokens_id_is_told_where_ids_are(
    command: Governing, words: tuple[str, ...]
) -> None:
    assert "'client list'" in sentence(command(*words))


def test_nothing_of_a_client_is_removed_when_nobody_can_be_asked(command: Governing) -> None:
    made = json.loads(command.out("token", "create", "--name", "Cursor", "--mcp-only", "--json"))
    item = command.place.save_through_client(f"kept for {command.bob}", token=made["token"])
    ended = command("client", "remove-items", made["id"], "--since", "2020-01-01")
    assert ended.code == 1
    assert "Give --yes" in ended.err
    assert item in command.out("items", "list", "--all")


def test_a_changed_event_breaks_the_log_at_its_number(tmp_path: Path) -> None:
    set_up(tmp_path)
    succeed("settings", "set", "--default-access", "read", "--data", tmp_path)
    with sqlite3.connect(tmp_path / "memory.db") as database:
        # As somebody would who has the file: what forbids it is in the file too.
        triggers = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_events'"
        )
        for (name,) in triggers.fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute("UPDATE audit_events SET facts = '{}' WHERE number = 2")
    database.close()
    ended = run("audit", "verify", "--data", tmp_path)
    assert (ended.code, ended.out) == (1, "")
    assert "Broken at event 2" in ended.err


def test_the_head_of_another_workspace_is_refused(tmp_path: Path) -> None:
    set_up(tmp_path)
    succeed("workspace", "create", "Tea shop", "--data", tmp_path)
    head = tmp_path / "head.json"
    head.write_text(succeed("audit", "head", "--workspace", "Tea shop", "--data", tmp_path))
    ended = run("audit", "verify", "--head", head, "--workspace", "My workspace", "--data", tmp_path)
    assert "another workspace" in sentence(ended)


def test_an_account_is_deleted_with_its_personal_memory(tmp_path: Path) -> None:
    place = place_in(tmp_path)
    place.add_member("bob@example.com")
    succeed("items", "add", "bob only", "--data", tmp_path, "--as", "bob@example.com")
    ended = run("user", "delete", "bob@example.com", "--data", tmp_path, stdin="Bob@example.com\n")
    assert ended.code == 0
    assert "Personal items deleted: 1." in ended.err
    assert "bob@example.com" not in succeed("member", "list", "--data", tmp_path)
    assert all(b"bob only" not in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_a_token_cannot_delete_an_account(served: tuple[Place, Here]) -> None:
    place, serve = served
    way = ("--url", serve.url, "--token", place.token)
    refused = sentence(run("user", "delete", "alice@example.com", "--yes", *way))
    assert "cannot delete" in refused
    assert "--sign-in alice@example.com" in refused


def signing_in(serve: Here, email: str) -> tuple[object, ...]:
    return ("--url", serve.url, "--sign-in", email, "--password-stdin", "--yes")


def test_a_person_deletes_the_own_account_by_signing_in(served: tuple[Place, Here]) -> None:
    place, serve = served
    email = f"dora{next(_numbers)}@example.com"
    place.add_member(email)
    succeed("items", "add", "dora likes cocoa", "--data", place.folder, "--as", email)
    wrong = run("user", "delete", email, *signing_in(serve, email), stdin="another long password\n")
    assert "password" in sentence(wrong)
    assert email in succeed("member", "list", "--data", place.folder)
    ended = run("user", "delete", email, *signing_in(serve, email), stdin=PASSWORD + "\n")
    assert (ended.code, "Personal items deleted: 1." in ended.err) == (0, True)
    assert email not in succeed("member", "list", "--data", place.folder)


def test_who_signs_in_deletes_nobody_else(served: tuple[Place, Here]) -> None:
    place, serve = served
    email = f"dora{next(_numbers)}@example.com"
    place.add_member(email)
    ended = run("user", "delete", "alice@example.com", *signing_in(serve, email), stdin=PASSWORD + "\n")
    assert (ended.code, ended.out) == (2, "")
    assert "own account alone" in ended.err
    assert "alice@example.com" in succeed("member", "list", "--data", place.folder)


@pytest.mark.parametrize(
    "words",
    [
        ("settings", "set", "--write-mode", "auto"),
        ("member", "level", "bob@example.com", "contribute"),
        ("member", "erase", "alice@example.com", "--yes"),
        ("client", "list"),
        ("licence", "show"),
    ],
)
@pytest.mark.parametrize("role", ["editor", "viewer"])
def test_an_editor_or_viewer_governs_nothing(tmp_path: Path, words: tuple[str, ...], role: str) -> None:
    place_in(tmp_path).add_member("bob@example.com", role)
    assert "admin" in sentence(run(*words, "--data", tmp_path, "--as", "bob@example.com"))
