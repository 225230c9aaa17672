"""A machine's or run's percentile among similar machines: a cohort that the reader describes.

The cohort is the machines of one answer without groups, each with its own value; only those
measured by the same method count. The machine itself is not counted.
"""

from __future__ import annotations

import uuid
from typing import NamedTuple

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.scope import Asker
from macmeter.answers.machines import CohortFigures, Place, Placed
from macmeter.dataset.wording import machine_number
from macmeter.errors import Problem, invalid, not_found
from macmeter.queries.grouped import Key
from macmeter.queries.groups import Group, groups_of
from macmeter.queries.latest import by_method, latest_of
from macmeter.queries.mixes import mixes_of
from macmeter.queries.question import Question
from macmeter.reading.moment import begin_reading
from macmeter.reading.results import medians_of
from macmeter.reading.runs import with_id
from macmeter.reading.timeline import measurements_of
from macmeter.stats.intervals import place
from macmeter.stats.summary import Array, percentile

# Among fewer a place says more of who happened to measure than of the machine.
MINIMUM = 10
# Of a cohort: from its lowest to its highest.
_SHARES = (0.0, 0.10, 0.25, 0.50, 0.75, 0.90, 1.0)


async def place_of_machine(
    connection: AsyncConnection, question: Question, machine_id: uuid.UUID, reader: Asker | None
) -> Placed:
    """Its own value is that of its latest runs that match the cohort's question.

    It must have measured what is asked.
    """
    reading = await begin_reading(connection, reader)
    groups = groups_of(reading, question, question.metrics[0], question.where)
    number = machine_number(machine_id)
    own = {
        key: of_machine
        for key, group in groups.items()
        if len(of_machine := group.of_machine(number))
    }
    if not own:
        raise Problem(
            422,
            "not_in_cohort",
            "Not in the cohort",
            "This machine has no results that match these filters. Remove a filter, or choose "
            "a metric it has measured.",
        )
    # Several methods never mix: the one with most runs of this machine speaks for it.
    key = max(own, key=lambda key: (own[key].run_count, key.method, key.method_version))
    runs, value = own[key].run_count, float(own[key].machine_values[0])
    cohort = _Cohort(key, groups[key], number)
    metric = question.metrics[0]
    filters = ((metric,), question.where, question.flagged)
    measured = await measurements_of(reading, machine_id, *filters)
    latest = latest_of(by_method(measured, metric, key.method, key.method_version))
    if latest is None:  # an article's
        return _placed(question, cohort, value, _Described(str(machine_id), None, runs))
    described = _Described(
        str(machine_id), None, latest.runs, os_version=latest.os_version, usual=value, all_runs=runs
    )
    return _placed(question, cohort, latest.value, described)


async def place_of_run(
    connection: AsyncConnection, question: Question, run_id: uuid.UUID, reader: Asker | None
) -> Placed:
    """Its own value is that of its result under the question's parameters, doubted or not."""
    metric = question.metrics[0]
    of_samples = [term for term in question.where if catalog.is_of_sample(term.dimension)]
    reading = await begin_reading(connection, reader)
    run = await with_id(reading, run_id)
    if run is None:
        raise not_found("run")
    values = await medians_of(reading, run.key, metric, of_samples)
    if not values:
        raise invalid(
            "?metric",
            f"This run has no {metric} that matches these filters. Remove a filter, or choose "
            "a metric it has.",
            "not_of_run",
        )
    key = Key((), run.source == "published", run.method, run.method_version)
    group = groups_of(reading, question, metric, question.where).get(key)
    number = machine_number(run.machine_id)
    described = _Described(str(run.machine_id), str(run_id), 1)
    value = float(np.median(values))
    return _placed(question, _Cohort(key, group, number), value, described)


class _Cohort(NamedTuple):
    """The machines that one is placed among: none where the group is absent."""

    key: Key
    group: Group | None
    machine: int | None
    """The number of the one that is placed."""

    @property
    def others(self) -> Array:
        """Their values, ascending."""
        if self.group is None:
            return np.zeros(0)
        known = self.group.known
        others: Array = np.sort(known.machine_values[known.machine_numbers != self.machine])
        return others


class _Described(NamedTuple):
    """What is placed: a machine by its latest runs, or one of its runs."""

    machine_id: str
    run_id: str | None
    runs: int
    os_version: str | None = None
    usual: float | None = None
    all_runs: int | None = None


def _placed(question: Question, cohort: _Cohort, value: float, described: _Described) -> Placed:
    metric = catalog.METRICS[question.metrics[0]]
    key, group, others = cohort.key, cohort.group, cohort.others
    enough = len(others) >= MINIMUM
    return Placed(
        question=question.canonical,
        metric=metric.name,
        title=metric.title,
        unit=metric.unit.value,
        better=metric.better,
        published=key.published,
        method=key.method,
        method_version=key.method_version,
        **described._asdict(),
        mixes=mixes_of(group.pooled) if group is not None else [],
        value=value,
        machines=len(others),
        minimum=MINIMUM,
        place=_place(value, others, metric.better) if enough else None,
        cohort=CohortFigures(*(percentile(others, share) for share in _SHARES)) if enough else None,
    )


def _place(value: float, others: Array, better: catalog.Better) -> Place:
    placed = place(value, others, lower_is_better=better is catalog.Better.LOWER)
    return Place(
        percentile=placed.percentile,
        better_than=placed.better_than,
        equal_to=placed.equal_to,
        ci_low=placed.low,
        ci_high=placed.high,
    )
