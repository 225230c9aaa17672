"""Machines: the list, facts and measurements of each, and verified hosts."""

import uuid
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import ColumnElement, Row, and_, exists, func, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.accounts.names import machines_named, name_of
from macmeter.accounts.visibility import visible
from macmeter.catalog import Trait
from macmeter.catalog.identifiers import models_starting_with
from macmeter.catalog.terms import Op, Term
from macmeter.models import Document, Machine, Result, Run, Series
from macmeter.results.context import ReadContext, Reading
from macmeter.results.dataset.runs import Words
from macmeter.results.dataset.setups import Bools, Ints
from macmeter.results.dataset.snapshot import Snapshot
from macmeter.results.dataset.sql import machine_number
from macmeter.results.filters import in_answers, same_run
from macmeter.results.matching_runs import ListPosition, matching_runs
from macmeter.schemas.machines import MachineFacts, MachineSummary, MeasuredMetric, OsVersion

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# Unnamed machines of articles don't count as machines.
_SPECIFIED = Term("unspecified", Op.IS, False)
_SEARCHED = catalog.having(Trait.SEARCHED)
# Characters of ids: other words aren't searched in them.
_OF_IDS = frozenset("0123456789abcdef-")


class Counts(NamedTuple):
    """Summary of one machine's readable runs."""

    runs: int
    first: datetime
    last: datetime
    suites: list[str]
    sources: list[str]


async def newest(
    reading: Reading,
    terms: Sequence[Term],
    words: Sequence[str],
    most: int,
    after: ListPosition | None,
) -> tuple[list[tuple[ListPosition, MachineSummary]], int]:
    """Return the machines with the latest runs, after the previous page's last, and the total.

    Each of `words` must occur in the chip, the model or the macOS version of the same run or in the
    machine's name, or begin its id or its model's identifier.
    """
    chosen = matching_runs(reading, terms, (_SPECIFIED,))
    search = _search(reading.data, words)
    rows = chosen.newest_machines(search, most, after)
    machine_ids = [row[0] for row in rows]
    # Facts from the runs in question: a fleet's only if the filters name it.
    facts = await _facts(replace(reading, scope=reading.scope.asked(terms)), machine_ids)
    listed = []
    for machine_id, runs, last, setups, _ in rows:
        indices = reading.data.setups.indices_of(np.array(setups))
        suites, sources = (_distinct(reading.data, name, indices) for name in ("suite", "source"))
        received_at = _EPOCH + timedelta(microseconds=last)
        machine: MachineSummary = {
            **facts[machine_id],
            "runs": runs,
            "suites": suites,
            "sources": sources,
            "last_received_at": received_at.isoformat(),
        }
        listed.append((ListPosition(received_at, machine_id), machine))
    return listed, rows[0][4] if rows else 0


def _distinct(data: Snapshot, name: str, indices: Ints) -> list[Any]:
    """Return a dimension's values in these setups, sorted."""
    codes, values = data.values(name)
    return sorted(values[code] for code in {*codes[indices].tolist()})


def _search(data: Snapshot, words: Sequence[str]) -> Words:
    return Words(
        [data.setups.numbers[_setups_having(data, word)].tolist() for word in words],
        [word if _OF_IDS.issuperset(word) else None for word in words],
        [[machine_number(machine_id) for machine_id in machines_named(word)] for word in words],
    )


def _setups_having(snapshot: Snapshot, word: str) -> Bools:
    """Whether each setup contains a word."""
    matching = np.zeros(len(snapshot.setups), dtype=bool)
    for name in _SEARCHED:
        codes, values = snapshot.values(name)
        having = [value is not None and word in str(value).lower() for value in values]
        matching |= np.array(having, dtype=bool)[codes]
    # The word may begin a model's identifier, such as Mac16,11.
    models = models_starting_with(word) if any(map(str.isdigit, word)) else set()
    if models:
        (chips, chip_of), (names, name_of) = snapshot.values("chip"), snapshot.values("model")
        kinds = zip(chips.tolist(), names.tolist(), strict=True)
        matching |= np.array([(chip_of[chip], name_of[name]) in models for chip, name in kinds])
    return matching


async def _facts(
    moment: ReadContext, machine_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, MachineFacts]:
    """Return facts from these machines' newest runs, ignoring a list's filters."""
    query = (
        select(Run.machine_id, Run.chip, Run.model, Run.os_version, Run.virtual)
        .add_columns(Run.host_machine_id, Run.token_id, Run.fleet_id, Run.source)
        .where(Run.machine_id.in_(machine_ids), visible(moment.scope))
        .ext(postgresql.distinct_on(Run.machine_id))
        .order_by(Run.machine_id, Run.received_at.desc(), Run.run_id.desc())
    )
    rows = [*await moment.connection.execute(query)]
    host_ids = {row.host_machine_id for row in rows if row.host_machine_id is not None}
    hosts = await hosts_of(moment, host_ids)
    return {
        row.machine_id: {
            "id": str(row.machine_id),
            "name": name_of(row.machine_id),
            "chip": row.chip,
            "model_name": row.model,
            "os_version": row.os_version,
            "virtual": row.virtual,
            "host_machine_id": str(host) if (host := hosts.named_by(row)) else None,
        }
        for row in rows
    }


async def facts_of(moment: ReadContext, machine_id: uuid.UUID) -> MachineFacts | None:
    """Return a machine's facts; None if no run is readable."""
    return (await _facts(moment, [machine_id])).get(machine_id)


async def guests_of(moment: ReadContext, machine_id: uuid.UUID) -> list[str]:
    """Return the sorted ids of machines that verifiably name it as their host."""
    hosts = await hosts_of(moment, {machine_id})
    query = (
        select(Run.machine_id, Run.host_machine_id, Run.token_id, Run.fleet_id, Run.source)
        .where(Run.host_machine_id.in_(hosts.machines), visible(moment.scope))
        .distinct()
    )
    rows = await moment.connection.execute(query)
    return sorted({str(row.machine_id) for row in rows if hosts.named_by(row) == machine_id})


async def has_runs(moment: ReadContext, machine_id: uuid.UUID) -> bool:
    """Whether the machine has a readable run."""
    readable = _readable(moment, machine_id)
    return bool(await moment.connection.scalar(select(exists().where(readable))))


async def current_id_of(moment: ReadContext, machine_id: uuid.UUID) -> uuid.UUID | None:
    """Return the machine's present id, which a merge may have changed; None if not readable."""
    if await has_runs(moment, machine_id):
        return machine_id
    into: uuid.UUID | None = await moment.connection.scalar(
        select(Machine.merged_into).where(Machine.machine_id == machine_id)
    )
    return into if into is not None and await has_runs(moment, into) else None


async def newest_document(moment: ReadContext, machine_id: uuid.UUID) -> bytes | None:
    """Return the stored document of its newest readable run."""
    query = (
        select(Document.compressed)
        .join(Run, same_run(Document))
        .where(_readable(moment, machine_id), Document.compressed.is_not(None))
        .order_by(Run.received_at.desc(), Run.run_id.desc())
        .limit(1)
    )
    content: bytes | None = await moment.connection.scalar(query)
    return content


async def documents_of(
    connection: AsyncConnection, machine_id: uuid.UUID, most: int
) -> AsyncIterator[Row[Any]]:
    """Yield all its runs with documents, `most` per query; for the machine's owner only."""
    after = uuid.UUID(int=0)
    while True:
        query = (
            select(Run.run_id, Run.received_at, Run.visibility, Run.withdrawn_reason)
            .add_columns(Document.compressed)
            .join(
                Document,
                same_run(Document),
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


async def counts_of(moment: ReadContext, machine_id: uuid.UUID) -> Counts:
    at = func.coalesce(Run.started_at, Run.received_at)
    query = select(
        func.count(),
        func.min(at),
        func.max(at),
        func.array_agg(Run.suite.distinct()),
        func.array_agg(Run.source.distinct()),
    ).where(_readable(moment, machine_id))
    return Counts._make((await moment.connection.execute(query)).one())


async def os_versions_of(moment: ReadContext, machine_id: uuid.UUID) -> list[OsVersion]:
    """Return its macOS versions in order of first appearance. Ignores runs that don't state one,
    and articles, which don't date their figures.
    """
    at = func.coalesce(Run.started_at, Run.received_at)
    measured = and_(Run.os_version.is_not(None), Run.source != "published")
    query = (
        select(Run.os_version, func.min(at), func.max(at), func.count())
        .where(_readable(moment, machine_id), measured)
        .group_by(Run.os_version)
        .order_by(func.min(at), Run.os_version)
    )
    return [
        {
            "os_version": str(version),
            "first_at": first.isoformat(),
            "last_at": last.isoformat(),
            "runs": runs,
        }
        for version, first, last, runs in await moment.connection.execute(query)
    ]


async def measured_by(moment: ReadContext, machine_id: uuid.UUID) -> list[MeasuredMetric]:
    """Return what answers count of it, by metric in catalogue order."""
    query = (
        select(
            Series.metric,
            func.array_agg(aggregate_order_by(Series.parameters.distinct(), Series.parameters)),
            func.count(Run.run_id.distinct()),
        )
        .select_from(Run)
        .join(Result, same_run(Result))
        .join(Series, Series.series_id == Result.series_id)
        .where(_readable(moment, machine_id), in_answers("exclude"))
        .group_by(Series.metric)
    )
    rows: dict[str, Any] = {name: row for name, *row in await moment.connection.execute(query)}
    return [
        {
            "metric": name,
            "title": metric.title,
            "unit": metric.unit.value,
            "better": metric.better,
            "parameters": rows[name][0],
            "runs": rows[name][1],
        }
        for name, metric in catalog.METRICS.items()
        if name in rows
    ]


def _readable(moment: ReadContext, machine_id: uuid.UUID) -> ColumnElement[bool]:
    return and_(Run.machine_id == machine_id, Run.unspecified.is_(False), visible(moment.scope))


class _Owner(NamedTuple):
    """Owner of a machine."""

    token_id: uuid.UUID | None
    fleet_id: uuid.UUID | None
    reserved: bool
    merged_into: uuid.UUID | None


@dataclass(frozen=True)
class Hosts:
    """Machines that guests name as their hosts, by id."""

    machines: dict[uuid.UUID, _Owner]

    def named_by(self, run: Any) -> uuid.UUID | None:
        """Return the machine that a run names as its host, if that can be trusted.

        The same token or fleet must own both. Any device may name any machine, so its claim alone
        must not link it to a stranger's.
        """
        owner = self.machines.get(run.host_machine_id)
        if owner is None:
            return None
        vouched = (
            (owner.fleet_id is not None and owner.fleet_id == run.fleet_id)
            or (owner.token_id is not None and owner.token_id == run.token_id)
            or (owner.reserved and run.source == "published")
        )
        return (owner.merged_into or run.host_machine_id) if vouched else None


GuestHosts = dict[tuple[int, uuid.UUID], uuid.UUID]
"""Verified hosts, by the guest's number and the host id that it names."""


async def fetch_guest_hosts(reading: Reading) -> GuestHosts:
    """Return all readable guests with verified hosts; see `Hosts.named_by`. A guest with any
    unverified run has no host.
    """
    keys = (Run.machine_id, Run.host_machine_id, Run.token_id, Run.fleet_id, Run.source)
    query = select(*keys).where(Run.host_machine_id.is_not(None), visible(reading.scope)).distinct()
    rows = [*await reading.connection.execute(query)]
    hosts = await hosts_of(reading, {row.host_machine_id for row in rows})
    verified: GuestHosts = {}
    refused = set()
    for row in rows:
        guest = (machine_number(row.machine_id), row.host_machine_id)
        host = hosts.named_by(row)
        if host is None:
            refused.add(guest)
        else:
            verified[guest] = host
    return {guest: host for guest, host in verified.items() if guest not in refused}


async def hosts_of(moment: ReadContext, machine_ids: Collection[uuid.UUID]) -> Hosts:
    """Return the known ones of these machines, and those that were merged into them."""
    if not machine_ids:
        return Hosts({})
    columns = (Machine.bound_token_id, Machine.fleet_id, Machine.reserved, Machine.merged_into)
    theirs = Machine.machine_id.in_(machine_ids) | Machine.merged_into.in_(machine_ids)
    query = select(Machine.machine_id, *columns).where(theirs)
    rows = await moment.connection.execute(query)
    return Hosts({row[0]: _Owner._make(row[1:]) for row in rows})
