"""The ratio of two sides within strata: machines are compared with similar ones.

A stratum holds machines that are alike in everything else that affects the figure. In each of K
strata every machine of one side is divided by every machine of the other; the ratio is the median
of all quotients (Hodges and Lehmann 1963), weighted by 1 / (n + 1) in a stratum of n machines: with
these weights of van Elteren (1960) a stratum counts by its information. The 95% interval is what
van Elteren's test doesn't reject: the quotients at half of the weight, plus and minus 1.96 standard
deviations of the statistic. That deviation is the larger of two: one that assumes equal spread on
both sides of a stratum, and one estimated from each machine's own share in the statistic, which
needs no such assumption. The latter adds up the shares that a machine has in several strata, and
those of all machines of a kind if they are alike.

`make bench ONLY=confounding` simulates coverage.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from macmeter.statistics.figures import Agreement, agreement, compared
from macmeter.statistics.summary import Array, Ints

Bools = NDArray[np.bool_]
Columns = dict[str, Ints]
# Maximum number of quotients in memory; beyond it, only those near the target are listed.
_MAX_LISTED = 2_000_000
# Weights are sums of fractions, so compare them with this tolerance.
_ROUNDING = 1e-9
# A side of a stratum with so few machines says too little about its spread.
_TOO_FEW_FOR_SPREAD = 2


@dataclass(frozen=True)
class _Stratum:
    """Values of both sides, each ascending, with the ids of each value's machine and kind."""

    numerator: Array
    denominator: Array
    numerator_ids: Columns
    denominator_ids: Columns

    @property
    def weight(self) -> float:
        return 1 / (len(self.numerator) + len(self.denominator) + 1)

    @property
    def quotients(self) -> Array:
        quotients: Array = (self.numerator[:, None] / self.denominator[None, :]).ravel()
        return quotients

    def count_up_to(self, ratio: float) -> int:
        """Count the quotients up to `ratio`."""
        return int(np.searchsorted(self.numerator, ratio * self.denominator, side="right").sum())

    def quotients_between(self, low: float, high: float) -> Array:
        """Return the quotients above `low` and up to `high`."""
        first = np.searchsorted(self.numerator, low * self.denominator, side="right")
        last = np.searchsorted(self.numerator, high * self.denominator, side="right")
        sizes = last - first
        positions = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        quotients: Array = self.numerator[np.repeat(first, sizes) + positions] / np.repeat(
            self.denominator, sizes
        )
        return quotients

    def shares(self, ratio: float) -> tuple[Array, Array]:
        """Return each machine's share in the statistic at that ratio: the weight by which it is
        above the other side, or the other side above it.
        """
        moved = ratio * self.denominator
        above = _middle_rank(moved, self.numerator) - len(moved) / 2
        below = len(self.numerator) / 2 - _middle_rank(self.numerator, moved)
        return self.weight * above, self.weight * below


def _middle_rank(ordered: Array, values: Array) -> Array:
    """Count the elements of `ordered` below each value, with ties as half."""
    sides = (np.searchsorted(ordered, values, side=side) for side in ("left", "right"))
    ranks: Array = sum(sides, start=np.zeros(len(values))) / 2
    return ranks


@dataclass(frozen=True)
class Stratified:
    """A ratio within strata. `limits` returns those of the interval by its number of standard
    deviations (Z for 95%), or None if the strata allow none.
    """

    value: float
    limits: Callable[[float], tuple[float, float] | None]
    agreement: Agreement


def ratio_in_strata(
    values: Array, strata: Ints, is_numerator: Bools, machines: Ints, kinds: Ints
) -> Stratified:
    """Return the ratio of one side to the other: N values above 0, each of a machine in a stratum.

    Every stratum must have both sides. `kinds` groups machines that may be alike.
    """
    return _StratifiedRatio(
        values, strata, is_numerator, {"machine": machines, "kind": kinds}
    ).ratio


class _StratifiedRatio:
    def __init__(self, values: Array, strata: Ints, is_numerator: Bools, clusters: Columns) -> None:
        order = np.lexsort((values, ~is_numerator, strata))
        starts = np.flatnonzero(np.diff(strata[order], prepend=-1))
        self.strata: list[_Stratum] = []
        for rows in np.split(order, starts[1:]):
            numerator_count = int(np.count_nonzero(is_numerator[rows]))
            numerators, denominators = rows[:numerator_count], rows[numerator_count:]
            sides = [
                {name: ids[side] for name, ids in clusters.items()}
                for side in (numerators, denominators)
            ]
            self.strata.append(_Stratum(values[numerators], values[denominators], *sides))
        self.pair_count = sum(len(each.numerator) * len(each.denominator) for each in self.strata)
        self.total_weight = math.fsum(
            each.weight * len(each.numerator) * len(each.denominator) for each in self.strata
        )

    @property
    def ratio(self) -> Stratified:
        half, tolerance = self.total_weight / 2, _ROUNDING * self.total_weight
        value = math.sqrt(self._quotient_at(half - tolerance) * self._quotient_at(half + tolerance))
        deviation = math.sqrt(self._variance(value))

        def limits(deviations: float) -> tuple[float, float] | None:
            tail_weight = half - deviations * deviation
            if tail_weight <= tolerance:
                return None
            # Symmetric, so that swapping the sides gives the reciprocal interval.
            low = self._quotient_at(tail_weight - tolerance)
            return low, self._quotient_at(self.total_weight - tail_weight + tolerance)

        return Stratified(value, limits, self._agreement(value))

    def _agreement(self, value: float) -> Agreement:
        """Count the machines that agree with the ratio. A machine alone on its side is compared
        once with each other one, by the median over their strata, and not with itself.
        """
        counts = [compared(stratum.numerator, stratum.denominator) for stratum in self.strata]
        over, under, total = (sum(count) for count in zip(*counts, strict=True))
        numerators, denominators = (
            np.concatenate(side) for side in zip(*self._pairs(), strict=True)
        )
        alone = [side[0] for side in (numerators, denominators) if (side == side[0]).all()]
        if not alone:
            return agreement(value, over, under, total)
        quotients = np.concatenate([stratum.quotients for stratum in self.strata])
        others = np.where(numerators == alone[0], denominators, numerators)
        machines = np.unique(others[others != alone[0]])
        medians = np.array([np.median(quotients[others == machine]) for machine in machines])
        over, under = (int(np.count_nonzero(mask)) for mask in (medians > 1, medians < 1))
        return agreement(value, over, under, len(medians))

    def _pairs(self) -> Iterator[tuple[Ints, Ints]]:
        """Yield the machines of each stratum's quotients, those of one side and of the other."""
        for stratum in self.strata:
            numerators = stratum.numerator_ids["machine"]
            denominators = stratum.denominator_ids["machine"]
            yield np.repeat(numerators, len(denominators)), np.tile(denominators, len(numerators))

    @cached_property
    def _ordered(self) -> tuple[Array, Array]:
        """All quotients, ascending, and the cumulative weight."""
        return _cumulative((stratum.weight, stratum.quotients) for stratum in self.strata)

    def _quotient_at(self, weight: float) -> float:
        """Return the least quotient with at least this cumulative weight."""
        if self.pair_count <= _MAX_LISTED:
            quotients, cumulative = self._ordered
            return float(
                quotients[min(int(np.searchsorted(cumulative, weight)), len(quotients) - 1)]
            )
        low, high = self._range
        count = self.pair_count
        while count > _MAX_LISTED and high / low - 1 > _ROUNDING:
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self._weight_up_to(middle) < weight else (low, middle)
            count = sum(each.count_up_to(high) - each.count_up_to(low) for each in self.strata)
        if count > _MAX_LISTED:
            return high
        nearby, cumulative = _cumulative(
            (each.weight, each.quotients_between(low, high)) for each in self.strata
        )
        index = int(np.searchsorted(cumulative, weight - self._weight_up_to(low)))
        return float(nearby[min(index, len(nearby) - 1)])

    @property
    def _range(self) -> tuple[float, float]:
        low = min(stratum.numerator[0] / stratum.denominator[-1] for stratum in self.strata)
        return low * (1 - _ROUNDING), max(
            stratum.numerator[-1] / stratum.denominator[0] for stratum in self.strata
        )

    def _weight_up_to(self, ratio: float) -> float:
        """Return the weight of the quotients up to `ratio`."""
        return math.fsum(stratum.weight * stratum.count_up_to(ratio) for stratum in self.strata)

    def _variance(self, ratio: float) -> float:
        """Return the variance of the statistic, the weight of quotients above the true ratio."""
        shares, assumed = [*self._shares(ratio)], [*self._deviations()]
        mixed = [
            assumption if len(assumption[1]) <= _TOO_FEW_FOR_SPREAD else share
            for share, assumption in zip(shares, assumed, strict=True)
        ]
        by_machine = max(
            _sum_of_squares_by(assumed, "machine"), _sum_of_squares_by(mixed, "machine")
        )
        estimated = [each for each in shares if len(each[1]) > _TOO_FEW_FOR_SPREAD]
        kinds = (
            np.unique(np.concatenate([ids["kind"] for ids, _ in estimated])) if estimated else ()
        )
        if len(kinds) < 2:
            return by_machine
        small = [each for each in assumed if len(each[1]) <= _TOO_FEW_FOR_SPREAD]
        by_kind = _sum_of_squares_by(estimated, "kind") * len(kinds) / (len(kinds) - 1)
        return max(by_machine, by_kind + (_sum_of_squares_by(small, "machine") if small else 0))

    def _deviations(self) -> Iterator[tuple[Columns, Array]]:
        """Yield each machine's deviations by stratum and side, assuming equal spread on both sides.

        A machine's deviations in several strata are fully correlated, as the worst case.
        """
        for stratum in self.strata:
            sizes = (len(stratum.numerator), len(stratum.denominator))
            for ids, size, other_size in zip(
                (stratum.numerator_ids, stratum.denominator_ids), sizes, sizes[::-1], strict=True
            ):
                deviation = stratum.weight * math.sqrt(other_size * (sum(sizes) + 1) / 24)
                yield ids, np.full(size, deviation)

    def _shares(self, ratio: float) -> Iterator[tuple[Columns, Array]]:
        """Yield the actual shares of each side of each stratum around their mean."""
        for stratum in self.strata:
            for ids, shares in zip(
                (stratum.numerator_ids, stratum.denominator_ids), stratum.shares(ratio), strict=True
            ):
                count = len(shares)
                yield ids, (shares - shares.mean()) * math.sqrt(count / max(count - 1, 1))


def _cumulative(parts: Iterator[tuple[float, Array]]) -> tuple[Array, Array]:
    listed = [(values, np.full(len(values), weight)) for weight, values in parts]
    values, weights = (np.concatenate([part[index] for part in listed]) for index in (0, 1))
    order = np.argsort(values, kind="stable")
    return values[order], np.cumsum(weights[order])


def _sum_of_squares_by(parts: Sequence[tuple[Columns, Array]], by: str) -> float:
    """Return the sum of squares of each machine's, or kind's, total."""
    _, codes = np.unique(np.concatenate([ids[by] for ids, _ in parts]), return_inverse=True)
    sums = np.bincount(codes, weights=np.concatenate([shares for _, shares in parts]))
    return float(sums @ sums)


def fewest_machines(is_numerator: Bools, machines: Ints) -> int:
    """Count the machines of the smaller side."""
    return min(len(np.unique(machines[is_numerator])), len(np.unique(machines[~is_numerator])))


def chance_of_disjoint(counts: Ints, share: float) -> float:
    """Return how often chance puts each value on one side only: `counts` machines have each value,
    and each machine is on one side with the chance `share`, independent of its value.
    """
    return float(np.prod(share**counts + (1 - share) ** counts))


def chance_of_association(values: Ints, strata: Ints, is_numerator: Bools) -> float:
    """Return how often chance divides values as unequally between the sides of each stratum.

    The general association statistic of Landis, Heyman and Koch (1978), the Cochran-Mantel-Haenszel
    test for more than two values, by its chi-squared approximation (Wilson and Hilferty 1931).
    """
    _, codes = np.unique(values, return_inverse=True)
    _, strata_codes = np.unique(strata, return_inverse=True)
    shape = (int(strata_codes.max()) + 1, int(codes.max()) + 1)
    cells = strata_codes * shape[1] + codes
    counts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    numerator = np.bincount(cells[is_numerator], minlength=shape[0] * shape[1]).reshape(shape)
    total, numerator_total = counts.sum(axis=1), numerator.sum(axis=1)
    surplus = (numerator - counts * (numerator_total / total)[:, None]).sum(axis=0)
    # A stratum with one machine has no variance.
    scale = numerator_total * (total - numerator_total) / (total * total * np.maximum(total - 1, 1))
    variances = (scale * total) @ counts
    covariance = np.diag(variances) - (counts * scale[:, None]).T @ counts
    # The rank is at most the number of values less one, since the last follows from the others;
    # with one value in each stratum it is 0, and what remains is rounding.
    eigenvalues, axes = np.linalg.eigh(covariance)
    is_positive = eigenvalues > len(eigenvalues) * np.finfo(float).eps * variances.max()
    degrees = int(is_positive.sum())
    if not degrees:
        return 1.0
    statistic = float(np.sum((axes.T @ surplus)[is_positive] ** 2 / eigenvalues[is_positive]))
    cubic = (statistic / degrees) ** (1 / 3)
    normal = (cubic - 1 + 2 / (9 * degrees)) / math.sqrt(2 / (9 * degrees))
    return math.erfc(normal / math.sqrt(2)) / 2
