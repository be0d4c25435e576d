"""The first set-up from the command line, with real processes."""

import json
from pathlib import Path

from tests.e2e.command_line import PASSWORD, run, run_process, sentence, serving, set_up, succeed


def test_init_prints_the_five_facts_as_json_and_nothing_else(tmp_path: Path) -> None:
    ended = run_process("init", "--data", tmp_path / "d", "--email", "alice@example.com", "--json")
    assert (ended.code, ended.err) == (0, "")
    assert list(json.loads(ended.out)) == ["url", "workspace_id", "server_id", "user_id", "token"]


def test_the_url_is_the_address_that_serve_will_have(tmp_path: Path) -> None:
    assert set_up(tmp_path / "d")["url"] == "http://127.0.0.1:8787"


def test_the_url_can_be_given(tmp_path: Path) -> None:
    out = succeed(
        "init",
        "--data",
        tmp_path,
        "--email",
        "alice@example.com",
        "--url",
        "https://memory.example.com/",
        "--json",
    )
    assert json.loads(out)["url"] == "https://memory.example.com"


def test_a_second_init_is_refused_with_a_plain_sentence(tmp_path: Path) -> None:
    set_up(tmp_path)
    assert "set up already" in sentence(
        run("init", "--data", tmp_path, "--email", "bob@example.com", "--json")
    )


def test_init_works_while_serve_runs_and_gives_its_address(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        made = set_up(tmp_path)
        assert made["url"] == serve.url


def test_the_token_of_init_works_over_the_network(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        token = set_up(tmp_path)["token"]
        succeed("items", "add", "likes tea", "--url", serve.url, "--token", token)
        assert "likes tea" in succeed(
            "items", "list", "--url", serve.url, env={"WORKSPACE_MEMORY_TOKEN": token}
        )


def test_a_short_password_is_refused_and_nothing_is_set_up(tmp_path: Path) -> None:
    words = ("init", "--data", tmp_path, "--email", "alice@example.com")
    assert "at least 12 characters" in sentence(run(*words, "--password-stdin", stdin="short\n"))
    succeed(*words, "--password-stdin", stdin=f"{PASSWORD}\n")


def test_what_is_no_address_is_refused(tmp_path: Path) -> None:
    assert "e-mail address" in sentence(run("init", "--data", tmp_path, "--email", "alice"))


def test_the_folder_and_the_database_are_for_their_owner_alone(tmp_path: Path) -> None:
    succeed("init", "--data", tmp_path / "d", "--email", "alice@example.com", "--json")
    assert (tmp_path / "d").stat().st_mode & 0o077 == 0
    assert (tmp_path / "d" / "memory.db").stat().st_mode & 0o077 == 0
