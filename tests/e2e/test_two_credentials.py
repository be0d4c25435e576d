"""Two Authorization headers: refused on both interfaces, whichever of the two would have been good."""

import httpx2
import pytest
from tests.e2e.conftest import Live
from tests.e2e.mcp_client import LEGACY, MODERN, RawHttp
from tests.e2e.rest_calls import NOBODY, Rest, refusal


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 0)])
@pytest.mark.parametrize("path", ["/me", "/workspaces", f"/workspaces/{NOBODY}/memory/items", "/sign-in"])
def test_rest_takes_one_credential(live: Live, rest: Rest, path: str, order: tuple[int, int]) -> None:
    secrets = (live.token(live.world.bob), "wm_wrong")
    headers = [("Authorization", f"Bearer {secrets[number]}") for number in order]
    answered = httpx2.get(f"{live.url}/api/v1{path}", headers=headers, verify=False)
    assert refusal(answered) == (400, "invalid_request")
    assert "wm_" not in answered.text


def test_a_page_of_one_person_is_refused_under_the_session_of_another(rest: Rest) -> None:
    world = rest.live.world
    bob = rest.signed_in("bob@example.com")
    saved = {"content": "of alice"}
    items = f"/workspaces/{world.workspace}/memory/items"
    for user in (world.alice, "", NOBODY):
        answered = bob.post(items, json=saved, headers={"X-Page-User": user})
        assert refusal(answered) == (401, "not_authenticated"), user
    assert bob.post(items, json=saved, headers={"X-Page-User": world.bob}).status_code == 201


@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 0)])
def test_mcp_takes_one_credential(live: Live, era: str, order: tuple[int, int]) -> None:
    secrets = (live.token(live.world.bob), "wm_wrong")
    answered = httpx2.post(
        live.mcp_url,
        headers=[
            *[("Authorization", f"Bearer {secrets[number]}") for number in order],
            ("Mcp-Protocol-Version", era),
        ],
        json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        verify=False,
    )
    assert (answered.status_code, answered.json()["error"]["data"]["code"]) == (400, "invalid_request")
    assert "wm_" not in answered.text
    assert RawHttp(live.mcp_url, secrets[0]).request("tools/list").status == 200
