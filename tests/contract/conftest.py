"""What all tests against the stores share: passwords that cost little, and patience where the machine is busy."""

import pytest
from tests.conftest import PATIENCE_SECONDS, make_passwords_cheap

from workspace_memory.services import recall


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Argon2id with the least work; tests/unit/crypto/test_passwords.py proves the real amount."""
    make_passwords_cheap(monkeypatch)


@pytest.fixture(autouse=True)
def patient_recalls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine must not make memory unavailable; the tests of that bound set it again."""
    monkeypatch.setattr(recall, "RECALL_SECONDS", PATIENCE_SECONDS)
