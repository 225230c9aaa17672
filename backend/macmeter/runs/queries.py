"""Runs: the list, newest first, and one with everything known about it.

In a list, one or two headline figures represent a run.
"""

import asyncio
import base64
import binascii
import math
import uuid
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json, catalog
from macmeter.accounts.scope import Principal
from macmeter.catalog import Role, Trait
from macmeter.catalog.terms import Term
from macmeter.documents.compression import uncompressed
from macmeter.documents.flags import sort_flags
from macmeter.documents.methods import counted_as
from macmeter.documents.stored import (
    object_at,
    objects_at,
    series_key,
    stored_document,
    stored_samples,
    value_at,
)
from macmeter.platform.errors import Problem, invalid, not_found
from macmeter.platform.isolation import DOCUMENTS, refused
from macmeter.results import matching_runs, results, runs
from macmeter.results.context import ReadContext, begin, begin_reading
from macmeter.results.matching_runs import ListPosition
from macmeter.results.ownership import count_open_reports
from macmeter.results.results import printed_of, ranges_of
from macmeter.results.runs import StoredRun
from macmeter.schemas import runs as shapes
from macmeter.schemas.answer import Key
from macmeter.statistics.summary import summarise

MAX_PAGE = 200


@dataclass(frozen=True)
class Page:
    """A page of at most `limit` items, after the page whose `next` is the cursor."""

    limit: int
    cursor: str | None = None

    @property
    def after(self) -> ListPosition | None:
        return position_of(self.cursor) if self.cursor is not None else None

    def next_of(self, positions: Sequence[ListPosition]) -> str | None:
        """Return the cursor of the next page; `positions` has one item more if there is one."""
        return cursor_of(positions[self.limit - 1]) if len(positions) > self.limit else None


async def list_runs(
    connection: AsyncConnection, terms: tuple[Term, ...], reader: Principal | None, page: Page
) -> shapes.RunPage:
    after = page.after
    reading = await begin_reading(connection, reader)
    newest, total = await runs.newest(reading, terms, page.limit + 1, after)
    return {
        "items": await listed(reading, newest[: page.limit]),
        "total": total,
        "next": page.next_of([run.position for run in newest]),
    }


async def doubted_runs(
    connection: AsyncConnection,
    metrics: Iterable[str],
    terms: tuple[Term, ...],
    reader: Principal | None,
    limit: int,
) -> shapes.RunPage:
    """List the newest runs that an answer leaves out because of a doubt."""
    reading = await begin_reading(connection, reader)
    doubted = matching_runs.runs_with_doubted_results(reading, metrics, terms, limit)
    stored = await runs.in_order(reading, [*doubted.newest])
    items = await listed(reading, stored)
    for item, run in zip(items, stored, strict=True):
        # Include doubts about a single result of an otherwise sound run.
        item["flags"] = [_flag(code) for code in sort_flags(set(doubted.newest[run.key]))]
    return {"items": items, "total": doubted.total, "next": None}


async def listed(moment: ReadContext, stored: Sequence[StoredRun]) -> list[shapes.RunSummary]:
    """Summarise these runs for a list."""
    chief = await chief_figures(moment, stored)
    return [_listed(run, chief.get(run.run_id, [])) for run in stored]


async def summary_of_run(
    connection: AsyncConnection, run_id: uuid.UUID, reader: Principal | None
) -> shapes.RunSummary:
    """Summarise that run; 404 as for `one_run`."""
    moment = await begin(connection, reader)
    run = await runs.with_id(moment, run_id)
    if run is None:
        raise not_found("run")
    return (await listed(moment, [run]))[0]


async def one_run(
    connection: AsyncConnection, run_id: uuid.UUID, reader: Principal | None
) -> shapes.FullRun:
    """Return a run with its results; 404 both for a missing run and for a private one.

    Whatever its row or document may raise is for `readable`.
    """
    moment = await begin(connection, reader)
    run = await runs.with_id(moment, run_id)
    stored = await runs.document_of(moment, run.key) if run is not None else None
    if run is None:
        raise not_found("run")
    if stored is None:
        raise _not_kept()
    document = stored_document(stored.compressed)
    facts, similar = _from_document(document, run.machine_id), _similar(run, document)
    taken = _taken(document, stored_samples(stored.compressed))
    return {
        **(await listed(moment, [run]))[0],
        **facts,
        "labels": run.labels,
        "fleet": await runs.fleet_that_must_be_named(
            moment, moment.scope, machine_id=run.machine_id, run_id=run_id
        ),
        "results": await _results(moment, run, taken),
        "published": await _published(moment, run),
        "similar": similar,
        "document_sha256": stored.sha256.hex(),
        "document_bytes": stored.size,
        "doubts": await count_open_reports(connection, run_id),
    }


async def raw_document(
    connection: AsyncConnection, run_id: uuid.UUID, reader: Principal | None
) -> bytes:
    """Return the bytes as they were uploaded."""
    moment = await begin(connection, reader)
    stored = await runs.document_with_id(moment, run_id)
    if stored is None:
        raise not_found("run") if await runs.with_id(moment, run_id) is None else _not_kept()
    # May take long for megabytes, so not in the event loop.
    with readable(run_id):
        return await asyncio.to_thread(uncompressed, stored)


def readable(run_id: uuid.UUID) -> AbstractContextManager[None]:
    """Context in which a run that can't be read, or rendered for its page, is refused with 410."""
    return refused(DOCUMENTS, run_id, _unreadable())


def _not_kept() -> Problem:
    return Problem(
        410,
        "document_not_kept",
        "No longer kept",
        "The fleet deleted the samples and traces of this run. Answers still count its medians.",
    )


def _unreadable() -> Problem:
    return Problem(
        410,
        "document_unreadable",
        "Unreadable document",
        "This run's document can't be read, so its samples can't be shown. Answers still count its "
        "medians. The server's admin sees the reason.",
    )


def _listed(row: StoredRun, chief: list[shapes.ChiefFigure]) -> shapes.RunSummary:
    return {
        "id": str(row.run_id),
        "suite": row.suite,
        "source": row.source,
        "state": "incomplete" if "incomplete" in row.flags else "complete",
        "simulated": "simulated" in row.flags,
        "method": row.method,
        "method_version": row.method_version,
        "started_at": _time(row.started_at),
        "finished_at": _time(row.finished_at),
        "received_at": row.received_at.isoformat(),
        "machine": {
            "id": str(row.machine_id),
            "model_name": row.model,
            "chip": row.chip,
            "unspecified": row.unspecified,
        },
        "os_version": row.os_version,
        "storage": row.storage,
        "device": row.device,
        "encryption": row.encryption,
        "image_format": row.image_format,
        "virtual": row.virtual,
        "chief": chief,
        "flags": [_flag(code) for code in row.flags],
        "withdrawn": _withdrawn(row),
        "citation": row.citation,
    }


def _withdrawn(row: StoredRun) -> shapes.Withdrawn | None:
    if row.withdrawn_at is None or row.withdrawn_by is None or row.withdrawn_reason is None:
        return None
    return {
        "at": row.withdrawn_at.isoformat(),
        "by": row.withdrawn_by,
        "reason": row.withdrawn_reason,
    }


def _from_document(document: Json, machine_id: uuid.UUID) -> shapes.FromDocument:
    """Return facts that only the run page shows, as the agent sent them."""
    name, version = value_at(document, "method.name"), value_at(document, "method.version")
    return {
        "machine": cast(shapes.RunMachine, machine_of(document, machine_id)),
        "environment": object_at(document, "environment") or {},
        "target": object_at(document, "target"),
        "agent": object_at(document, "agent"),
        "tool": object_at(document, "tool"),
        "stated_method": f"{name} {version}",
        "method_parameters": value_at(document, "method.parameters") or {},
        "traces": [trace["kind"] for trace in objects_at(document, "traces")],
        "warnings": objects_at(document, "warnings"),
    }


def _similar(run: StoredRun, document: Json) -> Key:
    """Return stated values of all dimensions that may define similar machines."""
    values: Key = {}
    for name in catalog.having(Trait.MAY_BE_LIKE):
        path = catalog.DIMENSIONS[name].stated
        is_column = name in StoredRun._fields
        value = getattr(run, name) if is_column else value_at(document, path or name)
        if value is not None:
            values[name] = value
    return values


def machine_of(document: Json, machine_id: uuid.UUID) -> Json:
    """Return the document's machine with its present id, which a merge may have changed."""
    return (object_at(document, "machine") or {}) | {"id": str(machine_id)}


class _Taken(NamedTuple):
    """A document's series by `series_key`, and their samples."""

    series: dict[bytes, Json]
    samples: dict[bytes, list[float]]


def _taken(document: Json, samples: dict[bytes, list[float]]) -> _Taken:
    counts_as = counted_as(value_at(document, "method.name"), value_at(document, "method.version"))
    series = {
        series_key(counts_as.metric(entry["metric"]), object_at(entry, "parameters") or {}): entry
        for entry in objects_at(document, "series")
    }
    return _Taken(series, samples)


async def _results(moment: ReadContext, run: StoredRun, taken: _Taken) -> list[shapes.RunResult]:
    samples = taken.samples
    listed: list[shapes.RunResult] = []
    for result in await results.results_of_run(moment, run.key):
        metric = catalog.METRICS[result.metric]
        key = series_key(result.metric, result.parameters)
        if key not in samples:
            continue  # missing from the document; `macmeter-server verify` reports that
        series = taken.series.get(key, {})
        listed.append(
            {
                "metric": metric.name,
                "title": metric.title,
                "unit": metric.unit.value,
                "better": metric.better,
                "parameters": result.parameters,
                **cast(shapes.Statistics, vars(summarise(samples[key]))),
                "values": series.get("values", samples[key]),
                "positions": series.get("positions"),
                "printed": result.printed,
                "qualifier": result.qualifier,
                "flags": [_flag(code) for code in result.flags or []],
            }
        )
    order = list(catalog.METRICS)
    return sorted(
        listed,
        key=lambda r: (order.index(r["metric"]), [_rank(v) for v in r["parameters"].values()]),
    )


async def _published(moment: ReadContext, run: StoredRun) -> list[shapes.RunFigure]:
    """Return printed figures without their absent fields."""
    printed = await results.printed_of(moment, [run.key])
    return [
        cast(
            shapes.RunFigure,
            {k: v for k, v in figure._asdict().items() if v is not None and k != "run_id"},
        )
        for figure in printed
    ]


def _rank(value: Any) -> tuple[bool, float, str]:
    return (isinstance(value, str), value if isinstance(value, (int, float)) else 0, str(value))


def _flag(code: str) -> shapes.Flag:
    flag = catalog.flag(code)
    return {"code": code, "severity": flag.severity, "sentence": flag.sentence}


def _time(value: datetime | None) -> str | None:
    return value.isoformat() if value else None


def cursor_of(position: ListPosition) -> str:
    """Encode a position in a list for clients."""
    text = f"{position.received_at.isoformat()} {position.id}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


_FIRST_YEAR = 2000


def position_of(cursor: str, pointer: str = "?cursor") -> ListPosition:
    """Decode a cursor; 422 if `cursor_of` didn't write it."""
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        time, _, run_id = text.partition(" ")
        # A naive time would be ambiguous.
        received = datetime.fromisoformat(time).astimezone(UTC)
        # Earlier than any server; comparisons near year 1 would overflow.
        if received.year < _FIRST_YEAR:
            raise ValueError(received)
        return ListPosition(received, uuid.UUID(run_id))
    except (ValueError, OverflowError, binascii.Error):
        raise invalid(
            pointer, "cursor must be the next of an earlier page. Leave it out to start again."
        ) from None


_MOST_CHIEF = 2
# Headline metrics first, then catalogue order.
_RANKS = {
    name: (Role.CHIEF not in metric.roles, position)
    for position, (name, metric) in enumerate(catalog.METRICS.items())
}


async def chief_figures(
    moment: ReadContext, runs: Sequence[StoredRun]
) -> dict[uuid.UUID, list[shapes.ChiefFigure]]:
    """Return each run's headline metrics, with the range from lowest to highest result.

    A run with only a printed ratio or range has that, as printed.
    """
    keys = [run.key for run in runs]
    by_run: dict[uuid.UUID, list[shapes.ChiefFigure]] = {}
    for row in await ranges_of(moment, keys):
        if row.metric not in _RANKS or not math.isfinite(row.high - row.low):
            continue  # unknown to this version
        alone = row.results == 1
        by_run.setdefault(row.run_id, []).append(
            _chief(row.metric, row.printed if alone else None, row.low, row.high, row.results)
        )
    for printed in await printed_of(moment, keys):
        if printed.run_id not in by_run and printed.metric in _RANKS:
            figure = _chief(printed.metric, printed.printed, None, None, 0)
            by_run[printed.run_id] = [{**figure, "ratio": printed.kind == "ratio"}]
    for figures in by_run.values():
        figures.sort(key=lambda figure: _RANKS[figure["metric"]])
        del figures[_MOST_CHIEF:]
    return by_run


def _chief(
    metric: str, printed: str | None, low: float | None, high: float | None, results: int
) -> shapes.ChiefFigure:
    return {
        "metric": metric,
        "unit": catalog.METRICS[metric].unit.value,
        "low": low,
        "high": high,
        "results": results,
        "printed": printed,
        "ratio": False,
    }
