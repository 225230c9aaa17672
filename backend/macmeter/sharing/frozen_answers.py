"""A question's answer as a comparison keeps it: the first kind, format 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.scope import Asker
from macmeter.answers.answer import Answer, Group, MetricAnswer
from macmeter.queries.answer import answer
from macmeter.queries.question import parse_query
from macmeter.queries.relative import reference_question
from macmeter.queries.splitting import Key
from macmeter.sharing.frozen_figures import (
    may_rest_on,
    nameless,
    observed,
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
    few = {
        (metric, tuple(group["key"].values()), *_method_of(group))
        for metric, group in _groups(frozen)
        if of_few_pairs(group)
    }

    def is_few(one: FrozenMetric, key: Key) -> bool:
        return (one.metric, key.by, key.published, key.method, key.method_version) in few

    return is_few


def number_of(frozen: Answer) -> Callable[[FrozenMetric, Key], int | None]:
    numbers = {
        (metric, tuple(group["key"].values()), *_method_of(group)): number
        for number, (metric, group) in enumerate(_groups(frozen))
    }

    def find(one: FrozenMetric, key: Key) -> int | None:
        return numbers.get((one.metric, key.by, key.published, key.method, key.method_version))

    return find


def is_empty(frozen: Answer) -> bool:
    return not any(result["groups"] or result["published"] for result in frozen["results"])


def figures(found: Answer) -> object:
    # A fit follows from the groups' medians, by a method that may be bettered.
    return [
        {
            "metric": result["metric"],
            "published": result["published"],
            "groups": [observed(group) for group in result["groups"]],
        }
        for result in found["results"]
    ]


def medians(found: Answer) -> dict[str, float]:
    return {
        repr((metric, group["key"], *_method_of(group))): group["median"]
        for metric, group in _groups(found)
    }


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


def _method_of(group: Group) -> tuple[bool, str, int]:
    return group["published"], group["method"], group["method_version"]


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
