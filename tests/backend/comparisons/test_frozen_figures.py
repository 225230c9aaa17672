"""Conditions for a saved comparison to be "changed", figure by figure, in any order of JSON."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from macmeter.comparisons.kinds import KINDS as FORMATS
from macmeter.comparisons.kinds import QUESTION, SIDES, Key, Observed, change
from macmeter.schemas.sides import compares_sides
from support.comparisons import opened, save
from support.documents import disk_run
from support.figures import answer_of
from support.server import Server

Json = dict[str, Any]
KINDS = ("demo-by-model-ratio", "demo-published-ratio", "demo-sides", "demo-storage-encryption")
NUMBERS = ("mean", "median", "min", "p10", "p25", "p75", "p90", "max")
# Their keys are dimensions, which identify a figure.
DIMENSIONS = ("key", "parameters", "of", "to", "reference_key")


def changed(frozen: Any, live: Any) -> Any:
    kind = FORMATS[SIDES if compares_sides(frozen) else QUESTION]
    return change(kind.figures(frozen), kind.figures(live))


def objects(value_in: Any) -> Iterator[Json]:
    """Every JSON object of an answer."""
    if isinstance(value_in, list):
        for item in value_in:
            yield from objects(item)
    elif isinstance(value_in, dict):
        yield value_in
        for name, value in value_in.items():
            if name not in DIMENSIONS:
                yield from objects(value)


def figures(content: Any) -> list[Json]:
    return [item for item in objects(content) if "median" in item]


@pytest.mark.parametrize("name", KINDS)
def test_a_new_statistic_and_a_new_column_change_nothing(name: str) -> None:
    frozen = answer_of(name)
    live = copy.deepcopy(frozen)
    for item in [*objects(live)]:
        item |= {"geometric_mean": 5.0, "column": "new", "list": [{"of": "more"}]}
    assert changed(frozen, live) is None


@pytest.mark.parametrize("name", KINDS)
def test_last_digits_change_nothing(name: str) -> None:
    """They differ if numbers are summed in another order."""
    frozen = answer_of(name)
    live = copy.deepcopy(frozen)
    for figure in figures(live):
        figure["mean"] = math.nextafter(figure["mean"], math.inf)
    assert changed(frozen, live) is None
    for figure in figures(live):
        figure["mean"] *= 1 + 1e-9
    assert changed(frozen, live)["groups"] == len(figures(live)) > 0


@pytest.mark.parametrize("name", KINDS)
def test_other_words_flags_intervals_and_verdicts_change_nothing(name: str) -> None:
    frozen = answer_of(name)
    live = copy.deepcopy(frozen)
    for item in objects(live):
        for changing in ("title", "text", "ci_low", "ci_high", "verdict", "spread", "mix", "mixes"):
            item.pop(changing, None)
        if "flags" in item:
            item["flags"] = []
    assert changed(frozen, live) is None


@pytest.mark.parametrize("name", KINDS)
def test_the_order_of_keys_and_groups_changes_nothing(name: str) -> None:
    frozen = answer_of(name)
    # In PostgreSQL's order, and in reverse.
    stored = json.loads(json.dumps(frozen, sort_keys=True))
    for item in objects(stored):
        for listed in filter(None, (item.get("groups"), item.get("cells"), item.get("published"))):
            if isinstance(listed, list):
                listed.reverse()
    assert changed(frozen, stored) is None


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("number", NUMBERS)
def test_each_number_of_each_figure_counts_once(name: str, number: str) -> None:
    frozen = answer_of(name)
    for index in range(len(figures(frozen))):
        live = copy.deepcopy(frozen)
        figures(live)[index][number] += 1
        change = changed(frozen, live)
        assert (change["groups"], change["published"]) == (1, 0)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("number", ["machines", "runs", "samples"])
def test_other_runs_behind_the_same_figures_are_a_change_of_none(name: str, number: str) -> None:
    frozen = answer_of(name)
    live = copy.deepcopy(frozen)
    for figure in figures(live):
        figure[number] += 1
    assert changed(frozen, live) == {"groups": 0, "published": 0, "largest": None}


def test_the_ratio_of_a_side_counts_with_its_cells() -> None:
    frozen = answer_of("demo-sides")
    live = copy.deepcopy(frozen)
    next(figure for figure in figures(live) if "ratio" in figure)["ratio"]["value"] *= 2
    assert changed(frozen, live) is None


def test_a_ratio_that_differs_or_is_gone_counts_once() -> None:
    frozen = answer_of("demo-by-model-ratio")
    live, without = copy.deepcopy(frozen), copy.deepcopy(frozen)
    next(figure for figure in figures(live) if "ratio" in figure)["ratio"]["value"] *= 2
    next(figure for figure in figures(without) if "ratio" in figure).pop("ratio")
    for difference in (changed(frozen, live), changed(frozen, without)):
        assert difference == {"groups": 1, "published": 0, "largest": 1}


def test_a_printed_figure_counts_apart() -> None:
    frozen = answer_of("demo-published-ratio")
    published = [figure for result in frozen["results"] for figure in result["published"]]
    assert published
    live = copy.deepcopy(frozen)
    live["results"][0]["published"][0]["printed"] += "7"
    assert changed(frozen, live) == {"groups": 0, "published": 1, "largest": None}


def test_the_largest_change_is_a_number() -> None:
    """Medians of a slope may be negative, or near zero."""
    medians = {"slope": (-1.0, 1.0), "tiny": (1e-300, 1e300), "plain": (2.0, 1.0)}

    def at(index: int) -> dict[Key, Observed]:
        return {(name,): Observed({"median": both[index]}) for name, both in medians.items()}

    assert change(at(0), at(1)) == {"groups": 3, "published": 0, "largest": 0.5}


async def test_one_more_run_changes_the_one_group_that_it_is_of(server: Server) -> None:
    """PostgreSQL stores these dimensions' names in another order than answers have them."""
    setups = [
        (s, e) for s in ("internal", "usb4", "thunderbolt5") for e in ("none", "apfs_encrypted")
    ]
    await server.stored(*(disk_run(storage=s, encryption=e) for s, e in setups))
    saved = await save(server, question="metric=disk.write_average&by=encryption&by=storage")
    assert len(saved["answer"]["results"][0]["groups"]) == len(setups)
    assert (await opened(server, saved["slug"]))["changed"] is False
    await server.stored(disk_run(storage="usb4", encryption="none", write=3e9))
    comparison = await opened(server, saved["slug"])
    assert (comparison["change"]["groups"], comparison["change"]["published"]) == (1, 0)
