"""Distinct runs behind an answer, and what it leaves out, counted by reason."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from macmeter import catalog
from macmeter.questions.grouped import setups_of
from macmeter.questions.groups import Group, selection_of
from macmeter.questions.question import Question
from macmeter.results.context import Reading
from macmeter.results.dataset import runs
from macmeter.results.dataset.relations import PER_RUN_DIMENSIONS
from macmeter.results.dataset.runs import distinct_runs, named_runs
from macmeter.results.dataset.selection import Selection
from macmeter.results.dataset.setups import RESULTS
from macmeter.results.dataset.snapshot import Columns, Snapshot
from macmeter.results.matching_runs import how_many_withdrawn
from macmeter.schemas.answer import Excluded
from macmeter.statistics.numbering import combination_ranks


class RunCounter:
    """Set of the runs behind questions' groups and articles' ratios and ranges."""

    def __init__(self, data: Snapshot) -> None:
        self._data = data
        self._ratio_run_ids: set[str] = set()
        self._groups: list[list[Group]] = []
        """Groups, one list per question."""
        self._counted: dict[Hashable, list[Columns]] = {}
        """Counts of runs by setup, by scope and by filters and grouping of months and machines."""

    def __len__(self) -> int:
        if len(self._counted) > 1:
            statements = [runs_of(groups) for groups in self._groups]
            printed_statement = named_runs(self._ratio_run_ids)
            return distinct_runs(self._data, [*statements, *filter(None, [printed_statement])])
        groups = [group for question_groups in self._groups for group in question_groups]
        in_groups = (run_id for group in groups for _, run_id, _ in group.results_of_articles)
        others = self._ratio_run_ids.difference(map(str, in_groups)) if self._ratio_run_ids else ()
        return sum(map(_distinct, self._counted.values())) + len(others)

    def add_printed(self, run_ids: Iterable[str]) -> None:
        """Add runs of articles with printed ratios or ranges."""
        self._ratio_run_ids |= {*run_ids}

    def add_groups(self, groups: Iterable[Group]) -> None:
        """Add all groups of one question, of which some may exclude unspecified machines."""
        groups = list(groups)
        if groups:
            selection = groups[0].grouped.selection
            key = (
                selection.row_selection.scope,
                selection.row_selection.terms,
                *_per_run_dimensions(selection),
            )
            self._counted.setdefault(key, []).append(_by_setup(groups))
            self._groups.append(groups)


def _per_run_dimensions(selection: Selection) -> list[str]:
    return [name for name in selection.figure_columns if name in PER_RUN_DIMENSIONS]


def _by_setup(groups: Sequence[Group]) -> Columns:
    """Count the `runs` of each setup in these groups, by dimensions of single runs.

    All runs of a setup have results of the same series, so results per series give runs.
    """
    grouped = groups[0].grouped
    selection = grouped.selection
    halves, setups, rows = grouped.cached(setups_of)
    are_in = np.zeros(2 * len(grouped.figure_ids), dtype=bool)
    are_in[[half for group in groups for half in group.half_numbers]] = True
    chosen = are_in[halves]
    codes, values = selection.snapshot.setups.values(RESULTS)
    pairs, pair_indices = np.unique(
        rows["part"][chosen] * len(values) + codes[setups[chosen]], return_inverse=True
    )
    series = [
        len(selection.among(values[pair % len(values)], selection.series_of(pair // len(values))))
        for pair in pairs.tolist()
    ]
    runs = rows["results"][chosen] // np.array(series, dtype=np.int64)[pair_indices]
    return {
        "place": setups[chosen],
        **{name: rows[name][chosen] for name in _per_run_dimensions(selection)},
    } | {"runs": runs}


def _distinct(counted: Sequence[Columns]) -> int:
    """Count distinct runs: of two counts for a setup, one always includes the other's runs."""
    columns = {name: np.concatenate([counts[name] for counts in counted]) for name in counted[0]}
    runs = columns.pop("runs")
    numbers = combination_ranks([*columns.values()])
    most = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
    np.maximum.at(most, numbers, runs)
    return int(most.sum())


def runs_of(groups: Sequence[Group], machines: Collection[int] | None = None) -> str:
    """Return the statement that finds the runs of one question's groups, or of some machines."""
    figures: dict[tuple[bool, bool], list[tuple[int, ...]]] = {}
    for group in groups:
        figures.setdefault(group.has_halves, []).append(group.grouped.figure_ids[group.number])
    return runs.runs_of(groups[0].grouped.selection, figures, machines)


async def excluded_from(reading: Reading, question: Question) -> list[Excluded]:
    """Return `{reason, severity, runs}` for each doubt; a run with two doubts counts for both."""
    listed: list[tuple[str, int]] = []
    if question.flagged != "include":
        counted = _flags_of(replace(selection_of(reading, question), only_doubtful=True))
        listed = sorted((code, runs) for code, runs in counted.items() if catalog.is_doubt(code))
    if withdrawn := await how_many_withdrawn(reading, question.metric, question.where):
        listed.append((catalog.WITHDRAWN, withdrawn))
    return [
        {"reason": code, "severity": catalog.flag(code).severity, "runs": number}
        for code, number in listed
    ]


def _flags_of(selection: Selection) -> Counter[str]:
    """Count the runs of these results that carry each flag."""
    counted: Counter[str] = Counter()
    if not selection.setups_with_results.any():
        return counted
    codes, values = selection.snapshot.setups.values(RESULTS)
    rows = selection.setups()
    row_codes = codes[rows["place"]]
    for code, results in enumerate(np.bincount(row_codes, weights=rows["results"]).tolist()):
        if results:
            series = selection.among(values[code], selection.series)
            for flag in values[code].all_flags(series):
                counted[flag] += int(results) // len(series)
    return counted
