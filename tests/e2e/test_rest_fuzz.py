"""Schemathesis sends what the OpenAPI document allows, and what it does not: no fault, and no status that it hides.

One application in the process, with the cast in a SQLite file; small and with a fixed seed, so that it is the same
on every machine. With --exhaustive each operation is asked more often.
"""

import contextlib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode, checks
from schemathesis.python import asgi
from schemathesis.specs.openapi import checks as openapi_checks
from tests.conftest import World, make_world

from workspace_memory.api.application import build_api
from workspace_memory.domain.access import AccessLevel
from workspace_memory.services.running import run
from workspace_memory.services.tokens import make_token_here
from workspace_memory.settings import Settings
from workspace_memory.storage.database import open_sqlite
from workspace_memory.storage.migrating import migrate

EXAMPLES_PER_OPERATION = 3
EXAMPLES_OF_MANY = 15
# Their types are known in part only.
general: Any = checks
by_document: Any = openapi_checks
CHECKS = [
    general.not_a_server_error,
    by_document.status_code_conformance,
    by_document.content_type_conformance,
    by_document.response_schema_conformance,
]
# Each attempt costs a tenth of a second on purpose, and the delays after failures are tested elsewhere.
LEFT_OUT = {"/api/v1/sign-in", "/api/v1/links/redeem"}
# With the right name in the document's own example nothing would be left to ask for.
DESTRUCTIVE = {("delete", "/api/v1/workspaces/{workspace_id}")}


@pytest.fixture
def sqlite_world(tmp_path: Path) -> Iterator[World]:
    opened = open_sqlite(tmp_path / "memory.db")
    migrate(opened)
    try:
        yield make_world(opened)
    finally:
        opened.close()


def test_what_the_document_says_is_what_the_service_does(
    sqlite_world: World, request: pytest.FixtureRequest
) -> None:
    examples = EXAMPLES_OF_MANY if request.config.getoption("--exhaustive") else EXAMPLES_PER_OPERATION
    cast = sqlite_world
    app: Any = build_api(partial(run, cast.deps), Settings())
    item = cast.company_item().item.id
    known = {
        "workspace_id": cast.workspace,
        "user_id": cast.carol,
        "server_id": cast.server,
        "item_id": item,
    }
    schema: Any = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
    token = make_token_here(
        cast.deps, cast.workspace, cast.alice, name="fuzz", max_level=AccessLevel.CONTRIBUTE
    ).secret
    sent = 0
    with asgi.get_client(app) as client:
        client.headers["Authorization"] = f"Bearer {token}"
        for result in schema.get_all_operations():
            operation = result.ok()
            if operation.path in LEFT_OUT:
                continue
            if (operation.method, operation.path) not in DESTRUCTIVE:
                sent += _fuzz(operation, GenerationMode.POSITIVE, client, known, examples)
            # A wrong id alone is a missing one, which the positive ones meet too.
            if operation.body or operation.query:
                sent += _fuzz(operation, GenerationMode.NEGATIVE, client, known, examples)
    assert sent > 120


def _fuzz(operation: Any, mode: GenerationMode, client: Any, known: Mapping[str, str], examples: int) -> int:
    sent = 0

    @seed(20261102)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        nonlocal sent
        sent += 1
        # Mostly the ids of the cast, so that more than "not found" is met.
        for name, value in known.items():
            if sent % 3 and name in case.path_parameters:
                case.path_parameters[name] = value
        response = case.call(session=client)
        case.validate_response(response, checks=CHECKS)

    # What takes no argument cannot be given a wrong one.
    with contextlib.suppress(Unsatisfiable):
        send()
    return sent
