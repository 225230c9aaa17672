"""GET /api/v1/facets: values and counts, each dimension under the others' filters."""

from __future__ import annotations

import uuid
from typing import Any

from support.documents import Document, by_file_size, disk_run
from support.server import Server


async def facets(server: Server, query: str) -> dict[str, dict[Any, tuple[int, int]]]:
    response = await server.client.get(f"/api/v1/facets?{query}")
    assert response.status_code == 200, response.text
    return {
        dimension["name"]: {v["value"]: (v["runs"], v["machines"]) for v in dimension["values"]}
        for dimension in response.json()["dimensions"]
    }


async def story(server: Server) -> None:
    machine = str(uuid.uuid4())
    await server.stored(
        disk_run(machine=machine, storage="usb4", encryption="none", read=3e9),
        disk_run(machine=machine, storage="usb4", encryption="apfs_encrypted", read=3e9),
        disk_run(storage="internal", encryption="filevault", read=None),
        disk_run(storage="internal", encryption="filevault", state="incomplete"),
    )


async def test_runs_and_machines_are_counted(server: Server) -> None:
    await story(server)
    counts = await facets(server, "metric=disk.write_average")
    assert counts["storage"] == {"usb4": (2, 1), "internal": (1, 1)}
    assert counts["chip_family"] == {"M4": (3, 2)}
    assert "device" not in counts  # nobody stated one


async def test_a_filtered_dimension_keeps_its_alternatives(server: Server) -> None:
    await story(server)
    counts = await facets(server, "metric=disk.write_average&where=storage:usb4")
    assert counts["storage"] == {"usb4": (2, 1), "internal": (1, 1)}
    assert counts["encryption"] == {"none": (1, 1), "apfs_encrypted": (1, 1)}


async def test_only_runs_with_the_metric_count_and_doubtful_ones_on_request(server: Server) -> None:
    await story(server)
    assert (await facets(server, "metric=disk.read_average"))["storage"] == {"usb4": (2, 1)}
    included = await facets(server, "metric=disk.write_average&flagged=include")
    assert included["storage"]["internal"] == (2, 2)
    everything = await facets(server, "")
    assert everything["storage"]["internal"] == (2, 2)


async def test_metrics_are_those_of_the_runs_that_pass(server: Server) -> None:
    await story(server)

    async def metrics(query: str) -> list[str]:
        response = await server.client.get(f"/api/v1/facets?{query}")
        metrics: list[str] = response.json()["metrics"]
        return metrics

    assert await metrics("") == ["disk.write_average", "disk.read_average"]
    assert await metrics("where=storage:internal") == ["disk.write_average"]
    assert await metrics("where=storage:sd_card") == []
    doubtful = "where=chip:Apple%20M1"
    await server.stored(disk_run(chip="Apple M1", read=None, state="incomplete"))
    assert await metrics(doubtful) == []
    assert await metrics(f"{doubtful}&flagged=include") == ["disk.write_average"]


async def test_sample_dimensions_belong_to_the_metric(server: Server) -> None:
    await server.stored(disk_run(series=by_file_size({2_000_000: [1e9], 4_000_000: [2e9]})))
    counts = await facets(server, "metric=disk.write_speed&where=file_size:2000000")
    assert counts["file_size"] == {2e6: (1, 1), 4e6: (1, 1)}
    assert "file_size" not in await facets(server, "metric=disk.write_average")


async def test_private_runs_are_not_counted(server: Server) -> None:
    await server.put(disk_run(storage="thunderbolt5"), server.token("fleet"))
    assert await facets(server, "") == {}


async def test_an_unknown_metric_is_named(server: Server) -> None:
    response = await server.client.get("/api/v1/facets?metric=speed")
    assert (response.status_code, response.json()["pointer"]) == (422, "?metric")


async def test_labels_of_workloads_are_dimensions_of_their_own(server: Server) -> None:
    def workload(**labels: str) -> Document:
        series = [{"metric": "workload.duration", "parameters": {"test": "build"}, "values": [4]}]
        return disk_run(suite="workload", target=None, series=series, labels=labels)

    await server.stored(
        workload(iops="3000"),
        workload(iops="12000", zone="a"),
        workload(**{"a:b": "no question can name it", "x!": "nor this"}),
        disk_run(labels={"iops": "9000"}),
    )
    counts = await facets(server, "metric=workload.duration")
    assert counts["label:iops"] == {"3000": (1, 1), "12000": (1, 1), None: (1, 1)}
    assert [name for name in counts if name.startswith("label:")] == ["label:iops", "label:zone"]
    narrowed = await facets(server, "metric=workload.duration&where=label:iops:3000")
    assert set(narrowed["label:iops"]) == {"3000", "12000", None}
    assert "label:iops" not in await facets(server, "metric=disk.write_average")
