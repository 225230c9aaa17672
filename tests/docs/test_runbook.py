"""docs/RUNBOOK.md: every alarm has its section, every link leads somewhere."""

from __future__ import annotations

import re

from macmeter.observing.tally import MEASURES
from macmeter.settings import CHECKOUT

DOCS = CHECKOUT / "docs"
RUNBOOK = (DOCS / "RUNBOOK.md").read_text()
ALERTS = (DOCS / "alerts.yml").read_text()


def test_every_alarm_has_its_section_and_asks_for_what_exists() -> None:
    alarms = re.findall(r"- alert: (\w+)", ALERTS)
    sections = re.findall(r"^## (.+)$", RUNBOOK, re.MULTILINE)
    assert [alarm for alarm in alarms if alarm not in sections] == []
    known = {measure.name for measure in MEASURES}
    source = (CHECKOUT / "backend/macmeter/api/operation.py").read_text()
    known |= set(re.findall(r'"(macmeter_\w+)"', source))
    asked = {re.sub(r"_bucket$", "", name) for name in re.findall(r"macmeter_\w+", ALERTS)}
    assert asked - known == set()


def test_links_lead_somewhere() -> None:
    for target, anchor in re.findall(r"\]\(([\w.]*)(?:#([\w-]+))?\)", RUNBOOK):
        page = DOCS / target if target else DOCS / "RUNBOOK.md"
        assert page.is_file(), target
        if anchor:
            headings = re.findall(r"^## (.+)$", page.read_text(), re.MULTILINE)
            slugs = [re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings]
            assert anchor in slugs, f"{target}#{anchor}"
