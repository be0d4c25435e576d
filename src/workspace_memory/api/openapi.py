"""The OpenAPI document: what the framework makes of the routes, completed and corrected.

The framework documents a 422 that this service never gives, and knows nothing of the errors and the credentials
that all routes share. Served at /api/v1/openapi.json; there is no page that shows it, since such pages load their
scripts from elsewhere.
"""

from collections.abc import Iterator
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from workspace_memory.api.cookies import LOOPBACK_NAME, SECURE_NAME
from workspace_memory.api.edge import Edge
from workspace_memory.api.error_docs import (
    ALWAYS,
    WITH_CHANGE,
    WITH_CREDENTIAL,
    Problem,
    merge_problem_responses,
    problem_examples,
)

NO_CREDENTIAL: dict[str, Any] = {"security": []}
"""`openapi_extra=` of a route that anybody may call."""

_METHODS = frozenset({"get", "post", "put", "patch", "delete"})


def openapi_document(app: FastAPI) -> dict[str, Any]:
    """The document, made at the first call."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        components = document.setdefault("components", {})
        components["securitySchemes"] = _security_schemes(cast("Edge", app.state.edge))
        schemas = components.setdefault("schemas", {})
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        schemas["Problem"] = Problem.model_json_schema()
        components["examples"] = problem_examples()
        document["security"] = [{"token": []}, {"session": []}]
        for method, operation in operations(document):
            _complete(method, operation)
        app.openapi_schema = document
    return app.openapi_schema


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every method and operation of a document."""
    for path in document["paths"].values():
        for method, operation in path.items():
            if method in _METHODS:
                yield method, operation


def _complete(method: str, operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    if "HTTPValidationError" in str(responses.get("422", "")):
        del responses["422"]
    merge_problem_responses(responses, ALWAYS)
    if operation.get("security") != []:
        merge_problem_responses(responses, WITH_CREDENTIAL)
    if method != "get":
        merge_problem_responses(responses, WITH_CHANGE)
    operation["responses"] = dict(sorted(responses.items()))


def _security_schemes(edge: Edge) -> dict[str, Any]:
    name = SECURE_NAME if edge.is_https else LOOPBACK_NAME
    return {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "wm_pat_…",
            "description": "A personal access token for all interfaces. It reaches one workspace.",
        },
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": name,
            "description": f"A session, by POST /api/v1/sign-in. Over TLS the cookie is {SECURE_NAME}. A change needs "
            "'Sec-Fetch-Site: same-origin' or an own Origin, and never a token beside.",
        },
    }
