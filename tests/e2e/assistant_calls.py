"""Short ways to talk with the Assistant over real HTTP: `chat.say("Hello")` gives the events of the turn.

A chat is one conversation of one of the cast, with an access token and an open key session.
"""

import itertools
import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2
from sqlalchemy import Table
from tests.contract.memory_rows import count
from tests.contract.memory_stage import Stage
from tests.e2e.assistant_wire.provider_server import Provider
from tests.e2e.rest_calls import Json, Rest, body_of, listed

from workspace_memory.crypto.session_sealing import write_session_token
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.ids import UserId
from workspace_memory.storage.assistant_tables import assistant_days, assistant_turns, conversation_messages
from workspace_memory.storage.document_tables import admissions, memory_receipts

PROVIDER_KEY = "provider-key-of-a-test"
OF_TURNS: Sequence[Table] = (
    admissions,
    assistant_turns,
    conversation_messages,
    memory_receipts,
    assistant_days,
)

_keys = itertools.count(1)


def provided(provider: Provider) -> dict[str, str]:
    """The settings of a service whose model is at the scripted provider."""
    return {
        "assistant_models": "compatible:scripted",
        "assistant_base_url": f"{provider.url}/v1",
        "assistant_api_key": PROVIDER_KEY,
    }


@dataclass(frozen=True, slots=True)
class Heard:
    """One server-sent event. What has no id is no event of a turn."""

    id: str
    name: str
    data: Mapping[str, Any]


def heard(lines: Iterable[str]) -> Iterator[Heard]:
    """Events as they come. Comments are left out, like a browser does."""
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields.get("event"):
            yield Heard(fields.get("id", ""), fields["event"], json.loads(fields["data"]))
            fields = {}


def names(events: Iterable[Heard]) -> list[str]:
    """The names of events, each kind once where it follows itself."""
    return [name for name, _ in itertools.groupby(event.name for event in events)]


def text_of(events: Iterable[Heard]) -> str:
    """The answer."""
    return "".join(event.data["text"] for event in events if event.name == "text_added").strip()


def data_of(events: Iterable[Heard], name: str) -> list[Mapping[str, Any]]:
    """The data of all events of a name."""
    return [event.data for event in events if event.name == name]


def end_of(events: Sequence[Heard]) -> tuple[str, str | None]:
    """State and code of the last event, which is the end of a turn."""
    assert events[-1].name == "turn_ended", events[-1]
    return events[-1].data["state"], events[-1].data["error"]


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation. `client` has no base: paths are whole."""

    stage: Stage
    user: UserId
    client: httpx2.Client
    api: str
    conversation: str
    headers: Mapping[str, str] = field(repr=False)

    @property
    def url(self) -> str:
        return f"{self.api}/agents/assistant/{self.conversation}"

    def send(
        self, text: str = "Hello", *states: str, key: str | None = None, **headers: str
    ) -> httpx2.Response:
        """POST a message, with X-Memory-State as often as there are states, and wait for the end of its turn."""
        return self.client.post(
            f"{self.url}/messages", json={"message": text}, headers=self._sent(states, key, headers)
        )

    def say(self, text: str = "Hello", *states: str, key: str | None = None, **headers: str) -> list[Heard]:
        """The events of the turn, which has to begin."""
        return events_of(self.send(text, *states, key=key, **headers))

    @contextmanager
    def saying(
        self, text: str = "Hello", *states: str, key: str | None = None, **headers: str
    ) -> Generator[Iterator[Heard]]:
        """The events as they come; leaving cuts the connection."""
        with self.client.stream(
            "POST", f"{self.url}/messages", json={"message": text}, headers=self._sent(states, key, headers)
        ) as response:
            assert response.status_code == 200, response.read()
            yield heard(response.iter_lines())

    def hear(self, turn: int = 1, *, after: str | None = None) -> list[Heard]:
        """The events of a turn to its end, after the one of that id."""
        sent = {**self.headers, **({} if after is None else {"Last-Event-ID": after})}
        return events_of(self.client.get(f"{self.url}/turns/{turn}/events", headers=sent))

    def stop(self, turn: int = 1) -> httpx2.Response:
        """Stop a turn."""
        return self.client.post(f"{self.url}/turns/{turn}/stop", headers=self.headers)

    def turns(self) -> list[Json]:
        """The turns with their messages."""
        return listed(self.get("/messages"), "turns")

    def said(self, turn: int = 1) -> list[tuple[object, object]]:
        """Speakers and texts of one turn, as they are kept."""
        messages: Any = self.turns()[turn - 1]["messages"]
        return [(each["speaker"], each["text"].strip()) for each in messages]

    def state(self, turn: int = 1) -> tuple[object, object]:
        """State and code of a turn, as they are kept."""
        kept = self.turns()[turn - 1]
        return kept["state"], kept["error"]

    def receipts(self) -> list[Json]:
        """The receipts of the conversation."""
        return listed(self.get("/memory-receipts"), "receipts")

    def get(self, below: str = "") -> httpx2.Response:
        """GET the conversation, or what is below it."""
        return self.client.get(f"{self.url}{below}", headers=self.headers)

    def rows(self) -> list[int]:
        """How many rows turns have left in the workspace."""
        return [count(self.stage.world, table) for table in OF_TURNS]

    def at(self, api: str) -> "Chat":
        """The same conversation at another server."""
        return replace(self, api=api)

    def _sent(
        self, states: Sequence[str], key: str | None, headers: Mapping[str, str]
    ) -> list[tuple[str, str]]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"Idempotency-Key": key or f"message-{next(_keys)}", **self.headers, **named}
        return [*sent.items(), *(("X-Memory-State", state) for state in states)]


def events_of(response: httpx2.Response) -> list[Heard]:
    """The events of an answer that is one."""
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("text/event-stream")
    return list(heard(response.text.split("\n")))


def chat_of(
    rest: Rest, stage: Stage, user: UserId, *, max_level: AccessLevel = AccessLevel.CONTRIBUTE
) -> Chat:
    """A new conversation of one of the cast in the cast's workspace."""
    token = rest.live.token(user, max_level=max_level)
    headers = {
        "Authorization": f"Bearer {token}",
        "X-Key-Session": write_session_token(stage.token(user)),
    }
    client = rest.client(rest.live.url)
    api = f"{rest.live.url}/api/v1"
    begun = client.post(f"{rest.live.api_url}/conversations", headers=headers)
    assert begun.status_code == 201, begun.text
    return Chat(stage, user, client, api, str(body_of(begun)["id"]), headers)
