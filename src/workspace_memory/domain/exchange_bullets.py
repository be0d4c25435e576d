"""Reading the bullets of CLAUDE.md, AGENTS.md and files like them.

Pure. Each bullet becomes a text of its own. A nested one is led by the bullets above it, which say what it is about;
a bullet that only introduces others (`Tests:`) is no text itself. The headings above become tags. Prose, tables and
code outside of bullets are counted and left out.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from workspace_memory.domain.exchange_records import Collector, Record, SourceFile, labels, read_text

_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<title>\S.*)")
_BULLET = re.compile(r"(?P<indent>\s*)(?:[-*+•]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?(?P<text>\S.*)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
# No list that people write is deeper; a file of nothing but indents must not cost the square of its lines.
_DEPTH_MAX = 10
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}")


@dataclass(slots=True)
class _Bullet:
    """A bullet being read: where it stands, how deep, and what it says so far."""

    number: int
    indent: int
    text: str
    parent: "_Bullet | None"
    headings: tuple[str, ...]
    introduces: bool = field(default=False)

    def in_context(self) -> str:
        """Its text, led by those of the bullets above it."""
        texts = [self.text]
        above = self.parent
        while above is not None and len(texts) < _DEPTH_MAX:
            texts.append(above.text.rstrip().removesuffix(":"))
            above = above.parent
        return ": ".join(reversed(texts))


def collect_bullets(file: SourceFile, collector: Collector) -> None:
    """Take the bullets of one file. Raises: InvalidRequest for a file that is no text."""
    name, content = file
    bullets, outside = _read(read_text(name, content).split("\n"))
    collector.skip("lines outside of bullets", outside)
    for bullet in bullets:
        if bullet.introduces and bullet.text.rstrip().endswith(":"):
            continue
        collector.add(
            Record(f"{name}, line {bullet.number}", bullet.in_context(), tags=labels(bullet.headings))
        )


def _read(lines: Iterable[str]) -> tuple[list[_Bullet], int]:
    """The bullets in order, and how many lines stand outside of them."""
    bullets: list[_Bullet] = []
    headings: dict[int, str] = {}
    current: _Bullet | None = None
    fenced = commented = False
    outside = 0
    for number, raw in enumerate(lines, start=1):
        line = raw.expandtabs(4)
        heading = _HEADING.fullmatch(line)
        bullet = None if _RULE.fullmatch(line) else _BULLET.fullmatch(line)
        if commented or line.lstrip().startswith("<!--"):
            commented = "-->" not in line
        elif _FENCE.match(line) or fenced:
            fenced = fenced != bool(_FENCE.match(line))
            outside += 1
        elif heading is not None:
            level = len(heading["marks"])
            headings = {depth: title for depth, title in headings.items() if depth < level}
            headings[level] = re.sub(r"[*_`]", "", heading["title"].rstrip("# "))
            current = None
        elif bullet is not None:
            indent = len(bullet["indent"])
            parent = _above(current, indent)
            current = _Bullet(number, indent, bullet["text"].rstrip(), parent, tuple(headings.values()))
            if parent is not None:
                parent.introduces = True
            bullets.append(current)
        elif not line.strip():
            continue
        elif current is not None and len(line) - len(line.lstrip()) > current.indent:
            current.text += f" {line.strip()}"
        else:
            current = None
            outside += 1
    return bullets, outside


def _above(bullet: _Bullet | None, indent: int) -> _Bullet | None:
    while bullet is not None and bullet.indent >= indent:
        bullet = bullet.parent
    return bullet
