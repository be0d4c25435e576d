"""Random secrets and their hashes."""

import hashlib
import re

import pytest

from workspace_memory.crypto.tokens import LINK_PREFIX, SESSION_PREFIX, TOKEN_PREFIX, new_secret, secret_hash


@pytest.mark.parametrize("prefix", [TOKEN_PREFIX, SESSION_PREFIX, LINK_PREFIX])
def test_a_secret_is_its_prefix_and_256_random_bits(prefix: str) -> None:
    assert re.fullmatch(rf"{prefix}[A-Za-z0-9_-]{{43}}", new_secret(prefix))


def test_the_prefixes_differ() -> None:
    assert len({TOKEN_PREFIX, SESSION_PREFIX, LINK_PREFIX}) == 3


def test_no_secret_comes_twice() -> None:
    assert len({new_secret(TOKEN_PREFIX) for _ in range(1_000)}) == 1_000


def test_the_hash_is_sha_256() -> None:
    assert secret_hash("wm_pat_tea") == hashlib.sha256(b"wm_pat_tea").digest()


def test_any_text_has_a_hash() -> None:
    assert len(secret_hash("\ud800")) == 32
