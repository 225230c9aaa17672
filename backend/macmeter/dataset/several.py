"""What several questions find together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from macmeter.dataset.found import Found
from macmeter.dataset.snapshot import Snapshot
from macmeter.dataset.wording import listed, literal


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
