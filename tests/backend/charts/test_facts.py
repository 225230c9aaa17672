"""Facts of documents, in words and units."""

from __future__ import annotations

from typing import Any

import pytest
from macmeter.charts.machines import facts_of, facts_of_machine, facts_of_run


def told(fields: dict[str, Any]) -> list[tuple[str, str]]:
    return [(fact.name, fact.value) for fact in facts_of(fields)]


def test_facts_are_what_was_stated_in_words_and_units() -> None:
    fields = {
        "chip": "Apple M4 Pro",
        "memory_bytes": 48 * 2**30,
        "busy": [],
        "via": None,
        "image": {"capacity_bytes": 1e11},
        "core_tiers": [
            {"name": "Super", "cores": 6, "clusters": [3, 3], "max_frequency": 4.6e9},
            {"name": "Efficiency", "cores": 4},
        ],
        "something_new": "as it is",
        "busy_cores": 3,
        "virtual_machine": {"vcpus": 5},
        "power_source": "ac",
        "simulated": False,
    }
    assert told(fields) == [
        ("Chip", "Apple M4 Pro"),
        ("Memory", "48\u2009GiB"),
        ("Image: capacity", "100\u2009GB"),
        ("Cores", "6 Super, up to 4.60\u2009GHz, in clusters of 3 and 3; 4 Efficiency"),
        ("Something new", "as it is"),
        ("Busy cores", "3"),
        ("Virtual machine: virtual CPUs", "5"),
        ("Power source", "AC"),
        ("Simulated", "no"),
    ]


@pytest.mark.parametrize(
    ("size", "text"),
    [(25_274_816_512, "23.5\u2009GiB"), (1.5 * 2**40, "1536\u2009GiB"), (2**30, "1\u2009GiB")],
)
def test_memory_is_rounded_to_a_tenth(size: float, text: str) -> None:
    assert told({"memory_bytes": size}) == [("Memory", text)]


def test_a_system_is_called_macos_only_where_it_is() -> None:
    assert told({"os_version": "Debian 12"}) == [("System", "Debian 12")]
    assert told({"os_version": "15.1.1"}) == [("macOS", "15.1.1")]


def test_a_machine_that_an_article_does_not_name_says_so() -> None:
    machine, environment = facts_of_machine({"id": "x", "unspecified": True}, {})
    assert [(fact.name, fact.value) for fact in machine.facts] == [
        ("Mac", "not stated by the article")
    ]
    assert environment.facts == ()


def test_a_run_tells_its_target_and_its_method() -> None:
    run: Any = {
        "machine": {"chip": "Apple M4"},
        "environment": {},
        "target": {
            "storage": "usb4",
            "encryption": None,
            "image": {"format": "asif", "size_bytes": 2e9},
            "block_size": 2**20,
        },
        "method": "write-read",
        "method_version": 2,
        "stated_method": "write-read 2",
        "method_parameters": {"passes": 3},
        "tool": {"name": "fio", "version": "3.2"},
        "agent": {"version": "1.2"},
        "labels": {"iops": "3000"},
        "traces": ["cpu", "core"],
    }
    *_, target, method = facts_of_run(run)
    assert [(fact.name, fact.value) for fact in target.facts] == [
        ("Storage", "USB4"),
        ("Image format", "ASIF"),
        ("Image: size", "2\u2009GB"),
        ("Block size", "1\u2009MiB"),
    ]
    assert [(fact.name, fact.value) for fact in method.facts] == [
        ("Method", "write-read 2"),
        ("Passes", "3"),
        ("Tool", "fio"),
        ("Tool: version", "3.2"),
        ("Agent: version", "1.2"),
        ("Label iops", "3000"),
        ("Traces", "cpu, core"),
    ]
