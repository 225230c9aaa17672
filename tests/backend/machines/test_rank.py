"""The rank of a run among public runs of similar Macs, on planted fleets."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

import pytest
from macmeter.documents.methods import RANKED_SIZES
from macmeter.models import Fleet
from sqlalchemy import update
from support.databases import transaction
from support.documents import Document, by_file_size, disk_run
from support.published import store_published
from support.server import Server

QUICK: Document = {"name": "graded-files-quick", "version": 2}
AIR, PRO = "MacBook Air", "MacBook Pro"


def of(
    write: float,
    model: str | None = AIR,
    chip: str = "Apple M2",
    read: float | None = None,
    **changes: Any,
) -> Document:
    """A run whose files of the common sizes were all written, and read, at these speeds."""
    machine = changes.pop("machine", None)
    document = disk_run(write=None, read=None, chip=chip, machine=machine, **changes)
    document["machine"]["model_name"] = model
    if model is None:
        del document["machine"]["model_name"]
    document["series"] = by_file_size({size: [write] for size in RANKED_SIZES})
    if read is not None:
        document["series"] += by_file_size(
            {size: [read] for size in RANKED_SIZES}, "disk.read_speed"
        )
    return document


def many(speeds: Iterable[float], model: str = AIR, **changes: Any) -> list[Document]:
    return [of(speed * 1e8, model, **changes) for speed in speeds]


async def asked(server: Server, run: str, status: int = 200) -> Any:
    response = await server.client.get(f"/api/v1/rank?run={run}")
    assert response.status_code == status, response.text
    return response.json()


async def ranked(server: Server, document: Document) -> Any:
    """The rank of its write speed, after storing it."""
    await server.stored(document)
    ranking = await asked(server, document["id"])
    assert [rank["metric"] for rank in ranking["ranks"]] == ["disk.write_speed"], ranking["lines"]
    return ranking["ranks"][0] | {"line": ranking["lines"][0]}


def put_in(rank: Any, *names: str) -> tuple[Any, ...]:
    return tuple(rank[name] for name in names)


async def test_a_quick_run_ranks_among_full_ones_of_its_model(server: Server) -> None:
    await server.stored(*many(range(11, 23)), *many(range(30, 50), PRO))
    run = of(1.95e9, read=2.5e9, method=QUICK)
    rank = await asked_after(server, run)
    assert rank["quick"] is True
    assert rank["full_test"] == (
        "The full test adds files up to 2\u2009GB, 5 of each size, and averages over all of them. "
        "It writes 26.65\u2009GB."
    )
    (write, read) = rank["ranks"]
    assert put_in(write, "among", "name", "macs", "percentile") == (
        *("model", "MacBook Air (M2) on macOS 26.4", 12),
        75.0,
    )
    assert write["value"] == 1.95e9
    # The others have not read: that is said, and of the chip.
    assert put_in(read, "among", "macs", "percentile") == ("chip", 0, None)
    assert rank["lines"] == [
        "This Mac’s internal SSD writes 1.95\u2009GB/s with files of 40 to 200\u2009MB: "
        "faster than 75\u2009% of 12 other MacBook Air (M2) on macOS 26.4.",
        "This Mac’s internal SSD reads 2.50\u2009GB/s with files of 40 to 200\u2009MB. "
        "No percentile yet: it needs 10 other Macs with M2, and none has measured this.",
    ]


async def asked_after(server: Server, document: Document) -> Any:
    await server.stored(document)
    return await asked(server, document["id"])


async def test_few_of_the_model_rank_among_the_chip_and_it_says_so(server: Server) -> None:
    await server.stored(*many(range(10, 14)), *many(range(14, 30), PRO))
    rank = await ranked(server, of(1.95e9))
    assert put_in(rank, "among", "macs", "of_model", "percentile") == ("chip", 20, 4, 50.0)
    assert rank["line"].endswith(
        "faster than 50\u2009% of 20 other Macs with M2 on macOS 26.4. "
        "Only 4 of them are MacBook Air."
    )


async def test_an_update_that_slows_all_makes_no_mac_slow(server: Server) -> None:
    updated = {"os_version": "26.5"}
    await server.stored(*many(range(20, 31)), *many(range(10, 20), PRO, environment=updated))
    rank = await ranked(server, of(1.55e9, environment=updated))
    assert put_in(rank, "among", "macs", "of_model", "percentile") == ("chip", 10, 0, 60.0)
    assert "10 other Macs with M2 on macOS 26.5. None of them is MacBook Air." in rank["line"]
    # The first on a version is among Macs on others, which are named.
    first = await ranked(server, of(1.5e9, environment={"os_version": "27.0"}))
    others = "12 other MacBook Air (M2) on macOS 26.4 and 26.5"
    assert first["line"].endswith(f"slower than all {others}.")


async def test_a_doubted_speed_has_no_rank_and_says_why(server: Server) -> None:
    await server.stored(*many(range(11, 21), read=3e9))
    cached = of(1.55e9, read=3.1e9)
    cached["warnings"] = [{"code": "reads_may_be_cached"}]
    ranking = await asked_after(server, cached)
    assert [rank["metric"] for rank in ranking["ranks"]] == ["disk.write_speed"]
    assert ranking["lines"][-1] == (
        "No rank of how it reads: this run may have read from the cache."
    )


async def test_a_lone_chip_has_no_percentile_and_says_how_many_there_are(server: Server) -> None:
    await server.stored(*many(range(10, 30)), *many([30], "Mac Studio", chip="Apple M2 Ultra"))
    rank = await ranked(server, of(1.95e9, "Mac Studio", "Apple M2 Ultra"))
    assert put_in(rank, "among", "macs", "minimum", "percentile") == ("chip", 1, 10, None)
    assert "it needs 10 other Macs with M2 Ultra, and 1 has measured this." in rank["line"]


async def test_a_mac_counts_once_by_its_median_and_never_among_the_others(server: Server) -> None:
    machine, busy = str(uuid.uuid4()), str(uuid.uuid4())
    await server.stored(*many(range(11, 21)))
    # One Mac with many fast runs, whose median is slow; and this Mac's own earlier ones.
    await server.stored(*(of(s * 1e8, machine=busy) for s in (5, 5, 5, 29, 29)))
    now = of(1.05e9, machine=machine)
    await server.stored(*(of(2.9e9, machine=machine) for _ in range(12)), now)
    (rank,) = (await asked(server, now["id"]))["ranks"]
    assert put_in(rank, "macs", "percentile") == (11, pytest.approx(100 / 11))


@pytest.mark.parametrize(
    ("value", "percentile", "words"),
    [
        (1.4e9, 50.0, "faster than 50\u2009% of"),
        (0.5e9, 0.0, "slower than all 10"),
        (2.9e9, 100.0, "faster than all 10"),
    ],
)
async def test_equal_ones_count_half(
    server: Server, value: float, percentile: float, words: str
) -> None:
    await server.stored(*many([10, 11, 12, 14, 14, 14, 14, 18, 19, 20]))
    rank = await ranked(server, of(value))
    assert rank["percentile"] == percentile
    assert words in rank["line"]


async def test_unlike_storage_vms_and_doubted_runs_are_not_among_them(server: Server) -> None:
    guest = {"os_version": "26.4", "virtual_machine": {"vcpus": 4}}
    await server.stored(
        *many(range(11, 21)),
        *many([25] * 12, environment=guest),
        *many([91] * 12, storage="usb4"),
        *many([26] * 12, encryption="hardware"),
        *many([27] * 12, state="incomplete"),
        *many([28] * 12, method={"name": "graded-files-quick", "version": 1}),
    )
    rank = await ranked(server, of(1.55e9))
    assert put_in(rank, "macs", "percentile") == (10, 50.0)
    in_vm = await ranked(server, of(2.9e9, environment=guest))
    assert put_in(in_vm, "macs", "percentile") == (12, 100.0)


async def test_a_mac_without_every_size_is_left_out(server: Server) -> None:
    partial = of(2.9e9)
    del partial["series"][-1]
    await server.stored(*many(range(11, 21)), partial)
    rank = await ranked(server, of(1.55e9))
    assert rank["macs"] == 10
    ranking = await asked(server, partial["id"])
    assert (ranking["ranks"], ranking["unranked"]) == ([], "sizes")


async def test_a_private_fleet_neither_moves_a_rank_nor_shows(server: Server) -> None:
    await server.stored(*many(range(11, 21)))
    run = of(1.55e9)
    before = await asked_after(server, run)
    token = server.token("fleet")
    with transaction(server.database_url) as connection:
        connection.execute(update(Fleet).values(visibility="private"))
    hidden = many([28] * 15)
    for document in hidden:
        assert (await server.put(document, token)).status_code == 201
    assert await asked(server, run["id"]) == before
    # Not even to those who may read it: everybody gets the same rank.
    headers = {"Authorization": f"Bearer {token}"}
    response = await server.client.get(f"/api/v1/rank?run={run['id']}", headers=headers)
    assert response.json() == before
    await asked(server, hidden[0]["id"], 404)
    own_ranking = await server.client.get(f"/api/v1/rank?run={hidden[0]['id']}", headers=headers)
    assert put_in(own_ranking.json()["ranks"][0], "macs", "percentile") == (11, 100.0)


async def test_a_drive_ranks_among_those_on_its_link(server: Server) -> None:
    external: Document = {"storage": "usb4", "encryption": "none"}
    chips = ["Apple M1", "Apple M3 Pro"]
    await server.stored(
        *(of(s * 1e8, PRO, chips[s % 2], **external) for s in range(11, 21)),
        *many([90] * 12, storage="thunderbolt5", encryption="none"),
        *many([1] * 12, target={**external, "via": "Example Dock"}),
    )
    rank = await ranked(server, of(1.85e9, "Mac mini", "Apple M4", **external))
    assert put_in(rank, "among", "macs", "percentile") == ("link", 10, 80.0)
    assert rank["line"] == (
        "The drive on USB4 writes 1.85\u2009GB/s with files of 40 to 200\u2009MB: faster than "
        "80\u2009% of 10 other Macs with a drive on USB4 on macOS 26.4."
    )


async def test_what_has_no_rank_says_why(server: Server) -> None:
    image = {"storage": "disk_image", "encryption": "none", "image": {"format": "raw"}}
    in_image, stopped = of(1e9, target=image), of(1e9, state="incomplete")
    await server.stored(in_image, stopped)
    ranking = await asked(server, in_image["id"])
    assert (ranking["ranks"], ranking["unranked"]) == ([], "storage")
    assert ranking["lines"][0].startswith("Only internal storage and drives on")
    ranking = await asked(server, stopped["id"])
    assert (ranking["ranks"], ranking["flag"]) == ([], "incomplete")
    assert ranking["lines"] == ["No rank: this run ended early."]


async def test_a_run_that_is_not_there_is_not_found(server: Server) -> None:
    await asked(server, str(uuid.uuid4()), 404)
    for bad in ("", "?run=x", f"?run={uuid.uuid4()}&where=chip:Apple M2"):
        assert (await server.client.get(f"/api/v1/rank{bad}")).status_code == 422


async def test_a_published_run_has_no_rank(server: Server) -> None:
    citation = {"article": "a-2026", "title": "Fast?", "author": "A. Writer"}
    published = of(1e9, source="published", citation=citation | {"publisher": "Weekly", "row": "1"})
    await store_published(server, published)
    ranking = await asked(server, published["id"])
    assert (ranking["ranks"], ranking["unranked"]) == ([], "published")
