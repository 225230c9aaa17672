"""Alerts as an Atom feed (RFC 4287)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree as ET

from macmeter.alerts.pages import page_of
from macmeter.plain_text import printable

Json = dict[str, Any]
MEDIA_TYPE = "application/atom+xml"
_ATOM = "http://www.w3.org/2005/Atom"


def atom(alerts: Sequence[Json], base: str, now: datetime) -> bytes:
    """`alerts` as `acting.alerts_page` lists them; `base` is this server's address."""
    feed = ET.Element("feed", xmlns=_ATOM)
    _add(feed, "id", f"{base}/api/v1/alerts.atom")
    _add(feed, "title", "Macmeter: alerts")
    ET.SubElement(feed, "link", rel="self", href=f"{base}/api/v1/alerts.atom")
    _add(feed, "updated", alerts[0]["opened_at"] if alerts else now.astimezone(UTC).isoformat())
    for alert in alerts:
        entry = ET.SubElement(feed, "entry")
        # An alert that was over and holds again is another entry.
        _add(entry, "id", f"urn:uuid:{alert['id']}#{alert['opened_at']}")
        _add(entry, "title", f"{alert['fleet']['name']}: {alert['title']}")
        _add(entry, "updated", alert["opened_at"])
        author = ET.SubElement(entry, "author")
        _add(author, "name", "Macmeter")
        ET.SubElement(entry, "link", href=page_of(alert["fleet"]["name"], base) or base)
        _add(entry, "summary", "\n".join([*alert["lines"], f"State: {alert['state']}"]))
    told: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return told


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = printable(text)
