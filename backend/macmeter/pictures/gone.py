"""What stands in a page where a comparison's picture was, which its owner has closed."""

from __future__ import annotations

from macmeter.pictures import svg
from macmeter.pictures.layout import LABEL, SMALL
from macmeter.pictures.palette import THEMES, ThemeName
from macmeter.pictures.picture import Picture, framed

WIDTH, HEIGHT = 480, 96
TITLE = "This comparison is no longer available."
WHY = "Open its link to see why."


def draw_gone(theme: ThemeName) -> Picture:
    """The same for every comparison, whatever it was and why it is gone."""
    colours = THEMES[theme]
    outline = f"M.5 .5H{WIDTH - 0.5}V{HEIGHT - 0.5}H.5Z"
    body = (
        svg.element("path", d=outline, fill=colours.paper, stroke=colours.rule)
        + svg.text(TITLE, 24, 38, svg.Look(colours.ink, size=LABEL, weight="semibold"))
        + svg.text(WHY, 24, 60, svg.Look(colours.ink_2, size=LABEL))
        + svg.text("Macmeter", WIDTH - 24, 60, svg.Look(colours.ink_3, size=SMALL, anchor="end"))
    )
    return Picture(framed(TITLE, body, (WIDTH, HEIGHT), (WIDTH, HEIGHT)), WIDTH, HEIGHT)
