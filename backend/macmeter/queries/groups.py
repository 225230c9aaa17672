"""The groups of an answer before any statistics: whose values, how many, with which flags.

PostgreSQL gathers, for each group and machine, the medians of the runs and the bytes of
their samples; numpy reads those bytes. So a machine's hundred runs cost one row.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, case, false, func, literal_column
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.models import Result, Run
from macmeter.queries.question import Question, Term, Value
from macmeter.queries.sql import Column, column, results_of, undoubted

Array = NDArray[np.float64]

# PostgreSQL's binary array: a header of 20 bytes, then length and value of each element.
_ARRAY_HEADER = 20
_ELEMENT = np.dtype([("length", ">i4"), ("value", ">f8")])
_VALUE = np.dtype(">f8")
_NO_BYTES: ColumnElement[bytes] = literal_column("''::bytea")
NO_FLAGS: ColumnElement[list[str]] = literal_column("'{}'::text[]")
# Groups of more runs than this are reached through the list of runs.
LINKED_RUNS = 8


@dataclass(frozen=True)
class Key:
    """What tells a group from another: the asked dimensions, and what never mixes."""

    by: tuple[Value, ...]
    published: bool
    method: str
    method_version: int


@dataclass
class Unit:
    """One machine's part of a group; `pair` is what an equal measurement elsewhere shares."""

    machine_id: uuid.UUID
    unspecified: bool
    pair: tuple[Any, ...]
    host_machine_id: uuid.UUID | None
    runs: int
    run_values: Array
    samples: Array
    # Several devices of one kind stand in this machine's value.
    pooled: bool
    flags: Counter[str] = field(default_factory=Counter)
    printed: list[tuple[str, str | None]] = field(default_factory=list)
    citations: list[dict[str, Any]] = field(default_factory=list)
    run_ids: list[uuid.UUID] = field(default_factory=list)

    @property
    def value(self) -> float:
        """The machine's value: the median of its run values."""
        return float(np.median(self.run_values))

    def joined(self, other: Unit) -> Unit:
        """This machine's part with another of its own, of another device."""
        run_ids = sorted({*self.run_ids, *other.run_ids})
        listed = len(self.run_ids) == self.runs and len(other.run_ids) == other.runs
        return replace(
            self,
            # One run may be in both, under two values of a parameter that was left open.
            runs=len(run_ids) if listed else self.runs + other.runs,
            run_values=np.sort(np.concatenate([self.run_values, other.run_values])),
            samples=np.concatenate([self.samples, other.samples]),
            pooled=self.pooled or other.pooled or self.pair[:1] != other.pair[:1],
            flags=self.flags + other.flags,
            printed=self.printed + other.printed,
            citations=self.citations + other.citations,
            run_ids=run_ids,
        )


Groups = dict[Key, list[Unit]]

# A pair is one device measured twice: the target must be the same in all but what is compared.
_PAIR_COLUMNS = (
    "device_id",
    "storage",
    "image_format",
    "image_state",
    "via",
    "simultaneous",
)


async def fetch_groups(
    connection: AsyncConnection,
    question: Question,
    metric: str,
    terms: Iterable[Term],
    reader: Bearer | None,
    *,
    pairs: Collection[str] | None = None,
) -> Groups:
    """The groups of one metric under `terms`.

    With `pairs`, units are kept apart by device and target, but for the dimensions named there:
    those are what is compared.
    """
    by = [column(name).label(f"by_{i}") for i, name in enumerate(question.by)]
    method = [
        (Run.source == "published").label("published"),
        Run.method,
        Run.method_version,
    ]
    unit: list[Column] = [
        Run.machine_id,
        Run.unspecified,
        Run.host_machine_id,
    ]
    pair: list[Column] = []
    if pairs is not None:
        # A guest's disk and its host's differ in all but the device below them.
        same = _PAIR_COLUMNS[:1] if "virtual" in pairs else _PAIR_COLUMNS
        pair = [getattr(Run, n).label(f"pair_{n}") for n in same if n not in pairs]
        pair.append(Result.series_id.label("pair_series"))
    keys = [*by, *method, *unit, *pair]
    query = (
        results_of(metric, terms, reader)
        .where(undoubted(question.flagged))
        .add_columns(*keys, *_gathered(metric, question))
        .group_by(*keys)
    )
    groups: Groups = {}
    for row in await connection.execute(query):
        cells = row._mapping
        key = Key(
            tuple(cells[f"by_{i}"] for i in range(len(by))),
            row.published,
            row.method,
            row.method_version,
        )
        groups.setdefault(key, []).append(_unit(cells, tuple(cells[part.name] for part in pair)))
    return groups


def _gathered(metric: str, question: Question) -> list[ColumnElement[Any]]:
    optional = [n for n in catalog.METRICS[metric].optional if n not in question.by]
    # Only an optional parameter left open can bring one run into a group twice.
    runs = func.count(Run.run_id.distinct()) if optional else func.count()
    flags = Run.flags.op("||")(func.coalesce(Result.flags, NO_FLAGS))
    printed = Result.printed.is_not(None)
    return [
        runs.label("runs"),
        func.coalesce(func.min(Run.device_id) < func.max(Run.device_id), false()).label("pooled"),
        func.string_agg(func.float8send(Result.median), _NO_BYTES).label("medians"),
        func.string_agg(
            func.substring(func.array_send(Result.samples), _ARRAY_HEADER + 1),
            _NO_BYTES,
        ).label("samples"),
        func.string_agg(func.array_to_string(flags, ","), ",")
        .filter(flags != NO_FLAGS)
        .label("flags"),
        _in_order(Result.printed).filter(printed).label("printed"),
        _in_order(Result.qualifier).filter(printed).label("qualifiers"),
        _in_order(Run.citation).filter(Run.citation.is_not(None)).label("citations"),
        case((func.count() <= LINKED_RUNS, func.array_agg(Run.run_id))).label("run_ids"),
    ]


def _in_order(of: Column) -> Any:
    return func.array_agg(aggregate_order_by(of, Run.run_id))


def _unit(cells: Any, pair: tuple[Any, ...]) -> Unit:
    printed = cells["printed"] or []
    return Unit(
        machine_id=cells["machine_id"],
        unspecified=cells["unspecified"],
        pair=pair,
        host_machine_id=cells["host_machine_id"],
        runs=cells["runs"],
        run_values=np.sort(np.frombuffer(cells["medians"], _VALUE).astype(np.float64)),
        samples=np.frombuffer(cells["samples"], _ELEMENT)["value"].astype(np.float64),
        pooled=cells["pooled"],
        flags=Counter((cells["flags"] or "").split(",")) if cells["flags"] else Counter(),
        printed=list(zip(printed, cells["qualifiers"] or [], strict=True)),
        citations=cells["citations"] or [],
        run_ids=sorted(cells["run_ids"] or []),
    )
