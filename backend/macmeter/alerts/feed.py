"""Alerts as an Atom feed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from macmeter.alerts.pages import page_of
from macmeter.alerts.shapes import Alert
from macmeter.atom import Entry, Feed, written


def atom(alerts: Sequence[Alert], base: str, now: datetime) -> bytes:
    """`alerts` as `acting.alerts_page` lists them; `base` is this server's address."""
    return written(
        Feed(
            address=f"{base}/api/v1/alerts.atom",
            title="Macmeter: alerts",
            updated=max(map(_updated, alerts), default=now.astimezone(UTC).isoformat()),
            link=None,
            entries=tuple(_entry(alert, base) for alert in alerts),
        )
    )


def _entry(alert: Alert, base: str) -> Entry:
    return Entry(
        # An alert that was over and holds again is another entry.
        id=f"urn:uuid:{alert['id']}#{alert['opened_at']}",
        title=f"{alert['fleet']['name']}: {alert['title']}",
        updated=_updated(alert),
        link=page_of(alert["fleet"]["name"], base) or base,
        lines=(*alert["lines"], f"State: {alert['state']}"),
    )


def _updated(alert: Alert) -> str:
    return alert["closed_at"] or alert["opened_at"]
