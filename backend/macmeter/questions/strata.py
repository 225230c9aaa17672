"""In what two groups are made alike, and in what they differ all the same.

What else than the compared moves a figure is held equal: results are divided into strata that are
alike in it, and only strata that both groups share count. A dimension of which they share no value
can't be held: it is confounded with what is compared, and is named. Which ones are held follows
from who measured what, never from the values measured: no interval is the worse for the choice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from macmeter import catalog
from macmeter.catalog import Trait
from macmeter.questions.grouped import Ints
from macmeter.questions.groups import Bools
from macmeter.questions.side_by_side import Results, combined, dense
from macmeter.statistics.intervals import MINIMUM
from macmeter.statistics.strata import chance_of_association, chance_of_disjoint, fewest_machines

# Where chance alone seldom divides a dimension so, it is held equal at the cost of machines, where
# it changes the metric; or named, where it can't be held. About ten are looked at: of these one
# would be named by chance in one comparison of 20.
_UNEQUAL = 0.05
_NAMED = 0.005
# What holds nothing together that must be held may cost so much of what strata can say.
_KEPT = 0.75
# Of what goes with other values these are named.
_NAMED_ALWAYS = ("model", "device")
_OF_A_MAC = {"model"} | catalog.DIMENSIONS["model"].settles
_ABSENCE_MEANS = (Trait.OPTIONAL, Trait.ABSENCE_COUNTS)


def differs_by_nature(name: str, compared: Collection[str]) -> bool:
    """Whether what is compared leaves no choice of `name`, or hardly any."""
    dimension = catalog.dimension(name)
    return dimension is not None and not (dimension.settles | dimension.tells).isdisjoint(compared)


def goes_with(name: str, compared: Collection[str]) -> bool:
    """Whether it is part of what is compared: another drive is what other storage consists of. It
    is named all the same, where the two have no drive in common.
    """
    return name in _NAMED_ALWAYS and not catalog.DIMENSIONS[name].tells.isdisjoint(compared)


def candidates(metric: str, compared: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What changes the metric, and what else may be different where a reader did not think of it:
    in the order in which it is held equal.
    """
    determinants = catalog.METRICS[metric].determinants
    others = ("model", "device", *catalog.having(Trait.WATCHED), "month")

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
    return open_(must), open_(name for name in others if name not in always)


@dataclass(frozen=True)
class Likened:
    """U units of two groups, of which those that count are in strata of both."""

    results: Results
    strata: Ints
    """The stratum of each unit; -1 where only one group has it."""
    held: tuple[str, ...]
    """What is equal within strata, of what was not equal before."""
    unlike: tuple[str, ...]
    """In what the two differ all the same."""

    @property
    def confounders(self) -> list[str]:
        """What of that may be why: not what belongs to what is compared."""
        return [name for name in self.unlike if not self._is_part(name)]

    def _is_part(self, name: str) -> bool:
        compared = self.results.compared
        if goes_with(name, compared):
            return True
        # An internal drive is part of its Mac.
        is_of_mac = name == "device" and not compared.isdisjoint(_OF_A_MAC)
        return is_of_mac and self.results.values_of("storage", self.counts) == ["internal"]

    def holds(self, name: str) -> bool:
        """Whether everything in a stratum has the same value of that dimension."""
        strata, codes = self.strata[self.counts], self.results.codes(name)[self.counts]
        return bool(combined([strata, codes]).max(initial=0) == strata.max(initial=0))

    @cached_property
    def counts(self) -> Bools:
        found: Bools = self.strata >= 0
        return found

    @property
    def holds_all(self) -> bool:
        """Whether it changes nothing: there is one stratum, and everything is in it."""
        return not self.strata.any()

    @property
    def count(self) -> int:
        """How many strata there are."""
        return int(self.strata.max(initial=-1)) + 1

    def machines(self, *, over: bool) -> int:
        """How many machines one side has in its strata."""
        side = self.results.is_over == over
        return len(np.unique(self.results.owner[self.counts & side]))


def make_alike(
    results: Results,
    base: Ints,
    must: Iterable[str],
    may: Iterable[str] = (),
    *,
    of_pairs: bool = False,
) -> Likened:
    """Within strata that `base` numbers, as alike as can be: in what `must` be held where the two
    share it at all, and in what `may` be where that costs little; of pairs, where it costs none.
    """
    found = _Likening(results, base)
    for name in must:
        found.look_at(name, is_needed=True)
    found.floor = _KEPT * found.information(found.strata)
    found.of_pairs = of_pairs
    for name in may:
        found.look_at(name, is_needed=False)
    strata = np.full(len(base), -1, dtype=np.int64)
    strata[found.units] = found.strata
    return Likened(results, strata, tuple(found.held), tuple(found.unlike))


class _Likening:
    """The units that count by now, and the stratum of each."""

    def __init__(self, results: Results, base: Ints) -> None:
        self.results = results
        self.held: list[str] = []
        self.unlike: list[str] = []
        self.of_pairs = False
        self.floor = 0.0
        """What of the information must be left."""
        self._set(np.arange(len(base)), dense(base))
        self._keep(self.strata, self._shared(self.strata))

    def _set(self, units: Ints, strata: Ints) -> None:
        self.units, self.strata = units, strata
        self.is_over, self.owner = self.results.is_over[units], self.results.owner[units]

    def _keep(self, strata: Ints, chosen: Bools) -> None:
        self._set(self.units[chosen], dense(strata[chosen]))

    def look_at(self, name: str, *, is_needed: bool) -> None:
        codes = self.results.codes(name, determines=is_needed)[self.units]
        if name in self.unlike or not len(codes) or codes.min() == codes.max():
            return
        finer = combined([self.strata, codes])
        if finer.max() == self.strata.max():
            return  # it is equal within each stratum as they are
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
        """Whether it is held; where it is not and chance alone would hardly do, it is named."""
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
            # A machine's months add up to more of it, and make up for no other machine.
            return len(np.unique(self.owner[shared])) == len(np.unique(self.owner))
        kept = self.information(np.where(shared, finer, -1))
        least = max(self.floor, _KEPT * self.information(self.strata) * is_needed)
        return kept >= least and (allows_interval or fewest < MINIMUM)

    def _is_named(self, name: str, codes: Ints, finer: Ints, *, is_needed: bool) -> bool:
        """Whether both having no value in common is more than chance; and more than silence, where
        it does not change the metric.
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
            chances.append(chance_of_disjoint(np.bincount(dense(codes)), share))
        return min(chances) < _UNEQUAL

    def _is_stated(self, name: str) -> bool:
        """Whether both sides state a value, where not stating one means nothing."""
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
        """A unit of each machine of a side in a stratum."""
        sides = 2 * strata + self.is_over
        keys = sides * (int(self.owner.max(initial=0)) + 1) + self.owner
        rows = np.unique(keys, return_index=True)[1]
        found: Ints = rows[strata[rows] >= 0]
        return found

    def _shared(self, strata: Ints) -> Bools:
        """Whether both sides have the stratum of each unit."""
        size = int(strata.max(initial=-1)) + 1
        both = np.bincount(strata[self.is_over], minlength=size) > 0
        both &= np.bincount(strata[~self.is_over], minlength=size) > 0
        found: Bools = both[strata]
        return found

    def information(self, strata: Ints) -> float:
        """What strata can say of a ratio, in machines: of each n m / (n + m)."""
        rows = self._machines(strata)
        is_over, of = self.is_over[rows], strata[rows]
        size = int(of.max(initial=0)) + 1
        over = np.bincount(of[is_over], minlength=size)
        under = np.bincount(of[~is_over], minlength=size)
        return float((over * under / np.maximum(over + under, 1)).sum())
