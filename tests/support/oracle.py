"""Answers computed from the tables alone, row by row, to check the data set's against.

Slow, and meant to be read.
"""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from typing import Any

import numpy as np
from macmeter import catalog
from macmeter.accounts.scope import COMMONS, scope_of
from macmeter.accounts.tokens import TokenPrincipal
from macmeter.accounts.visibility import visible
from macmeter.catalog import ANY_LABEL, DETERMINES_WHERE, LABEL_PREFIX, Trait
from macmeter.catalog.terms import Term
from macmeter.models import Result, Run, Series
from macmeter.questions.pairs import settles
from macmeter.questions.question import Question
from macmeter.questions.relative import reference_terms
from macmeter.results.filters import column, in_answers, matches, not_withdrawn, results_of
from sqlalchemy import func, not_, select
from sqlalchemy.ext.asyncio import AsyncConnection

Json = dict[str, Any]
# Values of the requested dimensions, published, method and version.
Key = tuple[Any, ...]
SHARES = (("p10", 10), ("p25", 25), ("median", 50), ("p75", 75), ("p90", 90))


async def groups(
    connection: AsyncConnection, question: Question, metric: str, reader: TokenPrincipal | None
) -> dict[Key, Json]:
    """The figures of each group, and its ratio where there are pairs."""
    rows = await _rows(connection, question, metric, question.where, reader)
    figures = {key: _figures(question, metric, listed) for key, listed in rows.items()}
    if question.relative_to:
        await _add_ratios(connection, question, metric, reader, rows, figures)
    return figures


async def excluded(
    connection: AsyncConnection, question: Question, metric: str, reader: TokenPrincipal | None
) -> dict[str, int]:
    """Count the runs left out for each doubt."""
    runs: dict[str, set[uuid.UUID]] = defaultdict(set)
    query = results_of([metric], question.where, await scope_of(connection, reader))
    listed = query.add_columns(Run.run_id, Run.flags, Result.flags.label("own"))
    for row in await connection.execute(listed.where(not_(not_withdrawn()))):
        runs[catalog.WITHDRAWN].add(row.run_id)
    if question.flagged == "exclude":
        for row in await connection.execute(listed.where(not_withdrawn(), Result.doubtful)):
            for code in filter(catalog.is_doubt, [*row.flags, *(row.own or [])]):
                runs[code].add(row.run_id)
    return {code: len(ids) for code, ids in runs.items()}


async def facet(
    connection: AsyncConnection, name: str, terms: tuple[Term, ...], metric: str | None
) -> dict[Any, tuple[int, int]]:
    """Runs and machines under these filters, for each value of a dimension."""
    if metric is None:
        query = select(Run.run_id, Run.machine_id, Run.unspecified, column(name).label("value"))
        query = query.where(visible(COMMONS), not_withdrawn(), matches(terms))
    else:
        query = results_of([metric], terms, COMMONS).where(in_answers("exclude"))
        query = query.add_columns(Run.run_id, Run.machine_id, Run.unspecified)
        query = query.add_columns(column(name).label("value"))
    runs: dict[Any, set[uuid.UUID]] = defaultdict(set)
    machines: dict[Any, set[uuid.UUID]] = defaultdict(set)
    for row in await connection.execute(query):
        runs[row.value].add(row.run_id)
        machines[row.value].update({row.machine_id} if not row.unspecified else ())
    return {value: (len(ids), len(machines[value])) for value, ids in runs.items()}


async def runs(
    connection: AsyncConnection, terms: tuple[Term, ...], reader: TokenPrincipal | None
) -> list[str]:
    """The ids of the matching runs, newest first."""
    query = select(Run.run_id).where(visible(await scope_of(connection, reader)), matches(terms))
    query = query.order_by(Run.received_at.desc(), Run.run_id.desc())
    return [str(run_id) for run_id in (await connection.execute(query)).scalars()]


async def machines(
    connection: AsyncConnection, terms: tuple[Term, ...], reader: TokenPrincipal | None
) -> list[tuple[str, int]]:
    """The machines with matching runs, and their number; the last to measure comes first."""
    last = func.max(Run.received_at)
    query = select(Run.machine_id, func.count()).where(
        visible(await scope_of(connection, reader)),
        *(not_withdrawn(), matches(terms), Run.unspecified.is_(False)),
    )
    query = query.group_by(Run.machine_id).order_by(last.desc(), Run.machine_id.desc())
    return [(str(row[0]), row[1]) for row in await connection.execute(query)]


async def doubted(
    connection: AsyncConnection, metric: str, terms: tuple[Term, ...], reader: TokenPrincipal | None
) -> set[str]:
    """The runs that an answer leaves out for a doubt."""
    query = results_of([metric], terms, await scope_of(connection, reader))
    query = query.where(Result.doubtful, not_withdrawn()).add_columns(Run.run_id)
    return {str(row.run_id) for row in await connection.execute(query)}


async def _rows(
    connection: AsyncConnection,
    question: Question,
    metric: str,
    terms: tuple[Term, ...],
    reader: TokenPrincipal | None,
) -> dict[Key, list[Any]]:
    determinants = [name for name in catalog.METRICS[metric].determinants if name != ANY_LABEL]
    query = (
        results_of([metric], terms, await scope_of(connection, reader))
        .where(in_answers(question.flagged))
        .add_columns(
            *(column(name).label(f"by_{i}") for i, name in enumerate(question.by)),
            *(column(name).label(f"of_{name}") for name in determinants),
            *(Run.machine_id, Run.run_id, Run.unspecified, Run.flags, Run.labels, Run.source),
            *(Run.method, Run.method_version, Run.device_id, Run.holder, Series.series_id),
            *(Result.median, Result.flags.label("own"), Result.n),
        )
    )
    by_key: dict[Key, list[Any]] = defaultdict(list)
    for row in await connection.execute(query):
        cells = row._mapping
        by = tuple(cells[f"by_{i}"] for i in range(len(question.by)))
        by_key[*by, row.source == "published", row.method, row.method_version].append(cells)
    # Figures that name no machine count only in groups without any other.
    return {
        key: [row for row in rows if not row["unspecified"]] or rows for key, rows in by_key.items()
    }


def _figures(question: Question, metric: str, rows: list[Any]) -> Json:
    machines: dict[Any, list[float]] = defaultdict(list)
    flags = {(row["run_id"], code) for row in rows for code in [*row["flags"], *(row["own"] or [])]}
    for row in rows:
        machines[row["machine_id"], row["unspecified"]].append(row["median"])
    values = [float(np.median(listed)) for listed in machines.values()]
    if question.weight == "run":
        values = [row["median"] for row in rows]
    pooled: dict[str, set[Any]] = defaultdict(set)
    for row in rows:
        for name, value in _setting(question, metric, row).items():
            dimension = catalog.dimension(name)
            if value is not None or (
                dimension is not None and Trait.ABSENCE_COUNTS in dimension.traits
            ):
                pooled[name].add(value)
    return {
        "machines": sum(not unspecified for _, unspecified in machines),
        "runs": len({row["run_id"] for row in rows}),
        "samples": sum(row["n"] for row in rows),
        "min": min(values),
        "max": max(values),
        **{name: float(np.percentile(values, share)) for name, share in SHARES},
        "flags": dict(Counter(code for _, code in flags)),
        "mixes": {name: len(values) for name, values in pooled.items() if len(values) > 1},
    }


def _setting(question: Question, metric: str, row: Any) -> Json:
    setting: Json = {}
    for name in catalog.METRICS[metric].determinants:
        if name == ANY_LABEL:
            setting |= {LABEL_PREFIX + key: value for key, value in row["labels"].items()}
        elif (
            name in DETERMINES_WHERE
            and row[f"of_{DETERMINES_WHERE[name][0]}"] != (DETERMINES_WHERE[name][1])
        ):
            setting[name] = None
        else:
            setting[name] = row[f"of_{name}"]
    return {name: value for name, value in setting.items() if name not in question.by}


async def _add_ratios(
    connection: AsyncConnection,
    question: Question,
    metric: str,
    reader: TokenPrincipal | None,
    rows: dict[Key, list[Any]],
    figures: dict[Key, Json],
) -> None:
    """Add a ratio to each group with pairs. A machine is one pair: the median of its ratios."""
    replaced = {term.dimension: term.value for term in question.relative_to}
    references = await _rows(connection, question, metric, reference_terms(question), reader)
    for key, listed in rows.items():
        by = tuple(
            replaced.get(name, value)
            for name, value in zip(question.by, key[: len(question.by)], strict=True)
        )
        reference = references.get((*by, *key[len(by) :]), [])
        over = _alike(question, metric, listed, replaced)
        under = _alike(question, metric, reference, replaced)
        ratios: dict[Any, list[float]] = defaultdict(list)
        for cell in over.keys() & under.keys():
            tops, bottoms = over[cell], under[cell]
            if {row["run_id"] for row in tops} != {row["run_id"] for row in bottoms}:
                ratios[cell[0]].append(_median(tops) / _median(bottoms))
        if ratios:
            figures[key]["pairs"] = len(ratios)
            figures[key]["ratio"] = float(np.median([np.median(r) for r in ratios.values()]))


def _median(rows: list[Any]) -> float:
    return float(np.median([row["median"] for row in rows]))


def _alike(
    question: Question, metric: str, rows: list[Any], compared: Json
) -> dict[Any, list[Any]]:
    cells: dict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        if row["unspecified"]:
            continue
        setting = _setting(question, metric, row)
        same = {n: v for n, v in setting.items() if n not in compared and not settles(n, compared)}
        holder = tuple(sorted((row["holder"] or {}).items()))
        cell = (row["machine_id"], row["device_id"], holder, tuple(sorted(same.items())))
        cells[cell].append(row)
    return cells
