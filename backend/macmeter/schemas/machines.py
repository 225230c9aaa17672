"""Machines: their facts, their timeline, and their percentile among similar ones."""

from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from typing_extensions import TypedDict

from macmeter import Json
from macmeter.catalog import Better
from macmeter.catalog.terms import Value
from macmeter.platform.schema import Exact
from macmeter.schemas.answer import Key, Mix, NamedMetric
from macmeter.schemas.runs import Source


class MachineFacts(TypedDict):
    """Facts from the machine's newest run. `name` is for the readers of its fleet."""

    id: str
    name: str | None
    chip: str | None
    model_name: str | None
    os_version: str | None
    virtual: bool
    host_machine_id: str | None


class MachineSummary(Exact, MachineFacts):
    """Facts from the newest run. `runs` counts those that match the filters."""

    runs: int
    suites: list[str]
    sources: list[str]
    last_received_at: str


class MachinePage(TypedDict):
    """Page of machines. `next` continues exactly after the last item."""

    items: list[MachineSummary]
    total: int
    next: str | None


class OsVersion(Exact):
    os_version: str
    first_at: str
    last_at: str
    runs: int


class MeasuredMetric(Exact, NamedMetric):
    """A metric with results. `parameters` lists each set of parameters that has some."""

    parameters: list[Key]
    runs: int


class Machine(Exact, MachineFacts):
    """A machine. `machine` and `environment` are what its agent sent last. `fleet` is the reader's
    fleet that questions have to name to include its runs; null if they are public.
    """

    fleet: str | None
    guests: list[str]
    machine: Json
    environment: Json
    runs: int
    first_at: str
    last_at: str
    suites: list[str]
    sources: list[str]
    os_versions: list[OsVersion]
    measured: list[MeasuredMetric]
    as_of: str


@dataclass(frozen=True, slots=True)
class Point:
    """A run's median. `at` is when it started, or was received if the start isn't stated."""

    run_id: str
    at: str
    os_version: str | None
    value: float
    samples: int
    printed: str | None
    flags: list[str]


@dataclass(frozen=True, slots=True)
class LevelChange:
    """Change of level from this run on. At most 1% of steady lines have one."""

    run_id: str
    at: str
    before: float
    after: float
    ratio: float | None
    os_before: str | None
    os_after: str | None


@dataclass(frozen=True, slots=True)
class OsUpdate:
    """Update of macOS, at this run."""

    run_id: str
    before: str
    after: str


Certainty = Literal["found", "not_found", "too_few"]


@dataclass(frozen=True, slots=True)
class Step:
    """How far a line moves from this run on: at each update of macOS, and wherever it stands out.

    `before` and `after` are medians of days; `runs_before` to `days_after` count what they are
    computed from. `stands_out` says that it moves further than the days around it vary. That isn't
    a test: `certainty` says whether a test found a change here, found none, or has too few days
    before or after to find any.
    """

    run_id: str
    at: str
    os_before: str | None
    os_after: str | None
    before: float
    after: float
    ratio: float
    runs_before: int
    runs_after: int
    days_before: int
    days_after: int
    stands_out: bool
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class OnVersion:
    """Other Macs on one version of macOS; `p10` and `p90` are null for fewer than six."""

    os_version: str
    machines: int
    p10: float | None
    median: float
    p90: float | None


# Of a line without a step: enough for a median that tolerates one or two outliers.
_NEWEST_RUNS = 5


@dataclass(frozen=True, slots=True)
class Line:
    """Results of one machine over time, measured with one method under the same conditions.

    Changes are searched among the medians of all days; below `fewest_days` there are none, but
    `steps` show what can be seen. `points` are the newest ones, the first one, and those at a
    change, a step or an update; `earlier` counts those left out. `peers` are of its chip, by the
    same method on the same kind of storage; only the first lines of a timeline have them.
    """

    metric: str
    title: str
    unit: str
    better: Better
    parameters: Key
    source: Source
    method: str
    method_version: int
    configuration: dict[str, Value | dict[str, str]]
    points: list[Point]
    earlier: int
    days: int
    fewest_days: int
    changes: list[LevelChange]
    os_updates: list[OsUpdate]
    steps: list[Step] = field(default_factory=list)
    peers: list[OnVersion] = field(default_factory=list)

    @property
    def newest_step(self) -> Step | None:
        """Its newest step that stands out."""
        return next((step for step in reversed(self.steps) if step.stands_out), None)

    @property
    def newest(self) -> list[Point]:
        """Points of its level now: since its newest step, or else the newest on its macOS."""
        step = self.newest_step
        if step is not None:
            ids = [point.run_id for point in self.points]
            return self.points[ids.index(step.run_id) :]
        version = self.points[-1].os_version
        return [point for point in self.points if point.os_version == version][-_NEWEST_RUNS:]

    @property
    def level(self) -> float:
        """Its level now, in its unit."""
        step = self.newest_step
        return step.after if step else median(point.value for point in self.newest)


@dataclass(frozen=True, slots=True)
class Timeline:
    """Lines of a machine. `more` counts the lines with fewest points, which are left out."""

    machine_id: str
    lines: list[Line]
    more: int


@dataclass(frozen=True, slots=True)
class Place:
    """Percentile: the share of the others that it is better than, with equal ones counted half.

    If neither more nor less is better, it is the share below. The interval is 95%.
    """

    percentile: float
    better_than: int
    equal_to: int
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True)
class CohortFigures:
    min: float
    p10: float
    p25: float
    median: float
    p75: float
    p90: float
    max: float


@dataclass(frozen=True, slots=True)
class Placed:
    """Percentile among `machines` others; with fewer than `minimum`, `place` and `cohort` are null.

    A Mac's own `value` is that of its latest `runs`, those since its newest step or else the newest
    on its macOS; `os_version` is theirs if it is the same. `usual` is that of `all_runs`. For a
    run, `os_version`, `usual` and `all_runs` are null. `others` are the others'
    values or an even sample, ascending.
    """

    question: str
    metric: str
    title: str
    unit: str
    better: Better
    published: bool
    method: str
    method_version: int
    machine_id: str
    run_id: str | None
    runs: int
    mixes: list[Mix]
    value: float
    machines: int
    minimum: int
    place: Place | None
    cohort: CohortFigures | None
    os_version: str | None = None
    usual: float | None = None
    all_runs: int | None = None
    others: list[float] = field(default_factory=list)


Among = Literal["model", "chip", "link"]
"""Macs of the same model and chip, of the same chip, or with a drive on the same kind of link."""


@dataclass(frozen=True, slots=True)
class Rank:
    """A run's speed compared with `macs` other Macs, or its `value` alone if they are too few.

    `value` is the median over files of `file_sizes`, in the metric's unit; `percentile` the share
    of the others that are slower, with equal ones counted half. `name` says which Macs; `model` is
    the number of those that are also of its model, where that was too few. `where` are their
    filters, `others` their speeds or an even sample, ascending.
    """

    metric: str
    title: str
    unit: str
    value: float
    file_sizes: list[int]
    storage: str
    among: Among
    name: str
    where: list[str]
    macs: int
    minimum: int
    percentile: float | None
    others: list[float]
    model: str | None = None
    of_model: int | None = None


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ranks of a run's write and read speed. If there are none, `flag` or `unranked` says why.

    `flag` is the first doubt about the run, or about the speed that has no rank.
    """

    run_id: str
    quick: bool
    ranks: list[Rank]
    flag: str | None = None
    unranked: Literal["published", "storage", "sizes"] | None = None
