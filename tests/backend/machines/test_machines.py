"""Machines in a list, over time, and compared with similar ones."""

from __future__ import annotations

import uuid
from typing import Any

from macmeter.statistics.changes import SHORTEST
from support.documents import Document, by_file_size, disk_run
from support.published import store_published
from support.server import Server

WRITE = "metric=disk.write_average"


async def get(server: Server, path: str, status: int = 200) -> Any:
    response = await server.client.get(f"/api/v1/{path}")
    assert response.status_code == status, response.text
    return response.json()


def on_day(day: int, machine: str, write: float, os_version: str, **changes: Any) -> Document:
    return disk_run(
        machine=machine,
        write=write,
        read=None,
        started_at=f"2026-10-{day:02}T10:00:00Z",
        environment={"os_version": os_version},
        **changes,
    )


async def test_machines_are_found_by_words_and_filters(server: Server) -> None:
    mini, studio = str(uuid.uuid4()), str(uuid.uuid4())
    await server.stored(
        disk_run(machine=mini),
        disk_run(machine=mini, storage="usb4"),
        disk_run(machine=studio, chip="Apple M2 Ultra"),
    )
    page = await get(server, "machines")
    assert [(item["id"], item["runs"]) for item in page["items"]] == [(studio, 1), (mini, 2)]
    assert [item["id"] for item in (await get(server, "machines?q=ultra+m2"))["items"]] == [studio]
    assert (await get(server, "machines?q=100%25"))["total"] == 0
    matching = await get(server, f"machines?q={mini[:13]}")
    assert [item["id"] for item in matching["items"]] == [mini]
    filtered = await get(server, "machines?where=storage:usb4")
    assert [(item["id"], item["runs"]) for item in filtered["items"]] == [(mini, 1)]


async def test_pages_of_machines_follow_one_another(server: Server) -> None:
    machines = [str(uuid.uuid4()) for _ in range(5)]
    await server.stored(*(disk_run(machine=machine) for machine in machines))
    first = await get(server, "machines?limit=3")
    second = await get(server, f"machines?limit=3&cursor={first['next']}")
    assert [item["id"] for item in first["items"] + second["items"]] == machines[::-1]
    assert (first["total"], second["next"]) == (5, None)


async def test_a_machine_tells_what_it_is_and_has_measured(server: Server) -> None:
    machine = str(uuid.uuid4())
    await server.stored(
        on_day(1, machine, 5e9, "26.1"),
        on_day(9, machine, 5e9, "26.2"),
        disk_run(
            machine=machine,
            started_at="2026-10-10T10:00:00Z",
            environment={"os_version": "26.2"},
            series=by_file_size({2_000_000: [1e9], 10_000_000: [2e9]}),
        ),
    )
    page = await get(server, f"machines/{machine}")
    assert (page["chip"], page["runs"], page["os_version"]) == ("Apple M4 Pro", 3, "26.2")
    assert [(v["os_version"], v["runs"]) for v in page["os_versions"]] == [
        ("26.1", 1),
        ("26.2", 2),
    ]
    assert {m["metric"]: (m["runs"], m["parameters"]) for m in page["measured"]} == {
        "disk.write_average": (2, [{}]),
        "disk.write_speed": (1, [{"file_size": 2_000_000}, {"file_size": 10_000_000}]),
    }
    await get(server, f"machines/{uuid.uuid4()}", 404)


async def test_what_an_article_prints_has_no_place_in_a_history_of_macos(server: Server) -> None:
    """No article gives the day of its measurements."""
    article_run = disk_run(
        source="published",
        started_at=None,
        finished_at=None,
        citation={
            "title": "Which external drive?",
            "author": "A. Writer",
            "publisher": "The Light Company",
            "article": "a900",
            "row": "m900",
        },
        method={"name": "of-an-article", "version": 1, "parameters": {}},
        environment={"os_version": "15.1"},
    )
    await store_published(server, article_run)
    page = await get(server, f"machines/{article_run['machine']['id']}")
    assert (page["runs"], page["os_versions"]) == (1, [])


async def test_a_line_joins_only_what_was_measured_alike(server: Server) -> None:
    machine = str(uuid.uuid4())
    target = {"storage": "internal", "encryption": "filevault"}
    other_method = {"name": "graded-files", "version": 2}
    await server.stored(
        on_day(1, machine, 5e9, "26.1"),
        on_day(2, machine, 5.1e9, "26.1"),
        on_day(3, machine, 3e9, "26.1", storage="usb4"),
        on_day(4, machine, 4e9, "26.1", target={**target, "device_id": "a1"}),
        on_day(5, machine, 4e9, "26.1", target={**target, "device_id": "b2"}),
        on_day(6, machine, 2e9, "26.1", method=other_method),
        on_day(7, machine, 9e9, "26.1", state="incomplete"),
        on_day(8, machine, 1e9, "26.1", target={**target, "enclosure": "Example Case"}),
    )
    timeline = await get(server, f"machines/{machine}/timeline?{WRITE}")
    lines = [[point["value"] for point in line["points"]] for line in timeline["lines"]]
    assert lines[0] == [5e9, 5.1e9]
    assert sorted(lines[1:]) == [[1e9], [2e9], [3e9], [4e9], [4e9]]
    timeline = await get(server, f"machines/{machine}/timeline?{WRITE}&flagged=include")
    assert [point["flags"] for point in timeline["lines"][0]["points"]] == [[], [], ["incomplete"]]


async def test_a_change_of_level_is_marked_with_the_update_that_it_came_with(
    server: Server,
) -> None:
    machine = str(uuid.uuid4())
    runs = [
        on_day(day, machine, (5e9 if day <= 8 else 4e9) + day * 1e6, "26.1" if day <= 8 else "26.2")
        for day in range(1, 17)
    ]
    await server.stored(*runs)
    (line,) = (await get(server, f"machines/{machine}/timeline?{WRITE}"))["lines"]
    (change,) = line["changes"]
    assert change["run_id"] == runs[8]["id"]
    assert (change["os_before"], change["os_after"]) == ("26.1", "26.2")
    assert 0.79 < change["ratio"] < 0.81
    assert line["os_updates"] == [{"run_id": runs[8]["id"], "before": "26.1", "after": "26.2"}]
    assert (line["days"], line["fewest_days"]) == (16, SHORTEST)


async def test_runs_of_one_day_count_once_towards_a_change(server: Server) -> None:
    machine = str(uuid.uuid4())
    await server.stored(
        *(
            on_day(day, machine, (6 - day) * 1e9 + run * 1e6, "26.1")
            for day in (1, 2)
            for run in range(8)
        )
    )
    (line,) = (await get(server, f"machines/{machine}/timeline?{WRITE}"))["lines"]
    assert (len(line["points"]), line["days"], line["changes"]) == (16, 2, [])


async def test_a_place_has_its_cohort_and_none_is_told_among_few(server: Server) -> None:
    machine, query = str(uuid.uuid4()), f"percentile?{WRITE}&where=chip_family:M4"
    run = disk_run(machine=machine, write=5.5e9)
    await server.stored(run, *(disk_run(write=(i + 1) * 1e9) for i in range(9)))
    small = await get(server, f"{query}&machine={machine}")
    assert (small["machines"], small["minimum"], small["value"]) == (9, 10, 5.5e9)
    assert small["place"] is small["cohort"] is None
    # Machines with another chip, or measured by another method, are not similar.
    await server.stored(
        disk_run(write=1e9, chip="Apple M1"),
        disk_run(write=1e9, method={"name": "graded-files", "version": 2}),
        disk_run(write=9.5e9),
    )
    for subject in (f"machine={machine}", f"run={run['id']}"):
        response = await get(server, f"{query}&{subject}")
        assert response["machines"] == 10
        assert (response["place"]["percentile"], response["place"]["better_than"]) == (50, 5)
        assert response["cohort"]["median"] == 5.5e9
    refused = await get(server, f"{query}&where=storage:usb4&machine={machine}", 422)
    assert refused["code"] == "not_in_cohort"


async def test_less_is_better_of_durations(server: Server) -> None:
    def timed(seconds: float) -> Document:
        series = [{"metric": "workload.duration", "values": [seconds]}]
        return disk_run(suite="workload", method={"name": "m", "version": 1}, series=series)

    quick = timed(1.0)
    await server.stored(quick, *(timed(10.0 + i) for i in range(10)))
    response = await get(server, f"percentile?metric=workload.duration&run={quick['id']}")
    assert (response["place"]["percentile"], response["place"]["better_than"]) == (100, 10)
