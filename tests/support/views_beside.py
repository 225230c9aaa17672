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
    told: dict[str, list[Json]] = {}
    for chip in asking.get("chips")["chips"]:
        row.groups += 1
        told.setdefault(chip["chip"], []).append(chip)
        highest = [tier["max_frequency"] for tier in chip["tiers"]]
        if None in highest:
            if chip["cycles"] is not None:
                row.wrong.append(f"{chip['chip']}: a sum of frequencies that are not known")
            continue
        true = sum(
            tier["cores"] * hertz for tier, hertz in zip(chip["tiers"], highest, strict=True)
        )
        row.held(chip["chip"], true, chip["cycles"] or 0, 1e-9)
    for chip in CHIPS:
        cores = {tier.name: tier.cores for tier in chip.tiers}
        variants = [
            {tier["name"]: tier["cores"] for tier in one["tiers"]}
            for one in told.get(chip.name, [])
        ]
        if variants and cores not in variants:
            row.wrong.append(f"{chip.name}: {variants}, the demo's machines have {cores}")
    unknown = [chip.name for chip in CHIPS if chip.name not in told]
    row.fixed = f"one row a chip; not published: {', '.join(unknown) or 'none'}"
    return row


def _cohorts(asking: Asking, planted: Planted) -> Row:
    """V20: a run's percentile among machines with its chip, storage and encryption."""
    metric = "disk.write_average"
    row = Row("V20 /runs, /machines", f"metric={metric}, like chip, storage and encryption")
    row.fixed = "chip, storage internal, encryption"
    of_macs = {run.mac.id: run for run in planted.fleet.runs if _is_internal(run)}
    macs = [run for run in of_macs.values() if run.mac.host is None]
    for run in macs[:: max(1, len(macs) // COHORTS)]:
        own = [f"chip:{run.mac.chip.name}", "storage:internal", f"encryption:{run.mac.encryption}"]
        # A reader who finds too few of the chip removes that filter.
        for where in (own, own[1:]):
            told = asking.get("percentile", metric=metric, run=run.id, where=where)
            row.groups += 1
            among = Expected(planted.matching(metric, _terms(where))).of_machines()
            _hold_place(row, run.mac, told, among)
    return row


def _hold_place(row: Row, mac: Mac, told: Json, of_machines: dict[str, float]) -> None:
    own = of_machines.pop(mac.id, None)
    where = f"{mac.chip.name} {mac.encryption}"
    if told["machines"] != len(of_machines):
        row.wrong.append(f"{where}: among {told['machines']}, not {len(of_machines)}")
    if (told["place"] is None) != (len(of_machines) < SMALLEST_COHORT):
        row.wrong.append(f"{where}: a place among {len(of_machines)}: {told['place']}")
    if told["place"] is None or own is None:
        return
    # A run has its own week's macOS; a machine's median may be from another one.
    near = [value for value in of_machines.values() if abs(value / told["value"] - 1) < BESIDE]
    below = sum(value < told["value"] for value in of_machines.values())
    row.planted, row.shown = f"better than {below}", f"better than {told['place']['better_than']}"
    if abs(told["place"]["better_than"] - below) > len(near):
        row.wrong.append(f"{where}: {row.shown}, planted {row.planted}")


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
        told = _timeline(asking, mac.id)
        row.groups += 1
        if regressed:
            first = {run.id for run in slow[:2]}
            found += any(c["run_id"] in first for line in told for c in line["changes"])
            missed += not any(c["run_id"] in first for line in told for c in line["changes"])
        else:
            made_up += any(line["changes"] for line in told)
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
    told = asking.get(
        f"machines/{machine}/timeline", metric="disk.write_average", where="storage:internal"
    )
    lines: list[Json] = told["lines"]
    return lines


def _sides(asking: Asking, planted: Planted) -> list[Row]:
    """V22: the default comparison, and three chips against the first."""
    start = default_questions()["compare"]
    fixed = asking.get(f"starting-point?{start['question']}")["fixed"]
    where = [f"{one['dimension']}:{'' if one['value'] is None else one['value']}" for one in fixed]
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
    told = asking.get(f"compare?{sides}&{urlencode({'where': where}, doseq=True)}")
    asked = told["comparison"]
    ratios: dict[tuple[str, str, int], float] = {}
    for compared in told["rows"]:
        if compared["published"]:
            continue
        metric, method = compared["metric"], compared["method"]
        expected = [
            Expected(
                [
                    result
                    for result in planted.matching(metric, [*asked["where"], *side["where"]])
                    if result.dims["method"] == method
                ]
            )
            for side in asked["sides"]
        ]
        for cell, of_side in zip(compared["cells"], expected, strict=True):
            _hold_side(row, f"{metric} ({method})", cell, of_side, expected[0])
            if of_side.results and expected[0].results:
                ratios[metric, method, cell["side"]] = of_side.value / expected[0].value
    mean = told["geometric_mean"]
    for one in mean["sides"]:
        of_rows = [ratios[row["metric"], row["method"], one["side"]] for row in mean["covers"]]
        true = statistics.geometric_mean(of_rows)
        row.held(f"mean of side {one['side']}", true, one["value"], 2 * OF_SIDE)
    return row


def _hold_side(row: Row, named: str, cell: Json, expected: Expected, base: Expected) -> None:
    where = f"{named} side {cell['side']}"
    shown = (cell.get("machines", 0), cell.get("runs", 0))
    if shown != (expected.machines, expected.runs):
        row.wrong.append(f"{where}: {shown}, not {(expected.machines, expected.runs)}")
    if not expected.results or cell.get("median") is None:
        return
    row.groups += 1
    if cell["mixes"]:
        row.wrong.append(f"{where}: mixes {cell['mixes']}")
    tolerance = SIGMAS * NOISE / expected.machines**0.5 + OF_SIDE / 2
    row.held(where, expected.value, cell["median"], tolerance)
    if cell["side"] > 1 and "ratio" in cell:
        true = expected.value / base.value
        row.held(f"{where} ratio", true, cell["ratio"]["value"], 2 * tolerance)


def _terms(where: Iterable[str]) -> list[Json]:
    named = (one.split(":") for one in where)
    return [{"dimension": name, "op": "is", "value": value} for name, value in named]


def _commonest(planted: Planted) -> list[str]:
    """The three chips that most Macs with FileVault have."""
    of_chip: dict[str, int] = {}
    for mac in planted.fleet.macs:
        if mac.host is None and mac.encryption == "filevault":
            of_chip[mac.chip.name] = of_chip.get(mac.chip.name, 0) + 1
    return sorted(of_chip, key=lambda name: (-of_chip[name], name))[:3]
