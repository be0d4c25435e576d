"""The scripted provider, a workspace whose memory has a text, and requests to models: they stay on the loopback."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic_ai import models
from tests.conftest import World
from tests.contract.memory_stage import Stage, make_stage
from tests.e2e.assistant_wire.provider_server import Provider, playing

HERE = Path(__file__).parent


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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What a model is sent does not depend on the database: on PostgreSQL one protocol is enough in the normal run.

    Why memory is withheld is read from the database, so that those tests run on both, by one protocol. What a hostile
    model tries goes through the same tools by every protocol. The rest is in the exhaustive run.
    """
    for item in items:
        if item.path.parent != HERE:
            continue
        parts = item.name.partition("[")[2].removesuffix("]").split("-")
        by_one_protocol = item.path.name in {"test_withholding.py", "test_hostile_model.py"}
        elsewhere = "postgresql" in parts and "anthropic" not in parts
        if (item.path.name != "test_withholding.py" and elsewhere) or (
            by_one_protocol and "compatible" in parts
        ):
            item.add_marker(pytest.mark.exhaustive)
