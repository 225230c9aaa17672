"""From a Question to its Answer: groups, ratios, printed figures, and what was left out."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import asdict
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.ingest.derive import DERIVATION_VERSION
from macmeter.ingest.flags import in_order
from macmeter.queries.excluded import fetch_excluded
from macmeter.queries.fits import fits_of
from macmeter.queries.groups import (
    LINKED_RUNS,
    Groups,
    Key,
    Unit,
    derivations_of,
    fetch_groups,
    pooled_by,
)
from macmeter.queries.mixes import digest_of, mixes_of
from macmeter.queries.notes import notes_of, of_derivations, of_fits, of_mixes
from macmeter.queries.printed import fetch_published
from macmeter.queries.question import VERSION, Question, Term
from macmeter.queries.relative import ratios_of
from macmeter.stats.figures import Figures, figures
from macmeter.stats.summary import percentile

Json = dict[str, Any]


async def answer(
    connection: AsyncConnection,
    question: Question,
    reader: Bearer | None,
    now: datetime,
) -> Json:
    """The answer as JSON; deterministic but for `as_of`.

    `runs` are the distinct ones whose figures it tells, printed ones too.
    """
    run_ids: set[bytes] = set()
    results = []
    for metric in question.metrics:
        of_metric = question.of_metric(metric)
        results.append(await _of_metric(connection, of_metric, metric, reader, run_ids))
    return {
        "question": describe(question),
        "as_of": now.isoformat(timespec="seconds"),
        "derivation_version": DERIVATION_VERSION,
        "runs": len(run_ids),
        "results": results,
    }


def describe(question: Question) -> Json:
    """The question in canonical form, as text and taken apart."""
    return {
        "canonical": question.canonical,
        "metrics": list(question.metrics),
        "by": list(question.by),
        "where": [describe_term(term) for term in question.where],
        "relative_to": [
            {"dimension": term.dimension, "value": term.value} for term in question.relative_to
        ],
        "weight": question.weight,
        "flagged": question.flagged,
        "fit": question.fit,
        "version": VERSION,
    }


async def _of_metric(
    connection: AsyncConnection,
    question: Question,
    metric: str,
    reader: Bearer | None,
    run_ids: set[bytes],
) -> Json:
    """The answer of one metric; the runs behind it are added to `run_ids`."""
    hosts = any(term.dimension == "virtual" for term in question.relative_to)
    groups = await fetch_groups(connection, question, metric, question.where, reader, hosts=hosts)
    excluded = await fetch_excluded(connection, question, metric, reader)
    counted, unstated = specified(groups)
    if unstated:
        excluded.append({"reason": "machine_unstated", "severity": "caution", "runs": unstated})
    ratios, refused = await ratios_of(connection, question, metric, groups, reader)
    entry = catalog.METRICS[metric]
    listed = {
        key: describe_group(question, metric, key, counted[key], ratios.get(key))
        for key in sorted(counted, key=_sort_key)
    }
    described = [*listed.values()]
    fits, unfitted = fits_of(question, listed, counted)
    published = await fetch_published(connection, question, metric, reader)
    run_ids.update(*(unit.run_ids for units in counted.values() for unit in units))
    run_ids.update(uuid.UUID(figure["run_id"]).bytes for figure in published)
    derivations = derivations_of(unit for units in counted.values() for unit in units)
    described_metric: Json = {
        "metric": metric,
        "title": entry.title,
        "unit": entry.unit.value,
        "better": entry.better.value,
        "groups": described,
        "published": published,
        "fits": fits,
        "excluded": excluded,
        "notes": [
            *of_derivations(derivations),
            *of_mixes(described),
            *of_fits(unfitted),
            *notes_of(question, described, published, _pooled(counted), [*refused.values()]),
        ],
    }
    if derivations not in ([], [DERIVATION_VERSION]):
        described_metric["derivation_versions"] = derivations
    return described_metric


def specified(groups: Groups) -> tuple[Groups, int]:
    """Groups without unspecified machines where a specified one stands; and the runs set aside.

    A figure whose machine nobody knows may repeat one that is known: it stands alone, with
    no machine counted, or not at all.
    """
    counted: Groups = {}
    set_aside: set[bytes] = set()
    for key, units in groups.items():
        known = [unit for unit in units if not unit.unspecified]
        counted[key] = known or units
        if known:
            set_aside.update(*(unit.run_ids for unit in units if unit.unspecified))
    return counted, len(set_aside)


def _pooled(groups: Groups) -> int:
    """How many machines have a value that pools several of their devices."""
    return len({unit.machine_id for units in groups.values() for unit in units if unit.pooled})


def describe_group(
    question: Question, metric: str, key: Key, units: list[Unit], ratio: Json | None
) -> Json:
    units = sorted(units, key=lambda unit: (unit.machine_id, unit.unspecified))
    machines = [unit.run_values for unit in units]
    found = figures(machines, question.weight)
    samples = np.sort(np.concatenate([unit.samples for unit in units]))
    runs = {run_id for unit in units for run_id in unit.run_ids}
    pooled = pooled_by(units)
    group: Json = {
        "key": dict(zip(question.by, key.by, strict=True)),
        "published": key.published,
        "method": key.method,
        "method_version": key.method_version,
        "machines": sum(not unit.unspecified for unit in units),
        "runs": len(runs),
        "samples": len(samples),
        "mixes": mixes_of(pooled),
        "mix": digest_of(pooled),
        **_figures(found),
        "flags": _flags(units),
    }
    if len(samples) > 1:
        group["spread"] = {
            "p10": percentile(samples, 0.10),
            "p90": percentile(samples, 0.90),
            "sd": float(np.std(samples, ddof=1)),
            "samples": len(samples),
        }
    if ratio is not None:
        group["ratio"] = ratio
    group.update(_sources(units))
    if all(len(unit.run_ids) <= LINKED_RUNS for unit in units):
        group["run_ids"] = [str(uuid.UUID(bytes=run_id)) for run_id in sorted(runs)[:LINKED_RUNS]]
    return group


def _figures(found: Figures) -> Json:
    values = asdict(found)
    interval = values.pop("interval")
    if interval is not None:
        values |= {
            "ci_low": interval["low"],
            "ci_high": interval["high"],
            "interval": interval["of"],
        }
    return values


def _flags(units: list[Unit]) -> list[Json]:
    counts = sum((unit.flags for unit in units), start=Counter[str]())
    return [
        {
            "code": code,
            "severity": catalog.flag(code).severity.value,
            "runs": counts[code],
        }
        for code in in_order(set(counts))
    ]


def _sources(units: list[Unit]) -> Json:
    """Where the group's figures can be looked up: printed digits and citations."""
    found: Json = {}
    printed = [figure for unit in units for figure in unit.printed]
    if printed:
        found["printed"] = [digits for digits, _ in printed]
        if len(printed) == 1 and printed[0][1] is not None:
            found["qualifier"] = printed[0][1]
    citations = [citation for unit in units for citation in unit.citations]
    if citations:
        found["citations"] = sorted(citations, key=lambda citation: citation["row"])
    return found


def _sort_key(key: Key) -> tuple[Any, ...]:
    """Not stated last, numbers by size, published after measured."""
    by = tuple(
        (value is None, value if isinstance(value, (int, float)) else 0, str(value))
        for value in key.by
    )
    return (by, key.published, key.method, key.method_version)


def describe_term(term: Term) -> Json:
    described: Json = {"dimension": term.dimension, "op": term.op.value}
    if term.low is None and term.high is None:
        return {**described, "value": term.value}
    return {**described, "low": term.low, "high": term.high}
