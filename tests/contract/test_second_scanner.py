"""The optional second scanner is asked wherever it is installed. Needs the extra `kingfisher`."""

import pytest
from tests.conftest import World

from workspace_memory.domain.errors import SecretRefused
from workspace_memory.domain.refusal import check_refusals
from workspace_memory.services.secret_scanner_extra import SecretScannerExtra

pytest.importorskip("kingfisher_sdk")

# Of the long tail: the own patterns let it pass.
PASSING = "postgres://guest:guest@db.tea-shop.internal/main"


@pytest.fixture(scope="module")
def known_to_it_alone() -> str:
    check_refusals(PASSING, ())
    assert SecretScannerExtra().find_secret(PASSING) is not None
    return PASSING


def test_what_the_second_scanner_knows_is_refused(world: World, known_to_it_alone: str) -> None:
    with pytest.raises(SecretRefused) as refused:
        world.save(world.client(world.bob), f"the shop uses {known_to_it_alone}")
    assert (refused.value.rule, refused.value.where) == ("known_maker", "content")


def test_an_ordinary_text_passes(world: World) -> None:
    assert world.save(world.client(world.bob), "likes green tea").item.version == 1
