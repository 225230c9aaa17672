"""GET /api/v1/answer about small stories whose figures can be computed by hand."""

from __future__ import annotations

import uuid

import numpy as np
import pytest
from macmeter.statistics.run_intervals import FEWEST_RUNS, limits_of_runs
from support.documents import by_file_size, disk_run
from support.server import Server

WRITE = "metric=disk.write_average"


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("", "?metric"),
        ("metric=disk.speed", "?metric"),
        (
            "&".join(f"metric=disk.{m}" for m in ("write_average", "read_average")) + "&by=colour",
            "?by",
        ),
        (f"{WRITE}&by=storage&by=encryption&by=chip&by=model", "?by"),
        (f"{WRITE}&where=storage", "?where"),
        (f"{WRITE}&where=link_speed:fast", "?where"),
        (f"{WRITE}&where=link_speed:9..1", "?where"),
        (f"{WRITE}&where=virtual:maybe", "?where"),
        (f"{WRITE}&where=machine:mine", "?where"),
        (f"{WRITE}&relative_to=encryption!:none", "?relative_to"),
        (f"{WRITE}&weight=runs", "?weight"),
        (f"{WRITE}&flagged=yes", "?flagged"),
        (f"{WRITE}&version=3", "?version"),
        (f"{WRITE}&sort=median", "?sort"),
        (f"{WRITE}&by=file_size", "?by"),
        ("metric=disk.write_speed", "?by"),
        ("metric=disk.write_speed&where=file_size:1..9", "?by"),
        (
            "metric=disk.write_speed&where=file_size:2000000&where=file_size:4000000",
            "?by",
        ),
        ("metric=cores.loop_rate&by=kernel&by=threads", "?by"),
        (f"{WRITE}&where=storage:%00", "?where"),
        (f"{WRITE}&where=storage:%ff", "?"),
    ],
)
async def test_a_question_that_cannot_be_answered_names_the_parameter(
    empty_server: Server, query: str, pointer: str
) -> None:
    response = await empty_server.client.get(f"/api/v1/answer?{query}")
    assert response.status_code == 422, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["pointer"] == pointer


async def test_without_runs_there_are_no_groups(empty_server: Server) -> None:
    answer = await empty_server.answer(WRITE)
    assert answer["results"][0]["groups"] == []


async def test_the_canonical_form_sorts_and_drops_defaults(server: Server) -> None:
    answer = await server.answer(
        "weight=machine&where=storage:usb4&version=1&metric=disk.write_average&by=storage&by=chip"
        "&where=chip_family!:M1&flagged=exclude&where=storage:usb4"
    )
    canonical = answer["question"]["canonical"]
    assert canonical == (
        "by=chip&by=storage&metric=disk.write_average&where=chip_family!:M1&where=storage:usb4"
    )
    assert (await server.answer(canonical))["question"] == answer["question"]


async def test_machines_count_once_however_many_runs_they_have(server: Server) -> None:
    busy, calm = str(uuid.uuid4()), str(uuid.uuid4())
    runs = [disk_run(machine=busy, write=w) for w in (1e9, 2e9, 6e9)] + [
        disk_run(machine=calm, write=8e9)
    ]
    await server.stored(*runs)
    (group,) = await server.groups(WRITE)
    assert (group["machines"], group["runs"], group["samples"]) == (2, 4, 4)
    assert group["median"] == 5e9  # of the machines' medians 2 and 8
    (by_run,) = await server.groups(f"{WRITE}&weight=run")
    assert by_run["median"] == 4e9  # of 1, 2, 6 and 8


async def test_a_groups_percentiles_are_those_of_numpy(server: Server) -> None:
    speeds = [3.1e9, 4.7e9, 2.2e9, 8.9e9, 5.0e9, 6.3e9, 7.7e9]
    await server.stored(*(disk_run(write=speed) for speed in speeds))
    (group,) = await server.groups(WRITE)
    for name, quantile in (
        ("p10", 10),
        ("p25", 25),
        ("p75", 75),
        ("p90", 90),
        ("median", 50),
    ):
        assert group[name] == pytest.approx(np.percentile(speeds, quantile), rel=1e-12)
    assert (group["min"], group["max"]) == (min(speeds), max(speeds))
    assert group["mean"] == pytest.approx(np.mean(speeds))
    assert group["ci_low"] <= group["median"] <= group["ci_high"]


async def test_the_spread_is_the_mean_of_the_runs_own(server: Server) -> None:
    samples: list[list[float]] = [[1e9, 2e9, 3e9], [4e9, 5e9, 9e9, 9.5e9], [2e9, 2.1e9], [9e9]]
    await server.stored(*(disk_run(write=speeds) for speeds in samples))
    (group,) = await server.groups(WRITE)
    several = samples[:3]  # one sample has no spread
    assert group["spread"]["samples"] == 10
    for name, percentile in (("p10", 10), ("p90", 90)):
        expected = np.mean([np.percentile(values, percentile) for values in several])
        assert group["spread"][name] == pytest.approx(expected, rel=1e-3)
    expected = np.sqrt(np.mean([np.var(values, ddof=1) for values in several]))
    assert group["spread"]["sd"] == pytest.approx(expected, rel=2e-3)


async def test_no_interval_below_six_machines_and_the_same_digits_every_time(
    server: Server,
) -> None:
    await server.stored(*(disk_run(write=(5 + i) * 1e9) for i in range(5)))
    (group,) = await server.groups(WRITE)
    assert "ci_low" not in group
    await server.stored(disk_run(write=4.5e9))
    (first,) = await server.groups(WRITE)
    (again,) = await server.groups(WRITE)
    assert first["interval"] == "between machines"
    assert first == again


async def test_one_machines_interval_says_that_it_is_within_the_machine(
    server: Server,
) -> None:
    machine = str(uuid.uuid4())
    # Uploaded in another order than they were run: the order of running counts.
    speeds = [5e9 + 1e7 * (number * 7 % 25) for number in range(FEWEST_RUNS)]
    runs = [
        disk_run(machine=machine, write=speed, started_at=f"2026-03-{day:02}T10:00:00Z")
        for day, speed in enumerate(speeds, start=1)
    ]
    runs[-1]["environment"]["os_version"] = "26.5"
    await server.stored(*sorted(runs, key=str))
    (group,) = await server.groups(WRITE)
    assert group["interval"] == "within this machine"
    assert (group["ci_low"], group["ci_high"]) == limits_of_runs(np.array(speeds))
    (fewer,) = await server.groups(f"{WRITE}&where=os_version:26.4")
    assert fewer["runs"] == FEWEST_RUNS - 1
    assert "interval" not in fewer
    assert fewer["no_interval"] == "few_runs"
    (result,) = (await server.answer(f"{WRITE}&where=os_version:26.4"))["results"]
    assert "few_runs" in {note["code"] for note in result["notes"]}


async def test_macs_of_a_model_that_are_alike_are_no_independent_machines(server: Server) -> None:
    speeds = {f"Mac{number},1": (4 + number / 10) * 1e9 for number in range(6)}
    runs = [disk_run(write=speed * (1 + n / 1000)) for speed in speeds.values() for n in range(3)]
    for number, run in enumerate(runs):
        run["machine"]["model"] = [*speeds][number // 3]
    await server.stored(*runs)
    (group,) = await server.groups(WRITE)
    assert group["interval"] == "between models"
    (two_models,) = await server.groups(f"{WRITE}&where=model:Mac0,1&where=model:Mac5,1")
    assert two_models["interval"] == "between models"
    assert two_models["ci_low"] < two_models["min"] < two_models["max"] < two_models["ci_high"]
    # The chart says so, as such an interval looks like a fault otherwise.
    figure = (await server.answer(WRITE))["figure"]
    (chart,) = figure["charts"]
    assert "95% interval of the median; wide where a few models differ" in {
        entry["text"] for entry in chart["key"]
    }
    (lane,) = chart["cases"][0]["lanes"]
    assert lane["cells"]["interval"].endswith(" between models")


async def test_two_models_that_differ_by_half_have_no_interval(server: Server) -> None:
    runs = [disk_run(write=(3 + number / 1000) * 1e9) for number in range(12)]
    for number, run in enumerate(runs):
        run["machine"]["model"] = f"Mac{number % 2},1"
        run["series"][0]["values"] = [v * (1 + number % 2) for v in run["series"][0]["values"]]
    await server.stored(*runs)
    (result,) = (await server.answer(WRITE))["results"]
    (group,) = result["groups"]
    assert "ci_low" not in group
    assert group["no_interval"] == "few_models"
    assert "few_models" in {note["code"] for note in result["notes"]}
    by_model = await server.groups(f"{WRITE}&by=model")
    assert [group["interval"] for group in by_model] == ["between machines"] * 2


async def test_filters_are_or_inside_a_dimension_and_and_across(server: Server) -> None:
    await server.stored(
        disk_run(storage="usb4", encryption="none", write=3e9),
        disk_run(storage="thunderbolt5", encryption="none", write=5e9),
        disk_run(storage="thunderbolt5", encryption="apfs_encrypted", write=4e9),
        disk_run(storage="internal", encryption="none", write=7e9),
    )
    query = (
        f"{WRITE}&by=storage&where=storage:usb4&where=storage:thunderbolt5&where=encryption:none"
    )
    assert [(g["key"]["storage"], g["median"]) for g in await server.groups(query)] == [
        ("thunderbolt5", 5e9),
        ("usb4", 3e9),
    ]
    excluded = await server.groups(f"{WRITE}&by=storage&where=storage!:internal")
    assert {g["key"]["storage"] for g in excluded} == {"usb4", "thunderbolt5"}


async def test_not_stated_is_a_value_of_its_own(server: Server) -> None:
    bare = disk_run(write=1e9, target={"storage": "usb4"})
    await server.stored(bare, disk_run(storage="usb4", encryption="none", write=2e9))
    groups = await server.groups(f"{WRITE}&by=encryption")
    assert [(g["key"]["encryption"], g["median"]) for g in groups] == [
        ("none", 2e9),
        (None, 1e9),
    ]
    (only,) = await server.groups(f"{WRITE}&where=encryption:")
    assert only["median"] == 1e9
    (group,) = await server.groups(f"{WRITE}&where=encryption!:none")
    assert group["median"] == 1e9


async def test_numeric_ranges_include_both_ends(server: Server) -> None:
    sizes = {s * 1_000_000: [s * 1e8] for s in (2, 4, 6, 8)}
    await server.stored(disk_run(series=by_file_size(sizes)))
    query = "metric=disk.write_speed&by=file_size&where=file_size:4000000..6000000"
    assert [g["key"]["file_size"] for g in await server.groups(query)] == [4e6, 6e6]
    open_end = await server.groups("metric=disk.write_speed&by=file_size&where=file_size:6000000..")
    assert [g["key"]["file_size"] for g in open_end] == [6e6, 8e6]


async def test_labels_are_dimensions(server: Server) -> None:
    await server.stored(
        disk_run(write=1e9, labels={"iops": "8000"}),
        disk_run(write=2e9, labels={"iops": "16000"}),
    )
    groups = await server.groups(f"{WRITE}&by=label:iops&where=label:iops:8000")
    assert [(g["key"], g["median"]) for g in groups] == [({"label:iops": "8000"}, 1e9)]


async def test_other_methods_and_versions_never_mix(server: Server) -> None:
    await server.stored(
        disk_run(write=1e9),
        disk_run(write=2e9, method={"name": "graded-files", "version": 2}),
        disk_run(write=3e9, method={"name": "graded-files-quick", "version": 1}),
    )
    groups = await server.groups(WRITE)
    assert [(g["method"], g["method_version"], g["median"]) for g in groups] == [
        ("graded-files", 1, 1e9),
        ("graded-files", 2, 2e9),
        ("graded-files-quick", 1, 3e9),
    ]
    assert [f["code"] for f in groups[2]["flags"]] == ["quick"]


async def test_doubtful_results_are_left_out_counted_and_can_be_had_back(
    server: Server,
) -> None:
    cached = disk_run(
        write=5e9,
        read=9e9,
        warnings=[{"code": "reads_may_be_cached", "detail": "31% resident"}],
    )
    await server.stored(
        cached, disk_run(write=5e9, read=6e9), disk_run(read=7e9, state="incomplete")
    )
    result = (await server.answer("metric=disk.read_average"))["results"][0]
    assert (result["groups"][0]["machines"], result["groups"][0]["median"]) == (1, 6e9)
    assert result["excluded"] == [
        {"reason": "incomplete", "severity": "doubt", "runs": 1},
        {"reason": "reads_may_be_cached", "severity": "doubt", "runs": 1},
    ]
    # Doubtful reads don't make the write doubtful.
    (write,) = await server.groups(WRITE)
    assert write["machines"] == 2
    (all_of_them,) = await server.groups("metric=disk.read_average&flagged=include")
    assert (all_of_them["machines"], all_of_them["median"]) == (3, 7e9)


async def test_the_doubted_runs_of_an_answer_can_be_listed(server: Server) -> None:
    cached = disk_run(read=9e9, warnings=[{"code": "reads_may_be_cached", "detail": "31%"}])
    other = disk_run(storage="usb4", state="incomplete")
    await server.stored(disk_run(), cached, other)
    path = "/api/v1/doubted?metric=disk.read_average&metric=disk.write_average"
    doubted = (await server.client.get(f"{path}&where=storage:internal")).json()
    assert (doubted["total"], [run["id"] for run in doubted["items"]]) == (1, [cached["id"]])
    assert "reads_may_be_cached" in [flag["code"] for flag in doubted["items"][0]["flags"]]
    refused = await server.client.get("/api/v1/doubted?where=storage:internal")
    assert (refused.status_code, refused.json()["pointer"]) == (422, "?metric")


async def test_faster_than_its_link_is_a_doubt(server: Server) -> None:
    await server.stored(disk_run(storage="usb4", encryption="none", write=3e9, read=6.2e9))
    result = (await server.answer("metric=disk.read_average"))["results"][0]
    assert result["groups"] == []
    assert result["excluded"][0]["reason"] == "faster_than_link"


async def test_without_pairs_the_ratio_says_that_it_is_unpaired(server: Server) -> None:
    await server.stored(
        disk_run(storage="usb4", encryption="none", write=4e9),
        disk_run(storage="usb4", encryption="apfs_encrypted", write=3e9),
    )
    result = (await server.answer(f"{WRITE}&by=encryption&relative_to=encryption:none"))["results"][
        0
    ]
    ratio = result["groups"][0]["ratio"]
    assert (ratio["pairing"], ratio["value"]) == ("unpaired", 0.75)
    assert "unpaired" in {note["code"] for note in result["notes"]}


async def test_without_a_reference_there_is_no_ratio_but_a_note(server: Server) -> None:
    await server.stored(disk_run(storage="usb4", encryption="apfs_encrypted"))
    result = (await server.answer(f"{WRITE}&by=encryption&relative_to=encryption:none"))["results"][
        0
    ]
    assert "ratio" not in result["groups"][0]
    assert {
        "code": "no_reference",
        "text": 'The only row has no counterpart where encryption is "Not encrypted".',
    } in result["notes"]


async def test_a_missing_reference_is_told_in_words(server: Server) -> None:
    await server.stored(disk_run())
    reference = "relative_to=virtual:true&relative_to=power_mode:&relative_to=label:Rack:a"
    (result,) = (await server.answer(f"{WRITE}&{reference}"))["results"]
    (text,) = [note["text"] for note in result["notes"] if note["code"] == "no_reference"]
    assert text.endswith(
        'where Rack is "a" and power mode is not stated and virtual machine is "In a VM".'
    )


async def test_a_reference_outside_by_filters_it(server: Server) -> None:
    machine = str(uuid.uuid4())
    await server.stored(
        disk_run(machine=machine, write=6e9, environment={"power_mode": "low"}),
        disk_run(machine=machine, write=8e9, environment={"power_mode": "automatic"}),
    )
    (group,) = await server.groups(f"{WRITE}&where=power_mode:low&relative_to=power_mode:automatic")
    assert group["ratio"]["value"] == 0.75


async def test_two_devices_in_one_value_are_told(server: Server) -> None:
    """One value per machine, as in DESIGN.md, even with two drives of one kind: with a note."""
    machine = str(uuid.uuid4())
    token = server.token()
    for device_id in ("one", "two"):
        target = {"storage": "usb4", "encryption": "none", "device_id": device_id}
        assert (
            await server.put(disk_run(machine=machine, target=target), token)
        ).status_code == 201
    question = "metric=disk.write_average&by=storage"
    (result,) = (await server.answer(question))["results"]
    assert [group["machines"] for group in result["groups"]] == [1]
    texts = [note["text"] for note in result["notes"] if note["code"] == "several_devices"]
    assert texts == ["For one Mac this combines several drives."]
