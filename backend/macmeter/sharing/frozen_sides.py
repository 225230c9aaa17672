"""Sides beside one another as a comparison keeps them: the second kind, format 2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.scope import Asker
from macmeter.figures.filters import values_in_words
from macmeter.queries.compare import compare
from macmeter.queries.sides import parse_sides
from macmeter.queries.splitting import Key
from macmeter.sharing.frozen_figures import (
    may_rest_on,
    nameless,
    observed,
    of_few_machines,
    of_few_pairs,
)
from macmeter.sharing.pinned import FrozenMetric

# JSON as it is kept: what was frozen by an older version may lack what a type names.
Json = dict[str, Any]

KIND = "sides"
# The word of a format that is published: what is kept in it goes by this name for ever.
QUESTION = "comparison"
_OF_ROW = ("metric", "parameters", "published", "method", "method_version")


def canonical(query: str) -> str:
    return parse_sides(query).canonical


async def answered(
    connection: AsyncConnection, query: str, reader: Asker | None, now: datetime
) -> Json:
    asked = parse_sides(query)
    return cast(Json, await compare(connection, asked, reader, now, values_in_words))


def metrics(query: str) -> Iterator[FrozenMetric]:
    sides = parse_sides(query)
    across = any(term.dimension == "virtual" for side in sides.sides for term in side.terms)
    baseline = next(side for side in sides.sides if side.number == sides.baseline)
    for metric, fixed in sides.metrics:
        for side in sides.sides:
            question = sides.question(metric, fixed, side)
            reference = sides.question(metric, fixed, baseline) if side != baseline else None
            yield FrozenMetric(metric, question, reference, across)


def few_pairs(frozen: Json) -> Callable[[FrozenMetric, Key], bool]:
    # A row's parameters are filters here and the side's number is none: rows of one metric and
    # method are taken together.
    few = {
        tuple(row[name] for name in ("metric", "published", "method", "method_version"))
        for row, cell in _cells(frozen)
        if of_few_pairs(cell)
    }

    def is_few(one: FrozenMetric, key: Key) -> bool:
        return (one.metric, key.published, key.method, key.method_version) in few

    return is_few


def is_empty(frozen: Json) -> bool:
    return not any(True for _ in _cells(frozen))


def figures(found: Json) -> Any:
    return [
        {
            **{name: row[name] for name in _OF_ROW},
            "cells": [_observed(cell) for cell in row["cells"]],
        }
        for row in found["rows"]
    ]


def _observed(cell: Json) -> Json:
    """What is missing or refused counts by its code: its words may be bettered."""
    told = observed(cell)
    for name in ("missing", "no_ratio"):
        if name in told:
            told[name] = told[name]["code"]
    return told


def medians(found: Json) -> dict[str, float]:
    return {
        repr((*(row[name] for name in _OF_ROW), cell["side"])): cell["median"]
        for row, cell in _cells(found)
    }


def tells_of(frozen: Json, run_id: str) -> bool:
    baseline = frozen["comparison"]["baseline"]
    resting = [(row, cell) for row, cell in _cells(frozen) if may_rest_on(cell, run_id)]
    for row, cell in resting:
        # A ratio rests on its own cell and on the baseline's.
        divided = row["cells"] if cell["side"] == baseline else [cell]
        if of_few_machines(cell) or any(of_few_pairs(other) for other in divided):
            return True
    return not resting


def _cells(found: Json) -> Iterator[tuple[Json, Json]]:
    """Cells with figures, each with its row."""
    for row in found["rows"]:
        for cell in row["cells"]:
            if "missing" not in cell:
                yield row, cell


def of_several(found: Json, fewest: int) -> Json:
    """Sides without figures of fewer machines, and without the ids of runs."""
    baseline = found["comparison"]["baseline"]
    return {**found, "rows": [_of_several(row, baseline, fewest) for row in found["rows"]]}


def _of_several(row: Json, baseline: int, fewest: int) -> Json:
    told = [cell for cell in row["cells"] if "missing" not in cell and not row["published"]]
    sides = {cell["side"] for cell in told if cell["machines"] < fewest}
    cells = [
        {"side": cell["side"], "missing": _few(fewest)}
        if cell["side"] in sides
        else nameless(cell, fewest, baseline not in sides)
        for cell in row["cells"]
    ]
    return {**row, "cells": cells}


def _few(fewest: int) -> Json:
    return {
        "code": "few_machines",
        "text": f"Fewer than {fewest} machines, which this link does not show.",
    }
