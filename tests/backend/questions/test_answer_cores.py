"""Answers by samples' dimensions: against another family's chips, and two metrics side by side."""

from __future__ import annotations

from typing import Any

import pytest
from support.documents import Document, disk_run
from support.server import Server

RATE = "metric=cores.loop_rate&where=threads:1"
M1 = "relative_to=chip_family:M1&relative_to=core_context:Performance/high"


def cores_run(chip: str, rates: dict[str, float], kernel: str = "fp64") -> Document:
    """Run with loops per second of one thread, by core context."""
    return disk_run(
        chip=chip,
        suite="cores",
        method={"name": "in-core", "version": 1},
        target=None,
        series=[
            {
                "metric": "cores.loop_rate",
                "parameters": {"kernel": kernel, "core_context": context, "threads": 1},
                "values": [rate],
            }
            for context, rate in rates.items()
        ],
    )


async def ratios(server: Server, query: str) -> dict[tuple[Any, ...], Any]:
    return {
        tuple(group["key"].values()): group["ratio"]["value"] if "ratio" in group else None
        for group in await server.groups(query)
    }


async def test_every_chip_stands_against_the_fastest_tier_of_the_first_family(
    server: Server,
) -> None:
    await server.stored(
        cores_run("Apple M1", {"Performance/high": 1e8, "Efficiency/background": 2e7}),
        cores_run("Apple M1 Max", {"Performance/high": 1e8}),
        cores_run("Apple M4 Pro", {"Performance/high": 1.6e8, "Efficiency/background": 4e7}),
    )
    ratios_found = await ratios(server, f"{RATE}&by=chip&by=core_context&by=kernel&{M1}")
    assert ratios_found == {
        ("Apple M1", "Performance/high", "fp64"): pytest.approx(1.0),
        ("Apple M1", "Efficiency/background", "fp64"): pytest.approx(0.2),
        ("Apple M1 Max", "Performance/high", "fp64"): pytest.approx(1.0),
        ("Apple M4 Pro", "Performance/high", "fp64"): pytest.approx(1.6),
        ("Apple M4 Pro", "Efficiency/background", "fp64"): pytest.approx(0.4),
    }


async def test_the_reference_keeps_its_kernel_and_ignores_a_filter_by_chip(server: Server) -> None:
    await server.stored(
        cores_run("Apple M1", {"Performance/high": 1e8}),
        cores_run("Apple M1", {"Performance/high": 7e8}, kernel="neon"),
        cores_run("Apple M4 Pro", {"Performance/high": 1.4e9}, kernel="neon"),
    )
    question = f"{RATE}&by=chip&by=core_context&by=kernel&where=chip:Apple%20M4%20Pro&{M1}"
    (group,) = await server.groups(question)
    assert group["ratio"]["value"] == pytest.approx(2.0)
    assert group["ratio"]["reference_key"] == {
        "core_context": "Performance/high",
        "kernel": "neon",
    }


async def test_a_filter_by_samples_speaks_of_the_metrics_that_have_it(server: Server) -> None:
    compressed = disk_run(
        suite="compression",
        method={"name": "thread-sweep", "version": 1},
        series=[
            {"metric": "compression.speed", "parameters": {"threads": threads}, "values": [speed]}
            for threads, speed in ((1, 3e8), (14, 2.2e9))
        ],
    )
    await server.stored(compressed, disk_run(write=5e9, read=None))
    question = "metric=compression.speed&metric=disk.write_average&by=storage&where=threads:14"
    rate, speed = (await server.answer(question))["results"]
    assert [group["median"] for group in rate["groups"]] == [2.2e9]
    assert [group["median"] for group in speed["groups"]] == [5e9]


async def test_the_spread_of_samples_tells_their_standard_deviation(server: Server) -> None:
    await server.stored(disk_run(write=[1e9, 2e9, 3e9], read=None))
    (group,) = await server.groups("metric=disk.write_average")
    assert group["spread"]["sd"] == pytest.approx(1e9, rel=1e-3)
