"""Stratification of two groups: what is held equal, and what still differs.

Whatever else affects a figure is held equal: results are divided into strata that are alike in it,
and only strata of both groups count. A dimension without common values can't be held: it is a
confounder and is named. The choice depends on who measured what and never on the measured values,
so it doesn't invalidate intervals.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from macmeter import catalog
from macmeter.catalog import Trait
from macmeter.questions.grouped import Ints
from macmeter.questions.groups import Bools
from macmeter.questions.side_by_side import Results
from macmeter.statistics.intervals import MINIMUM
from macmeter.statistics.numbering import combination_ranks, ranks
from macmeter.statistics.strata import chance_of_association, chance_of_disjoint, fewest_machines

# Significance levels for an imbalance. Below the first, a determinant is held equal at the cost of
# machines, or named if it can't be held. About ten dimensions are tested, so that with the second
# one is named by chance in one comparison of 20.
_UNEQUAL = 0.05
_NAMED = 0.005
# Share of the strata's information that must remain when an optional dimension is held.
_KEPT = 0.75
# Named even if they belong to what is compared.
_NAMED_ALWAYS = ("model", "device")
_OF_A_MAC = {"model"} | catalog.DIMENSIONS["model"].settles
_ABSENCE_MEANS = (Trait.OPTIONAL, Trait.ABSENCE_COUNTS)


def differs_by_nature(name: str, compared: Collection[str]) -> bool:
    """Whether the comparison determines `name`, entirely or mostly."""
    dimension = catalog.dimension(name)
    return dimension is not None and not (dimension.settles | dimension.tells).isdisjoint(compared)


def goes_with(name: str, compared: Collection[str]) -> bool:
    """Whether it is part of what is compared: different storage means different drives. It is named
    anyway if the two have no drive in common.
    """
    return name in _NAMED_ALWAYS and not catalog.DIMENSIONS[name].tells.isdisjoint(compared)


def candidates(metric: str, compared: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the metric's determinants, and other dimensions that may affect it unexpectedly, in
    the order in which they are held equal.
    """
    determinants = catalog.METRICS[metric].determinants
    other_names = ("model", "device", *catalog.having(Trait.WATCHED), "month")

    def open_(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(
            name
            for name in dict.fromkeys(names)
            if name not in compared
            and (not differs_by_nature(name, compared) or goes_with(name, compared))
        )

    conditional = {name: catalog.DETERMINES_WHERE.get(name) for name in determinants}
    always = [name for name, where in conditional.items() if where is None]
    must = [name for name, where in conditional.items() if not where or where[0] not in compared]
    return open_(must), open_(name for name in other_names if name not in always)


@dataclass(frozen=True)
class Matched:
    """U units of two groups; those that count are in strata of both."""

    results: Results
    strata: Ints
    """Stratum of each unit; -1 if only one group has it."""
    held: tuple[str, ...]
    """Dimensions made equal within strata."""
    unlike: tuple[str, ...]
    """Dimensions in which the groups still differ."""

    @property
    def confounders(self) -> list[str]:
        """Possible causes among these, without those that belong to what is compared."""
        return [name for name in self.unlike if not self._is_part(name)]

    def _is_part(self, name: str) -> bool:
        compared = self.results.compared
        if goes_with(name, compared):
            return True
        # An internal drive is part of its Mac.
        is_of_mac = name == "device" and not compared.isdisjoint(_OF_A_MAC)
        return is_of_mac and self.results.values_of("storage", self.counts) == ["internal"]

    def holds(self, name: str) -> bool:
        """Whether that dimension is constant within each stratum."""
        strata, codes = self.strata[self.counts], self.results.codes(name)[self.counts]
        return bool(combination_ranks([strata, codes]).max(initial=0) == strata.max(initial=0))

    @cached_property
    def counts(self) -> Bools:
        is_counted: Bools = self.strata >= 0
        return is_counted

    @property
    def holds_all(self) -> bool:
        """Whether stratification changes nothing: one stratum holds everything."""
        return not self.strata.any()

    @property
    def count(self) -> int:
        """Number of strata."""
        return int(self.strata.max(initial=-1)) + 1

    def machines(self, *, over: bool) -> int:
        """Count the machines of one side in its strata."""
        side = self.results.is_over == over
        return len(np.unique(self.results.owner[self.counts & side]))


def make_alike(
    results: Results,
    base: Ints,
    must: Iterable[str],
    may: Iterable[str] = (),
    *,
    of_pairs: bool = False,
) -> Matched:
    """Refine the strata of `base` to be as alike as possible: dimensions in `must` are held if the
    sides share values, those in `may` if that costs little; for pairs, if it costs nothing.
    """
    likening = _Likening(results, base)
    for name in must:
        likening.look_at(name, is_needed=True)
    likening.floor = _KEPT * likening.information(likening.strata)
    likening.of_pairs = of_pairs
    for name in may:
        likening.look_at(name, is_needed=False)
    strata = np.full(len(base), -1, dtype=np.int64)
    strata[likening.units] = likening.strata
    return Matched(results, strata, tuple(likening.held), tuple(likening.unlike))


class _Likening:
    """Units that still count, and their strata."""

    def __init__(self, results: Results, base: Ints) -> None:
        self.results = results
        self.held: list[str] = []
        self.unlike: list[str] = []
        self.of_pairs = False
        self.floor = 0.0
        """Minimum information to keep."""
        self._set(np.arange(len(base)), ranks(base))
        self._keep(self.strata, self._shared(self.strata))

    def _set(self, units: Ints, strata: Ints) -> None:
        self.units, self.strata = units, strata
        self.is_over, self.owner = self.results.is_over[units], self.results.owner[units]

    def _keep(self, strata: Ints, chosen: Bools) -> None:
        self._set(self.units[chosen], ranks(strata[chosen]))

    def look_at(self, name: str, *, is_needed: bool) -> None:
        codes = self.results.codes(name, determines=is_needed)[self.units]
        if name in self.unlike or not len(codes) or codes.min() == codes.max():
            return
        finer = combination_ranks([self.strata, codes])
        if finer.max() == self.strata.max():
            return  # already equal within each stratum
        shared = self._shared(finer)
        if not shared.any():
            if self._is_named(name, codes, finer, is_needed=is_needed):
                self.unlike.append(name)
        elif shared.all() or self._is_worth(name, codes, finer, shared, is_needed=is_needed):
            self.held.append(name)
            self._keep(finer, shared)

    def _is_worth(
        self, name: str, codes: Ints, finer: Ints, shared: Bools, *, is_needed: bool
    ) -> bool:
        """Whether to hold it equal; if not, name it when the imbalance is hardly due to chance."""
        fewest = fewest_machines(self.is_over, self.owner)
        if is_needed and fewest < MINIMUM:
            return True
        chance = self._chance_of_association(codes, finer)
        if is_needed and chance < _UNEQUAL:
            return True
        allows_interval = fewest_machines(self.is_over[shared], self.owner[shared]) >= MINIMUM
        if chance < _NAMED:
            if not allows_interval:
                self.unlike.append(name)
            return allows_interval
        if self.of_pairs:
            # More months of one machine don't make up for losing another machine.
            return len(np.unique(self.owner[shared])) == len(np.unique(self.owner))
        remaining = self.information(np.where(shared, finer, -1))
        least = max(self.floor, _KEPT * self.information(self.strata) * is_needed)
        return remaining >= least and (allows_interval or fewest < MINIMUM)

    def _is_named(self, name: str, codes: Ints, finer: Ints, *, is_needed: bool) -> bool:
        """Whether having no common value is more than chance; for a dimension that doesn't affect
        the metric, also more than missing statements.
        """
        if not (is_needed or self._is_stated(name)):
            return False
        if fewest_machines(self.is_over, self.owner) < MINIMUM:
            return True
        rows = self._machines(finer)
        codes, is_over = codes[rows], self.is_over[rows]
        share = float(is_over.mean())
        chances = [chance_of_disjoint(np.bincount(finer[rows]), share)]
        if not np.intersect1d(codes[is_over], codes[~is_over]).size:
            chances.append(chance_of_disjoint(np.bincount(ranks(codes)), share))
        return min(chances) < _UNEQUAL

    def _is_stated(self, name: str) -> bool:
        """Whether both sides state a value, unless absence has a meaning."""
        if name == "month" or any(catalog.has(name, trait) for trait in _ABSENCE_MEANS):
            return True
        for is_side in (self.is_over, ~self.is_over):
            chosen = np.zeros(len(self.results.is_over), dtype=bool)
            chosen[self.units[is_side]] = True
            if self.results.values_of(name, chosen) == [None]:
                return False
        return True

    def _chance_of_association(self, codes: Ints, finer: Ints) -> float:
        rows = self._machines(finer)
        return chance_of_association(codes[rows], self.strata[rows], self.is_over[rows])

    def _machines(self, strata: Ints) -> Ints:
        """Return one unit of each machine by side and stratum."""
        sides = 2 * strata + self.is_over
        keys = sides * (int(self.owner.max(initial=0)) + 1) + self.owner
        rows = np.unique(keys, return_index=True)[1]
        units: Ints = rows[strata[rows] >= 0]
        return units

    def _shared(self, strata: Ints) -> Bools:
        """Whether both sides have the stratum of each unit."""
        size = int(strata.max(initial=-1)) + 1
        has_both = np.bincount(strata[self.is_over], minlength=size) > 0
        has_both &= np.bincount(strata[~self.is_over], minlength=size) > 0
        is_shared: Bools = has_both[strata]
        return is_shared

    def information(self, strata: Ints) -> float:
        """Return what strata contribute to a ratio in machines: the sum of n m / (n + m)."""
        rows = self._machines(strata)
        is_over, row_strata = self.is_over[rows], strata[rows]
        size = int(row_strata.max(initial=0)) + 1
        over = np.bincount(row_strata[is_over], minlength=size)
        under = np.bincount(row_strata[~is_over], minlength=size)
        return float((over * under / np.maximum(over + under, 1)).sum())
