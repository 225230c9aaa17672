"""Which of its host's results a guest pairs with.

A guest pairs with the volume that holds its disk where that is known, else with the host's
internal storage. The host's other drives are nobody's pair.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import orjson

from macmeter.catalog import ANY_LABEL, LABEL_PREFIX, is_of_sample
from macmeter.dataset.single import guests_and_hosts, hosts_named
from macmeter.dataset.wording import machine_number
from macmeter.queries.groups import Group
from macmeter.queries.mixes import Setting, open_determinants
from macmeter.reading.hosts import Guests

_INTERNAL = "internal"
# What a guest says of its chip and its cores is its host's, in words of its own.
_HOSTS_OWN = ("chip", "core_context")


class Device(NamedTuple):
    """What of a run tells its drive from another: pairs must agree in it."""

    device_id: str | None
    holder: str | None
    """What is stated of the volume that holds the image or the guest's disk, as JSON."""


@dataclass(frozen=True, eq=False)
class _Cell:
    """What one machine measured on one device in one setting."""

    setting: Setting
    device: Device
    host_id: uuid.UUID | None
    runs: frozenset[uuid.UUID]
    values: list[float]


@dataclass(frozen=True)
class Pair:
    """What guest and host measured alike: the medians of both sides, and behind them which runs."""

    host: int
    over: float
    under: float
    over_runs: frozenset[uuid.UUID]
    under_runs: frozenset[uuid.UUID]


def pairs_of_guests(
    group: Group,
    reference: Group,
    keys: tuple[Setting, Setting],
    guests: Guests,
    alike: Callable[[Setting], Setting],
) -> Iterator[Pair]:
    """Host by host, its guests on one side with itself on the other."""
    named = {
        machine_number(host)
        for side in (group, reference)
        for host in hosts_named(side.grouped.found, side.grouped.figures[side.number])
    }
    above, below = (
        _by_host(side, key, named, guests)
        for side, key in zip((group, reference), keys, strict=True)
    )
    for number, host_id in enumerate(sorted(above.keys() & below.keys())):
        over, under = above[host_id], below[host_id]
        for cells in _by_setting(over, alike):
            if held := _holding(cells[0], under, alike):
                yield _pair(number, cells, held)
        for cells in _by_setting(under, alike):
            if held := _holding(cells[0], over, alike):
                yield _pair(number, held, cells)


def _pair(host: int, over: list[_Cell], under: list[_Cell]) -> Pair:
    return Pair(host, _median(over), _median(under), _runs(over), _runs(under))


def _median(cells: Iterable[_Cell]) -> float:
    return float(np.median([value for cell in cells for value in cell.values]))


def _runs(cells: Iterable[_Cell]) -> frozenset[uuid.UUID]:
    return frozenset(run for cell in cells for run in cell.runs)


def _by_host(
    group: Group, key: Setting, named: set[int], guests: Guests
) -> dict[uuid.UUID, list[_Cell]]:
    """The cells of machines, guests under their hosts; in settings is what they are grouped by."""
    found = group.grouped.found
    figure = group.grouped.figures[group.number]
    names = open_determinants(found.metric, found.by)
    of_setups = [name for name in names if name != ANY_LABEL and not is_of_sample(name)]
    cells: dict[uuid.UUID, list[_Cell]] = defaultdict(list)
    rows = guests_and_hosts(found, figure, of_setups, named)
    machine_ids = found.snapshot.machine_ids({row[0] for row in rows}, found.asked_scope)
    for machine, host, device_id, holder, series, labels, *values, of_runs, run_ids in rows:
        setting = dict(zip(of_setups, values, strict=True))
        setting |= {
            name: found.series[series].parameter(name) for name in names if is_of_sample(name)
        }
        if ANY_LABEL in names:
            told = {LABEL_PREFIX + name: value for name, value in labels.items()}
            setting |= {name: value for name, value in told.items() if name not in found.by}
        host_id = guests.get((machine, host))
        cell = _Cell(
            {**setting, **key},
            Device(device_id, holder),
            host_id,
            frozenset(run_ids),
            of_runs,
        )
        cells[host_id or machine_ids[machine]].append(cell)
    return cells


def _by_setting(cells: Iterable[_Cell], alike: Callable[[Setting], Setting]) -> list[list[_Cell]]:
    """The guests among the cells, those together that are alike."""
    found: dict[object, list[_Cell]] = defaultdict(list)
    for cell in cells:
        if cell.host_id is not None:
            key = (cell.device, tuple(sorted(alike(cell.setting).items())))
            found[key].append(cell)
    return [found[key] for key in sorted(found, key=str)]


def _holding(guest: _Cell, cells: list[_Cell], alike: Callable[[Setting], Setting]) -> list[_Cell]:
    """The host's results on the volume that the guest's disk lies on."""
    circumstances = {
        name: value for name, value in alike(guest.setting).items() if name not in _HOSTS_OWN
    }
    own = [cell for cell in cells if cell.host_id is None and _agree(circumstances, cell.setting)]
    if guest.setting.get("storage") is None:
        return [cell for cell in own if cell.setting.get("storage") is None]
    holder = orjson.loads(guest.device.holder) if guest.device.holder else {"storage": _INTERNAL}
    if guest.device.device_id in {cell.device.device_id for cell in own} - {None}:
        # The device below it, in its source's words.
        holder["device_id"] = str(guest.device.device_id)
    return [cell for cell in own if _agree(holder, _volume(cell))]


def _volume(cell: _Cell) -> Setting:
    return {**cell.setting, "device_id": cell.device.device_id}


def _agree(one: Setting, other: Setting) -> bool:
    """A guest knows less about its circumstances: what it does not say does not disagree."""
    return all(other.get(name) in (value, None) for name, value in one.items() if value is not None)
