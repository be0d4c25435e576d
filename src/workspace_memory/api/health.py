"""Whether the process lives and whether it can work, for whatever watches over it."""

from fastapi import Response
from pydantic import Field

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Visiting
from workspace_memory.api.openapi import NO_CREDENTIAL
from workspace_memory.api.routing import errors, new_router
from workspace_memory.api.schemas.common import Answer, with_example
from workspace_memory.domain.errors import StorageFull
from workspace_memory.services.health import check_ready

router = new_router("health")


class HealthOut(Answer):
    """The state in one word."""

    model_config = with_example({"status": "ok"})

    status: str = Field(description="ok.")


@router.get(
    "/healthz", summary="Is the process alive?", response_model=HealthOut, openapi_extra=NO_CREDENTIAL
)
async def read_health() -> Response:
    """Answers as long as the process does. Touches nothing."""
    return answer(HealthOut(status="ok"))


@router.get(
    "/readyz",
    summary="Can the service work?",
    response_model=HealthOut,
    openapi_extra=NO_CREDENTIAL,
    responses=errors(StorageFull),
)
def read_readiness(visitor: Visiting) -> Response:
    """Writes to the database and takes it back: 200 when that works."""
    visitor.ask(check_ready)
    return answer(HealthOut(status="ok"))
