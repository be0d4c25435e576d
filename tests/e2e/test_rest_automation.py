"""Admissions, recall, capture, receipts and proposals over real HTTP, as an agent of one's own uses them."""

import re
from typing import cast

import httpx2
import pytest
from sqlalchemy import select
from tests.contract.memory_rows import counts
from tests.contract.memory_stage import Stage, make_stage
from tests.e2e.document_calls import Desk, HttpTurn, change, desk_of, receipts_url, sealed_json
from tests.e2e.rest_calls import NOBODY, Json, Rest, body_of, listed, refusal

from workspace_memory.client import WorkspaceMemory
from workspace_memory.client.memory_document import MemoryDocument
from workspace_memory.crypto.session_sealing import new_session_token, write_session_token
from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.ids import Version
from workspace_memory.domain.policy import Mode
from workspace_memory.services.members import change_member
from workspace_memory.storage.document_tables import admissions, conversations

requirement = pytest.mark.requirement
TEA = change("add", "likes tea")


@pytest.fixture
def stage(rest: Rest) -> Stage:
    return make_stage(rest.live.world)


@pytest.fixture
def bob(rest: Rest, stage: Stage) -> Desk:
    return desk_of(rest, stage, rest.live.world.bob)


@pytest.fixture
def carol(rest: Rest, stage: Stage) -> Desk:
    return desk_of(rest, stage, rest.live.world.carol)


def slot(desk: Desk, conversation: str) -> object:
    with desk.stage.world.deps.database.read() as tx:
        return tx.connection.execute(
            select(conversations.c.slot_nonce, conversations.c.turns).where(
                conversations.c.id == conversation
            )
        ).one()


def admitted(desk: Desk) -> int:
    return counts(desk.stage.world)[admissions.name]


# --- Admissions ----------------------------------------------------------------------------------------------


@requirement("document:admission:stored-for-every-turn")
@requirement("document:authority:admission-minted-by-the-server")
def test_a_turn_is_admitted_under_an_id_and_a_credential_of_the_servers(bob: Desk) -> None:
    talk = bob.conversation()
    answered = bob.admit(talk)
    assert answered.status_code == 201
    body = body_of(answered)
    assert set(body) == {"admission_id", "credential", "expires_at"}
    assert body["expires_at"] == "2026-11-02T09:15:00Z"
    assert admitted(bob) == 1
    assert body_of(bob.client.get("/conversations"))["conversations"] == [
        {
            "id": talk,
            "title": None,
            "workspace_id": bob.stage.world.workspace,
            "turns": 1,
            "created_at": "2026-11-02T09:00:00Z",
        }
    ]


@requirement("document:admission:resend-reuses-it")
def test_sent_again_under_its_key_a_turn_is_the_first_one(bob: Desk) -> None:
    talk = bob.conversation()
    first, again = (bob.admit(talk, key="turn-42", state="saved;version=1") for _ in range(2))
    assert first.content == again.content
    assert admitted(bob) == 1
    other = bob.admit(talk, key="turn-42", state="saved;version=2")
    assert refusal(other) == (422, "idempotency_key_reused")


STATES = [
    [""],
    ["Unknown"],
    ["UNKNOWN"],
    ["saved"],
    ["saved;version="],
    ["saved;version=x"],
    ["saved;version=-1"],
    ["saved;version=+1"],
    ["saved; version=1"],
    ["saved;version=1;"],
    ["saved;version=1.0"],
    ["saved;Version=1"],
    ["saved;version=12345678901"],
    ["pending;version=1"],
    ["unknown,pending"],
    ["lost"],
    ["pending", "pending"],
    ["unknown", "conflict"],
    ["saved;version=1", ""],
]


@requirement("document:state:anything-else-is-refused")
def test_a_malformed_memory_state_is_refused_before_an_admission_exists(bob: Desk) -> None:
    turn = bob.shown()
    before = (slot(bob, turn.conversation), admitted(bob))
    for states in STATES:
        refused = bob.admit(turn.conversation, key="wrong", state=states)
        assert refusal(refused) == (400, "MEMORY_STATE_INVALID"), states
    assert (slot(bob, turn.conversation), admitted(bob)) == before
    # The turn before was not superseded, and the key is still free.
    assert body_of(bob.capture(turn, TEA))["outcome"] == "committed"
    assert bob.admit(turn.conversation, key="wrong").status_code == 201


def test_every_memory_state_of_the_grammar_is_admitted(bob: Desk) -> None:
    talk = bob.conversation()
    for state in ("unknown", "saved;version=0", "saved;version=9999999999", "pending", "conflict"):
        assert bob.admit(talk, state=state).status_code == 201, state


ADMISSIONS: list[tuple[object, str]] = [
    ({}, "conversation_id"),
    ([], ""),
    ({"conversation_id": 7}, "conversation_id"),
    ({"conversation_id": None}, "conversation_id"),
    ({"conversation_id": "x"}, "conversation_id"),
    ({"conversation_id": NOBODY + "0"}, "conversation_id"),
    ({"conversation_id": NOBODY, "mode": "auto"}, "mode"),
    ({"conversation_id": NOBODY, "credential": "x"}, "credential"),
]


def test_a_malformed_admission_names_its_field(bob: Desk) -> None:
    talk = bob.conversation()
    for body, field in ADMISSIONS:
        refused = bob.agent.post("/admissions", json=body, headers={"Idempotency-Key": "k"})
        assert refusal(refused) == (400, "invalid_request"), body
        assert body_of(refused)["field"] == field, body
    for key in (None, "", "x" * 201):
        headers = {} if key is None else {"Idempotency-Key": key}
        refused = bob.agent.post("/admissions", json={"conversation_id": talk}, headers=headers)
        assert (refusal(refused), body_of(refused)["field"]) == ((400, "invalid_request"), "Idempotency-Key")
    assert admitted(bob) == 0


def test_anothers_conversation_is_like_one_that_is_not_there(bob: Desk, carol: Desk) -> None:
    hidden, missing = carol.admit(bob.conversation()), carol.admit(NOBODY)
    assert refusal(hidden) == refusal(missing) == (404, "not_found")
    assert hidden.content == missing.content
    receipts = [carol.client.get(receipts_url(bob.agent, each)) for each in (bob.turn().conversation, NOBODY)]
    assert receipts[0].content == receipts[1].content
    assert refusal(receipts[0]) == (404, "not_found")


def test_without_ai_or_a_key_session_nothing_is_admitted(rest: Rest, bob: Desk) -> None:
    talk = bob.conversation()
    session = str(bob.agent.headers.pop("X-Key-Session"))
    assert refusal(bob.admit(talk)) == (403, "key_session_required")
    bob.agent.headers["X-Key-Session"] = write_session_token(new_session_token())
    assert refusal(bob.admit(talk)) == (403, "key_session_required")
    bob.agent.headers["X-Key-Session"] = "short"
    assert refusal(bob.admit(talk)) == (400, "invalid_request")
    bob.agent.headers["X-Key-Session"] = session
    bob.stage.set_ai(False)
    assert refusal(bob.admit(talk)) == (403, "ai_disabled")
    assert admitted(bob) == 0


# --- Recall --------------------------------------------------------------------------------------------------


@requirement("document:recall:automation-route")
@requirement("document:recall:by-the-latest-admission")
def test_recall_answers_status_revision_and_block_of_the_newest_turn(bob: Desk) -> None:
    first = bob.turn()
    second = bob.turn(first.conversation)
    old, new = bob.recalled(first), bob.recalled(second)
    assert (old["status"], old["block"]) == ("superseded", None)
    assert (new["status"], new["revision"], new["note"], new["stop"]) == ("attached", 1, None, False)
    assert "- We ship on Thursday" in str(new["block"])
    # One turn's admission with another's credential is neither.
    mixed = HttpTurn(first.conversation, second.admission, first.credential)
    assert refusal(bob.recall(mixed)) == (403, "delivery_refused")


@requirement("document:recall:automation-route")
def test_another_purpose_or_argument_is_refused(bob: Desk) -> None:
    turn = bob.turn()
    wrong: list[tuple[dict[str, str], str]] = [
        *(({"purpose": each}, "purpose") for each in ("", "Recall", "capture", "export", "recall ")),
        ({}, "purpose"),
        ({"purpose": "recall", "version": "1"}, "version"),
        ({"purpose": "recall", "model": ""}, "model"),
        ({"purpose": "recall", "model": "x" * 201}, "model"),
    ]
    for params, field in wrong:
        refused = bob.agent.get("/memory", params=params, headers=turn.headers)
        assert refusal(refused) == (400, "invalid_request"), params
        assert body_of(refused)["field"] == field, params
    assert listed(bob.receipts(turn), "receipts") == []


@pytest.mark.parametrize("header", ["X-Memory-Admission", "X-Delivery-Credential"])
def test_recall_and_capture_need_admission_and_credential_once(bob: Desk, header: str) -> None:
    turn = bob.shown()
    twice = [*turn.headers.items(), (header, turn.headers[header])]
    without = {name: value for name, value in turn.headers.items() if name != header}
    key = ("Idempotency-Key", f"memory:{turn.admission}")
    body = {"changes": [TEA]}
    for headers in (list(without.items()), twice):
        for refused in (
            bob.agent.get("/memory", params={"purpose": "recall"}, headers=headers),
            bob.agent.put("/memory", json=body, headers=[*headers, key]),
        ):
            assert (refusal(refused), body_of(refused)["field"]) == ((400, "invalid_request"), header)
    assert bob.stage.version() == 1


def test_another_credential_is_refused(bob: Desk) -> None:
    turn = bob.shown()
    for credential in ("", "x", "A" * 43, "x" * 200):
        wrong = {"X-Delivery-Credential": credential}
        assert refusal(bob.recall(turn, **wrong)) == (403, "delivery_refused")
        assert refusal(bob.capture(turn, TEA, **wrong)) == (403, "delivery_refused")


@requirement("document:authority:admission-minted-by-the-server")
@requirement("field:case-02:document")
def test_anothers_admission_is_like_one_that_is_not_there(rest: Rest, bob: Desk, carol: Desk) -> None:
    turn = bob.shown()
    for desk in (carol, desk_of(rest, bob.stage, rest.live.world.alice)):
        answers = [
            desk.recall(HttpTurn("", admission, turn.credential))
            for admission in (turn.admission, NOBODY, "no id")
        ]
        assert len({each.content for each in answers}) == 1
        hidden, missing = (
            desk.capture(HttpTurn("", admission, turn.credential), TEA)
            for admission in (turn.admission, NOBODY)
        )
        assert refusal(hidden) == refusal(missing) == (404, "not_found")
        assert hidden.content == missing.content


def test_without_its_key_session_the_memory_is_unavailable(bob: Desk) -> None:
    turn = bob.turn()
    del bob.agent.headers["X-Key-Session"]
    body = bob.recalled(turn)
    assert (body["status"], body["block"]) == ("unavailable", None)
    assert str(body["note"]).startswith("Workspace memory was not provided because it could not be read.")
    assert "Thursday" not in str(body)


# --- Who, and where ------------------------------------------------------------------------------------------


def everything(
    desk: Desk, client: httpx2.Client, agent: httpx2.Client, turn: HttpTurn
) -> list[httpx2.Response]:
    """Each automation route of the memory, and what belongs to a conversation."""
    weak = Desk(desk.stage, desk.user, client, agent)
    return [
        weak.admit(turn.conversation),
        weak.recall(turn),
        weak.capture(turn, TEA),
        weak.client.post("/conversations"),
        weak.client.get("/conversations"),
        weak.receipts(turn),
        weak.client.get("/memory/proposals"),
    ]


def weaker(rest: Rest, desk: Desk, client: httpx2.Client) -> httpx2.Client:
    """An agent with another token and the desk's key session."""
    session = str(desk.agent.headers["X-Key-Session"])
    return rest.client(str(desk.agent.base_url), {**dict(client.headers), "X-Key-Session": session})


@requirement("document:fence:checks-scope")
def test_a_token_that_only_reads_recalls_and_captures_nothing(rest: Rest, bob: Desk) -> None:
    turn = bob.shown()
    client = rest.by(bob.user, max_level=AccessLevel.READ)
    answered = everything(bob, client, weaker(rest, bob, client), turn)
    assert [each.status_code for each in answered] == [403, 200, 403, 403, 200, 200, 200]
    assert {refusal(each) for each in answered if each.status_code == 403} == {(403, "level_too_low")}
    assert bob.stage.version() == 1
    assert body_of(bob.capture(turn, TEA))["outcome"] == "committed"


@requirement("document:fence:checks-scope")
def test_a_token_of_mcp_alone_captures_nothing(rest: Rest, bob: Desk) -> None:
    turn = bob.shown()
    client = rest.by(bob.user, surface=Surface.MCP)
    answered = everything(bob, client, weaker(rest, bob, client), turn)
    assert {refusal(each) for each in answered} == {(403, "token_for_mcp_only")}


@requirement("document:fence:checks-scope")
def test_a_token_of_another_workspace_captures_nothing(rest: Rest, bob: Desk) -> None:
    turn = bob.shown()
    client = rest.by(rest.live.world.mallory)
    answered = everything(bob, client, weaker(rest, bob, client), turn)
    assert {refusal(each) for each in answered} == {(404, "not_found")}
    assert bob.stage.version() == 1


def test_a_deactivated_member_is_told_so_and_recall_is_no_access(rest: Rest, bob: Desk) -> None:
    world = rest.live.world
    turn = bob.shown()
    change_member(
        world.deps, world.by_hand(world.alice), world.workspace, world.bob, status=MemberStatus.DEACTIVATED
    )
    recall, *others = [
        bob.recall(turn),
        bob.admit(turn.conversation),
        bob.capture(turn, TEA),
        bob.receipts(turn),
        bob.client.post("/conversations"),
    ]
    assert body_of(recall)["status"] == "no_access"
    assert "Thursday" not in recall.text
    assert {refusal(each) for each in others} == {(403, "forbidden")}


# --- Capture -------------------------------------------------------------------------------------------------


@requirement("document:capture:auto-commits-by-its-admissions-key")
@requirement("document:fence:retry-replays-the-receipt")
def test_a_capture_is_committed_once_however_often_it_is_sent(bob: Desk) -> None:
    turn = bob.shown()
    first = bob.capture(turn, TEA)
    assert body_of(first) == {"outcome": "committed", "revision": 2, "proposal_id": None, "reason": None}
    again = bob.capture_body(
        turn, {"changes": [dict(reversed(list(TEA.items())))]}
    )  # the order of its members is no part of a body
    assert (again.status_code, again.content) == (200, first.content)
    assert bob.stage.version() == 2
    assert bob.stage.text() == "# Team\n\n- We ship on Thursday\n- likes tea\n"


@requirement("document:fence:second-capture-refused")
def test_a_second_capture_of_the_turn_is_refused(bob: Desk) -> None:
    turn = bob.shown()
    bob.capture(turn, TEA)
    refused = bob.capture(turn, change("add", "likes coffee"))
    assert refusal(refused) == (422, "idempotency_key_reused")
    said = str(body_of(refused)["detail"])
    assert "This turn has already had its capture. For another one, admit a new turn" in said
    assert "new key" not in said
    assert bob.stage.version() == 2


@requirement("document:fence:checks-idempotency")
def test_a_capture_goes_by_no_other_key(bob: Desk) -> None:
    turn = bob.shown()
    keys = ["", "memory:", f"Memory:{turn.admission}", turn.admission, f"memory:{turn.admission}0", "turn-1"]
    answers = [bob.capture(turn, TEA, **{"Idempotency-Key": key}) for key in keys]
    answers.append(bob.agent.put("/memory", json={"changes": [TEA]}, headers=turn.headers))
    for refused in answers:
        assert (refusal(refused), body_of(refused)["field"]) == ((400, "invalid_request"), "Idempotency-Key")
    assert bob.stage.version() == 1


@requirement("document:fence:checks-the-key-session")
def test_a_capture_without_the_turns_key_session_is_refused(rest: Rest, bob: Desk) -> None:
    turn = bob.shown()
    alice = desk_of(rest, bob.stage, rest.live.world.alice)
    for session, expected in (
        (None, (403, "key_session_required")),
        (write_session_token(new_session_token()), (403, "key_session_required")),
        (str(alice.agent.headers["X-Key-Session"]), (403, "key_session_required")),
        (write_session_token(bob.stage.open_session(bob.user)), (409, "admission_retired")),
    ):
        bob.agent.headers.pop("X-Key-Session", None)
        if session is not None:
            bob.agent.headers["X-Key-Session"] = session
        assert refusal(bob.capture(turn, TEA)) == expected
    assert bob.stage.version() == 1


@requirement("document:capture:read-only-proposes")
def test_in_read_only_a_capture_waits_for_a_person(bob: Desk) -> None:
    bob.set_mode("read_only")
    answered = body_of(bob.capture(bob.shown(), TEA))
    assert (answered["outcome"], answered["reason"], answered["revision"]) == ("proposed", "read_only", None)
    assert bob.stage.version() == 1


@requirement("document:capture:off-does-nothing")
def test_in_off_a_capture_does_nothing(bob: Desk) -> None:
    turn = bob.shown()
    bob.set_mode("off")
    before = counts(bob.stage.world)
    assert body_of(bob.capture(turn, TEA)) == {
        "outcome": "off",
        "revision": None,
        "proposal_id": None,
        "reason": None,
    }
    assert (bob.stage.version(), counts(bob.stage.world)) == (1, before)


BODIES: list[tuple[object, str]] = [
    ({}, "changes"),
    ([], ""),
    ({"changes": "add"}, "changes"),
    ({"changes": {}}, "changes"),
    ({"changes": None}, "changes"),
    ({"changes": []}, "changes"),
    ({"changes": [TEA] * 6}, "changes"),
    ({"changes": ["add likes tea"]}, "changes.0"),
    ({"changes": [{}]}, "changes.0.op"),
    ({"changes": [{**TEA, "op": 1}]}, "changes.0.op"),
    ({"changes": [{**TEA, "op": "append"}]}, "changes.0.op"),
    ({"changes": [{**TEA, "op": "ADD"}]}, "changes.0.op"),
    ({"changes": [{**TEA, "text": None}]}, "changes.0.text"),
    ({"changes": [{**TEA, "text": ["x"]}]}, "changes.0.text"),
    ({"changes": [{**TEA, "text": "a\0b"}]}, "changes.0.text"),
    ({"changes": [{**TEA, "target": "x"}]}, "changes.0.target"),
    ({"changes": [change("remove", text="x", target="y")]}, "changes.0.text"),
    ({"changes": [change("replace", "x", "y", "z")]}, "changes.0.heading"),
    ({"changes": [{"op": "add", "text": "x"}]}, "changes.0.target"),
    ({"changes": [TEA, {**TEA, "path": "notes/x.md"}]}, "changes.1.path"),
    ({"changes": [TEA], "path": ".workspace/memory/memory.md"}, "path"),
    ({"changes": [TEA], "text": "# A whole text\n"}, "text"),
    ({"changes": [TEA], "admission_id": NOBODY}, "admission_id"),
    ({"text": "# A whole text\n"}, "changes"),
]


@requirement("document:authority:target-fixed-by-the-route")
def test_a_malformed_capture_names_its_field_and_writes_nothing(bob: Desk) -> None:
    turn = bob.shown()
    before = counts(bob.stage.world)
    for body, field in BODIES:
        refused = bob.capture_body(turn, body)
        assert refusal(refused) == (400, "invalid_request"), body
        assert body_of(refused)["field"] == field, body
    assert counts(bob.stage.world) == before
    assert body_of(bob.capture(turn, TEA))["outcome"] == "committed"


@requirement("document:authority:target-fixed-by-the-route")
@requirement("document:fence:only-automatic-writer")
def test_one_automation_route_writes_the_memory_document_and_nothing_else(rest: Rest, bob: Desk) -> None:
    document = body_of(rest.nobody().get("/openapi.json"))
    paths = cast("dict[str, Json]", document["paths"])
    writers = [
        f"{method} {path}"
        for path, operations in paths.items()
        for method in operations
        if "/automation/" in path and method not in {"get", "parameters"}
    ]
    prefix = "/api/v1/automation/workspaces/{workspace_id}"
    others = [each for each in writers if "/documents" not in each and "/key-sessions/" not in each]
    assert sorted(others) == [f"post {prefix}/admissions", f"put {prefix}/memory"]
    # Those of notes refuse the namespace (test_namespace_routes.py). A capture touches no note.
    before = counts(bob.stage.world)
    bob.capture(bob.shown(), TEA)
    after = counts(bob.stage.world)
    assert (after["documents"], after["document_versions"]) == (
        before["documents"],
        before["document_versions"] + 1,
    )


def test_no_refusal_repeats_what_was_sent(bob: Desk) -> None:
    turn = bob.shown()
    marker = "Vorsicht-geheim-9000"
    answers = [
        bob.admit(turn.conversation, state=marker),
        bob.admit(marker),
        bob.capture(turn, TEA, **{"Idempotency-Key": marker}),
        bob.capture(turn, TEA, **{"X-Memory-Admission": marker}),
        bob.capture(turn, TEA, **{"X-Delivery-Credential": marker}),
        bob.capture(turn, TEA, **{"X-Key-Session": marker}),
        bob.capture(turn, {**TEA, "op": marker}),
        bob.capture(turn, change("remove", target=marker)),
        bob.capture(turn, change("add", f"{marker}\nsecond line")),
        bob.recall(turn, purpose=marker),
    ]
    assert {each.status_code for each in answers} <= {400, 403, 404}
    assert [each.text for each in answers if marker in each.text] == []


# --- The worked examples of the design, end to end -----------------------------------------------------------

D1 = "# Team\n\n- Release day is Thursday\n- Marta owns Berlin\n\n## Style\n\n- Answer in French\n"
TWO_A = "## A\n\n- x\n\n## A\n\n- y\n"
LEVELS = "# A\n\n- x\n\n## A\n\n- y\n"
FENCE = "# T\n\n```\n## In\n```\n"
WRITTEN: list[tuple[str | None, Json, str]] = [
    (None, change("add", "Release day is Thursday"), "- Release day is Thursday\n"),
    ("", change("add", "Release day is Thursday"), "- Release day is Thursday\n"),
    (D1, change("add", "Use metric units"), D1 + "- Use metric units\n"),
    (
        D1,
        change("add", "Paul owns Lyon", heading="Team"),
        D1.replace("- Marta owns Berlin\n", "- Marta owns Berlin\n- Paul owns Lyon\n"),
    ),
    (D1, change("add", "Be brief", heading="## Style"), D1 + "- Be brief\n"),
    (
        D1,
        change("add", "Wi-Fi is acme-guest", heading="Office"),
        D1 + "\n## Office\n\n- Wi-Fi is acme-guest\n",
    ),
    (
        D1,
        change("add", "marta owns berlin", heading="Team"),
        D1.replace("- Marta owns Berlin\n", "- Marta owns Berlin\n- marta owns berlin\n"),
    ),
    (LEVELS, change("add", "z", heading="# A"), "# A\n\n- x\n- z\n\n## A\n\n- y\n"),
    (LEVELS, change("add", "z", heading="## A"), LEVELS + "- z\n"),
    ("1. One\n2. Two\n", change("add", "Three"), "1. One\n2. Two\n3. Three\n"),
    (
        "We ship on Thursdays.\n",
        change("add", "Marta owns Berlin"),
        "We ship on Thursdays.\n\n- Marta owns Berlin\n",
    ),
    ("# T\r\n\r\n- a\r\n", change("add", "b"), "# T\r\n\r\n- a\r\n- b\r\n"),
    ("- a\n  - old fact\n", change("replace", "new fact", "old fact"), "- a\n  - new fact\n"),
    ("- only\n", change("remove", target="only"), ""),
    ("# T\n\nalpha\n\nbeta\n", change("remove", target="alpha"), "# T\n\nbeta\n"),
    (FENCE, change("add", "z", heading="In"), FENCE + "\n## In\n\n- z\n"),
]
REFUSED: list[tuple[str, list[Json], str, int]] = [
    (TWO_A, [change("add", "z", heading="A")], "ambiguous_heading", 0),
    (D1, [change("replace", "x", "Release day is Monday")], "target_not_found", 0),
    ("- x\n- y\n- x\n", [change("replace", "z", "x")], "ambiguous_target", 0),
    (D1, [change("replace", "Friday", "Thursday")], "target_not_found", 0),
    (D1, [change("replace", "Release day is Thursday", "Marta owns Berlin")], "duplicate_line", 0),
    (D1, [change("replace", "## Marta", "Marta owns Berlin")], "structural_line", 0),
    (D1, [change("remove", target="## Style")], "heading_not_empty", 0),
    (D1, [change("add", "new"), change("remove", target="not there")], "target_not_found", 1),
    (D1, [change("add", "a\nb")], "not_one_line", 0),
    (D1, [change("add", "x" * 501)], "line_too_long", 0),
    (D1, [change("add", "pay \u202eevil")], "not_one_line", 0),
    ("x" * 8_100 + "\n", [change("add", "y" * 100)], "document_too_large", 0),
]


def test_the_worked_examples_are_written(rest: Rest) -> None:
    stage = make_stage(rest.live.world, text=None)
    bob = desk_of(rest, stage, rest.live.world.bob)
    for document, edit, expected in WRITTEN:
        if document is not None:
            bob.save(document)
        answered = bob.capture(bob.shown(), edit)
        assert body_of(answered)["outcome"] == "committed", answered.text
        assert stage.text() == expected, edit


def test_the_worked_examples_are_refused_as_a_whole(rest: Rest) -> None:
    stage = make_stage(rest.live.world)
    bob = desk_of(rest, stage, rest.live.world.bob)
    for document, edits, code, index in REFUSED:
        bob.save(document)
        before = counts(stage.world)["document_versions"]
        refused = bob.capture(bob.shown(), *edits)
        assert refusal(refused) == (400, "edit_refused"), refused.text
        said = body_of(refused)
        assert (said["refusal"], said["index"], bool(said["hint"])) == (code, index, True)
        assert (counts(stage.world)["document_versions"], stage.text()) == (before, document)


def test_what_is_there_already_changes_nothing_and_leaves_the_turn_its_capture(rest: Rest) -> None:
    stage = make_stage(rest.live.world, text=D1)
    bob = desk_of(rest, stage, rest.live.world.bob)
    turn = bob.shown()
    answered = body_of(bob.capture(turn, change("add", "* Marta owns Berlin")))
    assert (answered["outcome"], stage.version()) == ("unchanged", 1)
    assert body_of(bob.capture(turn, TEA))["outcome"] == "committed"


# --- Receipts ------------------------------------------------------------------------------------------------


@requirement("document:receipt:status-and-revision")
@requirement("document:receipt:listed-for-a-conversation")
@requirement("document:receipt:holds-no-text")
def test_the_receipts_say_which_revision_each_call_was_given(bob: Desk) -> None:
    turn = bob.turn(state="saved;version=1")
    bob.agent.get("/memory", params={"purpose": "recall", "model": "m-1"}, headers=turn.headers)
    bob.save("# Team\n\n- CanaryOfMemory\n")
    bob.recalled(turn)
    bob.capture(turn, change("add", "CanaryOfCapture"))
    bob.set_mode("off")
    bob.recalled(turn)
    answered = bob.receipts(turn)
    receipts = listed(answered, "receipts")
    shown = [(each["kind"], each["call"], each["status"], each["revision"]) for each in receipts]
    assert shown == [
        ("recall", 1, "attached", 1),
        ("recall", 2, "attached", 2),
        ("capture", 2, "committed", 3),
        ("recall", 3, "off", 3),
    ]
    assert set(receipts[0]) == {
        *("id", "kind", "admission_id", "turn", "call", "at", "status", "revision", "bytes", "mode"),
        *("policy_revision", "clear_generation", "client_state", "via", "model"),
    }
    assert [receipts[0][name] for name in ("model", "via", "client_state", "mode", "bytes")] == [
        "m-1",
        "automation",
        "saved;version=1",
        "auto",
        len("# Team\n\n- We ship on Thursday\n"),
    ]
    assert "Canary" not in answered.text


def test_receipts_come_in_pages_and_each_opens_its_revision(rest: Rest, bob: Desk) -> None:
    turn = bob.turn()
    for _ in range(5):
        bob.recalled(turn)
    url = receipts_url(bob.agent, turn.conversation)
    first = bob.client.get(url, params={"limit": "3"})
    rest_of = bob.client.get(url, params={"limit": "3", "after": str(body_of(first)["next_after"])})
    assert [each["call"] for each in listed(first, "receipts") + listed(rest_of, "receipts")] == [
        1,
        2,
        3,
        4,
        5,
    ]
    assert body_of(rest_of)["next_after"] is None
    with WorkspaceMemory(rest.live.url, rest.live.token(bob.user)) as memory:
        document = MemoryDocument(memory, {1: bob.stage.key}, bob.user)
        [receipt, *_] = memory.memory_receipts(turn.conversation)
        assert document.version(receipt.revision or 0).text == "# Team\n\n- We ship on Thursday\n"
    for params, field in (
        ({"after": "x"}, "after"),
        ({"limit": "0"}, "limit"),
        ({"before": NOBODY}, "before"),
    ):
        refused = bob.client.get(url, params=params)
        assert (refusal(refused), body_of(refused)["field"]) == ((400, "invalid_request"), field)


# --- Proposals -----------------------------------------------------------------------------------------------


@requirement("document:capture:conflict-becomes-a-proposal")
@requirement("document:capture:conflict-keeps-the-newer-text")
@requirement("document:capture:conflict-is-never-rebased")
def test_on_a_conflict_the_edits_wait_against_the_newer_text(rest: Rest, bob: Desk) -> None:
    turn = bob.shown()
    bob.save("# Team\n\n- newer\n")
    answered = body_of(bob.capture(turn, TEA))
    assert (answered["outcome"], answered["reason"]) == ("proposed", "version_conflict")
    assert (bob.stage.version(), bob.stage.text()) == (2, "# Team\n\n- newer\n")
    with WorkspaceMemory(rest.live.url, rest.live.token(bob.user)) as memory:
        document = MemoryDocument(memory, {1: bob.stage.key}, bob.user)
        proposal = memory.get_proposal(str(answered["proposal_id"]))
        assert (proposal.base_version, [edit.text for edit in document.proposed(proposal)]) == (
            2,
            ["likes tea"],
        )
        applied = document.apply(proposal, document.read())
        assert applied is not None
        assert (applied.version, document.read().text) == (3, "# Team\n\n- newer\n- likes tea\n")


@requirement("document:proposal:carries-its-generation")
@requirement("document:clear:refuses-older-proposals")
def test_a_proposal_from_before_a_clear_cannot_be_applied_after_it(bob: Desk) -> None:
    bob.clear()
    bob.set_mode("read_only")
    made = body_of(bob.capture(bob.shown(), TEA))
    place = f"/memory/proposals/{made['proposal_id']}"
    proposal = body_of(bob.client.get(place))
    assert (proposal["clear_generation"], proposal["state"]) == (1, "open")
    bob.clear()
    assert body_of(bob.client.get(place))["state"] == "retired"
    sealed = sealed_json(bob.stage.sealed(bob.user, "- likes tea\n", base=Version(3)))
    refused = bob.client.post(f"{place}/apply", json=sealed, headers={"X-Base-Version": "3"})
    assert (refusal(refused), body_of(refused)["proposal_state"]) == ((409, "proposal_settled"), "retired")
    assert refusal(bob.client.post(f"{place}/share")) == (409, "proposal_settled")
    assert (bob.stage.version(), bob.stage.text()) == (3, "")


@requirement("field:case-02:document")
def test_a_proposal_is_its_owners_until_it_is_shared(rest: Rest, bob: Desk, carol: Desk) -> None:
    made = body_of(carol.capture(carol.shown(), TEA))
    assert (made["outcome"], made["reason"]) == ("proposed", "viewer")
    place, missing = f"/memory/proposals/{made['proposal_id']}", f"/memory/proposals/{NOBODY}"
    alice = desk_of(rest, bob.stage, rest.live.world.alice)
    sealed = sealed_json(bob.stage.sealed(bob.user, "x", base=Version(1)))
    base = {"X-Base-Version": "1"}
    for desk in (bob, alice):
        for hidden, random in (
            (desk.client.get(place), desk.client.get(missing)),
            (desk.client.post(f"{place}/dismiss"), desk.client.post(f"{missing}/dismiss")),
            (desk.client.post(f"{place}/share"), desk.client.post(f"{missing}/share")),
            (
                desk.client.post(f"{place}/apply", json=sealed, headers=base),
                desk.client.post(f"{missing}/apply", json=sealed, headers=base),
            ),
        ):
            assert refusal(hidden) == (404, "not_found")
            assert hidden.content == random.content
        assert listed(desk.client.get("/memory/proposals"), "proposals") == []
    assert carol.client.post(f"{place}/share").status_code == 204
    assert body_of(bob.client.get(place))["shared"] is True
    assert refusal(bob.client.post(f"{place}/share")) == (403, "forbidden")
    refused = carol.client.post(f"{place}/apply", json=sealed, headers=base)
    assert refusal(refused) == (403, "forbidden")
    assert bob.client.post(f"{place}/apply", json=sealed, headers=base).status_code == 200
    again = bob.client.post(f"{place}/apply", json=sealed, headers={"X-Base-Version": "2"})
    assert (refusal(again), body_of(again)["proposal_state"]) == ((409, "proposal_settled"), "applied")


def test_a_token_that_only_reads_settles_and_shares_no_proposal(rest: Rest, bob: Desk) -> None:
    bob.set_mode("read_only")
    made = body_of(bob.capture(bob.shown(), TEA))
    place = f"/memory/proposals/{made['proposal_id']}"
    weak = rest.by(bob.user, max_level=AccessLevel.READ)
    sealed = sealed_json(bob.stage.sealed(bob.user, "x", base=Version(1)))
    assert weak.get(place).status_code == 200
    for refused in (
        weak.post(f"{place}/dismiss"),
        weak.post(f"{place}/share"),
        weak.post(f"{place}/apply", json=sealed, headers={"X-Base-Version": "1"}),
    ):
        assert refusal(refused) == (403, "level_too_low")
    proposal = body_of(bob.client.get(place))
    assert (proposal["state"], proposal["shared"]) == ("open", False)


# --- Key sessions --------------------------------------------------------------------------------------------


@requirement("document:fence:revocation-before-retires")
def test_a_key_session_that_was_revoked_over_http_recalls_and_captures_nothing(bob: Desk) -> None:
    turn = bob.shown()
    url = str(bob.agent.base_url).partition("/automation/")[0]
    revoked = bob.client.delete(f"{url}/automation/key-sessions/{bob.stage.sessions[bob.user]}")
    assert revoked.status_code == 204
    assert bob.recalled(turn)["status"] == "unavailable"
    assert refusal(bob.capture(turn, TEA)) == (403, "key_session_required")
    assert bob.stage.version() == 1


def test_the_block_has_the_revision_and_one_code(bob: Desk) -> None:
    block = str(bob.recalled(bob.turn())["block"])
    codes = re.findall(r"[0-9a-f]{16}", block)
    assert len(codes) == 3
    assert len(set(codes)) == 1
    assert block.startswith("Saved workspace memory, revision 1. ")


@pytest.mark.parametrize("mode", [Mode.AUTO, Mode.READ_ONLY])
def test_memory_is_given_in_auto_and_in_read_only(bob: Desk, mode: Mode) -> None:
    bob.set_mode(mode.value)
    assert bob.recalled(bob.turn())["status"] == "attached"
