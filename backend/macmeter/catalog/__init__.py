"""The catalogue of metrics, dimensions and flags: `catalog.toml`, and the types of its entries.

Ingest checks documents against it, questions are parsed with it, and the dashboard reads it from
/api/v1/catalog. A name that isn't in it has no meaning anywhere.
"""

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
    """Property of a metric that its name alone doesn't give reliably: `thread` contains `read`."""

    READS = "reads"
    WRITES = "writes"
    CROSSES_LINK = "crosses_link"
    """Bytes per second over the link to the target, limited by LINK_LIMIT."""
    DEVIATES = "deviates"
    """Threads or their power: drawn with error bars of one standard deviation, as is customary."""
    CHIEF = "chief"
    """The suite's headline metric: it represents a run in a list."""


# Below the resolution of every instrument, in any unit: a smaller non-zero value would overflow
# ratios.
PLAUSIBLE_MINIMUM = 1e-12


class Metric(Struct, frozen=True, forbid_unknown_fields=True):
    """A measured quantity.

    `required` are sample parameters without which a value is meaningless: every measured or
    imported series must carry them, and a question must group by or fix them. `optional` ones may
    be carried. `zero` says whether 0 is a possible reading; a speed or duration of 0 is really a
    missing value and is refused.
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
    """The dimensions of runs that affect its value."""

    @property
    def determinants(self) -> tuple[str, ...]:
        """The dimensions that affect its value: pooling several values of one must be reported.

        Sample parameters come first, then properties of the run. Required parameters are never
        pooled but are included.
        """
        return self.required + self.optional + self.circumstances

    @property
    def maximum(self) -> float:
        return PLAUSIBLE_MAXIMUM[self.unit]

    def is_possible(self, ascending: Sequence[float]) -> bool:
        """Whether all of these are possible readings."""
        low = ascending[0]
        if low == 0 and self.zero:
            low = next(filter(None, ascending), PLAUSIBLE_MINIMUM)
        return low >= PLAUSIBLE_MINIMUM and ascending[-1] <= self.maximum


class Kind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"


class Trait(StrEnum):
    """Property of a dimension, for code that treats several dimensions alike."""

    CONFIGURATION = "configuration"
    """Part of a run's setup: another value makes another line, even for the same machine."""
    WATCHED = "watched"
    """A possible unexpected influence on figures: sides that differ in it are marked."""
    OPTIONAL = "optional"
    """Absent when not stated, so a label that said so would be noise."""
    ABSENCE_COUNTS = "absence_counts"
    """Absence counts as a value: a drive without a stated dock has none."""
    IMAGES_APART = "images_apart"
    """Figures of disk images that mix several of its values describe nothing in particular."""
    AXIS = "axis"
    """Groups are joined along it."""
    CASES = "cases"
    """Groups by it are shown side by side, not joined along an axis."""
    POINT = "point"
    """A position on an axis, or what follows from a chip's cores and how many are used."""
    TELLS_VIEWS = "tells_views"
    """Grouping by it makes a different view of the same metrics, as with an axis."""
    BY_NATURE = "by_nature"
    """Differs wherever machines or storage do: not a cause that a comparison could match."""
    LIKE_WITH_LIKE = "like"
    """A default criterion for similar machines."""
    MAY_BE_LIKE = "may_be_like"
    """A criterion for similar machines that readers may choose."""
    GROUPS_FIRST = "groups_first"
    """A common grouping: one click away on every page of answers."""
    FILTERS_FIRST = "filters_first"
    """A common filter: open on every page."""
    REPEATED = "repeated"
    """Another filter expresses it better, so its own appears only when it is in use."""
    TELLS_RUNS = "tells_runs"
    """Part of the description of what a run was measured on, in lists."""
    SEARCHED = "searched"
    """The search for machines covers it."""


@dataclass(frozen=True)
class Each:
    """Singular and plural of what a dimension counts: "drive at once", "drives at once"."""

    one: str
    many: str


class Dimension(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that runs (`of="run"`) or samples (`of="sample"`) are grouped or filtered by.

    `traits` has no default, so that every new dimension decides them, even if there are none.
    """

    name: str
    title: str
    traits: frozenset[Trait]
    kind: Kind = Kind.TEXT
    of: Literal["run", "sample"] = "run"
    unit: str | None = None
    about: str | None = None
    values: dict[str, str] = {}
    """Titles of values, in display order."""
    plural: str | None = None
    """Plural for a number of its values: "12 chips"."""
    stated: str | None = None
    """Path in the run document, such as "target.via"; None where it is derived."""
    absent: str | None = None
    """Meaning of an absent value, if it has one."""
    expected_of: tuple[str, ...] = ()
    """Kinds of storage for which "not stated" is shown although the dimension is optional."""
    each: Each | None = None
    """Things that it counts, where a number alone would be unclear."""
    settles: frozenset[str] = frozenset()
    """Dimensions that it determines. A chip has one family: compared with another family, a group
    can't keep its chip. And a guest's disk isn't a volume of its host."""
    tells: frozenset[str] = frozenset()
    """Dimensions that it determines with exceptions: a drive has one class. Compared with another
    class, it differs by nature; it is neither held equal nor named as a difference."""
    alike_across: dict[str, str] = {}
    """Values that count as equal to another when kinds of storage are compared."""
    determines_where: tuple[str, str] | None = None
    """The dimension and value for which it affects a metric's value; None means always."""

    @property
    def counted(self) -> str:
        return self.plural or f"values of {self.title}"


class Severity(StrEnum):
    DOUBT = "doubt"
    CAUTION = "caution"


@dataclass(frozen=True)
class Flag:
    """A coded warning. Runs with a `doubt` are left out by default, those with a `caution` stay."""

    code: str
    severity: Severity
    sentence: str


Page = Literal["/storage", "/threads", "/cores", "/power", "/workloads"]
"""The dashboard's pages of suites' metrics."""
FilteredPage = Literal[Page, "/power/residency", "/runs", "/machines"]
"""The dashboard's pages with filters."""

_STATED = tomllib.loads(Path(__file__).with_name("catalog.toml").read_text(encoding="utf-8"))
PLAUSIBLE_MAXIMUM: dict[Unit, float] = _STATED["plausible_maximum"]


def _metric(name: str, stated: dict[str, object]) -> Metric:
    """Build a metric; its suite defaults to the first word of its name."""
    group = name.split(".")[0]
    defaults = {"name": name, "suite": group, "circumstances": _STATED["circumstances"][group]}
    return msgspec.convert(defaults | stated, Metric)


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
# The one flag that isn't derived: somebody withdrew the run and gave a reason.
WITHDRAWN = "withdrawn"
# Older servers accepted values below any instrument's resolution.
OUT_OF_RANGE = "out_of_range"
LINK_LIMIT: dict[str, float] = _STATED["link_limit"]
PAGES: dict[str, Page] = _STATED["pages"]
OPEN_FILTERS = msgspec.convert(_STATED["open_filters"], dict[FilteredPage, tuple[str, ...]])

# Dimensions that affect a value under one condition only.
DETERMINES_WHERE = {
    name: definition.determines_where
    for name, definition in DIMENSIONS.items()
    if definition.determines_where is not None
}
LABEL_PREFIX = "label:"
# Any label: a workload's labels name the configuration under test, and any key may do so.
ANY_LABEL = f"{LABEL_PREFIX}*"


def having(trait: Trait) -> tuple[str, ...]:
    """Return the names of the dimensions with this trait, in catalogue order."""
    return tuple(name for name, definition in DIMENSIONS.items() if trait in definition.traits)


@lru_cache(maxsize=4096)
def dimension(name: str) -> Dimension | None:
    """Return the dimension of that name; `label:KEY` is a text dimension of runs for any key."""
    if name.startswith(LABEL_PREFIX) and len(name) > len(LABEL_PREFIX):
        return Dimension(name, name.removeprefix(LABEL_PREFIX), frozenset())
    return DIMENSIONS.get(name)


def has(name: str, trait: Trait) -> bool:
    """Whether that dimension has this trait; labels have none."""
    definition = DIMENSIONS.get(name)
    return definition is not None and trait in definition.traits


@lru_cache(maxsize=4096)
def is_of_sample(name: str) -> bool:
    definition = dimension(name)
    return definition is not None and definition.of == "sample"


def flag(code: str) -> Flag:
    """Return the flag of that code; an unknown one is a caution named after its code."""
    return FLAGS.get(code) or Flag(code, Severity.CAUTION, FLAGS["unknown_warning"].sentence)


def is_doubt(code: str) -> bool:
    return flag(code).severity is Severity.DOUBT


@dataclass(frozen=True)
class Redefinition:
    """Change of a definition: `text` is for readers of older figures; `metrics` None means all."""

    derivation_version: int
    text: str
    metrics: frozenset[str] | None = None

    def concerns(self, metrics: Collection[str]) -> bool:
        """Whether it affects one of these metrics."""
        return self.metrics is None or not self.metrics.isdisjoint(metrics)


_SPEEDS = frozenset(name for name, metric in METRICS.items() if Role.CROSSES_LINK in metric.roles)
# Changes of definitions: the derivation version since which a metric, or every metric, means
# something else. Saved comparisons keep the derivation of their figures and report what was
# redefined since. Append only, starting after 0.1, which had derivation 3. Each DERIVATION_VERSION
# gets an entry, without metrics where only flags, dimensions or rows changed. Changing how a
# statistic is computed raises the version too.
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
    Redefinition(
        9,
        "Speeds by file size count quick runs too, from version 2 of their method on.",
        frozenset({"disk.read_speed", "disk.write_speed"}),
    ),
    Redefinition(
        9,
        "Ratios between conditions of one run, such as numbers of threads or sizes of files, are "
        "those of each Mac’s results under both. They were 1, as of a group to itself.",
    ),
    Redefinition(
        9,
        "Confidence intervals of paired ratios know where they differ by model.",
    ),
)


def redefined_since(derivation_version: int, metrics: Collection[str]) -> list[Redefinition]:
    """Return what was redefined for these metrics after that derivation, oldest first."""
    return [
        redefinition
        for redefinition in REDEFINITIONS
        if redefinition.derivation_version > derivation_version and redefinition.concerns(metrics)
    ]
