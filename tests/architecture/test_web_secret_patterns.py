"""The web application warns of the same secrets as the server refuses: its data are those of the scanner as it is."""

import re

import pytest
from tests.architecture.javascript_patterns import javascript
from tests.architecture.web_secret_patterns import CASES, PATTERNS, cases, patterns, rendered

_ANEW = "python -m tests.architecture.web_secret_patterns writes them anew"


def test_the_patterns_of_the_web_application_are_those_of_the_scanner() -> None:
    assert rendered(patterns()) == PATTERNS.read_text(), _ANEW


def test_the_cases_of_the_web_application_are_what_the_scanner_finds_now() -> None:
    assert rendered(cases()) == CASES.read_text(), _ANEW


def test_no_text_of_the_cases_can_be_taken_for_somebodys_token() -> None:
    assert not re.search(r"ghp_|AKIA|sk-|BEGIN", CASES.read_text())


@pytest.mark.parametrize(
    ("source", "written"),
    [
        (r"a(?i:b)", ("a(?:[Bb])", "u")),
        (r"(?i)ab", ("ab", "iu")),
        (r"(?i)a(?-i:B)", ("[Aa](?:B)", "u")),
        (r"(?i:[a-f])", ("(?:[A-Fa-f])", "u")),
        (r"(?P<x>\d)+?", (r"(?<x>[\p{Nd}])+?", "u")),
        (r"^a$", (r"^a(?=\n?$)", "u")),
        (r"(?s:.).", (r"(?:[\s\S])[^\n]", "u")),
        (r"(ab|c)\1{2,}", (r"((?:ab|c))(?:\1(?:)){2,}", "u")),
        (r"[^\w-]", (r"[^\p{L}\p{N}_\-]", "u")),
    ],
)
def test_a_pattern_is_written_for_javascript(source: str, written: tuple[str, str]) -> None:
    assert javascript(re.compile(source)) == written


@pytest.mark.parametrize("source", [r"(?m)^a", r"a\B", r"(a)?(?(1)b|c)"])
def test_a_pattern_without_a_counterpart_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="no counterpart"):
        javascript(re.compile(source))
