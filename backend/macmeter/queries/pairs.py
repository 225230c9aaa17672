"""Pairs: two results of one machine that differ only in what is compared.

Two results pair where machine, device and every determinant of the metric agree, except for the
dimensions that are compared and what settles those. A machine's pairs share whatever is particular
to it, so they aren't independent: one machine is one pair, the median of its ratios.

A guest pairs with the host that it names: with the volume that holds its disk where that is known,
else with the host's internal storage. The host's other drives are nobody's pair.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable
from dataclasses import dataclass, field

import numpy as np

from macmeter import catalog
from macmeter.columns.lot import Setting
from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools
from macmeter.queries.groups import Group
from macmeter.queries.guests import pairs_of_guests
from macmeter.reading.hosts import Hosts
from macmeter.stats.clusters import Clusters
from macmeter.stats.figures import Ratio, ratio_of_medians, ratio_of_pairs
from macmeter.stats.summary import Array
from macmeter.terms import Value


def settles(name: str, compared: Collection[str]) -> bool:
    """Whether a value of `name` leaves no choice of what is compared."""
    dimension = catalog.dimension(name)
    return dimension is not None and not dimension.settles.isdisjoint(compared)


class NoRatio(Exception):
    """`code` and a sentence for readers say why there is none."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


@dataclass(frozen=True)
class Guests:
    """Pair with their hosts, where what is compared is being one; `by` and `reference_by` are what
    the groups are by.
    """

    hosts: Hosts
    by: Setting = field(default_factory=dict)
    reference_by: Setting = field(default_factory=dict)


def ratio_of_groups(
    group: Group,
    reference: Group,
    weight: str,
    compared: Collection[str],
    guests: Guests | None = None,
) -> Ratio:
    """The ratio of two groups: of pairs where there are any, else of their medians.

    With `guests`, these pair with their hosts. Raises NoRatio where one of the figures is 0 or a
    guest's storage has no counterpart.
    """
    if _same_runs(group, reference):
        return ratio_to_itself(group, weight)
    if guests is None:
        ratios = _of_same_devices(group, reference, compared)
    else:
        ratios = _of_guests(group, reference, compared, guests)
    if len(ratios):
        return _finite(ratio_of_pairs(ratios))
    if guests is not None and _is_of_storage(guests.by, group):
        text = "The host's storage that holds the VM's disk was not measured with this method."
        raise NoRatio("no_host_storage", text)
    if guests is not None and "chip" in guests.by.keys() - guests.reference_by.keys():
        # By chip, hosts of all chips would be no reference.
        raise NoRatio("no_host", "The hosts of these machines were not measured with this method.")
    _require_median_above_zero(group, weight)
    _require_median_above_zero(reference, weight)
    return _finite(ratio_of_medians(group.clusters, reference.clusters, weight))


def ratio_to_itself(group: Group, weight: str) -> Ratio:
    """The ratio of a group to the same results: each machine is a pair."""
    _require_median_above_zero(group, weight)
    return ratio_of_pairs(np.ones(len(np.unique(group.machine_numbers))))


def _of_same_devices(group: Group, reference: Group, compared: Collection[str]) -> Array:
    """A ratio for each machine that has both, alike in all else."""
    both = np.zeros(2 * len(group.view.names.machines), dtype=bool)
    both[np.intersect1d(group.cells.owner, reference.cells.owner, assume_unique=True)] = True
    alike: dict[Hashable, int] = {}
    sides = [_Alike(side, compared, alike) for side in (group, reference)]
    shared = np.logical_and(*(side.having(len(alike)) for side in sides))
    if not both.any() or not shared.any():
        return np.zeros(0)
    over, under = (side.cells(both, shared) for side in sides)
    _, above, below = np.intersect1d(over.codes, under.codes, return_indices=True)
    if len(above) and len(np.intersect1d(over.rows.runs, under.rows.runs)):
        # Where the same runs are on both sides the group contains its reference: no pair.
        differ = [
            over.runs_of(one) != under.runs_of(other)
            for one, other in zip(above, below, strict=True)
        ]
        above, below = above[differ], below[differ]
    tops, bottoms = over.medians[above], under.medians[below]
    usable = _have_ratios(tops, bottoms)
    return medians_by(over.machines[above][usable], tops[usable] / bottoms[usable])


class _Alike:
    """By series and setup of a side the number of what must be alike in a pair."""

    def __init__(self, group: Group, compared: Collection[str], alike: dict[Hashable, int]) -> None:
        self._group = group
        lot = group.lot
        settings, examples = lot.settings(group.by)
        numbers = np.zeros((len(lot.series), len(examples)), dtype=np.int64)
        self._present: list[int] = []
        for series, setups in group.setups_of_series:
            for setting in np.unique(settings[setups]).tolist():
                told = lot.setting(int(examples[setting]), series, group.by)
                kept = tuple(sorted(keep_alike(told, compared).items()))
                number = alike.setdefault(kept, len(alike))
                numbers[lot.series.index(series), setting] = number
                self._present.append(number)
        self._numbers = numbers[:, settings]

    def having(self, count: int) -> Bools:
        """By number below `count`, whether the side has any such row."""
        found = np.zeros(count, dtype=bool)
        found[self._present] = True
        return found

    def cells(self, owners: Bools, shared: Bools) -> _Cells:
        """Of the rows of these owners, of setups that may be alike on both sides."""
        setups: Bools = np.logical_or.reduce(shared[self._numbers])
        group = self._group.of_owners(owners, setups)
        places = group.lot.series_places(group.rows)
        return _Cells(group, self._numbers[places, group.setup_numbers], len(shared))


class _Cells:
    """A side's values by machine and by what must be alike in a pair."""

    def __init__(self, group: Group, alike: Ints, count: int) -> None:
        """`alike` are numbers below `count` by row: each cell's code is the same on both sides."""
        self.rows = group
        view = group.view
        devices = group.of_runs("device")
        by_machine = group.machines.astype(np.int64) * count + alike
        codes = by_machine * len(view.names.devices) + devices
        self._order = np.argsort(codes, kind="stable")
        ordered = codes[self._order]
        self._starts = np.flatnonzero(np.diff(ordered, prepend=-1))
        self.codes = ordered[self._starts]
        self.machines = group.machines[self._order][self._starts]
        sizes = np.diff(self._starts, append=len(ordered))
        self._sizes = sizes
        self.medians = Clusters(group.values[self._order], sizes).medians

    def runs_of(self, cell: int) -> set[int]:
        start = self._starts[cell]
        return set(self.rows.runs[self._order[start : start + self._sizes[cell]]].tolist())


def _of_guests(
    group: Group,
    reference: Group,
    compared: Collection[str],
    guests: Guests,
) -> Array:
    """A ratio for each host of which there are guests on one side and itself on the other."""

    def alike(setting: Setting) -> Setting:
        return keep_alike(setting, compared)

    machines, tops, bottoms = [], [], []
    keys = (guests.by, guests.reference_by)
    for pair in pairs_of_guests(group, reference, keys, guests.hosts, alike):
        if pair.over_runs != pair.under_runs:
            machines.append(pair.host)
            tops.append(pair.over)
            bottoms.append(pair.under)
    usable = _have_ratios(np.array(tops), np.array(bottoms))
    ratios = np.array(tops)[usable] / np.array(bottoms)[usable]
    return medians_by(np.array(machines, dtype=np.int64)[usable], ratios)


def medians_by(owners: Ints, values: Array) -> Array:
    """The median of each owner's values."""
    if not len(values):
        return np.zeros(0)
    order = np.lexsort((values, owners))
    starts = np.flatnonzero(np.diff(owners[order], prepend=-1))
    return Clusters(values[order], np.diff(starts, append=len(values))).medians


def keep_alike(setting: Setting, compared: Collection[str]) -> dict[str, Value]:
    """What a pair must agree in."""
    return {
        name: value
        for name, value in setting.items()
        if name not in compared and not settles(name, compared)
    }


def _same_runs(group: Group, reference: Group) -> bool:
    rows_are_runs = group.lot.is_of_one_series and reference.lot.is_of_one_series
    if rows_are_runs and len(group) != len(reference):
        return False
    one, other = group.distinct_runs, reference.distinct_runs
    return len(one) == len(other) and np.array_equal(np.sort(one), np.sort(other))


def _is_of_storage(key: Setting, group: Group) -> bool:
    return any(setting.get("storage") is not None for setting in (key, *group.settings))


def _require_median_above_zero(group: Group, weight: str) -> None:
    values = group.clusters.ascending[0] if weight == "run" else group.machine_values
    # Where none of them is below, no middle has to be looked for.
    if values.min() < catalog.PLAUSIBLE_MINIMUM:
        _have_ratios(np.ones(1), np.array([np.median(values)]))


def _have_ratios(tops: Array, bottoms: Array) -> Bools:
    """Which of them have a ratio: one machine's 0 takes nothing from the others. NoRatio if none.

    Beneath what can be measured a ratio may be larger than any number.
    """
    found: Bools = np.minimum(tops, bottoms) >= catalog.PLAUSIBLE_MINIMUM
    if len(found) and not found.any():
        raise NoRatio("zero", "One of the two figures is 0, so there is no ratio.")
    return found


def _finite(ratio: Ratio) -> Ratio:
    """NoRatio where it, or one of its limits, is larger than any number."""
    limits = (ratio.interval.low, ratio.interval.high) if ratio.interval is not None else ()
    if not all(map(math.isfinite, (ratio.value, *limits))):
        raise NoRatio("not_finite", "The two figures are too far apart for a ratio.")
    return ratio
