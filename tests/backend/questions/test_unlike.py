"""Invented fleets: documents like an agent's, and answers that agree with what was planted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from urllib.parse import urlencode

import orjson
import pytest
from macmeter.documents.derive import derive
from macmeter.documents.parse import parse
from macmeter.embedded import EmbeddedPostgres
from support.databases import fresh_database
from support.server import Server, serving
from support.unlike import confounded
from support.unlike.confounded import DESIGNS
from support.unlike.design import Design
from support.unlike.documents import documents
from support.unlike.fleets import FLEETS, reviewers
from support.unlike.loading import store

EVERY = FLEETS | DESIGNS


@pytest.fixture(scope="module")
async def with_reviewers(cluster: EmbeddedPostgres) -> AsyncIterator[Server]:
    with fresh_database(cluster) as name:
        async with serving(cluster.url(name)) as server:
            await store(server.client, server.database_url, reviewers())
            yield server


@pytest.mark.parametrize("design", EVERY.values(), ids=EVERY)
def test_a_fleet_is_taken_as_agents_write_it(design: Design) -> None:
    now = datetime(2026, 11, 20, tzinfo=UTC)
    runs = [derive(*parse(orjson.dumps(run), now=now)) for run in documents(design)]
    assert len({run.run_id for run in runs}) == len(design.runs)
    assert len({run.machine_id for run in runs}) == design.machines
    for planned, run in zip(design.runs, runs, strict=True):
        assert run.columns["labels"]["synthetic"] == "unlike"
        assert {result.doubtful for result in run.results} == {planned.is_cut}


def test_a_seed_gives_the_same_fleet_and_another_one_another() -> None:
    first = list(documents(confounded.uneven()))
    assert first == list(documents(confounded.uneven()))
    other = list(documents(confounded.uneven().with_seed(2)))
    assert {run["id"] for run in first}.isdisjoint(run["id"] for run in other)


def test_what_is_planted_is_known_whatever_is_confounded() -> None:
    for name in ("wholly", "uneven", "one shared", "macOS within", "nothing"):
        ratio = DESIGNS[name].ratio("disk.write_average", confounded.ENCRYPTED, confounded.PLAIN)
        assert ratio == pytest.approx(0.9)
    drives = {"storage": "thunderbolt5"}, {"storage": "usb4"}
    assert confounded.device().ratio("disk.read_average", *drives) == pytest.approx(1.35)
    formats = {"os_version": "26.4"}, {"os_version": "26.3"}
    time = confounded.updated().ratio("compression.duration", *formats, threads=4)
    assert time == pytest.approx(1 / 0.85)
    with pytest.raises(ValueError, match="encryption"):
        # It has another effect on internal storage and in images.
        reviewers().ratio("disk.read_average", {"encryption": "image_aes256"}, {"storage": "usb4"})


async def test_an_answer_over_uneven_sides_has_the_crude_ratio(server: Server) -> None:
    """The crude ratio is not the planted one: this is the purpose of the fleet."""
    design = confounded.uneven()
    await store(server.client, server.database_url, design)
    query = "metric=disk.write_average&by=encryption&where=chip:Apple M1"
    plain, encrypted = sorted(await server.groups(query), key=lambda group: -group["median"])
    assert (plain["machines"], encrypted["machines"]) == (25, 5)
    assert encrypted["median"] / plain["median"] == pytest.approx(0.9, rel=0.04)
    over = {group["key"]["encryption"]: group for group in await server.groups(query[:-20])}
    crude = over["apfs_encrypted"]["median"] / over["none"]["median"]
    assert crude == pytest.approx(0.9 * 1.8, rel=0.04)


@pytest.mark.parametrize(
    ("metric", "parameters"),
    [
        ("disk.write_average", {}),
        ("disk.read_speed", {"file_size": 2_000_000}),
        ("hash.sha256_speed", {}),
        ("compression.duration", {"threads": 8}),
        ("cores.loop_rate", {"kernel": "neon", "threads": 1, "core_context": "Performance/high"}),
    ],
)
async def test_answers_are_what_was_planted(
    with_reviewers: Server, metric: str, parameters: dict[str, int | str]
) -> None:
    """Group by group, if a group has a single truth."""
    design = reviewers()
    by = ("machine", "storage", "device")
    question = [("metric", metric), *(("by", name) for name in by)]
    question += [("where", f"{name}:{value}") for name, value in parameters.items()]
    checked = 0
    for group in await with_reviewers.groups(urlencode(question)):
        key = {name: value for name, value in group["key"].items() if value is not None}
        truths = {
            round(run.true(metric, **{"file_size": 16 * 10**9, **parameters}), 3)
            for run in design.runs
            if all(run.values.get(name) == value for name, value in key.items())
            if run.suite == metric.split(".")[0]
        }
        if len(truths) == 1:
            assert group["median"] == pytest.approx(truths.pop(), rel=0.08)
            checked += 1
    assert checked >= 5
