"""Notes about power on answers and sides."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from macmeter import catalog
from macmeter.questions.fits import Fits
from macmeter.questions.notes import of_fits
from support.documents import Document, disk_run
from support.server import Server

POWER = "metric=power.cpu_total&where=threads:1"
CAUTION = "should not be used for any comparison between devices"


def power(watts: float, chip: str, machine: str | None = None) -> Document:
    series = [{"metric": "power.cpu_total", "parameters": {"threads": 1}, "values": [watts]}]
    return disk_run(suite="power", series=series, target=None, chip=chip, machine=machine)


@pytest.mark.parametrize("machines", [1, 2])
async def test_power_of_several_macs_carries_powermetrics_own_caution(
    server: Server, machines: int
) -> None:
    ids = [str(uuid.uuid4()) for _ in range(machines)]
    await server.stored(
        *(power(2.0 + i, "Apple M1", ids[i % machines]) for i in range(4)),
    )
    (result,) = (await server.answer(POWER))["results"]
    notes = [note["text"] for note in result["notes"] if note["code"] == "power_estimated"]
    assert len(notes) == machines - 1
    assert all(CAUTION in note for note in notes)


@pytest.mark.parametrize(("ended", "noted"), [(0, 0), (1, 0), (2, 1)])
async def test_runs_that_ended_early_are_said_to_be_missing_where_they_are_many(
    server: Server, ended: int, noted: int
) -> None:
    write = "metric=disk.write_average"
    complete = [disk_run() for _ in range(20)]
    await server.stored(*complete, *(disk_run(state="incomplete") for _ in range(ended)))
    (result,) = (await server.answer(write))["results"]
    notes = [note["text"] for note in result["notes"] if note["code"] == "ended_early"]
    assert len(notes) == noted
    assert all(note.startswith("2 of 22 runs ended early and are left out.") for note in notes)
    (result,) = (await server.answer(f"{write}&flagged=include"))["results"]
    assert "ended_early" not in {note["code"] for note in result["notes"]}


@pytest.mark.parametrize(("ended", "noted"), [(1, 0), (3, 1)])
async def test_runs_that_ended_early_are_missing_from_all_rows_of_a_metric(
    server: Server, ended: int, noted: int
) -> None:
    """A row of few runs doesn't make those of the whole metric many."""
    other = {"name": "sustained-write", "version": 1, "parameters": {"sets": 1}}
    await server.stored(
        *(disk_run(storage=storage) for storage in ("internal", "usb4") for _ in range(15)),
        *(disk_run(storage=storage, method=other) for storage in ("internal", "usb4")),
        *(disk_run(storage="usb4", state="incomplete") for _ in range(ended)),
    )
    sides = "&side=1:storage:internal&side=2:storage:usb4"
    response = await server.client.get(f"/api/v1/compare?metric=disk.write_average{sides}")
    assert len(response.json()["rows"]) == 2
    notes = [note["text"] for note in response.json()["notes"] if note["code"] == "ended_early"]
    assert len(notes) == noted
    assert all(note.startswith("3 of 35 runs ended early") for note in notes)


async def test_two_macs_side_by_side_carry_it_once(server: Server) -> None:
    await server.stored(power(2.0, "Apple M1"), power(3.0, "Apple M4"), disk_run(), disk_run())
    sides = "side=1:chip:Apple M1&side=2:chip:Apple M4"
    comparison = (await server.client.get(f"/api/v1/compare?{POWER}&{sides}")).json()
    assert [note["code"] for note in comparison["notes"]].count("power_estimated") == 1
    (result,) = (await server.answer("metric=disk.write_average"))["results"]
    assert "power_estimated" not in {note["code"] for note in result["notes"]}


@pytest.mark.parametrize(
    ("where", "noted"),
    [
        ("storage:USB4", True),
        ("encryption:FileVault", True),
        ("storage:usb4", False),
        # Any value is possible, and whether a run has it may be private.
        ("label:rack:b", False),
        ("chip:Apple M0", False),
        ("storage!:USB4&where=chip:Apple M0", False),
    ],
)
async def test_a_value_that_the_catalogue_does_not_know_is_named(
    empty_server: Server, where: str, noted: bool
) -> None:
    (result,) = (await empty_server.answer(f"metric=disk.write_average&where={where}"))["results"]
    notes = [note["text"] for note in result["notes"] if note["code"] == "unknown_value"]
    assert len(notes) == noted
    name, _, value = where.partition(":")
    for text in notes:
        assert text.startswith(f'{name.capitalize()} "{value}" is not a known value. Known are')


async def test_any_dimension_may_have_an_unknown_value(published_server: Server) -> None:
    for name in [*catalog.DIMENSIONS, "label:site"]:
        where = f"metric=disk.write_average&where={name}:nosuch"
        response = await published_server.client.get(f"/api/v1/answer?{where}")
        assert response.status_code in (200, 422), (name, response.text)


@pytest.mark.parametrize("r2", [-0.01, 0.0])
def test_a_curve_that_is_worse_than_none_is_named(r2: float) -> None:
    curve: Any = {"r2": r2}
    codes = {note["code"] for note in of_fits(Fits([curve], [], 0))}
    assert ("poor_fit" in codes) == (r2 < 0)


@pytest.mark.parametrize(
    ("asked", "noted", "begins"),
    [
        ("by=storage", 1, "Relative to"),
        ("by=storage&by=encryption", 0, "With encryption,"),
        ("by=storage&where=encryption:apfs_encrypted", 0, "With encryption,"),
    ],
)
async def test_groups_that_may_include_their_reference_say_so(
    server: Server, asked: str, noted: int, begins: str
) -> None:
    await server.stored(
        *(disk_run(storage="usb4", encryption="none", write=4e9) for _ in range(3)),
        *(disk_run(storage="usb4", encryption="apfs_encrypted", write=2e9) for _ in range(3)),
    )
    question = f"metric=disk.write_average&{asked}&relative_to=encryption:none"
    answer = await server.answer(question)
    codes = [note["code"] for note in answer["results"][0]["notes"]]
    assert codes.count("includes_reference") == noted
    assert answer["figure"]["finding"].startswith(begins)
