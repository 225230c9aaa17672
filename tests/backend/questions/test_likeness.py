"""Version 2 of a question: a ratio of like with like, or the reason why there is none."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from support.confounded import CASES, tally
from support.documents import Document, disk_run
from support.server import Server
from support.spreads import error
from support.thorough import some

WRITE = "metric=disk.write_average"
TO_PLAIN = f"{WRITE}&by=encryption&relative_to=encryption:none"
SIDES = f"{WRITE}&side=1:encryption:none&side=2:encryption:apfs_encrypted"
PLAIN, ENCRYPTED = "none", "apfs_encrypted"


def measured(
    count: int,
    encryption: str,
    speed: float,
    chip: str = "Apple M1",
    *,
    machine: str | None = None,
    model: str | None = None,
    at: dict[str, Any] | None = None,
    **more: Any,
) -> list[Document]:
    """That many Macs, each a thousandth faster than the one before."""
    target = {"storage": "usb4", "device_id": "d", "encryption": encryption, **(at or {})}
    documents = []
    for number in range(count):
        run = disk_run(
            write=speed * (1 + number / 1000), machine=machine, chip=chip, target=target, **more
        )
        if model is not None:
            run["machine"]["model"] = model
        documents.append(run)
    return documents


def in_mode(mode: str) -> dict[str, Any]:
    return {"environment": {"os_version": "26.4", "power_mode": mode}}


async def ratio(server: Server, version: int = 2, question: str = TO_PLAIN) -> dict[str, Any]:
    groups = await server.groups(f"{question}&version={version}")
    (group,) = [candidate for candidate in groups if candidate["key"] == {"encryption": ENCRYPTED}]
    ratio: dict[str, Any] = group["ratio"]
    return ratio


async def cell(server: Server, version: int = 2, sides: str = SIDES) -> dict[str, Any]:
    response = await server.client.get(f"/api/v1/compare?{sides}&version={version}")
    assert response.status_code == 200, response.text
    ratio: dict[str, Any] = response.json()["rows"][0]["cells"][1]["ratio"]
    return ratio


async def test_mixed_in_other_proportions_it_is_taken_inside_chips(server: Server) -> None:
    """The true ratio is 0.90; the crude medians give 1.79."""
    await server.stored(
        *measured(25, PLAIN, 2e9),
        *measured(5, PLAIN, 4e9, "Apple M4"),
        *measured(5, ENCRYPTED, 1.8e9),
        *measured(25, ENCRYPTED, 3.6e9, "Apple M4"),
    )
    for ratio_told in (await ratio(server), await cell(server)):
        assert ratio_told["value"] == pytest.approx(0.9, rel=0.03)
        assert ratio_told["ci_low"] < 0.9 < ratio_told["ci_high"]
        assert ratio_told["verdict"]["answer"] == "different"
        likeness = ratio_told["likeness"]
        assert (likeness["method"], likeness["strata"]) == ("strata", 2)
        assert "chip" in likeness["held"]
        assert (likeness["machines"], likeness["reference_machines"]) == (30, 30)
        assert ratio_told["unlike"] == []
        assert ratio_told["crude"]["value"] == pytest.approx(1.79, rel=0.03)
    for ratio_told in (await ratio(server, 1), await cell(server, 1)):
        assert ratio_told["value"] == pytest.approx(1.79, rel=0.03)
        assert "likeness" not in ratio_told


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("name", "plain", "encrypted"),
    [
        ("chip", {}, {"chip": "Apple M4"}),
        ("model", {"model": "Mac14,2"}, {"model": "Mac15,3"}),
        ("device", {"at": {"device": "SLOW"}}, {"at": {"device": "FAST"}}),
        ("os_version", {}, {"environment": {"os_version": "26.5"}}),
        ("month", {"started_at": "2026-06-03T10:00:00Z"}, {"started_at": "2026-01-03T10:00:00Z"}),
        ("power_mode", in_mode("automatic"), in_mode("low")),
    ],
)
async def test_what_differs_wholly_is_named_in_the_verdict(
    server: Server, name: str, plain: dict[str, Any], encrypted: dict[str, Any]
) -> None:
    await server.stored(
        *measured(6, PLAIN, 2e9, **plain), *measured(6, ENCRYPTED, 4e9, **encrypted)
    )
    for ratio_told in (await ratio(server), await cell(server)):
        assert ratio_told["verdict"]["answer"] == "confounded"
        assert name in [difference["dimension"] for difference in ratio_told["unlike"]]
    answer = await server.answer(f"{TO_PLAIN}&version=2")
    codes = [note["code"] for note in answer["results"][0]["notes"]]
    assert "unlike" in codes
    texts = [lane["cells"]["verdict"] for lane in _lanes(answer)]
    assert any("confounded by" in text for text in texts)


def _lanes(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        lane
        for chart in answer["figure"]["charts"]
        for case in chart.get("cases", [])
        for lane in case["lanes"]
        if "verdict" in lane.get("cells", {})
    ]


async def test_nothing_else_different_names_nothing(server: Server) -> None:
    await server.stored(*measured(8, PLAIN, 2e9), *measured(8, ENCRYPTED, 1.8e9))
    ratio_told = await ratio(server)
    assert ratio_told["verdict"]["answer"] == "different"
    assert (ratio_told["unlike"], ratio_told["likeness"]["held"]) == ([], [])
    assert ratio_told["value"] == (await ratio(server, 1))["value"]
    assert "crude" not in ratio_told


async def test_one_pair_moves_many_machines_by_little(server: Server) -> None:
    await server.stored(*measured(40, PLAIN, 3e9), *measured(40, ENCRYPTED, 2.7e9))
    before = (await ratio(server))["value"]
    machine = str(uuid.uuid4())
    await server.stored(
        *measured(1, PLAIN, 3e9, machine=machine), *measured(1, ENCRYPTED, 3.3e9, machine=machine)
    )
    ratio_told = await ratio(server)
    assert ratio_told["value"] == pytest.approx(before, rel=0.01)
    assert (await ratio(server, 1))["value"] == pytest.approx(1.1)


async def test_pairs_that_say_more_are_the_ratio(server: Server) -> None:
    """Macs that differ by far more than encryption costs."""
    for number in range(8):
        machine, speed = str(uuid.uuid4()), 1e9 * (1 + number / 4)
        await server.stored(
            *measured(1, PLAIN, speed, machine=machine),
            *measured(1, ENCRYPTED, speed * (0.9 + number / 1000), machine=machine),
        )
    ratio_told = await ratio(server)
    assert (ratio_told["pairing"], ratio_told["pairs"]) == ("paired", 8)
    assert ratio_told["verdict"]["answer"] == "different"
    assert ratio_told["value"] == pytest.approx((0.903 * 0.904) ** 0.5)


async def test_one_machines_two_kinds_of_storage_are_a_pair(server: Server) -> None:
    """Internal storage is never the external drive, whatever the devices."""
    for number in range(10):
        machine, speed = str(uuid.uuid4()), 1e9 * (1 + number / 4)
        await server.stored(
            disk_run(
                machine=machine,
                write=speed,
                target={"storage": "internal", "device_id": "i", "encryption": "hardware"},
            ),
            disk_run(
                machine=machine,
                write=speed * (0.9 + number / 1000),
                target={"storage": "thunderbolt5", "device_id": f"t{number}", "encryption": PLAIN},
            ),
        )
    sides = f"{WRITE}&side=1:storage:internal&side=2:storage:thunderbolt5"
    ratio_told = await cell(server, sides=sides)
    assert (ratio_told["pairing"], ratio_told["pairs"]) == ("paired", 10)
    assert ratio_told["value"] == pytest.approx(0.9045, rel=0.001)
    assert ratio_told["verdict"]["answer"] == "different"
    # Other storage means other drives: that difference doesn't cause doubt.
    assert [difference["dimension"] for difference in ratio_told["unlike"]] == []


async def test_other_drives_are_named_and_part_of_other_storage(server: Server) -> None:
    slow, fast = ({"storage": "usb4", "device": "S"}, {"storage": "thunderbolt5", "device": "F"})
    await server.stored(
        *measured(6, PLAIN, 2e9, "Apple M4 Pro", at=slow),
        *measured(6, PLAIN, 3e9, "Apple M4 Pro", at=fast),
    )
    told = await cell(server, sides=f"{WRITE}&side=1:storage:usb4&side=2:storage:thunderbolt5")
    assert told["verdict"]["answer"] == "different"
    assert [difference["dimension"] for difference in told["unlike"]] == ["device"]


@pytest.mark.parametrize("turned", [False, True])
async def test_csv_tells_what_was_held(server: Server, turned: bool) -> None:
    await server.stored(*measured(6, PLAIN, 2e9), *measured(6, ENCRYPTED, 4e9, "Apple M4"))
    path = f"compare.csv?{SIDES}" if turned else f"answer.csv?{TO_PLAIN}"
    for version in (1, 2):
        response = await server.client.get(f"/api/v1/{path}&version={version}")
        head, *lines = response.text.splitlines()
        assert ("crude_ratio" in head.split(",")) == (version == 2)
        assert any("confounded" in line for line in lines) == (version == 2)


async def test_an_address_without_a_version_is_said_to_be_crude(server: Server) -> None:
    await server.stored(*measured(6, PLAIN, 2e9), *measured(6, ENCRYPTED, 1.8e9))
    for path in (f"answer?{TO_PLAIN}", f"compare?{SIDES}"):
        notes = {}
        for version in ("", "&version=1", "&version=2"):
            response = (await server.client.get(f"/api/v1/{path}{version}")).json()
            result = response["results"][0] if "results" in response else response
            notes[version] = {note["code"] for note in result["notes"]}
        assert "crude" in notes[""] & notes["&version=1"]
        assert "crude" not in notes["&version=2"]


@pytest.mark.parametrize("name", some(CASES, 6))
def test_designs_are_covered_or_named(name: str) -> None:
    """The short form of `make bench ONLY=confounding`."""
    case, simulations = CASES[name], 60
    counters = tally(case.design, simulations, seed=11)
    if case.covers:
        assert counters.covered >= 0.93 - 2.5 * error(0.93, simulations)
        assert counters.verdicts["confounded"] <= 0.05 * simulations + 2
    else:
        assert counters.verdicts["different"] == 0
    for name_expected in case.named:
        assert counters.named[name_expected] >= 0.95 * simulations


async def test_images_are_compared_inside_formats(server: Server) -> None:
    """Sides that mix formats have no crude ratio, but one within each format."""

    def images(count: int, chip: str, image_format: str, speed: float) -> list[Document]:
        image = {"format": image_format, "state": "new"}
        at = {"storage": "disk_image", "encryption": "none", "image": image}
        return measured(count, PLAIN, speed, chip, at=at)

    await server.stored(
        *images(6, "Apple M1", "raw", 2e9),
        *images(3, "Apple M1", "sparsebundle", 1e9),
        *images(3, "Apple M4", "raw", 3e9),
        *images(6, "Apple M4", "sparsebundle", 1.5e9),
    )
    sides = f"{WRITE}&side=1:chip:Apple M1&side=2:chip:Apple M4&version="
    crude, like = [
        (await server.client.get(f"/api/v1/compare?{sides}{version}")).json()["rows"][0]["cells"][1]
        for version in (1, 2)
    ]
    assert crude["no_ratio"]["code"] == "mixed_image_format"
    assert like["ratio"]["value"] == pytest.approx(1.5, rel=0.01)
    assert "image_format" in like["ratio"]["likeness"]["held"]
