"""Machines: which have measured, and what one of them has measured."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import ColumnElement, Row, and_, exists, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.visibility import visible
from macmeter.answers.answer import Key
from macmeter.catalog import Trait
from macmeter.columns.coded import places_among
from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools, expand
from macmeter.columns.view import View
from macmeter.identifiers import models_like
from macmeter.models import Document, Machine, Result, Run, Series
from macmeter.reading.filters import undoubted
from macmeter.reading.hosts import hosts_of
from macmeter.reading.moment import Moment, Reading
from macmeter.reading.order import Place, chosen_runs, moment_of, newest_first
from macmeter.terms import Op, Term

# What an article does not name doesn't count as a machine.
_SPECIFIED = Term("unspecified", Op.IS, False)
_SEARCHED = catalog.having(Trait.SEARCHED)
# What an id is written with: no other word is looked for among them.
_OF_IDS = frozenset("0123456789abcdef-")


class Facts(NamedTuple):
    """What a machine's newest readable run says of it."""

    chip: str | None
    model: str | None
    os_version: str | None
    virtual: bool
    host_machine_id: uuid.UUID | None


class ListedMachine(NamedTuple):
    """A machine with its runs under the filters."""

    machine_id: uuid.UUID
    facts: Facts
    runs: int
    suites: list[str]
    sources: list[str]
    last_received_at: datetime

    @property
    def place(self) -> Place:
        return Place(self.last_received_at, self.machine_id)


class Counts(NamedTuple):
    """The readable runs of one machine."""

    runs: int
    first: datetime
    last: datetime
    suites: list[str]
    sources: list[str]


class OsVersion(NamedTuple):
    os_version: str
    first: datetime
    last: datetime
    runs: int


class Measured(NamedTuple):
    """A metric, the parameters it was measured under, and in how many runs."""

    metric: str
    parameters: list[Key]
    runs: int


async def newest(
    reading: Reading, terms: Sequence[Term], words: Sequence[str], most: int, after: Place | None
) -> tuple[list[ListedMachine], int]:
    """Those that measured last, after the last of the page before; and how many there are in all.

    Each of `words` is somewhere in the chip, the model or the macOS version of one and the same
    run, or begins the machine's id or its model's identifier.
    """
    view = reading.view
    chosen = _masks(reading, (*terms, _SPECIFIED), words)
    runs, last = _by_machine(view, chosen)
    found = np.flatnonzero(runs)

    def ids(places: Ints) -> Any:
        return view.names.machine_ids()[found[places]]

    shown = found[newest_first(last[found], ids, most, after)]
    # Of the runs that the question is about: those of a fleet only where it names it.
    facts = await _facts(replace(reading, scope=reading.scope.asked(terms)), shown)
    own = _runs_of(view, np.sort(shown), chosen)
    suites, sources = _said_by(view, "suite", own), _said_by(view, "source", own)
    listed = [
        ListedMachine(
            machine_id=view.machine_id(machine),
            facts=facts[machine],
            runs=int(runs[machine]),
            suites=suites[machine],
            sources=sources[machine],
            last_received_at=moment_of(int(last[machine])),
        )
        for machine in shown.tolist()
    ]
    return listed, len(found)


def _masks(reading: Reading, terms: Sequence[Term], words: Sequence[str]) -> list[Bools | None]:
    """By segment, which runs match and may be read; None where all are."""
    view = reading.view
    masks = [runs.mask for runs in view.runs(terms, reading.scope)]
    if not words:
        return masks
    numbers = chosen_runs(reading, terms)
    every = np.zeros(view.first_runs[-1], dtype=bool)
    every[numbers[_having(view, numbers, words)]] = True
    return [*np.split(every, view.first_runs[1:-1])]


def _by_machine(view: View, chosen: Sequence[Bools | None]) -> tuple[Ints, Ints]:
    """By number of a machine: how many runs are chosen, and when the last one was received."""
    runs = np.zeros(len(view.names.machines), dtype=np.int64)
    last = np.zeros(len(view.names.machines), dtype=np.int64)
    for segment, mask in zip(view.segments, chosen, strict=True):
        machines, starts = segment.machines
        if not len(machines):
            continue
        received = segment.runs.received
        if mask is None:
            counts = np.diff(starts, append=len(received))
        else:
            counts = np.add.reduceat(mask, starts, dtype=np.int64)
            received = np.where(mask, received, 0)
        runs[machines] += counts
        last[machines] = np.maximum(last[machines], np.maximum.reduceat(received, starts))
    return runs, last


def _runs_of(view: View, machines: Ints, chosen: Sequence[Bools | None]) -> Ints:
    """The numbers of those runs of these machines that are chosen."""
    listed: list[Ints] = [np.zeros(0, dtype=np.int64)]
    for segment, first, mask in zip(view.segments, view.first_runs[:-1], chosen, strict=True):
        known, starts = segment.machines
        at = places_among(known, machines)
        ends = np.append(starts, len(segment.runs))
        places = expand(ends[at], ends[at + 1] - ends[at])
        listed.append((places if mask is None else places[mask[places]]) + first)
    return np.concatenate(listed)


def _having(view: View, numbers: Ints, words: Sequence[str]) -> Bools:
    # Only those of these runs: names of setups may have come since their values were coded.
    setups, at = np.unique(view.of_runs("setup")[numbers], return_inverse=True)
    machines = view.of_runs("machine")[numbers]
    found = np.ones(len(numbers), dtype=bool)
    for word in words:
        in_setup = np.zeros(len(setups), dtype=bool)
        for name in _SEARCHED:
            codes, values = view.values(name)
            having = [value is not None and word in str(value).lower() for value in values]
            in_setup |= np.array(having, dtype=bool)[codes[setups]]
        in_setup |= _identified(view, word, setups)
        of_word = in_setup[at]
        if _OF_IDS.issuperset(word):
            ids = (str(uuid.UUID(bytes=of)) for of in view.names.machine_ids().tolist())
            of_word |= np.array([of.startswith(word) for of in ids], dtype=bool)[machines]
        found &= of_word
    return found


def _identified(view: View, word: str, setups: Ints) -> Bools:
    """Of these setups, whether it is of a model whose identifier begins so, such as Mac16,11."""
    found = np.zeros(len(setups), dtype=bool)
    models = models_like(word) if any(map(str.isdigit, word)) else set()
    if models:
        (chips, chip_of), (names, name_of) = view.values("chip"), view.values("model")
        told = zip(chips[setups].tolist(), names[setups].tolist(), strict=True)
        found |= np.array([(chip_of[chip], name_of[name]) in models for chip, name in told])
    return found


def _said_by(view: View, name: str, numbers: Ints) -> dict[int, list[str]]:
    """By number of a machine the values of a dimension in these runs, sorted."""
    codes, values = view.values(name)
    machines = view.of_runs("machine")[numbers].astype(np.int64)
    pairs = np.unique(machines * len(values) + codes[view.of_runs("setup")[numbers]])
    found: dict[int, list[str]] = {}
    for machine, code in zip(*(of.tolist() for of in np.divmod(pairs, len(values))), strict=True):
        found.setdefault(machine, []).append(str(values[code]))
    return {machine: sorted(of_machine) for machine, of_machine in found.items()}


async def _facts(reading: Reading, machines: Ints) -> dict[int, Facts]:
    """By the numbers of these machines, whatever a list is filtered by."""
    view = reading.view
    numbers = _runs_of(view, machines, _masks(reading, (), ()))
    received, ids = view.of_runs("received")[numbers], view.of_runs("run_id")[numbers]
    ordered = numbers[newest_first(received, ids.take, len(numbers))]
    owners, places = np.unique(view.of_runs("machine")[ordered], return_index=True)
    latest = ordered[places]
    named = [view.names.hosts.things[host] for host in view.of_runs("host")[latest].tolist()]
    hosts = await hosts_of(reading, {host.machine_id for host in named if host is not None})
    said = {name: view.values(name) for name in ("chip", "model", "os_version", "virtual")}
    found = {}
    for machine, setup, host in zip(
        owners.tolist(),
        view.of_runs("setup")[latest].tolist(),
        view.of_runs("host")[latest].tolist(),
        strict=True,
    ):
        facts = {name: values[codes[setup]] for name, (codes, values) in said.items()}
        found[machine] = Facts(**facts, host_machine_id=hosts.named_by(view, setup, host))
    return found


async def facts_of(reading: Reading, machine_id: uuid.UUID) -> Facts | None:
    """None for a machine of which no run may be read."""
    number = reading.view.names.machines.known(machine_id.bytes)
    if number is None:
        return None
    return (await _facts(reading, np.array([number]))).get(number)


async def guests_of(reading: Reading, machine_id: uuid.UUID) -> list[uuid.UUID]:
    """The machines that name it as their host, with somebody's word for it; sorted."""
    view = reading.view
    hosts = await hosts_of(reading, {machine_id})
    naming = [
        number
        for number, host in enumerate(view.names.hosts.things)
        if host is not None and host.machine_id in hosts.machines
    ]
    if not naming:
        return []
    numbers = chosen_runs(reading, ())
    numbers = numbers[np.isin(view.of_runs("host")[numbers], naming)]
    told = set(
        zip(
            *(view.of_runs(name)[numbers].tolist() for name in ("machine", "setup", "host")),
            strict=True,
        )
    )
    vouched = {machine for machine, *of in told if hosts.named_by(view, *of) == machine_id}
    return sorted(view.machine_id(machine) for machine in vouched)


async def has_runs(moment: Moment, machine_id: uuid.UUID) -> bool:
    """Whether it is a machine with a run that may be read."""
    readable = _readable(moment, machine_id)
    return bool(await moment.connection.scalar(select(exists().where(readable))))


async def known_as(moment: Moment, machine_id: uuid.UUID) -> uuid.UUID | None:
    """The id under which its runs may be read: another where it was merged. None if they can't."""
    if await has_runs(moment, machine_id):
        return machine_id
    into: uuid.UUID | None = await moment.connection.scalar(
        select(Machine.merged_into).where(Machine.machine_id == machine_id)
    )
    return into if into is not None and await has_runs(moment, into) else None


async def newest_document(moment: Moment, machine_id: uuid.UUID) -> bytes | None:
    """The stored document of its newest readable run."""
    query = (
        select(Document.compressed)
        .join(Run, and_(Run.machine_id == Document.machine_id, Run.run_id == Document.run_id))
        .where(_readable(moment, machine_id), Document.compressed.is_not(None))
        .order_by(Run.received_at.desc(), Run.run_id.desc())
        .limit(1)
    )
    found: bytes | None = await moment.connection.scalar(query)
    return found


async def documents_of(
    connection: AsyncConnection, machine_id: uuid.UUID, most: int
) -> AsyncIterator[Row[Any]]:
    """All its runs with their documents, `most` at a time: for whoever the machine is."""
    after = uuid.UUID(int=0)
    while True:
        query = (
            select(Run.run_id, Run.received_at, Run.visibility, Run.withdrawn_reason)
            .add_columns(Document.compressed)
            .join(
                Document,
                and_(Document.machine_id == Run.machine_id, Document.run_id == Run.run_id),
            )
            .where(Run.machine_id == machine_id, Run.run_id > after)
            .order_by(Run.run_id)
            .limit(most)
        )
        rows = (await connection.execute(query)).all()
        for row in rows:
            yield row
        if len(rows) < most:
            return
        after = rows[-1].run_id


async def counts_of(moment: Moment, machine_id: uuid.UUID) -> Counts:
    at = func.coalesce(Run.started_at, Run.received_at)
    query = select(
        func.count(),
        func.min(at),
        func.max(at),
        func.array_agg(Run.suite.distinct()),
        func.array_agg(Run.source.distinct()),
    ).where(_readable(moment, machine_id))
    return Counts._make((await moment.connection.execute(query)).one())


async def os_versions_of(moment: Moment, machine_id: uuid.UUID) -> list[OsVersion]:
    """In the order in which they were first seen. A run that does not say counts nowhere, and
    neither does an article's: it says of no figure on which day it was measured.
    """
    at = func.coalesce(Run.started_at, Run.received_at)
    measured = and_(Run.os_version.is_not(None), Run.source != "published")
    query = (
        select(Run.os_version, func.min(at), func.max(at), func.count())
        .where(_readable(moment, machine_id), measured)
        .group_by(Run.os_version)
        .order_by(func.min(at), Run.os_version)
    )
    return [OsVersion._make(row) for row in await moment.connection.execute(query)]


async def measured_by(moment: Moment, machine_id: uuid.UUID) -> list[Measured]:
    """What answers count of it, metric by metric."""
    query = (
        select(
            Series.metric,
            func.array_agg(aggregate_order_by(Series.parameters.distinct(), Series.parameters)),
            func.count(Run.run_id.distinct()),
        )
        .select_from(Run)
        .join(Result, and_(Result.machine_id == Run.machine_id, Result.run_id == Run.run_id))
        .join(Series, Series.series_id == Result.series_id)
        .where(_readable(moment, machine_id), undoubted("exclude"))
        .group_by(Series.metric)
    )
    return [Measured._make(row) for row in await moment.connection.execute(query)]


def _readable(moment: Moment, machine_id: uuid.UUID) -> ColumnElement[bool]:
    return and_(Run.machine_id == machine_id, Run.unspecified.is_(False), visible(moment.scope))
