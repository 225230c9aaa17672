"""Published figures in a real database: loaded once, kept up to date, and answered as printed."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from macmeter.models import Document, Machine, PublishedFigure, Result, Run
from macmeter.platform import database
from macmeter.questions.answer import answer
from macmeter.questions.question import parse_query
from macmeter.runs.published import Loaded, documents, load, load_into, loading
from macmeter.schemas.answer import MetricAnswer
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

COUNT = 157
# 127 printed, and nine speeds that follow from times.
RESULTS = 136
Json = dict[str, Any]


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    engine = database.engine(database_url)
    yield engine
    await engine.dispose()


async def ask(engine: AsyncEngine, query: str) -> MetricAnswer:
    """The first metric's answer, for an anonymous reader."""
    async with engine.connect() as connection:
        response = await answer(connection, parse_query(query), None, datetime.now(UTC))
    return response["results"][0]


def printed(result: MetricAnswer, by: str) -> dict[Any, list[list[str]]]:
    printed_by_value: dict[Any, list[list[str]]] = {}
    for group in result["groups"]:
        printed_by_value.setdefault(group["key"][by], []).append(group["printed"])
    return printed_by_value


def test_loads_quickly_then_writes_nothing(database_url: str) -> None:
    started = time.monotonic()
    assert load(database_url) == Loaded(new=COUNT, replaced=0, removed=0, unchanged=0)
    assert time.monotonic() - started < 10  # under a second on an idle machine
    assert load(database_url) == Loaded(new=0, replaced=0, removed=0, unchanged=COUNT)


async def test_what_is_stored(engine: AsyncEngine) -> None:
    await load_into(engine)
    async with engine.connect() as connection:
        assert await connection.scalar(select(func.count()).select_from(Run)) == COUNT
        assert await connection.scalar(select(func.count()).select_from(Result)) == RESULTS
        assert await connection.scalar(select(func.count()).select_from(PublishedFigure)) == 30
        visibility = await connection.scalars(select(Run.visibility).distinct())
        assert list(visibility) == ["public"]
        reserved = await connection.scalars(select(Machine.reserved).distinct())
        assert list(reserved) == [True]


async def test_a_second_load_touches_no_row(engine: AsyncEngine) -> None:
    await load_into(engine)
    versions = text("SELECT xmin::text, run_id FROM runs ORDER BY run_id")
    async with engine.connect() as connection:
        before = (await connection.execute(versions)).all()
    await load_into(engine)
    async with engine.connect() as connection:
        assert (await connection.execute(versions)).all() == before


async def test_a_newer_version_replaces_adds_and_removes(
    engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_documents = list(documents())
    changed = json.loads(json.dumps(all_documents[0]))
    changed["series"][0]["values"] = [1e9]
    monkeypatch.setattr(loading, "documents", lambda: [changed, *all_documents[1:-1]])
    assert (await load_into(engine)).new == COUNT - 1
    monkeypatch.setattr(loading, "documents", lambda: all_documents[:-2] + all_documents[-1:])
    assert await load_into(engine) == Loaded(1, 1, 1, COUNT - 3)
    monkeypatch.setattr(loading, "documents", lambda: all_documents)
    assert await load_into(engine) == Loaded(1, 0, 0, COUNT - 1)
    async with engine.connect() as connection:
        assert await connection.scalar(select(func.count()).select_from(Result)) == RESULTS
        assert await connection.scalar(select(func.count()).select_from(Document)) == COUNT


async def test_the_storage_page_shows_what_was_printed(engine: AsyncEngine) -> None:
    await load_into(engine)
    printed_speeds = {
        "internal": ("6.57 GB/s", "7.66 GB/s", "where=encryption:filevault"),
        "disk_image": ("2.85 GB/s", "1.76 GB/s", "where=image_format:asif"),
        "virtual_disk": ("6.62 GB/s", "5.91 GB/s", "where=encryption:none&where=os_version:26.4"),
        "thunderbolt5": ("5.3 GB/s", "5.3 GB/s", "where=encryption:none"),
    }
    for storage, (read, write, where) in printed_speeds.items():
        for metric, digits in (("disk.read_average", read), ("disk.write_average", write)):
            query = f"metric={metric}&by=storage&where=storage:{storage}&{where}"
            assert printed(await ask(engine, query), "storage") == {storage: [[digits]]}, query


async def test_the_first_view_blends_no_figures_into_new_ones(engine: AsyncEngine) -> None:
    """One Mac's group by storage, encryption and image format shows one article's figure.

    Except for two Thunderbolt 3 drives of one Mac, and three Macs with an encrypted image.
    """
    await load_into(engine)
    blended = set()
    for metric in ("disk.read_average", "disk.write_average"):
        query = f"metric={metric}&by=storage&by=encryption&by=image_format"
        for group in (await ask(engine, query))["groups"]:
            if len(set(group["printed"])) > 1:
                blended.add(
                    (group["key"]["storage"], group["key"]["encryption"], group["machines"])
                )
    assert blended == {
        ("thunderbolt3", "none", 1),
        ("thunderbolt3", "apfs_encrypted", 1),
        ("disk_image", "unknown", 3),
    }


async def test_the_cost_of_encryption(engine: AsyncEngine) -> None:
    await load_into(engine)
    query = "metric=disk.write_average&by=storage&by=encryption&relative_to=encryption:none"
    result = await ask(engine, query + "&where=encryption:apfs_encrypted")
    ratios = {group["key"]["storage"]: group["ratio"] for group in result["groups"]}
    assert ratios["thunderbolt5"]["value"] == pytest.approx(4.7 / 5.3)
    assert (ratios["thunderbolt5"]["pairing"], ratios["thunderbolt5"]["pairs"]) == ("paired", 1)
    # Two drives of one Mac are one pair.
    assert ratios["thunderbolt3"]["pairs"] == 1
    # Printed only as a ratio: there is no group to compute it from.
    assert "usb4" not in ratios
    figures = {f["citation"]["row"]: f["printed"] for f in result["published"]}
    assert figures == {"m025": "97%", "m027": "89%"}


async def test_machines_that_are_not_named_are_not_counted(engine: AsyncEngine) -> None:
    await load_into(engine)
    result = await ask(engine, "metric=disk.read_average&by=os_version&where=os_version:13")
    (group,) = result["groups"]
    assert (group["machines"], group["runs"], group["printed"]) == (0, 1, ["5.4 GB/s"])
