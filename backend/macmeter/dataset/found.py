"""The results that a question is of, by figure: statements over the relations of a snapshot.

The results of the asked series whose setups are asked for are `found`. A figure is what has the
same `part` (values of parameters), `kind` (values of setups) and, where these are asked for, month
and machine. What names no machine has rows of its own in every table: it may have been another one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from macmeter import catalog
from macmeter.access.scope import Scope
from macmeter.dataset.relations import RESULTS
from macmeter.dataset.setups import Ints, dense
from macmeter.dataset.snapshot import Columns, Series, Snapshot
from macmeter.dataset.wording import (
    OF_RUNS,
    by_subject,
    listed,
    machine_number,
    matching,
)
from macmeter.terms import Flagged, Term, Value, matches

# Published figures, methods and their versions never stand in one figure.
SPLIT = ("published", "method", "method_version")
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
    def _asked(self) -> str:
        """The setups that are asked for as a relation: their kinds, and whether all may be read."""
        snapshot = self.snapshot
        of_setups, _, _ = by_subject(self.terms)
        chosen = np.ones(len(snapshot.setups), dtype=bool)
        for name in {term.dimension for term in of_setups}:
            codes, values = snapshot.values(name)
            of_name = [term for term in of_setups if term.dimension == name]
            chosen &= np.array([matches(value, of_name) for value in values], dtype=bool)[codes]
        scope = self.scope.asked(self.terms)
        codes, values = snapshot.values("visibility")
        readable = np.array([value == "public" for value in values], dtype=bool)[codes]
        if fleets := scope.fleet_ids | snapshot.public_fleets:
            codes, values = snapshot.setups.values("fleet_id")
            readable |= np.array([value in fleets for value in values], dtype=bool)[codes]
        if scope.machine_id is None:
            chosen &= readable
        codes, values = snapshot.values("unspecified")
        asked = {
            "setup": snapshot.setups.numbers[chosen],
            "kind": self._kinds[0][chosen],
            "unspecified": np.array(values, dtype=bool)[codes][chosen] if len(codes) else chosen,
            "readable": readable[chosen],
        }
        return snapshot.register(asked)

    @cached_property
    def _with(self) -> str:
        """The results that are asked for."""
        _, of_runs, _ = by_subject(self.terms)
        conditions = [f"series IN ({listed(self.series) or '-1'})", matching(of_runs)]
        if (own := self.scope.machine_id) is not None:
            conditions.append(f"(readable OR machine = {machine_number(own)})")
        if self.flagged == "exclude":
            conditions.append("NOT doubtful")
        part, joined = "0", ""
        if len(self.parts) > 1:
            places = enumerate(self.parts.values())
            parts = listed(f"({number}, {place})" for place, of in places for number in of)
            part, joined = "part", f"JOIN (VALUES {parts}) AS parts(series, part) USING (series)"
        return f"""
            WITH found AS (
                SELECT results.* EXCLUDE (month), {_MONTH}, {part} AS part, kind, unspecified
                FROM {self._results} AS results JOIN {self._asked} USING (setup) {joined}
                WHERE {" AND ".join(conditions)}
            )
        """

    @property
    def _results(self) -> str:
        scope = self.scope.asked(self.terms)
        return self.snapshot.relation("results", ", ".join(RESULTS), scope, self.series)

    def ask(self, select: str) -> Columns:
        return self.snapshot.ask(f"{self._with} {select}")

    def rows(self, select: str) -> list[tuple[Any, ...]]:
        """What `select` finds, as values of Python."""
        return self.snapshot.rows(f"{self._with} {select}")

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
        """Each figure's machines: `value`, and how many `runs` and `samples`."""
        runs = "count(*)" if self.is_of_one_series else "count(DISTINCT run_id)"
        return self.ask(f"""
            SELECT {self._each}, machine AS owner, median(value) AS value, {runs} AS runs,
                sum(samples)::BIGINT AS samples
            FROM found GROUP BY {self._each}, owner
        """)

    def flags(self) -> list[tuple[Any, ...]]:
        """Each figure's flags, and how many runs carry them."""
        return self.rows(f"""
            SELECT {self._each}, flag, count(DISTINCT run_id)
            FROM (SELECT *, unnest(string_split(flags, ' ')) AS flag FROM found WHERE flags <> '')
            GROUP BY {self._each}, flag
        """)
