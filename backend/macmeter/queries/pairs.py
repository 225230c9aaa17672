"""Pairs: what one machine measured twice, alike in everything but what is compared.

Two results pair where machine, device and every determinant of the metric agree, but for the
dimensions that are compared and what settles those. A machine's pairs share whatever is particular
to it, so they are no independent witnesses: one machine is one pair, the median of its ratios.

A guest pairs with the host that it names: with the volume that holds its disk where that is known,
else with the host's internal storage. The host's other drives are nobody's pair.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from macmeter.queries.groups import Array, Cell, Unit
from macmeter.queries.mixes import Setting
from macmeter.stats.figures import Ratio, ratio_of_medians, ratio_of_pairs

# What settles what: a chip is of one family. Compared with another family, a group can't keep its
# chip, so the reference is of all chips there. And a guest's disk is no volume of its host.
_SETTLES = {
    "chip": {"chip_family", "chip_variant"},
    "machine": {"chip", "chip_family", "chip_variant", "model"},
    "model": {"chip", "chip_family", "chip_variant"},
    "os_version": {"os_major"},
    "storage": {"virtual"},
    "device": {"virtual"},
    "encryption": {"virtual"},
    "image_format": {"virtual"},
    "image_state": {"virtual"},
    "via": {"virtual"},
    "vcpus": {"virtual"},
}
_INTERNAL = "internal"
_NO_KEYS: tuple[Setting, Setting] = ({}, {})
# What a guest says of its chip and its cores is its host's, in words of its own.
_HOSTS_OWN = ("chip", "core_context")


def settles(name: str, compared: Collection[str]) -> bool:
    """Whether a value of `name` leaves no choice of what is compared."""
    return not _SETTLES.get(name, set()).isdisjoint(compared)


_Alike = tuple[object, ...]


class NoRatio(Exception):
    """`code` and a sentence for readers say why there is none."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


@dataclass(frozen=True)
class _Results:
    """A machine's results that stand on one side of a pair."""

    cells: list[Cell]

    @property
    def run_ids(self) -> set[bytes]:
        return {run_id for cell in self.cells for run_id in cell.run_ids}

    @property
    def median(self) -> float:
        return float(np.median(np.concatenate([cell.run_values for cell in self.cells])))


def ratio_of_units(
    units: list[Unit],
    reference: list[Unit],
    weight: str,
    compared: Collection[str],
    keys: tuple[Setting, Setting] = _NO_KEYS,
) -> Ratio:
    """The ratio of two groups: of pairs where there are any, else of their medians.

    `keys` are what each of them is grouped by. Raises NoRatio where one of the figures is 0 or a
    guest's storage has no counterpart.
    """
    if _run_ids(units) == _run_ids(reference):
        _require_above_zero(_median(units, weight))
        return ratio_of_pairs(np.ones(len({unit.machine_id for unit in units})))
    ratios: dict[uuid.UUID, list[float]] = {}
    for machine_id, over, under in _pairs(units, reference, compared, keys):
        # Where the same runs stand on both sides the group contains its reference: no pair.
        if over.run_ids != under.run_ids:
            _require_above_zero(over.median, under.median)
            ratios.setdefault(machine_id, []).append(over.median / under.median)
    if ratios:
        return ratio_of_pairs(np.array([np.median(ratios[machine]) for machine in sorted(ratios)]))
    if "virtual" in compared and _is_of_storage(keys[0], units):
        text = "The storage of the host that holds the guest's disk was not measured in this way."
        raise NoRatio("no_host_storage", text)
    if "virtual" in compared and "chip" in keys[0].keys() - keys[1].keys():
        # By chip, hosts of all chips would be no reference.
        raise NoRatio("no_host", "The hosts of these machines were not measured in this way.")
    _require_above_zero(_median(units, weight), _median(reference, weight))
    return ratio_of_medians(_run_values(units), _run_values(reference), weight)


def _pairs(
    units: list[Unit],
    reference: list[Unit],
    compared: Collection[str],
    keys: tuple[Setting, Setting],
) -> Iterator[tuple[uuid.UUID, _Results, _Results]]:
    """What is alike on both sides, machine by machine; a guest's machine is its host."""
    of_guests = "virtual" in compared
    above = _by_machine(units, keys[0], as_host=of_guests)
    below = _by_machine(reference, keys[1], as_host=of_guests)
    for machine_id in sorted(above.keys() & below.keys()):
        alike = _guest_and_host if of_guests else _same_device
        for over, under in alike(above[machine_id], below[machine_id], compared):
            yield machine_id, over, under


def _same_device(
    above: list[Cell], below: list[Cell], compared: Collection[str]
) -> Iterator[tuple[_Results, _Results]]:
    over, under = _by_setting(above, compared), _by_setting(below, compared)
    for setting in sorted(over.keys() & under.keys(), key=str):
        yield _Results(over[setting]), _Results(under[setting])


def _guest_and_host(
    above: list[Cell], below: list[Cell], compared: Collection[str]
) -> Iterator[tuple[_Results, _Results]]:
    over = _by_setting([cell for cell in above if _is_guest(cell)], compared)
    under = _by_setting([cell for cell in below if _is_guest(cell)], compared)
    for setting in sorted(over, key=str):
        if held := _holding(over[setting][0], below, compared):
            yield _Results(over[setting]), _Results(held)
    for setting in sorted(under, key=str):
        if held := _holding(under[setting][0], above, compared):
            yield _Results(held), _Results(under[setting])


def _holding(guest: Cell, cells: list[Cell], compared: Collection[str]) -> list[Cell]:
    """The host's results on the volume that the guest's disk lies on."""
    apart = {*compared, *_HOSTS_OWN}
    hosts = [
        cell
        for cell in cells
        if not _is_guest(cell) and _agree(_kept(guest, apart), _kept(cell, apart))
    ]
    if guest.setting.get("storage") is None:
        return [cell for cell in hosts if cell.setting.get("storage") is None]
    holder = dict(guest.holder or {"storage": _INTERNAL})
    if guest.device_id in {cell.device_id for cell in hosts} - {None}:
        # The device below it, in its source's words.
        holder["device_id"] = str(guest.device_id)
    return [cell for cell in hosts if _agree(holder, _volume(cell))]


def _volume(cell: Cell) -> Setting:
    return {**cell.setting, "device_id": cell.device_id}


def _agree(one: Setting, other: Setting) -> bool:
    """A guest is told less of its circumstances: what it does not say does not disagree."""
    return all(other.get(name) in (value, None) for name, value in one.items() if value is not None)


def _kept(cell: Cell, compared: Collection[str]) -> Setting:
    """What a pair must agree in."""
    return {
        name: value
        for name, value in cell.setting.items()
        if name not in compared and not settles(name, compared)
    }


def _by_setting(cells: Iterable[Cell], compared: Collection[str]) -> dict[_Alike, list[Cell]]:
    found: dict[_Alike, list[Cell]] = {}
    for cell in cells:
        holder = sorted((cell.holder or {}).items())
        alike = (cell.device_id, *holder, *sorted(_kept(cell, compared).items()))
        found.setdefault(alike, []).append(cell)
    return found


def _by_machine(
    units: Iterable[Unit], key: Setting, *, as_host: bool
) -> dict[uuid.UUID, list[Cell]]:
    """Each machine's cells; with what they are grouped by where hosts and guests share none."""
    found: dict[uuid.UUID, list[Cell]] = {}
    for unit in units:
        for cell in unit.cells:
            if as_host:
                whole = replace(cell, setting={**cell.setting, **key})
                found.setdefault(cell.host_machine_id or unit.machine_id, []).append(whole)
            else:
                found.setdefault(unit.machine_id, []).append(cell)
    return found


def _is_guest(cell: Cell) -> bool:
    return cell.host_machine_id is not None


def _is_of_storage(key: Setting, units: Iterable[Unit]) -> bool:
    stated = [key, *(cell.setting for unit in units for cell in unit.cells)]
    return any(setting.get("storage") is not None for setting in stated)


def _run_ids(units: Iterable[Unit]) -> set[bytes]:
    return {run_id for unit in units for run_id in unit.run_ids}


def _run_values(units: Iterable[Unit]) -> list[Array]:
    return [unit.run_values for unit in sorted(units, key=lambda unit: unit.machine_id)]


def _median(units: list[Unit], weight: str) -> float:
    if weight == "run":
        return float(np.median(np.concatenate(_run_values(units))))
    return float(np.median([unit.value for unit in units]))


def _require_above_zero(*values: float) -> None:
    if not all(value > 0 for value in values):
        raise NoRatio("zero", "One of the two figures is 0: nothing can be told relative to it.")
