"""Answers as CSV: a line a group, then a line a printed ratio or range."""

import csv
import io
import re
from collections.abc import Iterable
from typing import Any

from macmeter.accounts.names import any_names, name_of
from macmeter.catalog.terms import CRUDE, print_value
from macmeter.platform.plain_text import DISARMED, FORMULA
from macmeter.schemas.answer import (
    Answer,
    AnsweredFigure,
    Citation,
    Figures,
    Group,
    Key,
    RatioResponse,
    each_printed,
)
from macmeter.schemas.sides import Compared, is_filled

_FORMULA = re.compile(FORMULA)

_FIGURES = ("median", "p10", "p25", "p75", "p90", "min", "max", "mean", "ci_low", "ci_high")
_COUNTED = ("machines", "runs", "samples", "mixes", *_FIGURES)
_RATIO = ("ratio", "ratio_ci_low", "ratio_ci_high", "ratio_pairing", "ratio_pairs")
_VERDICT = ("verdict", "smallest_visible", "unlike")
# Last columns, for questions about like with like.
_LIKENESS = (
    *("ratio_method", "ratio_held", "ratio_strata", "ratio_machines", "ratio_reference_machines"),
    *("crude_ratio", "crude_ci_low", "crude_ci_high"),
)
# Prefix of grouped dimensions, which may have the name of another column.
_BY = "by "
_NAME = "machine_name"


class _Lines:
    """CSV lines (RFC 4180, UTF-8). Each line of private figures says so: files lose their names,
    and lines their files.
    """

    def __init__(self, columns: Iterable[str], private: str | None) -> None:
        self._columns = [*columns, *(["private"] if private is not None else [])]
        self._private = private
        self._text = io.StringIO()
        self._writer = csv.writer(self._text, lineterminator="\r\n")
        self._writer.writerow(cell(name.removeprefix(_BY)) for name in self._columns)

    def add(self, values: dict[str, Any]) -> None:
        """Add a line, with empty cells for absent values."""
        values["private"] = self._private
        self._writer.writerow(cell(values.get(name)) for name in self._columns)

    def __str__(self) -> str:
        return self._text.getvalue()


def to_csv(answer: Answer, private: str | None = None) -> str:
    """Export figures in SI base units, absent ones empty; `private` as in accounts/scope.py.

    Unlike published figures of one group get a line each, unless their ratio is asked for. Of Macs
    with names that the reader may see, the last column has them.
    """
    by = [_BY + name for name in answer["question"]["by"]]
    last = (*_VERDICT, *_LIKENESS) if answer["question"]["version"] != CRUDE else ()
    if _BY + "machine" in by and any_names():
        last = (*last, _NAME)
    lines = _Lines(
        ["kind", "metric", "unit", *by, "published", "method", "method_version", *_COUNTED]
        + ["spread_p10", "spread_p90", *_RATIO, "flags", "printed", "qualifier", "citation", *last],
        private,
    )
    for result in answer["results"]:
        metric_columns = {"metric": result["metric"], "unit": result["unit"]}
        for group in each_printed(result["groups"]):
            lines.add(metric_columns | _group_line(group))
        for figure in result["published"]:
            lines.add(metric_columns | _figure_line(figure))
    return str(lines)


def _group_line(group: Group) -> dict[str, Any]:
    spread = group.get("spread", {})
    return {
        "kind": "result",
        **_by(group["key"]),
        **{name: group[name] for name in ("published", "method", "method_version")},
        **_figures(group),
        "spread_p10": spread.get("p10"),
        "spread_p90": spread.get("p90"),
        **_ratio(group.get("ratio")),
        "printed": "; ".join(group.get("printed", [])),
        "qualifier": group.get("qualifier"),
        "citation": "; ".join(_cite(citation) for citation in group.get("citations", [])),
    }


def _figure_line(figure: AnsweredFigure) -> dict[str, Any]:
    """Return a line with a range's ends in min and max, or a ratio in ratio."""
    is_range = figure["kind"] == "range"
    return {
        **_by(figure["key"]),
        "kind": figure["kind"],
        "published": True,
        "min": figure["low"] if is_range else None,
        "max": figure["high"] if is_range else None,
        "ratio": figure.get("value"),
        "flags": " ".join(figure["flags"]),
        "printed": figure["printed"],
        "qualifier": figure.get("qualifier"),
        "citation": _cite(figure["citation"]),
    }


def _by(key: Key) -> dict[str, Any]:
    columns = {_BY + name: value for name, value in key.items()}
    return columns | {_NAME: name_of(key["machine"])} if "machine" in key else columns


def _figures(figure: Figures) -> dict[str, Any]:
    """Return a figure's columns; its mixes are numbers of values, "chip=12; power_mode=2", and
    empty in older frozen answers.
    """
    mixes = (f"{mix['dimension']}={mix['count']}" for mix in figure.get("mixes") or [])
    flags = " ".join(flag["code"] for flag in figure["flags"])
    return {**{k: figure.get(k) for k in _COUNTED}, "mixes": "; ".join(mixes), "flags": flags}


def _ratio(ratio: RatioResponse | None) -> dict[str, Any]:
    fields: dict[str, Any] = {**ratio} if ratio is not None else {}
    verdict, likeness, crude = (fields.get(k, {}) for k in ("verdict", "likeness", "crude"))
    return {
        "ratio": fields.get("value"),
        **{f"ratio_{k}": fields.get(k) for k in ("ci_low", "ci_high", "pairing", "pairs")},
        "verdict": verdict.get("answer"),
        "smallest_visible": verdict.get("smallest_visible"),
        "unlike": " ".join(difference["dimension"] for difference in fields.get("unlike", [])),
        "shared_runs": fields.get("shared_runs"),
        "ratio_method": likeness.get("method"),
        "ratio_held": " ".join(likeness.get("held", [])),
        **{f"ratio_{k}": likeness.get(k) for k in ("strata", "machines", "reference_machines")},
        "crude_ratio": crude.get("value"),
        **{f"crude_{k}": crude.get(k) for k in ("ci_low", "ci_high")},
    }


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


def sides_to_csv(response: Compared, private: str | None = None) -> str:
    """Export sides: a line for each row and side, including missing ones."""
    comparison = response["comparison"]
    labels = {side["number"]: side["label"] for side in comparison["sides"]}
    lines = _Lines(
        ["metric", "parameters", "unit", "published", "method", "method_version"]
        + ["side", "label", "baseline", "missing", *_COUNTED, *_RATIO, *_VERDICT]
        + ["shared_runs", "no_ratio", "flags", "printed"]
        + [*(_LIKENESS if comparison["version"] != CRUDE else ())],
        private,
    )
    for row in response["rows"]:
        parameters = " ".join(f"{k}={print_value(v)}" for k, v in row["parameters"].items())
        for side_cell in row["cells"]:
            number = side_cell["side"]
            line = {**row, "parameters": parameters, "side": number, "label": labels[number]}
            line["baseline"] = number == comparison["baseline"]
            if is_filled(side_cell):
                refusal = side_cell.get("no_ratio")
                line |= _figures(side_cell) | _ratio(side_cell.get("ratio"))
                line["no_ratio"] = refusal["code"] if refusal else None
                line["printed"] = " ".join(side_cell.get("printed", []))
            else:
                line["missing"] = side_cell["missing"]["code"]
            lines.add(line)
    return str(lines)
