"""The results that a question is of, by figure: statements over the relations of a snapshot.

The results of the asked series whose setups are asked for are `found`. A figure is what has the
same `part` (values of parameters), `kind` (values of setups) and, where these are asked for, month
and machine. What names no machine has rows of its own in every table: it may have been another one.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from macmeter import catalog
from macmeter.access.scope import Scope
from macmeter.dataset import summing
from macmeter.dataset.alike import determinant, setting
from macmeter.dataset.chosen import ChosenSetups
from macmeter.dataset.loading import objects
from macmeter.dataset.relations import RESULTS
from macmeter.dataset.setups import Bools, Ints, Results, dense
from macmeter.dataset.snapshot import Columns, Series, Snapshot
from macmeter.dataset.wording import OF_RUNS, by_subject, listed, ranges
from macmeter.terms import Flagged, Term, Value, matches

LINKED_RUNS = 8
"""So many of a figure's runs are named."""
# Results whose machines are grouped at once.
_AT_ONCE = 1_500_000
# Published figures, methods and their versions never stand in one figure.
SPLIT = {
    "published": "source = 'published'",
    "method": "method",
    "method_version": "method_version",
}
# Whole numbers are compared sooner than texts.
_MONTH = "coalesce(replace(month, '-', '')::INTEGER, 0) AS month"


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
    _ordered: list[Columns] = field(default_factory=list)
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
        """By setup, whether results of it may be among these."""
        counts, doubts = not self.doubts, self.doubts or self.flagged == "include"
        having = self.snapshot.setups.having({*self.series}, counts=counts, doubts=doubts)
        return having & self._setups.matching

    @cached_property
    def _asked(self) -> str:
        """The setups that are asked for as a relation: with their kinds."""
        return self._setups.relation(self.having, kind=self._kinds[0].astype(np.int32))

    @cached_property
    def _with(self) -> str:
        """The results that are asked for."""
        return self._with_these(self.series)

    def _with_these(self, series: Collection[int]) -> str:
        conditions = [f"series IN ({listed(series) or '-1'})", *self._setups.conditions()]
        if self.doubts:
            conditions.append("doubtful")
        elif self.flagged == "exclude":
            conditions.append("NOT doubtful")
        part_of = {
            number: part
            for part, of in enumerate(self.parts.values())
            for number in of
            if number in series
        }
        part, joined = str(next(iter(part_of.values()), 0)), ""
        if len({*part_of.values()}) > 1:
            parts = listed(f"({number}, {place})" for number, place in part_of.items())
            part, joined = "part", f"JOIN (VALUES {parts}) AS parts(series, part) USING (series)"
        results = self.snapshot.relation("results", ", ".join(RESULTS), self.asked_scope, series)
        return f"""
            WITH found AS (
                SELECT results.* EXCLUDE (month), {_MONTH}, {part} AS part, kind,
                    unspecified, place
                FROM {results} AS results JOIN {self._asked} USING (setup) {joined}
                WHERE {" AND ".join(conditions)}
            )
        """

    @cached_property
    def _portions(self) -> list[tuple[list[int], str]]:
        """The series of all parts, as many together as memory has room for; of a part with more
        results its machines in turn.
        """
        portions: list[tuple[list[int], str]] = []
        together: list[int] | None = None
        room = 0
        for series in self.parts.values():
            results = self.snapshot.results_in(self.asked_scope, series)
            if results > _AT_ONCE:
                portions += ((series, of) for of in ranges(-(-results // _AT_ONCE)))
                together = None
            elif together is None or results > room:
                together, room = [*series], _AT_ONCE - results
                portions.append((together, "true"))
            else:
                together += series
                room -= results
        return portions or [([], "false")]

    @cached_property
    def _summed(self) -> tuple[Columns, Columns]:
        """What `machines` and `setups` return."""
        by = [*self.figure, "unspecified"]
        run = "" if self.is_of_one_series else "hash(run_id)::UBIGINT AS run,"
        machines, setups = [], []
        for series, of_machines in self._portions:
            rows = self.snapshot.ask(f"""
                {self._with_these(series)}
                SELECT {self._each}, place, machine AS owner, value, {run}
                    coalesce(device_number, 0) AS device, samples, samples > 1 AS several,
                    coalesce(low, 0)::DOUBLE AS low, coalesce(high, 0)::DOUBLE AS high,
                    coalesce(deviation, 0)::DOUBLE ** 2 AS squares
                FROM found WHERE {of_machines}
            """)
            rows = summing.in_order(rows, by)
            machines.append(summing.by_machine(rows, by))
            setups.append(summing.by_setup(rows, by, len(self.snapshot.setups)))
            if len(self._portions) == 1:
                self._ordered.append(
                    {name: rows[name] for name in (*by, "group", "owner", "value")}
                )
        return _joined(machines), _joined(setups)

    def ask(self, select: str) -> Columns:
        return self.snapshot.ask(f"{self._with} {select}")

    def rows(self, select: str) -> list[tuple[Any, ...]]:
        """What `select` finds, as values of Python."""
        return self.snapshot.rows(f"{self._with} {select}")

    def statement(self, select: str) -> str:
        """To be part of another one."""
        return f"FROM ({self._with} {select})"

    @property
    def _each(self) -> str:
        return listed([*self.figure, "unspecified"])

    def kind(self, number: int) -> dict[str, Value]:
        """What the number of a kind stands for: by dimension of setups, and by SPLIT."""
        example = self._kinds[1][number]
        told = {}
        for name in (*self.by_setups, *SPLIT):
            codes, values = self.snapshot.values(name)
            told[name] = values[codes[example]]
        return told

    def machines(self) -> Columns:
        """Each figure's machines: `value`, how many `results` and `runs`, and whether they are of
        `several` drives.
        """
        return self._summed[0]

    def values(self, figures: Sequence[tuple[int, ...]]) -> Columns:
        """Every value of these figures with its machine, ascending by both."""
        for rows in self._ordered:
            return summing.of_groups(rows, self.figure, {*figures})
        return self.ask(f"""
            SELECT {self._each}, machine AS owner, value FROM found {self._these(figures)}
            ORDER BY {self._each}, owner, value
        """)

    def first_runs(self, figures: Sequence[tuple[int, ...]]) -> list[tuple[Any, ...]]:
        """The first of the run ids of each of these figures, ascending."""
        several = "" if self.is_of_one_series else "DISTINCT "
        return self.rows(f"""
            SELECT {self._each}, min(run_id, {LINKED_RUNS})
            FROM (SELECT {several}{self._each}, run_id FROM found {self._these(figures)})
            GROUP BY {self._each}
        """)

    def _these(self, figures: Sequence[tuple[int, ...]]) -> str:
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

    def digests(self) -> list[tuple[Any, ...]]:
        """How many runs each figure has, and a digest of which."""
        return self.rows(f"""
            SELECT {self._each}, count(*), bit_xor(hash(run_id))
            FROM (SELECT DISTINCT {self._each}, run_id FROM found) GROUP BY {self._each}
        """)

    def cells(self, alike: Sequence[str], of_series: Mapping[int, int]) -> Columns:
        """What one machine measured on one drive in one setting: its `value`, and a
        digest of its `runs`.

        Settings differ in these expressions over setups, or in a number of their series.
        """
        runs = (
            "bit_xor(hash(run_id))" if self.is_of_one_series else "bit_xor(DISTINCT hash(run_id))"
        )
        numbers = ", ".join(f"({series}, {number})" for series, number in of_series.items())
        own = listed(["machine", "device_number", "holder_number", "number", *alike])
        return self.ask(f"""
            SELECT {listed(self.figure)}, machine AS owner, hash({own}) AS cell,
                median(value) AS value, {runs} AS runs
            FROM found JOIN setups USING (setup, unspecified)
                JOIN (VALUES {numbers}) AS numbered(series, number) USING (series)
            WHERE NOT unspecified
            GROUP BY {listed(self.figure)}, {own}
        """)

    def measured(self, started: Mapping[uuid.UUID, float]) -> Columns:
        """The results of these runs that are above 0, with the `day` that each was started on."""
        days = self.snapshot.register(
            {"run_id": objects(map(str, started)), "day": np.fromiter(started.values(), float)}
        )
        return self.ask(f"""
            SELECT machine, setup, series, value, day, coalesce(device_number, 0) AS device
            FROM found JOIN (SELECT run_id::UUID AS run_id, day FROM {days}) USING (run_id)
            WHERE value > 0
        """)

    def values_beside(self, new: str) -> Columns:
        """All values above 0, by `series`, with their machines, and whether they `is_new`: of runs
        in the relation `new`.
        """
        return self.ask(f"""
            SELECT series, machine, value, run_id IN (SELECT run_id::UUID FROM {new}) AS is_new
            FROM found WHERE value > 0 ORDER BY series
        """)

    def hosts_named(self, figure: Sequence[int]) -> list[Any]:
        """The machines that guests of this figure name as their hosts."""
        return [
            host
            for (host,) in self.rows(f"""
            SELECT DISTINCT host_machine_id FROM found
            WHERE host_machine_id IS NOT NULL AND {self._is(figure)}
        """)
        ]

    def guests_and_hosts(
        self, figure: Sequence[int], names: Sequence[str], hosts: Collection[int]
    ) -> list[tuple[Any, ...]]:
        """A figure's guests and these hosts: machine, host, drive, holder, series, labels,
        values of these dimensions, and all values and ids of runs.
        """
        own = ["machine", "host_machine_id", "device_id", "holder", "series", "labels"]
        own += map(determinant, names)
        runs = self.snapshot.relation("runs", "run_id, device_id, holder", self.asked_scope)
        return self.rows(f"""
            SELECT {listed(own)}, list(value), list(run_id)
            FROM found JOIN setups USING (setup, unspecified)
                JOIN (SELECT run_id, device_id, holder FROM {runs}) USING (run_id)
            WHERE NOT unspecified AND {self._is(figure)}
                AND (host_machine_id IS NOT NULL OR machine IN ({listed(hosts) or "NULL"}))
            GROUP BY ALL
        """)

    def _is(self, figure: Sequence[int]) -> str:
        return f"({listed(self.figure)}) = ({listed(figure)})"

    def results_of_articles(self) -> list[tuple[Any, ...]]:
        """The results of each published figure: machine's id, run and series."""
        runs = self.snapshot.relation("runs", "run_id, machine_id", self.asked_scope)
        return self.rows(f"""
            SELECT {self._each}, machine_id, run_id, series
            FROM found JOIN setups USING (setup, unspecified)
                JOIN (SELECT run_id, machine_id FROM {runs}) USING (run_id)
            WHERE source = 'published'
        """)

    def machines_of_fleets(self, figure: Sequence[int]) -> list[tuple[Any, ...]]:
        """A figure's machines that are in fleets: the fleet's id, and the number."""
        return self.rows(f"""
            SELECT DISTINCT fleet_id, machine FROM found JOIN setups USING (setup, unspecified)
            WHERE fleet_id IS NOT NULL AND {self._is(figure)}
            ORDER BY ALL
        """)

    def settings(self, names: Sequence[str], alike: Sequence[str]) -> list[tuple[Any, ...]]:
        """Each figure's settings, which differ in `alike`: series, a number of the setting,
        its labels, and the values of these dimensions.
        """
        values = listed(f"any_value({determinant(name)})" for name in names)
        return self.rows(f"""
            SELECT {self._each}, series, {setting(alike)} AS setting,
                any_value(labels){"," if values else ""} {values}
            FROM (SELECT DISTINCT {self._each}, series, setup FROM found)
                JOIN setups USING (setup, unspecified)
            GROUP BY {self._each}, series, setting
        """)

    def machines_of_settings(self, alike: Sequence[str]) -> Columns:
        """The machines of each figure and setting, as far as they are named."""
        each = listed([*self.figure, "series", "owner"])
        return self.ask(f"""
            SELECT DISTINCT {each}, {setting(alike)} AS setting
            FROM (SELECT DISTINCT *, machine AS owner FROM (SELECT
                {listed(self.figure)}, series, setup, machine FROM found WHERE NOT unspecified))
                JOIN setups USING (setup)
        """)


def _joined(parts: Sequence[Columns]) -> Columns:
    return {name: np.concatenate([of[name] for of in parts]) for name in parts[0]}
