"""Views without a question in the pages' grammar: chips, cohorts, time, traces, comparisons."""

from __future__ import annotations

import statistics
import uuid
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote_plus, urlencode

from demo import laws
from demo.fleet import Mac, Planned
from demo.silicon import CHIPS

from support.planted import Expected, Planted
from support.views import NOISE, SIGMAS, Asking, Row, default_questions
from support.views_traces import rows_of_traces

Json = dict[str, Any]

# Shares of all lines over time in which a change may be missed, or found wrongly.
MISSED, MADE_UP = 0.10, 0.02
# Results needed on either side of an update to detect a change.
ENOUGH = 6
COHORTS, SMALLEST_COHORT = 12, 10
AVERAGES = ("disk.read_average", "disk.write_average")
# Machines this close may swap places because of measurement noise.
BESIDE = 0.025
# Deviation of a median of whole runs of few machines.
OF_SIDE = 0.02


def rows_beside_questions(asking: Asking, planted: Planted) -> list[Row]:
    return [
        *rows_of_traces(asking, planted),
        _chips(asking),
        _cohorts(asking, planted),
        _over_time(asking, planted),
        *_sides(asking, planted),
    ]


def _chips(asking: Asking) -> Row:
    """V19: chips as published; those of the demo's machines with the right cores."""
    row = Row("V19 /chips", "chips, tiers, cores and the sum of their frequencies")
    published: dict[str, list[Json]] = {}
    for chip in asking.get("chips")["chips"]:
        row.groups += 1
        published.setdefault(chip["chip"], []).append(chip)
        highest = [tier["max_frequency"] for tier in chip["tiers"]]
        if None in highest:
            if chip["cycles"] is not None:
                row.wrong.append(f"{chip['chip']}: a sum of frequencies that are not known")
            continue
        true_cycles = sum(
            tier["cores"] * hertz for tier, hertz in zip(chip["tiers"], highest, strict=True)
        )
        row.held(chip["chip"], true_cycles, chip["cycles"] or 0, 1e-9)
    for chip in CHIPS:
        cores = {tier.name: tier.cores for tier in chip.tiers}
        variants = [
            {tier["name"]: tier["cores"] for tier in published_chip["tiers"]}
            for published_chip in published.get(chip.name, [])
        ]
        if variants and cores not in variants:
            row.wrong.append(f"{chip.name}: {variants}, the demo's machines have {cores}")
    unknown = [chip.name for chip in CHIPS if chip.name not in published]
    row.fixed = f"one row a chip; not published: {', '.join(unknown) or 'none'}"
    return row


def _cohorts(asking: Asking, planted: Planted) -> Row:
    """V20: a run's percentile among machines with its chip, storage and encryption."""
    metric = "disk.write_average"
    row = Row("V20 /runs, /machines", f"metric={metric}, like chip, storage and encryption")
    row.fixed = "chip, storage internal, encryption"
    runs_by_mac = {run.mac.id: run for run in planted.fleet.runs if _is_internal(run)}
    macs = [run for run in runs_by_mac.values() if run.mac.host is None]
    for run in macs[:: max(1, len(macs) // COHORTS)]:
        like = [f"chip:{run.mac.chip.name}", "storage:internal", f"encryption:{run.mac.encryption}"]
        # A reader who finds too few of the chip removes that filter.
        for filters in (like, like[1:]):
            cohort = asking.get("percentile", metric=metric, run=run.id, where=filters)
            row.groups += 1
            speeds = Expected(planted.matching(metric, _terms(filters))).of_machines()
            _hold_place(row, run.mac, cohort, speeds)
    return row


def _hold_place(row: Row, mac: Mac, cohort: Json, speeds: dict[str, float]) -> None:
    own_speed = speeds.pop(mac.id, None)
    label = f"{mac.chip.name} {mac.encryption}"
    if cohort["machines"] != len(speeds):
        row.wrong.append(f"{label}: among {cohort['machines']}, not {len(speeds)}")
    if (cohort["place"] is None) != (len(speeds) < SMALLEST_COHORT):
        row.wrong.append(f"{label}: a place among {len(speeds)}: {cohort['place']}")
    if cohort["place"] is None or own_speed is None:
        return
    # A run has its own week's macOS; a machine's median may be from another one.
    near = [value for value in speeds.values() if abs(value / cohort["value"] - 1) < BESIDE]
    below = sum(value < cohort["value"] for value in speeds.values())
    row.planted, row.shown = f"better than {below}", f"better than {cohort['place']['better_than']}"
    if abs(cohort["place"]["better_than"] - below) > len(near):
        row.wrong.append(f"{label}: {row.shown}, planted {row.planted}")


def _over_time(asking: Asking, planted: Planted) -> Row:
    """V21: a regression is marked on the update that caused it, and nowhere else."""
    row = Row("V21 /machines", "metric=disk.write_average&where=storage:internal")
    row.fixed = "one machine, storage internal"
    found = missed = made_up = 0
    for mac in planted.fleet.macs:
        runs = [run for run in planted.fleet.runs if run.mac is mac and _is_internal(run)]
        slow = [run for run in runs if run.mac.os_version(run.week) == laws.REGRESSION_SINCE]
        regressed = mac.chip.name in laws.REGRESSION_CHIPS and mac.host is None
        if regressed and min(len(slow), len(runs) - len(slow)) < ENOUGH:
            continue
        lines = _timeline(asking, mac.id)
        row.groups += 1
        if regressed:
            first = {run.id for run in slow[:2]}
            found += any(c["run_id"] in first for line in lines for c in line["changes"])
            missed += not any(c["run_id"] in first for line in lines for c in line["changes"])
        else:
            made_up += any(line["changes"] for line in lines)
    steady = row.groups - found - missed
    row.planted, row.shown = f"{found + missed} slower", f"{found} found, {made_up} made up"
    if missed > MISSED * (found + missed):
        row.wrong.append(f"{missed} of {found + missed} planted changes are not marked")
    if made_up > MADE_UP * steady + 1:
        row.wrong.append(f"{made_up} of {steady} steady lines are marked")
    return row


def _is_internal(run: Planned) -> bool:
    return run.kind == "graded" and not run.detail.keys() & {"drive", "image"} and not run.fault


def _timeline(asking: Asking, machine: str) -> list[Json]:
    uuid.UUID(machine)
    timeline = asking.get(
        f"machines/{machine}/timeline", metric="disk.write_average", where="storage:internal"
    )
    lines: list[Json] = timeline["lines"]
    return lines


def _sides(asking: Asking, planted: Planted) -> list[Row]:
    """V22: the default comparison, and three chips against the first."""
    start = default_questions()["compare"]
    fixed = asking.get(f"starting-point?{start['question']}")["fixed"]
    where = [f"{f['dimension']}:{'' if f['value'] is None else f['value']}" for f in fixed]
    chips = urlencode(
        {
            "metric": AVERAGES,
            "side": [f"{n}:chip:{chip}" for n, chip in enumerate(_commonest(planted), start=1)],
        },
        doseq=True,
    )
    return [
        _compared(asking, planted, start["sides"], where),
        _compared(asking, planted, chips, ["storage:internal", "encryption:filevault"]),
    ]


def _compared(asking: Asking, planted: Planted, sides: str, where: list[str]) -> Row:
    row = Row("V22 /compare", unquote_plus(sides))
    row.fixed = ", ".join(where)
    response = asking.get(f"compare?{sides}&{urlencode({'where': where}, doseq=True)}")
    comparison = response["comparison"]
    ratios: dict[tuple[str, str, int], float] = {}
    for compared in response["rows"]:
        if compared["published"]:
            continue
        metric, method = compared["metric"], compared["method"]
        expected = [
            Expected(
                [
                    result
                    for result in planted.matching(metric, [*comparison["where"], *side["where"]])
                    if result.dims["method"] == method
                ]
            )
            for side in comparison["sides"]
        ]
        for cell, side_expected in zip(compared["cells"], expected, strict=True):
            _hold_side(row, f"{metric} ({method})", cell, side_expected, expected[0])
            if side_expected.results and expected[0].results:
                ratios[metric, method, cell["side"]] = side_expected.value / expected[0].value
    mean = response["geometric_mean"]
    for side in mean["sides"]:
        values = [ratios[row["metric"], row["method"], side["side"]] for row in mean["covers"]]
        true_mean = statistics.geometric_mean(values)
        row.held(f"mean of side {side['side']}", true_mean, side["value"], 2 * OF_SIDE)
    return row


def _hold_side(row: Row, label: str, cell: Json, expected: Expected, base: Expected) -> None:
    side_label = f"{label} side {cell['side']}"
    counts = (cell.get("machines", 0), cell.get("runs", 0))
    if counts != (expected.machines, expected.runs):
        row.wrong.append(f"{side_label}: {counts}, not {(expected.machines, expected.runs)}")
    if not expected.results or cell.get("median") is None:
        return
    row.groups += 1
    if cell["mixes"]:
        row.wrong.append(f"{side_label}: mixes {cell['mixes']}")
    tolerance = SIGMAS * NOISE / expected.machines**0.5 + OF_SIDE / 2
    row.held(side_label, expected.value, cell["median"], tolerance)
    if cell["side"] > 1 and "ratio" in cell:
        true_ratio = expected.value / base.value
        row.held(f"{side_label} ratio", true_ratio, cell["ratio"]["value"], 2 * tolerance)


def _terms(where: Iterable[str]) -> list[Json]:
    pairs = (text.split(":") for text in where)
    return [{"dimension": name, "op": "is", "value": value} for name, value in pairs]


def _commonest(planted: Planted) -> list[str]:
    """The three chips that most Macs with FileVault have."""
    counts: dict[str, int] = {}
    for mac in planted.fleet.macs:
        if mac.host is None and mac.encryption == "filevault":
            counts[mac.chip.name] = counts.get(mac.chip.name, 0) + 1
    return sorted(counts, key=lambda name: (-counts[name], name))[:3]
