"""The own account: keys, password, tokens, sessions, and deleting it."""

from pathlib import Path

from playwright.sync_api import expect
from tests.e2e.browser.gate import ANOTHER_PASSPHRASE, PASSPHRASE, Gate, keyholders
from tests.e2e.browser.visits import PHONE, WIDTHS, Visits
from tests.e2e.rest_calls import PASSWORD, refusal

NEW_PASSWORD = "a new and longer password"


def test_passphrase_and_recovery_key_are_changed_with_open_keys(visits: Visits, tmp_path: Path) -> None:
    world = visits.rest.live.world
    with keyholders(visits.rest.live, tmp_path, world.alice) as holders:
        visit = visits.by(world.alice)
        visit.go("/account")
        alice = Gate(visit)
        page = visit.page
        alice.press("Unlock")
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
        dialog.get_by_role("button", name="Unlock").click()
        assert alice.fingerprint("Your fingerprint") == holders[world.alice].fingerprint()
        alice.press("Change the passphrase…")
        expect(alice.field("Present passphrase")).to_be_focused()
        alice.field("Present passphrase").fill("not the passphrase")
        alice.choose(ANOTHER_PASSPHRASE, action="Use this passphrase", label="New passphrase")
        alice.says("This is neither your passphrase nor your recovery key.")
        assert not visit.axe()
        alice.field("Present passphrase").fill(PASSPHRASE)
        alice.choose(ANOTHER_PASSPHRASE, action="Use this passphrase", label="New passphrase")
        alice.says("The new passphrase opens your keys now.")
        alice.press("New recovery key…")
        alice.press("Cancel")
        alice.press("New recovery key…")
        alice.field("Present passphrase").fill(PASSPHRASE)
        alice.press("Make a new one")
        alice.says("This is neither your passphrase nor your recovery key.")
        alice.field("Present passphrase").fill(ANOTHER_PASSPHRASE)
        alice.press("Make a new one")
        recovery_key = alice.keep()
        alice.press("Lock the Memory document")
        alice.says("Your keys are locked in this browser.")
        holders[world.alice].lock()
        holders[world.alice].unlock_by_recovery(recovery_key)
        holders[world.alice].unlock(ANOTHER_PASSPHRASE)
        sent = "\n".join(visit.bodies())
        assert sent.count('"signature"') == 2
        assert not any(secret in sent for secret in (PASSPHRASE, ANOTHER_PASSPHRASE, *recovery_key.split()))


def test_another_password_ends_the_session_elsewhere(visits: Visits) -> None:
    world = visits.rest.live.world
    here = visits.by(world.alice)
    there = visits.rest.nobody()
    there.post("/sign-in", json={"email": "alice@example.com", "password": PASSWORD})
    here.go("/account")
    page = here.page
    expect(page.get_by_role("button", name="End the session since")).to_have_count(1)
    page.get_by_label("Present password").fill("not the password")
    page.get_by_label("New password").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("This is not the password of your account.")).to_be_visible()
    page.get_by_label("Present password").fill(PASSWORD)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("The password is changed.")).to_be_visible()
    expect(page.get_by_role("button", name="End the session since")).to_have_count(0)
    assert refusal(there.get("/me")) == (401, "not_authenticated")
    assert not [request for request in here.sent if "password=" in request.url or NEW_PASSWORD in request.url]


def test_a_session_elsewhere_is_ended_and_a_client_disconnected(visits: Visits) -> None:
    live = visits.rest.live
    here = visits.by(live.world.alice)
    there = visits.rest.nobody()
    there.post("/sign-in", json={"email": "alice@example.com", "password": PASSWORD})
    client = visits.rest.by(live.world.alice)
    here.go("/account")
    page = here.page
    page.get_by_role("button", name="End the session since").click()
    expect(page.get_by_role("button", name="End the session since")).to_have_count(0)
    assert refusal(there.get("/me")) == (401, "not_authenticated")
    page.get_by_role("button", name="Disconnect Test client").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    dialog.get_by_role("button", name="Disconnect").click()
    expect(page.get_by_text("You have no client keys.")).to_be_visible()
    assert refusal(client.get("/memory/status")) == (401, "not_authenticated")


def test_the_account_is_deleted_by_its_password(visits: Visits) -> None:
    world = visits.rest.live.world
    alice = visits.by(world.alice)
    alice.go("/account")
    alice.page.get_by_role("button", name="Delete my account…").click()
    dialog = alice.page.get_by_role("dialog")
    dialog.get_by_label("Present password").fill(PASSWORD)
    dialog.get_by_role("button", name="Delete my account").click()
    expect(dialog.get_by_text("A workspace would be left without an admin.")).to_be_visible()
    bob = visits.by(world.bob)
    bob.go("/account")
    bob.page.get_by_role("button", name="Delete my account…").click()
    dialog = bob.page.get_by_role("dialog")
    dialog.get_by_label("Present password").fill("not the password")
    dialog.get_by_role("button", name="Delete my account").click()
    expect(dialog.get_by_text("This is not the password of your account.")).to_be_visible()
    assert not bob.axe()
    dialog.get_by_label("Present password").fill(PASSWORD)
    dialog.get_by_label("Present password").press("Enter")
    expect(bob.page.get_by_role("heading", name="Sign in")).to_be_visible()
    with world.deps.database.read() as tx:
        assert tx.accounts.get(world.bob) is None


def test_the_page_fits_every_width_and_keeps_what_is_chosen(visits: Visits) -> None:
    bob = visits.by(visits.rest.live.world.bob, size=PHONE, language="de-DE")
    bob.go("/account")
    page = bob.page
    expect(page.get_by_role("heading", name="Mein Konto")).to_be_visible()
    expect(page.get_by_text("Diese hier")).to_be_visible()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        assert bob.overflow() <= 0, width
    assert not bob.axe()
    page.get_by_role("radio", name="Dunkel").click()
    assert not bob.axe()
    page.get_by_role("checkbox", name="Einzelne Tasten").uncheck()
    page.reload()
    expect(page.get_by_role("radio", name="Dunkel")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Einzelne Tasten")).not_to_be_checked()
