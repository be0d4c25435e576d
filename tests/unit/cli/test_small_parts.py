"""The pure parts of the command line: links, logs, addresses, JSON, formats."""

import logging
import shlex
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from workspace_memory.cli.executable import typed
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.import_files import format_of
from workspace_memory.cli.links import secret_of, server_of
from workspace_memory.cli.logs import WithoutSecrets
from workspace_memory.cli.output import plain
from workspace_memory.cli.rows import WorkspaceRow
from workspace_memory.cli.texts import first_line, indented
from workspace_memory.domain.address import is_loopback
from workspace_memory.domain.exchange import Format

SECRET = "wm_lnk_" + "x" * 43


@pytest.mark.parametrize("text", [SECRET, f"https://memory.example.com/accept#{SECRET}", f"  {SECRET}\n"])
def test_the_secret_is_found_in_a_link_and_alone(text: str) -> None:
    assert secret_of(text) == SECRET


@pytest.mark.parametrize("text", ["", "https://memory.example.com/", "wm_pat_" + "x" * 43, "wm_lnk_short"])
def test_what_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        secret_of(text)


def test_a_link_names_its_server_with_a_path_before_it() -> None:
    assert server_of(f"https://example.com/memory/accept#{SECRET}") == "https://example.com/memory"


def test_a_bare_secret_names_no_server() -> None:
    assert server_of(SECRET) is None


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
def test_these_addresses_are_reached_from_this_machine_alone(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "memory.example.com", ""])  # noqa: S104  compared
def test_these_addresses_are_reached_from_others(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/healthz", "/healthz"),
        ("/api/v1/items?query=green+tea", "/api/v1/items"),
        ("/x/wm_pat_abc-DEF_1/y", "/x/wm_pat_…/y"),
        ("/x/wm_ses_abc%2Fdef", "/x/wm_ses_…"),
        (f"/x/{'aZ-_' * 11}/y", "/x/…/y"),
        ("/x/019d2f6e-8c1a-7b42-9d3e-5f60718293a4/y", "/x/019d2f6e-8c1a-7b42-9d3e-5f60718293a4/y"),
    ],
)
def test_the_access_log_has_neither_query_nor_secret(path: str, logged: str) -> None:
    line = '%s - "%s %s HTTP/%s" %d'
    arguments = ("127.0.0.1:1", "GET", path, "1.1", 200)
    record = logging.LogRecord("uvicorn.access", logging.INFO, "", 0, line, arguments, None)
    assert WithoutSecrets().filter(record)
    assert record.getMessage() == f'127.0.0.1:1 - "GET {logged} HTTP/1.1" 200'


def test_json_has_the_fields_by_name_and_times_in_utc() -> None:
    row = WorkspaceRow("1", "Tea", datetime(2026, 11, 2, 9, tzinfo=UTC))
    assert plain([row]) == [{"id": "1", "name": "Tea", "created_at": "2026-11-02T09:00:00Z"}]


def test_a_folder_with_notes_among_other_texts_is_a_folder_of_notes() -> None:
    files = [("a.md", b"---\ntitle: A\n---\n\n- [fact] x\n"), ("readme.txt", b"hello\n")]
    assert format_of(files) is Format.BASIC_MEMORY


def test_files_of_two_formats_have_to_be_named() -> None:
    files = [("CLAUDE.md", b"- x\n"), ("chatgpt.txt", b"likes tea\n")]
    with pytest.raises(Refused, match="--format"):
        format_of(files)


@pytest.mark.parametrize("write", [indented, first_line])
def test_an_escape_sequence_in_a_text_cannot_drive_the_terminal(write: Callable[[str], str]) -> None:
    assert write("harmless \x1b[31mred").strip() == "harmless ⟦U+001B⟧[31mred"


def test_a_text_that_tells_no_format_has_to_be_named() -> None:
    with pytest.raises(Refused, match=r"odd\.csv tells no format.*--format"):
        format_of([("odd.csv", b"a,b\n")])


def test_one_text_without_a_format_among_others_is_not_read_as_they_are() -> None:
    with pytest.raises(Refused, match=r"list\.txt"):
        format_of([("CLAUDE.md", b"- x\n"), ("list.txt", b"- likes tea\n")])


def test_what_is_to_be_typed_names_the_program_by_a_path_that_works_everywhere() -> None:
    program, *rest = shlex.split(typed("items list"))
    assert Path(program).is_absolute()
    assert rest[-2:] == ["items", "list"]
