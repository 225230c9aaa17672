"""Chips, models and Macs in words: their headline figures, and a strip of where these lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from macmeter import catalog
from macmeter.answers.exact import Exact
from macmeter.answers.things import Headline, Kind, Other, Thing, ThingDetail
from macmeter.catalog import Page
from macmeter.figures.numbers import Scale, counted, in_unit, ordinal, scale_for, with_unit
from macmeter.figures.runs import parameters_text
from macmeter.figures.timelines import step_text
from macmeter.figures.words import value_text

_KINDS = {"chips": ("chip", "chips"), "models": ("model", "models"), "machines": ("Mac", "Macs")}


@dataclass(frozen=True)
class Dot:
    """Another thing on a strip; `at` from 0 at its low end to 1 at its high end."""

    at: float
    text: str
    name: str = ""
    slug: str = ""


@dataclass(frozen=True)
class HeadlineTold:
    """A figure as it is printed; `low` and `high` are the ends of its strip.

    `canonical` asks for it and for those beside it; `page` answers that, where there is one.
    """

    title: str
    page: Page | None
    canonical: str
    value: str
    interval: str
    behind: str
    rank: str
    at: float
    low: str
    high: str
    published: bool
    others: tuple[Dot, ...]
    changed: str = ""
    """How a Mac's figure moved, and whether that is sure; nothing where it did not."""


@dataclass(frozen=True)
class SuiteTold:
    page: Page | None
    title: str
    runs: int


class Things(Exact):
    items: list[Thing]


class ThingTold(Exact):
    """`related`: a chip's models, a model's other chips, and a Mac's model; `suites` by runs."""

    kind: Kind
    thing: Thing
    headlines: list[HeadlineTold]
    related: list[Thing]
    suites: list[SuiteTold]


def told_things(found: list[Thing]) -> Things:
    """A list of chips or models."""
    return {"items": found}


def told_thing(found: ThingDetail) -> ThingTold:
    """A thing with its figures in words."""
    return {
        "kind": found.kind,
        "thing": found.thing,
        "headlines": [_headline(found, headline) for headline in found.headlines],
        "related": found.related,
        "suites": [
            SuiteTold(catalog.PAGES.get(suite), value_text("suite", suite), runs)
            for suite, runs in found.suites.items()
        ],
    }


def _headline(found: ThingDetail, headline: Headline) -> HeadlineTold:
    metric = catalog.METRICS[headline.metric]
    values = [headline.value, *(other.value for other in headline.others)]
    low, high = min(values), max(values)
    scale = scale_for(headline.unit, [high])

    def told(value: float) -> str:
        return with_unit(in_unit(value, scale), scale.symbol)

    def at(value: float) -> float:
        return round((value - low) / (high - low), 4) if high > low else 0.5

    test = headline.parameters.get("test")
    return HeadlineTold(
        title=f"Geekbench, {str(test).lower()}"
        if metric.suite == "score"
        else ", ".join(filter(None, [metric.title, parameters_text(headline.parameters)])),
        page=catalog.PAGES.get(metric.suite),
        canonical=headline.canonical,
        value=told(headline.value),
        interval=_interval(headline, scale),
        behind=_behind(found.kind, headline),
        rank=_rank(found.kind, headline),
        at=at(headline.value),
        low=told(low),
        high=told(high),
        published=headline.published,
        others=tuple(
            Dot(at(other.value), _dot(other, told(other.value)), other.name or "", other.slug or "")
            for other in headline.others
        ),
        changed=_changed(headline, told),
    )


def _changed(headline: Headline, told: Callable[[float], str]) -> str:
    """ "−30 % with macOS 26.2 (6 runs before, 2 since): too few to be sure. Usually 5.78 GB/s"."""
    steps = [step for step in headline.steps if step.stands_out]
    if not steps:
        return ""
    usual = "" if headline.usual is None else f" Median of all runs: {told(headline.usual)}."
    return f"{step_text(steps[-1])}.{usual}"


def _dot(other: Other, value: str) -> str:
    return f"{other.name}: {value}" if other.name else value


def _interval(headline: Headline, scale: Scale) -> str:
    """ "95%: 6.41–6.80 GB/s"; nothing of too few Macs."""
    if headline.low is None or headline.high is None:
        return ""
    ends = f"{in_unit(headline.low, scale)}–{in_unit(headline.high, scale)}"
    return f"95%: {with_unit(ends, scale.symbol)}"


def _behind(kind: str, headline: Headline) -> str:
    if headline.published:
        return f"{counted(headline.runs, 'published figure')}"
    runs = counted(headline.runs, "run")
    if headline.all_runs is not None and headline.all_runs > headline.runs:
        on = f" on macOS {headline.os_version}" if headline.os_version else ""
        runs = f"latest {runs}{on}, of {counted(headline.all_runs, 'run')}"
    return runs if kind == "machines" else f"{counted(headline.machines, 'Mac')}, {runs}"


def _rank(kind: str, headline: Headline) -> str:
    """ "3rd of 12 chips", the best first; where neither is better, and alone, it has none."""
    count = len(headline.others) + 1
    if count == 1 or headline.better == "none":
        return ""
    what = _KINDS[kind][1] + (" with this chip" if kind == "machines" else "")
    place = "Best" if headline.rank == 1 else ordinal(headline.rank)
    return f"{place} of {count} {what}"
