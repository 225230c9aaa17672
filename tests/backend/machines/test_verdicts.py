"""The verdict that leads a Mac's page, on planted Macs; how often it is wrong, by simulation."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from macmeter.charts.numbers import THIN
from macmeter.documents.methods import RANKED_SIZES
from macmeter.machines.timeline import longest_line
from macmeter.machines.verdict import choose_verdict
from macmeter.platform.release import VERSION
from macmeter.results.results import CONFIGURATION, Measurement
from macmeter.schemas.machines import Line
from support.documents import Document, by_file_size, disk_run
from support.published import store_published
from support.server import Server

CITATION = {"article": "a-2026", "title": "Fast?", "author": "A. Writer"} | {
    "publisher": "Weekly",
    "row": "1",
}
QUICK: Document = {"name": "graded-files-quick", "version": 2}


async def verdict(server: Server, machine: str) -> dict[str, Any]:
    response = await server.client.get(f"/api/v1/things/machines/{machine}")
    assert response.status_code == 200, response.text
    page = response.json()
    words: dict[str, Any] = page["verdict"] | {"headlines": page["headlines"]}
    return {
        name: value.replace(THIN, " ") if isinstance(value, str) else value
        for name, value in words.items()
    }


def mac(
    machine: str,
    days: Iterable[int],
    *,
    speed: float = 6e9,
    factor: float = 1.0,
    updated: int = 8,
    **changes: Any,
) -> list[Document]:
    """A run a day; from day `updated` on, on macOS 26.2 and at `factor` of its speed."""
    noise = Random(machine)
    return [
        disk_run(
            machine=machine,
            write=speed * noise.lognormvariate(0, 0.003) * (factor if day >= updated else 1),
            read=None,
            started_at=f"2026-10-{day + 1:02}T10:00:00Z",
            environment={"os_version": "26.1" if day < updated else "26.2"} | changes.get("in", {}),
            **{name: value for name, value in changes.items() if name != "in"},
        )
        for day in days
    ]


def id_of(number: int) -> str:
    return str(uuid.UUID(int=number))


MINE = id_of(1)


def peers(count: int, factor: float = 1.0, **changes: Any) -> list[Document]:
    """Other Macs, with two runs on either version, 1 % apart from each other."""
    days = (0, 1, 14, 15)
    macs = [
        mac(id_of(number), days, speed=6e9 * (1 + number / 100), factor=factor, **changes)
        for number in range(2, count + 2)
    ]
    return [document for documents in macs for document in documents]


async def test_a_planted_change_leads_with_what_its_peers_did(server: Server) -> None:
    await server.stored(*mac(MINE, range(16), factor=0.7), *peers(11))
    words = await verdict(server, MINE)
    assert words["title"] == "Write speed −30 % since macOS 26.2; other M4 Pros did not change"
    assert (words["mark"], words["worse"], words["shown"]) == ("−30 %", True, 0)
    assert words["place"] == "the slowest of 12 M4 Pros"
    assert words["lede"].startswith("4.2")
    assert "in 8 runs since, 6.0" in words["lede"]
    assert words["note"].startswith("11 others measured on macOS 26.1 and 26.2: median change ")
    assert words["note"].endswith("The false-alarm rate is below 1 %.")
    (write,) = words["headlines"]
    assert write["changed"].replace(THIN, " ") == "−30 % since macOS 26.2"
    again, report = words["next"][:2]
    assert (again["title"], again["command"]) == ("Run it again", "macmeter disk")
    assert "side=1%3Aos_version%3A26.1" in report["search"]
    compared = await server.client.get(f"/api/v1/compare?{report['search']}")
    assert compared.status_code == 200, compared.text
    medians = [cell["median"] for cell in compared.json()["rows"][0]["cells"]]
    assert medians[1] / medians[0] == pytest.approx(0.7, rel=0.01)


@pytest.mark.parametrize("factor", [0.7, 1.0])
async def test_a_mac_has_one_level_now_wherever_it_is_given(server: Server, factor: float) -> None:
    """In the lede, on the strip, at the end of its line and as its percentile."""
    # Slowly faster, so that its newest runs, those since its step and all of them differ.
    days = [mac(MINE, [day], speed=6e9 + 1.2e7 * day, factor=factor) for day in range(16)]
    await server.stored(*(run for runs in days for run in runs), *peers(11))
    words = await verdict(server, MINE)
    (strip,) = words["headlines"]
    level = strip["value"].replace(THIN, " ")
    assert words["lede"].startswith(f"{level} in ")
    answers = [
        await server.client.get(f"/api/v1/{path}metric=disk.write_average")
        for path in (f"machines/{MINE}/timeline?", f"percentile?machine={MINE}&")
    ]
    line, percentile = (answer.json()["words"] for answer in answers)
    assert line[0]["now"].replace(THIN, " ") == level
    assert level in percentile["text"].replace(THIN, " ")


async def test_peers_that_changed_too_are_named(server: Server) -> None:
    await server.stored(*mac(MINE, range(16), factor=0.9), *peers(11, factor=0.9))
    title = (await verdict(server, MINE))["title"]
    assert title == "Write speed −10 % since macOS 26.2; other M4 Pros −9.8 % too"


async def test_too_few_peers_say_nothing(server: Server) -> None:
    await server.stored(*mac(MINE, range(16), factor=0.9), *peers(3))
    words = await verdict(server, MINE)
    assert words["title"] == "Write speed −10 % since macOS 26.2"
    assert words["note"].startswith("3 others measured on macOS 26.1 and 26.2")


async def test_a_change_for_the_better_is_called_so(server: Server) -> None:
    await server.stored(*mac(MINE, range(16), factor=1.2))
    words = await verdict(server, MINE)
    assert (words["title"], words["worse"]) == ("Write speed +20 % since macOS 26.2", False)


async def test_few_runs_are_said_to_be_too_few(server: Server) -> None:
    await server.stored(*mac(MINE, (4, 5, 6, 7, 8, 9), factor=0.7))
    words = await verdict(server, MINE)
    assert words["title"] == "Write speed perhaps −30 % since macOS 26.2: too few runs to be sure"
    assert "2 runs since" in words["lede"]


async def test_a_steady_mac_has_a_place(server: Server) -> None:
    await server.stored(*mac(MINE, range(16), speed=6.45e9), *peers(11))
    words = await verdict(server, MINE)
    assert words["title"] == "Write speed did not change: 6th of 12 M4 Pros"
    assert (words["mark"], words["worse"]) == ("", None)
    assert words["note"] == ""  # nothing was found that could be a false alarm
    strip = words["headlines"][0]
    assert (len(strip["others"]), strip["changed"]) == (11, "no change")
    # Peers are on the same macOS, which the strip's question says.
    assert "where=os_version:26.2" in strip["canonical"]


async def test_with_too_few_days_nothing_is_said_of_changes(server: Server) -> None:
    await server.stored(*mac(MINE, range(9, 12)), *peers(11))
    words = await verdict(server, MINE)
    assert words["title"] == "Write speed is the slowest of 12 M4 Pros"
    assert words["lede"].endswith("3 of the 14 days needed to detect a change.")
    assert words["next"][-1]["command"] == "macmeter schedule --every week"


async def test_a_mac_without_peers_is_alone(server: Server) -> None:
    await server.stored(*mac(MINE, range(3), chip="Apple M1 Ultra"), *peers(3))
    words = await verdict(server, MINE)
    assert words["title"].endswith("GB/s: no other M1 Ultras yet")
    assert words["headlines"][0]["others"] == []


async def test_peers_are_widened_if_none_has_the_same_encryption(server: Server) -> None:
    await server.stored(*mac(MINE, range(3), encryption="hardware"), *peers(4))
    words = await verdict(server, MINE)
    assert words["title"] == "Write speed is the slowest of 5 M4 Pros"
    assert "No other of the M4 Pros has the same encryption." in words["lede"]
    assert "encryption" not in words["headlines"][0]["canonical"]


async def test_vms_are_among_vms(server: Server) -> None:
    virtual: Document = {
        "chip": "Apple M4 Pro (Virtual)",
        "storage": "virtual_disk",
        "encryption": "none",
        "in": {"virtual_machine": {"vcpus": 4}},
    }
    await server.stored(*mac(MINE, range(3), **virtual), *peers(2, **virtual))
    words = await verdict(server, MINE)
    assert words["title"] == "Write speed is the slowest of 3 M4 Pro VMs"


async def test_a_known_cause_comes_first(server: Server) -> None:
    full: Document = {
        "storage": "internal",
        "encryption": "filevault",
        "capacity_bytes": 10**12,
        "free_bytes": 2 * 10**10,
    }
    slow = mac(MINE, range(8, 16), factor=0.7, target=full)
    await server.stored(*mac(MINE, range(8)), *slow)
    words = await verdict(server, MINE)
    assert words["next"][0]["title"] == "Free some space"
    assert words["next"][0]["text"].startswith(
        "8 of its latest 8 runs were on a nearly full volume"
    )


@pytest.mark.parametrize(
    ("version", "commands"),
    [
        ("0.1.3", ["macmeter update && macmeter disk"]),
        (VERSION, []),
        ("99", []),
    ],
)
async def test_an_old_agent_is_a_known_cause_of_a_slow_mac(
    server: Server, version: str, commands: list[str]
) -> None:
    runs = mac(MINE, range(9, 12))
    await server.stored(*[run | {"agent": {"version": version}} for run in runs], *peers(11))
    steps = (await verdict(server, MINE))["next"]
    updates = [step for step in steps if step["title"] == "Update the agent"]
    assert [step["command"] for step in updates] == commands
    assert all(version in step["text"] for step in updates)


def quick(machine: str, speed: float, model: str = "MacBook Air") -> Document:
    document = disk_run(write=None, read=None, chip="Apple M2", machine=machine, method=QUICK)
    document["machine"]["model_name"] = model
    document["series"] = by_file_size({size: [speed] for size in RANKED_SIZES})
    return document


async def test_one_quick_run_has_a_rank(server: Server) -> None:
    other_runs = [quick(id_of(number), 2e9 + number * 1e7) for number in range(2, 14)]
    await server.stored(quick(MINE, 2.055e9), *other_runs)
    words = await verdict(server, MINE)
    title = "Its internal SSD is faster than 33 % of 12 other MacBook Air (M2) on macOS 26.4"
    assert (words["title"], words["shown"]) == (title, None)
    assert len(words["strip"]["others"]) == 12
    assert words["next"][0]["command"] == "macmeter disk"


async def test_few_of_a_model_are_widened_to_the_chip(server: Server) -> None:
    other_runs = [quick(id_of(number), 2e9 + number * 1e7, "Mac mini") for number in range(2, 14)]
    await server.stored(quick(MINE, 2.055e9), *other_runs)
    words = await verdict(server, MINE)
    assert (
        words["title"]
        == "Its internal SSD is faster than 33 % of 12 other Macs with M2 on macOS 26.4"
    )
    assert words["lede"].endswith("None of them is MacBook Air.")


async def test_an_articles_figure_has_no_change(server: Server) -> None:
    article = disk_run(machine=MINE, source="published", citation=CITATION)
    await store_published(server, article)
    words = await verdict(server, MINE)
    assert words["title"].endswith("as an article printed it")
    assert (words["next"], words["worse"]) == ([], None)


def line(noise: Random, days: int, spread: float, memory: float, factor: float = 1.0) -> Line:
    """A line of one run a day, whose noise remembers the day before; updates as months go."""
    value, measured = 0.0, []
    for day in range(days):
        value = memory * value + noise.gauss(0, spread) * (1 - memory**2) ** 0.5
        at = datetime(2026, 1, 1, 10, tzinfo=UTC) + timedelta(days=day)
        measured.append(
            Measurement(
                run_id=uuid.UUID(int=day),
                at=at,
                os_version=f"26.{1 + 3 * day // days}",
                metric="disk.write_average",
                run_flags=[],
                source="measured",
                method="graded-files",
                method_version=1,
                series_id=1,
                parameters={},
                value=5e9 * (1 + value) * (factor if 3 * day >= 2 * days else 1),
                flags=None,
                printed=None,
                samples=1,
                configuration=tuple(None for _ in CONFIGURATION),
            )
        )
    longest = longest_line(measured)
    assert longest is not None
    return longest


# A Mac has up to eight lines, of which a demo's Mac tests two.
LINES, MACS = 8, 50


@pytest.mark.every(3)
@pytest.mark.parametrize("days", [6, 16, 30])
@pytest.mark.parametrize(("spread", "memory"), [(0.01, 0.0), (0.02, 0.5)])
def test_steady_macs_seldom_lead_with_a_change(days: int, spread: float, memory: float) -> None:
    noise = Random(f"{days} {spread} {memory}")
    kinds = Counter(
        choose_verdict([line(noise, days, spread, memory) for _ in range(LINES)])[0]
        for _ in range(MACS)
    )
    # At most one in 100 for each line; far fewer as a rule.
    assert kinds["changed"] <= 0.08 * MACS
    assert kinds["unsure"] <= 0.02 * MACS


@pytest.mark.parametrize("days", [16, 30])
def test_a_large_change_leads(days: int) -> None:
    noise = Random(days)
    kinds: Counter[str] = Counter()
    for _ in range(MACS):
        steady = [line(noise, days, 0.01, 0.0) for _ in range(LINES - 1)]
        kind, index, step = choose_verdict([*steady, line(noise, days, 0.01, 0.0, factor=0.7)])
        kinds[kind] += index == LINES - 1 and step is not None and step.os_after == "26.3"
    assert kinds["changed"] + kinds["unsure"] >= 0.97 * MACS
