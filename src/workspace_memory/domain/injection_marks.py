"""Marks that forge structure: hidden characters, tokens of chat templates, closing tags, lines that claim a role.

Pure. All of them refuse a text: a person has no use for them in a memory, and a model may take them for the
frame around it. Words that order a model about are in `injection_orders.py`.
"""

import re
import unicodedata
from collections.abc import Iterator

_TAGS = re.compile("[\U000e0000-\U000e007f]")
# Flags of countries' parts (Scotland, Texas): a black flag, its code in tag characters, the end tag.
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_SUPPLEMENT = re.compile("[\U000e0100-\U000e01ef]")
_ZERO_WIDTHS = re.compile(
    "[\u034f\u061c\u180b-\u180f\u200b-\u200f\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]{3,}"
)
_ESCAPE = re.compile("\x1b[\\[\\]PX^_]")

_TEMPLATE = re.compile(
    r"<\|[A-Za-z_ /0-9-]{1,40}\|>|\[/?INST\]|<</?SYS>>|\[/?SYSTEM_PROMPT\]|\[/?AVAILABLE_TOOLS\]"
    r"|\[/?TOOL_(?:CALLS|RESULTS)\]|</?(?:start|end)_of_turn>|<(?:start|end)_of_image>|<\|?(?:begin"
    r"|end)[_▁ ]of[_▁ ](?:text"
    r"|sentence|turn)\|?>|\[\|(?:system|user|assistant|endofturn)\|\]|<(?:extra_id_1|extra_id_0)>|<seed:\w+>"
    r"|</?(?:antml|function_calls?|function_results?|tool_calls?|tool_results?|tool_response|system-reminder"
    r"|system_prompt"
    r"|system_instructions?)\b[^>\n]{0,40}>|<<(?:USER|ASSISTANT|HUMAN|AI)>>",
)
_FRAME = re.compile(
    r"(?i)<[ ]*/[ ]*(?:workspace[ _-]?memory|memory|memories|system|assistant|developer|human|instructions?"
    r"|prompt"
    r"|user[_-]?(?:input|message|query)|untrusted\w*|retrieved\w*)"
    r"(?:[ _-][\w -]{0,40})?[ ]*>(?=[ \t]*(?:$|[\r\n]|[A-Z][a-z]+[ ]?:|<|[-=#]))"
    r"|<[ ]*/?[ ]*workspace[ _-]?memor(?:y|ies)\b[^>\n]{0,40}>"
    # Elements of any XML document: a frame only when words to a model follow.
    r"|<[ ]*/[ ]*(?:context|conversation|information|documents?|data|notes?)(?:[ _-][\w -]{0,40})?[ ]*>\s{0,4}"
    r"(?=(?:[#*\[]{0,4}[ ]?(?:system|assistant|human|user|developer)\b[ \]*]{0,4}:|<[ ]*(?:system|user|human|instruct)"
    r"|(?:you|ignore|disregard|forget|obey|new|now|from now on|always|never|do|send|call|delete|reveal|print"
    r"|approve)\b))"
)
_ROLE = re.compile(
    r"(?i)(?:.*(?:<!--|\]|>|\}|[#=*-]{2,}))?[ \t]*(?:#{1,6}[ ]*|\*{1,2}|\[|={2,}[ ]*)?"
    r"(?:system|assistant|developer|admin|root|ai|sistema|assistente|asistente|système|システム|user|human)"
    r"(?:[ ](?:prompt|message|instructions?|note|override|update|notice|command|nachricht))?(?:\*{1,2}|\]"
    r"|[ ]*={2,})?[ \t]*"
)
_HEAD_CHARACTERS_MAX = 60
_ADDRESSED = re.compile(
    r"(?i)\b(?:you(?:r|'re)?|from now on|ignore|disregard|forget|obey|comply|override|unrestricted|always|never|must"
    r"|(?<!if )(?<!whether )the user (?:is|has|wants|may|can|trusts)|approve|reveal|new instructions?|previous"
    r"|do not|don't"
    r"|du bist|ab jetzt"
    r"|der (?:nutzer|benutzer) (?:ist|hat|darf)|ignoriere|sei|ora sei|ignora|d'ora in poi|l'utente è|eres|a partir de"
    r"|el usuario es|tu es|vous êtes|désormais|l'utilisateur est)\b|あなたは|今から|無視|ユーザーは"
)
_BEGIN = re.compile(
    r"\b(?:begin|start|end|ende|fine|fin)(?:ning)?[ ](?:of[ ](?:the[ ])?)?(?:new[ ]|real[ ]|hidden[ ]|der[ ]|del[ ])?"
    r"(?:system[ -]?|user[ -]?|secret[ ])(?:prompts?|instructions?|messages?|override|input)\b"
)
_BEGIN_PLACES = tuple(
    f"{owner}{thing}"
    for owner in ("system ", "system-", "system", "user ", "user-", "secret ")
    for thing in ("prompt", "instruction", "message", "override", "input")
)
_RULED = re.compile(
    r"(?:---|===|###|\*\*\*)[ ]*(?:begin|start|end)(?:[ ]of)?[ ](?:the[ ])?(?:new[ ])?(?:memory|memories"
    r"|context|prompt"
    r"|instructions?|document|data|system|conversation|saved workspace memory)\b"
)


def hidden_marks(text: str) -> Iterator[tuple[str, int]]:
    """The rule and offset of hidden characters in the text as it came."""
    if text.isascii():
        if (match := _ESCAPE.search(text)) is not None:
            yield "terminal_escape", match.start()
        return
    bare = _FLAG.sub(lambda flag: "F" * len(flag.group()), text)
    for rule, pattern, searched in (
        ("tag_characters", _TAGS, bare),
        ("bidi_control", _BIDI, text),
        ("zero_width_run", _ZERO_WIDTHS, text),
        ("terminal_escape", _ESCAPE, text),
    ):
        if (match := pattern.search(searched)) is not None:
            yield rule, match.start()
    for match in _SUPPLEMENT.finditer(text):
        # Japanese names need one selector after a Han character; two in a row, or elsewhere, smuggle bytes.
        if not match.start() or not _is_han(text[match.start() - 1]):
            yield "variation_selectors", match.start()
            return


def forged_marks(text: str) -> Iterator[tuple[str, int]]:
    """The rule and offset of forged structure in a view of the text."""
    if "<" in text or "[" in text:
        if (match := _TEMPLATE.search(text)) is not None:
            yield "chat_template", match.start()
        if (match := _FRAME.search(text)) is not None:
            yield "closing_marker", match.start()
    yield from _forged_roles(text)
    lower = text.lower()
    for pattern, gates in ((_BEGIN, _BEGIN_PLACES), (_RULED, ("---", "===", "###", "***"))):
        if any(gate in lower for gate in gates) and (match := pattern.search(lower)) is not None:
            yield "forged_marker", match.start()


def _forged_roles(text: str) -> Iterator[tuple[str, int]]:
    """Lines such as "System: you must …": a role's name, a colon, and words to a model in this or the next line."""
    offset = 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        head, colon, said = line[:_HEAD_CHARACTERS_MAX].partition(":")
        if colon and _ROLE.fullmatch(head):
            said = said + line[_HEAD_CHARACTERS_MAX:] or "".join(lines[number + 1 : number + 2])
            if _ADDRESSED.search(said.strip() or "".join(lines[number + 1 : number + 2])):
                yield "forged_role", offset
        offset += len(line) + 1


def _is_han(character: str) -> bool:
    return unicodedata.name(character, "").startswith("CJK")
