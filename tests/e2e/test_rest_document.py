"""The memory document over real HTTP: reading, Save, Clear, Undo, deleting, history, policy and consent."""

from collections.abc import Callable
from contextlib import suppress

import httpx2
import pytest
from tests.contract.memory_rows import counts
from tests.contract.memory_stage import Stage, make_stage
from tests.contract.together import at_once
from tests.e2e.document_calls import Desk, change, desk_of, sealed_json
from tests.e2e.key_calls import b64
from tests.e2e.rest_calls import NOBODY, Json, Rest, body_of, listed, refusal

from workspace_memory.client import WorkspaceMemory
from workspace_memory.client.memory_document import MemoryDocument
from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.document import MEMORY_PATH, TEXT_BYTES_MAX
from workspace_memory.domain.ids import Version
from workspace_memory.domain.policy import Mode
from workspace_memory.services.key_sessions import list_key_sessions
from workspace_memory.services.members import change_member

requirement = pytest.mark.requirement
TEXT = "# Team\r\n\r\n- Märta owns Berlin 🫖  \r\n```\n<b>&amp;</b>\n```\n\n"


@pytest.fixture
def stage(rest: Rest) -> Stage:
    return make_stage(rest.live.world)


@pytest.fixture
def bob(rest: Rest, stage: Stage) -> Desk:
    return desk_of(rest, stage, rest.live.world.bob)


@pytest.fixture
def carol(rest: Rest, stage: Stage) -> Desk:
    return desk_of(rest, stage, rest.live.world.carol)


def state(desk: Desk) -> tuple[bytes, bytes]:
    """The document and the policy, as they are answered."""
    return desk.client.get("/memory/document").content, desk.client.get("/memory/policy").content


# --- Reading and writing -------------------------------------------------------------------------------------


@requirement("document:text:path")
@requirement("document:text:media-type")
def test_the_document_stands_at_its_path_as_markdown(bob: Desk) -> None:
    document = body_of(bob.client.get("/memory/document"))
    assert (document["path"], document["media_type"]) == (".workspace/memory/memory.md", "text/markdown")
    bob.save("é")
    newest = body_of(bob.client.get("/memory/document"))["newest"]
    assert isinstance(newest, dict)
    assert (newest["path"], newest["bytes"]) == (MEMORY_PATH, 2)  # UTF-8


@requirement("document:text:plain-markdown")
@requirement("document:save:one-direct-request")
def test_a_client_saves_clears_and_undoes_in_one_request_each(rest: Rest, stage: Stage) -> None:
    world = rest.live.world
    with WorkspaceMemory(rest.live.url, rest.live.token(world.bob)) as memory:
        document = MemoryDocument(memory, {1: stage.key}, world.bob)
        acknowledged = [document.save(TEXT, document.read()).version]
        assert document.read().text == stage.text() == TEXT
        acknowledged.append(document.clear(document.read()).version)
        assert document.read().text == ""
        acknowledged.append(document.undo(2, document.read()).version)
        assert document.read().text == TEXT
        kinds = [(each.version, each.kind.value) for each in memory.document_versions()]
    assert acknowledged == [2, 3, 4]
    assert kinds == [(4, "undo"), (3, "clear"), (2, "save"), (1, "save")]


@requirement("document:save:one-direct-request")
@requirement("document:save:acknowledged-version-is-exact")
@requirement("document:clear:writes-an-empty-revision")
def test_each_write_is_one_put_and_its_answer_is_what_the_server_holds(bob: Desk) -> None:
    writes: list[tuple[Callable[[], httpx2.Response], Json]] = [
        (lambda: bob.save("second"), {"version": 2, "clear_generation": 0}),
        (bob.clear, {"version": 3, "clear_generation": 1}),
        (lambda: bob.undo(2), {"version": 4, "clear_generation": 1}),
        (lambda: bob.delete(4), {"version": 5, "clear_generation": 2}),
    ]
    for send, expected in writes:
        write = send()
        assert (write.status_code, body_of(write)) == (200, expected)
        held = body_of(bob.client.get("/memory/document"))
        assert {name: held[name] for name in expected} == expected
    cleared = body_of(bob.client.get("/memory/document/versions/3"))
    assert (cleared["kind"], cleared["bytes"], cleared["clear_generation"]) == ("clear", 0, 1)


@requirement("document:clear:writes-an-empty-revision")
def test_a_clear_with_a_text_is_refused_and_moves_nothing(bob: Desk) -> None:
    before = state(bob)
    refused = bob.clear(text="not empty")
    assert (refusal(refused), body_of(refused)["field"]) == ((400, "invalid_request"), "X-Memory-Clear")
    assert state(bob) == before


def test_an_empty_save_without_the_mark_is_no_clear(bob: Desk) -> None:
    assert body_of(bob.save("")) == {"version": 2, "clear_generation": 0}


@requirement("document:save:failure-changes-nothing")
def test_a_write_that_is_offline_unauthenticated_forbidden_or_late_changes_nothing(
    rest: Rest, bob: Desk, carol: Desk
) -> None:
    bob.save("newer")
    before = (state(bob), counts(rest.live.world))
    sealed = sealed_json(bob.stage.sealed(bob.user, "lost", base=Version(2)))
    base = {"X-Base-Version": "2"}
    strangers = rest.client(rest.live.api_url)
    wrong = rest.client(rest.live.api_url, {"Authorization": f"Bearer wm_pat_{'x' * 43}"})
    assert [
        refusal(each.put("/memory/document", json=sealed, headers=base)) for each in (strangers, wrong)
    ] == [(401, "not_authenticated")] * 2
    with suppress(httpx2.ConnectError):
        rest.client("http://127.0.0.1:9").put("/memory/document", json=sealed, headers=base)
        pytest.fail("somebody listens on the discard port")
    assert refusal(carol.save("mine")) == (403, "forbidden")
    for late in (bob.save("late", base=1), bob.clear(base=1), bob.undo(1, base=1), bob.delete(1)):
        assert refusal(late) == (409, "version_conflict")
        assert body_of(late)["current"] == 2
    assert (state(bob), counts(rest.live.world)) == before


@requirement("document:undo:a-new-revision")
@requirement("document:undo:never-overwrites-newer-text")
def test_an_undo_conflicts_with_what_was_written_meanwhile(bob: Desk) -> None:
    bob.save("second")
    assert bob.undo(1).status_code == 200
    bob.save("newer")
    assert refusal(bob.undo(2, base=3)) == (409, "version_conflict")
    assert bob.stage.text() == "newer"


@requirement("document:clear:older-draft-conflicts")
def test_a_draft_of_before_a_clear_conflicts_over_http(bob: Desk) -> None:
    bob.clear()
    assert refusal(bob.save("the draft", base=1)) == (409, "version_conflict")
    assert bob.stage.text() == ""


def test_a_conflict_with_a_deletion_says_so(bob: Desk) -> None:
    bob.delete(1)
    late = bob.save("x", base=1)
    assert (body_of(late)["current"], body_of(late)["live"]) == (2, False)
    again = bob.delete(2)
    assert refusal(again) == (404, "not_found")


@requirement("document:history:versions-are-kept")
def test_the_history_is_listed_without_texts_and_read_one_by_one(bob: Desk, carol: Desk) -> None:
    for number in range(2, 6):
        bob.save(f"text {number}")
    page = body_of(carol.client.get("/memory/document/versions", params={"limit": "2"}))
    versions = listed(carol.client.get("/memory/document/versions", params={"limit": "2"}), "versions")
    assert ([each["version"] for each in versions], page["next_before"]) == ([5, 4], 4)
    assert {each["ciphertext"] for each in versions} == {None}
    one = body_of(carol.client.get("/memory/document/versions/2"))
    assert (one["version"], one["author_id"], one["bytes"]) == (2, bob.user, len("text 2"))
    assert one["ciphertext"]


# --- Who, and where ------------------------------------------------------------------------------------------

READS = ("/memory/document", "/memory/document/versions", "/memory/document/versions/1", "/memory/policy")


def everything(client: httpx2.Client, desk: Desk) -> list[httpx2.Response]:
    """Each write of the document, the policy and the consent."""
    sealed = sealed_json(desk.stage.sealed(desk.user, "x", base=Version(1)))
    base = {"X-Base-Version": "1"}
    return [
        client.put("/memory/document", json=sealed, headers=base),
        client.put(
            "/memory/document",
            json=sealed_json(desk.stage.sealed(desk.user, "", base=Version(1))),
            headers={**base, "X-Memory-Clear": "1"},
        ),
        client.delete("/memory/document", headers=base),
        client.put("/ai-consent", json={"enabled": False, "expected_revision": 1}),
        client.put("/ai-consent/skills-trust", json={"trusted": True}),
    ]


def test_a_viewer_reads_everything_and_writes_nothing(bob: Desk, carol: Desk) -> None:
    before = state(bob)
    assert [carol.client.get(path).status_code for path in READS] == [200] * 4
    assert [refusal(each) for each in everything(carol.client, carol)] == [(403, "forbidden")] * 5
    assert state(bob) == before


def test_a_token_that_only_reads_reads(rest: Rest, bob: Desk) -> None:
    before = state(bob)
    weak = rest.by(rest.live.world.alice, max_level=AccessLevel.READ)
    assert [weak.get(path).status_code for path in READS] == [200] * 4
    writes = [
        *everything(weak, bob),
        weak.put("/memory/policy", json={"mode": "off", "expected_revision": 1}),
        weak.post("/conversations"),
    ]
    assert {refusal(each) for each in writes} == {(403, "level_too_low")}
    assert state(bob) == before


def test_a_token_of_mcp_alone_reaches_nothing_of_it(rest: Rest, bob: Desk) -> None:
    client = rest.by(rest.live.world.bob, surface=Surface.MCP)
    asked = [*(client.get(path) for path in READS), *everything(client, bob)]
    assert {refusal(each) for each in asked} == {(403, "token_for_mcp_only")}


def test_a_deactivated_member_reaches_nothing_of_it(rest: Rest, bob: Desk) -> None:
    world = rest.live.world
    change_member(
        world.deps, world.by_hand(world.alice), world.workspace, world.bob, status=MemberStatus.DEACTIVATED
    )
    alice = desk_of(rest, bob.stage, world.alice)
    asked = [*(bob.client.get(path) for path in READS), *everything(bob.client, alice)]
    assert {refusal(each) for each in asked} == {(403, "forbidden")}


def test_another_workspace_answers_as_if_there_were_none(rest: Rest, bob: Desk) -> None:
    mallory = rest.by(rest.live.world.mallory)
    nowhere = rest.client(f"{rest.live.url}/api/v1/workspaces/{NOBODY}", dict(mallory.headers))
    asked = [[each.get(path) for path in READS] + everything(each, bob) for each in (mallory, nowhere)]
    assert [each.content for each in asked[0]] == [each.content for each in asked[1]]
    assert {refusal(each) for each in asked[0]} == {(404, "not_found")}


# --- Policy and consent --------------------------------------------------------------------------------------


@requirement("document:policy:one-row-of-three-facts")
@requirement("document:policy:default-without-a-row")
def test_the_policy_is_three_facts_with_a_default(rest: Rest) -> None:
    answered = rest.by(rest.live.world.carol).get("/memory/policy")
    assert body_of(answered) == {"mode": "read_only", "policy_revision": 0, "clear_generation": 0}


@requirement("document:policy:compare-and-set")
@requirement("document:policy:ordinary-access-is-enough")
def test_any_member_sets_the_mode_against_the_revision_that_was_read(bob: Desk, carol: Desk) -> None:
    set_by_carol = carol.set_mode("off", expected=1)
    assert set_by_carol.status_code == 200
    assert body_of(set_by_carol) == {"mode": "off", "policy_revision": 2, "clear_generation": 0}
    assert body_of(bob.client.get("/memory/policy")) == body_of(set_by_carol)


@requirement("document:policy:stale-revision-is-409")
def test_another_revision_is_a_conflict_that_carries_the_policy(bob: Desk) -> None:
    for expected in (0, 2, 999):
        refused = bob.set_mode("off", expected=expected)
        assert refusal(refused) == (409, "policy_conflict")
        said = body_of(refused)
        assert (said["mode"], said["policy_revision"], said["clear_generation"]) == ("auto", 1, 0)
    assert body_of(bob.client.get("/memory/policy"))["mode"] == "auto"


def test_the_mode_that_is_set_already_changes_nothing(bob: Desk) -> None:
    before = state(bob)
    turn = bob.shown()
    assert body_of(bob.set_mode("auto"))["policy_revision"] == 1
    assert refusal(bob.set_mode("auto", expected=0)) == (409, "policy_conflict")
    assert state(bob) == before
    assert body_of(bob.capture(turn, change("add", "likes tea")))["outcome"] == "committed"


@requirement("document:policy:never-enables-ai")
@requirement("document:policy:never-opens-a-key-session")
@requirement("document:policy:never-trusts-skills")
@requirement("document:skills:trust-is-independent-of-mode")
def test_a_mode_turns_nothing_else_on_or_off(rest: Rest) -> None:
    world = rest.live.world
    alice = rest.by(world.alice)
    for revision, mode in enumerate(("auto", "off", "read_only", "auto")):
        if revision == 2:
            alice.put("/ai-consent/skills-trust", json={"trusted": True})
        alice.put("/memory/policy", json={"mode": mode, "expected_revision": revision})
        consent = body_of(alice.get("/ai-consent"))
        assert consent == {"enabled": False, "consent_revision": 0, "skills_trusted": revision >= 2}
        assert body_of(alice.get("/memory/policy"))["mode"] == mode
        assert list_key_sessions(world.deps, world.by_hand(world.alice), world.workspace) == []


@requirement("document:policy:people-edit-in-every-mode")
@pytest.mark.parametrize("mode", Mode)
def test_people_edit_in_every_mode(bob: Desk, mode: Mode) -> None:
    bob.set_mode(mode.value)
    writes = [bob.save("second"), bob.clear(), bob.undo(2), bob.delete(4), bob.save("back", base=5)]
    assert [each.status_code for each in writes] == [200] * 5
    assert bob.stage.text() == "back"


@requirement("field:case-26")
def test_of_two_mode_changes_at_once_one_wins(rest: Rest, stage: Stage) -> None:
    world = rest.live.world
    desks = [desk_of(rest, stage, user) for user in (world.alice, world.bob)]
    for _ in range(10):
        before = stage.policy()
        others = [mode for mode in Mode if mode is not before.mode]
        answered = at_once(
            *[
                lambda desk=desk, mode=mode: desk.set_mode(mode.value, expected=before.revision)  # noqa: B023
                for desk, mode in zip(desks, others, strict=True)
            ]
        )
        statuses = [each.status_code for each in answered if isinstance(each, httpx2.Response)]
        assert sorted(statuses) == [200, 409]
        after = stage.policy()
        assert (after.revision, after.mode) == (before.revision + 1, others[statuses.index(200)])


def test_consent_is_compared_and_set_by_admins(rest: Rest, stage: Stage) -> None:
    alice = rest.by(rest.live.world.alice)
    stale = alice.put("/ai-consent", json={"enabled": False, "expected_revision": 0})
    assert refusal(stale) == (409, "consent_conflict")
    assert (body_of(stale)["enabled"], body_of(stale)["current"]) == (True, 1)
    set_off = alice.put("/ai-consent", json={"enabled": False, "expected_revision": 1})
    assert body_of(set_off) == {"enabled": False, "consent_revision": 2, "skills_trusted": False}
    assert stage.policy().revision == 1


# --- Malformed input -----------------------------------------------------------------------------------------

GOOD = {"epoch": 1, "ciphertext": b64(bytes(30))}
BODIES: list[tuple[object, str]] = [
    ({}, "epoch"),
    ([], ""),
    ("text", ""),
    ({"epoch": 1}, "ciphertext"),
    ({"ciphertext": b64(bytes(30))}, "epoch"),
    ({**GOOD, "text": "plain"}, "text"),
    ({**GOOD, "version": 2}, "version"),
    ({**GOOD, "epoch": 0}, "epoch"),
    ({**GOOD, "epoch": -1}, "epoch"),
    ({**GOOD, "epoch": "1"}, "epoch"),
    ({**GOOD, "epoch": 1.5}, "epoch"),
    ({**GOOD, "epoch": True}, "epoch"),
    ({**GOOD, "epoch": 2**31}, "epoch"),
    ({**GOOD, "epoch": None}, "epoch"),
    ({**GOOD, "ciphertext": None}, "ciphertext"),
    ({**GOOD, "ciphertext": 7}, "ciphertext"),
    ({**GOOD, "ciphertext": ["AAAA"]}, "ciphertext"),
    ({**GOOD, "ciphertext": ""}, "ciphertext"),
    ({**GOOD, "ciphertext": "A"}, "ciphertext"),
    ({**GOOD, "ciphertext": b64(bytes(30)) + "="}, "ciphertext"),
    ({**GOOD, "ciphertext": " " + b64(bytes(30))}, "ciphertext"),
    ({**GOOD, "ciphertext": "+/" + b64(bytes(30))}, "ciphertext"),
    ({**GOOD, "ciphertext": b64(bytes(31))[:-1] + "B"}, "ciphertext"),
    ({**GOOD, "ciphertext": "é" * 40}, "ciphertext"),
    ({**GOOD, "ciphertext": b64(bytes(27))}, "ciphertext"),
    ({**GOOD, "ciphertext": b64(bytes(28 + TEXT_BYTES_MAX + 1))}, "ciphertext"),
]
HEADERS: list[tuple[dict[str, str], str]] = [
    ({}, "X-Base-Version"),
    *(
        ({"X-Base-Version": value}, "X-Base-Version")
        for value in ("", "-1", "+1", "1.0", "1_0", "1.5", "one", "2147483647", "9" * 30, "0x1", "1,1")
    ),
    *(
        ({"X-Base-Version": "1", "X-Memory-Clear": value}, "X-Memory-Clear")
        for value in ("", "0", "true", "01", "1,1")
    ),
    *(
        ({"X-Base-Version": "1", "X-Memory-Kind": value}, "X-Memory-Kind")
        for value in ("", "clear", "capture", "UNDO")
    ),
    ({"X-Base-Version": "1", "X-Memory-Clear": "1", "X-Memory-Kind": "undo"}, "X-Memory-Kind"),
]


def test_malformed_bodies_name_their_field_and_write_nothing(bob: Desk) -> None:
    before = (state(bob), counts(bob.stage.world))
    for body, field in BODIES:
        refused = bob.put(body, **{"X-Base-Version": "1"})
        assert refusal(refused) == (400, "invalid_request"), body
        assert body_of(refused)["field"] == field, body
        applied = bob.client.post(
            f"/memory/proposals/{NOBODY}/apply", json=body, headers={"X-Base-Version": "1"}
        )
        assert refusal(applied) == (400, "invalid_request"), body
    assert (state(bob), counts(bob.stage.world)) == before


def test_malformed_headers_name_their_field_and_write_nothing(bob: Desk) -> None:
    before = state(bob)
    empty = sealed_json(bob.stage.sealed(bob.user, "", base=Version(1)))
    for headers, field in HEADERS:
        refused = bob.put(empty, **headers)
        assert refusal(refused) == (400, "invalid_request"), headers
        assert body_of(refused)["field"] == field, headers
    for values in (["1", "1"], ["1", "2"]):
        twice = [("X-Base-Version", value) for value in values]
        refused = bob.client.put("/memory/document", json=empty, headers=twice)
        assert (refusal(refused), body_of(refused)["field"]) == ((400, "invalid_request"), "X-Base-Version")
    assert state(bob) == before


def test_a_text_of_192_kib_is_kept_and_the_limit_is_named_for_more(bob: Desk) -> None:
    assert bob.save("x" * TEXT_BYTES_MAX).status_code == 200
    refused = bob.save("x" * (TEXT_BYTES_MAX + 1))
    assert (refusal(refused), "196,608" in refused.text) == ((400, "invalid_request"), True)
    assert len(bob.stage.text() or "") == TEXT_BYTES_MAX


def test_another_epoch_is_a_conflict_that_names_the_newest(bob: Desk) -> None:
    sealed = bob.stage.sealed(bob.user, "x", base=Version(1))
    refused = bob.put({**sealed_json(sealed), "epoch": 2}, **{"X-Base-Version": "1"})
    assert (refusal(refused), body_of(refused)["current"]) == ((409, "epoch_conflict"), 1)


def test_a_version_that_is_no_number_is_refused_and_a_missing_one_not_found(bob: Desk) -> None:
    for version in ("0", "-1", "x", "2147483647", "1.0", "+1", "%2e"):
        refused = bob.client.get(f"/memory/document/versions/{version}")
        assert refusal(refused) == (400, "invalid_request"), version
    assert refusal(bob.client.get("/memory/document/versions/2")) == (404, "not_found")


QUERIES = [
    ("/memory/document", {"text": "1"}, "text"),
    ("/memory/document/versions", {"before": "0"}, "before"),
    ("/memory/document/versions", {"before": "x"}, "before"),
    ("/memory/document/versions", {"limit": "0"}, "limit"),
    ("/memory/document/versions", {"limit": "201"}, "limit"),
    ("/memory/document/versions", {"cursor": "1"}, "cursor"),
    ("/memory/policy", {"x": "1"}, "x"),
    ("/memory/proposals", {"state": "retired"}, "state"),
    ("/memory/proposals", {"before": "x"}, "before"),
    ("/memory/proposals", {"limit": "many"}, "limit"),
    ("/conversations", {"before": "x"}, "before"),
    ("/conversations", {"limit": "-1"}, "limit"),
]


def test_malformed_queries_name_their_field(bob: Desk) -> None:
    for path, params, field in QUERIES:
        refused = bob.client.get(path, params=params)
        assert refusal(refused) == (400, "invalid_request"), (path, params)
        assert body_of(refused)["field"] == field, (path, params)


POLICIES: list[tuple[str, object, str]] = [
    ("/memory/policy", {}, "mode"),
    ("/memory/policy", {"mode": "auto"}, "expected_revision"),
    ("/memory/policy", {"mode": "AUTO", "expected_revision": 1}, "mode"),
    ("/memory/policy", {"mode": "write", "expected_revision": 1}, "mode"),
    ("/memory/policy", {"mode": None, "expected_revision": 1}, "mode"),
    ("/memory/policy", {"mode": "off", "expected_revision": "1"}, "expected_revision"),
    ("/memory/policy", {"mode": "off", "expected_revision": -1}, "expected_revision"),
    ("/memory/policy", {"mode": "off", "expected_revision": 2**31}, "expected_revision"),
    ("/memory/policy", {"mode": "off", "expected_revision": 1.5}, "expected_revision"),
    ("/memory/policy", {"mode": "off", "expected_revision": True}, "expected_revision"),
    ("/memory/policy", {"mode": "off", "expected_revision": 1, "clear_generation": 9}, "clear_generation"),
    ("/memory/policy", {"mode": "off", "expectedRevision": 1}, "expected_revision"),
    ("/ai-consent", {"enabled": "yes", "expected_revision": 1}, "enabled"),
    ("/ai-consent", {"enabled": 1, "expected_revision": 1}, "enabled"),
    ("/ai-consent", {"enabled": True}, "expected_revision"),
    ("/ai-consent", {"enabled": True, "expected_revision": 1, "skills_trusted": True}, "skills_trusted"),
    ("/ai-consent/skills-trust", {}, "trusted"),
    ("/ai-consent/skills-trust", {"trusted": "true"}, "trusted"),
    ("/ai-consent/skills-trust", {"trusted": True, "mode": "auto"}, "mode"),
]


def test_malformed_decisions_name_their_field_and_change_nothing(rest: Rest, bob: Desk) -> None:
    alice = rest.by(rest.live.world.alice)
    before = (state(bob), alice.get("/ai-consent").content)
    for path, body, field in POLICIES:
        refused = alice.put(path, json=body)
        assert refusal(refused) == (400, "invalid_request"), body
        assert body_of(refused)["field"] == field, body
    assert (state(bob), alice.get("/ai-consent").content) == before


def test_no_refusal_repeats_what_was_sent(bob: Desk) -> None:
    marker = "Vorsicht-geheim-9000"
    answers = [
        bob.put({**GOOD, "ciphertext": marker}, **{"X-Base-Version": "1"}),
        bob.put({**GOOD, f"key {marker}": 1}, **{"X-Base-Version": "1"}),
        bob.put(GOOD, **{"X-Base-Version": marker}),
        bob.put(GOOD, **{"X-Base-Version": "1", "X-Memory-Clear": marker}),
        bob.put(GOOD, **{"X-Base-Version": "1", "X-Memory-Kind": marker}),
        bob.client.get(f"/memory/document/versions/{marker}"),
        bob.client.get(f"/memory/proposals/{marker}"),
        bob.client.put("/memory/policy", json={"mode": marker, "expected_revision": 1}),
    ]
    assert {each.status_code for each in answers} <= {400, 404}
    assert [each.text for each in answers if marker in each.text] == []
