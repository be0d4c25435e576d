"""What may be saved, and when two texts are the same."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.domain.errors import InvalidRequest, QuotaExceeded
from workspace_memory.domain.item import (
    Kind,
    Scope,
    Status,
    check_content,
    check_quota,
    check_tags,
    content_key,
    draft,
    tag_key,
)

ASTRAL = "😀"
LONGER_IN_NFC = "\ufb2c"  # a Hebrew letter that NFC takes apart into three
ROUND = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60)


def reason(content: str) -> str:
    with pytest.raises(InvalidRequest) as refused:
        check_content(content)
    assert refused.value.field == "content"
    return refused.value.reason


@pytest.mark.requirement("items:model:kind-is-fact-preference-or-note")
def test_there_are_three_kinds() -> None:
    assert [kind.value for kind in Kind] == ["fact", "preference", "note"]


@pytest.mark.requirement("items:model:kind-is-fact-preference-or-note")
def test_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="rumour"):
        Kind("rumour")


@pytest.mark.requirement("items:model:scope-is-personal-or-organization")
def test_there_are_two_scopes() -> None:
    assert [scope.value for scope in Scope] == ["personal", "organization"]


@pytest.mark.requirement("items:model:scope-is-personal-or-organization")
def test_another_scope_is_refused() -> None:
    with pytest.raises(ValueError, match="team"):
        Scope("team")


@pytest.mark.requirement("items:model:status-is-active-pending-or-rejected")
def test_there_are_three_statuses() -> None:
    assert [status.value for status in Status] == ["active", "pending", "rejected"]


@pytest.mark.requirement("items:model:content-up-to-2000-characters")
@pytest.mark.parametrize("character", ["x", "ß", "雾", ASTRAL])
def test_2000_characters_are_kept_whole(character: str) -> None:
    assert check_content(character * 2_000) == character * 2_000


@pytest.mark.requirement("items:model:content-up-to-2000-characters")
@pytest.mark.parametrize("character", ["x", "雾", ASTRAL])
def test_2001_characters_are_refused_with_the_limit(character: str) -> None:
    assert "at most 2,000" in reason(character * 2_001)


def test_characters_are_counted_after_they_are_composed() -> None:
    assert check_content("u\u0308" * 2_000) == "ü" * 2_000


def test_four_characters_that_become_one_count_as_one() -> None:
    assert check_content("\u03b1\u0313\u0300\u0345" * 2_000) == "\u1f82" * 2_000


def test_a_text_that_is_too_long_only_in_nfc_is_refused() -> None:
    assert "2,001 characters" in reason(LONGER_IN_NFC * 667)


def test_a_long_run_of_combining_marks_is_refused_without_the_work() -> None:
    # NFC of this takes minutes: its cost grows with the square of the run.
    started = time.process_time()
    reason("a" + "\u0301\u0316" * 100_000)
    assert time.process_time() - started < 1


@pytest.mark.parametrize("content", ["", " ", "\n\t ", "\u3000", "\u00a0"])
def test_nothing_but_white_space_is_refused(content: str) -> None:
    assert reason(content) == "must not be empty"


def test_a_nul_is_refused() -> None:
    assert "NUL" in reason("tea\0")


@pytest.mark.parametrize("half", ["\ud800", "tea \udc80"])
def test_half_a_surrogate_pair_is_refused(half: str) -> None:
    assert "surrogate" in reason(half)


@given(ROUND)
def test_a_text_is_kept_to_the_byte_apart_from_nfc(text: str) -> None:
    if text.strip():
        assert check_content(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("text", [" edges \n", "a\r\nb", "a\u200bb", "ﬁ Ａ ²", "I\u0307"])
def test_blanks_line_ends_widths_and_invisible_marks_stay(text: str) -> None:
    assert check_content(text) == unicodedata.normalize("NFC", text)


@pytest.mark.requirement("items:unit:save-cleans-the-tags")
def test_tags_are_trimmed_and_composed() -> None:
    assert check_tags([" tea ", "Mu\u0308nchen"]) == ("tea", "München")


@pytest.mark.requirement("items:unit:save-cleans-the-tags")
def test_of_tags_that_differ_in_case_the_first_is_kept() -> None:
    assert check_tags(["Tea", "TEA", "tea", "Coffee"]) == ("Tea", "Coffee")


@pytest.mark.requirement("items:limit:10-tags-per-item")
def test_10_tags_are_kept_in_their_order() -> None:
    tags = [f"tag {number}" for number in range(10)]
    assert check_tags(tags) == tuple(tags)


@pytest.mark.requirement("items:limit:10-tags-per-item")
def test_11_tags_are_refused_with_the_limit() -> None:
    with pytest.raises(InvalidRequest, match="at most 10 tags"):
        check_tags([f"tag {number}" for number in range(11)])


def test_11_tags_of_which_two_are_the_same_are_kept() -> None:
    assert len(check_tags([*(f"tag {number}" for number in range(10)), "TAG 0"])) == 10


def test_a_tag_of_50_characters_is_kept() -> None:
    assert check_tags(["ü" * 50]) == ("ü" * 50,)


@pytest.mark.parametrize(
    "tag", ["", "  ", "x" * 51, "two\nlines", "a\x07", "a\0", "\ud800", "a" + "\u0301\u0316" * 100_000]
)
def test_a_tag_that_cannot_be_one_is_refused(tag: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_tags([tag])
    assert refused.value.field == "tags"


def test_tags_are_compared_without_case_and_composition() -> None:
    assert tag_key(" MU\u0308NCHEN ") == tag_key("münchen")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Likes tea", "likes TEA"),
        ("likes  tea\n", " likes tea"),
        ("München", "Mu\u0308nchen"),
        ("STRASSE", "straße"),
        ("ＡＢＣ", "abc"),
    ],
)
def test_texts_that_differ_in_form_only_have_one_key(one: str, other: str) -> None:
    assert content_key(one) == content_key(other)


@given(st.text(st.characters(max_codepoint=127)))
def test_the_key_of_a_plain_text_is_that_of_its_wide_form(text: str) -> None:
    wide = text.translate({number: number + 0xFEE0 for number in range(0x21, 0x7F)})
    assert content_key(wide) == content_key(text)


@pytest.mark.parametrize(("one", "other"), [("likes tea", "likes tee"), ("resume", "resumé"), ("a b", "ab")])
def test_texts_that_differ_in_letters_have_two_keys(one: str, other: str) -> None:
    assert content_key(one) != content_key(other)


@pytest.mark.requirement("items:model:tags-are-kept")
def test_a_draft_carries_what_was_given() -> None:
    made = draft("tea", kind=Kind.FACT, scope=Scope.ORGANIZATION, tags=["Drinks"])
    assert (made.content, made.kind, made.scope, made.tags) == (
        "tea",
        Kind.FACT,
        Scope.ORGANIZATION,
        ("Drinks",),
    )


def test_the_default_is_personal_and_of_no_said_kind() -> None:
    assert (draft("tea").kind, draft("tea").scope) == (None, Scope.PERSONAL)


@pytest.mark.requirement("items:limit:1000-personal-items-per-member")
@pytest.mark.parametrize(("have", "adding", "fits"), [(999, 1, True), (1_000, 1, False), (500, 501, False)])
def test_1000_personal_items_fit(have: int, adding: int, fits: bool) -> None:
    assert quota_holds(Scope.PERSONAL, personal=have, workspace=have, adding=adding) is fits


@pytest.mark.requirement("items:limit:20000-items-per-workspace")
@pytest.mark.parametrize("scope", list(Scope))
@pytest.mark.parametrize(("have", "fits"), [(19_999, True), (20_000, False)])
def test_20000_items_of_either_scope_fit(scope: Scope, have: int, fits: bool) -> None:
    assert quota_holds(scope, personal=0, workspace=have) is fits


def test_company_items_do_not_count_as_personal_ones() -> None:
    assert quota_holds(Scope.ORGANIZATION, personal=1_000, workspace=1_000)


def test_a_reached_limit_says_that_retrying_is_useless() -> None:
    with pytest.raises(QuotaExceeded, match=r"limit of 1,000 .* Retrying is useless"):
        check_quota(scope=Scope.PERSONAL, personal_items=1_000, workspace_items=1_000)


def quota_holds(scope: Scope, *, personal: int, workspace: int, adding: int = 1) -> bool:
    try:
        check_quota(scope=scope, personal_items=personal, workspace_items=workspace, adding=adding)
    except QuotaExceeded:
        return False
    return True
