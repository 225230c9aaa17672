"""The values of every dimension under the current filters, with their counts.

A dimension that is filtered itself is counted under the others' filters only, so that its
alternatives stay visible. Counting is done by setups and by pairs of a setup and a machine, of
which there are few beside runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.columns.names import Ints
from macmeter.columns.view import Part
from macmeter.queries.groups import result_parts
from macmeter.queries.question import Question, askable
from macmeter.reading.moment import Reading, begin_reading
from macmeter.terms import Term, Value

Json = dict[str, Any]

# A list longer than this is no choice any more; the count says how many there are.
MAX_VALUES = 200
MAX_LABELS = 8

RUN_DIMENSIONS = [name for name, d in catalog.DIMENSIONS.items() if d.of == "run"]


async def facets(
    connection: AsyncConnection,
    metrics: tuple[str, ...],
    terms: tuple[Term, ...],
    flagged: str,
    reader: Bearer | None,
) -> Json:
    """`{total, dimensions: [{name, distinct, values: [{value, runs, machines}]}]}`.

    Counts runs; with `metrics`, those that have a result of one of them.
    """
    reading = await begin_reading(connection, reader)
    every = _Counted(reading, metrics, terms, flagged)
    filtered = {term.dimension for term in terms}
    labels = {name for name in filtered if name.startswith(catalog.LABEL_PREFIX)}
    labels |= every.labels()
    names = RUN_DIMENSIONS + _of_samples(metrics) + sorted(labels)
    dimensions = []
    for name in names:
        counted = every
        if name in filtered:
            others = tuple(term for term in terms if term.dimension != name)
            counted = _Counted(reading, metrics, others, flagged)
        listed, several = counted.values(name)
        if any(entry["value"] is not None for entry in listed):
            dimensions.append({"name": name, "distinct": several, "values": listed[:MAX_VALUES]})
    return {"total": every.total, "dimensions": dimensions}


def _of_samples(metrics: tuple[str, ...]) -> list[str]:
    found = [catalog.METRICS[name].required + catalog.METRICS[name].optional for name in metrics]
    # A dimension that one of the metrics does not have would count nothing but gaps.
    return [name for name in (found[0] if found else ()) if all(name in of for of in found)]


class _Counted:
    """The runs under some filters, by what tells their dimensions."""

    def __init__(
        self, reading: Reading, metrics: tuple[str, ...], terms: tuple[Term, ...], flagged: str
    ) -> None:
        self._view = view = reading.view
        self._metrics = metrics
        self._results: list[Part] = []
        if metrics:
            self._results = [
                part
                for metric in metrics
                for listed in result_parts(
                    reading, Question((metric,), flagged=flagged), metric, terms
                ).values()
                for part in listed
            ]
            chosen = [np.zeros(len(segment.runs), dtype=bool) for segment in view.segments]
            places = {id(segment): place for place, segment in enumerate(view.segments)}
            for part in self._results:
                chosen[places[id(part.segment)]][part.only(part.rows.run)] = True
        else:
            chosen = [
                np.ones(len(segment.runs), dtype=bool) if runs.mask is None else runs.mask
                for segment, runs in zip(
                    view.segments, view.runs(terms, reading.scope), strict=True
                )
            ]
        self._places = [None if mask.all() else np.flatnonzero(mask) for mask in chosen]
        self._setups, self._owners = self._of("setup"), self._of("owner")
        self.total = len(self._setups)
        self._by_setup = np.bincount(self._setups, minlength=len(view.names.setups))
        self._pairs = self._owned(self._setups, self._owners)

    def _of(self, name: str) -> NDArray[Any]:
        """One of the arrays of runs, of those that are counted."""
        arrays = [
            getattr(segment.runs, name) if places is None else getattr(segment.runs, name)[places]
            for segment, places in zip(self._view.segments, self._places, strict=True)
        ]
        return np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int32)

    def _owned(self, codes: NDArray[Any], owners: NDArray[Any]) -> tuple[Ints, Ints]:
        """Each code with each machine that has it, at least once; unspecified ones left out."""
        # Where one run is like the one before it, which most are that lie side by side.
        new = np.ones(len(codes), dtype=bool)
        new[1:] = (codes[1:] != codes[:-1]) | (owners[1:] != owners[:-1])
        new &= owners & 1 == 0
        return codes[new].astype(np.int64), owners[new].astype(np.int64) >> 1

    def values(self, name: str) -> tuple[list[Json], int]:
        """`{value, runs, machines}` of values, those of most runs first, and how many there are."""
        if name == "machine":
            return self._of_machines()
        if name == "month":
            listed = self._of_months()
        elif catalog.is_of_sample(name):
            listed = self._of_samples(name)
        else:
            listed = self._of_setups(name)
        ordered = sorted(
            listed,
            key=lambda entry: (entry["value"] is None, -entry["runs"], str(entry["value"])),
        )
        return ordered, len(ordered)

    def _of_setups(self, name: str) -> list[Json]:
        codes, values = self._view.values(name)
        runs = np.bincount(codes, weights=self._by_setup, minlength=len(values))
        setups, machines = self._pairs
        having = np.flatnonzero(runs)
        if len(having) > 1:
            return _listed(values, runs, self._machines(codes[setups], machines, len(values)))
        # Most dimensions say the same of all runs.
        every = np.zeros(len(values), dtype=np.int64)
        every[having] = self._every_machine
        return _listed(values, runs, every)

    @cached_property
    def _every_machine(self) -> int:
        return int(np.count_nonzero(np.bincount(self._pairs[1])))

    def _machines(self, codes: Ints, machines: Ints, values: int) -> Ints:
        """By value, how many machines have it."""
        count = max(len(self._view.names.machines), 1)
        if values * count <= 2**26:
            having = np.zeros(values * count, dtype=bool)
            having[codes * count + machines] = True
            found: Ints = np.count_nonzero(having.reshape(values, count), axis=1)
            return found
        pairs = np.unique(codes * count + machines)
        return np.bincount(pairs // count, minlength=values)

    def _of_months(self) -> list[Json]:
        months = self._view.names.months.things
        codes = self._of("month")
        owned, machines = self._owned(codes, self._owners)
        runs = np.bincount(codes, minlength=len(months))
        return _listed(months, runs, self._machines(owned, machines, len(months)))

    def _of_machines(self) -> tuple[list[Json], int]:
        """Of no more than are shown: there may be very many."""
        things = self._view.names.machines.things
        runs = np.bincount(self._owners, minlength=2 * len(things)).reshape(-1, 2)
        every = runs.sum(axis=1)
        numbers = np.flatnonzero(every)
        several = len(numbers)
        if several > MAX_VALUES:
            least = np.partition(every[numbers], several - MAX_VALUES)[several - MAX_VALUES]
            numbers = numbers[every[numbers] >= least]
        ordered = sorted(numbers.tolist(), key=lambda number: (-every[number], things[number]))
        listed = [
            {
                "value": str(self._view.machine_id(number)),
                "runs": int(every[number]),
                "machines": int(runs[number, 0] > 0),
            }
            for number in ordered[:MAX_VALUES]
        ]
        return listed, several

    def _of_samples(self, name: str) -> list[Json]:
        parts_of: dict[Value, list[Part]] = {}
        for part in self._results:
            parts_of.setdefault(self._view.parameter(part.series, name), []).append(part)
        listed = []
        for value, parts in parts_of.items():
            having = np.zeros(self._view.first_runs[-1], dtype=bool)
            machines = np.zeros(2 * len(self._view.names.machines), dtype=bool)
            for part in parts:
                having[part.runs] = True
                machines[part.of_runs("owner")] = True
            counted = {"runs": int(having.sum()), "machines": int(machines[::2].sum())}
            listed.append({"value": value, **counted})
        return listed

    def labels(self) -> set[str]:
        """The labels that most runs of workloads have: they alone tell configurations apart."""
        if not self._metrics or any(
            catalog.METRICS[name].suite != "workload" for name in self._metrics
        ):
            return set()
        runs: dict[str, int] = {}
        codes, values = self._view.names.setup_values("labels")
        for labels, count in zip(
            values, np.bincount(codes, weights=self._by_setup, minlength=len(values)), strict=True
        ):
            for key, _ in labels:
                runs[key] = runs.get(key, 0) + int(count)
        most = sorted((key for key in runs if runs[key]), key=lambda key: (-runs[key], key))
        # Of a key with these a question could not be asked.
        return {
            catalog.LABEL_PREFIX + key
            for key in most[:MAX_LABELS]
            if key and askable(catalog.LABEL_PREFIX + key)
        }


def _listed(values: Sequence[Any], runs: Any, machines: Ints) -> list[Json]:
    """Values that stand for the same are one: fleets without a name."""
    listed: dict[Any, Json] = {}
    for value, count, having in zip(values, runs, machines, strict=True):
        if count:
            listed[value] = {"value": value, "runs": int(count), "machines": int(having)}
    return [*listed.values()]
