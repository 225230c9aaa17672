"""Lines with bands over a numeric axis, a panel a metric."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from macmeter.figures.figure import Axis, Chart, LinePoint, Panel, Series, Span
from macmeter.figures.numbers import counted
from macmeter.pictures import lettering, svg
from macmeter.pictures.layout import LABEL, SMALL, Drawn, Sign, Space, moved
from macmeter.pictures.marks import Look, draw_mark
from macmeter.pictures.scales import place, roomy_ticks, spread
from macmeter.plain_text import isolated

PLOT_HEIGHT = 300.0
# A plot of less height than this is a strip.
ROOMY = 150.0
# Room around a plot: its title and unit above, ticks and the axis' name below, ticks at the left.
ABOVE, BELOW, LEFT = 24.0, 40.0, 40.0
TITLE = 24.0
GAP = 28.0
LABELLED = 420.0
LABEL_GAP = 15.0
# Dashes of a curve where no point supports it.
BEYOND = "5 4"
# From the end of a line to its name.
LEAD = "1 3"
# Of a line where a tier of cores is full.
BOUNDARY = "1.5 3"


def draw_panels(found: Chart, space: Space) -> Drawn:
    """The panels beside each other where there is room, else below each other."""
    panels = found.panels
    beside = max(1, min(len(panels), int(space.width // 300)))
    rows = -(-len(panels) // beside)
    width = (space.width - GAP * (beside - 1)) / beside
    titled = len(panels) > 1
    around = ABOVE + BELOW + TITLE * titled
    plot = PLOT_HEIGHT if space.width >= LABELLED else 240.0
    cramped = False
    if space.height is not None:
        plot = (space.height - GAP * (rows - 1)) / rows - around
        cramped, plot = plot < ROOMY, max(plot, 60.0)
    body, missing = "", 0
    for number, panel in enumerate(panels):
        drawn = _Panel(found, panel, replace(space, width=width), plot)
        row, column = divmod(number, beside)
        top = row * (plot + around + GAP)
        content = ""
        if titled:
            shown = lettering.fitted(panel.title, width, LABEL, "semibold")
            content = svg.text(shown, 0, 9, svg.Look(space.theme.ink, weight="semibold"))
        content += moved(drawn.body(), 0, TITLE * titled)
        body += moved(content, column * (width + GAP), top)
        missing = max(missing, drawn.unnamed)
    height = rows * (plot + around) + GAP * (rows - 1)
    said = f"{counted(missing, 'line')} without room for a name" if missing else None
    return Drawn(body, height, said, cramped or said is not None)


def labelled(found: Chart, space: Space) -> bool:
    """Whether lines carry their names at their ends; else the key names them."""
    return len(found.panels) == 1 and space.width >= LABELLED


class _Panel:
    """One metric's plot; all panels of a chart share their axes: they are to be compared."""

    def __init__(self, found: Chart, panel: Panel, space: Space, plot: float) -> None:
        assert found.across is not None
        self.found, self.panel, self.space, self.theme = found, panel, space, space.theme
        self.across: Axis = found.across
        self.names: list[tuple[Series, svg.Line]] = []
        if labelled(found, space):
            most = int(plot // LABEL_GAP)
            self.names = [(line, self._name(line)) for line in panel.series[:most]]
        self.unnamed = len(panel.series) - len(self.names) if self.names else 0
        names = max((line.width for _, line in self.names), default=0.0)
        self.right = space.width - (names + 20 if names else 14)
        self.top, self.bottom = ABOVE, ABOVE + plot
        self.x = place(self.across, LEFT + 8, self.right)
        self.y = place(found.up, self.bottom, self.top)

    def body(self) -> str:
        drawn = [(line, self.theme.colour(line.colour)) for line in self.panel.series]
        return (
            self._axes()
            + self._boundaries()
            + "".join(self._bands(line, colour) for line, colour in drawn)
            + "".join(self._line(line, colour) for line, colour in drawn)
            + "".join(self._points(line, colour) for line, colour in drawn)
            + self._names()
        )

    def _axes(self) -> str:
        theme, n, up = self.theme, svg.number, self.found.up
        body = svg.text(up.title, 0, 7, svg.Look(theme.ink_2, size=SMALL))
        for tick in up.ticks:
            y = self.y(tick.at)
            rule = theme.ink_3 if tick.at == up.base else theme.rule
            body += svg.path(f"M{n(LEFT)} {n(y)}H{n(self.right)}", rule)
            body += svg.text(
                tick.text, LEFT - 8, y, svg.Look(theme.ink_3, size=SMALL, anchor="end")
            )
        for tick in roomy_ticks(self.across, self.x, SMALL):
            x, y = self.x(tick.at), self.bottom + 13
            body += svg.path(f"M{n(x)} {n(self.bottom)}v4", theme.ink_3)
            body += svg.text(tick.text, x, y, svg.Look(theme.ink_3, size=SMALL, anchor="middle"))
        middle, y = (LEFT + self.right) / 2, self.bottom + 31
        title = isolated(self.across.title)
        return body + svg.text(title, middle, y, svg.Look(theme.ink_2, size=SMALL, anchor="middle"))

    def _boundaries(self) -> str:
        """Each under its words, which end there; those on the right have their room first."""
        theme, n, body = self.theme, svg.number, ""
        begins, free = lettering.width(self.found.up.title, SMALL) + 8, self.space.width
        for one in reversed(self.panel.boundaries):
            for x in {self.x(one.low), self.x(one.high)}:
                line = f"M{n(x)} {n(self.top)}V{n(self.bottom)}"
                body += svg.path(line, theme.ink_3, 1, stroke_dasharray=BOUNDARY)
            width, end = lettering.width(one.text, SMALL), self.x(one.high)
            start = max(begins, end - width)
            if start + width <= free:
                body += svg.text(one.text, start, 7, svg.Look(theme.ink_3, size=SMALL))
                free = start - 8
        return body

    def _bands(self, line: Series, colour: str) -> str:
        if line.hollow:
            return ""
        body = ""
        for stretch in line.stretches:
            for banded, points in groupby(stretch, key=lambda point: point.band is not None):
                if banded:
                    body += self._band(list(points), colour)
        return body

    def _band(self, points: list[LinePoint], colour: str) -> str:
        ends = [(self.x(p.x), self.y(p.band[0]), self.y(p.band[1])) for p in points if p.band]
        if len(ends) == 1:  # no width to fill: a bar tells as much
            x, low, high = ends[0]
            bar = f"M{svg.number(x)} {svg.number(low)}V{svg.number(high)}"
            return svg.path(bar, colour, 7, opacity=0.16)
        outline = [(x, high) for x, _, high in ends] + [(x, low) for x, low, _ in ends[::-1]]
        return svg.element("path", d=_joined(outline) + "z", fill=colour, opacity=0.16)

    def _line(self, line: Series, colour: str) -> str:
        if line.curve is not None:
            within = (self._stretch(part, colour) for part in line.curve.within)
            beyond = (self._stretch(part, colour, BEYOND) for part in line.curve.beyond)
            return "".join((*within, *beyond))
        if line.hollow:
            return ""
        return "".join(
            svg.path(
                _joined((self.x(point.x), self.y(point.y)) for point in stretch),
                colour,
                1.75,
                stroke_dasharray=line.dash or None,
            )
            for stretch in line.stretches
            if len(stretch) > 1
        )

    def _stretch(self, points: Iterable[Span], colour: str, dash: str | None = None) -> str:
        d = _joined((self.x(x), self.y(y)) for x, y in points)
        return svg.path(d, colour, 1.25, stroke_dasharray=dash)

    def _points(self, line: Series, colour: str) -> str:
        body = ""
        for point in line.points:
            x, y = self.x(point.x), self.y(point.y)
            look = Look(colour, 4.5 if line.hollow else 3, line.hollow, point.doubted)
            body += draw_mark(line.mark, x, y, look, self.theme)
            if point.whisker:
                low, high = map(self.y, point.whisker)
                ends = f"M{svg.number(x - 4)} {svg.number(low)}h8M{svg.number(x)} {svg.number(low)}"
                ends += f"V{svg.number(high)}M{svg.number(x - 4)} {svg.number(high)}h8"
                body += svg.path(ends, colour, 1.25)
        return body

    def _name(self, line: Series) -> svg.Line:
        theme = self.theme
        written = svg.Line(SMALL)
        label = lettering.fitted(isolated(line.label), self.space.width * 0.36, SMALL)
        written.add(label, theme.colour(line.colour), weight="semibold")
        written.add(line.dagger, theme.ink_2, size=11)
        weight = line.weight
        if line.hollow and len(line.points) == 1:
            weight = line.points[0].text
        return written.add(isolated(weight), theme.ink_3, gap=6)

    def _names(self) -> str:
        """Each line's name at its last point, moved apart where they would touch."""
        ends = [line.points[-1] for line, _ in self.names]
        heights = spread([self.y(end.y) for end in ends], LABEL_GAP, self.top, self.bottom)
        body = ""
        for (line, name), end, y in zip(self.names, ends, heights, strict=True):
            x, at = svg.number(self.x(end.x) + 6), svg.number(self.y(end.y))
            lead = f"M{x} {at}L{svg.number(self.right + 8)} {svg.number(y)}"
            colour = self.theme.colour(line.colour)
            body += svg.path(lead, colour, opacity=0.7, stroke_dasharray=LEAD)
            body += name.at(self.right + 12, y)
        return body


def _joined(points: Iterable[Span]) -> str:
    return "M" + "L".join(f"{svg.number(x)} {svg.number(y)}" for x, y in points)


def signs_of_lines(found: Chart, space: Space) -> list[Sign]:
    """The lines' names where they aren't at their ends."""
    if labelled(found, space):
        return []
    lines = [line for panel in found.panels for line in panel.series]
    told = {(line.label, line.hollow): line for line in reversed(lines)}
    return [_line_sign(line, space) for line in reversed(told.values())]


def _line_sign(line: Series, space: Space) -> Sign:
    colour = space.theme.colour(line.colour)
    drawn = ""
    if not line.hollow:
        drawn = svg.path("M0 0H28", colour, 1.75, stroke_dasharray=line.dash or None)
    drawn += draw_mark(line.mark, 14, 0, Look(colour, r=3.5, hollow=line.hollow), space.theme)
    weight = f" ({line.weight})" if line.weight else ""
    return Sign(drawn, 28, isolated(f"{line.label}{line.dagger}{weight}"))
