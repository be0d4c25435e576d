"""The calls about the memory document as it travels, sealed: `memory_document.py` seals and opens around them."""

from collections.abc import Iterator, Mapping, Sequence

from workspace_memory.client.connection import Connection, segment
from workspace_memory.client.document_answers import (
    Admission,
    Capture,
    Conversation,
    MemoryPolicy,
    MemoryReceipt,
    MemoryReceipts,
    Recall,
    SealedDocument,
    SealedProposal,
    SealedProposals,
    SealedRevision,
    SealedRevisions,
    WorkspaceAi,
    Written,
)
from workspace_memory.client.key_answers import to_text
from workspace_memory.domain.document import SealedText
from workspace_memory.domain.edits import Edit
from workspace_memory.domain.policy import Mode

PAGE = 200


class DocumentCalls(Connection):
    """The memory document of the client's workspace, and what is decided about it."""

    def get_document(self) -> SealedDocument:
        """The newest version. Raises: NotFound, Forbidden, LevelTooLow."""
        return self._read(SealedDocument, "GET", self._document)

    def write_document(
        self, sealed: SealedText, *, base: int, clear: bool = False, undo: bool = False
    ) -> Written:
        """Write the next version against `base`. Raises: VersionConflict, EpochConflict, NotFound, Forbidden."""
        headers = {"X-Base-Version": str(base)}
        if clear:
            headers["X-Memory-Clear"] = "1"
        if undo:
            headers["X-Memory-Kind"] = "undo"
        return self._read(Written, "PUT", self._document, body=_sealed(sealed), headers=headers)

    def delete_document(self, *, base: int) -> Written:
        """Leave a tombstone. Raises: VersionConflict, NotFound, Forbidden."""
        return self._read(Written, "DELETE", self._document, headers={"X-Base-Version": str(base)})

    def document_versions(self) -> Iterator[SealedRevision]:
        """The history, newest first, without texts. Raises: NotFound, Forbidden, LevelTooLow."""
        before: int | None = None
        while True:
            page = self._read(
                SealedRevisions,
                "GET",
                f"{self._document}/versions",
                params={"before": before, "limit": PAGE},
            )
            yield from page.versions
            if page.next_before is None:
                return
            before = page.next_before

    def document_version(self, version: int) -> SealedRevision:
        """One version with its sealed text. Raises: NotFound, Forbidden, LevelTooLow."""
        return self._read(SealedRevision, "GET", f"{self._document}/versions/{version}")

    def memory_policy(self) -> MemoryPolicy:
        """The policy in force. Raises: NotFound, Forbidden."""
        return self._read(MemoryPolicy, "GET", f"{self._workspace_path}/memory/policy")

    def change_memory_mode(self, mode: Mode, *, expected: int) -> MemoryPolicy:
        """Set the mode against the revision that was read. Raises: PolicyConflict, NotFound, Forbidden."""
        body = {"mode": mode, "expected_revision": expected}
        return self._read(MemoryPolicy, "PUT", f"{self._workspace_path}/memory/policy", body=body)

    def workspace_ai(self) -> WorkspaceAi:
        """The consent in force. Raises: NotFound, Forbidden."""
        return self._read(WorkspaceAi, "GET", f"{self._workspace_path}/ai-consent")

    def change_workspace_ai(self, *, enabled: bool, expected: int) -> WorkspaceAi:
        """Turn AI on or off: an admin. Raises: ConsentConflict, NotFound, Forbidden."""
        body = {"enabled": enabled, "expected_revision": expected}
        return self._read(WorkspaceAi, "PUT", f"{self._workspace_path}/ai-consent", body=body)

    def trust_skills(self, trusted: bool) -> WorkspaceAi:
        """Trust the workspace's skills or not: an admin. Raises: NotFound, Forbidden."""
        path = f"{self._workspace_path}/ai-consent/skills-trust"
        return self._read(WorkspaceAi, "PUT", path, body={"trusted": trusted}, repeatable=True)

    def list_proposals(self, *, state: str | None = None) -> Iterator[SealedProposal]:
        """Own proposals and those that were shared or applied, newest first. Raises: NotFound, Forbidden."""
        before: str | None = None
        while True:
            page = self._read(
                SealedProposals,
                "GET",
                self._proposals,
                params={"state": state, "before": before, "limit": PAGE},
            )
            yield from page.proposals
            if page.next_before is None:
                return
            before = page.next_before

    def get_proposal(self, proposal: str) -> SealedProposal:
        """One proposal. Raises: NotFound, Forbidden."""
        return self._read(SealedProposal, "GET", f"{self._proposals}/{segment(proposal)}")

    def propose_note(self, path: str, text: str, *, base: int, key_session: str) -> SealedProposal:
        """Propose a text for a note by hand, or with `base` 0 a new one; the service sees and seals it.

        Raises: as `propose_plain_note`.
        """
        return self._read(
            SealedProposal,
            "POST",
            self._proposals,
            body={"path": path, "text": text},
            headers={"X-Key-Session": key_session, "X-Base-Version": str(base)},
        )

    def apply_proposal(self, proposal: str, sealed: SealedText, *, base: int) -> Written:
        """Save what was made of it, and settle it. Raises: ProposalSettled, VersionConflict, EpochConflict, …"""
        return self._read(
            Written,
            "POST",
            f"{self._proposals}/{segment(proposal)}/apply",
            body=_sealed(sealed),
            headers={"X-Base-Version": str(base)},
        )

    def dismiss_proposal(self, proposal: str) -> None:
        """Settle it without writing. Raises: ProposalSettled, NotFound, Forbidden, LevelTooLow."""
        self._do("POST", f"{self._proposals}/{segment(proposal)}/dismiss")

    def share_proposal(self, proposal: str) -> None:
        """Let every member see it: its owner. Raises: ProposalSettled, NotFound, Forbidden, LevelTooLow."""
        self._do("POST", f"{self._proposals}/{segment(proposal)}/share")

    def begin_conversation(self) -> Conversation:
        """A conversation for the turns of an agent. Raises: NotFound, Forbidden."""
        return self._read(Conversation, "POST", f"{self._workspace_path}/conversations")

    def memory_receipts(self, conversation: str) -> Iterator[MemoryReceipt]:
        """Which revisions the turns of a conversation were given, oldest first. Raises: NotFound, Forbidden."""
        after: str | None = None
        while True:
            page = self._read(
                MemoryReceipts,
                "GET",
                f"/agents/assistant/{segment(conversation)}/memory-receipts",
                params={"after": after, "limit": PAGE},
            )
            yield from page.receipts
            if page.next_after is None:
                return
            after = page.next_after

    def admit_turn(
        self, conversation: str, *, key: str, key_session: str, memory_state: str | None = None
    ) -> Admission:
        """Begin a turn under a key of the caller's own. Raises: AiDisabled, KeySessionRequired, …"""
        headers = {"Idempotency-Key": key, "X-Key-Session": key_session}
        if memory_state is not None:
            headers["X-Memory-State"] = memory_state
        return self._read(
            Admission,
            "POST",
            f"{self._automation}/admissions",
            body={"conversation_id": conversation},
            headers=headers,
            repeatable=True,
        )

    def recall_memory(self, admission: Admission, *, key_session: str, model: str | None = None) -> Recall:
        """What the turn's next model call is given; ask before every call. Raises: DeliveryRefused, NotFound."""
        return self._read(
            Recall,
            "GET",
            f"{self._automation}/memory",
            params={"purpose": "recall", "model": model},
            headers=_turn(admission, key_session),
        )

    def capture_memory(self, admission: Admission, edits: Sequence[Edit], *, key_session: str) -> Capture:
        """Carry out one to five exact edits. Raises: AdmissionRetired, CaptureWithheld, EditRefused, …"""
        changes = [
            {"op": edit.op, "text": edit.text, "target": edit.target, "heading": edit.heading}
            for edit in edits
        ]
        headers = {
            **_turn(admission, key_session),
            "Idempotency-Key": f"memory:{admission.admission_id}",
        }
        return self._read(
            Capture,
            "PUT",
            f"{self._automation}/memory",
            body={"changes": changes},
            headers=headers,
            repeatable=True,
        )

    @property
    def _workspace_path(self) -> str:
        return f"/workspaces/{segment(self.workspace)}"

    @property
    def _document(self) -> str:
        return f"{self._workspace_path}/memory/document"

    @property
    def _proposals(self) -> str:
        return f"{self._workspace_path}/memory/proposals"

    @property
    def _automation(self) -> str:
        return f"/automation/workspaces/{segment(self.workspace)}"


def _sealed(sealed: SealedText) -> Mapping[str, object]:
    return {"epoch": sealed.epoch, "ciphertext": to_text(sealed.ciphertext)}


def _turn(admission: Admission, key_session: str) -> dict[str, str]:
    return {
        "X-Memory-Admission": admission.admission_id,
        "X-Delivery-Credential": admission.credential,
        "X-Key-Session": key_session,
    }
