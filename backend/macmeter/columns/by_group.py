"""What is counted of all groups of a lot at once, by their numbers: an answer has hundreds."""

from __future__ import annotations

from collections import Counter

import numpy as np

from macmeter.columns.grouped import Grouped
from macmeter.columns.names import Ints
from macmeter.columns.tallies import rows_by_flags, setups_by_group


def named_by_group(grouped: Grouped) -> list[int]:
    """How many machines that are named."""
    named = np.append(0, np.cumsum(grouped.machines.owner & 1 == 0))
    counts: list[int] = np.diff(named[grouped.ends]).tolist()
    return counts


def most_runs_by_group(grouped: Grouped) -> list[int]:
    """The most rows of a machine; 0 where there is no row."""
    ends = np.asarray(grouped.ends)
    having = np.flatnonzero(np.diff(ends))
    found = np.zeros(grouped.count, dtype=np.int64)
    if len(having):
        found[having] = np.maximum.reduceat(grouped.machines.sizes, ends[having])
    counts: list[int] = found.tolist()
    return counts


def several_drives_by_group(grouped: Grouped) -> list[Ints]:
    """The machines whose value combines several drives."""
    cells = np.flatnonzero(grouped.machines.of_several_drives)
    numbers = grouped.machines.owner[cells] >> 1
    return np.split(numbers, np.searchsorted(cells, grouped.ends[1:-1]))


def named_setups_by_group(grouped: Grouped) -> list[set[bool]]:
    """Whether its setups have a machine that their source names: some may, and others not."""
    view = grouped.lot.view
    codes, told = view.names.setup_values("unspecified")
    found: list[set[bool]] = [set() for _ in range(grouped.count)]
    if not any(told):
        return found
    unspecified = view.kept("unspecified", (), lambda: np.array(told, dtype=bool)[codes])
    for _, setups, ends in grouped.kept(setups_by_group):
        without = np.diff(np.append(0, np.cumsum(unspecified[setups]))[ends])
        counted = zip(found, without.tolist(), np.diff(ends).tolist(), strict=True)
        for named, some, every in counted:
            if some:
                named.add(False)
            if some < every:
                named.add(True)
    return found


def flags_by_group(grouped: Grouped) -> list[Counter[str]]:
    """How many rows carry each code."""
    names = grouped.lot.view.names.flags.things
    rows = grouped.kept(rows_by_flags)
    found: list[Counter[str]] = [Counter() for _ in range(grouped.count)]
    for group, number in np.argwhere(rows).tolist():
        found[group].update(dict.fromkeys(names[number], int(rows[group, number])))
    return found
