"""Frequency by residency, as a page shows it."""

from __future__ import annotations

from macmeter.charts.residencies import ChipPanel, render_residency
from macmeter.schemas.answer import Curve
from macmeter.schemas.residency import Residency, ResidencyGroup, ResidencyKey


def group(
    chip: str | None, tier: str, *points: tuple[float, float], fit: Curve | None = None
) -> ResidencyGroup:
    key = ResidencyKey(chip, None, tier)
    return ResidencyGroup(key, 1, 1, len(points), 0, list(points), fit)


def panels(*groups: ResidencyGroup) -> list[ChipPanel]:
    residency = Residency(list(groups), 1, 0, 0, 0, "2026-11-21T10:00:00+00:00")
    return render_residency(residency).panels


def test_each_chip_has_a_panel_with_its_tiers() -> None:
    chip_panels = panels(
        group("Apple M4", "Efficiency", (1, 1e9)),
        group("Apple M4", "Performance", (1.5, 4e9)),
        group(None, "Performance", (1, 3e9)),
        group("Apple M1", "Performance"),
    )
    assert [(panel.chip, [tier.group for tier in panel.tiers]) for panel in chip_panels] == [
        ("Apple M4", [0, 1]),
        ("Chip not stated", [2]),
    ]
    assert (chip_panels[0].up.high, chip_panels[0].across.high) == (4.0, 1.5)
    assert chip_panels[0].tiers[1].key == "Performance: 1 sample of 1 Mac"
    assert chip_panels[0].tiers[1].colour == "tier-performance"
    assert chip_panels[0].tiers[1].fit == "Performance: too few samples for a curve"
    assert (chip_panels[0].unit, chip_panels[0].key) == ("GHz", ())


def test_the_table_tells_points_by_whole_cores() -> None:
    points = ((0.9, 3e9), (1.9, 10e9), (0.2, 1e9), (2.1, 20e9), (2.4, 40e9), (1.4, 1e9))
    (tier,) = panels(group("Apple M4", "Performance", *points))[0].tiers
    bins = [(b.nearest, b.cores, b.points, b.median, b.p10, b.p90) for b in tier.bins]
    assert bins == [
        (0, "about 0 cores", 1, "1.000", "1.000", "1.000"),
        (1, "about 1 core", 2, "2.000", "1.200", "2.800"),
        (2, "about 2 cores", 3, "20.000", "12.000", "36.000"),
    ]


def test_a_curve_is_drawn_within_its_range_and_told() -> None:
    fit: Curve = {
        "model": "linear",
        "coefficients": [4e9, -0.5e9],
        "equation": "",
        "r2": 0.98,
        "low": 1.0,
        "high": 1.5,
        "points": 2,
    }
    points = ((1, 3.5e9), (1.5, 3.25e9), (2, 3e9))
    (panel,) = panels(group("Apple M4", "Performance", *points, fit=fit))
    (tier,) = panel.tiers
    assert tier.curve is not None
    (curve,) = tier.curve.within
    assert (curve[0], curve[-1]) == ((1.0, 3.5), (1.5, 3.25))
    assert (panel.key, tier.curve.beyond) == ((), ())
    assert tier.fit.startswith("Performance: linear fit y = 4 − 0.5 x in GHz and cores, r² 0.980")
