"""Addresses, passwords and names: what can be one, and how addresses are compared."""

import time

import pytest

from workspace_memory.domain.account import check_email, check_name, check_password, email_key, is_email
from workspace_memory.domain.errors import InvalidRequest


@pytest.mark.parametrize(
    "email", ["alice@example.com", " bob+tea@sub.example.org ", "ö@exämple.de", "root@localhost"]
)
def test_an_address_is_kept_trimmed(email: str) -> None:
    assert check_email(email) == email.strip()


@pytest.mark.parametrize(
    "email",
    [
        "",
        "alice",
        "@example.com",
        "alice@",
        "a@b@c",
        "a b@example.com",
        "a\0@example.com",
        "a\u202e@example.com",
        "\ud800@example.com",
        "a" * 250 + "@b.cd",
    ],
)
def test_what_cannot_be_an_address_is_refused(email: str) -> None:
    assert not is_email(email)
    with pytest.raises(InvalidRequest, match="e-mail address"):
        check_email(email)


@pytest.mark.parametrize("other", ["ALICE@Example.COM", " alice@example.com ", "ａlice@example.com"])
def test_addresses_are_compared_without_case_and_width(other: str) -> None:
    assert email_key(other) == email_key("alice@example.com")


def test_a_password_of_12_characters_is_kept_as_it_is() -> None:
    assert check_password(" twelve char") == " twelve char"


@pytest.mark.parametrize(
    ("password", "reason"),
    [("elevenchars", "at least 12"), ("x" * 1_025, "at most 1,024"), ("twelve chars\ud800", "valid Unicode")],
)
def test_a_password_out_of_bounds_is_refused_with_the_bound(password: str, reason: str) -> None:
    with pytest.raises(InvalidRequest, match=reason):
        check_password(password)


def test_a_refused_password_is_not_in_the_message() -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_password("hunter2")
    assert "hunter2" not in str(refused.value)


def test_a_name_is_trimmed_and_composed() -> None:
    assert check_name("  Mu\u0308ller  ") == "Müller"


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "two\nlines", "a\u202eb", "a\0", "\ud800"])
def test_what_cannot_be_a_name_is_refused_by_field(name: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_name(name, field="workspace_name")
    assert refused.value.field == "workspace_name"


def test_long_runs_of_combining_marks_cost_nothing() -> None:
    marks = "a" + "\u0301\u0316" * 100_000
    started = time.process_time()
    assert not is_email(f"{marks}@example.com")
    assert email_key(marks) == marks
    with pytest.raises(InvalidRequest):
        check_name(marks)
    assert time.process_time() - started < 1
