"""Cluster frequency against a cluster's active residency, pooled from the traces of many runs.

A point is one sample of one cluster: the sum of its cores' active residencies (1.0 is one core
all the time) and their shared frequency. Chips, power modes and tiers are never pooled.
"""

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.scope import Principal
from macmeter.catalog.terms import Flagged, Term
from macmeter.documents.stored import stored_document
from macmeter.platform.isolation import DOCUMENTS, Isolated
from macmeter.questions.fits import curve_of
from macmeter.results.context import as_of, begin_reading
from macmeter.results.matching_runs import PowerRun, power_runs
from macmeter.results.runs import document_of
from macmeter.schemas.residency import Point, Residency, ResidencyGroup, ResidencyKey
from macmeter.statistics.fit import FitModel, fit

# Chip, power mode and tier, which a curve must not mix.
_Key = tuple[str | None, str | None, str]

# Documents are read for every answer, so only the newest ones.
MAX_RUNS = 64
MAX_BYTES = 32 * 2**20
# More points don't show in a picture; fits use all points.
MAX_POINTS = 5000
# Theil-Sen needs every pair of points, too many here; a power law fails at 0.
FITS: tuple[FitModel, ...] = ("linear", "quadratic")

_TIERS = {"E": "Efficiency", "P": "Performance", "S": "Super"}


@dataclass(frozen=True)
class ResidencyQuestion:
    where: tuple[Term, ...] = ()
    flagged: Flagged = "exclude"
    fit: FitModel | None = None
    low: float | None = None
    """Range of residencies to include, up to `high`, in cores."""
    high: float | None = None

    def takes(self, active: float) -> bool:
        return (self.low is None or active >= self.low) and (
            self.high is None or active <= self.high
        )


@dataclass
class _Group:
    points: list[Point] = field(default_factory=list)
    runs: set[uuid.UUID] = field(default_factory=set)
    machines: set[uuid.UUID] = field(default_factory=set)


async def residency(
    connection: AsyncConnection, query: ResidencyQuestion, reader: Principal | None, now: datetime
) -> Residency:
    """Return points and fits, and what was left out."""
    moment = await as_of(connection, now)
    reading = await begin_reading(connection, reader)
    matching = await power_runs(reading, query.where, query.flagged, MAX_RUNS)
    chosen = _within_limits(matching.newest)
    groups: dict[_Key, _Group] = {}
    without = 0
    documents = Isolated(DOCUMENTS)
    for row in chosen:
        document = await document_of(reading, (row.machine_id, row.run_id))
        if document is None:
            without += 1  # its fleet keeps medians only
            continue
        points: list[tuple[str, Point]] = []
        with documents.item(row.run_id):
            points += points_of(stored_document(document.compressed))
        without += not points
        for tier, point in points:
            group = groups.setdefault((row.chip, row.power_mode, tier), _Group())
            group.runs.add(row.run_id)
            group.machines.add(row.machine_id)
            group.points.append(point)
    stride = -(-sum(len(group.points) for group in groups.values()) // MAX_POINTS) or 1
    return Residency(
        groups=[
            _describe_group(key, group, query, stride)
            for key, group in sorted(groups.items(), key=lambda item: str(item[0]))
        ],
        runs=len(chosen) - without,
        doubted=matching.doubted,
        without=without,
        older=matching.counted - len(chosen),
        as_of=moment.isoformat(),
    )


def points_of(document: Mapping[str, Any]) -> Iterator[tuple[str, Point]]:
    """Yield each sample of each cluster whose cores were all read, except clusters that are off."""
    traces = {trace["kind"]: trace for trace in document.get("traces") or []}
    tiers = [tier["name"] for tier in document["machine"].get("core_tiers") or []]
    active: dict[tuple[Any, Any], float | None] = {}
    for row in _rows(traces.get("core"), "t", "cluster", "active_residency"):
        t, cluster, share = row
        before = active.get((t, cluster), 0.0)
        are_numbers = isinstance(share, (int, float)) and before is not None
        active[t, cluster] = before + share if are_numbers else None
    for t, cluster, frequency in _rows(traces.get("cpu"), "t", "cluster", "frequency"):
        total = active.get((t, cluster))
        if total is not None and isinstance(frequency, (int, float)) and frequency > 0:
            yield tier_of(cluster, tiers), (float(total), float(frequency))


def tier_of(cluster: str, tiers: list[str]) -> str:
    """Return a tier by its cluster's letter; chips with Super cores use P for these and M for the
    Performance cores.
    """
    letter = cluster[:1].upper()
    if letter == "M" or (letter == "P" and "Super" in tiers):
        return "Performance" if letter == "M" else "Super"
    return _TIERS.get(letter, "other")


def _rows(trace: Mapping[str, Any] | None, *names: str) -> Iterator[list[Any]]:
    """Yield those columns of each row with a time and a cluster; nothing if a column is missing."""
    columns = trace["columns"] if trace else []
    if trace is None or any(name not in columns for name in names):
        return
    indices = [columns.index(name) for name in names]
    for row in trace["rows"]:
        if (
            len(row) > max(indices)
            and isinstance(row[indices[1]], str)
            and row[indices[0]] is not None
        ):
            yield [row[index] for index in indices]


def _within_limits(rows: list[PowerRun]) -> list[PowerRun]:
    sizes = accumulate(row.size for row in rows)
    return [row for row, size in zip(rows, sizes, strict=True) if size <= MAX_BYTES]


def _describe_group(
    key: _Key, group: _Group, query: ResidencyQuestion, stride: int
) -> ResidencyGroup:
    """Describe a group with each `stride`th of its points."""
    points = [point for point in group.points if query.takes(point[0])]
    fitted = fit(query.fit, *zip(*points, strict=True)) if query.fit and points else None
    return ResidencyGroup(
        key=ResidencyKey(*key),
        machines=len(group.machines),
        runs=len(group.runs),
        samples=len(points),
        outside=len(group.points) - len(points),
        points=points[::stride],
        fit=curve_of(fitted) if fitted else None,
    )
