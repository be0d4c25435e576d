"""The oracle matrix over the memory document's side: actor × thing × route, every one on both databases.

What one may not know of (a conversation, an admission, a proposal, a key session, a note or a version of another
workspace) answers like an id that names nothing, to the byte.
"""

from typing import cast

import httpx2
import pytest
from tests.contract.memory_stage import make_stage
from tests.contract.noted import Noted
from tests.e2e.oracle_routes import ITEM, NOTHING, Ask, CannotFill, Json
from tests.e2e.oracle_stage import Answer, Caller, build_stage
from tests.e2e.oracle_things import CREDENTIAL, NOTE, THINGS, Thing, asks_about, things
from tests.e2e.rest_calls import Rest

requirement = pytest.mark.requirement


def document_of(rest: Rest) -> Json:
    return cast("Json", httpx2.get(f"{rest.live.url}/api/v1/openapi.json", verify=False, timeout=60).json())


def asked(caller: Caller, ask: Ask, thing: Thing, identifier: str) -> Answer:
    """The answer about an id of this kind, with the credential that belongs to the real one."""
    headers = {name: value.replace(CREDENTIAL, thing.credential) for name, value in ask.headers.items()}
    by_number = thing.argument == "version"
    path = ask.path.replace(NOTE, thing.note)
    path = path.replace(ITEM, identifier) if by_number else path
    # A digit is not made a placeholder in the answer: it stands in other numbers too.
    return caller.ask(
        Ask(ask.name, ask.method, path, ask.body, headers, ask.query), NOTHING if by_number else identifier
    )


@requirement("field:case-02:document")
def test_what_one_may_not_know_of_answers_like_what_is_not_there(
    rest: Rest, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = build_stage(rest)
    memory = make_stage(rest.live.world)
    document = document_of(rest)
    told: list[str] = []
    rows = 0
    for thing in things(memory, Noted(rest.live.world, [memory.key])):
        for ask in asks_about(document, thing.argument):
            for caller in stage.callers:
                at_home = caller.workspace == rest.live.world.workspace
                if caller.is_tool or (at_home and caller.user in thing.seen_by):
                    continue
                rows += 1
                hidden, missing = (asked(caller, ask, thing, each) for each in (thing.id, thing.like))
                if hidden != missing:
                    told.append(f"{caller.name} | {ask.name}: {hidden.status} and {missing.status}")
                # Anything else would be a request that never came as far as the id.
                assert missing.status in {403, 404}, (caller.name, ask.name, missing)
    with capsys.disabled():
        print(f"\n  oracle matrix of the memory document: {rows} rows")  # noqa: T201  its size is to be seen
    assert told == []


def test_who_may_know_of_it_is_answered_otherwise(rest: Rest) -> None:
    """Else the matrix might be silent because it asks nothing."""
    stage = build_stage(rest)
    memory = make_stage(rest.live.world)
    document = document_of(rest)
    [bob] = [each for each in stage.callers if each.name == "bob by token"]
    everything = [
        (thing, ask)
        for thing in things(memory, Noted(rest.live.world, [memory.key]))
        for ask in asks_about(document, thing.argument)
    ]
    same: list[str] = []
    # What is deleted is not there for those who come after.
    for thing, ask in sorted(everything, key=lambda pair: pair[1].method == "DELETE"):
        hidden, missing = (asked(bob, ask, thing, each) for each in (thing.id, thing.like))
        if hidden == missing:
            same.append(ask.name)
    assert same == []


def test_every_route_that_takes_such_an_id_is_in_the_matrix(rest: Rest) -> None:
    document = document_of(rest)
    joined = {argument: len(asks_about(document, argument)) for argument in THINGS}
    # Admission and receipts; reading, renaming and deleting it; its messages, and hearing and stopping a turn.
    assert joined["conversation_id"] == 9
    assert joined["proposal_id"] == 4
    assert joined["key_session_id"] == 2
    assert joined["X-Memory-Admission"] == 2
    assert min(joined.values()) >= 2


def test_a_new_route_joins_by_itself_or_says_what_to_add() -> None:
    def document(*names: str) -> Json:
        parameters = [{"name": name, "in": "path"} for name in names]
        path = "/" + "/".join(f"{{{name}}}" for name in names)
        return {"paths": {path: {"post": {"parameters": parameters}}}}

    [ask] = asks_about(document("conversation_id"), "conversation_id")
    assert ask.path == "/@item@"
    with pytest.raises(CannotFill, match="what to send for 'memo'"):
        asks_about(document("conversation_id", "memo"), "conversation_id")
