"""Machines: the list, one with its facts and results, and its percentile among similar ones.

A cohort, which the reader describes, is the machines of one ungrouped answer with their own values,
restricted to the same method. The machine itself is excluded.
"""

import uuid
from dataclasses import replace
from datetime import datetime

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.accounts.scope import Principal
from macmeter.catalog.terms import Term
from macmeter.documents.stored import object_at, stored_document
from macmeter.machines.peers import sample_of
from macmeter.machines.timeline import by_method, latest_lines, latest_of
from macmeter.platform.errors import Problem, invalid, not_found
from macmeter.platform.isolation import DOCUMENTS, Isolated
from macmeter.questions.grouped import Key, mixes_of
from macmeter.questions.groups import Group, groups_of, groups_of_machine
from macmeter.questions.question import Question
from macmeter.results import machines
from macmeter.results.context import as_of, begin, begin_reading
from macmeter.results.dataset.sql import machine_number
from macmeter.results.results import measurements_of, medians_of
from macmeter.results.runs import fleet_that_must_be_named, with_id
from macmeter.runs.queries import Page, machine_of
from macmeter.schemas.machines import CohortFigures, Machine, MachinePage, Place, Placed
from macmeter.statistics.intervals import place
from macmeter.statistics.summary import Array, percentile

MAX_WORDS = 8


async def list_machines(
    connection: AsyncConnection,
    terms: tuple[Term, ...],
    search: str,
    reader: Principal | None,
    page: Page,
) -> MachinePage:
    """List machines, latest measurement first, with counts under the filters.

    Unspecified machines of articles aren't listed.
    """
    after = page.after
    reading = await begin_reading(connection, reader)
    words = search.lower().split()[:MAX_WORDS]
    rows, total = await machines.newest(reading, terms, words, page.limit + 1, after)
    return {
        "items": [machine for _, machine in rows[: page.limit]],
        "total": total,
        "next": page.next_of([position for position, _ in rows]),
    }


async def current_id_of(
    connection: AsyncConnection, machine_id: uuid.UUID, reader: Principal | None
) -> uuid.UUID | None:
    """Return the machine's present id, which a merge may have changed; None if not readable."""
    return await machines.current_id_of(await begin(connection, reader), machine_id)


async def one_machine(
    connection: AsyncConnection, machine_id: uuid.UUID, reader: Principal | None, now: datetime
) -> Machine:
    """Return facts from its newest run, its macOS versions, and what it has measured.

    404 if it doesn't exist or no run is readable.
    """
    moment = await as_of(connection, now)
    readable = await begin_reading(connection, reader)
    reading = replace(readable, scope=readable.scope.of_named_item)
    stored = await machines.newest_document(reading, machine_id)
    facts = await machines.facts_of(reading, machine_id) if stored is not None else None
    if stored is None or facts is None:
        raise not_found("machine")
    documents, document = Isolated(DOCUMENTS), {}
    with documents.item(f"the newest run of {machine_id}"):
        document = stored_document(stored)
    counts = await machines.counts_of(reading, machine_id)
    return {
        **facts,
        "machine": machine_of(document, machine_id),
        "environment": object_at(document, "environment") or {},
        "guests": await machines.guests_of(reading, machine_id),
        "runs": counts.runs,
        "first_at": counts.first.isoformat(),
        "last_at": counts.last.isoformat(),
        "suites": counts.suites,
        "sources": counts.sources,
        "os_versions": await machines.os_versions_of(reading, machine_id),
        "measured": await machines.measured_by(reading, machine_id),
        "fleet": await fleet_that_must_be_named(reading, readable.scope, machine_id=machine_id),
        "as_of": moment.isoformat(),
    }


# With fewer other machines, a percentile says more about who happened to measure.
MIN_OTHERS = 10
# Quantiles of a cohort, from lowest to highest.
_SHARES = (0.0, 0.10, 0.25, 0.50, 0.75, 0.90, 1.0)


async def percentile_of_machine(
    connection: AsyncConnection, question: Question, machine_id: uuid.UUID, reader: Principal | None
) -> Placed:
    """Return the machine's percentile, by its latest runs that match the cohort's question.

    422 if it has none.
    """
    reading = await begin_reading(connection, reader)
    groups = groups_of(reading, question)
    own = groups_of_machine(groups, machine_number(machine_id))
    if not own:
        raise Problem(
            422,
            "not_in_cohort",
            "Not in the cohort",
            "This machine has no results that match these filters. Remove a filter, or choose "
            "a metric it has measured.",
        )
    # Methods never mix: use the one with most runs of this machine.
    key = max(own, key=lambda key: (own[key].run_count, key.method, key.method_version))
    runs, value = own[key].run_count, float(own[key].machine_values[0])
    metric = question.metric
    measured = await measurements_of(reading, machine_id, question.filters)
    lines = latest_lines(by_method(measured, metric, key.method, key.method_version))
    if not lines:  # published results
        return replace(_placed_among(question, key, groups[key], machine_id, value), runs=runs)
    latest = latest_of(lines)
    placed = _placed_among(question, key, groups[key], machine_id, latest.value)
    placed = replace(placed, runs=latest.runs, os_version=latest.os_version)
    return replace(placed, usual=value, all_runs=runs)


async def percentile_of_run(
    connection: AsyncConnection, question: Question, run_id: uuid.UUID, reader: Principal | None
) -> Placed:
    """Return the run's percentile, by its result for the question, even if that is doubtful."""
    metric = question.metric
    sample_terms = [term for term in question.where if catalog.is_of_sample(term.dimension)]
    reading = await begin_reading(connection, reader)
    run = await with_id(reading, run_id)
    if run is None:
        raise not_found("run")
    values = await medians_of(reading, run.key, metric, sample_terms)
    if not values:
        raise invalid(
            "?metric",
            f"This run has no {metric} that matches these filters. Remove a filter, or choose "
            "a metric it has.",
            "not_of_run",
        )
    key = Key((), run.source == "published", run.method, run.method_version)
    group = groups_of(reading, question).get(key)
    placed = _placed_among(question, key, group, run.machine_id, float(np.median(values)))
    return replace(placed, run_id=str(run_id))


def _placed_among(
    question: Question, key: Key, group: Group | None, machine_id: uuid.UUID, value: float
) -> Placed:
    """Return the value's percentile among the group's other machines, if there are enough."""
    metric, others = catalog.METRICS[question.metric], np.zeros(0)
    if group is not None:
        is_other = group.named.machine_numbers != machine_number(machine_id)
        others = np.sort(group.named.machine_values[is_other])
    enough = len(others) >= MIN_OTHERS
    return Placed(
        question=question.canonical,
        metric=metric.name,
        title=metric.title,
        unit=metric.unit.value,
        better=metric.better,
        published=key.published,
        method=key.method,
        method_version=key.method_version,
        machine_id=str(machine_id),
        run_id=None,
        runs=1,
        mixes=mixes_of(group.pooled) if group is not None else [],
        value=value,
        machines=len(others),
        minimum=MIN_OTHERS,
        place=_place(value, others, metric.better) if enough else None,
        cohort=CohortFigures(*(percentile(others, share) for share in _SHARES)) if enough else None,
        others=sample_of(others),
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
