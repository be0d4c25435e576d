"""Notes for agents with a key session: plain text in and out, sealed and opened here, kept and logged nowhere.

Two walls stand before the memory document. The first is asked before anything else, by every path that a call names
and every path that a list would show. The second is in SQL: what is of kind `memory` is in no row that is read here.
`notes.py` is the half for people; a text that looks like an order to a model becomes a proposal here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from workspace_memory.crypto.canonical_json import Json
from workspace_memory.crypto.envelope import idempotency_mac
from workspace_memory.crypto.errors import SealBroken
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.document import NO_PREVIOUS, Head, Revision, RevisionKind, SealedText
from workspace_memory.domain.document_errors import TextUnreadable
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import DocumentId, ProposalId, Version, WorkspaceId
from workspace_memory.domain.note import (
    NOTE_GENERATION,
    check_text,
    require_note_path,
    require_seen_version,
    require_unreserved,
)
from workspace_memory.domain.proposal import ProposalReason
from workspace_memory.domain.rate import Rate
from workspace_memory.services.agent_calls import AgentCall, may_read, may_write
from workspace_memory.services.deps import Deps
from workspace_memory.services.idempotency import Replay
from workspace_memory.services.notes import (
    WHAT,
    append_note,
    bury_note,
    find_base,
    require_base,
    require_elsewhere,
    require_live,
    require_text_of,
    write_note,
)
from workspace_memory.services.proposals import add_note_proposal
from workspace_memory.services.rate_limits import rated
from workspace_memory.services.screening import refuse, refuse_path, suspicious
from workspace_memory.services.seals import open_revision, seal_revision
from workspace_memory.services.session_keys import Keyring
from workspace_memory.storage.database import Transaction


class NoteOutcome(StrEnum):
    """What became of a text that an agent sent."""

    WRITTEN = "written"
    # Suspicious: it waits for a person.
    PROPOSED = "proposed"


@dataclass(frozen=True, slots=True)
class PlainNote:
    """One version of a note, opened. `head` is the newest one."""

    head: Head
    version: Version
    text: str


@dataclass(frozen=True, slots=True)
class NoteWritten:
    """What was written: the note at `path` is now at `version`. For a proposal both are those that it is made against.

    `document` is None for a proposal of a new note; `proposal` is None for what was written.
    """

    outcome: NoteOutcome
    path: str
    version: Version
    document: DocumentId | None
    proposal: ProposalId | None = None


def read_plain_note(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    path: str,
    *,
    version: Version | None = None,
    key_session: bytes | None,
) -> PlainNote:
    """The text of the live note at a path, or of an older version of it.

    Raises: NamespaceReserved before anything else; KeySessionRequired, KeyStoreDown, TextUnreadable, InvalidRequest,
    NotFound, Forbidden, LevelTooLow.
    """
    require_unreserved(path)
    call = AgentCall(deps, actor, workspace, key_session, may_read)
    keyring = call.open_keyring()
    with deps.database.read() as tx:
        call.require(tx)
        head = _require_note_at(tx, workspace, path)
        require_live(head)
        revision = require_text_of(tx, workspace, head, head.version if version is None else version)
    return PlainNote(head, revision.version, _opened(keyring, workspace, revision))


@rated(Rate.SAVE)
def put_plain_note(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    path: str,
    text: str,
    *,
    base: Version | None,
    key_session: bytes | None,
    idempotency_key: str | None = None,
) -> NoteWritten:
    """Make a note (`base` 0), or write its next version; the version of a tombstone revives it.

    A text that looks like an order to a model is not written: it becomes a proposal. `base` is required; None is what
    the caller did not send. Raises: NamespaceReserved before anything else; SecretRefused, StructureRefused,
    VersionConflict, PathTaken, KeySessionRequired, KeyStoreDown, IdempotencyKeyReused, QuotaExceeded, InvalidRequest,
    NotFound, Forbidden, LevelTooLow, RateLimited.
    """
    require_note_path(path)
    base = require_seen_version(base)
    check_text(text)
    _refuse(deps, text, path)
    held = suspicious(text) is not None
    request: Json = {"put": path, "text": text, "base": base}
    call = AgentCall(deps, actor, workspace, key_session, may_write)
    keyring = call.open_keyring()
    with deps.database.begin() as tx:
        call.begin_write(tx, keyring)
        replay = _replay(call, tx, keyring, request, idempotency_key)
        if (answered := replay.find()) is not None:
            return _again(answered, path)
        head = find_base(tx, workspace, path, base)
        if held:
            done = _propose(call, tx, keyring, head, path, text)
        else:
            sealing = _Sealing(call, tx, keyring)
            sealed = sealing.seal(head, path, text, RevisionKind.SAVE)
            done = _written(
                write_note(
                    deps,
                    tx,
                    actor,
                    workspace,
                    sealed,
                    document=None if head is None else head.id,
                    path=path,
                    base=base,
                )
            )
        replay.keep(_kept(done))
        return done


@rated(Rate.SAVE)
def delete_plain_note(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    path: str,
    *,
    base: Version | None,
    key_session: bytes | None,
    idempotency_key: str | None = None,
) -> NoteWritten:
    """Make a tombstone, from which `restore_plain_note` brings the note back. Raises: as `put_plain_note`."""
    require_unreserved(path)
    base = require_seen_version(base)
    call = AgentCall(deps, actor, workspace, key_session, may_write)
    keyring = call.open_keyring()
    with deps.database.begin() as tx:
        call.begin_write(tx, keyring)
        replay = _replay(call, tx, keyring, {"delete": path, "base": base}, idempotency_key)
        if (answered := replay.find()) is not None:
            return _again(answered, path)
        done = _written(
            bury_note(deps, tx, actor, workspace, _require_note_at(tx, workspace, path), base=base)
        )
        replay.keep(_kept(done))
        return done


@rated(Rate.SAVE)
def move_plain_note(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    path: str,
    to: str,
    *,
    base: Version | None,
    key_session: bytes | None,
    idempotency_key: str | None = None,
) -> NoteWritten:
    """Let a note stand at another path, which is free: sealed anew under it.

    Raises: as `put_plain_note`; TextUnreadable.
    """
    require_unreserved(path)
    require_note_path(to, "to")
    base = require_seen_version(base)
    _refuse(deps, "", to)
    call = AgentCall(deps, actor, workspace, key_session, may_write)
    keyring = call.open_keyring()
    with deps.database.begin() as tx:
        call.begin_write(tx, keyring)
        replay = _replay(call, tx, keyring, {"move": path, "to": to, "base": base}, idempotency_key)
        if (answered := replay.find()) is not None:
            return _again(answered, to)
        head = _require_note_at(tx, workspace, path)
        require_live(head)
        require_elsewhere(head, to)
        require_base(head, base)
        sealing = _Sealing(call, tx, keyring)
        text = _opened(keyring, workspace, require_text_of(tx, workspace, head, base))
        sealed = sealing.seal(head, to, text, RevisionKind.MOVE)
        after = append_note(deps, tx, actor, workspace, head, RevisionKind.MOVE, sealed, base=base, path=to)
        done = _written(after)
        replay.keep(_kept(done))
        return done


@rated(Rate.SAVE)
def restore_plain_note(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    path: str,
    *,
    version: Version,
    base: Version | None,
    key_session: bytes | None,
    idempotency_key: str | None = None,
) -> NoteWritten:
    """Write an older version's text as the next one, also of a deleted note. It is screened like a text that is sent.

    Raises: as `put_plain_note`; TextUnreadable; NotFound for a version that is not there or holds no text.
    """
    require_unreserved(path)
    base = require_seen_version(base)
    request: Json = {"restore": path, "version": version, "base": base}
    call = AgentCall(deps, actor, workspace, key_session, may_write)
    keyring = call.open_keyring()
    with deps.database.read() as tx:
        call.require(tx)
        # Here too: by the time of a repetition the note may be gone from the path.
        if (answered := _replay(call, tx, keyring, request, idempotency_key).find()) is not None:
            return _again(answered, path)
        head = _require_note_at(tx, workspace, path)
        revision = require_text_of(tx, workspace, head, version)
    text = _opened(keyring, workspace, revision)
    _refuse(deps, text, head.path)
    held = suspicious(text) is not None
    with deps.database.begin() as tx:
        call.begin_write(tx, keyring)
        replay = _replay(call, tx, keyring, request, idempotency_key)
        if (answered := replay.find()) is not None:
            return _again(answered, path)
        # Of the same note: another one may have come to the path since.
        present = tx.documents.note(workspace, head.id)
        if present is None or present.path != path:
            raise NotFound(WHAT)
        require_base(present, base)
        if held:
            done = _propose(call, tx, keyring, present, path, text)
        else:
            sealing = _Sealing(call, tx, keyring)
            sealed = sealing.seal(present, path, text, RevisionKind.RESTORE)
            done = _written(
                append_note(deps, tx, actor, workspace, present, RevisionKind.RESTORE, sealed, base=base)
            )
        replay.keep(_kept(done))
        return done


@dataclass(frozen=True, slots=True)
class _Sealing:
    """Seals what follows on a version, within the transaction: the version cannot change in between."""

    call: AgentCall
    tx: Transaction
    keyring: Keyring

    def seal(self, head: Head | None, path: str, text: str, kind: RevisionKind) -> SealedText:
        if head is None:
            base, previous = Version(0), NO_PREVIOUS
        else:
            newest = self.tx.documents.revision(self.call.workspace, head.id, head.version)
            base = head.version
            previous = NO_PREVIOUS if newest is None else newest.sha256
        return seal_revision(
            self.keyring.newest,
            text,
            path=path,
            base=base,
            previous=previous,
            generation=NOTE_GENERATION,
            kind=kind,
            author=self.call.actor.user,
        )


def _propose(
    call: AgentCall, tx: Transaction, keyring: Keyring, head: Head | None, path: str, text: str
) -> NoteWritten:
    proposal = add_note_proposal(
        call.deps, tx, call.actor, keyring.newest, head, path, text, reason=ProposalReason.SUSPICIOUS
    )
    return NoteWritten(NoteOutcome.PROPOSED, path, proposal.base, proposal.document, proposal.id)


def _written(head: Head) -> NoteWritten:
    return NoteWritten(NoteOutcome.WRITTEN, head.path, head.version, head.id)


def _replay(call: AgentCall, tx: Transaction, keyring: Keyring, request: Json, key: str | None) -> Replay:
    # Keyed: a plain hash of a short text can be guessed. What is repeated may have been kept under a key of before.
    # What was kept under a key that nobody holds any more cannot be compared, and is not.
    newest = keyring.newest.epoch
    epochs = range(newest, keyring.first - 1, -1) if key else [newest]
    mac, *older = (idempotency_mac(keyring.at(epoch), request) for epoch in epochs)
    return Replay(call.deps, tx, call.actor, call.workspace, key, mac, older)


def _kept(done: NoteWritten) -> Mapping[str, str]:
    return {
        "outcome": done.outcome.value,
        "version": str(done.version),
        "document": done.document or "",
        "proposal": done.proposal or "",
    }


def _again(answered: Mapping[str, str], path: str) -> NoteWritten:
    """The first answer; its path is the request's own, which is the same."""
    return NoteWritten(
        NoteOutcome(answered["outcome"]),
        path,
        Version(int(answered["version"])),
        DocumentId(answered["document"]) if answered["document"] else None,
        ProposalId(answered["proposal"]) if answered["proposal"] else None,
    )


def _refuse(deps: Deps, text: str, path: str) -> None:
    refuse(deps, text)
    refuse_path(deps, path)


def _require_note_at(tx: Transaction, workspace: WorkspaceId, path: str) -> Head:
    head = tx.documents.note_at(workspace, path)
    if head is None:
        raise NotFound(WHAT)
    return head


def _opened(keyring: Keyring, workspace: WorkspaceId, revision: Revision) -> str:
    try:
        return open_revision(keyring, workspace, revision)
    except SealBroken:
        raise TextUnreadable from None
