"""From a document's bytes to a RunDocument, or a Problem that names every field refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from pydantic import ValidationError

from macmeter import catalog
from macmeter.documents.document import (
    MAX_LABELS,
    MAX_TRACE_ROWS,
    MAX_VALUES,
    RunDocument,
    Series,
)
from macmeter.documents.plain import is_plain, plain_series
from macmeter.documents.read import pointer_of, read_json, read_plain_json
from macmeter.documents.series import Measured, measured
from macmeter.errors import FieldError, Problem
from macmeter.untyped import Json

# Errors that a refusal names; the others are counted.
_TOLD = 20
MAX_CLOCK_AHEAD = timedelta(minutes=10)


class Parsed(NamedTuple):
    """A document, which may lack its series, and those in the form that `derive` takes."""

    document: RunDocument
    series: list[Measured]


def parse(content: bytes, *, now: datetime) -> Parsed:
    """The document in `content`; a Problem that names every field it could not take."""
    parsed = parse_plain(content)
    if parsed is None:
        document = _parse(content)
        parsed = Parsed(document, measured(document))
    _check_clock(parsed.document, now)
    return parsed


def parse_plain(content: bytes) -> Parsed | None:
    """As `_parse` reads it, for a document that has nothing unusual about it; None for others.

    It decides nothing by itself: whatever it does not take is read again by those who can say why.
    """
    read = read_plain_json(content, "series")
    series = plain_series(read.apart, read.colons) if read is not None else None
    if read is None or series is None:
        return None
    value = _without_nulls(read.value) if b"null" in content else read.value
    try:
        document = RunDocument.model_validate(value)
    except ValidationError:
        return None
    return Parsed(document, series) if is_plain(document) else None


def _parse(content: bytes) -> RunDocument:
    """Without a look at the clock."""
    value = read_json(content)
    if not isinstance(value, dict):
        raise _refused([FieldError("", "not_an_object", "A run document must be a JSON object.")])
    # JSON null is the same as leaving the key out: missing is absent.
    try:
        document = RunDocument.model_validate(_without_nulls(value))
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        told = [_field_error(e, value) for e in found[:_TOLD]]
        raise _refused(told, error.error_count()) from None
    errors = list(_contradictions(document))
    if errors:
        raise _refused(errors, len(errors))
    return document


def _without_nulls(value: Json) -> Json:
    """`value` without null members; rows of traces keep theirs, they mean a gap."""
    kept: Json = {}
    for key, item in value.items():
        if isinstance(item, dict):
            kept[key] = _without_nulls(item)
        elif isinstance(item, list) and key not in ("values", "positions", "rows"):
            kept[key] = [_without_nulls(i) if isinstance(i, dict) else i for i in item]
        elif item is not None:
            kept[key] = item
    return kept


def _refused(errors: list[FieldError], count: int = 1) -> Problem:
    """`errors` are the first of `count`."""
    first = errors[0]
    detail = f"{first.pointer or 'The document'}: {first.detail}"
    if count > 1:
        detail += f" (and {count - 1} more)"
    return Problem(422, first.code, "Invalid document", detail, errors[:_TOLD])


def _field_error(error: Any, value: Any) -> FieldError:
    location = _real_location(error["loc"], value)
    detail = f"{error['msg']}."
    if error["type"] == "extra_forbidden":
        detail = "macmeter.run/1 has no such key. Remove it."
    return FieldError(pointer_of(location), error["type"], detail)


def _real_location(location: tuple[int | str, ...], value: Any) -> tuple[int | str, ...]:
    """Without the steps that pydantic adds for unions and keys, which are not in the document."""
    real: list[int | str] = []
    for index, step in enumerate(location):
        last = index + 1 == len(location)
        if isinstance(value, dict) and step in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        elif not last or not isinstance(value, dict) or step == "[key]":
            continue
        real.append(step)
    return tuple(real)


def _contradictions(document: RunDocument) -> Iterator[FieldError]:
    """What no single field shows: metrics and their parameters, totals, times, sources."""
    if len(document.labels) > MAX_LABELS:
        yield FieldError("/labels", "too_many", f"A run can have at most {MAX_LABELS} labels.")
    if sum(len(series.values) for series in document.series) > MAX_VALUES:
        yield FieldError(
            "/series", "too_many", f"All series together can have at most {MAX_VALUES:,} values."
        )
    if sum(len(trace.rows) for trace in document.traces) > MAX_TRACE_ROWS:
        yield FieldError(
            "/traces", "too_many", f"All traces together can have at most {MAX_TRACE_ROWS:,} rows."
        )
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
    yield from _times(document)
    seen: dict[tuple[str, str], int] = {}
    for index, series in enumerate(document.series):
        yield from _check_series(series, f"/series/{index}", document.source)
        key = (series.metric, repr(sorted(series.parameters.items())))
        if key in seen:
            yield FieldError(
                f"/series/{index}",
                "duplicate_series",
                f"This has the same metric and parameters as /series/{seen[key]}. Merge the two.",
            )
        seen.setdefault(key, index)
    for name in ("published_ratios", "published_ranges"):
        for index, figure in enumerate(getattr(document, name)):
            if figure.metric not in catalog.METRICS:
                yield _unknown_metric(f"/{name}/{index}/metric", figure.metric)
    for index, trace in enumerate(document.traces):
        for row, cells in enumerate(trace.rows):
            if len(cells) != len(trace.columns):
                yield FieldError(
                    f"/traces/{index}/rows/{row}",
                    "wrong_length",
                    f"{len(cells)} cells for {len(trace.columns)} columns. Send one for each.",
                )
                break


def _times(document: RunDocument) -> Iterator[FieldError]:
    for name in ("started_at", "finished_at"):
        time = getattr(document, name)
        if time is None:
            continue
        if time.tzinfo is None:
            yield FieldError(
                f"/{name}",
                "no_offset",
                "A time needs its offset from UTC: end it with Z or +02:00.",
            )
        elif time.year < 2000:
            yield FieldError(
                f"/{name}",
                "too_early",
                "This time is before the year 2000. Check the Mac's clock.",
            )
    start, finish = document.started_at, document.finished_at
    if start and finish and start.tzinfo and finish.tzinfo and finish < start:
        yield FieldError(
            "/finished_at", "before_start", "finished_at must not be before started_at."
        )


def _check_series(series: Series, pointer: str, source: str) -> Iterator[FieldError]:
    metric = catalog.METRICS.get(series.metric)
    if metric is None:
        yield _unknown_metric(f"{pointer}/metric", series.metric)
        return
    for name, value in series.parameters.items():
        place = f"{pointer}/parameters{pointer_of((name,))}"
        if name not in metric.required + metric.optional:
            allowed = ", ".join(metric.required + metric.optional) or "none"
            yield FieldError(
                place,
                "unknown_parameter",
                f"{metric.name} only has these parameters: {allowed}.",
            )
        elif catalog.DIMENSIONS[name].kind is catalog.Kind.NUMBER:
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
                yield FieldError(place, "not_a_number", f"{name} must be a number, 0 or more.")
        elif not isinstance(value, str):
            yield FieldError(place, "not_a_text", f"{name} must be a string.")
    # An article may leave out what an agent knows; the group then says "not stated".
    if source != "published":
        for name in metric.required:
            if name not in series.parameters:
                yield FieldError(
                    f"{pointer}/parameters",
                    "missing_parameter",
                    f"{metric.name} needs the parameter {name}.",
                )
    low, high = min(series.values), max(series.values)
    if low < metric.minimum or high > metric.maximum:
        index = series.values.index(high if high > metric.maximum else low)
        yield FieldError(
            f"{pointer}/values/{index}",
            "out_of_range",
            f"{metric.name} must be {metric.minimum:g} to {metric.maximum:g} {metric.unit}. "
            "Leave missing values out.",
        )
    for name in ("positions", "printed"):
        beside = getattr(series, name)
        if beside is not None and len(beside) != len(series.values):
            yield FieldError(
                f"{pointer}/{name}",
                "wrong_length",
                f"{len(beside)} {name} for {len(series.values)} values. Send one for each.",
            )


def _unknown_metric(pointer: str, name: str) -> FieldError:
    return FieldError(
        pointer,
        "unknown_metric",
        f'Unknown metric "{name[:64]}". /api/v1/catalog lists all metrics.',
    )


def _check_clock(document: RunDocument, now: datetime) -> None:
    for name in ("started_at", "finished_at"):
        time = getattr(document, name)
        if time is not None and time > now + MAX_CLOCK_AHEAD:
            detail = (
                "This time is ahead of the server's clock. Set the Mac's clock and send it again."
            )
            raise Problem(
                422,
                "clock_ahead",
                "Clock ahead",
                detail,
                [FieldError(f"/{name}", "clock_ahead", detail)],
                extra={"server_time": now.astimezone(UTC).isoformat()},
            )
