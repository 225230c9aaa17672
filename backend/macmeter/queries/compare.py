"""Sides beside one another: figures, ratios to the baseline, and what forbids a ratio.

Every row is one metric under one set of parameters by one method: published and measured
figures, methods and their versions never stand in one row, so no ratio joins them. What else
differs besides what the sides are meant to differ in is marked, or, where it makes the two
figures things of different kinds, the ratio is refused with the reason.
"""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.ingest.derive import DERIVATION_VERSION
from macmeter.models import Run
from macmeter.queries.answer import describe_group, describe_term, specified
from macmeter.queries.excluded import fetch_excluded
from macmeter.queries.groups import Key, Unit, derivations_of, fetch_groups
from macmeter.queries.notes import of_derivations, of_mixes
from macmeter.queries.pairs import NoRatio, ratio_of_units
from macmeter.queries.question import Question, Term, Value
from macmeter.queries.relative import described, known
from macmeter.queries.sides import Asked, Side
from macmeter.queries.sql import column, matches, results_of, undoubted
from macmeter.queries.summary import in_words

Json = dict[str, Any]
Circumstances = dict[str, list[Value]]

# What may move a figure besides the chip, and a reader might not think of.
_WATCHED = (
    "storage",
    "link_speed",
    "via",
    "simultaneous",
    "image_format",
    "image_state",
    "encryption",
    "file_system",
    "virtual",
    "os_version",
    "power_mode",
    "power_source",
    "tool",
)
# Image figures of different formats or macOS versions are no figures of one thing.
_STRICT_OF_IMAGES = ("image_format", "os_version")


class _Cell:
    """One side's part of a row."""

    def __init__(self, question: Question, side: Side, units: list[Unit]) -> None:
        self.question = question
        self.side = side
        self.units = units
        self.circumstances: Circumstances = {}

    @property
    def fixed(self) -> set[str]:
        return {term.dimension for term in self.side.terms}

    @property
    def of_images(self) -> bool:
        return "disk_image" in self.circumstances["storage"]


async def compare(
    connection: AsyncConnection, asked: Asked, reader: Bearer | None, now: datetime
) -> Json:
    """The comparison as JSON; deterministic but for `as_of`."""
    rows: list[Json] = []
    behind: list[Unit] = []
    for metric, fixed in asked.metrics:
        rows += await _rows(connection, asked, metric, fixed, reader, behind)
    return {
        "comparison": describe(asked),
        "as_of": now.isoformat(timespec="seconds"),
        "derivation_version": DERIVATION_VERSION,
        "runs": len({run_id for unit in behind for run_id in unit.run_ids}),
        "rows": rows,
        "geometric_mean": geometric_mean(asked, rows),
        "notes": [*of_derivations(derivations_of(behind)), *_notes(rows)],
    }


def describe(asked: Asked) -> Json:
    return {
        "canonical": asked.canonical,
        "metrics": [
            {"metric": name, "parameters": {term.dimension: term.value for term in fixed}}
            for name, fixed in asked.metrics
        ],
        "sides": [
            {
                "number": side.number,
                "label": side.label or in_words(side.terms),
                "where": [describe_term(term) for term in side.terms],
            }
            for side in asked.sides
        ],
        "where": [describe_term(term) for term in asked.where],
        "baseline": asked.baseline,
        "weight": asked.weight,
        "flagged": asked.flagged,
        "version": 1,
    }


async def _rows(
    connection: AsyncConnection,
    asked: Asked,
    metric: str,
    fixed: tuple[Term, ...],
    reader: Bearer | None,
    behind: list[Unit],
) -> list[Json]:
    """A row for each method of a metric; adds what stands behind its figures to `behind`."""
    compared = _compared(asked)
    of_key: dict[Key, dict[int, _Cell]] = {}
    excluded: list[Json] = []
    for side in asked.sides:
        question = asked.question(metric, fixed, side)
        groups = await fetch_groups(
            connection, question, metric, question.where, reader, hosts="virtual" in compared
        )
        around = await _circumstances(connection, question, metric, reader)
        for found, units in specified(groups)[0].items():
            cell = of_key.setdefault(found, {})[side.number] = _Cell(question, side, units)
            cell.circumstances = around[found]
            behind += units
        left_out = await fetch_excluded(connection, question, metric, reader)
        excluded += [{"side": side.number, **reason} for reason in left_out]
    ordered = sorted(of_key, key=lambda of: (-len(of_key[of]), of.published, repr(of)))
    rows = []
    # A metric that no side has gets a row too: with all its cells missing.
    keys: list[Key | None] = [*ordered] or [None]
    for key in keys:
        cells = of_key[key] if key is not None else {}
        entry = catalog.METRICS[metric]
        row: Json = {
            "metric": metric,
            "title": entry.title,
            "unit": entry.unit.value,
            "better": entry.better.value,
            "parameters": {term.dimension: term.value for term in fixed},
            "published": key.published if key else None,
            "method": key.method if key else None,
            "method_version": key.method_version if key else None,
            "cells": [],
            "excluded": excluded,
        }
        for side in asked.sides:
            own = cells.get(side.number)
            if own is None or key is None:
                row["cells"].append({"side": side.number, "missing": _missing(side, key, of_key)})
            else:
                baseline = cells.get(asked.baseline)
                row["cells"].append(
                    await _described(connection, asked, metric, key, own, baseline, reader)
                )
        rows.append(row)
    return rows


def _missing(side: Side, key: Key | None, of_key: dict[Key, dict[int, _Cell]]) -> Json:
    elsewhere = [other for other, cells in of_key.items() if side.number in cells]
    if not elsewhere or key is None:
        return {"code": "not_measured", "text": "Nothing measured here answers this."}
    names = ", ".join(sorted({f"{other.method} {other.method_version}" for other in elsewhere}))
    kinds = {other.published for other in elsewhere}
    if key.published not in kinds:
        what = "published" if True in kinds else "measured"
        return {
            "code": "other_source",
            "text": f"Only {what} figures are there ({names}): they stand in a row of their own.",
        }
    return {
        "code": "other_method",
        "text": f"Measured by another method ({names}), which stands in a row of its own.",
    }


async def _described(
    connection: AsyncConnection,
    asked: Asked,
    metric: str,
    key: Key,
    cell: _Cell,
    baseline: _Cell | None,
    reader: Bearer | None,
) -> Json:
    told = describe_group(cell.question, metric, key, cell.units, None)
    for name in ("key", "published", "method", "method_version"):
        told.pop(name)
    told = {"side": cell.side.number, **told}
    if cell.side.number == asked.baseline:
        return told
    refusal = _refusal(cell, baseline)
    if refusal is not None or baseline is None:
        return {**told, "no_ratio": refusal}
    try:
        ratio = ratio_of_units(
            known(cell.units), known(baseline.units), asked.weight, _compared(asked)
        )
    except NoRatio as reason:
        return {**told, "no_ratio": {"code": reason.code, "text": reason.text}}
    told["ratio"] = {
        **described(ratio),
        "unlike": _unlike(cell, baseline),
        "shared_runs": await _shared(connection, metric, cell, baseline, reader),
    }
    return told


def _compared(asked: Asked) -> set[str]:
    """Pairs may differ in what tells the sides apart, and in nothing else."""
    return {term.dimension for side in asked.sides for term in side.terms}


def _refusal(cell: _Cell, baseline: _Cell | None) -> Json | None:
    """Why there is no ratio between the two; None where there may be one."""
    if baseline is None:
        text = "The baseline has nothing in this row to compare with."
        return {"code": "no_baseline", "text": text}
    if not known(cell.units) or not known(baseline.units):
        text = "The source does not say which machine this is: it may be the same one."
        return {"code": "machine_unstated", "text": text}
    for name in _STRICT_OF_IMAGES:
        title = catalog.DIMENSIONS[name].title.lower()
        for one in (cell, baseline):
            if one.of_images and len(one.circumstances[name]) > 1:
                text = (
                    f"Side {one.side.number} mixes disk images of several values of {title}, "
                    "which are never one series: filter to one."
                )
                return {"code": f"mixed_{name}", "text": text}
        differ = cell.circumstances[name] != baseline.circumstances[name]
        meant = name in cell.fixed | baseline.fixed
        if cell.of_images and baseline.of_images and differ and not meant:
            text = (
                f"Disk images that differ in {title} are never compared by the way: "
                f"filter to one, or make it what the sides differ in."
            )
            return {"code": f"other_{name}", "text": text}
    return None


def _unlike(cell: _Cell, baseline: _Cell) -> list[Json]:
    """What else differs, besides what the sides are meant to differ in."""
    meant = cell.fixed | baseline.fixed
    return [
        {
            "dimension": name,
            "title": catalog.DIMENSIONS[name].title,
            "of": cell.circumstances[name],
            "to": baseline.circumstances[name],
        }
        for name in _WATCHED
        if name not in meant and cell.circumstances[name] != baseline.circumstances[name]
    ]


async def _circumstances(
    connection: AsyncConnection, question: Question, metric: str, reader: Bearer | None
) -> dict[Key, Circumstances]:
    """The values of the watched dimensions among the results of each method; null: not stated."""
    keys = [(Run.source == "published").label("published"), Run.method, Run.method_version]
    listed = [func.array_agg(column(name).distinct()).label(name) for name in _WATCHED]
    query = (
        results_of(metric, question.where, reader)
        .where(undoubted(question.flagged))
        .add_columns(*keys, *listed)
        .group_by(*keys)
    )
    return {
        Key((), row.published, row.method, row.method_version): {
            name: row._mapping[name] for name in _WATCHED
        }
        for row in await connection.execute(query)
    }


async def _shared(
    connection: AsyncConnection,
    metric: str,
    cell: _Cell,
    baseline: _Cell,
    reader: Bearer | None,
) -> int:
    """How many runs are on both sides: such sides are not two things."""
    machines = {unit.machine_id for unit in cell.units}
    if machines.isdisjoint(unit.machine_id for unit in baseline.units):
        return 0
    query = (
        results_of(metric, cell.question.where, reader)
        .where(undoubted(cell.question.flagged), matches(baseline.question.where))
        .add_columns(func.count(Run.run_id.distinct()))
    )
    return int(await connection.scalar(query) or 0)


def geometric_mean(asked: Asked, rows: list[Json]) -> Json:
    """Of the ratios to the baseline, turned so that above 1 is better.

    It covers the metrics that every side has, each once; a mean over other metrics for each
    side would compare nothing.
    """
    covers: list[Json] = []
    left_out: list[Json] = []
    values: dict[int, list[float]] = {side.number: [] for side in asked.sides}
    done: set[str] = set()
    for row in sorted(rows, key=lambda row: -sum(cell.get("machines", 0) for cell in row["cells"])):
        name = {"metric": row["metric"], "parameters": row["parameters"], "method": row["method"]}
        same = repr((row["metric"], row["parameters"]))
        reason = _why_left_out(asked, row)
        if reason is None and same in done:
            reason = "counted_by_another_method"
        if reason is not None:
            left_out.append({**name, "reason": reason})
            continue
        done.add(same)
        covers.append(name)
        for cell in row["cells"]:
            ratio = cell["ratio"]["value"] if cell["side"] != asked.baseline else 1.0
            values[cell["side"]].append(1 / ratio if row["better"] == "lower" else ratio)
    return {
        "covers": covers,
        "left_out": left_out,
        "sides": [
            {"side": number, "value": math.exp(math.fsum(map(math.log, ratios)) / len(ratios))}
            for number, ratios in values.items()
            if ratios
        ],
    }


def _why_left_out(asked: Asked, row: Json) -> str | None:
    if row["better"] == "none":
        return "neither_is_better"
    for cell in row["cells"]:
        if "missing" in cell:
            return "not_all_sides"
        if cell["side"] != asked.baseline and "ratio" not in cell:
            return "no_ratio"
        if cell["side"] != asked.baseline and not cell["ratio"]["value"] > 0:
            return "zero"
    return None


def _notes(rows: list[Json]) -> list[Json]:
    ratios = [cell["ratio"] for row in rows for cell in row["cells"] if "ratio" in cell]
    figures = [cell for row in rows for cell in row["cells"] if "missing" not in cell]
    notes = list(of_mixes(figures, "figures"))
    judged = sum(ratio["verdict"]["answer"] != "not_enough" for ratio in ratios)
    if judged > 1:
        text = (
            f"{judged} verdicts, each with its own chance of error: of 20 equal pairs "
            "about one is called different."
        )
        notes.append({"code": "many_verdicts", "text": text})
    if any(ratio["unlike"] for ratio in ratios):
        text = "Some sides differ in more than they are meant to: see what is marked."
        notes.append({"code": "unlike", "text": text})
    if any(ratio["shared_runs"] for ratio in ratios):
        text = "Some runs are on both sides of a ratio: it says less than it seems."
        notes.append({"code": "shared_runs", "text": text})
    if any(ratio["pairing"] == "unpaired" for ratio in ratios):
        text = "Unpaired ratios compare different machines or devices."
        notes.append({"code": "unpaired", "text": text})
    return notes
