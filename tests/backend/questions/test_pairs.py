"""Pairs compare one thing measured twice, and one machine is one pair."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from support.documents import Document, by_file_size, disk_run
from support.paired import CELLS, falsely_different
from support.server import Server
from support.spreads import error
from support.thorough import some

WRITE = "metric=disk.write_average"
TO_PLAIN = f"{WRITE}&by=encryption&relative_to=encryption:none"
TO_HOST = f"{WRITE}&by=virtual&relative_to=virtual:false"


def on(device: str, encryption: str, storage: str = "usb4", **more: Any) -> dict[str, Any]:
    return {"storage": storage, "device_id": device, "encryption": encryption, **more}


def guest(host: str | None, **more: Any) -> Document:
    host_field = {"host_machine_id": host} if host else {}
    environment = {"os_version": "26.4", "virtual_machine": {"vcpus": 5, **host_field}}
    return disk_run(**{"environment": environment, "storage": "virtual_disk", **more})


async def ratio_of(server: Server, question: str, **key: Any) -> dict[str, Any] | None:
    """Ratio of the group with that key; None if it has none."""
    (group,) = [
        group for group in await server.groups(question) if group["key"].items() >= key.items()
    ]
    ratio: dict[str, Any] | None = group.get("ratio")
    return ratio


@pytest.mark.parametrize(
    ("machines", "series"),
    some([(1, 7), (6, 4), *CELLS], 2),
)
def test_equals_are_seldom_called_different_however_many_series_they_have(
    machines: int, series: int
) -> None:
    simulations = 200
    share = falsely_different(machines, series, simulations, seed=1)
    assert share <= 0.05 + 2 * error(0.05, simulations)


async def test_one_machine_is_one_pair_whatever_it_measured(server: Server) -> None:
    machine = str(uuid.uuid4())
    await server.stored(
        disk_run(machine=machine, write=4e9, target=on("a", "none")),
        disk_run(machine=machine, write=2e9, target=on("a", "apfs_encrypted")),
        disk_run(machine=machine, write=3e9, target=on("b", "none")),
        disk_run(machine=machine, write=3e9, target=on("b", "apfs_encrypted")),
        # Another machine's plain drive must not enter the ratio.
        disk_run(write=1e9, target=on("c", "none")),
    )
    ratio = await ratio_of(server, TO_PLAIN, encryption="apfs_encrypted")
    assert ratio is not None
    assert (ratio["pairing"], ratio["pairs"], ratio["value"]) == ("paired", 1, 0.75)
    assert ratio["reference_key"] == {"encryption": "none"}
    assert "ci_low" not in ratio
    assert ratio["verdict"] == {"answer": "not_enough"}


async def test_two_runs_of_one_machine_with_seven_series_are_no_seven_pairs(
    server: Server,
) -> None:
    machine = str(uuid.uuid4())
    sizes = [n * 10**6 for n in (2, 4, 6, 8, 10, 20, 40)]

    def stream(encryption: str, speed: float) -> Document:
        series = by_file_size({size: [speed] for size in sizes}, "disk.stream_read_speed")
        return disk_run(machine=machine, target=on("a", encryption), series=series)

    await server.stored(stream("none", 3e9), stream("apfs_encrypted", 2.7e9))
    question = "metric=disk.stream_read_speed&by=encryption&relative_to=encryption:none"
    ratio = await ratio_of(server, question, encryption="apfs_encrypted")
    assert ratio is not None
    assert (ratio["pairs"], ratio["value"]) == (1, pytest.approx(0.9))
    assert ratio["verdict"]["answer"] == "not_enough"


@pytest.mark.parametrize(
    "other",
    [
        {"target": on("a", "none", via="OWC Hub")},
        {"target": on("a", "none", enclosure="Example Case")},
        {"target": on("a", "none", simultaneous=2)},
        {"target": on("a", "none", storage="thunderbolt4")},
        {"target": on("b", "none")},
        {"target": on("a", "none"), "chip": "Apple M4 Max"},
    ],
    ids=[
        "through a dock",
        "in a case",
        "two at once",
        "another link",
        "another drive",
        "another chip",
    ],
)
async def test_what_differs_in_more_than_is_compared_is_no_pair(
    server: Server, other: dict[str, Any]
) -> None:
    machine = str(uuid.uuid4())
    await server.stored(
        disk_run(machine=machine, write=2e9, target=on("a", "apfs_encrypted")),
        disk_run(machine=machine, write=4e9, **other),
    )
    ratio = await ratio_of(server, TO_PLAIN, encryption="apfs_encrypted")
    assert ratio is not None
    assert ratio["pairing"] == "unpaired"


async def test_images_pair_on_the_same_volume_alone(server: Server) -> None:
    machine = str(uuid.uuid4())

    def image(format_: str, on_storage: str, write: float) -> Document:
        described = {"format": format_, "host": {"storage": on_storage, "encryption": "none"}}
        target = {"storage": "disk_image", "encryption": "none", "image": described}
        return disk_run(machine=machine, target=target, write=write)

    question = f"{WRITE}&by=image_format&relative_to=image_format:raw"
    await server.stored(image("raw", "internal", 4e9), image("asif", "thunderbolt3", 1e9))
    ratio = await ratio_of(server, question, image_format="asif")
    assert ratio is not None
    assert ratio["pairing"] == "unpaired"
    token_of_machine = image("asif", "internal", 3e9)
    token_of_machine["machine"]["id"] = other = str(uuid.uuid4())
    plain = image("raw", "internal", 4e9)
    plain["machine"]["id"] = other
    await server.stored(token_of_machine, plain)
    ratio = await ratio_of(server, question, image_format="asif")
    assert ratio is not None
    assert (ratio["pairing"], ratio["pairs"], ratio["value"]) == ("paired", 1, 0.75)


async def test_a_group_that_contains_its_reference_is_not_paired_with_itself(
    server: Server,
) -> None:
    await server.stored(
        disk_run(storage="usb4", encryption="none", write=4e9),
        *(disk_run(storage="usb4", encryption="apfs_encrypted", write=2e9) for _ in range(3)),
    )
    ratio = await ratio_of(server, f"{WRITE}&by=storage&relative_to=encryption:none")
    assert ratio is not None
    assert (ratio["pairing"], ratio["value"]) == ("unpaired", 0.5)


async def test_the_same_runs_are_known_by_their_ids_and_not_by_equal_values(
    server: Server,
) -> None:
    """Two drives with equal speeds are a pair; a run is none with itself."""
    machines = [str(uuid.uuid4()) for _ in range(3)]
    for machine in machines:
        await server.stored(
            disk_run(machine=machine, write=3e9, target=on("a", "none")),
            disk_run(machine=machine, write=3e9, target=on("a", "apfs_encrypted")),
        )
    await server.stored(disk_run(write=2e9, target=on("b", "none")))
    ratio = await ratio_of(server, TO_PLAIN, encryption="apfs_encrypted")
    assert ratio is not None
    assert (ratio["pairing"], ratio["pairs"], ratio["value"]) == ("paired", 3, 1.0)
    itself = await ratio_of(server, TO_PLAIN, encryption="none")
    assert itself is not None
    assert (itself["pairing"], itself["pairs"], itself["value"]) == ("paired", 4, 1.0)


@pytest.mark.parametrize("version", [1, 2])
async def test_results_of_one_run_for_two_sizes_are_a_pair(server: Server, version: int) -> None:
    """The same runs are on both sides, but not the same results."""
    small, large = 2_000_000, 2_000_000_000
    speeds = [(1e9, 4e9), (1.5e9, 6e9), (2e9, 8e9)]
    await server.stored(
        *(disk_run(series=by_file_size({small: [slow], large: [fast]})) for slow, fast in speeds)
    )
    question_of_sizes = f"metric=disk.write_speed&version={version}"
    question = f"{question_of_sizes}&by=file_size&relative_to=file_size:{small}"
    ratio = await ratio_of(server, question, file_size=large)
    assert ratio is not None
    assert (ratio["pairing"], ratio["pairs"], ratio["value"]) == ("paired", 3, pytest.approx(4))
    itself = await ratio_of(server, question, file_size=small)
    assert itself is not None
    assert (itself["pairing"], itself["pairs"], itself["value"]) == ("paired", 3, 1.0)
    sides = f"&side=1:file_size:{small}&side=2:file_size:{large}"
    response = await server.client.get(f"/api/v1/compare?{question_of_sizes}{sides}")
    (row,) = response.json()["rows"]
    assert row["cells"][1]["ratio"]["value"] == pytest.approx(4)


async def test_a_guest_is_paired_with_its_hosts_internal_storage(server: Server) -> None:
    """The host's other drives, faster or slower, don't hold the guest's disk."""
    host = str(uuid.uuid4())
    await server.stored_by_fleet(
        disk_run(machine=host, write=8e9, target=on("ssd", "filevault", "internal")),
        disk_run(machine=host, write=1e9, target=on("a", "none")),
        disk_run(machine=host, write=2e9, target=on("b", "none", "thunderbolt3")),
        disk_run(write=2e9),  # another host, nobody's partner
        guest(host, write=6e9),
    )
    ratio = await ratio_of(server, TO_HOST, virtual=True)
    assert ratio is not None
    assert (ratio["pairing"], ratio["pairs"], ratio["value"]) == ("paired", 1, 0.75)
    # The result is the same for other phrasings: the two don't share their storage.
    ratio = await ratio_of(server, f"{TO_HOST}&by=storage", virtual=True)
    assert ratio is not None
    assert ratio["value"] == 0.75
    sides = f"{WRITE}&side=1:virtual:false&side=2:virtual:true"
    comparison = (await server.client.get(f"/api/v1/compare?{sides}")).json()
    ratio = comparison["rows"][0]["cells"][1]["ratio"]
    assert (ratio["pairs"], ratio["value"]) == (1, 0.75)


async def test_a_guest_is_paired_with_the_volume_that_holds_its_disk_where_that_is_known(
    server: Server,
) -> None:
    host = str(uuid.uuid4())
    held_by = {"storage": "thunderbolt3", "encryption": "none"}
    target = {"storage": "virtual_disk", "image": {"format": "asif", "host": held_by}}
    await server.stored_by_fleet(
        disk_run(machine=host, write=8e9),
        disk_run(machine=host, write=2e9, target=on("a", "none", "thunderbolt3")),
        disk_run(machine=host, write=1e9, target=on("a", "apfs_encrypted", "thunderbolt3")),
        guest(host, write=1.8e9, target=target),
    )
    ratio = await ratio_of(server, TO_HOST, virtual=True)
    assert ratio is not None
    assert (ratio["pairs"], ratio["value"]) == (1, pytest.approx(0.9))


async def test_a_guests_chip_is_its_hosts_in_other_words(server: Server) -> None:
    """No host's chip is named "Apple M4 Pro (Virtual)", but it is compared nevertheless."""
    host = str(uuid.uuid4())
    target = on("ssd", "filevault", "internal")
    await server.stored_by_fleet(
        disk_run(machine=host, write=8e9, target=target, chip="Apple M4 Pro"),
        disk_run(write=2e9, target=target, chip="Apple M1"),
        guest(host, write=6e9, chip="Apple M4 Pro (Virtual)"),
    )
    (result,) = (await server.answer(f"{TO_HOST}&by=chip"))["results"]
    ratios = {
        group["key"]["chip"]: (group["ratio"]["pairing"], group["ratio"]["value"])
        for group in result["groups"]
    }
    assert ratios == {
        "Apple M1": ("paired", 1),
        "Apple M4 Pro": ("paired", 1),
        "Apple M4 Pro (Virtual)": ("paired", 0.75),
    }


async def test_guests_by_chip_are_not_divided_by_hosts_of_all_chips(server: Server) -> None:
    """There is no ratio without a known host, and a note says so."""

    def sweep(chip: str, **environment: object) -> Document:
        series = [{"metric": "compression.speed", "parameters": {"threads": 1}, "values": [1e9]}]
        return disk_run(
            suite="compression", series=series, chip=chip, environment={**environment}, target=None
        )

    await server.stored(
        sweep("Apple M4 Pro"), sweep("Apple M4 Pro (Virtual)", virtual_machine={"vcpus": 4})
    )
    asked = "metric=compression.speed&where=threads:1&by=chip&by=virtual&relative_to=virtual:false"
    (result,) = (await server.answer(asked))["results"]
    assert [group.get("ratio", {}).get("value") for group in result["groups"]] == [1, None]
    assert "no_host" in {note["code"] for note in result["notes"]}


async def test_a_guest_whose_hosts_storage_was_not_measured_has_no_ratio(server: Server) -> None:
    host = str(uuid.uuid4())
    await server.stored_by_fleet(
        disk_run(machine=host, write=1e9, target=on("a", "none")),
        disk_run(write=5e9),
        guest(host, write=6e9),
    )
    (result,) = (await server.answer(TO_HOST))["results"]
    (guest_group,) = [group for group in result["groups"] if group["key"]["virtual"]]
    assert "ratio" not in guest_group
    assert "no_host_storage" in {note["code"] for note in result["notes"]}
    sides = f"{WRITE}&side=1:virtual:false&side=2:virtual:true"
    comparison = (await server.client.get(f"/api/v1/compare?{sides}")).json()
    assert comparison["rows"][0]["cells"][1]["no_ratio"]["code"] == "no_host_storage"


async def test_guests_of_one_host_are_one_pair(server: Server) -> None:
    host = str(uuid.uuid4())
    await server.stored_by_fleet(
        disk_run(machine=host, write=8e9),
        *(guest(host, write=speed) for speed in (4e9, 6e9, 6e9)),
    )
    ratio = await ratio_of(server, TO_HOST, virtual=True)
    assert ratio is not None
    assert (ratio["pairs"], ratio["value"]) == (1, 0.75)


async def test_a_guests_own_word_does_not_join_it_to_a_strangers_machine(server: Server) -> None:
    host, liar = disk_run(write=8e9), guest(None, write=6e9)
    liar["environment"]["virtual_machine"]["host_machine_id"] = host["machine"]["id"]
    await server.stored(host, liar)
    assert await ratio_of(server, TO_HOST, virtual=True) is None
    address = f"/api/v1/machines/{host['machine']['id']}"
    assert (await server.client.get(address)).json()["guests"] == []
    address = f"/api/v1/machines/{liar['machine']['id']}"
    assert (await server.client.get(address)).json()["host_machine_id"] is None


async def test_a_fleets_word_joins_guest_and_host(server: Server) -> None:
    host = disk_run(write=8e9)
    guest_run = guest(host["machine"]["id"])
    await server.stored_by_fleet(host, guest_run)
    address = f"/api/v1/machines/{host['machine']['id']}"
    assert (await server.client.get(address)).json()["guests"] == [guest_run["machine"]["id"]]


async def test_one_guest_under_three_hosts_is_one_machine(server: Server) -> None:
    machine = str(uuid.uuid4())
    await server.stored(*(guest(str(uuid.uuid4()), machine=machine) for _ in range(3)))
    (group,) = await server.groups(f"{WRITE}&by=virtual")
    assert (group["machines"], group["runs"]) == (1, 3)
    (group,) = [g for g in await server.groups(TO_HOST) if g["key"]["virtual"]]
    assert group["machines"] == 1


async def test_one_run_with_five_file_sizes_is_one_run_of_every_flag(server: Server) -> None:
    sizes = {n * 10**6: [3e9] for n in (2, 4, 6, 8, 10)}
    series = by_file_size(sizes, "disk.stream_read_speed")
    environment = {"os_version": "26.4", "power_source": "battery", "thermal_state": "serious"}
    await server.stored(disk_run(series=series, environment=environment))
    (group,) = await server.groups("metric=disk.stream_read_speed")
    assert group["runs"] == 1
    assert {flag["code"]: flag["runs"] for flag in group["flags"]} == {"on_battery": 1, "hot": 1}


@pytest.mark.parametrize("version", [1, 2])
async def test_pairs_of_models_that_differ_in_the_effect_are_as_many_as_models(
    server: Server, version: int
) -> None:
    effects = [0.95, 0.90, 0.85, 0.80]
    runs = []
    for number in range(12):
        machine, model = str(uuid.uuid4()), number % 4
        speed = 4e9 * (1 + number / 100)
        for encryption, of in (("none", 1.0), ("apfs_encrypted", effects[model] + number / 5000)):
            run = disk_run(machine=machine, write=speed * of, target=on("a", encryption))
            run["machine"]["model"] = f"Mac{model},1"
            runs.append(run)
    await server.stored(*runs)
    question = f"{TO_PLAIN}&version={version}"
    (result,) = (await server.answer(question))["results"]
    ratio = result["groups"][0]["ratio"]
    assert (ratio["pairs"], ratio["interval"]) == (12, "between models")
    # Another model may lie beyond those measured.
    assert ratio["ci_low"] < 0.80 < 0.95 < ratio["ci_high"]
    assert "pairs_by_model" in {note["code"] for note in result["notes"]}
    (result,) = (await server.answer(f"{question}&where=model:Mac1,1&where=model:Mac2,1"))[
        "results"
    ]
    assert result["groups"][0]["ratio"]["interval"] == "between models"


async def test_pairs_with_one_effect_in_all_models_are_independent(server: Server) -> None:
    runs = []
    for number in range(12):
        machine = str(uuid.uuid4())
        for encryption, effect in (("none", 1.0), ("apfs_encrypted", 0.9 + number / 5000)):
            run = disk_run(machine=machine, write=4e9 * effect, target=on("a", encryption))
            run["machine"]["model"] = f"Mac{number % 4},1"
            runs.append(run)
    await server.stored(*runs)
    (result,) = (await server.answer(TO_PLAIN))["results"]
    ratio = result["groups"][0]["ratio"]
    assert (ratio["pairs"], ratio["interval"]) == (12, "between pairs")
    assert "pairs_by_model" not in {note["code"] for note in result["notes"]}
