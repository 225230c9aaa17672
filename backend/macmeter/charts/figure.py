"""What a figure says, whole: whoever draws it decides about places and nothing else.

It travels with its answer, and the dashboard's types are made from these classes. Texts are ready
to be printed; a text that people wrote is isolated where it could reorder the text next to it.
Numbers are for drawing only, in the unit of their axis, to seven digits: the exact ones are in the
answer. What is absent, empty or false is left out where a figure travels.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar

from macmeter.catalog.terms import Value

# Low and high, or x and y: two numbers.
Span = tuple[float, ...]
Mark = Literal["square", "circle", "triangle", "diamond"]
# What is drawn: the figures themselves, or their ratios to a reference.
Measure = Literal["figure", "ratio"]
Sign = Literal[
    "mark",
    "hollow",
    "band",
    "interval",
    "whisker",
    "curve",
    "extrapolated",
    "crossed",
    "boundary",
]


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`; `base` is where bars start.

    `ticks` are in the order in which they matter: whoever lacks room leaves out the last ones.
    """

    title: str
    low: float
    high: float
    ticks: tuple[Tick, ...]
    log: bool = False
    base: float = 0.0


@dataclass(frozen=True, slots=True)
class FlagNote:
    """A flag of the answer under the letter that stands for it beside figures."""

    letter: str
    code: str
    sentence: str
    """ "was hot": of one run."""
    runs: int
    text: str
    """ "8 runs were hot"."""
    doubt: bool = False


@dataclass(frozen=True, slots=True)
class CitedArticle:
    """An article behind published figures, under the dagger that leads to it."""

    dagger: str
    article: str
    text: str
    """ "Author, “Title”, Publisher, 17 Jul 2025"."""
    title: str
    rows: tuple[str, ...] = ()
    """The figures' ids in our table of published ones."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A filter on all that is asked, printed as in addresses, and its words."""

    text: str
    where: str


@dataclass(frozen=True, slots=True)
class Remark:
    """What a reader must know and would not guess; `code` says of what it speaks."""

    code: str
    text: str
    minor: bool = False
    """Shown after flags and sources."""
    offers: tuple[Offer, ...] = ()
    """Filters that mend what it speaks of."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table: lanes have its `cells` under this id."""

    id: str
    title: str
    unit: str = ""
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Lane:
    """One line of a case: one metric, measured or published, by one method.

    A printed ratio among speeds has no value and stays words (`text` and `of`).
    """

    id: str
    """Unique within a figure."""
    mark: Mark
    text: str
    """Its digits, without the unit of the axis."""
    metric: str = ""
    name: str = ""
    """ "write" where several metrics stand in one case."""
    full: str = ""
    """Its digits with their unit."""
    value: float | None = None
    band: Span | None = None
    interval: Span | None = None
    within: bool = False
    """The interval tells how one machine's own runs vary."""
    of: str = ""
    apart: str = ""
    """What tells it from its case's other lanes: mostly its method."""
    weight: str = ""
    """What it is based on: "3 machines", "3 pairs", "as printed"."""
    dagger: str = ""
    articles: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    """Letters of its flags."""
    alarming: bool = False
    """One of them is a doubt."""
    hollow: bool = False
    """Published."""
    doubted: bool = False
    """All of it, and not some of the runs behind it."""
    mixes: str = ""
    method: str = ""
    run: str = ""
    """The id of the run behind it, where there is but one."""
    cells: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """`heading` is empty where it is the case before's."""

    label: str
    lanes: tuple[Lane, ...]
    heading: str = ""
    colour: str = "ink-2"
    """A name of the palette: "storage-usb4"."""
    swatch: bool = False
    """The colour is the heading's."""
    key: dict[str, Value] | None = None
    undrawn: bool = False
    """It stands in the table alone."""


@dataclass(frozen=True, slots=True)
class LinePoint:
    """`lane` is the id of the lane that shows it."""

    x: float
    y: float
    lane: str
    text: str
    band: Span | None = None
    whisker: Span | None = None
    doubted: bool = False


@dataclass(frozen=True, slots=True)
class FittedCurve:
    """A fit: places and values at which it is drawn, within its points' range and beyond it."""

    within: tuple[tuple[Span, ...], ...]
    beyond: tuple[tuple[Span, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """Figures that differ along the axis only. Never one line across methods.

    Each of its `stretches` is joined, and nothing from one to the next. Published figures are
    points and never joined.
    """

    label: str
    mark: Mark
    stretches: tuple[tuple[LinePoint, ...], ...]
    colour: str = "ink-2"
    dash: str = ""
    dagger: str = ""
    weight: str = ""
    hollow: bool = False
    curve: FittedCurve | None = None

    @property
    def points(self) -> list[LinePoint]:
        return [point for stretch in self.stretches for point in stretch]


@dataclass(frozen=True, slots=True)
class Boundary:
    """The number of threads that fills a tier of cores, or all of them: "10 P cores".

    `low` and `high` differ where a chip is sold in configurations of its own.
    """

    low: float
    high: float
    text: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One metric's lines, or those of them that share a value of a dimension."""

    title: str
    series: tuple[Series, ...]
    boundaries: tuple[Boundary, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A point of two figures: a task's rate at its storage's speed; `lane` shows the rate."""

    label: str
    lane: str
    x: float
    y: float
    text: str
    colour: str = "ink-2"
    mark: Mark = "square"
    dagger: str = ""
    hollow: bool = False
    doubted: bool = False


@dataclass(frozen=True, slots=True)
class GridCell:
    """`lane` is the id of the lane whose figure it prints; `shade` goes from 0 to 1, the lowest and
    the highest of its column.
    """

    lane: str
    shade: float


@dataclass(frozen=True, slots=True)
class GridRow:
    """A cell for each column, or none where nothing was measured."""

    label: str
    cells: tuple[GridCell | None, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Cases of two kinds as rows and columns, each column shaded on a scale of its own."""

    title: str
    """What rows are, as "Chip and core context"."""
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """What a sign of the chart stands for; a mark tells metrics apart."""

    sign: Sign
    text: str
    mark: Mark = "circle"


@dataclass(frozen=True, slots=True)
class Chart:
    """The figures of one unit: seconds and watts share no axis, and so no chart.

    Drawn as `panels` of lines along `across` where it has them, as `targets` where it has those,
    else as its cases. The table is of its cases, whatever is drawn.
    """

    kind: Literal["cases", "lines", "targets"]
    title: str
    unit: str
    """ "GB/s", "%"."""
    measure: Measure
    up: Axis
    """Of values: across the page where cases are drawn."""
    text: str = ""
    """The chart for those who don't see it, where a figure has several."""
    cases: tuple[Case, ...] = ()
    columns: tuple[Column, ...] = ()
    across: Axis | None = None
    panels: tuple[Panel, ...] = ()
    targets: tuple[Target, ...] = ()
    level: str = ""
    """What the line says on which both figures of a target are equal."""
    key: tuple[KeyEntry, ...] = ()
    fits: tuple[str, ...] = ()
    grid: Grid | None = None
    """Where its cases are cores by kernels: a page shows them as a table with shades."""
    rows: bool = False
    """Headings are rows of the table that have no colour of their own."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        if self.kind == "cases":
            shown = (lane for case in self.cases if not case.undrawn for lane in case.lanes)
            return all(lane.value is None for lane in shown)
        return not (self.targets if self.kind == "targets" else self.panels)


@dataclass(frozen=True, slots=True)
class Figure:
    """All that is said of an answer, or of sides beside one another."""

    title: str
    text: str
    """The figure for those who don't see it, in at most 400 letters."""
    runs: int
    charts: tuple[Chart, ...]
    mixed: str = ""
    """ "Mixes 12 chips": what must be known before any figure is read."""
    told: tuple[str, ...] = ()
    """The line below the title: filters, then how many runs or what 100 % is."""
    nothing: str = ""
    """Said where there is nothing to draw."""
    notes: tuple[Remark, ...] = ()
    """In the order in which they matter: in a fixed frame the last ones find no room."""
    flags: tuple[FlagNote, ...] = ()
    sources: tuple[CitedArticle, ...] = ()
    of_hosts: str = ""
    """The question, as in addresses, of each VM's ratio to its host; empty where that has no
    room for it, or asks for another ratio."""


T = TypeVar("T")

# Most values are: nothing is looked for in them.
_PLAIN = frozenset((str, float, int, bool, type(None), dict))


def travelling(value: Any) -> Any:
    """Dataclasses as objects, what equals its default left out; tuples as lists."""
    kind: Any = type(value)
    if kind is tuple:
        return [travelling(one) for one in value]
    defaults = _defaults(kind)
    if defaults is None:
        return value
    told = {}
    for name, default in defaults:
        own = getattr(value, name)
        # Most are their very default.
        if own is not default and (default is MISSING or own != default):
            told[name] = own if type(own) in _PLAIN else travelling(own)
    return told


def beside(kind: type[T], found: Any, **told: Any) -> T:
    """An answer as the kind that has its words as well; nothing within it is copied."""
    own = {field.name: getattr(found, field.name) for field in fields(found)}
    return kind(**own | told)


@cache
def _defaults(kind: Any) -> tuple[tuple[str, Any], ...] | None:
    """The fields of a class of figures, each with its default; None of what is none."""
    if not is_dataclass(kind):
        return None
    return tuple((field.name, field.default) for field in fields(kind))
