"""What a model is told about items."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from workspace_memory.domain.ids import ItemId, ItemVersion, UserId, WorkspaceId
from workspace_memory.domain.item import Kind, MemoryItem, Scope, Status
from workspace_memory.domain.paging import AfterCount, encode_cursor
from workspace_memory.mcp.presenting import chatgpt_found_answer, chatgpt_item_answer, saved_answer
from workspace_memory.services.finding import Found, FoundPage
from workspace_memory.services.saving import Outcome, Saved
from workspace_memory.tools.found_items import ANSWER_BYTES_MAX, age_in_words, found_answer

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
BOB = UserId("bob")
AN_ITEM = MemoryItem(
    workspace=WorkspaceId("w"),
    id=ItemId("i"),
    scope=Scope.PERSONAL,
    owner=BOB,
    kind=Kind.NOTE,
    content="likes tea",
    tags=(),
    status=Status.ACTIVE,
    source="Desktop",
    author=BOB,
    author_name="bob",
    approver=None,
    approver_name=None,
    created_at=NOW,
    updated_at=NOW,
    review_by=None,
    version=ItemVersion(1),
)


def after(number: int) -> str:
    return encode_cursor(AfterCount(number), "query")


def a_page(*contents: str, more: bool = False) -> FoundPage:
    found = [
        Found(replace(AN_ITEM, content=content), 1.23456, AfterCount(number), "query")
        for number, content in enumerate(contents)
    ]
    return FoundPage(found, more, NOW)


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=119), "1 hour ago"),
        (timedelta(days=3, hours=5), "3 days ago"),
        (timedelta(days=59), "1 month ago"),
        (timedelta(days=800), "2 years ago"),
    ],
)
def test_an_age_is_told_in_words(ago: timedelta, words: str) -> None:
    assert age_in_words(NOW - ago, NOW) == words


@pytest.mark.parametrize("letter", ["x", "ä", "茶", "😀", '"', "\n"])
def test_an_answer_is_cut_after_a_whole_item_and_goes_on_from_there(letter: str) -> None:
    answer = found_answer(a_page(*[letter * 2_000] * 50))
    shown = json.loads(answer)
    assert len(answer.encode()) <= ANSWER_BYTES_MAX
    assert shown["next_cursor"] == after(len(shown["items"]) - 1)
    assert 0 < len(shown["items"]) < 50


def test_the_last_page_has_no_cursor() -> None:
    assert "next_cursor" not in json.loads(found_answer(a_page("tea")))
    assert json.loads(found_answer(a_page("tea", more=True)))["next_cursor"] == after(0)


def test_an_approver_is_named_only_when_there_is_one() -> None:
    (plain,) = json.loads(found_answer(a_page("tea")))["items"]
    approved = replace(AN_ITEM, approver=BOB, approver_name="bob")
    (company,) = json.loads(
        found_answer(FoundPage([Found(approved, 0, AfterCount(1), "query")], more=False, as_of=NOW))
    )["items"]
    assert ("approver" in plain, company["approver"]) == (False, "bob")


def test_an_author_whose_account_is_gone_is_a_former_member() -> None:
    orphan = replace(AN_ITEM, author=None, author_name=None)
    (item,) = json.loads(
        found_answer(FoundPage([Found(orphan, 0, AfterCount(1), "query")], more=False, as_of=NOW))
    )["items"]
    assert item["author"] == "a former member"


@pytest.mark.parametrize("outcome", list(Outcome))
@pytest.mark.parametrize("scope", list(Scope))
def test_every_outcome_is_told_in_a_sentence(outcome: Outcome, scope: Scope) -> None:
    answer = json.loads(saved_answer(Saved(replace(AN_ITEM, scope=scope), outcome)))
    assert answer["message"].endswith(".")
    assert answer["outcome"] == outcome.value


def test_a_title_for_chatgpt_is_one_short_line() -> None:
    (result,) = json.loads(chatgpt_found_answer(a_page("two\nlines " * 30), address="https://h"))["results"]
    assert result["title"].startswith("two lines two")
    assert ("\n" in result["title"], len(result["title"]) <= 80) == (False, True)


def test_a_link_for_chatgpt_leads_to_the_item_or_just_names_it() -> None:
    urls = [json.loads(chatgpt_item_answer(AN_ITEM, address=address))["url"] for address in ("https://h", "")]
    assert urls == ["https://h/api/v1/workspaces/w/memory/items/i", "urn:uuid:i"]
