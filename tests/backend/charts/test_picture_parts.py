"""Parts of pictures: the renderer, numbers, axes, lettering and colours."""

from __future__ import annotations

import asyncio
import math
import re
from itertools import pairwise
from typing import Any, cast

import pytest
from macmeter import catalog
from macmeter.catalog.terms import Op
from macmeter.charts import numbers
from macmeter.charts.axes import difference_axis, dimension_axis, zero_axis
from macmeter.charts.colours import colour_of
from macmeter.charts.figure import Boundary, Chart, LinePoint, Panel, Series
from macmeter.charts.numbers import band_of
from macmeter.charts.pictures import lettering
from macmeter.charts.pictures.draw_plots import draw_panels
from macmeter.charts.pictures.layout import Space, avoid_overlaps, place, roomy_ticks, spread
from macmeter.charts.pictures.palette import THEMES, Theme
from macmeter.charts.pictures.png_renderer import PngRenderer
from macmeter.charts.pictures.svg import SMALL
from macmeter.charts.words import terms_in_words
from macmeter.platform.errors import Problem
from macmeter.platform.plain_text import isolated
from macmeter.schemas.answer import Figures, Spread
from support.pictures import size_of


def test_samples_of_one_machine_are_drawn_with_their_spread() -> None:
    """One machine's lowest and highest medians are equal; a published figure has no samples."""
    spread: Spread = {"p10": 4.81, "p90": 4.86, "samples": 9}
    group = cast(Figures, {"min": 4.83, "max": 4.83, "spread": spread})
    assert band_of(group, published=False) == (4.81, 4.86)
    assert band_of(group, published=True) is None
    group["spread"] = {"p10": 4.83, "p90": 4.83, "samples": 9}
    assert band_of(group, published=False) is None


async def test_the_renderer_may_end_at_any_time() -> None:
    renderer = PngRenderer()
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="10"/>'
    try:
        assert size_of(await renderer.png(svg.format(20))) == (20, 10)
        with pytest.raises(Problem) as refused:
            await renderer.png("<svg")
        assert refused.value.status == 503
        assert size_of(await renderer.png(svg.format(30))) == (30, 10)
        assert renderer._process is not None
        renderer._process.kill()
        await renderer._process.wait()
        assert size_of(await renderer.png(svg.format(40))) == (40, 10)
        waiting = asyncio.create_task(renderer.png(svg.format(50)))
        await asyncio.sleep(0)
        waiting.cancel()
        assert size_of(await renderer.png(svg.format(60))) == (60, 10)
    finally:
        await renderer.close()


async def test_the_darkroom_keeps_the_latest_and_no_more_than_it_may() -> None:
    renderer = PngRenderer(kept_bytes=400)
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="10"/>'
    try:
        for width in range(10, 20):
            await renderer.png(svg.format(width))
        assert 1 <= len(renderer._cache) < 10
        assert sum(map(len, renderer._cache.values())) <= 400
    finally:
        await renderer.close()


def test_numbers_are_printed_as_on_the_dashboard() -> None:
    for value, text in (
        (7.659999, "7.66"),
        (0.0999999, "0.100"),
        (999.6, "1,000"),
        (12400, "12,400"),
        (0, "0"),
        (-1.5, "\u22121.50"),
        (0.5, "0.500"),
        (3.7e-10, "3.70\u2009×\u200910⁻¹⁰"),
        (-9.996e-6, "\u22121.00\u2009×\u200910⁻⁵"),
        (1e-4, "0.000100"),
    ):
        assert numbers.significant(value) == text
    assert numbers.quantity(7.66e9, "B/s") == "7.66\u2009GB/s"
    assert numbers.nominal(1.5e9, "B") == "1.5\u2009GB"
    assert numbers.nominal(4e10, "bit/s") == "40\u2009Gbit/s"
    assert numbers.fixed(2.5, 0) == "3"  # halves are rounded up, as in JavaScript
    assert numbers.printed_in("422 MB/s", "GB/s") == "422\u2009MB/s"
    assert numbers.printed_in("7.660 GB/s", "GB/s") == "7.660"
    assert numbers.printed_in("4,415 MHz", "MHz") == "4,415"
    assert numbers.printed_in("12,345 s", "s") == "12,345"
    assert numbers.printed_in("5 seconds", "s") == "5"


def test_an_axis_has_round_ticks_and_room_for_its_values() -> None:
    for largest, ticks in (
        (7.66, [0, 2, 4, 6, 8]),
        (0.43, [0, 0.1, 0.2, 0.3, 0.4, 0.5]),
        (57, [0, 20, 40, 60]),
        (0, [0, 0.2, 0.4, 0.6, 0.8, 1]),
    ):
        assert sorted(tick.at for tick in zero_axis([largest]).ticks) == ticks
    for values in ([0.02, 1], [0.19], [4.1, 0.5], [0.97], [1e-5, 1e5]):
        axis = difference_axis(values)
        assert axis.low <= min(values)
        assert axis.high >= max(values)
        # The reference of the comparison matters most.
        assert (axis.ticks[0].at, axis.ticks[0].text) == (1.0, "0")
    sizes = [n * 1e6 for n in (2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800, 1000, 2000)]
    axis = dimension_axis(sizes, "File size", lambda size: f"{size / 1e6:g} MB")
    assert axis.log
    assert {tick.at for tick in axis.ticks[:2]} == {2e6, 2e9}
    for lone in (0.0, 5.0, -3.0):
        at = place(dimension_axis([lone], "", str), 0, 100)
        assert 0 < at(lone) < 100


def test_ticks_stand_apart_and_the_first_ones_have_room() -> None:
    axis = difference_axis([0.1, 12])
    for width in (120, 300, 800):
        at = place(axis, 0, width)
        ticks = roomy_ticks(axis, at, 12)
        assert 1.0 in [tick.at for tick in ticks]
        for left, right in pairwise(ticks):
            half = (lettering.width(left.text, 12) + lettering.width(right.text, 12)) / 2
            assert at(right.at) - at(left.at) > half + 10
    short = difference_axis([0.5, 1.2])
    assert len(roomy_ticks(short, place(short, 0, 800), 12)) == len(short.ticks)


def test_labels_at_the_ends_of_lines_stand_apart() -> None:
    placed = spread([50, 50, 51, 99], 14, 0, 100)
    assert all(b - a >= 14 for a, b in pairwise(placed))
    assert max(placed) <= 100


def test_a_text_fits_the_room_it_is_given() -> None:
    text = "Internal SSD · FileVault off (hardware encryption)"
    for room in range(20, 400, 7):
        assert lettering.width(lettering.fitted(text, room, 13), 13) <= room
        lines = lettering.wrapped(text, room, 13, 2)
        assert 1 <= len(lines) <= 2
        assert all(lettering.width(line, 13) <= room for line in lines)
    assert math.isclose(lettering.width("0000", 10), 24)  # digits of equal width


def theme_colour(theme: Theme, key: dict[str, Any]) -> str:
    return theme.colour(colour_of(key))


def test_a_theme_has_a_colour_for_every_storage_kind() -> None:
    for theme in THEMES.values():
        kinds = catalog.DIMENSIONS["storage"].values
        assert {kind.replace("_", "-") for kind in kinds} <= {
            name.removeprefix("storage-") for name in theme.hues
        }
        colours: list[Any] = [theme_colour(theme, {"storage": kind}) for kind in kinds]
        assert len(set(colours)) == len(colours)
        assert theme_colour(theme, {"storage": None}) == theme.hues["storage-other"]
        assert theme_colour(theme, {"chip": "Apple M4 Pro"}) == theme.hues["family-m4"]
        assert (
            theme_colour(theme, {"core_context": "Efficiency/high"})
            == theme.hues["tier-efficiency"]
        )
        assert theme_colour(theme, {"chip": "Apple Z9"}) == theme.ink_2


def test_labels_beside_points_never_stand_over_each_other() -> None:
    assert avoid_overlaps([(0, 50, 10), (60, 110, 12), (200, 250, 10)], 15) == [10, 12, 10]
    assert avoid_overlaps([(0, 50, 10), (20, 70, 12), (10, 60, 11)], 15) == [10, 25, -5]
    # Nor over another point's mark.
    assert avoid_overlaps([(0, 50, 10)], 15, [(-8, 0, 10), (30, 38, 12)]) == [-3]


RIGHT = "דיסק (מהיר) X5"


def test_what_is_written_from_the_right_keeps_its_place_in_what_it_is_a_part_of() -> None:
    part = isolated(RIGHT)
    assert part == f"\u2068{RIGHT}\u2069" == isolated(part)
    assert isolated(f"Device: {part} or X5") == f"\u2068Device: {part} or X5\u2069"
    texts_told = terms_in_words([{"dimension": "device", "op": Op.IS, "value": RIGHT}])
    assert texts_told == [f"Device: {part}"]
    # A shortened text is closed; and a name can't close what we have opened.
    assert lettering.fitted(part, 60, 12).endswith("…\u2069")
    assert isolated(f"{RIGHT}\u2069\u202e") == part
    assert isolated("Samsung \u2068X5\u2069\u202e") == "Samsung X5"


@pytest.mark.parametrize("places", [(2, 8), (7.6, 7.8, 8), (0.1, 0.2, 0.3, 9.9)])
def test_every_boundary_has_its_text_and_none_covers_another(places: tuple[float, ...]) -> None:
    axis = zero_axis([10], "Time, months")
    marked = tuple(Boundary(at, at, f"macOS 26.{number}") for number, at in enumerate(places))
    line = Series("", "circle", ((LinePoint(1, 1, "a", "1"),),))
    panel = Panel("", (line,), marked)
    chart = Chart("lines", "", "", "figure", axis, across=axis, panels=(panel,))
    body = draw_panels(chart, Space(600, None, THEMES["light"])).body
    texts = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>(macOS [\d.]+)<', body)
    assert {text for _, _, text in texts} == {boundary.text for boundary in marked}
    boxes = sorted((y, float(x), float(x) + lettering.width(text, SMALL)) for x, y, text in texts)
    for (row, _, end), (other, start, _) in pairwise(boxes):
        assert row != other or end <= start
