"""All that the memory document's tables say at one moment, without what differs from run to run: ids, nonces, seals.

Two runs that came to the same end have equal states. People are named, sessions and conversations numbered, texts
opened.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, bindparam, select
from tests.conftest import World
from tests.contract.memory_stage import Stage

from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.document import RevisionKind
from workspace_memory.domain.ids import Version
from workspace_memory.domain.proposal import Proposal
from workspace_memory.services.seals import open_proposal, open_revision
from workspace_memory.services.session_keys import Keyring
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.document_tables import (
    admissions,
    conversations,
    document_versions,
    memory_commit_fence,
    memory_receipts,
    proposals,
)
from workspace_memory.storage.governance_tables import audit_events
from workspace_memory.storage.key_tables import (
    key_grants,
    key_session_revocations,
    key_sessions,
    workspace_key_epochs,
)
from workspace_memory.storage.tables import members, users

State = Mapping[str, Any]


_SELECTS = {
    table.name: select(table).where(table.c.workspace_id == bindparam("workspace"))
    for table in (
        admissions,
        audit_events,
        conversations,
        document_versions,
        key_grants,
        key_session_revocations,
        key_sessions,
        memory_commit_fence,
        memory_receipts,
        proposals,
        workspace_key_epochs,
    )
}


class _Rows(dict[str, Sequence[Row[Any]]]):
    """The workspace's rows of a table, read once."""

    def __init__(self, tx: Transaction, world: World) -> None:
        super().__init__()
        self._tx = tx
        self._workspace = world.workspace

    def __missing__(self, name: str) -> Sequence[Row[Any]]:
        rows = self._tx.connection.execute(_SELECTS[name], {"workspace": self._workspace}).all()
        self[name] = rows
        return rows


def read_state(stage: Stage, keys: Mapping[int, WorkspaceKey]) -> State:
    """The state of the stage's workspace; `keys` are the workspace keys by their epoch."""
    world = stage.world
    with world.deps.database.read() as tx:
        if tx.workspaces.get(world.workspace) is None:
            return {"workspace": None, "keys held": world.deps.key_store.count(), **_left_over(tx, world)}
        rows = _Rows(tx, world)
        return {
            "policy": tx.policies.get(world.workspace),
            "consent": tx.policies.consent(world.workspace),
            **_document(tx, rows, world, keys),
            **_turns(rows, world),
            **_proposals(tx, rows, world, keys),
            **_people(tx, world),
            **_keys(rows, world),
            "audit": sorted(row.action for row in rows["audit_events"]),
            "keys held": world.deps.key_store.count(),
        }


def _document(
    tx: Transaction, rows: _Rows, world: World, keys: Mapping[int, WorkspaceKey]
) -> dict[str, object]:
    head = tx.documents.memory_head(world.workspace)
    if head is None:
        return {"head": None, "versions": [], "orphans": len(rows["document_versions"])}
    revisions = [
        tx.documents.revision(world.workspace, head.id, Version(number))
        for number in range(1, head.version + 1)
    ]
    return {
        "head": (head.version, head.live),
        "versions": [
            None
            if each is None
            else (
                each.version,
                each.kind,
                world.people[each.author],
                each.clear_generation,
                None
                if each.sealed is None
                else open_revision(Keyring(keys[each.sealed.epoch], ()), world.workspace, each),
            )
            for each in revisions
        ],
        "orphans": len(rows["document_versions"]) - head.version,
    }


def _turns(rows: _Rows, world: World) -> dict[str, object]:
    talks = {
        row.id: number for number, row in enumerate(sorted(rows["conversations"], key=lambda row: row.id))
    }
    nonces = {row.id: row.slot_nonce for row in rows["conversations"]}
    turns = {
        row.id: (talks[row.conversation_id], row.turn, world.people[row.owner_id])
        for row in rows["admissions"]
    }
    return {
        "conversations": sorted(
            (talks[row.id], row.turns, str(row.slot_expires_at)) for row in rows["conversations"]
        ),
        "admissions": sorted(
            (
                turns[row.id],
                row.mode,
                row.policy_revision,
                row.clear_generation,
                row.consent_revision,
                row.state,
                row.calls,
                str(row.shown_status),
                row.shown_version or 0,
                row.nonce == nonces[row.conversation_id],
            )
            for row in rows["admissions"]
        ),
        "fence": sorted(
            (turns[row.admission_id], row.ok, row.version) for row in rows["memory_commit_fence"]
        ),
        "receipts": sorted(
            (
                turns[row.admission_id],
                row.kind,
                row.call_number,
                row.status,
                row.version or 0,
                row.bytes or 0,
                row.mode,
                row.policy_revision,
                row.clear_generation,
            )
            for row in rows["memory_receipts"]
        ),
    }


def _proposals(
    tx: Transaction, rows: _Rows, world: World, keys: Mapping[int, WorkspaceKey]
) -> dict[str, object]:
    found: list[object] = []
    for row in rows["proposals"]:
        proposal = tx.proposals.get(world.workspace, row.id, row.owner_id)
        assert isinstance(proposal, Proposal)
        body = open_proposal(Keyring(keys[proposal.sealed.epoch], ()), world.workspace, proposal)
        found.append(
            (
                world.people[proposal.owner],
                proposal.reason.value,
                proposal.base,
                proposal.clear_generation,
                proposal.state.value,
                proposal.shared,
                proposal.applied_version or 0,
                json.dumps(body, sort_keys=True),
            )
        )
    return {"proposals": sorted(found, key=str)}


def _people(tx: Transaction, world: World) -> dict[str, object]:
    found = tx.connection.execute(
        select(members, users.c.status.label("account"))
        .join(users, users.c.id == members.c.user_id)
        .where(members.c.workspace_id == world.workspace)
    )
    return {
        "members": sorted(
            (world.people.get(row.user_id, "new"), row.role, row.status, row.account) for row in found
        )
    }


def _keys(rows: _Rows, world: World) -> dict[str, object]:
    sessions = {row.id: f"{world.people[row.user_id]} {row.name}" for row in rows["key_sessions"]}
    return {
        "sessions": sorted(sessions.values()),
        # A revocation outlives the row of its session, so it is counted, and named where it still can be.
        "revoked": sorted(
            sessions.get(row.key_session_id, "gone") for row in rows["key_session_revocations"]
        ),
        "epochs": sorted((row.epoch, row.rotation_due) for row in rows["workspace_key_epochs"]),
        "grants": sorted((row.epoch, world.people[row.member_id]) for row in rows["key_grants"]),
    }


def _left_over(tx: Transaction, world: World) -> dict[str, object]:
    """Rows of a workspace that is gone: there should be none."""
    tables = (conversations, admissions, memory_commit_fence, memory_receipts, proposals, document_versions)
    return {
        table.name: len(
            tx.connection.execute(select(table).where(table.c.workspace_id == world.workspace)).all()
        )
        for table in tables
    }


def broken_invariants(state: State) -> list[str]:
    """What must be true of every state, whatever happened before; as sentences."""
    if "head" not in state:
        return [f"{name} of a workspace that is gone" for name, count in state.items() if count]
    broken: list[str] = []
    versions = state["versions"]
    if state["orphans"] or any(each is None for each in versions):
        broken.append("the versions are not 1 to the head's, each once")
    captures = [each[0] for each in versions if each and each[1] is RevisionKind.CAPTURE]
    fenced = [row[2] for row in state["fence"]]
    committed = [row for row in state["admissions"] if row[5] == "committed"]
    received = [row[4] for row in state["receipts"] if row[1] == "capture"]
    # Turns go with the membership of their owner; what they wrote stays.
    complete = sorted(captures) == sorted(fenced) or (
        len(state["members"]) < 3 and set(fenced) <= set(captures)
    )
    if not complete or sorted(fenced) != sorted(received):
        broken.append("captures, fence rows and receipts differ")
    if sorted(row[0] for row in committed) != sorted(row[0] for row in state["fence"]):
        broken.append("committed admissions and fence rows differ")
    if any(row[1] != 1 for row in state["fence"]):
        broken.append("a fence row is not 1")
    return broken
