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

# Names of arrays, and the expressions that they are read from. A `place` is a setup's index.
_KNOWN = {"series": "series", "place": "place"} | OF_EACH_RUN | OF_BOTH | MEASURED
_ALWAYS = [name for name in _KNOWN if name not in ("run", "holder", "month")]
_NEEDED = (
    "series, machine, setup, run_id, month, value, doubtful, samples, low, high, deviation, "
    "device_number, holder_number"
)


@dataclass(frozen=True, eq=False)
class RowSelection:
    """Results of some series and setups as far as `scope` reads them."""

    scope: Scope
    terms: tuple[Term, ...]
    """Filters of single runs."""
    series: frozenset[int]
    setups: Bools
    doubtful: bool | None = None
    """Only doubtful results, or only others; None means both."""
    extra: frozenset[str] = frozenset()
    """Optional columns: `run`, `holder` and `month`."""

    def is_within(self, other: RowSelection) -> bool:
        return (
            (self.scope, self.terms) == (other.scope, other.terms)
            and other.doubtful in (None, self.doubtful)
            and self.series <= other.series
            and self.extra <= other.extra
            and not (self.setups & ~other.setups).any()
        )

    @property
    def _filters(self) -> tuple[Scope, tuple[Term, ...], bool | None]:
        return self.scope, self.terms, self.doubtful

    def union(self, selections: Iterable[RowSelection]) -> RowSelection:
        """Return the union of all that are under the same terms."""
        compatible = [self, *(other for other in selections if other._filters == self._filters)]
        return replace(
            self,
            series=frozenset().union(*(selection.series for selection in compatible)),
            setups=np.logical_or.reduce([selection.setups for selection in compatible]),
            extra=frozenset().union(*(selection.extra for selection in compatible)),
        )


def cached(snapshot: Snapshot, selection: RowSelection) -> Columns:
    """Return rows that include the selected ones, from the cache or read now."""
    for cached_selection, rows in snapshot.cached:
        if selection.is_within(cached_selection):
            return rows
    rows = read(snapshot, selection)
    snapshot.cached.append((selection, rows))
    while (
        sum(len(columns["value"]) for _, columns in snapshot.cached) > AT_ONCE
        and len(snapshot.cached) > 1
    ):
        snapshot.cached.pop(0)
    return rows


def read_together(snapshot: Snapshot, selections: Sequence[RowSelection]) -> None:
    """Read what several questions of a request need at once, if it fits.

    The first question's share of its series' results gives the estimate for all. Nothing is read
    of series so large that the Spark cluster sums them.
    """
    selections = [
        selection
        for selection in selections
        if not snapshot.is_large(selection.scope, selection.series)
    ]
    for selection in selections:
        together = selection.union(selections)
        expected = snapshot.results_in(together.scope, together.series)
        if expected > AT_ONCE:
            first = replace(together, series=selection.series)
            bound = snapshot.results_in(first.scope, first.series)
            if bound > AT_ONCE:
                return
            expected = expected * 2 * len(cached(snapshot, first)["value"]) // max(bound, 1)
        if expected <= AT_ONCE:
            cached(snapshot, together)


def read(snapshot: Snapshot, selection: RowSelection, condition: str | None = None) -> Columns:
    """Read the selected results, under one more condition.

    Rows from memory also have `at`: their runs' numbers in `Snapshot.run_ids`.
    """
    decoded = None
    if not (condition or selection.terms or snapshot.until):
        decoded = snapshot.memory.results(snapshot, selection.scope, selection.series)
    columns = {name: _KNOWN[name] for name in (*_ALWAYS, *sorted(selection.extra))}
    if decoded is None:
        relation = snapshot.relation("results", _NEEDED, selection.scope, selection.series)
        return _read(snapshot, selection, relation, columns, condition or "true")
    portions: list[Columns | _SeriesRows] = [*_select(snapshot, selection, decoded)]
    if snapshot.has_runs or not portions:
        newer = _read(snapshot, selection, "results", columns | HALVES)
        first, count = snapshot.run_ids.add(newer), len(newer["value"])
        portions.append(newer | {"at": np.arange(first, first + count, dtype=np.int32)})
    return concat(portions, [*columns, "at"])


def _read(
    snapshot: Snapshot,
    selection: RowSelection,
    relation: str,
    columns: Mapping[str, str],
    condition: str = "true",
) -> Columns:
    setups = ChosenSetups(snapshot, selection.terms, selection.scope)
    conditions = [
        f"series IN ({listed(selection.series) or '-1'})",
        *setups.conditions(),
        condition,
    ]
    if selection.doubtful is not None:
        conditions.append("doubtful" if selection.doubtful else "NOT doubtful")
    return snapshot.ask(f"""
        SELECT {listed(f"{sql} AS {name}" for name, sql in columns.items())}
        FROM {relation} AS results JOIN {setups.relation(selection.setups)} USING (setup)
        WHERE {" AND ".join(conditions)}
    """)


@dataclass(frozen=True, eq=False)
class _SeriesRows:
    """Rows of one series of a file set, in the form that `_read` returns."""

    series: int
    first: int
    """Number of the set's first run in `Snapshot.run_ids`."""
    runs: Columns
    results: Columns
    indices: Ints | slice

    @cached_property
    def _number(self) -> Ints:
        return self.results["number"][self.indices]

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name == "series":
            return np.broadcast_to(np.int32(self.series), len(self._number))
        if name == "at":
            return self._number + np.int32(self.first)
        if name in self.results:
            return self.results[name][self.indices]
        return self.runs[name][self._number]


def _select(
    snapshot: Snapshot, selection: RowSelection, decoded: Iterable[Decoded]
) -> Iterator[_SeriesRows]:
    """Yield the selected rows of file sets, by series."""
    setups = ChosenSetups(snapshot, selection.terms, selection.scope)
    for runs, _, results in decoded:
        is_selected = setups.among(runs, selection.setups)
        if not is_selected.any():
            continue
        first, is_complete = snapshot.run_ids.add(runs), bool(is_selected.all())
        for series, columns in results.items():
            mask = np.True_ if is_complete else is_selected[columns["number"]]
            if selection.doubtful is not None:
                mask = mask & (columns["doubtful"] == selection.doubtful)
            indices = slice(None) if mask.all() else np.flatnonzero(mask)
            yield _SeriesRows(series, first, runs, columns, indices)


def concat(portions: Sequence[Columns | _SeriesRows], names: Sequence[str]) -> Columns:
    """Concatenate the parts, writing each column once."""
    ends = np.cumsum([len(portion[names[-1]]) for portion in portions])
    columns = {}
    for name in names:
        column = np.empty(ends[-1], dtype=portions[0][name].dtype)
        for portion, end in zip(portions, ends.tolist(), strict=True):
            values = portion[name]
            column[end - len(values) : end] = values
        columns[name] = column
    return columns
