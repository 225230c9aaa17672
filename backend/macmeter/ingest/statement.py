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

import orjson
import psycopg
from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format

from macmeter.access.binding import BOUND
from macmeter.documents.derive import DerivedRun
from macmeter.documents.packing import packed
from macmeter.ingest.store import RUN_COLUMNS
from macmeter.ingest.wire import BOOL, BYTEA, FLOAT8, INT4, array, byteas

_OF_TOKEN = {"visibility", "fleet_id"}
# OFFSET 0: one look-up by key for each run, whatever the planner once knew of the tables' sizes.
# The arrays of all runs come in one piece, and each run takes its slice.
STORE = f"""
    WITH allowed AS MATERIALIZED (
        SELECT line.number, {
    ", ".join(f"{'who' if name in _OF_TOKEN else 'run'}.{name}" for name in RUN_COLUMNS)
}
        FROM jsonb_array_elements(%(runs)s::jsonb) WITH ORDINALITY AS line (value, number)
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
        SELECT machine_id, run_id, (%(sha256)b::bytea[])[number], (%(sizes)b::int4[])[number],
            (%(documents)b::bytea[])[number]
        FROM stored
    ), of_results AS (
        INSERT INTO run_results (machine_id, run_id, series, medians, counts, doubtful, steps, said)
        SELECT machine_id, run_id, (%(series)b::int4[])[first:last],
            (%(medians)b::float8[])[first:last], (%(counts)b::int4[])[first:last],
            CASE WHEN (%(doubted)b::bool[])[number] THEN (%(doubtful)b::bool[])[first:last] END,
            (%(steps)b::bytea[])[number], nullif(%(said)s::jsonb -> number::int - 1, 'null')
        FROM stored CROSS JOIN LATERAL (
            SELECT (%(firsts)b::int4[])[number] AS first, (%(lasts)b::int4[])[number] AS last
        ) AS slice
    )
    SELECT run_id FROM claimed
"""  # noqa: S608 - made of the model's own column names
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


class _Int4s(bytes):
    """An array of PostgreSQL as it goes over the wire; the classes below likewise."""


class _Bools(bytes):
    pass


class _Float8s(bytes):
    pass


class _Byteas(bytes):
    pass


class _AsItIs(Dumper):
    format = Format.BINARY

    def dump(self, obj: Any) -> Buffer | None:
        return bytes(obj)


_ARRAYS = {
    _Int4s: (INT4, 1007),
    _Bools: (BOOL, 1000),
    _Float8s: (FLOAT8, 1022),
    _Byteas: (BYTEA, 1001),
}


def register(connection: psycopg.AsyncConnection[Any]) -> None:
    """Teach a connection the parameters that `STORE` takes."""
    for kind, (_, of_arrays) in _ARRAYS.items():
        dumper = type(f"{kind.__name__}Dumper", (_AsItIs,), {"oid": of_arrays})
        connection.adapters.register_dumper(kind, dumper)


def parameters(group: Sequence[Upload]) -> dict[str, object]:
    """What `STORE` is given for these runs: the arrays of all in one, and where each run's lie."""
    rows = packed(
        [upload.run.results for upload in group],
        chain.from_iterable(upload.series for upload in group),
    )
    lasts = list(accumulate(len(row.series) for row in rows))
    is_any_doubtful = any(row.doubtful is not None for row in rows)
    return {
        "runs": orjson.dumps([_row(upload) for upload in group]).decode(),
        "sha256": _Byteas(byteas([upload.sha256 for upload in group])),
        "sizes": _array(_Int4s, [upload.size for upload in group]),
        "documents": _Byteas(byteas([upload.compressed for upload in group])),
        "series": _array(_Int4s, _flat(row.series for row in rows)),
        "medians": _array(_Float8s, _flat(row.medians for row in rows)),
        "counts": _array(_Int4s, _flat(row.counts for row in rows)),
        "doubted": _array(_Bools, [row.doubtful is not None for row in rows]),
        "doubtful": _array(
            _Bools,
            _flat(row.doubtful or [False] * len(row.series) for row in rows)
            if is_any_doubtful
            else [],
        ),
        "firsts": _array(
            _Int4s, [last - len(row.series) + 1 for last, row in zip(lasts, rows, strict=True)]
        ),
        "lasts": _array(_Int4s, lasts),
        "steps": _Byteas(byteas([row.steps for row in rows])),
        "said": orjson.dumps([row.said for row in rows]).decode(),
    }


def _flat(lists: Iterable[list[Any]]) -> list[Any]:
    return list(chain.from_iterable(lists))


def _row(upload: Upload) -> dict[str, object]:
    """The run's columns, without those that are empty."""
    run = upload.run
    row = {name: value for name, value in run.columns.items() if value is not None}
    row |= {"machine_id": run.machine_id, "run_id": run.run_id, "token_id": upload.token_id}
    return row


def _array(kind: type[bytes], values: list[Any]) -> bytes:
    return kind(array(_ARRAYS[kind][0], values))
