"""Picture, alternative text and CSV of each answer of `tests/figures` agree with its figure.

Pages are compared with the same figures in a browser (tests/e2e/figures.spec.ts).
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from macmeter.charts.build import figure_of
from macmeter.charts.figure import Figure, Lane
from macmeter.charts.notes import alternative_of, figure_rows
from macmeter.charts.numbers import _LADDERS, printed_parts
from macmeter.charts.pictures.picture import Caption, draw
from macmeter.questions.export import sides_to_csv, to_csv
from support.figures import paths

RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
CAPTION = Caption("as of 22 Nov 2026", "macmeter.example/storage")


@pytest.fixture(params=paths(), ids=lambda path: path.stem)
def answer(request: pytest.FixtureRequest) -> Any:
    path: Path = request.param
    return json.loads(path.read_text(encoding="utf-8"))["answer"]


def spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def drawn_texts(figure: Figure) -> list[str]:
    tree = ET.fromstring(draw(figure, CAPTION, "light", 1200).svg)  # noqa: S314 - our own
    return [spaced("".join(node.itertext())) for node in tree.iter() if node.tag.endswith("text")]


def test_a_picture_prints_the_digits_of_its_figure(answer: Any) -> None:
    figure = figure_of(answer)
    texts = drawn_texts(figure)
    for chart in figure.charts:
        if figure.nothing or chart.is_empty:
            continue
        assert any(spaced(chart.up.title) in text for text in texts)
        cases = [case for case in chart.cases if chart.kind == "cases" and not case.undrawn]
        # Cases without space are counted.
        cut = re.search(r"(\d+) of [\d,]+ cases drawn", " ".join(texts))
        for lane in (lane for case in cases[: int(cut[1]) if cut else None] for lane in case.lanes):
            assert any(text.startswith(spaced(lane.text)) for text in texts), lane.id
        for fit in chart.fits:
            assert spaced(fit)[:40] in " ".join(texts)
    assert spaced(figure.nothing) in " ".join(texts)


def test_previews_and_those_who_see_no_picture_are_told_the_same(answer: Any) -> None:
    figure = figure_of(answer)
    assert alternative_of(figure) == figure.text
    assert figure.text.startswith(figure.title)
    remaining = re.search(r" And (\d+) more\.$", figure.text)
    rows = figure_rows(figure)
    for case, _, digits, _ in rows[: len(rows) - int(remaining[1] if remaining else 0)]:
        assert case in figure.text
        assert f": {digits}" in figure.text


def lines_of(answer: Any) -> Iterator[tuple[str, dict[str, str]]]:
    """Lines of the CSV, each with the id of the lane that shows it."""
    if "rows" in answer:
        lines = csv.DictReader(io.StringIO(sides_to_csv(answer)))
        for index, row in enumerate(answer["rows"]):
            for cell in row["cells"]:
                yield f"{index}.{cell['side']}", next(lines)
        return
    lines = csv.DictReader(io.StringIO(to_csv(answer)))
    for index, result in enumerate(answer["results"]):
        for number in range(len(result["groups"])):
            yield f"{index}.{number}", next(lines)
        for number in range(len(result["published"])):
            yield f"{index}.printed.{number}", next(lines)


def rounds_to(lane: Lane, line: dict[str, str], column: str, *, base: float = 0) -> bool:
    """Return whether the lane's digits are the line's number above `base`, rounded to as many
    places.
    """
    text, power = lane.full or lane.text, re.search("\u2009×\u200910([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)", lane.text)
    digits, unit = printed_parts(text.replace(power[0], "") if power else text) or ("", "")
    divisors = {symbol: size for size, symbol in _LADDERS.get(line["unit"], ())}
    divisor = 0.01 if column == "ratio" else divisors.get(unit, 1.0)
    if power:
        divisor *= math.pow(10, int(power[1].translate(RAISED)))
    plain = digits.replace(",", "").replace("\u2212", "-")
    decimals = len(plain.partition(".")[2])
    return abs(float(plain) - (float(line[column]) - base) / divisor) <= 0.5001 * math.pow(
        10, -decimals
    )


def test_the_csv_has_the_numbers_of_the_figure(answer: Any) -> None:
    lines = dict(lines_of(answer))
    figure = figure_of(answer)
    for chart in figure.charts:
        column = "ratio" if chart.measure == "ratio" else "median"
        lanes = (lane for case in chart.cases for lane in case.lanes)
        for lane in lanes:
            line, cells = lines[lane.id], lane.cells or {}
            for name in ("machines", "runs", "samples"):
                if line[name] and cells.get(name):
                    assert int(cells[name].replace(",", "")) == int(line[name]), lane.id
            if lane.value is not None and not lane.hollow and line[column]:
                # Ratios are shown as differences from their reference.
                base = 1 if column == "ratio" else 0
                assert rounds_to(lane, line, column, base=base), lane.id
