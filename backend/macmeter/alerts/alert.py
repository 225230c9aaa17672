"""Life of alerts, from opening to closing: one alert per cause."""

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
# Cohorts that change within this time share one cause.
_TOGETHER = timedelta(days=14)


@dataclass(frozen=True)
class AlertCondition:
    """Condition that should have an alert. `detail` lists its machines or effects; new ones are
    news.

    `alert_id` is its existing alert, if its cause has changed since.
    """

    kind: str
    cause: str
    detail: FoundDetail
    alert_id: uuid.UUID | None = None


@dataclass(frozen=True)
class News:
    """An alert that was opened, opened again or extended, or that is over.

    `macs` are all that it concerns, and `earlier` those of which it was news before.
    """

    alert_id: uuid.UUID
    kind: str
    is_over: bool = False
    is_for_all: bool = True
    """False if only Macs joined it that are like those it reported: news to their group alone."""
    macs: frozenset[str] = frozenset()
    earlier: frozenset[str] = frozenset()

    def is_for(self, group: frozenset[str]) -> bool:
        """Return whether it is news to recipients who are limited to these Macs."""
        members = self.macs & group
        if self.is_over or not members:
            return bool(members)
        return not self.earlier & group or (self.is_for_all and bool(members - self.earlier))


def regressions(
    findings: Sequence[FoundEffect], earlier: Sequence[Any], renewed: Mapping[uuid.UUID, Effects]
) -> list[AlertCondition]:
    """Regressions by cause: those just found, and those of `earlier` alerts that still hold.

    `renewed` has the current effects of open alerts: an update's Macs are compared for only some
    weeks, but what slowed them lasts.
    """
    alerts_by_id = {alert.alert_id: alert for alert in earlier if alert.kind == REGRESSION}
    conditions = []
    for effects in _by_cause([effect for effect in findings if effect["worse"]]):
        alert = _existing_alert(effects, alerts_by_id.values(), renewed)
        current = renewed.get(alert.alert_id, []) if alert is not None else []
        if alert is not None:
            del alerts_by_id[alert.alert_id]
        by_key = {_key(effect): effect for effect in [*current, *effects]}
        # Known effects have current values; a finding is the mean of some weeks.
        by_key |= {_key(item): item for item in current if item["version"] == effects[0]["version"]}
        conditions.append(_condition([*by_key.values()], alert, earlier))
    for alert_id, alert in alerts_by_id.items():
        elsewhere = {_key(effect) for item in conditions for effect in item.detail["effects"]}
        current = [item for item in renewed.get(alert_id, []) if _key(item) not in elsewhere]
        if current:
            conditions.append(_condition(current, alert, earlier))
    return conditions


def _by_cause(findings: Sequence[FoundEffect]) -> list[Effects]:
    """Group findings by update, and those without an update by date."""
    by_update: dict[str | None, Effects] = {}
    for effect in sorted(findings, key=lambda effect: effect["at"]):
        by_update.setdefault(effect["version"], []).append(effect)
    groups: list[Effects] = []
    for effect in by_update.pop(None, []):
        if not groups or _at(effect) - _at(groups[-1][0]) > _TOGETHER:
            groups.append([])
        groups[-1].append(effect)
    return [*by_update.values(), *groups]


def _existing_alert(
    effects: Effects, alerts: Iterable[Any], renewed: Mapping[uuid.UUID, Effects]
) -> Any | None:
    """Find the alert for these effects: of the same cause, or open and about nothing else."""
    keys = {_key(effect) for effect in effects}
    same = [alert for alert in alerts if _is_same_cause(alert, effects[0])]
    about = [
        alert
        for alert in alerts
        if (current := {_key(item) for item in renewed.get(alert.alert_id, [])}) and current <= keys
    ]
    return next(iter([*same, *about]), None)


def _is_same_cause(alert: Any, effect: FoundEffect) -> bool:
    if effect["version"] is not None:
        return bool(alert.cause == f"{UPDATE} {effect['version']}")
    if not alert.cause.startswith(AT_ONCE):
        return False
    day = datetime.fromisoformat(alert.cause.removeprefix(f"{AT_ONCE} ")).replace(tzinfo=UTC)
    return abs(_at(effect) - day) <= _TOGETHER


def _condition(effects: Effects, alert: Any | None, earlier: Sequence[Any]) -> AlertCondition:
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
    # Another alert may have this cause already, and two of one cause can't exist.
    if any(other.cause == cause and other.alert_id != alert_id for other in earlier):
        cause = alert.cause if alert is not None else cause
    return AlertCondition(REGRESSION, cause, detail, alert_id)


def _at(effect: FoundEffect) -> datetime:
    return datetime.fromisoformat(effect["at"])


def _key(effect: FoundEffect) -> tuple[str, ...]:
    return (effect["metric"], *effect["where"])


async def alerts_of(connection: AsyncConnection, fleet_id: uuid.UUID) -> list[Any]:
    """A fleet's alerts, newest first."""
    query = select(Alert).where(Alert.fleet_id == fleet_id)
    return list(await connection.execute(query.order_by(Alert.opened_at.desc(), Alert.alert_id)))


async def bring_up_to_date(
    connection: AsyncConnection,
    fleet_id: uuid.UUID,
    earlier: Sequence[Any],
    conditions: Sequence[AlertCondition],
    now: datetime,
) -> list[News]:
    """Open, extend and close alerts so that they match `conditions`.

    Return what is news to somebody. Muted alerts are none; those that still hold when that ends
    are.
    """
    alerts_by_id = {alert.alert_id: alert for alert in earlier}
    by_cause = {(alert.kind, alert.cause): alert.alert_id for alert in earlier}
    news = []
    for item in conditions:
        alert = alerts_by_id.pop(item.alert_id or by_cause.get((item.kind, item.cause)), None)
        if alert is None:
            alert_id = uuid.uuid4()
            values = {"kind": item.kind, "cause": item.cause, "detail": item.detail}
            new = insert(Alert).values(alert_id=alert_id, fleet_id=fleet_id, opened_at=now)
            await connection.execute(new.values(seen_at=now, **values))
            news.append(News(alert_id, item.kind, macs=_macs(item.detail)))
        else:
            is_for_all, before = await _extend(connection, alert, item, now)
            if is_for_all or _macs(item.detail) - before:
                arguments = (is_for_all, _macs(item.detail), before)
                news.append(News(alert.alert_id, item.kind, False, *arguments))
    for alert in alerts_by_id.values():
        if alert.closed_at is None:
            matches = Alert.alert_id == alert.alert_id
            await connection.execute(update(Alert).where(matches).values(closed_at=now))
            news.append(News(alert.alert_id, alert.kind, True, macs=_macs(alert.detail)))
    muted = {alert.alert_id for alert in earlier if _is_muted(alert, now)}
    return [item for item in news if item.alert_id not in muted]


def _is_muted(alert: Any, now: datetime) -> bool:
    return alert.muted_until is not None and alert.muted_until > now


NOT_MUTED: dict[str, object] = {"muted_until": None, "muted_by": None, "muted_why": None}


async def _extend(
    connection: AsyncConnection, alert: Any, item: AlertCondition, now: datetime
) -> tuple[bool, frozenset[str]]:
    """Update an alert. Return whether it is news to all, and of which Macs it was news before.

    It is if it was closed, concerns something new, or was muted until now.
    """
    is_news = alert.closed_at is not None or bool(_topics(item.detail) - _topics(alert.detail))
    values: dict[str, object] = {"seen_at": now, "detail": item.detail, "cause": item.cause}
    was_muted = alert.muted_until is not None and not _is_muted(alert, now)
    if was_muted:
        values |= NOT_MUTED
    if alert.closed_at is not None:
        values |= {"opened_at": now, "closed_at": None}
    if is_news:
        values |= {"acknowledged_at": None, "acknowledged_by": None}
    await connection.execute(update(Alert).where(Alert.alert_id == alert.alert_id).values(**values))
    is_again = was_muted and alert.acknowledged_at is None
    is_new = is_again or alert.closed_at is not None
    return is_news or is_again, frozenset() if is_new else _macs(alert.detail)


def machines_of(detail: Any) -> list[str]:
    """Return the ids of an alert's machines; none if another version wrote the detail otherwise."""
    ids = detail.get("machine_ids") if isinstance(detail, dict) else None
    return [item for item in ids if isinstance(item, str)] if isinstance(ids, list) else []


def _macs(detail: FoundDetail) -> frozenset[str]:
    return frozenset(machines_of(detail))


def _topics(detail: FoundDetail) -> set[Any]:
    """Effects or machines of an alert. One more Mac of a reported cohort isn't news."""
    if "effects" in detail:
        return {_key(effect) for effect in detail["effects"]}
    return set(detail.get("machine_ids", ()))
