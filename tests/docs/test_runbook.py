"""docs/RUNBOOK.md: every alert has its section."""

from __future__ import annotations

import re

from macmeter.platform.settings import CHECKOUT
from macmeter.platform.telemetry.counters import MEASURES

DOCS = CHECKOUT / "docs"
RUNBOOK = (DOCS / "RUNBOOK.md").read_text()
ALERTS = (DOCS / "prometheus-alerts.yml").read_text()


def test_every_alarm_has_its_section_and_asks_for_what_exists() -> None:
    alarms = re.findall(r"- alert: (\w+)", ALERTS)
    sections = re.findall(r"^## (.+)$", RUNBOOK, re.MULTILINE)
    assert [alarm for alarm in alarms if alarm not in sections] == []
    known = {measure.name for measure in MEASURES}
    source = (CHECKOUT / "backend/macmeter/server/operation_router.py").read_text()
    known |= set(re.findall(r'"(macmeter_\w+)"', source))
    asked = {re.sub(r"_bucket$", "", name) for name in re.findall(r"macmeter_\w+", ALERTS)}
    assert asked - known == set()
