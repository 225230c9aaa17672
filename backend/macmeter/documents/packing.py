"""Packing of a run's results into one stored row: see `models.RunResults`."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from macmeter import Json
from macmeter.documents.derive import DerivedResult
from macmeter.statistics.summary import STORED, steps_of

WORDS = ("flags", "printed", "qualifier")


def packed(results: Sequence[DerivedResult], numbers: Sequence[int]) -> Json:
    """Return the row's columns without its key, sorted by series number. `numbers` are the series
    numbers of `results`, in the same order.
    """
    ordered = sorted(zip(numbers, results, strict=True), key=lambda pair: pair[0])
    samples = [result.samples for _, result in ordered]
    together = np.fromiter(chain.from_iterable(samples), np.float64)
    doubtful = [result.doubtful for _, result in ordered]
    words = {
        str(number): {name: value for name in WORDS if (value := getattr(result, name)) is not None}
        for number, result in ordered
        if result.flags or result.printed or result.qualifier
    }
    return {
        "series": [number for number, _ in ordered],
        "medians": [result.median for _, result in ordered],
        "counts": [len(values) for values in samples],
        "doubtful": doubtful if any(doubtful) else None,
        "steps": steps_of(together).astype(STORED).tobytes(),
        "said": words or None,
    }
