"""The one catalogue of metrics, dimensions and flags: `catalog.toml`, and what its keys mean.

Ingest checks documents against it, questions are parsed with it, the dashboard
reads it from /api/v1/catalog. A name that is not there has no meaning anywhere.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct


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


class Metric(Struct, frozen=True, forbid_unknown_fields=True):
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


class Dimension(Struct, frozen=True, forbid_unknown_fields=True):
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
    values: dict[str, str] = {}
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
    alike_across: dict[str, str] = {}
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


Page = Literal["/storage", "/threads", "/cores", "/power", "/workloads"]
"""The dashboard's pages for suites' metrics."""
FilteredPage = Literal[Page, "/power/residency", "/runs", "/machines"]
"""Its pages that have filters."""

_STATED = tomllib.loads(Path(__file__).with_name("catalog.toml").read_text(encoding="utf-8"))
PLAUSIBLE_MAXIMUM: dict[Unit, float] = _STATED["plausible_maximum"]


def _metric(name: str, stated: dict[str, object]) -> Metric:
    """Its suite is the first word of its name, unless another one is stated."""
    group = name.split(".")[0]
    known = {"name": name, "suite": group, "circumstances": _STATED["circumstances"][group]}
    return msgspec.convert(known | stated, Metric)


METRICS: dict[str, Metric] = {
    name: _metric(name, stated) for name, stated in _STATED["metrics"].items()
}
DIMENSIONS: dict[str, Dimension] = {
    name: msgspec.convert({"name": name, **stated}, Dimension)
    for name, stated in _STATED["dimensions"].items()
}
FLAGS: dict[str, Flag] = {
    code: Flag(code, severity, sentence)
    for severity in Severity
    for code, sentence in _STATED["flags"][severity].items()
}
# The one flag that isn't derived: somebody decided it and gave a reason.
WITHDRAWN = "withdrawn"
# Older servers took values that no instrument resolves.
OUT_OF_RANGE = "out_of_range"
LINK_LIMIT: dict[str, float] = _STATED["link_limit"]
PAGES: dict[str, Page] = _STATED["pages"]
OPEN_FILTERS = msgspec.convert(_STATED["open_filters"], dict[FilteredPage, tuple[str, ...]])

# Where these change a value: elsewhere they don't.
DETERMINES_WHERE = {
    name: found.determines_where
    for name, found in DIMENSIONS.items()
    if found.determines_where is not None
}
LABEL_PREFIX = "label:"
# Any label: those of a workload name the configuration under test, and any key may.
ANY_LABEL = f"{LABEL_PREFIX}*"


def having(trait: Trait) -> tuple[str, ...]:
    """The names of the dimensions with this trait, in the catalogue's order."""
    return tuple(name for name, found in DIMENSIONS.items() if trait in found.traits)


@lru_cache(maxsize=4096)
def dimension(name: str) -> Dimension | None:
    """The dimension of that name; `label:KEY` is a text dimension of runs for any key."""
    if name.startswith(LABEL_PREFIX) and len(name) > len(LABEL_PREFIX):
        return Dimension(name, name.removeprefix(LABEL_PREFIX), frozenset())
    return DIMENSIONS.get(name)


def has(name: str, trait: Trait) -> bool:
    """Whether that dimension has this trait; a label has none."""
    found = DIMENSIONS.get(name)
    return found is not None and trait in found.traits


@lru_cache(maxsize=4096)
def is_of_sample(name: str) -> bool:
    found = dimension(name)
    return found is not None and found.of == "sample"


def flag(code: str) -> Flag:
    """The flag of that code; one the catalogue does not know yet is a caution by its own name."""
    return FLAGS.get(code) or Flag(code, Severity.CAUTION, FLAGS["unknown_warning"].sentence)


def is_doubt(code: str) -> bool:
    return flag(code).severity is Severity.DOUBT


@dataclass(frozen=True)
class Redefinition:
    """`text` is a sentence for readers of older figures; `metrics` None: all of them."""

    derivation_version: int
    text: str
    metrics: frozenset[str] | None = None

    def concerns(self, metrics: Collection[str]) -> bool:
        """Whether figures of one of these metrics mean something else since."""
        return self.metrics is None or not self.metrics.isdisjoint(metrics)


_SPEEDS = frozenset(name for name, metric in METRICS.items() if Role.CROSSES_LINK in metric.roles)
# What figures meant before: since which derivation a metric, or all of them, means something else.
# Saved comparisons keep the derivation that their figures are of, and say what was redefined since.
# A list that only grows, since 0.1, whose derivation was 3; an entry for each new
# DERIVATION_VERSION, for no metric where only flags, dimensions or rows changed. A statistic that
# is computed another way raises the version as well.
REDEFINITIONS: tuple[Redefinition, ...] = (
    Redefinition(
        4,
        "Results with values too small to be measured are left out.",
        frozenset(
            {
                "power.cpu_total",
                "power.cpu_max",
                "power.core_max",
                "power.per_added_thread",
                "workload.user_time",
                "workload.system_time",
            }
        ),
    ),
    Redefinition(
        5,
        "Speeds beyond a chip’s storage, and small writes that macOS cached, are left out.",
        _SPEEDS | {"disk.latency"},
    ),
    Redefinition(
        6,
        "Speeds beyond what is published of the chip’s own storage are left out.",
        _SPEEDS,
    ),
    Redefinition(
        7, "The spread of samples is that within runs, no longer that of all samples together."
    ),
    Redefinition(
        8,
        "Confidence intervals know where Macs of one model are alike, and a single Mac’s needs 20 "
        "runs. Fits compare points within Macs. Unlike published figures are shown one by one.",
    ),
)


def redefined_since(derivation_version: int, metrics: Collection[str]) -> list[Redefinition]:
    """What was redefined after that derivation, of these metrics, in its order."""
    return [
        one
        for one in REDEFINITIONS
        if one.derivation_version > derivation_version and one.concerns(metrics)
    ]
