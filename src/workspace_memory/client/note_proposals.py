"""Proposals about notes, opened and applied on the client's side. `memory_document.py` has those about the memory.

A proposal holds the whole text that is to be, so that it is applied to the very version that it was made from alone.
"""

import json
from collections.abc import Mapping
from typing import cast

from workspace_memory.client.document_answers import SealedProposal, Written
from workspace_memory.client.open_notes import Notes
from workspace_memory.client.opening import key_of
from workspace_memory.client.workspace_memory import WorkspaceMemory
from workspace_memory.crypto.envelope import ProposalContext, open_sealed
from workspace_memory.crypto.errors import SealBroken
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.document_errors import VersionConflict
from workspace_memory.domain.ids import UserId, Version


class NoteProposals:
    """Shows and applies with the keys of one member."""

    def __init__(self, memory: WorkspaceMemory, keys: Mapping[int, WorkspaceKey], user: UserId) -> None:
        self._memory = memory
        self._keys = keys
        self._notes = Notes(memory, keys, user)

    def proposed(self, proposal: SealedProposal) -> str:
        """The text that is to be. Raises: KeyLost, SealBroken."""
        context = ProposalContext(
            self._memory.workspace,
            proposal.id,
            proposal.epoch,
            proposal.base_version,
            proposal.clear_generation,
        )
        opened = open_sealed(key_of(self._keys, proposal.epoch), context, proposal.ciphertext)
        body: object = json.loads(opened)
        text = cast("dict[str, object]", body).get("text") if isinstance(body, dict) else None
        if not isinstance(text, str):
            raise SealBroken
        return text

    def present(self, proposal: SealedProposal) -> str:
        """The text as it is now; empty for a new note. Raises: NotFound, KeyLost, SealBroken."""
        if proposal.document_id is None:
            return ""
        return self._notes.read_by_id(proposal.document_id).text

    def apply(self, proposal: SealedProposal) -> Written:
        """Write it as a Save of the own. Raises: VersionConflict, PathTaken, ProposalSettled, KeyLost, …"""
        text = self.proposed(proposal)
        if proposal.document_id is None:
            sealed = self._notes.sealed_new(text, proposal.path)
            return self._memory.apply_proposal(proposal.id, sealed, base=0)
        shown = self._notes.read_by_id(proposal.document_id)
        if shown.version != proposal.base_version:
            # The whole text would take back what was written since.
            raise VersionConflict(current=Version(shown.version), live=shown.live)
        sealed = self._notes.sealed_next(text, shown)
        return self._memory.apply_proposal(proposal.id, sealed, base=shown.version)
