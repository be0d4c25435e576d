"""How commands fail: one plain sentence, the right exit code, no traceback, nothing half done."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.command_line import (
    BOUND_SECONDS,
    COMMAND,
    INTERRUPT,
    PASSWORD,
    Ended,
    environment,
    on_a_terminal,
    run,
    run_process,
    sentence,
    serving,
    set_up,
    succeed,
)


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    said = sentence(run("init", "--data", tmp_path / "file", "--email", "alice@example.com"))
    assert f"{tmp_path / 'file'} cannot be used: it is not a folder" in said


@pytest.mark.skipif(not Path("/sys/kernel").is_dir(), reason="needs a place where nobody may write")
@pytest.mark.parametrize("words", [("init", "--email", "alice@example.com"), ("serve", "--port", "0")])
def test_a_data_folder_that_cannot_be_written_is_named(words: tuple[str, ...]) -> None:
    said = sentence(run(*words, "--data", "/sys/kernel/workspace-memory"))
    assert "/sys/kernel/workspace-memory cannot be used" in said


@pytest.mark.parametrize("words", [("items", "list"), ("token", "list"), ("user", "list"), ("export",)])
def test_a_folder_without_a_set_up_is_not_made_by_asking(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert "workspace-memory init" in sentence(run(*words, "--data", tmp_path / "new"))
    assert not (tmp_path / "new").exists()


def test_what_to_begin_with_names_the_folder_that_was_asked_for(tmp_path: Path) -> None:
    said = sentence(run("items", "list", "--data", tmp_path / "new"))
    assert f"serve --data {tmp_path / 'new'}'" in said
    begun = run("init", "--data", tmp_path / "new", "--email", "alice@example.com").err
    assert f"serve --data {tmp_path / 'new'}'" in begun


def test_an_unknown_command_is_wrong_usage() -> None:
    ended = run("remember")
    assert (ended.code, ended.out) == (2, "")


def test_both_ways_at_once_are_wrong_usage(tmp_path: Path) -> None:
    assert run("items", "list", "--data", tmp_path, "--url", "http://127.0.0.1:1").code == 2


def test_a_server_without_a_token_is_wrong_usage() -> None:
    ended = run("items", "list", "--url", "http://127.0.0.1:1")
    assert ended.code == 2
    assert "WORKSPACE_MEMORY_TOKEN" in ended.err


def test_a_wrong_value_in_the_environment_is_named() -> None:
    ended = run("items", "list", env={"WORKSPACE_MEMORY_PORT": "many"})
    assert ended.code == 2
    assert "WORKSPACE_MEMORY_PORT" in ended.err


def test_debug_shows_where_an_expected_error_came_from(tmp_path: Path) -> None:
    set_up(tmp_path)
    ended = run("--debug", "items", "forget", "x", "--data", tmp_path)
    assert ended.code == 1
    assert "Traceback" in ended.err


def test_a_reader_that_has_enough_is_no_error(tmp_path: Path) -> None:
    set_up(tmp_path)
    for number in range(3):
        succeed("items", "add", f"{number} " + "x" * 1_900, "--data", tmp_path)
    process = subprocess.Popen(
        [str(COMMAND), "items", "list", "--all", "--data", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=BOUND_SECONDS)
    assert err == b""


def test_a_password_is_typed_twice_and_never_shown(tmp_path: Path) -> None:
    set_up(tmp_path)
    link = succeed("user", "add", "bob@example.com", "--data", tmp_path)
    code, shown = on_a_terminal(
        ["user", "accept", link, "--data", str(tmp_path)],
        [b"characters)", b"Once more"],
        [PASSWORD, PASSWORD],
    )
    assert code == 0, shown
    assert PASSWORD not in shown


def test_a_question_that_nobody_can_answer_names_the_option(tmp_path: Path) -> None:
    set_up(tmp_path)
    ended = run("workspace", "delete", "--data", tmp_path)
    assert ended.code == 1
    assert "Nothing was deleted: there is nobody to ask. Give --confirm." in ended.err


def test_a_password_that_is_too_short_is_said_before_it_is_asked_for_again(tmp_path: Path) -> None:
    set_up(tmp_path)
    link = succeed("user", "add", "bob@example.com", "--data", tmp_path)
    code, shown = on_a_terminal(
        ["user", "accept", link, "--data", str(tmp_path)],
        [b"(at least", b"(at least", b"Once more"],
        ["short", PASSWORD, PASSWORD],
    )
    assert code == 0, shown
    assert "password: must have at least 12 characters." in shown


def test_an_export_into_no_folder_names_what_was_asked_for(tmp_path: Path) -> None:
    set_up(tmp_path)
    said = sentence(run("export", tmp_path / "none" / "x.jsonl", "--data", tmp_path))
    assert said == f"There is no folder {tmp_path / 'none'}."


def test_an_unknown_client_is_told_the_known_ones_once() -> None:
    assert run("connect", "emacs").err.count("claude-code") == 1


def test_an_address_without_a_scheme_is_refused_plainly() -> None:
    said = sentence(run("items", "list", "--url", "127.0.0.1:8787", "--token", "x"))
    assert "http://127.0.0.1:8787" in said


@pytest.fixture(scope="module")
def tls_serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path, str]]:
    """A server with a certificate of its own making: its address, the certificate, a token."""
    folder = tmp_path_factory.mktemp("tls")
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl to make a certificate")
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem"
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([openssl, *words.split(), *names], cwd=folder, check=True, capture_output=True)
    token = set_up(folder / "d")["token"]
    certificate = folder / "cert.pem"
    with serving(folder / "d", "--tls-cert", certificate, "--tls-key", folder / "key.pem") as serve:
        yield serve.url, certificate, token


def test_a_certificate_that_is_not_trusted_is_said_and_how_to_trust_it(
    tls_serve: tuple[str, Path, str],
) -> None:
    url, certificate, token = tls_serve
    words = ("items", "list", "--url", url, "--token", token)
    assert "SSL_CERT_FILE" in sentence(run(*words))
    succeed(*words, env={"SSL_CERT_FILE": str(certificate)})


def test_plain_http_to_a_server_with_tls_is_told_to_use_https(tls_serve: tuple[str, Path, str]) -> None:
    url, _, token = tls_serve
    plain = url.replace("https://", "http://")
    assert f"write {url}" in sentence(run("items", "list", "--url", plain, "--token", token))


def test_https_to_a_server_without_tls_is_told_to_use_http(tmp_path: Path) -> None:
    token = set_up(tmp_path)["token"]
    with serving(tmp_path) as serve:
        secure = serve.url.replace("http://", "https://")
        assert f"write {serve.url}" in sentence(run("items", "list", "--url", secure, "--token", token))


def test_a_session_works_over_tls(tls_serve: tuple[str, Path, str]) -> None:
    url, certificate, token = tls_serve
    trusting = {"SSL_CERT_FILE": str(certificate)}
    link = succeed("user", "add", "bob@example.com", "--url", url, "--token", token, env=trusting)
    succeed("user", "accept", link, "--password-stdin", stdin=PASSWORD + "\n", env=trusting)
    words = (
        "token",
        "create",
        "--name",
        "x",
        "--url",
        url,
        "--sign-in",
        "bob@example.com",
        "--password-stdin",
    )
    assert succeed(*words, stdin=PASSWORD + "\n", env=trusting).startswith("wm_pat_")


def test_an_interruption_at_a_question_ends_with_130(tmp_path: Path) -> None:
    set_up(tmp_path)
    code, shown = on_a_terminal(
        ["workspace", "delete", "--data", str(tmp_path)], [b"Type its name"], [INTERRUPT]
    )
    assert code == 130, shown
    assert "Traceback" not in shown
    assert "My workspace" in succeed("workspace", "list", "--data", tmp_path)


def add_until_refused(*here: object) -> tuple[int, Ended]:
    """How many long items fitted, and how the next one was refused."""
    for number in range(1_000):
        ended = run("items", "add", f"{number} " + "x" * 1_900, *here)
        if ended.code:
            return number, ended
    raise AssertionError("the disk is larger than it should be")


def test_a_disk_that_fills_up_is_said_plainly_and_nothing_half_written_is_left(small_disk: Path) -> None:
    token = set_up(small_disk / "d")["token"]
    with serving(small_disk / "d") as serve:
        added, refused = add_until_refused("--url", serve.url, "--token", token)
        there = succeed("items", "list", "--all", "--url", serve.url, "--token", token)
    assert sentence(refused).startswith("The disk of the server is full. Nothing was written;")
    assert there.count("note, personal") == added


def test_after_space_was_made_everything_acknowledged_is_there(small_disk: Path) -> None:
    (small_disk / "filler").write_bytes(b"x" * 100_000)
    set_up(small_disk / "d")
    here = ("--data", small_disk / "d")
    added, refused = add_until_refused(*here)
    assert re.search("disk .*full", sentence(refused))
    (small_disk / "filler").unlink()
    assert succeed("items", "list", "--all", *here).count("note, personal") == added


def test_a_disk_that_is_full_from_the_start_is_said_plainly(small_disk: Path) -> None:
    (small_disk / "filler").write_bytes(b"x" * (1024 * 1024 - 8_192))
    ended = run_process("init", "--data", small_disk / "d", "--email", "alice@example.com")
    assert "full" in sentence(ended)
