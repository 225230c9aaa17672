"""The complete content of a figure: drawing it only means laying it out.

It is sent with its answer, and the dashboard's types are generated from these classes. Texts are
ready to print; user text is isolated where it could reorder adjacent text. Numbers are for drawing
only, in the unit of their axis, to seven digits: exact ones are in the answer. Absent, empty and
false values are omitted in JSON.
"""

from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar

from macmeter.catalog.terms import Value
from macmeter.charts.figure_sides import Columns as Columns
from macmeter.charts.figure_sides import Offer as Offer
from macmeter.charts.figure_sides import Span as Span

Mark = Literal["square", "circle", "triangle", "diamond"]
# Whether figures are drawn, or their ratios to a reference.
Measure = Literal["figure", "ratio"]
Sign = Literal[
    "mark",
    "hollow",
    "band",
    "interval",
    "whisker",
    "curve",
    "extrapolated",  # only in answers of release 0.1
    "crossed",
    "boundary",
]


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from `low` to `high`; bars start at `base`.

    `ticks` are in order of importance: if there isn't enough space, drop the last ones.
    """

    title: str
    low: float
    high: float
    ticks: tuple[Tick, ...]
    log: bool = False
    base: float = 0.0


@dataclass(frozen=True, slots=True)
class FlagNote:
    """A flag in the answer, and the letter that marks it beside figures."""

    letter: str
    code: str
    sentence: str
    """Text about one run: "was hot"."""
    runs: int
    text: str
    """Text with the number of runs: "8 runs were hot"."""
    doubt: bool = False


@dataclass(frozen=True, slots=True)
class CitedArticle:
    """An article behind published figures, with the dagger that refers to it."""

    dagger: str
    article: str
    text: str
    """Citation: "Author, “Title”, Publisher, 17 Jul 2025"."""
    title: str
    rows: tuple[str, ...] = ()
    """Ids of its figures in our table of published ones."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that a reader must know and wouldn't guess; `code` identifies its subject."""

    code: str
    text: str
    minor: bool = False
    """Shown after flags and sources."""
    offers: tuple[Offer, ...] = ()
    """Filters that fix the problem."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table; lanes have its `cells` under this id."""

    id: str
    title: str
    unit: str = ""
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Lane:
    """One line of a case: one metric, measured or published, by one method.

    A printed ratio among speeds has no value and remains text (`text` and `of`).
    """

    id: str
    """Unique within a figure."""
    mark: Mark
    text: str
    """Digits without the axis' unit."""
    metric: str = ""
    name: str = ""
    """Metric's short name, such as "write", if a case has several."""
    full: str = ""
    """Digits with their unit."""
    value: float | None = None
    band: Span | None = None
    interval: Span | None = None
    within: bool = False
    """Whether the interval is the variation within one machine."""
    between_models: bool = False
    """Whether models are its units: those of a few differ so much that it may exceed all values."""
    of: str = ""
    apart: str = ""
    """Difference from its case's other lanes, usually the method."""
    weight: str = ""
    """Basis: "3 machines", "3 pairs", "as printed"."""
    dagger: str = ""
    articles: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    """Letters of its flags."""
    alarming: bool = False
    """Whether one of the flags is a doubt."""
    hollow: bool = False
    """Published."""
    doubted: bool = False
    """Whether all runs behind it are doubted."""
    mixes: str = ""
    method: str = ""
    run: str = ""
    """Id of the run behind it, if there is exactly one."""
    cells: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A row of lanes; `heading` is empty if it is the same as the previous case's."""

    label: str
    lanes: tuple[Lane, ...]
    heading: str = ""
    colour: str = "ink-2"
    """Name in the palette: "storage-usb4"."""
    swatch: bool = False
    """Whether the colour belongs to the heading."""
    key: dict[str, Value] | None = None
    undrawn: bool = False
    """Shown only in the table."""


@dataclass(frozen=True, slots=True)
class LinePoint:
    """A point of a line; `lane` is the id of its lane."""

    x: float
    y: float
    lane: str
    text: str
    band: Span | None = None
    whisker: Span | None = None
    doubted: bool = False


@dataclass(frozen=True, slots=True)
class FittedCurve:
    """Stretches of a fitted curve within its points' range.

    `beyond` is always empty: only release 0.1 extrapolated, and its clients read both.
    """

    within: tuple[tuple[Span, ...], ...]
    beyond: tuple[tuple[Span, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """Figures that differ only along the axis, never a line across methods.

    Points of a stretch are joined, but not the `stretches` themselves. Published figures are points
    and never joined.
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

    `low` and `high` differ if the chip is sold in several configurations.
    """

    low: float
    high: float
    text: str


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines of one metric, or those of them that share a value of a dimension."""

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
    """A cell with the figure of a lane; `shade` runs from 0 to 1, the lowest to the highest of its
    column, or for ratios from −1 to 1: their difference over the grid's largest.
    """

    lane: str
    shade: float


@dataclass(frozen=True, slots=True)
class GridRow:
    """A cell for each column; None if nothing was measured."""

    label: str
    cells: tuple[GridCell | None, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Cases as a two-dimensional grid; a column has its own scale of shades, ratios share one."""

    title: str
    """Meaning of the rows, after what they share: "Low Power: chip and core context"."""
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """Meaning of a sign in the chart; marks distinguish metrics."""

    sign: Sign
    text: str
    mark: Mark = "circle"


@dataclass(frozen=True, slots=True)
class Chart:
    """Figures of one unit: seconds and watts share no axis, and so no chart.

    Drawn as `panels` of lines along `across`, as `targets`, or as its cases, whichever it has. The
    table always shows the cases.
    """

    kind: Literal["cases", "lines", "targets"]
    title: str
    unit: str
    """Unit of figures: "GB/s", "%"."""
    measure: Measure
    up: Axis
    """Axis of values, drawn horizontally for cases."""
    text: str = ""
    """Text alternative, if a figure has several charts."""
    cases: tuple[Case, ...] = ()
    columns: tuple[Column, ...] = ()
    across: Axis | None = None
    panels: tuple[Panel, ...] = ()
    targets: tuple[Target, ...] = ()
    level: str = ""
    """Label of the line on which both figures of a target are equal."""
    key: tuple[KeyEntry, ...] = ()
    fits: tuple[str, ...] = ()
    grid: Grid | None = None
    """Grid of cores by kernels, which pages show as a shaded table."""
    rows: bool = False
    """Whether headings are table rows without a colour of their own."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        if self.kind == "cases":
            lanes = (lane for case in self.cases if not case.undrawn for lane in case.lanes)
            return all(lane.value is None for lane in lanes)
        return not (self.targets if self.kind == "targets" else self.panels)


@dataclass(frozen=True, slots=True)
class Figure:
    """Everything shown of an answer or of sides."""

    title: str
    text: str
    """Text alternative, at most 400 letters."""
    runs: int
    charts: tuple[Chart, ...]
    finding: str = ""
    """One sentence with the figures that answer the question; empty without measured ones."""
    mixed: str = ""
    """Text such as "Includes 12 chips", to be read before any figure."""
    told: tuple[str, ...] = ()
    """Line below the title: filters, then the number of runs or the meaning of 100 %."""
    nothing: str = ""
    """Empty-state text."""
    notes: tuple[Remark, ...] = ()
    """Notes by importance: in a fixed frame the last ones may not fit."""
    flags: tuple[FlagNote, ...] = ()
    sources: tuple[CitedArticle, ...] = ()
    sides: Columns | None = None
    """A comparison of sides as columns, which pages show instead of its chart."""
    of_hosts: str = ""
    """Query string of the question for each VM's ratio to its host; empty if the grouping has no
    room, or if the question already asks for another ratio."""


T = TypeVar("T")

# Types whose values need no conversion: most of them.
_PLAIN = frozenset((str, float, int, bool, type(None), dict))


def to_json(value: Any) -> Any:
    """Convert dataclasses to objects without default values, and tuples to lists."""
    kind: Any = type(value)
    if kind is tuple:
        return [to_json(item) for item in value]
    defaults = _defaults(kind)
    if defaults is None:
        return value
    members = {}
    for name, default in defaults:
        member = getattr(value, name)
        # Most values are the default object itself.
        if member is not default and (default is MISSING or member != default):
            members[name] = member if type(member) in _PLAIN else to_json(member)
    return members


def with_fields(kind: type[T], original: Any, **added: Any) -> T:
    """Convert a response to a subclass, with values for its further fields."""
    values = {field.name: getattr(original, field.name) for field in fields(original)}
    return kind(**values | added)


@cache
def _defaults(kind: Any) -> tuple[tuple[str, Any], ...] | None:
    """Return the fields of a dataclass with their defaults; None for other types."""
    if not is_dataclass(kind):
        return None
    return tuple((field.name, field.default) for field in fields(kind))
