"""What there is to say of a metric, a dimension and a flag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal


class Unit(StrEnum):
    BYTES = "B"
    BYTES_PER_SECOND = "B/s"
    SECONDS = "s"
    HERTZ = "Hz"
    WATTS = "W"
    JOULES = "J"
    PER_SECOND = "1/s"
    POINTS = "points"


class Better(StrEnum):
    HIGHER = "higher"
    LOWER = "lower"
    NONE = "none"


class Role(StrEnum):
    """What a metric is of, where a name would have to be guessed from: `thread` contains `read`."""

    READS = "reads"
    WRITES = "writes"
    CROSSES_LINK = "crosses_link"
    """Bytes a second over the link to the target, which can carry no more than LINK_LIMIT."""
    DEVIATES = "deviates"
    """Of threads or their power: drawn with bars of one standard deviation, as everybody does."""
    CHIEF = "chief"
    """What its suite is run for: it represents a run in a list, before all else."""


# What no instrument here resolves, in any unit: beneath it, unless it is 0, a ratio would overflow.
PLAUSIBLE_MINIMUM = 1e-12

# No Mac comes near these; a value beyond them is a unit mistake or an attack, not a measurement.
PLAUSIBLE_MAXIMUM = {
    Unit.BYTES: 1e15,
    Unit.BYTES_PER_SECOND: 1e13,
    Unit.SECONDS: 1e8,
    Unit.HERTZ: 1e12,
    Unit.WATTS: 1e5,
    Unit.JOULES: 1e9,
    Unit.PER_SECOND: 1e16,
    Unit.POINTS: 1e10,
}


@dataclass(frozen=True)
class Metric:
    """A measured quantity.

    `required` are the sample parameters without which a value means nothing: every measured
    or imported series must carry them, and a question must group by or fix them.
    `optional` ones may be carried. `zero` says whether 0 is a possible reading; for a speed
    or a duration it is a missing value in disguise and refused.
    """

    name: str
    title: str
    unit: Unit
    better: Better
    suite: str
    about: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    zero: bool = False
    roles: frozenset[Role] = frozenset()
    circumstances: tuple[str, ...] = ()
    """The dimensions of runs that change its value."""

    @property
    def determinants(self) -> tuple[str, ...]:
        """The dimensions that change its value: pooling several values of one must be said.

        What was measured comes first, then what it was measured on. A parameter that the metric
        requires is never pooled, but it determines all the same.
        """
        return self.required + self.optional + self.circumstances

    @property
    def maximum(self) -> float:
        return PLAUSIBLE_MAXIMUM[self.unit]

    def is_possible(self, ascending: Sequence[float]) -> bool:
        """Whether all of these can be readings of it."""
        low = ascending[0]
        if low == 0 and self.zero:
            low = next(filter(None, ascending), PLAUSIBLE_MINIMUM)
        return low >= PLAUSIBLE_MINIMUM and ascending[-1] <= self.maximum


class Kind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"


class Trait(StrEnum):
    """What a dimension is to those who treat some dimensions alike."""

    CONFIGURATION = "configuration"
    """What a run was measured on: a machine's results under another value are another line."""
    WATCHED = "watched"
    """May move a figure where a reader did not think of it: sides that differ in it are marked."""
    OPTIONAL = "optional"
    """Where it is not stated there is none: a label that said so would be noise."""
    ABSENCE_COUNTS = "absence_counts"
    """Nothing stated is a value, too: a drive of which no dock is stated has none."""
    IMAGES_APART = "images_apart"
    """Figures of disk images with several values of it are figures of no one thing."""
    AXIS = "axis"
    """Groups are joined along it."""
    CASES = "cases"
    """Groups by it are shown side by side: nothing is joined along an axis."""
    POINT = "point"
    """A place on an axis, or what follows from a chip's cores and how many of them are used."""
    TELLS_VIEWS = "tells_views"
    """By it, or not by it, the same metrics are another view, as with an axis."""
    LIKE = "like"
    """What machines have in common that are like one another, unless a reader says otherwise."""
    MAY_BE_LIKE = "may_be_like"
    """A reader can ask for machines that have it in common."""
    GROUPS_FIRST = "groups_first"
    """Readers group by it first: it is one click away on every page of answers."""
    FILTERS_FIRST = "filters_first"
    """Readers filter by it first: its filter is open on every page."""
    REPEATED = "repeated"
    """Another filter says it better: it has none until it is filtered by."""
    TELLS_RUNS = "tells_runs"
    """In a list of runs it tells what each of them ran on."""
    SEARCHED = "searched"
    """A search for machines looks for its words here."""


@dataclass(frozen=True)
class Each:
    """One and many of what a dimension counts: "drive at once", "drives at once"."""

    one: str
    many: str


@dataclass(frozen=True)
class Dimension:
    """What a run (`of="run"`) or a sample (`of="sample"`) can be grouped or filtered by.

    Its traits have no default: whoever adds one says to whom it matters, were it to nobody.
    """

    name: str
    title: str
    traits: frozenset[Trait]
    kind: Kind = Kind.TEXT
    of: Literal["run", "sample"] = "run"
    unit: str | None = None
    about: str | None = None
    values: dict[str, str] = field(default_factory=dict)
    """The words of values, in the order in which they are shown."""
    plural: str | None = None
    """Several of its values, after their number: "12 chips"."""
    stated: str | None = None
    """Where a run document states it, as "target.via"; None where it follows from what is."""
    absent: str | None = None
    """What it means that nothing is stated, where that is more than silence."""
    expected_of: tuple[str, ...] = ()
    """Kinds of storage for which "not stated" is shown although the dimension is optional."""
    each: Each | None = None
    """What it counts, where a number alone would not say of what."""
    settles: frozenset[str] = frozenset()
    """What follows from it. A chip is of one family: compared with another family, a group can't
    keep its chip. And a guest's disk isn't a volume of its host."""
    tells: frozenset[str] = frozenset()
    """What is known once it is, but for exceptions: a drive is one of its class. Compared with
    another class, it differs by nature; it is neither held equal nor named as a difference."""
    alike_across: dict[str, str] = field(default_factory=dict)
    """Values that count as another one where kinds of storage are compared."""
    determines_where: tuple[str, str] | None = None
    """The dimension and value where it changes a metric's value; None means everywhere."""

    @property
    def counted(self) -> str:
        return self.plural or f"values of {self.title}"


class Severity(StrEnum):
    DOUBT = "doubt"
    CAUTION = "caution"


@dataclass(frozen=True)
class Flag:
    """A coded reason to doubt. `doubt` is left out of answers by default, `caution` stays in."""

    code: str
    severity: Severity
    sentence: str
