"""Short ways to use the memory document over real HTTP: `desk.save("…")`, `desk.recall(desk.turn())`.

A desk is one of the cast with an access token, the workspace key and an open key session. Texts are sealed here as a
client does it; each call answers the response as it came.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import httpx2
from tests.contract.memory_stage import Stage
from tests.e2e.key_calls import b64
from tests.e2e.rest_calls import Json, Rest, body_of

from workspace_memory.crypto.session_sealing import write_session_token
from workspace_memory.domain.document import RevisionKind, SealedText
from workspace_memory.domain.ids import ClearGeneration, UserId, Version

_names = itertools.count(1)
Headers = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class HttpTurn:
    """What the client of an admitted turn holds."""

    conversation: str
    admission: str
    credential: str = field(repr=False)

    @property
    def headers(self) -> dict[str, str]:
        """What every recall and capture of the turn carries."""
        return {"X-Memory-Admission": self.admission, "X-Delivery-Credential": self.credential}


def change(op: str, text: str = "", target: str = "", heading: str = "") -> Json:
    """An edit as JSON."""
    return {"op": op, "text": text, "target": target, "heading": heading}


def sealed_json(sealed: SealedText) -> Json:
    """A sealed text as JSON."""
    return {"epoch": sealed.epoch, "ciphertext": b64(sealed.ciphertext)}


@dataclass(frozen=True, slots=True)
class Desk:
    """One of the cast. Paths of `client` begin below the workspace, those of `agent` below its automation routes."""

    stage: Stage
    user: UserId
    client: httpx2.Client
    agent: httpx2.Client

    def save(
        self, text: str, *, base: int | None = None, kind: RevisionKind = RevisionKind.SAVE, **headers: str
    ) -> httpx2.Response:
        """PUT a sealed text against the newest version, unless it is named."""
        at = self.stage.version() if base is None else Version(base)
        body = sealed_json(self.stage.sealed(self.user, text, base=at, kind=kind))
        return self.put(body, **{"X-Base-Version": str(at), **headers})

    def clear(self, *, base: int | None = None, text: str = "") -> httpx2.Response:
        """PUT an empty text, marked as a Clear."""
        at = self.stage.version() if base is None else Version(base)
        sealed = self.stage.sealed(
            self.user,
            text,
            base=at,
            kind=RevisionKind.CLEAR,
            generation=ClearGeneration(self.stage.policy().clear_generation + 1),
        )
        return self.put(sealed_json(sealed), **{"X-Base-Version": str(at), "X-Memory-Clear": "1"})

    def undo(self, to: int, *, base: int | None = None) -> httpx2.Response:
        """PUT the text of an older version."""
        text = self.stage.text(Version(to)) or ""
        return self.save(text, base=base, kind=RevisionKind.UNDO, **{"X-Memory-Kind": "undo"})

    def put(self, body: object, **headers: str) -> httpx2.Response:
        """PUT a body as it stands."""
        return self.client.put("/memory/document", json=body, headers=headers)

    def delete(self, base: int) -> httpx2.Response:
        """Leave a tombstone."""
        return self.client.delete("/memory/document", headers={"X-Base-Version": str(base)})

    def set_mode(self, mode: str, expected: int | None = None) -> httpx2.Response:
        """PUT the mode against the revision in force, unless it is named."""
        at = self.stage.policy().revision if expected is None else expected
        return self.client.put("/memory/policy", json={"mode": mode, "expected_revision": at})

    def conversation(self) -> str:
        """Begin a conversation."""
        answered = self.client.post("/conversations")
        assert answered.status_code == 201, answered.text
        return str(body_of(answered)["id"])

    def admit(
        self, conversation: str, *, key: str | None = None, state: str | Sequence[str] | None = None
    ) -> httpx2.Response:
        """POST an admission under a key of its own; X-Memory-State as often as there are states."""
        states = [state] if isinstance(state, str) else state or []
        headers = [("Idempotency-Key", key or f"turn-{next(_names)}")]
        headers += [("X-Memory-State", each) for each in states]
        return self.agent.post("/admissions", json={"conversation_id": conversation}, headers=headers)

    def turn(self, conversation: str | None = None, *, state: str | None = None) -> HttpTurn:
        """An admitted turn, in a new conversation unless one is named."""
        talk = conversation or self.conversation()
        answered = self.admit(talk, state=state)
        assert answered.status_code == 201, answered.text
        body = body_of(answered)
        return HttpTurn(talk, str(body["admission_id"]), str(body["credential"]))

    def recall(self, turn: HttpTurn, *, purpose: str = "recall", **headers: str) -> httpx2.Response:
        """GET what a model call of the turn is given."""
        return self.agent.get("/memory", params={"purpose": purpose}, headers={**turn.headers, **headers})

    def recalled(self, turn: HttpTurn) -> Json:
        """The same, which has to be answered."""
        answered = self.recall(turn)
        assert answered.status_code == 200, answered.text
        return body_of(answered)

    def shown(self, *, state: str | None = None) -> HttpTurn:
        """An admitted turn that was given the memory."""
        turn = self.turn(state=state)
        self.recalled(turn)
        return turn

    def capture(self, turn: HttpTurn, *changes: Json, **headers: str) -> httpx2.Response:
        """PUT a turn's edits."""
        return self.capture_body(turn, {"changes": list(changes)}, **headers)

    def capture_body(self, turn: HttpTurn, body: object, **headers: str) -> httpx2.Response:
        """PUT a body as it stands."""
        sent = {**turn.headers, "Idempotency-Key": f"memory:{turn.admission}", **headers}
        return self.agent.put("/memory", json=body, headers=sent)

    def receipts(self, turn: HttpTurn) -> httpx2.Response:
        """GET the receipts of the turn's conversation."""
        return self.client.get(receipts_url(self.agent, turn.conversation))


def receipts_url(agent: httpx2.Client, conversation: str) -> str:
    """The whole address of a conversation's receipts."""
    api = str(agent.base_url).partition("/automation/")[0]
    return f"{api}/agents/assistant/{conversation}/memory-receipts"


def desk_of(rest: Rest, stage: Stage, user: UserId) -> Desk:
    """The desk of one of the cast."""
    world = rest.live.world
    client = rest.by(user)
    key_session = write_session_token(stage.token(user)) if user != world.mallory else "A" * 43
    agent = rest.client(
        f"{rest.live.url}/api/v1/automation/workspaces/{world.workspace}",
        {**dict(client.headers), "X-Key-Session": key_session},
    )
    return Desk(stage, user, client, agent)
