"""A run's results as the one row that is stored of them: see `models.RunResults`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from macmeter import Json
from macmeter.documents.derive import DerivedResult
from macmeter.statistics.spread import STORED, steps_of

WORDS = ("flags", "printed", "qualifier")


def packed(results: Sequence[DerivedResult], numbers: Sequence[int]) -> Json:
    """The columns of the row without its key. `numbers` are those of the results' series, in the
    results' order; the row's arrays are in the order of numbers.
    """
    ordered = sorted(zip(numbers, results, strict=True), key=lambda pair: pair[0])
    samples = [result.samples for _, result in ordered]
    together = np.fromiter(chain.from_iterable(samples), np.float64)
    doubtful = [result.doubtful for _, result in ordered]
    said = {
        str(number): {name: value for name in WORDS if (value := getattr(result, name)) is not None}
        for number, result in ordered
        if result.flags or result.printed or result.qualifier
    }
    return {
        "series": [number for number, _ in ordered],
        "medians": [result.median for _, result in ordered],
        "counts": [len(of_one) for of_one in samples],
        "doubtful": doubtful if any(doubtful) else None,
        "steps": steps_of(together).astype(STORED).tobytes(),
        "said": said or None,
    }
