"""Listing, acknowledging and commenting on alerts."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Select,
    Text,
    and_,
    case,
    exists,
    false,
    func,
    insert,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json
from macmeter.accounts.names import names_in
from macmeter.accounts.people import Member
from macmeter.accounts.scope import require_admin
from macmeter.accounts.visibility import array_of
from macmeter.alerts import schemas
from macmeter.alerts.alert import NOT_MUTED, REGRESSION, machines_of
from macmeter.alerts.groups import Group, members_of
from macmeter.alerts.words import alert_lines, change_words, group_line, page_of, title_of
from macmeter.models import Alert, AlertComment, Fleet, Membership, Person
from macmeter.platform.atom import Entry, Feed, written
from macmeter.platform.database import as_json
from macmeter.platform.errors import not_found
from macmeter.platform.isolation import ALERTS, Isolated

_IS_OPEN, _IS_ACKNOWLEDGED = Alert.closed_at.is_(None), Alert.acknowledged_at.is_not(None)
_IS_MUTED = func.coalesce(Alert.muted_until > func.now(), false())
STATE_CONDITIONS: dict[schemas.State, ColumnElement[bool]] = {
    "open": and_(_IS_OPEN, ~_IS_ACKNOWLEDGED, ~_IS_MUTED),
    "muted": and_(_IS_OPEN, _IS_MUTED),
    "acknowledged": and_(_IS_OPEN, _IS_ACKNOWLEDGED, ~_IS_MUTED),
    "over": and_(Alert.closed_at.is_not(None), Alert.kind != REGRESSION),
    "passed": and_(Alert.closed_at.is_not(None), Alert.kind == REGRESSION),
}
_STATE = case(*((condition, state) for state, condition in STATE_CONDITIONS.items()))
_COLUMNS = (
    *(Alert.alert_id.label("id"), Alert.kind, Alert.cause, Alert.detail, _STATE.label("state")),
    *(Alert.opened_at, Alert.closed_at, Alert.acknowledged_at, Alert.acknowledged_by),
    case(
        (
            _IS_MUTED,
            func.jsonb_build_object(
                *("until", Alert.muted_until, "by", Alert.muted_by, "why", Alert.muted_why)
            ),
        )
    ).label("mute"),
    case(
        (
            # Somebody who has left the fleet no longer owns alerts in it.
            Person.server_admin | Membership.person_id.is_not(None),
            func.jsonb_build_object("id", Person.person_id, "name", Person.name),
        )
    ).label("owner"),
    func.jsonb_build_object("id", Fleet.fleet_id, "name", Fleet.name).label("fleet"),
)


class AlertQuery(NamedTuple):
    """Filters and page of a list of alerts. `group` selects those about its Macs, and only them."""

    state: schemas.State | None = None
    group: Group | None = None
    limit: int = 50
    offset: int = 0


VisibleMachines = Mapping[uuid.UUID, frozenset[uuid.UUID] | None]
"""Fleets that the reader sees, with their machines in each; None for all."""


async def alerts_page(
    connection: AsyncConnection, scope: VisibleMachines, query: AlertQuery
) -> schemas.Alerts:
    """Return a page of these fleets' alerts, newest first. With a group, `scope` is its fleet."""
    state, group = query.state, query.group
    members = await _group_machine_ids(connection, scope, group)
    chosen = and_(
        _is_visible(scope),
        STATE_CONDITIONS[state] if state is not None else true(),
        concerns(members) if group is not None else true(),
    )
    total = await connection.scalar(select(func.count()).select_from(Alert).where(chosen))
    statement = (
        select(*_COLUMNS)
        .where(chosen)
        .order_by(Alert.opened_at.desc(), Alert.alert_id)
        .limit(query.limit)
        .offset(query.offset)
    )
    items = await _read(connection, statement, scope)
    if group is not None:
        items = [_limited_to_group(alert, group, members) for alert in items]
    return {"items": items, "total": total or 0}


async def _group_machine_ids(
    connection: AsyncConnection, fleet_ids: Collection[uuid.UUID], group: Group | None
) -> frozenset[str]:
    """Return the ids of the group's Macs in its only fleet."""
    if group is None:
        return frozenset()
    (fleet_id,) = fleet_ids
    return (await members_of(connection, fleet_id, [group.where]))[group.where]


def concerns(machine_ids: frozenset[Any]) -> ColumnElement[bool]:
    """Return the condition that an alert is about one of these Macs; ids may be text."""
    # The operator of jsonb: any of these strings is in the list.
    listed = Alert.detail["machine_ids"]
    return listed.op("?|")(array_of(machine_ids, Text()))


def _limited_to_group(alert: schemas.Alert, group: Group, members: frozenset[str]) -> schemas.Alert:
    machine_ids = machines_of(alert["detail"])
    macs = [mac for mac in machine_ids if mac in members]
    names = {mac: name for mac, name in alert["detail"].get("names", {}).items() if mac in members}
    line = group_line(group, len(macs), len(machine_ids))
    detail: schemas.AlertDetail = {**alert["detail"], "machine_ids": macs}
    if names:
        detail["names"] = names
    return {**alert, "lines": [*alert["lines"], line], "detail": detail}


def _is_visible(scope: VisibleMachines) -> ColumnElement[bool]:
    """Return the condition that an alert is of these fleets, about a machine visible there."""
    limited = {fleet_id: ids for fleet_id, ids in scope.items() if ids is not None}
    theirs = [
        and_(Alert.fleet_id == fleet_id, concerns(machine_ids))
        for fleet_id, machine_ids in limited.items()
    ]
    return or_(Alert.fleet_id.in_(scope.keys() - limited.keys()), *theirs)


async def one_alert(
    connection: AsyncConnection, alert_id: uuid.UUID, scope: VisibleMachines
) -> schemas.Alert:
    """Return an alert. Raise 404 both if there is none and if it belongs to another fleet."""
    query = select(*_COLUMNS).where(Alert.alert_id == alert_id, _is_visible(scope))
    alerts = await _read(connection, query, scope)
    if not alerts:
        raise not_found("alert")
    return alerts[0]


async def _read(
    connection: AsyncConnection, selection: Select[Any], scope: VisibleMachines
) -> list[schemas.Alert]:
    """Return the alerts of `selection`, which has the columns of _COLUMNS, with their comments.

    If only some of a fleet's machines are visible, an alert has only these, and nothing that
    people wrote, because it may be about others.
    """
    joined = (
        selection.select_from(Alert)
        .join(Fleet, Fleet.fleet_id == Alert.fleet_id)
        .outerjoin(Person, Person.person_id == Alert.owner_id)
        .outerjoin(
            Membership,
            (Membership.person_id == Person.person_id) & (Membership.fleet_id == Fleet.fleet_id),
        )
    )
    visible = {
        str(fleet_id): None if ids is None else frozenset(map(str, ids))
        for fleet_id, ids in scope.items()
    }
    rows = [
        _limited_to_visible(row, visible[row.fleet["id"]])
        for row in await connection.execute(joined)
    ]
    comments: dict[uuid.UUID, list[schemas.Comment]] = {row.id: [] for row in rows}
    columns = (AlertComment.alert_id, AlertComment.at, AlertComment.by, AlertComment.text)
    whole = [row.id for row in rows if scope[uuid.UUID(row.fleet["id"])] is None]
    statement = select(*columns).where(AlertComment.alert_id.in_(whole))
    for row in await connection.execute(statement.order_by(AlertComment.comment_id)):
        item: schemas.Comment = {"at": row.at.isoformat(), "by": row.by, "text": row.text}
        comments[row.alert_id].append(item)
    macs: dict[str, set[str]] = {row.fleet["id"]: set() for row in rows}
    for row in rows:
        macs[row.fleet["id"]].update(machines_of(row.detail))
    names = {
        fleet_id: await names_in(connection, uuid.UUID(fleet_id), machine_ids)
        for fleet_id, machine_ids in macs.items()
    }
    return [
        as_json(row, **_texts_of(row, names[row.fleet["id"]]), comments=comments[row.id])
        for row in rows
    ]


def _limited_to_visible(row: Any, visible: frozenset[str] | None) -> Any:
    if visible is None:
        return row
    macs = sorted(visible.intersection(machines_of(row.detail)))
    detail = {"machine_ids": macs, "machines": len(macs)}
    nobody = {"acknowledged_by": None, "mute": None, "owner": None}
    values = {**row._mapping, **nobody, "detail": detail}
    return SimpleNamespace(**values, _mapping=values)


# Title of an alert that another version wrote. The rest of the list must still work.
_UNREADABLE = "An alert that this version of the server can't show"


def _texts_of(row: Any, names: Mapping[str, str]) -> Json:
    """Return an alert's title and lines, and its detail with words for each effect."""
    with Isolated(ALERTS, quiet=True).item(row.id):
        detail = dict(row.detail)
        if "effects" in detail:
            detail["effects"] = [
                {**effect, "words": change_words(effect)} for effect in detail["effects"]
            ]
        if machine_names := {mac: names[mac] for mac in machines_of(row.detail) if mac in names}:
            detail["names"] = machine_names
        title, lines = title_of(row.kind, row.cause, row.detail), alert_lines(row)
        return {"title": title, "lines": lines, "detail": detail}
    return {"title": _UNREADABLE, "lines": [], "detail": {}}


async def acknowledge(
    connection: AsyncConnection, alert_id: uuid.UUID, by: Member, now: datetime
) -> uuid.UUID:
    """Acknowledge an alert: it stays open but asks for no more attention. Return its fleet's id."""
    fleet_id = await _administered_fleet(connection, alert_id, by, "acknowledges its alerts")
    statement = update(Alert).where(Alert.alert_id == alert_id, Alert.acknowledged_at.is_(None))
    await connection.execute(statement.values(acknowledged_at=now, acknowledged_by=by.name))
    return fleet_id


async def reopen(connection: AsyncConnection, alert_id: uuid.UUID, by: Member) -> uuid.UUID:
    fleet_id = await _administered_fleet(connection, alert_id, by, "reopens its alerts")
    statement = update(Alert).where(Alert.alert_id == alert_id)
    await connection.execute(statement.values(acknowledged_at=None, acknowledged_by=None))
    return fleet_id


async def mute(
    connection: AsyncConnection, alert_id: uuid.UUID, by: Member, why: str, until: datetime
) -> uuid.UUID:
    """Send nothing about an alert before `until`. Return its fleet's id."""
    fleet_id = await _administered_fleet(connection, alert_id, by, "mutes its alerts")
    muted = {"muted_until": until, "muted_by": by.name, "muted_why": why}
    await connection.execute(update(Alert).where(Alert.alert_id == alert_id).values(**muted))
    return fleet_id


async def unmute(connection: AsyncConnection, alert_id: uuid.UUID, by: Member) -> uuid.UUID:
    fleet_id = await _administered_fleet(connection, alert_id, by, "mutes its alerts")
    statement = update(Alert).where(Alert.alert_id == alert_id)
    await connection.execute(statement.values(**NOT_MUTED))
    return fleet_id


async def assign(
    connection: AsyncConnection, alert_id: uuid.UUID, by: Member, person_id: uuid.UUID | None
) -> uuid.UUID:
    """Assign an alert to a member of its fleet, or to nobody. Return its fleet's id."""
    fleet_id = await _administered_fleet(connection, alert_id, by, "assigns its alerts")
    if person_id is not None:
        # Their mail and their page would be about other Macs too.
        unlimited = Membership.limited_to.is_(None)
        in_fleet = Membership.fleet_id == fleet_id
        member = exists().where(Membership.person_id == person_id, in_fleet, unlimited)
        if not await connection.scalar(select(member)):
            raise not_found("member of the fleet")
    statement = update(Alert).where(Alert.alert_id == alert_id)
    await connection.execute(statement.values(owner_id=person_id))
    return fleet_id


async def comment(
    connection: AsyncConnection, alert_id: uuid.UUID, by: Member, text: str
) -> uuid.UUID:
    fleet_id = await _administered_fleet(connection, alert_id, by, "comments on its alerts")
    values = {"alert_id": alert_id, "person_id": by.person_id, "by": by.name, "text": text}
    await connection.execute(insert(AlertComment).values(values))
    return fleet_id


async def _administered_fleet(
    connection: AsyncConnection, alert_id: uuid.UUID, by: Member, action: str
) -> uuid.UUID:
    query = select(Alert.fleet_id).where(Alert.alert_id == alert_id).with_for_update()
    fleet_id = await connection.scalar(query)
    if fleet_id is None:
        raise not_found("alert")
    require_admin(by, fleet_id, action, "alert")
    return fleet_id


def atom_feed(alerts: Sequence[schemas.Alert], server_url: str, now: datetime) -> bytes:
    """Return alerts that `alerts_page` lists as an Atom feed. `server_url` is this server's."""
    return written(
        Feed(
            address=f"{server_url}/api/v1/alerts.atom",
            title="Macmeter: alerts",
            updated=max(map(_updated, alerts), default=now.astimezone(UTC).isoformat()),
            link=None,
            entries=tuple(_entry(alert, server_url) for alert in alerts),
        )
    )


def _entry(alert: schemas.Alert, server_url: str) -> Entry:
    return Entry(
        # An alert that was over and is open again is another entry.
        id=f"urn:uuid:{alert['id']}#{alert['opened_at']}",
        title=f"{alert['fleet']['name']}: {alert['title']}",
        updated=_updated(alert),
        link=page_of(alert["fleet"]["name"], server_url, alert["id"]) or server_url,
        lines=(*alert["lines"], f"State: {alert['state']}"),
    )


def _updated(alert: schemas.Alert) -> str:
    return alert["closed_at"] or alert["opened_at"]
