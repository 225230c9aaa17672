"""Rows of results: those of several runs are made at once, and each is its own."""

from __future__ import annotations

import numpy as np
from macmeter.documents.derive import DerivedResult
from macmeter.documents.packing import packed
from macmeter.stats.spread import STORED, steps_of


def result(samples: list[float], *, doubtful: bool = False) -> DerivedResult:
    median = samples[len(samples) // 2]
    return DerivedResult("disk.write_speed", {}, doubtful, median, samples, None, None, None)


def stored(*samples: float) -> bytes:
    return steps_of(np.array(samples)).astype(STORED).tobytes()


def test_each_of_several_runs_has_its_own_results_by_the_numbers_of_its_series() -> None:
    first = [result([5.0, 6.0, 7.0]), result([1.0])]
    last = [result([0.0, 3.0, 4.0], doubtful=True)]
    one, nothing, other = packed([first, [], last], [20, 10, 10])
    assert (one.series, one.medians, one.counts) == ([10, 20], [1.0, 6.0], [1, 3])
    assert (one.doubtful, one.steps) == (None, stored(1.0, 5.0, 6.0, 7.0))
    assert (nothing.series, nothing.counts, nothing.steps) == ([], [], b"")
    assert (other.series, other.medians, other.counts) == ([10], [3.0], [3])
    assert (other.doubtful, other.steps) == ([True], stored(0.0, 3.0, 4.0))
