"""Machines in words."""

from __future__ import annotations

from typing import Any

from macmeter.charts.machines import ListedMachine, render_machine, render_machines

MACHINE: dict[str, Any] = {
    "id": "0193f2a1-7000",
    "model_name": "MacBook Pro",
    "os_version": "26.4",
    "suites": ["disk"],
}


def _listed(*machines: Any) -> list[ListedMachine]:
    return render_machines({"items": [*machines], "total": 2, "next": None})["items"]


def test_a_list_names_machines_systems_and_suites() -> None:
    other = {**MACHINE, "model_name": None, "os_version": None, "suites": []}
    named, unnamed = (machine["words"] for machine in _listed(MACHINE, other))
    assert (named.title, named.system, named.suites) == ("MacBook Pro", "macOS 26.4", ("disk",))
    assert (unnamed.title, unnamed.system) == ("Mac 0193f2a1", "")


def test_a_page_names_each_metric_under_each_set_of_parameters() -> None:
    parameters = [{"file_size": 2e6, "threads": 4.0}, {"file_size": 2e9, "threads": 4.0}]
    measured = [{"title": "Write speed", "parameters": parameters}]
    page: Any = {**MACHINE, "machine": {}, "environment": {}, "measured": measured}
    assert render_machine(page)["words"].measured == (
        ("Write speed, 2\u2009MB, 4 threads", "Write speed, 2\u2009GB, 4 threads"),
    )
