"""Cases as horizontal lanes from a base line (frontend/src/figures/charts/CasesChart.tsx)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from macmeter.figures.cases import Case, Cases, Lane
from macmeter.figures.numbers import counted, plain
from macmeter.pictures import lettering, svg
from macmeter.pictures.layout import LABEL, SMALL, Drawn, Sign, Space
from macmeter.pictures.marks import draw_mark
from macmeter.pictures.scales import Axis, ratio_axis, zero_axis

AXIS = 24.0
LABEL_ABOVE = 19.0
# A line that says what is not drawn.
SAID = 24.0
# From the end of a mark to its figure.
BESIDE = 11.0
MOST_CASES = 200


@dataclass(frozen=True)
class Rhythm:
    """Heights of what repeats."""

    lane: float
    heading: float
    gap: float


ROOMY, DENSE = Rhythm(19, 30, 9), Rhythm(15.5, 21, 4)


def draw_cases(found: Cases, space: Space) -> Drawn:
    """As many cases as there is room for, the first ones, and how many that is of all."""
    rhythm = DENSE if space.dense else ROOMY
    rows, height = _stacked(found.cases, space, rhythm)
    hidden = len(rows) < len(found.cases)
    if hidden and space.height is not None:
        room = replace(space, height=space.height - SAID)
        rows, height = _stacked(found.cases, room, rhythm)
    if space.dense and space.height is not None and len(rows) == len(found.cases):
        # What is left over loosens the rows, up to the measure of a page.
        free = (space.height - AXIS) / max(height, 1)
        loose = min(max(free, 1.0), ROOMY.lane / DENSE.lane)
        rhythm = Rhythm(*(part * loose for part in (DENSE.lane, DENSE.heading, DENSE.gap)))
        rows, height = _stacked(found.cases, space, rhythm)
    drawing = _Drawing(found, [row.case for row in rows], space, rhythm)
    body = drawing.grid(height) + "".join(drawing.row(row) for row in rows)
    if hidden:
        # Among the figures and not in the foot: nobody may take the first ones for all.
        said = f"{len(rows)} of {counted(len(found.cases), 'case')} drawn: the others had no room"
        body += svg.text(said, 0, AXIS + height + SAID / 2, space.theme.ink, weight="semibold")
        height += SAID
    flags = (flag for row in rows for lane in row.case.lanes for flag in lane.flags)
    letters = frozenset(flag.letter for flag in flags)
    return Drawn(body, AXIS + height, None, hidden, letters)


@dataclass(frozen=True)
class _Row:
    case: Case
    top: float
    heading: str


def _stacked(cases: Sequence[Case], space: Space, rhythm: Rhythm) -> tuple[list[_Row], float]:
    """The cases that fit, from the top, and the height they take together."""
    limit = (space.height or float("inf")) - AXIS
    rows: list[_Row] = []
    y = 0.0
    for case in cases[:MOST_CASES]:
        bottom = y + (rhythm.heading if case.heading else 0.0)
        bottom += LABEL_ABOVE * space.narrow + rhythm.lane * len(case.lanes) + rhythm.gap
        if bottom - rhythm.gap > limit:
            break
        rows.append(_Row(case, y, case.heading))
        y = bottom
    return rows, y


class _Drawing:
    """The columns and the axis that all rows share."""

    def __init__(self, found: Cases, cases: list[Case], space: Space, rhythm: Rhythm) -> None:
        self.found, self.space, self.rhythm = found, space, rhythm
        self.theme = space.theme
        self.divisor = found.scale.divisor if found.measure == "figure" else 1.0
        lanes = [lane for case in cases for lane in case.lanes]
        self.axis = self._axis(lanes)
        names = max((lettering.width(lane.name, SMALL) for lane in lanes), default=0.0)
        self.label_room = space.width
        self.left = names + 9 if names else 0.0
        if not space.narrow:
            longest = max((lettering.width(case.label, LABEL) for case in cases), default=0.0)
            self.label_room = min(longest, space.width * 0.34)
            self.left += self.label_room + 14
        self.right = self.left + self._plot_width(lanes)
        self.x = self.axis.place(self.left, self.right)
        self.base = self.x(1.0 if found.measure == "ratio" else 0.0)

    def _axis(self, lanes: list[Lane]) -> Axis:
        reach = [
            value / self.divisor
            for lane in lanes
            for value in (lane.value, *(lane.band or ()), *(lane.interval or ()))
            if value is not None
        ]
        if self.found.measure == "ratio":
            return ratio_axis(reach, 5 if self.space.narrow else 8)
        return zero_axis(max(reach, default=0.0), 4 if self.space.narrow else 5)

    def _plot_width(self, lanes: list[Lane]) -> float:
        """As wide as the figures beside the marks leave it, and never less than a third."""
        free = self.space.width - self.left
        place = self.axis.place(0.0, 1.0)
        widest = free - 34  # the unit stands after the last tick
        for lane in lanes:
            if lane.value is not None:
                taken = BESIDE + self._figure(lane).width
                widest = min(widest, (free - taken) / max(place(self._end(lane)), 0.01))
        return max(widest, free / 3)

    def _end(self, lane: Lane) -> float:
        """The rightmost value that the lane draws, in the axis' unit."""
        ends: list[float] = [lane.value or 0.0, *(lane.band or ()), *(lane.interval or ())]
        base = 1.0 if self.axis.log else 0.0
        return max(base, max(ends) / self.divisor)

    def _figure(self, lane: Lane) -> svg.Line:
        """What stands beside a mark: digits, dagger, what is behind them, letters of flags."""
        theme = self.theme
        line = svg.Line(LABEL).add(svg.isolated(lane.text), theme.ink, weight="semibold")
        line.add(lane.dagger, theme.ink_2, size=SMALL)
        # A narrow picture has room for what tells two lanes apart, not for what is behind them.
        behind = [lane.method, "" if self.space.narrow else lane.weight]
        told = svg.isolated(", ".join(filter(None, behind)))
        told = lettering.fitted(told, self.space.width * self.found.beside, SMALL)
        line.add(told, theme.ink_3, size=SMALL, gap=8)
        letters = " ".join(flag.letter for flag in lane.flags)
        colour = theme.doubt if any(flag.doubt for flag in lane.flags) else theme.ink_3
        return line.add(letters, colour, size=11, gap=8)

    def grid(self, height: float) -> str:
        """Light rules at the ticks, their numbers above, the unit once at the end."""
        body = ""
        for tick in self.axis.ticks:
            x = self.x(tick)
            shown = plain(tick * 100 if self.found.measure == "ratio" else tick)
            body += svg.path(
                f"M{svg.number(x)} {AXIS}V{svg.number(AXIS + height)}", self.theme.rule
            )
            body += svg.text(shown, x, 9, self.theme.ink_3, size=SMALL, anchor="middle")
        last = lettering.width(plain(self.axis.ticks[-1]), SMALL) / 2
        unit = "%" if self.found.measure == "ratio" else self.found.scale.symbol
        return body + svg.text(unit, self.right + last + 8, 9, self.theme.ink_2, size=SMALL)

    def row(self, row: _Row) -> str:
        """Heading, label and lanes of one case."""
        case, y, theme = row.case, AXIS + row.top, self.theme
        colour = theme.of_group(case.key)
        body = ""
        if row.heading:
            middle = y + self.rhythm.heading / 2 + 2
            body += svg.path(f"M0 {svg.number(y)}H{svg.number(self.space.width)}", theme.rule)
            start = 0
            if self.found.headings == "colours":
                body += svg.element("rect", x=0, y=middle - 4.5, width=9, height=9, fill=colour)
                start = 16
            shown = lettering.fitted(
                svg.isolated(row.heading), self.space.width - start, LABEL, "semibold"
            )
            body += svg.text(shown, start, middle, theme.ink, weight="semibold")
            y += self.rhythm.heading
        lane_height = self.rhythm.lane
        if self.space.narrow:
            note = lettering.fitted(svg.isolated(case.note), self.space.width / 2, SMALL)
            room = self.space.width - lettering.width(note, SMALL) - 8
            label = lettering.fitted(svg.isolated(case.label), room, LABEL)
            line = svg.Line(LABEL).add(label, theme.ink_2)
            line.add(note, theme.ink_3, size=SMALL, gap=8)
            body += self._on_paper(line, 0, y + LABEL_ABOVE / 2)
            y += LABEL_ABOVE
        else:
            lines = lettering.wrapped(
                svg.isolated(case.label), self.label_room, LABEL, min(len(case.lanes), 2)
            )
            for place, words in enumerate(lines):
                body += svg.text(words, 0, y + lane_height * (place + 0.5), theme.ink_2)
        foot = y + lane_height * len(case.lanes)
        body += svg.path(
            f"M{svg.number(self.base)} {svg.number(y)}V{svg.number(foot)}", theme.ink_3
        )
        previous = None
        for place, lane in enumerate(case.lanes):
            middle = y + lane_height * (place + 0.5)
            if lane.name != previous:
                body += svg.text(
                    lane.name, self.left - 9, middle, theme.ink_3, size=SMALL, anchor="end"
                )
            previous = lane.name
            body += self._lane(lane, middle, colour)
        return body

    def _lane(self, lane: Lane, y: float, colour: str) -> str:
        if lane.value is None:
            return self._words(lane, y)
        x = self.x(lane.value / self.divisor)
        body = ""
        if lane.band:
            low, high = (self.x(end / self.divisor) for end in lane.band)
            body += svg.element(
                "rect",
                x=low,
                y=y - 5,
                width=max(high - low, 1),
                height=10,
                fill=colour,
                opacity=0.2,
            )
        body += svg.path(f"M{svg.number(self.base)} {svg.number(y)}H{svg.number(x)}", colour, 1.5)
        if lane.interval:
            low, high = (self.x(end / self.divisor) for end in lane.interval)
            ends = f"M{svg.number(low)} {svg.number(y)}H{svg.number(high)}"
            for end in (low, high):
                ends += f"M{svg.number(end)} {svg.number(y - 4)}v8"
            body += svg.path(ends, colour, 1.5)
        body += draw_mark(
            lane.mark, x, y, colour, self.theme, hollow=lane.hollow, crossed=lane.doubted
        )
        start = self.x(self._end(lane)) + BESIDE
        return body + self._on_paper(self._figure(lane), start, y)

    def _words(self, lane: Lane, y: float) -> str:
        """A printed ratio among speeds: it can't stand on their axis."""
        theme, start = self.theme, self.base + 8
        told = svg.isolated(f"{lane.text} {lane.of}")
        line = svg.Line(SMALL).add(
            lettering.fitted(told, self.space.width - start - 24, SMALL), theme.ink_2
        )
        line.add(lane.dagger, theme.ink_2)
        if not self.space.narrow:
            line.add(lane.weight, theme.ink_3, gap=8)
        line.add(" ".join(flag.letter for flag in lane.flags), theme.ink_3, size=11, gap=8)
        return self._on_paper(line, start, y)

    def _on_paper(self, line: svg.Line, x: float, y: float) -> str:
        """A line over a patch of paper, which keeps it legible where it crosses a rule."""
        paper = svg.element(
            "rect", x=x - 3, y=y - 7.5, width=line.width + 6, height=15, fill=self.theme.paper
        )
        return paper + line.at(x, y)


def key_of_cases(found: Cases, space: Space) -> list[Sign]:
    """What the marks stand for, and only of what is drawn."""
    lanes = [lane for case in found.cases for lane in case.lanes if lane.value is not None]
    theme = space.theme
    ink = theme.ink_2
    signs: list[Sign] = []
    named = {(lane.metric, lane.name, lane.mark) for lane in lanes if lane.name}
    for _, name, mark in sorted(named):
        signs.append(Sign(draw_mark(mark, 5, 0, ink, theme, r=4), 10, name))
    if any(lane.hollow for lane in lanes):
        hollow = draw_mark("circle", 5, 0, ink, theme, r=4, hollow=True)
        signs.append(Sign(hollow, 10, "hollow †: published, as printed there"))
    bands = [lane for lane in lanes if lane.band]
    if bands:
        published = all(lane.hollow for lane in bands)
        meaning = "lowest to highest figure" if published else "p10 to p90 of the samples"
        signs.append(Sign(band_sign(ink), 18, meaning))
    sure = [lane for lane in lanes if lane.interval]
    if sure:
        drawn = svg.path("M1 -4v8M1 0H17M17 -4v8", ink, 1.5)
        meaning = "95 % interval" + (" of the median" if found.measure == "figure" else "")
        if all(lane.within for lane in sure):
            meaning += ", within this machine"
        elif any(lane.within for lane in sure):
            meaning += "; of one machine, within it"
        signs.append(Sign(drawn, 18, meaning))
    if any(lane.doubted for lane in lanes):
        crossed = draw_mark("circle", 8, 0, ink, theme, r=4, crossed=True)
        signs.append(Sign(crossed, 16, "crossed: only doubted runs"))
    return signs


def band_sign(colour: str) -> str:
    return svg.element("rect", x=0, y=-5, width=18, height=10, fill=colour, opacity=0.25)
