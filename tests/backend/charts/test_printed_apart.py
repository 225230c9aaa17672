"""No published figure is averaged with another into one that nobody printed."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import orjson
import pytest
from macmeter import catalog
from macmeter.catalog import ANY_LABEL
from macmeter.documents.derive import derive
from macmeter.documents.parse import parse
from macmeter.embedded import EmbeddedPostgres
from macmeter.platform.settings import CHECKOUT
from macmeter.runs.published import documents
from support.databases import PUBLISHED, fresh_database
from support.server import Server, serving
from support.unlike.fleets import reviewers
from support.unlike.loading import store

Json = dict[str, Any]
# Columns that identify a figure but are not conditions; drives of one name differ by their id.
_NO_CONDITIONS = {
    *("citation", "derivation_version", "device_id", "flags", "host_machine_id", "labels"),
    *("holder", "finished_at", "started_at", "unspecified"),
}
# Pooled on purpose, and then shown one by one: see `figures` of an answer's groups.
_POOLED = {"model", "device", "os_version", "os_major", "vcpus", "file_system", "link_speed"}


@pytest.fixture(scope="module")
async def with_reviewers(cluster: EmbeddedPostgres) -> AsyncIterator[Server]:
    with fresh_database(cluster, template=PUBLISHED) as name:
        async with serving(cluster.url(name)) as server:
            await store(server.client, server.database_url, reviewers())
            yield server


def _rows() -> list[tuple[str, Json, str]]:
    """Metric, named dimensions and printed digits of each published figure."""
    now = datetime.now(UTC)
    runs = [derive(*parse(orjson.dumps(run), now=now)) for run in documents()]
    return [
        (result.metric, {**run.columns, **result.parameters}, str(result.printed))
        for run in runs
        for result in run.results
    ]


def test_what_tells_two_printed_figures_apart_is_a_determinant_of_their_metric() -> None:
    """Differences between any two in one group of an answer that fixes all determinants."""
    compared = 0
    for (metric, one, printed), (other_metric, other, also) in itertools.combinations(_rows(), 2):
        if metric != other_metric or one["method"] != other["method"] or printed == also:
            continue
        compared += 1
        determinants = {*catalog.METRICS[metric].determinants} - {ANY_LABEL}
        names = (one.keys() | other.keys()) - _NO_CONDITIONS - _POOLED
        unlike = {name for name in names if one.get(name) != other.get(name)}
        assert not unlike or unlike & determinants, (metric, printed, also, unlike)
    assert compared > 200


def _shown(figure: Json) -> Iterator[tuple[str, str]]:
    """Id and text of everything drawn as published."""
    for chart in figure.get("charts", []):
        for case in chart.get("cases", []):
            for lane in case["lanes"]:
                if lane.get("hollow"):
                    yield lane["id"], lane["text"] + lane.get("full", "")
        for panel in chart.get("panels") or []:
            for line in panel["series"]:
                for point in itertools.chain.from_iterable(line["stretches"]):
                    if line.get("hollow"):
                        yield point["lane"], point["text"]


def _digits(text: str) -> str:
    return "".join(sign for sign in text if sign.isdigit() or sign == ".")


def _averaged(answer: Json) -> list[str]:
    """Figures shown as published although no article prints them."""
    groups = [g for result in answer["results"] for g in result["groups"] if g["published"]]
    for group in groups:
        assert group["runs"] == 1 or "figures" in group or len({*group["printed"]}) == 1
    if not all("printed" in group for group in groups):
        return []  # speeds, derived one by one from printed times
    digits_printed = [_digits(text) for group in groups for text in group["printed"]]
    digits_printed += [
        _digits(figure["printed"]) for result in answer["results"] for figure in result["published"]
    ]
    wrong = []
    for lane, text in _shown(answer["figure"]):
        if not any(digits in _digits(text) for digits in digits_printed):
            wrong.append(f"{answer['question']['canonical']} {lane}: {text}")
    return wrong


def _unseen(answer: Json) -> list[str]:
    """Printed digits of small groups that no reader sees."""
    text = " ".join(text for _, text in _shown(answer["figure"]))
    return [
        f"{answer['question']['canonical']}: {printed}"
        for result in answer["results"]
        for group in result["groups"]
        if group["published"] and len(group.get("figures", [])) <= 12
        for printed in group.get("printed", [])
        if _digits(printed) not in _digits(text)
    ]


@pytest.mark.thorough
async def test_views_show_what_is_printed(with_reviewers: Server) -> None:
    """Every view's default question, with invented Macs beside the articles."""
    views = json.loads((CHECKOUT / "tests/figures/views.json").read_text())
    count = 0
    for view in views["views"]:
        start = await with_reviewers.client.get(f"/api/v1/starting-point?{view['question']}")
        answer = await with_reviewers.answer(quote(start.json()["canonical"], safe="=&:!.%+"))
        if not answer["question"]["relative_to"]:
            assert _averaged(answer) == []
            assert _unseen(answer) == []
            count += sum(1 for _ in _shown(answer["figure"]))
    assert count > 100


async def test_random_questions_show_what_is_printed(with_reviewers: Server) -> None:
    chance = Random(37)
    rows = _rows()
    pooled = 0
    for _ in range(60):
        metric, dimensions, _ = chance.choice(rows)
        required = catalog.METRICS[metric].required
        fixed = chance.sample(required, chance.randint(0, len(required)))
        free = [name for name in dimensions if name in catalog.DIMENSIONS and name not in required]
        by = [*({*required} - {*fixed})]
        by += chance.sample(free, chance.randint(0, 3 - len(by)))
        question = [("metric", metric), *(("by", name) for name in sorted(by))]
        question += [("where", f"{name}:{_said(dimensions.get(name))}") for name in fixed]
        answer = await with_reviewers.answer(urlencode(question))
        assert _averaged(answer) == []
        assert _unseen(answer) == []
        groups = answer["results"][0]["groups"]
        pooled += sum("figures" in group for group in groups)
    assert pooled > 10


def _said(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


async def test_figures_of_one_group_are_listed_with_what_tells_them_apart(
    published_server: Server,
) -> None:
    (group,) = await published_server.groups(
        "metric=compression.duration&where=threads:14&where=storage:disk_image"
        "&where=method:cormorant-storages"
    )
    assert [(figure["printed"], figure["differs"]) for figure in group["figures"]] == [
        ("9.67 s", {"image_format": "sparsebundle"}),
        ("16.87 s", {"image_format": "raw"}),
    ]
    assert group["mixes"] == [{"dimension": "image_format", "count": 2}]
    assert [figure["citation"]["row"] for figure in group["figures"]] == ["m067", "m070"]


async def test_a_download_has_a_line_for_each(published_server: Server) -> None:
    query = "metric=disk.write_average&where=storage:thunderbolt3&where=encryption:none"
    download = await published_server.client.get(f"/api/v1/answer.csv?{query}")
    lines = csv.DictReader(io.StringIO(download.text))
    article_lines = [line for line in lines if line["method"] == "unstated-a001-encryption-hash"]
    assert [(line["median"], line["printed"], line["runs"]) for line in article_lines] == [
        ("2200000000.0", "2.2 GB/s", "1"),
        ("2800000000.0", "2.8 GB/s", "1"),
    ]


async def test_many_figures_of_one_group_are_shown_as_a_range(published_server: Server) -> None:
    """The lowest and the highest are shown as printed."""
    query = "metric=disk.write_average&where=method:stibium-gold-standard&where=source:published"
    answer = await published_server.answer(query)
    (group,) = answer["results"][0]["groups"]
    assert len(group["figures"]) > 12
    figures = dict(_shown(answer["figure"]))
    assert figures["0.0"].startswith("52\N{THIN SPACE}MB/s to 7.66")


async def test_other_groups_keep_their_places(published_server: Server) -> None:
    """Lanes find their group by its place in the answer."""
    answer = await published_server.answer(
        "metric=disk.write_average&by=storage&by=encryption&where=source:published"
    )
    groups = answer["results"][0]["groups"]
    lanes = {
        lane["id"]: lane
        for chart in answer["figure"]["charts"]
        for case in chart["cases"]
        for lane in case["lanes"]
        if "printed" not in lane["id"]
    }
    parts = 0
    for number, group in enumerate(groups):
        figures = group.get("figures")
        if figures is None:
            assert lanes.pop(f"0.{number}")["method"] == group["method"]
            continue
        for part, figure in enumerate(figures):
            assert lanes.pop(f"0.{number}.{part}")["run"] == figure["run_id"]
            parts += 1
    assert parts > 2
    assert lanes == {}


@pytest.mark.thorough
async def test_no_ratio_is_of_a_middle_of_printed_figures(
    published_server: Server,
) -> None:
    """Random references: each ratio of medians is of two printed figures."""
    chance = Random(38)
    rows = _rows()
    ratios, refused, several = 0, 0, 0
    for _ in range(100):
        metric, dimensions, _ = chance.choice(rows)
        required = {*catalog.METRICS[metric].required}
        free = [name for name in dimensions if name in catalog.DIMENSIONS and name not in required]
        replaced = chance.choice([name for name in free if name not in ("source", "machine")])
        question = [("metric", metric), ("version", "2"), ("where", "source:published")]
        question += [("by", name) for name in sorted({*required, replaced})]
        question += [("relative_to", f"{replaced}:{_said(dimensions[replaced])}")]
        response = await published_server.client.get(f"/api/v1/answer?{urlencode(question)}")
        if response.status_code == 422:
            continue  # nothing is compared by that dimension
        (result,) = response.json()["results"]
        values: dict[tuple[str, str], set[float]] = {}
        for group in result["groups"]:
            key = (group["method"], repr(group["key"]))
            shown = [f["value"] for f in group.get("figures", [{"value": group["median"]}])]
            values.setdefault(key, set()).update(shown)
        for group in result["groups"]:
            ratio = group.get("ratio", {})
            if "likeness" not in ratio:
                continue  # none, or the reference itself
            ratios += 1
            has = values[group["method"], repr(group["key"])]
            to = values.get((group["method"], repr(ratio["reference_key"])), set())
            several += len(has) > 1 or len(to) > 1
            if ratio["likeness"]["method"] == "medians":
                assert any(abs(a / b - ratio["value"]) < 1e-9 for a in has for b in to)
            if len(has) > 1 or len(to) > 1:
                assert "crude" not in ratio
        refused += any(note["code"] == "unlike_figures" for note in result["notes"])
    assert min(ratios - 30, several - 10, refused - 5) >= 0, (ratios, several, refused)
