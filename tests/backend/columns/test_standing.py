"""Runs that came one after another are as those that came together, in few segments."""

from __future__ import annotations

import uuid
from typing import Any
from weakref import ref

import numpy as np
from macmeter.columns.building import build
from macmeter.columns.current import Standing
from macmeter.columns.segment import Rows
from numpy.typing import NDArray
from support.columns import run

_RUNS = 60


def test_what_came_piece_by_piece_is_shown_as_one_segment() -> None:
    dice = np.random.default_rng(1)
    rows = [
        run(
            uuid.UUID(int=int(dice.integers(8))),
            uuid.UUID(int=100 + number),
            {series: dice.normal(100, 10, 3).tolist() for series in (1, 2)},
        )
        for number in range(_RUNS)
    ]
    standing = Standing("")
    most = 0
    for row in rows:
        standing.append(build(standing.names, [row]))
        most = max(most, len(standing.segments))
    # One of each of some sizes.
    assert most <= 8
    gone = [(row.machine_id, row.run_id) for row in rows[::7]]
    standing.replace_runs(gone, [])
    (shown,), (alive,) = standing.shown()
    assert alive.all()
    whole = build(standing.names, [row for row in rows if (row.machine_id, row.run_id) not in gone])
    assert len(shown.runs) == len(whole.runs)
    assert {*shown.columns} == {*whole.columns} == {1, 2}
    for number in shown.columns:
        one, other = shown.columns[number].clean, whole.columns[number].clean
        assert one is shown.columns[number].clean  # made once
        assert one.values.tolist() == other.values.tolist()
        assert _ids(shown.runs.run_id, one) == _ids(whole.runs.run_id, other)
        assert one.samples_of(np.arange(len(one))).tolist() == other.samples.tolist()
        assert not len(shown.columns[number].aside)


def _ids(run_id: NDArray[Any], rows: Rows) -> list[bytes]:
    found: list[bytes] = run_id[rows.run].tolist()
    return found


def test_of_what_was_joined_nothing_is_kept() -> None:
    standing = Standing("")
    first, second = (
        build(standing.names, [run(uuid.UUID(int=1), uuid.UUID(int=number), {1: [1.0, 2.0]})])
        for number in (2, 3)
    )
    values = ref(first.columns[1].clean.values)
    standing.append(first)
    standing.append(second)
    assert len(standing.segments) == 1
    del first, second
    assert values() is None
