"""The Assistant from the command line: a turn for a script by all three ways, and a chat on a terminal."""

import json
import shlex
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic_ai import models
from tests.e2e.assistant_wire.provider_server import Fail, Provider, Say, call, playing
from tests.e2e.command_line import Ended, on_a_terminal, run_process, sentence
from tests.e2e.document_team import WAYS, Person, Team, gathered

TEXT = "# Team\n\n- We ship on Thursday\n"
NEXT = b"out\x1b[0m\r\n\r\n> "
"""The next prompt, behind a receipt. What is typed before a prompt is there may be lost, Ctrl-D for one."""
DEMONSTRATION = "This is a demonstration"


@pytest.fixture(params=WAYS)
def alice(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Person]:
    """The admin by each way, with keys and AI turned on."""
    with gathered(request.param, tmp_path) as team:
        yield ready(team)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Team]:
    """A team in a folder."""
    with gathered("folder", tmp_path) as found:
        yield found


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A provider of models on the loopback."""
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    with playing() as running:
        yield running


def ready(team: Team) -> Person:
    alice = team.person("alice@example.com")
    alice.does("ai", "on", unlocked=False)
    return alice


def settings_of(provider: Provider) -> dict[str, str]:
    """A model of that provider, as the settings name it."""
    return {
        "WORKSPACE_MEMORY_ASSISTANT_MODELS": "compatible:scripted",
        "WORKSPACE_MEMORY_ASSISTANT_BASE_URL": f"{provider.url}/v1",
    }


def says(person: Person, message: str, *words: object) -> Ended:
    """One turn that has to succeed."""
    ended = person.tries("assistant", "chat", message, *words)
    assert ended.code == 0, ended.err
    return ended


def conversations(person: Person) -> list[dict[str, object]]:
    return person.sees("assistant", "list", unlocked=True)


def terminal(person: Person) -> dict[str, str]:
    return {**person.env, "WORKSPACE_MEMORY_DATA": str(person.here[1])}


def holding_the_second_request(provider: Provider) -> threading.Event:
    """A provider that answers its second request when the event is set, or never."""
    held = threading.Event()

    def hold(number: int) -> None:
        if number == 2:
            held.wait(60)

    provider.on_request = hold
    return held


# --- One turn, by all three ways ------------------------------------------------------------------------------


def where(person: Person) -> str:
    """The options that a hint repeats, so that it goes where the command went; a token is never repeated."""
    words = [str(word) for word in person.here]
    return shlex.join(words[: words.index("--token")] if "--token" in words else words)


def test_the_answer_is_data_and_the_receipt_is_said(alice: Person) -> None:
    alice.saves(TEXT)
    alice.does("document", "mode", "auto", unlocked=False)
    ended = says(alice, "remember that Wi-Fi is acme-guest")
    assert ended.out.startswith(DEMONSTRATION)
    assert ended.out.endswith("\n")
    assert "Memory revisions 1, then 2 · Remembered (revision 2) · " in ended.err
    assert "acme-guest" in alice.does("document", "show")
    assert alice.sees("key-session", "list") == []


def test_after_a_clear_the_next_answer_is_given_nothing(alice: Person) -> None:
    alice.saves(TEXT)
    before = says(alice, "What do you know?")
    assert "We ship on Thursday" in before.out
    assert before.err.startswith("Memory revision 1 · ")
    alice.does("document", "clear", "--yes")
    after = says(alice, "What do you know?")
    assert "Thursday" not in after.out
    assert "Memory" not in after.err.splitlines()[0]


def test_in_read_only_the_change_is_shown_with_how_to_apply_it(alice: Person) -> None:
    ended = says(alice, "remember that Wi-Fi is acme-guest")
    [proposal] = alice.sees("proposal", "list")
    assert "Proposed for the memory document:\n  add: Wi-Fi is acme-guest\n" in ended.err
    assert f"proposal apply {proposal['id']} {where(alice)}' applies it" in ended.err
    assert "Remembered" not in ended.err
    alice.does("proposal", "apply", proposal["id"])
    assert alice.does("document", "show") == "- Wi-Fi is acme-guest"


def test_conversations_are_listed_shown_renamed_and_deleted(alice: Person) -> None:
    first = says(alice, "When do we release?")
    [talk] = conversations(alice)
    assert f"--conversation {talk['id']} {where(alice)}' goes on from here" in first.err
    says(alice, "And who does it?", "--conversation", talk["id"])
    assert [(each["title"], each["turns"]) for each in conversations(alice)] == [("When do we release?", 2)]
    shown = alice.does("assistant", "show", talk["id"])
    assert shown.index("You: When do we release?") < shown.index("Assistant: This is")
    assert shown.index("Assistant: This is") < shown.index("You: And who does it?")
    alice.does("assistant", "rename", talk["id"], "Releases")
    assert conversations(alice)[0]["title"] == "Releases"
    alice.does("assistant", "delete", talk["id"], "--yes", unlocked=False)
    assert conversations(alice) == []


def test_events_come_as_lines_of_json(alice: Person) -> None:
    ended = says(alice, "Hello", "--json")
    events = [json.loads(line) for line in ended.out.splitlines()]
    assert events[0]["event"] == "turn_began"
    assert events[0]["conversation_id"] == conversations(alice)[0]["id"]
    assert "".join(each["text"] for each in events if each["event"] == "text_added").startswith(DEMONSTRATION)
    assert events[-1]["event"] == "turn_ended"
    assert events[-1]["usage"]["calls"] == 1


def test_what_today_cost_and_the_limit_are_shown(alice: Person) -> None:
    says(alice, "Hello")
    alice.does("settings", "set", "--assistant-tokens-per-day", 1, unlocked=False)
    usage = alice.does("assistant", "usage", unlocked=False).splitlines()
    assert usage[0] == "model  demonstration (a script: no provider is set)"
    assert usage[1].startswith("today  1 calls, ")
    assert usage[2] == "limit  1 tokens a day"
    refused = sentence(alice.tries("assistant", "chat", "Hello again"))
    assert "has used its 1 Assistant tokens of today" in refused
    assert "settings set --assistant-tokens-per-day NUMBER'" in refused


# --- In a folder ----------------------------------------------------------------------------------------------


def test_a_message_may_come_on_standard_input(here: Team) -> None:
    alice = ready(here)
    ended = alice.tries("assistant", "chat", stdin="remember that\nWi-Fi is acme-guest\n")
    assert ended.code == 0, ended.err
    assert "add: Wi-Fi is acme-guest" in ended.err


def test_where_ai_is_off_the_command_that_turns_it_on_is_named(here: Team) -> None:
    alice = here.person("alice@example.com", keys=False)
    refused = sentence(alice.tries("assistant", "chat", "Hello"))
    assert refused.startswith("AI is off in this workspace")
    assert refused.endswith("ai on'.")


def test_who_has_no_keys_is_told_how_to_make_them(here: Team) -> None:
    alice = here.person("alice@example.com", keys=False)
    alice.does("ai", "on", unlocked=False)
    assert "keys setup' makes them" in sentence(alice.tries("assistant", "chat", "Hello"))


def test_who_waits_for_the_key_is_told_who_grants_it(here: Team) -> None:
    ready(here)
    bob = here.join("bob@example.com")
    assert "alice@example.com" in sentence(bob.tries("assistant", "chat", "Hello"))


def test_json_on_a_terminal_needs_a_message(here: Team) -> None:
    alice = ready(here)
    words = ["assistant", "chat", "--json", *map(str, (*alice.here, *alice.unlocking))]
    code, said = on_a_terminal(words, [], [], alice.env)
    assert code == 2
    assert "Give a MESSAGE" in said


def test_what_the_provider_refuses_is_said_and_fails(here: Team, provider: Provider) -> None:
    alice = ready(here)
    provider.script[:] = [Fail(401)]
    ended = alice.tries("assistant", "chat", "Hello", env=settings_of(provider))
    assert (ended.code, ended.out) == (1, "")
    assert "Error: The provider of compatible:scripted refuses the key" in ended.err
    assert alice.sees("key-session", "list") == []


def test_the_model_of_the_settings_answers_with_the_memory(here: Team, provider: Provider) -> None:
    alice = ready(here)
    alice.saves(TEXT)
    provider.script[:] = [Say("On Thursday.")]
    ended = alice.tries("assistant", "chat", "When?", env=settings_of(provider))
    assert ended.out.rstrip() == "On Thursday."
    assert "We ship on Thursday" in provider.recorded[0].system[-1]
    assert "Memory revision 1" in ended.err


def test_a_proposed_note_is_shown_and_applied_like_a_change_of_the_memory(
    here: Team, provider: Provider
) -> None:
    alice = ready(here)
    ended = Ended(0, "", "")
    for version, text in enumerate(("Green tea at four\n", "Green tea at five\n")):
        provider.script[:] = [
            call("propose_edit", path="tea.md", version=version, text=text),
            Say("It waits."),
        ]
        ended = alice.tries("assistant", "chat", "Write it down", env=settings_of(provider))
        assert "Proposed for a note:\n  tea.md\n" in ended.err
        assert f"  +{text}" in ended.err
        proposal = alice.sees("proposal", "list")[0]["id"]
        assert alice.sees("proposal", "apply", proposal, unlocked=True)["version"] == version + 1
    assert "-Green tea at four" in ended.err


def test_a_proposed_note_does_not_take_back_what_was_written_since(here: Team, provider: Provider) -> None:
    alice = ready(here)
    for version, text in ((0, "one"), (1, "two"), (1, "three")):
        provider.script[:] = [
            call("propose_edit", path="tea.md", version=version, text=text),
            Say("It waits."),
        ]
        alice.tries("assistant", "chat", "Write it down", env=settings_of(provider))
        if version == 0:
            alice.does("proposal", "apply", alice.sees("proposal", "list")[0]["id"])
    third, second = [each["id"] for each in alice.sees("proposal", "list")]
    alice.does("proposal", "apply", second)
    assert "Somebody wrote meanwhile" in sentence(alice.tries("proposal", "apply", third))


def test_a_key_session_that_has_ended_meanwhile_is_opened_anew(here: Team, provider: Provider) -> None:
    alice = ready(here)
    provider.script[:] = [Say("one"), Say("two")]

    def revoke(number: int) -> None:
        if number == 1:
            words = ("key-session", "list", "--json", *alice.here)
            [session] = json.loads(run_process(*words, env=alice.env).out)
            assert run_process("key-session", "revoke", session["id"], *alice.here, env=alice.env).code == 0

    provider.on_request = revoke
    code, said = on_a_terminal(
        ["assistant", "chat", *map(str, (*alice.here, *alice.unlocking))],
        [b"> ", NEXT, NEXT],
        ["first", "second", "\x04"],
        {**alice.env, **settings_of(provider)},
    )
    assert code == 0, said
    assert "two" in said
    assert alice.sees("key-session", "list") == []


def test_a_script_is_told_nothing_by_the_framework(here: Team) -> None:
    alice = ready(here)
    ended = run_process(*("assistant", "chat", "Hello", *alice.here, *alice.unlocking), env=alice.env)
    assert ended.code == 0
    assert len(ended.err.splitlines()) == 2
    assert "pydantic" not in ended.err.lower()


# --- On a terminal --------------------------------------------------------------------------------------------


def test_a_proposal_is_applied_at_once_and_the_next_answer_has_it(here: Team) -> None:
    alice = ready(here)
    code, said = on_a_terminal(
        ["assistant", "chat", *map(str, (*alice.here, *alice.unlocking))],
        [b"> ", b"Apply it?", b"> ", NEXT],
        ["remember that Wi-Fi is acme-guest", "y", "What do you know?", "\x04"],
        alice.env,
    )
    assert code == 0, said
    assert "a demonstration answers" in said
    assert "Applied: version 1." in said
    assert "“- Wi-Fi is acme-guest”" in said
    assert "Memory revision 1 · " in said
    assert "goes on from here" in said
    assert alice.sees("key-session", "list") == []


def test_an_interruption_stops_the_answer_and_the_chat_goes_on(here: Team, provider: Provider) -> None:
    alice = ready(here)
    held = holding_the_second_request(provider)
    provider.script[:] = [call("list_documents"), Say("never read"), Say("Here I am.")]
    try:
        code, said = on_a_terminal(
            ["assistant", "chat", *map(str, (*alice.here, *alice.unlocking))],
            [b"> ", b"[list_documents]", NEXT],
            ["What is there?", " \x03", "\x04"],
            {**alice.env, **settings_of(provider)},
        )
    finally:
        held.set()
    assert code == 0, said
    assert "Stopped." in said
    assert "never read" not in said
    assert conversations(alice)[0]["turns"] == 1
    assert alice.sees("key-session", "list") == []


def test_an_interrupted_turn_of_a_script_ends_as_interrupted(here: Team, provider: Provider) -> None:
    alice = ready(here)
    held = holding_the_second_request(provider)
    provider.script[:] = [call("list_documents")]
    try:
        code, said = on_a_terminal(
            ["assistant", "chat", "What is there?", *map(str, (*alice.here, *alice.unlocking))],
            [b"[list_documents]"],
            [" \x03"],
            {**alice.env, **settings_of(provider)},
        )
    finally:
        held.set()
    assert code == 130, said
    assert alice.sees("key-session", "list") == []
