"""Runs that an answer leaves out for a doubt."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from macmeter.columns.names import Ints
from macmeter.columns.view import View
from macmeter.reading.moment import Reading
from macmeter.terms import Term


@dataclass(frozen=True, eq=False)
class Doubted:
    """Runs by their numbers, each once; of each of their doubted results its flags."""

    view: View
    runs: Ints
    _of_results: Ints
    _flags: Ints

    def flags_of(self, run_id: uuid.UUID) -> set[str]:
        """The run's own flags and those of its results that are left out."""
        named = self.view.names.flags.things
        ids = self.view.of_runs("run_id")[self._of_results]
        numbers = np.unique(self._flags[ids == np.void(run_id.bytes)]).tolist()
        return {code for flags in numbers for code in named[flags]}


def doubted(reading: Reading, metrics: Iterable[str], terms: Sequence[Term]) -> Doubted:
    """The runs of which a result of these metrics is doubted; withdrawn ones are another matter."""
    view = reading.view
    nothing: Ints = np.zeros(0, dtype=np.int64)
    runs, flags = [nothing], [nothing]
    for metric in metrics:
        for parts in view.parts(metric, terms, reading.scope, aside=True).values():
            runs += (part.runs for part in parts)
            flags += (part.only(part.rows.flags).astype(np.int64) for part in parts)
    of_results, carried = np.concatenate(runs), np.concatenate(flags)
    stands = ~view.of_runs("withdrawn")[of_results]
    return Doubted(view, np.unique(of_results[stands]), of_results[stands], carried[stands])
