import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workspace_memory.folder.address import Address, connect, listen_and_publish, read_address, withdraw

Listen = Callable[[Path], Address]


@pytest.fixture
def listen() -> Iterator[Listen]:
    opened: list[socket.socket] = []

    def listen_in(folder: Path) -> Address:
        listening, address = listen_and_publish(folder, "1")
        opened.append(listening)
        return address

    yield listen_in
    for listening in opened:
        listening.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "f"
    folder.mkdir()
    return folder


def test_others_read_what_the_owner_published(listen: Listen, folder: Path) -> None:
    assert listen(folder) == read_address(folder)


def test_the_published_place_can_be_connected_to(listen: Listen, folder: Path) -> None:
    connect(folder, listen(folder), seconds=1).close()


def test_the_address_with_its_secret_is_for_the_owner_of_the_folder_alone(
    listen: Listen, folder: Path
) -> None:
    listen(folder)
    assert stat.S_IMODE((folder / "owner.json").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "owner.sock").stat().st_mode) == 0o600


def test_each_owner_has_a_secret_of_its_own(listen: Listen, folder: Path) -> None:
    assert listen(folder).secret != listen(folder).secret


def test_a_folder_with_a_long_path_has_its_socket_in_a_private_short_place(
    listen: Listen, tmp_path: Path
) -> None:
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    address = listen(folder)
    place = Path(str(address.place))
    assert place.is_absolute()
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    connect(folder, address, seconds=1).close()
    withdraw(folder)
    assert not place.parent.exists()


def test_the_next_owner_removes_what_a_killed_one_left(listen: Listen, tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    left_over = Path(str(listen(folder).place)).parent
    listen(folder)
    assert not left_over.exists()
    withdraw(folder)


def test_a_withdrawn_address_leaves_nothing(listen: Listen, folder: Path) -> None:
    listen(folder)
    withdraw(folder)
    assert list(folder.iterdir()) == []


def test_an_address_that_others_could_have_written_is_not_trusted(listen: Listen, folder: Path) -> None:
    listen(folder)
    (folder / "owner.json").chmod(0o666)
    assert read_address(folder) is None


def test_an_address_that_is_a_link_is_not_followed(listen: Listen, folder: Path) -> None:
    listen(folder)
    (folder / "owner.json").rename(folder / "elsewhere.json")
    (folder / "owner.json").symlink_to(folder / "elsewhere.json")
    assert read_address(folder) is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "{", '{"place": "s", "secret": "xyz", "pid": 1, "version": "1"}']
)
def test_an_address_that_makes_no_sense_is_no_address(folder: Path, text: str) -> None:
    (folder / "owner.json").write_text(text)
    (folder / "owner.json").chmod(0o600)
    assert read_address(folder) is None


def test_a_published_path_is_never_removed_unless_it_is_a_socket_of_ours(
    folder: Path, tmp_path: Path
) -> None:
    precious = tmp_path / "precious"
    precious.touch()
    (folder / "owner.json").write_text(f'{{"place": "{precious}", "secret": "", "pid": 1, "version": "1"}}')
    (folder / "owner.json").chmod(0o600)
    withdraw(folder)
    assert precious.exists()


def test_a_folder_that_was_moved_is_reached_at_its_new_place(listen: Listen, folder: Path) -> None:
    address = listen(folder)
    moved = folder.rename(folder.with_name("g"))
    connect(moved, address, seconds=1).close()


def test_the_pid_of_the_owner_is_told(listen: Listen, folder: Path) -> None:
    assert listen(folder).pid == os.getpid()
