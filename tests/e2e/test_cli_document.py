"""The memory document from the command line: what people write, see and undo, by all three ways."""

import json
import re
import socket
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.e2e.command_line import Serve, on_a_terminal, run_process, sentence, serving, succeed
from tests.e2e.document_team import WAYS, Person, Team, gathered
from tests.e2e.in_thread import serving_here

TEXT = "# Team\n\n- We ship on Thursday\n"
SECRET = "the password of the router is hunter2-Zq81xK"


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


@pytest.fixture
def alice(here: Team) -> Person:
    """The admin in a folder, with keys."""
    return here.person("alice@example.com")


def editor(person: Person, script: str) -> str:
    """An EDITOR that runs a shell script with the draft as $1."""
    path = person.own / "editor"
    path.write_text(f"#!/bin/sh\nset -e\n{script}\n")
    path.chmod(0o700)
    return str(path)


def edits(person: Person, script: str) -> dict[str, str]:
    """The arguments for `document edit` with such an editor."""
    return {"EDITOR": editor(person, script), "VISUAL": ""}


def kept_draft(person: Person, said: str) -> str:
    """The text of the one draft that was kept where the command says."""
    [draft] = person.drafts
    assert f"Your draft is in {draft};" in said
    assert draft.stat().st_mode & 0o777 == 0o600
    return draft.read_bytes().decode()


def shown(person: Person, *words: object) -> tuple[str, str]:
    """What `document show` says on standard output and on standard error."""
    ended = person.tries("document", "show", *words)
    assert ended.code == 0, ended.err
    return ended.out, ended.err


# --- By all three ways ---------------------------------------------------------------------------------------


def test_the_whole_life_of_a_document(team: Team) -> None:
    alice = team.person("alice@example.com")
    assert shown(alice) == ("", "The memory document is empty: it was never written.\n")
    assert alice.saves(TEXT) == 1
    assert alice.sees("document", "show", unlocked=True) == {"version": 1, "live": True, "text": TEXT}
    assert alice.saves(TEXT.replace("Thursday", "Friday")) == 2
    assert "-- We ship on Thursday\n+- We ship on Friday" in alice.does("document", "diff")
    assert alice.sees("document", "undo", 1, unlocked=True)["version"] == 3
    assert alice.does("document", "diff", 1, 3) == ""
    assert "version 4 is empty" in alice.tries("document", "clear", "--yes").err
    assert shown(alice) == ("", "The memory document is empty (revision 4).\n")
    assert alice.sees("document", "delete", "--yes")["version"] == 5
    assert shown(alice) == ("", "The memory document is deleted (revision 5).\n")
    assert shown(alice, "--version", 5) == ("", "Revision 5 of the memory document is a deletion.\n")
    assert shown(alice, "--version", 4) == ("", "Revision 4 of the memory document is empty.\n")
    assert alice.sees("document", "show", unlocked=True) == {"version": 5, "live": False, "text": ""}
    assert alice.saves(TEXT) == 6
    rows = alice.sees("document", "history")
    kinds = ["save", "delete", "clear", "undo", "save", "save"]
    assert [(each["version"], each["kind"]) for each in rows] == list(
        zip(range(6, 0, -1), kinds, strict=True)
    )
    assert {each["author"] for each in rows} == {"alice@example.com"}
    assert [each["bytes"] for each in rows[:3]] == [len(TEXT), None, 0]


def test_mode_and_consent_are_shown_and_set(team: Team) -> None:
    alice = team.person("alice@example.com", keys=False)
    assert alice.does("document", "mode", unlocked=False) == "read_only"
    assert alice.does("document", "mode", "auto", unlocked=False) == "auto"
    assert alice.sees("document", "mode", "off")["policy_revision"] == 2
    assert alice.sees("document", "mode", "off")["policy_revision"] == 2
    assert alice.does("ai", "on", unlocked=False).splitlines()[0].split() == ["AI", "on"]
    assert alice.does("ai", "skills", "trust", unlocked=False).splitlines()[1].split() == [
        "skills",
        "trusted",
    ]
    assert alice.sees("ai", "off")["enabled"] is False
    assert alice.sees("ai", "show")["skills_trusted"] is True


def test_a_key_session_is_opened_only_where_it_outlives_the_command(team: Team) -> None:
    alice = team.person("alice@example.com")
    if team.way == "folder":
        refused = alice.tries("key-session", "open", "--name", "agent")
        assert "none runs here" in sentence(refused)
        assert alice.sees("key-session", "list") == []
        return
    made = alice.sees("key-session", "open", "--name", "agent", unlocked=True)
    assert [(each["id"], each["name"]) for each in alice.sees("key-session", "list")] == [
        (made["id"], "agent")
    ]
    assert alice.does("key-session", "list", unlocked=False).splitlines()[1].endswith("held")
    alice.does("key-session", "revoke", made["id"], unlocked=False)
    assert alice.sees("key-session", "list") == []


@pytest.mark.parametrize("way", ["beside", "url"])
def test_the_log_of_serve_holds_no_secret_of_keys(way: str, tmp_path: Path) -> None:
    with gathered(way, tmp_path, process=True) as team:
        alice = team.person("alice@example.com")
        made = alice.sees("key-session", "open", "--name", "agent", unlocked=True)
        alice.does("key-session", "revoke", made["id"], unlocked=False)
        assert isinstance(team.serve, Serve)
        team.serve.stop()
        log = team.serve.everything_said()
    for secret in (made["token"], alice.recovery_key, "a long walk"):
        assert secret not in log


def test_after_a_restart_the_list_says_that_the_key_is_gone_and_what_helps(here: Team) -> None:
    with serving(here.folder):
        alice = here.person("alice@example.com")
        alice.does("key-session", "open", "--name", "agent")
    with serving(here.folder):
        listed = alice.tries("key-session", "list", unlocked=False)
    assert listed.out.splitlines()[1].endswith("gone")
    assert "key-session open' opens a new one" in listed.err


def propose(url: str, alice: Person, folder: Path, *texts: str) -> None:
    """Turns of an agent, each of which would add a line; in read_only they become proposals."""
    token = succeed("token", "create", "--name", "agent", "--data", folder)
    session = alice.sees("key-session", "open", unlocked=True)["token"]
    headers = {"Authorization": f"Bearer {token}", "X-Key-Session": session}
    with httpx2.Client(headers=headers) as agent:
        workspace = agent.get(f"{url}/api/v1/me").json()["workspaces"][0]["id"]
        conversations = f"{url}/api/v1/workspaces/{workspace}/conversations"
        route = f"{url}/api/v1/automation/workspaces/{workspace}"
        for text in texts:
            made = _answer(agent.post(conversations, json={}))
            turn = {"conversation_id": made["id"]}
            key = {"Idempotency-Key": f"turn-{text}"}
            admitted = _answer(agent.post(f"{route}/admissions", json=turn, headers=key))
            carried = {
                "X-Memory-Admission": admitted["admission_id"],
                "X-Delivery-Credential": admitted["credential"],
            }
            _answer(agent.get(f"{route}/memory", params={"purpose": "recall"}, headers=carried))
            change = {"op": "add", "text": text, "target": "", "heading": ""}
            key = {"Idempotency-Key": f"memory:{admitted['admission_id']}"}
            captured = agent.put(f"{route}/memory", json={"changes": [change]}, headers={**carried, **key})
            assert _answer(captured)["outcome"] == "proposed"


def _answer(response: httpx2.Response) -> Any:
    assert response.is_success, response.text
    return response.json()


def test_proposals_are_shown_shared_applied_and_dismissed(team: Team) -> None:
    alice, bob = team.person("alice@example.com"), team.join("bob@example.com")
    alice.grants(bob)
    alice.saves(TEXT)
    alice.does("ai", "on", unlocked=False)
    if team.serve is None:
        with serving_here(team.folder) as serve:
            propose(serve.url, alice, team.folder, "Marta owns Berlin", "Paul owns Lyon")
    else:
        propose(team.serve.url, alice, team.folder, "Marta owns Berlin", "Paul owns Lyon")
    later, first = (each["id"] for each in alice.sees("proposal", "list"))
    assert alice.does("proposal", "show", first) == "add: Marta owns Berlin"
    assert bob.sees("proposal", "list") == []
    alice.does("proposal", "share", first, unlocked=False)
    assert [each["id"] for each in bob.sees("proposal", "list")] == [first]
    assert bob.sees("proposal", "apply", first, unlocked=True)["version"] == 2
    assert alice.does("document", "show").endswith("- Marta owns Berlin")
    alice.does("proposal", "dismiss", later, unlocked=False)
    assert alice.sees("proposal", "list") == []
    states = {each["id"]: each["state"] for each in alice.sees("proposal", "list", "--all")}
    assert states == {first: "applied", later: "dismissed"}


def test_who_reads_and_who_writes(team: Team) -> None:
    alice, carol = team.person("alice@example.com"), team.join("carol@example.com", "viewer")
    alice.grants(carol)
    alice.saves(TEXT)
    assert carol.does("document", "show") == TEXT.rstrip("\n")
    for words in (
        ("save", carol.file("- mine\n"), *carol.unlocking),
        ("clear", "--yes", *carol.unlocking),
        ("undo", 1, *carol.unlocking),
        ("delete", "--yes"),
    ):
        ended = carol.tries("document", *words, unlocked=False)
        assert "editor" in sentence(ended)
    assert len(alice.sees("document", "history")) == 1


@pytest.mark.parametrize("way", ["folder", "url"])
def test_a_server_that_forgets_what_it_had_is_told_loudly(way: str, tmp_path: Path) -> None:
    with gathered("folder", tmp_path) as team:
        alice = team.person("alice@example.com")
        alice.saves(TEXT)
        before = (team.folder / "memory.db").read_bytes()
        port = free_port()
        if way == "url":
            token = succeed("token", "create", "--name", "own", *alice.here)
            alice.here = ("--url", f"http://127.0.0.1:{port}", "--token", token)
            alice.env["WORKSPACE_MEMORY_DATA"] = str(alice.own / "data")
            before = (team.folder / "memory.db").read_bytes()
        with running(team, way, port):
            alice.saves(TEXT + "- New\n")
        (team.folder / "memory.db").write_bytes(before)
        with running(team, way, port):
            said = sentence(alice.tries("document", "show"))
            assert said.startswith("STOP: the service shows document 1, but this client has seen 2.")
            assert sentence(alice.tries("document", "save", alice.file("x"))).startswith("STOP: ")


@contextmanager
def running(team: Team, way: str, port: int) -> Generator[None]:
    """A server on the team's folder where the way needs one."""
    if way == "folder":
        yield
        return
    with serving(team.folder, port=port) as serve:
        yield
        assert serve.stop() == 0


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


# --- Writing -------------------------------------------------------------------------------------------------


def test_a_text_is_kept_byte_for_byte(alice: Person) -> None:
    text = "\ufeff- CRLF\r\n- Grüße\u2028no end of line"
    alice.saves(text)
    assert alice.sees("document", "show", unlocked=True)["text"] == text


def test_standard_input_is_kept_byte_for_byte_too(alice: Person) -> None:
    words = ("document", "save", "-", *alice.here, *alice.unlocking)
    assert run_process(*words, stdin="- CRLF\r\n- Grüße\n", env={"PYTHONUTF8": "0", "LC_ALL": "C"}).code == 0
    assert alice.sees("document", "show", unlocked=True)["text"] == "- CRLF\r\n- Grüße\n"


def test_a_save_against_another_version_than_the_newest_writes_nothing(alice: Person) -> None:
    alice.saves(TEXT)
    refused = alice.tries("document", "save", alice.file("- other\n"), "--base", 0)
    assert "the server holds version 1" in sentence(refused)
    alice.does("document", "save", alice.file("- other\n"), "--base", 1)


def test_a_text_over_the_bound_for_models_is_kept_with_a_hint(alice: Person) -> None:
    fits, long = "x" * 8_192, "x" * 8_193
    assert "shorten" not in alice.tries("document", "save", alice.file(fits)).err
    assert "The text has 8,193 bytes." in alice.tries("document", "save", alice.file(long)).err
    assert alice.does("document", "show") == long


def test_a_text_over_the_limit_is_refused_with_the_limit(alice: Person) -> None:
    alice.saves("é" * 98_304)
    refused = sentence(alice.tries("document", "save", alice.file("é" * 98_304 + "x")))
    assert refused == "The text has 196,609 bytes; at most 196,608 (192 KiB) are kept."
    assert len(alice.sees("document", "history")) == 1


def test_a_text_with_a_secret_is_asked_about_and_not_repeated(alice: Person) -> None:
    ended = alice.tries("document", "save", alice.file(SECRET))
    assert (ended.code, ended.out) == (1, "")
    assert "what looks like a password, token or key" in ended.err
    assert "Give --yes" in ended.err
    assert "hunter2" not in ended.err
    assert alice.sees("document", "history") == []
    alice.does("document", "save", alice.file(SECRET), "--yes")
    assert alice.does("document", "show") == SECRET


def test_a_file_that_is_no_text_is_named(alice: Person) -> None:
    path = alice.file(b"caf\xe9")
    assert sentence(alice.tries("document", "save", path)) == f"{path} is no text in UTF-8."
    assert alice.sees("document", "history") == []


def test_a_file_that_is_not_there_is_named(alice: Person) -> None:
    missing = alice.own / "missing.md"
    assert str(missing) in sentence(alice.tries("document", "save", missing))


def test_clear_and_delete_ask_first(alice: Person) -> None:
    alice.saves(TEXT)
    assert "Give --yes" in sentence(alice.tries("document", "clear"))
    assert "Give --yes" in sentence(alice.tries("document", "delete", unlocked=False))
    assert len(alice.sees("document", "history")) == 1


def test_clear_works_on_a_document_that_was_never_written(alice: Person) -> None:
    assert alice.sees("document", "clear", "--yes", unlocked=True)["clear_generation"] == 1


def test_a_version_that_never_was_is_refused(alice: Person) -> None:
    alice.saves(TEXT)
    for words in (("show", "--version", 9), ("undo", 9), ("diff", 1, 9)):
        assert "no such" in sentence(alice.tries("document", *words))


def test_on_a_terminal_hidden_characters_are_seen_and_drive_nothing(alice: Person) -> None:
    alice.does("document", "save", alice.file("- harmless \x1b[2J\u202e\n"), "--yes")
    words = ["document", "show", *map(str, (*alice.here, *alice.unlocking))]
    _, shown = on_a_terminal(words, [], [])
    assert "harmless ⟦U+001B⟧[2J⟦U+202E⟧" in shown
    assert alice.does("document", "show") == "- harmless \x1b[2J\u202e"


# --- Editing -------------------------------------------------------------------------------------------------


def test_what_the_editor_leaves_is_saved_and_no_draft_stays(alice: Person) -> None:
    alice.saves(TEXT)
    alice.does("document", "edit", env=edits(alice, 'printf -- "- More\\r\\n" >> "$1"'))
    assert alice.sees("document", "show", unlocked=True)["text"] == f"{TEXT}- More\r\n"
    assert alice.drafts == []


@pytest.mark.parametrize("script", ["true", 'rm "$1"'], ids=["untouched", "deleted"])
def test_nothing_is_saved_when_nothing_was_changed(alice: Person, script: str) -> None:
    alice.saves(TEXT)
    assert "Nothing was changed." in alice.tries("document", "edit", env=edits(alice, script)).err
    assert (alice.drafts, len(alice.sees("document", "history"))) == ([], 1)


def test_a_conflict_while_editing_keeps_the_draft_and_the_newer_text(alice: Person) -> None:
    alice.saves(TEXT)
    meanwhile = alice.own / "meanwhile"
    words = (*alice.here, *alice.unlocking)
    other = ["document", "save", str(alice.file("- Newer\n", "newer.md")), *map(str, words)]
    meanwhile.write_text(json.dumps(other))
    script = (
        'echo "- Mine" >> "$1"\n'
        f"exec {sys.executable} -c 'import json,sys; from tests.e2e.command_line import run_process as r; "
        f'sys.exit(r(*json.load(open("{meanwhile}"))).code)\''
    )
    ended = alice.tries("document", "edit", env=edits(alice, script))
    assert ended.code == 1
    assert "the server holds version 2" in ended.err
    assert kept_draft(alice, ended.err) == f"{TEXT}- Mine\n"
    assert alice.does("document", "show") == "- Newer"


@pytest.mark.parametrize(
    ("script", "draft"),
    [
        (f'echo "{SECRET}" >> "$1"', f"{TEXT}{SECRET}\n"),
        ('echo "- Mine" >> "$1"; exit 3', f"{TEXT}- Mine\n"),
        (': > "$1"', ""),
    ],
    ids=["a secret without a terminal", "the editor fails", "emptied without a terminal"],
)
def test_whatever_goes_wrong_after_a_change_the_draft_stays(alice: Person, script: str, draft: str) -> None:
    alice.saves(TEXT)
    ended = alice.tries("document", "edit", env=edits(alice, script))
    assert ended.code == 1
    assert kept_draft(alice, ended.err) == draft
    assert len(alice.sees("document", "history")) == 1


def test_a_draft_that_is_no_text_any_more_stays_as_it_is(alice: Person) -> None:
    alice.saves(TEXT)
    ended = alice.tries("document", "edit", env=edits(alice, 'printf "\\377" >> "$1"'))
    assert (ended.code, "no text in UTF-8" in ended.err) == (1, True)
    [draft] = alice.drafts
    assert draft.read_bytes() == TEXT.encode() + b"\xff"


def test_without_an_editor_nothing_is_left_behind(alice: Person) -> None:
    alice.saves(TEXT)
    ended = alice.tries("document", "edit", env={"EDITOR": "/nowhere/editor", "VISUAL": ""})
    assert (ended.code, alice.drafts) == (1, [])
    assert "/nowhere/editor" in ended.err


def test_on_a_full_disk_no_half_draft_is_left(alice: Person, small_disk: Path) -> None:
    alice.saves("x" * 65_536)
    (small_disk / "filler").write_bytes(b"x" * (1024 * 1024 - 8_192))
    ended = alice.tries("document", "edit", env={**edits(alice, "true"), "XDG_RUNTIME_DIR": str(small_disk)})
    assert "No space left on device" in sentence(ended)
    assert [each.name for each in small_disk.iterdir()] == ["filler"]


# --- What is said of it --------------------------------------------------------------------------------------


def test_no_traceback_shows_a_passphrase_a_key_or_a_text(alice: Person) -> None:
    canary = "canary-3f1a text"
    alice.saves(f"{canary}\n")
    wrong = alice.file("wrong canary-77 passphrase", "wrong")
    failing = [
        alice.tries("--debug", "document", "save", alice.file(f"{canary} two"), "--base", 0),
        alice.tries("--debug", "document", "edit", env=edits(alice, f'echo "{canary}" >> "$1"; exit 3')),
        alice.tries("--debug", "document", "show", "--passphrase-file", wrong, unlocked=False),
        alice.tries("--debug", "keys", "recover", stdin=f"{alice.recovery_key[:-1]}\n"),
        alice.tries("--debug", "document", "save", alice.file(canary.encode() + b"\xff")),
        alice.tries("--debug", "document", "save", alice.file(f"{canary}\n{SECRET}")),
    ]
    for ended in failing:
        assert ended.code == 1
        assert "Traceback" in ended.err
        for secret in ("canary", "a long walk", "hunter2", alice.recovery_key[:24]):
            assert secret not in ended.err


def test_people_read_the_lists_without_a_passphrase(alice: Person) -> None:
    alice.saves(TEXT)
    line = alice.does("document", "history", unlocked=False).splitlines()[1]
    assert re.fullmatch(r"1 +\d{4}-\d\d-\d\d \d\d:\d\d UTC +alice@example\.com +save +30", line)
    assert alice.tries("proposal", "list", unlocked=False).err == "None.\n"
    assert alice.tries("key-session", "list", unlocked=False).err == "None.\n"
