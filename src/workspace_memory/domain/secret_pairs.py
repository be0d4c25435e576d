"""Values that the words around them announce: `password: …`, "das Passwort lautet …", a column of a table.

Pure. The keys and what is none stand in `secret_words.py`, the judgement of the value in `secret_values.py`. Each
key is looked for by its stem, and only a short piece of text around it is read: the work stays in proportion to
the length of the text, whatever stands in it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workspace_memory.domain import secret_sentences as sentences
from workspace_memory.domain.secret_values import Strength, looks_like_phrase, looks_like_value
from workspace_memory.domain.secret_words import KEYS, NO_CREDENTIAL, NOT_THE_VALUE, UNITS, Key

_WINDOW = 160
# The address of a badge carries a token that is public on purpose.
_BADGE = re.compile(r"(?:badge|shield)[\w./-]{0,30}\?(?:[\w=&-]{0,30}&)?$")
# Within the name of a cloud's resource: arn:aws:secretsmanager:…:secret:…
_RESOURCE = re.compile(r"\barn:[\w:/-]*$")
# key_length(, pin[0], passwd.5.xml: a function, an array, a file.
_CALL_OR_INDEX = re.compile(r"\w+\(|\w*\[\w|(?:\.\d\w?|\.(?:[ch]|xml|py|js|ts|go|rs|java|md|html?|txt)\b)+")
_QUOTES = "\"'`「『“"
_PHRASE_STEMS = ("passphrase", "phrase", "パスフレーズ", "合言葉")
_QUOTED = re.compile(r"(?P<value>[^\"'`「」『』“”\n]{4,120})[\"'`」』”]")
_BARE = re.compile(r"[^\s\"'`<>|「」『』“”、。]{4,512}")
_PARTNER = re.compile(
    r"(?!\S{0,40}://|[@<{$])[^\s/|,]{2,40}[\"'`]?(?:[ \t]*(?:[/|,]|:(?!//))[ \t]*|[ \t]+(?:and|und|e|y|et|with"
    r"|mit|con|avec)[ \t]+)"
    r"(?:(?:password|passwort|kennwort|pass|pw|pwd|contraseña|mot de passe|mdp)[ \t:=]{0,3})?[\"'`]?"
)
_FIELD = re.compile(r"[&,](?=[A-Za-z][\w.-]*=)")
# --password VALUE: the dashes before the key, the blank behind it.
_FLAG = re.compile(r"(?:^|\s)--?[\w-]*$")
_FLAG_GAP = re.compile(r"[ \t]+[\"']?")
# The bound of a version, as in urllib3<2.
_REQUIREMENT = re.compile(r"[<>]=?\d")
# A fingerprint of a public key, as OpenPGP prints it.
_FINGERPRINT = re.compile(r"(?:[0-9A-F]{16}|[0-9A-F]{40})")
_KANA = re.compile(r"[぀-ヿ一-鿿].*", re.S)
_CELLS = re.compile(r"[|,;\t]")
_HEAD_KEY = re.compile(
    r"(?:.*[ _-])?(?:passwor[dt]|passwd|pwd|pw|passphrase|passcode|kennwort|pin|api[ _-]?key|token|secret"
    r"|secret[ _-]key"
    r"|access[ _-]key|credentials?|parola d'ordine|contraseña|clave|mot de passe|mdp|パスワード"
    r"|暗証番号|apiキー|トークン)s?"
)


@dataclass(frozen=True, slots=True)
class _Place:
    key: Key
    start: int
    end: int


def announced_values(text: str) -> Iterator[tuple[str, int]]:
    """The rule and offset of each value that words announce."""
    lower = text.lower()
    if len(lower) != len(text):  # a few capitals grow when lowered; the offsets would no longer fit
        lower = "".join(low if len(low := character.lower()) == 1 else character for character in text)
    seen: set[tuple[int, bool]] = set()
    for key in KEYS:
        position = lower.find(key.stem)
        while position >= 0:
            place = _place(key, text, lower, position)
            if place is not None and (place.end, key.alone) not in seen:
                seen.add((place.end, key.alone))
                if (offset := _value_near(place, text)) is not None:
                    yield "password_or_key", offset
            position = lower.find(key.stem, position + len(key.stem))
    if seen:
        yield from _columns(text, lower)


def _place(key: Key, text: str, lower: str, position: int) -> _Place | None:
    match = key.pattern.match(lower, position)
    if match is None:
        return None
    if key.before is not None and not key.before.search(lower, max(0, position - 32), position):
        return None
    if position and not key.inside and lower[position - 1].isalpha():
        camel = text[position].isupper() and text[position - 1].islower()
        caps = text[position : match.end()].isupper() and text[position - 1].isupper()
        if not camel and not caps:
            return None
    if _CALL_OR_INDEX.match(text, match.end()):
        return None
    if NOT_THE_VALUE.match(lower, match.end()) or _RESOURCE.search(lower, max(0, position - 120), position):
        return None
    if key.stem == "token" and (
        _BADGE.search(lower, max(0, position - 60), position)
        or NO_CREDENTIAL.search(text, max(0, position - 32), position)
    ):
        return None
    return _Place(key, position, match.end())


def _value_near(place: _Place, text: str) -> int | None:
    key = place.key
    after = sentences.AFTER_KEY.match(text, place.end, place.end + _WINDOW)
    ends = {place.end, after.end() if after else place.end}
    flag = _FLAG.search(text[max(0, place.start - 24) : place.start]) is not None
    for end in sorted(ends, reverse=True):
        window = end + _WINDOW
        if (sign := sentences.ASSIGNED.match(text, end, window)) is not None:
            return _judge(key, text, sign.end(), Strength.ASSIGNED)
        if flag and (gap := _FLAG_GAP.match(text, end, window)) is not None:
            return _judge(key, text, gap.end(), Strength.ASSIGNED)
        said = sentences.SAID.match(text, end, window) if key.said else None
        if said is not None and (offset := _judge(key, text, said.end(), Strength.SAID)) is not None:
            return offset
        sign = sentences.QUALIFIED.match(text, end, window) if key.said or key.pair else None
        if sign is not None and not sentences.OTHER_THING.search(sign.group()):
            assigned = sign["sign"].strip()[-1:] in (":", "=", ">")
            strength = Strength.ASSIGNED if assigned else Strength.SAID
            if (offset := _judge(key, text, sign.end(), strength)) is not None:
                return offset
    return _next_to(place, text, after.end() if after else place.end) if key.said else None


def _next_to(place: _Place, text: str, end: int) -> int | None:
    # Japanese needs no blank: パスワードabc
    if not place.key.stem.isascii():
        start = place.end + (text[place.end : place.end + 1] == " ")
        if _BARE.match(text, start) and (offset := _judge(place.key, text, start, Strength.SAID)) is not None:
            return offset
    if (sign := sentences.NEXT.match(text, end, end + _WINDOW)) is not None:
        named = sentences.NAMED.search(text, max(0, place.start - 60), place.start) is not None
        divided = "-" in sign.group() or "\t" in sign.group()
        clear = named or sign["quote"] or sign["glued"] or divided or _is_framed(place, text, sign.end())
        strength = Strength.SAID if clear else Strength.NEXT
        if (offset := _judge(place.key, text, sign.end(), strength)) is not None:
            return offset
    before = text[max(0, place.start - 120) : place.start]
    if (match := sentences.REVERSED.search(before)) is not None:
        value = match["value"].rstrip(".,;:)]}")
        if looks_like_value(value, Strength.SAID):
            return place.start - len(before) + match.start("value")
    return None


def _is_framed(place: _Place, text: str, position: int) -> bool:
    """Whether the words around key and value say that the value is to be used: "open it with password …"."""
    bare = _BARE.match(text, position)
    if bare is None or any(sign in text[place.end : position] for sign in "\n,"):
        return False
    end = bare.end() - (bare.group()[-1] in ".,;")
    if sentences.USED_AFTER.match(text, end):
        return True
    before = text[max(0, place.start - 48) : place.start]
    if sentences.USED_BEFORE.search(before):
        return True
    return bool(sentences.CLAUSE_BEFORE.search(before) and sentences.CLAUSE_AFTER.match(text, end))


def _judge(key: Key, text: str, position: int, strength: Strength) -> int | None:
    """The offset of a value at `position`, or of the one behind a user's name there."""
    digits = key.digits_min if strength > Strength.NEXT or key.stem == "pin" else 0
    quoted = _QUOTED.match(text, position) if position and text[position - 1] in _QUOTES else None
    if quoted is not None and " " in quoted["value"]:
        phrase = looks_like_phrase(quoted["value"], passphrase=key.stem in _PHRASE_STEMS)
        return position if phrase else None
    for word in _words_at(text, position) if key.alone else ():
        if strength is Strength.NEXT and _FINGERPRINT.fullmatch(word):
            return None
        if not word.isdigit() and looks_like_value(word, strength):
            return position
        if digits and word.isdigit() and not UNITS.match(text.lower(), position + len(word)):
            return position if looks_like_value(word, strength, digits_min=digits) else None
    partner = _PARTNER.match(text, position, position + _WINDOW) if key.pair else None
    least = Strength.SAID if key.alone or (partner and "/" in partner.group()) else Strength.NEXT
    if partner and any(looks_like_value(word, least) for word in _words_at(text, partner.end())):
        return partner.end()
    return None


def _words_at(text: str, position: int) -> Iterator[str]:
    """What may be the value at `position`: the quoted words as one, the bare word, its ASCII beginning."""
    if _KANA.match(text, position):
        return  # Japanese goes on; a value begins with a letter, a digit or a sign
    opened = position > 0 and text[position - 1] in _QUOTES
    if opened and (quoted := _QUOTED.match(text, position)) is not None:
        word = quoted["value"].strip()
        if " " not in word:
            yield word
    bare = _BARE.match(text, position)
    if bare is not None and not _REQUIREMENT.match(text, bare.end()):
        word = bare.group()
        if word.endswith("**"):  # the end of bold text
            word = word.rstrip("*")
        word = _FIELD.split(word)[0]  # a query string or a list of fields goes on
        if opened or not (position and text[position - 1] in "([{"):
            yield word.rstrip(",;)]}").rstrip(".")
        else:
            yield word.rstrip(".,;)]}")
        if word[-1:] in "!?*_:":
            yield word.rstrip("*_:").rstrip(".,;")
        if "&" in word or ";" in word:  # a query string or a connection string goes on
            yield re.split(r"[&;]", word)[0]
        if not word.isascii() and (kana := _KANA.sub("", word)):
            yield kana.rstrip(".,;")


def _columns(text: str, lower: str) -> Iterator[tuple[str, int]]:
    """Values below a heading such as "password" in a table of Markdown or of commas, semicolons or tabulators."""
    offset = 0
    column: int | None = None
    mark = ""
    for line, low in zip(text.split("\n"), lower.split("\n"), strict=False):
        marks = _CELLS.findall(line)
        if not marks:
            column = None
        elif column is None or mark not in marks:
            mark = "|" if "|" in marks else marks[0]
            cells = [cell.strip(" *`_\"'") for cell in low.split(mark)]
            heads = [number for number, cell in enumerate(cells) if _HEAD_KEY.fullmatch(cell)]
            column = heads[0] if heads and all(len(cell) < 32 for cell in cells) else None
        else:
            cells = line.split(mark)
            if column < len(cells):
                cell = cells[column].strip(" *`_\"'\r")
                if " " not in cell and looks_like_value(cell, Strength.ASSIGNED, digits_min=6):
                    yield "password_or_key", offset + line.find(cells[column])
        offset += len(line) + 1
