"""By run of a segment the number of its group under some dimensions: looked up once, and kept.

A segment never changes, and neither does what its numbers mean. So what one question has worked
out of a million runs serves the next one, whatever has been uploaded in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.names import Ints, Names
from macmeter.columns.segment import Runs, Segment

# Of runs and not of their setups.
OF_RUNS = ("machine", "month")
# Below it codes are marked in a table, however few they are: a byte each.
_MARKED = 2**20


@dataclass(frozen=True, eq=False)
class Coded:
    """The runs of a segment by some dimensions: C codes, each of which some run has."""

    dimensions: tuple[str, ...]
    runs: Runs
    examples: Ints
    """By code, a run that has it."""
    by_setup: Ints | None
    """By setup the code of all its runs; None where dimensions of single runs are among them."""
    by_run: NDArray[np.unsignedinteger] | None
    """There the code of each run, in as few bytes as may be."""

    def labels(self, numbers: Ints) -> tuple[NDArray[Any], NDArray[np.uint32]]:
        """By run something that decides on its code, and by that the number of the code."""
        if self.by_run is not None:
            return self.by_run, numbers.astype(np.uint32)
        assert self.by_setup is not None
        return np.ascontiguousarray(self.runs.setup), numbers.take(self.by_setup).astype(np.uint32)


def coded(segment: Segment, names: Names, dimensions: tuple[str, ...]) -> Coded:
    """Its runs by these dimensions, of setups or of runs."""
    found: Coded = segment.coded.of(dimensions, lambda: _coded(segment, names, dimensions))
    return found


def _coded(segment: Segment, names: Names, dimensions: tuple[str, ...]) -> Coded:
    setups = segment.setups
    numbers: Ints = np.zeros(len(setups), dtype=np.int64)
    for name in dimensions:
        if name not in OF_RUNS:
            codes, values = names.setup_values(name)
            if len(values) > 1:
                numbers = dense(numbers * len(values) + codes[setups])[1]
    by_setup = np.zeros(int(setups.max(initial=-1)) + 1, dtype=narrowest(numbers.max(initial=0)))
    by_setup[setups] = numbers
    if set(dimensions) & set(OF_RUNS):
        return _coded_by_run(segment, by_setup, dimensions)
    examples = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
    examples[numbers] = segment.setup_examples
    return Coded(dimensions, segment.runs, examples, by_setup, None)


def _coded_by_run(segment: Segment, by_setup: Ints, dimensions: tuple[str, ...]) -> Coded:
    runs = segment.runs
    codes = by_setup.take(runs.setup)
    for name in OF_RUNS:
        if name in dimensions:
            own = runs.machine if name == "machine" else runs.month
            codes = dense(codes.astype(np.int64) * (int(own.max(initial=0)) + 1) + own)[1]
    count = int(codes.max(initial=-1)) + 1
    examples = np.zeros(count, dtype=np.int64)
    # Of several for one place numpy keeps the last; any will do.
    examples[codes] = np.arange(len(codes))
    return Coded(dimensions, runs, examples, None, codes.astype(narrowest(count), copy=False))


def narrowest(most: int) -> np.dtype[np.unsignedinteger]:
    """The smallest type that holds whole numbers up to `most`: they sort and gather fastest."""
    return np.min_scalar_type(int(most))


def occurring(codes: Ints) -> Ints:
    """The codes that occur, ascending."""
    most = int(codes.max(initial=0))
    if most > max(4 * len(codes), _MARKED):
        return np.unique(codes)
    present = np.zeros(most + 1, dtype=bool)
    present[codes] = True
    return np.flatnonzero(present)


def places_among(known: Ints, wanted: Ints) -> Ints:
    """The places in `known`, which ascends, of those of `wanted` that are there."""
    at = np.searchsorted(known, wanted.astype(known.dtype))
    inside = at < len(known)
    at, wanted = at[inside], wanted[inside]
    found: Ints = at[known[at] == wanted]
    return found


def dense(codes: Ints) -> tuple[Ints, Ints]:
    """The codes that occur, ascending, and each row's place among them."""
    kept = occurring(codes)
    most = int(codes.max(initial=0))
    if most > 4 * len(codes) + 1024:
        return kept, np.searchsorted(kept, codes)
    places = np.zeros(most + 1, dtype=np.int64)
    places[kept] = np.arange(len(kept))
    return kept, places[codes]
