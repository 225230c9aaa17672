"""Rows of results: their arrays are parallel."""

from __future__ import annotations

import numpy as np
from macmeter.documents.derive import DerivedResult
from macmeter.documents.packing import packed
from macmeter.statistics.summary import STORED, steps_of


def result(samples: list[float], *, doubtful: bool = False) -> DerivedResult:
    median = samples[len(samples) // 2]
    return DerivedResult("disk.write_speed", {}, doubtful, median, samples, None, None, None)


def stored(*samples: float) -> bytes:
    return steps_of(np.array(samples)).astype(STORED).tobytes()


def test_results_lie_by_the_numbers_of_their_series() -> None:
    row = packed([result([5.0, 6.0, 7.0]), result([1.0])], [20, 10])
    assert (row["series"], row["medians"], row["counts"]) == ([10, 20], [1.0, 6.0], [1, 3])
    assert (row["doubtful"], row["steps"]) == (None, stored(1.0, 5.0, 6.0, 7.0))
    row = packed([result([0.0, 3.0, 4.0], doubtful=True), result([2.0])], [10, 30])
    assert (row["doubtful"], row["steps"]) == ([True, False], stored(0.0, 3.0, 4.0, 2.0))
    empty = packed([], [])
    assert (empty["series"], empty["counts"], empty["steps"]) == ([], [], b"")
