"""Memory is in no trace, whatever the operator has instrumented: what instruments stands outside of the binding.

Recorded through OpenTelemetry's own interface with a tracer of this test, so that no SDK is needed.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from opentelemetry.trace import INVALID_SPAN_CONTEXT, Span, SpanContext, Tracer, TracerProvider
from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings
from tests.contract.memory_stage import Stage
from tests.e2e.assistant_wire.provider_server import Fail, Provider, Say, call
from tests.e2e.assistant_wire.turns import choice, run_assistant

from workspace_memory.assistant.model_choices import ProviderKind


class Recording(Span):
    """A span that keeps all that is said to it."""

    def __init__(self, kept: list[str], name: str) -> None:
        self.kept = kept
        kept.append(name)

    def end(self, end_time: int | None = None) -> None: ...

    def get_span_context(self) -> SpanContext:
        return INVALID_SPAN_CONTEXT

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        self.kept.append(repr(attributes))

    def set_attribute(self, key: str, value: Any) -> None:
        self.kept.append(f"{key}={value!r}")

    def add_event(self, name: str, attributes: Any = None, timestamp: int | None = None) -> None:
        self.kept.append(f"{name} {attributes!r} {timestamp}")

    def update_name(self, name: str) -> None:
        self.kept.append(name)

    def is_recording(self) -> bool:
        return True

    def set_status(self, status: Any, description: str | None = None) -> None:
        self.kept.append(f"{status!r} {description}")

    def record_exception(self, exception: BaseException, *more: Any, **named: Any) -> None:
        self.kept.append(f"{exception!r} {more!r} {named!r}")


class Recorder(TracerProvider, Tracer):
    """Gives recording spans."""

    def __init__(self) -> None:
        self.kept: list[str] = []

    def get_tracer(self, *_: Any, **__: Any) -> Tracer:
        return self

    def start_span(self, name: str, *_: Any, attributes: Any = None, **__: Any) -> Span:
        self.kept.append(repr(attributes))
        return Recording(self.kept, name)

    @contextmanager
    def start_as_current_span(  # pyright: ignore[reportIncompatibleMethodOverride]  # the same, for with alone
        self, name: str, *_: Any, attributes: Any = None, **__: Any
    ) -> Generator[Span]:
        yield self.start_span(name, attributes=attributes)


@pytest.mark.parametrize("kind", [ProviderKind.ANTHROPIC, ProviderKind.COMPATIBLE])
@pytest.mark.parametrize("script", [[Say("Done")], [Fail(503), Say("Done")], [Fail(400)]])
def test_no_span_holds_memory(
    stage: Stage,
    provider: Provider,
    kind: ProviderKind,
    script: Sequence[Say | Fail],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorder = Recorder()
    settings = InstrumentationSettings(tracer_provider=recorder, include_content=True)
    monkeypatch.setattr(Agent, "_instrument_default", settings)
    provider.script[:] = [call("search_documents", query="tea"), *script]
    run_assistant(stage, stage.admit(), [choice(provider, kind)], "What about walruses?")
    traced = "\n".join(recorder.kept)
    assert "walruses" in traced, "the content of a turn is traced"
    assert "You are the Assistant" in traced
    assert "We ship on Thursday" in provider.recorded[0].raw
    assert "We ship on Thursday" not in traced
    assert "<workspace_memory" not in traced
