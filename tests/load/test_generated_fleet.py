"""The fleet used as load: documents like the agent's, the same every time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from macmeter.documents.derive import derive
from macmeter.documents.packing import packed
from macmeter.documents.parse import parse
from support.made_up import FLOAT8, INT4, elements

from load import fleet_rows
from load.fleet import BLOCK, Fleet

RUNS = 3 * BLOCK


def test_a_run_is_the_same_wherever_one_begins() -> None:
    documents = list(Fleet(RUNS).documents())
    assert list(Fleet(RUNS).documents(first=2 * BLOCK)) == documents[2 * BLOCK :]
    assert len(set(documents)) == RUNS


def test_documents_are_taken_as_they_are() -> None:
    for content in Fleet(RUNS).documents(0, 50):
        run = derive(*parse(content, now=datetime.now(UTC)))
        assert sum(len(result.samples) for result in run.results) == 334
        assert not run.results[0].doubtful or "incomplete" in run.columns["flags"]


def test_rows_are_what_the_documents_say() -> None:
    fleet = Fleet(RUNS)
    rows = next(fleet_rows.batches(fleet))
    for content, row in zip(fleet.documents(0, 50), rows, strict=False):
        run = derive(*parse(content, now=datetime.now(UTC)))
        for name in ("flags", "month", "device_id", "started_at"):
            assert getattr(row, name) == run.columns[name], name
        for name, value in row._mapping.items():
            if name in run.columns:
                assert value == run.columns[name], name
        assert (row.machine_id, row.run_id) == (run.machine_id, run.run_id)
        stored = packed(run.results, fleet_rows.NUMBERS)
        assert row.series == elements(INT4, stored["series"])
        assert row.medians == elements(FLOAT8, stored["medians"])
        assert row.counts == elements(INT4, stored["counts"])
        assert (row.doubtful, row.steps) == (stored["doubtful"], stored["steps"])


@pytest.mark.parametrize(("runs", "machines"), [(2_000, 40), (20_000, 400), (1_000_000, 20_000)])
def test_a_fleet_has_some_fifty_runs_of_each_machine(runs: int, machines: int) -> None:
    assert Fleet(runs).machines == machines


def test_runs_are_of_the_past() -> None:
    *_, last = Fleet(RUNS).blocks()
    assert max(last.started) < datetime(2026, 11, 20, tzinfo=UTC)
