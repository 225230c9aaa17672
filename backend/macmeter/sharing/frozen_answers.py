"""A question's answer as a comparison keeps it: the first kind, format 1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.scope import Asker
from macmeter.answers.answer import Answer, Group, MetricAnswer
from macmeter.queries.answer import answer
from macmeter.queries.grouped import Key
from macmeter.queries.question import parse_query
from macmeter.queries.relative import reference_question
from macmeter.sharing.frozen_figures import Key as FigureKey
from macmeter.sharing.frozen_figures import (
    Observed,
    by_name,
    may_rest_on,
    nameless,
    observed_with_ratio,
    of_few_machines,
    of_few_pairs,
)
from macmeter.sharing.pinned import FrozenMetric

KIND = "question"
QUESTION = "question"


def canonical(query: str) -> str:
    return parse_query(query).canonical


async def answered(
    connection: AsyncConnection, query: str, reader: Asker | None, now: datetime
) -> Answer:
    return await answer(connection, parse_query(query), reader, now)


def metrics(query: str) -> Iterator[FrozenMetric]:
    question = parse_query(query)
    for metric in question.metrics:
        own = question.of_metric(metric)
        reference = reference_question(own) if own.relative_to else None
        across = any(term.dimension == "virtual" for term in own.relative_to)
        yield FrozenMetric(metric, own, reference, across)


def few_pairs(frozen: Answer) -> Callable[[FrozenMetric, Key], bool]:
    few = {_group_key(metric, group) for metric, group in _groups(frozen) if of_few_pairs(group)}

    return lambda one, key: _asked_key(one, key) in few


def number_of(frozen: Answer) -> Callable[[FrozenMetric, Key], int | None]:
    groups = enumerate(_groups(frozen))
    numbers = {_group_key(metric, group): number for number, (metric, group) in groups}
    return lambda one, key: numbers.get(_asked_key(one, key))


def _asked_key(one: FrozenMetric, key: Key) -> FigureKey:
    """The key that `_group_key` gives a frozen group."""
    dimensions = by_name(dict(zip(one.question.by, key.by, strict=True)))
    return (one.metric, dimensions, key.published, key.method, key.method_version)


def is_empty(frozen: Answer) -> bool:
    return not any(result["groups"] or result["published"] for result in frozen["results"])


def figures(found: Answer) -> dict[FigureKey, Observed]:
    # A fit follows from the groups' medians, by a method that may be bettered.
    groups = {
        _group_key(metric, group): observed_with_ratio(group) for metric, group in _groups(found)
    }
    return {**groups, **_printed(found)}


def _printed(found: Answer) -> dict[FigureKey, Observed]:
    """The digits that articles print; an article may print several of one thing."""
    digits: dict[FigureKey, list[str]] = defaultdict(list)
    for result in found["results"]:
        for figure in result["published"]:
            sides = by_name(figure.get("of", {})), by_name(figure.get("to", {}))
            key = result["metric"], figure["run_id"], by_name(figure["parameters"]), *sides
            digits[key].append(figure["printed"])
    return {key: Observed(printed=tuple(sorted(listed))) for key, listed in digits.items()}


def tells_of(frozen: Answer, run_id: str) -> bool:
    resting = [group for _, group in _groups(frozen) if may_rest_on(group, run_id)]
    if any(of_few_machines(group) for group in resting):
        return True
    divided = (group for _, group in _groups(frozen) if of_few_pairs(group))
    if any(group in resting or _divided_by(group, resting) for group in divided):
        return True
    # What ratios were divided by is only seen to be of enough machines where it is a group too.
    question = frozen["question"]
    references = {term["dimension"] for term in question["relative_to"]}
    return not resting or not references <= set(question["by"])


def _divided_by(group: Group, others: list[Group]) -> bool:
    reference = group["ratio"]["reference_key"].items()
    return any(reference <= other["key"].items() for other in others)


def _group_key(metric: str, group: Group) -> FigureKey:
    method = group["published"], group["method"], group["method_version"]
    return (metric, by_name(group["key"]), *method)


def _groups(found: Answer) -> Iterator[tuple[str, Group]]:
    for result in found["results"]:
        for group in result["groups"]:
            yield result["metric"], group


def of_several(found: Answer, fewest: int) -> Answer:
    """An answer without figures of fewer machines, and without the ids of runs."""
    return {**found, "results": [_of_several(result, fewest) for result in found["results"]]}


def _of_several(result: MetricAnswer, fewest: int) -> MetricAnswer:
    kept = [g for g in result["groups"] if g["published"] or g["machines"] >= fewest]
    told = [nameless(group, fewest, _is_told(group, kept)) for group in kept]
    # A line was drawn through all groups.
    fits = result.get("fits", []) if len(kept) == len(result["groups"]) else []
    return {**result, "groups": told, "fits": fits}


def _is_told(group: Group, kept: list[Group]) -> bool:
    """Whether what its ratio is divided by is shown as well."""
    ratio = group.get("ratio")
    reference = ratio["reference_key"] if ratio else {}
    return any(reference.items() <= other["key"].items() for other in kept)
