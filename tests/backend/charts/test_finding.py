"""Findings of ratios, and the verdicts and cautions beside them."""

from __future__ import annotations

from typing import Any

import pytest
from macmeter.charts.cautions import ratio_remarks
from macmeter.charts.cells import verdict_of
from macmeter.charts.colours import key_of_lines
from macmeter.charts.figure import Axis, Case, Chart, Lane, LinePoint, Panel, Series
from macmeter.charts.finding import finding_of

WRITE, TIME = "disk.write_average", "compression.duration"
STORAGES = ("thunderbolt3", "thunderbolt5", "usb3", "usb4")
ENCRYPTION: Any = {"dimension": "encryption", "value": "none"}
UNANIMOUS = {"pairs": 3, "agreement": {"same": 3, "of": 3}}


def rated(value: float, answer: str = "different", **more: Any) -> Any:
    return {"value": value, "verdict": {"answer": answer}, "unlike": [], **more}


def found(ratios: list[Any], metric: str = WRITE) -> str:
    cases = tuple(
        Case("", (Lane(name, "square", "", metric=metric, value=ratio["value"]),), key=key(name))
        for name, ratio in zip(STORAGES, ratios, strict=False)
    )
    chart = Chart("cases", "", "%", "ratio", Axis("", 0, 2, ()), cases=cases)
    question: Any = {"relative_to": [ENCRYPTION], "where": []}
    finding = finding_of(question, [chart], dict(zip(STORAGES, ratios, strict=False)))
    return finding.replace("\u202f", " ").replace("\u00a0", " ")


def key(storage: str) -> Any:
    return {"storage": storage, "encryption": "apfs_encrypted"}


@pytest.mark.parametrize(
    ("ratios", "text"),
    [
        (
            [rated(0.97), rated(0.84), rated(0.995, "no_evidence")],
            "is 3 % (Thunderbolt 3) to 16 % (Thunderbolt 5) lower; no clear difference for USB 3",
        ),
        (
            [rated(0.97), rated(0.5, "not_enough"), rated(0.99, "no_evidence"), rated(0.9)],
            "is 3 % (Thunderbolt 3) to 10 % (USB4) lower; unclear in 2 of 4 cases",
        ),
        ([rated(0.97), rated(1.2)], "is 3 % lower (Thunderbolt 3) to 20 % higher (Thunderbolt 5)"),
        (
            [rated(0.84), rated(0.12, "confounded"), rated(1.002, "no_evidence")],
            "is 16 % lower (Thunderbolt 3); no clear difference for USB 3",
        ),
        (
            [rated(0.84), rated(0.84), rated(0.1, "confounded")],
            "is 16 % lower for Thunderbolt 3 and Thunderbolt 5",
        ),
        ([rated(0.84)] * 4, "is 16 % lower in 4 cases"),
        ([rated(0.84)], "is 16 % lower"),
        # Few pairs that all go one way establish a difference; a few that don't, none.
        ([rated(0.84, "not_enough", **UNANIMOUS)], "is 16 % lower"),
        ([rated(0.84, "not_enough", pairs=1)], "shows no clear difference in 1 case"),
        (
            [rated(0.9, "no_evidence"), rated(0.1, "confounded")],
            "shows no clear difference in 1 of 2 cases",
        ),
    ],
)
def test_only_established_differences_are_the_ends_of_a_finding(
    ratios: list[Any], text: str
) -> None:
    assert found(ratios) == f"With encryption, write speed {text}"


def test_confounded_ratios_alone_are_no_finding() -> None:
    assert found([rated(0.1, "confounded")]) == ""


def test_a_time_is_longer_or_shorter() -> None:
    assert found([rated(1.5)], TIME) == "With encryption, compression time is 50 % longer"


@pytest.mark.parametrize(
    ("metric", "ratio", "text"),
    [
        (WRITE, rated(0.84), "lower"),
        (WRITE, rated(1.2), "higher"),
        (TIME, rated(1.2), "longer"),
        (WRITE, rated(0.84, "not_enough", **UNANIMOUS), "all 3 pairs lower"),
        (WRITE, rated(0.84, "not_enough", pairs=1), "inconclusive"),
        (WRITE, rated(1.0, "no_evidence"), "no difference seen"),
        (
            WRITE,
            rated(1.002, "no_evidence", ci_low=0.99, ci_high=1.01),
            "no difference seen; one of 1.4 % would have shown",
        ),
        (
            WRITE,
            rated(0.1, "confounded", unlike=[{"dimension": "qos"}]),
            "confounded by quality of service",
        ),
    ],
)
def test_a_verdict_says_which_way(metric: str, ratio: Any, text: str) -> None:
    assert verdict_of(metric, ratio).replace("\u2009", " ") == text


def test_cautions_count_confounded_ratios_and_opposite_signs() -> None:
    by_priority: Any = {"unlike": [{"dimension": "qos"}]}
    ratios = [
        rated(0.12, "confounded", **by_priority),
        rated(0.13, "confounded", **by_priority),
        rated(0.84, crude={"value": 1.06}),
        rated(0.84, crude={"value": 0.9}),
        rated(0.999, "no_evidence", crude=rated(1.06)),
        rated(0.999, "no_evidence", crude=rated(1.001, "no_evidence")),
    ]
    assert [(remark.code, remark.text) for remark in ratio_remarks(ratios)] == [
        (
            "confounded",
            "Confounded by quality of service in 2 of 6 ratios: that may be the cause of the"
            " difference.",
        ),
        (
            "opposite",
            "Crude and matched differences have opposite signs in 2 of 6 ratios: the crude ones"
            " compare unlike Macs.",
        ),
    ]
    assert [*ratio_remarks([rated(0.84)])] == []


@pytest.mark.parametrize(
    ("machines", "ends"),
    [
        (("13", "5"), ("1 active core, 13 Macs", "10 active cores, 5 Macs")),
        (("13", "7"), ("1 active core", "10 active cores")),
    ],
)
def test_a_line_whose_ends_are_of_other_macs_says_so(
    machines: tuple[str, str], ends: tuple[str, str]
) -> None:
    by: Any = {"by": ["active_cores"], "where": [], "relative_to": []}
    lanes = [
        Lane(text, "circle", text, "cores.frequency", value=float(text), cells={"machines": count})
        for text, count in zip(("4.51", "3.84"), machines, strict=True)
    ]
    cases = tuple(
        Case("", (lane,), key={"active_cores": cores})
        for lane, cores in zip(lanes, (1, 10), strict=True)
    )
    points = tuple(LinePoint(0, 1, lane.id, "") for lane in lanes)
    panel = Panel("", (Series("", "circle", (points,)),))
    chart = Chart("lines", "", "GHz", "figure", Axis("", 0, 5, ()), cases=cases, panels=(panel,))
    text = finding_of(by, [chart], {}).replace("\u00a0", " ")
    assert text == f"Core frequency falls from 4.51 ({ends[0]}) to 3.84 ({ends[1]})"


@pytest.mark.parametrize(("high", "explained"), [(4.55, False), (4.8, True)])
def test_whiskers_are_explained_where_marks_leave_them_visible(
    high: float, *, explained: bool
) -> None:
    point = LinePoint(1, 4.5, "a", "", whisker=(4.45, high))
    panel = Panel("", (Series("", "circle", ((point,),)),))
    entries = key_of_lines([panel], "figure", None, Axis("", 0, 5, ()))
    assert [entry.sign for entry in entries] == ["whisker"] * explained
