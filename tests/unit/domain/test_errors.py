"""Every error tells in a sentence what happened, and carries a code of its own."""

import inspect
import re
from dataclasses import fields

import pytest

from workspace_memory.domain import document_errors, errors
from workspace_memory.domain.errors import DomainError

KINDS = sorted(
    {
        kind
        for module in (errors, document_errors)
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, DomainError) and kind is not DomainError
    },
    key=lambda kind: kind.__name__,
)
VALUES = {"int": 7, "str": "tea", "bool": True}


def an_error(kind: type[DomainError]) -> DomainError:
    return kind(
        **{field.name: VALUES[str(getattr(field.type, "__name__", field.type))] for field in fields(kind)}
    )


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_has_a_code_of_its_own(kind: type[DomainError]) -> None:
    # Codes that the contract itself names stand in capitals.
    assert re.fullmatch(r"[a-z_]+|MEMORY_[A-Z_]+", kind.code)
    assert [other for other in KINDS if other.code == kind.code] == [kind]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not errors.Conflict])
def test_an_error_says_what_happened(kind: type[DomainError]) -> None:
    error = an_error(kind)
    assert str(error) != kind.code
    assert " " in str(error)


@pytest.mark.parametrize("kind", KINDS)
def test_the_facts_are_the_fields(kind: type[DomainError]) -> None:
    assert set(an_error(kind).facts()) == {field.name for field in fields(kind)}


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_is_drawn_in_the_tree(kind: type[DomainError]) -> None:
    assert re.search(rf"── {kind.__name__}\b", f"{errors.__doc__}{document_errors.__doc__}")


def test_a_wait_is_told_in_seconds() -> None:
    assert "in 7 seconds" in str(errors.TooManyAttempts(retry_after=7))


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        ("not_recalled", "this turn may then try again"),
        ("unavailable", "open a new one"),
        ("deleted", "A person has to save"),
        ("superseded", "A new turn may try again"),
    ],
)
def test_a_withheld_capture_is_told_what_helps(status: str, advice: str) -> None:
    assert advice in document_errors.CaptureWithheld(status).message()


def test_an_agent_whose_key_is_old_is_told_to_open_a_session() -> None:
    assert "opens a new key session" in document_errors.EpochConflict(current=3).message()


def test_a_retired_proposal_says_what_retired_it() -> None:
    assert "retired by a Clear" in document_errors.ProposalSettled("retired").message()
    assert document_errors.ProposalSettled("applied").message().endswith("it is applied.")
