"""What an answer leaves out: the doubtful results, counted by reason, never silently."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from macmeter import catalog
from macmeter.answers.answer import Excluded
from macmeter.dataset.found import Found
from macmeter.dataset.setups import RESULTS
from macmeter.queries.groups import found_of
from macmeter.queries.question import Question
from macmeter.reading.aside import how_many_withdrawn
from macmeter.reading.moment import Reading


async def excluded_from(reading: Reading, question: Question, metric: str) -> list[Excluded]:
    """`{reason, severity, runs}` for each doubt; a run with two doubts counts under both."""
    listed: list[tuple[str, int]] = []
    if question.flagged != "include":
        asked = found_of(reading, question, metric, question.where)
        counted = _flags_of(replace(asked, doubts=True))
        listed = sorted((code, runs) for code, runs in counted.items() if catalog.is_doubt(code))
    if withdrawn := await how_many_withdrawn(reading, metric, question.where):
        listed.append((catalog.WITHDRAWN, withdrawn))
    return [
        {"reason": code, "severity": catalog.flag(code).severity, "runs": number}
        for code, number in listed
    ]


def _flags_of(found: Found) -> Counter[str]:
    """How many runs of these results carry each flag."""
    counted: Counter[str] = Counter()
    if not found.having.any():
        return counted
    codes, values = found.snapshot.setups.values(RESULTS)
    every = found.setups()
    own = codes[every["place"]]
    for code, results in enumerate(np.bincount(own, weights=every["results"]).tolist()):
        if results:
            series = found.among(values[code], found.series)
            for flag in values[code].all_flags(series):
                counted[flag] += int(results) // len(series)
    return counted
