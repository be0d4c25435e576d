"""Memory items from the command line, by each of its ways: the data folder, beside a running server, over REST."""

import json
import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.e2e.command_line import PASSWORD, Ended, run, sentence, set_up, succeed
from tests.e2e.in_thread import Here, serving_here

from workspace_memory.cli import items
from workspace_memory.services.finding import RANKED_MAX

MISSING = "01900000-0000-7000-8000-000000000000"


@dataclass(frozen=True)
class Served:
    """A folder that a server runs on, and alice's token."""

    folder: Path
    serve: Here
    token: str


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    token = set_up(folder)["token"]
    with serving_here(folder) as serve:
        yield Served(folder, serve, token)


Command = Callable[..., Ended]


@pytest.fixture(params=["folder", "beside a server", "url"])
def command(request: pytest.FixtureRequest, tmp_path: Path) -> Command:
    """The command line by one of its ways."""
    if request.param == "folder":
        set_up(tmp_path)
        way: tuple[object, ...] = ("--data", tmp_path)
    else:
        served: Served = request.getfixturevalue("served")
        way = ("--data", served.folder)
        if request.param == "url":
            way = ("--url", served.serve.url, "--token", served.token)

    def call(*words: object, stdin: str = "") -> Ended:
        return run(*words, *way, stdin=stdin)

    return call


def out(ended: Ended) -> str:
    assert ended.code == 0, ended.err
    return ended.out.rstrip("\n")


def add(command: Command, text: str, *words: object) -> str:
    """Add an item; its id."""
    return out(command("items", "add", text, *words))


def test_what_was_added_is_found_by_a_word(command: Command) -> None:
    item = add(command, "Prefers green tea in the morning")
    assert item in out(command("items", "search", "morning"))


def test_add_prints_the_id_and_nothing_else(command: Command) -> None:
    ended = command("items", "add", f"Takes the train {uuid.uuid4()}")
    assert re.fullmatch(r"[0-9a-f-]{36}\n", ended.out)


def test_the_same_text_again_is_the_same_item(command: Command) -> None:
    item = add(command, "Is allergic to nuts")
    ended = command("items", "add", "is  allergic to nuts")
    assert ended.out.strip() == item
    assert "saved already" in ended.err


def test_kind_scope_and_tags_are_kept(command: Command) -> None:
    words = ("--kind", "fact", "--scope", "organization", "--tag", "office", "--tag", "hours")
    item = add(command, "The office closes at six", *words)
    page = json.loads(out(command("items", "search", "closes", "--json")))
    [found] = [each for each in page["items"] if each["id"] == item]
    assert (found["kind"], found["scope"], found["tags"]) == ("fact", "organization", ["office", "hours"])


def test_a_text_comes_from_standard_input(command: Command) -> None:
    item = out(command("items", "add", "-", stdin="Two lines\nof a note\n"))
    assert "of a note" in out(command("items", "list", "--all"))
    assert item in out(command("items", "list", "--all"))


def test_list_shows_the_newest_first(command: Command) -> None:
    first, second = add(command, "an older remark"), add(command, "a newer remark")
    listed = json.loads(out(command("items", "list", "--json")))
    ids = [each["id"] for each in listed["items"]]
    assert ids.index(second) < ids.index(first)


def test_list_says_that_there_are_more(command: Command) -> None:
    for number in range(3):
        add(command, f"one of three remarks, number {number}")
    ended = command("items", "list", "--limit", 2)
    assert "--all" in ended.err
    assert ended.out.count("\n") == 4


def test_search_shows_more_than_one_page(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(items, "PAGE", 3)
    for number in range(8):
        add(command, f"a walrus of the herd, number {number}")
    ended = command("items", "search", "walrus", "--limit", 7)
    assert len(set(re.findall(r"number \d", ended.out))) == 7
    assert "There are more; --limit shows up to 1,000" in ended.err
    ended = command("items", "search", "walrus", "--limit", 20)
    assert len(set(re.findall(r"number \d", ended.out))) == 8
    assert "There are more" not in ended.err


def test_search_shows_no_more_than_a_query_is_answered_with(command: Command) -> None:
    assert items.FOUND_MAX == RANKED_MAX
    assert "is not in the range 1<=x<=1000" in command("items", "search", "walrus", "--limit", 1_001).err


def test_a_forgotten_item_is_found_no_more(command: Command) -> None:
    item = add(command, "Used to like liquorice")
    out(command("items", "forget", item))
    assert item not in command("items", "search", "liquorice").out


def test_forgetting_what_is_not_there_is_a_plain_sentence(command: Command) -> None:
    assert sentence(command("items", "forget", MISSING)) == "There is no such item."


def test_the_history_has_the_replaced_text(command: Command) -> None:
    item = add(command, "Lives in Hamburg")
    # Each way to the command has the memory of the other, where the same text stands once.
    newer = f"Lives in Bremen since {item[-6:]}"
    assert add(command, newer, "--replaces", item) == item
    shown = out(command("items", "history", item))
    assert shown.index(newer) < shown.index("Lives in Hamburg")


def test_a_text_that_is_too_long_is_refused_with_the_limit(command: Command) -> None:
    assert "2,001 characters; at most 2,000" in sentence(command("items", "add", "x" * 2_001))


def test_an_escape_sequence_is_refused_and_does_not_reach_the_terminal(command: Command) -> None:
    said = sentence(command("items", "add", "harmless \x1b[31mred"))
    assert "terminal_escape" in said
    assert "\x1b" not in said


def test_a_wrong_token_is_a_plain_sentence(served: Served) -> None:
    ended = run("items", "list", "--url", served.serve.url, "--token", "wm_pat_wrong")
    assert "valid access token" in sentence(ended)


def test_a_server_that_does_not_answer_is_a_plain_sentence() -> None:
    ended = run("items", "list", "--url", "http://127.0.0.1:9", "--token", "wm_pat_x")
    assert "No service answers at http://127.0.0.1:9" in sentence(ended)


@pytest.mark.requirement("field:case-02:items")
@pytest.mark.parametrize("words", [("forget",), ("history",)])
def test_anothers_personal_item_looks_like_a_missing_one(tmp_path: Path, words: tuple[str, ...]) -> None:
    set_up(tmp_path)
    link = succeed("user", "add", "bob@example.com", "--role", "admin", "--data", tmp_path)
    succeed("user", "accept", link, "--data", tmp_path, "--password-stdin", stdin=PASSWORD + "\n")
    item = succeed("items", "add", "alice only", "--data", tmp_path)
    as_bob = ("--data", tmp_path, "--as", "bob@example.com")
    assert run("items", *words, item, *as_bob) == run("items", *words, MISSING, *as_bob)


@pytest.mark.requirement("field:case-02:items")
def test_anothers_personal_item_is_neither_listed_nor_found(tmp_path: Path) -> None:
    set_up(tmp_path)
    link = succeed("user", "add", "bob@example.com", "--role", "admin", "--data", tmp_path)
    succeed("user", "accept", link, "--data", tmp_path, "--password-stdin", stdin=PASSWORD + "\n")
    succeed("items", "add", "alice only", "--data", tmp_path)
    as_bob = ("--data", tmp_path, "--as", "bob@example.com")
    assert (
        run("items", "list", *as_bob)
        == run("items", "search", "alice", *as_bob)
        == Ended(0, "", "Nothing found.\n")
    )


def test_a_viewer_may_not_add_company_memory(tmp_path: Path) -> None:
    set_up(tmp_path)
    link = succeed("user", "add", "carol@example.com", "--role", "viewer", "--data", tmp_path)
    succeed("user", "accept", link, "--data", tmp_path, "--password-stdin", stdin=PASSWORD + "\n")
    as_carol = ("--data", tmp_path, "--as", "carol@example.com")
    assert "admins or editors" in sentence(run("items", "add", "x", "--scope", "organization", *as_carol))
