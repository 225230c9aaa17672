"""Results as arrays: R rows, read with one statement for all that a request asks of them.

A statement costs as much as summing some ten thousand rows. So the results that count and the
doubtful ones, both sides of a comparison and a group's reference are read together and kept by the
snapshot; what a question is of is chosen among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from macmeter.access.scope import Scope
from macmeter.dataset.chosen import ChosenSetups
from macmeter.dataset.setups import Bools
from macmeter.dataset.snapshot import Columns, Snapshot
from macmeter.dataset.wording import listed
from macmeter.terms import Term

AT_ONCE = 1_500_000
"""So many results are kept, the last ones. Of more the machines are grouped in turn."""

TOGETHER = 300_000
"""Of about so many results the doubtful ones are read with the rest: of more, choosing takes longer
than another statement.
"""

# The names of arrays, and what is read for them.
_ALWAYS = {
    "series": "series",
    "place": "place",  # of the setup
    "owner": "machine",
    "value": "value",
    "doubtful": "doubtful",
    "device": "coalesce(device_number, 0)",
    "samples": "samples",
    "low": "coalesce(low, 0)",
    "high": "coalesce(high, 0)",
    "deviation": "coalesce(deviation, 0)",
}
_ALSO = {
    "run": "hash(run_id)::UBIGINT",
    "holder": "coalesce(holder_number, 0)",
    "month": "coalesce(month, 0)",
}


@dataclass(frozen=True, eq=False)
class Wanted:
    """The results of some series and setups as far as `scope` reads them."""

    scope: Scope
    terms: tuple[Term, ...]
    """What is said of single runs."""
    series: frozenset[int]
    setups: Bools
    doubtful: bool | None = None
    """Only those, or none of them."""
    also: frozenset[str] = frozenset()
    """More columns: of `run`, `holder` and `month`."""

    def is_within(self, other: Wanted) -> bool:
        return (
            (self.scope, self.terms) == (other.scope, other.terms)
            and other.doubtful in (None, self.doubtful)
            and self.series <= other.series
            and self.also <= other.also
            and not (self.setups & ~other.setups).any()
        )

    @property
    def _of(self) -> tuple[Scope, tuple[Term, ...], bool | None]:
        return self.scope, self.terms, self.doubtful

    def with_others(self, others: Iterable[Wanted]) -> Wanted:
        """What any of them wants, of those under the same terms."""
        alike = [self, *(other for other in others if other._of == self._of)]
        return replace(
            self,
            series=frozenset().union(*(one.series for one in alike)),
            setups=np.logical_or.reduce([one.setups for one in alike]),
            also=frozenset().union(*(one.also for one in alike)),
        )


def kept(snapshot: Snapshot, wanted: Wanted) -> Columns:
    """At least the results that are wanted, in the order in which they lie."""
    for known, rows in snapshot.kept:
        if wanted.is_within(known):
            return rows
    rows = read(snapshot, wanted)
    snapshot.kept.append((wanted, rows))
    while sum(len(of["value"]) for _, of in snapshot.kept) > AT_ONCE and len(snapshot.kept) > 1:
        snapshot.kept.pop(0)
    return rows


def read_together(snapshot: Snapshot, every: Sequence[Wanted]) -> None:
    """Read what several questions of a request are of at once, so far as there is room for it.

    How much of a series' results that is says the first one of them: runs mostly have all.
    """
    for wanted in every:
        together = wanted.with_others(every)
        expected = snapshot.results_in(together.scope, together.series)
        if expected > AT_ONCE:
            first = replace(together, series=wanted.series)
            bound = snapshot.results_in(first.scope, first.series)
            if bound > AT_ONCE:
                return
            expected = expected * 2 * len(kept(snapshot, first)["value"]) // max(bound, 1)
        if expected <= AT_ONCE:
            kept(snapshot, together)


def read(snapshot: Snapshot, wanted: Wanted, condition: str = "true") -> Columns:
    """The results that are wanted under one more condition."""
    setups = ChosenSetups(snapshot, wanted.terms, wanted.scope)
    columns = _ALWAYS | {name: _ALSO[name] for name in sorted(wanted.also)}
    needed = "series, machine, setup, run_id, month, value, doubtful, samples, low, high, deviation"
    needed += ", device_number, holder_number"
    results = snapshot.relation("results", needed, wanted.scope, wanted.series)
    conditions = [f"series IN ({listed(wanted.series) or '-1'})", *setups.conditions(), condition]
    if wanted.doubtful is not None:
        conditions.append("doubtful" if wanted.doubtful else "NOT doubtful")
    return snapshot.ask(f"""
        SELECT {listed(f"{of} AS {name}" for name, of in columns.items())}
        FROM {results} AS results JOIN {setups.relation(wanted.setups)} USING (setup)
        WHERE {" AND ".join(conditions)}
    """)
