"""Every route of the OpenAPI document and every tool of tools/list, filled in so that the oracle matrix can ask it.

A route joins by itself: what it takes is found by the names of its arguments. A name that is not known here stops the
test with a sentence, since nobody knows then whether the argument can name an item. Nothing is sent here.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import cast

Json = Mapping[str, object]

ITEM, WORKSPACE, SERVER, USER, TEXT = "@item@", "@workspace@", "@server@", "@user@", "@text@"
NOTHING = "019d2f6e-8c1a-7b42-9d3e-5f60718293a4"
METHODS = ("get", "post", "put", "patch", "delete")

# Arguments that name an item, wherever they stand.
ITEM_NAMES = frozenset({"item_id", "item", "id", "replaces"})

# What is sent for every other argument of a body or a path.
VALUES: Mapping[str, object] = {
    "workspace_id": WORKSPACE,
    "server_id": SERVER,
    "user_id": USER,
    "token_id": NOTHING,
    "invitation_id": NOTHING,
    "session_id": NOTHING,
    "content": TEXT,
    "version": 1,
    "reason": "not now",
    **dict.fromkeys(("scope", "kind", "tags", "review_by", "replaced_version")),
    # Of routes that neither take nor show an item: named, so that a new name is noticed.
    **dict.fromkeys(
        (
            "email",
            "password",
            "new_password",
            "name",
            "secret",
            "workspace_name",
            "confirm_name",
            "role",
            "status",
        )
    ),
    **dict.fromkeys(
        (
            *("memory_access", "default_access", "write_mode", "assistant_tokens_per_day"),
            *("chatgpt_tools", "max_level", "surface"),
        )
    ),
    **dict.fromkeys(("expires_at", "licence_key", "since", "file_name", "approve", "planned")),
    # Of a file that is taken in: a list of one text, for real.
    "file": f"- {TEXT}",
    "format": "chatgpt",
    "dry_run": False,
    # Of keys: a path wants a value.
    "key_session_id": NOTHING,
    **dict.fromkeys(
        ("x25519", "ed25519", "salt", "memory_kib", "passes", "lanes", "wrapped", "recovery_wrapped")
    ),
    **dict.fromkeys(("signature", "member_id", "member_public", "sealed", "epoch", "older_sealed")),
    **dict.fromkeys(("check_value", "check_signature", "public_keys", "wrapping", "grant", "lost_epoch")),
    # Of documents, turns and proposals, which hold no item: a path wants a value.
    "document_id": NOTHING,
    "conversation_id": NOTHING,
    "proposal_id": NOTHING,
    **dict.fromkeys(("path", "to", "text", "ciphertext", "mode", "expected_revision", "enabled", "trusted")),
    **dict.fromkeys(("op", "target", "heading")),
    **dict.fromkeys(("lost_epoch", "message", "title", "way", "new_password")),
    "turn": 1,
}

# With which values a list is asked, one argument at a time.
ASKED: Mapping[str, Sequence[object]] = {
    "conversation_id": (NOTHING,),
    "after_turn": (1,),
    "query": ("clove", "clov", "tea zanzibar"),
    "tag": ("spice",),
    "scope": ("personal", "organization"),
    "status": ("active", "pending", "rejected"),
    "kind": ("note", "fact"),
    "limit": (1,),
    "cursor": (),
    "user_id": (),
    **dict.fromkeys(("action", "actor", "subject", "since", "until", "number", "hash"), ()),
    **dict.fromkeys(("deleted", "path", "version", "before", "after", "state", "purpose", "model"), ()),
}

# With which values a file is asked for.
FILES: Mapping[str, Sequence[object]] = {
    "scope": ("personal", "organization"),
    "format": ("jsonl", "markdown"),
    # Answered by a stream, which names no item, of a conversation that is not there.
    "message": ("Hello",),
}

# Conditions of a request, each in every way that may make a difference.
CONDITIONS: Mapping[str, Sequence[str | None]] = {
    "If-Match": ('"1"', '"7"', None),
    "Idempotency-Key": (None,),
    **dict.fromkeys(("X-Key-Session", "Last-Event-ID"), (None,)),
    **dict.fromkeys(("X-Base-Version", "X-Memory-Clear", "X-Memory-Kind", "X-Memory-State"), (None,)),
    **dict.fromkeys(("X-Memory-Admission", "X-Delivery-Credential"), (None,)),
}


class CannotFill(Exception):
    """The matrix does not know what to send; the text says what to add."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A request with placeholders. `body` is JSON text, or None for a request without one. `takes`: its headers."""

    name: str
    method: str
    path: str
    body: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    query: Mapping[str, object] = field(default_factory=dict[str, object])
    takes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Asks:
    """What can be asked: about an item by its id, for lists, by saving a text, and for files that show items."""

    by_id: Sequence[Ask]
    lists: Sequence[Ask]
    saves: Sequence[Ask]
    files: Sequence[Ask] = ()

    def __add__(self, other: "Asks") -> "Asks":
        """Those of two."""
        return Asks(
            [*self.by_id, *other.by_id],
            [*self.lists, *other.lists],
            [*self.saves, *other.saves],
            [*self.files, *other.files],
        )


def rest_asks(document: Json) -> Asks:
    """Everything that the OpenAPI document lets one ask. Raises: CannotFill."""
    asks = Asks([], [], [])
    for path, operations in _object(document["paths"]).items():
        for method, operation in _object(operations).items():
            if method in METHODS:
                asks += _route_asks(document, method.upper(), path, _object(operation))
    return asks


def tool_asks(tools: Sequence[Json]) -> Asks:
    """Everything that the tools of tools/list let one ask: `method` is TOOL, `path` its name. Raises: CannotFill."""
    asks = Asks([], [], [])
    for tool in tools:
        name = str(tool["name"])
        schema = _object(tool["inputSchema"])
        properties = _object(schema["properties"])
        required = cast("list[str]", schema.get("required", []))
        for argument in properties:
            if argument not in {*ITEM_NAMES, *VALUES, *ASKED}:
                raise CannotFill(_what_to_add(f"the tool {name}", argument, "VALUES or ASKED"))
        asks += _tool_asks(name, list(properties), required)
    return asks


def _tool_asks(name: str, arguments: Sequence[str], required: Sequence[str]) -> Asks:
    values = {each: VALUES[each] for each in arguments if VALUES.get(each) is not None}
    named = [each for each in arguments if each in ITEM_NAMES]
    by_id = [_tool_ask(name, {**values, each: ITEM}) for each in named]
    saves = [
        _tool_ask(name, {**values, **({"scope": scope} if scope else {})})
        for scope in ((None, "organization") if "scope" in arguments else (None,))
        if "content" in arguments and not set(named) & set(required)
    ]
    lists = [
        _tool_ask(name, one)
        for one in _one_at_a_time([each for each in arguments if each in ASKED])
        if not named and "content" not in arguments and set(required) <= one.keys()
    ]
    return Asks(by_id, lists, saves)


def _tool_ask(name: str, arguments: Json) -> Ask:
    body = json.dumps(arguments)
    return Ask(f"TOOL {name} {body}", "TOOL", name, body)


def _route_asks(document: Json, method: str, path: str, operation: Json) -> Asks:
    where = f"{method} {path}"
    parameters = [_object(each) for each in cast("list[object]", operation.get("parameters", []))]
    names = {
        place: [str(each["name"]) for each in parameters if each["in"] == place]
        for place in ("path", "query", "header")
    }
    filled = _filled_path(where, path, names["path"])
    for name in names["query"]:
        if name not in ASKED:
            raise CannotFill(_what_to_add(where, name, "ASKED"))
    for name in names["header"]:
        if name not in CONDITIONS:
            raise CannotFill(_what_to_add(where, name, "CONDITIONS"))
    content = _object(_object(operation.get("requestBody", {})).get("content", {}))
    schema = _object(_object(content.get("application/json", {})).get("schema", {}))
    if _answers_a_file(operation):
        return _file_asks(document, where, method, filled, schema)
    bodies = [None] if not schema else _bodies(document, where, schema)
    return _sorted_asks(where, method, filled, names, bodies)


def _sorted_asks(
    where: str, method: str, path: str, names: Mapping[str, Sequence[str]], bodies: Sequence[str | None]
) -> Asks:
    by_id: list[Ask] = []
    lists: list[Ask] = []
    saves: list[Ask] = []
    for body in bodies:
        if ITEM in path or ITEM in (body or ""):
            by_id += [
                Ask(
                    f"{where} {headers or ''} {body or ''}",
                    method,
                    path,
                    body,
                    headers,
                    takes=names["header"],
                )
                for headers in _conditions(names["header"])
            ]
        elif method == "GET":
            lists += [
                Ask(f"{where} {query or ''}", method, path, query=query)
                for query in _one_at_a_time(names["query"])
            ]
        elif TEXT in (body or ""):
            saves.append(Ask(f"{where} {body}", method, path, body))
    return Asks(by_id, lists, saves)


def _answers_a_file(operation: Json) -> bool:
    answered = _object(_object(_object(operation.get("responses", {})).get("200", {})).get("content", {}))
    return bool(answered) and "application/json" not in answered


def _file_asks(document: Json, where: str, method: str, path: str, schema: Json) -> Asks:
    properties = _object(_resolved(document, schema).get("properties", {}))
    for name in properties:
        if name not in FILES:
            raise CannotFill(_what_to_add(where, name, "FILES"))
    chosen = [
        dict(zip(properties, values, strict=True)) for values in product(*map(FILES.__getitem__, properties))
    ]
    bodies = [json.dumps(each) for each in chosen]
    return Asks([], [], [], [Ask(f"{where} {body}", method, path, body) for body in bodies])


def _filled_path(where: str, path: str, names: Sequence[str]) -> str:
    for name in names:
        if name not in ITEM_NAMES and VALUES.get(name) is None:
            raise CannotFill(_what_to_add(where, name, "VALUES or ITEM_NAMES"))
        path = path.replace(f"{{{name}}}", ITEM if name in ITEM_NAMES else str(VALUES[name]))
    return path


def _conditions(names: Sequence[str]) -> Iterator[Mapping[str, str]]:
    if not names:
        yield {}
    for name in names:
        for value in CONDITIONS[name]:
            yield {} if value is None else {name: value}


def _one_at_a_time(names: Sequence[str]) -> Iterator[Mapping[str, object]]:
    yield {}
    yield from ({name: value} for name in names for value in ASKED.get(name, ()))


def _bodies(document: Json, where: str, schema: Json) -> list[str]:
    """The body with the item named, and, where no item has to be named, without."""
    named = json.dumps(_filled(document, where, schema, with_item=True))
    plain = json.dumps(_filled(document, where, schema, with_item=False))
    return [named] if named == plain else [named, plain]


def _filled(document: Json, where: str, schema: Json, *, with_item: bool) -> object:
    schema = _resolved(document, schema)
    if schema.get("type") == "array":
        return [_filled(document, where, _object(schema["items"]), with_item=with_item)]
    if "properties" not in schema:
        raise CannotFill(
            f"{where}: a part of its body is neither an object nor a list; teach _filled about it."
        )
    required = cast("list[str]", schema.get("required", []))
    body: dict[str, object] = {}
    for name, inner in _object(schema["properties"]).items():
        shape = _resolved(document, _object(inner))
        if name in ITEM_NAMES:
            if with_item or name in required:
                body[name] = ITEM
        elif shape.get("type") == "array" and "properties" in _resolved(document, _object(shape["items"])):
            body[name] = _filled(document, where, shape, with_item=with_item)
        elif name not in VALUES:
            raise CannotFill(_what_to_add(where, name, "VALUES or ITEM_NAMES"))
        elif VALUES[name] is not None:
            body[name] = VALUES[name]
    return body


def _resolved(document: Json, schema: Json) -> Json:
    while "$ref" in schema:
        found: object = document
        for part in str(schema["$ref"]).removeprefix("#/").split("/"):
            found = _object(found)[part]
        schema = _object(found)
    return schema


def _what_to_add(where: str, name: str, table: str) -> str:
    return (
        f"{where}: the oracle matrix does not know the argument '{name}'. If it can name an item, add it to ITEM_NAMES "
        f"in tests/e2e/oracle_routes.py; if not, add to {table} what to send (None to leave it out)."
    )


def _object(value: object) -> Json:
    return cast("Json", value)
