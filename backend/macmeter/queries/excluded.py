"""What an answer leaves out: the doubtful results, counted by reason, never silently."""

from __future__ import annotations

import numpy as np

from macmeter import catalog
from macmeter.answers.answer import Excluded
from macmeter.columns.coded import occurring
from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools
from macmeter.queries.question import Question
from macmeter.queries.splitting import distinct
from macmeter.reading.moment import Reading


def excluded_from(reading: Reading, question: Question, metric: str) -> list[Excluded]:
    """`{reason, severity, runs}` for each doubt; a run with two doubts counts under both."""
    runs, flags, withdrawn = _aside(reading, question, metric)
    counts: dict[str, int] = {}
    if question.flagged != "include":
        doubts = reading.view.names.flags.things
        for number in occurring(flags[~withdrawn]).tolist():
            for code in filter(catalog.is_doubt, set(doubts[number])):
                counts[code] = 0
        for code in counts:
            having = np.array([code in carried for carried in doubts])
            counts[code] = len(distinct([runs[having[flags] & ~withdrawn]]))
    listed = sorted(counts.items())
    if withdrawn.any():
        listed.append((catalog.WITHDRAWN, len(distinct([runs[withdrawn]]))))
    return [
        {"reason": code, "severity": catalog.flag(code).severity, "runs": number}
        for code, number in listed
    ]


def _aside(reading: Reading, question: Question, metric: str) -> tuple[Ints, Ints, Bools]:
    """Of each result set aside: its run, its flags, and whether the run was withdrawn."""
    parts = [
        part
        for listed in reading.view.parts(metric, question.where, reading.scope, aside=True).values()
        for part in listed
    ]
    if not parts:
        nothing = np.zeros(0, dtype=np.int64)
        return nothing, nothing, nothing.astype(bool)
    runs = np.concatenate([part.runs for part in parts])
    flags = np.concatenate([part.only(part.rows.flags) for part in parts])
    return runs, flags, np.concatenate([part.of_runs("withdrawn") for part in parts])
