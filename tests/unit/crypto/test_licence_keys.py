"""Licence keys: only the issuer's signature over the very payload counts."""

import pytest

from workspace_memory.crypto.licence_keys import NotSigned, new_issuer, sign, signed_payload

PAYLOAD = b'{"plan":"enterprise"}'


@pytest.fixture(scope="module")
def issuer() -> tuple[str, str]:
    return new_issuer()


def test_a_signed_payload_is_read_back(issuer: tuple[str, str]) -> None:
    private, public = issuer
    assert signed_payload(f" {sign(PAYLOAD, private)}\n", public) == PAYLOAD


def test_another_issuers_key_does_not_count(issuer: tuple[str, str]) -> None:
    with pytest.raises(NotSigned):
        signed_payload(sign(PAYLOAD, new_issuer()[0]), issuer[1])


def test_every_changed_character_is_noticed(issuer: tuple[str, str]) -> None:
    key = sign(PAYLOAD, issuer[0])
    # The last character of a part carries bits that no byte has, so that it may be written in several ways.
    places = [place for place in range(len(key)) if place + 1 < len(key) and key[place + 1] != "."]
    for place in places:
        changed = key[:place] + ("A" if key[place] != "A" else "B") + key[place + 1 :]
        with pytest.raises(NotSigned):
            signed_payload(changed, issuer[1])


@pytest.mark.parametrize(
    "key", ["", ".", "wml1", "wml1..", "wml1.a.b", "wml1.é.ü", "x" * 10_000, "wml2.e30.e30"]
)
def test_what_is_no_key_is_refused(issuer: tuple[str, str], key: str) -> None:
    with pytest.raises(NotSigned):
        signed_payload(key, issuer[1])


@pytest.mark.parametrize("public", ["", "short", "é"])
def test_without_the_issuers_key_nothing_counts(issuer: tuple[str, str], public: str) -> None:
    with pytest.raises(NotSigned):
        signed_payload(sign(PAYLOAD, issuer[0]), public)


@pytest.mark.parametrize("private", ["", "short"])
def test_what_is_no_private_key_signs_nothing(private: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  the class is what the caller is told of
        sign(PAYLOAD, private)
