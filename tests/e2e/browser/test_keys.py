"""Keys in the browser: set up, opened, recovered, replaced, passed on, made anew, and a service that lies."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Route, expect
from tests.e2e.browser.gate import ANOTHER_PASSPHRASE, PASSPHRASE, Gate, keyholders
from tests.e2e.browser.visits import PHONE, WIDTHS, Visits
from tests.e2e.rest_calls import PASSWORD

from workspace_memory.services.members import remove_member

Told = dict[str, Any]


def at_memory(visits: Visits, name: str, **how: Any) -> Gate:
    """Somebody of the cast before the gate."""
    visit = visits.by(getattr(visits.rest.live.world, name), **how)
    visit.open("memory")
    return Gate(visit)


def lie(gate: Gate, change: Callable[[Told], None]) -> None:
    """Change what the service tells of the workspace's keys."""

    def changed(route: Route) -> None:
        told = route.fetch().json()
        change(told)
        route.fulfill(content_type="application/json", body=json.dumps(told))

    gate.visit.page.route("**/workspaces/*/keys", changed)


def test_the_first_time_a_passphrase_a_recovery_key_and_the_workspace_key(visits: Visits) -> None:
    carol = at_memory(visits, "carol")
    carol.choose(PASSPHRASE, action="Make my keys")
    carol.keep()
    carol.title("This workspace has no key yet")
    carol.says("An admin or an editor makes it by opening this page: alice and bob.")
    alice = at_memory(visits, "alice")
    page = alice.visit.page
    alice.title("Choose a passphrase")
    alice.choose("too short", action="Make my keys")
    alice.says("At least 12 characters, please.")
    alice.field("Passphrase").fill(PASSPHRASE)
    alice.says("The two are not the same.")
    assert not alice.visit.axe()
    alice.choose(PASSPHRASE, action="Make my keys")
    alice.title("Keep your recovery key")
    with page.expect_download() as download:
        alice.press("Download")
    downloaded = Path(download.value.path()).read_text()
    # Another page and back: what was not kept is still shown.
    page.get_by_role("link", name="Memory items").click()
    page.get_by_role("link", name="Memory", exact=True).click()
    recovery_key = alice.keep()
    assert recovery_key in downloaded
    alice.is_open()
    carol.title("Waiting for the key of this workspace")
    sent = "\n".join(alice.visit.bodies())
    assert PASSPHRASE not in sent
    assert not any(group in sent for group in recovery_key.split())


def test_keys_are_locked_by_hand_and_by_signing_out(visits: Visits, tmp_path: Path) -> None:
    with keyholders(visits.rest.live, tmp_path, visits.rest.live.world.alice):
        alice = at_memory(visits, "alice")
        page = alice.visit.page
        alice.title("Unlock the Memory document")
        alice.unlock("not the passphrase")
        alice.says("This passphrase does not open your keys.")
        alice.unlock()
        alice.is_open()
        page.keyboard.press("Control+k")
        page.keyboard.type("lock the")
        page.keyboard.press("Enter")
        alice.title("Unlock the Memory document")
        alice.unlock()
        alice.is_open()
        alice.press("Sign out")
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        # In the very same page, which is not loaded anew.
        alice.field("E-mail address").fill("alice@example.com")
        alice.field("Password").fill(PASSWORD)
        alice.field("Password").press("Enter")
        alice.title("Unlock the Memory document")


def test_the_recovery_key_opens_and_asks_for_a_new_passphrase(visits: Visits, tmp_path: Path) -> None:
    world = visits.rest.live.world
    with keyholders(visits.rest.live, tmp_path, world.alice) as holders:
        recovery_key = holders[world.alice].new_recovery_key()
        alice = at_memory(visits, "alice")
        alice.press("Use the recovery key instead")
        recovery = alice.field("Recovery key")
        recovery.fill(recovery_key[:-1])
        alice.press("Open my keys")
        alice.says("A recovery key has 56 characters.")
        recovery.fill(recovery_key.lower().replace(" ", "-"))
        alice.press("Open my keys")
        alice.title("Choose a new passphrase")
        alice.choose(ANOTHER_PASSPHRASE, action="Use this passphrase", label="New passphrase")
        alice.is_open()
        alice.press("Lock the Memory document")
        alice.unlock(ANOTHER_PASSPHRASE)
        alice.is_open()
        sent = "\n".join(alice.visit.bodies())
        assert PASSPHRASE not in sent
        assert ANOTHER_PASSPHRASE not in sent
        assert recovery_key.split()[0].lower() not in sent.lower()


def test_the_key_is_passed_on_after_the_fingerprint_was_compared(visits: Visits, tmp_path: Path) -> None:
    with keyholders(visits.rest.live, tmp_path, visits.rest.live.world.alice):
        bob = at_memory(visits, "bob")
        bob.choose(PASSPHRASE, action="Make my keys")
        bob.keep()
        bob.title("Waiting for the key of this workspace")
        bob.says("alice@example.com")
        own = bob.fingerprint("Your fingerprint")
        alice = at_memory(visits, "alice")
        alice.unlock()
        alice.says("bob waits for the key of this workspace")
        alice.visit.page.get_by_role("button", name="Pass the key on to bob").first.click()
        assert alice.fingerprint("Fingerprint of bob") == own
        assert not alice.visit.axe()
        alice.press("It is the same: pass the key on")
        alice.says("bob holds the key now.")
        bob.is_open()


def test_after_somebody_has_left_the_next_key_is_made_for_the_others(visits: Visits, tmp_path: Path) -> None:
    world = visits.rest.live.world
    with keyholders(visits.rest.live, tmp_path, world.alice, world.bob, world.carol) as holders:
        remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.carol)
        alice = at_memory(visits, "alice")
        alice.unlock()
        alice.says("Somebody who had the key has left")
        alice.press("Make a new key now")
        dialog = alice.visit.page.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        expect(dialog).to_contain_text("The new key goes to alice and bob.")
        expect(dialog).to_contain_text("All open Assistant sessions of this workspace end")
        dialog.get_by_role("button", name="Cancel").click()
        assert holders[world.bob].state().epoch == 1
        alice.press("Make a new key now")
        dialog.get_by_role("button", name="Make a new key now").click()
        # This browser has not met bob, and the service could have made him up.
        alice.says("Is this bob?")
        assert alice.fingerprint("Fingerprint of bob") == holders[world.bob].fingerprint()
        alice.press("It is the same: go on")
        alice.says("The workspace has a new key.")
        expect(alice.visit.page.get_by_text("Somebody who had the key has left")).to_have_count(0)
        assert sorted(holders[world.bob].keyring()) == [1, 2]


def test_who_has_lost_both_replaces_the_keys_and_others_compare_them_anew(
    visits: Visits, tmp_path: Path
) -> None:
    world = visits.rest.live.world
    with keyholders(visits.rest.live, tmp_path, world.alice) as holders:
        alice = at_memory(visits, "alice")
        bob = at_memory(visits, "bob")
        bob.choose(PASSPHRASE, action="Make my keys")
        bob.keep()
        alice.unlock()
        alice.visit.page.get_by_role("button", name="Pass the key on to bob").first.click()
        alice.press("It is the same: pass the key on")
        bob.is_open()
        bob.press("Lock the Memory document")
        bob.press("I have lost both")
        bob.says("In this workspace the key is held by alice.")
        bob.field("Password of your account").fill(PASSWORD)
        bob.choose(ANOTHER_PASSPHRASE, action="Replace my keys", label="New passphrase")
        bob.keep()
        bob.title("Waiting for the key of this workspace")
        own = bob.fingerprint("Your fingerprint")
        # Open keys are in the memory of the page alone.
        alice.visit.page.reload()
        alice.title("Unlock the Memory document")
        expect(alice.field("Passphrase")).to_be_focused()
        alice.unlock()
        alice.visit.page.get_by_role("button", name="Pass the key on to bob").first.click()
        alice.title("The key of bob is not the one that this browser knows")
        assert alice.fingerprint("Shown by the server now") == own
        expect(alice.visit.page.get_by_role("button", name="Trust the new key")).to_be_disabled()
        alice.visit.page.get_by_role("checkbox").check()
        alice.press("Trust the new key")
        alice.press("It is the same: pass the key on")
        bob.is_open()
        assert holders[world.alice].state().rotation_due


def test_a_key_that_nobody_holds_is_begun_anew_by_who_may(visits: Visits, tmp_path: Path) -> None:
    world = visits.rest.live.world
    with keyholders(visits.rest.live, tmp_path, world.bob) as holders:
        remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob)
        del holders
        carol = at_memory(visits, "carol")
        carol.choose(PASSPHRASE, action="Make my keys")
        carol.keep()
        carol.title("Nobody holds the key of this workspace any more")
        carol.says("An admin or an editor can begin anew: alice.")
        alice = at_memory(visits, "alice")
        alice.choose(PASSPHRASE, action="Make my keys")
        alice.keep()
        alice.press("Begin anew…")
        dialog = alice.visit.page.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        alice.press("Begin anew")
        alice.is_open()
        carol.title("Waiting for the key of this workspace")


def test_a_service_that_shows_less_than_before_is_not_believed(visits: Visits, tmp_path: Path) -> None:
    world = visits.rest.live.world
    with keyholders(visits.rest.live, tmp_path, world.alice) as holders:
        holders[world.alice].rotate(lambda _: True, even_if_not_due=True)
        alice = at_memory(visits, "alice")
        alice.unlock()
        alice.is_open()

        def roll_back(told: Told) -> None:
            told["epoch"] = 1
            told["epochs"] = told["epochs"][1:]

        lie(alice, roll_back)
        alice.visit.page.reload()
        alice.title("The server shows less than it did before")
        assert not alice.visit.axe()
        expect(alice.visit.page.get_by_label("Passphrase")).to_have_count(0)
        alice.visit.page.unroute_all()
        alice.press("Look again")
        alice.title("Unlock the Memory document")
        lie(alice, lambda told: told["own_grant"].update(signature="A" * 86))
        alice.unlock()
        alice.title("What the server sent cannot be trusted")
        alice.says("A key does not carry the signature of the person it is said to come from.")


def test_the_settings_show_who_holds_the_key_and_make_the_next_one(visits: Visits, tmp_path: Path) -> None:
    world = visits.rest.live.world
    with keyholders(visits.rest.live, tmp_path, world.alice, world.bob) as holders:
        visit = visits.by(world.alice)
        visit.open("settings")
        alice = Gate(visit)
        members = visit.page.get_by_role("region", name="Who holds the key")
        expect(members.get_by_role("listitem").filter(has_text="bob")).to_contain_text("Holds the key")
        expect(members.get_by_role("listitem").filter(has_text="carol")).to_contain_text("Has no keys yet")
        expect(members).to_contain_text(holders[world.alice].fingerprint())
        members.get_by_role("button", name="Unlock").click()
        alice.unlock()
        members.get_by_role("button", name="Make a new key…").click()
        visit.page.get_by_role("dialog").get_by_role("button", name="Make a new key now").click()
        alice.says("Is this bob?")
        alice.press("It is the same: go on")
        alice.says("The workspace has a new key.")
        assert holders[world.bob].state().epoch == 2
        assert not visit.axe()


def test_where_browsers_have_no_cryptography_it_is_said_in_words(visits: Visits) -> None:
    visit = visits.by(visits.rest.live.world.alice)
    visit.page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', {get: () => undefined})")
    visit.open("memory")
    gate = Gate(visit)
    gate.title("This address is not secure")
    gate.says("Browsers encrypt only over https")


def test_the_gate_fits_every_width_in_german_and_in_the_dark(visits: Visits, tmp_path: Path) -> None:
    with keyholders(visits.rest.live, tmp_path, visits.rest.live.world.alice):
        bob = at_memory(visits, "bob", size=PHONE, scheme="dark", language="de-DE")
        page = bob.visit.page
        for heading in ("Passphrase wählen", "Warten auf den Schlüssel"):
            expect(page.get_by_role("heading", name=heading)).to_be_visible()
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 844})
                assert bob.visit.overflow() <= 0, (heading, width)
            assert not bob.visit.axe()
            if heading == "Passphrase wählen":
                page.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
                page.get_by_label("Noch einmal dieselbe").fill(PASSPHRASE)
                page.get_by_role("button", name="Schlüssel erstellen").click()
                page.set_viewport_size({"width": 320, "height": 844})
                expect(page.get_by_role("group", name="Wiederherstellungsschlüssel")).to_be_visible()
                assert bob.visit.overflow() <= 0
                page.get_by_role("button", name="Ich habe ihn aufbewahrt").click()
