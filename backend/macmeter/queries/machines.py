"""Machines: the list, and one with its facts and results."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.scope import Asker
from macmeter.answers.machines import Machine, MachineFacts, MachinePage, MeasuredMetric
from macmeter.documents.stored import object_at, stored_document
from macmeter.errors import not_found
from macmeter.isolation import DOCUMENTS, Isolated
from macmeter.queries.replication import as_of
from macmeter.queries.runs import Page, cursor_of, machine_of, position_of
from macmeter.reading import machines
from macmeter.reading.machines import Facts, Measured
from macmeter.reading.moment import begin, begin_reading
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
