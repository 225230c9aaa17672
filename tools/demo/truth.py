"""The file beside a demo that says what is true of it."""

from __future__ import annotations

from macmeter import Json

from demo import laws
from demo.fleet import Fleet, Mac, Planned

ABOUT = (
    "What was planted in this demo: what a measurement without noise would have said. None of its "
    "machines exists. Speeds are in B/s, frequencies in Hz, powers in W, times in s."
)
DOUBTS = {
    "cached": "reads_may_be_cached",
    "cut": "incomplete",
    "beyond_link": "faster_than_link",
}
WITHDRAWN = "mistaken"
WITHDRAWAL = "Measured on a volume that was being copied: the speeds are not those of the drive."


def truth(fleet: Fleet) -> Json:
    """Everything as data for truth.json."""
    return {
        "about": ABOUT,
        "seed": fleet.scale.seed,
        "base": fleet.base.isoformat(),
        "runs": len(fleet.runs),
        "machines": [_machine(mac) for mac in fleet.macs],
        "laws": laws.planted(),
        "regression_machines": regressed(fleet),
        "doubted": {run.id: DOUBTS[run.fault] for run in fleet.runs if run.fault in DOUBTS},
        "withdrawn": [run.id for run in withdrawn(fleet)],
    }


def withdrawn(fleet: Fleet) -> list[Planned]:
    return [run for run in fleet.runs if run.fault == WITHDRAWN]


def regressed(fleet: Fleet) -> dict[str, dict[str, str]]:
    """Map each machine to its chip and its first internal-storage run since the regression."""
    first_runs: dict[str, dict[str, str]] = {}
    for run in fleet.runs:
        mac = run.mac
        if (
            mac.host is None
            and mac.chip.name in laws.REGRESSION_CHIPS
            and run.kind == "graded"
            and not run.detail.keys() & {"drive", "image"}
            and mac.os_version(run.week) == laws.REGRESSION_SINCE
        ):
            first_runs.setdefault(mac.id, {"chip": mac.chip.name, "first_run": run.id})
    return first_runs


def _machine(mac: Mac) -> Json:
    facts: Json = {"id": mac.id, "chip": mac.chip.name, "model": mac.model[1]}
    if mac.host is not None:
        facts["host"] = mac.host.id if mac.host_known else None
        facts["vcpus"] = mac.vcpus
    else:
        facts |= {"encryption": mac.encryption, "low_power": mac.low_power}
    # Factors of the machine; noise of each measurement comes on top.
    return facts | {"disk_factor": mac.disk_factor, "cpu_factor": mac.cpu_factor}
