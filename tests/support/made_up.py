"""A data set of made-up runs, without a database: for simulations of what is computed from them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from macmeter.accounts.scope import COMMONS
from macmeter.platform.changelog import Log
from macmeter.questions.groups import Group, Groups, groups_of
from macmeter.questions.question import Question
from macmeter.results.context import Reading
from macmeter.results.dataset.mirror import Mirror
from macmeter.results.dataset.relations import OF_RUN
from macmeter.results.dataset.snapshot import Series, Snapshot
from macmeter.statistics.summary import STORED, steps_of
from sqlalchemy.ext.asyncio import AsyncConnection

METRIC = "disk.write_average"


INT4, FLOAT8 = ">i4", ">f8"
"""Element types of PostgreSQL's arrays."""


def elements(dtype: str, values: Sequence[Any]) -> bytes:
    """Encode an array as `reading` has it: without its header, each element after its length."""
    array = np.empty(len(values), [("length", ">i4"), ("value", dtype)])
    array["length"] = np.dtype(dtype).itemsize
    array["value"] = values
    return array.tobytes()


def snapshot_of(series: dict[int, Series], runs: Sequence[Any]) -> Snapshot:
    mirror = Mirror("1:1:")
    mirror.insert(runs)
    log = Log(uuid.UUID(int=1), "1", 1, "1:1:", 0, False, False, {}, frozenset())
    return Snapshot.begin(mirror.tables, mirror.memory, series, log, None)


def groups(data: Snapshot, metric: str, by: tuple[str, ...] = ()) -> Groups:
    """Groups that everybody sees."""
    reading = Reading(cast(AsyncConnection, None), COMMONS, data)
    return groups_of(reading, Question((metric,), by=by))


def any_group() -> Group:
    """A group of one run."""
    row = run(uuid.UUID(int=1), uuid.UUID(int=2), {1: [1.0]})
    (group,) = groups(snapshot_of({1: Series("disk.write_average", {})}, [row]), METRIC).values()
    return group


def run(
    machine_id: uuid.UUID,
    run_id: uuid.UUID,
    results: Mapping[int, Sequence[float]],
    device_id: str | None = None,
    month: str = "2026-01",
    **setup: Any,
) -> Any:
    """A public run as it is read from PostgreSQL; `results` are the samples of each series."""
    cells = dict.fromkeys(OF_RUN) | {
        "visibility": "public",
        "source": "measured",
        "method": "graded-files",
        "method_version": 1,
        "unspecified": False,
        "derivation_version": 1,
        "labels": {},
        **setup,
    }
    numbers = sorted(results)
    samples = np.concatenate([results[number] for number in numbers])
    medians = [float(np.median(results[number])) for number in numbers]
    return SimpleNamespace(
        _mapping=cells,
        machine_id=machine_id,
        run_id=run_id,
        received_at=datetime(2026, 1, 1, tzinfo=UTC),
        month=month,
        device_id=device_id,
        holder=None,
        host_machine_id=None,
        token_id=None,
        flags=[],
        withdrawn=False,
        series=elements(INT4, numbers),
        medians=elements(FLOAT8, medians),
        counts=elements(INT4, [len(results[number]) for number in numbers]),
        doubtful=None,
        steps=steps_of(samples).astype(STORED).tobytes(),
        said=None,
        started_at=None,
        citation=None,
        has_samples=True,
    )
