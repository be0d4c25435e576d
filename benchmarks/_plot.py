"""A line plot over sizes as SVG: a panel for each database, readable on a light and on a dark page. Pure.

The size is on a logarithmic axis; values start at zero, so that a flat line is as flat as it looks.
"""

import math
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

Series = Mapping[str, Sequence[tuple[int, float]]]
"""For each line its points: a size, and the value there."""

WIDTH, PANEL_HEIGHT = 760, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 150, 40, 46
# Told apart by colour and by dashes, at the same lightness on white and on black.
_STYLES = (
    ("#3b82c4", ""),
    ("#c2662d", "7 3"),
    ("#2f9e6b", "2 3"),
    ("#a65fb8", "9 3 2 3"),
    ("#b8891d", "4 4"),
)
_STYLE = """
text { font: 13px system-ui, sans-serif; fill: #333 }
.title { font-weight: 600 }
.axis { stroke: #666 } .grid { stroke: #ccc }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .axis { stroke: #aaa } .grid { stroke: #444 } }
"""


def plot(panels: Mapping[str, Series], *, y_label: str, limit: float = 0.0) -> str:
    """One panel below the other, each with a line at the limit, if there is one.

    Raises: ValueError where a panel has no point.
    """
    height = PANEL_HEIGHT * len(panels)
    drawn = "".join(
        f'<g transform="translate(0 {number * PANEL_HEIGHT})">{_panel(title, series, y_label, limit)}</g>\n'
        for number, (title, series) in enumerate(panels.items())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
        f"<title>{escape(' and '.join(panels))}: {escape(y_label)} by size</title>"
        f"<style>{_STYLE}</style>\n{drawn}</svg>\n"
    )


def round_step(most: float, steps: int = 5) -> float:
    """A step of 1, 2 or 5 times a power of ten, of which at most so many reach the value, and one more passes it."""
    raw = most / steps
    power = 10.0 ** math.floor(math.log10(raw))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * (1 - 1e-9))


def _panel(title: str, series: Series, y_label: str, limit: float) -> str:
    points = [point for line in series.values() for point in line]
    if not points:
        raise ValueError(f"{title} has no points")
    least, most = min(size for size, _ in points), max(size for size, _ in points)
    highest = max(limit, *(value for _, value in points))
    step = round_step(highest)
    top = step * math.ceil(highest / step)
    span = math.log10(most / least) or 1.0

    def x(size: float) -> float:
        return _LEFT + math.log10(size / least) / span * (WIDTH - _LEFT - _RIGHT)

    def y(value: float) -> float:
        return PANEL_HEIGHT - _BOTTOM - value / top * (PANEL_HEIGHT - _TOP - _BOTTOM)

    parts = [f'<text class="title" x="{_LEFT}" y="20">{escape(title)}: {escape(y_label)}</text>']
    for number in range(round(top / step) + 1):
        parts.append(_grid_line(y(number * step), f"{number * step:g}", base=number == 0))
    if limit:
        parts.append(_limit_line(y(limit), limit))
    for size in sorted({size for size, _ in points}):
        parts.append(_text(x(size), PANEL_HEIGHT - _BOTTOM + 20, f"{size:,}", "middle"))
    parts.append(_text((_LEFT + WIDTH - _RIGHT) / 2, PANEL_HEIGHT - 8, "items in the installation", "middle"))
    labels = _spread([y(line[-1][1]) for line in series.values()])
    for (name, line), (colour, dashes), label in zip(series.items(), _STYLES, labels, strict=False):
        path = " ".join(f"{x(size):.1f},{y(value):.1f}" for size, value in line)
        stroke = f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"'
        parts.append(f'<polyline points="{path}" fill="none" {stroke}/>')
        parts += [
            f'<circle cx="{x(size):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"/>' for size, value in line
        ]
        parts.append(f'<circle cx="{WIDTH - _RIGHT + 14}" cy="{label - 4:.1f}" r="4" fill="{colour}"/>')
        parts.append(_text(WIDTH - _RIGHT + 24, label, name, "start"))
    return "".join(parts)


def _grid_line(y: float, label: str, *, base: bool) -> str:
    kind = "axis" if base else "grid"
    line = f'<line class="{kind}" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
    return line + _text(_LEFT - 8, y + 4, label, "end")


def _limit_line(y: float, limit: float) -> str:
    x1, x2 = _LEFT, WIDTH - _RIGHT
    line = f'<line x1="{x1}" x2="{x2}" y1="{y:.1f}" y2="{y:.1f}" stroke="#d0342c" stroke-dasharray="1 3"/>'
    return line + _text(x1 + 6, y - 5, f"limit {limit:g}", "start")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _spread(heights: Sequence[float], least: float = 17) -> list[float]:
    """The same heights in the same order, moved down where two labels would cover each other."""
    placed = [0.0] * len(heights)
    last = -math.inf
    for number in sorted(range(len(heights)), key=lambda each: heights[each]):
        last = placed[number] = max(heights[number] + 4, last + least)
    return placed
