"""Pairs: two results of one machine that differ only in what is compared.

Two results pair where machine, device and every determinant of the metric agree, except for the
dimensions that are compared and what settles those. A machine's pairs share whatever is particular
to it, so they aren't independent: one machine is one pair, the median of its ratios.

A guest pairs with the host that it names: with the volume that holds its disk where that is known,
else with the host's internal storage. The host's other drives are nobody's pair.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from macmeter import catalog
from macmeter.catalog import is_of_sample
from macmeter.dataset.relations import number_of
from macmeter.dataset.snapshot import Columns
from macmeter.queries.grouped import Grouped, Ints
from macmeter.queries.groups import Bools, Group
from macmeter.queries.guests import pairs_of_guests
from macmeter.queries.mixes import Setting, open_determinants
from macmeter.reading.hosts import Guests as GuestHosts
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

    guests: GuestHosts
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
    if same_runs(group, reference):
        return ratio_to_itself(group, weight)
    if guests is None:
        ratios = _of_same_devices(group, reference, compared)
    else:
        ratios = ratios_of_guests(group, reference, compared, guests)
    if len(ratios):
        return finite(ratio_of_pairs(ratios))
    if guests is not None and (refusal := has_no_counterpart(group, guests)):
        raise refusal
    return crude_ratio(group, reference, weight)


def has_no_counterpart(group: Group, guests: Guests) -> NoRatio | None:
    """Why guests without a pair have no ratio to other hosts; None where they may have one."""
    if _is_of_storage(guests.by, group):
        text = "The host's storage that holds the VM's disk was not measured with this method."
        return NoRatio("no_host_storage", text)
    if "chip" in guests.by.keys() - guests.reference_by.keys():
        # By chip, hosts of all chips would be no reference.
        text = "The hosts of these machines were not measured with this method."
        return NoRatio("no_host", text)
    return None


def crude_ratio(group: Group, reference: Group, weight: str) -> Ratio:
    """The ratio of the groups' medians. Raises NoRatio where one of them is 0."""
    _require_median_above_zero(group, weight)
    _require_median_above_zero(reference, weight)
    return finite(ratio_of_medians(group.clusters, reference.clusters, weight))


def ratio_to_itself(group: Group, weight: str) -> Ratio:
    """The ratio of a group to the same results: each machine is a pair."""
    _require_median_above_zero(group, weight)
    return ratio_of_pairs(np.ones(len(group.machine_numbers)))


def _of_same_devices(group: Group, reference: Group, compared: Collection[str]) -> Array:
    """A ratio for each machine that has both, alike in all else."""
    over, under = (cells_of(side, compared) for side in (group, reference))
    _, above, below = np.intersect1d(
        over["cell"], under["cell"], assume_unique=True, return_indices=True
    )
    # Where the same runs are on both sides the group contains its reference: no pair.
    differ = over["runs"][above] != under["runs"][below]
    above, below = above[differ], below[differ]
    tops, bottoms = over["value"][above], under["value"][below]
    usable = _have_ratios(tops, bottoms)
    return medians_by(over["owner"][above][usable], tops[usable] / bottoms[usable])


def cells_of(group: Group, compared: Collection[str]) -> Columns:
    """A group's values by machine, drive and what must be alike in a pair."""
    grouped = group.grouped
    found = grouped.found
    names = keep_alike(dict.fromkeys(open_determinants(found.metric, found.by)), compared)

    def make(grouped: Grouped) -> dict[int, Columns]:
        params = [name for name in names if is_of_sample(name)]
        numbers = {
            number: number_of(repr([one.parameter(name) for name in params]).encode())
            for number, one in found.series.items()
        }
        alike = [name for name in names if not is_of_sample(name)]
        return grouped.split(found.cells(alike, (*found.by, *compared), numbers))

    kept: dict[int, Columns] = grouped.kept(make, ("cells", frozenset(compared)))
    return kept.get(group.number, _NO_CELLS)


_NO_CELLS: Columns = {name: np.zeros(0) for name in ("owner", "cell", "value", "runs")}


def ratios_of_guests(
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
    for pair in pairs_of_guests(group, reference, keys, guests.guests, alike):
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


def same_runs(group: Group, reference: Group) -> bool:
    return group.run_count == reference.run_count and group.digest == reference.digest


def _is_of_storage(key: Setting, group: Group) -> bool:
    return bool({key.get("storage"), *group.stated.get("storage", ())} - {None})


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


def finite(ratio: Ratio) -> Ratio:
    """NoRatio where it, or one of its limits, is larger than any number."""
    limits = (ratio.interval.low, ratio.interval.high) if ratio.interval is not None else ()
    if not all(map(math.isfinite, (ratio.value, *limits))):
        raise NoRatio("notfinite", "The two figures are too far apart for a ratio.")
    return ratio
