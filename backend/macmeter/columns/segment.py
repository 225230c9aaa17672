"""A segment: so many runs and their results as arrays, made once and never changed.

Runs are ordered by setup, and the rows of each series by run, so that a filter reads neighbours.
A row's value is known by its rank among the series' values: sorting ranks is sorting whole numbers,
which is ten times as fast, and values then come out in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.names import SETUP, Device, Host, Ints, Names
from macmeter.stats.spread import steps_of

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Small = NDArray[np.int32]

_VALUE = np.dtype(">f8")
# PostgreSQL's binary array: length and value of each element.
_ELEMENT = np.dtype([("length", ">i4"), ("value", ">f8")])
RUN_ID = np.dtype("V16")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class Rows:
    """Results of one series, ordered by run: R rows."""

    run: Small
    """Their runs' places in the segment."""
    rank: Small
    values: Floats
    """Ascending: a row's value is `values[rank]`."""
    flags: Small
    counts: NDArray[np.uint16]
    samples: NDArray[np.int16]
    """Of all rows, one after another, `counts` of each; in steps of their logarithm."""

    def __len__(self) -> int:
        return len(self.run)

    @cached_property
    def starts(self) -> Ints:
        """Where each row's samples begin, and where the last end."""
        return np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])


@dataclass(frozen=True)
class Column:
    """One series: what answers count, and apart what is doubted or withdrawn."""

    clean: Rows
    aside: Rows


@dataclass(frozen=True)
class Runs:
    """The segment's runs, ordered by setup: N of each."""

    setup: Small
    machine: Small
    month: Small
    device: Small
    host: Small
    flags: Small
    withdrawn: Bools
    run_id: NDArray[Any]
    received: NDArray[np.int64]
    """Microseconds since 1970."""

    def __len__(self) -> int:
        return len(self.setup)


@dataclass(frozen=True, eq=False)
class Segment:
    runs: Runs
    columns: Mapping[int, Column]
    """By the series' number."""

    @cached_property
    def places(self) -> dict[bytes, int]:
        """Each run's place by its id."""
        return {run_id: place for place, run_id in enumerate(self.runs.run_id.tolist())}


def build(names: Names, rows: Sequence[Any]) -> Segment:
    """The segment of these rows of `batch`; gives numbers to what has none yet."""
    numbered = sorted(
        ((names.setups.of(_setup(row)), row) for row in rows),
        key=lambda of: (of[0], of[1].run_id),
    )
    runs = [row for _, row in numbered]
    return Segment(
        Runs(
            setup=_small(setup for setup, _ in numbered),
            machine=_small(names.machines.of(run.machine_id.bytes) for run in runs),
            month=_small(names.months.of(run.month) for run in runs),
            device=_small(names.devices.of(_device(run)) for run in runs),
            host=_small(names.hosts.of(_host(run)) for run in runs),
            flags=_small(names.flags.of(tuple(run.flags)) for run in runs),
            withdrawn=np.array([run.withdrawn for run in runs], dtype=bool),
            run_id=np.array([run.run_id.bytes for run in runs], dtype=RUN_ID),
            received=np.array(
                [(run.received_at - _EPOCH) // _MICROSECOND for run in runs], dtype=np.int64
            ),
        ),
        _columns(names, runs),
    )


def _setup(row: Any) -> tuple[Any, ...]:
    cells = row._mapping
    return tuple(
        tuple(sorted(cells[name].items())) if name == "labels" else cells[name] for name in SETUP
    )


def _device(row: Any) -> Device:
    return Device(row.device_id, tuple(sorted(row.holder.items())) if row.holder else None)


def _host(row: Any) -> Host | None:
    return Host(row.host_machine_id, row.token_id) if row.host_machine_id else None


def _columns(names: Names, runs: Sequence[Any]) -> dict[int, Column]:
    """The results of all runs, taken apart by series."""
    counted = [(place, run) for place, run in enumerate(runs) if run.series]
    if not counted:
        return {}
    lengths = [len(run.series) for _, run in counted]
    series = np.concatenate([np.array(run.series) for _, run in counted])
    place = np.repeat(np.array([place for place, _ in counted]), lengths)
    values = np.frombuffer(b"".join(run.medians for _, run in counted), _VALUE).astype(np.float64)
    counts = np.concatenate([np.array(run.counts) for _, run in counted])
    aside = np.concatenate([np.array(run.doubtful) | run.withdrawn for _, run in counted])
    flags = np.concatenate([_flags(names, run) for _, run in counted])
    samples = steps_of(
        np.frombuffer(b"".join(run.samples for _, run in counted), _ELEMENT)["value"]
    )
    starts = np.concatenate([[0], np.cumsum(counts)])
    columns = {}
    order = np.argsort(series, kind="stable")
    for of_series in np.split(order, np.flatnonzero(np.diff(series[order])) + 1):
        parts = []
        for chosen in (of_series[~aside[of_series]], of_series[aside[of_series]]):
            inside = expand(starts[chosen], counts[chosen])
            parts.append(
                rows_of(
                    place[chosen], values[chosen], flags[chosen], counts[chosen], samples[inside]
                )
            )
        columns[int(series[of_series[0]])] = Column(*parts)
    return columns


def _flags(names: Names, run: Any) -> Ints:
    own, of_results = tuple(run.flags), run.result_flags or {}
    if not of_results:
        return np.full(len(run.series), names.flags.of(own))
    return np.array(
        [names.flags.of(own + tuple(of_results.get(str(number), ()))) for number in run.series]
    )


def rows_of(
    run: NDArray[Any],
    values: NDArray[Any],
    flags: NDArray[Any],
    counts: NDArray[Any],
    samples: NDArray[np.int16],
) -> Rows:
    """Rows in the order of runs, with their values ranked."""
    order = np.argsort(values, kind="stable")
    rank = np.empty(len(values), dtype=np.int32)
    rank[order] = np.arange(len(values), dtype=np.int32)
    return Rows(
        run=run.astype(np.int32),
        rank=rank,
        values=values[order].astype(np.float64),
        flags=flags.astype(np.int32),
        counts=counts.astype(np.uint16),
        samples=samples,
    )


def expand(starts: Ints, counts: NDArray[Any]) -> Ints:
    """The numbers from each start on, `counts` of each, one after another."""
    ends = np.cumsum(counts, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    found: Ints = np.arange(total) + np.repeat(starts - ends + counts, counts)
    return found


def _small(numbers: Iterable[int]) -> Small:
    return np.fromiter(numbers, dtype=np.int32)


def merge(parts: Sequence[tuple[Segment, Bools]]) -> Segment:
    """One segment of all the runs of several that are alive."""
    kept = [np.flatnonzero(alive) for _, alive in parts]
    lengths = [len(places) for places in kept]
    first = np.cumsum([0, *lengths])
    setup = np.concatenate(
        [segment.runs.setup[at] for (segment, _), at in zip(parts, kept, strict=True)]
    )
    order = np.argsort(setup, kind="stable")
    moved = np.empty(len(order), dtype=np.int64)
    moved[order] = np.arange(len(order))
    # Where each run of each part has gone; -1 where it is gone.
    places = []
    for (segment, _), at, start in zip(parts, kept, first, strict=False):
        to = np.full(len(segment.runs), -1, dtype=np.int64)
        to[at] = moved[start : start + len(at)]
        places.append(to)

    def of_runs(name: str) -> Any:
        arrays = [
            getattr(segment.runs, name)[at] for (segment, _), at in zip(parts, kept, strict=True)
        ]
        return np.concatenate(arrays)[order]

    runs = Runs(**{one.name: of_runs(one.name) for one in fields(Runs)})
    columns = {}
    for number in sorted({number for segment, _ in parts for number in segment.columns}):
        found = [
            (segment.columns[number], to)
            for (segment, _), to in zip(parts, places, strict=True)
            if number in segment.columns
        ]
        columns[number] = Column(
            _merged([(column.clean, to) for column, to in found]),
            _merged([(column.aside, to) for column, to in found]),
        )
    return Segment(runs, columns)


def _merged(parts: Sequence[tuple[Rows, Ints]]) -> Rows:
    chosen = [np.flatnonzero(to[rows.run] >= 0) for rows, to in parts]
    run = np.concatenate([to[rows.run[at]] for (rows, to), at in zip(parts, chosen, strict=True)])
    order = np.argsort(run, kind="stable")

    def of(name: str) -> Any:
        arrays = [getattr(rows, name)[at] for (rows, _), at in zip(parts, chosen, strict=True)]
        return np.concatenate(arrays)[order]

    values = np.concatenate(
        [rows.values[rows.rank[at]] for (rows, _), at in zip(parts, chosen, strict=True)]
    )[order]
    samples = np.concatenate(
        [
            rows.samples[expand(rows.starts[at], rows.counts[at])]
            for (rows, _), at in zip(parts, chosen, strict=True)
        ]
    )
    counts = np.concatenate([rows.counts[at] for (rows, _), at in zip(parts, chosen, strict=True)])
    starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    samples = samples[expand(starts[order], counts[order])]
    return rows_of(run[order], values, of("flags"), counts[order], samples)
