"""Coverage of intervals and error rates of verdicts for values that depend on model or time.

The simulations run the product's own code, from machines' values to interval and verdict.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.figures import BETWEEN_MODELS, figures, ratio_of_medians
from macmeter.statistics.intervals import of_values
from macmeter.statistics.summary import Array
from macmeter.statistics.verdict import Outcome, judged, verdicts_together

from support.steady import STEADY, steady_lines

# The spread of machines as a logarithm; the true median is 1.
_SPREAD = 0.1
# Lines, and values in each, to estimate a line's true median from.
_LINES, _LONG = 40, 4_000


@dataclass(frozen=True)
class Held:
    """Result for many simulated groups; `coverage` and `width` are of those with an interval."""

    coverage: float
    withheld: float
    between_models: float
    width: float
    """Median width, relative to that for as many machines taken to be independent."""


def machines_of(
    random: np.random.Generator,
    sizes: Sequence[int],
    alike: float,
    spread: float = _SPREAD,
    first: int = 0,
) -> Clusters:
    """Machines of several models, numbered from `first`; two of one model correlate by `alike`."""
    models = np.repeat(np.arange(len(sizes)), sizes)
    shared = random.normal(size=len(sizes))[models]
    single = random.normal(size=len(models))
    values = np.exp(spread * (math.sqrt(alike) * shared + math.sqrt(1 - alike) * single))
    return Clusters(values, np.ones(len(models), dtype=np.int64), values, first + models)


def held(random: np.random.Generator, simulations: int, sizes: Sequence[int], alike: float) -> Held:
    """Coverage and width of the interval of such groups."""
    covered = between = 0
    widths, independent = [], []
    for _ in range(simulations):
        machines = machines_of(random, sizes, alike)
        low, high = of_values(machines.values).interval
        independent.append(math.log(high / low))
        interval = figures(machines, "machine").interval
        if interval is None:
            continue
        covered += interval.low <= 1 <= interval.high
        between += interval.of == BETWEEN_MODELS
        widths.append(math.log(interval.high / interval.low))
    return Held(
        covered / len(widths),
        1 - len(widths) / simulations,
        between / len(widths),
        float(np.median(widths) / np.median(independent)),
    )


def different_by_model(
    random: np.random.Generator,
    simulations: int,
    sides: tuple[Sequence[int], Sequence[int]],
    alike: float,
    times: float = 1,
    spread: float = _SPREAD,
) -> float:
    """Share of comparisons of such groups that say "different"; one side is `times` faster."""
    different = 0
    for _ in range(simulations):
        first = machines_of(random, sides[0], alike, spread)
        second = machines_of(random, sides[1], alike, spread, first=len(sides[0]))
        faster = Clusters(times * first.values, first.sizes, times * first.medians, first.models)
        different += judged(ratio_of_medians(faster, second, "machine")).answer is Outcome.DIFFERENT
    return different / simulations


def held_of_runs(
    random: np.random.Generator, simulations: int, spread: str, memory: float, n: int
) -> Held:
    """The same for runs of one machine; each is `memory` times the one before, plus a shock."""
    truth = float(np.median(steady_lines(random, STEADY[spread], memory, _LONG, _LINES)))
    covered = 0
    widths, independent = [], []
    for line in steady_lines(random, STEADY[spread], memory, n, simulations):
        low, high = of_values(line).interval
        independent.append(high - low)
        runs = Clusters(np.sort(line), np.array([n]), read_in_order=partial(np.array, line))
        interval = figures(runs, "machine").interval
        if interval is None:
            continue
        covered += interval.low <= truth <= interval.high
        widths.append(interval.high - interval.low)
    return Held(
        covered / len(widths) if widths else 1.0,
        1 - len(widths) / simulations,
        0.0,
        float(np.median(widths) / np.median(independent)) if widths else 0.0,
    )


def different_of_unlike_peaks(
    random: np.random.Generator, simulations: int, n: int, share: float
) -> float:
    """Share of comparisons that say "different" of sides with equal medians: a `share` of the
    machines is near the median, the others are half as fast on one side and twice as fast on the
    other.
    """

    def side(count: int, times: float) -> Array:
        values = np.exp(random.normal(0, 0.01, count))
        return np.where(random.random(count) < share, values, times * values)

    medians = [float(np.median(side(_LINES * _LONG, times))) for times in (0.5, 2.0)]
    different = 0
    for _ in range(simulations):
        first, second = (
            Clusters(values, np.ones(n, dtype=np.int64), values)
            for values in (side(n, 0.5) / medians[0], side(n, 2.0) / medians[1])
        )
        different += judged(ratio_of_medians(first, second, "machine")).answer is Outcome.DIFFERENT
    return different / simulations


def called_different_of_several(
    random: np.random.Generator, simulations: int, n: int, alike: float, metrics: int = 16
) -> tuple[float, float]:
    """Share of pages on which some metric of two equal groups is called different: each judged
    alone, and together. Metrics of a machine correlate by `alike`.
    """
    alone = together = 0
    ones = np.ones(n, dtype=np.int64)
    for _ in range(simulations):
        shared = random.normal(size=(2, n))
        ratios = []
        for _ in range(metrics):
            single = random.normal(size=(2, n))
            sides = np.exp(0.05 * (math.sqrt(alike) * shared + math.sqrt(1 - alike) * single))
            first, second = (Clusters(side, ones, side) for side in sides)
            ratios.append(ratio_of_medians(first, second, "machine"))
        alone += any(judged(ratio).answer is Outcome.DIFFERENT for ratio in ratios)
        verdicts = verdicts_together(ratios)
        together += any(verdict.answer is Outcome.DIFFERENT for verdict in verdicts)
    return alone / simulations, together / simulations
