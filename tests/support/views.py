"""The views' default questions, asked about a demo, compared with what was planted in it."""

from __future__ import annotations

import json
import urllib.request
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from demo import laws
from macmeter.platform.settings import CHECKOUT

from support.planted import APART, Expected, Planted
from support.views_fits import wrong_curves

Json = dict[str, Any]

# Limit in standard errors, beyond which a correct figure should never be.
SIGMAS = 4.0
# Deviation of the median of a few machines from the truth of their kind, by the beginning of the
# metric's name; NOISE for all others. A single file's time and a slope vary most.
NOISES = {"disk.read_speed": 0.018, "disk.write_speed": 0.018, "power.per_added_thread": 0.05}
NOISE, LEAST = 0.012, 0.003
MEDIAN = 1.2533  # standard error of a median relative to that of a mean

# VIEWS.md's number -> the pages' views that show it.
VIEWS: dict[str, tuple[str, ...]] = {
    "V1": ("/storage cases",),
    "V2": ("/storage encryption",),
    "V3": ("/storage sizes",),
    "V4": ("/storage images",),
    "V5": ("/storage docks",),
    "V6": ("/storage hash",),
    "V7": ("/threads time", "/threads rate"),
    "V8": ("/threads storage",),
    "V9": ("/cores m1", "/cores rate", "/cores added"),
    "V10": ("/cores times", "/power total", "/power energy", "/power added"),
    "V11": ("/power frequency",),
    "V15": ("/power modes-power", "/power modes-frequency"),
    "V16": ("/storage virtual", "/threads virtual"),
    "V17": ("/workloads names",),
}
# Views of metrics that only articles print: no machine of a demo measures them.
PRINTED_ONLY = (
    *("/cores added-time", "/cores thread", "/power energy-added", "/power core-max"),
    *("/power modes-time", "/power frequency-threads"),
)
# Groups that each view exists to show: fixing dimensions against mixing must not remove them.
SHOWS: dict[str, tuple[Json, ...]] = {
    "V1 /storage cases": (
        # Guests' disks have their own view, V16: here a filter shows them.
        *({"storage": kind} for kind in ("internal", "thunderbolt3", "usb4")),
        {"storage": "internal", "encryption": "hardware"},
    ),
    "V2 /storage encryption": (
        *({"storage": kind, "ratio": True} for kind in ("thunderbolt3", "usb4", "usb3")),
    ),
    "V3 /storage sizes": tuple(
        {"storage": kind, "file_size": size}
        for kind in ("internal", "thunderbolt3", "usb4")
        for size in (2_000_000, 2_000_000_000)
    ),
    "V4 /storage images": tuple(
        {"image_format": kind, "os_version": version}
        for kind in ("raw", "sparsebundle")
        for version in ("26.1", "26.4")
    ),
    "V5 /storage docks": (
        {"storage": "thunderbolt3", "via": laws.DOCK},
        {"storage": "thunderbolt3", "simultaneous": 2},
        {"storage": "thunderbolt3", "via": None, "simultaneous": 1},
    ),
    "V6 /storage hash": tuple({"storage": kind} for kind in ("internal", "thunderbolt3", "usb3")),
    "V7 /threads time": (
        *({"threads": n, "virtual": False} for n in (1, 8)),
        {"threads": 4, "virtual": True},
    ),
    "V7 /threads rate": (
        *({"threads": n, "virtual": False} for n in (1, 8)),
        {"threads": 4, "virtual": True},
    ),
    "V8 /threads storage": tuple({"storage": kind} for kind in ("internal", "thunderbolt3")),
    "V9 /cores m1": tuple(
        {"chip": chip, "core_context": context, "ratio": True}
        for chip in ("Apple M4 Pro", "Apple M4")
        for context in ("Performance/high", "Efficiency/background")
    ),
    "V10 /cores times": ({"core_context": "Performance/high", "threads": 1},),
    "V10 /power total": ({"core_context": "Performance/high", "threads": 1},),
    "V11 /power frequency": tuple({"tier": "Performance", "active_cores": n} for n in (1, 2, 3)),
    "V15 /power modes-power": ({"power_mode": "low", "ratio": True},),
    "V15 /power modes-frequency": ({"power_mode": "low", "tier": "Performance", "ratio": True},),
    "V16 /storage virtual": ({"virtual": True, "ratio": True},),
    "V16 /threads virtual": ({"virtual": True, "threads": 4, "ratio": True},),
    "V17 /workloads names": ({"test": laws.WORKLOAD},),
}


@dataclass
class Row:
    """One default question, its answer, and what is wrong with it."""

    view: str
    asks: str
    fixed: str = ""
    groups: int = 0
    wrong: list[str] = field(default_factory=list)
    # Deviation, planted value and shown value of the group that is furthest off.
    worst: float = 0.0
    is_question: bool = False
    planted: str = ""
    shown: str = ""

    def held(self, label: str, planted: float, shown: float, tolerance: float) -> None:
        """Compare a figure with the planted one, and record if it is wrong."""
        off = abs(shown / planted - 1)
        if off / tolerance >= self.worst:
            self.worst = off / tolerance
            self.planted, self.shown = f"{planted:.4g}", f"{shown:.4g}"
        if off > tolerance:
            self.wrong.append(f"{label}: {shown:.4g} and not {planted:.4g}")


class Asking:
    """Client of a demo's server that asks what its pages ask."""

    def __init__(self, url: str) -> None:
        self.url = url

    def get(self, path: str, **parameters: Any) -> Any:
        query = f"?{urlencode(parameters, doseq=True)}" if parameters else ""
        with urllib.request.urlopen(f"{self.url}/api/v1/{path}{query}", timeout=120) as response:
            return json.load(response)


def default_questions() -> Json:
    """The questions that the frontend's own test keeps: tests/figures/views.json."""
    questions: Json = json.loads((CHECKOUT / "tests/figures/views.json").read_text())
    return questions


def rows_of_questions(asking: Asking, planted: Planted, *, complete: bool = True) -> list[Row]:
    """Check every view and every finding of the overview that is a question.

    `complete`: each has to show what it exists for, which only a whole demo allows.
    """
    defaults = default_questions()
    questions = {f"{view['page']} {view['view']}": view["question"] for view in defaults["views"]}
    numbers = {name: number for number, names in VIEWS.items() for name in names}
    rows = [
        row_of_question(
            asking, planted, f"{numbers.get(name, '')} {name}".strip(), question, complete
        )
        for name, question in questions.items()
        if name not in PRINTED_ONLY
    ]
    rows += [
        row_of_question(asking, planted, f"overview {item['metric']}", item["question"], complete)
        for item in defaults["findings"]
    ]
    return rows


def row_of_question(
    asking: Asking, planted: Planted, view: str, question: str, complete: bool
) -> Row:
    opening = asking.get(f"starting-point?{question}")
    answer = asking.get(f"answer?{_quoted(opening['canonical'])}")
    row = Row(view, question, is_question=True)
    row.fixed = ", ".join(f"{term['dimension']} {term['value']}" for term in opening["fixed"])
    asked = answer["question"]
    for result in answer["results"]:
        expected = planted.groups(result["metric"], asked["by"], asked["where"])
        row.wrong += wrong_curves(result, asked, expected)
        for group in result["groups"]:
            if not group["published"]:
                key = (*group["key"].items(), ("method", group["method"]))
                _hold(row, planted, result["metric"], asked, group, expected.pop(key, None))
        for key in expected:
            row.wrong.append(f"{result['metric']} {_render(key)}: planted and not shown")
    for wanted in SHOWS.get(view, ()) if complete else ():
        if not any(
            _has(group, wanted) for result in answer["results"] for group in result["groups"]
        ):
            row.wrong.append(f"does not show {wanted}")
    if complete and not row.groups:
        row.wrong.append("nothing is shown")
    return row


def _has(group: Json, values: Json) -> bool:
    facts = {**group["key"], "ratio": "ratio" in group, "metric": group.get("metric")}
    return not group["published"] and all(facts.get(name) == v for name, v in values.items())


def _quoted(canonical: str) -> str:
    return quote(canonical, safe="=&:!.%+")


def _hold(
    row: Row, planted: Planted, metric: str, asked: Json, group: Json, expected: Expected | None
) -> None:
    label = f"{metric} {_render(tuple(group['key'].items()))} ({group['method']})"
    row.groups += 1
    if expected is None:
        row.wrong.append(f"{label}: shown and never planted")
        return
    # Ratios compare like with like inside what their groups mix.
    is_inside = asked["relative_to"] and asked["version"] > 1
    if group["mixes"] and not is_inside:
        row.wrong.append(f"{label}: mixes {group['mixes']}")
    if expected.apart > APART and not is_inside:
        row.wrong.append(f"{label}: pools truths {expected.apart:.2f} apart")
    if (group["machines"], group["runs"]) != (expected.machines, expected.runs):
        row.wrong.append(
            f"{label}: {group['machines']} machines and {group['runs']} runs, "
            f"not {expected.machines} and {expected.runs}"
        )
    noise = SIGMAS * MEDIAN * NOISES.get(metric, NOISE)
    tolerance = noise / expected.machines**0.5 + LEAST
    ratio = group.get("ratio")
    if not asked["relative_to"]:
        row.held(label, expected.value, group["median"], tolerance)
        return
    if all(
        term["value"] == group["key"].get(term["dimension"], ...) for term in asked["relative_to"]
    ):
        return  # the baseline of the others
    true_ratio = planted.ratio(metric, expected, asked)
    if (ratio is None) != (true_ratio is None):
        row.wrong.append(f"{label}: ratio {ratio}, planted {true_ratio}")
    elif ratio is not None and true_ratio is not None:
        value, most = true_ratio
        pairs = ratio.get("pairs", 0)
        # Only pairs inside strata count, of macOS or months, where the groups differ in those.
        if pairs > most or (pairs < most and not is_inside):
            row.wrong.append(f"{label}: {pairs} pairs, not {most}")
        ratio_tolerance = noise * 2**0.5 / (pairs or expected.machines) ** 0.5 + LEAST
        row.held(label, value, ratio["value"], ratio_tolerance)


def _render(key: tuple[tuple[str, Any], ...]) -> str:
    return " ".join(f"{name}={value}" for name, value in key)


def table(rows: list[Row]) -> str:
    """Format for a terminal: question, fixed dimensions, the figure furthest off, and errors."""
    lines = []
    for row in rows:
        verdict = "right" if not row.wrong else f"{len(row.wrong)} WRONG"
        lines.append(
            f"{row.view}: {verdict}; {row.groups} groups; fixed: {row.fixed or 'nothing'}; "
            f"furthest: planted {row.planted}, shown {row.shown}\n    asks {row.asks}"
        )
        lines += [f"      ✗ {wrong}" for wrong in row.wrong[:6]]
    return "\n".join(lines)


__all__ = ["Asking", "Row", "laws", "rows_of_questions", "table"]
