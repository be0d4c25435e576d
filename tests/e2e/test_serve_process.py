"""`serve` as a process: how it starts, what it says, how it refuses and how it ends."""

import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest
from tests.e2e.command_line import (
    BOUND_SECONDS,
    PASSWORD,
    environment,
    run,
    run_process,
    sentence,
    serving,
    set_up,
    succeed,
)

from workspace_memory.client import WorkspaceMemory
from workspace_memory.domain.errors import DomainError


@pytest.mark.requirement("field:case-05")
def test_a_second_serve_on_one_folder_is_refused_at_once(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        said = sentence(run_process("serve", "--data", tmp_path, "--port", 0))
        assert f"already (process {serve.process.pid})" in said


def test_the_refusal_does_not_wait_for_the_import_of_a_web_server(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from workspace_memory.cli.main import main\n"
        "try:\n    main()\nfinally:\n    print(sorted({'uvicorn', 'fastapi', 'mcp'} & set(sys.modules)))\n"
    )
    with serving(tmp_path):
        done = subprocess.run(
            [sys.executable, "-c", program, "serve", "--data", str(tmp_path), "--port", "0"],
            capture_output=True,
            text=True,
            timeout=BOUND_SECONDS,
            env=environment(),
            check=False,
        )
    assert (done.returncode, done.stdout) == (1, "[]\n")


def test_a_second_serve_on_the_same_port_and_folder_hears_of_the_folder(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        port = serve.url.rpartition(":")[2]
        assert "A server runs on the data folder" in sentence(
            run("serve", "--data", tmp_path, "--port", port)
        )


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = sentence(run("serve", "--data", tmp_path, "--port", port))
    assert f"Port {port} is in use" in said
    assert "--port" in said


def test_an_address_of_another_machine_is_refused(tmp_path: Path) -> None:
    assert "no such address" in sentence(run("serve", "--data", tmp_path, "--host", "192.0.2.1", "--port", 0))


def test_a_refused_port_leaves_the_folder_free(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        run("serve", "--data", tmp_path, "--port", taken.getsockname()[1])
    with serving(tmp_path) as serve:
        assert serve.url


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path) as serve:
        assert serve.stop(number) == 0
        assert "Traceback" not in serve.everything_said()
    assert [each.name for each in tmp_path.iterdir() if each.is_socket()] == []


def test_the_printed_link_makes_the_first_account_once(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        link = serve.read_until("user accept").split("'")[1]
        words = ("user", "accept", link, "--email", "alice@example.com", "--password-stdin")
        address = succeed(*words, stdin=PASSWORD + "\n")
        assert address.startswith(f"{serve.url}/mcp/")
        assert "not valid" in sentence(run(*words, stdin=PASSWORD + "\n"))


def test_the_account_of_the_link_can_sign_in(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        link = serve.read_until("user accept").split("'")[1]
        succeed(
            "user", "accept", link, "--email", "alice@example.com", "--password-stdin", stdin=PASSWORD + "\n"
        )
        with WorkspaceMemory(serve.url) as client:
            client.sign_in("alice@example.com", PASSWORD)
            assert client.me().email == "alice@example.com"


def test_each_start_before_the_set_up_gives_a_fresh_link(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        first = serve.read_until("user accept").split("'")[1]
        serve.stop()
    with serving(tmp_path) as serve:
        second = serve.read_until("user accept").split("'")[1]
        secret = first.partition("#")[2]
        words = ("--email", "alice@example.com", "--data", tmp_path, "--password-stdin")
        assert "not valid" in sentence(run("user", "accept", secret, *words, stdin=PASSWORD + "\n"))
        succeed("user", "accept", second.partition("#")[2], *words, stdin=PASSWORD + "\n")


def test_it_says_at_once_that_it_starts(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        assert serve.said[0].startswith("Starting")


@pytest.mark.parametrize("words", [("items", "list"), ("connect", "cursor")])
def test_while_it_waits_for_its_first_account_commands_name_the_link(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    with serving(tmp_path):
        said = sentence(run(*words, "--data", tmp_path))
    assert "link that the server printed" in said
    assert "user accept" in said


def test_a_wrong_link_at_the_first_set_up_says_where_another_comes_from(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        wrong = f"{serve.url}/accept#wm_lnk_{'x' * 43}"
        assert "start 'serve' again" in sentence(run("user", "accept", wrong, "--password-stdin"))


def test_after_the_set_up_it_prints_the_mcp_address_and_how_to_connect(tmp_path: Path) -> None:
    made = set_up(tmp_path)
    with serving(tmp_path) as serve:
        assert serve.read_until("MCP address").endswith(f"{serve.url}/mcp/{made['server_id']}")
        assert f"connect CLIENT --data {tmp_path}" in serve.read_until("connect CLIENT")


def test_the_access_log_has_no_query_and_no_secret(tmp_path: Path) -> None:
    token = set_up(tmp_path)["token"]
    with serving(tmp_path) as serve:
        with httpx2.Client() as client:
            client.get(f"{serve.url}/healthz?query=green+tea&token={token}")
            client.get(f"{serve.url}/api/v1/{token}")
        serve.stop()
        said = serve.everything_said()
    assert "GET /healthz HTTP" in said
    assert "green" not in said
    assert token not in said


def test_every_acknowledged_save_is_there_after_the_server_is_killed(tmp_path: Path) -> None:
    token = set_up(tmp_path)["token"]
    acknowledged: set[str] = set()
    thirty = threading.Event()
    guard = threading.Lock()
    with serving(tmp_path) as serve:

        def save(number: int) -> None:
            try:
                # One attempt each: a repetition would reach nobody.
                with WorkspaceMemory(serve.url, token, pause=lambda _: None) as client:
                    for turn in range(20):
                        text = f"text {number} of turn {turn}"
                        client.save_item(text)
                        with guard:
                            acknowledged.add(text)
                            if len(acknowledged) >= 30:
                                thirty.set()
            except DomainError:
                pass  # the server was killed under it

        with ThreadPoolExecutor(40) as pool:
            saves = [pool.submit(save, number) for number in range(40)]
            assert thirty.wait(60)
            serve.process.kill()
            for each in saves:
                each.result(60)
    with serving(tmp_path) as serve, WorkspaceMemory(serve.url, token) as client:
        there = {item.content for item in client.list_items()}
    assert len(acknowledged) >= 30
    assert acknowledged - there == set()


def test_no_half_row_is_left_after_the_server_is_killed(tmp_path: Path) -> None:
    token = set_up(tmp_path)["token"]
    first = threading.Event()
    with serving(tmp_path) as serve:

        def save(number: int) -> None:
            try:
                with WorkspaceMemory(serve.url, token, pause=lambda _: None) as client:
                    for turn in range(50):
                        client.save_item(f"text {number} of turn {turn}", tags=["a", "b"])
                        first.set()
            except DomainError:
                pass

        with ThreadPoolExecutor(8) as pool:
            saves = [pool.submit(save, number) for number in range(8)]
            assert first.wait(60)
            serve.process.kill()
            for each in saves:
                each.result(60)
    succeed("items", "list", "--data", tmp_path)  # opens it, which rolls back what was not committed
    with sqlite3.connect(tmp_path / "memory.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        items = database.execute("SELECT count(*) FROM memory_items").fetchone()
        versions = database.execute("SELECT count(DISTINCT item_id) FROM memory_item_history").fetchone()
    database.close()
    assert items == versions


def test_a_missing_certificate_is_named(tmp_path: Path) -> None:
    words = ("--tls-cert", tmp_path / "cert.pem", "--tls-key", tmp_path / "key.pem")
    assert "cert.pem" in sentence(run("serve", "--data", tmp_path / "d", "--port", 0, *words))


def test_a_certificate_without_its_key_is_wrong_usage(tmp_path: Path) -> None:
    ended = run("serve", "--data", tmp_path / "d", "--port", 0, "--tls-cert", tmp_path / "cert.pem")
    assert ended.code == 2
    assert "belong together" in ended.err


def test_what_is_no_certificate_is_refused_plainly(tmp_path: Path) -> None:
    for name in ("cert.pem", "key.pem"):
        (tmp_path / name).write_text("no certificate\n")
    words = ("--tls-cert", tmp_path / "cert.pem", "--tls-key", tmp_path / "key.pem")
    assert "certificate or key" in sentence(run("serve", "--data", tmp_path / "d", "--port", 0, *words))
