"""Plots over a numeric axis: lines with bands, a panel a metric, and points of two figures."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from macmeter.charts.figure import Chart, LinePoint, Panel, Series, Span, Target
from macmeter.charts.numbers import counted
from macmeter.charts.pictures import layout, lettering, svg
from macmeter.platform.plain_text import isolated

PLOT_HEIGHT = 300.0
# Below this height a plot is a mere strip.
ROOMY = 150.0
# Margins of a plot: title and unit above, ticks and axis title below, ticks at the left.
ABOVE, BELOW, LEFT = 24.0, 40.0, 40.0
TITLE = 24.0
GAP = 28.0
LABELLED = 420.0
LABEL_GAP = 15.0
# Distance between rows of texts of boundaries, such as those of core tiers. Those after the first
# are inside the plot.
BOUNDARY_ROW = 28.0
# Dash pattern from the end of a line to its name.
LEAD = "1 3"


def draw_panels(chart: Chart, space: layout.Space) -> layout.Drawn:
    """Draw the panels side by side where they fit, otherwise stacked."""
    panels = chart.panels
    columns = max(1, min(len(panels), int(space.width // 300)))
    rows = -(-len(panels) // columns)
    width = (space.width - GAP * (columns - 1)) / columns
    titled = len(panels) > 1
    around = ABOVE + BELOW + TITLE * titled
    plot = PLOT_HEIGHT if space.width >= LABELLED else 240.0
    cramped = False
    if space.height is not None:
        plot = (space.height - GAP * (rows - 1)) / rows - around
        cramped, plot = plot < ROOMY, max(plot, 60.0)
    body, missing = "", 0
    for number, panel in enumerate(panels):
        drawn = _Panel(chart, panel, replace(space, width=width), plot)
        row, column = divmod(number, columns)
        top = row * (plot + around + GAP)
        content = ""
        if titled:
            title = lettering.fitted(panel.title, width, layout.LABEL, "semibold")
            content = svg.text(title, 0, 9, svg.Look(space.theme.ink, weight="semibold"))
        content += layout.translated(drawn.body(), 0, TITLE * titled)
        body += layout.translated(content, column * (width + GAP), top)
        missing = max(missing, drawn.unnamed)
    height = rows * (plot + around) + GAP * (rows - 1)
    note = f"{counted(missing, 'line')} without room for a name" if missing else None
    return layout.Drawn(body, height, note, cramped or note is not None)


def labelled(chart: Chart, space: layout.Space) -> bool:
    """Whether lines carry their names at their ends; otherwise the key has them."""
    return len(chart.panels) == 1 and space.width >= LABELLED


class _Axes:
    """Axes of a plot, and the area between them."""

    def __init__(self, chart: Chart, space: layout.Space, height: float, right: float) -> None:
        assert chart.across is not None
        self.chart, self.space, self.theme = chart, space, space.theme
        self.across, self.up, self.right = chart.across, chart.up, right
        self.top, self.bottom = ABOVE, ABOVE + height
        # Lines start clear of the axis' ticks; points are measured from zero.
        self.x = layout.place(self.across, LEFT + 8 * (chart.kind == "lines"), right)
        self.y = layout.place(self.up, self.bottom, self.top)

    def axes(self) -> str:
        theme = self.theme
        body = svg.text(self.up.title, 0, 7, svg.small(theme.ink_2))
        for tick in self.up.ticks:
            y = self.y(tick.at)
            rule = theme.ink_3 if tick.at == self.up.base else theme.rule
            body += svg.path(svg.rule(LEFT, y, "H", self.right), rule)
            body += svg.text(tick.text, LEFT - 8, y, svg.small(theme.ink_3, "end"))
        for tick in layout.roomy_ticks(self.across, self.x, svg.SMALL):
            x, y = self.x(tick.at), self.bottom + 13
            body += svg.path(svg.rule(x, self.bottom, "v", 4), theme.ink_3)
            body += svg.text(tick.text, x, y, svg.small(theme.ink_3, "middle"))
        middle, title = (LEFT + self.right) / 2, isolated(self.across.title)
        return body + svg.text(title, middle, self.bottom + 31, svg.small(theme.ink_2, "middle"))


class _Panel(_Axes):
    """One metric's plot; all panels of a chart share their axes for comparison."""

    def __init__(self, chart: Chart, panel: Panel, space: layout.Space, plot: float) -> None:
        self.panel, self.theme = panel, space.theme
        self.names: list[tuple[Series, svg.Line]] = []
        if labelled(chart, space):
            most = int(plot // LABEL_GAP)
            self.names = [(line, self._name(line, space.width)) for line in panel.series[:most]]
        self.unnamed = len(panel.series) - len(self.names) if self.names else 0
        names = max((line.width for _, line in self.names), default=0.0)
        super().__init__(chart, space, plot, space.width - (names + 20 if names else 14))

    def body(self) -> str:
        drawn = [(line, self.theme.colour(line.colour)) for line in self.panel.series]
        layers = (self._bands, self._line, self._points)
        lines = "".join(draw(line, colour) for draw in layers for line, colour in drawn)
        return self.axes() + self._boundaries() + lines + self._names()

    def _boundaries(self) -> str:
        """Draw each boundary with its right-aligned text, from the right: above the plot, or where
        that would overlap another, below it in the plot.
        """
        theme, body, free = self.theme, "", [self.space.width]
        begins = lettering.width(self.chart.up.title, svg.SMALL) + 8
        for edge in reversed(self.panel.boundaries):
            for x in {self.x(edge.low), self.x(edge.high)}:
                line = svg.rule(x, self.top, "V", self.bottom)
                body += svg.path(line, theme.ink_3, 1, stroke_dasharray=layout.BOUNDARY)
            width, end = lettering.width(edge.text, svg.SMALL), self.x(edge.high)
            starts = [max(0 if row else begins, end - width) for row in range(len(free) + 1)]
            free.append(self.space.width)
            row = next(row for row, x in enumerate(starts) if x + width <= free[row])
            body += svg.text(edge.text, starts[row], 7 + row * BOUNDARY_ROW, svg.small(theme.ink_3))
            free[row] = starts[row] - 8
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
        if len(ends) == 1:  # a band of one point has no width, so draw a bar
            x, low, high = ends[0]
            return svg.path(svg.rule(x, low, "V", high), colour, 7, opacity=0.16)
        outline = [(x, high) for x, _, high in ends] + [(x, low) for x, low, _ in ends[::-1]]
        return svg.element("path", d=_joined(outline) + "z", fill=colour, opacity=0.16)

    def _line(self, line: Series, colour: str) -> str:
        if line.curve is not None:
            return "".join(
                svg.path(_joined((self.x(x), self.y(y)) for x, y in stretch), colour, 1.25)
                for stretch in line.curve.within
            )
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

    def _points(self, line: Series, colour: str) -> str:
        body = ""
        for point in line.points:
            x, y = self.x(point.x), self.y(point.y)
            style = layout.MarkStyle(colour, 4.5 if line.hollow else 3, line.hollow, point.doubted)
            body += layout.draw_mark(line.mark, x, y, style, self.theme)
            if point.whisker:
                low, high = map(self.y, point.whisker)
                ends = svg.rule(x - 4, low, "h", 8) + svg.rule(x - 4, high, "h", 8)
                body += svg.path(svg.rule(x, low, "V", high) + ends, colour, 1.25)
        return body

    def _name(self, line: Series, room: float) -> svg.Line:
        theme = self.theme
        written = svg.Line(svg.SMALL)
        label = lettering.fitted(isolated(line.label), room * 0.36, svg.SMALL)
        written.add(label, theme.colour(line.colour), weight="semibold")
        written.add(line.dagger, theme.ink_2, size=11)
        weight = line.weight
        if line.hollow and len(line.points) == 1:
            weight = line.points[0].text
        return written.add(isolated(weight), theme.ink_3, gap=6)

    def _names(self) -> str:
        """Draw each line's name at its last point, moved apart where they would overlap."""
        ends = [line.points[-1] for line, _ in self.names]
        heights = layout.spread([self.y(end.y) for end in ends], LABEL_GAP, self.top, self.bottom)
        body = ""
        for (line, name), end, y in zip(self.names, ends, heights, strict=True):
            lead = _joined([(self.x(end.x) + 6, self.y(end.y)), (self.right + 8, y)])
            colour = self.theme.colour(line.colour)
            body += svg.path(lead, colour, opacity=0.7, stroke_dasharray=LEAD)
            body += name.at(self.right + 12, y)
        return body


def _joined(points: Iterable[Span]) -> str:
    return "M" + "L".join(f"{svg.number(x)} {svg.number(y)}" for x, y in points)


def legend_of_lines(chart: Chart, space: layout.Space) -> list[layout.LegendEntry]:
    """Return key entries for lines whose names aren't at their ends."""
    if labelled(chart, space):
        return []
    lines = [line for panel in chart.panels for line in panel.series]
    unique = {(line.label, line.hollow): line for line in reversed(lines)}
    return [_legend_entry_of_line(line, space) for line in reversed(unique.values())]


def _legend_entry_of_line(line: Series, space: layout.Space) -> layout.LegendEntry:
    colour = space.theme.colour(line.colour)
    drawn = ""
    if not line.hollow:
        drawn = svg.path("M0 0H28", colour, 1.75, stroke_dasharray=line.dash or None)
    drawn += layout.draw_mark(
        line.mark, 14, 0, layout.MarkStyle(colour, r=3.5, hollow=line.hollow), space.theme
    )
    weight = f" ({line.weight})" if line.weight else ""
    return layout.LegendEntry(drawn, 28, isolated(f"{line.label}{line.dagger}{weight}"))


POINTS_HEIGHT = 340.0
# Distance from a mark's centre to where a name may begin.
REACH = 8.0


def draw_points(chart: Chart, space: layout.Space) -> layout.Drawn:
    plot = POINTS_HEIGHT if space.height is None else max(space.height - ABOVE - BELOW, 60.0)
    return layout.Drawn(_Plot(chart, space, plot, space.width - 14).body(), plot + ABOVE + BELOW)


class _Plot(_Axes):
    """Scatter plot of two figures of the same storage: a task's rate at the storage's speed."""

    def at(self, target: Target) -> tuple[float, float]:
        return self.x(target.x), self.y(target.y)

    def body(self) -> str:
        marks = "".join(map(self._mark, self.chart.targets))
        labels = "" if self.space.narrow else self._labels()
        return self.axes() + self._level() + marks + labels

    def _level(self) -> str:
        """Draw the line where rate and speed are equal, as far as both axes go."""
        most = min(self.across.high, self.up.high)
        line = _joined((self.x(at), self.y(at)) for at in (0, most))
        x, y = self.x(most * 0.94) - 8, self.y(most * 0.94)
        return svg.path(line, self.theme.ink_3, stroke_dasharray="2 4") + svg.text(
            self.chart.level, x, y, svg.small(self.theme.ink_3, "end")
        )

    def _mark(self, target: Target) -> str:
        x, y = self.at(target)
        colour = self.theme.colour(target.colour)
        style = layout.MarkStyle(colour, hollow=target.hollow, crossed=target.doubted)
        return layout.draw_mark(target.mark, x, y, style, self.theme)

    def _labels(self) -> str:
        """Draw each point's name beside it, moved apart where they would overlap."""
        labels = [self._label(target) for target in self.chart.targets]
        boxes = [(x, x + line.width, y) for line, x, y in labels]
        marks = [(x - REACH, x + REACH, y) for x, y in map(self.at, self.chart.targets)]
        heights = layout.avoid_overlaps(boxes, LABEL_GAP, marks)
        return "".join(line.at(x, y) for (line, x, _), y in zip(labels, heights, strict=True))

    def _label(self, target: Target) -> tuple[svg.Line, float, float]:
        """Return the name and where it begins."""
        x, y = self.at(target)
        line = svg.Line(svg.SMALL)
        name = lettering.fitted(isolated(target.label), 240, svg.SMALL, "semibold")
        line.add(name, self.theme.colour(target.colour), weight="semibold")
        line.add(target.dagger, self.theme.ink_2, size=11)
        before = x > LEFT + (self.right - LEFT) * 0.7
        return line, x - 11 - line.width if before else x + 11, y


def legend_of_targets(chart: Chart, space: layout.Space) -> list[layout.LegendEntry]:
    """Return key entries for targets whose names aren't next to them."""
    theme = space.theme
    legend: list[layout.LegendEntry] = []
    for target in chart.targets if space.narrow else ():
        colour = theme.colour(target.colour)
        drawn = layout.draw_mark(
            target.mark, 5, 0, layout.MarkStyle(colour, r=4, hollow=target.hollow), theme
        )
        legend.append(layout.LegendEntry(drawn, 10, isolated(f"{target.label}{target.dagger}")))
    return legend
