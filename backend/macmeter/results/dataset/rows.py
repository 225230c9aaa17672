"""Results as parallel arrays of R rows, read once per request.

Rows cached from files (see decoded.py) are selected in memory, the rest is read with one statement,
which costs as much as summing some ten thousand rows. So accepted and doubtful results, both sides
of a comparison and a group's reference are read together and kept by the snapshot; each question
selects its own rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.accounts.scope import Scope
from macmeter.catalog.terms import Term
from macmeter.results.dataset.decoded import MEASURED, OF_BOTH, OF_EACH_RUN, Decoded
from macmeter.results.dataset.setups import Bools, Ints
from macmeter.results.dataset.snapshot import ChosenSetups, Columns, Snapshot
from macmeter.results.dataset.sql import HALVES, listed

AT_ONCE = 1_500_000
"""Maximum number of cached results. Larger selections are processed by ranges of machines."""

TOGETHER = 300_000
"""Up to this size, doubtful results are read with the others; beyond it, selecting takes longer
than a second statement.
"""

# Names of arrays, and the expressions that they are read from.
_KNOWN = {"series": "series", "place": "place"} | OF_EACH_RUN | OF_BOTH | MEASURED
_ALWAYS = [name for name in _KNOWN if name not in ("run", "holder", "month")]
_NEEDED = (
    "series, machine, setup, run_id, month, value, doubtful, samples, low, high, deviation, "
    "device_number, holder_number"
)


@dataclass(frozen=True, eq=False)
class Wanted:
    """Results of some series and setups as far as `scope` reads them."""

    scope: Scope
    terms: tuple[Term, ...]
    """Filters of single runs."""
    series: frozenset[int]
    setups: Bools
    doubtful: bool | None = None
    """Only doubtful results, or only others; None means both."""
    also: frozenset[str] = frozenset()
    """Optional columns: `run`, `holder` and `month`."""

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
        """Return the union of all that are under the same terms."""
        alike = [self, *(other for other in others if other._of == self._of)]
        return replace(
            self,
            series=frozenset().union(*(one.series for one in alike)),
            setups=np.logical_or.reduce([one.setups for one in alike]),
            also=frozenset().union(*(one.also for one in alike)),
        )


def kept(snapshot: Snapshot, wanted: Wanted) -> Columns:
    """Return rows that include those wanted, from the cache or read now."""
    for known, rows in snapshot.kept:
        if wanted.is_within(known):
            return rows
    rows = read(snapshot, wanted)
    snapshot.kept.append((wanted, rows))
    while sum(len(of["value"]) for _, of in snapshot.kept) > AT_ONCE and len(snapshot.kept) > 1:
        snapshot.kept.pop(0)
    return rows


def read_together(snapshot: Snapshot, every: Sequence[Wanted]) -> None:
    """Read what several questions of a request need at once, if it fits.

    The first question's share of its series' results gives the estimate for all. Nothing is read
    of what a cluster sums.
    """
    every = [one for one in every if not snapshot.is_large(one.scope, one.series)]
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


def read(snapshot: Snapshot, wanted: Wanted, condition: str | None = None) -> Columns:
    """Read the wanted results, under one more condition.

    Rows from memory also have `at`: their runs' numbers in `Snapshot.run_ids`.
    """
    decoded = None
    if not (condition or wanted.terms or snapshot.until):
        decoded = snapshot.memory.results(snapshot, wanted.scope, wanted.series)
    columns = {name: _KNOWN[name] for name in (*_ALWAYS, *sorted(wanted.also))}
    if decoded is None:
        relation = snapshot.relation("results", _NEEDED, wanted.scope, wanted.series)
        return _read(snapshot, wanted, relation, columns, condition or "true")
    parts: list[Columns | _Part] = [*_chosen(snapshot, wanted, decoded)]
    if snapshot.has_runs or not parts:
        newer = _read(snapshot, wanted, "results", columns | HALVES)
        first, count = snapshot.run_ids.add(newer), len(newer["value"])
        parts.append(newer | {"at": np.arange(first, first + count, dtype=np.int32)})
    return joined(parts, [*columns, "at"])


def _read(
    snapshot: Snapshot,
    wanted: Wanted,
    relation: str,
    columns: Mapping[str, str],
    condition: str = "true",
) -> Columns:
    setups = ChosenSetups(snapshot, wanted.terms, wanted.scope)
    conditions = [f"series IN ({listed(wanted.series) or '-1'})", *setups.conditions(), condition]
    if wanted.doubtful is not None:
        conditions.append("doubtful" if wanted.doubtful else "NOT doubtful")
    return snapshot.ask(f"""
        SELECT {listed(f"{of} AS {name}" for name, of in columns.items())}
        FROM {relation} AS results JOIN {setups.relation(wanted.setups)} USING (setup)
        WHERE {" AND ".join(conditions)}
    """)


@dataclass(frozen=True, eq=False)
class _Part:
    """Rows of one series of a file set, in the form that `_read` returns."""

    series: int
    first: int
    """Number of the set's first run in `Snapshot.run_ids`."""
    runs: Columns
    results: Columns
    places: Ints | slice

    @cached_property
    def _number(self) -> Ints:
        return self.results["number"][self.places]

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name == "series":
            return np.broadcast_to(np.int32(self.series), len(self._number))
        if name == "at":
            return self._number + np.int32(self.first)
        if name in self.results:
            return self.results[name][self.places]
        return self.runs[name][self._number]


def _chosen(snapshot: Snapshot, wanted: Wanted, every: Iterable[Decoded]) -> Iterator[_Part]:
    """Yield the wanted rows of file sets, by series."""
    setups = ChosenSetups(snapshot, wanted.terms, wanted.scope)
    for runs, _, results in every:
        is_wanted = setups.among(runs, wanted.setups)
        if not is_wanted.any():
            continue
        first, are_all = snapshot.run_ids.add(runs), bool(is_wanted.all())
        for series, of in results.items():
            rows = np.True_ if are_all else is_wanted[of["number"]]
            if wanted.doubtful is not None:
                rows = rows & (of["doubtful"] == wanted.doubtful)
            places = slice(None) if rows.all() else np.flatnonzero(rows)
            yield _Part(series, first, runs, of, places)


def joined(parts: Sequence[Columns | _Part], names: Sequence[str]) -> Columns:
    """Concatenate the parts, writing each column once."""
    ends = np.cumsum([len(part[names[-1]]) for part in parts])
    found = {}
    for name in names:
        column = np.empty(ends[-1], dtype=parts[0][name].dtype)
        for part, end in zip(parts, ends.tolist(), strict=True):
            own = part[name]
            column[end - len(own) : end] = own
        found[name] = column
    return found
