"""Which machines measured in which settings: a bit for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.coded import dense
from macmeter.columns.grouped import Grouped
from macmeter.columns.names import Ints
from macmeter.columns.segment import Small
from macmeter.columns.some import Some

# Settings times machines that are looked at in one table: a byte each.
_MOST_COUNTED = 2**24

Bits = NDArray[np.uint8]


class Measured(NamedTuple):
    """A setting in a group and series."""

    group: int
    series: int
    setting: int
    machines: Bits
    """A bit for the number of each that is specified."""


class MachinesBySetting:
    """Series of one metric are mostly of the same runs: what was counted of one serves the next."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[tuple[bytes | int, ...], Bits]] = {}

    def of(self, grouped: Grouped, settings: Ints) -> Iterator[Measured]:
        """`settings` are by setup."""
        width = int(settings.max(initial=0)) + 1
        for series in grouped.lot.series:
            parts = [some for some in grouped.parts if some.part.series == series]
            codes = [_codes(some, settings, width) for some in parts]
            kept, rows = dense(np.concatenate(codes))
            ends = np.cumsum([len(of_part) for of_part in codes])[:-1]
            bits = np.bitwise_or.reduce(
                [
                    self._bits(some, of_part, len(kept))
                    for some, of_part in zip(parts, np.split(rows, ends), strict=True)
                ]
            )
            for code, machines in zip(kept.tolist(), bits, strict=True):
                yield Measured(code // width, series, code % width, machines)

    def _bits(self, some: Some, rows: Ints, count: int) -> Bits:
        """By row of the table its machines; `rows` are by setup, or else by run."""
        runs, names = some.part.segment.runs, some.part.names
        if not _is_by_setup(some):
            return _table(rows, some.owners, count, len(names.machines))
        setups = some.part.setups
        by_setup = np.zeros(int(setups.max(initial=0)) + 1, dtype=np.int64)
        by_setup[setups] = rows
        having = some.part.having
        # Another segment may have settings of its own: then the table has more rows.
        key = (by_setup.tobytes(), np.packbits(having).tobytes(), count)
        known = self._known.get(id(some.part.segment))
        if known is None or known[0] != key:
            of_runs = by_setup.take(runs.setup[having])
            bits = _table(of_runs, runs.owner[having], count, len(names.machines))
            self._known[id(some.part.segment)] = known = (key, bits)
        return known[1]


def _is_by_setup(some: Some) -> bool:
    return some.at is None and some.by_setup is not None


def _codes(some: Some, settings: Ints, width: int) -> Ints:
    """Of a group and a setting together: by setup of its rows, or else by row."""
    by_setup = some.by_setup
    if some.at is None and by_setup is not None:
        setups = some.part.setups
        return by_setup[setups] * width + settings[setups]
    return some.groups.astype(np.int64) * width + settings.take(some.of_runs("setup"))


def _table(rows: Ints, owners: Small, count: int, machines: int) -> Bits:
    """Of so many rows, the machines whose number is among these owners."""
    is_specified = owners & 1 == 0
    if not is_specified.all():
        rows, owners = rows[is_specified], owners[is_specified]
    several = max(_MOST_COUNTED // max(machines, 1), 1)
    tables = []
    for first in range(0, count, several):
        last = min(first + several, count)
        within = slice(None) if last - first == count else (rows >= first) & (rows < last)
        table = np.zeros((last - first) * machines, dtype=bool)
        table[(rows[within] - first) * machines + (owners[within].astype(np.int64) >> 1)] = True
        tables.append(np.packbits(table.reshape(-1, machines), axis=1))
    return np.concatenate(tables)
