"""The instance's own secret and the store of key sessions, from the settings to the Deps; refused rather than weak."""

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from tests.contract.together import answers, at_once

from workspace_memory.cli.opening import open_own_folder, open_own_server
from workspace_memory.crypto.key_sessions import RamKeyStore
from workspace_memory.domain.errors import FolderUnusable, InvalidRequest
from workspace_memory.services import instance_keys
from workspace_memory.services.instance_keys import FILE_NAME, instance_secret
from workspace_memory.services.opening import KeyTerms, open_folder
from workspace_memory.settings import Settings

HEX = "0123456789abcdef" * 4


def test_the_file_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    secret = instance_secret("", tmp_path / "new")
    path = tmp_path / "new" / FILE_NAME
    assert (len(secret), path.read_bytes(), path.stat().st_mode & 0o777) == (32, secret, 0o600)
    assert instance_secret("", tmp_path / "new") == secret
    assert instance_secret("", tmp_path / "other") != secret
    assert os.listdir(tmp_path / "new") == [FILE_NAME]


def test_of_several_first_starts_at_once_all_have_the_same(tmp_path: Path) -> None:
    found = answers(at_once(*(lambda: instance_secret("", tmp_path) for _ in range(8))))
    assert (len(found), len(set(found))) == (8, 1)
    assert os.listdir(tmp_path) == [FILE_NAME]


def test_who_comes_second_makes_no_other(tmp_path: Path) -> None:
    """Both found no file, and one has made it by now."""
    secret = instance_secret("", tmp_path)
    instance_keys._make(tmp_path / FILE_NAME)  # pyright: ignore[reportPrivateUsage]  the second half of a first start
    assert ((tmp_path / FILE_NAME).read_bytes(), os.listdir(tmp_path)) == (secret, [FILE_NAME])


def test_the_setting_goes_first_and_makes_no_file(tmp_path: Path) -> None:
    assert instance_secret(HEX, tmp_path) == bytes.fromhex(HEX)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("setting", ["x" * 64, HEX[:-2], HEX + "00", " " + HEX[1:], f"{HEX[:-3]} {HEX[:2]}"])
def test_a_malformed_setting_is_refused_and_not_repeated(tmp_path: Path, setting: str) -> None:
    with pytest.raises(InvalidRequest, match="64 hexadecimal digits") as refused:
        instance_secret(setting, tmp_path)
    assert setting not in str(refused.value)


def shortened(path: Path) -> None:
    path.write_bytes(bytes(31))


def lengthened(path: Path) -> None:
    path.write_bytes(bytes(33))


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def read_by_the_group(path: Path) -> None:
    path.chmod(0o640)


def read_by_all(path: Path) -> None:
    path.chmod(0o604)


def written_by_the_group(path: Path) -> None:
    path.chmod(0o620)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "spoil",
    [shortened, lengthened, emptied, read_by_the_group, read_by_all, written_by_the_group, a_folder],
)
def test_a_file_that_is_not_secret_and_whole_is_refused(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    instance_secret("", tmp_path)
    spoil(tmp_path / FILE_NAME)
    with pytest.raises(FolderUnusable, match=FILE_NAME):
        open_folder(tmp_path, public_url="")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    instance_secret("", tmp_path)
    (tmp_path / FILE_NAME).chmod(0)
    with pytest.raises(FolderUnusable, match=FILE_NAME):
        instance_secret("", tmp_path)


def test_a_restart_has_the_same_secret(tmp_path: Path) -> None:
    secrets: set[bytes] = set()
    for _ in range(2):
        opened = open_own_folder(Settings(), tmp_path)
        secrets.add(opened.deps.instance_secret)
        opened.close()
    assert secrets == {(tmp_path / FILE_NAME).read_bytes()}


def test_on_postgresql_the_file_lies_in_the_data_folder(postgresql_database_url: str, tmp_path: Path) -> None:
    settings = Settings(database_url=postgresql_database_url, data=tmp_path / "data")
    opened = open_own_server(settings)
    opened.close()
    assert opened.deps.instance_secret == (tmp_path / "data" / FILE_NAME).read_bytes()
    opened = open_own_server(Settings(database_url=postgresql_database_url, instance_key=HEX))
    opened.close()
    assert opened.deps.instance_secret == bytes.fromhex(HEX)


def test_the_times_of_key_sessions_are_settings(tmp_path: Path) -> None:
    opened = open_own_folder(Settings(key_session_idle_minutes=5, key_session_hours=2), tmp_path)
    opened.close()
    times = opened.deps.key_session_times
    assert (times.idle, times.absolute) == (timedelta(minutes=5), timedelta(hours=2))
    assert isinstance(opened.deps.key_store, RamKeyStore)


@pytest.mark.parametrize("changes", [{"key_session_idle_minutes": 0}, {"key_session_hours": 169}])
def test_a_key_session_neither_ends_at_once_nor_never(changes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="key_session"):
        Settings(**changes)  # pyright: ignore[reportArgumentType]  a test's shorthand


def test_no_setting_that_may_hold_a_password_is_shown() -> None:
    shown = repr(Settings(key_store_url="valkey://:hunter2@host", instance_key=HEX))
    assert "hunter2" not in shown
    assert HEX not in shown
    assert "hunter2" not in repr(KeyTerms(store_url="valkey://:hunter2@host"))


def test_a_valkey_is_used_where_one_is_named(tmp_path: Path) -> None:
    valkey_server = pytest.importorskip("tests.contract.valkey_server")
    with valkey_server.running() as valkey:
        opened = open_own_folder(Settings(key_store_url=valkey.url), tmp_path)
        opened.close()
    assert type(opened.deps.key_store).__name__ == "ValkeyKeyStore"


@pytest.mark.parametrize("url", ["http://:hunter2@127.0.0.1", "valkey://:hunter2@127.0.0.1:1"])
def test_a_store_that_cannot_be_used_is_refused_at_the_start(tmp_path: Path, url: str) -> None:
    pytest.importorskip("valkey")
    with pytest.raises(InvalidRequest, match="WORKSPACE_MEMORY_KEY_STORE_URL") as refused:
        open_own_folder(Settings(key_store_url=url), tmp_path)
    assert "hunter2" not in str(refused.value)
