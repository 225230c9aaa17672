"""One alert per cause: which effects belong together, and to which existing alert."""

from __future__ import annotations

import uuid
from typing import Any, cast

import pytest
from macmeter.alerts.alert import AlertCondition, regressions
from macmeter.alerts.schemas import FoundEffect
from macmeter.catalog import Better

KNOWN = uuid.UUID(int=1)


def effect(
    version: str | None = None, day: str = "2026-11-10", chip: str = "M1", **changes: Any
) -> FoundEffect:
    fields: Any = {
        "metric": "disk.write_average",
        "title": "Write speed",
        "better": Better.HIGHER,
        "cohort": {"chip": chip},
        "where": [f"chip:{chip}"],
        "ratio": 0.9,
        "low": 0.89,
        "high": 0.91,
        "matters": True,
        "machines": 9,
        "of": 9,
        "moved": 9,
        "machine_ids": [f"{chip} 1"],
        "version": version,
        "at": f"{day}T12:00:00+00:00",
        "stayed": None,
        "worse": True,
    }
    return cast(FoundEffect, {**fields, **changes})


class Alert:
    kind = "regression"

    def __init__(self, cause: str, *effects: FoundEffect) -> None:
        self.alert_id, self.cause, self.detail = KNOWN, cause, {"effects": [*effects]}


def wanted(effects: list[FoundEffect], *alerts: Alert, renewed: Any = None) -> list[AlertCondition]:
    still = {a.alert_id: a.detail["effects"] for a in alerts} if renewed is None else renewed
    return regressions(effects, alerts, still)


def causes(alerts: list[AlertCondition]) -> list[tuple[str, uuid.UUID | None, int]]:
    return [(alert.cause, alert.alert_id, len(alert.detail["effects"])) for alert in alerts]


def test_updates_and_what_moved_weeks_apart_are_alerts_of_their_own() -> None:
    effects = [
        effect("26.4"),
        effect("26.4", chip="M2"),
        effect(day="2026-10-01"),
        effect(day="2026-10-09", chip="M2"),
        effect(day="2026-11-12"),
        effect(day="2026-11-12", worse=False, chip="M3"),
    ]
    assert causes(wanted(effects)) == [
        ("update 26.4", None, 2),
        ("at once 2026-10-01", None, 2),
        ("at once 2026-11-12", None, 1),
    ]
    assert causes(wanted(effects[::-1])) == causes(wanted(effects))


@pytest.mark.parametrize(("day", "known"), [("2026-11-19", True), ("2026-11-30", False)])
def test_a_date_that_moves_stays_the_same_alert(day: str, known: bool) -> None:
    (first, *rest) = wanted([effect(day=day)], Alert("at once 2026-11-10", effect()), renewed={})
    assert (first.cause, first.alert_id) == (f"at once {day}", KNOWN if known else None)
    assert not rest


def test_what_turns_out_to_be_no_updates_doing_keeps_its_alert() -> None:
    alert = Alert("update 26.4", effect("26.4"))
    assert causes(wanted([effect()], alert)) == [("at once 2026-11-10", KNOWN, 1)]


def test_an_alert_about_more_keeps_the_rest() -> None:
    alert = Alert("update 26.4", effect("26.4"), effect("26.4", chip="M2"))
    assert causes(wanted([effect()], alert)) == [
        ("at once 2026-11-10", None, 1),
        ("update 26.4", KNOWN, 1),
    ]


def test_what_is_known_has_the_figures_of_now() -> None:
    alert = Alert("update 26.4", effect("26.4"))
    now = {KNOWN: [effect("26.4", ratio=0.94)]}
    (alert_wanted,) = wanted([effect("26.4", ratio=0.92)], alert, renewed=now)
    assert [change["ratio"] for change in alert_wanted.detail["effects"]] == [0.94]
    (alert_wanted,) = wanted([], alert, renewed=now)
    assert [change["ratio"] for change in alert_wanted.detail["effects"]] == [0.94]


def test_what_is_gone_is_not_wanted() -> None:
    assert not wanted([], Alert("update 26.4", effect("26.4")), renewed={KNOWN: []})


def test_the_agent_is_that_of_the_effects() -> None:
    (alert,) = wanted([effect("26.4", agent_version=None), effect("26.4", "2026-11-12", "M2")])
    assert "agent_version" not in alert.detail
    (alert,) = wanted([effect("26.4"), effect("26.4", chip="M2", agent_version="1.1")])
    assert alert.detail["agent_version"] == "1.1"
