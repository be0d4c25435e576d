"""Password hashes."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from workspace_memory.crypto import passwords
from workspace_memory.crypto.passwords import hash_password, verify_password

PASSWORD = "correct horse tea"


def test_the_right_password_is_proved() -> None:
    assert verify_password(PASSWORD, hash_password(PASSWORD))


@pytest.mark.parametrize(
    "wrong", ["", "correct horse te", "Correct horse tea", "correct horse tea ", "\ud800"]
)
def test_another_one_is_not(wrong: str) -> None:
    assert not verify_password(wrong, hash_password(PASSWORD))


@pytest.mark.parametrize("password", ["", PASSWORD, "\ud800"])
def test_without_a_hash_nothing_is_proved(password: str) -> None:
    assert not verify_password(password, None)


def test_a_hash_names_the_work_it_took() -> None:
    assert hash_password(PASSWORD).startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_the_same_password_has_another_hash_each_time() -> None:
    assert hash_password(PASSWORD) != hash_password(PASSWORD)


def test_a_password_in_another_script_is_proved() -> None:
    assert verify_password("пароль из чая 茶", hash_password("пароль из чая 茶"))


def test_many_are_proved_at_the_same_moment() -> None:
    kept = hash_password(PASSWORD)
    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(verify_password, [PASSWORD] * 8, [kept] * 8))


def test_whoever_guesses_the_stand_in_for_a_missing_hash_proves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(passwords, "_nobody", [hash_password(PASSWORD)])
    assert not verify_password(PASSWORD, None)
