"""Pairs: two results of one machine that differ only in what is compared.

Two results pair if machine, device and every determinant of the metric agree, except for the
compared dimensions and what settles those. A machine's pairs share its peculiarities, so they
aren't independent: each machine counts as one pair, with the median of its ratios.

A guest pairs with the host that it names: with the volume that holds its disk if that is known,
else with the host's internal storage. The host's other drives are never paired.
"""

import math
import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np
import orjson

from macmeter import catalog
from macmeter.catalog import ANY_LABEL, LABEL_PREFIX, is_of_sample
from macmeter.catalog.terms import Value
from macmeter.questions.grouped import Grouped, Ints, Setting, open_determinants
from macmeter.questions.groups import Bools, Group
from macmeter.results.dataset.properties import guests_and_hosts, named_hosts
from macmeter.results.dataset.relations import number_of
from macmeter.results.dataset.snapshot import Columns
from macmeter.results.dataset.sql import machine_number
from macmeter.results.machines import GuestHosts
from macmeter.schemas.sides import Refusal
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.figures import Ratio, ratio_of_medians, ratio_of_pairs
from macmeter.statistics.summary import Array

_INTERNAL = "internal"
# A guest names its host's chip and cores differently.
_HOSTS_OWN = ("chip", "core_context")


class Device(NamedTuple):
    """Identity of a run's drive, in which pairs must agree."""

    device_id: str | None
    holder: str | None
    """Stated properties of the volume that holds the image or the guest's disk, as JSON."""


@dataclass(frozen=True, eq=False)
class _Cell:
    """Results of one machine on one device in one setting."""

    setting: Setting
    device: Device
    host_id: uuid.UUID | None
    runs: frozenset[uuid.UUID]
    values: list[float]


# Cells of guests and of their host, in either order, that agree in what pairs must agree in.
_Pair = tuple[list[_Cell], list[_Cell]]


def pairs_of_guests(
    group: Group,
    reference: Group,
    keys: tuple[Setting, Setting],
    guests: GuestHosts,
    reduce: Callable[[Setting], Setting],
) -> Iterator[tuple[int, _Pair]]:
    """Yield pairs of a host's guests on one side and the host on the other, with a host number."""
    host_numbers = frozenset(
        machine_number(host)
        for side in (group, reference)
        for host in side.grouped.cached(_hosts_named)
    )
    above, below = (
        _by_host(side, key, host_numbers, guests)
        for side, key in zip((group, reference), keys, strict=True)
    )
    for host_id in sorted(above.keys() & below.keys()):
        number = machine_number(host_id)
        over, under = above[host_id], below[host_id]
        for cells in _by_setting(over, reduce):
            yield number, (cells, _holding(cells[0], under, reduce))
        for cells in _by_setting(under, reduce):
            yield number, (_holding(cells[0], over, reduce), cells)


def _hosts_named(grouped: Grouped) -> list[Any]:
    return named_hosts(grouped.selection)


def _by_host(
    group: Group, key: Setting, host_numbers: frozenset[int], guests: GuestHosts
) -> dict[uuid.UUID, list[_Cell]]:
    """Return the cells by host, with a machine's own under itself; settings include the key."""
    selection = group.grouped.selection
    names = open_determinants(selection.metric, selection.by)
    setup_names = [name for name in names if name != ANY_LABEL and not is_of_sample(name)]

    def make(grouped: Grouped) -> dict[int, list[tuple[Any, ...]]]:
        return grouped.by_group(guests_and_hosts(selection, setup_names, host_numbers))

    cells: dict[uuid.UUID, list[_Cell]] = defaultdict(list)
    rows = group.grouped.cached(make, ("guests", host_numbers)).get(group.number, [])
    machine_ids = selection.snapshot.machine_ids({row[0] for row in rows}, selection.needed_scope)
    for machine, host, device_id, holder, series, labels, *values, run_values, run_ids in rows:
        setting = dict(zip(setup_names, values, strict=True))
        setting |= {
            name: selection.series[series].parameter(name) for name in names if is_of_sample(name)
        }
        if ANY_LABEL in names:
            label_values = {LABEL_PREFIX + name: value for name, value in labels.items()}
            setting |= {
                name: value for name, value in label_values.items() if name not in selection.by
            }
        host_id = guests.get((machine, host))
        cell = _Cell(
            {**setting, **key},
            Device(device_id, holder),
            host_id,
            frozenset(run_ids),
            run_values,
        )
        cells[host_id or machine_ids[machine]].append(cell)
    return cells


def _by_setting(cells: Iterable[_Cell], reduce: Callable[[Setting], Setting]) -> list[list[_Cell]]:
    """Group the guests among the cells by equal setting."""
    cells_by_setting: dict[object, list[_Cell]] = defaultdict(list)
    for cell in cells:
        if cell.host_id is not None:
            key = (cell.device, tuple(sorted(reduce(cell.setting).items())))
            cells_by_setting[key].append(cell)
    return [cells_by_setting[key] for key in sorted(cells_by_setting, key=str)]


def _holding(guest: _Cell, cells: list[_Cell], reduce: Callable[[Setting], Setting]) -> list[_Cell]:
    """Return the host's results on the volume that holds the guest's disk."""
    circumstances = {
        name: value for name, value in reduce(guest.setting).items() if name not in _HOSTS_OWN
    }
    hosts = [cell for cell in cells if cell.host_id is None and _agree(circumstances, cell.setting)]
    if guest.setting.get("storage") is None:
        return [cell for cell in hosts if cell.setting.get("storage") is None]
    holder = orjson.loads(guest.device.holder) if guest.device.holder else {"storage": _INTERNAL}
    if guest.device.device_id in {cell.device.device_id for cell in hosts} - {None}:
        # The device of the volume below, as the source names it.
        holder["device_id"] = str(guest.device.device_id)
    return [cell for cell in hosts if _agree(holder, _volume(cell))]


def _volume(cell: _Cell) -> Setting:
    return {**cell.setting, "device_id": cell.device.device_id}


def _agree(one: Setting, other: Setting) -> bool:
    """Whether settings agree; values that either doesn't state don't disagree."""
    return all(other.get(name) in (value, None) for name, value in one.items() if value is not None)


def settles(name: str, compared: Collection[str]) -> bool:
    """Whether a value of `name` determines what is compared."""
    dimension = catalog.dimension(name)
    return dimension is not None and not dimension.settles.isdisjoint(compared)


class NoRatio(Exception):
    """Reason for a missing ratio: `code`, a sentence for readers, and in `also` a possible fix."""

    def __init__(self, code: str, text: str, also: Mapping[str, object] | None = None) -> None:
        super().__init__(text)
        self.code, self.text = code, text
        self.refusal = cast(Refusal, {"code": code, "text": text, **(also or {})})


@dataclass(frozen=True)
class Guests:
    """Pairing of guests with their hosts, for comparisons by `virtual`; `by` and `reference_by` are
    the values that the groups are grouped by.
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
    """Return the ratio of two groups: of pairs if there are any, else of their medians.

    With `guests`, guests pair with their hosts. Raises NoRatio if a figure is 0 or a guest's
    storage has no counterpart.
    """
    if same_results(group, reference):
        return ratio_to_itself(group, weight)
    if guests is None:
        paired = _ratios_of_same_devices(group, reference, compared)
    else:
        paired = ratios_of_guests(group, reference, compared, guests)
    if len(paired.ratios):
        return finite(ratio_of_pairs(*paired))
    if guests is not None and (refusal := has_no_counterpart(group, guests)):
        raise refusal
    return crude_ratio(group, reference, weight)


def has_no_counterpart(group: Group, guests: Guests) -> NoRatio | None:
    """Return why unpaired guests have no ratio to other hosts; None if they may have one."""
    if _is_of_storage(guests.by, group):
        text = "The host's storage that holds the VM's disk was not measured with this method."
        return NoRatio("no_host_storage", text)
    if "chip" in guests.by.keys() - guests.reference_by.keys():
        # Hosts of all chips aren't a reference for one chip.
        text = "The hosts of these machines were not measured with this method."
        return NoRatio("no_host", text)
    return None


def crude_ratio(group: Group, reference: Group, weight: str) -> Ratio:
    """Return the ratio of the groups' medians. Raises NoRatio if one of them is 0."""
    _require_median_above_zero(group, weight)
    _require_median_above_zero(reference, weight)
    return finite(ratio_of_medians(group.clusters, reference.clusters, weight))


def ratio_to_itself(group: Group, weight: str) -> Ratio:
    """Return the ratio of a group to itself: each machine is a pair."""
    _require_median_above_zero(group, weight)
    return ratio_of_pairs(np.ones(len(group.machine_numbers)))


class Paired(NamedTuple):
    """The ratio of each machine with pairs, and the machine's model, below 0 if unknown.

    Without models, an effect is taken to be the same in all of them.
    """

    ratios: Array
    models: Ints | None


def _ratios_of_same_devices(group: Group, reference: Group, compared: Collection[str]) -> Paired:
    """Return a ratio for each machine that has both, with all else equal."""
    over, under = (cells_of(side, compared) for side in (group, reference))
    _, above, below = np.intersect1d(
        over["cell"], under["cell"], assume_unique=True, return_indices=True
    )
    # The same results on both sides mean that the group contains its reference: not a pair.
    differ = over["digest"][above] != under["digest"][below]
    above, below = above[differ], below[differ]
    tops, bottoms = over["value"][above], under["value"][below]
    usable = _have_ratios(tops, bottoms)
    owners = over["owner"][above][usable]
    return medians_by(owners, tops[usable] / bottoms[usable], _models_of(owners, group))


def cells_of(group: Group, compared: Collection[str]) -> Columns:
    """Return a group's values by machine, drive and what pairs must agree in."""
    grouped = group.grouped
    selection = grouped.selection
    names = keep_alike(dict.fromkeys(open_determinants(selection.metric, selection.by)), compared)

    def make(grouped: Grouped) -> dict[int, Columns]:
        params = [name for name in names if is_of_sample(name)]
        numbers = {
            number: number_of(repr([series.parameter(name) for name in params]).encode())
            for number, series in selection.series.items()
        }
        setup_names = [name for name in names if not is_of_sample(name)]
        return grouped.split(selection.cells(setup_names, (*selection.by, *compared), numbers))

    cells_by_group: dict[int, Columns] = grouped.cached(make, ("cells", frozenset(compared)))
    return cells_by_group.get(group.number, _NO_CELLS)


_NO_CELLS: Columns = {name: np.zeros(0) for name in ("owner", "cell", "value", "digest")}


def ratios_of_guests(
    group: Group,
    reference: Group,
    compared: Collection[str],
    guests: Guests,
) -> Paired:
    """Return a ratio for each host with guests on one side and itself on the other."""

    def reduce(setting: Setting) -> Setting:
        return keep_alike(setting, compared)

    hosts, tops, bottoms = [], [], []
    keys = (guests.by, guests.reference_by)
    for host, pair in pairs_of_guests(group, reference, keys, guests.guests, reduce):
        over, under = ({run for cell in cells for run in cell.runs} for cells in pair)
        if over and under and over != under:
            hosts.append(host)
            top, bottom = (np.median([v for cell in cells for v in cell.values]) for cells in pair)
            tops.append(top)
            bottoms.append(bottom)
    usable = _have_ratios(np.array(tops), np.array(bottoms))
    ratios = np.array(tops)[usable] / np.array(bottoms)[usable]
    owners = np.array(hosts, dtype=np.int64)[usable]
    return medians_by(owners, ratios, _models_of(owners, group, reference))


def medians_by(owners: Ints, ratios: Array, models: Ints) -> Paired:
    """Return the median of each owner's ratios, with its model."""
    if not len(ratios):
        return Paired(ratios, models)
    order = np.lexsort((ratios, owners))
    starts = np.flatnonzero(np.diff(owners[order], prepend=-1))
    clusters = Clusters(ratios[order], np.diff(starts, append=len(ratios)))
    return Paired(clusters.medians, models[order][starts])


def _models_of(machines: Ints, *groups: Group) -> Ints:
    """Return the models of machines, below 0 if they are in none of the groups."""
    models = np.full(len(machines), -1, dtype=np.int64)
    for group in groups:
        numbers, group_models = group.named.machine_numbers, group.named.models
        positions = np.searchsorted(numbers, machines)
        is_member = np.isin(machines, numbers)
        models[is_member] = group_models[positions[is_member]]
    return models


def keep_alike(setting: Setting, compared: Collection[str]) -> dict[str, Value]:
    """Return the part of a setting in which pairs must agree."""
    return {
        name: value
        for name, value in setting.items()
        if name not in compared and not settles(name, compared)
    }


def same_results(group: Group, reference: Group) -> bool:
    """Whether the groups are one. Different groups may share their runs: two file sizes do."""
    return group.run_count == reference.run_count and group.digest == reference.digest


def _is_of_storage(key: Setting, group: Group) -> bool:
    return bool({key.get("storage"), *group.determinant_values.get("storage", ())} - {None})


def _require_median_above_zero(group: Group, weight: str) -> None:
    values = group.clusters.ascending[0] if weight == "run" else group.machine_values
    # Skip the median if no value is below the minimum.
    if values.min() < catalog.PLAUSIBLE_MINIMUM:
        _have_ratios(np.ones(1), np.array([np.median(values)]))


def _have_ratios(tops: Array, bottoms: Array) -> Bools:
    """Return which values have a ratio: a 0 excludes only its own machine. NoRatio if none has.

    Below the measurable minimum a ratio could overflow.
    """
    usable: Bools = np.minimum(tops, bottoms) >= catalog.PLAUSIBLE_MINIMUM
    if len(usable) and not usable.any():
        raise NoRatio("zero", "One of the two figures is 0, so there is no ratio.")
    return usable


def finite(ratio: Ratio) -> Ratio:
    """Return the ratio; NoRatio if it or one of its limits is infinite."""
    limits = (ratio.interval.low, ratio.interval.high) if ratio.interval is not None else ()
    if not all(map(math.isfinite, (ratio.value, *limits))):
        raise NoRatio("notfinite", "The two figures are too far apart for a ratio.")
    return ratio
