"""The results that a question is of, by figure: statements over the relations of a snapshot.

The results of the asked series whose setups are asked for are `found`. A figure is what has the
same `part` (values of parameters), `kind` (values of setups) and, where these are asked for, month
and machine. What names no machine has rows of its own in every table: it may have been another one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from macmeter import catalog
from macmeter.accounts.scope import Scope
from macmeter.catalog.terms import Flagged, Term, Value, matches
from macmeter.results.dataset import rows, summing
from macmeter.results.dataset.relations import RESULTS
from macmeter.results.dataset.rows import Wanted
from macmeter.results.dataset.setups import Bools, Ints, Results, dense
from macmeter.results.dataset.snapshot import ChosenSetups, Columns, Series, Snapshot
from macmeter.results.dataset.summing import numbers_of
from macmeter.results.dataset.wording import OF_RUNS, by_subject, listed, ranges

# Published figures, methods and their versions never stand in one figure.
SPLIT = {
    "published": "source = 'published'",
    "method": "method",
    "method_version": "method_version",
}


# What a figure may differ in within a setup, and the arrays of rows that have it.
_ROWS = {"month": "month", "machine": "owner"}
_RESULT = ("value", "owner", "place", "series", "device", "holder", "month", "run")


@dataclass(frozen=True, eq=False)
class Found:
    """The results of one metric under `terms`, as far as `scope` reads them."""

    snapshot: Snapshot
    metric: str
    by: tuple[str, ...]
    terms: tuple[Term, ...]
    scope: Scope
    flagged: Flagged = "exclude"
    doubts: bool = False
    """Instead of these the doubtful ones."""
    pairs: bool = False
    """Whether `cells`, `digests` or `results` will be wanted: what these need is read with the
    rest.
    """
    _ordered: list[tuple[Columns, Columns]] = field(default_factory=list, init=False)
    """The rows in order, where they are few enough to be kept."""

    @property
    def asked_scope(self) -> Scope:
        """What of the scope a question with these filters is about."""
        return self.scope.asked(self.terms)

    @cached_property
    def series(self) -> dict[int, Series]:
        """Those whose parameters match the filters, by number."""
        *_, of_samples = by_subject(self.terms)
        names = {term.dimension for term in of_samples}
        of_name = {name: [t for t in of_samples if t.dimension == name] for name in names}
        return {
            number: one
            for number, one in self.snapshot.of_metric(self.metric).items()
            if all(matches(one.parameter(name), terms) for name, terms in of_name.items())
        }

    @cached_property
    def parts(self) -> dict[tuple[Value, ...], list[int]]:
        """The series by their values of what is grouped by."""
        found: dict[tuple[Value, ...], list[int]] = {}
        for number, one in self.series.items():
            values = tuple(one.parameter(name) for name in self.by if catalog.is_of_sample(name))
            found.setdefault(values, []).append(number)
        return found

    @property
    def is_of_one_series(self) -> bool:
        """Whether a run has one result in a figure."""
        return all(len(numbers) == 1 for numbers in self.parts.values())

    @property
    def by_setups(self) -> list[str]:
        return [name for name in self.by if name not in OF_RUNS and not catalog.is_of_sample(name)]

    @property
    def figure(self) -> list[str]:
        """The columns that tell a figure from another."""
        return ["part", "kind", *(name for name in OF_RUNS if name in self.by)]

    @cached_property
    def _kinds(self) -> tuple[Ints, Ints]:
        """The number of each setup's kind, and for each kind one of its setups."""
        numbers = np.zeros(len(self.snapshot.setups), dtype=np.int64)
        for name in (*self.by_setups, *SPLIT):
            codes, values = self.snapshot.values(name)
            numbers = numbers * (len(values) + 1) + codes
        examples, kinds = dense(numbers)
        return kinds, examples

    @cached_property
    def _setups(self) -> ChosenSetups:
        return ChosenSetups(self.snapshot, self.terms, self.scope)

    @cached_property
    def having(self) -> Bools:
        """Whether results of each setup may be among these."""
        counts, doubts = not self.doubts, self.doubts or self.flagged == "include"
        having = self.snapshot.setups.having({*self.series}, counts=counts, doubts=doubts)
        return having & self._setups.matching

    @cached_property
    def _asked(self) -> str:
        """The setups that are asked for as a relation: with their kinds."""
        return self._setups.relation(self.having, kind=self._kinds[0].astype(np.int32))

    @cached_property
    def wanted(self) -> Wanted:
        """The rows that it is of; where they are few, with the doubtful ones that it leaves out."""
        _, of_runs, _ = by_subject(self.terms)
        also = {"month"} if "month" in self.by else set()
        if self.pairs:
            also |= {"run", "holder", "month"}
        elif not self.is_of_one_series:
            also.add("run")
        of = (self.asked_scope, tuple(of_runs), frozenset(self.series))
        share = np.count_nonzero(self.having) / max(len(self.having), 1)
        if self.doubts or share * self._bound([*self.series]) > rows.TOGETHER:
            doubtful = None if self.flagged == "include" and not self.doubts else self.doubts
            return Wanted(*of, self.having, doubtful, frozenset(also))
        having = self.snapshot.setups.having({*self.series}, counts=True, doubts=True)
        return Wanted(*of, having & self._setups.matching, also=frozenset(also))

    @property
    def _fits(self) -> bool:
        """Whether memory has room for all of its rows."""
        return self._bound([*self.series]) <= rows.AT_ONCE

    def _rows(self) -> Iterator[Columns]:
        """What is asked for, in portions; of one figure's machine all results in the same.

        As many parts together as memory has room for, by what the first ones had; of a part with
        too many results its machines in turn.
        """
        if self._fits:
            yield self._chosen(rows.kept(self.snapshot, self.wanted))
            return
        parts, share = [*self.parts.values()], 1.0
        while parts:
            series = parts.pop(0)
            bound = self._bound(series)
            while parts and share * (bound + self._bound(parts[0])) <= rows.AT_ONCE:
                bound += self._bound(parts[0])
                series = series + parts.pop(0)
            wanted = replace(self.wanted, series=frozenset(series))
            read = 0
            for of_machines in ranges(-(-int(share * bound) // rows.AT_ONCE) or 1):
                portion = rows.read(self.snapshot, wanted, of_machines)
                read += len(portion["value"])
                yield self._chosen(portion)
            share = min(1.0, 2 * read / bound) if bound else share

    def _bound(self, series: Sequence[int]) -> int:
        """About how many results of these series there are, before any filter of runs."""
        return self.snapshot.results_in(self.asked_scope, series)

    def _chosen(self, every: Columns) -> Columns:
        """Those among these rows that it is of, and the group of each."""
        series, place = every["series"], every["place"]
        known = max(int(series.max(initial=0)), *self.series, 0) + 1
        part_of: Ints = np.full(known, -1, dtype=np.int64)
        for number, of in enumerate(self.parts.values()):
            part_of[of] = number
        part = part_of[series]
        chosen = (part >= 0) & self.having[place]
        if self.doubts:
            chosen &= every["doubtful"]
        elif self.flagged == "exclude":
            chosen &= ~every["doubtful"]
        found: Columns = {"part": part, **every}
        if not chosen.all():
            places = np.flatnonzero(chosen)
            found = {name: of[places] for name, of in found.items()}
        columns = [self._codes[found["place"]]]
        if len(self.parts) > 1:
            columns.insert(0, found["part"])
        columns += [found[_ROWS[name]] for name in self.figure if name in _ROWS]
        found["group"] = summing.numbered(columns)
        return found

    @cached_property
    def _codes(self) -> Ints:
        """Number each setup by its kind and by whether it names its machine."""
        return summing.numbered([self._kinds[0], self._setups.unspecified.astype(np.int64)])

    @property
    def _by(self) -> list[str]:
        """What tells apart groups of rows: figures, and what is named from what is not."""
        return [*self.figure, "unspecified"]

    def of_rows(self, portion: Columns, found: Columns) -> Columns:
        """With what figures differ in, of the rows that `found` names."""
        row = found.pop("row")
        place = portion["place"][row]
        told = {
            "part": portion["part"][row],
            "kind": self._kinds[0][place],
            "unspecified": self._setups.unspecified[place],
            **{name: portion[_ROWS[name]][row] for name in self.figure if name in _ROWS},
        }
        return told | found

    @cached_property
    def _with(self) -> str:
        """The results that are asked for."""
        conditions = [f"series IN ({listed(self.series) or '-1'})", *self._setups.conditions()]
        if self.doubts:
            conditions.append("doubtful")
        elif self.flagged == "exclude":
            conditions.append("NOT doubtful")
        part, joined = "0", ""
        if len(self.parts) > 1:
            part_of = [(one, part) for part, of in enumerate(self.parts.values()) for one in of]
            parts = listed(f"({number}, {place})" for number, place in part_of)
            part, joined = "part", f"JOIN (VALUES {parts}) AS parts(series, part) USING (series)"
        of = (", ".join(RESULTS), self.asked_scope, self.series)
        results = self.snapshot.relation("results", *of)
        return f"""
            WITH found AS (
                SELECT results.* EXCLUDE (month), coalesce(month, 0) AS month, {part} AS part, kind,
                    unspecified, place
                FROM {results} AS results JOIN {self._asked} USING (setup) {joined}
                WHERE {" AND ".join(conditions)}
            )
        """

    @cached_property
    def _summed(self) -> tuple[Columns, Columns]:
        """What `machines` and `setups` return."""
        machines, setups = [], []
        for portion in self._rows():
            ordered = summing.in_order(portion)
            of_machines = summing.by_machine(ordered)
            of_machines["model"] = self._models[portion["place"][of_machines["row"]]]
            machines.append(self.of_rows(portion, of_machines))
            of_setups = summing.by_setup(portion, len(self.snapshot.setups))
            setups.append(self.of_rows(portion, of_setups))
            if self._fits:
                self._ordered.append((portion, ordered))
        return _joined(machines), _joined(setups)

    @cached_property
    def _models(self) -> Ints:
        """A number for each setup's model; -1 where that is not stated."""
        codes, values = self.snapshot.values("model")
        numbers = np.array([-1 if of is None else code for code, of in enumerate(values)], np.int64)
        return numbers[codes]

    def ask(self, select: str) -> Columns:
        return self.snapshot.ask(f"{self._with} {select}")

    def rows(self, select: str) -> list[tuple[Any, ...]]:
        """What `select` finds, as values of Python."""
        return self.snapshot.rows(f"{self._with} {select}")

    def statement(self, select: str) -> str:
        """To be part of another one."""
        return f"FROM ({self._with} {select})"

    @property
    def each(self) -> str:
        """What tells groups of rows apart, for SQL."""
        return listed(self._by)

    def is_of(self, figure: Sequence[int]) -> str:
        """The condition that a row is of that figure."""
        return f"({listed(self.figure)}) = ({listed(figure)})"

    def kind(self, number: int) -> dict[str, Value]:
        """What the number of a kind stands for: by dimension of setups, and by SPLIT."""
        example = self._kinds[1][number]
        told = {}
        for name in (*self.by_setups, *SPLIT):
            codes, values = self.snapshot.values(name)
            told[name] = values[codes[example]]
        return told

    def machines(self) -> Columns:
        """Each figure's machines: `value`, the number of their `model`, how many `results` and
        `runs`, and whether they are of `several` drives.
        """
        return self._summed[0]

    def values(self, figures: Sequence[tuple[int, ...]]) -> Columns:
        """Every value of these figures with its machine, ascending by both."""
        for portion, ordered in self._ordered:
            chosen = summing.of_groups(ordered, self.groups_of(portion, {*figures}))
            return self.of_rows(portion, chosen)
        return self.ask(f"""
            SELECT {self.each}, machine AS owner, value FROM found {self.these(figures)}
            ORDER BY {self.each}, owner, value
        """)

    @property
    def known_rows(self) -> Columns | None:
        """What `machines` summed, where all of it is in memory with the runs' numbers (`at`)."""
        return next((portion for portion, _ in self._ordered if "at" in portion), None)

    def groups_of(self, portion: Columns, figures: Collection[tuple[int, ...]]) -> list[int]:
        """The numbers of the groups of these figures."""
        every = self.of_rows(portion, {"row": summing.row_of_each(portion["group"])})
        told = zip(*(every[name].tolist() for name in self.figure), strict=True)
        return [group for group, of in enumerate(told) if of in figures]

    def these(self, figures: Sequence[tuple[int, ...]]) -> str:
        """For SQL: what keeps the rows of these figures."""
        wanted = ", ".join(f"({listed(of)})" for of in figures)
        names = listed(self.figure)
        return f"SEMI JOIN (VALUES {wanted}) AS wanted({names}) USING ({names})"

    def setups(self) -> Columns:
        """The setups, by `place`, that each figure has `results` of: how many, and how many
        `samples` these have; of those of `several` samples how many there are, and the sums of
        their percentiles and squared deviations.
        """
        return self._summed[1]

    def series_of(self, part: int) -> list[int]:
        """The series of figures with that part."""
        return [*self.parts.values()][part]

    def among(self, results: Results, series: Collection[int]) -> frozenset[int]:
        """Those of `series` of which runs with these results are asked for."""
        counts, doubts = not self.doubts, self.doubts or self.flagged == "include"
        return results.among(series, counts=counts, doubts=doubts)

    def results(self) -> Columns:
        """Each result whose machine is named: of which figure it is, and what `_RESULT` names."""
        every = []
        for portion in self._with_pairs._rows():
            row = np.flatnonzero(~self._setups.unspecified[portion["place"]])
            of = {name: portion[name][row] for name in _RESULT}
            every.append(self.of_rows(portion, {"row": row} | of))
        return _joined(every)

    def digests(self) -> Columns:
        """Digest which runs each figure has, those that name their machine and others."""
        portions = self._with_pairs._rows()
        return _joined([self.of_rows(portion, summing.digests(portion)) for portion in portions])

    def cells(
        self, alike: Sequence[str], left_out: Collection[str], of_series: Mapping[int, int]
    ) -> Columns:
        """What one machine measured on one drive in one setting: its `value`, and a digest of its
        `runs`; of machines that are named.

        Settings differ in these determinants, of labels without those that are left out, or in a
        number of their series.
        """
        of_setups = numbers_of(self.snapshot.setups, alike, left_out)
        numbers = np.zeros(max(of_series, default=0) + 1, dtype=np.int64)
        numbers[[*of_series]] = [*of_series.values()]
        cells = []
        for portion in self._with_pairs._rows():
            named = np.flatnonzero(~self._setups.unspecified[portion["place"]])
            own = {name: of[named] for name, of in portion.items()}
            settings = (numbers[own["series"]], of_setups[own["place"]])
            cell = summing.hashed([own["owner"], own["device"], own["holder"], *settings])
            cells.append(self.of_rows(own, summing.by_cell(own, cell)))
        return _joined(cells)

    @property
    def _with_pairs(self) -> Found:
        return self if self.pairs else replace(self, pairs=True)

    def settings(self, alike: Sequence[str]) -> Columns:
        """The machines of each figure, `series` and `setting`: of settings a number and the `place`
        of a setup. These differ in determinants of runs, of labels in those that aren't asked for.
        """
        of_setups = numbers_of(self.snapshot.setups, alike, self.by)
        every = []
        for portion in self._rows():
            settings = of_setups[portion["place"]]
            found = summing.by_setting(portion, settings)
            every.append(self.of_rows(portion, found))
        return _joined(every)


def _joined(parts: Sequence[Columns]) -> Columns:
    return {name: np.concatenate([of[name] for of in parts]) for name in parts[0]}
