"""Reading of runs and their results from PostgreSQL in batches, and conversion to rows of the
relations.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

import duckdb
import numpy as np
import orjson
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.platform.isolation import Isolated
from macmeter.results.dataset.relations import OF_RUN, RUNS, SETUP, SETUPS, month_number, number_of
from macmeter.results.dataset.setups import Results
from macmeter.statistics.summary import STORED, percentiles_of, samples_of

# PostgreSQL's binary arrays: length and value of each element.
_NUMBER = np.dtype([("length", ">i4"), ("value", ">i4")])
_VALUE = np.dtype([("length", ">i4"), ("value", ">f8")])

_RUN = (
    *("machine_id", "run_id", "received_at", "month", "device_id", "holder"),
    *("host_machine_id", "flags", "citation"),
)
_COLUMNS = ", ".join(f"runs.{name}" for name in (*_RUN, *OF_RUN))
# Arrays arrive in binary form without their headers: length and value of each element.
_READ = f"""
    SELECT {_COLUMNS}, runs.withdrawn_at IS NOT NULL AS withdrawn,
        CASE WHEN runs.started_at BETWEEN '0001-01-02' AND '9999-12-30' THEN runs.started_at END
            AS started_at,
        substring(array_send(found.series), 21) AS series,
        substring(array_send(found.medians), 21) AS medians,
        substring(array_send(found.counts), 21) AS counts,
        found.doubtful, found.said, found.steps,
        EXISTS (
            SELECT FROM documents AS kept WHERE kept.machine_id = runs.machine_id
                AND kept.run_id = runs.run_id AND kept.compressed IS NOT NULL
        ) AS has_samples
"""
_RESULTS = """
    LEFT JOIN run_results AS found
        ON found.machine_id = runs.machine_id AND found.run_id = runs.run_id
"""
# The limit comes first: of all later runs the planner would read every result and document.
_AFTER = text(f"""
    {_READ} FROM (
        SELECT * FROM runs WHERE (machine_id, run_id) > (:machine_id, :run_id)
        ORDER BY machine_id, run_id LIMIT :limit
    ) AS runs {_RESULTS}
    ORDER BY runs.machine_id, runs.run_id
""")
_THESE = text(
    f"{_READ} FROM runs {_RESULTS} WHERE (runs.machine_id, runs.run_id) IN (SELECT * FROM "
    "unnest(CAST(:machine_ids AS uuid[]), CAST(:run_ids AS uuid[])))"
)

_ANY_WITHDRAWN = text("SELECT EXISTS (SELECT FROM runs WHERE withdrawn_at IS NOT NULL)")
_PRINTED = text("SELECT DISTINCT metric FROM published_figures")

Key = tuple[uuid.UUID, uuid.UUID]
"""Machine and run."""
FIRST: Key = (uuid.UUID(int=0), uuid.UUID(int=0))
"""Before all runs."""


async def read_after(connection: AsyncConnection, last: Key, limit: int) -> list[Any]:
    """Read the next runs in the order of machine and run, including withdrawn ones."""
    keys = {"machine_id": last[0], "run_id": last[1], "limit": limit}
    return list(await connection.execute(_AFTER, keys))


async def read_these(connection: AsyncConnection, keys: Collection[Key]) -> list[Any]:
    """Read those of `keys` that exist."""
    parameters = {"machine_ids": [key[0] for key in keys], "run_ids": [key[1] for key in keys]}
    return list(await connection.execute(_THESE, parameters))


class Presence(NamedTuple):
    """Presence of data outside the relations, so that queries for it can be skipped."""

    has_withdrawn: bool = False
    """Whether any run is withdrawn."""
    printed_metrics: frozenset[str] = frozenset()
    """Metrics for which articles print ratios or ranges."""


NOTHING_PRESENT = Presence()


async def read_presence(connection: AsyncConnection) -> Presence:
    withdrawn = await connection.scalar(_ANY_WITHDRAWN)
    printed = (await connection.execute(_PRINTED)).scalars()
    return Presence(bool(withdrawn), frozenset(printed))


def _cast(relation: Mapping[str, str]) -> str:
    """Cast the columns of a relation from NumPy's types."""
    return ", ".join(f"{name}::{kind} AS {name}" for name, kind in relation.items())


_OF_SAMPLES = ", ".join(
    f"if(has_samples AND found.samples > 1, found.{name}, NULL)"
    for name in ("least", "p25", "p75", "greatest", "mean")
)
# Labels arrive as text, which DuckDB casts to a MAP only by way of JSON.
_SETUPS = _cast(SETUPS).replace("labels::", "labels::JSON::")
_INSERT_SETUPS = (
    f"INSERT INTO setups SELECT {_SETUPS} FROM new_setups ANTI JOIN setups USING (setup)"
)
_INSERT = f"""
    INSERT INTO runs SELECT {_cast(RUNS)} FROM new_runs;
    INSERT INTO results
    SELECT found.series, runs.run_id::UUID, runs.machine, runs.setup, runs.month::INTEGER,
        runs.host_machine_id::UUID, runs.device_number::BIGINT, runs.holder_number::BIGINT,
        found.value, found.samples, found.doubtful,
        if(found.samples > 1, found.low, NULL), if(found.samples > 1, found.high, NULL),
        if(found.samples > 1, found.deviation, NULL),
        {_OF_SAMPLES}
    FROM new_results AS found JOIN new_runs AS runs USING (place);
"""


# Errors for which no row is at fault.
_OUTAGES = (duckdb.IOException, duckdb.OutOfMemoryException, OSError, MemoryError)
_logged: set[uuid.UUID] = set()


def take(
    tables: DuckDBPyConnection, rows: Sequence[Any], known: Container[int] = ()
) -> list[tuple[Any, ...]]:
    """Add those of these runs (`read_after`) that aren't withdrawn.

    Return their setups that aren't `known`. Unreadable runs are skipped and logged once.
    """
    tables.begin()
    try:
        setups = _insert(tables, rows, known)
    except _OUTAGES:
        tables.rollback()
        raise
    except Exception as error:  # the values of some run may raise anything
        tables.rollback()
        if len(rows) > 1:
            return [setup for row in rows for setup in take(tables, [row], known)]
        (row,) = rows
        with Isolated("data set", quiet=row.run_id in _logged).item(f"run {row.run_id}"):
            raise error
        _logged.add(row.run_id)
        return []
    tables.commit()
    return setups


def _insert(
    tables: DuckDBPyConnection, rows: Sequence[Any], known: Container[int]
) -> list[tuple[Any, ...]]:
    """Insert the rows. ValueError if a value can't be a result's."""
    active = [row for row in rows if not row.withdrawn]
    if not active:
        return []
    setups = [_setup(row) for row in active]
    numbers = [number_of(orjson.dumps(cells, default=str, option=_SORTED)) for cells in setups]
    numbered = zip(numbers, setups, strict=True)
    different = {number: cells for number, cells in numbered if number not in known}
    for *_, measured, doubted, flags, flags_of in different.values():
        Results.of(measured, doubted, flags, flags_of)  # raises if they are invalid
    if different:
        _execute(tables, _INSERT_SETUPS, new_setups=_setups(different))
    _execute(tables, _INSERT, new_runs=_runs(active, numbers), new_results=_results(active))
    return [(number, *cells) for number, cells in different.items()]


def _execute(tables: DuckDBPyConnection, statement: str, **relations: Columns) -> None:
    for name, columns in relations.items():
        tables.register(name, columns)
    tables.execute(statement)
    for name in relations:
        tables.unregister(name)


_get_run_columns = itemgetter(*OF_RUN)


def _setup(row: Any) -> tuple[Any, ...]:
    doubtful = None if row.doubtful is None else tuple(row.doubtful)
    remarks = row.said or {}
    flags = {series: remark["flags"] for series, remark in remarks.items() if remark.get("flags")}
    measured = _measured(row.series, doubtful)
    return *_get_run_columns(row._mapping), *measured, tuple(row.flags), flags or None


@lru_cache(maxsize=4096)
def _measured(
    series: bytes | None, doubtful: tuple[bool, ...] | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the series that count, and the doubtful ones."""
    numbers = np.frombuffer(series or b"", _NUMBER)["value"].astype(int).tolist()
    doubts = doubtful or (False,) * len(numbers)
    pairs = [*zip(numbers, doubts, strict=True)]
    return tuple(n for n, doubt in pairs if not doubt), tuple(n for n, doubt in pairs if doubt)


_SORTED = orjson.OPT_SORT_KEYS
Columns = dict[str, NDArray[Any]]


def objects(values: Iterable[Any]) -> NDArray[Any]:
    return np.array([*values, None], dtype=object)[:-1]  # a list of lists would become 2-D


def _setups(setups: Mapping[int, tuple[Any, ...]]) -> Columns:
    columns: Columns = {"setup": np.array([*setups], dtype=np.int64)}
    for name, values in zip(SETUP, zip(*setups.values(), strict=True), strict=True):
        columns[name] = objects(map(_converters.get(name, _identity), values))
    return columns


def _identity(value: Any) -> Any:
    return value


def _as_text(value: Any) -> str | None:
    return None if value is None else str(value)


def _number(text: str | None) -> int | None:
    return None if text is None else number_of(text.encode())


def _as_json(value: Any) -> str | None:
    return None if value is None else orjson.dumps(value, option=_SORTED).decode()


_converters: dict[str, Callable[[Any], Any]] = {
    "fleet_id": _as_text,
    "labels": _as_json,
    "measured": list,
    "doubted": list,
    "flags": list,
    "flags_of": _as_json,
}


def _runs(rows: Sequence[Any], setups: Sequence[int]) -> Columns:
    devices, holders = ([row.device_id for row in rows], [_as_json(row.holder) for row in rows])
    return {
        "place": np.arange(len(rows)),
        "run_id": objects(str(row.run_id) for row in rows),
        "machine": np.array([number_of(row.machine_id.bytes) for row in rows], dtype=np.int64),
        "setup": np.array(setups, dtype=np.int64),
        "month": objects(row.month and month_number(row.month) for row in rows),
        "device_id": objects(devices),
        "device_number": objects(map(_number, devices)),
        "holder": objects(holders),
        "holder_number": objects(map(_number, holders)),
        "machine_id": objects(str(row.machine_id) for row in rows),
        "received_at": objects(row.received_at.isoformat() for row in rows),
        "host_machine_id": objects(_as_text(row.host_machine_id) for row in rows),
        "started_at": objects(row.started_at and row.started_at.isoformat() for row in rows),
        "citation": objects(_as_json(row.citation) for row in rows),
        "printed": objects(map(_printed, rows)),
        "has_samples": np.array([row.has_samples for row in rows], dtype=bool),
    }


def _printed(row: Any) -> str | None:
    """Return an article's remarks on results by series, as JSON."""
    remarks = {
        series: {
            name: remark[name] for name in ("printed", "qualifier") if remark.get(name) is not None
        }
        for series, remark in (row.said or {}).items()
    }
    return _as_json({series: remark for series, remark in remarks.items() if remark} or None)


def _results(rows: Sequence[Any]) -> Columns:
    """Return the results of all runs, one run after another."""
    lengths = [len(row.series or b"") // _NUMBER.itemsize for row in rows]
    series = _elements((row.series for row in rows), _NUMBER)
    values = _elements((row.medians for row in rows), _VALUE).astype(np.float64)
    if not np.isfinite(values).all():
        raise ValueError("a median is not finite")
    doubtful = np.zeros(len(series), dtype=bool)
    first = 0
    for row, length in zip(rows, lengths, strict=True):
        if row.doubtful is not None:
            doubtful[first : first + length] = row.doubtful
        first += length
    counts = _elements((row.counts for row in rows), _NUMBER).astype(np.int32)
    samples = samples_of(np.frombuffer(b"".join(row.steps or b"" for row in rows), STORED))
    return {
        "place": np.repeat(np.arange(len(rows)), lengths),
        "series": series.astype(np.int32),
        "value": values,
        "samples": counts,
        **_spreads(samples, counts),
        "doubtful": doubtful,
    }


_SPREADS = ("low", "high", "deviation", "least", "p25", "p75", "greatest", "mean")


def _spreads(samples: NDArray[np.float64], counts: NDArray[np.int32]) -> Columns:
    """Compute percentiles, extremes, mean and deviation of each result's ascending samples."""
    starts = np.cumsum(counts, dtype=np.int64) - counts
    if not len(starts):
        return dict.fromkeys(_SPREADS, np.zeros(0))
    means = np.add.reduceat(samples, starts) / counts
    squares = np.add.reduceat((samples - np.repeat(means, counts)) ** 2, starts)
    return {
        "low": percentiles_of(samples, starts, counts, 0.1),
        "high": percentiles_of(samples, starts, counts, 0.9),
        "deviation": np.sqrt(squares / np.maximum(counts - 1, 1)),
        "least": samples[starts],
        "p25": percentiles_of(samples, starts, counts, 0.25),
        "p75": percentiles_of(samples, starts, counts, 0.75),
        "greatest": samples[starts + counts - 1],
        "mean": means,
    }


def _elements(arrays: Iterable[bytes | None], element: np.dtype[Any]) -> NDArray[Any]:
    return np.frombuffer(b"".join(array or b"" for array in arrays), element)["value"]
