"""Every combination of true and false clauses of the commit fence, as rows and as the domain's facts.

18 clauses, 262,144 combinations, none left out. Nine of them vary from admission to admission, six from workspace to
workspace, and three with what the caller presents:

- an admission's own columns, and its conversation's: 512 admissions in each workspace, the same ids in all of them;
- policy, consent, membership and key session are one row per workspace: 64 workspaces;
- user, workspace and key session are parameters of the predicate: asked for eight times in each workspace.

Two clauses are not atoms of the data: `same_key_session` also wants the session's row, `member_active` also the
account's status. Here the session is always there and the accounts are active; test_fence.py has the rest as cases.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

from sqlalchemy import Connection, case, insert, literal, select

from workspace_memory.domain.access import MemberStatus, Role
from workspace_memory.domain.admission import Admission, AdmissionState, Via
from workspace_memory.domain.ai_consent import AiConsent
from workspace_memory.domain.client_state import UNKNOWN
from workspace_memory.domain.conversation import Conversation
from workspace_memory.domain.fence import CLAUSES, FenceFacts
from workspace_memory.domain.ids import (
    AdmissionId,
    ClearGeneration,
    ConsentRevision,
    ConversationId,
    KeySessionId,
    PolicyRevision,
    UserId,
    WorkspaceId,
)
from workspace_memory.domain.policy import Mode, Policy
from workspace_memory.services.deps import new_uuid7
from workspace_memory.storage.document_tables import (
    admissions,
    ai_consents,
    conversations,
    memory_policies,
)
from workspace_memory.storage.fence import CLAUSES as SQL_CLAUSES
from workspace_memory.storage.fence import FACTS, HOLDS
from workspace_memory.storage.key_tables import key_session_revocations, key_sessions
from workspace_memory.storage.tables import members, users, workspaces

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)
NAMES = tuple(CLAUSES)

OF_THE_CALLER = ("owner", "workspace", "same_key_session")
OF_THE_WORKSPACE = (
    "mode_auto",
    "ai_enabled",
    "member_active",
    "member_may_write",
    "key_session_not_revoked",
    "key_session_not_expired",
)
OF_THE_ADMISSION = tuple(name for name in NAMES if name not in {*OF_THE_CALLER, *OF_THE_WORKSPACE})

Truth = dict[str, bool]


def truths(names: tuple[str, ...]) -> list[Truth]:
    """Every combination of these clauses."""
    return [dict(zip(names, values, strict=True)) for values in product([False, True], repeat=len(names))]


@dataclass(frozen=True)
class Ids:
    """Those that all workspaces of the table share, and one that belongs to nobody."""

    owner: UserId
    session: KeySessionId
    stranger: str


class TruthTable:
    """The rows, and the questions about them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.ids = Ids(UserId(new_uuid7()), KeySessionId(new_uuid7()), new_uuid7())
        self.workspaces = [(WorkspaceId(new_uuid7()), truth) for truth in truths(OF_THE_WORKSPACE)]
        self.admissions = [(AdmissionId(new_uuid7()), truth) for truth in truths(OF_THE_ADMISSION)]
        # A conversation carries the slot, whose two facts make four of them.
        self.talks = [
            (ConversationId(new_uuid7()), truth) for truth in truths(("newest_turn", "slot_not_expired"))
        ]
        self._fill()

    def rows(self) -> Iterator[tuple[FenceFacts, int, int]]:
        """For each combination the domain's facts, the clauses by SQL as bits, and the whole predicate by SQL."""
        bits = sum(
            (case((clause, 1 << number), else_=0) for number, clause in enumerate(SQL_CLAUSES.values())),
            start=literal(0),
        )
        statement = select(admissions.c.id, bits.label("bits"), HOLDS.label("holds")).select_from(FACTS)
        for workspace, of_workspace in self.workspaces:
            asked = statement.where(admissions.c.workspace_id == workspace)
            of_turns = [self._turn(workspace, admission, truth) for admission, truth in self.admissions]
            shared = self._shared(of_workspace)
            for of_caller in truths(OF_THE_CALLER):
                user = self.ids.owner if of_caller["owner"] else UserId(self.ids.stranger)
                within = workspace if of_caller["workspace"] else WorkspaceId(self.ids.stranger)
                session = (
                    self.ids.session if of_caller["same_key_session"] else KeySessionId(self.ids.stranger)
                )
                found = self._connection.execute(
                    asked,
                    {
                        "fence_user": user,
                        "fence_workspace": within,
                        "fence_session": session,
                        "fence_now": NOW,
                    },
                )
                by_id = {row.id: (row.bits, row.holds) for row in found}
                for admission, conversation in of_turns:
                    facts = FenceFacts(
                        user=user,
                        workspace=within,
                        now=NOW,
                        admission=admission,
                        conversation=conversation,
                        presented=session,
                        **shared,
                    )
                    yield facts, *by_id[admission.id]

    def _turn(
        self, workspace: WorkspaceId, admission: AdmissionId, truth: Truth
    ) -> tuple[Admission, Conversation]:
        """The domain's half of an admission and its conversation, made from the very values that the rows have."""
        own, slot = self._admission(admission, truth), self._slot(truth)
        talk = next(
            each for each, of_talk in self.talks if of_talk == {name: truth[name] for name in of_talk}
        )
        return Admission(
            workspace=workspace,
            id=admission,
            conversation=talk,
            turn=1,
            owner=self.ids.owner,
            mode=Mode(own["mode"]),
            policy_revision=PolicyRevision(own["policy_revision"]),
            clear_generation=ClearGeneration(own["clear_generation"]),
            consent_revision=ConsentRevision(own["consent_revision"]),
            key_session=self.ids.session,
            nonce=own["nonce"],
            client_state=UNKNOWN,
            via=Via.AUTOMATION,
            created_at=own["created_at"],
            expires_at=own["expires_at"],
            state=AdmissionState(own["state"]),
        ), Conversation(workspace, talk, self.ids.owner, 1, NOW, slot["slot_nonce"], slot["slot_expires_at"])

    def _shared(self, truth: Truth) -> dict[str, Any]:
        """The domain's half of what all turns of a workspace have in common."""
        policy, consent, member = self._policy(truth), self._consent(truth), self._member(truth)
        return {
            "policy": Policy(
                Mode(policy["mode"]),
                PolicyRevision(policy["policy_revision"]),
                ClearGeneration(policy["clear_generation"]),
            ),
            "consent": AiConsent(
                consent["enabled"], ConsentRevision(consent["consent_revision"]), skills_trusted=False
            ),
            "session_expires_at": self._session_expires_at(truth),
            "session_revoked": not truth["key_session_not_revoked"],
            "role": Role(member["role"]),
            "status": MemberStatus(member["status"]),
        }

    @staticmethod
    def _admission(admission: AdmissionId, truth: Truth) -> dict[str, Any]:
        return {
            "id": admission,
            "mode": Mode.AUTO if truth["admitted_in_auto"] else Mode.READ_ONLY,
            "policy_revision": 7 if truth["policy_revision"] else 6,
            "clear_generation": 3 if truth["clear_generation"] else 2,
            "consent_revision": 5 if truth["consent_revision"] else 4,
            "nonce": b"n" * 16,
            "created_at": NOW if truth["admission_begun"] else NOW + MOMENT,
            # Half-open: exactly at its end it has expired.
            "expires_at": NOW + MOMENT if truth["admission_not_expired"] else NOW,
            "state": AdmissionState.OPEN if truth["not_committed"] else AdmissionState.COMMITTED,
        }

    @staticmethod
    def _slot(truth: Truth) -> dict[str, Any]:
        return {
            "slot_nonce": (b"n" if truth["newest_turn"] else b"m") * 16,
            "slot_expires_at": NOW + MOMENT if truth["slot_not_expired"] else NOW,
        }

    @staticmethod
    def _policy(truth: Truth) -> dict[str, Any]:
        mode = Mode.AUTO if truth["mode_auto"] else Mode.READ_ONLY
        return {"mode": mode, "policy_revision": 7, "clear_generation": 3}

    @staticmethod
    def _consent(truth: Truth) -> dict[str, Any]:
        return {"enabled": truth["ai_enabled"], "consent_revision": 5, "skills_trusted": False}

    @staticmethod
    def _member(truth: Truth) -> dict[str, Any]:
        return {
            "role": Role.EDITOR if truth["member_may_write"] else Role.VIEWER,
            "status": MemberStatus.ACTIVE if truth["member_active"] else MemberStatus.DEACTIVATED,
        }

    @staticmethod
    def _session_expires_at(truth: Truth) -> datetime:
        return NOW + MOMENT if truth["key_session_not_expired"] else NOW

    def _fill(self) -> None:
        connection, ids = self._connection, self.ids
        connection.execute(
            insert(users).values(
                id=ids.owner, email="t@example.com", email_key="t@example.com", name="t", created_at=NOW
            )
        )
        for workspace, truth in self.workspaces:
            key = {"workspace_id": workspace}
            connection.execute(insert(workspaces).values(id=workspace, name="t", created_at=NOW))
            connection.execute(insert(memory_policies).values(**key, **self._policy(truth)))
            connection.execute(insert(ai_consents).values(**key, **self._consent(truth)))
            connection.execute(
                insert(members).values(**key, user_id=ids.owner, created_at=NOW, **self._member(truth))
            )
            connection.execute(
                insert(key_sessions).values(
                    **key,
                    id=ids.session,
                    user_id=ids.owner,
                    epoch=1,
                    token_hash=b"t",
                    name="t",
                    way="header",
                    opened_at=NOW,
                    expires_at=self._session_expires_at(truth),
                )
            )
            if not truth["key_session_not_revoked"]:
                connection.execute(
                    insert(key_session_revocations).values(**key, key_session_id=ids.session, revoked_at=NOW)
                )
        self._fill_turns()

    def _fill_turns(self) -> None:
        """Conversations and admissions of the first workspace, copied into the others by the database."""
        first = self.workspaces[0][0]
        talk_of = {tuple(truth.values()): talk for talk, truth in self.talks}
        self._connection.execute(
            insert(conversations),
            [
                {
                    "workspace_id": first,
                    "id": talk,
                    "owner_id": self.ids.owner,
                    "turns": 1,
                    "created_at": NOW,
                    **self._slot(truth),
                }
                for talk, truth in self.talks
            ],
        )
        self._connection.execute(
            insert(admissions),
            [
                {
                    "workspace_id": first,
                    "conversation_id": talk_of[truth["newest_turn"], truth["slot_not_expired"]],
                    "turn": 1,
                    "owner_id": self.ids.owner,
                    "key_session_id": self.ids.session,
                    "client_state": "unknown",
                    "via": "automation",
                    **self._admission(admission, truth),
                }
                for admission, truth in self.admissions
            ],
        )
        for table in (conversations, admissions):
            copied = [column for column in table.c if column.name != "workspace_id"]
            others = [workspace for workspace, _ in self.workspaces[1:]]
            self._connection.execute(
                insert(table).from_select(
                    ["workspace_id", *(column.name for column in copied)],
                    select(workspaces.c.id, *copied)
                    .select_from(table)
                    .join(workspaces, workspaces.c.id.in_(others))
                    .where(table.c.workspace_id == first),
                )
            )
