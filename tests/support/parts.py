"""Parts of a lot as the compiled loops take them, made by chance."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from macmeter.compiled import loops
from macmeter.compiled.cells import Part
from macmeter.compiled.loops import Owners

BEYOND_DRIVES = np.iinfo(np.int32).max
# Labels of 1, 2 and 4 bytes.
GROUPS = [1, 3, 300, 70_000]


def some_part(
    chance: np.random.Generator, groups: int, owners: int, rows: int, alike: bool = False
) -> Part:
    """Rows of few values, of runs that are not all chosen, by some of so many owners; `alike` where
    those of an owner have the same label.
    """
    runs_of = np.sort(chance.choice(owners, size=rows)).astype(np.int32)
    numbers, starts = np.unique(runs_of, return_index=True)
    codes = chance.integers(0, min(groups, 6), rows).astype(np.uint8)
    chosen = chance.random(rows) < 0.8
    if alike:
        codes, chosen = (runs_of % min(groups, 6)).astype(np.uint8), runs_of % 5 > 0
    labels, of_owners = loops.label_runs(
        (codes, (np.arange(6) * (groups // 6 or 1) % groups).astype(np.uint32)),
        chosen,
        groups,
        Owners(numbers, np.append(starts, rows)),
    )
    run = np.flatnonzero(chance.random(rows) < 0.9).astype(np.int32)
    values = chance.integers(1, 9, len(run)).astype(np.float64)
    order = np.lexsort((values, runs_of[run]))
    run, values = run[order], values[order]
    mine, begin = np.unique(runs_of[run], return_index=True)
    ends = np.append(begin, len(run)).astype(np.int32)
    drives = chance.integers(0, 4, rows).astype(np.int32)
    stretches = [slice(first, last) for first, last in itertools.pairwise(ends)]
    known = [drives_of(drives[run[at]].tolist()) for at in stretches]
    return Part(
        Owners(mine.astype(np.int32), ends),
        run,
        values,
        drives,
        np.array([np.median(values[at]) for at in stretches]),
        np.array([least for least, _ in known], dtype=np.int32),
        np.array([greatest for _, greatest in known], dtype=np.int32),
        labels,
        of_owners,
    )


def drives_of(codes: list[int]) -> tuple[int, int]:
    return min((code for code in codes if code), default=BEYOND_DRIVES), max(codes)


def owner_of_rows(part: Part) -> Any:
    return np.repeat(part.owners.numbers, np.diff(part.owners.starts))
