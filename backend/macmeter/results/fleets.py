"""A fleet's own runs: its machines' current facts, and their measurements over time."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
from sqlalchemy import ColumnElement, Row, Select, and_, func, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.accounts.scope import Scope
from macmeter.accounts.visibility import visible
from macmeter.catalog import ANY_LABEL, LABEL_PREFIX, Trait
from macmeter.catalog.terms import Op, Term, Value
from macmeter.documents.stored import stored_document, text_at
from macmeter.models import Document, Doubt, Run
from macmeter.platform.isolation import Isolated
from macmeter.results.context import Reading
from macmeter.results.dataset.properties import results_on_days
from macmeter.results.dataset.selection import Selection
from macmeter.results.dataset.setups import Ints
from macmeter.results.dataset.snapshot import Snapshot
from macmeter.results.filters import not_withdrawn, same_run
from macmeter.statistics.numbering import combination_ranks, distinct
from macmeter.statistics.summary import Array

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_SECONDS = 86_400.0
# Storage that FileVault encrypts.
_BUILT_IN = ("internal", "internal_hard_disk", "fusion_drive")
# Results of different lines are never compared, as on a machine's page (machines/timeline.py).
_LINE_KEYS = ("source", "method", "method_version", "labels", *catalog.having(Trait.CONFIGURATION))
# Excluded from determinants: updates are what is examined, and labels identify lines.
_NOT_IN_COHORT = ("os_version", ANY_LABEL)
# May differ among machines that are alike: those that are slow because of it should be found.
_CAUSE = "power_mode"
# A label shared by at least this many machines describes them; others, such as asset tags, identify
# one.
_MIN_SHARING_MACHINES = 4


class FleetResults(NamedTuple):
    """Parallel arrays of R results of one metric; codes index `Codebook` and the snapshot."""

    machine: Ints
    line: Ints
    cohort: Ints
    likeness: Ints
    version: Ints
    day: Array
    """Start of the run in fractional days since 1970."""
    value: Array
    series: Ints
    method: Ints


class Codebook(NamedTuple):
    """Meanings of the codes of a metric's results."""

    cohorts: list[dict[str, Value]]
    """Stated common properties of the machines in each cohort."""
    likenesses: list[dict[str, Value]]
    """The same of machines that are alike: also their model, device and labels."""
    versions: list[str | None]


class Facts(NamedTuple):
    """Facts of a machine from its newest runs."""

    machine_id: uuid.UUID
    run_id: uuid.UUID
    measured_at: datetime
    chip: str | None
    model: str | None
    virtual: bool
    os_version: str | None
    runs: int
    received_at: datetime
    encryption: str | None
    storages: list[str]


class RunFlags(NamedTuple):
    """Flags of a run, with its suite."""

    suite: str
    flags: list[str]


def fleet_scope(fleet_id: uuid.UUID) -> Scope:
    """Return the scope of exactly this fleet's runs, for maintaining the fleet's state."""
    return Scope(frozenset([fleet_id]))


_start = func.coalesce(Run.started_at, Run.received_at)


def _in_fleet(fleet_id: uuid.UUID) -> ColumnElement[bool]:
    return and_(
        Run.fleet_id == fleet_id, visible(fleet_scope(fleet_id)), Run.unspecified.is_(False)
    )


async def machines_of(
    reading: Reading, fleet_id: uuid.UUID, machine_ids: Collection[uuid.UUID] | None = None
) -> list[Facts]:
    """Return the fleet's machines with runs in it, optionally restricted to `machine_ids`."""
    condition = _in_fleet(fleet_id)
    if machine_ids is not None:
        condition = and_(condition, Run.machine_id.in_(machine_ids))
    newest = (
        select(Run.machine_id, Run.run_id, _start, Run.chip, Run.model, Run.virtual, Run.os_version)
        .where(condition)
        .ext(postgresql.distinct_on(Run.machine_id))
        .order_by(Run.machine_id, _start.desc(), Run.run_id)
    )
    rows = {row.machine_id: row for row in await reading.connection.execute(newest)}
    built_in = await reading.connection.execute(_built_in_encryption(condition))
    encryption = {row.machine_id: row.encryption for row in built_in}
    facts = []
    for machine_id, runs, received_at, storages in await reading.connection.execute(
        select(
            Run.machine_id,
            func.count(),
            func.max(Run.received_at),
            func.array_remove(func.array_agg(Run.storage.distinct()), None),
        )
        .where(condition)
        .group_by(Run.machine_id)
        .order_by(Run.machine_id)
    ):
        totals = (runs, received_at, encryption.get(machine_id), sorted(storages))
        facts.append(Facts(*rows[machine_id], *totals))
    return facts


def _built_in_encryption(condition: ColumnElement[bool]) -> Select[uuid.UUID, str | None]:
    return (
        select(Run.machine_id, Run.encryption)
        .where(condition, Run.storage.in_(_BUILT_IN), Run.encryption.is_not(None))
        .ext(postgresql.distinct_on(Run.machine_id))
        .order_by(Run.machine_id, _start.desc(), Run.run_id)
    )


async def newest_labels(reading: Reading, fleet_id: uuid.UUID) -> dict[uuid.UUID, dict[str, str]]:
    """Return the labels of each machine's newest run."""
    query = (
        select(Run.machine_id, Run.labels)
        .where(_in_fleet(fleet_id))
        .ext(postgresql.distinct_on(Run.machine_id))
        .order_by(Run.machine_id, _start.desc(), Run.run_id)
    )
    rows = await reading.connection.execute(query)
    return {machine_id: labels or {} for machine_id, labels in rows}


async def agent_versions(
    reading: Reading,
    fleet_id: uuid.UUID,
    runs: Sequence[tuple[uuid.UUID, uuid.UUID]],
    isolated_documents: Isolated,
) -> dict[uuid.UUID, str]:
    """Return the agent version by machine for these runs, given by machine and run."""
    query = (
        select(Document.machine_id, Document.run_id, Document.compressed)
        .join(Run, same_run(Document))
        .where(
            _in_fleet(fleet_id),
            Run.machine_id.in_([machine_id for machine_id, _ in runs]),
            Run.run_id.in_([run_id for _, run_id in runs]),
        )
    )
    versions = {}
    for machine_id, run_id, compressed in await reading.connection.execute(query):
        if compressed is None:
            continue  # the fleet keeps medians only
        with isolated_documents.item(run_id):
            version = text_at(stored_document(compressed), "agent.version")
            if version is not None:
                versions[machine_id] = version
    return versions


async def newest_documents(
    connection: AsyncConnection, fleet_id: uuid.UUID
) -> Sequence[Row[uuid.UUID, str, str, bytes | None]]:
    """Return the document of a fleet's newest run of each suite and source.

    Rows have `run_id`, `suite`, `source` and `compressed`.
    """
    kind = (Run.suite, Run.source)
    query = (
        select(Run.run_id, *kind, Document.compressed)
        .join(Run, same_run(Document))
        .where(Run.fleet_id == fleet_id, visible(fleet_scope(fleet_id)), not_withdrawn())
        .where(Document.compressed.is_not(None))
        .ext(postgresql.distinct_on(*kind))
        .order_by(*kind, Run.received_at.desc(), Run.run_id)
    )
    return (await connection.execute(query)).all()


async def runs_between(
    reading: Reading,
    fleet_id: uuid.UUID,
    machine_ids: Collection[uuid.UUID],
    first: float,
    last: float,
) -> dict[uuid.UUID, list[tuple[float, uuid.UUID]]]:
    """Return each machine's runs between two days, as days since 1970 and run ids."""
    query = (
        select(Run.machine_id, func.extract("epoch", _start), Run.run_id)
        .where(
            _in_fleet(fleet_id),
            not_withdrawn(),
            Run.machine_id.in_(machine_ids),
            _start.between(from_epoch_days(first), from_epoch_days(last)),
        )
        .order_by(_start, Run.run_id)
    )
    runs: dict[uuid.UUID, list[tuple[float, uuid.UUID]]] = {}
    for machine_id, seconds, run_id in await reading.connection.execute(query):
        runs.setdefault(machine_id, []).append((float(seconds) / _DAY_SECONDS, run_id))
    return runs


async def flags_of_runs(
    reading: Reading,
    fleet_id: uuid.UUID,
    codes: Collection[str],
    since: datetime,
    machine_ids: Collection[uuid.UUID],
) -> dict[uuid.UUID, list[RunFlags]]:
    """Return runs started since then, the latest first, by machine: all of `machine_ids`, and
    those of other machines that have a flag of `codes`.
    """
    is_chosen = Run.flags.overlap(list(codes)) | Run.machine_id.in_(machine_ids)
    query = (
        select(Run.machine_id, Run.suite, Run.flags)
        .where(_in_fleet(fleet_id), not_withdrawn(), _start >= since, is_chosen)
        .order_by(_start.desc(), Run.run_id)
    )
    flags_by_machine: dict[uuid.UUID, list[RunFlags]] = {}
    for machine_id, suite, flags in await reading.connection.execute(query):
        flags_by_machine.setdefault(machine_id, []).append(RunFlags(suite, flags))
    return flags_by_machine


async def start_days(
    reading: Reading, fleet_id: uuid.UUID, since: datetime
) -> dict[uuid.UUID, float]:
    """Return the start of each run received since then, by run id, in days since 1970."""
    query = select(Run.run_id, func.extract("epoch", _start)).where(
        _in_fleet(fleet_id), not_withdrawn(), Run.received_at >= since
    )
    return {
        run_id: float(seconds) / _DAY_SECONDS
        for run_id, seconds in await reading.connection.execute(query)
    }


def to_epoch_days(at: datetime) -> float:
    """Convert a time to fractional days since 1970."""
    return (at - _EPOCH).total_seconds() / _DAY_SECONDS


def from_epoch_days(day: float) -> datetime:
    """Convert fractional days since 1970 to a time, rounded to seconds."""
    return _EPOCH + timedelta(seconds=round(day * _DAY_SECONDS))


def fleet_results(
    reading: Reading, fleet_id: uuid.UUID, metric: str, days: Mapping[uuid.UUID, float]
) -> tuple[FleetResults, Codebook]:
    """Return all results of a metric for runs in `days` that state their macOS."""
    data = reading.data
    terms = (Term("fleet", Op.IS, data.fleets.get(fleet_id)), Term("unspecified", Op.IS, False))
    selection = Selection(data, metric, (), terms, fleet_scope(fleet_id))
    rows = results_on_days(selection, days)
    setup = data.setups.indices_of(rows["setup"])
    circumstances = catalog.METRICS[metric].circumstances
    cohort, cohorts = _number_combinations(
        data, [name for name in circumstances if name not in _NOT_IN_COHORT]
    )
    likeness, likenesses = _number_combinations(
        data, _shared_dimensions(data, metric, rows["machine"], setup)
    )
    codes, values = data.values("os_version")
    version = codes[setup]
    kinds = combination_ranks([data.values(name)[0] for name in _LINE_KEYS])
    methods = combination_ranks([data.values(name)[0] for name in ("method", "method_version")])
    line = combination_ranks(
        [rows["machine"], rows["series"], rows["device"], kinds[setup], cohort[setup]]
    )
    is_stated = np.array([value is not None for value in values], dtype=bool)[version]
    measured = FleetResults(
        *(rows["machine"][is_stated], line[is_stated]),
        *(cohort[setup][is_stated], likeness[setup][is_stated], version[is_stated]),
        *(rows["day"][is_stated], np.log(rows["value"][is_stated])),
        *(rows["series"][is_stated], methods[setup][is_stated]),
    )
    os_versions = [None if value is None else str(value) for value in values]
    return measured, Codebook(cohorts, likenesses, os_versions)


def _shared_dimensions(data: Snapshot, metric: str, machine: Ints, setup: Ints) -> list[str]:
    """Return the dimensions in which machines that are alike are equal; macOS isn't one."""
    dimensions = (*catalog.METRICS[metric].circumstances, "model", *_LINE_KEYS)
    names = (name for name in dimensions if name not in (*_NOT_IN_COHORT, _CAUSE, "labels"))
    return [*dict.fromkeys(names), *_shared_labels(data, machine, setup)]


def _shared_labels(data: Snapshot, machine: Ints, setup: Ints) -> list[str]:
    """Return the labels that most machines with them share with several others."""
    codes, values = data.values("labels")
    used = [values[code] for code in np.unique(codes[setup]).tolist()]
    keys = sorted({key for labels in used if labels for key, _ in labels})
    return [name for key in keys if _is_shared(data, name := LABEL_PREFIX + key, machine, setup)]


def _is_shared(data: Snapshot, name: str, machine: Ints, setup: Ints) -> bool:
    codes, values = data.values(name)
    stated = np.array([value is not None for value in values], dtype=bool)
    code, _ = np.unique(np.stack([codes[setup], machine]), axis=1)
    code = code[stated[code]]
    return bool(2 * (np.bincount(code)[code] >= _MIN_SHARING_MACHINES).sum() >= len(code))


def _number_combinations(
    data: Snapshot, names: Sequence[str]
) -> tuple[Ints, list[dict[str, Value]]]:
    """Number each setup by its combination of values, and return what is stated in each."""
    examples, numbers = distinct(combination_ranks([data.values(name)[0] for name in names]))
    combinations = []
    for setup in examples.tolist():
        values = {name: data.values(name) for name in names}
        stated = {name: options[codes[setup]] for name, (codes, options) in values.items()}
        combinations.append(
            {name: v for name, v in stated.items() if v is not None and _is_filter(name)}
        )
    return numbers, combinations


def _is_filter(name: str) -> bool:
    """Whether questions can filter by it: all but a method's version."""
    return name in catalog.DIMENSIONS or name.startswith(LABEL_PREFIX)


async def machines_by_fleet(
    connection: AsyncConnection, machine_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, set[uuid.UUID]]:
    """Return which of these machines have runs in each fleet."""
    query = (
        select(Run.fleet_id, Run.machine_id)
        .where(Run.machine_id.in_(machine_ids), Run.fleet_id.is_not(None))
        .distinct()
    )
    machines: dict[uuid.UUID, set[uuid.UUID]] = {}
    for fleet_id, machine_id in await connection.execute(query):
        if fleet_id is not None:
            machines.setdefault(fleet_id, set()).add(machine_id)
    return machines


async def count_open_doubts(connection: AsyncConnection, fleet_id: uuid.UUID) -> int:
    """Count the undecided reports of readers about a fleet's runs."""
    query = (
        select(func.count())
        .select_from(Doubt)
        .join(Run, same_run(Doubt))
        .where(_in_fleet(fleet_id), not_withdrawn(), Doubt.decision.is_(None))
    )
    return await connection.scalar(query) or 0
