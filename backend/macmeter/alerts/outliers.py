"""Macs of a fleet that are slower now than similar ones.

Similar Macs have the same values of each property that decides a figure, and the same model, device
and labels. A Mac is compared with similar ones under the same macOS. What differs then is the Mac
itself, or something that its runs state as a cause (a full volume, Low Power Mode).
"""

import math
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from macmeter.alerts.points import Bools, Ints, levels
from macmeter.results.fleets import FleetResults, RunFlags
from macmeter.statistics.summary import Array

# Similar machines that are needed to show what is usual among them, and those under one macOS that
# are needed to show the effect of that macOS.
FEWEST_MACHINES = 8
FEWEST_OF_VERSION = 4
# Only a machine's latest runs count, and only recent ones: a median over weeks would hide a new
# problem for half of that time.
LATEST_RUNS = 3
RECENT_DAYS = 28.0
# Thresholds in the similar machines' robust deviations, and as a share of their median.
MIN_DEVIATIONS = 5.0
MIN_DIFFERENCE = 0.10
# Flags of circumstances that make a run slower.
CAUSES = (
    *("nearly_full", "low_space_allowed", "low_power_mode", "hot", "busy_system", "on_battery"),
    *("link_negotiated_down", "rosetta", "slept"),
)
# Factor from a median absolute deviation to a standard deviation, for normal values.
_DEVIATION = 1.4826
_MIN_SPREAD = 0.01


@dataclass(frozen=True)
class Outlier:
    """A machine far from the median of similar ones under its macOS. `machines` are all similar
    ones, itself included, whatever their macOS.
    """

    machine: int
    likeness: int
    ratio: float
    machines: int
    oriented_ratio: float
    """The ratio, or its inverse where lower is better: less is worse."""


def outliers(measured: FleetResults, today: float, *, lower_is_better: bool) -> list[Outlier]:
    """Return machines that are worse than similar ones by more than these usually differ.

    Only results of one series and method are compared. A machine counts once for each series, by
    the median of its latest runs, and once among similar ones, by the median over its series.
    """
    recent = np.flatnonzero(_latest(measured) & (measured.day > today - RECENT_DAYS))
    if not len(recent):
        return []
    machine_keys = (measured.likeness[recent], measured.version[recent], measured.machine[recent])
    result_keys = (measured.series[recent], measured.method[recent])
    value, first = _medians(measured.value[recent], *machine_keys, *result_keys)
    likeness, version, machine, series, method = (
        key[first] for key in (*machine_keys, *result_keys)
    )
    compared = value - _group_medians(value, likeness, version, series, method)
    diff, first = _medians(compared, likeness, version, machine)
    likeness, version, machine = likeness[first], version[first], machine[first]
    enough = _sizes(likeness, version) >= FEWEST_OF_VERSION
    diff = diff[enough]
    likeness, version, machine = (key[enough] for key in (likeness, version, machine))
    if not len(diff):
        return []
    deviation = diff - _group_medians(diff, likeness, version)
    spread = _DEVIATION * _group_medians(np.abs(deviation), likeness)
    worse = deviation if lower_is_better else -deviation
    machines = _sizes(likeness)
    far = worse > np.maximum(
        MIN_DEVIATIONS * np.maximum(spread, _MIN_SPREAD), -math.log1p(-MIN_DIFFERENCE)
    )
    return [
        Outlier(
            *(int(machine[at]), int(likeness[at]), math.exp(deviation[at]), int(machines[at])),
            oriented_ratio=math.exp(-worse[at]),
        )
        for at in np.flatnonzero(far & (machines >= FEWEST_MACHINES)).tolist()
    ]


def causes_of(
    stated: Mapping[uuid.UUID, Sequence[RunFlags]],
    suite: str,
    machine_id: uuid.UUID,
    peers: Collection[uuid.UUID],
) -> list[str]:
    """Return flags of at least half of a machine's latest runs of a suite, if most of its `peers`
    have no run with them. `stated` has each machine's runs, the latest first.
    """

    def suite_runs(machine: uuid.UUID) -> list[RunFlags]:
        return [run for run in stated.get(machine, ()) if run.suite == suite]

    latest = suite_runs(machine_id)[:LATEST_RUNS]
    often = [code for code in CAUSES if latest and 2 * _count_with(code, latest) >= len(latest)]
    return [
        code
        for code in often
        if 2 * sum(_count_with(code, suite_runs(peer)) > 0 for peer in peers) < len(peers)
    ]


def _count_with(code: str, runs: Iterable[RunFlags]) -> int:
    return sum(code in run.flags for run in runs)


def _latest(measured: FleetResults) -> Bools:
    """Mask of the latest results of each line, of those under its latest macOS."""
    order = np.lexsort((-measured.day, measured.line))
    line, version = measured.line[order], measured.version[order]
    starts = np.flatnonzero(np.diff(line, prepend=-1))
    sizes = np.diff(starts, append=len(line))
    rank = np.arange(len(line)) - np.repeat(starts, sizes)
    latest = np.empty(len(line), dtype=bool)
    latest[order] = (rank < LATEST_RUNS) & (version == np.repeat(version[starts], sizes))
    return latest


def _medians(value: Array, *keys: Ints) -> tuple[Array, Ints]:
    """Median of each group, and the index of one of its rows."""
    _, first, group = np.unique(
        np.stack(keys, axis=1), axis=0, return_index=True, return_inverse=True
    )
    return levels(value, group.reshape(-1), len(first))[0], first


def _group_medians(value: Array, *keys: Ints) -> Array:
    """Median of each row's group."""
    group = _group(*keys)
    medians: Array = levels(value, group, int(group.max()) + 1)[0][group]
    return medians


def _sizes(*keys: Ints) -> Ints:
    """Number of rows in each row's group."""
    group = _group(*keys)
    sizes: Ints = np.bincount(group)[group]
    return sizes


def _group(*keys: Ints) -> Ints:
    _, group = np.unique(np.stack(keys, axis=1), axis=0, return_inverse=True)
    numbers: Ints = group.reshape(-1)
    return numbers
