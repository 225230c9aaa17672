"""What Macs are: the chips and models that runs were made on, with how many there are of each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

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
    rows = chosen_runs(reading, terms).combinations(names, unstated)
    return [Kept(tuple(values), runs, machines) for *values, runs, machines in rows]
