"""Properties of a question's results besides their values: days, order, hosts, runs and fleets."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from macmeter.results.dataset import summing
from macmeter.results.dataset.loading import objects
from macmeter.results.dataset.selection import Selection
from macmeter.results.dataset.setups import Bools
from macmeter.results.dataset.snapshot import Columns, Snapshot
from macmeter.results.dataset.sql import determinant, listed


def results_on_days(selection: Selection, started: Mapping[uuid.UUID, float]) -> Columns:
    """Return the results above 0 of these runs, with the `day` on which each started."""
    days = selection.snapshot.register(
        {"run_id": objects(map(str, started)), "day": np.fromiter(started.values(), float)}
    )
    return selection.ask(f"""
        SELECT machine, setup, series, value, day, coalesce(device_number, 0) AS device
        FROM found JOIN (SELECT run_id::UUID AS run_id, day FROM {days}) USING (run_id)
        WHERE value > 0
    """)


def values_in_time_order(selection: Selection, figures: Sequence[tuple[int, ...]]) -> Columns:
    """Return every value of these figures with its machine, from the first run to the last."""
    runs = selection.snapshot.relation(
        "runs", "run_id, started_at, received_at", selection.needed_scope
    )
    return selection.ask(f"""
        SELECT {selection.group_columns}, machine AS owner, value
        FROM found JOIN (SELECT run_id, started_at, received_at FROM {runs}) USING (run_id)
            {selection.semi_join(figures)}
        ORDER BY {selection.group_columns}, owner, coalesce(started_at, received_at), run_id, series
    """)


def values_with_new(selection: Selection, new: str) -> Columns:
    """Return all values above 0 by `series`, with their machines and whether they are `is_new`:
    from runs in the relation `new_runs`.
    """
    return selection.ask(f"""
        SELECT series, machine, value, run_id IN (SELECT run_id::UUID FROM {new}) AS is_new
        FROM found WHERE value > 0 ORDER BY series
    """)


def named_hosts(selection: Selection) -> list[Any]:
    """Return the machines that guests name as their hosts."""
    return [
        host
        for (host,) in selection.rows("""
        SELECT DISTINCT host_machine_id FROM found WHERE host_machine_id IS NOT NULL
    """)
    ]


def guests_and_hosts(
    selection: Selection, names: Sequence[str], hosts: Collection[int]
) -> list[tuple[Any, ...]]:
    """Return the figures of guests and of these hosts: what identifies the figure, then machine,
    host, drive, holder, series, labels, values of these dimensions, and all values and run ids.
    """
    columns = ["machine", "host_machine_id", "device_id", "holder", "series", "labels"]
    columns += map(determinant, names)
    runs = selection.snapshot.relation("runs", "run_id, device_id, holder", selection.needed_scope)
    return selection.rows(f"""
        SELECT {listed(selection.figure_columns)}, {listed(columns)}, list(value), list(run_id)
        FROM found JOIN setups USING (setup, unspecified)
            JOIN (SELECT run_id, device_id, holder FROM {runs}) USING (run_id)
        WHERE NOT unspecified
            AND (host_machine_id IS NOT NULL OR machine IN ({listed(hosts) or "NULL"}))
        GROUP BY ALL
    """)


MAX_LINKED_RUNS = 8
"""Maximum number of runs that a figure links to."""


def first_runs(selection: Selection, figures: Sequence[tuple[int, ...]]) -> list[tuple[Any, ...]]:
    """Return the first run ids of each of these figures, ascending."""
    if (rows := selection.rows_in_memory) is not None:
        groups = selection.groups_of(rows, {*figures})
        first = summing.first_runs(rows, groups, selection.snapshot.run_ids, MAX_LINKED_RUNS)
        return _as_rows(selection, selection.with_figures(rows, first), "ids")
    distinct = "" if selection.is_of_one_series else "DISTINCT "
    return selection.rows(f"""
        SELECT {selection.group_columns}, list(run_id) FROM (
            FROM (
                SELECT {distinct}{selection.group_columns}, run_id
                FROM found {selection.semi_join(figures)}
            )
            QUALIFY row_number() OVER (
                PARTITION BY {selection.group_columns} ORDER BY run_id
            ) <= {MAX_LINKED_RUNS}
        ) GROUP BY {selection.group_columns}
    """)


def _as_rows(selection: Selection, rows: Columns, *names: str) -> list[tuple[Any, ...]]:
    """Convert to rows like those of a statement that selects `group_columns` and these columns."""
    columns = (rows[name].tolist() for name in (*selection.figure_columns, "unspecified", *names))
    return [*zip(*columns, strict=True)]


def results_of_articles(selection: Selection) -> list[tuple[Any, ...]]:
    """Return the results of each published figure: machine id, run and series."""
    if (rows := selection.rows_in_memory) is not None:
        return _articles_in_memory(selection, rows)
    data = selection.snapshot
    setups = data.setups.numbers[_are_published(data) & selection.setups_with_results]
    condition = f"setup IN ({listed(setups.tolist()) or 'NULL'})"
    runs = data.relation("runs", "run_id, machine_id, setup", selection.needed_scope)
    return selection.rows(f"""
        SELECT {selection.group_columns}, machine_id, run_id, series
        FROM (FROM found WHERE {condition})
            JOIN (SELECT run_id, machine_id FROM {runs} WHERE {condition}) USING (run_id)
    """)


def _are_published(data: Snapshot) -> Bools:
    """Return for each setup whether its runs come from articles."""
    codes, sources = data.values("source")
    return np.array([source == "published" for source in sources], dtype=bool)[codes]


def _articles_in_memory(selection: Selection, rows: Columns) -> list[tuple[Any, ...]]:
    """Return `results_of_articles` from rows in memory."""
    data = selection.snapshot
    published = np.flatnonzero(_are_published(data)[rows["place"]])
    machine_ids = data.machine_ids(rows["owner"][published].tolist(), selection.needed_scope)
    columns = {
        "row": published,
        "machine_id": objects(machine_ids[owner] for owner in rows["owner"][published].tolist()),
        "run_id": objects(data.run_ids.of(rows["at"][published])),
        "series": rows["series"][published],
    }
    return _as_rows(
        selection, selection.with_figures(rows, columns), "machine_id", "run_id", "series"
    )


def machines_of_fleets(selection: Selection, figure: Sequence[int]) -> list[tuple[Any, ...]]:
    """Return a figure's machines that are in fleets: the fleet's id, and the machine's number."""
    return selection.rows(f"""
        SELECT DISTINCT fleet_id, machine FROM found JOIN setups USING (setup, unspecified)
        WHERE fleet_id IS NOT NULL AND {selection.is_in_figure(figure)}
        ORDER BY ALL
    """)
