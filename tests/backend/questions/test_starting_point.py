"""A starting point mixes nothing and hides no case, whatever the fleet."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.documents import Document, disk_run
from support.server import Server
from support.thorough import some

WRITE = "metric=disk.write_average"


async def starting_point(server: Server, question: str) -> dict[str, Any]:
    response = await server.client.get(f"/api/v1/starting-point?{question}")
    assert response.status_code == 200, response.text
    start: dict[str, Any] = response.json()
    return start


def somewhere(dice: random.Random) -> Document:
    """A run of a fleet whose chips, drives, encryption and macOS go together as chance has it."""
    chip = dice.choice(("Apple M1", "Apple M2", "Apple M4 Pro", "Apple M4 Max"))
    if dice.random() < 0.3:
        guest: dict[str, Any] = {"virtual_machine": {"vcpus": dice.choice((4, 8))}}
        chip, storage = f"{chip} (Virtual)", "virtual_disk"
        encryption, environment = "none", guest
    else:
        storage = dice.choice(("internal", "internal", "usb4", "thunderbolt5"))
        kinds = ("hardware", "filevault") if storage == "internal" else ("none", "apfs_encrypted")
        encryption, environment = dice.choice(kinds), {}
    if dice.random() < 0.2:
        environment |= {"power_mode": "low"}
    return disk_run(chip=chip, storage=storage, encryption=encryption, environment=environment)


@pytest.mark.parametrize("seed", some(range(6), 3))
async def test_any_fleet_opens_with_all_its_cases_and_no_mix(server: Server, seed: int) -> None:
    dice = random.Random(seed)
    await server.stored(*(somewhere(dice) for _ in range(dice.choice((3, 12, 30)))))
    for by in ("storage", "chip", "encryption", "virtual", "model"):
        question = f"{WRITE}&by={by}"
        start = await starting_point(server, question)
        groups = await server.groups(start["canonical"])
        assert [group["mixes"] for group in groups] == [[] for _ in groups], question
        values = {group["key"][by] for group in await server.groups(question)}
        assert {group["key"][by] for group in groups} == values, question


async def test_a_value_that_would_hide_a_case_gives_way_to_one_that_all_have(
    server: Server,
) -> None:
    """Most M1 are of one encryption, and no M2 is: all chips have another one."""
    await server.stored(
        *(disk_run(chip="Apple M1", encryption="hardware") for _ in range(3)),
        disk_run(chip="Apple M1", encryption="filevault"),
        disk_run(chip="Apple M2", encryption="filevault"),
    )
    start = await starting_point(server, f"{WRITE}&by=chip")
    assert start["fixed"] == [{"dimension": "encryption", "value": "filevault", "machines": 2}]
    assert start["split"] == []


def without_a_common_encryption() -> list[Document]:
    """Runs of three chips, of which any two share one kind of encryption."""
    kinds = {
        "hardware": ("Apple M1", "Apple M4"),
        "filevault": ("Apple M1", "Apple M2"),
        "unknown": ("Apple M2", "Apple M4"),
    }
    return [disk_run(chip=chip, encryption=kind) for kind, chips in kinds.items() for chip in chips]


async def test_cases_without_a_common_value_are_shown_side_by_side(server: Server) -> None:
    await server.stored(*without_a_common_encryption())
    start = await starting_point(server, f"{WRITE}&by=chip")
    assert start == {
        "canonical": f"by=chip&by=encryption&{WRITE}",
        "fixed": [],
        "split": ["encryption"],
        "merged": [],
        "hidden": 0,
    }


async def test_three_groups_make_room_by_one_in_which_nothing_differs(server: Server) -> None:
    await server.stored(*without_a_common_encryption())
    start = await starting_point(server, f"{WRITE}&by=chip&by=image_format&by=storage")
    assert start == {
        "canonical": f"by=chip&by=encryption&by=storage&{WRITE}",
        "fixed": [],
        "split": ["encryption"],
        "merged": ["image_format"],
        "hidden": 0,
    }


async def test_cases_that_three_groups_have_no_room_for_are_counted(server: Server) -> None:
    usb4 = disk_run(chip="Apple M1", storage="usb4", encryption="none", write=3e9, read=3e9)
    book = disk_run(chip="Apple M1", encryption="hardware")
    book["machine"]["model_name"] = "MacBook Pro"
    await server.stored(*without_a_common_encryption(), usb4, book)
    question = f"{WRITE}&by=chip&by=model&by=storage"
    start = await starting_point(server, question)
    all_cases, cases = [
        {str(group["key"]) for group in await server.groups(query)}
        for query in (question, start["canonical"])
    ]
    assert start["split"] == []
    assert len(all_cases - cases) == start["hidden"] > 0


async def test_ratios_of_like_with_like_fix_nothing(server: Server) -> None:
    question = f"by=encryption&{WRITE}&relative_to=encryption:none&version=2"
    await server.stored(
        *(
            disk_run(chip=chip, encryption=kind)
            for chip in ("Apple M1", "Apple M2", "Apple M4")
            for kind in ("filevault", "none")
        )
    )
    start = await starting_point(server, question)
    nothing = {"fixed": [], "split": [], "merged": [], "hidden": 0}
    assert start == {"canonical": question, **nothing}
    crude = await starting_point(server, question.removesuffix("&version=2"))
    assert [fix["dimension"] for fix in crude["fixed"]] == ["chip"]
