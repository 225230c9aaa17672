"""A Mac's latest figure: of its newest runs on the macOS that it has now.

A median over a year and nine versions of macOS hides what happened to the Mac since.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

from macmeter.reading.timeline import Measurement

# Of one way of measuring on one target: their median isn't moved by one or two bad runs.
NEWEST = 5


class Latest(NamedTuple):
    """A median over `runs` runs, in the metric's unit, all under one macOS."""

    value: float
    os_version: str | None
    runs: int


def latest_of(measured: Sequence[Measurement]) -> Latest | None:
    """The latest value from results of one metric, the oldest first; None where there are none.

    A Mac with several drives has the newest runs of each under its macOS.
    """
    if not measured:
        return None
    os_version = measured[-1].os_version
    lines: dict[tuple[object, ...], list[Measurement]] = defaultdict(list)
    for one in measured:
        if one.os_version == os_version:
            lines[one.series_id, repr(one.configuration)].append(one)
    newest = [one for line in lines.values() for one in line[-NEWEST:]]
    runs = len({one.run_id for one in newest})
    return Latest(float(median(one.value for one in newest)), os_version, runs)


def by_method(
    measured: Iterable[Measurement], metric: str, method: str, version: int
) -> list[Measurement]:
    """Those that a machine's value counts: of one metric by one method, not from an article."""
    return [
        one
        for one in measured
        if (one.metric, one.method, one.method_version) == (metric, method, version)
        and one.source != "published"
    ]
