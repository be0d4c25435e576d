"""Members, invitations, tokens, servers and workspaces over REST: who may do what."""

import json
import shlex
from pathlib import Path

import httpx2
import pytest
from tests.conftest import World
from tests.e2e import mcp_client
from tests.e2e.conftest import serving
from tests.e2e.rest_calls import NOBODY, Rest, body_of, inner, listed, refusal, save

from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.client_configuration import CLIENTS, PLACEHOLDER, PROGRAMS
from workspace_memory.services.members import change_member

# Method, path and body of everything that is for admins alone; {bob} and the like are filled in.
FOR_ADMINS: list[tuple[str, str, dict[str, object] | None]] = [
    ("PATCH", "{workspace}", {"name": "Coffee shop"}),
    ("GET", "{workspace}/invitations", None),
    ("POST", "{workspace}/invitations", {"email": "dora@example.com", "role": "viewer"}),
    ("DELETE", "{workspace}/invitations/{nobody}", None),
    ("PATCH", "{workspace}/members/{carol}", {"role": "admin"}),
    ("PATCH", "{workspace}/members/{carol}", {"memory_access": "contribute"}),
    ("POST", "{workspace}/members/{alice}/password-reset", None),
    ("POST", "{workspace}/servers", {"name": "Laptop"}),
    ("PATCH", "{workspace}/servers/{server}", {"name": "Laptop"}),
    ("DELETE", "{workspace}/servers/{server}", None),
    ("GET", "{workspace}/tokens?user_id={alice}", None),
    ("DELETE", "{workspace}/members/{alice}", None),
    ("DELETE", "{workspace}", {"confirm_name": "Tea shop"}),
]
FOR_EVERYBODY = [
    "{workspace}",
    "{workspace}/members",
    "{workspace}/members/{alice}",
    "{workspace}/servers",
    "{workspace}/servers/{server}",
    "{workspace}/servers/{server}/configurations",
    "{workspace}/tokens",
    "{workspace}/memory/status",
    "{workspace}/memory/items",
]


def filled(rest: Rest, path: str) -> str:
    cast = rest.live.world
    return path.format(
        workspace=rest.live.api_url,
        alice=cast.alice,
        bob=cast.bob,
        carol=cast.carol,
        server=cast.server,
        nobody=NOBODY,
    )


def test_what_is_for_admins_is_refused_to_editors_and_viewers(rest: Rest) -> None:
    cast = rest.live.world
    for user in (cast.bob, cast.carol):
        client = rest.by(user)
        for method, path, body in FOR_ADMINS:
            refused = client.request(method, filled(rest, path), json=body)
            assert refusal(refused) == (403, "forbidden"), (cast.people[user], method, path)


def test_what_is_for_admins_is_allowed_to_admins(rest: Rest) -> None:
    cast = rest.live.world
    change_member(cast.deps, cast.by_hand(cast.alice), cast.workspace, cast.bob, role=Role.ADMIN)
    bob = rest.by(cast.bob)
    for method, path, body in FOR_ADMINS[:-1]:
        answered = bob.request(method, filled(rest, path), json=body)
        expected = {404} if "{nobody}" in path else {200, 201, 204}
        assert answered.status_code in expected, (method, path, answered.text)
    renamed = {"confirm_name": "Coffee shop"}
    assert bob.request("DELETE", rest.live.api_url, json=renamed).status_code == 204
    assert refusal(bob.get(rest.live.api_url)) == (401, "not_authenticated")


def test_what_is_for_everybody_is_allowed_to_every_role(rest: Rest) -> None:
    cast = rest.live.world
    for user in (cast.alice, cast.bob, cast.carol):
        client = rest.by(user)
        for path in FOR_EVERYBODY:
            assert client.get(filled(rest, path)).status_code == 200, (cast.people[user], path)


def test_an_admins_token_capped_below_contribute_changes_nothing_for_others(rest: Rest) -> None:
    capped = rest.by(rest.live.world.alice, max_level=AccessLevel.PERSONAL)
    for method, path, body in FOR_ADMINS:
        if "tokens?" in path:
            continue  # looking at tokens changes nothing
        refused = capped.request(method, filled(rest, path), json=body)
        assert refusal(refused) == (403, "level_too_low"), (method, path)


def test_the_last_admin_can_neither_leave_nor_be_demoted_nor_deactivated(rest: Rest) -> None:
    cast = rest.live.world
    alice = rest.by(cast.alice)
    path = f"/members/{cast.alice}"
    for body in ({"role": "editor"}, {"role": "viewer"}, {"status": "deactivated"}):
        assert refusal(alice.patch(path, json=body)) == (409, "last_admin")
    assert refusal(alice.delete(path)) == (409, "last_admin")
    assert body_of(alice.get(path))["role"] == "admin"
    alice.patch(f"/members/{cast.bob}", json={"role": "admin"})
    assert alice.delete(path).status_code == 200


def test_a_deactivated_admin_does_not_count_as_the_one_that_is_left(rest: Rest) -> None:
    cast = rest.live.world
    alice = rest.by(cast.alice)
    alice.patch(f"/members/{cast.bob}", json={"role": "admin"})
    alice.patch(f"/members/{cast.bob}", json={"status": "deactivated"})
    assert refusal(alice.patch(f"/members/{cast.alice}", json={"role": "editor"})) == (409, "last_admin")


def test_a_changed_member_is_shown_and_the_rest_stays(rest: Rest) -> None:
    cast = rest.live.world
    alice = rest.by(cast.alice)
    answered = alice.patch(f"/members/{cast.carol}", json={"memory_access": "read"})
    assert {name: body_of(answered)[name] for name in ("role", "status", "memory_access")} == {
        "role": "viewer",
        "status": "active",
        "memory_access": "read",
    }


@pytest.mark.requirement("items:access:a-new-member-inherits")
def test_a_new_member_inherits_the_workspaces_level(rest: Rest) -> None:
    members = listed(rest.by(rest.live.world.bob).get("/members"), "members")
    assert {member["memory_access"] for member in members} == {"inherit"}


def test_leaving_deletes_the_personal_items_and_the_tokens_there(rest: Rest) -> None:
    cast = rest.live.world
    carol = rest.by(cast.carol)
    save(carol, "carol likes cocoa")
    save(carol, "carol likes tea")
    assert body_of(carol.delete(f"/members/{cast.carol}")) == {"personal_items": 2, "key_due": "nothing"}
    assert refusal(carol.get("/memory/items")) == (401, "not_authenticated")
    alice = rest.by(cast.alice)
    assert refusal(alice.get(f"/members/{cast.carol}")) == (404, "not_found")


def test_members_come_in_pages(rest: Rest) -> None:
    bob = rest.by(rest.live.world.bob)
    names: list[object] = []
    params: dict[str, str | int] = {"limit": 2}
    while params.get("cursor") != "None":
        page = bob.get("/members", params=params)
        names += [member["name"] for member in listed(page, "members")]
        params["cursor"] = str(body_of(page)["next_cursor"])
    assert names == ["alice", "bob", "carol"]


def test_inviting_a_member_again_is_a_conflict(rest: Rest) -> None:
    refused = rest.by(rest.live.world.alice).post(
        "/invitations", json={"email": "BOB@example.com", "role": "admin"}
    )
    assert refusal(refused) == (409, "already_member")


def test_a_withdrawn_invitation_is_listed_no_more_and_useless(rest: Rest) -> None:
    alice = rest.by(rest.live.world.alice)
    made = body_of(alice.post("/invitations", json={"email": "dora@example.com", "role": "editor"}))
    shown = listed(alice.get("/invitations"), "invitations")
    assert [(line["id"], line["email"], line["role"]) for line in shown] == [
        (made["id"], "dora@example.com", "editor")
    ]
    assert "wm_lnk_" not in alice.get("/invitations").text
    assert alice.delete(f"/invitations/{made['id']}").status_code == 204
    assert refusal(alice.delete(f"/invitations/{made['id']}")) == (404, "not_found")
    assert listed(alice.get("/invitations"), "invitations") == []
    facts = rest.nobody().post("/links/facts", json={"secret": str(made["url"]).partition("#")[2]})
    assert refusal(facts) == (404, "link_invalid")


def test_a_token_makes_none_that_may_do_more_than_itself(rest: Rest) -> None:
    capped = rest.by(rest.live.world.alice, max_level=AccessLevel.READ)
    refused = capped.post("/tokens", json={"name": "more", "max_level": "personal"})
    assert refusal(refused) == (403, "level_too_low")
    assert capped.post("/tokens", json={"name": "same", "max_level": "read"}).status_code == 201


def test_a_tokens_secret_is_shown_once(rest: Rest) -> None:
    bob = rest.by(rest.live.world.bob)
    made = bob.post("/tokens", json={"name": "Laptop", "max_level": "personal", "surface": "mcp"})
    assert str(body_of(made)["secret"]).startswith("wm_pat_")
    assert str(body_of(made)["secret"]) not in bob.get("/tokens").text
    shown = {token["name"]: token for token in listed(bob.get("/tokens"), "tokens")}
    assert shown["Laptop"]["last_used_at"] is None
    assert shown["Test client"]["last_used_at"] is not None


def test_tokens_are_revoked_by_their_owner_and_by_admins_alone(rest: Rest) -> None:
    cast = rest.live.world
    token = inner(rest.by(cast.bob).post("/tokens", json={"name": "x", "max_level": "read"}), "token")["id"]
    carol = rest.by(cast.carol)
    assert refusal(carol.delete(f"/tokens/{token}")) == (404, "not_found")
    assert carol.delete(f"/tokens/{token}").content == carol.delete(f"/tokens/{NOBODY}").content
    alice = rest.by(cast.alice)
    names = [each["name"] for each in listed(alice.get("/tokens", params={"user_id": cast.bob}), "tokens")]
    assert "x" in names
    assert alice.delete(f"/tokens/{token}").status_code == 204


def test_a_server_has_its_full_address_which_never_changes(rest: Rest) -> None:
    alice = rest.by(rest.live.world.alice)
    made = body_of(alice.post("/servers", json={"name": "Laptop"}))
    assert made["url"] == f"{rest.live.url}/mcp/{made['id']}"
    changed = alice.patch(f"/servers/{made['id']}", json={"name": "Desk", "chatgpt_tools": True})
    assert body_of(changed) == {**made, "name": "Desk", "chatgpt_tools": True}
    assert [each["name"] for each in listed(alice.get("/servers"), "servers")] == ["Memory", "Desk"]
    assert alice.delete(f"/servers/{made['id']}").status_code == 204
    assert refusal(alice.get(f"/servers/{made['id']}")) == (404, "not_found")


def test_a_configuration_leads_its_client_to_the_server(rest: Rest) -> None:
    world = rest.live.world
    told = rest.by(world.bob).get(f"/servers/{world.server}/configurations")
    found = {str(each["client"]): each for each in listed(told, "configurations")}
    assert [*found] == [*CLIENTS, *PROGRAMS]
    token = rest.live.token(world.bob)
    entry = json.loads(str(found["cursor"]["text"]).replace(PLACEHOLDER, token))["mcpServers"]["memory"]
    assert "memory_search" in mcp_client.tool_names(
        entry["url"], entry["headers"]["Authorization"].split()[1]
    )
    assert (found["claude-desktop"]["text"], found["claude-desktop"]["command"]) == (
        "",
        "workspace-memory connect claude-desktop --stdio",
    )
    assert f"/api/v1/workspaces/{world.workspace}/" in str(found["curl"]["text"])


def test_on_the_machine_itself_the_command_names_the_folder_of_the_service(
    world: World, tmp_path: Path
) -> None:
    for public_url, named in (("", ["--data", str(tmp_path)]), ("https://memory.example.com", [])):
        with serving(world, settings={"data": tmp_path, "public_url": public_url}) as live:
            clients = Rest(live)
            told = clients.by(world.bob).get(f"/servers/{world.server}/configurations")
            clients.close()
            found = {str(each["client"]): each for each in listed(told, "configurations")}
            assert shlex.split(str(found["claude-desktop"]["command"]))[4:] == named


def test_another_workspaces_server_is_not_found(rest: Rest) -> None:
    world = rest.live.world
    alice = rest.by(world.alice)
    path = f"/servers/{world.other_server}"
    for answered in (alice.get(path), alice.patch(path, json={"name": "x"}), alice.delete(path)):
        assert refusal(answered) == (404, "not_found")


def test_a_workspace_is_deleted_by_its_repeated_name_only(rest: Rest) -> None:
    alice = rest.by(rest.live.world.alice)
    wrong = alice.request("DELETE", rest.live.api_url, json={"confirm_name": "tea shop"})
    assert refusal(wrong) == (400, "invalid_request")
    assert alice.get(rest.live.api_url).status_code == 200


def test_a_token_makes_no_workspace_and_a_viewers_session_neither(rest: Rest) -> None:
    by_token = rest.by(rest.live.world.alice)
    url = f"{rest.live.url}/api/v1/workspaces"
    assert refusal(by_token.post(url, json={"name": "Second"})) == (403, "forbidden")
    carol = rest.signed_in("carol@example.com")
    assert refusal(carol.post("/workspaces", json={"name": "Second"})) == (403, "forbidden")


@pytest.mark.requirement("items:settings:default-access-starts-as-personal")
@pytest.mark.requirement("items:settings:write-mode-starts-as-approval")
def test_the_state_of_memory_says_role_level_settings_and_limits(rest: Rest) -> None:
    cast = rest.live.world
    cast.company_item()
    capped = rest.by(cast.carol, max_level=AccessLevel.READ)
    status = body_of(capped.get("/memory/status"))
    assert (status["role"], status["level"]) == ("viewer", "read")
    assert (status["default_access"], status["write_mode"]) == ("personal", "approval")
    assert status["counts"] == {
        "personal": 0,
        "personal_active": 0,
        "company_active": 1,
        "company_pending": 0,
        "to_review": 0,
        "to_confirm": 0,
    }
    assert status["limits"] == {
        "content_characters": 2_000,
        "tags": 10,
        "tag_characters": 50,
        "personal_items": 1_000,
        "workspace_items": 20_000,
        "bulk_items": 500,
    }


def test_a_changed_role_is_in_force_at_the_next_call(rest: Rest) -> None:
    cast = rest.live.world
    bob: httpx2.Client = rest.by(cast.bob)
    save(bob, "closes at six", scope="organization")
    change_member(cast.deps, cast.by_hand(cast.alice), cast.workspace, cast.bob, role=Role.VIEWER)
    refused = bob.post("/memory/items", json={"content": "closes at seven", "scope": "organization"})
    assert refusal(refused) == (403, "forbidden")
    change_member(
        cast.deps, cast.by_hand(cast.alice), cast.workspace, cast.bob, status=MemberStatus.DEACTIVATED
    )
    assert refusal(bob.get("/memory/items")) == (403, "forbidden")
