"""What a client remembers, so that a service cannot lie to it unnoticed: people's keys, and how far things had come.

Who signed a grant is trusted on first use; whom this client seals a key to, only after the fingerprint was compared.
Both are held against all that comes later. The marks (`document`, `epoch`) never go down. It is one small JSON file of
this user's for all services; where it is lost fingerprints have to be compared anew, so that a damaged one is refused
and not begun again.
"""

import os
import secrets
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, PlainSerializer, RootModel, ValidationError

from workspace_memory.client.key_answers import Binary, to_text
from workspace_memory.client.key_errors import KnownKeysUnreadable, PinnedKeyChanged, ServerRolledBack
from workspace_memory.crypto.user_keys import PublicKeys
from workspace_memory.domain.ids import UserId, WorkspaceId

DOCUMENT = "document"
EPOCH = "epoch"
# The newest epoch at which the workspace key was begun anew, and the newest from which an older key was opened.
BEGUN_ANEW = "begun_anew"
CHAINED = "chained"

_Key = Annotated[
    Binary,
    Field(min_length=32, max_length=32),
    PlainSerializer(to_text, return_type=str, when_used="json"),
]
_Mark = Annotated[int, Field(ge=0)]


class _Pin(BaseModel):
    x25519: _Key
    ed25519: _Key


class _Service(BaseModel):
    """What is known of one service: `people` newest last, `signers` that were met and not compared, `marks`."""

    people: dict[str, list[_Pin]] = Field(default_factory=dict)
    signers: dict[str, list[_Key]] = Field(default_factory=dict)
    marks: dict[str, dict[str, _Mark]] = Field(default_factory=dict)


class _File(RootModel[dict[str, _Service]]):
    """By the address of the service: one must not be able to use what another one was trusted for."""


class KnownKeys:
    """The known keys and marks of one service. Without a path they last as long as this object.

    Each change reads the file, adds to it and writes it whole, so that several clients of one user can share it. All
    methods raise KnownKeysUnreadable.
    """

    def __init__(self, path: Path | None, *, server: str) -> None:
        self._path = path
        self._server = server.rstrip("/")
        self._kept = _File({})

    def accepted(self, user: UserId) -> PublicKeys | None:
        """The keys of a person whose fingerprint was compared last."""
        pins = self._load()[1].people.get(user, [])
        return PublicKeys(pins[-1].x25519, pins[-1].ed25519) if pins else None

    def require(self, user: UserId, name: str, presented: PublicKeys) -> None:
        """Make sure that a person's keys are the known ones, if any are. Raises: PinnedKeyChanged."""
        known = self.accepted(user)
        if known is not None and known != presented:
            raise _changed(user, name, known, presented)

    def accept(self, user: UserId, keys: PublicKeys) -> None:
        """Trust these keys of a person from now on, since their fingerprint was compared, or they are one's own.

        What the person signed with keys that were accepted before stays right. A signer that was only met, and never
        compared, is forgotten: it may have been somebody else's.
        """
        file, service = self._load()
        pins = service.people.setdefault(user, [])
        pin = _Pin.model_construct(x25519=keys.x25519, ed25519=keys.ed25519)
        if pins[-1:] != [pin]:
            pins.append(pin)
            service.signers.pop(user, None)
            self._save(file)

    def require_signer(self, user: UserId, name: str, ed25519: bytes) -> None:
        """Make sure that a signing key is, or was, a person's known one; trust it when none is known.

        Raises: PinnedKeyChanged.
        """
        file, service = self._load()
        known = {pin.ed25519 for pin in service.people.get(user, [])} | {*service.signers.get(user, [])}
        if not known:
            service.signers[user] = [ed25519]
            self._save(file)
        elif ed25519 not in known:
            raise _changed(user, name, self.accepted(user), None)

    def mark(self, workspace: WorkspaceId, what: str) -> int:
        """How far this client has seen something come; 0 for never."""
        return self._load()[1].marks.get(workspace, {}).get(what, 0)

    def advance(self, workspace: WorkspaceId, what: str, number: int, *, seen: int | None = None) -> None:
        """Remember how far something has come. Raises: ServerRolledBack when that is less than it was.

        `seen` is what `mark` said before the service was asked: another client of this user may have got further since
        then, which is no rollback.
        """
        file, service = self._load()
        marks = service.marks.setdefault(workspace, {})
        kept = marks.get(what, 0)
        expected = kept if seen is None else seen
        if number < expected:
            raise ServerRolledBack(what, expected, number)
        if number > kept:
            marks[what] = number
            self._save(file)

    def _load(self) -> tuple[_File, _Service]:
        file = self._kept
        if self._path is not None:
            try:
                file = _File.model_validate_json(self._path.read_bytes())
            except FileNotFoundError:
                file = _File({})
            except (OSError, ValidationError):
                raise KnownKeysUnreadable(str(self._path)) from None
        return file, file.root.setdefault(self._server, _Service())

    def _save(self, file: _File) -> None:
        self._kept = file
        if self._path is None:
            return
        written = self._path.with_name(f"{self._path.name}.{secrets.token_hex(8)}")
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as out:
                out.write(file.model_dump_json(indent=1))
                out.flush()
                os.fsync(out.fileno())
            written.replace(self._path)
        except OSError:
            written.unlink(missing_ok=True)
            # What is not remembered is not held against what comes later.
            raise KnownKeysUnreadable(str(self._path)) from None


def _changed(
    user: UserId, name: str, known: PublicKeys | None, presented: PublicKeys | None
) -> PinnedKeyChanged:
    return PinnedKeyChanged(
        reason=f"the key of {name} has changed",
        user=user,
        name=name,
        known="" if known is None else known.fingerprint(),
        presented="" if presented is None else presented.fingerprint(),
    )
