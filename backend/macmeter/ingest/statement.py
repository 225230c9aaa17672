"""One statement that stores a group of runs whose machines are bound already, all or none of them.

It looks the tokens up, and stores nothing of a run whose token was revoked or expired meanwhile,
or whose machine is not that token's, or whose id is taken: such runs are missing in what it
returns, and go the way that can say why (`store.store`).
"""

from __future__ import annotations

import struct
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import orjson
import psycopg
from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format

from macmeter.access.binding import BOUND
from macmeter.ingest.derive import DerivedRun
from macmeter.ingest.store import RUN_COLUMNS

_OF_TOKEN = {"visibility", "fleet_id"}
# OFFSET 0: one look-up by key for each run, whatever the planner once knew of the tables' sizes.
# Samples come in one piece, and each result takes its slice.
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
        INSERT INTO documents (machine_id, run_id, sha256, size, deflated)
        SELECT machine_id, run_id, (%(sha256)b::bytea[])[number], (%(sizes)b::int4[])[number],
            (%(deflated)b::bytea[])[number]
        FROM stored
    ), of_results AS (
        INSERT INTO results (machine_id, run_id, series_id, doubtful, median, samples,
            flags, printed, qualifier)
        SELECT stored.machine_id, stored.run_id, result.series, result.doubtful, result.median,
            (%(samples)b::float8[])[result.last - result.n + 1:result.last],
            said.flags, said.printed, said.qualifier
        FROM unnest(%(numbers)b::int4[], %(series)b::int4[], %(doubtful)b::bool[],
            %(medians)b::float8[], %(counts)b::int4[], %(lasts)b::int4[])
            AS result (number, series, doubtful, median, n, last)
        JOIN stored ON stored.number = result.number
        LEFT JOIN jsonb_to_recordset(%(said)s::jsonb)
            AS said (number int, series int, flags text[], printed text, qualifier text)
            ON said.number = result.number AND said.series = result.series
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
    deflated: bytes


class _Int4s(bytes):
    """An array of PostgreSQL as it goes over the wire; the classes below likewise."""


class _Bools(bytes):
    pass


class _Float8s(bytes):
    pass


class _AsItIs(Dumper):
    format = Format.BINARY

    def dump(self, obj: Any) -> Buffer | None:
        return bytes(obj)


_ARRAYS = {_Int4s: (23, 1007, ">i4"), _Bools: (16, 1000, "?"), _Float8s: (701, 1022, ">f8")}


def register(connection: psycopg.AsyncConnection[Any]) -> None:
    """Teach a connection the parameters that `STORE` takes."""
    for kind, (_, array, _) in _ARRAYS.items():
        dumper = type(f"{kind.__name__}Dumper", (_AsItIs,), {"oid": array})
        connection.adapters.register_dumper(kind, dumper)


def parameters(group: Sequence[Upload]) -> dict[str, Any]:
    """What `STORE` is given for these runs."""
    results = [
        (number, series, result)
        for number, upload in enumerate(group, start=1)
        for series, result in zip(upload.series, upload.run.results, strict=True)
    ]
    counts = [len(result.samples) for _, _, result in results]
    return {
        "runs": orjson.dumps([_row(upload) for upload in group]).decode(),
        "sha256": [upload.sha256 for upload in group],
        "sizes": _array(_Int4s, [upload.size for upload in group]),
        "deflated": [upload.deflated for upload in group],
        "numbers": _array(_Int4s, [number for number, _, _ in results]),
        "series": _array(_Int4s, [series for _, series, _ in results]),
        "doubtful": _array(_Bools, [result.doubtful for _, _, result in results]),
        "medians": _array(_Float8s, [result.median for _, _, result in results]),
        "counts": _array(_Int4s, counts),
        "lasts": _array(_Int4s, list(accumulate(counts))),
        "samples": _array(_Float8s, [s for _, _, result in results for s in result.samples]),
        "said": orjson.dumps(
            [
                {
                    "number": number,
                    "series": series,
                    "flags": result.flags,
                    "printed": result.printed,
                    "qualifier": result.qualifier,
                }
                for number, series, result in results
                if result.flags or result.printed or result.qualifier
            ]
        ).decode(),
    }


def _row(upload: Upload) -> dict[str, Any]:
    """The run's columns, without those that are empty."""
    run = upload.run
    row = {name: value for name, value in run.columns.items() if value is not None}
    row |= {"machine_id": run.machine_id, "run_id": run.run_id, "token_id": upload.token_id}
    return row


def _array(kind: type[bytes], values: list[Any]) -> bytes:
    """One-dimensional, without NULLs: dimensions, whether NULLs, type; length, first index."""
    of_element, _, layout = _ARRAYS[kind]
    if not values:
        return kind(struct.pack(">iiI", 0, 0, of_element))
    elements = np.empty(len(values), [("length", ">i4"), ("value", layout)])
    elements["length"] = elements["value"].dtype.itemsize
    elements["value"] = values
    return kind(struct.pack(">iiIii", 1, 0, of_element, len(values), 1) + elements.tobytes())
