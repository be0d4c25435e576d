"""Markers of the recall block and tokens of chat templates in a text, however they are spelt, made harmless.

Pure. The opening bracket of each becomes a parenthesis, and nothing else changes; the stored text is never touched.
A text is read as a model would read it: invisible characters left out, full width as ASCII, entities and escapes
resolved, letters of other scripts as the Latin ones that they look like. Which texts are refused altogether is
decided in `injection_marks.py`; a person's own text is not refused, and may hold all of this.
"""

import html
import re
import unicodedata
from functools import lru_cache

HARMLESS_BRACKET = "("

_ESCAPED = re.compile(
    r"&(?:amp;|\#38;|\#x26;)*"
    r"(?:\#[xX][0-9a-fA-F]{1,8};?|\#[0-9]{1,9};?"
    r"|(?:lt|LT|Lt|gt|GT|Gt|lang|langle|rang|rangle|lsaquo|rsaquo|laquo|raquo|sol|lowbar|UnderBar|nbsp|shy|zwj|zwnj"
    r"|ZeroWidthSpace|NoBreak|hyphen|dash|vert|verbar|lsqb|lbrack);?)"
    r"|%(?:25)*[2-7][0-9a-fA-F]"
    r"|\\{1,4}(?:u00[2-7][0-9a-fA-F]|u\{0*[2-7][0-9a-fA-F]\}|U000000[2-7][0-9a-fA-F]|x[2-7][0-9a-fA-F])"
    r"|.",
    re.DOTALL,
)
_AMPERSANDS = re.compile(r"^&(?:amp;|\#38;|\#x26;)*")
# Drawn like an opening bracket. Those of full width and the like are brought to one by NFKD.
_LIKE_OPENING = "‹«〈《⟨⟪❬❮❰⧼⟬≪⋘⦑⦓˂ᐸᚲ𝈶\u2329"
_LIKE_CLOSING = "›»〉》⟩⟫❭❯❱⧽⟭≫⋙⦒⦔˃ᐳ𝈷\u232a"
# Where none of these stands there is no marker and no token: most texts need not be looked at further.
_OPENING = re.compile(rf"[<\[{_LIKE_OPENING}\uff1c\ufe64\u226e\uff3b\ufe47&%\\]")

_LOOKS_LIKE = str.maketrans(
    {
        **dict.fromkeys(_LIKE_OPENING, "<"),
        **dict.fromkeys(_LIKE_CLOSING, ">"),
        **dict.fromkeys("\u2044\u2215\u29f8\u2571\u27cb", "/"),
        **dict.fromkeys("\u2223\u01c0\u2502\u23d0\u2758", "|"),
        **dict.fromkeys("ԝѡᴡꮃᏔꮤωɯաᎳ", "w"),
        **dict.fromkeys("оОοΟᴏօⲟⲞჿσ०০〇Օ", "o"),
        **dict.fromkeys("гᴦʀꭇꭈᎡꮁᏒɾ", "r"),
        **dict.fromkeys("кКκΚᴋᏦⲕⲔĸ", "k"),
        **dict.fromkeys("ѕЅꜱՏᏕꮪᏚƽ", "s"),
        **dict.fromkeys("рРρΡᴘᏢⲣⲢϱ", "p"),
        **dict.fromkeys("аАαΑᴀᎪɑⲁ", "a"),
        **dict.fromkeys("сСϲϹᴄᏟⲥⲤ", "c"),
        **dict.fromkeys("еЕεΕᴇᎬҽєЄ", "e"),
        **dict.fromkeys("мМΜᴍᎷⲘϺ", "m"),
        **dict.fromkeys("уУγΥʏᎩүҮყⲨ", "y"),
    }
)

_FILLERS = frozenset("\u115f\u1160\u3164\u2800")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Me"})

_JUNK = r"(?:[^\w<>(]|_)*"
_LETTERS = {"o": "[o0]", "a": "[a4]", "e": "[e3]", "s": "[s5]"}
_MARKER = _JUNK.join(_LETTERS.get(letter, letter) for letter in "workspacememory")
_ANGLE_TOKENS = (
    r"s|bos|eos|pad|unk|mask|cls|sep|sop|eop|eod|eot|eom|think|thinking|tools?|tool_calls?|tool_results?"
    r"|tool_responses?|function_calls?|function_results?|antml:\w+|invoke|parameter|system-reminder"
    r"|(?:start|begin|end)_of_\w+|fim_\w+|im_\w+|image_soft_token|audio_soft_token|extra_id_\d+|unused\d+"
    r"|reserved_\w+|special_\d+|seed:\w+|gmask|smask"
)
_SQUARE_TOKENS = (
    r"INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|MODEL_SETTINGS|THINK|ARGS|CALL_ID"
    r"|IMG|IMG_END|IMG_BREAK|AUDIO|BEGIN_AUDIO|PREFIX|SUFFIX|MIDDLE|BOS|EOS|PAD|UNK|CLS|SEP|MASK|gMASK|sMASK"
    r"|control_\d+"
)
# Each matches its bracket alone and looks at what follows, in which neither a bracket nor a parenthesis may stand:
# so each bracket is found, and making one harmless makes no other.
_FORGED = (
    re.compile(rf"<(?={_JUNK}{_MARKER})", re.IGNORECASE | re.ASCII),
    re.compile(r"<(?=\|)"),
    re.compile(r"<(?=[\w/ .:-]{1,60}\|>)"),
    re.compile(r"<(?=</?(?:sys|user|assistant|human|ai)>>)", re.IGNORECASE),
    re.compile(rf"<(?=/?(?:{_ANGLE_TOKENS})(?:[\s/][^<>(]{{0,200}})?>)", re.IGNORECASE),
    re.compile(rf"\[(?=/?(?:{_SQUARE_TOKENS})\])"),
    re.compile(r"\[(?=\|[\w/]{1,40}\|\])"),
)


def without_look_alikes(text: str) -> str:
    """The text with the opening bracket of every forged marker and template token as a parenthesis."""
    if _OPENING.search(text) is None:
        return text
    pieces = _ESCAPED.findall(text)
    read: list[str] = []
    owners: list[int] = []
    for number, piece in enumerate(pieces):
        seen = _seen(piece)
        read.append(seen)
        owners.extend([number] * len(seen))
    whole = "".join(read)
    for pattern in _FORGED:
        for match in pattern.finditer(whole):
            pieces[owners[match.start()]] = HARMLESS_BRACKET
    return "".join(pieces)


@lru_cache(maxsize=4_096)
def _seen(piece: str) -> str:
    """What one character, or one written as an escape, is read as. Empty for what nobody sees."""
    character = _resolved(piece) if len(piece) > 1 else piece
    if character.isascii() and character.isprintable():
        return character
    if character.isspace():
        return " "
    decomposed = unicodedata.normalize("NFKD", character.translate(_LOOKS_LIKE))
    return "".join(one for one in decomposed.translate(_LOOKS_LIKE) if not _is_unseen(one))


def _resolved(piece: str) -> str:
    if piece.startswith("&"):
        return html.unescape(_AMPERSANDS.sub("&", piece).rstrip(";") + ";")
    return chr(int(re.sub(r"[^0-9a-fA-F]", "", piece)[-2:], 16))


def _is_unseen(character: str) -> bool:
    return character in _FILLERS or unicodedata.category(character) in _UNSEEN_CATEGORIES
