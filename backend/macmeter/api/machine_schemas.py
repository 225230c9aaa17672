"""The shapes of responses about machines, as schemas.py has the others."""

from __future__ import annotations

from typing import Any, Literal

from macmeter.api.schemas import Mix, Shape, Value
from macmeter.figures.machines import MachineDetailWords, MachineWords
from macmeter.figures.places import PlaceWords
from macmeter.figures.timelines import LineWords


class MachineSummary(Shape):
    """After its newest run; `runs` are those under the filters."""

    id: str
    chip: str | None
    model_name: str | None
    os_version: str | None
    virtual: bool
    host_machine_id: str | None
    runs: int
    suites: list[str]
    sources: list[str]
    last_received_at: str
    words: MachineWords


class Machines(Shape):
    items: list[MachineSummary]
    total: int
    next: str | None


class OsVersion(Shape):
    os_version: str
    first_at: str
    last_at: str
    runs: int


class MeasuredMetric(Shape):
    """`parameters`: each set of them under which there are results."""

    metric: str
    title: str
    unit: str
    better: Literal["higher", "lower", "none"]
    parameters: list[dict[str, Value]]
    runs: int


class MachineDetail(Shape):
    """`machine` and `environment` as its agent sent them last."""

    id: str
    chip: str | None
    model_name: str | None
    os_version: str | None
    virtual: bool
    host_machine_id: str | None
    guests: list[str]
    machine: dict[str, Any]
    environment: dict[str, Any]
    runs: int
    first_at: str
    last_at: str
    suites: list[str]
    sources: list[str]
    os_versions: list[OsVersion]
    measured: list[MeasuredMetric]
    as_of: str
    words: MachineDetailWords


class Point(Shape):
    """A run's median; `at` is when it started, or was received where nobody says."""

    run_id: str
    at: str
    os_version: str | None
    value: float
    samples: int
    printed: str | None
    flags: list[str]


class LevelChange(Shape):
    """From this run on another level; a steady line has one in at most 1% of cases."""

    run_id: str
    at: str
    before: float
    after: float
    ratio: float | None
    os_before: str | None
    os_after: str | None


class OsUpdate(Shape):
    """From this run on another macOS."""

    run_id: str
    before: str
    after: str


class Line(Shape):
    """What was measured in one way on one thing; `configuration` without what is not stated.

    Changes are looked for among the medians of days; below `fewest_days` of them there are none.
    """

    metric: str
    title: str
    unit: str
    better: Literal["higher", "lower", "none"]
    parameters: dict[str, Value]
    source: Literal["measured", "imported", "published"]
    method: str
    method_version: int
    configuration: dict[str, Any]
    points: list[Point]
    days: int
    fewest_days: int
    changes: list[LevelChange]
    os_updates: list[OsUpdate]


class Timeline(Shape):
    """`more`: lines that are left out, those with fewest points; `words` are by line."""

    machine_id: str
    lines: list[Line]
    more: int
    words: list[LineWords]


class Place(Shape):
    """Among the others by size, equals counted half; the interval is 95%."""

    percentile: float
    better_than: int
    equal_to: int
    ci_low: float
    ci_high: float


class CohortFigures(Shape):
    min: float
    p10: float
    p25: float
    median: float
    p75: float
    p90: float
    max: float


class Percentile(Shape):
    """`machines` are the others; below `minimum` of them there is no place and no figure."""

    question: str
    metric: str
    title: str
    unit: str
    better: Literal["higher", "lower", "none"]
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
    words: PlaceWords
