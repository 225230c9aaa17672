"""The values of every dimension under the current filters, with their counts.

A dimension that is filtered itself is counted under the others' filters only, so that its
alternatives stay visible. Counting is done by setups and by pairs of a setup and a machine, of
which there are few beside runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.columns.names import Ints
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
    counted: dict[str, list[Json]] = {}
    for name in names:
        if name in filtered:
            others = tuple(term for term in terms if term.dimension != name)
            counted[name] = _Counted(reading, metrics, others, flagged).values(name)
        else:
            counted[name] = every.values(name)
    return {
        "total": every.total,
        "dimensions": [
            {"name": name, "distinct": len(counted[name]), "values": counted[name][:MAX_VALUES]}
            for name in names
            if any(entry["value"] is not None for entry in counted[name])
        ],
    }


def _of_samples(metrics: tuple[str, ...]) -> list[str]:
    found = [catalog.METRICS[name].required + catalog.METRICS[name].optional for name in metrics]
    # A dimension that one of the metrics does not have would count nothing but gaps.
    return [name for name in (found[0] if found else ()) if all(name in of for of in found)]


class _Counted:
    """The runs under some filters, by what tells their dimensions."""

    def __init__(
        self, reading: Reading, metrics: tuple[str, ...], terms: tuple[Term, ...], flagged: str
    ) -> None:
        self._view = reading.view
        self._metrics = metrics
        if metrics:
            self._results = [
                part
                for metric in metrics
                for listed in result_parts(
                    reading, Question((metric,), flagged=flagged), metric, terms
                ).values()
                for part in listed
            ]
            chosen = np.zeros(len(self._view.of_runs("setup")), dtype=bool)
            for part in self._results:
                chosen[part.runs] = True
        else:
            self._results = []
            chosen = np.concatenate(
                [np.zeros(0, dtype=bool), *self._view.runs(terms, reading.scope)]
            )
        self._runs = np.flatnonzero(chosen)
        self.total = len(self._runs)
        self._setups = self._view.of_runs("setup")[self._runs].astype(np.int64)
        self._by_setup = np.bincount(self._setups, minlength=len(self._view.names.setups))
        self._pairs = self._owned(self._setups, self._runs)

    def _owned(self, codes: Ints, runs: Ints) -> tuple[Ints, Ints]:
        """Each code with each machine that has it, once; unspecified ones left out."""
        kinds, values = self._view.values("unspecified")
        unspecified = np.array([bool(value) for value in values], dtype=bool)
        specified = ~unspecified[kinds][self._view.of_runs("setup")[runs]]
        machines = self._view.of_runs("machine")[runs[specified]].astype(np.int64)
        count = max(len(self._view.names.machines), 1)
        pairs = np.sort(codes[specified] * count + machines)
        pairs = pairs[np.flatnonzero(np.diff(pairs, prepend=-1))]
        return pairs // count, pairs % count

    def values(self, name: str) -> list[Json]:
        """`{value, runs, machines}` of each value, those of most runs first."""
        if name in ("machine", "month"):
            listed = self._of_runs(name)
        elif catalog.is_of_sample(name):
            listed = self._of_samples(name)
        else:
            codes, values = self._view.values(name)
            setups, machines = self._pairs
            runs = np.bincount(codes, weights=self._by_setup, minlength=len(values))
            listed = _listed(values, runs, self._machines(codes[setups], machines, len(values)))
        return sorted(
            listed,
            key=lambda entry: (entry["value"] is None, -entry["runs"], str(entry["value"])),
        )

    def _machines(self, codes: Ints, machines: Ints, values: int) -> Ints:
        """By value, how many machines have it."""
        count = max(len(self._view.names.machines), 1)
        if values * count <= 2**26:
            having = np.zeros(values * count, dtype=bool)
            having[codes * count + machines] = True
            found: Ints = having.reshape(values, count).sum(axis=1)
            return found
        pairs = np.unique(codes * count + machines)
        return np.bincount(pairs // count, minlength=values)

    def _of_runs(self, name: str) -> list[Json]:
        codes = self._view.of_runs(name)[self._runs].astype(np.int64)
        if name == "month":
            months = self._view.names.months.things
            owned, machines = self._owned(codes, self._runs)
            runs = np.bincount(codes, minlength=len(months))
            return _listed(months, runs, self._machines(owned, machines, len(months)))
        runs = np.bincount(codes, minlength=len(self._view.names.machines))
        owned, _ = self._owned(codes, self._runs)
        known = np.bincount(owned, minlength=len(runs)) > 0
        return [
            {
                "value": str(self._view.machine_id(number)),
                "runs": int(runs[number]),
                "machines": int(known[number]),
            }
            for number in np.flatnonzero(runs).tolist()
        ]

    def _of_samples(self, name: str) -> list[Json]:
        runs_of: dict[Value, list[Ints]] = {}
        for part in self._results:
            value = self._view.parameter(part.series, name)
            runs_of.setdefault(value, []).append(part.runs)
        listed = []
        for value, parts in runs_of.items():
            runs = np.unique(np.concatenate(parts))
            _, machines = self._owned(np.zeros(len(runs), dtype=np.int64), runs)
            listed.append({"value": value, "runs": len(runs), "machines": len(machines)})
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
