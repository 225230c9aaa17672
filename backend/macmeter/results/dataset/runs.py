"""Runs of a list or a count, as statements over a snapshot's relations.

`chosen` are the readable runs that match filters; withdrawn runs aren't in the relations. Functions
for the runs of several questions are at the end.
"""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np

from macmeter.accounts.scope import Scope
from macmeter.catalog.terms import Term
from macmeter.results.dataset.relations import RUNS
from macmeter.results.dataset.rows import concat
from macmeter.results.dataset.selection import Selection
from macmeter.results.dataset.setups import Bools
from macmeter.results.dataset.snapshot import ChosenSetups, Columns, Snapshot
from macmeter.results.dataset.sql import (
    by_subject,
    expression,
    listed,
    literal,
    timestamp_literal,
)

Last = tuple[datetime, uuid.UUID]
"""Last item of the previous page: time received and id."""


@dataclass(frozen=True, eq=False)
class Words:
    """A search: each word matches a run's setup, the start of its machine's id, or its name."""

    setups: Sequence[Collection[int]]
    """Numbers of matching setups, by word."""
    ids: Sequence[str | None]
    """Possible start of an id, by word."""
    machines: Sequence[Collection[int]]
    """Numbers of machines with a matching name, by word."""

    @property
    def condition(self) -> str:
        conditions = ["true"]
        for setups, begin, machines in zip(self.setups, self.ids, self.machines, strict=True):
            condition = f"setup IN ({listed(setups) or 'NULL'})"
            if begin is not None:
                condition += f" OR starts_with(machine_id::VARCHAR, {literal(begin)})"
            if machines:
                condition += f" OR machine IN ({listed(machines)})"
            conditions.append(f"({condition})")
        return " AND ".join(conditions)


@dataclass(frozen=True, eq=False)
class Runs:
    """Runs that match the filters of runs; filters of samples are ignored."""

    snapshot: Snapshot
    terms: tuple[Term, ...]
    scope: Scope
    having: Bools | None = None
    """Whether each setup is wanted."""

    @cached_property
    def _setups(self) -> ChosenSetups:
        return ChosenSetups(self.snapshot, self.terms, self.scope)

    @cached_property
    def _with(self) -> str:
        scope = self.scope.asked(self.terms)
        return self._of(self.snapshot.relation("runs", ", ".join(RUNS), scope))

    def _of(self, runs: str) -> str:
        return f"""
            WITH chosen AS (
                SELECT runs.*, unspecified, place
                FROM {runs} AS runs JOIN {self._setups.relation(self.having)} USING (setup)
                WHERE {" AND ".join(self._setups.conditions())}
            )
        """

    def _rows(self, select: str) -> list[tuple[Any, ...]]:
        return self.snapshot.rows(f"{self._with} {select}")

    def count(self) -> int:
        ((count,),) = self._rows("SELECT count(*) FROM chosen")
        return int(count)

    def newest(self, most: int, after: Last | None) -> list[tuple[Any, ...]]:
        """Return the latest runs: microseconds since 1970, run id and machine id."""
        return self._rows(f"""
            SELECT epoch_us(received_at), run_id, machine_id FROM chosen
            WHERE {_earlier("received_at", "run_id", after)}
            ORDER BY received_at DESC, run_id DESC LIMIT {most}
        """)

    def newest_machines(self, words: Words, most: int, after: Last | None) -> list[tuple[Any, ...]]:
        """Return the machines with the latest runs: id, number of runs, microseconds since 1970 of
        the last run, the number of each run's setup, and the total number of machines.
        """
        return self._rows(f"""
            , machines AS (
                SELECT any_value(machine_id) AS id, count(*) AS runs, max(received_at) AS last,
                    list(setup) AS setups
                FROM chosen WHERE {words.condition} GROUP BY machine
            )
            SELECT id, runs, epoch_us(last), setups, (SELECT count(*) FROM machines) FROM machines
            WHERE {_earlier("last", "id", after)} ORDER BY last DESC, id DESC LIMIT {most}
        """)

    def combinations(
        self, names: Sequence[str], unstated: Collection[str]
    ) -> list[tuple[Any, ...]]:
        """Return each combination of values of these dimensions, of which only `unstated` ones may
        be missing, with the numbers of runs and of named machines.
        """
        stated = [f"{expression(name)} IS NOT NULL" for name in names if name not in unstated]
        return self._rows(f"""
            SELECT {listed(map(expression, names))}, count(*),
                count(DISTINCT machine) FILTER (NOT unspecified)
            FROM chosen JOIN setups USING (setup, unspecified)
            WHERE {" AND ".join(["true", *stated])} GROUP BY ALL
        """)

    def size(self) -> tuple[int, int]:
        """Return the numbers of runs with a result, and of results."""
        ((runs, results),) = self._rows("""
            SELECT count(*), coalesce(sum(len(measured) + len(doubted)), 0)
            FROM chosen JOIN setups USING (setup, unspecified)
            WHERE len(measured) + len(doubted) > 0
        """)
        return int(runs), int(results)

    def with_any_flag(self, codes: Collection[str]) -> list[tuple[Any, ...]]:
        """Return machine id, run id and whether the run has one of these flags, newest first."""
        flags = f"[{listed(map(literal, codes))}]::VARCHAR[]"
        return self._rows(f"""
            SELECT machine_id, run_id, list_has_any(flags, {flags})
            FROM chosen JOIN setups USING (setup, unspecified)
            ORDER BY received_at DESC, run_id DESC
        """)

    def each(self) -> Columns:
        """Return each run's setup (`place`), machine number (`owner`) and `month` (0: not stated).

        Uses memory if it has the files.
        """
        names = ("place", "owner", "month")
        select = "SELECT place, machine AS owner, coalesce(month, 0) AS month FROM chosen"
        in_memory = None
        if not by_subject(self.terms)[1] and self.snapshot.until is None:
            in_memory = self.snapshot.memory.runs(self.snapshot, self.scope.asked(self.terms))
        if in_memory is None:
            return self.snapshot.ask(f"{self._with} {select}")
        parts = []
        for runs, _, _ in in_memory:
            chosen = np.flatnonzero(self._setups.among(runs, self.having))
            parts.append({name: runs[name][chosen] for name in names})
        if self.snapshot.has_runs or not parts:
            parts.append(self.snapshot.ask(f"{self._of('runs')} {select}"))
        return concat(parts, names)


def _earlier(received_at: str, id_name: str, after: Last | None) -> str:
    """Return the SQL condition for the next page, newest first."""
    if after is None:
        return "true"
    time, run_id = timestamp_literal(after[0]), literal(str(after[1]))
    return f"({received_at}, {id_name}) < ({time}, {run_id}::UUID)"


def shared_runs(first: Selection, second: Selection) -> int:
    """Count the runs with a result that is in both."""
    if not (first.setups_with_results & second.setups_with_results).any():
        return 0
    left, right = (
        selection.subquery("SELECT run_id, series FROM found") for selection in (first, second)
    )
    return distinct_runs(first.snapshot, [f"{left} INTERSECT {right}"])


def runs_of(
    selection: Selection,
    figures: Mapping[tuple[bool, bool], Sequence[tuple[int, ...]]],
    machines: Collection[int] | None = None,
) -> str:
    """Return the statement that finds the runs of figures, optionally of these machines only.

    Keys of `figures` say whether to include named machines, and unspecified ones.
    """
    columns = f"({listed(selection.figure_columns)})"
    conditions = [
        f"{columns} IN ({listed(f'({listed(figure)})' for figure in group)}){_side(*sides)}"
        for sides, group in figures.items()
        if any(sides)
    ]
    condition = f"({' OR '.join(conditions) or 'false'})"
    if machines is not None:
        condition += f" AND machine IN ({listed(machines) or 'NULL'})"
    return selection.subquery(f"SELECT run_id FROM found WHERE {condition}")


def _side(named: bool, unspecified: bool) -> str:
    if named and unspecified:
        return ""
    return " AND NOT unspecified" if named else " AND unspecified"


def distinct_runs(snapshot: Snapshot, statements: Sequence[str]) -> int:
    """Count the distinct runs that any of these statements finds."""
    union = " UNION ALL ".join(f"({statement})" for statement in statements)
    ((count,),) = snapshot.rows(f"SELECT count(DISTINCT run_id) FROM ({union})")
    return int(count)


def named_runs(run_ids: Iterable[object]) -> str | None:
    """Return the statement that finds runs with these ids; None without any."""
    values = listed(f"({literal(str(run_id))}::UUID)" for run_id in run_ids)
    return f"FROM (VALUES {values}) AS named(run_id)" if values else None


def newest_doubted(sources: Sequence[Selection], most: int) -> list[tuple[Any, ...]]:
    """Return the latest of the runs that any of these finds: machine id, run id, setup, and the
    total number.
    """
    statements = (source.subquery("SELECT run_id, setup FROM found") for source in sources)
    data, scope = sources[0].snapshot, sources[0].needed_scope
    runs = data.relation("runs", "machine_id, run_id, received_at", scope)
    return data.rows(f"""
        WITH doubted AS (SELECT DISTINCT run_id, setup FROM ({" UNION ALL ".join(statements)}))
        SELECT machine_id, run_id, doubted.setup, (SELECT count(*) FROM doubted)
        FROM doubted JOIN {runs} AS runs USING (run_id)
        ORDER BY received_at DESC, run_id DESC LIMIT {most}
    """)
