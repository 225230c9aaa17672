"""One statement that stores a group of runs whose machines are bound already, all or none of them.

It looks the tokens up, and stores nothing of a run whose token was revoked or expired meanwhile,
or whose machine is not that token's, or whose id is taken: such runs are missing in what it
returns, and go the way that can say why (`store.store`).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any

import psycopg
from psycopg import generators
from psycopg.pq import ExecStatus, Format
from psycopg.pq.abc import PGresult

from macmeter.access.binding import BOUND
from macmeter.documents.derive import DerivedRun
from macmeter.documents.packing import packed
from macmeter.ingest.store import RUN_COLUMNS
from macmeter.ingest.wire import BOOL, FLOAT8, INT4, array, byteas, jsonb

_TYPES = {
    "runs": "jsonb",
    "sha256": "bytea[]",
    "sizes": "int4[]",
    "documents": "bytea[]",
    "series": "int4[]",
    "medians": "float8[]",
    "counts": "int4[]",
    "doubted": "bool[]",
    "doubtful": "bool[]",
    "firsts": "int4[]",
    "lasts": "int4[]",
    "steps": "bytea[]",
    "said": "jsonb",
}
_GIVEN = {name: f"(${place}::{of})" for place, (name, of) in enumerate(_TYPES.items(), 1)}
_OF_TOKEN = {"visibility", "fleet_id"}
# OFFSET 0: one look-up by key for each run, whatever the planner once knew of the tables' sizes.
# The arrays of all runs come in one piece, and each run takes its slice.
_STORE = f"""
    WITH allowed AS MATERIALIZED (
        SELECT line.number, {
    ", ".join(f"{'who' if name in _OF_TOKEN else 'run'}.{name}" for name in RUN_COLUMNS)
}
        FROM jsonb_array_elements({_GIVEN["runs"]}) WITH ORDINALITY AS line (value, number)
        CROSS JOIN LATERAL jsonb_populate_record(NULL::runs, line.value) AS run
        CROSS JOIN LATERAL (
            SELECT tokens.fleet_id,
                CASE WHEN tokens.fleet_id IS NULL THEN 'public' ELSE 'private' END AS visibility
            FROM tokens CROSS JOIN machines
            WHERE tokens.token_id = run.token_id AND machines.machine_id = run.machine_id
                AND {BOUND}
            OFFSET 0
        ) AS who
    ), claimed AS (
        INSERT INTO run_ids (run_id, machine_id)
        SELECT run_id, machine_id FROM allowed ON CONFLICT DO NOTHING RETURNING run_id
    ), stored AS (
        SELECT allowed.* FROM allowed WHERE run_id IN (SELECT run_id FROM claimed)
    ), of_runs AS (
        INSERT INTO runs ({", ".join(RUN_COLUMNS)})
        SELECT {", ".join(RUN_COLUMNS)} FROM stored
    ), of_documents AS (
        INSERT INTO documents (machine_id, run_id, sha256, size, compressed)
        SELECT machine_id, run_id, {_GIVEN["sha256"]}[number], {_GIVEN["sizes"]}[number],
            {_GIVEN["documents"]}[number]
        FROM stored
    ), of_results AS (
        INSERT INTO run_results (machine_id, run_id, series, medians, counts, doubtful, steps, said)
        SELECT machine_id, run_id, {_GIVEN["series"]}[first:last],
            {_GIVEN["medians"]}[first:last], {_GIVEN["counts"]}[first:last],
            CASE WHEN {_GIVEN["doubted"]}[number] THEN {_GIVEN["doubtful"]}[first:last] END,
            {_GIVEN["steps"]}[number], nullif({_GIVEN["said"]} -> number::int - 1, 'null')
        FROM stored CROSS JOIN LATERAL (
            SELECT {_GIVEN["firsts"]}[number] AS first, {_GIVEN["lasts"]}[number] AS last
        ) AS slice
    )
    SELECT run_id FROM claimed
"""  # noqa: S608 - made of the model's own column names
_NAME = b"store"
# Planned once for all groups. Every table is looked up by its key, also while it is small.
OPTIONS = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off"


@dataclass(frozen=True)
class Upload:
    """A run that is ready to be stored, by the token that it came with."""

    run: DerivedRun
    series: list[int]
    token_id: uuid.UUID
    sha256: bytes
    size: int
    compressed: bytes


async def prepare(driver: psycopg.AsyncConnection[Any]) -> None:
    """Once on each connection, before `execute`."""
    driver.pgconn.send_prepare(_NAME, _STORE.encode())
    await _result(driver)


async def execute(driver: psycopg.AsyncConnection[Any], group: Sequence[Upload]) -> set[uuid.UUID]:
    """The ids of the runs that were stored, committed by then.

    By way of psycopg's libpq: its cursors took as long for thirteen parameters, which are all made
    here as PostgreSQL has them, as for sending the whole.
    """
    driver.pgconn.send_query_prepared(
        _NAME, _parameters(group), [Format.BINARY] * len(_TYPES), result_format=Format.BINARY
    )
    result = await _result(driver)
    ids = [result.get_value(row, 0) for row in range(result.ntuples)]
    return {uuid.UUID(bytes=run_id) for run_id in ids if run_id is not None}


async def _result(driver: psycopg.AsyncConnection[Any]) -> PGresult:
    result: PGresult = (await driver.wait(generators.execute(driver.pgconn)))[-1]
    if result.status not in (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK):
        raise psycopg.errors.error_from_result(result)
    return result


def _parameters(group: Sequence[Upload]) -> list[bytes]:
    """What _STORE is given for these runs, in the order of _TYPES: the arrays of all in one, and
    where each run's lie.
    """
    rows = packed(
        [upload.run.results for upload in group],
        chain.from_iterable(upload.series for upload in group),
    )
    lasts = list(accumulate(len(row.series) for row in rows))
    firsts = [last - len(row.series) + 1 for last, row in zip(lasts, rows, strict=True)]
    is_any_doubtful = any(row.doubtful is not None for row in rows)
    doubtful = (
        (row.doubtful or [False] * len(row.series) for row in rows) if is_any_doubtful else ()
    )
    given = {
        "runs": jsonb([_row(upload) for upload in group]),
        "sha256": byteas([upload.sha256 for upload in group]),
        "sizes": array(INT4, [upload.size for upload in group]),
        "documents": byteas([upload.compressed for upload in group]),
        "series": array(INT4, _flat(row.series for row in rows)),
        "medians": array(FLOAT8, _flat(row.medians for row in rows)),
        "counts": array(INT4, _flat(row.counts for row in rows)),
        "doubted": array(BOOL, [row.doubtful is not None for row in rows]),
        "doubtful": array(BOOL, _flat(doubtful)),
        "firsts": array(INT4, firsts),
        "lasts": array(INT4, lasts),
        "steps": byteas([row.steps for row in rows]),
        "said": jsonb([row.said for row in rows]),
    }
    return [given[name] for name in _TYPES]


def _flat(lists: Iterable[list[Any]]) -> list[Any]:
    return list(chain.from_iterable(lists))


def _row(upload: Upload) -> dict[str, object]:
    """The run's columns, without those that are empty."""
    run = upload.run
    row = {name: value for name, value in run.columns.items() if value is not None}
    row |= {"machine_id": run.machine_id, "run_id": run.run_id, "token_id": upload.token_id}
    return row
