"""Derivation of rows for answers from a run document. Pure: no clock, no database.

Raise DERIVATION_VERSION with every change that may change a figure, a flag or a dimension;
`macmeter-server rederive` then rebuilds the older rows from their raw documents.
"""

import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast

import msgspec

from macmeter import Json, catalog
from macmeter.catalog.chips import parse_chip
from macmeter.catalog.terms import Value
from macmeter.documents.document import Environment, RunDocument, Target
from macmeter.documents.flags import (
    DERIVED,
    FlagsOfSeries,
    flags_of_run,
    flags_of_series,
    sort_flags,
)
from macmeter.documents.methods import CountedAs, counted_as
from macmeter.documents.series import PreparedSeries, canonical_parameters

DERIVATION_VERSION = 9
# Speeds are derived where a source prints times only.
DURATION, SPEED = "compression.duration", "compression.speed"
# Keys of a printed ratio or range that hold parameters.
_PARAMETERS = {"parameters", "of", "to"}


class DerivedResult(NamedTuple):
    """One series: ascending samples and their median, in the metric's unit."""

    metric: str
    parameters: dict[str, Value]
    doubtful: bool
    median: float
    samples: list[float]
    flags: list[str] | None
    printed: str | None
    qualifier: str | None


@dataclass(frozen=True)
class DerivedRun:
    """A run's rows; `columns` are those of `runs` that follow from the document alone."""

    machine_id: uuid.UUID
    run_id: uuid.UUID
    columns: Json
    results: list[DerivedResult]
    published_figures: list[Json]


def derive(document: RunDocument, series: Sequence[PreparedSeries]) -> DerivedRun:
    """Derive a run's rows. `series` are the document's: see parse.py."""
    flags = flags_of_run(document)
    doubted = any(map(catalog.is_doubt, flags))
    return DerivedRun(
        machine_id=document.machine_id,
        run_id=document.run_id,
        columns={
            "derivation_version": DERIVATION_VERSION,
            "method_version": _counted_as(document).version,
            "started_at": document.started,
            "finished_at": document.finished,
            "unspecified": bool(document.machine.unspecified),
            "flags": flags,
            "labels": _labels(document),
            "citation": _citation(document),
            **dimensions(document),
        },
        results=_results(document, series, doubted),
        published_figures=_published_figures(document),
    )


def dimensions(document: RunDocument) -> Json:
    """Return the value of every dimension that is a column of `runs`; None where not stated."""
    machine, target = document.machine, document.target
    environment = document.environment or Environment()
    chip = parse_chip(machine.chip) if machine.chip else None
    return {
        **{name: _stated(document, path) for name, path in _STATED},
        "method": _counted_as(document).method,
        "chip_family": chip.family if chip else None,
        "chip_variant": chip.variant if chip else None,
        "model": machine.model_name or machine.model,
        "device_id": target.device_id if target else None,
        "holder": _holder(target),
        "virtual": environment.virtual_machine is not None,
        "host_machine_id": _host(document),
        "os_major": os_major(environment.os_version),
        "month": _month(document.started),
    }


def _counted_as(document: RunDocument) -> CountedAs:
    return counted_as(document.method.name, document.method.version)


# Dimensions that are stated in the document, with their paths.
_STATED = [
    (name, dimension.stated.split("."))
    for name, dimension in catalog.DIMENSIONS.items()
    if dimension.stated is not None
]


def _stated(document: RunDocument, path: list[str]) -> Any:
    """Look up a path; None if it, or an object around it, is absent."""
    value: Any = document
    for key in path:
        value = getattr(value, key)
        if value is None:
            return None
    return value


def _holder(target: Target | None) -> Json | None:
    """Return what is stated of the volume that holds a disk image or a guest's disk."""
    host = target.image.host if target and target.image else None
    if host is None:
        return None
    names = ("storage", "encryption", "device_id")
    return {name: value for name in names if (value := getattr(host, name)) is not None} or None


def os_major(version: str | None) -> int | None:
    """Return 26 for "26.4", 15 for "15.2 beta"; None if the version doesn't begin with a number."""
    match = re.match(r"\d{1,4}(?!\d)", version or "")
    return int(match.group()) if match else None


def _month(started_at: datetime | None) -> str | None:
    return started_at.astimezone(UTC).strftime("%Y-%m") if started_at else None


def _citation(document: RunDocument) -> Json | None:
    citation = document.citation
    return cast(Json, msgspec.to_builtins(citation)) if citation else None


def _labels(document: RunDocument) -> dict[str, str]:
    return {key: value for key, value in (document.labels or {}).items() if value is not None}


def _host(document: RunDocument) -> uuid.UUID | None:
    virtual_machine = document.environment.virtual_machine if document.environment else None
    host = virtual_machine.host_machine_id if virtual_machine else None
    return uuid.UUID(host) if host else None


def _results(
    document: RunDocument, series: Sequence[PreparedSeries], run_doubted: bool
) -> list[DerivedResult]:
    flags_of = flags_of_series(document)
    results = [_result(measurement, flags_of, run_doubted) for measurement in series]
    if DERIVED in document.warning_codes:
        results += _speeds(results)
    return results


def _speeds(results: list[DerivedResult]) -> list[DerivedResult]:
    """Derive speeds from times and the file size, where a source prints no speed."""
    return [
        result._replace(
            metric=SPEED,
            median=size / result.median,
            samples=speeds(size, result.samples),
            flags=sort_flags({*(result.flags or []), DERIVED}),
            printed=None,
        )
        for result in results
        if (size := timed_file_size(result.metric, result.parameters, result.samples)) is not None
    ]


def timed_file_size(
    metric: str, parameters: Mapping[str, Value], samples: Sequence[float]
) -> float | None:
    """Return the size of the file that was timed; None if no speed can be derived."""
    size = parameters.get("file_size")
    if metric != DURATION or not isinstance(size, (int, float)):
        return None
    # Rejects impossible speeds, such as those of an empty file or of no time.
    possible = (
        size > 0
        and samples[0] > 0
        and catalog.METRICS[SPEED].is_possible([size / samples[-1], size / samples[0]])
    )
    return size if possible else None


def speeds(file_size: float, times: Iterable[float]) -> list[float]:
    """Return speeds in bytes per second, ascending."""
    return sorted(file_size / time for time in times)


def _result(series: PreparedSeries, flags_of: FlagsOfSeries, run_doubted: bool) -> DerivedResult:
    kind, samples, printed, qualifier = series
    median = _median(samples)
    flags = flags_of(kind.name, kind.parameters, samples, median)
    return DerivedResult(
        kind.name,
        kind.parameters,
        run_doubted or (bool(flags) and any(map(catalog.is_doubt, flags))),
        median,
        samples,
        flags or None,
        # A single printed figure keeps its digits.
        printed[0] if printed and len(printed) == 1 else None,
        qualifier,
    )


def _median(ordered: Sequence[float]) -> float:
    """Return what `statistics.summary.percentile` gives for the median, three times as fast."""
    half, is_odd = divmod(len(ordered), 2)
    lower = ordered[half - 1 + is_odd]
    return lower if is_odd else lower + (ordered[half] - lower) * 0.5


def _published_figures(document: RunDocument) -> list[Json]:
    """Return the rows of `published_figures`, without the run's id."""
    ratios = [("ratio", figure) for figure in document.published_ratios or ()]
    ranges = [("range", figure) for figure in document.published_ranges or ()]
    rows = []
    for position, (kind, figure) in enumerate([*ratios, *ranges]):
        row: Json = {"position": position, "kind": kind, **msgspec.structs.asdict(figure)}
        for name in row.keys() & _PARAMETERS:
            row[name] = canonical_parameters(row[name] or {})
        rows.append(row)
    return rows
