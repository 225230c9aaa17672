"""Groups name the different things that they pool, and a starting point pools none.

Longer than our other files: what the one reports about runs, the other has to fix.
"""

from __future__ import annotations

import csv
import io
import uuid
from typing import Any
from urllib.parse import quote

import pytest
from macmeter import catalog
from macmeter.catalog import Role
from support.documents import Document, disk_run
from support.published import store_published
from support.server import Server

WRITE = "metric=disk.write_average"
CHIPS = ("Apple M1", "Apple M2", "Apple M4 Pro", "Apple M4 Pro")


def workload(labels: dict[str, str], duration: float, **changes: Any) -> Document:
    test_series = {"metric": "workload.duration", "parameters": {"test": "xcodebuild"}}
    series = [{**test_series, "values": [duration]}]
    changed = {"suite": "workload", "target": None, "labels": labels, "series": series}
    return disk_run(**{**changed, **changes})


def by_threads(rates: dict[int, float], **changes: Any) -> Document:
    """Run with loops per second by number of threads."""
    series = [
        {
            "metric": "cores.loop_rate",
            "parameters": {"kernel": "int64", "core_context": "Performance/high", "threads": n},
            "values": [rate],
        }
        for n, rate in rates.items()
    ]
    return disk_run(**{"suite": "cores", "target": None, "series": series, **changes})


NOTHING_FIXED = {"fixed": [], "split": [], "merged": [], "hidden": 0}


async def starting_point(server: Server, question: str) -> dict[str, Any]:
    response = await server.client.get(f"/api/v1/starting-point?{question}")
    assert response.status_code == 200, response.text
    start: dict[str, Any] = response.json()
    return start


@pytest.mark.parametrize("metric", catalog.METRICS.values(), ids=lambda metric: metric.name)
def test_every_metric_says_what_determines_it(metric: catalog.Metric) -> None:
    assert {"chip", "virtual"} <= set(metric.determinants)
    assert set(metric.required + metric.optional) <= set(metric.determinants)
    for name in metric.determinants:
        assert name == catalog.ANY_LABEL or name in catalog.DIMENSIONS
    assert len(set(metric.determinants)) == len(metric.determinants)


def test_roles_are_the_catalogues_and_no_part_of_a_name() -> None:
    reads = {name for name, metric in catalog.METRICS.items() if Role.READS in metric.roles}
    assert reads == {
        *("disk.read_average", "disk.quick_read_average", "disk.read_speed"),
        "disk.stream_read_speed",
        "hash.sha256_speed",
    }
    for metric in catalog.METRICS.values():
        if Role.CROSSES_LINK in metric.roles:
            assert metric.unit is catalog.Unit.BYTES_PER_SECOND


async def test_the_catalogue_tells_roles_determinants_and_plurals(server: Server) -> None:
    catalogue = (await server.client.get("/api/v1/catalog")).json()
    metrics = {metric["name"]: metric for metric in catalogue["metrics"]}
    assert metrics["disk.read_speed"]["roles"] == ["crosses_link", "reads"]
    assert metrics["score.value"]["determinants"][:3] == ["test", "tool", "chip"]
    assert metrics["workload.duration"]["determinants"][-1] == "label:*"
    assert {d["name"]: d["plural"] for d in catalogue["dimensions"]}["chip"] == "chips"


async def test_a_group_says_what_it_mixes(server: Server) -> None:
    await server.stored(*(disk_run(chip=chip) for chip in CHIPS), disk_run(encryption="hardware"))
    (result,) = (await server.answer(f"{WRITE}&by=storage"))["results"]
    (group,) = result["groups"]
    assert group["mixes"] == [
        {"dimension": "chip", "count": 3},
        {"dimension": "encryption", "count": 2},
    ]
    assert result["notes"][0] == {
        "code": "mixes",
        "text": "Includes 3 chips and 2 encryption settings.",
    }
    (by_run,) = await server.groups(f"{WRITE}&by=storage&weight=run")
    assert by_run["mixes"] == group["mixes"]


async def test_what_is_grouped_or_fixed_is_not_mixed(server: Server) -> None:
    await server.stored(*(disk_run(chip=chip) for chip in CHIPS))
    groups = await server.groups(f"{WRITE}&by=chip")
    assert [group["mixes"] for group in groups] == [[], [], []]
    (group,) = await server.groups(f"{WRITE}&where=chip:Apple M1")
    assert group["mixes"] == []
    # A range or two values are not fixed.
    (group,) = await server.groups(f"{WRITE}&where=chip:Apple M1&where=chip:Apple M2")
    assert group["mixes"] == [{"dimension": "chip", "count": 2}]


async def test_several_groups_are_told_in_one_note(server: Server) -> None:
    await server.stored(
        *(disk_run(chip=chip) for chip in CHIPS), disk_run(storage="usb4", encryption="none")
    )
    (result,) = (await server.answer(f"{WRITE}&by=storage"))["results"]
    assert result["notes"][0]["text"] == "1 of 2 groups mix 3 chips."


async def test_an_unstated_value_is_none_but_where_nothing_stated_is_one(server: Server) -> None:
    target = {"storage": "thunderbolt3", "encryption": "none"}
    await server.stored(
        disk_run(target=target),
        disk_run(target={**target, "via": "OWC Thunderbolt Hub"}),
        disk_run(target={"storage": "thunderbolt3"}),
    )
    (group,) = await server.groups(f"{WRITE}&by=storage")
    assert group["mixes"] == [{"dimension": "via", "count": 2}]


async def test_macos_versions_are_mixed_in_disk_images_only(server: Server) -> None:
    def at(version: str, storage: str) -> Document:
        return disk_run(storage=storage, encryption="none", environment={"os_version": version})

    await server.stored(
        *(at(v, storage) for v in ("26.1", "26.4") for storage in ("internal", "disk_image"))
    )
    groups = await server.groups(f"{WRITE}&by=storage")
    mixes = {group["key"]["storage"]: group["mixes"] for group in groups}
    assert mixes == {"internal": [], "disk_image": [{"dimension": "os_version", "count": 2}]}


async def test_configurations_of_a_workload_are_told_by_their_labels(server: Server) -> None:
    await server.stored(workload({"iops": "3000"}, 90.0), workload({"iops": "12000"}, 30.0))
    question = "metric=workload.duration"
    (group,) = await server.groups(question)
    assert group["mixes"] == [{"dimension": "label:iops", "count": 2}]
    groups = await server.groups(f"{question}&by=label:iops")
    assert [group["mixes"] for group in groups] == [[], []]


async def test_figures_of_unspecified_machines_mix_nothing_where_they_do_not_count(
    server: Server,
) -> None:
    unstated = {"id": str(uuid.uuid4()), "chip": "Apple M1", "unspecified": True}
    await server.stored(disk_run(), disk_run(), {**disk_run(), "machine": unstated})
    (group,) = await server.groups(WRITE)
    assert (group["machines"], group["mixes"]) == (2, [])


async def test_lines_may_join_what_pools_the_same(server: Server) -> None:
    m1, m4 = str(uuid.uuid4()), str(uuid.uuid4())
    await server.stored(
        by_threads({1: 1e9, 2: 2e9, 3: 3e9}, machine=m1, chip="Apple M1"),
        by_threads({1: 2e9, 2: 4e9}, machine=m4, chip="Apple M4"),
    )
    fixed = "where=kernel:int64&where=core_context:Performance/high"
    groups = await server.groups(f"metric=cores.loop_rate&by=threads&{fixed}")
    one, two, three = (group["mix"] for group in groups)
    assert one == two != three
    # M1 alone mixes nothing, but is not the same.
    assert groups[2]["mixes"] == []


async def test_a_fit_through_unlike_figures_is_not_given(server: Server) -> None:
    await server.stored(
        by_threads({1: 1e9, 2: 2e9, 3: 3e9}, chip="Apple M1"),
        by_threads({1: 2e9, 2: 4e9, 3: 6e9}, chip="Apple M4"),
    )
    fixed = "where=kernel:int64&where=core_context:Performance/high"
    question = f"metric=cores.loop_rate&by=threads&fit=linear&{fixed}"
    (result,) = (await server.answer(question))["results"]
    assert result["fits"] == []
    notes = {note["code"]: note["text"] for note in result["notes"]}
    assert notes["no_fit"] == "No fit through 2 chips: group by or fix chip."
    (result,) = (await server.answer(f"{question}&by=chip"))["results"]
    assert [fit["key"] for fit in result["fits"]] == [{"chip": "Apple M1"}, {"chip": "Apple M4"}]


async def test_files_carry_what_is_mixed(server: Server) -> None:
    await server.stored(*(disk_run(chip=chip) for chip in CHIPS), disk_run(encryption="hardware"))
    text = (await server.client.get(f"/api/v1/answer.csv?{WRITE}")).text
    (line,) = csv.DictReader(io.StringIO(text))
    assert line["mixes"] == "chip=3; encryption=2"
    question = f"{WRITE}&side=1:&side=2:encryption:hardware"
    text = (await server.client.get(f"/api/v1/compare.csv?{question}")).text
    assert [line["mixes"] for line in csv.DictReader(io.StringIO(text))] == [
        "chip=3; encryption=2",
        "",
    ]


async def test_sides_and_places_say_what_they_mix(server: Server) -> None:
    first = disk_run()
    await server.stored(first, *(disk_run(chip=chip) for chip in CHIPS))
    comparison = (
        await server.client.get(f"/api/v1/compare?{WRITE}&side=1:&side=2:chip:Apple M1")
    ).json()
    mixes = [cell["mixes"] for cell in comparison["rows"][0]["cells"]]
    assert mixes == [[{"dimension": "chip", "count": 3}], []]
    assert comparison["notes"][0] == {"code": "mixes", "text": "1 of 2 figures mix 3 chips."}
    machine = first["machine"]["id"]
    rank = (await server.client.get(f"/api/v1/percentile?{WRITE}&machine={machine}")).json()
    assert rank["mixes"] == [{"dimension": "chip", "count": 3}]


async def test_a_ratio_of_like_with_like_is_across_what_its_group_pools(server: Server) -> None:
    chips = {"Apple M1": str(uuid.uuid4()), "Apple M2": str(uuid.uuid4())}
    await server.stored(
        *(
            disk_run(chip=chip, machine=machine, storage="usb4", encryption=kind)
            for chip, machine in chips.items()
            for kind in ("none", "apfs_encrypted")
        )
    )
    question = f"{WRITE}&by=encryption&relative_to=encryption:none"
    crude = (await server.answer(question))["figure"]
    assert crude["mixed"] == "Includes 2 chips"
    figure = (await server.answer(f"{question}&version=2"))["figure"]
    assert "mixed" not in figure
    assert figure["told"][0] == "Across 2 chips"
    assert figure["charts"][0]["columns"][1]["title"] == "Across"


async def test_a_starting_point_fixes_what_most_machines_have(server: Server) -> None:
    guest = {"os_version": "26.4", "virtual_machine": {"vcpus": 4}}
    await server.stored(
        *(disk_run(chip=chip) for chip in CHIPS),
        disk_run(encryption="hardware"),
        disk_run(environment=guest),
    )
    start = await starting_point(server, f"{WRITE}&by=storage")
    assert start["fixed"] == [
        {"dimension": "chip", "value": "Apple M4 Pro", "machines": 4},
        {"dimension": "virtual", "value": False, "machines": 3},
        {"dimension": "encryption", "value": "filevault", "machines": 2},
    ]
    groups = await server.groups(start["canonical"])
    assert [group["mixes"] for group in groups] == [[]]
    again = await starting_point(server, start["canonical"])
    assert again == {"canonical": start["canonical"], **NOTHING_FIXED}


async def test_a_starting_point_of_what_mixes_nothing_is_the_question(server: Server) -> None:
    assert (await starting_point(server, WRITE)) == {"canonical": WRITE, **NOTHING_FIXED}
    await server.stored(disk_run(), disk_run(storage="usb4", encryption="none"))
    question = "by=storage&metric=disk.write_average"
    assert (await starting_point(server, question)) == {"canonical": question, **NOTHING_FIXED}


async def test_a_starting_point_narrows_several_values_to_one(server: Server) -> None:
    await server.stored(*(disk_run(chip=chip) for chip in CHIPS))
    several = "&".join(f"where=chip:{quote(chip)}" for chip in ("Apple M1", "Apple M4 Pro"))
    start = await starting_point(server, f"{WRITE}&{several}")
    assert start["canonical"] == f"{WRITE}&where=chip:Apple%20M4%20Pro"


async def test_a_starting_point_asks_again_where_a_fix_filters_other_groups(
    server: Server,
) -> None:
    """macOS matters only in images, but its filter excludes runs from every group."""

    def at(version: str, storage: str, chip: str) -> Document:
        environment = {"os_version": version}
        return disk_run(storage=storage, encryption="none", environment=environment, chip=chip)

    await server.stored(
        at("26.1", "disk_image", "Apple M4"),
        at("26.4", "disk_image", "Apple M4"),
        at("26.4", "disk_image", "Apple M4"),
        at("26.4", "internal", "Apple M4"),
    )
    start = await starting_point(server, f"{WRITE}&by=storage")
    assert start["fixed"] == [{"dimension": "os_version", "value": "26.4", "machines": 2}]


async def test_a_starting_point_fixes_the_configuration_of_a_workload(server: Server) -> None:
    slow = {"iops": "3000", "odd:key": "x"}
    await server.stored(workload(slow, 90.0), *(workload({"iops": "12000"}, 30.0) for _ in "ab"))
    start = await starting_point(server, "metric=workload.duration")
    assert start["canonical"] == "metric=workload.duration&where=label:iops:12000"


async def test_a_starting_point_never_becomes_its_own_reference(server: Server) -> None:
    await server.stored(
        *(disk_run(encryption="hardware") for _ in range(3)), disk_run(encryption="filevault")
    )
    start = await starting_point(server, f"{WRITE}&relative_to=encryption:hardware")
    assert start["fixed"] == [{"dimension": "encryption", "value": "filevault", "machines": 1}]


async def test_a_starting_point_of_ratios_is_where_there_are_some(server: Server) -> None:
    """The most common chip isn't a starting point if there is nothing to divide by."""
    question = f"{WRITE}&by=encryption&relative_to=encryption:none"
    await server.stored(
        *(disk_run(chip="Apple M4", encryption="filevault") for _ in range(3)),
        disk_run(chip="Apple M2", encryption="filevault"),
        disk_run(chip="Apple M2", encryption="none"),
    )
    start = await starting_point(server, question)
    assert start["fixed"] == [{"dimension": "chip", "value": "Apple M2", "machines": 2}]


async def test_a_starting_point_gives_up_no_group_for_a_value(server: Server) -> None:
    """Guests stay beside hosts, drives beside images, memory beside files."""
    guest = {"virtual_machine": {"vcpus": 4}}
    image = {"storage": "disk_image", "encryption": "none"}
    await server.stored(
        *(disk_run(chip=chip) for chip in CHIPS),
        disk_run(chip="Apple M4 Pro (Virtual)", environment=guest, storage="virtual_disk"),
        *(
            disk_run(chip="Apple M4 Pro", target={**image, "image": {"format": kind}})
            for kind in ("raw", "asif", "asif")
        ),
    )
    start = await starting_point(server, f"{WRITE}&by=storage")
    fixed = {(fix["dimension"], fix["value"]) for fix in start["fixed"]}
    assert fixed == {
        *(("chip", chip) for chip in ("Apple M4 Pro", "Apple M4 Pro (Virtual)")),
        *(("image_format", kind) for kind in ("asif", None)),
    }
    groups = await server.groups(start["canonical"])
    assert {group["key"]["storage"] for group in groups} == {
        "internal",
        "virtual_disk",
        "disk_image",
    }
    assert [group["mixes"] for group in groups] == [[], [], []]


async def test_a_guest_pairs_though_its_cores_have_a_name_of_their_own(server: Server) -> None:
    host = str(uuid.uuid4())

    def compressed(seconds: float, context: str, **changes: Any) -> Document:
        parameters = {"threads": 4, "core_context": context}
        series = [{"metric": "compression.duration", "parameters": parameters, "values": [seconds]}]
        fields = {"suite": "compression", "target": None, "series": series}
        return disk_run(**{**fields, **changes})

    # Uploaded with one token, they are known to belong together.
    token = server.token("fleet")
    guest = {"virtual_machine": {"vcpus": 4, "host_machine_id": host}}
    for document in (
        compressed(2.0, "Performance/high", machine=host),
        compressed(2.5, "Standard/high", chip="Apple M4 Pro (Virtual)", environment=guest),
    ):
        assert (await server.put(document, token)).status_code == 201
    query = "metric=compression.duration&by=threads&by=virtual&relative_to=virtual:false"
    reply = await server.client.get(
        f"/api/v1/answer?{query}", headers={"Authorization": f"Bearer {token}"}
    )
    (ratio,) = (
        group["ratio"] for group in reply.json()["results"][0]["groups"] if group["key"]["virtual"]
    )
    assert (ratio["value"], ratio["pairs"]) == (1.25, 1)


def printed(chip: str | None, storage: str = "internal") -> Document:
    """Run of a published figure, with a method of its own."""
    citation = {
        "title": "Which external drive?",
        "author": "A. Writer",
        "publisher": "The Light Company",
        "article": "a900",
        "row": "m900",
    }
    method = {"name": "of-an-article", "version": 1, "parameters": {}}
    machine = {"id": str(uuid.uuid4()), **({"chip": chip} if chip else {})}
    return disk_run(
        write=3e9,
        read=3e9,
        source="published",
        citation=citation,
        method=method,
        machine=None,
        storage=storage,
    ) | {"machine": machine}


async def test_a_starting_point_keeps_no_value_for_articles_alone(server: Server) -> None:
    """Macs' own runs decide: an article's chip, or its absence, never becomes a filter."""
    await server.stored(*(disk_run(chip=chip) for chip in CHIPS))
    await store_published(
        server, printed(chip="Apple M3", storage="usb4"), printed(chip=None, storage="thunderbolt5")
    )
    start = await starting_point(server, f"{WRITE}&by=storage")
    assert start["fixed"] == [{"dimension": "chip", "value": "Apple M4 Pro", "machines": 2}]


async def test_a_starting_point_of_articles_alone_keeps_them_all(server: Server) -> None:
    await store_published(
        server,
        printed(chip="Apple M3"),
        printed(chip="Apple M4"),
        printed(chip="Apple M4", storage="usb4"),
        printed(chip=None, storage="thunderbolt5"),
    )
    start = await starting_point(server, f"{WRITE}&by=storage")
    assert [fix["value"] for fix in start["fixed"]] == ["Apple M4", None]


async def test_a_starting_point_fixes_the_method_that_says_nothing_of_what_is_mixed(
    server: Server,
) -> None:
    """Most Macs compress in memory: no "not stated" storage beside that of files."""

    def sweep(chip: str = "Apple M4", **changes: Any) -> Document:
        series = [{"metric": "compression.speed", "parameters": {"threads": 1}, "values": [1e9]}]
        return disk_run(**{"suite": "compression", "chip": chip, "series": series, **changes})

    def method(name: str) -> dict[str, Any]:
        return {"name": name, "version": 1, "parameters": {}}

    await server.stored(
        *(sweep(target=None, method=method("sweep")) for _ in range(4)),
        *(
            sweep(storage=kind, method=method("sweep-files"))
            for kind in ("internal", "usb4", "usb4")
        ),
    )
    question = "metric=compression.speed&where=threads:1"
    start = await starting_point(server, question)
    assert start["fixed"] == [{"dimension": "method", "value": "sweep", "machines": 4}]
    # If most runs are of files, their storage is fixed, and runs without one are excluded.
    await server.stored(*(sweep(storage="usb4", method=method("sweep-files")) for _ in range(3)))
    start = await starting_point(server, question)
    assert start["fixed"] == [{"dimension": "storage", "value": "usb4", "machines": 5}]


async def test_a_starting_point_keeps_no_chip_for_its_points_on_an_axis(server: Server) -> None:
    """One chip's line, without another's continuation where the first one ends."""
    await server.stored(
        *(by_threads({1: 1e8, 2: 1e8}, chip="Apple M4") for _ in range(2)),
        by_threads({1: 1e8}, chip="Apple M1"),
        by_threads({16: 1e8}, chip="Apple M4 Max"),
    )
    question = (
        "metric=cores.loop_rate&by=threads&where=kernel:int64&where=core_context:Performance/high"
    )
    start = await starting_point(server, question)
    assert start["fixed"] == [{"dimension": "chip", "value": "Apple M4", "machines": 2}]


async def test_a_starting_point_of_a_tie_shows_the_most(server: Server) -> None:
    await server.stored(
        by_threads({1: 1e8}, chip="Apple M1"), by_threads({1: 1e8, 2: 1e8}, chip="Apple M4")
    )
    question = (
        "metric=cores.loop_rate&by=threads&where=kernel:int64&where=core_context:Performance/high"
    )
    (fixed,) = (await starting_point(server, question))["fixed"]
    assert fixed["value"] == "Apple M4"
