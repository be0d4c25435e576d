"""Export and import from the command line."""

import json
import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from tests.e2e.command_line import (
    BOUND_SECONDS,
    COMMAND,
    INTERRUPT,
    environment,
    on_a_terminal,
    run,
    sentence,
    serving,
    set_up,
    succeed,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two items of alice."""
    made = tmp_path / "folder"
    set_up(made)
    for text in ("likes green tea", "takes the train"):
        succeed("items", "add", text, "--data", made)
    return made


def contents(folder: Path) -> list[str]:
    listed = json.loads(succeed("items", "list", "--all", "--json", "--data", folder))
    return sorted(each["content"] for each in listed["items"])


def test_an_export_is_read_into_another_folder(folder: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "memory.jsonl", tmp_path / "other"
    succeed("export", file, "--data", folder)
    set_up(other)
    succeed("import", file, "--yes", "--data", other)
    assert contents(other) == ["likes green tea", "takes the train"]


def test_an_export_gives_back_the_ids_of_what_was_forgotten(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    succeed("export", file, "--data", folder)
    before = file.read_bytes()
    ids = [each["id"] for each in json.loads(succeed("items", "list", "--json", "--data", folder))["items"]]
    succeed("items", "forget", *ids, "--data", folder)
    succeed("import", file, "--yes", "--data", folder)
    succeed("export", file, "--force", "--data", folder)
    assert file.read_bytes() == before


def test_an_export_goes_to_standard_output_by_default(folder: Path) -> None:
    assert succeed("export", "--data", folder).count("\n") == 3


def test_an_export_can_be_read_by_people(folder: Path) -> None:
    assert "takes the train" in succeed("export", "--format", "markdown", "--data", folder)


def test_an_export_overwrites_nothing(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text("mine")
    assert "exists already" in sentence(run("export", file, "--data", folder))
    assert file.read_text() == "mine"


def test_an_export_is_readable_for_its_owner_alone(folder: Path, tmp_path: Path) -> None:
    succeed("export", tmp_path / "memory.jsonl", "--data", folder)
    assert (tmp_path / "memory.jsonl").stat().st_mode & 0o077 == 0


def test_a_dry_run_counts_and_writes_nothing(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "CLAUDE.md"
    file.write_text("# Rules\n\n- use tabs\n- likes green tea\n")
    ended = run("import", file, "--dry-run", "--data", folder)
    assert "New: 1 personal" in ended.err
    assert "There already: 1" in ended.err
    assert contents(folder) == ["likes green tea", "takes the train"]


def test_without_a_terminal_nothing_is_imported_unless_told_so(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "CLAUDE.md"
    file.write_text("- use tabs\n")
    ended = run("import", file, "--data", folder)
    assert ended.code == 1
    assert "Give --yes" in ended.err
    assert "use tabs" not in contents(folder)


def test_company_items_wait_unless_they_are_approved(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "AGENTS.md"
    file.write_text("- use tabs\n")
    succeed("import", file, "--scope", "organization", "--yes", "--data", folder)
    assert "use tabs" in succeed(
        "items", "list", "--scope", "organization", "--status", "pending", "--data", folder
    )
    file.write_text("- use semicolons\n")
    succeed("import", file, "--scope", "organization", "--approve", "--yes", "--data", folder)
    assert "use semicolons" in contents(folder)


def test_a_folder_of_notes_is_imported(folder: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    (notes / ".hidden").mkdir(parents=True)
    (notes / "tea.md").write_text("---\ntitle: Tea\n---\n\n- [fact] Sencha is steeped at 70 degrees #tea\n")
    (notes / ".hidden" / "x.md").write_text("---\ntitle: X\n---\n\n- [fact] hidden\n")
    succeed("import", notes, "--yes", "--data", folder)
    assert any("Sencha" in each for each in contents(folder))
    assert not any("hidden" in each for each in contents(folder))


def test_a_file_that_is_not_there_is_named(folder: Path, tmp_path: Path) -> None:
    assert "no file or folder" in sentence(run("import", tmp_path / "nothing", "--data", folder))


def test_a_file_that_nothing_can_read_is_refused(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "picture.bin"
    file.write_bytes(b"\0\1\2")
    ended = run("import", file, "--data", folder)
    assert ended.code == 1
    assert "--format" in ended.err


def test_both_ways_work_over_the_network(tmp_path: Path) -> None:
    token = set_up(tmp_path)["token"]
    file = tmp_path / "AGENTS.md"
    file.write_text("- use tabs\n- use semicolons\n")
    with serving(tmp_path) as serve:
        there = ("--url", serve.url, "--token", token)
        succeed("import", file, "--yes", *there)
        assert "There already: 2" in run("import", file, "--yes", *there).err
        assert "use semicolons" in succeed("export", "--format", "markdown", *there)
        exported = succeed("export", *there)
    assert exported == succeed("export", "--data", tmp_path)


def test_an_export_is_given_back_over_the_network_as_it_was(tmp_path: Path) -> None:
    token = set_up(tmp_path)["token"]
    file = tmp_path / "memory.jsonl"
    with serving(tmp_path) as serve:
        there = ("--url", serve.url, "--token", token)
        wanted = [succeed("items", "add", text, *there) for text in ("likes green tea", "takes the train")]
        succeed("export", file, *there)
        for item in wanted:
            succeed("items", "forget", item, *there)
        told = run("import", file, "--yes", *there)
        assert "New: 2 personal items, given back with ids, history and dates" in told.err
        assert succeed("export", *there) == file.read_text().rstrip()


def test_a_large_export_goes_over_the_network_block_by_block(tmp_path: Path) -> None:
    token = set_up(tmp_path)["token"]
    lines = tmp_path / "chatgpt.txt"
    lines.write_text("".join(f"{number} {'茶 ' * 250}\n" for number in range(510)))
    file = tmp_path / "memory.jsonl"
    with serving(tmp_path) as serve:
        there = ("--url", serve.url, "--token", token)
        assert "Imported 510" in run("import", lines, "--yes", *there).err
        succeed("export", file, *there)
        before = file.read_bytes()
        assert len(json.loads(before.splitlines()[-1])["blocks"]) > 2
        succeed("member", "erase", "alice@example.com", "--yes", *there)
        assert "given back with ids" in run("import", file, "--yes", *there).err
        succeed("export", file, "--force", *there)
        assert file.read_bytes() == before


def test_what_cannot_be_imported_over_the_network_is_named_by_its_place_in_the_file(tmp_path: Path) -> None:
    token = set_up(tmp_path)["token"]
    file = tmp_path / "AGENTS.md"
    file.write_text("# Rules\n\n- use tabs\n- export TOKEN=v9Xk2QmZ8rTfLw7BnHs4\n")
    with serving(tmp_path) as serve:
        ended = run("import", file, "--dry-run", "--url", serve.url, "--token", token)
    assert "Not possible: AGENTS.md, line 4: " in ended.err
    assert "v9Xk2QmZ8rTfLw7BnHs4" not in ended.err


def test_company_items_wait_over_the_network_too(tmp_path: Path) -> None:
    token = set_up(tmp_path)["token"]
    file = tmp_path / "AGENTS.md"
    file.write_text("- use tabs\n")
    with serving(tmp_path) as serve:
        there = ("--url", serve.url, "--token", token)
        succeed("import", file, "--scope", "organization", "--yes", *there)
        assert "use tabs" in succeed(
            "items", "list", "--scope", "organization", "--status", "pending", *there
        )


def test_an_import_that_was_killed_goes_on_where_it_was_and_makes_nothing_twice(tmp_path: Path) -> None:
    token = set_up(tmp_path)["token"]
    file = tmp_path / "company.jsonl"
    file.write_text("".join(f'{{"content": "text number {number}"}}\n' for number in range(4_000)))
    words = ("import", file, "--format", "workspace-memory", "--scope", "organization", "--approve", "--yes")
    with serving(tmp_path) as serve:
        there = ("--url", serve.url, "--token", token)
        killed = subprocess.Popen(
            [str(COMMAND), *map(str, (*words, *there))],
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while not (begun := stored(tmp_path)):
            assert killed.poll() is None
        killed.kill()
        killed.wait(BOUND_SECONDS)
        again = json.loads(succeed(*words, "--json", *there))["result"]
        assert again["new"] + again["already_there"] == 4_000
        assert again["already_there"] >= begun
        assert stored(tmp_path) == 4_000


def test_an_import_that_is_interrupted_says_what_is_saved_and_goes_on_from_there(tmp_path: Path) -> None:
    set_up(tmp_path)
    file = tmp_path / "company.jsonl"
    file.write_text("".join(f'{{"content": "text number {number}"}}\n' for number in range(6_000)))
    words = [
        *(
            "import",
            str(file),
            "--format",
            "workspace-memory",
            "--scope",
            "organization",
            "--approve",
            "--yes",
        ),
        *("--data", str(tmp_path)),
    ]
    first_progress = b"Importing  [#"
    code, shown = on_a_terminal(words, [first_progress], [INTERRUPT])
    assert code == 130, shown
    # Nothing done is shown before the first part is.
    assert "Importing  [-" in shown[: shown.index(first_progress.decode())]
    said = re.search(r"New items saved so far: ([\d,]+)\b.*Start the same command again", shown, re.DOTALL)
    assert said is not None, shown
    saved = int(said[1].replace(",", ""))
    assert 0 < saved <= stored(tmp_path) < 6_000
    again = json.loads(succeed(*words, "--json"))["result"]
    assert again["already_there"] >= saved
    assert stored(tmp_path) == 6_000


def stored(folder: Path) -> int:
    with closing(sqlite3.connect(f"file:{folder / 'memory.db'}?mode=ro", uri=True)) as database:
        return database.execute("SELECT count(*) FROM memory_items").fetchone()[0]
