"""What a snapshot sees, put by for a download, which takes longer than files and snapshots stay.

Files of the data set are linked, so nothing of them is copied; what is newer is written beside
them. It is read with memory of its own, for which no question waits, and spills what needs more.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from duckdb import DuckDBPyConnection

from macmeter import catalog
from macmeter.access.scope import Scope
from macmeter.dataset import engine
from macmeter.dataset.building import OutrunError
from macmeter.dataset.chosen import ChosenSetups
from macmeter.dataset.loading import objects
from macmeter.dataset.relations import RELATIONS
from macmeter.dataset.snapshot import Snapshot
from macmeter.dataset.wording import listed, literal
from macmeter.terms import Term

OF_SAMPLES = {
    name: "DOUBLE" if dimension.kind is catalog.Kind.NUMBER else "VARCHAR"
    for name, dimension in catalog.DIMENSIONS.items()
    if dimension.of == "sample"
}
# Another file would have other rights, and a pipe can't be replaced.
IN_PLACE = "USE_TMP_FILE false"
_SETTINGS = {
    "memory_limit": "256MB",
    "threads": 1,
    # Tables are joined as statements say: see corpus.py.
    "disabled_optimizers": "join_order,build_side_probe_side",
}


def freeze(snapshot: Snapshot, scope: Scope, terms: Sequence[Term], directory: Path) -> None:
    """Put by in `directory` the runs that match filters of setups and may be read in `scope`, which
    is not that of a machine. OutrunError where files are gone.
    """
    chosen = f"SEMI JOIN {ChosenSetups(snapshot, terms, scope).relation()} USING (setup)"
    own = {
        "setups": f"SELECT setups.* FROM setups {chosen}",
        "runs": f"SELECT runs.* FROM runs {chosen}",
        "results": f"SELECT results.* FROM results {chosen} ORDER BY series",
        "hidden": "SELECT run_id FROM changed",
        "series": _series(snapshot),
    }
    for name, rows in own.items():
        path = directory / f"{name}.parquet"
        path.touch(0o600)
        snapshot.rows(f"COPY ({rows}) TO {literal(str(path))} (FORMAT parquet, {IN_PLACE})")
    asked = scope.asked(terms)
    for relation in ("runs", "results"):
        for number, (part, file) in enumerate(snapshot.files_of(relation, asked)):
            # In the order of series, in which they are read.
            name = f"{relation}-{file.least or 0:09}-{number}.parquet"
            _link(part.path(file), directory / name)


def _series(snapshot: Snapshot) -> str:
    """What their numbers stand for."""
    known = {number: of for number, of in snapshot.series.items() if of.metric in catalog.METRICS}
    columns = {
        "series": np.array([*known], dtype=np.int32),
        "metric": objects(of.metric for of in known.values()),
        "unit": objects(catalog.METRICS[of.metric].unit.value for of in known.values()),
        **{name: objects(of.parameter(name) for of in known.values()) for name in OF_SAMPLES},
    }
    types = {"series": "INTEGER", "metric": "VARCHAR", "unit": "VARCHAR"} | OF_SAMPLES
    told = listed(f'"{name}"::{kind} AS "{name}"' for name, kind in types.items())
    return f"SELECT {told} FROM {snapshot.register(columns)}"


def _link(path: Path, to: Path) -> None:
    try:
        os.link(path, to)
    except FileNotFoundError:
        raise OutrunError from None
    except OSError:  # on another disk
        shutil.copyfile(path, to)


def opened(directory: Path) -> DuckDBPyConnection:
    """What is put by there as the views `setups`, `runs`, `results` and `series`."""
    connection = engine.connect()
    for name, value in _SETTINGS.items():
        connection.execute(f"SET {name} = {literal(str(value))}")
    connection.execute(f"SET temp_directory = {literal(str(directory / 'spilled'))}")
    for name in ("setups", "runs", "results", "series"):
        connection.execute(f"DROP TABLE IF EXISTS {name}")
        connection.execute(f"CREATE VIEW {name} AS {_rows(directory, name)}")
    return connection


def _rows(directory: Path, name: str) -> str:
    own = f"FROM read_parquet({literal(str(directory / name))} || '.parquet')"
    if not (linked := sorted(directory.glob(f"{name}-*.parquet"))):
        return own
    columns = listed(f'"{column}"' for column in RELATIONS[name])
    files = f"read_parquet([{listed(literal(str(path)) for path in linked)}])"
    hidden = f"read_parquet({literal(str(directory / 'hidden.parquet'))})"
    return (
        f"SELECT {columns} FROM {files} WHERE run_id NOT IN (FROM {hidden})"
        f" UNION ALL SELECT {columns} {own}"
    )
