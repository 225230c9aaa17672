"""Ratios and ranges as articles print them: beside an answer's groups, never among them."""

from __future__ import annotations

from typing import cast

from macmeter.answers.answer import AnsweredFigure
from macmeter.queries.groups import Group, Groups
from macmeter.queries.question import Question
from macmeter.reading.moment import Reading
from macmeter.reading.published import Source, figures_of, sources_of

_PARTS = ("kind", "value", "low", "high", "of", "to", "qualifier", "printed", "parameters")


class Sources:
    """The sources of published results, by run and series."""

    def __init__(self, of_results: dict[tuple[bytes, int], Source]) -> None:
        self._of_results = of_results

    def of(self, group: Group) -> list[Source]:
        """Of a group's results, in the order of machines and runs."""
        listed = []
        for machine, run_id, series in group.results_of_articles:
            source = self._of_results.get((run_id.bytes, series))
            if source is not None:
                listed.append((machine.bytes, run_id.bytes, str(source), source))
        return [source for *_, source in sorted(listed, key=lambda of: of[:3])]


async def fetch_sources(reading: Reading, groups: Groups) -> Sources:
    """What is printed for the published ones of these groups."""
    published = [group for key, group in groups.items() if key.published]
    results = [of for group in published for of in group.results_of_articles]
    if not results:
        return Sources({})
    keys = {(machine, run_id) for machine, run_id, _ in results}
    return Sources(await sources_of(reading, keys, {series for *_, series in results}))


async def fetch_published(
    reading: Reading, question: Question, metric: str
) -> list[AnsweredFigure]:
    """The printed ratios and ranges of a metric that match the question's filters.

    Where the answer is relative, only ratios to that same reference belong.
    """
    if metric not in reading.data.aside.printed_metrics:
        return []
    reference = {term.dimension: term.value for term in question.relative_to}
    listed = []
    for found in await figures_of(reading, metric, question.where, question.by):
        figure = found.figure
        if reference and (figure.kind != "ratio" or figure.to != reference):
            continue
        told = ((name, getattr(figure, name)) for name in _PARTS)
        claim = {
            **{name: value for name, value in told if value is not None},
            "key": dict(zip(question.by, found.by, strict=True)),
            "flags": found.flags,
            "citation": found.citation,
            "run_id": str(figure.run_id),
        }
        listed.append(cast(AnsweredFigure, claim))
    return listed
