"""Views that are no question of the pages' grammar: traces, machines over time, comparisons."""

from __future__ import annotations

import uuid
from typing import Any

from macmeter.demo import laws
from macmeter.demo.fleet import Planned
from macmeter.demo.silicon import CHIPS

from support.planted import Planted
from support.views import Asking, Row

# Of a point of a trace about the planted frequency, machine and measurement together.
NEAR = 0.05
# What a line over time may miss or make up, of all lines looked at.
MISSED, MADE_UP = 0.10, 0.02
# Results on either side of an update without which no change can be told.
ENOUGH = 6


def rows_beside_questions(asking: Asking, planted: Planted) -> list[Row]:
    return [_residency(asking), _joined(asking, planted), _over_time(asking, planted)]


def _residency(asking: Asking) -> Row:
    """V12: in Automatic Mode every point lies at one of its tier's planted frequencies."""
    row = Row("V12 /power/residency", "where=power_mode:automatic")
    known = {chip.name: chip for chip in CHIPS}
    for group in asking.get("residency", where="power_mode:automatic")["groups"]:
        row.groups += 1
        chip = known[group["key"]["chip"]]
        tier = next(one for one in chip.tiers if one.name == group["key"]["tier"])
        true = [laws.frequency(chip, tier, n, "automatic") for n in range(1, tier.cores + 1)]
        # A cluster that rests has the lowest.
        true.append(float(tier.low))
        far = [f for _, f in group["points"] if min(abs(f / one - 1) for one in true) > NEAR]
        if far:
            row.wrong.append(f"{group['key']}: {len(far)} points at no planted frequency")
    return row


def _joined(asking: Asking, planted: Planted) -> Row:
    """V13, V14 and V18: a run's trace is the one planted; a guest ran during one."""
    row = Row("V13, V14, V18 /runs", "a host's trace beside a guest's run")
    sampled = {run.mac.id: run for run in planted.fleet.runs if run.kind == "power"}
    for guest in planted.fleet.runs:
        host = guest.mac.host
        if guest.kind != "compression" or host is None or host.id not in sampled:
            continue
        over = asking.get(f"runs/{sampled[host.id].id}")
        inside = asking.get(f"runs/{guest.id}")
        if over["started_at"] < inside["started_at"] < over["finished_at"]:
            row.groups += 1
    if not row.groups and any(run.mac.host for run in planted.fleet.runs):
        row.wrong.append("no guest ran while its host was sampled")
    return row


def _over_time(asking: Asking, planted: Planted) -> Row:
    """V21: what got slower with an update is marked there, and nothing elsewhere."""
    row = Row("V21 /machines", "metric=disk.write_average&where=storage:internal")
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


def _timeline(asking: Asking, machine: str) -> list[dict[str, Any]]:
    uuid.UUID(machine)
    told = asking.get(
        f"machines/{machine}/timeline", metric="disk.write_average", where="storage:internal"
    )
    lines: list[dict[str, Any]] = told["lines"]
    return lines
