"""A call that is given up at its moment, and what it may still make lasting then."""

import threading
from contextvars import ContextVar

import pytest

from workspace_memory.domain.errors import Busy, NotFound
from workspace_memory.services.deadlines import Deadline, answer_by

PATIENCE_SECONDS = 30.0
_mark: ContextVar[str] = ContextVar("_mark", default="")


def test_an_answer_in_time_and_an_error_are_those_of_the_call() -> None:
    def fail() -> None:
        raise NotFound("conversation")

    assert answer_by(Deadline(PATIENCE_SECONDS), lambda: 7) == 7
    with pytest.raises(NotFound):
        answer_by(Deadline(PATIENCE_SECONDS), fail)


def test_the_call_sees_the_context_of_its_caller() -> None:
    _mark.set("the caller's")
    assert answer_by(Deadline(PATIENCE_SECONDS), _mark.get) == "the caller's"


def test_a_call_that_was_given_up_may_not_settle_any_more() -> None:
    go_on, told = threading.Event(), threading.Event()
    deadline = Deadline(0.05)

    def late() -> None:
        assert go_on.wait(PATIENCE_SECONDS)
        with pytest.raises(Busy):
            deadline.settle()
        told.set()

    with pytest.raises(Busy):
        answer_by(deadline, late)
    go_on.set()
    assert told.wait(PATIENCE_SECONDS)


def test_a_call_that_has_settled_is_waited_for() -> None:
    deadline = Deadline(PATIENCE_SECONDS)
    deadline.settle()
    assert not deadline.give_up()


def test_nothing_begins_after_its_moment() -> None:
    begun = threading.Event()
    with pytest.raises(Busy):
        answer_by(Deadline(0), begun.set)
    assert not begun.is_set()
