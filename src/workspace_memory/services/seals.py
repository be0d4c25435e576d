"""Sealing and opening on the server's side, while a key session is open: which context belongs to which row."""

import json
from collections.abc import Mapping
from typing import cast

from workspace_memory.crypto.canonical_json import Json
from workspace_memory.crypto.envelope import ProposalContext, RevisionContext, open_sealed, seal
from workspace_memory.crypto.errors import SealBroken
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.document import Revision, RevisionKind, SealedText
from workspace_memory.domain.ids import ClearGeneration, Epoch, ProposalId, UserId, Version, WorkspaceId
from workspace_memory.domain.proposal import Proposal
from workspace_memory.services.session_keys import Keyring


def seal_revision(
    key: WorkspaceKey,
    text: str,
    *,
    path: str,
    base: Version,
    previous: bytes,
    generation: ClearGeneration,
    kind: RevisionKind,
    author: UserId,
) -> SealedText:
    """The next version of a document, sealed against `base` and the hash of its ciphertext."""
    context = RevisionContext(
        key.workspace, path, key.epoch, base + 1, previous, generation, kind.value, author
    )
    return SealedText(Epoch(key.epoch), seal(key, context, text))


def open_revision(keyring: Keyring, workspace: WorkspaceId, revision: Revision) -> str:
    """The text of a version.

    Raises: KeySessionRequired for a newer key's; KeyLost for a lost one's; SealBroken, also for a tombstone.
    """
    if revision.sealed is None:
        raise SealBroken
    context = RevisionContext(
        workspace,
        revision.path,
        revision.sealed.epoch,
        revision.version,
        revision.previous,
        revision.clear_generation,
        revision.kind.value,
        revision.author,
    )
    return open_sealed(keyring.at(revision.sealed.epoch), context, revision.sealed.ciphertext)


def seal_proposal(
    key: WorkspaceKey, body: Json, *, proposal: ProposalId, base: Version, generation: ClearGeneration
) -> SealedText:
    """What a proposal would change, as sealed JSON."""
    context = ProposalContext(key.workspace, proposal, key.epoch, base, generation)
    return SealedText(Epoch(key.epoch), seal(key, context, json.dumps(body, ensure_ascii=False)))


def open_proposal(keyring: Keyring, workspace: WorkspaceId, proposal: Proposal) -> Mapping[str, object]:
    """What a proposal would change. Raises: KeySessionRequired, KeyLost, SealBroken."""
    epoch = proposal.sealed.epoch
    context = ProposalContext(workspace, proposal.id, epoch, proposal.base, proposal.clear_generation)
    body: object = json.loads(open_sealed(keyring.at(epoch), context, proposal.sealed.ciphertext))
    return cast("Mapping[str, object]", body)
