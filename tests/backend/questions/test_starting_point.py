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
    found: dict[str, Any] = response.json()
    return found


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
        shown = await server.groups(start["canonical"])
        assert [group["mixes"] for group in shown] == [[] for _ in shown], question
        cases = {group["key"][by] for group in await server.groups(question)}
        assert {group["key"][by] for group in shown} == cases, question


async def test_a_value_that_would_hide_a_case_gives_way_to_one_that_all_have(
    server: Server,
) -> None:
    """Most M1 are of one encryption, and no M2 is: all chips have another one."""
    await server.stored(
        *(disk_run(chip="Apple M1", encryption="hardware") for _ in range(3)),
        disk_run(chip="Apple M1", encryption="filevault"),
        disk_run(chip="Apple M2", encryption="filevault"),
    )
    found = await starting_point(server, f"{WRITE}&by=chip")
    assert found["fixed"] == [{"dimension": "encryption", "value": "filevault", "machines": 2}]
    assert found["split"] == []


async def test_cases_without_a_common_value_are_shown_side_by_side(server: Server) -> None:
    await server.stored(
        *(disk_run(chip=chip, encryption="hardware") for chip in ("Apple M1", "Apple M4")),
        *(disk_run(chip=chip, encryption="filevault") for chip in ("Apple M1", "Apple M2")),
        *(disk_run(chip=chip, encryption="unknown") for chip in ("Apple M2", "Apple M4")),
    )
    found = await starting_point(server, f"{WRITE}&by=chip")
    assert found == {
        "canonical": f"by=chip&by=encryption&{WRITE}",
        "fixed": [],
        "split": ["encryption"],
    }


async def test_ratios_of_like_with_like_fix_nothing(server: Server) -> None:
    question = f"by=encryption&{WRITE}&relative_to=encryption:none&version=2"
    await server.stored(
        *(
            disk_run(chip=chip, encryption=kind)
            for chip in ("Apple M1", "Apple M2", "Apple M4")
            for kind in ("filevault", "none")
        )
    )
    found = await starting_point(server, question)
    assert found == {"canonical": question, "fixed": [], "split": []}
    crude = await starting_point(server, question.removesuffix("&version=2"))
    assert [one["dimension"] for one in crude["fixed"]] == ["chip"]
