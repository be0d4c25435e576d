"""What the web application looks for before an encrypted Save: `python -m tests.architecture.web_secret_patterns`.

The server never sees that text, so that the browser has to warn by the same rules. This writes the patterns, words and
tables of `domain/secret_*.py` and `domain/unveiling.py` as data for `frontend/src/lib/secrets`, and beside it a few
hundred texts with what Python finds in them, which hold the scanner there to this one. The texts are base64, so that
nobody who looks through a repository takes their random tokens for somebody's.
"""

import base64
import html
import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from html import entities
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from tests.architecture.javascript_patterns import javascript
from tests.refusal_cases.clean_texts import clean_cases
from tests.refusal_cases.random_words import ALPHANUMERIC, BASE64, Words
from tests.refusal_cases.secrets_made import secret_cases
from tests.refusal_cases.unseen_clean import unseen_clean_cases
from tests.refusal_cases.unseen_near_misses import unseen_near_misses
from tests.refusal_cases.unseen_secrets import maker_tokens, told_secrets

from workspace_memory.domain import (
    secret_pairs,
    secret_providers,
    secret_sentences,
    secret_shapes,
    secret_values,
    secret_words,
    unveiling,
)
from workspace_memory.domain.secret_scan import find_secret

FOLDER = Path(__file__).parents[2] / "frontend/src/lib/secrets"
PATTERNS = FOLDER / "patterns.json"
CASES = FOLDER / "cases.json"
SEED = 11

# What a module imports from another one is called by where it stands, which comes first.
_MODULES: tuple[ModuleType, ...] = (
    secret_words,
    unveiling,
    secret_values,
    secret_providers,
    secret_sentences,
    secret_shapes,
    secret_pairs,
)
_LATIN_LETTERS = re.compile("[\0-\xff]*")


def patterns() -> dict[str, Any]:
    """All of the data, by what it is."""
    return {
        "patterns": dict(_patterns()),
        "words": dict(_words()),
        "prefixed": list(_prefixed()),
        "marked": [_marked(each) for each in secret_providers.MARKED_SHAPES],
        "places": [
            [rule, list(gates), *javascript(pattern)]
            for rule, gates, pattern in secret_shapes._PLACES  # pyright: ignore[reportPrivateUsage]
        ],
        "keys": [_key(each) for each in secret_words.KEYS],
        "look_alikes": _pairs(unveiling._LOOK_ALIKES),  # pyright: ignore[reportPrivateUsage]
        "letters": _pairs(unveiling._LETTERS),  # pyright: ignore[reportPrivateUsage]
        "entities": dict(_entities()),
        "charrefs": {str(code): said for code, said in html._invalid_charrefs.items()},  # pyright: ignore
        "no_characters": sorted(html._invalid_codepoints),  # pyright: ignore
    }  # fmt: skip


def cases() -> list[list[Any]]:
    """Texts with the rule and the line that are found in them, or null."""
    pick = random.Random(SEED)  # noqa: S311 -- a choice of cases
    secret = [*secret_cases(SEED), *told_secrets(SEED), *maker_tokens(SEED)]
    clean = [
        *clean_cases(SEED),
        *unseen_clean_cases(SEED),
        *(("near_miss", text) for text in unseen_near_misses()),
    ]
    chosen = [*_some_of_each(secret, 300, pick), *_some_of_each(clean, 260, pick)]
    return [_case(kind, text) for kind, text in [*chosen, *(("edge", text) for text in _edges())]]


def rendered(value: dict[str, Any] | list[Any]) -> str:
    """JSON with one entry of each table on a line, so that a change shows where it is."""
    if isinstance(value, list):
        return "[\n" + ",\n".join(_compact(each) for each in value) + "\n]\n"
    tables = (f"{json.dumps(name)}: {_table(table)}" for name, table in value.items())
    return "{\n" + ",\n".join(tables) + "\n}\n"


def _patterns() -> Iterable[tuple[str, list[str]]]:
    for name, value in _constants():
        if isinstance(value, re.Pattern):
            yield name, list(javascript(cast("re.Pattern[str]", value)))


def _words() -> Iterable[tuple[str, str]]:
    """The sets: of words, divided by blanks, or of characters."""
    for name, value in _constants():
        if isinstance(value, frozenset):
            members = sorted(cast("frozenset[str]", value))
            yield name, ("" if all(len(each) == 1 for each in members) else " ").join(members)


def _constants() -> Iterable[tuple[str, Any]]:
    told: list[Any] = []
    for module in _MODULES:
        for name, value in sorted(vars(module).items()):
            if isinstance(value, (re.Pattern, frozenset)) and not any(value is each for each in told):
                told.append(value)
                yield _called(module, name), value


def _called(module: ModuleType, name: str) -> str:
    return f"{module.__name__.rpartition('.')[2]}.{name}"


def _marked(shape: "secret_providers._Shape") -> list[str | None]:  # pyright: ignore[reportPrivateUsage]
    before = None if shape.before is None else javascript(shape.before)[0]
    return [shape.rule, shape.anchor, before, javascript(shape.after)[0]]


def _prefixed() -> Iterable[list[str]]:
    """Rule, anchors divided by blanks, what follows. Shapes side by side that differ in the anchor alone are one."""
    last: list[str] = []
    for shape in secret_providers.PREFIXED_SHAPES:
        after = javascript(shape.after)[0]
        if last and (last[0], last[2]) == (shape.rule, after):
            last[1] += f" {shape.anchor}"
            continue
        if last:
            yield last
        last = [shape.rule, shape.anchor, after]
    yield last


def _key(key: secret_words.Key) -> list[Any]:
    marks = "".join(
        mark
        for mark, is_set in zip("ispa", (key.inside, key.said, key.pair, key.alone), strict=True)
        if is_set
    )
    before = None if key.before is None else javascript(key.before)[0]
    return [key.stem, javascript(key.pattern)[0], key.digits_min, marks, before]


def _pairs(table: Mapping[int, str | int]) -> list[str]:
    """What is replaced, and by what, character by character."""
    said = [value if isinstance(value, str) else chr(value) for value in table.values()]
    return ["".join(map(chr, table)), "".join(said)]


def _entities() -> Iterable[tuple[str, str]]:
    """The entities whose characters keys and values are written with: Latin ones, look-alikes, invisible ones."""
    for name, said in sorted(entities.html5.items()):
        if _LATIN_LETTERS.fullmatch(unveiling.plain_view(said).text):
            yield name, said


def _some_of_each(found: Sequence[tuple[str, str]], count: int, pick: random.Random) -> list[tuple[str, str]]:
    """So many of them, each kind about as often as it occurs, and at least once."""
    kinds: dict[str, list[tuple[str, str]]] = {}
    for kind, text in found:
        kinds.setdefault(kind, []).append((kind, text))
    chosen: list[tuple[str, str]] = []
    for each in kinds.values():
        chosen += pick.sample(each, max(1, round(len(each) * count / len(found))))
    return chosen


def _edges() -> Iterable[str]:
    """What a choice at random may leave out: cut keys, written by numbers, in base64, and what only looks like one."""
    words = Words(SEED)
    key = "AKIA" + words.of("ABCDEFGHJKLMNPQRSTUVWXYZ234567", 15) + "7"
    for shape in _CUT:
        yield shape.format(key[:10], key[10:])
    told = f"password: {words.token(6)}!42"
    yield "first line\n" + "".join(f"%{ord(each):02X}" for each in told)
    yield "first line\n" + "".join(f"%25{ord(each):02x}" for each in told)
    yield "".join(f"\\x{ord(each):02x}" for each in told)
    yield "".join(f"\\u{{{ord(each):x}}}" for each in told)
    harmless = [
        base64.b64encode(f"a harmless text, number {number}".encode()).decode() for number in range(9)
    ]
    coded = base64.b64encode(told.encode()).decode()
    yield " ".join([*harmless[:3], coded])
    yield " ".join([*harmless, coded])
    # No text: a control character stands in it.
    yield base64.b64encode(f"\x01{told}".encode()).decode()
    lines = words.base64_lines(192)
    yield f"-----\n{lines}\n{words.of(BASE64, 40)}\n-----"
    yield f"the word {words.of(BASE64, 48)} alone"
    # How a public key begins, and how a private one does.
    yield f"from the log: MIIBIjANBgkqhkiG9w0BAQEFAAOC{words.of(ALPHANUMERIC, 60)}"
    yield f"from the log: MIIEpAIBAAKCAQEA{words.of(ALPHANUMERIC, 60)}"
    yield f"signing key {words.of('0123456789ABCDEF', 40)}"
    yield f"signing key: {words.of('0123456789ABCDEF', 40)}"
    yield from (f"the password is {word}" for word in ("letmein", "hunter2", "trustno1", "swordfish"))
    yield from (
        f"password: {word}" for word in ("letmein", "hunter2", "xQzzRtBnnKLp", "correct-horse-battery")
    )
    yield from (
        f"{call} = {words.token(20)}" for call in ("token(x)", "password[0]", "passwd.5.xml", "password")
    )
    yield from (
        f"{key}: {number}" for key in ("pin", "Passwort", "password") for number in ("204", "48213", "482139")
    )
    yield from ("pin 4821 digits", "pin: 4821 Zeichen", "pin 4821", "暗証番号は4821です")


# Of a fixed length, so that it matters where it ends.
_CUT = (
    "the key is {0}\n{1} for production",
    "Parts:\n1. {0}\n2. {1}\n3. done",
    "| key | {0} | {1} | production |",
    "| key | {0} |\n|---|---|\n| rest | {1} |\n| env | production |",
    "key\t{0}\t{1}\tproduction",
    '"{0}" + "{1}"',
    "x{0}{1}",
)


def _case(kind: str, text: str) -> list[Any]:
    found = find_secret(text)
    return [kind, base64.b64encode(text.encode()).decode(), found and found.rule, found and found.line]


def _table(table: Any) -> str:
    if isinstance(table, dict):
        table = cast("dict[str, Any]", table)
        return (
            "{\n"
            + ",\n".join(f"{json.dumps(name)}: {_compact(each)}" for name, each in table.items())
            + "\n}"
        )
    if table and isinstance(table[0], list):
        return "[\n" + ",\n".join(map(_compact, table)) + "\n]"
    return _compact(table)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    PATTERNS.write_text(rendered(patterns()))
    CASES.write_text(rendered(cases()))
