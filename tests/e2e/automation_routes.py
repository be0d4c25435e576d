"""Every automation route that names a document by its path, out of the OpenAPI document: a new one joins by itself."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

PREFIX = "/api/v1/automation/workspaces/{workspace_id}/documents"
# Arguments that name a place, wherever they stand.
PLACES = frozenset({"path", "to"})
# What every other argument is sent.
VALUES: Mapping[str, object] = {"text": "harmless", "version": 1}
# What a list takes, and what narrows an answer: left out.
OPTIONAL = frozenset({"query", "cursor", "limit"})
OTHER_PLACE = "notes/tea.md"


@dataclass(frozen=True, slots=True)
class Target:
    """One argument of one route that names a place; the others are filled with what is harmless."""

    method: str
    path: str
    argument: str
    query: tuple[str, ...]
    body: tuple[str, ...]

    def __str__(self) -> str:
        """For the name of a test."""
        return f"{self.method} {self.path.removeprefix(PREFIX) or '/'} {self.argument}"

    def request(self, workspace: str, place: str) -> dict[str, Any]:
        """`method=`, `url=`, `params=`, `content=` and `headers=` for this place."""
        filled = {name: self._value(name, place) for name in (*self.query, *self.body)}
        sent: dict[str, Any] = {
            "method": self.method,
            "url": self.path.replace("{workspace_id}", workspace),
            "params": {name: str(filled[name]) for name in self.query},
        }
        if self.body:
            # Escaped, since half of a surrogate pair has no bytes of its own.
            sent["content"] = json.dumps({name: filled[name] for name in self.body}).encode()
        if self.method != "GET":
            sent["headers"] = {"Content-Type": "application/json"}
        return sent

    def _value(self, name: str, place: str) -> object:
        if name == self.argument:
            return place
        return OTHER_PLACE if name in PLACES else VALUES[name]


def targets(document: Mapping[str, Any]) -> Iterator[Target]:
    """Every place argument of every route below /documents. Raises: LookupError for an argument nobody knows here."""
    for path, operations in document["paths"].items():
        if not path.startswith(PREFIX):
            continue
        for method, operation in operations.items():
            query = _required_query(operation, f"{method} {path}")
            body = _body(document, operation, f"{method} {path}")
            for argument in sorted(PLACES & {*query, *body}):
                yield Target(method.upper(), path, argument, query, body)


def _required_query(operation: Mapping[str, Any], where: str) -> tuple[str, ...]:
    names = [each["name"] for each in operation.get("parameters", []) if each["in"] == "query"]
    return tuple(_known(names, where))


def _body(document: Mapping[str, Any], operation: Mapping[str, Any], where: str) -> tuple[str, ...]:
    if "requestBody" not in operation:
        return ()
    reference = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    schema = document["components"]["schemas"][reference.rpartition("/")[2]]
    return tuple(_known(cast("Mapping[str, object]", schema["properties"]), where))


def _known(names: Mapping[str, object] | list[str], where: str) -> Iterator[str]:
    for name in names:
        if name in OPTIONAL:
            continue
        if name not in PLACES and name not in VALUES:
            raise LookupError(
                f"{where}: say in tests/e2e/automation_routes.py whether '{name}' names a place, or what to send"
            )
        yield name
