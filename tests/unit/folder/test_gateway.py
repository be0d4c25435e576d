import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import pytest

from workspace_memory.domain.errors import NotFound
from workspace_memory.folder.address import listen_and_publish
from workspace_memory.folder.calls import CallRegistry
from workspace_memory.folder.errors import (
    AnotherServeRuns,
    FolderBusy,
    FolderClosed,
    OtherVersionOwns,
    OwnerLost,
)
from workspace_memory.folder.gateway import FolderGateway
from workspace_memory.folder.lock import OWNER_LOCK, FolderLock, prepare_folder

SECONDS = 5.0
P = ParamSpec("P")
R = TypeVar("R")


@dataclass
class Pot:
    """What a process has opened; several gateways in this one process stand for several processes."""

    owner: str
    tea: list[str]
    begun: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)
    closed: bool = False


@dataclass
class OpenPot:
    deps: Pot

    def close(self) -> None:
        self.deps.closed = True


def pour(pot: Pot, word: str) -> str:
    pot.tea.append(word)
    return pot.owner


def who(pot: Pot) -> str:
    return pot.owner


def steep(pot: Pot, word: str) -> str:
    """Stays in flight until the test lets it go on."""
    pot.begun.set()
    pot.go_on.wait(SECONDS)
    assert not pot.closed, "closed under a call in flight"
    pot.tea.append(word)
    return pot.owner


def smell(pot: Pot) -> str:
    """Repeatable, and in flight until the test lets it go on."""
    pot.tea.append("smelled")
    pot.go_on.wait(SECONDS)
    return pot.owner


def spill(pot: Pot) -> None:
    raise NotFound("cup")


REGISTRY = CallRegistry(
    {"pour": pour, "who": who, "steep": steep, "smell": smell, "spill": spill}, repeatable={who, smell}
)


@dataclass
class Kitchen:
    """One data folder and the processes around it."""

    folder: Path
    tea: list[str] = field(default_factory=list[str])
    pots: dict[str, Pot] = field(default_factory=dict[str, Pot])
    gateways: list[FolderGateway[Pot]] = field(default_factory=list[FolderGateway[Pot]])
    locks: list[FolderLock] = field(default_factory=list[FolderLock])

    def hold_the_lock(self) -> None:
        """Own the folder as a process does that has not opened its services yet."""
        self.locks.append(FolderLock(prepare_folder(self.folder), OWNER_LOCK))
        assert self.locks[-1].try_acquire()

    def process(
        self,
        name: str,
        *,
        version: str = "1",
        call_seconds_max: float = SECONDS,
        answer_seconds_max: float = SECONDS,
        in_flight_seconds_max: float = SECONDS,
    ) -> FolderGateway[Pot]:
        self.pots[name] = Pot(name, self.tea)
        gateway = FolderGateway(
            self.folder,
            lambda: OpenPot(self.pots[name]),
            registry=REGISTRY,
            version=version,
            call_seconds_max=call_seconds_max,
            answer_seconds_max=answer_seconds_max,
            in_flight_seconds_max=in_flight_seconds_max,
        )
        self.gateways.append(gateway)
        return gateway


@pytest.fixture
def kitchen(tmp_path: Path) -> Iterator[Kitchen]:
    kitchen = Kitchen(tmp_path / "folder")
    yield kitchen
    for pot in kitchen.pots.values():
        pot.go_on.set()
    for gateway in kitchen.gateways:
        gateway.close()
    for lock in kitchen.locks:
        lock.release()


def test_nothing_is_opened_before_the_first_call(kitchen: Kitchen) -> None:
    assert not kitchen.process("first").owns


def test_the_first_to_call_owns(kitchen: Kitchen) -> None:
    first, second = kitchen.process("first"), kitchen.process("second")
    assert second.call(who) == "second"
    assert first.call(who) == "second"


def test_arguments_by_keyword_travel(kitchen: Kitchen) -> None:
    kitchen.process("first").call(who)
    kitchen.process("second").call(pour, word="green")
    assert kitchen.tea == ["green"]


def test_a_domain_error_is_the_same_for_owner_and_caller(kitchen: Kitchen) -> None:
    for name in ("owner", "caller"):
        with pytest.raises(NotFound, match="There is no such cup"):
            kitchen.process(name).call(spill)


def test_every_call_goes_through_the_way_of_running_that_the_owner_was_given(kitchen: Kitchen) -> None:
    ran: list[str] = []

    def run_and_tell(
        deps: Pot, function: Callable[Concatenate[Pot, P], R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        ran.append(function.__name__)
        return function(deps, *args, **kwargs)

    with closing(
        FolderGateway(
            kitchen.folder,
            lambda: OpenPot(Pot("owner", kitchen.tea)),
            registry=REGISTRY,
            version="1",
            run_here=run_and_tell,
        )
    ) as owner:
        owner.call(who)
        owner.call(pour, "green")
        kitchen.process("caller").call(pour, "black")
    assert ran == ["who", "pour", "pour"]


def test_a_folder_with_a_long_path_is_shared_too(tmp_path: Path) -> None:
    kitchen = Kitchen(tmp_path / ("long" * 30))
    first, second = kitchen.process("first"), kitchen.process("second")
    first.call(who)
    assert second.call(who) == "first"
    second.close()
    first.close()


def test_closing_closes_the_services(kitchen: Kitchen) -> None:
    first = kitchen.process("first")
    first.call(who)
    first.close()
    assert kitchen.pots["first"].closed


def test_the_next_caller_takes_over_after_a_closing(kitchen: Kitchen) -> None:
    first, second = kitchen.process("first"), kitchen.process("second")
    first.call(who)
    second.call(who)
    first.close()
    assert second.call(who) == "second"


def test_a_call_after_the_closing_is_refused(kitchen: Kitchen) -> None:
    first = kitchen.process("first")
    first.close()
    with pytest.raises(FolderClosed):
        first.call(who)


def test_closing_twice_is_harmless(kitchen: Kitchen) -> None:
    first = kitchen.process("first")
    first.call(who)
    first.close()
    first.close()


@pytest.mark.parametrize("caller", ["owner", "other"])
def test_closing_finishes_the_call_in_flight(kitchen: Kitchen, caller: str) -> None:
    owner, other = kitchen.process("owner"), kitchen.process("other")
    owner.call(who)
    with ThreadPoolExecutor(2) as threads:
        call = threads.submit((owner if caller == "owner" else other).call, steep, "green")
        kitchen.pots["owner"].begun.wait(SECONDS)
        closing = threads.submit(owner.close)
        kitchen.pots["owner"].go_on.set()
        assert call.result(SECONDS) == "owner"
        closing.result(SECONDS)


def test_a_serve_gets_the_folder_from_its_owner(kitchen: Kitchen) -> None:
    stdio, serve = kitchen.process("stdio"), kitchen.process("serve")
    stdio.call(who)
    serve.own_as_serve()
    assert kitchen.pots["stdio"].closed
    assert stdio.call(who) == "serve"


def test_a_serve_gets_the_folder_from_an_owner_of_another_version(kitchen: Kitchen) -> None:
    kitchen.process("stdio", version="0").call(who)
    serve = kitchen.process("serve", version="1")
    serve.own_as_serve()
    assert serve.call(who) == "serve"


def test_a_second_serve_is_refused_at_once(kitchen: Kitchen) -> None:
    kitchen.process("serve").own_as_serve()
    with pytest.raises(AnotherServeRuns, match=rf"\(process {os.getpid()}\)"):
        kitchen.process("second").own_as_serve()


def test_a_serve_can_start_after_another_has_closed(kitchen: Kitchen) -> None:
    first, second = kitchen.process("first"), kitchen.process("second")
    first.own_as_serve()
    first.close()
    second.own_as_serve()
    assert second.call(who) == "second"


def test_a_serve_that_starts_while_another_closes_waits_for_it(kitchen: Kitchen) -> None:
    first, second = kitchen.process("first"), kitchen.process("second")
    first.own_as_serve()
    with ThreadPoolExecutor(3) as threads:
        in_flight = threads.submit(first.call, steep, "green")
        kitchen.pots["first"].begun.wait(SECONDS)
        closing = threads.submit(first.close)
        with pytest.raises(FolderClosed):
            call_for_ever(first)  # until the closing has begun
        starting = threads.submit(second.own_as_serve)
        kitchen.pots["first"].go_on.set()
        assert in_flight.result(SECONDS) == "first"
        closing.result(SECONDS)
        starting.result(SECONDS)
    assert second.call(who) == "second"


def test_a_refused_serve_does_not_disturb_the_running_one(kitchen: Kitchen) -> None:
    serve = kitchen.process("serve")
    serve.own_as_serve()
    second = kitchen.process("second")
    with pytest.raises(AnotherServeRuns):
        second.own_as_serve()
    second.close()
    assert serve.owns


def test_a_serve_waits_for_the_calls_of_the_owner_and_loses_none(kitchen: Kitchen) -> None:
    stdio, other, serve = (kitchen.process(name) for name in ("stdio", "other", "serve"))
    stdio.call(who)
    with ThreadPoolExecutor(3) as threads:
        in_flight = threads.submit(other.call, steep, "green")
        kitchen.pots["stdio"].begun.wait(SECONDS)
        serving = threads.submit(serve.own_as_serve)
        later = threads.submit(stdio.call, pour, "black")
        kitchen.pots["stdio"].go_on.set()
        assert in_flight.result(SECONDS) == "stdio"
        assert later.result(SECONDS) in {"stdio", "serve"}
        serving.result(SECONDS)
    assert sorted(kitchen.tea) == ["black", "green"]
    assert stdio.call(who) == "serve"


def test_an_owner_keeps_the_folder_when_a_call_takes_too_long_to_hand_over(kitchen: Kitchen) -> None:
    stdio = kitchen.process("stdio", in_flight_seconds_max=0.05)
    serve = kitchen.process("serve", call_seconds_max=0.3)
    stdio.call(who)
    with ThreadPoolExecutor(1) as threads:
        in_flight = threads.submit(stdio.call, steep, "green")
        kitchen.pots["stdio"].begun.wait(SECONDS)
        with pytest.raises(FolderBusy):
            serve.own_as_serve()
        kitchen.pots["stdio"].go_on.set()
        assert in_flight.result(SECONDS) == "stdio"
    assert stdio.call(who) == "stdio"


def test_a_serve_that_gave_up_can_be_started_again(kitchen: Kitchen) -> None:
    test_an_owner_keeps_the_folder_when_a_call_takes_too_long_to_hand_over(kitchen)
    kitchen.process("next serve").own_as_serve()


def test_an_owner_of_another_version_is_named(kitchen: Kitchen) -> None:
    kitchen.process("old", version="0.9").call(who)
    with pytest.raises(OtherVersionOwns, match=r"runs version 0\.9; this process runs version 1"):
        kitchen.process("new", version="1").call(who)


def test_a_killed_owner_of_another_version_is_in_nobodys_way(kitchen: Kitchen) -> None:
    new = kitchen.process("new")
    left_over, _ = listen_and_publish(kitchen.folder, "0.9")
    left_over.close()
    assert new.call(who) == "new"


def test_services_that_do_not_open_leave_the_folder_free(kitchen: Kitchen) -> None:
    def fail() -> OpenPot:
        raise NotFound("database")

    broken = FolderGateway(kitchen.folder, fail, registry=REGISTRY, version="1")
    with pytest.raises(NotFound):
        broken.call(who)
    assert kitchen.process("next").call(who) == "next"


def test_an_answer_that_never_comes_is_an_owner_lost_and_not_repeated(kitchen: Kitchen) -> None:
    kitchen.process("owner").call(who)
    caller = kitchen.process("caller", answer_seconds_max=0.05)
    with pytest.raises(OwnerLost, match=r"did not answer in time\. Look whether the change is there"):
        caller.call(smell)
    assert kitchen.tea == ["smelled"]


def test_a_waiting_call_ends_when_its_own_process_closes(kitchen: Kitchen) -> None:
    caller = kitchen.process("caller")
    kitchen.hold_the_lock()
    with ThreadPoolExecutor(1) as threads:
        call = threads.submit(caller.call, who)
        caller.close()
        assert isinstance(call.exception(SECONDS), FolderClosed)


def test_a_folder_whose_owner_cannot_be_reached_is_busy_and_names_the_process(kitchen: Kitchen) -> None:
    kitchen.hold_the_lock()
    with pytest.raises(FolderBusy, match=f"Process {os.getpid()} owns the data folder"):
        kitchen.process("caller", call_seconds_max=0.05).call(who)


def test_many_threads_call_at_once_and_one_of_them_opens(kitchen: Kitchen) -> None:
    owner, caller = kitchen.process("owner"), kitchen.process("caller")
    with ThreadPoolExecutor(24) as threads:
        calls = [
            threads.submit(gateway.call, pour, f"{name}{number}")
            for number in range(100)
            for name, gateway in (("owner", owner), ("caller", caller))
        ]
        owners = {call.result(SECONDS * 2) for call in calls}
    assert len(owners) == 1
    assert len(kitchen.tea) == len(set(kitchen.tea)) == 200


def call_for_ever(gateway: FolderGateway[Pot]) -> None:
    while True:
        gateway.call(who)
