"""Chips as data, and names of unknown chips."""

from __future__ import annotations

import pytest
from macmeter.catalog.chips import CHIPS, ChipName, configurations, parse_chip
from macmeter.runs.published import sources


@pytest.mark.parametrize(
    ("name", "family", "variant"),
    [
        ("Apple M1", "M1", "base"),
        ("Apple M4 Pro", "M4", "Pro"),
        ("Apple M7 Ultra", "M7", "Ultra"),
        ("Apple M4 Pro (Virtual)", "M4", "Pro"),
        ("Apple A18 Pro", "A18", "Pro"),
    ],
)
def test_family_and_variant(name: str, family: str, variant: str) -> None:
    assert parse_chip(name) == ChipName(family, variant)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Apple processor",
        "Apple",
        "M4 Pro",
        "Intel(R) Xeon(R) W-2150B",
        "Apple M4 Pro\u202e",
        "apple m4",
        "Apple M4  Pro",
        "Apple M4444",
        "Apple M4 <b>",
    ],
)
def test_other_names_have_neither(name: str) -> None:
    assert parse_chip(name) is None


def test_m1_to_m4_are_known() -> None:
    assert {chip.family for chip in CHIPS} == {"M1", "M2", "M3", "M4"}
    assert {chip.chip for chip in CHIPS if chip.family == "M4"} == {
        "Apple M4",
        "Apple M4 Pro",
        "Apple M4 Max",
    }


def test_m4_pro() -> None:
    full, binned = configurations("Apple M4 Pro")
    assert [(tier.name, tier.cores, tier.clusters) for tier in full.tiers] == [
        ("Performance", 10, (5, 5)),
        ("Efficiency", 4, (4,)),
    ]
    assert (full.tiers[0].max_frequency, full.tiers[1].min_frequency) == (4512000000, 1020000000)
    assert (full.gpu_cores, binned.gpu_cores) == (20, 16)
    assert (full.cores, binned.cores) == (14, 12)


def test_clusters_add_up_to_cores_and_sources_are_articles() -> None:
    slugs = {article["article"] for article in sources()["articles"]}
    for chip in CHIPS:
        assert set(chip.sources) <= slugs
        for tier in chip.tiers:
            assert tier.clusters is None or sum(tier.clusters) == tier.cores


def test_an_unknown_chip_has_no_configuration() -> None:
    assert configurations("Apple M7 Ultra") == ()
