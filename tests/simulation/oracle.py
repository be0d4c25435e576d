"""The judge of an interleaving: its end must be the end of a serial order, and of the one in which it was committed.

Whoever wrote is at the place of the last COMMIT with a write in it; whoever wrote nothing may be anywhere. What ended
before another one began is before it.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.simulation.arena import Arena
from tests.simulation.final_state import State, broken_invariants, read_state
from tests.simulation.interleavings import Played, Stop, Unit
from tests.simulation.moves import Moves
from tests.simulation.pairs import Case

from workspace_memory.domain.errors import DomainError
from workspace_memory.services.captures import Captured, CaptureOutcome
from workspace_memory.services.documents import Written
from workspace_memory.services.recall import Recalled

NOTHING = "nothing"


Order = tuple[Unit, ...]


@dataclass(frozen=True)
class End:
    """What a run came to: the state, and what was told to each request."""

    state: State
    told: Mapping[Unit, object]


@dataclass
class Trial:
    """One case on one database: its serial orders are run first, then any interleaving is judged by them."""

    arena: Arena
    case: Case

    def __post_init__(self) -> None:
        stage = self.arena.beginning()
        if stage.policy().mode is not self.case.mode:
            stage.set_mode(self.case.mode)
        if self.case.text is not None:
            stage.save(self.case.text)
        self.moves = Moves(self.arena, stage)
        parts = self.case.prepare(self.moves)
        self.clients = [part if isinstance(part, tuple) else (part,) for part in parts]
        self.arena.keep("case")
        self.points = [len(self.arena.play([client]).points) for client in self.clients]
        self.serial = {order: self._run_serially(order) for order in self._orders()}

    def interleavings(self) -> list[tuple[int, tuple[Stop, ...]]]:
        """Every one: which client is stopped, and where the others run meanwhile."""
        found: list[tuple[int, tuple[Stop, ...]]] = []
        for first in range(len(self.clients)):
            others = [number for number in range(len(self.clients)) if number != first]
            places = range(self.points[first] + 1)
            for order in itertools.permutations(others):
                found.extend(
                    (first, tuple(map(Stop, ats, order)))
                    for ats in itertools.combinations_with_replacement(places, len(order))
                )
        return found

    def violation(self, first: int, stops: Sequence[Stop]) -> str | None:
        """Run one interleaving; what is wrong with its end, or None."""
        # To the conductor the first client is the one that is stopped: numbers are changed there and back.
        numbers = [first, *(stop.client for stop in stops)]
        played = self.arena.play(
            [self.clients[number] for number in numbers],
            [Stop(stop.at, place + 1) for place, stop in enumerate(stops)],
        )
        outcomes = {Unit(numbers[unit.client], unit.number): each for unit, each in played.outcomes.items()}
        commits = [Unit(numbers[unit.client], unit.number) for unit in played.commits]
        for outcome in outcomes.values():
            if isinstance(outcome, Exception) and not isinstance(outcome, DomainError):
                return f"{type(outcome).__name__}: {outcome}"
        end = self._end(outcomes)
        broken = broken_invariants(end.state)
        if broken:
            return broken[0]
        before = self._before(first, stops, played, commits)
        allowed = [
            order
            for order in self.serial
            if all(order.index(one) < order.index(other) for one, other in before)
        ]
        if any(self.serial[order] == end for order in allowed):
            return None
        return f"ends as no serial order of {len(allowed)}: {self._difference(allowed, end)}"

    def _before(
        self, first: int, stops: Sequence[Stop], played: Played, commits: Sequence[Unit]
    ) -> set[tuple[Unit, Unit]]:
        """Which request has to come before which."""
        last = {unit: place for place, unit in enumerate(commits)}
        before = {(one, other) for one in last for other in last if last[one] < last[other]}
        ends = [*played.starts[1:], len(played.points)]
        for stop in stops:
            for inner in self._units(stop.client):
                for outer, start, end in zip(self._units(first), played.starts, ends, strict=True):
                    if stop.at <= start:
                        before.add((inner, outer))
                    if stop.at >= end:
                        before.add((outer, inner))
        return before

    def _units(self, client: int) -> list[Unit]:
        return [Unit(client, number) for number in range(len(self.clients[client]))]

    def _orders(self) -> list[Order]:
        """Every serial order in which each client's requests keep their own."""
        units = [unit for client in range(len(self.clients)) for unit in self._units(client)]
        return [
            order
            for order in itertools.permutations(units)
            if all(
                [unit for unit in order if unit.client == client] == self._units(client)
                for client in range(len(self.clients))
            )
        ]

    def _run_serially(self, order: Order) -> End:
        played = self.arena.play([(self.clients[unit.client][unit.number],) for unit in order])
        return self._end({unit: played.outcomes[Unit(place, 0)] for place, unit in enumerate(order)})

    def _end(self, outcomes: Mapping[Unit, object]) -> End:
        state = read_state(self.moves.stage, self.moves.keys)
        return End(state, {unit: told(outcome) for unit, outcome in outcomes.items()})

    def _difference(self, allowed: Sequence[Order], end: End) -> str:
        if not allowed:
            return "there is none"
        nearest = self.serial[allowed[0]]
        wrong = [
            f"{name}: {end.state.get(name)} and not {nearest.state.get(name)}"
            for name in {*end.state, *nearest.state}
            if end.state.get(name) != nearest.state.get(name)
        ]
        if end.told != nearest.told:
            wrong.append(f"told {end.told} and not {nearest.told}")
        return "; ".join(wrong)


def told(outcome: object) -> object:
    """What the client knows from an answer. A refusal tells that nothing was written, whatever its reason."""
    match outcome:
        case DomainError():
            return NOTHING
        case Captured(CaptureOutcome.COMMITTED | CaptureOutcome.PROPOSED):
            return outcome.outcome, outcome.version, outcome.reason
        case Captured():
            return NOTHING
        case Written():
            return outcome.version, outcome.clear_generation
        case Recalled():
            return outcome.status, outcome.version, outcome.block
        case Exception():
            return type(outcome).__name__
        case _:
            return "done"
