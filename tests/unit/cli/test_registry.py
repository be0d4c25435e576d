"""Every use case can be called through the folder's owner."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from typing import cast

from workspace_memory import services
from workspace_memory.cli.registry import REPEATABLE, call_registry, use_cases


def public_use_cases() -> set[str]:
    """Public functions of the services whose first parameter is `deps` and that take no open transaction."""
    found: set[str] = set()
    for module in pkgutil.iter_modules(services.__path__):
        if module.name in {
            "running",
            "screening",
            "importer",
        }:  # what runs use cases, and what they ask, are none
            continue
        loaded = importlib.import_module(f"workspace_memory.services.{module.name}")
        for name, value in inspect.getmembers(loaded, inspect.isfunction):
            parameters = list(inspect.signature(cast("Callable[..., object]", value)).parameters)
            own = value.__module__ == loaded.__name__ and not name.startswith("_")
            if own and parameters[:1] == ["deps"] and "tx" not in parameters:
                found.add(f"{module.name}.{name}")
    return found


def test_every_use_case_is_registered() -> None:
    assert set(use_cases()) == public_use_cases()


def test_every_use_case_can_travel_between_processes() -> None:
    call_registry().check()


def test_what_may_be_repeated_is_a_use_case() -> None:
    assert set(use_cases().values()) >= REPEATABLE


def test_what_makes_something_new_each_time_is_not_repeated() -> None:
    names = {name for name, function in use_cases().items() if function in REPEATABLE}
    assert (
        names
        & {"tokens.make_token", "tokens.make_token_here", "servers.add_server", "workspaces.make_workspace"}
        == set()
    )
