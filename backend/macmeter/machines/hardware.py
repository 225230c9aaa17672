"""Chips and models as things with an address, and their headline figures among peers.

A headline is one question with everything fixed that would affect its figure. All peers were
measured by the same method.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.accounts.scope import Principal
from macmeter.catalog import Better
from macmeter.catalog.chips import parse_chip
from macmeter.catalog.identifiers import identifiers_of, model_of
from macmeter.catalog.terms import Op, Term, Value
from macmeter.platform.errors import not_found
from macmeter.questions.grouped import Key
from macmeter.questions.groups import Group, groups_of
from macmeter.questions.question import Question
from macmeter.results.context import Reading, begin_reading
from macmeter.results.matching_runs import Combination, combinations
from macmeter.schemas.hardware import Hardware, HardwareDetail, Headline, Kind, Other
from macmeter.statistics.figures import figures

# In the order of questions.
DIMENSIONS: dict[Kind, tuple[str, ...]] = {"chips": ("chip",), "models": ("chip", "model")}
_MOST_SLUG = 80


# A metric, and what else is fixed.
HeadlineSpec = tuple[str, tuple[tuple[str, Value], ...]]

_INTERNAL = (("storage", "internal"), ("storage", "virtual_disk"))
_FASTEST = tuple(("core_context", f"{tier}/high") for tier in ("Super", "Performance", "Standard"))
HEADLINES: tuple[HeadlineSpec, ...] = (
    ("disk.read_average", _INTERNAL),
    ("disk.write_average", _INTERNAL),
    ("hash.sha256_memory_speed", ()),
    ("compression.speed", (("threads", 1.0),)),
    ("compression.speed", (("threads", 8.0),)),
    ("cores.loop_rate", (*_FASTEST, ("kernel", "fp64"), ("threads", 1.0))),
    ("score.value", (("test", "Single-Core"), ("tool", "Geekbench"))),
    ("score.value", (("test", "Multi-Core"), ("tool", "Geekbench"))),
)


async def list_things(
    connection: AsyncConnection, kind: Kind, reader: Principal | None
) -> list[Hardware]:
    """List every measured chip or model by name."""
    return things(await begin_reading(connection, reader), kind)


def things(reading: Reading, kind: Kind) -> list[Hardware]:
    """Return pages by name; if two would share an address, the first gets it."""
    pages: dict[str, Hardware] = {}
    unstated = ("chip",) if kind == "models" else ()
    for entry in sorted(combinations(reading, DIMENSIONS[kind], unstated=unstated), key=_order):
        thing = _thing(kind, entry)
        if thing.slug:
            pages.setdefault(thing.slug, thing)
    return [*pages.values()]


async def find_hardware(
    connection: AsyncConnection, kind: Kind, slug: str, reader: Principal | None
) -> HardwareDetail:
    """Return a thing; 404 if nobody measured it or the reader may not see it."""
    reading = await begin_reading(connection, reader)
    pages = things(reading, kind)
    thing = next((page for page in pages if page.slug == _known_as(slug)), None)
    if thing is None:
        raise not_found("chip" if kind == "chips" else "model")
    values = values_of(thing)
    by_values = {values_of(page): page for page in pages}
    related = [
        model
        for model in (things(reading, "models") if kind == "chips" else pages)
        if model.slug != thing.slug and _shares(kind, values, values_of(model))
    ]
    question = Question((), DIMENSIONS[kind], (_virtual(reading, thing),))
    headlines = [
        headline
        for spec in HEADLINES
        if (headline := _among_things(reading, asking(question, spec), values, by_values))
    ]
    return HardwareDetail(kind, thing, headlines, related, suites_of(reading, _terms(thing)))


def asking(question: Question, spec: HeadlineSpec) -> Question:
    metric, fixed = spec
    where = [Term(name, Op.IS, value) for name, value in fixed]
    where += [*question.where, *_usual(metric)]
    return replace(question, metrics=(metric,), where=tuple(sorted(where, key=str)))


def _usual(metric: str) -> list[Term]:
    """Exclude Low Power Mode where it affects figures."""
    names = catalog.METRICS[metric].determinants
    return [Term("power_mode", Op.NOT, "low")] if "power_mode" in names else []


def _among_things(
    reading: Reading,
    question: Question,
    values: tuple[Value, ...],
    by_values: dict[tuple[Value, ...], Hardware],
) -> Headline | None:
    groups = groups_of(reading, question)
    groups = {key: group for key, group in groups.items() if _is_said(key, group)}
    key = spoken_for({key: group for key, group in groups.items() if key.by == values})
    if key is None:
        return None
    others = [
        Other(_median(group), by_values[other.by].name, by_values[other.by].slug)
        for other, group in groups.items()
        if _is_comparable(key, other) and other.by != values and other.by in by_values
    ]
    return headline_of(question, key, groups[key], others)


def rank_among(better: str, value: float, others: list[Other]) -> int:
    sign = -1 if better == Better.LOWER.value else 1
    return 1 + sum(sign * other.value > sign * value for other in others)


def spoken_for(groups: dict[Key, Group]) -> Key | None:
    """Choose one method, since methods never mix: measured before published, then most Macs."""

    def voice(key: Key) -> tuple[bool, int, int, str]:
        return (not key.published, groups[key].machine_count, groups[key].run_count, key.method)

    return max(groups, key=voice, default=None)


def _is_said(key: Key, group: Group) -> bool:
    """Whether somebody measured or printed it: the median of unlike printed figures is neither."""
    return not key.published or bool(np.all(group.values == group.values[0]))


def _is_comparable(key: Key, other: Key) -> bool:
    return replace(other, by=key.by) == key


def _median(group: Group) -> float:
    return float(np.median(group.machine_values))


def headline_of(question: Question, key: Key, group: Group, others: list[Other]) -> Headline:
    metric = catalog.METRICS[question.metric]
    summary = figures(group.clusters, "machine")
    return Headline(
        metric=metric.name,
        unit=metric.unit.value,
        better=metric.better.value,
        parameters=fixed_of(question),
        canonical=question.canonical,
        method=key.method,
        method_version=key.method_version,
        published=key.published,
        value=summary.median,
        low=summary.interval.low if summary.interval else None,
        high=summary.interval.high if summary.interval else None,
        machines=group.machine_count,
        runs=group.run_count,
        rank=rank_among(metric.better.value, summary.median, others),
        of=len(others) + 1,
        others=sorted(others, key=lambda other: (other.value, other.name or "")),
    )


def fixed_of(question: Question) -> dict[str, Value]:
    """Return sample parameters that are fixed to one value."""
    fixed: dict[str, list[Value]] = {}
    for term in question.where:
        if catalog.is_of_sample(term.dimension):
            fixed.setdefault(term.dimension, []).append(term.value)
    return {name: values[0] for name, values in fixed.items() if len(values) == 1}


def _virtual(reading: Reading, thing: Hardware) -> Term:
    """Compare VMs with VMs: a thing known only from VMs counts as one."""
    hosts = combinations(reading, ("virtual",), (*_terms(thing), Term("virtual", Op.IS, False)))
    return Term("virtual", Op.IS, not hosts)


def suites_of(reading: Reading, terms: Sequence[Term]) -> dict[str, int]:
    rows = combinations(reading, ("suite",), terms)
    return {str(row.values[0]): row.runs for row in sorted(rows, key=lambda row: -row.runs)}


def _shares(kind: Kind, own: tuple[Value, ...], other: tuple[Value, ...]) -> bool:
    """Whether a model has this chip, or is the same model with another chip."""
    return other[0] == own[0] if kind == "chips" else other[1] == own[1]


def _thing(kind: Kind, combination: Combination) -> Hardware:
    chip = str(combination.values[0] or "")
    short = chip.removeprefix("Apple ")
    name = chip if kind == "chips" else f"{combination.values[1]}, {short or 'chip not stated'}"
    slug = short if kind == "chips" else f"{combination.values[1]} {short}"
    terms = [
        Term(dimension, Op.IS, value)
        for dimension, value in zip(DIMENSIONS[kind], combination.values, strict=True)
    ]
    return Hardware(
        slug=_slug(slug),
        name=name,
        where=[str(term) for term in terms],
        runs=combination.runs,
        machines=combination.machines,
        identifiers=identifiers_of(chip, str(combination.values[-1])),
    )


def values_of(thing: Hardware) -> tuple[Value, ...]:
    return tuple(written.split(":", 1)[1] or None for written in thing.where)


def _terms(thing: Hardware) -> tuple[Term, ...]:
    pairs = (written.split(":", 1) for written in thing.where)
    return tuple(Term(name, Op.IS, value or None) for name, value in pairs)


def _slug(text: str) -> str:
    """Turn "Mac mini M4 Pro" into mac-mini-m4-pro."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:_MOST_SLUG]


def _known_as(slug: str) -> str:
    """Resolve Apple's identifier of a model to its address: mac16-11 is a Mac mini with M4 Pro."""
    model = model_of(slug.replace("-", ","))
    return _slug(f"{model.name} {model.chip.removeprefix('Apple ')}") if model else slug.lower()


def _order(combination: Combination) -> tuple[bool, list[tuple[int, str]]]:
    """Sort Apple's chips first, by generation, in natural order."""
    text = " ".join(map(str, reversed(combination.values)))
    pieces = re.split(r"([0-9]+)", text)
    natural_key = [(int(p), "") if p.isdecimal() and p.isascii() else (-1, p) for p in pieces]
    return (parse_chip(str(combination.values[0])) is None, natural_key)
