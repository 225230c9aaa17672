"""All published figures are accounted for, digit by digit, against their source."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from typing import Any

from macmeter import catalog
from macmeter.catalog.chips import FACTS
from published.figures import (
    STORED,
    Disposition,
    Figure,
    articles,
    devices,
    machines,
)
from published.printed import RATIO, read_printed
from support.published import measurements

FIGURES = {figure.row: figure for article in articles() for figure in article.figures}
ARTICLE_OF = {figure.row: article.slug for article in articles() for figure in article.figures}

# Words without a number.
IN_WORDS = {"m210"}
PLAIN_QUALIFIERS = {None, "about", "around"}

SCALE: dict[str, int | Decimal] = {
    "GB/s": 10**9,
    "MB/s": 10**6,
    "Gb/s": 10**9,
    "GB": 10**9,
    "MB": 10**6,
    "GHz": 10**9,
    "MHz": 10**6,
    "mW": Decimal("0.001"),
    "h": 3600,
    "%": Decimal("0.01"),
    "% faster": Decimal("0.01"),
}


def test_302_figures_each_once() -> None:
    rows = [figure.row for article in articles() for figure in article.figures]
    assert sorted(rows) == [f"m{number:03}" for number in range(1, 303)]


def test_dispositions() -> None:
    assert Counter(figure.disposition.value for figure in FIGURES.values()) == {
        "result": 127,
        "ratio": 23,
        "range": 8,
        "repeat": 18,
        "chip_fact": 18,
        "claim": 53,
        "setting": 9,
        "observation": 46,
    }


def test_same_rows_articles_values_and_digits_as_the_source() -> None:
    entries = measurements()
    assert {entry["id"] for entry in entries} == FIGURES.keys()
    for entry in entries:
        figure = FIGURES[entry["id"]]
        assert ARTICLE_OF[figure.row] == entry["article"], figure.row
        for digits in re.findall(r"\d[\d,.]*", figure.printed):
            assert digits in entry["as_printed"], figure.row
        if figure.row not in IN_WORDS:
            assert _values(figure) == _source_values(entry), figure.row
    print(f"{len(entries)} figures compared")


def _values(figure: Figure) -> tuple[float, float]:
    printed = read_printed(figure.printed)
    assert printed is not None, figure.row
    return printed.low, printed.high


def _source_values(entry: dict[str, Any]) -> tuple[float, float]:
    low = entry.get("value", entry.get("value_min"))
    high = entry.get("value", entry.get("value_max"))
    # There, the two ends of one range are two rows.
    if entry["id"] in ("m044", "m045"):
        return 20e6, 3.1e9
    scale = SCALE.get(entry["unit"], 1)
    return float(Decimal(str(low)) * scale), float(Decimal(str(high)) * scale)


def test_only_measured_or_cited_rows_are_stored() -> None:
    for entry in measurements():
        if FIGURES[entry["id"]].disposition in STORED | {Disposition.REPEAT}:
            status = entry["status"]
            assert status == "measured" or status.startswith("cited"), entry["id"]


def test_qualifiers_of_stored_rows_are_the_sources() -> None:
    for entry in measurements():
        figure = FIGURES[entry["id"]]
        if figure.disposition in STORED:
            said = entry.get("qualifier")
            plain = None if said in ("as printed", "range", None) else said
            assert figure.qualifier == plain, figure.row


def test_nothing_bounded_on_one_side_only_is_stored() -> None:
    for figure in FIGURES.values():
        if figure.disposition in STORED:
            assert figure.qualifier in PLAIN_QUALIFIERS, figure.row


def test_stored_figures_are_told_from_those_kept_out() -> None:
    for figure in FIGURES.values():
        if figure.disposition in STORED and figure.metric:
            assert figure.metric in catalog.METRICS, figure.row
            assert figure.setup is not None, figure.row
            assert bool(figure.of and figure.to) == (figure.disposition is Disposition.RATIO)
        else:
            assert figure.setup is None, figure.row
            assert figure.reason or figure.disposition is Disposition.CHIP_FACT, figure.row


def test_a_printed_unit_is_its_metrics_unit() -> None:
    for figure in FIGURES.values():
        if figure.disposition not in STORED or figure.metric is None:
            continue
        printed = read_printed(figure.printed)
        assert printed is not None
        unit = catalog.METRICS[figure.metric].unit.value
        wanted = RATIO if figure.disposition is Disposition.RATIO else unit.replace("points", "")
        assert printed.unit == wanted, figure.row


def test_repeats_point_at_figures_that_are_stored() -> None:
    for figure in FIGURES.values():
        assert figure.row not in figure.see
        for row in figure.see:
            assert row in FIGURES
        if figure.disposition is Disposition.REPEAT:
            assert figure.see, figure.row
            assert {FIGURES[row].disposition for row in figure.see} <= STORED, figure.row


def test_chip_facts_are_in_the_chip_data() -> None:
    facts = {fact.row: fact for fact in FACTS}
    listed = {f.row for f in FIGURES.values() if f.disposition is Disposition.CHIP_FACT}
    assert facts.keys() == listed
    for row in listed:
        figure, fact = FIGURES[row], facts[row]
        assert (figure.printed, figure.qualifier) == (fact.printed, fact.qualifier), row
        assert _values(figure) == (fact.low, fact.high), row
        assert ARTICLE_OF[row] == fact.article, row


def test_every_caution_machine_device_and_setup_is_known_and_used() -> None:
    used = {id(figure.setup): figure.setup for figure in FIGURES.values() if figure.setup}
    for figure in FIGURES.values():
        assert set(figure.flags) <= catalog.FLAGS.keys(), figure.row
    for setup in used.values():
        assert set(setup.flags) <= catalog.FLAGS.keys()
    assert {setup.machine for setup in used.values()} == machines().keys()
    named = {name for setup in used.values() for name in _devices(dict(setup.target or {}))}
    assert named == devices().keys()


def _devices(target: dict[str, Any]) -> set[str]:
    image = target.get("image", {})
    places = (target, image.get("host", {}))
    return {place["device"] for place in places if "device" in place}


def test_reading_printed_figures() -> None:
    assert read_printed("6.57 GB/s") == read_printed("6570 MB/s")
    for text, low, high in (
        ("18.60 s", 18.6, 18.6),
        ("1,300 mW", 1.3, 1.3),
        ("97%", 0.97, 0.97),
        ("1.66 x 10^8 loops/s", 1.66e8, 1.66e8),
        ("factor of 3.4", 3.4, 3.4),
        ("four times", 4, 4),
        ("20 MB/s to 3.1 GB/s", 2e7, 3.1e9),
        ("9.2-9.7 seconds", 9.2, 9.7),
        ("110,960", 110960, 110960),
    ):
        printed = read_printed(text)
        assert printed is not None, text
        assert (printed.low, printed.high) == (low, high), text
    for text in ("", "almost everything", "6.57GB/s/s", "1.2.3 s", "-4 s"):
        assert read_printed(text) is None, text
