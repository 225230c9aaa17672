"""An answer as CSV: a line a group, then a line a printed ratio or range."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from macmeter.answers.answer import (
    Answer,
    AnsweredFigure,
    Citation,
    Figures,
    Group,
    MetricAnswer,
    Ratio,
    RatioTold,
)
from macmeter.answers.printed import each_printed
from macmeter.answers.sides import Compared, EmptyCell, FilledCell, is_filled
from macmeter.plain_text import DISARMED, FORMULA
from macmeter.terms import CRUDE, print_value

_FORMULA = re.compile(FORMULA)

_FIGURES = (
    "median",
    "p10",
    "p25",
    "p75",
    "p90",
    "min",
    "max",
    "mean",
    "ci_low",
    "ci_high",
)
_RATIO = ("value", "ci_low", "ci_high", "pairing", "pairs")
_OF_CELL = (
    *("machines", "runs", "samples", "mixes", *_FIGURES),
    *("ratio", "ratio_ci_low", "ratio_ci_high", "ratio_pairing", "ratio_pairs"),
    *("verdict", "smallest_visible", "unlike", "shared_runs", "no_ratio", "flags", "printed"),
)


_OF_LIKENESS = (
    *("ratio_method", "ratio_held", "ratio_strata", "ratio_machines", "ratio_reference_machines"),
    *("crude_ratio", "crude_ci_low", "crude_ci_high"),
)
"""The last columns, of questions about like with like."""


class _Lines:
    """RFC 4180, UTF-8. Each line of private figures says so: files lose their names, and lines
    their files.
    """

    def __init__(self, head: list[str], private: str | None) -> None:
        self._text = io.StringIO()
        self._writer = csv.writer(self._text, lineterminator="\r\n")
        self._private = [] if private is None else [private]
        self._writer.writerow([*head, *(["private"] if self._private else [])])

    def add(self, values: list[Any]) -> None:
        self._writer.writerow([cell(value) for value in (*values, *self._private)])

    def __str__(self) -> str:
        return self._text.getvalue()


def to_csv(answer: Answer, private: str | None = None) -> str:
    """Figures in SI base units, absent ones empty; `private` as in access/marks.py.

    Unlike published figures of one group have a line each, but where their ratio is asked for.
    """
    by, likeness = answer["question"]["by"], answer["question"]["version"] != CRUDE
    lines = _Lines(
        ["kind", "metric", "unit", *map(cell, by), "published", "method", "method_version"]
        + ["machines", "runs", "samples", "mixes", *_FIGURES, "spread_p10", "spread_p90"]
        + ["ratio", "ratio_ci_low", "ratio_ci_high", "ratio_pairing", "ratio_pairs"]
        + ["flags", "printed", "qualifier", "citation"]
        + ["verdict", "smallest_visible", "unlike", *_OF_LIKENESS] * likeness,
        private,
    )
    for result in answer["results"]:
        for group in each_printed(result["groups"]):
            line = _group_line(result, group, by)
            lines.add([*line, *_judged(group.get("ratio"))] if likeness else line)
        for figure in result["published"]:
            none = [None] * (3 + len(_OF_LIKENESS)) * likeness
            lines.add([*_figure_line(result, figure, by), *none])
    return str(lines)


def _group_line(result: MetricAnswer, group: Group, by: list[str]) -> list[Any]:
    spread = group.get("spread", {})
    ratio = group.get("ratio", {})
    return [
        "result",
        result["metric"],
        result["unit"],
        *(group["key"][name] for name in by),
        group["published"],
        group["method"],
        group["method_version"],
        group["machines"],
        group["runs"],
        group["samples"],
        _mixes(group),
        *(group.get(name) for name in _FIGURES),
        spread.get("p10"),
        spread.get("p90"),
        *(ratio.get(name) for name in _RATIO),
        " ".join(flag["code"] for flag in group["flags"]),
        "; ".join(group.get("printed", [])),
        group.get("qualifier"),
        "; ".join(_cite(citation) for citation in group.get("citations", [])),
    ]


def _judged(ratio: Ratio | None) -> list[Any]:
    if ratio is None:
        return [None] * (3 + len(_OF_LIKENESS))
    unlike = " ".join(one["dimension"] for one in ratio.get("unlike", []))
    verdict = ratio["verdict"]
    return [verdict["answer"], verdict.get("smallest_visible"), unlike, *_likeness(ratio)]


def _likeness(ratio: RatioTold | None) -> list[Any]:
    if ratio is None:
        return [None] * len(_OF_LIKENESS)
    told, crude = ratio.get("likeness"), ratio.get("crude")
    return [
        told["method"] if told else None,
        " ".join(told["held"]) if told else None,
        *(told.get(of) if told else None for of in ("strata", "machines", "reference_machines")),
        *(crude.get(of) if crude else None for of in ("value", "ci_low", "ci_high")),
    ]


def _figure_line(result: MetricAnswer, figure: AnsweredFigure, by: list[str]) -> list[Any]:
    """A range has its ends under min and max; a ratio is under ratio."""
    empty: list[float | None] = [None] * len(_FIGURES)
    if figure["kind"] == "range":
        empty[_FIGURES.index("min")] = figure["low"]
        empty[_FIGURES.index("max")] = figure["high"]
    return [
        figure["kind"],
        result["metric"],
        result["unit"],
        *(figure["key"][name] for name in by),
        True,
        *[None] * 6,
        *empty,
        *[None] * 2,
        figure.get("value"),
        *[None] * 4,
        " ".join(figure["flags"]),
        figure["printed"],
        figure.get("qualifier"),
        _cite(figure["citation"]),
    ]


def _mixes(figure: Figures) -> str:
    """ "chip=12; power_mode=2": of how many values of what; empty in what was frozen without."""
    return "; ".join(f"{mix['dimension']}={mix['count']}" for mix in figure.get("mixes") or [])


def _cite(citation: Citation) -> str:
    date = f", {citation['published']}" if citation.get("published") else ""
    return (
        f"{citation['author']}, {citation['title']}, {citation['publisher']}{date}, "
        f"figure {citation['row']}"
    )


def cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _FORMULA.sub(DISARMED, value)
    return value


def sides_to_csv(found: Compared, private: str | None = None) -> str:
    """Sides beside one another: a line for each row and side, missing ones too."""
    labels = {side["number"]: side["label"] for side in found["comparison"]["sides"]}
    likeness = found["comparison"]["version"] != CRUDE
    baseline = found["comparison"]["baseline"]
    lines = _Lines(
        ["metric", "parameters", "unit", "published", "method", "method_version"]
        + ["side", "label", "baseline", "missing", *_OF_CELL, *(_OF_LIKENESS if likeness else ())],
        private,
    )
    for row in found["rows"]:
        parameters = " ".join(f"{k}={print_value(v)}" for k, v in row["parameters"].items())
        method = (row["published"], row["method"], row["method_version"])
        of_row = (row["metric"], parameters, row["unit"], *method)
        for of_side in row["cells"]:
            number = of_side["side"]
            told = [None, *_told(of_side)] if is_filled(of_side) else _missing(of_side)
            if likeness:
                told += _likeness(of_side.get("ratio") if is_filled(of_side) else None)
            lines.add([*of_row, number, labels[number], number == baseline, *told])
    return str(lines)


def _missing(empty: EmptyCell) -> list[Any]:
    return [empty["missing"]["code"], *[None] * len(_OF_CELL)]


def _told(of_side: FilledCell) -> list[Any]:
    """What stands in the columns of a cell."""
    ratio, refusal = of_side.get("ratio"), of_side.get("no_ratio")
    told: list[Any] = [None] * (len(_RATIO) + 4)
    if ratio is not None:
        verdict = ratio["verdict"]
        told = [ratio.get(name) for name in _RATIO]
        told += [verdict["answer"], verdict.get("smallest_visible")]
        told += [" ".join(unlike["dimension"] for unlike in ratio["unlike"]), ratio["shared_runs"]]
    return [
        *(of_side["machines"], of_side["runs"], of_side["samples"], _mixes(of_side)),
        *(of_side.get(name) for name in _FIGURES),
        *told,
        refusal["code"] if refusal else None,
        " ".join(flag["code"] for flag in of_side["flags"]),
        " ".join(of_side.get("printed", [])),
    ]
