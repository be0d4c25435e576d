"""Turns of the Assistant: begun with their admission and the person's message, ended with the answer and its cost.

Between the two the runner calls models, outside of any transaction (`turn_running.py`). What it brings back is sealed
with a key that is borrowed once more: a turn whose key session has ended meanwhile keeps its message and its cost, and
no answer.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from workspace_memory.crypto.envelope import idempotency_mac
from workspace_memory.crypto.errors import SealBroken
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.admission import Admission, Via
from workspace_memory.domain.assistant_errors import DailyLimitReached
from workspace_memory.domain.client_state import ClientState
from workspace_memory.domain.conversation import Conversation, title_of
from workspace_memory.domain.document_errors import KeySessionRequired, KeyStoreDown
from workspace_memory.domain.errors import IdempotencyKeyReused, NotFound
from workspace_memory.domain.ids import AdmissionId, ConversationId, Epoch, WorkspaceId
from workspace_memory.domain.message import NewMessage, StoredMessage
from workspace_memory.domain.rate import seconds_left
from workspace_memory.domain.turn import (
    HISTORY_BYTES_MAX,
    LEASE,
    Turn,
    TurnName,
    TurnState,
    TurnUsage,
    check_message,
)
from workspace_memory.services.admissions import AskedAdmission, NewAdmission, delivery_credential
from workspace_memory.services.agent_calls import AgentCall, may_chat
from workspace_memory.services.authorization import require_chat
from workspace_memory.services.conversations import require_conversation
from workspace_memory.services.deps import Deps
from workspace_memory.services.leaving import lock_if_there
from workspace_memory.services.seals import open_message, seal_message, seal_title
from workspace_memory.services.session_keys import Keyring, borrow_key, find_session, require_newest_key
from workspace_memory.storage.database import Transaction

DAY_SECONDS = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Submission:
    """What a person sends. `key` names it for a repetition; `message` is the text in the framework's form."""

    text: str = field(repr=False)
    message: NewMessage
    key: str
    client_state: ClientState
    via: Via
    model: str


@dataclass(frozen=True, slots=True)
class BegunTurn:
    """A turn that the caller has to run when `fresh`; else it runs, or has run, already.

    `history` are the messages of the turns before, oldest first, in the framework's form; turns that do not open or are
    too much are left out. `tokens_left` is what the day still allows, None without a limit.
    """

    turn: Turn
    admission: AdmissionId
    credential: str = field(repr=False)
    history: Sequence[str] = field(repr=False)
    fresh: bool
    tokens_left: int | None


@dataclass(frozen=True, slots=True)
class _Begun:
    conversation: Conversation
    admission: Admission
    turn: Turn
    history: Sequence[StoredMessage]
    fresh: bool
    tokens_left: int | None


def begin_turn(
    deps: Deps,
    actor: Actor,
    conversation: ConversationId,
    submission: Submission,
    *,
    key_session: bytes | None,
) -> BegunTurn:
    """Admit a turn and keep the person's message, or nothing: consent, key session and limit are asked before.

    A submission that is known gives its turn again; one whose process has died is taken up anew, under the admission
    that it had. Raises: AiDisabled, KeySessionRequired, KeyStoreDown, DailyLimitReached, IdempotencyKeyReused,
    InvalidRequest, NotFound, Forbidden, LevelTooLow.
    """
    check_message(submission.text)
    asked = AskedAdmission(
        deps,
        actor,
        conversation,
        submission.key,
        key_session,
        submission.client_state,
        submission.via,
    )
    with deps.database.read() as tx:
        workspace = require_conversation(tx, actor, conversation).workspace
        asked.look_up(tx, workspace)
        session = find_session(deps, tx, actor.user, workspace, key_session)
        epochs = tx.workspace_keys.epochs(workspace)
    # `find_session` has refused a call without a token.
    keyring = Keyring(borrow_key(deps.key_store, session, key_session or b""), epochs)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        begun = _begin(tx, asked, workspace, submission, keyring)
    return BegunTurn(
        turn=begun.turn,
        admission=begun.admission.id,
        credential=delivery_credential(deps.instance_secret, begun.admission),
        history=_opened(keyring, begun.conversation, begun.history),
        fresh=begun.fresh,
        tokens_left=begun.tokens_left,
    )


def get_turn(deps: Deps, actor: Actor, turn: TurnName) -> Turn:
    """A turn of the actor's own conversation, for who may begin turns. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        found = require_conversation(tx, actor, turn.conversation)
        require_chat(tx, actor, found.workspace)
        return _require_turn(tx, found, turn).seen_at(deps.clock.now())


def may_read_turn(deps: Deps, actor: Actor, turn: TurnName, *, key_session: bytes | None) -> bool:
    """Whether the texts of a turn may be told, also those that are still in memory: with an open key session alone.

    Raises: NotFound, Forbidden, LevelTooLow.
    """
    workspace = get_turn(deps, actor, turn).workspace
    try:
        AgentCall(deps, actor, workspace, key_session, may_chat).open_keyring()
    except (KeySessionRequired, KeyStoreDown):
        return False
    return True


def finish_turn(
    deps: Deps,
    actor: Actor,
    turn: TurnName,
    messages: Sequence[NewMessage],
    usage: TurnUsage,
    *,
    key_session: bytes | None,
    state: TurnState = TurnState.DONE,
    error: str | None = None,
) -> TurnState | None:
    """Keep a turn's messages and cost, also of one that was stopped or has failed with a code.

    The state in which it is now: another than this one where it was stopped from another process, which could not know
    what it has said. None when it has ended before, and nothing was written. Raises: KeySessionRequired, also when the
    key was rotated meanwhile; KeyStoreDown, NotFound, Forbidden, LevelTooLow.
    """
    with deps.database.read() as tx:
        workspace = require_conversation(tx, actor, turn.conversation).workspace
    call = AgentCall(deps, actor, workspace, key_session, may_chat)
    keyring = call.open_keyring()
    with deps.database.begin() as tx:
        call.begin_write(tx, keyring)
        found = require_conversation(tx, actor, turn.conversation)
        if not _end(deps, tx, found.workspace, turn, state, usage, error=error):
            if not _account(deps, tx, found.workspace, turn, usage):
                return None
            state = TurnState.STOPPED
        _keep(deps, tx, keyring.newest, found, turn, messages)
        return state


def end_turn(
    deps: Deps,
    workspace: WorkspaceId,
    turn: TurnName,
    state: TurnState,
    usage: TurnUsage,
    *,
    error: str | None = None,
) -> bool:
    """End a turn without an answer: failed or stopped. For the runner itself, also when its caller may no more.

    False when it has ended before or is gone. What it has cost is counted all the same.
    """
    with deps.database.begin() as tx:
        if not lock_if_there(tx, workspace):
            return False
        if _end(deps, tx, workspace, turn, state, usage, error=error):
            return True
        if tx.turns.get(workspace, turn) is None:
            # Its conversation was deleted while it ran: that must not be a way around the limit of the day.
            tx.assistant_days.add(workspace, deps.clock.now().date(), usage)
        else:
            _account(deps, tx, workspace, turn, usage)
        return False


def renew_turn(deps: Deps, workspace: WorkspaceId, turn: TurnName) -> bool:
    """Prolong the lease of a running turn, for the runner itself; False when it has ended or is gone."""
    with deps.database.begin() as tx:
        if not lock_if_there(tx, workspace):
            return False
        return tx.turns.renew(workspace, turn, deps.clock.now() + LEASE)


def _begin(
    tx: Transaction,
    asked: AskedAdmission,
    workspace: WorkspaceId,
    submission: Submission,
    keyring: Keyring,
) -> _Begun:
    deps = asked.deps
    admitted = asked.admit(tx, workspace)
    found = require_conversation(tx, asked.actor, asked.conversation)
    tokens_left = _tokens_left(deps, tx, workspace)
    now = deps.clock.now()
    if isinstance(admitted, NewAdmission):
        admission, fresh = admitted.admission, True
        if tokens_left == 0:
            limit = tx.workspaces.settings(workspace).assistant_tokens_per_day
            raise DailyLimitReached(limit, seconds_left(now, DAY_SECONDS))
        require_newest_key(tx, keyring.newest)
        turn = _add(tx, found, admission, submission, keyring.newest, now)
        _keep(deps, tx, keyring.newest, found, turn.name, [submission.message])
    else:
        admission = admitted
        turn = _require_same(tx, found, TurnName(found.id, admission.turn), submission, keyring)
        fresh = turn.seen_at(now).interrupted
        if fresh:
            tx.turns.renew(workspace, turn.name, now + LEASE)
    history = _history(tx, found, turn.name.number) if fresh else ()
    return _Begun(found, admission, turn, history, fresh, tokens_left)


def _add(
    tx: Transaction,
    conversation: Conversation,
    admission: Admission,
    submission: Submission,
    key: WorkspaceKey,
    now: datetime,
) -> Turn:
    turn = Turn(
        workspace=conversation.workspace,
        name=TurnName(conversation.id, admission.turn),
        admission=admission.id,
        state=TurnState.RUNNING,
        model=submission.model,
        began_at=now,
        ended_at=None,
        lease_until=now + LEASE,
        error=None,
        usage=TurnUsage(),
    )
    tx.turns.add(turn, body_mac=_body_mac(key, submission), body_epoch=Epoch(key.epoch))
    if conversation.title is None:
        tx.conversations.set_title(conversation, seal_title(key, conversation.id, title_of(submission.text)))
    return turn


def _require_same(
    tx: Transaction, conversation: Conversation, name: TurnName, submission: Submission, keyring: Keyring
) -> Turn:
    """The turn of a submission that is repeated. Raises: IdempotencyKeyReused for another text under its key."""
    turn = _require_turn(tx, conversation, name)
    mac, epoch = tx.turns.body_mac(conversation.workspace, name)
    try:
        key = keyring.at(epoch)
    except SealBroken:
        raise IdempotencyKeyReused from None
    if not hmac.compare_digest(mac, _body_mac(key, submission)):
        raise IdempotencyKeyReused
    return turn


def _body_mac(key: WorkspaceKey, submission: Submission) -> bytes:
    return idempotency_mac(key, {"message": submission.text})


def _require_turn(tx: Transaction, conversation: Conversation, name: TurnName) -> Turn:
    turn = tx.turns.get(conversation.workspace, name)
    if turn is None:
        raise NotFound("turn")
    return turn


def _keep(
    deps: Deps,
    tx: Transaction,
    key: WorkspaceKey,
    conversation: Conversation,
    turn: TurnName,
    messages: Sequence[NewMessage],
) -> None:
    first = tx.messages.next_sequence(conversation)
    tx.messages.add(
        conversation,
        [
            StoredMessage(
                sequence=sequence,
                turn=turn.number,
                kind=message.kind,
                sealed=seal_message(key, conversation.id, sequence, message.body),
                framework=message.framework,
                at=deps.clock.now(),
            )
            for sequence, message in enumerate(messages, first)
        ],
    )


def _end(
    deps: Deps,
    tx: Transaction,
    workspace: WorkspaceId,
    turn: TurnName,
    state: TurnState,
    usage: TurnUsage,
    *,
    error: str | None,
) -> bool:
    now = deps.clock.now()
    ended = tx.turns.end(workspace, turn, state, at=now, usage=usage, error=error)
    if ended:
        tx.assistant_days.add(workspace, now.date(), usage)
    return ended


def _account(deps: Deps, tx: Transaction, workspace: WorkspaceId, turn: TurnName, usage: TurnUsage) -> bool:
    """Add the cost of a turn that was stopped from another process; False for every other one."""
    accounted = tx.turns.account(workspace, turn, usage)
    if accounted:
        tx.assistant_days.add(workspace, deps.clock.now().date(), usage)
    return accounted


def _history(tx: Transaction, conversation: Conversation, turn: int) -> Sequence[StoredMessage]:
    """The messages of the turns before this one, as many whole turns as fit."""
    size, first = 0, turn
    for number, length in tx.messages.sizes_before(conversation, turn):
        size += length
        if size > HISTORY_BYTES_MAX:
            break
        first = number
    return tx.messages.of_turns(conversation, first, turn - 1)


def _opened(keyring: Keyring, conversation: Conversation, messages: Sequence[StoredMessage]) -> Sequence[str]:
    """The texts of messages. A turn of which a part does not open is left out whole: a call needs its answer."""
    opened: dict[int, list[str] | None] = {}
    for each in messages:
        texts = opened.setdefault(each.turn, [])
        if texts is None:
            continue
        try:
            texts.append(
                open_message(keyring, conversation.workspace, conversation.id, each.sequence, each.sealed)
            )
        except SealBroken:
            opened[each.turn] = None
    return [text for texts in opened.values() for text in texts or ()]


def _tokens_left(deps: Deps, tx: Transaction, workspace: WorkspaceId) -> int | None:
    limit = tx.workspaces.settings(workspace).assistant_tokens_per_day
    if limit == 0:
        return None
    used = tx.assistant_days.of(workspace, deps.clock.now().date())
    return max(0, limit - used.input_tokens - used.output_tokens)
