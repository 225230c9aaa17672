"""A run's results as the one row that is stored of them: see `models.RunResults`."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO

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


def packed(runs: Sequence[Sequence[DerivedResult]], numbers: Iterable[int]) -> list[Packed]:
    """A row for the results of each run; `numbers` are those of all their series, in order."""
    given = iter(numbers)
    ordered = [_ascending(results, [*islice(given, len(results))]) for results in runs]
    # A column at a time, and the steps of all runs at once: each upload comes by here, and numpy
    # takes longer to begin than for the few hundred samples of a run.
    samples = [result.samples for _, results in ordered for result in results]
    together = np.fromiter(chain.from_iterable(samples), np.float64)
    steps = io.BytesIO(steps_of(together).astype(STORED).tobytes())
    return [_row(series, results, steps) for series, results in ordered]


def _ascending(
    results: Sequence[DerivedResult], numbers: Sequence[int]
) -> tuple[list[int], list[DerivedResult]]:
    """Numbers of series, and the results in their order."""
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    return [numbers[place] for place in order], [results[place] for place in order]


def _row(series: list[int], ordered: Sequence[DerivedResult], steps: IO[bytes]) -> Packed:
    """`steps` are read on: those of this run come next."""
    _, _, doubtful, medians, samples, *words = zip(*ordered, strict=True) if ordered else ((),) * 8
    counts = list(map(len, samples))
    return Packed(
        series=series,
        medians=list(medians),
        counts=counts,
        doubtful=list(doubtful) if any(doubtful) else None,
        steps=steps.read(STORED.itemsize * sum(counts)),
        said=_said(series, ordered) if any(map(any, words)) else None,
    )


def _said(series: Sequence[int], ordered: Sequence[DerivedResult]) -> dict[str, Said] | None:
    said = {
        str(number): {name: value for name in WORDS if (value := getattr(result, name)) is not None}
        for number, result in zip(series, ordered, strict=True)
        if result.flags or result.printed or result.qualifier
    }
    return said or None
