"""What all tests against the stores share: passwords that cost little, since they hash many."""

import pytest

from workspace_memory.crypto import passwords


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Argon2id with the least work; tests/unit/crypto/test_passwords.py proves the real amount."""
    monkeypatch.setattr(passwords, "_MEMORY_KIB", 64)
    monkeypatch.setattr(passwords, "_PASSES", 1)
    monkeypatch.setattr(passwords, "_nobody", [])
