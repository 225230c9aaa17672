"""A run's results as the one row that is stored of them: see `models.RunResults`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from macmeter.documents.derive import DerivedResult
from macmeter.stats.spread import STORED, steps_of

WORDS = ("flags", "printed", "qualifier")


# What is stored in words of a result, by the names in WORDS.
Said = dict[str, list[str] | str]


@dataclass(frozen=True)
class Packed:
    """`series` ascend; `medians`, `counts` and `doubtful` lie beside them."""

    series: list[int]
    medians: list[float]
    counts: list[int]
    doubtful: list[bool] | None
    steps: bytes
    said: dict[str, Said] | None


def packed(results: Sequence[DerivedResult], numbers: Sequence[int]) -> Packed:
    """`numbers` are those of the results' series, in order."""
    # A column at a time: a full run has some fifty results, each upload comes by here.
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    ordered = [results[place] for place in order]
    _, _, doubtful, medians, samples, *words = zip(*ordered, strict=True) if ordered else ((),) * 8
    series = [numbers[place] for place in order]
    together = np.fromiter(chain.from_iterable(samples), np.float64)
    return Packed(
        series=series,
        medians=list(medians),
        counts=list(map(len, samples)),
        doubtful=list(doubtful) if any(doubtful) else None,
        steps=steps_of(together).astype(STORED).tobytes(),
        said=_said(series, ordered) if any(map(any, words)) else None,
    )


def _said(series: Sequence[int], ordered: Sequence[DerivedResult]) -> dict[str, Said] | None:
    said = {
        str(number): {name: value for name in WORDS if (value := getattr(result, name)) is not None}
        for number, result in zip(series, ordered, strict=True)
        if result.flags or result.printed or result.qualifier
    }
    return said or None
