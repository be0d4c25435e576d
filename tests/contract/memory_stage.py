"""A workspace with a key, and short ways to write its memory document, to admit turns, to recall and to capture.

Everything goes through the real use cases; sealing is done as a client does it.
"""

import itertools
from dataclasses import dataclass, field

from tests.conftest import World

from workspace_memory.crypto.session_sealing import new_session_token, seal_for_session
from workspace_memory.crypto.workspace_keys import WorkspaceKey, check_value, new_workspace_key
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.client_state import UNKNOWN, ClientState
from workspace_memory.domain.document import MEMORY_PATH, NO_PREVIOUS, RevisionKind, SealedText
from workspace_memory.domain.edits import Edit, EditOp
from workspace_memory.domain.ids import (
    AdmissionId,
    ClearGeneration,
    ConversationId,
    Epoch,
    KeySessionId,
    UserId,
    Version,
)
from workspace_memory.domain.key_session import KeySessionWay
from workspace_memory.domain.policy import Mode, Policy
from workspace_memory.services.admissions import admit_turn
from workspace_memory.services.ai_consents import change_ai_consent, get_ai_consent
from workspace_memory.services.captures import Captured, commit_capture
from workspace_memory.services.conversations import create_conversation
from workspace_memory.services.documents import (
    Written,
    clear_document,
    delete_document,
    get_document,
    get_revision,
    save_document,
)
from workspace_memory.services.key_sessions import open_key_session, revoke_key_session
from workspace_memory.services.policies import change_policy, get_policy
from workspace_memory.services.recall import Recalled, recall
from workspace_memory.services.seals import open_revision, seal_revision
from workspace_memory.services.session_keys import Keyring
from workspace_memory.storage.workspace_keys import KeyEpoch

_keys = itertools.count(1)


def add(text: str, heading: str = "") -> Edit:
    """An edit that adds a line."""
    return Edit(EditOp.ADD, text=text, heading=heading)


@dataclass(frozen=True, slots=True)
class Turn:
    """An admitted turn, and what its client holds."""

    user: UserId
    conversation: ConversationId
    admission: AdmissionId
    credential: str
    token: bytes = field(repr=False)


@dataclass
class Stage:
    """`world` with a workspace key of epoch 1, AI turned on, and an open key session for whoever needs one."""

    world: World
    key: WorkspaceKey
    tokens: dict[UserId, bytes] = field(default_factory=dict[UserId, bytes])
    sessions: dict[UserId, KeySessionId] = field(default_factory=dict[UserId, KeySessionId])

    def actor(self, user: UserId) -> Actor:
        """The user by hand."""
        return self.world.by_hand(user)

    def open_session(self, user: UserId, way: KeySessionWay = KeySessionWay.HEADER) -> bytes:
        """Open a new key session of the user; its token."""
        token = new_session_token()
        session = open_key_session(
            self.world.deps,
            self.actor(user),
            self.world.workspace,
            token=token,
            sealed=seal_for_session(self.key, token, user),
            epoch=Epoch(self.key.epoch),
            name="Test",
            way=way,
        )
        self.tokens[user], self.sessions[user] = token, session.id
        return token

    def token(self, user: UserId) -> bytes:
        """The token of the user's open session."""
        return self.tokens[user] if user in self.tokens else self.open_session(user)

    def revoke(self, user: UserId) -> None:
        """Revoke the user's key session."""
        revoke_key_session(self.world.deps, self.actor(user), self.world.workspace, self.sessions[user])

    def rotate_with_a_broken_chain(self) -> None:
        """Make the next key as a holder whose client wrapped the key before wrongly."""
        world = self.world
        self.key = new_workspace_key(world.workspace, epoch=self.key.epoch + 1)
        with world.deps.database.begin() as tx:
            tx.workspace_keys.add_epoch(world.workspace, _epoch_of(world, self.key, older_sealed=bytes(60)))

    def begin_anew(self) -> None:
        """Make the next key where nobody held the one before; open sessions have ended."""
        world = self.world
        self.key = new_workspace_key(world.workspace, epoch=self.key.epoch + 1)
        with world.deps.database.begin() as tx:
            tx.workspace_keys.add_epoch(world.workspace, _epoch_of(world, self.key, older_sealed=None))
        self.tokens.clear()

    def policy(self) -> Policy:
        """The policy in force."""
        return get_policy(self.world.deps, self.actor(self.world.alice), self.world.workspace)

    def set_mode(self, mode: Mode, user: UserId | None = None) -> Policy:
        """Change the mode."""
        by = self.actor(user or self.world.alice)
        expected = self.policy().revision
        return change_policy(self.world.deps, by, self.world.workspace, mode, expected=expected)

    def set_ai(self, enabled: bool) -> None:
        """Turn workspace AI on or off."""
        by = self.actor(self.world.alice)
        expected = get_ai_consent(self.world.deps, by, self.world.workspace).revision
        change_ai_consent(self.world.deps, by, self.world.workspace, enabled=enabled, expected=expected)

    def version(self) -> Version:
        """The document's version, 0 for none."""
        newest = get_document(self.world.deps, self.actor(self.world.alice), self.world.workspace).newest
        return Version(0) if newest is None else newest.version

    def text(self, version: Version | None = None) -> str | None:
        """The text of a version, of the newest one unless it is named; None for none and for a tombstone."""
        deps, actor, workspace = self.world.deps, self.actor(self.world.alice), self.world.workspace
        number = self.version() if version is None else version
        if number == 0:
            return None
        revision = get_revision(deps, actor, workspace, number)
        if revision.sealed is None:
            return None
        with deps.database.read() as tx:
            epochs = tx.workspace_keys.epochs(workspace)
        return open_revision(Keyring(self.key, epochs), workspace, revision)

    def sealed(
        self,
        user: UserId,
        text: str,
        *,
        base: Version,
        kind: RevisionKind = RevisionKind.SAVE,
        generation: ClearGeneration | None = None,
    ) -> SealedText:
        """A text as the user's client seals it against a base version."""
        previous = NO_PREVIOUS
        if base:
            previous = get_revision(self.world.deps, self.actor(user), self.world.workspace, base).sha256
        return seal_revision(
            self.key,
            text,
            path=MEMORY_PATH,
            base=base,
            previous=previous,
            generation=self.policy().clear_generation if generation is None else generation,
            kind=kind,
            author=user,
        )

    def save(self, text: str, user: UserId | None = None, *, base: Version | None = None) -> Written:
        """Save a text as a person, bob unless named, against the newest version unless it is named."""
        by = user or self.world.bob
        at = self.version() if base is None else base
        sealed = self.sealed(by, text, base=at)
        return save_document(self.world.deps, self.actor(by), self.world.workspace, base=at, sealed=sealed)

    def clear(self, user: UserId | None = None, *, base: Version | None = None) -> Written:
        """Clear as a person, alice unless named."""
        by = user or self.world.alice
        at = self.version() if base is None else base
        generation = ClearGeneration(self.policy().clear_generation + 1)
        sealed = self.sealed(by, "", base=at, kind=RevisionKind.CLEAR, generation=generation)
        return clear_document(self.world.deps, self.actor(by), self.world.workspace, base=at, sealed=sealed)

    def undo(self, to: Version, user: UserId | None = None, *, base: Version | None = None) -> Written:
        """Write the text of an older version as a new one, as alice unless named."""
        by = user or self.world.alice
        at = self.version() if base is None else base
        sealed = self.sealed(by, self.text(to) or "", base=at, kind=RevisionKind.UNDO)
        return save_document(
            self.world.deps, self.actor(by), self.world.workspace, base=at, sealed=sealed, undo=True
        )

    def delete(self, user: UserId | None = None) -> Written:
        """Make a tombstone."""
        by = self.actor(user or self.world.alice)
        return delete_document(self.world.deps, by, self.world.workspace, base=self.version())

    def converse(self, user: UserId) -> ConversationId:
        """A new conversation of the user."""
        return create_conversation(self.world.deps, self.actor(user), self.world.workspace).id

    def admit(
        self,
        user: UserId | None = None,
        *,
        conversation: ConversationId | None = None,
        state: ClientState = UNKNOWN,
        key: str | None = None,
    ) -> Turn:
        """Admit a turn of bob, unless somebody is named, in a new conversation unless one is named."""
        by = user or self.world.bob
        token = self.token(by)
        talk = conversation or self.converse(by)
        admitted = admit_turn(
            self.world.deps,
            self.actor(by),
            self.world.workspace,
            talk,
            key=key or f"turn-{next(_keys)}",
            key_session_token=token,
            client_state=state,
        )
        return Turn(by, talk, admitted.admission, admitted.credential, token)

    def recall(self, turn: Turn) -> Recalled:
        """What a model call of the turn is given."""
        return recall(
            self.world.deps,
            self.actor(turn.user),
            self.world.workspace,
            turn.admission,
            credential=turn.credential,
            key_session_token=turn.token,
        )

    def capture(self, turn: Turn, *edits: Edit) -> Captured:
        """Carry out a turn's edits."""
        return commit_capture(
            self.world.deps,
            self.actor(turn.user),
            self.world.workspace,
            turn.admission,
            credential=turn.credential,
            key=f"memory:{turn.admission}",
            key_session_token=turn.token,
            edits=edits,
        )

    def shown(self, user: UserId | None = None, *, state: ClientState = UNKNOWN) -> Turn:
        """An admitted turn that was given the memory already."""
        turn = self.admit(user, state=state)
        self.recall(turn)
        return turn


def make_stage(
    world: World, mode: Mode = Mode.AUTO, text: str | None = "# Team\n\n- We ship on Thursday\n"
) -> Stage:
    """A workspace whose memory document has a text, with AI on, in a mode."""
    key = new_workspace_key(world.workspace)
    with world.deps.database.begin() as tx:
        tx.workspace_keys.add_epoch(world.workspace, _epoch_of(world, key, older_sealed=None))
    stage = Stage(world, key)
    stage.set_ai(True)
    if stage.policy().mode is not mode:
        stage.set_mode(mode)
    if text is not None:
        stage.save(text)
    return stage


def _epoch_of(world: World, key: WorkspaceKey, *, older_sealed: bytes | None) -> KeyEpoch:
    return KeyEpoch(
        Epoch(key.epoch),
        world.alice,
        check_value(key),
        check_signature=bytes(64),
        older_sealed=older_sealed,
        rotation_due=False,
        created_at=world.clock.now(),
    )
