"""Machines: the list, one with its facts and results, and its percentile among similar ones.

A cohort, which the reader describes, is the machines of one answer without groups, each with its
own value; only those measured by the same method count. The machine itself is not counted.
"""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.scope import Asker
from macmeter.answers.machines import (
    CohortFigures,
    Machine,
    MachineFacts,
    MachinePage,
    MeasuredMetric,
    Place,
    Placed,
)
from macmeter.dataset.wording import machine_number
from macmeter.documents.stored import object_at, stored_document
from macmeter.errors import Problem, invalid, not_found
from macmeter.isolation import DOCUMENTS, Isolated
from macmeter.queries.grouped import Key, mixes_of
from macmeter.queries.groups import Group, groups_of
from macmeter.queries.question import Question
from macmeter.queries.runs import Page, cursor_of, machine_of, position_of
from macmeter.queries.timeline import by_method, latest_of
from macmeter.reading import machines
from macmeter.reading.machines import Facts, Measured
from macmeter.reading.moment import as_of, begin, begin_reading
from macmeter.reading.results import measurements_of, medians_of
from macmeter.reading.runs import with_id
from macmeter.stats.rank import place
from macmeter.stats.summary import Array, percentile
from macmeter.terms import Term

MAX_WORDS = 8


async def list_machines(
    connection: AsyncConnection,
    terms: tuple[Term, ...],
    search: str,
    reader: Asker | None,
    page: Page,
) -> MachinePage:
    """Who measured last comes first; counts under the filters.

    Machines that an article does not name don't count as machines.
    """
    limit = page.limit
    after = position_of(page.cursor) if page.cursor is not None else None
    reading = await begin_reading(connection, reader)
    words = search.lower().split()[:MAX_WORDS]
    found, total = await machines.newest(reading, terms, words, limit + 1, after)
    shown = found[:limit]
    return {
        "items": [
            {
                **_facts(machine.machine_id, machine.facts),
                "runs": machine.runs,
                "suites": machine.suites,
                "sources": machine.sources,
                "last_received_at": machine.last_received_at.isoformat(),
            }
            for machine in shown
        ],
        "total": total,
        "next": cursor_of(shown[-1].place) if len(found) > limit else None,
    }


def _facts(machine_id: uuid.UUID, facts: Facts) -> MachineFacts:
    return {
        "id": str(machine_id),
        "chip": facts.chip,
        "model_name": facts.model,
        "os_version": facts.os_version,
        "virtual": facts.virtual,
        "host_machine_id": str(facts.host_machine_id) if facts.host_machine_id else None,
    }


async def known_as(
    connection: AsyncConnection, machine_id: uuid.UUID, reader: Asker | None
) -> uuid.UUID | None:
    """The id under which its runs may be read: another where it was merged. None if they can't."""
    return await machines.known_as(await begin(connection, reader), machine_id)


async def one_machine(
    connection: AsyncConnection, machine_id: uuid.UUID, reader: Asker | None, now: datetime
) -> Machine:
    """Its facts after its newest run, its macOS versions, and what it has measured.

    404 alike for one that is absent and one of which no run may be read.
    """
    moment = await as_of(connection, now)
    asked = await begin_reading(connection, reader)
    reading = replace(asked, scope=asked.scope.of_an_address)
    stored = await machines.newest_document(reading, machine_id)
    facts = await machines.facts_of(reading, machine_id) if stored is not None else None
    if stored is None or facts is None:
        raise not_found("machine")
    documents, document = Isolated(DOCUMENTS), {}
    with documents.item(f"the newest run of {machine_id}"):
        document = stored_document(stored)
    counts = await machines.counts_of(reading, machine_id)
    return {
        **_facts(machine_id, facts),
        "machine": machine_of(document, machine_id),
        "environment": object_at(document, "environment") or {},
        "guests": [str(guest) for guest in await machines.guests_of(reading, machine_id)],
        "runs": counts.runs,
        "first_at": counts.first.isoformat(),
        "last_at": counts.last.isoformat(),
        "suites": counts.suites,
        "sources": counts.sources,
        "os_versions": [
            {
                "os_version": found.os_version,
                "first_at": found.first.isoformat(),
                "last_at": found.last.isoformat(),
                "runs": found.runs,
            }
            for found in await machines.os_versions_of(reading, machine_id)
        ],
        "measured": _measured(await machines.measured_by(reading, machine_id)),
        "as_of": moment.isoformat(),
    }


def _measured(found: list[Measured]) -> list[MeasuredMetric]:
    """Each metric with the values of its parameters, in the catalogue's order."""
    by_metric = {of.metric: of for of in found}
    return [
        {
            "metric": name,
            "title": metric.title,
            "unit": metric.unit.value,
            "better": metric.better,
            "parameters": by_metric[name].parameters,
            "runs": by_metric[name].runs,
        }
        for name, metric in catalog.METRICS.items()
        if name in by_metric
    ]


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
