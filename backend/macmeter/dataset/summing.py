"""What results come to by machine and by setup: R rows of one question, as arrays.

A statement costs as much as summing some ten thousand rows, so a question's results are read once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from macmeter.dataset.setups import Ints
from macmeter.dataset.snapshot import Columns
from macmeter.stats.summary import medians_of

# Numbers up to that are made dense by counting, others by sorting.
_SMALL = 2**20
_SUMMED = ("samples", "several", "low", "high", "squares")


def in_order(rows: Columns, by: Sequence[str]) -> Columns:
    """By these columns, and then by `owner` and `value`; `group` numbers what is alike in `by`."""
    group = _numbered([rows[name] for name in by])
    part, owner, value = rows["part"], rows["owner"], rows["value"]
    later = owner[1:] > owner[:-1]
    later |= (owner[1:] == owner[:-1]) & (value[1:] >= value[:-1])
    later = (part[1:] > part[:-1]) | ((part[1:] == part[:-1]) & later)
    if later.all():
        # As they lie in a file. Whole numbers of few bits are sorted by counting.
        kind = np.min_scalar_type(int(group.max(initial=0)))
        order = np.argsort(group.astype(kind), kind="stable")
    else:
        order = np.lexsort((value, owner, group))
    return {name: of[order] for name, of in (rows | {"group": group}).items()}


def _numbered(columns: Sequence[Ints]) -> Ints:
    """From 0 on a number for each combination of values, in their order."""
    codes: Ints = np.zeros(len(columns[0]), dtype=np.int64)
    count = 1
    for column in columns:
        own = column.astype(np.int64)
        if own.min(initial=0) < 0 or own.max(initial=0) >= _SMALL:
            _, own = np.unique(own, return_inverse=True)
        width = int(own.max(initial=0)) + 1
        if count * width >= _SMALL:
            _, codes = np.unique(codes, return_inverse=True)
            count = int(codes.max(initial=0)) + 1
        codes = codes * width + own
        count *= width
    if count > _SMALL:
        return np.unique(codes, return_inverse=True)[1]
    occurring = np.bincount(codes, minlength=count) > 0
    numbers: Ints = (np.cumsum(occurring) - 1)[codes]
    return numbers


def of_groups(rows: Columns, by: Sequence[str], wanted: Collection[tuple[int, ...]]) -> Columns:
    """Of ordered rows those whose values in `by` are among the wanted ones."""
    starts = _starts(rows["group"])
    ends = np.append(starts[1:], len(rows["group"]))
    figures = zip(*(rows[name][starts].tolist() for name in by), strict=True)
    places: list[Ints] = [starts[:0]]
    for figure, start, end in zip(figures, starts.tolist(), ends.tolist(), strict=True):
        if figure in wanted:
            places.append(np.arange(start, end))
    chosen = np.concatenate(places)
    return {name: of[chosen] for name, of in rows.items()}


def by_machine(rows: Columns, by: Sequence[str]) -> Columns:
    """Of ordered rows, each group's machines: the median `value`, how many `results` and `runs`,
    and whether they are of `several` drives.
    """
    group, owner, device = rows["group"], rows["owner"], rows["device"]
    starts = _starts(group, owner)
    sizes = np.diff(starts, append=len(group))
    runs = sizes
    if "run" in rows:
        machine = np.repeat(np.arange(len(starts)), sizes)
        order = np.lexsort((rows["run"], machine))
        first = _starts(machine[order], rows["run"][order])
        runs = np.bincount(machine[order][first], minlength=len(starts))
    bounds = np.iinfo(np.int64)
    stated = device != 0
    least = _reduced(np.minimum, np.where(stated, device, bounds.max), starts)
    most = _reduced(np.maximum, np.where(stated, device, bounds.min), starts)
    return {
        **{name: rows[name][starts] for name in by},
        "owner": owner[starts],
        "value": medians_of(rows["value"], starts, sizes),
        "results": sizes,
        "runs": runs,
        "several": least < most,
    }


def by_setup(rows: Columns, by: Sequence[str], setups: int) -> Columns:
    """Of ordered rows, each group's setups by `place`, of so many: how many `results` there are,
    and what `Found.setups` adds up.
    """
    group = rows["group"]
    keys = group * setups + rows["place"]
    groups = int(group[-1]) + 1 if len(group) else 0
    if groups * setups > 64 * _SMALL:
        found, own = np.unique(keys, return_inverse=True)
    else:
        counted = np.bincount(keys, minlength=groups * setups)
        found = np.flatnonzero(counted)
        places = np.zeros(len(counted), dtype=np.int64)
        places[found] = np.arange(len(found))
        own = places[keys]
    starts = _starts(group)
    of_group = starts[found // setups] if setups else found
    sums = {name: np.bincount(own, weights=rows[name], minlength=len(found)) for name in _SUMMED}
    return {
        **{name: rows[name][of_group] for name in by},
        "place": found % setups if setups else found,
        "results": np.bincount(own, minlength=len(found)),
        **sums,
    }


def _starts(*columns: Ints) -> Ints:
    """Where rows differ from those before them in any of these."""
    differs = np.zeros(len(columns[0]), dtype=bool)
    differs[:1] = True
    for column in columns:
        differs[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(differs)


def _reduced(reduce: np.ufunc, values: Ints, starts: Ints) -> Ints:
    found: Ints = reduce.reduceat(values, starts) if len(starts) else values[:0]
    return found
