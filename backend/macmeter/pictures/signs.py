"""The signs of a chart's key, drawn."""

from __future__ import annotations

from macmeter.figures.figure import KeyEntry
from macmeter.pictures import svg
from macmeter.pictures.draw_lines import BEYOND, BOUNDARY
from macmeter.pictures.layout import Sign
from macmeter.pictures.marks import Look, draw_mark
from macmeter.pictures.palette import Theme


def sign_of(entry: KeyEntry, theme: Theme) -> Sign:
    drawn, width = _drawn(entry, theme)
    return Sign(drawn, width, entry.text)


def _drawn(entry: KeyEntry, theme: Theme) -> tuple[str, float]:
    """The drawing and its width."""
    ink = theme.ink_2
    match entry.sign:
        case "mark":
            return draw_mark(entry.mark, 5, 0, Look(ink, r=4), theme), 10
        case "hollow":
            return draw_mark("circle", 5, 0, Look(ink, r=4, hollow=True), theme), 10
        case "crossed":
            return draw_mark("circle", 8, 0, Look(ink, r=4, crossed=True), theme), 16
        case "band":
            return svg.element("rect", x=0, y=-5, width=18, height=10, fill=ink, opacity=0.25), 18
        case "interval":
            return svg.path("M1 -4v8M1 0H17M17 -4v8", ink, 1.5), 18
        case "whisker":
            return svg.path("M4 -6h8M8 -6V6M4 6h8", ink, 1.25), 16
        case "curve":
            return svg.path("M0 0H24", ink, 1.25), 24
        case "extrapolated":
            return svg.path("M0 0H24", ink, 1.25, stroke_dasharray=BEYOND), 24
        case "boundary":
            return svg.path("M5 -6V6", theme.ink_3, 1, stroke_dasharray=BOUNDARY), 10
