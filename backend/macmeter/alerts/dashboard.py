"""Contents of a fleet's page, read from the tables that `refresh` updates."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Row,
    Select,
    Text,
    and_,
    case,
    cast,
    false,
    func,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import array
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.binding import has_runs
from macmeter.accounts.names import names_in
from macmeter.accounts.scope import SeenFleet
from macmeter.accounts.visibility import among
from macmeter.alerts import schemas
from macmeter.alerts.actions import STATE_CONDITIONS, concerns
from macmeter.alerts.evaluation import DAYS_ASKED
from macmeter.alerts.groups import Group, members_of, most_frequent_first, no_group, where_of
from macmeter.alerts.machines import (
    fleet_policy_of,
    in_use,
    is_newest,
    is_same_machine,
    retired,
    silent_since,
    version_order,
)
from macmeter.alerts.words import change_words, machine_words, outlier_words
from macmeter.models import Alert, FleetMachine, FleetState, Machine, Refusal, Run
from macmeter.platform.database import as_json
from macmeter.platform.release import VERSION

# Internal storage is always encrypted; with FileVault only its owner has the key.
_WITHOUT_FILEVAULT = ("hardware", "none")
_SORTED_BY: Mapping[str, Any] = {
    "last_upload": FleetMachine.received_at,
    "chip": FleetMachine.chip,
    "model": func.coalesce(Machine.name, FleetMachine.model),
    "os_version": FleetMachine.os_version,
    "agent_version": FleetMachine.agent_version,
    "encryption": FleetMachine.encryption,
    "storage": FleetMachine.storages,
    "runs": FleetMachine.runs,
}
SORTS = tuple(_SORTED_BY)
_VERSIONS = {"os_version", "agent_version"}
# Labels of a machine's newest run: asked for only of the rows of one page.
_OF_NEWEST = select(Run.labels).where(is_newest()).correlate(FleetMachine).scalar_subquery()
_LABELS = func.coalesce(_OF_NEWEST, Machine.labels)
_SHOWN = (
    *(Machine.machine_id.label("id"), Machine.name, Machine.first_seen_at.label("enrolled_at")),
    *(Machine.retired_at, Machine.retired_by, Machine.barred_at.is_not(None).label("barred")),
    *(FleetMachine.run_id, func.coalesce(FleetMachine.runs, 0).label("runs")),
    *(FleetMachine.received_at.label("last_received_at"), FleetMachine.chip),
    *(FleetMachine.model.label("model_name"), FleetMachine.os_version),
    func.coalesce(FleetMachine.virtual, false()).label("virtual"),
    *(FleetMachine.agent_version, FleetMachine.encryption),
    func.coalesce(FleetMachine.storages, array([], type_=Text)).label("storages"),
    func.coalesce(_LABELS, func.jsonb_build_object()).label("labels"),
    func.coalesce(Machine.labels, func.jsonb_build_object()).label("given_labels"),
)


class Asked(NamedTuple):
    """Query for machines: `only` those with a problem, or the retired ones, which are in no other
    list; `q` words in what the table shows; `group` those in it; `machine` one alone, retired or
    not.
    """

    sort: str = "last_upload"
    descending: bool = False
    only: schemas.MachineProblem | Literal["retired"] | None = None
    q: str = ""
    group: Group | None = None
    machine: uuid.UUID | None = None
    limit: int = 50
    offset: int = 0


async def dashboard(
    connection: AsyncConnection, fleet: SeenFleet, group: Group | None, now: datetime
) -> schemas.Dashboard:
    """Contents of a fleet's page, or of a group's in it. Raise 404 for a group that has no page.

    A limited role gets no findings: those compare its Macs with others.
    """
    policy = await fleet_policy_of(connection, fleet.fleet_id)
    agents = await _agents(connection, fleet, policy)
    amiss = _health_problems(policy, agents, now)
    is_limited = fleet.machine_ids is not None
    within = _is_visible(fleet) if is_limited or group is None else group.has()
    kinds = await _kinds(connection, fleet.fleet_id, amiss, within)
    last = max((kind.last for kind in kinds if kind.last), default=None)
    as_of, state = _NOTHING if is_limited else await _last_state(connection, fleet.fleet_id, group)
    alerts: ColumnElement[bool] = true()
    if fleet.machine_ids is not None:
        alerts = concerns(fleet.machine_ids)
    elif group is not None:
        by_group = await members_of(connection, fleet.fleet_id, [group.where])
        ids = by_group[group.where]
        state["outliers"] = [item for item in state["outliers"] if item["machine_id"] in ids]
        alerts = concerns(ids)
    unlike = {outlier["machine_id"] for outlier in state["outliers"]}
    names = await names_in(connection, fleet.fleet_id, unlike)
    count = select(func.count()).select_from(Machine).outerjoin(FleetMachine, is_same_machine())
    return {
        "where": where_of(group),
        "group": str(group) if group is not None else "",
        "fleet": {
            "id": str(fleet.fleet_id),
            "name": fleet.name,
            "visibility": fleet.visibility,
            "role": fleet.role,
            "limited": is_limited,
        },
        "as_of": as_of.isoformat() if as_of else None,
        "machines": sum(kind.machines for kind in kinds),
        "retired": await connection.scalar(count.where(retired(fleet.fleet_id), within)) or 0,
        "runs": sum(kind.runs for kind in kinds),
        "last_received_at": last.isoformat() if last else None,
        "health": {
            "silent": sum(kind.silent for kind in kinds),
            "old_agent": sum(kind.old_agent for kind in kinds),
            "no_filevault": sum(kind.no_filevault for kind in kinds),
            "never_uploaded": sum(kind.never_uploaded for kind in kinds),
            "silent_days": (now - silent_since(policy, now)).days,
            "newest_agent": agents.newest,
            "agents": [
                {"version": version, "machines": machines, "is_old": version in agents.old}
                for version, machines in sorted(
                    _machines_by(kinds, "agent_version").items(),
                    key=lambda item: version_order(item[0]),
                    reverse=True,
                )
            ],
            "least_agent": policy.get("least_agent"),
            "filevault_required": bool(policy.get("filevault_required")),
            "refusals": await _refusals(connection, fleet.fleet_id) if group is None else [],
            "alert_days": int(DAYS_ASKED),
        },
        "os_versions": _shares(kinds, "os_version"),
        "chips": _shares(kinds, "chip"),
        "labels": state["labels"],
        "alerts": await _open_alerts(connection, (Alert.fleet_id == fleet.fleet_id) & alerts),
        "changes": [{**change, "words": change_words(change)} for change in state["changes"]],
        "outliers": [{**item, "words": outlier_words(item, names)} for item in state["outliers"]],
    }


_NOTHING: tuple[None, schemas.ShownFindings] = (None, {"changes": [], "outliers": [], "labels": []})


def _is_visible(fleet: SeenFleet) -> ColumnElement[bool]:
    """Condition on rows with `Machine`: the reader sees it."""
    return true() if fleet.machine_ids is None else among(Machine.machine_id, fleet.machine_ids)


async def _last_state(
    connection: AsyncConnection, fleet_id: uuid.UUID, group: Group | None
) -> tuple[datetime | None, schemas.ShownFindings]:
    """What the last round found of a fleet, with the changes of a group if one is asked for."""
    # The groups' changes are much to read, and none is shown with another.
    changes = FleetState.told["changes"]
    if group is not None:
        changes = FleetState.told["groups"][group.where]
    columns = (changes, FleetState.told["outliers"], FleetState.told["labels"])
    query = select(FleetState.as_of, *columns).where(FleetState.fleet_id == fleet_id)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return _NOTHING
    group_changes: list[schemas.FoundChange] | None
    outliers: list[schemas.FoundOutlier]
    as_of, group_changes, outliers, labels = row
    if group_changes is None:
        raise no_group(group)
    # What an older version didn't find is added until the next round does.
    return as_of, {
        "changes": [{**item, "before": item.get("before", [])} for item in group_changes],
        "outliers": [{**item, "causes": item.get("causes", [])} for item in outliers],
        "labels": labels or [],
    }


class _Agents(NamedTuple):
    """Newest version that a fleet has or this server knows, and the fleet's versions that are older
    than the fleet wants, or else than the newest one.
    """

    newest: str
    old: list[str]


async def _agents(
    connection: AsyncConnection, fleet: SeenFleet, policy: schemas.FleetPolicy
) -> _Agents:
    query = select(FleetMachine.agent_version).join(Machine, is_same_machine())
    query = query.where(FleetMachine.fleet_id == fleet.fleet_id, _is_visible(fleet)).distinct()
    versions = [version for version in await connection.scalars(query) if version is not None]
    newest = max([*versions, VERSION], key=version_order)
    least = version_order(policy.get("least_agent") or newest)
    return _Agents(newest, [version for version in versions if version_order(version) < least])


def _health_problems(
    policy: schemas.FleetPolicy, agents: _Agents, now: datetime
) -> dict[schemas.MachineProblem, ColumnElement[bool]]:
    """Conditions for the problems that a machine may have."""
    without = and_(FleetMachine.virtual.is_(False), FleetMachine.encryption.in_(_WITHOUT_FILEVAULT))
    return {
        "silent": FleetMachine.received_at < silent_since(policy, now),
        "old_agent": FleetMachine.agent_version.in_(agents.old),
        "no_filevault": without if policy.get("filevault_required") else ~true(),
        "never_uploaded": FleetMachine.machine_id.is_(None) & ~has_runs(),
    }


async def _kinds(
    connection: AsyncConnection,
    fleet_id: uuid.UUID,
    amiss: Mapping[schemas.MachineProblem, ColumnElement[bool]],
    within: ColumnElement[bool],
) -> Sequence[Row[Any]]:
    """Count machines in use, their runs and their problems, by what the page divides them by."""
    has_facts = FleetMachine.machine_id.is_not(None).label("has_facts")
    by = (FleetMachine.chip, FleetMachine.os_version, FleetMachine.agent_version, has_facts)
    query: Select[*tuple[Any, ...]] = (
        select(
            *by,
            func.count().label("machines"),
            func.coalesce(func.sum(FleetMachine.runs), 0).label("runs"),
            func.max(FleetMachine.received_at).label("last"),
            *(func.count().filter(condition).label(name) for name, condition in amiss.items()),
        )
        .select_from(Machine)
        .outerjoin(FleetMachine, is_same_machine())
        .where(in_use(fleet_id), within)
        .group_by(*by)
    )
    return (await connection.execute(query)).all()


def _machines_by(kinds: Sequence[Row[Any]], column: str) -> Counter[str | None]:
    """Number of machines with runs per value."""
    machines: Counter[str | None] = Counter()
    for kind in kinds:
        if kind.has_facts:
            machines[getattr(kind, column)] += kind.machines
    return machines


def _shares(kinds: Sequence[Row[Any]], column: str) -> list[schemas.Share]:
    return most_frequent_first(_machines_by(kinds, column))


async def _refusals(connection: AsyncConnection, fleet_id: uuid.UUID) -> list[schemas.Refused]:
    last_at, runs = func.max(Refusal.last_at), func.sum(Refusal.times).cast(BigInteger)
    columns = (Refusal.code, func.max(Refusal.title).label("title"), runs.label("runs"))
    query = select(*columns, func.count().label("devices"), last_at.label("last_at"))
    query = query.where(Refusal.fleet_id == fleet_id).group_by(Refusal.code)
    rows = await connection.execute(query.order_by(last_at.desc()))
    return [as_json(row) for row in rows]


async def _open_alerts(
    connection: AsyncConnection, chosen: ColumnElement[bool]
) -> schemas.AlertCounts:
    columns = (
        func.count().filter(STATE_CONDITIONS[state]).label(state)
        for state in ("open", "muted", "acknowledged")
    )
    query = select(*columns).where(chosen)
    counts: schemas.AlertCounts = as_json((await connection.execute(query)).one())
    return counts


async def machines_page(
    connection: AsyncConnection, fleet: SeenFleet, query: Asked, now: datetime
) -> schemas.FleetMachines:
    """Page of a fleet's machines."""
    policy = await fleet_policy_of(connection, fleet.fleet_id)
    agents = await _agents(connection, fleet, policy)
    amiss = _health_problems(policy, agents, now)
    chosen = [in_use(fleet.fleet_id), *_having(query.q)]
    if query.machine is not None:
        chosen = [Machine.fleet_id == fleet.fleet_id, Machine.machine_id == query.machine]
    elif query.only == "retired":
        chosen[0] = retired(fleet.fleet_id)
    elif query.only is not None:
        chosen.append(amiss[query.only])
    if fleet.machine_ids is not None:
        chosen.append(_is_visible(fleet))
    elif query.group is not None:
        chosen.append(query.group.has())
    listed = select(*_SHOWN).select_from(Machine).outerjoin(FleetMachine, is_same_machine())
    listed = listed.where(*chosen)
    total = await connection.scalar(listed.with_only_columns(func.count()))
    names = array([case((condition, name)) for name, condition in amiss.items()])
    problems = func.array_remove(names, None).label("amiss")
    order = [*await _order(connection, fleet.fleet_id, query), Machine.machine_id]
    page = listed.with_only_columns(Machine.machine_id).order_by(*order)
    ids = (await connection.scalars(page.limit(query.limit).offset(query.offset))).all()
    rows = await connection.execute(listed.add_columns(problems).where(Machine.machine_id.in_(ids)))
    by_id = {row.id: row for row in rows}
    return {
        "items": [as_json(row, words=machine_words(row)) for row in map(by_id.get, ids) if row],
        "total": total or 0,
    }


def _having(q: str) -> Sequence[ColumnElement[bool]]:
    """Conditions that each word appears in a column of the table, in the machine's id or in a
    label of its newest run.
    """
    columns: list[ColumnElement[Any] | Any] = [
        *(FleetMachine.chip, FleetMachine.model, FleetMachine.os_version, Machine.name),
        *(cast(Machine.machine_id, Text), cast(_LABELS, Text)),
    ]
    return [
        or_(*(column.icontains(word, autoescape=True) for column in columns)) for word in q.split()
    ]


async def _order(
    connection: AsyncConnection, fleet_id: uuid.UUID, query: Asked
) -> list[ColumnElement[Any]]:
    """Order of the list. Versions sort as numbers, of which a fleet has few: 26.10 after 26.9."""
    column: Any = _SORTED_BY[query.sort]
    if query.sort in _VERSIONS:
        statement = select(column).where(FleetMachine.fleet_id == fleet_id, column.is_not(None))
        versions = await connection.scalars(statement.distinct())
        by_number = sorted(versions, key=lambda version: (version_order(version), version))
        column = func.array_position(array(by_number, type_=Text), column)
    return [column.desc().nulls_last() if query.descending else column.asc().nulls_first()]
