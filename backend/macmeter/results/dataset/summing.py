"""Aggregates of one question's rows by machine, by setup and by cell, as arrays. An `owner` is a
machine's number, a setting the values of a setup's determinants, as a hash.
"""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.catalog import ANY_LABEL, LABEL_PREFIX
from macmeter.results.dataset.decoded import RunIds
from macmeter.results.dataset.setups import Ints, Setups
from macmeter.results.dataset.snapshot import Columns
from macmeter.results.dataset.sql import ids_of
from macmeter.statistics.summary import medians_of

Hashes = NDArray[np.uint64]
Numbers = NDArray[Any]
_SMALL = 2**20
_OF_MACHINES = ("group", "owner", "value", "device", "run")


def in_order(rows: Columns) -> Columns:
    """Sort rows by `group`, machine and value for `by_machine`; `row` is each one's old index."""
    order = _order(rows["group"], rows["owner"], rows["value"])
    return {name: rows[name][order] for name in _OF_MACHINES if name in rows} | {"row": order}


def _order(group: Ints, owner: Numbers, value: Numbers) -> Ints:
    """Return the sort order. Rows of one file and series already ascend by machine and value and
    need only be grouped; for several, a stable sort exploits their partial order.
    """
    rises = (owner[1:] > owner[:-1]) | ((owner[1:] == owner[:-1]) & (value[1:] >= value[:-1]))
    if rises.all():
        return _grouped(group)
    order: Ints = np.argsort(owner, kind="stable")
    order = order[_grouped(group[order])]
    machine = np.cumsum(_differs(group[order], owner[order]))
    values = value[order]
    falls = (machine[1:] == machine[:-1]) & (values[1:] < values[:-1])
    if falls.any():
        # Results of one machine from several series or files.
        mixed = np.zeros(int(machine[-1]) + 1, dtype=bool)
        mixed[machine[1:][falls]] = True
        indices = np.flatnonzero(mixed[machine])
        chosen = order[indices]
        order[indices] = chosen[np.lexsort((values[indices], machine[indices]))]
    return order


def _grouped(group: Ints) -> Ints:
    """Return the order by group, else as before. NumPy sorts small integers by counting."""
    small = np.min_scalar_type(int(group.max(initial=0)))
    return np.argsort(group.astype(small), kind="stable")


def of_groups(ordered: Columns, groups: Collection[int]) -> Columns:
    """Select these groups from ordered rows: `row`, `owner` and `value`."""
    starts = _starts(ordered["group"])
    ends = np.append(starts[1:], len(ordered["group"]))
    numbers = ordered["group"][starts].tolist()
    stretches = zip(numbers, starts.tolist(), ends.tolist(), strict=True)
    ranges = [np.arange(start, end) for number, start, end in stretches if number in groups]
    chosen = np.concatenate([starts[:0], *ranges])
    return {name: ordered[name][chosen] for name in ("row", "owner", "value")}


def by_machine(rows: Columns, *, once: bool) -> Columns:
    """Aggregate ordered rows by group and machine: a `row` of each, the median `value`, the numbers
    of `results` and `runs`, and whether these are of `several` drives. `once` if no run has two
    results in a group.
    """
    group, owner, device = rows["group"], rows["owner"], rows["device"]
    starts = _starts(group, owner)
    sizes = np.diff(starts, append=len(group))
    runs = sizes
    if not once:
        machine = np.repeat(np.arange(len(starts)), sizes)
        order = np.lexsort((rows["run"], machine))
        first = _starts(machine[order], rows["run"][order])
        runs = np.bincount(machine[order][first], minlength=len(starts))
    bounds = np.iinfo(np.int64)
    stated = device != 0
    least = _reduced(np.minimum, np.where(stated, device, bounds.max), starts)
    most = _reduced(np.maximum, np.where(stated, device, bounds.min), starts)
    return {
        "row": rows["row"][starts],
        "owner": owner[starts],
        "value": medians_of(rows["value"], starts, sizes),
        "results": sizes,
        "runs": runs,
        "several": least < most,
    }


def by_setup(rows: Columns, setups: int) -> Columns:
    """Aggregate rows by group and setup (`place`, of `setups` in all): a `row` of the group, the
    number of `results`, and the sums of `Selection.setups`.
    """
    group = rows["group"]
    keys = group * setups + rows["place"]
    groups = int(group.max(initial=-1)) + 1
    if groups * setups > 64 * _SMALL:
        pairs, codes = np.unique(keys, return_inverse=True)
    else:
        counted = np.bincount(keys, minlength=groups * setups)
        pairs = np.flatnonzero(counted)
        numbers = np.zeros(len(counted), dtype=np.int64)
        numbers[pairs] = np.arange(len(pairs))
        codes = numbers[keys]
    example_rows = row_of_each(group)
    several = rows["samples"] > 1
    summed = {"samples": rows["samples"], "several": several}
    if several.any():
        summed |= {"low": rows["low"], "high": rows["high"]}
        summed["squares"] = rows["deviation"].astype(np.float64) ** 2
    nothing = np.zeros(len(pairs))
    sums = {
        name: np.bincount(codes, weights=summed[name], minlength=len(pairs))
        if name in summed
        else nothing
        for name in ("samples", "several", "low", "high", "squares")
    }
    return {
        "row": example_rows[pairs // setups] if setups else pairs,
        "place": pairs % setups if setups else pairs,
        "results": np.bincount(codes, minlength=len(pairs)),
        **sums,
    }


def by_cell(rows: Columns, cell: Hashes) -> Columns:
    """Aggregate rows in any order by `group` and `cell`, the hash of a machine, drive, holder and
    setting: a `row` of each, the median `value`, and a `digest` of the results.
    """
    group, value = rows["group"], rows["value"]
    order = _order(group, cell, value)
    starts = _starts(group[order], cell[order])
    sizes = np.diff(starts, append=len(order))
    first = order[starts]
    cells = np.repeat(np.arange(len(starts)), sizes)
    return {
        "row": first,
        "owner": rows["owner"][first],
        "cell": cell[first],
        "value": medians_of(value[order], starts, sizes),
        "digest": digests_of(cells, rows["run"][order], rows["series"][order]),
    }


def by_setting(rows: Columns, setting: Hashes) -> Columns:
    """Distinct machines of each `group`, `series` and `setting`, from rows in any order: a `row`,
    and a setup by `place`.
    """
    keys = (setting, rows["series"], rows["group"])
    order = np.lexsort((rows["owner"], *keys))
    starts = _starts(*(column[order] for column in (rows["owner"], *keys)))
    first = order[starts]
    columns = {name: rows[name][first] for name in ("series", "place", "owner")}
    return {"row": first, "setting": setting[first], **columns}


def digests(rows: Columns) -> Columns:
    """Return a `row` of each group, and a `digest` of its set of results."""
    digest = digests_of(rows["group"], rows["run"], rows["series"])
    return {"row": row_of_each(rows["group"]), "digest": digest}


def digests_of(numbers: Ints, run: Hashes, series: Ints) -> Hashes:
    """Digest the results of each number, counted from 0. A run has one result of a series."""
    order = _grouped(numbers)
    results = hashed([run[order], series[order]])
    return _reduced(np.bitwise_xor, results, _starts(numbers[order]))


def row_of_each(group: Ints) -> Ints:
    """Return some row of each group; groups must be dense."""
    rows = np.zeros(int(group.max(initial=-1)) + 1, dtype=np.int64)
    rows[group] = np.arange(len(group))
    return rows


def first_runs(rows: Columns, groups: Sequence[int], run_ids: RunIds, most: int) -> Columns:
    """Return a `row` of each group, and the array of its first run `ids`, ascending."""
    indices = np.flatnonzero(np.isin(rows["group"], groups))
    halves = run_ids.halves(rows["at"][indices])
    group, high, low = rows["group"][indices], halves["id_high"], halves["id_low"]
    order = np.lexsort((low, high, group))
    order = order[_starts(group[order], high[order], low[order])]
    starts = _starts(group[order])
    sizes = np.diff(starts, append=len(order))
    ids = np.empty(len(starts), dtype=object)
    for number, (start, size) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=True)):
        chosen = order[start : start + min(size, most)]
        ids[number] = ids_of({name: column[chosen] for name, column in halves.items()})
    return {"row": indices[order[starts]], "ids": ids}


def occurring(numbers: Ints, count: int) -> Ints:
    """Return those of 0 to `count` that occur in `numbers`, ascending."""
    if count > _SMALL:
        return np.unique(numbers)
    return np.flatnonzero(np.bincount(numbers, minlength=count))


def hashed(columns: Sequence[NDArray[np.integer]]) -> Hashes:
    """Hash each combination of values to 64 bits, practically unique."""
    hashes: Hashes = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        # Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
        hashes = hashes * np.uint64(31) + column.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        hashes = (hashes ^ (hashes >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        hashes = (hashes ^ (hashes >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        hashes ^= hashes >> np.uint64(31)
    return hashes


def numbers_of(setups: Setups, names: Sequence[str], left_out: Collection[str]) -> Hashes:
    """Return a number for each setup, equal for setups with equal determinants `names`, ignoring
    labels that are `left_out`.
    """
    nothing = np.zeros(len(setups), dtype=np.int64)
    return hashed([nothing, *(codes_of(setups, name, left_out) for name in names)])


def codes_of(setups: Setups, name: str, left_out: Collection[str]) -> Ints:
    """Return a code for each setup, equal for setups that are alike in that determinant."""
    if name != ANY_LABEL:
        return setups.determinants(name)[0]
    codes, values = setups.values("labels")
    known: dict[object, int] = {}
    labels = [
        tuple(label for label in value if LABEL_PREFIX + label[0] not in left_out)
        for value in values
    ]
    mapped: Ints = np.array([known.setdefault(key, len(known)) for key in labels], dtype=np.int64)
    return mapped[codes]


def _differs(*columns: Numbers) -> NDArray[np.bool_]:
    """Whether each row differs from the previous one in any of these."""
    differs = np.zeros(len(columns[0]), dtype=bool)
    differs[:1] = True
    for column in columns:
        differs[1:] |= column[1:] != column[:-1]
    return differs


def _starts(*columns: Numbers) -> Ints:
    return np.flatnonzero(_differs(*columns))


def _reduced(reduce: np.ufunc, values: Numbers, starts: Ints) -> Numbers:
    result: Numbers = reduce.reduceat(values, starts) if len(starts) else values[:0]
    return result
