"""A difference that "would have shown" shows in about four of five such comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.figures import Ratio, ratio_of_medians, ratio_of_pairs
from macmeter.statistics.verdict import (
    Outcome,
    detectable,
    deviations_of,
    judged,
    verdicts_together,
)

TIMES = 300
SPREAD = 0.05
DRAWS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "normal": lambda random, n: random.normal(size=n),
    "heavy tails": lambda random, n: random.standard_t(3, size=n),
}


def clusters(values: np.ndarray) -> Clusters:
    ones = np.ones(len(values), dtype=np.int64)
    return Clusters(np.exp(values), ones, np.exp(values), None)


def of_machines(random: np.random.Generator, draw: str, sizes: tuple[int, int], by: float) -> Ratio:
    over, under = (SPREAD * DRAWS[draw](random, size) for size in sizes)
    return ratio_of_medians(clusters(over + math.log(by)), clusters(under), "machine")


def of_pairs(random: np.random.Generator, draw: str, sizes: tuple[int, int], by: float) -> Ratio:
    return ratio_of_pairs(
        SPREAD * DRAWS[draw](random, sizes[0]) + math.log(by), are_logarithms=True
    )


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("sizes", [(6, 6), (9, 8), (30, 20)])
@pytest.mark.parametrize("compare", [of_machines, of_pairs])
def test_it_is_found_in_about_four_of_five(
    draw: str, sizes: tuple[int, int], compare: Callable[..., Ratio]
) -> None:
    random = np.random.default_rng(42)
    logs = []
    for _ in range(TIMES):
        interval = compare(random, draw, sizes, 1.0).interval
        assert interval is not None
        logs.append(math.log(detectable(interval.low, interval.high) or math.nan))
    typical = math.exp(float(np.median(logs)))
    ratios = [compare(random, draw, sizes, typical) for _ in range(TIMES)]
    share = sum(judged(ratio).answer is Outcome.DIFFERENT for ratio in ratios) / TIMES
    assert 0.68 < share < 0.92
    # Half of it would be missed more often than not.
    halves = [compare(random, draw, sizes, math.sqrt(typical)) for _ in range(TIMES)]
    assert sum(judged(ratio).answer is Outcome.DIFFERENT for ratio in halves) / TIMES < 0.5


def test_several_verdicts_at_once_need_more() -> None:
    random = np.random.default_rng(7)
    alone = judged(quiet := of_machines(random, "normal", (12, 12), 1.0))
    together = verdicts_together([quiet, *(of_pairs(random, "normal", (12, 0), 1.0),) * 5])[0]
    assert alone.answer is together.answer is Outcome.NO_EVIDENCE
    assert alone.detectable is not None
    assert together.detectable is not None
    assert together.detectable > alone.detectable
    assert quiet.interval is not None
    ends = quiet.interval.low, quiet.interval.high
    assert together.detectable == detectable(*ends, deviations_of(6))


def test_without_a_width_nothing_can_be_told() -> None:
    assert detectable(1.0, 1.0) is None
    assert detectable(0.0, 1.2) is None
    assert detectable(0.9, math.inf) is None
