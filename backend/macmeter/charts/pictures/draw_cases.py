"""Charts of cases: horizontal lanes from a base line."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from macmeter.charts.figure import Axis, Case, Chart, Lane
from macmeter.charts.numbers import counted
from macmeter.charts.pictures import lettering, svg
from macmeter.charts.pictures.layout import (
    LABEL,
    Drawn,
    MarkStyle,
    Space,
    draw_mark,
    place,
    roomy_ticks,
)
from macmeter.platform.plain_text import isolated

AXIS_HEIGHT = 24.0
LABEL_ABOVE = 19.0
# Height of the line that reports undrawn cases.
FOOTER_HEIGHT = 24.0
# Distance from the end of a mark to its figure.
FIGURE_GAP = 11.0
MOST_CASES = 200


@dataclass(frozen=True)
class RowHeights:
    """Heights of repeated elements."""

    lane: float
    heading: float
    gap: float


ROOMY, DENSE = RowHeights(19, 30, 9), RowHeights(15.5, 21, 4)


def draw_cases(chart: Chart, space: Space) -> Drawn:
    """Draw the first cases, as many as fit. If some don't, say how many of all are drawn."""
    heights = DENSE if space.dense else ROOMY
    cases = [case for case in chart.cases if not case.undrawn]
    rows, height = _stacked(cases, space, heights)
    hidden = len(rows) < len(cases)
    if hidden and space.height is not None:
        room = replace(space, height=space.height - FOOTER_HEIGHT)
        rows, height = _stacked(cases, room, heights)
    if space.dense and space.height is not None and len(rows) == len(cases):
        # Distribute free space among the rows, up to the spacing of a page.
        free = (space.height - AXIS_HEIGHT) / max(height, 1)
        stretch = min(max(free, 1.0), ROOMY.lane / DENSE.lane)
        heights = RowHeights(*(size * stretch for size in (DENSE.lane, DENSE.heading, DENSE.gap)))
        rows, height = _stacked(cases, space, heights)
    drawing = _Drawing(chart, [case for case, _ in rows], space, heights)
    body = drawing.grid(height) + "".join(drawing.row(*row) for row in rows)
    if hidden:
        # Next to the figures rather than in the foot, so that nobody takes them for all cases.
        footer = f"{len(rows)} of {counted(len(cases), 'case')} drawn: the others had no room"
        body += svg.text(
            footer,
            0,
            AXIS_HEIGHT + height + FOOTER_HEIGHT / 2,
            svg.Look(space.theme.ink, weight="semibold"),
        )
        height += FOOTER_HEIGHT
    letters = frozenset(flag for case, _ in rows for lane in case.lanes for flag in lane.flags)
    return Drawn(body, AXIS_HEIGHT + height, None, hidden, letters)


# A case and its top.
_Row = tuple[Case, float]


def _stacked(cases: Sequence[Case], space: Space, heights: RowHeights) -> tuple[list[_Row], float]:
    """Return the cases that fit, from the top, and their total height."""
    limit = (space.height or float("inf")) - AXIS_HEIGHT
    rows: list[_Row] = []
    y = 0.0
    for case in cases[:MOST_CASES]:
        bottom = y + (heights.heading if case.heading else 0.0)
        bottom += LABEL_ABOVE * space.narrow + heights.lane * len(case.lanes) + heights.gap
        if bottom - heights.gap > limit:
            break
        rows.append((case, y))
        y = bottom
    return rows, y


class _Drawing:
    """Columns and axis shared by all rows."""

    def __init__(self, chart: Chart, cases: list[Case], space: Space, heights: RowHeights) -> None:
        self.chart, self.space, self.heights = chart, space, heights
        self.theme = space.theme
        lanes = [lane for case in cases for lane in case.lanes]
        self.axis: Axis = chart.up
        # Largest share of the width for the note at a mark. Those of sides also have a verdict
        # and the number of machines.
        self.note_share = 0.5 if chart.rows else 0.38
        names = max((lettering.width(lane.name, svg.SMALL) for lane in lanes), default=0.0)
        self.label_room = space.width
        self.left = names + 9 if names else 0.0
        if not space.narrow:
            longest = max((lettering.width(case.label, LABEL) for case in cases), default=0.0)
            self.label_room = min(longest, space.width * 0.34)
            self.left += self.label_room + 14
        self.right = self.left + self._plot_width(lanes)
        self.x = place(self.axis, self.left, self.right)
        self.base = self.x(self.axis.base)

    def _plot_width(self, lanes: list[Lane]) -> float:
        """Return the width left by the figures next to marks, at least a third."""
        free = self.space.width - self.left
        share = place(self.axis, 0.0, 1.0)
        widest = free - 34  # the unit follows the last tick
        for lane in lanes:
            if lane.value is not None:
                taken = FIGURE_GAP + self._figure(lane).width
                widest = min(
                    widest,
                    (free - taken) / max(share(_rightmost_value(lane, self.axis.base)), 0.01),
                )
        return max(widest, free / 3)

    def _figure(self, lane: Lane) -> svg.Line:
        """Return the text next to a mark: digits, dagger, sample size, letters of flags."""
        theme = self.theme
        line = svg.Line(LABEL).add(isolated(lane.text), theme.ink, weight="semibold")
        line.add(lane.dagger, theme.ink_2, size=svg.SMALL)
        # A narrow picture has space for what distinguishes lanes, but not for the sample size.
        details = [lane.apart, "" if self.space.narrow else lane.weight]
        note = isolated(", ".join(filter(None, details)))
        note = lettering.fitted(note, self.space.width * self.note_share, svg.SMALL)
        line.add(note, theme.ink_3, size=svg.SMALL, gap=8)
        colour = theme.doubt if lane.alarming else theme.ink_3
        return line.add(" ".join(lane.flags), colour, size=11, gap=8)

    def grid(self, height: float) -> str:
        """Draw light rules at the ticks, their numbers above, the unit once at the end."""
        body = ""
        ticks = roomy_ticks(self.axis, self.x, svg.SMALL)
        for tick in ticks:
            x = self.x(tick.at)
            body += svg.path(svg.rule(x, AXIS_HEIGHT, "V", AXIS_HEIGHT + height), self.theme.rule)
            body += svg.text(tick.text, x, 9, svg.small(self.theme.ink_3, "middle"))
        last = lettering.width(ticks[-1].text, svg.SMALL) / 2
        unit = self.axis.title
        return body + svg.text(unit, self.right + last + 8, 9, svg.small(self.theme.ink_2))

    def row(self, case: Case, top: float) -> str:
        """Draw the heading, label and lanes of one case."""
        y, theme = AXIS_HEIGHT + top, self.theme
        colour = theme.colour(case.colour)
        body = ""
        if case.heading:
            middle = y + self.heights.heading / 2 + 2
            body += svg.path(svg.rule(0, y, "H", self.space.width), theme.rule)
            start = 0
            if not self.chart.rows:
                body += svg.element("rect", x=0, y=middle - 4.5, width=9, height=9, fill=colour)
                start = 16
            heading = lettering.fitted(
                isolated(case.heading), self.space.width - start, LABEL, "semibold"
            )
            body += svg.text(heading, start, middle, svg.Look(theme.ink, weight="semibold"))
            y += self.heights.heading
        lane_height = self.heights.lane
        if self.space.narrow:
            # For sides, the basis of a figure fits nowhere else.
            note = case.lanes[0].weight if self.chart.rows else ""
            note = lettering.fitted(isolated(note), self.space.width / 2, svg.SMALL)
            room = self.space.width - lettering.width(note, svg.SMALL) - 8
            label = lettering.fitted(isolated(case.label), room, LABEL)
            line = svg.Line(LABEL).add(label, theme.ink_2)
            line.add(note, theme.ink_3, size=svg.SMALL, gap=8)
            body += self._with_background(line, 0, y + LABEL_ABOVE / 2)
            y += LABEL_ABOVE
        else:
            lines = lettering.wrapped(
                isolated(case.label), self.label_room, LABEL, min(len(case.lanes), 2)
            )
            for index, words in enumerate(lines):
                body += svg.text(words, 0, y + lane_height * (index + 0.5), svg.Look(theme.ink_2))
        foot = y + lane_height * len(case.lanes)
        body += svg.path(svg.rule(self.base, y, "V", foot), theme.ink_3)
        previous = None
        for index, lane in enumerate(case.lanes):
            middle = y + lane_height * (index + 0.5)
            if lane.name != previous:
                body += svg.text(
                    lane.name,
                    self.left - 9,
                    middle,
                    svg.small(theme.ink_3, "end"),
                )
            previous = lane.name
            body += self._lane(lane, middle, colour)
        return body

    def _lane(self, lane: Lane, y: float, colour: str) -> str:
        if lane.value is None:
            return self._draw_printed_ratio(lane, y)
        x = self.x(lane.value)
        body = ""
        if lane.band:
            low, high = map(self.x, lane.band)
            body += svg.element(
                "rect",
                x=low,
                y=y - 5,
                width=max(high - low, 1),
                height=10,
                fill=colour,
                opacity=0.2,
            )
        body += svg.path(svg.rule(self.base, y, "H", x), colour, 1.5)
        if lane.interval:
            low, high = map(self.x, lane.interval)
            ends = svg.rule(low, y - 4, "v", 8) + svg.rule(high, y - 4, "v", 8)
            body += svg.path(svg.rule(low, y, "H", high) + ends, colour, 1.5)
        style = MarkStyle(colour, hollow=lane.hollow, crossed=lane.doubted)
        body += draw_mark(lane.mark, x, y, style, self.theme)
        start = self.x(_rightmost_value(lane, self.axis.base)) + FIGURE_GAP
        return body + self._with_background(self._figure(lane), start, y)

    def _draw_printed_ratio(self, lane: Lane, y: float) -> str:
        """Draw a printed ratio as text: the axis of speeds can't show it."""
        theme, start = self.theme, self.base + 8
        text = isolated(f"{lane.text} {lane.of}")
        line = svg.Line(svg.SMALL).add(
            lettering.fitted(text, self.space.width - start - 24, svg.SMALL), theme.ink_2
        )
        line.add(lane.dagger, theme.ink_2)
        if not self.space.narrow:
            line.add(lane.weight, theme.ink_3, gap=8)
        line.add(" ".join(lane.flags), theme.ink_3, size=11, gap=8)
        return self._with_background(line, start, y)

    def _with_background(self, line: svg.Line, x: float, y: float) -> str:
        """Draw a line on a patch of the background, to keep it legible where it crosses a rule."""
        paper = svg.element(
            "rect", x=x - 3, y=y - 7.5, width=line.width + 6, height=15, fill=self.theme.paper
        )
        return paper + line.at(x, y)


def _rightmost_value(lane: Lane, base: float) -> float:
    """Return the rightmost value that the lane draws."""
    ends = (*(lane.band or ()), *(lane.interval or ()))
    return float(max(base, lane.value or base, *ends))
