"""How many rows and samples of each group there are, by flags, setups and steps: all at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.coded import occurring
from macmeter.columns.grouped import Grouped
from macmeter.columns.names import Ints
from macmeter.columns.owned import Stepped, Tally, runs_of, stepped, tallied
from macmeter.columns.segment import Bools, Cells, expand, gather
from macmeter.columns.some import Some
from macmeter.columns.view import Part
from macmeter.stats.spread import Spread, spreads_of

# Groups times steps that are counted in one table.
_MOST_COUNTED = 2**22
# Owners times groups that are looked at in one table: a byte each.
_MOST_CELLS = 2**24
# Where no more than this share is wanted, it costs less to take that out first.
_SPARSE = 0.5
_NO_GROUP = -1


def rows_by_flags(grouped: Grouped) -> Ints:
    """By group and number of flags, how many rows carry them."""
    width = len(grouped.lot.view.names.flags)
    table = np.zeros(grouped.count * width, dtype=np.int64)

    def add(group: NDArray[np.integer], flags: Ints, rows: Ints | None) -> None:
        number = group.astype(np.int64) * width + flags
        found = np.bincount(number, weights=rows, minlength=len(table))
        table[:] += found.astype(np.int64)

    for some in grouped.parts:
        tally, rest = _known(some)
        if tally is not None and some.by_setup is not None:
            add(some.by_setup[tally.setup], tally.flags, tally.rows)
        if rest is not None:
            add(rest.groups, rest.only(rest.part.rows.flags), None)
    return table.reshape(grouped.count, width)


def machines_by_group(grouped: Grouped) -> list[int]:
    """How many machines each group has, without what is unspecified: no value is looked at."""
    count, width = grouped.count, grouped.count + 1
    owners = 2 * len(grouped.lot.view.names.machines)
    if owners * width > _MOST_CELLS:
        machines = grouped.machines
        found = np.bincount(machines.group[machines.owner & 1 == 0], minlength=count)
    else:
        table = np.zeros(owners * width, dtype=bool)
        for some in grouped.parts:
            assert some.layout is not None
            having = runs_of(some.part.segment, some.part.rows)
            cells = some.part.segment.runs.owner * np.int32(width) + some.layout.labels
            table[cells if having.all() else cells.compress(having)] = True
        found = np.count_nonzero(table.reshape(owners, width)[::2, :count], axis=0)
    listed: list[int] = found.tolist()
    return listed


def samples_by_group(grouped: Grouped) -> list[int]:
    """How many samples each group has."""
    if (count := grouped.lot.count) is not None:
        return [size * count for size in grouped.sizes]
    table = np.zeros(grouped.count)
    for some in grouped.parts:
        tally, rest = _known(some)
        if tally is not None and some.by_setup is not None:
            table += np.bincount(
                some.by_setup[tally.setup], weights=tally.samples, minlength=len(table)
            )
        if rest is not None:
            counts = rest.only(rest.part.rows.counts)
            table += np.bincount(rest.groups, weights=counts, minlength=len(table))
    return [int(samples) for samples in table.tolist()]


def setups_by_group(grouped: Grouped) -> list[tuple[int, Ints, Ints]]:
    """By series, ascending: the setups of each group, ascending, and where each group's begin."""
    setups = max(len(grouped.lot.view.names.setups), 1)
    of_series: dict[int, list[Ints]] = {}
    for some in grouped.parts:
        if some.by_setup is not None and some.at is None:
            having = some.part.setups
            number = some.by_setup[having] * setups + having
        else:
            number = some.groups.astype(np.int64) * setups + some.of_runs("setup")
        of_series.setdefault(some.part.series, []).append(occurring(number))
    found: list[tuple[int, Ints, Ints]] = []
    for series, listed in sorted(of_series.items()):
        numbers = listed[0] if len(listed) == 1 else occurring(np.concatenate(listed))
        ends = np.searchsorted(numbers, np.arange(grouped.count + 1) * setups)
        found.append((series, numbers % setups, ends))
    return found


def spreads_by_group(grouped: Grouped) -> list[Spread | None]:
    """Of all samples of each group together."""
    counted = [of for some in grouped.parts for of in _steps(some) if len(of.steps)]
    if not counted:
        return [None] * grouped.count
    least = min(int(of.steps.min()) for of in counted)
    width = max(int(of.steps.max()) for of in counted) - least + 1
    several = max(_MOST_COUNTED // width, 1)
    found: list[Spread | None] = []
    for first in range(0, grouped.count, several):
        last = min(first + several, grouped.count)
        table = np.zeros((last - first) * width, dtype=np.int64)
        for one in counted:
            table += _table(one, (first, last), least, width)
        found += spreads_of(least, table.reshape(-1, width))
    return found


class _Steps(NamedTuple):
    """Steps of samples, one stretch of one group after another."""

    group: NDArray[np.integer]
    """Of each stretch; what is in no group has another number."""
    lengths: NDArray[np.integer] | int
    """Of the stretches, or of each of them."""
    steps: NDArray[np.int16]
    counts: NDArray[np.integer] | None
    """How many samples of each step; None where one."""


def _table(one: _Steps, groups: tuple[int, int], least: int, width: int) -> Ints:
    first, last = groups
    size = (last - first) * width
    # By group where its steps are counted; of what is in none of these beyond them. The last place
    # is that of _NO_GROUP, too.
    places = np.full(max(int(one.group.max(initial=0)) + 2, last), size - least, dtype=np.int64)
    places[first:last] = np.arange(last - first) * width - least
    number = places.take(one.group)
    if not isinstance(one.lengths, int) or one.lengths != 1:
        number = np.repeat(number, one.lengths)
    number += one.steps
    # As floats numpy counts whole numbers exactly, far beyond any of samples.
    found = np.bincount(number, weights=one.counts, minlength=size + width)
    return found[:size].astype(np.int64, copy=False)


def _steps(some: Some) -> Iterator[_Steps]:
    part, rest = some.part, some
    cells = part.cells
    if cells is not None and len(cells.steps) and some.by_setup is not None and some.at is None:
        whole, left = _whole(some, cells.setup)
        group = np.where(whole, some.by_setup[cells.setup], _NO_GROUP)
        yield from _of_cells(part, cells, group)
        if left is None:
            return
        rest = left
    rows, places = part.rows, rest.places
    each = rows.count if rows.count is not None else rest.only(rows.counts)
    yield _Steps(
        rest.groups, each, rows.samples if places is None else rows.samples_of(places), None
    )


def _of_cells(part: Part, cells: Cells, group: NDArray[np.integer]) -> Iterator[_Steps]:
    """Steps of setups, of which each one's `group` is given: of most of them as the total without
    those of others.
    """
    lengths = np.diff(cells.starts)
    of_groups = np.bincount(group - _NO_GROUP, weights=lengths)
    largest = int(of_groups[1:].argmax()) if len(of_groups) > 1 else _NO_GROUP
    is_other = group != largest
    if of_groups[largest - _NO_GROUP] > (1 - _SPARSE) * len(cells.steps) and largest != _NO_GROUP:
        total = stepped(part.segment, part.rows, cells)
        yield _Steps(np.array([largest]), len(total.steps), total.steps, total.counts)
        apart, lengths = _inside(cells, lengths, is_other)
        yield _Steps(
            np.full(len(lengths), largest), lengths, apart.steps, -apart.counts.astype(np.int64)
        )
        chosen = group[is_other]
    else:
        apart, lengths = _inside(cells, lengths, group != _NO_GROUP)
        chosen = group[group != _NO_GROUP]
    yield _Steps(chosen, lengths, apart.steps, apart.counts)


def _inside(cells: Cells, lengths: Ints, setups: Bools) -> tuple[Stepped, Ints]:
    """The steps of these setups, and how many each has."""
    if setups.all():
        return Stepped(cells.steps, cells.counts), lengths
    inside = expand(cells.starts[:-1][setups], lengths[setups])
    return Stepped(cells.steps.take(inside), cells.counts.take(inside)), lengths[setups]


def _known(some: Some) -> tuple[Tally | None, Some | None]:
    """What was counted by setup of these rows, and the rows that are still to be counted."""
    if some.by_setup is None or some.at is not None or some.part.cells is None:
        return None, some
    tally = tallied(some.part.segment, some.part.rows)
    whole, left = _whole(some, tally.setup)
    if whole.all():
        return tally, left
    return Tally(
        tally.setup[whole], tally.flags[whole], tally.rows[whole], tally.samples[whole]
    ), left


def _whole(some: Some, setups: Ints) -> tuple[Bools, Some | None]:
    """Of which of these setups all rows are chosen; and the rows of those chosen in part."""
    part = some.part
    whole, mask = part.among.whole, part.among.mask
    left = part.among.some & ~whole
    if mask is None or not left[setups].any():
        return whole[setups], None
    runs = left.take(part.segment.runs.setup) & mask
    at = np.flatnonzero(gather(runs, part.rows.run))
    return whole[setups], Some(part, at, some.layout) if len(at) else None
