"""The users' page: levels one by one and together, roles, what ends a membership, links, clients, erasing."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.contract.keyed import Keyed
from tests.e2e.browser.looks import assert_looks_right
from tests.e2e.browser.visits import Visit, Visits
from tests.e2e.rest_calls import Json, listed, save

from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.ids import UserId
from workspace_memory.domain.item import Scope
from workspace_memory.services.members import change_member


def members(visits: Visits) -> dict[str, Json]:
    """The members as the service tells them, by name."""
    found = listed(visits.rest.by(visits.rest.live.world.alice).get("/members"), "members")
    return {str(each["name"]): each for each in found}


def promote(visits: Visits, user: UserId) -> None:
    world = visits.rest.live.world
    change_member(world.deps, world.by_hand(world.alice), world.workspace, user, role=Role.ADMIN)


def level_of(page: Page, name: str) -> str:
    """What the Memory column shows for a member."""
    field = page.get_by_role("combobox", name=f"Memory level of {name}")
    return field.evaluate("select => select.selectedOptions[0].textContent")


def menu(page: Page, name: str, entry: str) -> None:
    """Choose an entry of a member's menu."""
    page.get_by_role("button", name=f"More about {name}").click()
    page.get_by_role("menuitem", name=entry).click()


def open_as(visits: Visits, user: UserId) -> Visit:
    visit = visits.by(user)
    visit.open("users")
    expect(visit.page.get_by_role("table", name="Members")).to_be_visible()
    return visit


@pytest.mark.requirement("items:page:users-have-a-memory-column")
@pytest.mark.requirement("items:e2e:page-memory-column-and-bulk-bar")
def test_the_memory_column_shows_and_sets_what_each_members_clients_may_do(visits: Visits) -> None:
    page = open_as(visits, visits.rest.live.world.alice).page
    expect(page.get_by_role("columnheader", name="Memory")).to_be_visible()
    assert level_of(page, "bob") == "Inherit (Personal)"
    page.get_by_role("combobox", name="Memory level of bob").select_option("contribute")
    expect(page.get_by_text("The level of bob is “Contribute” now.")).to_be_visible()
    assert (level_of(page, "bob"), members(visits)["bob"]["memory_access"]) == ("Contribute", "contribute")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("combobox", name="Memory level of bob")).to_have_value("inherit")
    assert members(visits)["bob"]["memory_access"] == "inherit"


@pytest.mark.requirement("items:page:bulk-access-change")
@pytest.mark.requirement("items:e2e:page-memory-column-and-bulk-bar")
def test_the_level_of_all_chosen_members_is_set_in_one_request(visits: Visits) -> None:
    alice = open_as(visits, visits.rest.live.world.alice)
    page = alice.page
    page.get_by_role("checkbox", name="Choose all members that are listed").click()
    bar = page.get_by_role("region", name="Change the members that are chosen")
    expect(bar).to_contain_text("3 chosen")
    expect(bar).to_contain_text("All of them or none")
    bar.get_by_role("combobox").select_option("read")
    bar.get_by_role("button", name="Set level").click()
    expect(page.get_by_text("Set for 3 members; 3 had another level.")).to_be_visible()
    expect(bar).to_be_hidden()
    assert [level_of(page, name) for name in ("alice", "bob", "carol")] == ["Read"] * 3
    assert {str(each["memory_access"]) for each in members(visits).values()} == {"read"}
    assert len([sent for sent in alice.sent if sent.url.endswith("/memory/members/access")]) == 1


def test_when_one_of_the_chosen_is_gone_nobody_is_changed(visits: Visits) -> None:
    world = visits.rest.live.world
    page = open_as(visits, world.alice).page
    for name in ("bob", "carol"):
        page.get_by_role("checkbox", name=f"Choose {name}").click()
    assert visits.rest.by(world.carol).delete(f"/members/{world.carol}").status_code == 200
    bar = page.get_by_role("region", name="Change the members that are chosen")
    bar.get_by_role("combobox").select_option("read")
    bar.get_by_role("button", name="Set level").click()
    expect(bar.get_by_role("alert")).to_contain_text("Nobody was changed")
    expect(bar).to_contain_text("1 chosen")
    expect(page.get_by_role("row")).to_have_count(3)
    assert members(visits)["bob"]["memory_access"] == "inherit"


@pytest.mark.requirement("items:page:erase-personal-memory")
def test_personal_memory_is_erased_by_the_typed_name_and_nothing_of_it_is_shown(visits: Visits) -> None:
    world = visits.rest.live.world
    bob = visits.rest.by(world.bob)
    for text in ("likes violet ink", "sleeps until noon"):
        save(bob, text)
    alice = open_as(visits, world.alice)
    page = alice.page
    told: list[str] = []
    page.on("response", lambda answer: told.append(answer.text() if "/api/" in answer.url else ""))
    menu(page, "bob", "Erase personal memory")
    dialog = page.get_by_role("dialog", name="Erase the personal memory of bob?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    erase = dialog.get_by_role("button", name="Erase", exact=True)
    dialog.get_by_role("textbox", name="Type “bob” to erase").fill("carol")
    expect(erase).to_be_disabled()
    dialog.get_by_role("textbox").fill("bob")
    assert_looks_right(alice, widths=(320,))
    dialog.get_by_role("textbox").press("Enter")
    expect(page.get_by_text("2 personal items were erased")).to_be_visible()
    expect(page.get_by_text("in no file of the service any more")).to_be_visible()
    assert listed(bob.get("/memory/items")) == []
    assert not [text for text in told if "violet" in text or "noon" in text]


def test_the_last_admin_is_kept_and_the_reason_is_said(visits: Visits) -> None:
    world = visits.rest.live.world
    page = open_as(visits, world.alice).page
    page.get_by_role("combobox", name="Role of alice").select_option("editor")
    refusal = "This is the last active admin. Make another member an admin first."
    expect(page.get_by_role("row", name=re.compile("alice")).get_by_role("alert")).to_have_text(refusal)
    expect(page.get_by_role("combobox", name="Role of alice")).to_have_value("admin")
    menu(page, "alice", "Leave the workspace")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Leave the workspace").click()
    expect(dialog.get_by_role("alert")).to_have_text(refusal)
    assert members(visits)["alice"]["role"] == "admin"


def test_two_admins_change_the_same_member(visits: Visits) -> None:
    world = visits.rest.live.world
    promote(visits, world.bob)
    alice, bob = open_as(visits, world.alice).page, open_as(visits, world.bob).page
    bob.get_by_role("combobox", name="Memory level of carol").select_option("none")
    expect(bob.get_by_text("The level of carol is “None” now.")).to_be_visible()
    alice.get_by_role("combobox", name="Role of carol").select_option("editor")
    # Only the role was sent, and the answer brings what the other admin did.
    expect(alice.get_by_role("combobox", name="Memory level of carol")).to_have_value("none")
    menu(bob, "carol", "Remove from the workspace")
    bob.get_by_role("dialog").get_by_role("button", name="Remove from the workspace").click()
    expect(bob.get_by_text("carol is not a member any more. 0 personal items were deleted.")).to_be_visible()
    alice.get_by_role("combobox", name="Memory level of carol").select_option("read")
    expect(alice.get_by_role("row", name=re.compile("carol"))).to_have_count(0)


def test_who_loses_access_leaves_a_key_that_is_due_and_comes_back_without_it(visits: Visits) -> None:
    world = visits.rest.live.world
    keyed = Keyed(world)
    keyed.set_up(world.alice, world.bob)
    keyed.start(world.alice)
    keyed.grant(world.alice, world.bob)
    page = open_as(visits, world.alice).page
    menu(page, "bob", "Deactivate")
    dialog = page.get_by_role("dialog", name="Deactivate bob?")
    expect(dialog).to_contain_text("Nothing is deleted")
    dialog.get_by_role("button", name="Deactivate").click()
    expect(page.get_by_role("row", name=re.compile("bob"))).to_contain_text("Deactivated")
    expect(page.get_by_role("alert")).to_contain_text("The workspace key is due for renewal")
    menu(page, "bob", "Reactivate")
    expect(page.get_by_text("bob is active again.")).to_be_visible()
    page.get_by_role("button", name="To the keys").click()
    expect(page).to_have_url(re.compile(r"/settings#keys$"))
    expect(page.get_by_role("heading", name="Who holds the key")).to_be_in_viewport()


def test_others_see_who_is_there_and_may_leave(visits: Visits) -> None:
    world = visits.rest.live.world
    for user, name in ((world.bob, "bob"), (world.carol, "carol")):
        page = open_as(visits, user).page
        expect(page.get_by_role("region", name="Only admins change members")).to_be_visible()
        for role in ("combobox", "checkbox"):
            expect(page.get_by_role("table").get_by_role(role)).to_have_count(0)  # pyright: ignore[reportArgumentType]  both are roles
        expect(page.get_by_role("button", name="Invite")).to_have_count(0)
        expect(page.get_by_role("button", name="More about alice")).to_have_count(0)
        assert members(visits)[name]["role"] in {"editor", "viewer"}
    menu(page, "carol", "Leave the workspace")
    page.get_by_role("dialog").get_by_role("button", name="Leave the workspace").click()
    expect(page.get_by_role("heading", name="You are in no workspace")).to_be_visible()
    assert "carol" not in members(visits)


def test_links_are_shown_once_and_an_invitation_is_withdrawn(visits: Visits) -> None:
    world = visits.rest.live.world
    alice = open_as(visits, world.alice)
    page = alice.page
    expect(page.get_by_text("Nobody is invited at the moment.")).to_be_visible()
    page.get_by_role("button", name="Invite").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("textbox", name="E-mail address")).to_be_focused()
    dialog.get_by_role("textbox").fill("bob@example.com")
    dialog.get_by_role("button", name="Make the link").click()
    expect(dialog.get_by_role("alert")).to_have_text("This person is a member already.")
    dialog.get_by_role("textbox").fill("dora@example.com")
    dialog.get_by_role("combobox").select_option("viewer")
    dialog.get_by_role("button", name="Make the link").click()
    expect(dialog.get_by_text("The link names this machine alone.")).to_be_visible()
    link = dialog.get_by_role("group", name="Invitation link")
    expect(link).to_contain_text("/accept#wm_lnk_")
    assert_looks_right(alice, widths=(320,))
    dialog.get_by_role("button", name="Done").click()
    expect(page.get_by_text("wm_lnk_")).to_have_count(0)
    invitations = page.get_by_role("region", name="Open invitations")
    expect(invitations).to_contain_text("dora@example.com Viewer")
    invitations.get_by_role("button", name="Withdraw the invitation of dora@example.com").click()
    expect(page.get_by_text("Nobody is invited at the moment.")).to_be_visible()

    menu(page, "bob", "Make a password-reset link")
    dialog.get_by_role("button", name="Make the link").click()
    expect(dialog.get_by_role("group", name="Password-reset link")).to_contain_text("/accept#wm_lnk_")
    expect(dialog).to_contain_text("works once until")


def test_a_members_client_is_cut_off_and_what_it_wrote_undone_after_counting(visits: Visits) -> None:
    world = visits.rest.live.world
    world.set_level(world.bob, AccessLevel.CONTRIBUTE)
    client = visits.rest.by(world.bob)
    save(client, "An own secret plan")
    save(client, "We close at six", scope=Scope.ORGANIZATION.value)
    page = open_as(visits, world.alice).page
    menu(page, "bob", "Connected clients")
    dialog = page.get_by_role("dialog", name="Clients of bob")
    row = dialog.get_by_role("listitem").filter(has_text="1 company item")
    expect(row).to_contain_text("last used")
    expect(row).to_contain_text("up to “Contribute”")
    row.get_by_role("button", name="Undo what it wrote").click()
    undoing = page.get_by_role("dialog", name="Undo what Test client wrote")
    undoing.get_by_role("button", name="Count").click()
    expect(undoing.get_by_role("status")).to_contain_text("Company memory: 1 deleted, 0 put back.")
    expect(undoing.get_by_role("status")).to_contain_text("counted only afterwards")
    undoing.get_by_role("button", name="Undo it").click()
    expect(undoing.get_by_role("status")).to_contain_text("Personal memory: 1 deleted, 0 put back.")
    undoing.get_by_role("button", name="Close").click()
    row = dialog.get_by_role("listitem").filter(has_text="last used")
    row.get_by_role("button", name="Disconnect Test client").click()
    expect(row.get_by_role("button", name="Cancel")).to_be_focused()
    row.get_by_role("button", name="Disconnect", exact=True).click()
    expect(page.get_by_text("Test client is disconnected.")).to_be_visible()
    assert client.get("/members").status_code == 401


def test_members_are_found_by_a_part_of_name_or_address(visits: Visits) -> None:
    page = open_as(visits, visits.rest.live.world.alice).page
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("CAROL@ex")
    expect(page.get_by_role("row")).to_have_count(2)
    expect(page.get_by_text("1 member")).to_be_visible()
    page.get_by_role("searchbox").fill("nobody at all")
    page.get_by_role("button", name="Show all members").click()
    expect(page.get_by_role("row")).to_have_count(4)


def test_the_keyboard_alone_sets_the_level_of_two_members(visits: Visits) -> None:
    page = open_as(visits, visits.rest.live.world.alice).page
    page.get_by_role("searchbox").focus()
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(page.get_by_role("checkbox", name="Choose alice")).to_be_focused()
    page.keyboard.press("Space")
    for _ in range(4):
        page.keyboard.press("Tab")
    expect(page.get_by_role("checkbox", name="Choose bob")).to_be_focused()
    page.keyboard.press("Space")
    for _ in range(8):
        page.keyboard.press("Tab")
    expect(page.get_by_role("combobox", name="Memory level for all of them")).to_be_focused()
    page.keyboard.type("Read")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Set for 2 members; 2 had another level.")).to_be_visible()


def test_it_looks_right_in_every_width_and_in_german(visits: Visits) -> None:
    world = visits.rest.live.world
    alice = open_as(visits, world.alice)
    alice.page.get_by_text("What the levels mean").click()
    alice.page.get_by_role("checkbox", name="Choose bob").click()
    assert_looks_right(alice)
    german = visits.by(world.alice, language="de-DE", size=(320, 700))
    german.open("users")
    expect(german.page.get_by_role("table", name="Mitglieder")).to_be_visible()
    german.page.get_by_role("checkbox", name="bob auswählen").click()
    assert german.overflow() <= 0
