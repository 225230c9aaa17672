"""The content of a comparison in columns: its finding, cautions, and a row for each figure.

Texts are ready to print. Differences are ratios to the baseline, on the axis of the figure's chart.
"""

from dataclasses import dataclass
from typing import Literal

# Low and high, or x and y.
Span = tuple[float, ...]
Grade = Literal["confounded", "matched", "mixed"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A suggested filter, as text and in the form of addresses."""

    text: str
    where: str


@dataclass(frozen=True, slots=True)
class Caution:
    """What a reader must know before the figures, most serious first, with the ways out.

    `confounded`: something else may be the cause. `matched`: other differences are held equal, or
    none is. `mixed`: what is pooled, and how little that changes.
    """

    grade: Grade
    lead: str
    text: str
    code: str = ""
    """`held` or `crude`: the other way to compute is a way out."""
    offers: tuple[Offer, ...] = ()
    """Filters for all sides, as the cleaner question."""


@dataclass(frozen=True, slots=True)
class SideHead:
    """Heading of a side's column."""

    side: int
    name: str
    based_on: str
    """"31 Macs, baseline"."""
    colour: str = "ink"
    baseline: bool = False


@dataclass(frozen=True, slots=True)
class SideFigure:
    """A side's own figure, and its difference from the baseline with a verdict.

    `lane` is the id of its lane in the chart. Without a figure or a ratio, `verdict` says why.
    """

    side: int
    lane: str
    text: str = ""
    unit: str = ""
    ratio: float | None = None
    interval: Span | None = None
    change: str = ""
    """"+40 %"."""
    verdict: str = ""
    more: str = ""
    """What else is known: "Every M4 beats every M1."."""
    based_on: str = ""
    """"31 and 28 Macs"."""
    clear: bool = False
    """Whether the difference is established."""


@dataclass(frozen=True, slots=True)
class SideRow:
    """One metric by one method, a figure for each side in the order of the headings."""

    metric: str
    name: str
    figures: tuple[SideFigure, ...]
    under: str = ""
    """Parameters, and what is held equal."""
    folded: bool = False
    """Whether it is shown only on request."""


@dataclass(frozen=True, slots=True)
class SideArea:
    title: str
    told: str
    """"2 of 8 figures"."""
    rows: tuple[SideRow, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """A comparison of sides as columns, the baseline first."""

    question: str
    heads: tuple[SideHead, ...]
    areas: tuple[SideArea, ...]
    cautions: tuple[Caution, ...] = ()
    folded: int = 0
    """Number of folded rows."""
