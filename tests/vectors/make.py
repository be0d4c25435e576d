"""Writes `wm-v1.json`: inputs and outputs of every primitive of wm/v1, for tests in any language.

`python -m tests.vectors.make` writes the same bytes each time. The file is frozen: what was sealed once has to open
for ever, so a change in it means that stored text can no longer be read, and another suite is needed instead.

Bytes are hex, texts are JSON strings, numbers of LP are decimal strings (they go beyond a double).
"""

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from tests.vectors import hpke_by_hand

from workspace_memory.crypto import envelope, grants, key_wrapping, session_sealing, user_keys, workspace_keys
from workspace_memory.crypto.canonical_json import Json, canonical_json
from workspace_memory.crypto.envelope import Context, MessageContext, ProposalContext, RevisionContext
from workspace_memory.crypto.packing import lp
from workspace_memory.crypto.passphrases import FLOOR, PassphraseWork, key_encryption_key
from workspace_memory.crypto.recovery_keys import RecoveryKey
from workspace_memory.crypto.user_keys import UserKeys
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.ids import UserId, WorkspaceId
from workspace_memory.domain.user_key import Wrapping

FILE = Path(__file__).parent / "wm-v1.json"

Record = dict[str, Json]

WORKSPACE = WorkspaceId("0193b3c5-6d7e-7a10-8000-000000000001")
ALICE = UserId("0193b3c5-6d7e-7a10-8000-00000000000a")
BOB = UserId("0193b3c5-6d7e-7a10-8000-00000000000b")
CONVERSATION = "0193b3c5-6d7e-7a10-8000-0000000000c1"
PROPOSAL = "0193b3c5-6d7e-7a10-8000-0000000000d1"
PATH = ".workspace/memory/memory.md"
PASSPHRASE = "correct horse パスワード ß"


def some(name: str, length: int = 32) -> bytes:
    """Bytes that look random and are the same each time."""
    return hashlib.sha256(f"wm/v1 vector: {name}".encode()).digest()[:length]


def some_keys(name: str) -> UserKeys:
    """The keys of one of the cast."""
    return user_keys.user_keys_from(some(f"{name} x25519"), some(f"{name} ed25519"))


FIRST = WorkspaceKey(WORKSPACE, 1, some("workspace key 1"))
SECOND = WorkspaceKey(WORKSPACE, 2, some("workspace key 2"))


def vectors() -> Record:
    """All of them, by the name of the primitive."""
    return {
        "suite": "wm/v1",
        "lp": [_packed([]), _packed([""]), _packed(["ab", "c"]), _packed(["a", "bc"]), *_mixed()],
        "key_encryption_key": [
            _kek(PASSPHRASE, FLOOR),
            # The same passphrase in other code points: decomposed, full width, a ligature.
            _kek("Ångström ﬁve"),
            _kek("A\u030angstro\u0308m five"),
            _kek("Ångström five", PassphraseWork(passes=4)),
        ],
        "user_keys": [_user("alice", ALICE), _user("bob", BOB)],
        "workspace_keys": [_workspace_key(FIRST), _workspace_key(SECOND)],
        "grants": [_grant(FIRST), _grant(SECOND)],
        "older_keys": [_older()],
        "sealed": [_sealed(number, *case) for number, case in enumerate(_texts())],
        "canonical_json": [_canonical(body) for body in _bodies()],
        "idempotency": [_mac(body) for body in _bodies()],
        "key_sessions": [_session()],
        "rewrap_signatures": [_rewrap()],
    }


def _packed(parts: Sequence[str | bytes | int]) -> Record:
    return {"parts": [_part(part) for part in parts], "packed": lp(*parts).hex()}


def _part(part: str | bytes | int) -> Record:
    if isinstance(part, str):
        return {"text": part}
    return {"hex": part.hex()} if isinstance(part, bytes) else {"u64": str(part)}


def _mixed() -> list[Record]:
    return [_packed(["wm/v1/x", 0, 1, 2**53 + 1, 2**64 - 1]), _packed(["é日本🍵", b"", b"\x00\xff"])]


def _kek(passphrase: str, work: PassphraseWork = FLOOR) -> Record:
    salt = some("salt", 16)
    kek = key_encryption_key(passphrase, salt, work)
    return {"passphrase": passphrase, "salt": salt.hex(), **asdict(work), "kek": kek.hex()}


def _user(name: str, user: UserId) -> Record:
    keys = some_keys(name)
    recovery = RecoveryKey(some(f"{name} recovery"))
    record = user_keys.wrap_keys(
        keys, user, PASSPHRASE, salt=some(f"{name} salt", 16), nonce=some(f"{name} nonce", 12)
    )
    by_recovery = user_keys.wrap_for_recovery(keys, user, recovery, some(f"{name} recovery nonce", 12))
    return {
        "user": user,
        "x25519_private": some(f"{name} x25519").hex(),
        "ed25519_private": some(f"{name} ed25519").hex(),
        "x25519_public": keys.public.x25519.hex(),
        "ed25519_public": keys.public.ed25519.hex(),
        "fingerprint": keys.public.fingerprint(),
        "passphrase": PASSPHRASE,
        "salt": record.salt.hex(),
        **asdict(record.work),
        "nonce": some(f"{name} nonce", 12).hex(),
        "wrapped": record.wrapped.hex(),
        "recovery_key": recovery.secret.hex(),
        "recovery_key_written": recovery.written(),
        "recovery_nonce": some(f"{name} recovery nonce", 12).hex(),
        "recovery_wrapped": by_recovery.hex(),
    }


def _workspace_key(key: WorkspaceKey) -> Record:
    check = workspace_keys.check_value(key)
    signature = workspace_keys.sign_check(some_keys("alice"), key.workspace, key.epoch, check)
    return {
        "workspace": key.workspace,
        "epoch": key.epoch,
        "key": key.secret.hex(),
        "check": check.hex(),
        "check_maker_ed25519": some_keys("alice").public.ed25519.hex(),
        "check_signature": signature.hex(),
    }


def _grant(key: WorkspaceKey) -> Record:
    alice, bob = some_keys("alice"), some_keys("bob")
    context = grants.GrantContext(key.workspace, key.epoch, BOB, bob.public.x25519, ALICE)
    ephemeral = some(f"ephemeral {key.epoch}")
    sealed = hpke_by_hand.seal(key.secret, bob.public.x25519, ephemeral, context.info())
    return {
        "workspace": key.workspace,
        "epoch": key.epoch,
        "member": BOB,
        "member_x25519_private": some("bob x25519").hex(),
        "member_x25519_public": bob.public.x25519.hex(),
        "granter": ALICE,
        "granter_ed25519_public": alice.public.ed25519.hex(),
        "info": context.info().hex(),
        "ephemeral_private": ephemeral.hex(),
        "sealed": sealed.hex(),
        "signature": alice.sign(lp("wm/v1/grant-sig", context.info(), sealed)).hex(),
        "key": key.secret.hex(),
    }


def _older() -> Record:
    nonce = some("older nonce", 12)
    return {
        "workspace": WORKSPACE,
        "newer_epoch": SECOND.epoch,
        "newer_key": SECOND.secret.hex(),
        "older_key": FIRST.secret.hex(),
        "nonce": nonce.hex(),
        "wrapped": workspace_keys.wrap_older(SECOND, FIRST, nonce).hex(),
    }


def _texts() -> list[tuple[WorkspaceKey, Context, str]]:
    previous = some("previous ciphertext")
    nothing = envelope.NO_PREVIOUS
    return [
        (
            FIRST,
            RevisionContext(WORKSPACE, PATH, 1, 1, nothing, 0, "save", ALICE),
            "# Team\n\n- Müller & 日本語 🍵\n",
        ),
        (FIRST, RevisionContext(WORKSPACE, PATH, 1, 2, previous, 1, "clear", BOB), ""),
        # A byte order mark belongs to the text: a browser's TextDecoder drops it unless told otherwise.
        (
            SECOND,
            RevisionContext(WORKSPACE, "notes/tea.md", 2, 7, previous, 0, "capture", BOB),
            "\ufefftea\r\n",
        ),
        (FIRST, MessageContext(WORKSPACE, CONVERSATION, envelope.TITLE_SEQUENCE, 1), "About tea"),
        (SECOND, MessageContext(WORKSPACE, CONVERSATION, 12, 2), "What do we know about tea?"),
        (SECOND, ProposalContext(WORKSPACE, PROPOSAL, 2, 7, 3), '{"changes":[]}'),
    ]


def _sealed(number: int, key: WorkspaceKey, context: Context, text: str) -> Record:
    nonce = some(f"sealed {number}", 12)
    sealed = envelope.seal(key, context, text, nonce)
    return {
        "label": context.label,
        "context": {name: _plain(value) for name, value in asdict(context).items()},
        "aad": context.aad().hex(),
        "key": key.secret.hex(),
        "nonce": nonce.hex(),
        "text": text,
        "sealed": sealed.hex(),
        "sha256": envelope.ciphertext_hash(sealed).hex(),
    }


def _plain(value: str | int | bytes) -> str | int:
    return value.hex() if isinstance(value, bytes) else value


def _bodies() -> list[Mapping[str, Json]]:
    return [
        {},
        {"changes": [{"op": "add", "text": "likes tea", "target": "", "heading": ""}]},
        # From RFC 8785, 3.2.3: sorted by UTF-16 code units, so the emoji comes before U+FB33.
        {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\x80": 6, "\u00f6": 7},
        {"controls": '\x00\x08\t\n\x0b\x0c\r\x1f"\\/\x7f\u2028', "numbers": [0, -1, 2**53 - 1, -(2**53) + 1]},
        {"nested": {"b": [True, False, None], "a": {"": []}}},
    ]


def _canonical(body: Mapping[str, Json]) -> Record:
    return {"value": body, "canonical": canonical_json(body).hex()}


def _mac(body: Mapping[str, Json]) -> Record:
    return {"key": FIRST.secret.hex(), "body": body, "mac": envelope.idempotency_mac(FIRST, body).hex()}


def _session() -> Record:
    token = some("session token")
    expires_at = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
    context = session_sealing.SessionContext("session-1", ALICE, WORKSPACE, expires_at)
    open_nonce, seal_nonce = some("ks-open nonce", 12), some("ks-seal nonce", 12)
    return {
        "token": token.hex(),
        "token_written": session_sealing.write_session_token(token),
        "token_hash": session_sealing.session_token_hash(token).hex(),
        "user": ALICE,
        "workspace": WORKSPACE,
        "epoch": FIRST.epoch,
        "key": FIRST.secret.hex(),
        "check": workspace_keys.check_value(FIRST).hex(),
        "open_nonce": open_nonce.hex(),
        "open_request": session_sealing.seal_for_session(FIRST, token, ALICE, open_nonce).hex(),
        "session_id": context.session_id,
        "expires_at": context.expiry_seconds(),
        "store_aad": context.aad().decode(),
        "store_nonce": seal_nonce.hex(),
        "stored": session_sealing.seal_for_store(FIRST, token, context, seal_nonce).hex(),
    }


def _rewrap() -> Record:
    keys, version = some_keys("alice"), 4
    wrapping = Wrapping(
        salt=some("rewrap salt", 16),
        memory_kib=FLOOR.memory_kib,
        passes=FLOOR.passes,
        lanes=FLOOR.lanes,
        # The signature covers them as they are, so that they need not open.
        wrapped=some("rewrap a") + some("rewrap b") + some("rewrap c", 28),
        recovery_wrapped=some("rewrap d") + some("rewrap e") + some("rewrap f", 28),
    )
    return {
        "user": ALICE,
        "version": version,
        "ed25519_private": some("alice ed25519").hex(),
        "x25519_public": keys.public.x25519.hex(),
        "ed25519_public": keys.public.ed25519.hex(),
        "salt": wrapping.salt.hex(),
        **asdict(FLOOR),
        "wrapped": wrapping.wrapped.hex(),
        "recovery_wrapped": wrapping.recovery_wrapped.hex(),
        "signature": key_wrapping.sign_wrapping(keys, ALICE, version, wrapping).hex(),
    }


def rendered() -> str:
    """The file's text."""
    return json.dumps(vectors(), indent=2, ensure_ascii=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(rendered())
    sys.stdout.write(f"{FILE}\n")
