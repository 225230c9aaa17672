"""Points of two figures each."""

from __future__ import annotations

from dataclasses import dataclass

from macmeter.figures.figure import Chart, Target
from macmeter.pictures import lettering, svg
from macmeter.pictures.layout import SMALL, Drawn, Sign, Space
from macmeter.pictures.marks import Look, draw_mark
from macmeter.pictures.scales import apart, place, roomy_ticks
from macmeter.plain_text import isolated

PLOT_HEIGHT = 340.0
# Room around the plot: the upper title above, ticks and the other title below, ticks at the left.
ABOVE, BELOW, LEFT = 24.0, 40.0, 40.0
LABEL_GAP = 15.0
# From a mark's middle to where a name may begin.
REACH = 8.0


def draw_points(found: Chart, space: Space) -> Drawn:
    plot = PLOT_HEIGHT if space.height is None else max(space.height - ABOVE - BELOW, 60.0)
    return Drawn(_Plot(found, space, plot).body(), plot + ABOVE + BELOW)


@dataclass(frozen=True)
class _Label:
    target: Target
    line: svg.Line
    x: float
    y: float


class _Plot:
    def __init__(self, found: Chart, space: Space, height: float) -> None:
        assert found.across is not None
        self.found, self.space, self.theme = found, space, space.theme
        self.right = space.width - 14
        self.top, self.bottom = ABOVE, ABOVE + height
        self.across, self.up = found.across, found.up
        self._x = place(self.across, LEFT, self.right)
        self._y = place(self.up, self.bottom, self.top)

    def at(self, target: Target) -> tuple[float, float]:
        return self._x(target.x), self._y(target.y)

    def body(self) -> str:
        return (
            self._axes()
            + self._level()
            + "".join(map(self._mark, self.found.targets))
            + ("" if self.space.narrow else self._labels())
        )

    def _axes(self) -> str:
        theme, n = self.theme, svg.number
        body = svg.text(self.up.title, 0, 7, svg.Look(theme.ink_2, size=SMALL))
        for tick in self.up.ticks:
            y = self._y(tick.at)
            rule = theme.rule if tick.at else theme.ink_3
            body += svg.path(f"M{n(LEFT)} {n(y)}H{n(self.right)}", rule)
            body += svg.text(
                tick.text, LEFT - 8, y, svg.Look(theme.ink_3, size=SMALL, anchor="end")
            )
        for tick in roomy_ticks(self.across, self._x, SMALL):
            x = self._x(tick.at)
            body += svg.path(f"M{n(x)} {n(self.bottom)}v4", theme.ink_3)
            middle = self.bottom + 13
            body += svg.text(
                tick.text, x, middle, svg.Look(theme.ink_3, size=SMALL, anchor="middle")
            )
        middle, y = (LEFT + self.right) / 2, self.bottom + 31
        across = self.across.title
        return body + svg.text(
            across, middle, y, svg.Look(theme.ink_2, size=SMALL, anchor="middle")
        )

    def _level(self) -> str:
        """Where rate and speed are equal, as far as both axes go."""
        most = min(self.across.high, self.up.high)
        n = svg.number
        line = f"M{n(self._x(0))} {n(self._y(0))}L{n(self._x(most))} {n(self._y(most))}"
        x, y = self._x(most * 0.94) - 8, self._y(most * 0.94)
        return svg.path(line, self.theme.ink_3, stroke_dasharray="2 4") + svg.text(
            self.found.level, x, y, svg.Look(self.theme.ink_3, size=SMALL, anchor="end")
        )

    def _mark(self, target: Target) -> str:
        x, y = self.at(target)
        colour = self.theme.colour(target.colour)
        look = Look(colour, hollow=target.hollow, crossed=target.doubted)
        return draw_mark(target.mark, x, y, look, self.theme)

    def _labels(self) -> str:
        """Each point's name beside it, those moved apart that would touch."""
        labels = [self._label(target) for target in self.found.targets]
        boxes = [(label.x, label.x + label.line.width, label.y) for label in labels]
        marks = [(x - REACH, x + REACH, y) for x, y in map(self.at, self.found.targets)]
        heights = apart(boxes, LABEL_GAP, marks)
        return "".join(label.line.at(label.x, y) for label, y in zip(labels, heights, strict=True))

    def _label(self, target: Target) -> _Label:
        x, y = self.at(target)
        line = svg.Line(SMALL)
        name = lettering.fitted(isolated(target.label), 240, SMALL, "semibold")
        line.add(name, self.theme.colour(target.colour), weight="semibold")
        line.add(target.dagger, self.theme.ink_2, size=11)
        before = x > LEFT + (self.right - LEFT) * 0.7
        return _Label(target, line, x - 11 - line.width if before else x + 11, y)


def signs_of_targets(found: Chart, space: Space) -> list[Sign]:
    """The targets' names where they aren't next to them."""
    theme = space.theme
    signs: list[Sign] = []
    for target in found.targets if space.narrow else ():
        colour = theme.colour(target.colour)
        drawn = draw_mark(target.mark, 5, 0, Look(colour, r=4, hollow=target.hollow), theme)
        signs.append(Sign(drawn, 10, isolated(f"{target.label}{target.dagger}")))
    return signs
