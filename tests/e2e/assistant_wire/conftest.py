"""The scripted provider, a workspace whose memory has a text, and requests to models: they stay on the loopback."""

from collections.abc import Iterator

import pytest
from pydantic_ai import models
from tests.conftest import World
from tests.contract.memory_stage import Stage, make_stage
from tests.e2e.assistant_wire.provider_server import Provider, playing


@pytest.fixture(autouse=True)
def requests_to_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with playing() as running:
        yield running


@pytest.fixture
def stage(world: World) -> Stage:
    return make_stage(world)
