"""The shapes that tell one metric or line from another where colour may not."""

from __future__ import annotations

from dataclasses import dataclass

from macmeter.figures.figure import Mark
from macmeter.pictures.palette import Theme
from macmeter.pictures.svg import element, number, path


@dataclass(frozen=True)
class Look:
    """Filled what was measured, hollow what was published, crossed what is doubted."""

    colour: str
    r: float = 4.5
    hollow: bool = False
    crossed: bool = False


def draw_mark(mark: Mark, x: float, y: float, look: Look, theme: Theme) -> str:
    """A mark with its middle at this place."""
    drawn = element(
        "path",
        d=_outline(mark, x, y, look.r),
        fill=theme.paper if look.hollow else look.colour,
        stroke=look.colour,
        stroke_width=1.5,
    )
    if look.crossed:
        a = look.r + 3.5
        cross = f"M{number(x - a)} {number(y - a)}l{number(2 * a)} {number(2 * a)}"
        cross += f"M{number(x - a)} {number(y + a)}l{number(2 * a)} {number(-2 * a)}"
        drawn += path(cross, theme.doubt, 1.5)
    return drawn


def _outline(mark: Mark, x: float, y: float, r: float) -> str:
    match mark:
        case "square":
            s = r * 0.9
            points = [(x - s, y - s), (x + s, y - s), (x + s, y + s), (x - s, y + s)]
        case "circle":
            d, r_ = number(2 * r), number(r)
            return f"M{number(x - r)} {number(y)}a{r_} {r_} 0 1 0 {d} 0a{r_} {r_} 0 1 0 -{d} 0z"
        case "triangle":
            s = r * 1.15
            points = [(x, y - s), (x + s, y + s * 0.8), (x - s, y + s * 0.8)]
        case "diamond":
            s = r * 1.25
            points = [(x, y - s), (x + s, y), (x, y + s), (x - s, y)]
    return "M" + "L".join(f"{number(px)} {number(py)}" for px, py in points) + "z"
