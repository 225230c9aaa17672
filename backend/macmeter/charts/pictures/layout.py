"""Shared parts of pictures: spaces, scales, marks, legends and wrapped text."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from macmeter.charts.figure import Axis, KeyEntry, Mark, Tick
from macmeter.charts.pictures import lettering, svg
from macmeter.charts.pictures.palette import Theme

# Left, right and height of an item.
Box = tuple[float, float, float]
# Minimum gap between the texts of two ticks.
_GAP = 12.0


def place(axis: Axis, start: float, end: float) -> Callable[[float], float]:
    """Return a function from a value to its coordinate between `start` (low) and `end` (high)."""
    if axis.log:
        low, span = math.log(axis.low), math.log(axis.high / axis.low)
        return lambda value: start + (math.log(value) - low) / span * (end - start)
    return lambda value: start + (value - axis.low) / (axis.high - axis.low) * (end - start)


def roomy_ticks(axis: Axis, at: Callable[[float], float], size: float) -> list[Tick]:
    """Return the ticks whose texts fit, giving priority to the first, from low to high."""
    fitting: list[tuple[float, float, Tick]] = []
    for tick in axis.ticks:
        half = (lettering.width(tick.text, size) + _GAP) / 2
        x = at(tick.at)
        if all(abs(x - other) >= half + taken for other, taken, _ in fitting):
            fitting.append((x, half, tick))
    return sorted((tick for _, _, tick in fitting), key=lambda tick: tick.at)


def spread(targets: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return heights for labels near `targets`, at least `gap` apart, within limits.

    Each is moved as little as its neighbours allow. Keeps the order of the input.
    """
    order = sorted(range(len(targets)), key=lambda index: targets[index])
    placed: list[float] = []
    previous = low - gap
    for index in order:
        previous = max(targets[index], previous + gap)
        placed.append(previous)
    following = high + gap
    for i in reversed(range(len(placed))):
        following = placed[i] = min(placed[i], following - gap)
    heights = [0.0] * len(targets)
    for i, index in enumerate(order):
        heights[index] = placed[i]
    return heights


def avoid_overlaps(boxes: Sequence[Box], gap: float, marks: Sequence[Box] = ()) -> list[float]:
    """Return heights for labels, each as close to the wanted one as marks and earlier labels
    allow.
    """
    taken = list(marks)
    heights = []
    for left, right, target in boxes:
        beside = [y for start, end, y in taken if start < right and left < end]
        tried = [target, *(y + shift for y in beside for shift in (gap, -gap))]
        free = [y for y in tried if all(abs(y - other) >= gap - 0.01 for other in beside)]
        heights.append(min(free, key=lambda y: abs(y - target)))
        taken.append((left, right, heights[-1]))
    return heights


LABEL = 13.0
NOTE = 11.5
NOTE_LINE = 15.5


@dataclass(frozen=True)
class Space:
    """Area for a part of the picture; `height` None means as high as needed.

    `dense` sets rows as close together as is legible.
    """

    width: float
    height: float | None
    theme: Theme
    dense: bool = False

    @property
    def narrow(self) -> bool:
        """Whether labels go above their lanes instead of to the left."""
        return self.width < 560


@dataclass(frozen=True)
class LegendEntry:
    """A drawing of `width`, vertically centred at (0, 0), and its meaning."""

    drawing: str
    width: float
    text: str


@dataclass(frozen=True)
class Drawn:
    """A drawn part and its height.

    `missing` says what didn't fit; `cramped` means that more space would show more. `letters` are
    the flags' letters that occur in it, `legend` the entries of its legend.
    """

    body: str
    height: float
    missing: str | None = None
    cramped: bool = False
    letters: frozenset[str] = frozenset()
    legend: tuple[LegendEntry, ...] = ()


def draw_legend(legend: Sequence[LegendEntry], space: Space) -> Drawn:
    """Draw a legend in as many lines as it needs."""
    lines, x, body = 0, 0.0, ""
    for entry in legend:
        label = lettering.fitted(entry.text, space.width - entry.width - 6, svg.SMALL)
        taken = entry.width + 6 + lettering.width(label, svg.SMALL)
        if x and x + taken > space.width:
            lines, x = lines + 1, 0.0
        y = lines * 19 + 9.5
        body += svg.element("g", entry.drawing, transform=f"translate({svg.number(x)} {y})")
        body += svg.text(label, x + entry.width + 6, y, svg.small(space.theme.ink_3))
        x += taken + 18
    return Drawn(body, (lines + 1) * 19.0 if legend else 0.0)


def draw_notes(notes: Iterable[str], space: Space, lines: int | None) -> Drawn:
    """Draw paragraphs of small text, in at most `lines` lines together (None: unlimited)."""
    y, body = 0.0, ""
    left = 200 if lines is None else lines
    for note in notes:
        if left == 0:
            break
        for line in lettering.wrapped(note, space.width, NOTE, min(left, 2 if lines else 6)):
            body += svg.text(line, 0, y + NOTE_LINE / 2, svg.Look(space.theme.ink_3, size=NOTE))
            y, left = y + NOTE_LINE, left - 1
    return Drawn(body, y)


def translated(body: str, x: float, y: float) -> str:
    """Move a drawing by (x, y)."""
    return svg.element("g", body, transform=f"translate({svg.number(x)} {svg.number(y)})")


# Dash pattern of the line where a core tier is full.
BOUNDARY = "1.5 3"


@dataclass(frozen=True)
class MarkStyle:
    """Style of a mark: filled if measured, hollow if published, crossed if doubted."""

    colour: str
    r: float = 4.5
    hollow: bool = False
    crossed: bool = False


def draw_mark(mark: Mark, x: float, y: float, style: MarkStyle, theme: Theme) -> str:
    """Draw a mark centred at this place."""
    drawn = svg.element(
        "path",
        d=_outline(mark, x, y, style.r),
        fill=theme.paper if style.hollow else style.colour,
        stroke=style.colour,
        stroke_width=1.5,
    )
    if style.crossed:
        a = style.r + 3.5
        left, across = svg.number(x - a), svg.number(2 * a)
        cross = f"M{left} {svg.number(y - a)}l{across} {across}"
        cross += f"M{left} {svg.number(y + a)}l{across} -{across}"
        drawn += svg.path(cross, theme.doubt, 1.5)
    return drawn


def _outline(mark: Mark, x: float, y: float, r: float) -> str:
    match mark:
        case "square":
            s = r * 0.9
            points = [(x - s, y - s), (x + s, y - s), (x + s, y + s), (x - s, y + s)]
        case "circle":
            start = f"M{svg.number(x - r)} {svg.number(y)}"
            half, d = f"a{svg.number(r)} {svg.number(r)} 0 1 0", svg.number(2 * r)
            return f"{start}{half} {d} 0{half} -{d} 0z"
        case "triangle":
            s = r * 1.15
            points = [(x, y - s), (x + s, y + s * 0.8), (x - s, y + s * 0.8)]
        case "diamond":
            s = r * 1.25
            points = [(x, y - s), (x + s, y), (x, y + s), (x - s, y)]
    return "M" + "L".join(f"{svg.number(px)} {svg.number(py)}" for px, py in points) + "z"


def legend_entry_of(entry: KeyEntry, theme: Theme) -> LegendEntry:
    drawn, width = _drawn(entry, theme)
    return LegendEntry(drawn, width, entry.text)


def _drawn(entry: KeyEntry, theme: Theme) -> tuple[str, float]:
    """Return the drawing and its width."""
    ink = theme.ink_2
    match entry.sign:
        case "mark":
            return draw_mark(entry.mark, 5, 0, MarkStyle(ink, r=4), theme), 10
        case "hollow":
            return draw_mark("circle", 5, 0, MarkStyle(ink, r=4, hollow=True), theme), 10
        case "crossed":
            return draw_mark("circle", 8, 0, MarkStyle(ink, r=4, crossed=True), theme), 16
        case "band":
            return svg.element("rect", x=0, y=-5, width=18, height=10, fill=ink, opacity=0.25), 18
        case "interval":
            return svg.path("M1 -4v8M1 0H17M17 -4v8", ink, 1.5), 18
        case "whisker":
            return svg.path("M4 -6h8M8 -6V6M4 6h8", ink, 1.25), 16
        case "curve" | "extrapolated":
            return svg.path("M0 0H24", ink, 1.25), 24
        case "boundary":
            return svg.path("M5 -6V6", theme.ink_3, 1, stroke_dasharray=BOUNDARY), 10
