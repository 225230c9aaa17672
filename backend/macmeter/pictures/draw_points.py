"""Points of two figures each (frontend/src/figures/ScatterFigure.tsx)."""

from __future__ import annotations

from dataclasses import dataclass

from macmeter.figures.numbers import plain
from macmeter.figures.targets import Target, Targets
from macmeter.pictures import lettering, svg
from macmeter.pictures.layout import SMALL, Drawn, Sign, Space
from macmeter.pictures.marks import Mark, draw_mark
from macmeter.pictures.scales import Axis, apart, zero_axis

PLOT_HEIGHT = 340.0
# Room around the plot: the upper title above, ticks and the other title below, ticks at the left.
ABOVE, BELOW, LEFT = 24.0, 40.0, 40.0
LABEL_GAP = 15.0
# From a mark's middle to where a name may begin.
REACH = 8.0
_MARK: Mark = "square"
_LEVEL = "as fast as the storage"


def draw_points(found: Targets, space: Space) -> Drawn:
    plot = PLOT_HEIGHT if space.height is None else max(space.height - ABOVE - BELOW, 60.0)
    return Drawn(_Plot(found, space, plot).body(), plot + ABOVE + BELOW)


@dataclass(frozen=True)
class _Label:
    point: Target
    line: svg.Line
    x: float
    y: float


class _Plot:
    def __init__(self, found: Targets, space: Space, height: float) -> None:
        self.found, self.space, self.theme = found, space, space.theme
        self.right = space.width - 14
        self.top, self.bottom = ABOVE, ABOVE + height
        divisor = found.scale.divisor
        self.across = zero_axis(max(p.x for p in found.points) / divisor, 4 if space.narrow else 6)
        self.up = zero_axis(max(p.y for p in found.points) / divisor)
        self._x = self.across.place(LEFT, self.right)
        self._y = self.up.place(self.bottom, self.top)

    def at(self, point: Target) -> tuple[float, float]:
        divisor = self.found.scale.divisor
        return self._x(point.x / divisor), self._y(point.y / divisor)

    def body(self) -> str:
        return (
            self._axes()
            + self._level()
            + "".join(map(self._mark, self.found.points))
            + ("" if self.space.narrow else self._labels())
        )

    def _axes(self) -> str:
        theme, n = self.theme, svg.number
        symbol = self.found.scale.symbol
        across, up = (f"{title}, {symbol}" for title in self.found.titles)
        body = svg.text(up, 0, 7, theme.ink_2, size=SMALL)
        for tick in self.up.ticks:
            y = self._y(tick)
            rule = theme.rule if tick else theme.ink_3
            body += svg.path(f"M{n(LEFT)} {n(y)}H{n(self.right)}", rule)
            body += svg.text(plain(tick), LEFT - 8, y, theme.ink_3, size=SMALL, anchor="end")
        for tick in self.across.ticks:
            x = self._x(tick)
            body += svg.path(f"M{n(x)} {n(self.bottom)}v4", theme.ink_3)
            middle = self.bottom + 13
            body += svg.text(plain(tick), x, middle, theme.ink_3, size=SMALL, anchor="middle")
        middle = (LEFT + self.right) / 2
        y = self.bottom + 31
        return body + svg.text(across, middle, y, theme.ink_2, size=SMALL, anchor="middle")

    def _level(self) -> str:
        """Where rate and speed are equal, as far as both axes go."""
        most = min(_end(self.across), _end(self.up))
        n = svg.number
        line = f"M{n(self._x(0))} {n(self._y(0))}L{n(self._x(most))} {n(self._y(most))}"
        x, y = self._x(most * 0.94) - 8, self._y(most * 0.94)
        return svg.path(line, self.theme.ink_3, stroke_dasharray="2 4") + svg.text(
            _LEVEL, x, y, self.theme.ink_3, size=SMALL, anchor="end"
        )

    def _mark(self, point: Target) -> str:
        x, y = self.at(point)
        colour = self.theme.of_group(point.key)
        return draw_mark(
            _MARK, x, y, colour, self.theme, hollow=point.hollow, crossed=point.doubted
        )

    def _labels(self) -> str:
        """Each point's name beside it, those moved apart that would touch."""
        labels = [self._label(point) for point in self.found.points]
        boxes = [(label.x, label.x + label.line.width, label.y) for label in labels]
        marks = [(x - REACH, x + REACH, y) for x, y in map(self.at, self.found.points)]
        heights = apart(boxes, LABEL_GAP, marks)
        return "".join(label.line.at(label.x, y) for label, y in zip(labels, heights, strict=True))

    def _label(self, point: Target) -> _Label:
        x, y = self.at(point)
        line = svg.Line(SMALL)
        name = lettering.fitted(svg.isolated(point.label), 240, SMALL, "semibold")
        line.add(name, self.theme.of_group(point.key), weight="semibold")
        line.add(point.dagger, self.theme.ink_2, size=11)
        before = x > LEFT + (self.right - LEFT) * 0.7
        return _Label(point, line, x - 11 - line.width if before else x + 11, y)


def _end(axis: Axis) -> float:
    return axis.ticks[-1]


def key_of_points(found: Targets, space: Space) -> list[Sign]:
    """The points' names where they don't stand beside them, and what hollow ones are."""
    theme = space.theme
    signs: list[Sign] = []
    for point in found.points if space.narrow else ():
        colour = theme.of_group(point.key)
        drawn = draw_mark(_MARK, 5, 0, colour, theme, r=4, hollow=point.hollow)
        signs.append(Sign(drawn, 10, svg.isolated(f"{point.label}{point.dagger}")))
    if any(point.hollow for point in found.points):
        hollow = draw_mark("circle", 5, 0, theme.ink_2, theme, r=4, hollow=True)
        signs.append(Sign(hollow, 10, "hollow †: published, as printed there"))
    return signs
