"""From runs as they are read from PostgreSQL to a segment."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.devices import Device
from macmeter.columns.names import SETUP, Host, Ints, Names
from macmeter.columns.pile import Pile, kinds_of, piled
from macmeter.columns.segment import RUN_ID, Rows, Runs, Segment, Small, order_of, owner_of
from macmeter.isolation import Isolated
from macmeter.stats.spread import STORED

# PostgreSQL's binary arrays: length and value of each element.
_NUMBER = np.dtype([("length", ">i4"), ("value", ">i4")])
_VALUE = np.dtype([("length", ">i4"), ("value", ">f8")])
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_UNSPECIFIED, _LABELS = SETUP.index("unspecified"), SETUP.index("labels")
_SETUP = itemgetter(*SETUP)


def build(names: Names, rows: Sequence[Any]) -> Segment:
    """The segment of these rows of `batch`; gives numbers to what has none yet.

    A row that can't be read is left out.
    """
    try:
        return _built(names, rows)
    except Exception:  # of one of them: whatever its values raise
        return _built(names, _readable(rows))


def _readable(rows: Sequence[Any]) -> list[Any]:
    """Those of which a segment can be made alone; the log names each other one once."""
    found = []
    for row in rows:
        isolated = Isolated("columns", quiet=row.run_id in _named)
        with isolated.item(f"run {row.run_id}"):
            _built(Names(), [row])
            found.append(row)
        if isolated.failed:
            _named.add(row.run_id)
    return found


_named: set[uuid.UUID] = set()


def _built(names: Names, rows: Sequence[Any]) -> Segment:
    numbered = sorted(
        (_numbers(names, row) for row in rows), key=lambda of: (*of[:2], of[2].run_id.bytes)
    )
    runs = [row for *_, row in numbered]
    owner = _small(owner for owner, _, _ in numbered)
    run_id = np.array([run.run_id.bytes for run in runs], dtype=RUN_ID)
    return Segment(
        Runs(
            owner=owner,
            setup=_small(setup for _, setup, _ in numbered),
            month=_small(names.months.of(run.month) for run in runs),
            device=_small(names.devices.of(_device(run)) for run in runs),
            host=_small(names.hosts.of(_host(run)) for run in runs),
            flags=_small(names.flags.of(tuple(run.flags)) for run in runs),
            withdrawn=np.array([run.withdrawn for run in runs], dtype=bool),
            run_id=run_id,
            by_id=order_of(run_id),
            received=np.array(
                [(run.received_at - _EPOCH) // _MICROSECOND for run in runs], dtype=np.int64
            ),
        ),
        _columns(names, runs, owner),
    )


def _numbers(names: Names, row: Any) -> tuple[int, int, Any]:
    """Owner, setup and the run itself."""
    setup = _setup(row)
    machine = names.machines.of(row.machine_id.bytes)
    return owner_of(machine, bool(setup[_UNSPECIFIED])), names.setup(setup), row


def _setup(row: Any) -> tuple[Any, ...]:
    cells: tuple[Any, ...] = _SETUP(row._mapping)
    labels = tuple(sorted(cells[_LABELS].items()))
    return (*cells[:_LABELS], labels, *cells[_LABELS + 1 :])


def _device(row: Any) -> Device:
    return Device(row.device_id, tuple(sorted(row.holder.items())) if row.holder else None)


def _host(row: Any) -> Host | None:
    return Host(row.host_machine_id, row.token_id) if row.host_machine_id else None


def _columns(names: Names, runs: Sequence[Any], owner: Small) -> Pile:
    """The results of all runs, by series."""
    counted = [(place, run) for place, run in enumerate(runs) if run.series]
    lengths = np.array([len(run.series) for _, run in counted], dtype=np.int64) // _NUMBER.itemsize
    place = np.repeat(np.array([place for place, _ in counted], dtype=np.int32), lengths)
    series = _joined((run.series for _, run in counted), _NUMBER)
    values = _joined((run.medians for _, run in counted), _VALUE).astype(np.float64)
    if not np.isfinite(values).all():
        raise ValueError("a median is not finite")
    counts = _joined((run.counts for _, run in counted), _NUMBER).astype(np.uint16)
    first = np.cumsum(lengths) - lengths
    results = [*zip((run for _, run in counted), first.tolist(), lengths.tolist(), strict=True)]
    aside = np.repeat(np.array([run.withdrawn for _, run in counted], dtype=bool), lengths)
    flags = np.repeat(_small(names.flags.of(tuple(run.flags)) for _, run in counted), lengths)
    for run, begin, length in results:
        if run.doubtful is not None and not run.withdrawn:
            aside[begin : begin + length] = run.doubtful
        if run.said:
            _add_flags(names, run, flags[begin : begin + length])
    samples = np.frombuffer(b"".join(run.steps for _, run in counted), STORED).astype(np.int16)
    every = Rows(place, values, flags, counts, samples)
    return piled(owner, kinds_of(series, aside), every)


def _joined(arrays: Iterable[bytes], element: np.dtype[Any]) -> NDArray[Any]:
    return np.frombuffer(b"".join(arrays), element)["value"]


def _add_flags(names: Names, run: Any, flags: Ints) -> None:
    """To those of the run the flags of single results."""
    numbers = np.frombuffer(run.series, _NUMBER)["value"]
    for place, number in enumerate(numbers.tolist()):
        if of_result := run.said.get(str(number), {}).get("flags"):
            flags[place] = names.flags.of((*run.flags, *of_result))


def _small(numbers: Iterable[int]) -> Small:
    return np.fromiter(numbers, dtype=np.int32)
