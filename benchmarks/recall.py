"""What recall adds to a model call of the Assistant: the decision, the decryption and the receipt before each request.

    benchmarks/recall.py [--calls 500] [--database-url URL] [--json]

In one process, on SQLite in a temporary folder or on the given empty PostgreSQL. A turn is admitted, and a null model,
which answers at once without a network, is asked again and again: by itself, then through the binding, with memory off,
with a document of about 2 KiB and with one at the bound of 8,192 bytes. What the binding adds is the difference; a
provider takes hundreds of milliseconds beside it. On a shared machine trust the medians.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.function import AgentInfo, FunctionModel

from _arguments import calls
from _metrics import Timing, timing
from _progress import say
from _tables import table
from _tenants import DatabaseInUse, Tenant, make_tenants, opened
from workspace_memory.assistant.authority import TurnAuthority
from workspace_memory.assistant.binding import RecallModel
from workspace_memory.crypto.session_sealing import new_session_token, seal_for_session
from workspace_memory.crypto.workspace_keys import WorkspaceKey, check_value, new_workspace_key
from workspace_memory.domain.actor import Actor, Channel
from workspace_memory.domain.client_state import UNKNOWN
from workspace_memory.domain.document import MEMORY_PATH, NO_PREVIOUS, RevisionKind
from workspace_memory.domain.errors import DomainError
from workspace_memory.domain.ids import Epoch, Version
from workspace_memory.domain.key_session import KeySessionWay
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.recall import RECALL_BYTES_MAX
from workspace_memory.services.admissions import admit_turn
from workspace_memory.services.ai_consents import change_ai_consent, get_ai_consent
from workspace_memory.services.authentication import authenticate_token
from workspace_memory.services.conversations import create_conversation
from workspace_memory.services.deps import Deps
from workspace_memory.services.documents import get_document, save_document
from workspace_memory.services.key_sessions import open_key_session
from workspace_memory.services.policies import change_policy, get_policy
from workspace_memory.services.running import run
from workspace_memory.services.seals import seal_revision
from workspace_memory.storage.workspace_keys import KeyEpoch

_WARM = 20
_LINE = "- A sentence of a usual length about some matter\n"
_ASKED: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart("Hello")])]
NULL = "null model"


@dataclass(frozen=True, slots=True)
class Scene:
    """A workspace with a key and an open key session, and who acts in it."""

    deps: Deps
    tenant: Tenant
    actor: Actor
    key: WorkspaceKey
    token: bytes


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the answer is the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=calls, default=500, help="of each kind")
    parser.add_argument("--database-url", default="", help="an empty PostgreSQL database instead of SQLite")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    options = parser.parse_args(arguments)
    try:
        measured = measure(options.calls, options.database_url)
    except (DatabaseInUse, DomainError) as error:
        print(f"recall: {error}", file=sys.stderr)
        return 1
    database = "PostgreSQL" if options.database_url else "SQLite"
    if options.json:
        print(
            json.dumps(
                {"database": database, "kinds": {kind: asdict(each) for kind, each in measured.items()}}
            )
        )
    else:
        print(as_text(database, measured))
    return 0


def measure(calls_: int, database_url: str) -> dict[str, Timing]:
    """The timings of a request, by kind. Raises: DatabaseInUse, DomainError."""
    with tempfile.TemporaryDirectory(prefix="wm-recall-") as place:
        folder = Path(place) / "data"
        [tenant] = make_tenants(folder, ["workspace"], database_url=database_url)
        with opened(folder, database_url) as deps:
            scene = set_up(deps, tenant)
            measured: dict[str, Timing] = {}
            say(NULL)
            measured[NULL] = timed(null_model(), calls_)
            set_mode(scene, Mode.OFF)
            measured["memory off"] = timed_turn(scene, calls_, "memory off")
            set_mode(scene, Mode.AUTO)
            for size in (2_048, RECALL_BYTES_MAX):
                save(scene, (_LINE * (size // len(_LINE) + 1))[: size - 1] + "\n")
                kind = f"document of {size:,} bytes"
                measured[kind] = timed_turn(scene, calls_, kind)
            return measured


def set_up(deps: Deps, tenant: Tenant) -> Scene:
    """A workspace key, AI turned on, and an open key session."""
    user = run(deps, authenticate_token, tenant.curator_token, channel=Channel.PERSON).user
    actor = Actor(user, Channel.PERSON, "benchmark")
    key = new_workspace_key(tenant.workspace)
    with deps.database.begin() as tx:
        tx.workspace_keys.add_epoch(
            tenant.workspace,
            KeyEpoch(
                Epoch(key.epoch),
                user,
                check_value(key),
                check_signature=bytes(64),
                older_sealed=None,
                rotation_due=False,
                created_at=deps.clock.now(),
            ),
        )
    consent = get_ai_consent(deps, actor, tenant.workspace)
    change_ai_consent(deps, actor, tenant.workspace, enabled=True, expected=consent.revision)
    token = new_session_token()
    open_key_session(
        deps,
        actor,
        tenant.workspace,
        token=token,
        sealed=seal_for_session(key, token, user),
        epoch=Epoch(key.epoch),
        name="benchmark",
        way=KeySessionWay.HEADER,
    )
    return Scene(deps, tenant, actor, key, token)


def set_mode(scene: Scene, mode: Mode) -> None:
    """Set the mode of the memory."""
    policy = get_policy(scene.deps, scene.actor, scene.tenant.workspace)
    change_policy(scene.deps, scene.actor, scene.tenant.workspace, mode, expected=policy.revision)


def save(scene: Scene, text: str) -> None:
    """Write the document, sealed as a client does it."""
    newest = get_document(scene.deps, scene.actor, scene.tenant.workspace).newest
    base = Version(0) if newest is None else newest.version
    sealed = seal_revision(
        scene.key,
        text,
        path=MEMORY_PATH,
        base=base,
        previous=NO_PREVIOUS if newest is None else newest.sha256,
        generation=get_policy(scene.deps, scene.actor, scene.tenant.workspace).clear_generation,
        kind=RevisionKind.SAVE,
        author=scene.actor.user,
    )
    save_document(scene.deps, scene.actor, scene.tenant.workspace, base=base, sealed=sealed)


def null_model() -> FunctionModel:
    """A model that answers at once."""

    async def answer(_messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart("ok")])

    return FunctionModel(answer, model_name="null")


def timed_turn(scene: Scene, count: int, kind: str) -> Timing:
    """The null model behind the binding of a new turn."""
    say(kind)
    conversation = create_conversation(scene.deps, scene.actor, scene.tenant.workspace).id
    admitted = admit_turn(
        scene.deps,
        scene.actor,
        scene.tenant.workspace,
        conversation,
        key=kind,
        key_session_token=scene.token,
        client_state=UNKNOWN,
    )

    def ask(use_case: Any, /, *args: Any, **kwargs: Any) -> Any:
        return run(scene.deps, partial(use_case), scene.actor, *args, **kwargs)

    authority = TurnAuthority(
        ask, scene.tenant.workspace, admitted.admission, admitted.credential, scene.token
    )
    return timed(RecallModel(null_model(), authority.recall, name="null"), count)


def timed(model: Model, count: int) -> Timing:
    """How long so many requests took, one after the other."""

    async def ask() -> Timing:
        spans: list[float] = []
        began_all = time.perf_counter()
        for number in range(count + _WARM):
            if number == _WARM:
                began_all = time.perf_counter()
            began = time.perf_counter()
            await model.request(_ASKED, None, ModelRequestParameters())
            if number >= _WARM:
                spans.append((time.perf_counter() - began) * 1000)
        return timing(spans, elapsed_seconds=time.perf_counter() - began_all)

    return asyncio.run(ask())


def as_text(database: str, measured: dict[str, Timing]) -> str:
    """A table of the figures in milliseconds, with what recall adds to the median and to the 99th percentile."""
    null = measured[NULL]
    rows = [
        [
            kind,
            f"{figure.p50:.2f}",
            f"{figure.p99:.2f}",
            "–" if kind == NULL else f"{figure.p50 - null.p50:.2f}",
            "–" if kind == NULL else f"{figure.p99 - null.p99:.2f}",
        ]
        for kind, figure in measured.items()
    ]
    return f"{database}\n\n{table(['a request with', 'p50 ms', 'p99 ms', 'added p50', 'added p99'], rows)}"


if __name__ == "__main__":
    sys.exit(main())
