"""What the tables say afterwards: whether each committed capture had its authority at its place in the commit order.

The audit log is numbered and chained under the workspace lock, so that its order is the order of the commits. Written
anew from the contract's predicate: nothing here asks `domain/fence.py` or its SQL.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import select
from tests.contract.memory_stage import Stage
from tests.simulation.worker import Ack

from workspace_memory.domain.audit import AuditAction, AuditEvent, Verified
from workspace_memory.domain.document import NO_PREVIOUS
from workspace_memory.domain.ids import Version
from workspace_memory.services.audit import verify_audit
from workspace_memory.storage.document_tables import (
    admissions,
    document_versions,
    documents,
    memory_commit_fence,
    memory_policies,
    memory_receipts,
    proposals,
)
from workspace_memory.storage.key_tables import key_session_revocations, workspace_key_epochs

Row = Mapping[str, Any]


class Tables:
    """The rows of the workspace at one moment."""

    def __init__(self, stage: Stage) -> None:
        with stage.world.deps.database.read() as tx:

            def rows(table: Any) -> list[Row]:
                here = table.c.workspace_id == stage.world.workspace
                return [dict(row) for row in tx.connection.execute(select(table).where(here)).mappings()]

            self.epochs = {row["epoch"] for row in rows(workspace_key_epochs)}
            self.versions = sorted(rows(document_versions), key=lambda row: row["version"])
            self.heads = rows(documents)
            self.admissions = {row["id"]: row for row in rows(admissions)}
            self.fence = {row["admission_id"]: row for row in rows(memory_commit_fence)}
            self.policy = rows(memory_policies)[0]
            self.receipts = rows(memory_receipts)
            self.proposals = {row["id"] for row in rows(proposals)}
            self.revoked = {row["key_session_id"] for row in rows(key_session_revocations)}
            self.events: Sequence[AuditEvent] = tx.audit.following(
                stage.world.workspace, after=None, limit=10**6
            )


def check_everything(stage: Stage, acknowledged: Iterable[Ack]) -> int:
    """Raise AssertionError for whatever is torn, lost or without authority; the number of committed captures."""
    tables = Tables(stage)
    alice = stage.actor(stage.world.alice)
    assert isinstance(verify_audit(stage.world.deps, alice, stage.world.workspace), Verified)
    check_the_chain(tables)
    check_the_captures(tables)
    check_the_order(tables)
    for ack in acknowledged:
        check_acknowledged(stage, tables, ack)
    return len(tables.fence)


def check_the_chain(tables: Tables) -> None:
    previous = NO_PREVIOUS
    for number, row in enumerate(tables.versions, start=1):
        assert row["version"] == number, "a version is missing"
        assert bytes(row["previous_sha256"]) == previous, (
            f"version {number} does not follow from the one before"
        )
        if row["sealed"] is None:
            previous = NO_PREVIOUS
        else:
            previous = hashlib.sha256(bytes(row["sealed"])).digest()
            assert bytes(row["sha256"]) == previous
    for head in tables.heads:
        assert head["version"] == len(tables.versions), "the head is not the newest version"
        assert head["live"] == (tables.versions[-1]["sealed"] is not None)
    generations = [row["clear_generation"] for row in tables.versions]
    assert generations == sorted(generations), "a generation went back"
    retiring = sum(row["kind"] in {"clear", "delete"} for row in tables.versions)
    assert tables.policy["clear_generation"] == retiring, (
        "a Clear without its generation, or the other way round"
    )


def check_the_captures(tables: Tables) -> None:
    """All or nothing: fence row, version, admission, receipt and audit event belong together."""
    written = {row["version"] for row in tables.versions if row["kind"] == "capture"}
    assert {row["version"] for row in tables.fence.values()} == written
    assert len(tables.fence) == len(written)
    assert {name for name, row in tables.admissions.items() if row["state"] == "committed"} == set(
        tables.fence
    )
    receipts = {row["admission_id"]: row for row in tables.receipts if row["kind"] == "capture"}
    assert set(receipts) == set(tables.fence)
    events = [event for event in tables.events if event.action is AuditAction.CAPTURE_COMMITTED]
    assert sorted(str(event.facts["admission"]) for event in events) == sorted(tables.fence)


def check_the_order(tables: Tables) -> None:
    """Walk the commits in their order, and at each capture ask whether the predicate was true there."""
    mode, policy_revision, generation, ai, consent, epoch = "read_only", 0, 0, False, 0, 1
    revoked: set[str] = set()
    for event in tables.events:
        facts = event.facts
        match event.action:
            case AuditAction.MEMORY_POLICY_CHANGED:
                mode, policy_revision = str(facts["mode_to"]), int(facts["policy_revision"])
            case AuditAction.MEMORY_CLEARED | AuditAction.DOCUMENT_DELETED:
                generation = int(facts["clear_generation"])
            case AuditAction.AI_CONSENT_CHANGED:
                ai, consent = bool(facts["enabled"]), int(facts["consent_revision"])
            case AuditAction.KEY_SESSION_REVOKED:
                revoked.add(str(facts["key_session"]))
            case AuditAction.KEY_EPOCH_BEGUN:
                epoch = int(facts["epoch"])
            case AuditAction.CAPTURE_COMMITTED:
                admission = tables.admissions[str(facts["admission"])]
                held = {
                    "mode": mode == admission["mode"] == "auto",
                    "policy": policy_revision == admission["policy_revision"],
                    "generation": generation == admission["clear_generation"],
                    "consent": ai and consent == admission["consent_revision"],
                    "key session": admission["key_session_id"] not in revoked,
                    "epoch": epoch == tables.versions[int(facts["version"]) - 1]["epoch"],
                    "newest turn": not superseded(tables, admission),
                }
                assert all(held.values()), f"event {event.number}: {held}"
            case _:
                pass


def superseded(tables: Tables, admission: Row) -> bool:
    """Whether a newer turn of the conversation was admitted before the capture, or the turn had expired.

    Both times were read under the workspace lock, on one machine.
    """
    committed_at = tables.fence[admission["id"]]["committed_at"]
    newer = [
        row
        for row in tables.admissions.values()
        if row["conversation_id"] == admission["conversation_id"] and row["turn"] > admission["turn"]
    ]
    return committed_at >= admission["expires_at"] or any(row["created_at"] < committed_at for row in newer)


def check_acknowledged(stage: Stage, tables: Tables, ack: Ack) -> None:
    match ack:
        case {"did": "capture", "version": int(version), "admission": str(admission), "line": str(line)}:
            assert tables.fence[admission]["version"] == version
            assert line in (stage.text(Version(version)) or "")
        case {"did": "save", "version": int(version), "text": str(text)}:
            assert stage.text(Version(version)) == text
        case {"did": "undo", "version": int(version)}:
            assert tables.versions[version - 1]["kind"] == "undo"
        case {"did": "clear" | "delete" as kind, "version": int(version), "generation": int(generation)}:
            row = tables.versions[version - 1]
            assert (row["kind"], row["clear_generation"]) == (kind, generation)
        case {"did": "propose", "proposal": str(proposal)}:
            assert proposal in tables.proposals
        case {"did": "mode", "revision": int(revision)}:
            assert tables.policy["policy_revision"] >= revision
        case {"did": "rotate", "epoch": int(epoch)}:
            assert epoch in tables.epochs
        case {"did": "revoke", "session": str(session)}:
            assert session in tables.revoked
        case _:
            raise AssertionError(f"an acknowledgement of an unknown kind: {ack}")
