"""The runs that a list or a count is of: statements over the relations of a snapshot.

Runs that match filters and may be read are `chosen`. Those that were withdrawn are not there.
Below are runs that several questions find together.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np

from macmeter.accounts.scope import Scope
from macmeter.catalog.terms import Term
from macmeter.results.dataset.found import Found
from macmeter.results.dataset.relations import RUNS
from macmeter.results.dataset.rows import joined
from macmeter.results.dataset.setups import Bools
from macmeter.results.dataset.snapshot import ChosenSetups, Columns, Snapshot
from macmeter.results.dataset.wording import (
    by_subject,
    expression,
    listed,
    literal,
    machine_number,
    moment,
)

Last = tuple[datetime, uuid.UUID]
"""With what the page before ended: when that was received, and its id."""


@dataclass(frozen=True, eq=False)
class Words:
    """A search: each of `words` is in one of its setups, or begins the machine's id."""

    setups: Sequence[Collection[int]]
    """By word, the numbers of setups that have it."""
    ids: Sequence[str | None]
    """By word, what an id may begin with."""

    @property
    def condition(self) -> str:
        conditions = ["true"]
        for setups, begin in zip(self.setups, self.ids, strict=True):
            condition = f"setup IN ({listed(setups) or 'NULL'})"
            if begin is not None:
                condition += f" OR starts_with(machine_id::VARCHAR, {literal(begin)})"
            conditions.append(f"({condition})")
        return " AND ".join(conditions)


@dataclass(frozen=True, eq=False)
class Runs:
    """Those that match the filters of runs; what is said of samples is not asked for."""

    snapshot: Snapshot
    terms: tuple[Term, ...]
    scope: Scope
    having: Bools | None = None
    """By setup, whether they are wanted."""

    @cached_property
    def _setups(self) -> ChosenSetups:
        return ChosenSetups(self.snapshot, self.terms, self.scope)

    @cached_property
    def _with(self) -> str:
        asked = self.scope.asked(self.terms)
        return self._of(self.snapshot.relation("runs", ", ".join(RUNS), asked))

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
        """Those that were received last: microseconds since 1970, run's id and machine's id."""
        return self._rows(f"""
            SELECT epoch_us(received_at), run_id, machine_id FROM chosen
            WHERE {_earlier("received_at", "run_id", after)}
            ORDER BY received_at DESC, run_id DESC LIMIT {most}
        """)

    def newest_machines(self, words: Words, most: int, after: Last | None) -> list[tuple[Any, ...]]:
        """Those that measured last: id, number of runs, microseconds since 1970 of the last run,
        and how many machines there are in all.
        """
        return self._rows(f"""
            , machines AS (
                SELECT any_value(machine_id) AS id, count(*) AS runs, max(received_at) AS last
                FROM chosen WHERE {words.condition} GROUP BY machine
            )
            SELECT id, runs, epoch_us(last), (SELECT count(*) FROM machines) FROM machines
            WHERE {_earlier("last", "id", after)} ORDER BY last DESC, id DESC LIMIT {most}
        """)

    def suites_and_sources(
        self, words: Words, machine_ids: Collection[uuid.UUID]
    ) -> list[tuple[Any, ...]]:
        """What these machines have measured: id, suites, sources."""
        numbers = listed(map(machine_number, machine_ids)) or "NULL"
        return self._rows(f"""
            SELECT any_value(machine_id), list(DISTINCT suite), list(DISTINCT source)
            FROM chosen JOIN setups USING (setup, unspecified)
            WHERE machine IN ({numbers}) AND {words.condition} GROUP BY machine
        """)

    def combinations(
        self, names: Sequence[str], unstated: Collection[str]
    ) -> list[tuple[Any, ...]]:
        """Each combination of values of these dimensions, of which only `unstated` ones may be
        missing; how many runs have it, and machines that are named.
        """
        stated = [f"{expression(name)} IS NOT NULL" for name in names if name not in unstated]
        return self._rows(f"""
            SELECT {listed(map(expression, names))}, count(*),
                count(DISTINCT machine) FILTER (NOT unspecified)
            FROM chosen JOIN setups USING (setup, unspecified)
            WHERE {" AND ".join(["true", *stated])} GROUP BY ALL
        """)

    def size(self) -> tuple[int, int]:
        """How many runs there are, and how many results these have."""
        ((runs, results),) = self._rows("""
            SELECT count(*), coalesce(sum(len(measured) + len(doubted)), 0)
            FROM chosen JOIN setups USING (setup, unspecified)
        """)
        return int(runs), int(results)

    def with_any_flag(self, codes: Collection[str]) -> list[tuple[Any, ...]]:
        """Newest first: machine's id, run's id, and whether the run has one of these flags."""
        flags = f"[{listed(map(literal, codes))}]::VARCHAR[]"
        return self._rows(f"""
            SELECT machine_id, run_id, list_has_any(flags, {flags})
            FROM chosen JOIN setups USING (setup, unspecified)
            ORDER BY received_at DESC, run_id DESC
        """)

    def each(self) -> Columns:
        """Its setup's `place`, the number of its machine (`owner`), and its `month`; 0: not stated.

        From memory where it knows the files.
        """
        names = ("place", "owner", "month")
        select = "SELECT place, machine AS owner, coalesce(month, 0) AS month FROM chosen"
        known = None
        if not by_subject(self.terms)[1] and self.snapshot.until is None:
            known = self.snapshot.memory.runs(self.snapshot, self.scope.asked(self.terms))
        if known is None:
            return self.snapshot.ask(f"{self._with} {select}")
        parts = []
        for runs, _, _ in known:
            chosen = np.flatnonzero(self._setups.among(runs, self.having))
            parts.append({name: runs[name][chosen] for name in names})
        if self.snapshot.has_runs or not parts:
            parts.append(self.snapshot.ask(f"{self._of('runs')} {select}"))
        return joined(parts, names)


def _earlier(received_at: str, named: str, after: Last | None) -> str:
    """The condition for what comes next, where the newest is first."""
    if after is None:
        return "true"
    return f"({received_at}, {named}) < ({moment(after[0])}, {literal(str(after[1]))}::UUID)"


def shared_runs(one: Found, other: Found) -> int:
    """How many runs have a result that is among both."""
    if not (one.having & other.having).any():
        return 0
    own, its = (of.statement("SELECT run_id, series FROM found") for of in (one, other))
    return distinct_runs(one.snapshot, [f"{own} INTERSECT {its}"])


def runs_of(
    found: Found,
    figures: Mapping[tuple[bool, bool], Sequence[tuple[int, ...]]],
    machines: Collection[int] | None = None,
) -> str:
    """The statement that finds the runs of figures, only those of these machines.

    `figures` by whether they are asked for with what is named, and with what is unspecified.
    """
    columns = f"({listed(found.figure)})"
    conditions = [
        f"{columns} IN ({listed(f'({listed(one)})' for one in of)}){_side(*sides)}"
        for sides, of in figures.items()
        if any(sides)
    ]
    condition = f"({' OR '.join(conditions) or 'false'})"
    if machines is not None:
        condition += f" AND machine IN ({listed(machines) or 'NULL'})"
    return found.statement(f"SELECT run_id FROM found WHERE {condition}")


def _side(named: bool, unspecified: bool) -> str:
    if named and unspecified:
        return ""
    return " AND NOT unspecified" if named else " AND unspecified"


def distinct_runs(snapshot: Snapshot, statements: Sequence[str]) -> int:
    """How many runs any of these statements finds."""
    every = " UNION ALL ".join(f"({statement})" for statement in statements)
    ((count,),) = snapshot.rows(f"SELECT count(DISTINCT run_id) FROM ({every})")
    return int(count)


def named_runs(run_ids: Iterable[object]) -> str | None:
    """The statement that finds runs with these ids; None without any."""
    wanted = listed(f"({literal(str(run_id))}::UUID)" for run_id in run_ids)
    return f"FROM (VALUES {wanted}) AS named(run_id)" if wanted else None


def newest_doubted(asked: Sequence[Found], most: int) -> list[tuple[Any, ...]]:
    """The runs that any of these finds which were received last: machine's id, run's id, setup, and
    how many there are in all.
    """
    statements = (found.statement("SELECT run_id, setup FROM found") for found in asked)
    data, scope = asked[0].snapshot, asked[0].asked_scope
    runs = data.relation("runs", "machine_id, run_id, received_at", scope)
    return data.rows(f"""
        WITH doubted AS (SELECT DISTINCT run_id, setup FROM ({" UNION ALL ".join(statements)}))
        SELECT machine_id, run_id, doubted.setup, (SELECT count(*) FROM doubted)
        FROM doubted JOIN {runs} AS runs USING (run_id)
        ORDER BY received_at DESC, run_id DESC LIMIT {most}
    """)
