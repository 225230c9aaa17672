"""Listing, acknowledging and commenting on alerts."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Any, Literal, cast

from sqlalchemy import ColumnElement, and_, func, insert, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.people import Member
from macmeter.access.seen_fleets import require_admin
from macmeter.alerts import shapes
from macmeter.alerts.alert import REGRESSION
from macmeter.alerts.shapes import AlertDetail, Comment, Effect, FoundDetail
from macmeter.alerts.words import alert_lines, change_words, is_passed, title_of
from macmeter.errors import not_found
from macmeter.isolation import ALERTS, Isolated
from macmeter.models import Alert, AlertComment, Fleet

State = Literal["open", "acknowledged", "over", "passed"]
OPEN: State = "open"
ACKNOWLEDGED: State = "acknowledged"
OVER: State = "over"
PASSED: State = "passed"
_IS: dict[State, ColumnElement[bool]] = {
    OPEN: and_(Alert.closed_at.is_(None), Alert.acknowledged_at.is_(None)),
    ACKNOWLEDGED: and_(Alert.closed_at.is_(None), Alert.acknowledged_at.is_not(None)),
    OVER: and_(Alert.closed_at.is_not(None), Alert.kind != REGRESSION),
    PASSED: and_(Alert.closed_at.is_not(None), Alert.kind == REGRESSION),
}


async def alerts_page(
    connection: AsyncConnection,
    fleet_ids: Collection[uuid.UUID],
    state: State | None,
    limit: int,
    offset: int,
) -> shapes.Alerts:
    """A page of `{items, total}` of these fleets' alerts, the newest first."""
    chosen = and_(Alert.fleet_id.in_(fleet_ids), _IS[state] if state is not None else true())
    total = await connection.scalar(select(func.count()).select_from(Alert).where(chosen))
    query = (
        _alerts()
        .where(chosen)
        .order_by(Alert.opened_at.desc(), Alert.alert_id)
        .limit(limit)
        .offset(offset)
    )
    rows = list(await connection.execute(query))
    comments = await _comments(connection, [row.alert_id for row in rows])
    items = [_as_json(row, comments.get(row.alert_id, [])) for row in rows]
    return {"items": items, "total": total or 0}


async def one_alert(
    connection: AsyncConnection, alert_id: uuid.UUID, fleet_ids: Collection[uuid.UUID]
) -> shapes.Alert:
    """404 alike where there is none and where it is of another fleet."""
    row = (
        await connection.execute(
            _alerts().where(Alert.alert_id == alert_id, Alert.fleet_id.in_(fleet_ids))
        )
    ).one_or_none()
    if row is None:
        raise not_found("alert")
    comments = await _comments(connection, [alert_id])
    return _as_json(row, comments.get(alert_id, []))


def _alerts() -> Any:
    return select(*Alert.__table__.c, Fleet.name.label("fleet_name")).join(
        Fleet, Fleet.fleet_id == Alert.fleet_id
    )


async def _comments(
    connection: AsyncConnection, alert_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[Comment]]:
    query = select(AlertComment).where(AlertComment.alert_id.in_(alert_ids))
    found: dict[uuid.UUID, list[Comment]] = {}
    for row in await connection.execute(query.order_by(AlertComment.comment_id)):
        told: Comment = {"at": row.at.isoformat(), "by": row.by, "text": row.text}
        found.setdefault(row.alert_id, []).append(told)
    return found


# Written by a version that knew other ones; the list of all others goes on.
_UNREADABLE = "An alert that this version of the server can't show"


def _as_json(row: Any, comments: list[Comment]) -> shapes.Alert:
    shown = Isolated(ALERTS, quiet=True)
    title, lines, detail = _UNREADABLE, list[str](), AlertDetail()
    with shown.item(row.alert_id):
        title, lines = title_of(row.kind, row.cause, row.detail), alert_lines(row)
        detail = _with_words(row.detail)
    state = ACKNOWLEDGED if row.acknowledged_at else OPEN
    if row.closed_at:
        state = PASSED if is_passed(row.kind, row.closed_at) else OVER
    return {
        "id": str(row.alert_id),
        "fleet": {"id": str(row.fleet_id), "name": row.fleet_name},
        "kind": row.kind,
        "cause": row.cause,
        "state": state,
        "opened_at": row.opened_at.isoformat(),
        "closed_at": row.closed_at.isoformat() if row.closed_at else None,
        "acknowledged_at": row.acknowledged_at.isoformat() if row.acknowledged_at else None,
        "acknowledged_by": row.acknowledged_by,
        "title": title,
        "lines": lines,
        "detail": detail,
        "comments": comments,
    }


def _with_words(detail: FoundDetail) -> AlertDetail:
    found = {**detail}
    if "effects" in detail:
        told: list[Effect] = [
            {**effect, "words": change_words(effect)} for effect in detail["effects"]
        ]
        found["effects"] = told
    return cast(AlertDetail, found)


async def acknowledge(
    connection: AsyncConnection, alert_id: uuid.UUID, by: Member, now: datetime
) -> uuid.UUID:
    """Somebody looks after it: it stays until it is over, and no longer asks for attention."""
    fleet_id = await _of_admin(connection, alert_id, by, "acknowledges its alerts")
    await connection.execute(
        update(Alert)
        .where(Alert.alert_id == alert_id, Alert.acknowledged_at.is_(None))
        .values(acknowledged_at=now, acknowledged_by=by.name)
    )
    return fleet_id


async def reopen(connection: AsyncConnection, alert_id: uuid.UUID, by: Member) -> uuid.UUID:
    fleet_id = await _of_admin(connection, alert_id, by, "reopens its alerts")
    await connection.execute(
        update(Alert)
        .where(Alert.alert_id == alert_id)
        .values(acknowledged_at=None, acknowledged_by=None)
    )
    return fleet_id


async def comment(
    connection: AsyncConnection, alert_id: uuid.UUID, by: Member, text: str
) -> uuid.UUID:
    fleet_id = await _of_admin(connection, alert_id, by, "comments on its alerts")
    await connection.execute(
        insert(AlertComment).values(
            alert_id=alert_id, person_id=by.person_id, by=by.name, text=text
        )
    )
    return fleet_id


async def _of_admin(
    connection: AsyncConnection, alert_id: uuid.UUID, by: Member, does: str
) -> uuid.UUID:
    fleet_id = await connection.scalar(
        select(Alert.fleet_id).where(Alert.alert_id == alert_id).with_for_update()
    )
    if fleet_id is None:
        raise not_found("alert")
    require_admin(by, fleet_id, does, "alert")
    return fleet_id
