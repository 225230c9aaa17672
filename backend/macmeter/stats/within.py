"""Points of a curve that are measured by different machines, as if the same had measured all.

Where few fast machines measured the right of a curve and many slow ones the left, a curve through
medians is about who measured. A machine that measured several points says how these relate,
whatever its own speed: values are a point's effect times a machine's, and both are found by least
squares on logarithms (a two-way layout without interaction, as in Summers' 1973 country-product
dummies).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from macmeter.stats.summary import Array, Ints

# Of the remaining error, beside that of the start; how many steps it may take at most.
_PRECISION, _MOST_STEPS = 1e-13, 2_000


def are_of_the_same(machines: Sequence[Ints]) -> bool:
    """Whether all points are measured by the same machines."""
    first = np.sort(machines[0])
    return all(np.array_equal(first, np.sort(others)) for others in machines[1:])


def points_within(
    machines: Sequence[Ints], values: Sequence[Array], medians: Array
) -> Array | None:
    """P points by what their machines' values say within machines, at the level of `medians`.

    `machines` and `values` are those of each point. None where machines don't connect all points:
    then it is unknown how some of them relate. Where there are values of 0 effects are added.
    """
    point = np.repeat(np.arange(len(values)), [len(of) for of in values])
    _, machine = np.unique(np.concatenate(machines), return_inverse=True)
    value = np.concatenate(values)
    is_positive = bool(value.min() > 0 and medians.min() > 0)
    scaled, level = (np.log(value), np.log(medians)) if is_positive else (value, medians)
    if not _connect(point, machine):
        return None
    of_machine = np.bincount(machine)

    def less_machines(each: Array) -> Array:
        """What is left of values by point where the mean of each machine is taken off."""
        left: Array = each - (np.bincount(machine, weights=each) / of_machine)[machine]
        return np.bincount(point, weights=left).astype(np.float64)

    effects = _solved(lambda by_point: less_machines(by_point[point]), less_machines(scaled))
    found: Array = effects - effects.mean() + level.mean()
    return np.exp(found) if is_positive else found


def _connect(point: Ints, machine: Ints) -> bool:
    """Whether each point is reached from each other one through machines that measured both."""
    known = np.zeros(int(machine.max()) + 1, dtype=bool)
    reached = np.zeros(int(point.max()) + 1, dtype=bool)
    reached[0] = True
    count = 0
    while count < np.count_nonzero(reached):
        count = int(np.count_nonzero(reached))
        known[machine[reached[point]]] = True
        reached[point[known[machine]]] = True
    return bool(reached.all())


def _solved(times: Callable[[Array], Array], sums: Array) -> Array:
    """The x for which `times` is `sums`, by conjugate gradients (Hestenes and Stiefel 1952)."""
    found, left = np.zeros(len(sums)), sums
    direction, squares = left, float(left @ left)
    enough = squares * _PRECISION**2
    for _ in range(_MOST_STEPS):
        if squares <= enough:
            break
        turned = times(direction)
        step = squares / float(direction @ turned)
        found = found + step * direction
        left = left - step * turned
        before, squares = squares, float(left @ left)
        direction = left + squares / before * direction
    return found
