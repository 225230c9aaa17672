"""Which of its host's results a guest pairs with.

A guest pairs with the volume that holds its disk where that is known, else with the host's
internal storage. The host's other drives are nobody's pair.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from macmeter.columns.devices import Device
from macmeter.columns.lot import Setting
from macmeter.queries.groups import Group
from macmeter.reading.hosts import Hosts

_INTERNAL = "internal"
# What a guest says of its chip and its cores is its host's, in words of its own.
_HOSTS_OWN = ("chip", "core_context")


@dataclass(frozen=True, eq=False)
class _Cell:
    """What one machine measured on one device in one setting."""

    setting: Setting
    device: Device
    host_id: uuid.UUID | None
    runs: frozenset[int]
    values: list[float]


@dataclass(frozen=True)
class Pair:
    """What guest and host measured alike: the medians of both sides, and behind them which runs."""

    host: int
    over: float
    under: float
    over_runs: frozenset[int]
    under_runs: frozenset[int]


def pairs_of_guests(
    group: Group,
    reference: Group,
    keys: tuple[Setting, Setting],
    hosts: Hosts,
    alike: Callable[[Setting], Setting],
) -> Iterator[Pair]:
    """Host by host, its guests on one side with itself on the other."""
    named = _named(group) | _named(reference)
    above, below = (
        _by_host(_only(side, named), key, hosts)
        for side, key in zip((group, reference), keys, strict=True)
    )
    for number, host_id in enumerate(sorted(above.keys() & below.keys())):
        over, under = above[host_id], below[host_id]
        for guests in _by_setting(over, alike):
            if held := _holding(guests[0], under, alike):
                yield _pair(number, guests, held)
        for guests in _by_setting(under, alike):
            if held := _holding(guests[0], over, alike):
                yield _pair(number, held, guests)


def _pair(host: int, over: list[_Cell], under: list[_Cell]) -> Pair:
    return Pair(host, _median(over), _median(under), _runs(over), _runs(under))


def _median(cells: Iterable[_Cell]) -> float:
    return float(np.median([value for cell in cells for value in cell.values]))


def _runs(cells: Iterable[_Cell]) -> frozenset[int]:
    return frozenset(run for cell in cells for run in cell.runs)


def _named(group: Group) -> set[int]:
    """The numbers of the machines that guests of this group name as hosts."""
    names = group.view.names
    hosts = (names.hosts.things[n] for n in set(group.of_runs("host").tolist()))
    numbers = (names.machines.known(host.machine_id.bytes) for host in hosts if host is not None)
    return {number for number in numbers if number is not None}


def _only(group: Group, named: set[int]) -> Group:
    """The rows of guests, and of machines that are named as hosts."""
    is_guest = group.of_runs("host") > 0
    return group.only(is_guest | np.isin(group.machines, [*named]))


def _by_host(group: Group, key: Setting, hosts: Hosts) -> dict[uuid.UUID, list[_Cell]]:
    """The cells of machines, guests under their hosts; in settings is what they are grouped by."""
    view, lot = group.view, group.lot
    named = group.of_runs("host")
    devices = group.of_runs("device")
    codes = np.stack(
        [group.machines, group.setup_numbers, lot.series_places(group.rows), devices, named]
    )
    if not codes.size:
        return {}
    kept, places = np.unique(codes, axis=1, return_inverse=True)
    order = np.argsort(places.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(places.ravel(), minlength=kept.shape[1]))
    found: dict[uuid.UUID, list[_Cell]] = defaultdict(list)
    for (machine, setup, series, device, host), rows in zip(
        kept.T.tolist(), np.split(order, ends[:-1]), strict=True
    ):
        host_id = hosts.named_by(view, setup, host)
        cell = _Cell(
            {**lot.setting(setup, lot.series[series], group.by), **key},
            view.names.devices[device],
            host_id,
            frozenset(group.runs[rows].tolist()),
            group.values[rows].tolist(),
        )
        found[host_id or view.machine_id(machine)].append(cell)
    return found


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
    holder = dict(guest.device.holder or {"storage": _INTERNAL}.items())
    if guest.device.device_id in {cell.device.device_id for cell in own} - {None}:
        # The device below it, in its source's words.
        holder["device_id"] = str(guest.device.device_id)
    return [cell for cell in own if _agree(holder, _volume(cell))]


def _volume(cell: _Cell) -> Setting:
    return {**cell.setting, "device_id": cell.device.device_id}


def _agree(one: Setting, other: Setting) -> bool:
    """A guest knows less about its circumstances: what it does not say does not disagree."""
    return all(other.get(name) in (value, None) for name, value in one.items() if value is not None)
