"""Lines with bands over a numeric axis, a panel a metric (figures/charts/LinesChart.tsx)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np

from macmeter import catalog
from macmeter.figures.digits import Span
from macmeter.figures.numbers import Scale, counted, plain, scale_for
from macmeter.figures.panels import Panel, Panels, Point, Series
from macmeter.figures.words import dimension_title, uncapitalised, value_text
from macmeter.pictures import lettering, svg
from macmeter.pictures.layout import LABEL, SMALL, Drawn, Sign, Space, moved
from macmeter.pictures.marks import draw_mark
from macmeter.pictures.scales import Axis, place_axis, ratio_axis, spread, zero_axis
from macmeter.stats.fit import equation, evaluate

PLOT_HEIGHT = 300.0
# A plot of less height than this is a strip.
ROOMY = 150.0
# Room around a plot: its title and unit above, ticks and the axis' name below, ticks at the left.
ABOVE, BELOW, LEFT = 24.0, 40.0, 40.0
TITLE = 24.0
GAP = 28.0
LABELLED = 420.0
LABEL_GAP = 15.0
CURVE_STEPS = 64
# Dashes of a curve where no point supports it.
BEYOND = "5 4"

Json = dict[str, Any]


def draw_panels(found: Panels, space: Space) -> Drawn:
    """The panels beside each other where there is room, else below each other."""
    panels = found.panels
    beside = next(n for n in (len(panels), 2, 1) if space.width / n >= 300 or n == 1)
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
    for place, panel in enumerate(panels):
        drawn = _Panel(found, panel, replace(space, width=width), plot)
        row, column = divmod(place, beside)
        top = row * (plot + around + GAP)
        content = ""
        if titled:
            shown = lettering.fitted(panel.title, width, LABEL, "semibold")
            content = svg.text(shown, 0, 9, space.theme.ink, weight="semibold")
        content += moved(drawn.body(), 0, TITLE * titled)
        body += moved(content, column * (width + GAP), top)
        missing = max(missing, drawn.unnamed)
    height = rows * (plot + around) + GAP * (rows - 1)
    said = f"{counted(missing, 'line')} without room for a name" if missing else None
    return Drawn(body, height, said, cramped or said is not None)


def labelled(found: Panels, space: Space) -> bool:
    """Whether lines carry their names at their ends; else the key names them."""
    return len(found.panels) == 1 and space.width >= LABELLED


class _Panel:
    """One metric's plot; all panels of an answer share their axes: they are to be compared."""

    def __init__(self, found: Panels, panel: Panel, space: Space, plot: float) -> None:
        self.found, self.panel, self.space, self.theme = found, panel, space, space.theme
        self.divisor = found.scale.divisor if found.measure == "figure" else 1.0
        self.names: list[tuple[Series, svg.Line]] = []
        if labelled(found, space):
            most = int(plot // LABEL_GAP)
            self.names = [(series, self._name(series)) for series in panel.series[:most]]
        self.unnamed = len(panel.series) - len(self.names) if self.names else 0
        names = max((line.width for _, line in self.names), default=0.0)
        self.right = space.width - (names + 20 if names else 14)
        self.top, self.bottom = ABOVE, ABOVE + plot
        self.x_axis = place_axis(found.places, self.right - LEFT)
        self.y_axis = self._values()
        self.x = self.x_axis.place(LEFT + 8, self.right)
        self._y = self.y_axis.place(self.bottom, self.top)

    def y(self, value: float) -> float:
        return self._y(value / self.divisor)

    def _values(self) -> Axis:
        reach = [
            value / self.divisor
            for panel in self.found.panels
            for series in panel.series
            for point in series.points
            for value in (
                point.value,
                *(() if series.hollow else point.band or point.whisker or ()),
            )
        ]
        reach += [value / self.divisor for panel in self.found.panels for value in _highest(panel)]
        if self.found.measure == "ratio":
            return ratio_axis(reach, 6)
        return zero_axis(max(reach))

    def body(self) -> str:
        colours = [self.theme.of_group(series.key) for series in self.panel.series]
        drawn = list(zip(self.panel.series, colours, strict=True))
        return (
            self._axes()
            + "".join(self._bands(series, colour) for series, colour in drawn)
            + "".join(self._line(series, colour) for series, colour in drawn)
            + "".join(self._points(series, colour) for series, colour in drawn)
            + self._names()
        )

    def _axes(self) -> str:
        theme, n = self.theme, svg.number
        ratio = self.found.measure == "ratio"
        unit = "%" if ratio else self.found.scale.symbol
        body = svg.text(unit, 0, 7, theme.ink_2, size=SMALL)
        for tick in self.y_axis.ticks:
            y = self._y(tick)
            base = tick == (1.0 if ratio else 0.0)
            rule = theme.ink_3 if base else theme.rule
            body += svg.path(f"M{n(LEFT)} {n(y)}H{n(self.right)}", rule)
            shown = plain(tick * 100 if ratio else tick)
            body += svg.text(shown, LEFT - 8, y, theme.ink_3, size=SMALL, anchor="end")
        for tick in self.x_axis.ticks:
            x = self.x(tick)
            body += svg.path(f"M{n(x)} {n(self.bottom)}v4", theme.ink_3)
            shown = value_text(self.found.axis, self.found.values.get(tick, tick))
            body += svg.text(shown, x, self.bottom + 13, theme.ink_3, size=SMALL, anchor="middle")
        middle = (LEFT + self.right) / 2
        title = svg.isolated(dimension_title(self.found.axis))
        return body + svg.text(
            title, middle, self.bottom + 31, theme.ink_2, size=SMALL, anchor="middle"
        )

    def _bands(self, series: Series, colour: str) -> str:
        if series.hollow:
            return ""
        body = ""
        for stretch in self.found.stretches(series):
            for banded, points in groupby(stretch, key=lambda point: point.band is not None):
                if banded:
                    body += self._band(list(points), colour)
        return body

    def _band(self, points: list[Point], colour: str) -> str:
        ends = [(self.x(p.x), self.y(p.band[0]), self.y(p.band[1])) for p in points if p.band]
        if len(ends) == 1:  # no width to fill: a bar tells as much
            x, low, high = ends[0]
            bar = f"M{svg.number(x)} {svg.number(low)}V{svg.number(high)}"
            return svg.path(bar, colour, 7, opacity=0.16)
        outline = [(x, high) for x, _, high in ends] + [(x, low) for x, low, _ in ends[::-1]]
        return svg.element("path", d=_joined(outline) + "z", fill=colour, opacity=0.16)

    def _line(self, series: Series, colour: str) -> str:
        if series.fit is not None:
            return self._curve(series, colour)
        if series.hollow:
            return ""
        return "".join(
            svg.path(
                _joined((self.x(point.x), self.y(point.value)) for point in stretch),
                colour,
                1.75,
                stroke_dasharray=series.dash or None,
            )
            for stretch in self.found.stretches(series)
            if len(stretch) > 1
        )

    def _curve(self, series: Series, colour: str) -> str:
        """The fitted curve within its points' range, and dashed from there to the axis' ends."""
        fit = series.fit
        assert fit is not None
        body = self._stretch(fit, (fit["low"], fit["high"]), colour)
        for ends in _beyond(fit, self.found.places):
            body += self._stretch(fit, ends, colour, BEYOND)
        return body

    def _stretch(self, fit: Json, ends: Span, colour: str, dash: str | None = None) -> str:
        """The curve from one place to another, as far as it is on the axes."""
        steps = np.geomspace if self.x_axis.log else np.linspace
        xs = steps(*ends, CURVE_STEPS + 1)
        ys = evaluate(fit["model"], fit["coefficients"], xs)
        top = self.y_axis.high * self.divisor
        body = ""
        for shown, points in groupby(zip(xs, ys, strict=True), key=lambda at: 0 <= at[1] <= top):
            if shown:
                d = _joined((self.x(x), self.y(y)) for x, y in points)
                body += svg.path(d, colour, 1.25, stroke_dasharray=dash)
        return body

    def _points(self, series: Series, colour: str) -> str:
        body = ""
        for point in series.points:
            x, y = self.x(point.x), self.y(point.value)
            body += draw_mark(
                series.mark,
                x,
                y,
                colour,
                self.theme,
                r=4.5 if series.hollow else 3,
                hollow=series.hollow,
                crossed=point.doubted,
            )
            if point.whisker:
                low, high = map(self.y, point.whisker)
                ends = f"M{svg.number(x - 4)} {svg.number(low)}h8M{svg.number(x)} {svg.number(low)}"
                ends += f"V{svg.number(high)}M{svg.number(x - 4)} {svg.number(high)}h8"
                body += svg.path(ends, colour, 1.25)
        return body

    def _name(self, series: Series) -> svg.Line:
        theme = self.theme
        line = svg.Line(SMALL)
        label = lettering.fitted(svg.isolated(series.label), self.space.width * 0.36, SMALL)
        line.add(label, theme.of_group(series.key), weight="semibold")
        line.add(series.dagger, theme.ink_2, size=11)
        weight = series.weight
        if series.hollow and len(series.points) == 1:
            weight = series.points[0].text
        return line.add(svg.isolated(weight), theme.ink_3, gap=6)

    def _names(self) -> str:
        """Each line's name at its last point, moved apart where they would touch."""
        ends = [series.points[-1] for series, _ in self.names]
        heights = spread([self.y(end.value) for end in ends], LABEL_GAP, self.top, self.bottom)
        body = ""
        for (series, line), end, y in zip(self.names, ends, heights, strict=True):
            x, at = svg.number(self.x(end.x) + 6), svg.number(self.y(end.value))
            lead = f"M{x} {at}L{svg.number(self.right + 8)} {svg.number(y)}"
            body += svg.path(lead, self.theme.of_group(series.key), opacity=0.35)
            body += line.at(self.right + 12, y)
        return body


def _beyond(fit: Json, places: list[float]) -> list[Span]:
    """Where the curve is extrapolated: from the ends of its points to those of the axis."""
    first, last = places[0], places[-1]
    low = [(first, fit["low"])] if first < fit["low"] else []
    return [*low, (fit["high"], last)] if last > fit["high"] else low


def _highest(panel: Panel) -> list[float]:
    """What each fitted curve of the panel comes to within its range at most."""
    highest = []
    for series in panel.series:
        if fit := series.fit:
            xs = np.linspace(fit["low"], fit["high"], CURVE_STEPS + 1)
            highest.append(float(evaluate(fit["model"], fit["coefficients"], xs).max()))
    return highest


def _joined(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{svg.number(x)} {svg.number(y)}" for x, y in points)


def key_of_panels(found: Panels, space: Space) -> list[Sign]:
    """The lines' names where they don't stand at their ends, then what marks and bands mean."""
    theme = space.theme
    every = [series for panel in found.panels for series in panel.series]
    signs: list[Sign] = []
    if not labelled(found, space):
        told: dict[tuple[str, bool], None] = {}
        for series in every:
            if (series.label, series.hollow) not in told:
                told[series.label, series.hollow] = None
                signs.append(_line_sign(series, space))
    fits = [series.fit for series in every if series.fit]
    if fits:
        drawn = svg.path("M0 0H24", theme.ink_2, 1.25)
        signs.append(Sign(drawn, 24, "fitted curve, within its points"))
    if any(_beyond(fit, found.places) for fit in fits):
        drawn = svg.path("M0 0H24", theme.ink_2, 1.25, stroke_dasharray=BEYOND)
        signs.append(Sign(drawn, 24, "dashed: extrapolated"))
    if any(series.hollow for series in every):
        hollow = draw_mark("circle", 5, 0, theme.ink_2, theme, r=4, hollow=True)
        signs.append(Sign(hollow, 10, "hollow †: published, as printed there"))
    if any(point.band for series in every if not series.hollow for point in series.points):
        drawn = svg.element("rect", x=0, y=-5, width=18, height=10, fill=theme.ink_2, opacity=0.25)
        ratio = found.measure == "ratio"
        signs.append(
            Sign(drawn, 18, "95 % interval" if ratio else "p10 to p90 of the samples, line: median")
        )
    if any(point.whisker for series in every for point in series.points):
        drawn = svg.path("M4 -6h8M8 -6V6M4 6h8", theme.ink_2, 1.25)
        meaning = "mean ± one standard deviation of the samples, mark: median"
        signs.append(Sign(drawn, 16, meaning))
    if any(point.doubted for series in every for point in series.points):
        crossed = draw_mark("circle", 8, 0, theme.ink_2, theme, r=4, crossed=True)
        signs.append(Sign(crossed, 16, "crossed: only doubted runs"))
    return signs


def _line_sign(series: Series, space: Space) -> Sign:
    colour = space.theme.of_group(series.key)
    drawn = ""
    if not series.hollow:
        dash = None if series.fit else series.dash or None
        drawn = svg.path("M0 0H28", colour, 1.75, stroke_dasharray=dash)
    drawn += draw_mark(series.mark, 14, 0, colour, space.theme, r=3.5, hollow=series.hollow)
    weight = f" ({series.weight})" if series.weight else ""
    return Sign(drawn, 28, svg.isolated(f"{series.label}{series.dagger}{weight}"))


def fits_in_words(found: Panels) -> list[str]:
    """ "Power fit of Host: y = 49.9 x^−0.912 in s and threads, r² 0.998, 5 points from 1 to 5"."""
    told = []
    across, up = _scale_of_places(found), found.scale if found.measure == "figure" else Scale()
    for panel in found.panels:
        for series in panel.series:
            if series.fit is not None:
                model = series.fit["model"].replace("_", "-").capitalize()
                of = svg.isolated(series.label)
                if len(found.panels) > 1:
                    of = f"{panel.title}, {of}"
                low, high = (value_text(found.axis, series.fit[end]) for end in ("low", "high"))
                written = equation(
                    series.fit["model"], series.fit["coefficients"], across.divisor, up.divisor
                )
                units = " and ".join(filter(None, (up.symbol, across.symbol)))
                told.append(
                    f"{model} fit of {of}: {written.replace('-', '−')} in {units}, "
                    f"r² {series.fit['r2']:.3f}, {series.fit['points']} points from {low} to {high}"
                )
    return told


def _scale_of_places(found: Panels) -> Scale:
    """The unit of x in equations: that of the axis, or what it counts."""
    of = catalog.dimension(found.axis)
    if of is None or not of.unit:
        return Scale(uncapitalised(dimension_title(found.axis)))
    fits = [series.fit for panel in found.panels for series in panel.series if series.fit]
    return scale_for(of.unit, [fit["high"] for fit in fits])
