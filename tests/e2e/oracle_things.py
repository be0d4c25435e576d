"""The ids of the memory document's side for the oracle matrix: conversations, proposals, key sessions, admissions,
notes, and versions by their number.

As in `oracle_routes.py`, a route joins by the names of its arguments. The request is a valid one but for the id, so
that what is compared is more than the refusal of a malformed one. Each thing is somebody's, and `seen_by` tells whose.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from tests.contract.memory_stage import Stage as MemoryStage
from tests.contract.memory_stage import add
from tests.contract.noted import Noted
from tests.e2e.key_calls import b64
from tests.e2e.oracle_routes import ITEM, METHODS, NOTHING, WORKSPACE, Ask, CannotFill, Json

from workspace_memory.domain.admission import Via
from workspace_memory.domain.client_state import UNKNOWN
from workspace_memory.domain.ids import ConversationId, UserId
from workspace_memory.domain.message import MessageKind, NewMessage
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.turn import TurnUsage
from workspace_memory.services.turns import Submission, begin_turn, finish_turn

THINGS = ("conversation_id", "proposal_id", "key_session_id", "document_id", "version", "X-Memory-Admission")
CREDENTIAL, NOTE = "@credential@", "@note@"

# What is sent for everything else that these routes take.
VALUES: Mapping[str, object] = {
    "workspace_id": WORKSPACE,
    "conversation_id": NOTHING,
    "document_id": NOTE,
    "epoch": 1,
    "ciphertext": b64(bytes(28)),
    "path": "notes/oracle.md",
    "version": 1,
    "changes": [{"op": "add", "text": "likes tea", "target": "", "heading": ""}],
    "purpose": "recall",
    "turn": 2,
    "message": "Hello",
    "title": "Tea",
}
HEADERS: Mapping[str, str] = {
    "X-Base-Version": "1",
    "Idempotency-Key": f"memory:{ITEM}",
    "X-Memory-Admission": ITEM,
    "X-Delivery-Credential": CREDENTIAL,
}
# Left out: the answer must not depend on them.
OPTIONAL = frozenset(
    {"X-Key-Session", "X-Memory-State", "X-Memory-Clear", "X-Memory-Kind", "If-Match", "Last-Event-ID"}
)


@dataclass(frozen=True, slots=True)
class Thing:
    """One id that not everybody may know of; `like` is one of the same form that names nothing."""

    argument: str
    id: str
    like: str
    seen_by: frozenset[UserId]
    # What the other places of its request are filled with.
    note: str = NOTHING
    credential: str = "x" * 43


def things(stage: MemoryStage, noted: Noted) -> Sequence[Thing]:
    """One of each kind, all of bob; he may know of each."""
    world = stage.world
    bob, members = frozenset({world.bob}), frozenset({world.alice, world.bob, world.carol})
    note = noted.make(world.bob)
    stage.set_mode(Mode.READ_ONLY)
    turn = stage.shown(world.bob)
    proposal = stage.capture(turn, add("likes green tea")).proposal
    assert proposal is not None
    take_a_turn(stage, turn.conversation)
    # An administrator may end anybody's key session.
    enders = frozenset({world.alice, world.bob})
    return (
        Thing("conversation_id", turn.conversation, NOTHING, bob),
        Thing("proposal_id", proposal, NOTHING, bob),
        Thing("key_session_id", stage.sessions[world.bob], NOTHING, enders),
        Thing("document_id", note.id, NOTHING, members),
        Thing("version", "1", "9", members, note.id),
        Thing("X-Memory-Admission", turn.admission, NOTHING, bob, credential=turn.credential),
    )


def take_a_turn(stage: MemoryStage, conversation: ConversationId) -> None:
    """The second turn of bob's conversation, with a message of his, which has ended."""
    world, text = stage.world, "zanzibar"
    submission = Submission(
        text=text,
        message=NewMessage(MessageKind.REQUEST, json.dumps({"kind": "request", "said": text}), "test 1"),
        key="oracle",
        client_state=UNKNOWN,
        via=Via.ASSISTANT,
        model="demonstration",
    )
    actor, key_session = stage.actor(world.bob), stage.token(world.bob)
    begun = begin_turn(world.deps, actor, conversation, submission, key_session=key_session)
    finish_turn(world.deps, actor, begun.turn.name, [], TurnUsage(), key_session=key_session)


def asks_about(document: Json, argument: str) -> Sequence[Ask]:
    """Every route of the OpenAPI document that takes this argument. Raises: CannotFill."""
    return list(_asks_about(document, argument))


def _asks_about(document: Json, argument: str) -> Iterator[Ask]:
    for path, operations in _object(document["paths"]).items():
        for method, operation in _object(operations).items():
            if method in METHODS:
                taken = _taken(document, _object(operation))
                # A version that a body names is what a write is made against.
                places = ("path",) if argument == "version" else tuple(taken)
                if argument in {name for place in places for name in taken[place]}:
                    yield _ask(f"{method.upper()} {path}", path, taken, argument)


def _taken(document: Json, operation: Json) -> Mapping[str, Sequence[str]]:
    """The names of what an operation takes, by where it stands; of a query only what is required."""
    parameters = [_object(each) for each in cast("list[object]", operation.get("parameters", []))]
    taken = {
        place: [str(each["name"]) for each in parameters if each["in"] == place and _wanted(each)]
        for place in ("path", "query", "header")
    }
    content = _object(_object(operation.get("requestBody", {})).get("content", {}))
    schema = _object(_object(content.get("application/json", {})).get("schema", {}))
    while "$ref" in schema:
        schemas = _object(_object(document["components"])["schemas"])
        schema = _object(schemas[str(schema["$ref"]).rpartition("/")[2]])
    return {**taken, "body": list(_object(schema.get("properties", {})))}


def _wanted(parameter: Json) -> bool:
    return parameter["in"] != "query" or parameter.get("required") is True


def _ask(where: str, path: str, taken: Mapping[str, Sequence[str]], argument: str) -> Ask:
    def value(name: str) -> object:
        if name == argument:
            return ITEM
        if name not in VALUES:
            raise CannotFill(f"{where}: say in tests/e2e/oracle_things.py what to send for '{name}'")
        return VALUES[name]

    for name in taken["path"]:
        path = path.replace(f"{{{name}}}", str(value(name)))
    for name in taken["header"]:
        if name not in HEADERS and name not in OPTIONAL:
            raise CannotFill(f"{where}: say in tests/e2e/oracle_things.py what to send for '{name}'")
    body = json.dumps({name: value(name) for name in taken["body"]}) if taken["body"] else None
    headers = {name: HEADERS[name] for name in taken["header"] if name in HEADERS}
    # A session that sends no body says JSON all the same.
    headers |= {"Content-Type": "application/json"}
    query = {name: value(name) for name in taken["query"]}
    return Ask(where, where.partition(" ")[0], path, body, headers, query)


def _object(value: object) -> Json:
    return cast("Json", value)
