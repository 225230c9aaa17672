"""A run's results as the one row that is stored of them: see `models.RunResults`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

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
    ordered = sorted(zip(numbers, results, strict=True), key=itemgetter(0))
    doubtful = [result.doubtful for _, result in ordered]
    samples = [sample for _, result in ordered for sample in result.samples]
    said = {str(number): words for number, result in ordered if (words := _said(result))}
    return Packed(
        series=[number for number, _ in ordered],
        medians=[result.median for _, result in ordered],
        counts=[len(result.samples) for _, result in ordered],
        doubtful=doubtful if any(doubtful) else None,
        steps=steps_of(np.array(samples, dtype=np.float64)).astype(STORED).tobytes(),
        said=said or None,
    )


def _said(result: DerivedResult) -> Said:
    if not (result.flags or result.printed or result.qualifier):
        return {}
    return {name: value for name in WORDS if (value := getattr(result, name)) is not None}
