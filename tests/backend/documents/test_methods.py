"""Quick runs of graded files: series of full ones by file size, averages of their own."""

from __future__ import annotations

import re
import uuid
from typing import Any

from macmeter.documents import methods
from macmeter.platform.settings import CHECKOUT
from support.documents import Document, by_file_size, disk_run
from support.server import Server

FULL: Document = {"name": "graded-files", "version": 1}
QUICK: Document = {"name": "graded-files-quick", "version": 2}
BEFORE: Document = {"name": "graded-files-quick", "version": 1}
SIZES = (2_000_000, 200_000_000)
BY_SIZE = "metric=disk.write_speed&by=file_size"


def run(method: Document, average: float, small: float, large: float, **changes: Any) -> Document:
    """A run whose files of two sizes were written at these speeds."""
    document = disk_run(write=average, read=average, method=method, **changes)
    flushed = {"metric": "disk.write_flushed_average", "values": [average / 2]}
    by_size = by_file_size({SIZES[0]: [small], SIZES[1]: [large]})
    return {**document, "series": [*document["series"], flushed, *by_size]}


def test_both_tests_write_what_the_agent_writes() -> None:
    source = (CHECKOUT / "agent/Sources/Measure/Disk/GradedFiles.swift").read_text()
    declared = re.findall(r"let (\w+) = GradedFiles\(.*?\[(.*?)\].*?Sets: (\d+)", source, re.DOTALL)
    assert {
        name: methods.GradedFiles(tuple(int(n) * 10**6 for n in sizes.split(",")), int(sets))
        for name, sizes, sets in declared
    } == {"full": methods.FULL, "quick": methods.QUICK}


async def test_files_count_with_those_of_full_runs_and_each_mac_once(server: Server) -> None:
    machine = str(uuid.uuid4())
    await server.stored(
        run(FULL, 3e9, 1e9, 5e9, machine=machine),
        run(QUICK, 2e9, 3e9, 7e9, machine=machine),
        run(QUICK, 2e9, 4e9, 4e9),
    )
    groups = await server.groups(BY_SIZE)
    figures = [(g["method"], g["method_version"], g["machines"], g["median"]) for g in groups]
    assert figures == [("graded-files", 1, 2, 3e9), ("graded-files", 1, 2, 5e9)]
    assert [(flag["code"], flag["runs"]) for flag in groups[0]["flags"]] == [("quick", 2)]


async def test_averages_stay_apart(server: Server) -> None:
    await server.stored(run(FULL, 3e9, 1e9, 5e9), run(QUICK, 2e9, 3e9, 7e9))
    for name, full, quick in (
        ("write_average", 3e9, 2e9),
        ("read_average", 3e9, 2e9),
        ("write_flushed_average", 1.5e9, 1e9),
    ):
        (full_group,) = await server.groups(f"metric=disk.{name}")
        (quick_group,) = await server.groups(f"metric=disk.quick_{name}")
        assert (full_group["machines"], full_group["median"]) == (1, full)
        assert (quick_group["machines"], quick_group["median"]) == (1, quick)


async def test_the_first_version_keeps_a_series_of_its_own(server: Server) -> None:
    await server.stored(run(FULL, 3e9, 1e9, 5e9), run(BEFORE, 2e9, 3e9, 7e9))
    groups = await server.groups(f"{BY_SIZE}&where=file_size:2000000")
    assert {(g["method"], g["median"]) for g in groups} == {
        ("graded-files", 1e9),
        ("graded-files-quick", 3e9),
    }
    groups = await server.groups("metric=disk.write_average")
    assert {(g["method"], g["median"]) for g in groups} == {
        ("graded-files", 3e9),
        ("graded-files-quick", 2e9),
    }


async def test_a_quick_run_says_what_ran_and_has_all_its_samples(server: Server) -> None:
    document = run(QUICK, 2e9, 3e9, 7e9)
    await server.stored(document)
    page = (await server.client.get(f"/api/v1/runs/{document['id']}")).json()
    assert (page["method"], page["method_version"]) == ("graded-files", 1)
    assert page["stated_method"] == "graded-files-quick 2"
    assert [flag["code"] for flag in page["flags"]] == ["quick"]
    values = {result["metric"]: result["values"] for result in page["results"]}
    assert values["disk.quick_write_average"] == [2e9]
    assert values["disk.quick_write_flushed_average"] == [1e9]
    assert values["disk.write_speed"] == [7e9]
    assert "disk.write_average" not in values
    facts = {f["name"]: f["value"] for part in page["words"]["facts"] for f in part["facts"]}
    assert facts["Method"] == "graded-files-quick 2"
    assert facts["Counts with"] == "graded-files 1"


async def test_an_average_cannot_be_sent_twice_under_both_names(server: Server) -> None:
    document = run(QUICK, 2e9, 3e9, 7e9)
    document["series"].append({"metric": "disk.quick_write_average", "values": [9e9]})
    refused = await server.put(document)
    assert refused.status_code == 422, refused.text
