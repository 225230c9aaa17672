"""The values of every dimension under the current filters, with their counts.

A dimension that is filtered itself is counted under the others' filters only, so that its
alternatives stay visible. Runs are counted by setup, of which there are few. Machines are counted
in a table of bits, a row for what several dimensions say together, that serves each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.scope import Asker
from macmeter.answers.facets import Facet, Facets, FacetValue
from macmeter.columns.coded import dense, occurring
from macmeter.columns.names import APART, Ints
from macmeter.columns.owned import bits_of
from macmeter.columns.segment import Bools
from macmeter.columns.view import Part
from macmeter.compiled import loops
from macmeter.queries.groups import result_parts
from macmeter.queries.question import Question, askable
from macmeter.reading.moment import Reading, begin_reading
from macmeter.terms import Flagged, Term, Value

# Nobody chooses from a list longer than this; the count says how many there are.
MAX_VALUES = 200
MAX_LABELS = 8
# Machines times what several dimensions say together, counted in one table: a byte each.
_MOST_COUNTED = 2**21

_NONE = np.zeros(0, dtype=np.int64)

RUN_DIMENSIONS = [name for name, d in catalog.DIMENSIONS.items() if d.of == "run"]


async def facets(
    connection: AsyncConnection,
    metrics: tuple[str, ...],
    terms: tuple[Term, ...],
    flagged: Flagged,
    reader: Asker | None,
) -> Facets:
    """The values of every dimension that any run states one of.

    Counts runs; with `metrics`, those that have a result of one of them.
    """
    reading = await begin_reading(connection, reader)
    every = _Counted(reading, metrics, terms, flagged)
    filtered = {term.dimension for term in terms}
    labels = {name for name in filtered if name.startswith(catalog.LABEL_PREFIX)}
    labels |= every.labels()
    names = RUN_DIMENSIONS + _of_samples(metrics) + sorted(labels)
    unfiltered = [name for name in names if name not in filtered]
    every.count_machines(name for name in unfiltered if not _is_apart(name))
    dimensions = []
    for name in names:
        counted = every
        if name in filtered:
            others = tuple(term for term in terms if term.dimension != name)
            counted = _Counted(reading, metrics, others, flagged)
        listed, several = counted.values(name)
        if any(entry.value is not None for entry in listed):
            dimensions.append(Facet(name, several, listed[:MAX_VALUES]))
    return Facets(every.total, dimensions)


def _of_samples(metrics: tuple[str, ...]) -> list[str]:
    found = [catalog.METRICS[name].required + catalog.METRICS[name].optional for name in metrics]
    # A dimension that one of the metrics does not have would count nothing but gaps.
    return [name for name in (found[0] if found else ()) if all(name in of for of in found)]


def _is_apart(name: str) -> bool:
    """Whether it isn't part of setups."""
    return name in APART or catalog.is_of_sample(name)


class _Counted:
    """The runs under some filters, by what tells their dimensions."""

    def __init__(
        self, reading: Reading, metrics: tuple[str, ...], terms: tuple[Term, ...], flagged: Flagged
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
            self._chosen = self._having_any(self._results)
        else:
            self._chosen = [runs.mask for runs in view.runs(terms, reading.scope)]
        counts = [
            segment.kinds.counts(mask, len(segment.runs))
            for segment, mask in zip(view.segments, self._chosen, strict=True)
        ]
        kept = [np.flatnonzero(of_segment) for of_segment in counts]
        # Runs of one owner and setup are counted together: nothing counted here tells them apart.
        self._setups, self._owners, self._runs = (
            np.concatenate(
                [_NONE, *(array.take(at) for array, at in zip(arrays, kept, strict=True))]
            )
            for arrays in (
                [segment.kinds.setup for segment in view.segments],
                [segment.kinds.owner for segment in view.segments],
                counts,
            )
        )
        self.total = int(self._runs.sum())
        self._by_setup = _sums(self._setups, self._runs, len(view.names.setups))
        self._known_machines: dict[str, Ints] = {}

    def _having_any(self, parts: Iterable[Part]) -> list[Bools | None]:
        """By segment, which runs have a row of these parts; None where all have."""
        view = self._view
        found = [np.zeros(len(segment.runs), dtype=bool) for segment in view.segments]
        places = {id(segment): place for place, segment in enumerate(view.segments)}
        # Most series are of the same runs.
        known: dict[tuple[int, int], tuple[object, Part]] = {}
        for part in parts:
            bits = bits_of(part.segment, part.rows)
            known[id(bits), id(part.among)] = (bits, part)
        for _, part in known.values():
            found[places[id(part.segment)]] |= part.having
        return [None if mask.all() else mask for mask in found]

    @cached_property
    def _specified(self) -> tuple[Ints, Ints]:
        """Setups and machines of the runs that name theirs, each pair once a segment."""
        is_named = self._owners & 1 == 0
        if is_named.all():
            return self._setups, self._owners >> 1
        return self._setups[is_named], self._owners[is_named] >> 1

    def count_machines(self, names: Iterable[str]) -> None:
        """Of several dimensions at once: a table of what they say together by machine."""
        setups = np.flatnonzero(self._by_setup)
        together: list[tuple[str, Ints, int]] = []
        numbers: Ints = np.zeros(len(setups), dtype=np.int64)
        for name in names:
            codes, values = self._view.values(name)
            own = codes[setups]
            if len(own) and own.min() == own.max():
                continue  # of which `_of_setups` knows without a table
            both = dense(numbers * len(values) + own)[1]
            if together and self._is_too_much(int(both.max(initial=0)) + 1):
                self._count_together(setups, numbers, together)
                together, both = [], dense(own)[1]
            together.append((name, own, len(values)))
            numbers = both
        self._count_together(setups, numbers, together)

    def _is_too_much(self, rows: int) -> bool:
        return rows * len(self._view.names.machines) > _MOST_COUNTED

    def _count_together(
        self, setups: Ints, numbers: Ints, together: list[tuple[str, Ints, int]]
    ) -> None:
        """`numbers` are by setup what it says in all of these dimensions."""
        if not together or not len(setups):
            return
        by_setup = np.zeros(len(self._by_setup), dtype=np.int64)
        by_setup[setups] = numbers
        of_machines, machines = self._specified
        rows = int(numbers.max()) + 1
        having = self._having(by_setup.take(of_machines), machines, rows)
        examples = np.zeros(rows, dtype=np.int64)
        examples[numbers] = np.arange(len(numbers))
        for name, own, values in together:
            of_rows = own[examples]
            order = np.argsort(of_rows, kind="stable")
            codes, starts = np.unique(of_rows[order], return_index=True)
            found = np.zeros(values, dtype=np.int64)
            either = np.bitwise_or.reduceat(having[order], starts, axis=0)
            found[codes] = np.bitwise_count(either).sum(axis=1)
            self._known_machines[name] = found

    def _having(self, codes: Ints, machines: Ints, rows: int) -> NDArray[np.uint8]:
        """A row of bits for each code: which machines have it."""
        count = len(self._view.names.machines)
        table = np.zeros(rows * count, dtype=bool)
        table[codes.astype(np.int64, copy=False) * count + machines] = True
        return np.packbits(table.reshape(rows, count), axis=1)

    def values(self, name: str) -> tuple[list[FacetValue], int]:
        """The values, those of most runs first, and how many there are."""
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
            key=lambda entry: (entry.value is None, -entry.runs, str(entry.value)),
        )
        return ordered, len(ordered)

    def _of_setups(self, name: str) -> list[FacetValue]:
        codes, values = self._view.values(name)
        runs = np.bincount(codes, weights=self._by_setup, minlength=len(values))
        having = np.flatnonzero(runs)
        if len(having) > 1 and name not in self._known_machines:
            self.count_machines([name])
        every = self._known_machines.get(name)
        if every is None:
            # Most dimensions say the same of all runs.
            every = np.zeros(len(values), dtype=np.int64)
            every[having] = self._every_machine
        return _listed(values, runs, every)

    @cached_property
    def _every_machine(self) -> int:
        return len(occurring(self._specified[1]))

    def _of_months(self) -> list[FacetValue]:
        months = self._view.names.months.things
        runs = np.zeros(len(months), dtype=np.int64)
        machines = np.zeros((len(months), len(self._view.names.machines)), dtype=np.uint8)
        for segment, mask in zip(self._view.segments, self._chosen, strict=True):
            month, owner = map(loops.small, (segment.runs.month, segment.runs.owner))
            loops.mark_machines(month, owner, mask, runs, machines)
        return _listed(months, runs, np.count_nonzero(machines, axis=1))

    def _of_machines(self) -> tuple[list[FacetValue], int]:
        """Of no more than are shown: there may be very many."""
        machines = self._view.names.machine_ids()
        runs = _sums(self._owners, self._runs, 2 * len(machines)).reshape(-1, 2)
        every = runs.sum(axis=1)
        numbers = np.flatnonzero(every)
        several = len(numbers)
        if several > MAX_VALUES:
            least = np.partition(every[numbers], several - MAX_VALUES)[several - MAX_VALUES]
            numbers = numbers[every[numbers] >= least]
        # Mostly very many have as many runs as the last that is shown.
        ids = machines[numbers].view(">u8")
        order = np.lexsort((ids[1::2], ids[::2], -every[numbers]))
        ordered = numbers[order[:MAX_VALUES]].tolist()
        listed = [
            FacetValue(
                str(self._view.machine_id(number)), int(every[number]), int(runs[number, 0] > 0)
            )
            for number in ordered
        ]
        return listed, several

    def _of_samples(self, name: str) -> list[FacetValue]:
        parts_of: dict[Value, list[Part]] = {}
        for part in self._results:
            parts_of.setdefault(self._view.parameter(part.series, name), []).append(part)
        # Values of series of the same runs are counted once.
        known: dict[bytes, tuple[int, int]] = {}
        listed = []
        for value, parts in parts_of.items():
            masks = self._having_any(parts)
            key = b"".join(
                b"all" if mask is None else np.packbits(mask).tobytes() for mask in masks
            )
            if key not in known:
                known[key] = self._count(masks)
            listed.append(FacetValue(value, *known[key]))
        return listed

    def _count(self, masks: Sequence[Bools | None]) -> tuple[int, int]:
        """How many runs these are, and how many machines that are named."""
        runs = 0
        owners = np.zeros(2 * len(self._view.names.machines), dtype=bool)
        for segment, mask in zip(self._view.segments, masks, strict=True):
            counts = segment.kinds.counts(mask, len(segment.runs))
            runs += int(counts.sum())
            owners[segment.kinds.owner[counts > 0]] = True
        return runs, int(np.count_nonzero(owners[::2]))

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


def _sums(codes: Ints, weights: Ints, length: int) -> Ints:
    """Of each code below `length` the sum of its weights."""
    # As floats numpy counts whole numbers exactly, far beyond any of runs.
    return np.bincount(codes, weights=weights, minlength=length).astype(np.int64)


def _listed(values: Sequence[Any], runs: Any, machines: Ints) -> list[FacetValue]:
    """Values with the same meaning are one: fleets without a name."""
    listed: dict[Any, FacetValue] = {}
    for value, count, having in zip(values, runs, machines, strict=True):
        if count:
            listed[value] = FacetValue(value, int(count), int(having))
    return [*listed.values()]
