"""Results of a question by figure, read from memory or by statements over a snapshot's relations.

In statements, `found` has the results of the requested series and setups. A figure combines results
with the same `part` (values of parameters) and `kind` (values of setups), and with the same month
and machine if the question groups by these. Results without a named machine have separate rows in
every table: each may be of another machine.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from macmeter import catalog
from macmeter.accounts.scope import Scope
from macmeter.catalog.terms import Flagged, Term, Value, matches
from macmeter.results.dataset import rows, summing
from macmeter.results.dataset.relations import PER_RUN_DIMENSIONS, RESULTS
from macmeter.results.dataset.rows import RowSelection
from macmeter.results.dataset.setups import Bools, Ints, Results
from macmeter.results.dataset.snapshot import ChosenSetups, Columns, Series, Snapshot
from macmeter.results.dataset.sql import by_subject, listed, machine_ranges
from macmeter.results.dataset.summing import numbers_of
from macmeter.statistics.numbering import combination_ranks, distinct

# Published figures, methods and their versions are never combined in one figure.
SPLIT = {
    "published": "source = 'published'",
    "method": "method",
    "method_version": "method_version",
}

# Dimensions that may divide the results of one setup into several figures, with their columns.
_COLUMN_OF = {"month": "month", "machine": "owner"}
_RESULT_COLUMNS = ("value", "owner", "place", "series", "device", "holder", "month", "run")


@dataclass(frozen=True, eq=False)
class Selection:
    """The results of one metric under `terms`, as far as `scope` reads them."""

    snapshot: Snapshot
    metric: str
    by: tuple[str, ...]
    terms: tuple[Term, ...]
    scope: Scope
    flagged: Flagged = "exclude"
    only_doubtful: bool = False
    """Select only doubtful results instead."""
    pairs: bool = False
    """Whether to read the columns for `cells`, `digests` and `results` along with the others."""
    is_large: ClassVar[bool] = False  # a cluster sums large ones: see on_cluster.py
    _ordered: list[tuple[Columns, Columns]] = field(default_factory=list, init=False)
    """The rows and their order, if they are few enough to be kept."""

    @property
    def needed_scope(self) -> Scope:
        """The part of the scope that these filters need."""
        return self.scope.asked(self.terms)

    @cached_property
    def series(self) -> dict[int, Series]:
        """The series whose parameters match the filters, by number."""
        *_, sample_terms = by_subject(self.terms)
        names = {term.dimension for term in sample_terms}
        terms_by_name = {name: [t for t in sample_terms if t.dimension == name] for name in names}
        return {
            number: series
            for number, series in self.snapshot.of_metric(self.metric).items()
            if all(matches(series.parameter(name), terms) for name, terms in terms_by_name.items())
        }

    @cached_property
    def parts(self) -> dict[tuple[Value, ...], list[int]]:
        """Numbers of the series by their values of the grouped parameters."""
        parts: dict[tuple[Value, ...], list[int]] = {}
        for number, series in self.series.items():
            values = tuple(series.parameter(name) for name in self.by if catalog.is_of_sample(name))
            parts.setdefault(values, []).append(number)
        return parts

    @property
    def is_of_one_series(self) -> bool:
        """Whether a run has at most one result in a figure."""
        return all(len(numbers) == 1 for numbers in self.parts.values())

    @property
    def by_setups(self) -> list[str]:
        """The grouped dimensions that are properties of setups."""
        names = (name for name in self.by if name not in PER_RUN_DIMENSIONS)
        return [name for name in names if not catalog.is_of_sample(name)]

    @property
    def figure_columns(self) -> list[str]:
        """Columns that identify a figure."""
        return ["part", "kind", *(name for name in PER_RUN_DIMENSIONS if name in self.by)]

    @cached_property
    def _kinds(self) -> tuple[Ints, Ints]:
        """The kind of each setup, and an example setup of each kind."""
        numbers = np.zeros(len(self.snapshot.setups), dtype=np.int64)
        for name in (*self.by_setups, *SPLIT):
            codes, values = self.snapshot.values(name)
            numbers = numbers * (len(values) + 1) + codes
        examples, kinds = distinct(numbers)
        return kinds, examples

    @cached_property
    def _setups(self) -> ChosenSetups:
        return ChosenSetups(self.snapshot, self.terms, self.scope)

    @cached_property
    def setups_with_results(self) -> Bools:
        """Mask of the setups that may have results of this selection."""
        counts, doubts = not self.only_doubtful, self.only_doubtful or self.flagged == "include"
        having = self.snapshot.setups.having({*self.series}, counts=counts, doubts=doubts)
        return having & self._setups.matching

    @cached_property
    def _requested_setups(self) -> str:
        """The requested setups with their kinds, as a relation."""
        return self._setups.relation(self.setups_with_results, kind=self._kinds[0].astype(np.int32))

    @cached_property
    def row_selection(self) -> RowSelection:
        """The rows to read; if they are few, including the doubtful ones that will be left out."""
        _, run_terms, _ = by_subject(self.terms)
        extra = {"month"} if "month" in self.by else set()
        if self.pairs:
            extra |= {"run", "holder", "month"}
        elif not self.is_of_one_series:
            extra.add("run")
        arguments = (self.needed_scope, tuple(run_terms), frozenset(self.series))
        share = np.count_nonzero(self.setups_with_results) / max(len(self.setups_with_results), 1)
        if self.only_doubtful or share * self._max_results([*self.series]) > rows.TOGETHER:
            keeps_all = self.flagged == "include" and not self.only_doubtful
            doubtful = None if keeps_all else self.only_doubtful
            return RowSelection(*arguments, self.setups_with_results, doubtful, frozenset(extra))
        having = self.snapshot.setups.having({*self.series}, counts=True, doubts=True)
        return RowSelection(*arguments, having & self._setups.matching, extra=frozenset(extra))

    @property
    def _fits(self) -> bool:
        """Whether all rows fit in memory at once."""
        return self._max_results([*self.series]) <= rows.AT_ONCE

    def _rows(self) -> Iterator[Columns]:
        """Yield the selected rows in portions; a machine's results in one figure stay together.

        Each portion has as many parts as fit, estimated from the share of rows in earlier portions.
        A part that is too large is divided by machine.
        """
        if self._fits:
            yield self._select(rows.cached(self.snapshot, self.row_selection))
            return
        parts, share = [*self.parts.values()], 1.0
        while parts:
            series = parts.pop(0)
            bound = self._max_results(series)
            while parts and share * (bound + self._max_results(parts[0])) <= rows.AT_ONCE:
                bound += self._max_results(parts[0])
                series = series + parts.pop(0)
            selection = replace(self.row_selection, series=frozenset(series))
            read = 0
            for machine_range in machine_ranges(-(-int(share * bound) // rows.AT_ONCE) or 1):
                portion = rows.read(self.snapshot, selection, machine_range)
                read += len(portion["value"])
                yield self._select(portion)
            share = min(1.0, 2 * read / bound) if bound else share

    def _max_results(self, series: Sequence[int]) -> int:
        """Return the number of results of these series before filters of runs."""
        return self.snapshot.results_in(self.needed_scope, series)

    def _select(self, portion: Columns) -> Columns:
        """Select the requested rows and add the `group` of each."""
        series, setup_indices = portion["series"], portion["place"]
        size = max(int(series.max(initial=0)), *self.series, 0) + 1
        part_of: Ints = np.full(size, -1, dtype=np.int64)
        for number, numbers in enumerate(self.parts.values()):
            part_of[numbers] = number
        part = part_of[series]
        is_selected = (part >= 0) & self.setups_with_results[setup_indices]
        if self.only_doubtful:
            is_selected &= portion["doubtful"]
        elif self.flagged == "exclude":
            is_selected &= ~portion["doubtful"]
        selected: Columns = {"part": part, **portion}
        if not is_selected.all():
            indices = np.flatnonzero(is_selected)
            selected = {name: column[indices] for name, column in selected.items()}
        columns = [self._codes[selected["place"]]]
        if len(self.parts) > 1:
            columns.insert(0, selected["part"])
        columns += [
            selected[_COLUMN_OF[name]] for name in self.figure_columns if name in _COLUMN_OF
        ]
        selected["group"] = combination_ranks(columns)
        return selected

    @cached_property
    def _codes(self) -> Ints:
        """Codes of setups by kind and by whether they name their machine."""
        return combination_ranks([self._kinds[0], self._setups.unspecified.astype(np.int64)])

    def with_figures(self, portion: Columns, aggregates: Columns) -> Columns:
        """Add the columns that identify figures, looked up at the `row` of each."""
        row = aggregates.pop("row")
        setup_indices = portion["place"][row]
        columns = {
            "part": portion["part"][row],
            "kind": self._kinds[0][setup_indices],
            "unspecified": self._setups.unspecified[setup_indices],
        }
        divided = (name for name in self.figure_columns if name in _COLUMN_OF)
        return columns | {name: portion[_COLUMN_OF[name]][row] for name in divided} | aggregates

    @cached_property
    def _with_clause(self) -> str:
        """The WITH clause that defines `found`."""
        conditions = [f"series IN ({listed(self.series) or '-1'})", *self._setups.conditions()]
        if self.only_doubtful:
            conditions.append("doubtful")
        elif self.flagged == "exclude":
            conditions.append("NOT doubtful")
        part, join = "0", ""
        if len(self.parts) > 1:
            pairs = [(n, part) for part, series in enumerate(self.parts.values()) for n in series]
            parts = listed(f"({number}, {part})" for number, part in pairs)
            part, join = "part", f"JOIN (VALUES {parts}) AS parts(series, part) USING (series)"
        arguments = (", ".join(RESULTS), self.needed_scope, self.series, self.is_large)
        results = self.snapshot.relation("results", *arguments)
        return f"""
            WITH found AS (
                SELECT results.* EXCLUDE (month), coalesce(month, 0) AS month, {part} AS part, kind,
                    unspecified, place
                FROM {results} AS results JOIN {self._requested_setups} USING (setup) {join}
                WHERE {" AND ".join(conditions)}
            )
        """

    @cached_property
    def _summed(self) -> tuple[Columns, Columns]:
        """What `machines` and `setups` return."""
        machines, setups = [], []
        for portion in self._rows():
            ordered = summing.in_order(portion)
            machine_rows = summing.by_machine(ordered, once=self.is_of_one_series)
            machine_rows["model"] = self._models[portion["place"][machine_rows["row"]]]
            machines.append(self.with_figures(portion, machine_rows))
            setup_rows = summing.by_setup(portion, len(self.snapshot.setups))
            setups.append(self.with_figures(portion, setup_rows))
            if self._fits:
                self._ordered.append((portion, ordered))
        return _concat(machines), _concat(setups)

    @cached_property
    def _models(self) -> Ints:
        """The model's number for each setup, in the order of names; -1 if it isn't stated."""
        codes, values = self.snapshot.values("model")
        names = sorted((value for value in values if value is not None), key=str)
        numbers = [-1 if value is None else names.index(value) for value in values]
        return np.array(numbers, dtype=np.int64)[codes]

    def ask(self, select: str) -> Columns:
        return self.snapshot.ask(f"{self._with_clause} {select}")

    def rows(self, select: str) -> list[tuple[Any, ...]]:
        """Return the rows of `select` as Python values."""
        return self.snapshot.rows(f"{self._with_clause} {select}")

    def subquery(self, select: str) -> str:
        """Return `select` as a subquery for another statement."""
        return f"FROM ({self._with_clause} {select})"

    @property
    def group_columns(self) -> str:
        """The columns that identify a group, for SQL: its figure's, and whether Macs are named."""
        return listed([*self.figure_columns, "unspecified"])

    def is_in_figure(self, figure: Sequence[int]) -> str:
        """Return the SQL condition that a row belongs to that figure."""
        return f"({listed(self.figure_columns)}) = ({listed(figure)})"

    def kind(self, number: int) -> dict[str, Value]:
        """Return the values of a kind: by dimension of setups, and by SPLIT."""
        example = self._kinds[1][number]
        columns = {name: self.snapshot.values(name) for name in (*self.by_setups, *SPLIT)}
        return {name: values[codes[example]] for name, (codes, values) in columns.items()}

    def machines(self) -> Columns:
        """Return each figure's machines: `value`, number of the `model`, numbers of `results` and
        `runs`, and whether these are of `several` drives.
        """
        return self._summed[0]

    def values(self, figures: Sequence[tuple[int, ...]]) -> Columns:
        """Return every value of these figures with its machine, ascending by both."""
        for portion, ordered in self._ordered:
            chosen = summing.of_groups(ordered, self.groups_of(portion, {*figures}))
            return self.with_figures(portion, chosen)
        return self.ask(f"""
            SELECT {self.group_columns}, machine AS owner, value
            FROM found {self.semi_join(figures)}
            ORDER BY {self.group_columns}, owner, value
        """)

    @property
    def rows_in_memory(self) -> Columns | None:
        """The rows behind `machines`, if all are in memory with their runs' numbers (`at`)."""
        return next((portion for portion, _ in self._ordered if "at" in portion), None)

    def groups_of(self, portion: Columns, figures: Collection[tuple[int, ...]]) -> list[int]:
        """Return the groups of these figures."""
        columns = self.with_figures(portion, {"row": summing.row_of_each(portion["group"])})
        keys = zip(*(columns[name].tolist() for name in self.figure_columns), strict=True)
        return [group for group, figure in enumerate(keys) if figure in figures]

    def semi_join(self, figures: Sequence[tuple[int, ...]]) -> str:
        """Return the SQL join that keeps only rows of these figures."""
        tuples = ", ".join(f"({listed(figure)})" for figure in figures)
        names = listed(self.figure_columns)
        return f"SEMI JOIN (VALUES {tuples}) AS wanted({names}) USING ({names})"

    def setups(self) -> Columns:
        """Return each figure's setups by `place`: the numbers of `results` and of their `samples`,
        the number of results with `several` samples, and the sums of those results' percentiles and
        squared deviations.
        """
        return self._summed[1]

    def series_of(self, part: int) -> list[int]:
        """Return the series of figures with that part."""
        return [*self.parts.values()][part]

    def among(self, results: Results, series: Collection[int]) -> frozenset[int]:
        """Return those of `series` that runs with these results contribute."""
        counts, doubts = not self.only_doubtful, self.only_doubtful or self.flagged == "include"
        return results.among(series, counts=counts, doubts=doubts)

    def results(self) -> Columns:
        """Return each result of a named machine: its figure and `_RESULT_COLUMNS`."""
        results = []
        for portion in self._with_pairs._rows():
            row = np.flatnonzero(~self._setups.unspecified[portion["place"]])
            columns = {name: portion[name][row] for name in _RESULT_COLUMNS}
            results.append(self.with_figures(portion, {"row": row} | columns))
        return _concat(results)

    def digests(self) -> Columns:
        """Digest the set of results of each group."""
        portions = self._with_pairs._rows()
        return _concat([self.with_figures(rows, summing.digests(rows)) for rows in portions])

    def cells(
        self, alike: Sequence[str], left_out: Collection[str], series_numbers: Mapping[int, int]
    ) -> Columns:
        """Return named machines' `value` by drive and setting, with a `digest` of its results.

        Settings differ in the determinants `alike`, ignoring labels that are `left_out`, or in the
        number that `series_numbers` gives their series.
        """
        setup_numbers = numbers_of(self.snapshot.setups, alike, left_out)
        numbers = np.zeros(max(series_numbers, default=0) + 1, dtype=np.int64)
        numbers[[*series_numbers]] = [*series_numbers.values()]
        cells = []
        for portion in self._with_pairs._rows():
            is_named, chosen = ~self._setups.unspecified[portion["place"]], portion
            if not is_named.all():
                chosen = {name: column[is_named] for name, column in portion.items()}
            settings = (numbers[chosen["series"]], setup_numbers[chosen["place"]])
            cell = summing.hashed([chosen["owner"], chosen["device"], chosen["holder"], *settings])
            cells.append(self.with_figures(chosen, summing.by_cell(chosen, cell)))
        return _concat(cells)

    @property
    def _with_pairs(self) -> "Selection":
        return self if self.pairs else replace(self, pairs=True)

    def settings(self, alike: Sequence[str]) -> Columns:
        """Return the machines of each figure, `series` and `setting`; a setting is a number with
        the `place` of an example setup. Settings differ in the determinants `alike`, ignoring
        labels that the question groups by.
        """
        setup_numbers = numbers_of(self.snapshot.setups, alike, self.by)
        settings = []
        for portion in self._rows():
            row_settings = setup_numbers[portion["place"]]
            machines = summing.by_setting(portion, row_settings)
            settings.append(self.with_figures(portion, machines))
        return _concat(settings)


def _concat(portions: Sequence[Columns]) -> Columns:
    return {name: np.concatenate([portion[name] for portion in portions]) for name in portions[0]}
