"""Users, tokens, workspaces and servers from the command line."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.command_line import PASSWORD, Ended, run, sentence, serving, set_up, succeed
from tests.e2e.in_thread import serving_here

from workspace_memory.client import WorkspaceMemory


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that alice has set up."""
    set_up(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[object, ...]]:
    """The options for a running server with alice's token."""
    folder = tmp_path_factory.mktemp("remote")
    token = set_up(folder)["token"]
    with serving_here(folder) as serve:
        yield ("--url", serve.url, "--token", token)


def invite(folder: Path, email: str = "bob@example.com", role: str = "editor") -> str:
    return succeed("user", "add", email, "--role", role, "--data", folder)


def accept(folder: Path, link: str, *words: object) -> Ended:
    return run("user", "accept", link, "--data", folder, "--password-stdin", *words, stdin=PASSWORD + "\n")


def test_an_invitation_makes_a_member(folder: Path) -> None:
    assert accept(folder, invite(folder), "--name", "Bob").code == 0
    members = json.loads(succeed("user", "list", "--data", folder, "--json"))
    assert [(each["email"], each["name"], each["role"]) for each in members] == [
        ("alice@example.com", "alice", "admin"),
        ("bob@example.com", "Bob", "editor"),
    ]


def test_a_link_works_once(folder: Path) -> None:
    link = invite(folder)
    accept(folder, link)
    assert "not valid" in sentence(accept(folder, link))


def test_the_bare_secret_is_enough(folder: Path) -> None:
    assert accept(folder, invite(folder).partition("#")[2]).code == 0


def test_a_link_of_this_machine_is_redeemed_while_no_server_runs(folder: Path) -> None:
    here = {"WORKSPACE_MEMORY_DATA": str(folder), "WORKSPACE_MEMORY_PUBLIC_URL": "http://127.0.0.1:9"}
    link = succeed("user", "add", "bob@example.com", env=here)
    succeed("user", "accept", link, "--password-stdin", stdin=PASSWORD + "\n", env=here)


def test_what_is_no_link_is_refused_plainly(folder: Path) -> None:
    assert "no one-time link" in sentence(accept(folder, "https://example.com/accept"))


def test_a_short_password_leaves_the_link_usable(folder: Path) -> None:
    link = invite(folder)
    ended = run("user", "accept", link, "--data", folder, "--password-stdin", stdin="short\n")
    assert (ended.code, ended.out) == (1, "")
    assert "at least 12 characters" in ended.err
    assert accept(folder, link).code == 0


def test_without_a_terminal_the_password_has_to_come_from_standard_input(folder: Path) -> None:
    ended = run("user", "accept", invite(folder), "--data", folder)
    assert ended.code == 2
    assert "--password-stdin" in ended.err


def test_inviting_a_member_again_is_refused(folder: Path) -> None:
    accept(folder, invite(folder))
    assert "member of the workspace already" in sentence(
        run("user", "add", "bob@example.com", "--data", folder)
    )


@pytest.mark.parametrize("way", ["folder", "remote"])
def test_an_open_invitation_is_listed_and_withdrawn(way: str, request: pytest.FixtureRequest) -> None:
    found = request.getfixturevalue(way)
    here = ("--data", found) if way == "folder" else found
    link = succeed("user", "add", "Dora@example.com", "--role", "editor", *here)
    listed = json.loads(succeed("user", "invitations", "--json", *here))
    assert [(each["email"], each["role"]) for each in listed] == [("Dora@example.com", "editor")]
    succeed("user", "withdraw", "dora@example.com", *here)
    assert json.loads(succeed("user", "invitations", "--json", *here)) == []
    assert run("user", "accept", link, "--password-stdin", *here[:2], stdin=PASSWORD + "\n").code == 1
    assert "No invitation waits" in sentence(run("user", "withdraw", "dora@example.com", *here))


def test_a_link_for_this_machine_alone_says_how_others_redeem_it(folder: Path) -> None:
    invite = ("user", "add", "bob@example.com", "--data", folder)
    assert "--url ADDRESS" in run(*invite).err
    public = {"WORKSPACE_MEMORY_PUBLIC_URL": "https://memory.example.com"}
    assert "--url ADDRESS" not in run(*invite, env=public).err


def test_a_new_password_is_set_by_a_reset_link(folder: Path) -> None:
    with serving(folder) as serve:
        link = succeed("user", "reset-password", "alice@example.com", "--data", folder)
        assert link.startswith(serve.url)
        accept(folder, link)
        with WorkspaceMemory(serve.url) as client:
            assert client.sign_in("alice@example.com", PASSWORD)


def test_a_reset_for_nobody_is_refused(folder: Path) -> None:
    assert "no such account" in sentence(run("user", "reset-password", "dave@example.com", "--data", folder))


def test_a_deactivated_person_may_do_nothing_until_activated(folder: Path) -> None:
    accept(folder, invite(folder))
    as_bob = ("--data", folder, "--as", "bob@example.com")
    succeed("user", "deactivate", "bob@example.com", "--data", folder)
    assert "deactivated" in sentence(run("items", "list", *as_bob))
    assert "deactivated" in succeed("user", "list", "--data", folder)
    succeed("user", "activate", "bob@example.com", "--data", folder)
    assert run("items", "list", *as_bob).code == 0


def test_the_last_admin_cannot_be_deactivated(folder: Path) -> None:
    assert "last active admin" in sentence(run("user", "deactivate", "alice@example.com", "--data", folder))


def test_people_are_managed_over_the_network(remote: tuple[object, ...]) -> None:
    link = succeed("user", "add", "bob@example.com", *remote)
    succeed("user", "accept", link, "--password-stdin", stdin=PASSWORD + "\n")
    succeed("user", "deactivate", "bob@example.com", *remote)
    members = json.loads(succeed("user", "list", "--json", *remote))
    assert {each["email"]: each["status"] for each in members} == {
        "alice@example.com": "active",
        "bob@example.com": "deactivated",
    }


def test_a_token_is_made_listed_and_revoked(folder: Path) -> None:
    made = json.loads(
        succeed(
            "token", "create", "--name", "Cursor", "--level", "read", "--mcp-only", "--json", "--data", folder
        )
    )
    assert (made["max_level"], made["surface"]) == ("read", "mcp")
    assert made["id"] in succeed("token", "list", "--data", folder)
    succeed("token", "revoke", made["id"], "--data", folder)
    assert made["id"] not in succeed("token", "list", "--data", folder)
    assert made["id"] in succeed("token", "list", "--all", "--data", folder)


def test_the_list_of_tokens_has_no_secret(folder: Path) -> None:
    secret = succeed("token", "create", "--name", "x", "--data", folder)
    assert secret.startswith("wm_pat_")
    assert "wm_pat_" not in succeed("token", "list", "--json", "--data", folder)


def test_a_revoked_token_is_refused_at_once(remote: tuple[object, ...]) -> None:
    made = json.loads(succeed("token", "create", "--name", "x", "--expires", 1, "--json", *remote))
    own = (*remote[:3], made["token"])
    succeed("items", "list", *own)
    succeed("token", "revoke", made["id"], *remote)
    assert "valid access token" in sentence(run("items", "list", *own))


def test_a_token_for_ai_clients_is_refused_by_the_command_line(remote: tuple[object, ...]) -> None:
    token = succeed("token", "create", "--name", "x", "--mcp-only", *remote)
    assert "MCP clients alone" in sentence(run("items", "list", *remote[:3], token))


def test_a_workspace_is_made_renamed_and_deleted(folder: Path) -> None:
    here = ("--data", folder)
    succeed("workspace", "create", "Tea shop", *here)
    succeed("workspace", "rename", "Tea house", "--workspace", "tea shop", *here)
    assert "Tea house" in succeed("workspace", "list", *here)
    succeed("workspace", "delete", "--workspace", "Tea house", "--confirm", "Tea house", *here)
    assert "Tea house" not in succeed("workspace", "list", *here)


def test_a_workspace_is_not_deleted_under_another_name(folder: Path) -> None:
    ended = run("workspace", "delete", "--confirm", "Other", "--data", folder)
    assert "repeat the workspace's name" in sentence(ended)


def test_among_several_workspaces_one_has_to_be_named(folder: Path) -> None:
    succeed("workspace", "create", "Tea shop", "--data", folder)
    said = sentence(run("items", "list", "--data", folder))
    assert "'My workspace', 'Tea shop'" in said
    succeed("items", "list", "--workspace", "Tea shop", "--data", folder)


@pytest.mark.parametrize("way", ["folder", "remote"])
def test_a_server_is_added_renamed_and_deleted(way: str, request: pytest.FixtureRequest) -> None:
    found = request.getfixturevalue(way)
    here = ("--data", found) if way == "folder" else found
    made = json.loads(succeed("server", "add", "Partners", "--json", *here))
    assert made["url"].endswith(f"/mcp/{made['id']}")
    succeed("server", "rename", made["id"], "Friends", *here)
    assert "Friends" in succeed("server", "list", *here)
    succeed("server", "delete", made["id"], "--yes", *here)
    assert made["id"] not in succeed("server", "list", *here)


@pytest.mark.parametrize("role", ["editor", "viewer"])
def test_after_an_invitation_the_printed_step_gives_a_client_its_token(
    remote: tuple[object, ...], role: str
) -> None:
    email = f"{role}@example.com"
    link = succeed("user", "add", email, "--role", role, *remote)
    accepted = run("user", "accept", link, "--password-stdin", stdin=PASSWORD + "\n")
    step = shlex.split(accepted.err.splitlines()[-1])
    words = [word.replace("CLIENT", "cursor") for word in step[1:]]
    assert words[-2:] == ["--sign-in", email]
    configuration = succeed(*words, "--password-stdin", stdin=PASSWORD + "\n")
    assert "Bearer wm_pat_" in configuration


def test_a_token_is_made_by_signing_in_and_the_session_ends(remote: tuple[object, ...]) -> None:
    link = succeed("user", "add", "dora@example.com", *remote)
    succeed("user", "accept", link, "--password-stdin", stdin=PASSWORD + "\n")
    words = ("--url", remote[1], "--sign-in", "dora@example.com", "--password-stdin")
    token = succeed("token", "create", "--name", "laptop", *words, stdin=PASSWORD + "\n")
    succeed("items", "add", "likes tea", "--url", remote[1], "--token", token)
    refused = sentence(run("token", "create", "--name", "x", *words, stdin="another password\n"))
    assert "wm_pat_" not in refused


def test_signing_in_to_several_workspaces_asks_for_one(folder: Path) -> None:
    accept(folder, succeed("user", "reset-password", "alice@example.com", "--data", folder))
    succeed("workspace", "create", "Tea shop", "--data", folder)
    with serving(folder) as serve:
        words = ("token", "create", "--name", "x", "--url", serve.url)
        words = (*words, "--sign-in", "alice@example.com", "--password-stdin")
        assert "--workspace" in sentence(run(*words, stdin=PASSWORD + "\n"))
        succeed(*words, "--workspace", "tea shop", stdin=PASSWORD + "\n")


def test_signing_in_wants_a_server(folder: Path) -> None:
    ended = run("token", "create", "--name", "x", "--sign-in", "alice@example.com", "--data", folder)
    assert (ended.code, ended.out) == (2, "")
    assert "--url" in ended.err


@pytest.mark.parametrize("way", ["folder", "remote"])
def test_a_token_is_revoked_by_its_id_which_a_name_is_told(way: str, request: pytest.FixtureRequest) -> None:
    found = request.getfixturevalue(way)
    here = ("--data", found) if way == "folder" else found
    made = json.loads(succeed("token", "create", "--name", "Gemini", "--json", *here))
    assert made["id"] in sentence(run("token", "revoke", "gemini", *here))
    succeed("token", "revoke", made["id"], *here)
    assert "revoked already" in run("token", "revoke", made["id"], *here).err


def test_a_link_says_until_when_with_time_and_zone(folder: Path) -> None:
    said = run("user", "reset-password", "alice@example.com", "--data", folder).err
    assert re.search(r"until \d{4}-\d\d-\d\d \d\d:\d\d UTC", said)


def test_the_list_of_people_has_their_ids(folder: Path) -> None:
    [alice] = json.loads(succeed("user", "list", "--json", "--data", folder))
    assert alice["id"] in succeed("user", "list", "--data", folder)


def test_a_wrong_address_is_said_before_the_password_is_asked_for(folder: Path) -> None:
    said = sentence(run("user", "accept", invite(folder), "--email", "bob", "--data", folder))
    assert "e-mail address" in said
