"""Machines in words: what they are called, and what is stated of them."""

from __future__ import annotations

from dataclasses import dataclass

from macmeter.answers.exact import Exact
from macmeter.answers.machines import Machine, MachinePage, MachineSummary
from macmeter.figures.facts import Facts, facts_of_machine
from macmeter.figures.runs import machine_title, result_name
from macmeter.figures.words import system_text, value_text


@dataclass(frozen=True)
class MachineWords:
    title: str
    system: str
    suites: tuple[str, ...]


@dataclass(frozen=True)
class MachineDetailWords(MachineWords):
    """`measured` names each metric under each set of its parameters, as `measured` lists them."""

    facts: tuple[Facts, ...]
    measured: tuple[tuple[str, ...], ...]


class ListedMachine(MachineSummary):
    words: MachineWords


class Machines(Exact):
    items: list[ListedMachine]
    total: int
    next: str | None


class MachineDetail(Machine):
    """`machine` and `environment` as its agent sent them last."""

    words: MachineDetailWords


def told_machines(found: MachinePage) -> Machines:
    """A page of a list, each of its machines with its words."""
    items: list[ListedMachine] = [
        {**machine, "words": _words(machine)} for machine in found["items"]
    ]
    return {"items": items, "total": found["total"], "next": found["next"]}


def told_machine(machine: Machine) -> MachineDetail:
    """A machine with all of its words."""
    words = MachineDetailWords(
        **vars(_words(machine)),
        facts=facts_of_machine(machine["machine"], machine["environment"]),
        measured=tuple(
            tuple(result_name(of["title"], parameters) for parameters in of["parameters"])
            for of in machine["measured"]
        ),
    )
    return {**machine, "words": words}


def _words(machine: MachineSummary | Machine) -> MachineWords:
    return MachineWords(
        title=machine_title(machine),
        system=system_text(machine["os_version"]) if machine["os_version"] else "",
        suites=tuple(value_text("suite", suite) for suite in machine["suites"]),
    )
