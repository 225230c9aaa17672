"""Machines in words: what they are called, and what is stated of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from macmeter.figures.facts import Facts, facts_of_machine
from macmeter.figures.runs import machine_title, result_name
from macmeter.figures.words import system_text, value_text

Json = dict[str, Any]


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


def told_machines(found: Json) -> Json:
    """A page of a list, each of its machines with its words."""
    items = [{**machine, "words": _words(machine)} for machine in found["items"]]
    return {**found, "items": items}


def told_machine(machine: Json) -> Json:
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


def _words(machine: Json) -> MachineWords:
    return MachineWords(
        title=machine_title(machine),
        system=system_text(machine["os_version"]) if machine["os_version"] else "",
        suites=tuple(value_text("suite", suite) for suite in machine["suites"]),
    )
