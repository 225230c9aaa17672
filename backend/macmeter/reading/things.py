"""What Macs are: the chips and models that runs were made on, with how many there are of each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from macmeter.columns.coded import dense
from macmeter.columns.names import Ints
from macmeter.reading.moment import Reading
from macmeter.reading.order import chosen_runs
from macmeter.terms import Term, Value


class Kept(NamedTuple):
    """What runs say together of some dimensions; machines without those that nobody names."""

    values: tuple[Value, ...]
    runs: int
    machines: int


def combinations(
    reading: Reading,
    names: Sequence[str],
    terms: Sequence[Term] = (),
    unstated: Collection[str] = (),
) -> list[Kept]:
    """Each combination of values that a readable run has; only of `unstated` one may be missing."""
    view = reading.view
    numbers = chosen_runs(reading, terms)
    if not len(numbers):
        return []
    of_setups = [view.values(name) for name in names]
    # Only those of these runs: names of setups may have come since their values were coded.
    setups, at = np.unique(view.of_runs("setup")[numbers], return_inverse=True)
    together: Ints = np.zeros(len(setups), dtype=np.int64)
    for codes, values in of_setups:
        together = dense(together * len(values) + codes[setups])[1]
    examples = np.zeros(int(together.max()) + 1, dtype=np.int64)
    examples[together] = setups
    told = together[at]
    owners = view.of_runs("owner")[numbers].astype(np.int64)
    runs = np.bincount(told, minlength=len(examples))
    is_named = owners & 1 == 0
    machines = len(view.names.machines)
    pairs = np.unique(told[is_named] * machines + (owners[is_named] >> 1))
    having = np.bincount(pairs // machines, minlength=len(examples))
    found = []
    for number in np.flatnonzero(runs).tolist():
        setup = int(examples[number])
        stated = tuple(values[int(codes[setup])] for codes, values in of_setups)
        pairs_of_values = zip(names, stated, strict=True)
        if all(value is not None or name in unstated for name, value in pairs_of_values):
            found.append(Kept(stated, int(runs[number]), int(having[number])))
    return found
