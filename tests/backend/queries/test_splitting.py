"""Lots of one question that share runs are each taken apart by what they hold themselves."""

from __future__ import annotations

import uuid
from typing import Any, cast

import numpy as np
import pytest
from macmeter.access.scope import COMMONS
from macmeter.columns.batch import Series
from macmeter.columns.building import build
from macmeter.columns.names import Names
from macmeter.columns.view import View
from macmeter.queries.groups import groups_of
from macmeter.queries.question import Question
from macmeter.reading.moment import Reading
from sqlalchemy.ext.asyncio import AsyncConnection
from support.columns import run

WRITE, READ = "disk.write_average", "disk.read_average"
SERIES = {1: Series(WRITE, {}), 2: Series(READ, {})}


def made(number: int, chip: str, results: dict[int, list[float]]) -> Any:
    return run(uuid.UUID(int=number), uuid.UUID(int=100 + number), results, chip=chip)


def reading_of(*segments: list[Any]) -> Reading:
    names = Names()
    built = tuple(build(names, runs) for runs in segments)
    alive = tuple(np.ones(len(one.runs), dtype=bool) for one in built)
    view = View(names, SERIES, {}, built, alive)
    return Reading(cast(AsyncConnection, None), COMMONS, view)


@pytest.mark.parametrize("metrics", [(WRITE, READ), (READ, WRITE)])
def test_a_metric_of_more_groups_has_a_layout_of_its_own(metrics: tuple[str, ...]) -> None:
    """Both metrics number the first segment's runs alike; only reading goes on in the second."""
    reading = reading_of(
        [made(1, "Apple M1", {1: [1.0], 2: [10.0]}), made(2, "Apple M2", {1: [2.0], 2: [20.0]})],
        [made(3, "Apple M3", {2: [30.0]})],
    )
    question = Question(metrics, by=("chip",))
    found = {
        metric: {
            key.by: group.values.tolist()
            for key, group in groups_of(reading, question, metric, ()).items()
        }
        for metric in metrics
    }
    assert found[WRITE] == {("Apple M1",): [1.0], ("Apple M2",): [2.0]}
    assert found[READ] == {("Apple M1",): [10.0], ("Apple M2",): [20.0], ("Apple M3",): [30.0]}
