"""The shapes that tell one metric or series from another where colour may not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from macmeter import catalog
from macmeter.catalog import Role
from macmeter.pictures.palette import Theme
from macmeter.pictures.svg import element, number, path

Mark = Literal["square", "circle", "triangle", "diamond"]

MARKS: tuple[Mark, ...] = ("square", "circle", "triangle", "diamond")


def marks_of(metrics: Sequence[str]) -> dict[str, Mark]:
    """A mark for each metric of one chart: writes square, reads round, no two alike up to four.

    The others, and a second write or read, take what is left in their order.
    """
    marks: dict[str, Mark] = {}
    for metric in metrics:
        own = _own(metric)
        if own and own not in marks.values():
            marks[metric] = own
    left = [mark for mark in MARKS if mark not in marks.values()] or list(MARKS)
    others = [metric for metric in dict.fromkeys(metrics) if metric not in marks]
    return marks | {metric: left[place % len(left)] for place, metric in enumerate(others)}


def _own(metric: str) -> Mark | None:
    found = catalog.METRICS.get(metric)
    roles = found.roles if found else frozenset[Role]()
    return "square" if Role.WRITES in roles else "circle" if Role.READS in roles else None


def draw_mark(
    mark: Mark,
    x: float,
    y: float,
    colour: str,
    theme: Theme,
    *,
    r: float = 4.5,
    hollow: bool = False,
    crossed: bool = False,
) -> str:
    """Filled what was measured, hollow what was published, crossed what is doubted."""
    drawn = element(
        "path",
        d=_outline(mark, x, y, r),
        fill=theme.paper if hollow else colour,
        stroke=colour,
        stroke_width=1.5,
    )
    if crossed:
        a = r + 3.5
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
