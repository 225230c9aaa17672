"""Two to eight sides: ratios, verdicts, missing comparisons, and the coverage of a mean."""

from __future__ import annotations

import csv
import io
import uuid
from typing import Any

import pytest
from support.documents import Document, by_file_size, disk_run
from support.server import Server

WRITE, READ = "metric=disk.write_average", "metric=disk.read_average"
M1, M4 = "side=1:chip:Apple M1 Max", "side=2:chip:Apple M4 Max"
Json = dict[str, Any]


async def compared(server: Server, query: str) -> Json:
    response = await server.client.get(f"/api/v1/compare?{query}")
    assert response.status_code == 200, response.text
    comparison: Json = response.json()
    return comparison


def m1(write: float = 5e9, **changes: Any) -> Document:
    return disk_run(chip="Apple M1 Max", write=write, **changes)


def m4(write: float = 6e9, **changes: Any) -> Document:
    return disk_run(chip="Apple M4 Max", write=write, **changes)


async def test_sides_have_figures_ratio_interval_and_verdict(server: Server) -> None:
    await server.stored(
        *(m1(5e9 + i * 1e7) for i in range(8)), *(m4(7e9 + i * 1e7) for i in range(9))
    )
    result = await compared(server, f"{WRITE}&{M1}&{M4}&label=1:Old one")
    assert [side["label"] for side in result["comparison"]["sides"]] == ["Old one", "Apple M4 Max"]
    (row,) = result["rows"]
    base, other = row["cells"]
    assert (base["machines"], other["machines"]) == (8, 9)
    assert "ratio" not in base
    ratio = other["ratio"]
    assert ratio["value"] == pytest.approx(other["median"] / base["median"])
    assert 1 < ratio["ci_low"] <= ratio["value"] <= ratio["ci_high"]
    assert (ratio["pairing"], ratio["verdict"]["answer"]) == ("unpaired", "different")
    turned = (await compared(server, f"{WRITE}&{M1}&{M4}&baseline=2"))["rows"][0]["cells"][0]
    assert turned["ratio"]["value"] == pytest.approx(1 / ratio["value"])
    again = await compared(server, result["comparison"]["canonical"])
    assert again["rows"] == result["rows"]


async def test_the_same_machines_on_both_sides_make_pairs(server: Server) -> None:
    for i in range(6):
        machine = str(uuid.uuid4())
        await server.stored(
            m1((i + 1) * 0.5e9, machine=machine, storage="usb4", encryption="none"),
            m1((i + 1) * 0.45e9, machine=machine, storage="usb4", encryption="apfs_encrypted"),
        )
    comparison = await compared(
        server, f"{WRITE}&side=1:encryption:none&side=2:encryption:apfs_encrypted"
    )
    ratio = comparison["rows"][0]["cells"][1]["ratio"]
    assert (ratio["pairing"], ratio["pairs"]) == ("paired", 6)
    assert ratio["value"] == pytest.approx(0.9)
    assert ratio["unlike"] == []
    assert ratio["agreement"] == {"same": 6, "of": 6}
    figure = comparison["figure"]["sides"]["areas"][0]["rows"][0]["figures"][1]
    assert (figure["verdict"], figure["clear"]) == ("6 of 6 pairs slower.", True)


async def test_a_guest_is_paired_with_its_host(server: Server) -> None:
    host = str(uuid.uuid4())
    guest = {"os_version": "26.4", "virtual_machine": {"vcpus": 4, "host_machine_id": host}}
    await server.stored_by_fleet(m4(6e9, machine=host), m4(5e9), m4(3e9, environment=guest))
    comparison = await compared(server, f"{WRITE}&side=1:virtual:false&side=2:virtual:true")
    ratio = comparison["rows"][0]["cells"][1]["ratio"]
    assert (ratio["pairing"], ratio["pairs"], ratio["value"]) == ("paired", 1, 0.5)


async def test_figures_of_another_method_stand_in_another_row(server: Server) -> None:
    await server.stored(m1(), m4(method={"name": "graded-files", "version": 2}))
    comparison = await compared(server, f"{WRITE}&{M1}&{M4}")
    assert [row["method_version"] for row in comparison["rows"]] == [1, 2]
    assert comparison["rows"][0]["cells"][1]["missing"]["code"] == "other_method"
    assert comparison["rows"][1]["cells"][1]["no_ratio"]["code"] == "no_baseline"
    mean = comparison["geometric_mean"]
    assert (mean["covers"], mean["sides"]) == ([], [])
    assert {left_out["reason"] for left_out in mean["left_out"]} == {"not_all_sides"}


async def test_another_case_around_the_drive_is_marked(server: Server) -> None:
    drive = {"storage": "thunderbolt5", "encryption": "none"}
    await server.stored(
        m1(target={**drive, "enclosure": "Case A"}), m4(target={**drive, "enclosure": "Case B"})
    )
    ratio = (await compared(server, f"{WRITE}&{M1}&{M4}"))["rows"][0]["cells"][1]["ratio"]
    assert [(u["dimension"], u["of"], u["to"]) for u in ratio["unlike"]] == [
        ("enclosure", ["Case B"], ["Case A"])
    ]


async def test_what_else_differs_is_marked(server: Server) -> None:
    await server.stored(
        m1(encryption="filevault"), m4(encryption="hardware"), m4(state="incomplete")
    )
    comparison = await compared(server, f"{WRITE}&{M1}&{M4}")
    ratio = comparison["rows"][0]["cells"][1]["ratio"]
    assert [(u["dimension"], u["of"], u["to"]) for u in ratio["unlike"]] == [
        ("encryption", ["hardware"], ["filevault"])
    ]
    assert "unlike" in {note["code"] for note in comparison["notes"]}
    assert comparison["rows"][0]["excluded"] == [
        {"side": 2, "reason": "incomplete", "severity": "doubt", "runs": 1}
    ]
    meant = f"{WRITE}&{M1}&{M4}&side=1:encryption:filevault&side=2:encryption:hardware"
    assert (await compared(server, meant))["rows"][0]["cells"][1]["ratio"]["unlike"] == []


async def test_what_confounds_is_named_with_its_own_effect_and_the_way_out(
    server: Server,
) -> None:
    """M1 with FileVault against M4 without; M2 has both, and is 10% faster without."""
    for number in range(8):
        near = 1 + number / 1000
        await server.stored_by_fleet(
            m1(5e9 * near, encryption="filevault"),
            m4(6e9 * near, encryption="hardware"),
            disk_run(chip="Apple M2 Max", write=5e9 * near, encryption="filevault"),
            disk_run(chip="Apple M2 Max", write=5.5e9 * near, encryption="hardware"),
        )
    comparison = await compared(server, f"{WRITE}&{M1}&{M4}&version=2")
    ratio = comparison["rows"][0]["cells"][1]["ratio"]
    assert ratio["verdict"]["answer"] == "confounded"
    assert ratio["bias"]["dimension"] == "encryption"
    assert ratio["bias"]["value"] == pytest.approx(1.1, rel=0.01)
    sides = comparison["figure"]["sides"]
    assert comparison["figure"].get("finding", "") == ""
    caution = sides["cautions"][0]
    assert (caution["grade"], caution["lead"]) == ("confounded", "Confounded by encryption.")
    text = caution["text"].replace("\u2009", " ")
    assert "Elsewhere that alone makes 10 % faster, so M4 Max without it would be about +9" in text
    # It rests on runs of neither side, which a frozen comparison doesn't know.
    saved = await server.client.post(
        "/api/v1/comparisons", json={"question": f"{WRITE}&{M1}&{M4}&version=2"}
    )
    assert "bias" not in saved.json()["answer"]["rows"][0]["cells"][1]["ratio"]


def imaged(run: Document, image_format: str, os_version: str = "26.4") -> Document:
    run["target"] = {"storage": "disk_image", "encryption": "none"}
    run["target"]["image"] = {"format": image_format}
    run["environment"] = {"os_version": os_version}
    return run


async def test_images_of_several_formats_or_systems_get_no_ratio(server: Server) -> None:
    await server.stored(
        imaged(m1(), "asif"),
        imaged(m4(), "raw"),
        imaged(m4(), "asif"),
        imaged(m4(), "asif", "26.1"),
    )

    async def refused(extra: str) -> str | None:
        comparison = await compared(server, f"{WRITE}&{M1}&{M4}{extra}")
        code: str | None = comparison["rows"][0]["cells"][1].get("no_ratio", {}).get("code")
        return code

    assert await refused("") == "mixed_image_format"
    assert await refused("&side=2:image_format:asif") == "mixed_os_version"
    assert await refused("&side=2:image_format:asif&side=2:os_version:26.1") is None
    assert await refused("&where=image_format:asif&where=os_version:26.4") is None
    other = "&where=os_version:26.4&side=2:image_format!:asif"
    assert await refused(other) is None
    await server.stored(imaged(disk_run(chip="Apple M2 Max"), "raw"))
    comparison = await compared(server, f"{WRITE}&{M1}&side=2:chip:Apple M2 Max")
    assert comparison["rows"][0]["cells"][1]["no_ratio"]["code"] == "other_image_format"


async def test_a_refusal_names_the_values_that_mend_it(server: Server) -> None:
    await server.stored(imaged(m1(), "asif"), imaged(m4(), "raw"), imaged(m4(), "asif"))
    comparison = await compared(server, f"{WRITE}&{M1}&{M4}")
    refusal = comparison["rows"][0]["cells"][1]["no_ratio"]
    assert (refusal["dimension"], refusal["values"]) == ("image_format", ["asif"])
    notes = {note["code"]: note for note in comparison["figure"]["notes"]}
    offers = [(offer["text"], offer["where"]) for offer in notes["mixed_image_format"]["offers"]]
    assert [where for _, where in offers] == ["image_format:asif"]
    mended = await compared(server, f"{WRITE}&{M1}&{M4}&where={offers[0][1]}")
    assert "ratio" in mended["rows"][0]["cells"][1]


async def test_areas_have_their_own_means_with_intervals(server: Server) -> None:
    """Six machines per side: disks twice as fast, compression a third faster by time."""

    def compression(seconds: float, chip: str) -> Document:
        series = [{"metric": "workload.duration", "values": [seconds]}]
        method = {"name": "m", "version": 1}
        return disk_run(suite="workload", method=method, chip=chip, series=series)

    for number in range(6):
        wider = 1 + number / 100
        await server.stored_by_fleet(
            m1(write=3e9 * wider, read=2e9 * wider), m4(write=6e9 * wider, read=4e9 * wider)
        )
        await server.stored_by_fleet(
            compression(3 * wider, "Apple M1 Max"), compression(2 * wider, "Apple M4 Max")
        )
    question = f"metric=disk.read_average&{WRITE}&metric=workload.duration&{M1}&{M4}"
    comparison = await compared(server, question)
    disk, workload = comparison["geometric_mean"]["areas"]
    assert (disk["suite"], disk["metrics"]) == ("disk", 2)
    assert disk["sides"][0] == {"side": 1, "value": 1}
    side = disk["sides"][1]
    assert side["value"] == pytest.approx(2)
    assert side["ci_low"] < 2 < side["ci_high"]
    assert (workload["suite"], workload["metrics"]) == ("workload", 1)
    assert workload["sides"][1]["value"] == pytest.approx(1.5)
    # The API has means, but the page has none of unlike things.
    areas = comparison["figure"]["sides"]["areas"]
    assert [(area["title"], area["told"]) for area in areas] == [
        ("Storage", "2 figures"),
        ("Workloads", "1 figure"),
    ]
    assert "eometric" not in str(comparison["figure"])


async def test_a_missing_cell_is_seen_and_the_mean_says_what_it_covers(server: Server) -> None:
    series = [
        {"metric": "disk.write_average", "values": [1e9]},
        {"metric": "disk.read_average", "values": [8e9]},
    ]
    speeds = by_file_size({2_000_000: [4e9], 10_000_000: [9e9]})
    await server.stored(
        m1(write=5e9, read=2e9), disk_run(chip="Apple M4 Max", series=series), m1(series=speeds)
    )
    sized = "metric=disk.write_speed@file_size:2000000"
    comparison = await compared(server, f"{WRITE}&{READ}&{sized}&{M1}&{M4}")
    assert [row["metric"] for row in comparison["rows"]] == [
        "disk.read_average",
        "disk.write_average",
        "disk.write_speed",
    ]
    assert comparison["rows"][2]["parameters"] == {"file_size": 2_000_000}
    assert comparison["rows"][2]["cells"][0]["median"] == 4e9
    assert comparison["rows"][2]["cells"][1]["missing"]["code"] == "not_measured"
    mean = comparison["geometric_mean"]
    assert [covered["metric"] for covered in mean["covers"]] == [
        "disk.read_average",
        "disk.write_average",
    ]
    # Four times the read speed, a fifth of the write speed.
    assert mean["sides"][1]["value"] == pytest.approx((4 * 0.2) ** 0.5)
    assert [omitted["reason"] for omitted in mean["left_out"]] == ["not_all_sides"]


async def test_where_less_is_better_the_mean_is_turned(server: Server) -> None:
    def timed(seconds: float, chip: str) -> Document:
        series = [{"metric": "workload.duration", "values": [seconds]}]
        method = {"name": "m", "version": 1}
        return disk_run(suite="workload", method=method, chip=chip, series=series)

    await server.stored(timed(10, "Apple M1 Max"), timed(5, "Apple M4 Max"))
    comparison = await compared(server, f"metric=workload.duration&{M1}&{M4}")
    assert comparison["rows"][0]["cells"][1]["ratio"]["value"] == 0.5
    assert comparison["geometric_mean"]["sides"][1]["value"] == pytest.approx(2)


async def test_runs_on_both_sides_are_told(server: Server) -> None:
    await server.stored(m1(), m4(), m4())
    comparison = await compared(server, f"{WRITE}&side=1:&{M4}")
    assert comparison["rows"][0]["cells"][1]["ratio"]["shared_runs"] == 2
    assert "shared_runs" in {note["code"] for note in comparison["notes"]}


async def test_the_file_says_the_same(server: Server) -> None:
    await server.stored(m1(), m4(), m4(8e9))
    question = f"{WRITE}&{READ}&{M1}&{M4}&side=3:chip:none&label=3:=evil()"
    comparison = await compared(server, question)
    text = (await server.client.get(f"/api/v1/compare.csv?{question}")).text
    lines = list(csv.DictReader(io.StringIO(text, newline="")))
    cells = [cell for row in comparison["rows"] for cell in row["cells"]]
    assert len(lines) == len(cells) == 6
    for line, cell in zip(lines, cells, strict=True):
        assert line["missing"] == cell.get("missing", {}).get("code", "")
        if "median" in cell:
            assert float(line["median"]) == cell["median"]
        if "ratio" in cell:
            assert float(line["ratio"]) == cell["ratio"]["value"]
            assert line["verdict"] == cell["ratio"]["verdict"]["answer"]
    assert not lines[2]["label"].startswith("=")


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        (f"{WRITE}&side=1:", "?side"),
        (f"{WRITE}&side=1:&side=3:", "?side"),
        (f"{WRITE}&side=0:&side=1:", "?side"),
        (f"{WRITE}&side=1&side=2:", "?side"),
        (f"{WRITE}&side=1:chip:Apple M1 Max&side=2:&where=chip:Apple M1 Max", "?side"),
        (f"{WRITE}&side=1:&side=2:&baseline=3", "?baseline"),
        (f"{WRITE}&side=1:&side=2:&label=3:x", "?label"),
        (f"{WRITE}&side=1:&side=2:&label=1:", "?label"),
        (f"{WRITE}&side=1:&side=2:&label=1:\u200b\u2060", "?label"),
        (f"{WRITE}&side=1:&side=2:&by=chip", "?by"),
        (f"{WRITE}&side=1:&side=2:&where=threads:1", "?where"),
        (f"{WRITE}@threads:1&side=1:&side=2:", "?metric"),
        (f"{WRITE}@file_size&side=1:&side=2:", "?metric"),
        ("metric=disk.write_speed&side=1:&side=2:", "?metric"),
        ("metric=speed&side=1:&side=2:", "?metric"),
        ("side=1:&side=2:", "?metric"),
    ],
)
async def test_what_is_no_comparison_is_refused(
    empty_server: Server, query: str, pointer: str
) -> None:
    refused = await empty_server.client.get(f"/api/v1/compare?{query}")
    assert (refused.status_code, refused.json()["pointer"]) == (422, pointer), refused.text
