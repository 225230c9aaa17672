"""The first runs of each group by their ids: all groups at once, in the order of the segments' ids.

Few ids are looked at until every group has as many as are wanted; a sort looks at all of them.
"""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial

import numpy as np

from macmeter.columns.grouped import Grouped
from macmeter.columns.owned import bits_of
from macmeter.columns.some import Some
from macmeter.compiled import loops
from macmeter.compiled.beside import begin_many

LINKED_RUNS = 8
"""So many of a group's runs are named."""


def first_runs_by_group(grouped: Grouped) -> list[list[bytes]]:
    """The ids of the first runs of each group, ascending."""
    found: list[set[bytes]] = [set() for _ in range(grouped.count)]
    for some, first in zip(grouped.parts, grouped.kept(begin_first_runs), strict=True):
        runs = first.result()
        groups = np.repeat(np.arange(grouped.count), _wanted(some))
        ids = some.part.segment.runs.run_id.take(runs).tolist()
        for group, run_id in zip(groups.tolist(), ids, strict=True):
            found[group].add(run_id)
    return [sorted(ids)[:LINKED_RUNS] for ids in found]


def begin_first_runs(grouped: Grouped) -> list[Future[loops.Ints]]:
    """By part the places of the first runs in its segment, of one group after another."""
    return [_begin(some) for some in grouped.parts]


def _begin(some: Some) -> Future[loops.Ints]:
    part = some.part
    if some.at is None:
        having = bits_of(part.segment, part.rows)
    else:
        of_runs = np.zeros(len(part.segment.runs), dtype=bool)
        of_runs[some.runs] = True
        having = np.packbits(of_runs)
    by_id = loops.small(part.segment.runs.by_id)
    wanted = _wanted(some)
    given = (some.labels, by_id, np.ascontiguousarray(having), wanted)
    return begin_many(partial(loops.first_runs, *given), _looked_at(len(by_id), some.sizes))


def _looked_at(runs: int, sizes: loops.Ints) -> int:
    """About so many ids until the smallest group has enough: all of them where it has no more."""
    smallest = int(sizes[sizes > 0].min(initial=runs))
    return runs if smallest <= LINKED_RUNS else LINKED_RUNS * runs // smallest


def _wanted(some: Some) -> loops.Ints:
    return np.minimum(some.sizes, LINKED_RUNS)
