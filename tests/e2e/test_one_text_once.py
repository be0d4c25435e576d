"""One text once, and the kind that is kept, as REST and MCP answer it."""

import pytest
from tests.e2e.conftest import Live
from tests.e2e.mcp_client import ERAS, call, structured
from tests.e2e.rest_calls import Rest, body_of, refusal, save


def test_an_edit_into_the_text_of_another_item_is_409_and_names_it(rest: Rest) -> None:
    carol = rest.by(rest.live.world.carol)
    tea, coffee = save(carol, "likes green tea"), save(carol, "likes coffee")
    answered = carol.patch(
        f"/memory/items/{coffee['id']}", json={"content": "Likes green tea"}, headers={"If-Match": '"1"'}
    )
    assert refusal(answered) == (409, "already_saved")
    assert body_of(answered)["item"] == tea["id"]


def test_replacing_by_the_text_of_another_item_is_200_and_that_item(rest: Rest) -> None:
    carol = rest.by(rest.live.world.carol)
    tea, coffee = save(carol, "likes green tea"), save(carol, "likes coffee")
    answered = carol.post("/memory/items", json={"content": "Likes green tea", "replaces": coffee["id"]})
    assert (answered.status_code, body_of(answered)["outcome"]) == (200, "already_saved")
    assert body_of(answered)["item"] == tea


def test_rest_keeps_the_kind_of_what_is_replaced(rest: Rest) -> None:
    carol = rest.by(rest.live.world.carol)
    fact = save(carol, "was born in may", kind="fact")
    answered = carol.post("/memory/items", json={"content": "was born in june", "replaces": fact["id"]})
    assert body_of(answered)["outcome"] == "replaced"
    assert carol.get(f"/memory/items/{fact['id']}").json()["kind"] == "fact"
    assert save(carol, "likes tea")["kind"] == "note"


@pytest.mark.parametrize("era", ERAS)
def test_mcp_keeps_the_kind_of_what_is_replaced(live: Live, rest: Rest, era: str) -> None:
    token = live.token(live.world.carol)
    fact = structured(
        call(live.mcp_url, token, "memory_save", {"content": "was born in may", "kind": "fact"}, era)
    )
    changed = call(
        live.mcp_url, token, "memory_save", {"content": "was born in june", "replaces": fact["id"]}, era
    )
    assert structured(changed)["outcome"] == "replaced"
    carol = rest.by(live.world.carol)
    assert carol.get(f"/memory/items/{fact['id']}").json()["kind"] == "fact"
