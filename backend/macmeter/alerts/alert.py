"""Alerts, from opening to end: what somebody should look at, one alert per cause."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.alerts.schemas import FoundDetail, FoundEffect
from macmeter.models import Alert

Effects = list[FoundEffect]

REGRESSION, SILENT, QUOTA, DOUBTS = "regression", "silent", "quota", "doubts"
UPDATE, AT_ONCE = "update", "at once"
# What moves whole cohorts within so many days is one cause.
_TOGETHER = timedelta(days=14)


@dataclass(frozen=True)
class Wanted:
    """What holds now. `detail` says which machines or effects; new ones of them are news.

    `alert_id` is the alert that it is known as, where its cause has changed since.
    """

    kind: str
    cause: str
    detail: FoundDetail
    alert_id: uuid.UUID | None = None


@dataclass(frozen=True)
class News:
    """An alert that was opened, or grew after somebody had seen it."""

    alert_id: uuid.UUID
    kind: str


def regressions(
    found: Sequence[FoundEffect], earlier: Sequence[Any], renewed: Mapping[uuid.UUID, Effects]
) -> list[Wanted]:
    """What is worse, by cause: what was found, and what still holds of the `earlier` alerts.

    `renewed` are the effects of open alerts, as they are now: an update's Macs are compared for
    some weeks only, and what slowed them lasts.
    """
    known = {alert.alert_id: alert for alert in earlier if alert.kind == REGRESSION}
    wanted = []
    for effects in _by_cause([effect for effect in found if effect["worse"]]):
        alert = _known_as(effects, known.values(), renewed)
        still = renewed.get(alert.alert_id, []) if alert is not None else []
        if alert is not None:
            del known[alert.alert_id]
        by_key = {_key(effect): effect for effect in [*still, *effects]}
        # What is known is as it is now; what was found is the mean of some weeks.
        by_key |= {_key(one): one for one in still if one["version"] == effects[0]["version"]}
        wanted.append(_wanted([*by_key.values()], alert, earlier))
    for alert_id, alert in known.items():
        elsewhere = {_key(effect) for one in wanted for effect in one.detail["effects"]}
        still = [one for one in renewed.get(alert_id, []) if _key(one) not in elsewhere]
        if still:
            wanted.append(_wanted(still, alert, earlier))
    return wanted


def _by_cause(found: Sequence[FoundEffect]) -> list[Effects]:
    """Findings by update; what moved at once, by its days."""
    by_update: dict[str | None, Effects] = {}
    for effect in sorted(found, key=lambda effect: effect["at"]):
        by_update.setdefault(effect["version"], []).append(effect)
    groups: list[Effects] = []
    for effect in by_update.pop(None, []):
        if not groups or _at(effect) - _at(groups[-1][0]) > _TOGETHER:
            groups.append([])
        groups[-1].append(effect)
    return [*by_update.values(), *groups]


def _known_as(
    effects: Effects, known: Iterable[Any], renewed: Mapping[uuid.UUID, Effects]
) -> Any | None:
    """The alert that is about these: of the same cause, or open and about nothing else."""
    keys = {_key(effect) for effect in effects}
    same = [alert for alert in known if _is_same_cause(alert, effects[0])]
    about = [
        alert
        for alert in known
        if (own := {_key(effect) for effect in renewed.get(alert.alert_id, [])}) and own <= keys
    ]
    return next(iter([*same, *about]), None)


def _is_same_cause(alert: Any, effect: FoundEffect) -> bool:
    if effect["version"] is not None:
        return bool(alert.cause == f"{UPDATE} {effect['version']}")
    if not alert.cause.startswith(AT_ONCE):
        return False
    day = datetime.fromisoformat(alert.cause.removeprefix(f"{AT_ONCE} ")).replace(tzinfo=UTC)
    return abs(_at(effect) - day) <= _TOGETHER


def _wanted(effects: Effects, alert: Any | None, earlier: Sequence[Any]) -> Wanted:
    listed = sorted(effects, key=lambda effect: -effect["moved"])
    machines = sorted({machine for effect in listed for machine in effect["machine_ids"]})
    detail: FoundDetail = {
        "effects": listed,
        "machine_ids": machines,
        "machines": len(machines),
    }
    if agent := next((one["agent_version"] for one in listed if one.get("agent_version")), None):
        detail["agent_version"] = agent
    version, day = listed[0]["version"], _at(listed[0]).date().isoformat()
    cause = f"{UPDATE} {version}" if version is not None else f"{AT_ONCE} {day}"
    alert_id = alert.alert_id if alert is not None else None
    # Another alert may have the name that this one would get; two of one name can't be.
    if any(one.cause == cause and one.alert_id != alert_id for one in earlier):
        cause = alert.cause if alert is not None else cause
    return Wanted(REGRESSION, cause, detail, alert_id)


def _at(effect: FoundEffect) -> datetime:
    return datetime.fromisoformat(effect["at"])


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
    known = {alert.alert_id: alert for alert in earlier}
    by_cause = {(alert.kind, alert.cause): alert.alert_id for alert in earlier}
    news = []
    for one in wanted:
        alert = known.pop(one.alert_id or by_cause.get((one.kind, one.cause)), None)
        if alert is None:
            alert_id = uuid.uuid4()
            about = {"kind": one.kind, "cause": one.cause, "detail": one.detail}
            new = insert(Alert).values(alert_id=alert_id, fleet_id=fleet_id, opened_at=now)
            await connection.execute(new.values(seen_at=now, **about))
            news.append(News(alert_id, one.kind))
        elif await _extend(connection, alert, one, now):
            news.append(News(alert.alert_id, one.kind))
    for alert in known.values():
        if alert.closed_at is None:
            own = Alert.alert_id == alert.alert_id
            await connection.execute(update(Alert).where(own).values(closed_at=now))
    return news


async def _extend(connection: AsyncConnection, alert: Any, one: Wanted, now: datetime) -> bool:
    """Whether there is news in it: it was over, or concerns what it did not before."""
    is_news = alert.closed_at is not None or bool(_concerned(one.detail) - _concerned(alert.detail))
    values: dict[str, object] = {"seen_at": now, "detail": one.detail, "cause": one.cause}
    if alert.closed_at is not None:
        values |= {"opened_at": now, "closed_at": None}
    if is_news:
        values |= {"acknowledged_at": None, "acknowledged_by": None}
    await connection.execute(update(Alert).where(Alert.alert_id == alert.alert_id).values(**values))
    return is_news


def _concerned(detail: FoundDetail) -> set[Any]:
    """What a regression has slowed; one more Mac of a reported cohort isn't news."""
    if "effects" in detail:
        return {_key(effect) for effect in detail["effects"]}
    return set(detail.get("machine_ids", ()))
