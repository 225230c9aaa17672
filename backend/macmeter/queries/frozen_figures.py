"""What holds for any frozen figure, be it a group of an answer or a cell of a side."""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np

from macmeter.queries.groups import rows_under
from macmeter.queries.question import Question
from macmeter.reading.moment import Reading
from macmeter.terms import Term

Json = dict[str, Any]

# Fewer machines behind a figure and it would still speak of a deleted run.
_KEPT_MACHINES = 3
# What follows from the figures by a method that may be bettered, and what is only told of them:
# links of before `mixes` were told have not changed, nor have those whose spread has more digits.
_INFERRED = ("ci_low", "ci_high", "interval", "verdict", "mixes", "mix", "spread")


def run_ids_of(
    reading: Reading, metric: str, terms: tuple[Term, ...], flagged: str
) -> set[uuid.UUID]:
    """The runs behind figures of that metric under those filters."""
    asked = Question((metric,), where=terms, flagged=flagged)
    runs = {run for run, _ in rows_under(reading, asked, metric)}
    listed = np.fromiter(runs, dtype=np.int64)
    return {uuid.UUID(bytes=run_id) for run_id in reading.view.run_ids(listed)}


def observed(figure: Json) -> Json:
    """A figure and its ratio as they were measured, without what is inferred from them."""
    told = {name: value for name, value in figure.items() if name not in _INFERRED}
    if "ratio" in figure:
        told["ratio"] = observed(figure["ratio"])
    return told


def may_rest_on(figure: Json, run_id: str) -> bool:
    """A figure of few runs names them; one of many names some at most and may rest on any."""
    named = figure.get("run_ids", [])
    return run_id in named or len(named) < figure["runs"]


def of_few_machines(figure: Json) -> bool:
    return bool(figure["machines"] < _KEPT_MACHINES)


def few_pairs(figure: Json) -> bool:
    """Whether its ratio is that of so few pairs that it speaks of single machines."""
    ratio = figure.get("ratio", {})
    return "pairs" in ratio and bool(ratio["pairs"] < _KEPT_MACHINES)
