"""No test here asks a model."""

import pytest
from pydantic_ai import models


@pytest.fixture(autouse=True)
def no_requests_to_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", False)
