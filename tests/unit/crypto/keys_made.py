"""The cast with keys, and what several tests of this folder do with bytes."""

from collections.abc import Iterator

from workspace_memory.crypto.user_keys import UserKeys, new_user_keys
from workspace_memory.crypto.workspace_keys import WorkspaceKey, new_workspace_key
from workspace_memory.domain.ids import UserId, WorkspaceId

WORKSPACE, ELSEWHERE = WorkspaceId("w-1"), WorkspaceId("w-2")
ALICE, BOB, MALLORY = UserId("alice"), UserId("bob"), UserId("mallory")
ALICE_KEYS, BOB_KEYS, MALLORY_KEYS = new_user_keys(), new_user_keys(), new_user_keys()
KEY = new_workspace_key(WORKSPACE)


def key_of(workspace: WorkspaceId, epoch: int, like: WorkspaceKey = KEY) -> WorkspaceKey:
    """The same secret under another name."""
    return WorkspaceKey(workspace, epoch, like.secret)


def keys_of(user: UserId) -> UserKeys:
    """Whose keys they are."""
    return {ALICE: ALICE_KEYS, BOB: BOB_KEYS, MALLORY: MALLORY_KEYS}[user]


def tampered(raw: bytes) -> Iterator[bytes]:
    """Every value that differs in one bit of one byte, and the ones that are cut short or longer."""
    for place in range(len(raw)):
        yield raw[:place] + bytes([raw[place] ^ 1 << place % 8]) + raw[place + 1 :]
    for length in range(len(raw)):
        yield raw[:length]
    yield raw + b"\x00"
