"""The few shapes of the protocol that are written by hand, held against the SDK's."""

import json

import pytest
from mcp import types
from mcp_types import methods, version
from mcp_types.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
)

from workspace_memory.mcp import identity, protocol
from workspace_memory.mcp.protocol import (
    Answer,
    call_result,
    discover_result,
    error_response,
    initialize_result,
    list_result,
    response,
)
from workspace_memory.mcp.schemas import FORGET, SAVE_ANYWHERE
from workspace_memory.tools.memory_search import SEARCH

VERSIONS = [*identity.HANDSHAKE_VERSIONS, identity.MODERN_VERSION]
ANSWERS = [Answer('{"a":"ä"}'), Answer("not so \ud83d", is_error=True)]


def without_stamp(result: str) -> dict[str, object]:
    read: dict[str, object] = json.loads(result)
    read.pop("_meta", None)
    return read


def test_the_revisions_are_those_of_the_sdk() -> None:
    assert identity.HANDSHAKE_VERSIONS == version.HANDSHAKE_PROTOCOL_VERSIONS
    assert (identity.MODERN_VERSION,) == version.MODERN_PROTOCOL_VERSIONS
    assert identity.ASSUMED_VERSION == types.DEFAULT_NEGOTIATED_VERSION


def test_the_error_codes_and_keys_are_those_of_the_sdk() -> None:
    assert [protocol.PARSE_ERROR, protocol.INVALID_REQUEST, protocol.METHOD_NOT_FOUND] == [
        PARSE_ERROR,
        INVALID_REQUEST,
        METHOD_NOT_FOUND,
    ]
    assert [protocol.INVALID_PARAMS, protocol.INTERNAL_ERROR] == [INVALID_PARAMS, INTERNAL_ERROR]
    assert protocol.UNSUPPORTED_PROTOCOL_VERSION == UNSUPPORTED_PROTOCOL_VERSION
    assert protocol.PROTOCOL_VERSION_KEY == types.PROTOCOL_VERSION_META_KEY
    assert protocol.CLIENT_CAPABILITIES_KEY == types.CLIENT_CAPABILITIES_META_KEY
    assert protocol.SERVER_INFO_KEY == types.SERVER_INFO_META_KEY


@pytest.mark.parametrize("revision", VERSIONS)
def test_lists_and_answers_have_the_shape_of_every_revision(revision: str) -> None:
    shaped = {
        "tools/list": [list_result([SEARCH, SAVE_ANYWHERE, FORGET], revision), list_result([], revision)],
        "tools/call": [call_result(answer, revision) for answer in ANSWERS],
    }
    for method, results in shaped.items():
        for result in map(without_stamp, results):
            assert methods.serialize_server_result(method, revision, result) == result


def test_the_handshake_has_its_shape() -> None:
    for revision in identity.HANDSHAKE_VERSIONS:
        result = without_stamp(initialize_result(revision))
        assert methods.serialize_server_result("initialize", revision, result) == result
        assert result["protocolVersion"] == revision
    result = without_stamp(discover_result())
    assert methods.serialize_server_result("server/discover", identity.MODERN_VERSION, result) == result


@pytest.mark.parametrize("asked", ["2031-01-01", "2026-07-28", None, 7, ["x"]])
def test_an_unknown_revision_is_answered_with_the_latest_handshake(asked: object) -> None:
    assert json.loads(initialize_result(asked))["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("identifier", [1, "ä", "\ud83d", 'a"b'])
def test_a_response_carries_the_id_as_it_came(identifier: str | int) -> None:
    assert json.loads(response(identifier, "{}"))["id"] == identifier
    assert json.loads(error_response(identifier, 1, "\ud83d"))["id"] == identifier
