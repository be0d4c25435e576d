"""A real HTTP server on the loopback that plays providers by a script and records every request that reaches it.

It speaks OpenAI's Chat Completions, Anthropic's Messages and Gemini's generateContent, streamed and not.
"""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route


@dataclass(frozen=True)
class Say:
    """The model answers, and the provider says how many tokens went in."""

    text: str
    tokens: int = 10


@dataclass(frozen=True)
class Call:
    """The model calls tools: pairs of a name and its arguments, as JSON text where it is not even that."""

    calls: Sequence[tuple[str, Mapping[str, Any] | str]]


@dataclass(frozen=True)
class Fail:
    """The provider answers with an error."""

    status: int
    body: Mapping[str, Any] = field(default_factory=dict[str, Any])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class HangUp:
    """The provider closes the connection, after so many words of an answer."""

    text: str = ""


@dataclass(frozen=True)
class Pause:
    """The model says the first half of its answer, and the rest once it is let go on."""

    text: str
    go_on: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class Endless:
    """The model repeats a word without an end; or `bytes_of` comes without an end, which is no event at all."""

    word: str
    bytes_of: str = ""


Step = Say | Call | Fail | HangUp | Pause | Endless
PATIENCE_SECONDS = 60.0


def call(name: str, /, **arguments: Any) -> Call:
    """One call of a tool."""
    return Call([(name, arguments)])


@dataclass
class Recorded:
    """One request: everything that was on the wire."""

    path: str
    headers: str
    raw: str
    body: dict[str, Any]

    @property
    def system(self) -> list[str]:
        """The texts of the system part, in their order."""
        if "system_instruction" in self.body or "systemInstruction" in self.body:
            held = self.body.get("systemInstruction") or self.body["system_instruction"]
            return [part["text"] for part in held["parts"]]
        if "system" in self.body:
            held = self.body["system"]
            return [held] if isinstance(held, str) else [part["text"] for part in held]
        leading: list[str] = []
        for message in self.body.get("messages", []):
            if message["role"] not in {"system", "developer"}:
                break
            content = message["content"]
            leading += [content] if isinstance(content, str) else [part["text"] for part in content]
        return leading

    @property
    def messages(self) -> str:
        """Everything but the system part, as JSON."""
        rest: list[dict[str, Any]] = self.body.get("messages") or self.body.get("contents") or []
        return json.dumps([each for each in rest if each.get("role") not in {"system", "developer"}])

    @property
    def tools(self) -> list[str]:
        """The names of the tools that were offered."""
        names: list[str] = []
        for tool in self.body.get("tools", []):
            for each in tool.get("functionDeclarations") or tool.get("function_declarations") or [tool]:
                names.append(each.get("name") or each["function"]["name"])
        return names


@dataclass
class Provider:
    """The server's script and record. `on_request` is called with the number of each request before its answer."""

    url: str
    script: list[Step] = field(default_factory=list[Step])
    recorded: list[Recorded] = field(default_factory=list[Recorded])
    on_request: Callable[[int], None] = lambda _: None

    def everything(self) -> str:
        """All that reached the server."""
        return "\n".join(each.path + each.headers + each.raw for each in self.recorded)


@contextmanager
def playing() -> Generator[Provider]:
    """The server, running."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    provider = Provider(f"http://127.0.0.1:{listener.getsockname()[1]}")
    app = Starlette(
        routes=[
            Route("/v1/chat/completions", _answering(provider, _chat, _chat_events), methods=["POST"]),
            Route("/v1/messages", _answering(provider, _anthropic, _anthropic_events), methods=["POST"]),
            Route(
                "/v1beta/models/{call:path}", _answering(provider, _gemini, _gemini_events), methods=["POST"]
            ),
        ]
    )
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    waiting = threading.Event()
    for _ in range(500):
        if server.started or not thread.is_alive():
            break
        waiting.wait(0.01)
    assert server.started
    try:
        yield provider
    finally:
        server.should_exit = True
        server.force_exit = True
        thread.join(10)
        listener.close()


Whole = Callable[[Step], dict[str, Any]]
Pieces = Callable[[Step], Iterator[str]]


def _answering(provider: Provider, whole: Whole, pieces: Pieces) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        raw = (await request.body()).decode()
        body = cast("dict[str, Any]", json.loads(raw))
        path = f"{request.url.path}?{request.url.query}"
        provider.recorded.append(Recorded(path, json.dumps(dict(request.headers)), raw, body))
        provider.on_request(len(provider.recorded))
        step = provider.script.pop(0) if provider.script else Say("Done.")
        match step:
            case Fail(status, told, headers):
                return JSONResponse(told or {"error": {"message": "no"}}, status, dict(headers))
            case HangUp():
                return StreamingResponse(_broken(step, pieces), media_type="text/event-stream")
            case Pause():
                return StreamingResponse(_paused(step, pieces), media_type="text/event-stream")
            case Endless():
                return StreamingResponse(_endless(step, pieces), media_type="text/event-stream")
            case _:
                pass
        if body.get("stream") or "streamGenerateContent" in path:
            return StreamingResponse(_all(pieces(step)), media_type="text/event-stream")
        return JSONResponse(whole(step))

    return answer


async def _all(pieces: Iterator[str]) -> AsyncIterator[str]:
    for piece in pieces:
        yield piece


async def _broken(step: HangUp, pieces: Pieces) -> AsyncIterator[str]:
    if step.text:
        sent = list(pieces(Say(step.text)))
        for piece in sent[: len(sent) // 2]:
            yield piece
    raise ConnectionAbortedError


async def _endless(step: Endless, pieces: Pieces) -> AsyncIterator[str]:
    sent = list(pieces(Say(f"{step.word} {step.word}")))
    # What begins an answer has one or two pieces, as the protocol is; the third is a word in each that has three.
    for piece in sent[:3]:
        yield piece
    while True:
        yield step.bytes_of or sent[2 if len(sent) > 2 else 0]
        await asyncio.sleep(0)


async def _paused(step: Pause, pieces: Pieces) -> AsyncIterator[str]:
    sent = list(pieces(Say(step.text)))
    for piece in sent[: len(sent) // 2]:
        yield piece
    await asyncio.to_thread(step.go_on.wait, PATIENCE_SECONDS)
    for piece in sent[len(sent) // 2 :]:
        yield piece


def _tokens(step: Step) -> int:
    return step.tokens if isinstance(step, Say) else 10


def _arguments(arguments: Mapping[str, Any] | str) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _chat(step: Step) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step.text if isinstance(step, Say) else None}
    if isinstance(step, Call):
        message["tool_calls"] = [
            {
                "id": f"call_{index}",
                "type": "function",
                "function": {"name": name, "arguments": _arguments(given)},
            }
            for index, (name, given) in enumerate(step.calls)
        ]
    finish = "tool_calls" if isinstance(step, Call) else "stop"
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": _tokens(step), "completion_tokens": 5, "total_tokens": 5 + _tokens(step)},
    }


def _chat_events(step: Step) -> Iterator[str]:
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}

    def event(delta: dict[str, Any], finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return f"data: {json.dumps({**base, 'choices': [choice]})}\n\n"

    yield event({"role": "assistant", "content": ""})
    if isinstance(step, Say):
        for word in step.text.split(" "):
            yield event({"content": f"{word} "})
    if isinstance(step, Call):
        for made in _chat(step)["choices"][0]["message"]["tool_calls"]:
            index = int(made["id"].removeprefix("call_"))
            yield event({"tool_calls": [{"index": index, **made}]})
    yield event({}, "tool_calls" if isinstance(step, Call) else "stop")
    usage = _chat(step)["usage"]
    yield f"data: {json.dumps({**base, 'choices': [], 'usage': usage})}\n\n"
    yield "data: [DONE]\n\n"


def _anthropic_blocks(step: Step) -> list[dict[str, Any]]:
    if isinstance(step, Say):
        return [{"type": "text", "text": step.text}]
    assert isinstance(step, Call)
    return [
        {"type": "tool_use", "id": f"toolu_{index}", "name": name, "input": _object(given)}
        for index, (name, given) in enumerate(step.calls)
    ]


def _object(given: Mapping[str, Any] | str) -> Any:
    if not isinstance(given, str):
        return dict(given)
    try:
        return json.loads(given)
    except ValueError:
        return {}


def _anthropic(step: Step) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": _anthropic_blocks(step),
        "stop_reason": "tool_use" if isinstance(step, Call) else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": _tokens(step), "output_tokens": 5},
    }


def _anthropic_events(step: Step) -> Iterator[str]:
    def event(name: str, **fields: Any) -> str:
        return f"event: {name}\ndata: {json.dumps({'type': name, **fields})}\n\n"

    whole = _anthropic(step)
    yield event("message_start", message={**whole, "content": [], "stop_reason": None})
    for index, block in enumerate(whole["content"]):
        if block["type"] == "text":
            yield event("content_block_start", index=index, content_block={"type": "text", "text": ""})
            for word in block["text"].split(" "):
                delta = {"type": "text_delta", "text": f"{word} "}
                yield event("content_block_delta", index=index, delta=delta)
        else:
            yield event("content_block_start", index=index, content_block={**block, "input": {}})
            assert isinstance(step, Call)
            delta = {"type": "input_json_delta", "partial_json": _arguments(step.calls[index][1])}
            yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield event("message_delta", delta=ending, usage={"output_tokens": 5})
    yield event("message_stop")


def _gemini(step: Step) -> dict[str, Any]:
    if isinstance(step, Say):
        parts: list[dict[str, Any]] = [{"text": step.text}]
    else:
        assert isinstance(step, Call)
        parts = [{"functionCall": {"name": name, "args": _object(given)}} for name, given in step.calls]
    return {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        "modelVersion": "scripted",
        "responseId": "r1",
    }


def _gemini_events(step: Step) -> Iterator[str]:
    yield f"data: {json.dumps(_gemini(step))}\n\n"
