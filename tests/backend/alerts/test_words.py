"""Texts about changes and alerts."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from macmeter.alerts.schemas import FoundDetail, FoundEffect
from macmeter.alerts.words import (
    alert_lines,
    change_in_words,
    interval_in_words,
    lines_of,
    names_in_words,
    title_of,
)
from macmeter.catalog import Better

EFFECT: FoundEffect = {
    "metric": "disk.write_average",
    "title": "Write speed",
    "better": Better.HIGHER,
    "where": [],
    "matters": True,
    "at": "2026-11-20T00:00:00+00:00",
    "worse": True,
    "machine_ids": [],
    "cohort": {
        "chip": "Apple M1",
        "virtual": False,
        "storage": "internal",
        "encryption": "filevault",
    },
    "ratio": 0.88,
    "low": 0.87,
    "high": 0.891,
    "machines": 230,
    "moved": 214,
    "of": 260,
    "version": "26.4",
    "stayed": {"ratio": 0.998, "machines": 30},
}

COMMON: FoundEffect = {**EFFECT, "at": "2026-11-21T09:00:00+00:00", "common": True}


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (0.878, "−12.2\u2009%"),
        (1.039, "+3.9\u2009%"),
        (1.0001, "0.0\u2009%"),
        (2.5, "+150.0\u2009%"),
    ],
)
def test_a_change_has_a_sign_unless_it_is_none(ratio: float, words: str) -> None:
    assert change_in_words(ratio) == words


def test_an_interval_names_its_unit_once_and_is_absent_for_a_few() -> None:
    assert interval_in_words(0.874, 1.01) == "−12.6 to +1.0\u2009%"
    assert interval_in_words(None, None) == ""


@pytest.mark.parametrize(
    ("kind", "cause", "detail", "title"),
    [
        ("regression", "update 26.4", {"machines": 214}, "214 Macs slower after macOS 26.4"),
        (
            *("regression", "at once 2026-11-20", {"machines": 1}),
            "1 Mac slower since about 2026-11-20, updated or not",
        ),
        (
            *("regression", "at once 2026-11-20", {"machines": 9, "effects": [EFFECT]}),
            "9 Macs slower since about 2026-11-20, updated or not",
        ),
        (
            *("regression", "at once 2026-11-18", {"machines": 9, "effects": [COMMON]}),
            "9 Macs slower since about 2026-11-21, common to the fleet",
        ),
        ("silent", "silent", {"machines": 3}, "3 Macs silent"),
        (
            *("quota", "secret 1", {"name": "Berlin", "used": 95, "quota": 100}),
            "Enrolment secret Berlin is nearly used up: 95 of 100 Macs",
        ),
        (
            *("quota", "secret 1", {"name": "Berlin", "used": 2, "quota": 2}),
            "Enrolment secret Berlin is used up: 2 of 2 Macs",
        ),
        ("doubts", "doubts", {"doubts": 2}, "2 doubts waiting for a judgement"),
    ],
)
def test_an_alert_is_one_line(kind: str, cause: str, detail: FoundDetail, title: str) -> None:
    assert title_of(kind, cause, detail) == title


def test_a_regression_says_how_much_on_which_macs_and_what_the_others_did() -> None:
    (line,) = lines_of({"effects": [EFFECT]})
    assert line == (
        "Write speed −12.0\u2009% (−13.0 to −10.9\u2009%) on 214 of 260: "
        "Apple M1 · Internal SSD · FileVault. 30 Macs that kept their macOS: −0.2\u2009%"
    )
    (with_levels,) = lines_of({"effects": [{**EFFECT, "before": 3.1e9}]})
    assert "−10.9\u2009%), 3.10 to 2.73\u2009GB/s, on 214 of 260" in with_levels
    alone, agent = lines_of({"effects": [{**EFFECT, "stayed": None}], "agent_version": "0.2.0"})
    assert alone.endswith("Too few kept their macOS to compare with")
    assert agent == "Most of them got version 0.2.0 of the agent in the same days"


@pytest.mark.parametrize(
    ("kind", "closed_at", "first"),
    [
        ("regression", datetime(2026, 11, 27, 5, tzinfo=UTC), "Passed on 2026-11-27: as fast as "),
        ("regression", None, "Write speed"),
    ],
)
def test_a_regression_that_is_over_says_first_that_it_has_passed(
    kind: str, closed_at: datetime | None, first: str
) -> None:
    """Mails and webhooks may be sent after it."""
    row = SimpleNamespace(kind=kind, closed_at=closed_at, detail={"effects": [EFFECT]})
    assert alert_lines(row)[0].startswith(first)
    assert alert_lines(row)[-1].startswith("Write speed")


def test_a_mail_names_ten_macs_and_counts_the_others() -> None:
    assert names_in_words(["Kiosk 2", "Kiosk 1"]) == "Among them: Kiosk 1 and Kiosk 2"
    names = names_in_words([f"Kiosk {number:02}" for number in range(1012)])
    assert names.endswith("Kiosk 09 and 1,002 more")
