"""A machine over time, and its place among similar ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from macmeter.answers.answer import Mix


@dataclass(frozen=True, slots=True)
class Point:
    """A run's median; `at` is when it started, or was received where nobody says."""

    run_id: str
    at: str
    os_version: str | None
    value: float
    samples: int
    printed: str | None
    flags: list[str]


@dataclass(frozen=True, slots=True)
class LevelChange:
    """From this run on another level."""

    run_id: str
    at: str
    before: float
    after: float
    ratio: float | None
    os_before: str | None
    os_after: str | None


@dataclass(frozen=True, slots=True)
class OsUpdate:
    """From this run on another macOS."""

    run_id: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Line:
    """What was measured in one way on one thing; `configuration` without what is not stated."""

    metric: str
    title: str
    unit: str
    better: str
    parameters: dict[str, Any]
    source: str
    method: str
    method_version: int
    configuration: dict[str, Any]
    points: list[Point] = field(default_factory=list)
    changes: list[LevelChange] = field(default_factory=list)
    days: int = 0
    fewest_days: int = 0
    os_updates: list[OsUpdate] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Timeline:
    """`more`: lines that are left out, those with fewest points."""

    machine_id: str
    lines: list[Line]
    more: int


@dataclass(frozen=True, slots=True)
class Place:
    """Among the others by size, equals counted half; the interval is 95%."""

    percentile: float
    better_than: int
    equal_to: int
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True)
class Cohort:
    min: float
    p10: float
    p25: float
    median: float
    p75: float
    p90: float
    max: float


@dataclass(frozen=True, slots=True)
class Placed:
    """`machines` are the others; below `minimum` of them there is no place and no cohort."""

    question: str
    metric: str
    title: str
    unit: str
    better: str
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
    cohort: Cohort | None
