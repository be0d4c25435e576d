"""What an entry of the contract's manifest is: an id, where it stands, what it says, and its state.

Decides the shape of the entries alone. The entries stand beside this file, one module for each part of the
contract; `tests/requirements.py` joins them, and `tests/test_requirements.py` holds them against the tests.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar


class Capability(StrEnum):
    """The part of the product that will keep a sentence which is not kept yet."""

    ITEMS = "items"
    GOVERNANCE = "governance"
    DOCUMENT = "document"
    ASSISTANT = "assistant"
    WEB = "web"
    SEARCH = "search"
    CONNECT = "connect"
    OPERATIONS = "operations"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a sentence stands.

    `text` is `memory-document`, `memory-items` or `field`; `section` a heading in it. `number` counts the
    sentences of that section from 1, where each bullet and each member of a list that is introduced by a
    colon counts as a sentence of its own. A sentence that says several things has one entry for each, with a
    letter behind its number: `3a`, `3b`.
    """

    text: str
    section: str
    number: str

    def __str__(self) -> str:
        return f"{self.text}, {self.section}, {self.number}"


@dataclass(frozen=True, slots=True)
class Tested:
    """The product keeps this today, and at least one test names its id."""

    __test__: ClassVar[bool] = False  # pytest would take it for a class of tests, by its name


@dataclass(frozen=True, slots=True)
class Deferred:
    """The product will keep this when the capability is built; no test may name it before."""

    capability: Capability


@dataclass(frozen=True, slots=True)
class NotOurs:
    """The sentence promises nothing that this product could keep; the reason says why."""

    reason: str


State = Tested | Deferred | NotOurs


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing that the contract promises, in this project's own words and on one line."""

    id: str
    source: Source
    behaviour: str
    state: State


def section(text: str, heading: str) -> Callable[[str, str, State, str], Requirement]:
    """A function that makes the entries of one section: number, id, state, behaviour."""

    def says(number: str, identifier: str, state: State, behaviour: str) -> Requirement:
        return Requirement(identifier, Source(text, heading, number), behaviour, state)

    return says


# The states as the lists write them: they stand in narrow columns, hundreds of times.
TESTED = Tested()
GOVERNANCE = Deferred(Capability.GOVERNANCE)
DOCUMENT = Deferred(Capability.DOCUMENT)
ASSISTANT = Deferred(Capability.ASSISTANT)
WEB = Deferred(Capability.WEB)
SEARCH = Deferred(Capability.SEARCH)
CONNECT = Deferred(Capability.CONNECT)
OPERATIONS = Deferred(Capability.OPERATIONS)
LATER = Deferred(Capability.LATER)
