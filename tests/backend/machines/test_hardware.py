"""Chips, models and Macs with their figures among those of others."""

from __future__ import annotations

import uuid
from typing import Any

from macmeter.charts.numbers import THIN
from support.documents import Document, disk_run
from support.server import Server


async def get(server: Server, path: str, status: int = 200) -> Any:
    response = await server.client.get(f"/api/v1/things/{path}")
    assert response.status_code == status, response.text
    return response.json()


def mac(chip: str, model: str, read: float, **changes: Any) -> Document:
    machine = {"id": str(uuid.uuid4()), "chip": f"Apple {chip}", "model_name": model}
    return disk_run(machine=None, write=None, read=read) | {
        "machine": machine,
        **changes,
    }


def headline(page: dict[str, Any], title: str) -> dict[str, Any]:
    (headline,) = [headline for headline in page["headlines"] if headline["title"] == title]
    return {
        name: value.replace(THIN, " ") if isinstance(value, str) else value
        for name, value in headline.items()
    }


async def test_a_chip_lies_among_other_chips(server: Server) -> None:
    await server.stored(
        mac("M1", "Mac mini", 3e9),
        mac("M4 Pro", "Mac mini", 6e9),
        mac("M4 Pro", "MacBook Pro", 7e9),
        mac("M4 Max", "Mac Studio", 9e9),
        # Another drive, a VM and another method are not compared.
        mac("M2", "Mac mini", 1e9, target={"storage": "usb4", "encryption": "none"}),
        mac("M3", "Mac mini", 2e9, method={"name": "other", "version": 1, "parameters": {}}),
    )
    page = await get(server, "chips/m4-pro")
    assert (page["thing"]["name"], page["thing"]["machines"]) == ("Apple M4 Pro", 2)
    read = headline(page, "Read speed")
    assert (read["value"], read["rank"], read["at"]) == ("6.50 GB/s", "2nd of 3 chips", 0.5833)
    assert [(dot["slug"], dot["at"]) for dot in read["others"]] == [("m1", 0.0), ("m4-max", 1.0)]
    assert (read["low"], read["high"]) == ("3.00 GB/s", "9.00 GB/s, fastest")
    assert [model["slug"] for model in page["related"]] == [
        "mac-mini-m4-pro",
        "macbook-pro-m4-pro",
    ]
    listed = await get(server, "chips")
    assert [chip["slug"] for chip in listed["items"]] == ["m1", "m2", "m3", "m4-max", "m4-pro"]


async def test_a_model_without_a_chip_has_a_page_too(server: Server) -> None:
    nameless = mac("M4", "Mac mini", 2e9)
    del nameless["machine"]["chip"]
    await server.stored(mac("M4", "Mac mini", 4e9), nameless)
    models = (await get(server, "models"))["items"]
    assert [(m["slug"], m["runs"]) for m in models] == [("mac-mini-m4", 1), ("mac-mini", 1)]
    page = await get(server, "models/mac-mini")
    assert page["thing"]["name"] == "Mac mini, chip not stated"
    assert page["thing"]["where"] == ["chip:", "model:Mac mini"]
    read = headline(page, "Read speed")
    assert (read["value"], [dot["slug"] for dot in read["others"]]) == (
        "2.00 GB/s",
        ["mac-mini-m4"],
    )
    assert [chip["slug"] for chip in (await get(server, "chips"))["items"]] == ["m4"]


async def test_a_model_is_found_by_apples_identifier(server: Server) -> None:
    await server.stored(mac("M4 Pro", "Mac mini", 6e9), mac("M4", "Mac mini", 3e9))
    for slug in ("mac-mini-m4-pro", "mac16-11", "Mac16,11"):
        page = await get(server, f"models/{slug}")
        assert page["thing"]["name"] == "Mac mini, M4 Pro"
        assert page["thing"]["identifiers"] == ["Mac16,11"]
    assert headline(page, "Read speed")["rank"] == "Best of 2 models"
    assert [model["slug"] for model in page["related"]] == ["mac-mini-m4"]
    for unknown in ("models/mac-mini", "models/mac16-8", "chips/m9", "machines/x", "chips/%00"):
        await get(server, unknown, 404)
    await get(server, f"machines/{uuid.uuid4()}", 404)
    await get(server, "cars/m4", 422)


async def test_machines_are_found_by_the_identifier_of_their_model(server: Server) -> None:
    mini, other = mac("M4 Pro", "Mac mini", 6e9), mac("M4", "Mac mini", 3e9)
    await server.stored(mini, other)
    for words, expected in (("Mac16,11", [mini]), ("mac16,11 pro", [mini]), ("macbookair10", [])):
        response = await server.client.get("/api/v1/machines", params={"q": words})
        ids = [item["id"] for item in response.json()["items"]]
        assert ids == [run["machine"]["id"] for run in expected], words


async def test_a_mac_lies_among_those_of_its_chip(server: Server) -> None:
    macs = [mac("M4", "Mac mini", speed * 5e8) for speed in range(1, 6)]
    await server.stored(*macs, mac("M1", "Mac mini", 3e9))
    page = await get(server, f"machines/{macs[3]['machine']['id']}")
    read = headline(page, "Read speed")
    assert (read["value"], read["rank"]) == ("2.00 GB/s", "2nd of 5 M4 Macs")
    assert [dot["at"] for dot in read["others"]] == [0.0, 0.25, 0.5, 1.0]
    assert [model["slug"] for model in page["related"]] == ["mac-mini-m4"]


async def test_vms_lie_among_vms(server: Server) -> None:
    virtual = {"os_version": "26.4", "virtual_machine": {"vcpus": 4}}
    disk = {"storage": "virtual_disk", "encryption": "none"}
    guest = {"environment": virtual, "target": disk}
    await server.stored(
        mac("M4 Pro (Virtual)", "Apple Virtual Machine 1", 4e9, **guest),
        mac("M4 Pro", "Mac mini", 6e9),
    )
    page = await get(server, "chips/m4-pro-virtual")
    assert headline(page, "Read speed")["others"] == []
    assert headline(await get(server, "chips/m4-pro"), "Read speed")["others"] == []


async def test_hostile_names_get_plain_addresses(server: Server) -> None:
    await server.stored(
        mac("M4", "Mac mini", 3e9),
        mac("M4/../", "Mac mini", 1e9),
        disk_run(chip="<script>"),
        disk_run(chip="芯片"),
    )
    listed = await get(server, "chips")
    # Equal spellings lead to Apple's chip; a name without letters for an address has no page.
    assert [(item["slug"], item["name"]) for item in listed["items"]] == [
        ("m4", "Apple M4"),
        ("script", "<script>"),
    ]
