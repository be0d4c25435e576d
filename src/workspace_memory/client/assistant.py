"""The calls about the Assistant: conversations, and turns that are heard while they run.

    talk = memory.begin_conversation()
    for event in memory.send(talk.id, "When do we release?", key_session=token):
        if isinstance(event, TextAdded):
            print(event.text, end="")

`key_session` is the token of an open key session, base64url, as `keys.py` opens one. A turn goes on when its connection
is lost; `send` then takes up the thread by itself, under the same key.
"""

import json
import uuid
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from typing import cast

import httpx2
from pydantic import ValidationError

from workspace_memory.client.assistant_answers import (
    AssistantStatus,
    Conversations,
    ListedConversation,
    Messages,
    ShownConversation,
    ToldTurn,
)
from workspace_memory.client.connection import (
    ATTEMPTS,
    FIRST_PAUSE_SECONDS,
    UNREADABLE,
    Connection,
    segment,
)
from workspace_memory.client.errors import ApiError, answer_lost, error_from, error_of
from workspace_memory.client.turn_events import event_of
from workspace_memory.domain.client_state import ClientState
from workspace_memory.domain.turn_event import TurnEnded, TurnEvent

PAGE = 200


class AssistantCalls(Connection):
    """Talk with the Assistant of the client's workspace."""

    def assistant(self) -> AssistantStatus:
        """Which model answers, and the tokens of today. Raises: NotFound, Forbidden."""
        return self._read(AssistantStatus, "GET", f"/workspaces/{segment(self.workspace)}/assistant")

    def list_conversations(self, *, key_session: str | None = None) -> Iterator[ListedConversation]:
        """The own conversations, newest first; with their titles in a key session. Raises: NotFound, Forbidden."""
        before: str | None = None
        while True:
            page = self._read(
                Conversations,
                "GET",
                f"/workspaces/{segment(self.workspace)}/conversations",
                params={"before": before, "limit": PAGE},
                headers=_in(key_session),
            )
            yield from page.conversations
            if page.next_before is None:
                return
            before = page.next_before

    def get_conversation(self, conversation: str, *, key_session: str | None = None) -> ShownConversation:
        """One of the own conversations, and its cost. Raises: NotFound, Forbidden."""
        return self._read(ShownConversation, "GET", _of(conversation), headers=_in(key_session))

    def rename_conversation(self, conversation: str, title: str, *, key_session: str) -> ShownConversation:
        """Give it another title. Raises: InvalidRequest, KeySessionRequired, NotFound, Forbidden."""
        return self._read(
            ShownConversation,
            "PATCH",
            _of(conversation),
            body={"title": title},
            headers=_in(key_session),
            repeatable=True,
        )

    def delete_conversation(self, conversation: str) -> None:
        """Delete it with messages and receipts; what it wrote into the memory document stays. Raises: NotFound, …"""
        self._do("DELETE", _of(conversation))

    def list_turns(self, conversation: str, *, key_session: str) -> Iterator[ToldTurn]:
        """The turns with their messages, oldest first. Raises: KeySessionRequired, NotFound, Forbidden."""
        after = 0
        while True:
            page = self._read(
                Messages,
                "GET",
                f"{_of(conversation)}/messages",
                params={"after": after},
                headers=_in(key_session),
            )
            yield from page.turns
            if page.next_after is None:
                return
            after = page.next_after

    def send(
        self,
        conversation: str,
        message: str,
        *,
        key_session: str,
        memory_state: ClientState | None = None,
        key: str | None = None,
    ) -> Generator[TurnEvent]:
        """Begin a turn and hear it to its end, also over a connection that is lost on the way.

        `memory_state` is what the caller knows of its own last Save. `key` names the submission: given again, the turn
        is told that it began before. After TurnRetold nothing counts that was heard until then.
        Raises: AiDisabled, KeySessionRequired, DailyLimitReached, IdempotencyKeyReused, NotFound, …; AnswerLost.
        """
        headers = {"Idempotency-Key": key or uuid.uuid4().hex, **_in(key_session)}
        if memory_state is not None:
            headers["X-Memory-State"] = str(memory_state)
        return self._hear("POST", f"{_of(conversation)}/messages", {"message": message}, headers)

    def hear(self, conversation: str, turn: int, *, key_session: str) -> Generator[TurnEvent]:
        """Hear a turn from its beginning to its end. Raises: NotFound, Forbidden; AnswerLost."""
        return self._hear("GET", f"{_of(conversation)}/turns/{turn}/events", None, _in(key_session))

    def stop(self, conversation: str, turn: int) -> None:
        """End a running turn; what it has said stays. Raises: NotFound, Forbidden."""
        self._do("POST", f"{_of(conversation)}/turns/{turn}/stop")

    def _hear(self, method: str, path: str, body: object, headers: Mapping[str, str]) -> Generator[TurnEvent]:
        """The events until the end, resumed as often as each connection brings something new."""
        last: str | None = None
        failures = 0
        while True:
            resumed = dict(headers) if last is None else {**headers, "Last-Event-ID": last}
            try:
                with closing(self._streamed(method, path, body, resumed)) as response:
                    for name, place, data in _events(response):
                        if name == "problem":
                            raise error_from(data, response.status_code)
                        last, failures = place or last, 0
                        event = _read_event(name, data)
                        if event is not None:
                            yield event
                        if isinstance(event, TurnEnded):
                            return
            except httpx2.TransportError:
                pass  # as a stream that ends before the turn does
            failures += 1
            if failures == ATTEMPTS:
                raise answer_lost(self.url)
            self._pause(FIRST_PAUSE_SECONDS * 2 ** (failures - 1))

    def _streamed(self, method: str, path: str, body: object, headers: Mapping[str, str]) -> httpx2.Response:
        """The beginning of an answer that goes on. Raises: DomainError for one that is an error."""
        request = self._request(
            method,
            path,
            body,
            headers={"Accept": "text/event-stream", "Cache-Control": "no-store", **headers},
        )
        response = self._exchange(request, repeatable=True, stream=True)
        if response.is_success:
            return response
        with closing(response):
            response.read()
        raise error_of(response)


def _events(response: httpx2.Response) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Name, id and data of each. Raises: TransportError, also for what is no stream of events; ApiError."""
    for each in httpx2.EventSource(response):
        try:
            data: object = json.loads(each.data)
        except ValueError:
            raise ApiError(response.status_code, UNREADABLE, "unreadable_answer") from None
        yield each.event, each.id, cast("dict[str, object]", data) if isinstance(data, dict) else {}


def _read_event(name: str, data: Mapping[str, object]) -> TurnEvent | None:
    try:
        return event_of(name, data)
    except ValidationError:
        raise ApiError(200, UNREADABLE, "unreadable_answer") from None


def _of(conversation: str) -> str:
    return f"/agents/assistant/{segment(conversation)}"


def _in(key_session: str | None) -> dict[str, str]:
    return {} if key_session is None else {"X-Key-Session": key_session}
