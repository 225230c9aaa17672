"""Spreads of simulated machines, with their true medians, and how often the product is right.

The simulations run the product's own code, from run values to interval and verdict.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.figures import figures, ratio_of_medians, ratio_of_pairs
from macmeter.statistics.summary import Array
from macmeter.statistics.verdict import Outcome, verdict

Draw = Callable[[np.random.Generator, int | tuple[int, int]], Array]
# Runs of a machine differ by a few per cent, and it has one to six of them.
_NOISE, _MOST_RUNS = 0.04, 6
_MANY = 400_000


@dataclass(frozen=True)
class Spread:
    """Distribution of machines' true values."""

    name: str
    draw: Draw
    median: float

    def machines(self, random: np.random.Generator, n: int, wider: float = 1) -> list[Array]:
        """Draw n machines with one run each; `wider` widens the spread around the same median."""
        values = self.median * (self.draw(random, n) / self.median) ** wider
        return list(values.reshape(-1, 1))

    def clusters(self, random: np.random.Generator, n: int) -> list[Array]:
        """Draw n machines with several runs each."""
        counts = random.integers(1, _MOST_RUNS + 1, n)
        values = np.repeat(self.draw(random, n), counts)
        runs = values * np.exp(random.normal(0, _NOISE, len(values)))
        return [np.sort(part) for part in np.split(runs, np.cumsum(counts)[:-1])]

    def values_of_clusters(self, random: np.random.Generator, groups: int, n: int) -> Array:
        """Rows of n machines' values, each the median of its runs, as `clusters` draws them."""
        counts = random.integers(1, _MOST_RUNS + 1, (groups, n))
        noise = np.exp(random.normal(0, _NOISE, (groups, n, _MOST_RUNS)))
        medians = np.empty((groups, n))
        for count in range(1, _MOST_RUNS + 1):
            has_count = counts == count
            medians[has_count] = np.median(noise[has_count][:, :count], axis=1)
        return self.draw(random, (groups, n)) * medians

    def rows_of_unequal(
        self, random: np.random.Generator, groups: int, sizes: Sequence[int], correlation: float
    ) -> Array:
        """Like `unequal_clusters`, one row per group; runs are unordered."""
        machines = self.draw(random, (groups, len(sizes))) - self.median
        unshared = self.draw(random, (groups, sum(sizes))) - self.median
        shared = np.repeat(machines, sizes, axis=1)
        runs: Array = math.sqrt(correlation) * shared + math.sqrt(1 - correlation) * unshared
        return runs

    def unequal_clusters(
        self, random: np.random.Generator, sizes: Sequence[int], correlation: float
    ) -> list[Array]:
        """Machines with these numbers of runs; two runs of one correlate by `correlation`."""
        runs = self._alike(random, sizes, correlation)
        return [np.sort(part) for part in np.split(runs, np.cumsum(sizes)[:-1])]

    def median_of_unequal(
        self, random: np.random.Generator, sizes: Sequence[int], correlation: float, weight: str
    ) -> float:
        """Limit of the figure of `unequal_clusters` with more of such machines."""
        if weight == "run":
            return float(np.median(self._alike(random, [1] * _MANY, correlation)))
        count = 1 + _MANY // sum(sizes)
        machines = [
            np.median(self._alike(random, [size] * count, correlation).reshape(count, size), axis=1)
            for size in sizes
        ]
        return float(np.median(np.concatenate(machines)))

    def _alike(self, random: np.random.Generator, sizes: Sequence[int], alike: float) -> Array:
        machines = np.repeat(self.draw(random, len(sizes)) - self.median, sizes)
        unshared = self.draw(random, len(machines)) - self.median
        runs: Array = math.sqrt(alike) * machines + math.sqrt(1 - alike) * unshared
        return runs

    def median_of_clusters(self, random: np.random.Generator, weight: str) -> float:
        """Limit of the figure of `clusters` as n grows."""
        values = self.draw(random, _MANY)
        if weight == "run":
            return float(np.median(values * np.exp(random.normal(0, _NOISE, _MANY))))
        parts = []
        for runs, part in enumerate(np.array_split(values, _MOST_RUNS), start=1):
            noise = random.normal(0, _NOISE, (len(part), runs))
            parts.append(np.median(part[:, np.newaxis] * np.exp(noise), axis=1))
        return float(np.median(np.concatenate(parts)))


def _peaks(distance: float, share: float) -> Spread:
    """Two peaks `distance` deviations apart, the lower with `share` of the machines."""
    low, high = NormalDist(100, 5), NormalDist(100 + 5 * distance, 5)

    def draw(random: np.random.Generator, n: int | tuple[int, int]) -> Array:
        return random.normal(np.where(random.random(n) < share, low.mean, high.mean), 5)

    least, most = low.mean, high.mean
    for _ in range(60):
        middle = (least + most) / 2
        below = share * low.cdf(middle) + (1 - share) * high.cdf(middle)
        least, most = (middle, most) if below < 0.5 else (least, middle)
    far = ", far" if distance > 10 else ""
    return Spread(f"two peaks {share:.0%}{far}", draw, least)


SPREADS = [
    Spread("normal", lambda random, n: random.normal(100, 10, n), 100),
    Spread("skewed", lambda random, n: 100 * random.lognormal(0, 0.75, n), 100),
    Spread("exponential", lambda random, n: random.exponential(1, n), math.log(2)),
    _peaks(6, 0.5),
    _peaks(6, 0.6),
    _peaks(6, 0.4),
    Spread(
        "heavy tails",
        lambda random, n: 100 * np.exp(np.clip(0.1 * random.standard_t(2, n), -50, 50)),
        100,
    ),
    Spread(
        "very heavy",
        lambda random, n: 100 * np.exp(np.clip(0.005 * random.standard_cauchy(n), -50, 50)),
        100,
    ),
    _peaks(6, 0.45),
    _peaks(20, 0.5),
    _peaks(20, 0.45),
    _peaks(20, 0.4),
]

# Numbers of runs in groups where few machines have most of them.
UNEQUAL = {
    "1, 3, 40 x 4": (1, 3, 40) * 4,
    "40, 11 x 1": (40, *[1] * 11),
    "40, 5 x 1": (40, *[1] * 5),
    "1 to 12": tuple(range(1, 13)),
    "5 x 7": (5,) * 7,
    "300, 29 x 1": (300, *[1] * 29),
}
ALIKE = (0.0, 0.5, 0.9)

# Pairs of spreads that have only their median in common, by their places above.
UNLIKE = [(4, 5), (5, 4), (0, 4), (5, 1), (7, 0), (6, 2), (9, 10), (9, 0), (9, 5), (10, 11)]


def coverage(simulations: int, draw: Callable[[], list[Array]], truth: float, weight: str) -> float:
    """Share of simulated groups whose interval contains the true median."""
    covered = 0
    for _ in range(simulations):
        interval = figures(Clusters.join(draw()), weight).interval
        covered += interval is not None and interval.low <= truth <= interval.high
    return covered / simulations


def coverage_of_pairs(simulations: int, draw: Callable[[], Array], truth: float) -> float:
    """Share of simulated sets of pairs whose ratio's interval contains the true ratio."""
    covered = 0
    for _ in range(simulations):
        interval = ratio_of_pairs(draw()).interval
        covered += interval is not None and interval.low <= truth <= interval.high
    return covered / simulations


def different(
    simulations: int,
    draw: Callable[[], tuple[list[Array], list[Array]]],
    weight: str = "machine",
    times: float = 1,
) -> float:
    """Share of simulated comparisons that say "different"; one side is `times` faster."""
    different_count = 0
    for _ in range(simulations):
        first, second = draw()
        ratio = ratio_of_medians(
            Clusters.join([times * runs for runs in first]), Clusters.join(second), weight
        )
        low, high = (ratio.interval.low, ratio.interval.high) if ratio.interval else (None, None)
        different_count += verdict(ratio.value, low, high, ratio.fewest).answer is Outcome.DIFFERENT
    return different_count / simulations


def error(share: float, simulations: int) -> float:
    """Standard error of a simulated share."""
    return math.sqrt(share * (1 - share) / simulations)
