"""Sides beside one another as a comparison keeps them: the second kind, format 2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.scope import Asker
from macmeter.answers.answer import Note
from macmeter.answers.sides import Cell, Compared, FilledCell, Row, filled_of, is_filled
from macmeter.figures.filters import values_in_words
from macmeter.queries.compare import compare
from macmeter.queries.grouped import Key
from macmeter.queries.sides import parse_sides
from macmeter.sharing.frozen_figures import Key as FigureKey
from macmeter.sharing.frozen_figures import (
    Observed,
    by_name,
    may_rest_on,
    nameless,
    observed,
    of_few_machines,
    of_few_pairs,
)
from macmeter.sharing.pinned import FrozenMetric

KIND = "sides"
# The word of a format that is published: what is kept in it goes by this name forever.
QUESTION = "comparison"


def canonical(query: str) -> str:
    return parse_sides(query).canonical


async def answered(
    connection: AsyncConnection, query: str, reader: Asker | None, now: datetime
) -> Compared:
    return await compare(connection, parse_sides(query), reader, now, values_in_words)


def metrics(query: str) -> Iterator[FrozenMetric]:
    sides = parse_sides(query)
    across = any(term.dimension == "virtual" for side in sides.sides for term in side.terms)
    baseline = next(side for side in sides.sides if side.number == sides.baseline)
    for metric, fixed in sides.metrics:
        for side in sides.sides:
            question = sides.question(metric, fixed, side)
            reference = sides.question(metric, fixed, baseline) if side != baseline else None
            yield FrozenMetric(metric, question, reference, across, fixed, side.number)


def few_pairs(frozen: Compared) -> Callable[[FrozenMetric, Key], bool]:
    # A row's parameters are filters here and the side's number is none: rows of one metric and
    # method are taken together.
    few = {
        (row["metric"], row["published"], row["method"], row["method_version"])
        for row, cell in _cells(frozen)
        if of_few_pairs(cell)
    }

    def is_few(one: FrozenMetric, key: Key) -> bool:
        return (one.metric, key.published, key.method, key.method_version) in few

    return is_few


def number_of(frozen: Compared) -> Callable[[FrozenMetric, Key], int | None]:
    numbers = {
        (
            *(row["metric"], by_name(row["parameters"]), cell["side"]),
            *(row["published"], row["method"], row["method_version"]),
        ): number
        for number, (row, cell) in enumerate(_cells(frozen))
    }

    def find(one: FrozenMetric, key: Key) -> int | None:
        parameters = by_name({term.dimension: term.value for term in one.fixed})
        method = (key.published, key.method, key.method_version)
        return numbers.get((one.metric, parameters, one.side, *method))

    return find


def is_empty(frozen: Compared) -> bool:
    return not any(True for _ in _cells(frozen))


def figures(found: Compared) -> dict[FigureKey, Observed]:
    # A ratio follows from its cell and the baseline's: it would count the same change twice.
    def key(row: Row, cell: FilledCell) -> FigureKey:
        method = row["published"], row["method"], row["method_version"]
        return (row["metric"], by_name(row["parameters"]), *method, cell["side"])

    return {key(row, cell): observed(cell) for row, cell in _cells(found)}


def tells_of(frozen: Compared, run_id: str) -> bool:
    baseline = frozen["comparison"]["baseline"]
    resting = [(row, cell) for row, cell in _cells(frozen) if may_rest_on(cell, run_id)]
    for row, cell in resting:
        # A ratio rests on its own cell and on the baseline's.
        divided = filled_of(row) if cell["side"] == baseline else [cell]
        if of_few_machines(cell) or any(of_few_pairs(other) for other in divided):
            return True
    return not resting


def _cells(found: Compared) -> Iterator[tuple[Row, FilledCell]]:
    """Cells with figures, each with its row."""
    for row in found["rows"]:
        for cell in filled_of(row):
            yield row, cell


def of_several(found: Compared, fewest: int) -> Compared:
    """Sides without figures of fewer machines, and without the ids of runs."""
    baseline = found["comparison"]["baseline"]
    return {**found, "rows": [_of_several(row, baseline, fewest) for row in found["rows"]]}


def _of_several(row: Row, baseline: int, fewest: int) -> Row:
    told = [] if row["published"] else filled_of(row)
    sides = {cell["side"] for cell in told if cell["machines"] < fewest}
    cells: list[Cell] = []
    for cell in row["cells"]:
        if cell["side"] in sides:
            cells.append({"side": cell["side"], "missing": _few(fewest)})
        elif is_filled(cell):
            cells.append(nameless(cell, fewest, baseline not in sides))
        else:
            cells.append(cell)
    return {**row, "cells": cells}


def _few(fewest: int) -> Note:
    return {
        "code": "few_machines",
        "text": f"Fewer than {fewest} machines, which this link does not show.",
    }
