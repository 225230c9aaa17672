"""Checks that types can't express: metrics' parameters and possible values, totals, times, sources.

For uploads only: stored documents need types and known metrics, so that rules may be tightened.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from macmeter import catalog
from macmeter.catalog import Metric
from macmeter.documents.document import (
    MAX_LABELS,
    MAX_TRACE_ROWS,
    MAX_VALUES,
    RunDocument,
    Series,
    Trace,
)
from macmeter.documents.read import MAX_INTEGER
from macmeter.documents.series import PreparedSeries
from macmeter.platform.errors import FieldError

# RFC 3339 and variants that early servers accepted: no seconds, no colon, lower case.
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[Tt _]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)?", re.ASCII
)


def contradictions(document: RunDocument, series: list[PreparedSeries]) -> Iterator[FieldError]:
    """Yield a FieldError for each field that breaks a rule which its type can't express.

    `series` are the document's, as returned by `prepare_series`.
    """
    traces = document.traces or []
    if len(document.labels or ()) > MAX_LABELS:
        yield FieldError("/labels", "too_many", f"A run can have at most {MAX_LABELS} labels.")
    if sum(len(samples) for _, samples, _, _ in series) > MAX_VALUES:
        yield FieldError(
            "/series", "too_many", f"All series together can have at most {MAX_VALUES:,} values."
        )
    if sum(len(trace.rows) for trace in traces) > MAX_TRACE_ROWS:
        yield FieldError(
            "/traces", "too_many", f"All traces together can have at most {MAX_TRACE_ROWS:,} rows."
        )
    yield from _source_faults(document)
    yield from _time_faults(document)
    yield from unknown_metrics(series)
    yield from _series_faults(document, series)
    for name in ("published_ratios", "published_ranges"):
        for index, figure in enumerate(getattr(document, name) or ()):
            if figure.metric not in catalog.METRICS:
                yield _unknown_metric(f"/{name}/{index}/metric", figure.metric)
    for index, trace in enumerate(traces):
        yield from _trace_faults(trace, f"/traces/{index}")


def _source_faults(document: RunDocument) -> Iterator[FieldError]:
    if document.source == "published" and document.citation is None:
        yield FieldError("/citation", "missing", "A published run needs a citation.")
    if document.source != "published":
        for name in ("citation", "published_ratios", "published_ranges"):
            if getattr(document, name):
                yield FieldError(
                    f"/{name}", "not_published", "Only published runs have this. Remove it."
                )
    if document.source == "imported" and document.tool is None:
        yield FieldError("/tool", "missing", "An imported run needs the tool that measured it.")
    if document.source == "measured" and document.started_at is None:
        yield FieldError("/started_at", "missing", "A measured run needs the time it started.")


def _time_faults(document: RunDocument) -> Iterator[FieldError]:
    start, finish = document.started, document.finished
    for name, written, time in (
        ("started_at", document.started_at, start),
        ("finished_at", document.finished_at, finish),
    ):
        if written is None:
            continue
        if time is None or not _TIME.fullmatch(written):
            detail = "A time must be a string such as 2026-11-20T10:00:00Z."
            yield FieldError(f"/{name}", "not_a_time", detail)
        elif time.tzinfo is None:
            detail = "A time needs its offset from UTC: end it with Z or +02:00."
            yield FieldError(f"/{name}", "no_offset", detail)
        elif time.year < 2000:
            detail = "This time is before the year 2000. Check the Mac's clock."
            yield FieldError(f"/{name}", "too_early", detail)
    if start and finish and start.tzinfo and finish.tzinfo and finish < start:
        yield FieldError(
            "/finished_at", "before_start", "finished_at must not be before started_at."
        )


def unknown_metrics(series: list[PreparedSeries]) -> Iterator[FieldError]:
    """Yield a FieldError for each series whose metric isn't in the catalogue."""
    for index, (kind, *_) in enumerate(series):
        if kind.metric is None:
            yield _unknown_metric(f"/series/{index}/metric", kind.name)


def _series_faults(document: RunDocument, series: list[PreparedSeries]) -> Iterator[FieldError]:
    indexes: dict[object, int] = {}
    # One loop: a generator for each of some fifty series would be slow.
    for index, ((kind, samples, _, _), uploaded) in enumerate(
        zip(series, document.series or (), strict=True)
    ):
        if kind.metric is None:
            continue
        for fault in kind.faults:
            # An article may omit what an agent knows; its group then says "not stated".
            if not (document.source == "published" and fault.code == "missing_parameter"):
                yield replace(fault, pointer=f"/series/{index}{fault.pointer}")
        if not kind.metric.is_possible(samples):
            yield _impossible(kind.metric, uploaded, f"/series/{index}")
        if uploaded.positions is not None or uploaded.printed is not None:
            yield from _length_faults(uploaded, f"/series/{index}")
        first = indexes.setdefault(kind.key, index)
        if first != index:
            yield FieldError(
                f"/series/{index}",
                "duplicate_series",
                f"This has the same metric and parameters as /series/{first}. Merge the two.",
            )


def _impossible(metric: Metric, series: Series, pointer: str) -> FieldError:
    """Return a FieldError at the first value that the metric can't have."""
    index = next(i for i, value in enumerate(series.values) if not metric.is_possible([value]))
    zero = "0 or " if metric.zero else ""
    return FieldError(
        f"{pointer}/values/{index}",
        "out_of_range",
        f"{metric.name} must be {zero}{catalog.PLAUSIBLE_MINIMUM:g} to {metric.maximum:g} "
        f"{metric.unit}. Leave missing values out.",
    )


def _length_faults(series: Series, pointer: str) -> Iterator[FieldError]:
    """Yield a FieldError for a list that isn't as long as the values."""
    for name in ("positions", "printed"):
        parallel = getattr(series, name)
        if parallel is not None and len(parallel) != len(series.values):
            yield FieldError(
                f"{pointer}/{name}",
                "wrong_length",
                f"{len(parallel)} {name} for {len(series.values)} values. Send one for each.",
            )
    if series.positions and max(series.positions) > MAX_INTEGER:
        index = series.positions.index(max(series.positions))
        detail = "A place in the sequence of samples is a number of 64 bits."
        yield FieldError(f"{pointer}/positions/{index}", "not_a_number", detail)


def _trace_faults(trace: Trace, pointer: str) -> Iterator[FieldError]:
    width = len(trace.columns)
    for row, cells in enumerate(trace.rows):
        if len(cells) != width:
            detail = f"{len(cells)} cells for {width} columns. Send one for each."
            yield FieldError(f"{pointer}/rows/{row}", "wrong_length", detail)
            return


def _unknown_metric(pointer: str, name: str) -> FieldError:
    return FieldError(
        pointer,
        "unknown_metric",
        f'Unknown metric "{name[:64]}". /api/v1/catalog lists all metrics.',
    )
