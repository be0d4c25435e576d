"""A real `serve` that is killed while a turn runs: the turn is interrupted, and goes on under its first admission."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2
import pytest
from tests.conftest import make_world
from tests.contract.memory_stage import make_stage
from tests.e2e.assistant_calls import Chat, Heard, data_of, end_of, provided, text_of
from tests.e2e.assistant_wire.provider_server import Pause, Provider, Say, call, playing
from tests.e2e.command_line import migrated
from tests.e2e.command_line import serving as process
from tests.e2e.conftest import Live, serving
from tests.e2e.key_calls import session_request
from tests.e2e.rest_calls import Rest

from workspace_memory.crypto.session_sealing import read_session_token, write_session_token
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.turn import LEASE
from workspace_memory.storage.database import open_sqlite

EDIT = {"op": "add", "text": "likes tea", "target": "", "heading": ""}


@pytest.fixture
def provider() -> Iterator[Provider]:
    with playing() as running:
        yield running


@pytest.mark.requirement("document:admission:recovered-turn-keeps-its-own")
def test_a_turn_of_a_killed_process_goes_on_under_its_own_admission_which_is_retired_by_then(
    tmp_path: Path, provider: Provider
) -> None:
    folder = migrated(tmp_path / "folder")
    database = open_sqlite(folder / "memory.db")
    world = make_world(database)
    world.clock.time = datetime.now(UTC)
    stage = make_stage(world)
    token = Live(world, "").token(world.bob)
    database.close()

    pause = Pause("one two three four")
    provider.script[:] = [pause]
    env = {f"WORKSPACE_MEMORY_{name.upper()}": value for name, value in provided(provider).items()}
    env["WORKSPACE_MEMORY_INSTANCE_KEY"] = world.deps.instance_secret.hex()
    body, session = session_request(stage.key, world.bob)
    headers = {"Authorization": f"Bearer {token}", "X-Key-Session": session}
    with process(folder, env=env) as serve, httpx2.Client(timeout=30) as client:
        here = f"{serve.url}/api/v1/workspaces/{world.workspace}"
        client.post(f"{here}/key-sessions", json=body, headers=headers).raise_for_status()
        talk = client.post(f"{here}/conversations", headers=headers).raise_for_status().json()["id"]
        bob = Chat(stage, world.bob, client, f"{serve.url}/api/v1", talk, headers)
        with bob.saying("Hello", key="one") as events:
            began = next(events)
            serve.process.kill()
            serve.process.wait(30)
    pause.go_on.set()

    database = open_sqlite(folder / "memory.db")
    world.deps = replace(world.deps, database=database)
    world.clock.time = datetime.now(UTC) + LEASE + timedelta(seconds=1)
    try:
        with serving(world, settings=provided(provider)) as running:
            clients = Rest(running)
            goes_on(
                replace(bob, client=clients.client(running.url)).at(f"{running.url}/api/v1"), began, provider
            )
            clients.close()
    finally:
        database.close()


def goes_on(bob: Chat, began: Heard, provider: Provider) -> None:
    stage = bob.stage
    token = write_session_token(stage.open_session(bob.user))
    assert read_session_token(token) == stage.token(bob.user)
    bob = replace(bob, headers={**bob.headers, "X-Key-Session": token})
    assert bob.state() == ("interrupted", None)
    assert end_of(bob.hear()) == ("failed", "turn_interrupted")

    # Somebody changes the mode there and back: whatever was admitted before is retired.
    stage.set_mode(Mode.READ_ONLY)
    stage.set_mode(Mode.AUTO)
    provider.script[:] = [call("remember_in_memory", changes=[EDIT]), Say("Again.")]
    again = bob.say("Hello", key="one")
    assert (text_of(again), end_of(again)) == ("Again.", ("done", None))
    assert data_of(again, "turn_began")[0]["admission_id"] == began.data["admission_id"]
    assert data_of(again, "tool_answered") == [{"name": "remember_in_memory", "refused": True}]
    assert stage.version() == 1
    assert bob.rows()[:2] == [1, 1]
    assert bob.said() == [("person", "Hello"), ("assistant", ""), ("assistant", "Again.")]
