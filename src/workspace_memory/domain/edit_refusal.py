"""Why an edit of the memory document is refused: a code for programs, and a hint that says what to do.

No hint repeats a text: it is the same sentence for every document.
"""

from enum import StrEnum

LINE_BYTES_MAX = 500


class EditRefusal(StrEnum):
    """Why an edit is refused."""

    EMPTY_LINE = "empty_line"
    NOT_ONE_LINE = "not_one_line"
    LINE_TOO_LONG = "line_too_long"
    AMBIGUOUS_HEADING = "ambiguous_heading"
    TARGET_NOT_FOUND = "target_not_found"
    AMBIGUOUS_TARGET = "ambiguous_target"
    DUPLICATE_LINE = "duplicate_line"
    STRUCTURAL_LINE = "structural_line"
    HEADING_NOT_EMPTY = "heading_not_empty"
    OPEN_FENCE = "open_fence"
    DOCUMENT_TOO_LARGE = "document_too_large"


HINTS = {
    EditRefusal.EMPTY_LINE: "Give a line that is not empty.",
    EditRefusal.NOT_ONE_LINE: "Give one line without line breaks, control, bidi or zero-width characters.",
    EditRefusal.LINE_TOO_LONG: f"Give at most {LINE_BYTES_MAX} bytes of UTF-8.",
    EditRefusal.AMBIGUOUS_HEADING: "Several headings have this title. Name it with its number signs, or another.",
    EditRefusal.TARGET_NOT_FOUND: "No line is equal to the target. Copy the whole line as it is now.",
    EditRefusal.AMBIGUOUS_TARGET: "Several lines are equal to the target. A person has to change them.",
    EditRefusal.DUPLICATE_LINE: "Another line says this already. Remove the old line instead.",
    EditRefusal.STRUCTURAL_LINE: "An edit makes or breaks no heading, code fence or rule.",
    EditRefusal.HEADING_NOT_EMPTY: "There is text under this heading. Remove its lines first.",
    EditRefusal.OPEN_FENCE: "The text ends inside of a code fence. A person has to close it.",
    EditRefusal.DOCUMENT_TOO_LARGE: "The document would be too long to be used. Remove lines first.",
}
