"""GET /api/v1/runs and /runs/{id}."""

from __future__ import annotations

import uuid

from support.documents import by_file_size, disk_run
from support.server import Server


async def test_an_absent_run_is_404(server: Server) -> None:
    response = await server.client.get(f"/api/v1/runs/{uuid.uuid4()}")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


async def test_pages_follow_one_another_without_gap_or_repetition(server: Server) -> None:
    runs = [disk_run() for _ in range(7)]
    await server.stored(*runs)
    ids: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = (await server.client.get(f"/api/v1/runs?limit=3{cursor}")).json()
        assert page["total"] == 7
        ids += [item["id"] for item in page["items"]]
        cursor = f"&cursor={page['next']}" if page["next"] else None
    assert ids == [run["id"] for run in reversed(runs)]


async def test_a_bad_cursor_says_so(server: Server) -> None:
    response = await server.client.get("/api/v1/runs?cursor=later")
    assert (response.status_code, response.json()["pointer"]) == (422, "?cursor")


async def test_the_list_takes_the_filters_of_questions(server: Server) -> None:
    await server.stored(disk_run(storage="usb4"), disk_run(storage="internal"))
    page = (await server.client.get("/api/v1/runs?where=storage:usb4")).json()
    assert [item["storage"] for item in page["items"]] == ["usb4"]
    refused = await server.client.get("/api/v1/runs?where=file_size:2000000")
    assert refused.json()["pointer"] == "?where"


async def test_a_runs_samples_keep_their_order_and_positions(server: Server) -> None:
    series = by_file_size({2_000_000: [3e9, 1e9, 2e9]})
    series[0]["positions"] = [4, 0, 9]
    run = disk_run(series=series)
    await server.stored(run)
    detail = (await server.client.get(f"/api/v1/runs/{run['id']}")).json()
    (result,) = detail["results"]
    assert result["values"] == [3e9, 1e9, 2e9]
    assert result["positions"] == [4, 0, 9]
    assert (result["p50"], result["min"], result["max"]) == (2e9, 1e9, 3e9)
    assert detail["document_bytes"] > 0


async def test_results_of_file_sizes_stand_by_size(server: Server) -> None:
    sizes = [2_000_000, 10_000_000, 4_000_000]
    run = disk_run(series=by_file_size({size: [1e9] for size in sizes}))
    await server.stored(run)
    detail = (await server.client.get(f"/api/v1/runs/{run['id']}")).json()
    listed = [result["parameters"]["file_size"] for result in detail["results"]]
    assert listed == sorted(sizes)


async def test_every_documents_kind_of_flag_is_told_in_words(server: Server) -> None:
    run = disk_run(
        environment={
            "power_source": "battery",
            "power_mode": "low",
            "thermal_state": "serious",
            "busy": ["spotlight"],
        },
        target={"storage": "usb4", "capacity_bytes": 1000, "free_bytes": 50},
    )
    await server.stored(run)
    flags = (await server.client.get(f"/api/v1/runs/{run['id']}")).json()["flags"]
    assert [flag["code"] for flag in flags] == [
        "on_battery",
        "low_power_mode",
        "hot",
        "busy_system",
        "nearly_full",
    ]
    assert all(flag["sentence"] for flag in flags)


async def test_a_list_tells_the_chief_figures_of_every_run(server: Server) -> None:
    averages = disk_run()
    by_size = disk_run(series=by_file_size({2_000_000: [3e9], 4_000_000: [5e9]}))
    await server.stored(averages, by_size)
    page = (await server.client.get("/api/v1/runs")).json()
    chief = {item["id"]: item["chief"] for item in page["items"]}
    assert chief[averages["id"]][0]["metric"] == "disk.write_average"
    (figure, *_) = chief[by_size["id"]]
    assert (figure["low"], figure["high"], figure["results"]) == (3e9, 5e9, 2)
    assert all(0 < len(figures) <= 2 for figures in chief.values())


async def test_a_printed_ratio_is_told_as_it_is_printed(published_server: Server) -> None:
    page = (await published_server.client.get("/api/v1/runs?limit=200")).json()
    chief = {item["citation"]["row"]: item["chief"] for item in page["items"]}
    assert all(chief.values())
    (figure,) = chief["m025"]
    assert (figure["printed"], figure["ratio"], figure["low"]) == ("97%", True, None)


async def test_a_run_says_what_similar_macs_may_have_in_common(server: Server) -> None:
    environment = {"os_version": "26.4", "power_mode": "low"}
    run = disk_run(storage="usb4", encryption="none", environment=environment)
    await server.stored(run)
    detail = (await server.client.get(f"/api/v1/runs/{run['id']}")).json()
    assert detail["similar"] == {
        "chip": "Apple M4 Pro",
        "storage": "usb4",
        "encryption": "none",
        "virtual": False,
        "os_version": "26.4",
        "power_mode": "low",
    }
