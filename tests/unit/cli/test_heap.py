"""The bound on the C library's heaps; what it saves is measured by benchmarks/bulk.py."""

import ctypes
import sys

import pytest

from workspace_memory.cli.heap import HEAPS_MAX, bound_heaps


class Library:
    """What stands for the C library; without `mallopt` it is another one than glibc."""

    def __init__(self) -> None:
        self.said: list[tuple[int, int]] = []

    def mallopt(self, parameter: int, value: int) -> int:
        self.said.append((parameter, value))
        return 1


def load(library: object, monkeypatch: pytest.MonkeyPatch, *, platform: str = "linux") -> None:
    def loaded(_name: str | None) -> object:
        return library

    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(ctypes, "CDLL", loaded)
    bound_heaps()


def test_glibc_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    load(library, monkeypatch)
    assert library.said == [(-8, HEAPS_MAX)]


def test_another_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    load(object(), monkeypatch)


def test_another_system_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    load(library, monkeypatch, platform="win32")
    assert library.said == []
