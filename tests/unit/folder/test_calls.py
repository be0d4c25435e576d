import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Protocol

import pytest

from workspace_memory.domain.errors import DomainError, NotFound, QuotaExceeded
from workspace_memory.folder.calls import ERROR, CallRegistry, decode_error, encode_error
from workspace_memory.folder.channel import MESSAGE_BYTES_MAX
from workspace_memory.folder.codec import NotSendable
from workspace_memory.folder.errors import FolderBusy, MessageTooLarge, OwnerFailed
from workspace_memory.folder.ownership import run_once


@dataclass
class Shelf:
    words: dict[str, str]


def put(deps: Shelf, name: str, *, word: str = "tea") -> int:
    deps.words[name] = word
    return len(deps.words)


def get(deps: Shelf, name: str) -> str:
    if name not in deps.words:
        raise NotFound("word")
    return deps.words[name]


def break_down(deps: Shelf, note: str) -> None:
    raise RuntimeError(f"cannot digest {note}")


def repeat(deps: Shelf, times: int) -> str:
    return "x" * times


def lie(deps: Shelf) -> int:
    return "one"  # pyright: ignore[reportReturnType] - the point of the test


REGISTRY = CallRegistry(
    {"put": put, "get": get, "break": break_down, "repeat": repeat, "lie": lie}, repeatable={get}
)


def call(function: Callable[..., object], deps: Shelf, *args: object, **kwargs: object) -> object:
    """From one process to another and back, without the processes."""
    name = REGISTRY.name_of(function)
    return REGISTRY.decode_answer(
        name, *REGISTRY.answer(partial(run_once, deps), REGISTRY.encode_call(name, args, kwargs))
    )


def test_a_call_is_carried_out_with_the_deps_of_the_owner() -> None:
    shelf = Shelf({})
    assert call(put, shelf, "a", word="rum") == 1
    assert shelf.words == {"a": "rum"}


def test_what_the_caller_leaves_out_is_filled_in_by_the_owner() -> None:
    shelf = Shelf({})
    call(put, shelf, name="a")
    assert shelf.words == {"a": "tea"}


def test_a_call_with_wrong_arguments_fails_where_it_is_made() -> None:
    with pytest.raises(TypeError, match="missing a required argument: 'name'"):
        call(put, Shelf({}))


def test_a_domain_error_is_raised_again_with_its_facts() -> None:
    with pytest.raises(NotFound) as raised:
        call(get, Shelf({}), "a")
    assert raised.value.what == "word"


@pytest.mark.parametrize(
    "error", [QuotaExceeded(3, "notes"), FolderBusy("/folder", None), MessageTooLarge("answer", 8)]
)
def test_every_error_travels_as_its_own_class(error: DomainError) -> None:
    arrived = decode_error(encode_error(error))
    assert type(arrived) is type(error)
    assert arrived.facts() == error.facts()


def test_an_error_that_the_caller_does_not_know_is_an_internal_one() -> None:
    assert isinstance(decode_error(b'{"error": "Newfangled", "facts": {}}'), OwnerFailed)


def test_an_error_with_a_code_of_its_own_keeps_it() -> None:
    @dataclass(eq=False)
    class TooEarly(DomainError):
        code: ClassVar[str] = "too_early"

    assert decode_error(encode_error(TooEarly())).code == "too_early"


def test_an_unexpected_exception_becomes_a_general_internal_error() -> None:
    with pytest.raises(OwnerFailed) as raised:
        call(break_down, Shelf({}), "my private note")
    assert "private" not in str(raised.value)


def test_the_log_of_the_owner_names_type_and_place_and_no_content(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        REGISTRY.answer(partial(run_once, Shelf({})), REGISTRY.encode_call("break", ("my private note",), {}))
    assert "call of break failed: RuntimeError at calls.py:" in caplog.text
    assert "> test_calls.py:" in caplog.text
    assert "private" not in caplog.text


def test_a_request_that_is_too_large_is_not_sent() -> None:
    with pytest.raises(
        MessageTooLarge, match=r"The request is larger than 8,388,608 bytes\. Nothing was done"
    ):
        call(put, Shelf({}), "x" * MESSAGE_BYTES_MAX)


def test_an_answer_that_is_too_large_says_that_the_call_was_carried_out() -> None:
    with pytest.raises(MessageTooLarge, match="The request was carried out"):
        call(repeat, Shelf({}), MESSAGE_BYTES_MAX)


def test_a_function_that_returns_something_else_than_it_says_is_found_out() -> None:
    with pytest.raises(OwnerFailed):
        call(lie, Shelf({}))


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"",
        b"[]",
        b"{}",
        b'{"name": "os.system", "arguments": {}}',
        b'{"name": "get", "arguments": {"name": 1}}',
    ],
)
def test_an_unreadable_call_is_answered_and_not_carried_out(request_bytes: bytes) -> None:
    kind, _ = REGISTRY.answer(partial(run_once, Shelf({})), request_bytes)
    assert kind == ERROR


def test_a_function_that_is_not_registered_cannot_be_called() -> None:
    with pytest.raises(LookupError, match="is not registered for calls"):
        REGISTRY.name_of(call)


def test_only_what_is_declared_repeatable_is_repeatable() -> None:
    assert [name for name in ("put", "get") if REGISTRY.is_repeatable(name)] == ["get"]


def test_a_function_with_two_names_is_refused() -> None:
    with pytest.raises(ValueError, match="two names"):
        CallRegistry({"a": get, "b": get})


class Screen(Protocol): ...


def with_any_number(deps: Shelf, *names: str) -> None: ...
def with_a_screen(deps: Shelf, screen: Screen) -> None: ...
def without_a_result(deps: Shelf): ...


@pytest.mark.parametrize("function", [with_any_number, with_a_screen, without_a_result])
def test_the_check_finds_functions_that_cannot_be_called_from_afar(function: Callable[..., object]) -> None:
    with pytest.raises(NotSendable, match="unfit"):
        CallRegistry({"unfit": function}).check()


def test_the_check_is_content_with_functions_that_can() -> None:
    REGISTRY.check()
