"""Ratios and ranges as articles print them, listed separately from an answer's groups."""

from typing import cast

from macmeter import catalog
from macmeter.catalog import ANY_LABEL, Trait
from macmeter.documents.flags import sort_flags
from macmeter.questions.groups import Group, Groups
from macmeter.questions.question import Question
from macmeter.results.context import Reading
from macmeter.results.results import ResultSource, figures_of, sources_of
from macmeter.schemas.answer import AnsweredFigure, PrintedResult

# Properties that articles state besides a metric's determinants.
_STATED_BY_ARTICLES = (*catalog.having(Trait.CONFIGURATION), *catalog.having(Trait.SEARCHED))
_FIGURE_FIELDS = ("kind", "value", "low", "high", "of", "to", "qualifier", "printed", "parameters")


class PublishedSources:
    """Sources of published results, by run and series."""

    def __init__(self, sources: dict[tuple[bytes, int], ResultSource]) -> None:
        self._sources = sources

    def of_group(self, group: Group) -> list[ResultSource]:
        """Return the sources of a group's results, in the order of machines and runs."""
        return [source for _, source in self._with_runs(group)]

    def differing_results(self, group: Group) -> list[PrintedResult]:
        """Return a group's results one by one, lowest first; empty if all are the same.

        Speeds derived from printed times aren't printed but may also differ.
        """
        listed = self._with_runs(group)
        if len({source.printed or source.value for _, source in listed}) < 2:
            return []
        stated = [source.stated for _, source in listed]
        differing = [name for name in stated[0] if len({repr(each[name]) for each in stated}) > 1]
        listed.sort(key=lambda entry: entry[1].value)
        return [_printed_result(run_id, source, differing) for run_id, source in listed]

    def _with_runs(self, group: Group) -> list[tuple[str, ResultSource]]:
        """Return the ids of a group's runs with the source of each one's result."""
        listed = []
        for machine, run_id, series in group.results_of_articles:
            source = self._sources.get((run_id.bytes, series))
            if source is not None:
                listed.append((machine.bytes, run_id.bytes, str(source), str(run_id), source))
        return [entry[3:] for entry in sorted(listed, key=lambda entry: entry[:3])]


def _printed_result(run_id: str, source: ResultSource, differing: list[str]) -> PrintedResult:
    fields = {
        "value": source.value,
        "differs": {name: source.stated[name] for name in differing},
        "flags": sort_flags({*source.flags}),
        "run_id": run_id,
        "printed": source.printed,
        "qualifier": source.qualifier,
        "citation": source.citation,
    }
    present = {name: value for name, value in fields.items() if value is not None}
    return cast(PrintedResult, present)


async def fetch_sources(reading: Reading, groups: Groups) -> PublishedSources:
    """Fetch the sources of these groups' published results."""
    published = [group for key, group in groups.items() if key.published]
    results = [result for group in published for result in group.results_of_articles]
    if not results:
        return PublishedSources({})
    runs = {(machine, run_id) for machine, run_id, _ in results}
    selection = published[0].grouped.selection
    dimensions = dict.fromkeys(
        (*catalog.METRICS[selection.metric].determinants, *_STATED_BY_ARTICLES)
    )
    names = [name for name in dimensions if name != ANY_LABEL and name not in selection.by]
    return PublishedSources(
        await sources_of(reading, runs, {series for *_, series in results}, names)
    )


async def fetch_published(reading: Reading, question: Question) -> list[AnsweredFigure]:
    """Fetch the printed ratios and ranges of the question's metric that match its filters.

    A relative question gets only ratios to its own reference.
    """
    if question.metric not in reading.data.presence.printed_metrics:
        return []
    reference = question.reference
    figures: list[AnsweredFigure] = []
    for entry in await figures_of(reading, question.metric, question.where, question.by):
        figure = entry.figure
        if reference and (figure.kind != "ratio" or figure.to != reference):
            continue
        properties = ((name, getattr(figure, name)) for name in _FIGURE_FIELDS)
        fields = {
            **{name: value for name, value in properties if value is not None},
            "key": question.key_of(entry.by),
            "flags": entry.flags,
            "citation": entry.citation,
            "run_id": str(figure.run_id),
        }
        figures.append(cast(AnsweredFigure, fields))
    return figures
