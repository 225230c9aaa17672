"""Alerts, from opening to end: what somebody should look at, one alert per cause."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.alerts.shapes import FoundDetail, FoundEffect
from macmeter.models import Alert

REGRESSION, SILENT, QUOTA, DOUBTS = "regression", "silent", "quota", "doubts"
UPDATE, AT_ONCE = "update", "at once"
# What moves whole cohorts within so many days is one cause.
_TOGETHER = timedelta(days=28)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Wanted:
    """What holds now. `detail` says which machines or effects; new ones of them are news."""

    kind: str
    cause: str
    detail: FoundDetail


@dataclass(frozen=True)
class News:
    """An alert that was opened, or grew after somebody had seen it."""

    alert_id: uuid.UUID
    kind: str


def regressions(
    found: Sequence[FoundEffect], earlier: Sequence[Any], now: datetime
) -> list[Wanted]:
    """What was found to be worse, by cause; `earlier` are the alerts that there are.

    Reported effects stay reported: an update's Macs are compared for some weeks only.
    """
    by_cause: dict[str, list[FoundEffect]] = {}
    for effect in found:
        if effect["worse"]:
            by_cause.setdefault(_cause(effect, earlier, now), []).append(effect)
    told = {alert.cause: alert.detail["effects"] for alert in earlier if alert.kind == REGRESSION}
    wanted = []
    for cause, effects in sorted(by_cause.items()):
        by_key = {_key(effect): effect for effect in told.get(cause, [])}
        by_key |= {_key(effect): effect for effect in effects}
        listed = sorted(by_key.values(), key=lambda effect: -effect["moved"])
        machines = sorted({machine for effect in listed for machine in effect["machine_ids"]})
        detail: FoundDetail = {
            "effects": listed,
            "machine_ids": machines,
            "machines": len(machines),
        }
        wanted.append(Wanted(REGRESSION, cause, detail))
    return wanted


def _cause(effect: FoundEffect, earlier: Sequence[Any], now: datetime) -> str:
    if effect["version"] is not None:
        return f"{UPDATE} {effect['version']}"
    for alert in earlier:
        is_recent = alert.kind == REGRESSION and now - alert.opened_at < _TOGETHER
        if is_recent and alert.cause.startswith(AT_ONCE):
            return str(alert.cause)
    return f"{AT_ONCE} {now.date().isoformat()}"


def _key(effect: FoundEffect) -> tuple[str, ...]:
    return (effect["metric"], *effect["where"])


async def alerts_of(connection: AsyncConnection, fleet_id: uuid.UUID) -> list[Any]:
    """All of a fleet's, the newest first."""
    query = select(Alert).where(Alert.fleet_id == fleet_id)
    return list(await connection.execute(query.order_by(Alert.opened_at.desc(), Alert.alert_id)))


async def bring_up_to_date(
    connection: AsyncConnection,
    fleet_id: uuid.UUID,
    earlier: Sequence[Any],
    wanted: Sequence[Wanted],
    now: datetime,
) -> list[News]:
    """Opens, extends and ends alerts so that they are what holds; what of it is news."""
    known = {(alert.kind, alert.cause): alert for alert in earlier}
    news = []
    for one in wanted:
        alert = known.pop((one.kind, one.cause), None)
        if alert is None:
            alert_id = uuid.uuid4()
            await connection.execute(
                insert(Alert).values(
                    alert_id=alert_id,
                    fleet_id=fleet_id,
                    kind=one.kind,
                    cause=one.cause,
                    opened_at=now,
                    seen_at=now,
                    detail=one.detail,
                )
            )
            news.append(News(alert_id, one.kind))
        elif await _extend(connection, alert, one, now):
            news.append(News(alert.alert_id, one.kind))
    for alert in known.values():
        # A regression is over when somebody says so: an update's Macs don't get faster again.
        if alert.kind != REGRESSION and alert.closed_at is None:
            own = Alert.alert_id == alert.alert_id
            await connection.execute(update(Alert).where(own).values(closed_at=now))
    return news


async def _extend(connection: AsyncConnection, alert: Any, one: Wanted, now: datetime) -> bool:
    """Whether there is news in it: it was over, or concerns what it did not before."""
    is_news = alert.closed_at is not None or bool(_concerned(one.detail) - _concerned(alert.detail))
    values: dict[str, object] = {"seen_at": now, "detail": one.detail, "closed_at": None}
    if alert.closed_at is not None:
        values["opened_at"] = now
    if is_news:
        values |= {"acknowledged_at": None, "acknowledged_by": None}
    await connection.execute(update(Alert).where(Alert.alert_id == alert.alert_id).values(**values))
    return is_news


def _concerned(detail: FoundDetail) -> set[Any]:
    """Of a regression what was slowed; one more Mac of a reported cohort isn't news."""
    if "effects" in detail:
        return {_key(effect) for effect in detail["effects"]}
    return set(detail.get("machine_ids", ()))
